"""How good answers are: scores, calibration, costs, cross validation, and the report of them."""
