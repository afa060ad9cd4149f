"""Reasoning about a finite set of hypotheses."""
