"""The tables of a network from data: rows in, counts, and what follows from them."""
