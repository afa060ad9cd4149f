"""Statistics -> parameters, as pure functions: maximum likelihood, or Bayesian with lambda."""
