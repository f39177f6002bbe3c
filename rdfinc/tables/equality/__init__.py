"""Relations that are closed under an equality, kept over representatives."""
