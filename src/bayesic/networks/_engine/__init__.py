"""Exact inference on factors: one junction tree for many rows of evidence."""
