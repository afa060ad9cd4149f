"""EM: the same chain with soft classes."""

from typing import TYPE_CHECKING

from bayesic.lazy_names import lazy_names

# public name -> the module that defines it
_HOME = {
    "expected_memberships": "bayesic.mixtures.known_variance",
    "means_of_known_variance": "bayesic.mixtures.known_variance",
}

__all__ = [
    "expected_memberships",
    "means_of_known_variance",
]

if TYPE_CHECKING:
    from bayesic.mixtures.known_variance import expected_memberships, means_of_known_variance

__getattr__, __dir__ = lazy_names(globals(), _HOME)
