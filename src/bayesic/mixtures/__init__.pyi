from bayesic.mixtures.known_variance import expected_memberships as expected_memberships
from bayesic.mixtures.known_variance import means_of_known_variance as means_of_known_variance

__all__: list[str]
