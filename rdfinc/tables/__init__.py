"""How facts are kept: one interface, several storage schemes."""
