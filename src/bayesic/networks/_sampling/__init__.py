"""Monte Carlo: answers from random states of all variables."""
