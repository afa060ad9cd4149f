"""The models desk: what the models of the store have learned, and when."""
