"""Generates what is measured, the same on every machine and in every run."""

# Python promises that the same seed gives the same numbers. The name of a file is part of its seed,
# so that adding one file changes no other.
SEED = "assent"
