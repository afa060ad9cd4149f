from bayesic.decisions.decide import expected_cost as expected_cost
from bayesic.decisions.sure_answers import rank as rank

__all__: list[str]
