"""Answers for rows whose classes are known: by a model as it is, by leave-one-out, by folds."""

from collections.abc import Iterable, Iterator, Sequence
from inspect import signature
from typing import Any, TypeGuard

import numpy as np

from bayesic.contract.constructor import clone, is_estimator
from bayesic.data.arguments import check_is_fitted, checked_weights, is_whole_number
from bayesic.data.labels import checked_labels, encode_known_labels, encode_labels, take_column
from bayesic.data.languages import Sentence
from bayesic.data.source import Source, Stored, opened
from bayesic.data.tables import number_of_rows, rows_at
from bayesic.data.text_files import has_columns, has_texts, labelled_texts
from bayesic.data.typing import Classifier, TableLike
from bayesic.evaluation.judged import Answers, as_answers
from bayesic.kernels import Array
from bayesic.models.columns.schema import KINDS, checked_kinds
from bayesic.models.counting import CountingModel
from bayesic.models.words.text_classifier import TextClassifier
from bayesic.progress import bar_of

Fold = tuple[Array, Array]  # numbers of the rows to learn, and of those to judge

LEAVE_ONE_OUT = "leave-one-out"


class TooManyFoldsError(ValueError):
    """There are more folds than rows of the largest class."""

    def __init__(self, n_folds: int, most: int) -> None:
        super().__init__(
            f"cv must be at most {most}, as many rows as the largest class has, got {n_folds}. "
            f"Use cv={LEAVE_ONE_OUT!r} where there are few."
        )
        self.n_folds, self.most = n_folds, most


def answers_as_learned(
    model: Any, X: TableLike, y: object, text: object = None, sample_weight: object = None
) -> Answers:
    """What a fitted model says of rows, which it should not have learned."""
    classes = _classes_of(model)
    blocks = _labelled_blocks(model, opened(X), y, text)
    parts = [(model.predict_proba(rows), labels) for rows, labels in blocks]
    return _joined(parts, classes, sample_weight)


def answers_without_each(
    model: Any, X: object, y: Any, text: object = None, sample_weight: Any = None
) -> Answers:
    """What a fitted model says of each row that it has learned, as if it had not learned it."""
    _refuse_without_leave_one_out(model)
    classes = _classes_of(model)
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    source = opened(X)
    if are_texts_of_files(source, model, text):
        blocks = _labelled_blocks(model, source, y, text)
        parts = [(model.leave_one_out(texts, labels), labels) for texts, labels in blocks]
    elif (
        isinstance(model, CountingModel)
        and isinstance(source, Stored)
        and isinstance(_target_of(model, y), str)
    ):
        y = _target_of(model, y)
        parts = [(model.leave_one_out(source, y, **weights), source.labels(y))]  # block by block
    else:
        X, labels = labelled_rows(model, source, y, text)
        parts = [(model.leave_one_out(X, labels, **weights), labels)]
    return _joined(parts, classes, sample_weight)


def cross_validated(
    model: object,
    X: object,
    y: object,
    cv: object,
    seed: int = 0,
    text: object = None,
    sample_weight: object = None,
) -> tuple[Answers, int]:
    """What copies of a model say of rows, each learned from other rows; and how many copies.

    A row that is in several folds is judged as often; rows in none of them are not judged.
    """
    X, labels = labelled_rows(model, X, y, text)
    weights = checked_weights(sample_weight, len(labels))
    classes, _ = encode_labels(labels)
    folds = _folds_of(cv, labels, seed)
    posterior = []
    with bar_of("learning folds", len(folds)) as advance:
        for fold in folds:
            learned = _learned_from(model, X, labels, weights, fold[0], classes)
            posterior.append(_probability_of(learned, rows_at(X, fold[1]), classes))
            advance()
    return _in_order(folds, np.concatenate(posterior), labels, classes, weights), len(folds)


def _learned_from(
    model: object, X: object, labels: Array, weights: Array | None, rows: Array, classes: Array
) -> Any:
    """A copy of the model that has learned these rows.

    Where the model allows it, classes that none of these rows has are declared, so that they are
    possible.
    """
    given = (rows_at(X, rows), labels[rows])
    more = weights_to_fit(model, None if weights is None else weights[rows])
    if not getattr(model, "declares_classes", True):
        return clone(model).partial_fit(*given, classes=classes, **more)
    return clone(model).fit(*given, **more)


def weights_to_fit(model: Any, weights: object) -> dict[str, object]:
    """The weights of rows as an argument of `fit`; refused if the model takes none."""
    if weights is None:
        return {}
    if "sample_weight" not in signature(model.fit).parameters:
        raise TypeError(
            f"{type(model).__name__}.fit takes no sample_weight. Leave it out, or use a model that "
            "learns with weights."
        )
    return {"sample_weight": weights}


