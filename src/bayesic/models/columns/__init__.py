"""Tables with columns of any kind, each with a distribution of its own: naive Bayes."""
