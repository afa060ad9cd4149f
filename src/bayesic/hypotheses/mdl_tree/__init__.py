"""Decision trees by minimum description length."""