def _probability_of(model: Classifier, X: object, classes: Array) -> Array:
    """P(class) of these classes; 0 for those that the model has not learned."""
    indices = encode_known_labels(_classes_of(model), classes)
    answers = np.asarray(model.predict_proba(X))
    posterior = np.zeros((len(answers), len(classes)))
    posterior[:, indices] = answers
    return posterior


def _classes_of(model: object) -> Array:
    """The classes that a model has learned; what has learned none is refused."""
    if not hasattr(model, "classes_"):
        if is_estimator(model):
            check_is_fitted(model)
        raise TypeError(
            f"The model must be a classifier, which knows its classes, got {type(model).__name__}, "
            "which has no classes_."
        )
    return model.classes_


def _refuse_without_leave_one_out(model: object) -> None:
    """Refuse a model that cannot take single rows back out."""
    if not hasattr(model, "leave_one_out"):
        raise TypeError(
            f"cv={LEAVE_ONE_OUT!r} needs a model that can forget single rows, got a "
            f"{type(model).__name__}, which would have to be fitted again for each. Use cv=5, or "
            "sklearn.model_selection.LeaveOneOut() for one fit per row."
        )


def _in_order(
    folds: list[Fold], posterior: Array, labels: Array, classes: Array, weights: Array | None
) -> Answers:
    """The answers of all folds in the order of the rows."""
    judged = np.concatenate([rows for _, rows in folds])
    order = np.argsort(judged, stable=True)
    rows = judged[order]
    each = None if weights is None else weights[rows]
    return as_answers(posterior[order], labels[rows], classes, rows, each)


def _joined(
    parts: Sequence[tuple[object, Array]], classes: Array, sample_weight: object
) -> Answers:
    posterior = np.concatenate([np.asarray(answers) for answers, _ in parts])
    labels = np.concatenate([labels for _, labels in parts])
    return as_answers(posterior, labels, classes, sample_weight=sample_weight)


# rows or texts with their classes, as a model takes them ------------------------------------------


def _labelled_blocks(
    model: object, source: Source, y: object, text: object
) -> Iterator[tuple[object, Array]]:
    """What the model takes, with the class of each row; of a file in blocks, if it reads files."""
    if are_texts_of_files(source, model, text):
        yield from _text_blocks(model, source, y, text)
    elif isinstance(model, CountingModel) and isinstance(source, Stored):
        for block in model._reader().blocks(source, _target_of(model, y), None):
            yield block, checked_labels(block.y)
    else:
        yield labelled_rows(model, source, y, text)


def labelled_rows(model: object, X: object, y: object, text: Any) -> tuple[Any, Array]:
    """All rows or texts in memory, and the class of each."""
    source = opened(X)
    if are_texts_of_files(source, model, text):
        blocks = list(_text_blocks(model, source, y, text))
        texts = [each for block, _ in blocks for each in _as_list(block)]
        return texts, np.concatenate([labels for _, labels in blocks])
    y = _target_of(model, y)
    if isinstance(source, Stored):
        X = source.whole(_kinds_learned(model) | ({y: "label"} if isinstance(y, str) else {}))
    else:
        X = source.X
    if isinstance(y, str):
        X, y = take_column(X, y)
    if text is not None:
        _, X = take_column(X, text)
    labels = checked_labels(y)
    if number_of_rows(X) != len(labels):
        raise ValueError(
            f"X has {number_of_rows(X)} rows, y has {len(labels)} labels: give one label for each "
            "row."
        )
    return X, labels


def are_texts_of_files(source: Source, model: object, text: object) -> TypeGuard[Stored]:
    """Whether X is the path of texts: of a folder, or of a file in which a model of texts reads.

    Or a table of an engine, in which it reads as well.
    """
    if not has_texts(source):
        return False
    is_told = isinstance(model, TextClassifier) or text is not None
    return is_told or (source.path is not None and source.path.is_dir())


def _as_list(texts: Any) -> list[str | None]:
    return texts if isinstance(texts, list) else texts.texts()


def _target_of(model: object, y: object) -> object:
    """The classes, or the column that holds them: as given, or as the model has learned it.

    What stands on top of a model, such as `Calibrated`, has learned through that.
    """
    known = y
    while known is None and model is not None:
        known, model = getattr(model, "target_name_", None), getattr(model, "model_", None)
    if known is None:
        raise ValueError(
            "y must be the true class of each row, or the name of the column of X that holds them, "
            "got None."
        )
    return known


