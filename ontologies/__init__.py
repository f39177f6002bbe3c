"""Data only: ontologies and rule sets that ship with rdfinc, read as package resources."""
