"""How rows come in: as a matrix of numbers, as a table of columns, as texts."""