def _kinds_learned(model: object) -> dict[str, str]:
    """How to read the columns of a file, as far as the model declares it.

    What it ignores is read too, as written: it refuses names that a table in memory does not have.
    """
    kinds = checked_kinds(getattr(model, "columns", None))
    stored = {name: KINDS[kind] for name, kind in kinds.items()}
    return {name: "category" if kind == "ignore" else kind for name, kind in stored.items()}


def _text_blocks(model: object, X: Stored, y: object, text: Any) -> Iterator[tuple[Any, Array]]:
    if has_columns(X, text):  # columns that are not named are those that were learned
        y = _target_of(model, y)
        text = getattr(model, "text_column_", None) if text is None else text
    is_empty = True
    for texts, labels in labelled_texts(X, y, None, text):
        is_empty = False
        yield texts if isinstance(model, TextClassifier) else texts.texts(), checked_labels(labels)
    if is_empty:
        raise ValueError(f"{X} has no rows.")


# folds: which rows are learned, and which are judged by them --------------------------------------


def _folds_of(cv: object, labels: Array, seed: int = 0) -> list[Fold]:
    """The folds: of a number, of a splitter of scikit-learn, or as they are given.

    cv : the number of folds, which keep the shares of the classes and are shuffled by the seed
        (StratifiedKFold(cv, shuffle=True, random_state=seed)); any splitter of scikit-learn; or
        pairs of the numbers of rows to learn and of rows to judge

    >>> [judged.tolist() for _, judged in _folds_of(2, np.array(["ham", "spam"] * 2))]
    [[1, 2], [0, 3]]
    """
    folds = list(_pairs(cv, labels, seed))
    if not folds or any(len(learned) == 0 or len(judged) == 0 for learned, judged in folds):
        raise ValueError(
            f"Every fold must have rows to learn and rows to predict, got {cv!r}. Use a number, "
            "such "
            "as cv=5."
        )
    return folds


def folds_text(cv: object, n_folds: int) -> Sentence:
    """How rows were held out, for the reader.

    >>> folds_text(5, 5), folds_text([([0, 1], [2])], 1)
    ('5-fold cross validation', '1 split as given')
    """
    if is_whole_number(cv):
        return Sentence("{number}-fold cross validation", number=n_folds)
    if hasattr(cv, "split"):
        of_splitter = "1 split of {splitter}" if n_folds == 1 else "{number} splits of {splitter}"
        return Sentence(of_splitter, number=n_folds, splitter=type(cv).__name__)
    given = "1 split as given" if n_folds == 1 else "{number} splits as given"
    return Sentence(given, number=n_folds)


def _pairs(cv: Any, labels: Array, seed: int) -> Iterator[Fold]:
    from sklearn.model_selection import StratifiedKFold

    if is_whole_number(cv):
        _refuse_too_many(cv, labels)
        cv = StratifiedKFold(cv, shuffle=True, random_state=seed)
    if hasattr(cv, "split") and not isinstance(cv, str):
        cv = cv.split(np.zeros((len(labels), 1)), labels)
    for learned, judged in _iterated(cv):
        yield _rows(learned, len(labels)), _rows(judged, len(labels))


def _rows(indices: object, n_rows: int) -> Array:
    """Numbers of rows; a mask will do."""
    rows = np.asarray(indices)
    try:
        if rows.ndim == 1:
            return np.arange(n_rows)[rows]
    except IndexError:
        pass  # numbers beyond the rows, or no numbers at all
    raise ValueError(
        f"The folds of cv must be lists of numbers of rows from 0 to {n_rows - 1}, got "
        f"{indices!r:.80}."
    )


def _iterated(cv: Iterable) -> Iterator[Sequence]:
    try:
        folds = list(cv) if not isinstance(cv, (str, bytes)) else None
    except TypeError:
        folds = None
    if folds is None or any(not hasattr(fold, "__len__") or len(fold) != 2 for fold in folds):
        raise ValueError(
            f"cv must be None, {LEAVE_ONE_OUT!r}, a number of folds, a splitter of scikit-learn or "
            f"pairs of rows to learn and to judge, got {cv!r}."
        )
    return iter(folds)


def _refuse_too_many(n_folds: int, labels: Array) -> None:
    """Refuse fewer than two folds, and folds of which some would have no row of any class."""
    if n_folds < 2:
        raise ValueError(f"cv must be 2 folds or more, got {n_folds}. Use cv=5, for example.")
    most = int(np.unique(labels, return_counts=True)[1].max())
    if most < n_folds:
        raise TooManyFoldsError(n_folds, most)
