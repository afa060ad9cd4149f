"""Posterior -> action."""
