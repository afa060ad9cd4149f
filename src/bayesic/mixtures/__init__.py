"""EM: the same chain with soft classes."""
