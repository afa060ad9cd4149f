"""Fitted models written down for others to compute: what a row's answer is, step by step."""
