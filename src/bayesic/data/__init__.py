"""What comes in: arrays, tables, labels and weights, made into matrices and class numbers."""
