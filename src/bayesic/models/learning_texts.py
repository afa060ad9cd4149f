"""The verbs that learn texts, which may stand in folders, or in some columns of a file."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

from bayesic.data.snapshots import learning
from bayesic.data.tokens import OwnTokenizer, Tokenizer
from bayesic.data.typing import ArrayLike, LabelsLike, TableLike
from bayesic.models.fading import Fades
from bayesic.models.fitted import learned


class LearnsTexts(Fades):
    """A counting model of texts."""

    tokenizer_: Tokenizer | OwnTokenizer
    counts_lengths_: bool

    class_count_ = learned("prior.class_count", "Texts of each class.")
    class_prior_ = learned("prior.probability", "P(c) of each class.")
    vocabulary_ = learned("weights.words", "The words that take part, in sorted order.")
    smoothing_ = learned(
        "weights.smoothing",
        "The lambda that is used, also where it was chosen automatically; m of an m-estimate.",
    )

    @learning
    def fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        text: str | Sequence[str] | None = None,
        times: ArrayLike | None = None,
    ) -> Self:
        """Learn texts X with classes y; whatever was learned before is gone.

        X : a list of texts, or a column of pandas, polars or pyarrow; or the path of a folder with
            one folder for each class, or of a CSV, TSV or Parquet file, read block by block
        y : class labels; of a file the name of the column that holds them; nothing for a folder
        sample_weight : weights of the texts; not for files
        text : for a file, the name of the column with the texts, if there are several; or the names
            of several columns, whose texts are joined by a line break in each row
        times : the time of each text, if decay is a span of time, as in NaiveBayes

        The model keeps the column names: `partial_fit` and `forget` use them.
        """
        model: Any = self  # a CountingModel
        return model._learn_anew(X, y, sample_weight, text=text, times=times)

    @learning
    def partial_fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        classes: Iterable[Any] | None = None,
        sample_weight: ArrayLike | None = None,
        text: str | Sequence[str] | None = None,
        times: ArrayLike | None = None,
    ) -> Self:
        """Learn more texts (incremental): the model is the same as from one `fit` on all texts.

        New classes and new words may appear at any time. Declared classes are known from then on,
        even without texts.
        """
        model: Any = self
        told = {"declared": model._declared(classes), "text": text, "times": times}
        return model._learn(X, y, sample_weight, **told)

    @learning
    def forget(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        text: str | Sequence[str] | None = None,
    ) -> Self:
        """Remove texts (unlearning): the model is then the same as if it had never learned them.

        Texts that were never learned are refused where the statistics show it.
        """
        model: Any = self
        return model._unlearn(X, y, sample_weight, text=text)

    def _check_mergeable(self, other: Any) -> None:
        mine, theirs = (
            (model.tokenizer_, "tf-idf" if model.counts_lengths_ else "words")
            for model in (self, other)
        )
        if mine != theirs:
            raise ValueError(
                "Only models that cut and count words in the same way can be merged: this one has "
                f"{mine}, the other {theirs}."
            )
