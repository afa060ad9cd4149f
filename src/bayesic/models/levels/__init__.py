"""Columns of levels that depend on each other: trees, k parents, their averages, joint tables."""
