"""Structure from data: which edges a network has, by scores, tests and trees."""
