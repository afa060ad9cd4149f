"""What scikit-learn asks of an estimator, kept without loading scikit-learn until it asks."""
