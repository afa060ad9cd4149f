"""Models of P(c) p(x | c) as a whole: rows can be drawn from them, and have a density."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.arguments import check_is_fitted, check_whole_number
from bayesic.data.snapshots import answering, snapshot
from bayesic.data.typing import Label, RandomState, TableLike
from bayesic.estimation.prior import ClassPrior, checked_prior
from bayesic.kernels import Array
from bayesic.models.fitted import learned
from bayesic.models.looks import notices
from bayesic.models.readers.known_columns import known_columns
from bayesic.statistics.table_counts import ColumnCounts

UNCUT = "no cut between its numbers tells the classes apart"


class Sample(NamedTuple):
    """Rows drawn from a model: a dict of columns, or an array of rows, and their classes."""

    X: Any
    y: Array


class Generative:
    """A classifier of tables whose fitted object draws rows: `sampled(codes, rng)`, as columns."""

    declares_classes = False
    fits_when_asked = True

    class_count_ = learned("counts.class_count", "Rows of each class.")
    class_prior_ = learned("prior.probability", "P(c) of each class.")
    uninformative_columns_ = learned(
        "uninformative",
        "The columns that say nothing about the class, so that they change no answer, and why.",
    )

    @answering
    def log_density(self, X: TableLike) -> Array:
        """log p(x) of each row, summed over the classes: low for rows unlike any that were learned.

        With missing values it is the density of the other columns. Weights of columns separate
        classes, and play no part here.
        """
        model: Any = self
        if getattr(self, "weights", None) is not None:
            model = snapshot(model)
            model.weights = None
        return np.logaddexp.reduce(model.predict_joint_log_proba(X), axis=1)

    @answering
    def sample(
        self, n: int = 1, label: Label | None = None, random_state: RandomState = None
    ) -> Sample:
        """Draw n rows from the model: from one class, or from classes drawn from the prior.

        Returns the columns as a dict (rows as an array if the learned table had no names), which
        `predict` takes, and the classes.
        """
        from sklearn.utils.validation import check_random_state  # takes long to load

        check_is_fitted(self)
        check_whole_number("n", n, least=0)
        fitted, classes = self._fitted, self.classes_  # type: ignore[attr-defined]
        rng = np.random.default_rng(check_random_state(random_state).randint(2**31))
        if label is None:
            codes = rng.choice(len(classes), int(n), p=fitted.prior.probability)
        else:
            codes = np.full(int(n), _code_of(label, classes.tolist()))
        return Sample(self._as_asked(fitted.sampled(codes, rng)), classes[codes])

    def _as_asked(self, columns: dict[str, Array]) -> Any:
        """Columns as `predict` wants them: rows if what was learned had no names."""
        known = known_columns(self)
        if known.named:
            return columns
        n_rows = len(next(iter(columns.values()), ()))
        rows = np.full((n_rows, len(known.names)), None)
        for place, name in enumerate(known.names):
            if name in columns:
                rows[:, place] = columns[name]
        return rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # of scikit-learn
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _code_of(label: Any, classes: list) -> int:
    if label not in classes:
        raise ValueError(f"label must be one of the classes {classes}, got {label!r}.")
    return classes.index(label)


# the prior of models that name classes ----------------------------------------------------------


def check_named_prior(prior: Any) -> None:
    """Refuse what is neither a word nor a dict."""
    is_word = isinstance(prior, str) and prior in ("learned", "uniform")
    if not is_word and not isinstance(prior, Mapping):
        raise ValueError(
            "prior must be 'learned', 'uniform' or a dict such as {'ham': 0.8, 'spam': 0.2}, "
            f"got {prior!r}."
        )


def named_prior(prior: Any, classes: Array, class_count: Array, smoothing: float) -> ClassPrior:
    """The prior that a user asks for: "learned", "uniform", or class -> probability."""
    check_named_prior(prior)
    if not isinstance(prior, Mapping):
        return ClassPrior(class_count, prior, smoothing)
    names = classes.tolist()
    missing = [name for name in names if name not in prior]
    unknown = [name for name in prior if name not in names]
    if missing or unknown:
        raise ValueError(
            f"prior must give a probability for each class: it lacks {missing} and has the "
            f"unknown {unknown}. The classes are {names}."
        )
    given = checked_prior([prior[name] for name in names], len(names))
    return ClassPrior(class_count, given, smoothing)


# what a table looks like --------------------------------------------------------------------------


def why_nothing(counts: ColumnCounts | None, kind: str | None, unseen: str, is_uncut: bool) -> str:
    """Why a column says nothing about the class; "" if it may say something.

    kind   : what the user says of the column, if anything
    unseen : why there may be no counts
    """
    if counts is None:
        return unseen
    if is_uncut:
        return UNCUT
    return "the same value in all rows" if len(counts.table) == 1 and kind != "bernoulli" else ""


def table_notices(
    counts: Mapping[str, ColumnCounts],
    told: Mapping[str, str],
    uninformative: Mapping[str, str],
    classes: Array,
    class_count: Array,
) -> Iterable[str]:
    """What to say of columns and targets that a model should not take as they are."""
    seen = {name: each for name, each in counts.items() if name not in told}
    return notices(seen, classes, class_count, uninformative)
