"""A distribution that was estimated from samples, and how far off it may be."""

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from bayesic.evidence.bars import probability_text
from bayesic.evidence.text_table import aligned
from bayesic.networks.distribution import Distribution
from bayesic.networks.shown import MOST_ROWS, distribution_html, distribution_text, state_text

Array = np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class SampledDistribution(Distribution):
    """A `Distribution` that knows its standard errors.

    `standard_error` has the same keys. About 95 % of the estimates are within two of them. Where
    they are small beside 1 / effective_samples, trust them less: a state that never came up has
    the standard error 0, yet its probability may be up to 3 / effective_samples.

    `effective_samples` says how many independent samples of the posterior would be as good.

    >>> fire = SampledDistribution(
    ...     ("Campfire",), (("yes", "no"),), np.array([0.4, 0.6]),
    ...     errors=np.array([0.049, 0.049]), effective_samples=100.0, samples=250,
    ... )
    >>> fire["yes"], fire.standard_error["yes"]
    (0.4, 0.049)
    >>> print(fire)
    P(Campfire)
      yes  0.4000  ########
      no   0.6000  ############
    from 250 samples, worth 100; standard errors
      yes  0.0490
      no   0.0490
    """

    errors: Array = field(kw_only=True)  # standard error of each probability
    effective_samples: float = field(kw_only=True)
    samples: int = field(kw_only=True)

    @property
    def standard_error(self) -> dict[Any, float]:
        """State, or tuple of states -> standard error of its probability."""
        return dict(zip(self, self.errors.ravel().tolist(), strict=True))

    def __str__(self) -> str:
        shown = islice(self.standard_error.items(), MOST_ROWS)
        lines = aligned([(state_text(key), probability_text(error)) for key, error in shown], (1,))
        return "\n".join([distribution_text(self), f"{self._worth()}; standard errors", *lines])

    def _repr_html_(self) -> str:
        largest = probability_text(float(self.errors.max()))
        note = f"{self._worth()}; largest standard error {largest}"
        return f"{distribution_html(self)}<div>{note}</div>"

    def _worth(self) -> str:
        return f"from {self.samples:,} samples, worth {self.effective_samples:,.0f}"
