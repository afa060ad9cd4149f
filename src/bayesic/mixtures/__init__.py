"""EM: the same chain with soft classes."""

from bayesic.lazy_names import names_of_stub

__all__, __getattr__, __dir__ = names_of_stub(globals())
