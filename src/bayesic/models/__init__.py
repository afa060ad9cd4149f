"""Parameters -> log p(x, c): the estimators, thin on top of the folders before."""
