"""Arrays of counts and codes: the naive Bayes estimators of scikit-learn."""
