"""Linear models without counts: logistic regression and least squares."""
