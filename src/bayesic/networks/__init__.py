"""Belief networks: graphs with probability tables, exact answers, sampling, files."""

from bayesic.lazy_names import names_of_stub

__all__, __getattr__, __dir__ = names_of_stub(globals())
