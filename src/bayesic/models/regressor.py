"""Models of numbers, rather than of classes: what they all share."""

from abc import abstractmethod
from typing import ClassVar

from bayesic.contract.estimator import Estimator
from bayesic.data.arguments import as_numbers, check_is_fitted
from bayesic.data.snapshots import answering
from bayesic.data.source import opened
from bayesic.data.typing import ArrayLike, LabelsLike, TableLike
from bayesic.files.model_files import Saved
from bayesic.kernels import Array
from bayesic.models.counting import CountingModel, FittedObject, Settings, Statistics
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.labelled_rows import whole
from bayesic.models.summaries.summarised import Described, FittedSummary, described_by


class CountingRegressor(
    CountingModel[Statistics, FittedObject, Settings], Saved, FittedSummary, Estimator
):
    """A model that predicts numbers and is a function of additive statistics."""

    estimator_type = "regressor"
    declares_classes = False
    unused: ClassVar[tuple[str, ...]] = ("classes", "times", "text")
    _group = "target"

    @abstractmethod
    def _read_targets(self, y: object) -> Array:
        """The numbers to be predicted, in float64."""

    @abstractmethod
    def predict(self, X: TableLike) -> Array | tuple[Array, Array]:
        """The number of each row."""

    @answering
    def score(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """The coefficient of determination, R squared; y may be the name of a column of X."""
        from sklearn.metrics import r2_score  # takes long to load

        check_is_fitted(self)
        blocks = [*self._reader().blocks(opened(X), y, sample_weight)]
        predicted = whole([self.predict(block.X) for block in blocks])
        targets = whole([as_numbers(block.y, "y") for block in blocks])
        return float(r2_score(targets, predicted, sample_weight=sample_weight))

    def _described(self) -> Described:
        return described_by(self._fitted, list(known_columns(self).names), self._groups())
