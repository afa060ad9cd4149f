"""The verbs that learn texts, which may stand in folders, or in some columns of a file."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

from bayesic.data.snapshots import learning
from bayesic.data.typing import ArrayLike, LabelsLike, TableLike
from bayesic.models.fading import Fades


class LearnsTexts(Fades):
    """A counting model of texts."""

    @learning
    def fit(  # type: ignore[override]  # text comes first
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        text: str | Sequence[str] | None = None,
        times: ArrayLike | None = None,
    ) -> Self:
        """Learn texts X with classes y; whatever was learned before is gone.

        X : a list of texts, or a column of pandas, polars or pyarrow; or the path of a folder with
            one folder for each class, or of a CSV, TSV or Parquet file, read block by block
        y : class labels; of a file the name of the column that holds them; nothing for a folder
        sample_weight : weights of the texts; not for files
        text : of a file the name of the column with the texts, if there are several; or the names
            of several columns, the texts of which are joined by a line break in each row
        times : the moment of each text, where decay is a span of time, as in NaiveBayes

        The names of the columns are kept: `partial_fit` and `forget` take them from there.
        """
        model: Any = self  # a CountingModel
        return model._learn_anew(X, y, sample_weight, text=text, times=times)

    @learning
    def partial_fit(  # type: ignore[override]
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        classes: Iterable[Any] | None = None,
        sample_weight: ArrayLike | None = None,
        text: str | Sequence[str] | None = None,
        times: ArrayLike | None = None,
    ) -> Self:
        """Learn more texts: the same model comes out as from all texts in one `fit`.

        New classes and new words may come at any time. Classes that are declared are known from
        then on, also those without texts.
        """
        model: Any = self
        told = {"declared": model._declared(classes), "text": text, "times": times}
        return model._learn(X, y, sample_weight, **told)

    @learning
    def forget(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        text: str | Sequence[str] | None = None,
    ) -> Self:
        """Take texts back out: the same model comes out as if they had never been learned.

        Texts that were never learned are refused where the statistics show it.
        """
        model: Any = self
        return model._unlearn(X, y, sample_weight, text=text)
