"""The table desk: a table as columns and rows, and a model that learns its target."""
