"""Tests of the driver: ``cd benches && python3 -m unittest``."""
