"""Belief networks: graphs with probability tables, exact answers, sampling, files."""
