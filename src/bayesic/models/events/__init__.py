"""Event models: how the cells of one column are distributed within each class."""
