"""The E-step of a Gaussian mixture on Spark: one pass over the partitions, and statistics back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesic.data.matrices import Matrix
from bayesic.data.source import Stored, no_order
from bayesic.mixtures._gaussian_em import Task
from bayesic.mixtures.components import Components, SoftMoments
from bayesic.models.readers.labelled_rows import all_rows, read_to_learn
from bayesic.spark.partitions import summaries
from bayesic.spark.sampled_rows import sampled
from bayesic.statistics.additive import sum_of_pairs

if TYPE_CHECKING:
    from bayesic.mixtures.gaussian_mixture import GaussianMixture

Expectation = tuple[Any, float, int]  # statistics, the sum of log p(x), the number of rows


@dataclass(frozen=True)
class SparkTask:
    """As `Task`, with the rows of a Spark DataFrame."""

    model: "GaussianMixture"  # with its columns set
    frame: Any

    @property
    def covariance_type(self) -> str:
        """As given by the user."""
        return self.model.covariance_type

    @property
    def reg_covar(self) -> float:
        """As given by the user."""
        return float(self.model.reg_covar)

    def expect(self, components: Components) -> tuple[SoftMoments, float]:
        """The E-step: the soft statistics of all rows, and the mean of log p(x)."""
        of_partitions = summaries(self.frame, Expecting(self.model, components))
        expected = sum_of_pairs(_added, map(tuple, of_partitions))
        if expected is None:
            raise ValueError("The DataFrame has lost its rows since the last step of EM.")
        statistics, total, n_rows = expected
        return statistics, total / n_rows


@dataclass(frozen=True)
class Expecting:
    """The E-step on one partition, as a function that Spark can send to it."""

    model: "GaussianMixture"
    components: Components

    def __call__(self, source: Stored) -> Expectation | None:
        """The statistics of its rows by their shares."""
        read = (read_to_learn(self.model, block) for block in self.model._reader().asked(source))
        return sum_of_pairs(_added, map(self._of_block, read))

    def _of_block(self, matrix: Matrix) -> Expectation:
        how = self.model.n_components, self.model.covariance_type, float(self.model.reg_covar)
        statistics, mean = Task(matrix, None, *how).expect(self.components)
        return statistics, mean * matrix.shape[0], matrix.shape[0]


def _added(first: Expectation, second: Expectation) -> Expectation:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


def sampled_rows(model: "GaussianMixture", frame: Any, sample_weight: object) -> tuple[Matrix, int]:
    """A sample of rows to start from, and the number of all rows."""
    if sample_weight is not None:
        raise no_order("The DataFrame of Spark")
    rows, n_rows = sampled(frame)
    if not n_rows:
        raise ValueError("The DataFrame has no rows: there is nothing to learn.")
    return all_rows(model, rows), n_rows
