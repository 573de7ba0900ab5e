"""Runs the benchmarks: installs peers, checks that all do the same work, measures, judges.

Only the standard library is used, so that a checkout and a Python are enough to start.
"""
