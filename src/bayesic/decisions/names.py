"""Names of actions and classes: as tuples, as arrays, and where a label stands among them."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bayesic.data.labels import narrow_words
from bayesic.kernels import Array


def as_labels(values: object, what: str) -> list:
    """One label for each row as a list; what is the argument that an error speaks of.

    A list keeps its elements as they are: NumPy would turn [1, "reject"] into words.

    >>> as_labels(np.array(["ham", "spam"]), "y")
    ['ham', 'spam']
    """
    labels = list(values) if isinstance(values, (list, tuple)) else np.asarray(values).tolist()
    if not isinstance(labels, list) or not labels or not _can_be_looked_up(labels):
        raise ValueError(
            f"{what} must be a list of names, words or numbers, got {_shortened(values)}. "
            "Give one name for each, as in ['ham', 'spam']."
        )
    return labels


def as_names(values: object, what: str) -> tuple:
    """Names as a tuple, each of them given once.

    >>> as_names(["good", "bad"], "classes")
    ('good', 'bad')
    """
    names = tuple(as_labels(values, what))
    if any(name is None or name != name for name in names):
        raise ValueError(f"{what} must all have a name, got {list(names)}.")
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise ValueError(f"{what} must name each one once, got {twice} more than once.")
    return names


def name_array(names: Sequence) -> Array:
    """The names as an array: words as words, numbers as numbers, a mixture as objects.

    >>> name_array(["approve", "decline"])
    array(['approve', 'decline'], dtype='<U7')
    >>> name_array([0, 1, "reject"])
    array([0, 1, 'reject'], dtype=object)
    """
    kinds = set(map(type, names))
    if len(kinds) == 1 and issubclass(kinds.pop(), (str, int, float, np.generic)):
        return narrow_words(np.array(names))
    return np.fromiter(names, dtype=object, count=len(names))


def positions(labels: Sequence, names: Sequence) -> Array:
    """Where each label stands among the names, -1 where it is not among them.

    Names that come from a file are all text; a label that is a number is then looked up as text.

    >>> positions(["spam", "ham", "news"], ["ham", "spam"])
    array([ 1,  0, -1])
    >>> positions([1, -1], ["-1", "1"])
    array([1, 0])
    """
    position = {name: number for number, name in enumerate(names)}
    all_text = all(isinstance(name, str) for name in names)

    def find(label: object) -> int:
        return position.get(label, position.get(str(label), -1) if all_text else -1)

    found = {label: find(label) for label in set(labels)}
    return np.fromiter(map(found.__getitem__, labels), dtype=np.intp, count=len(labels))


def _can_be_looked_up(labels: list) -> bool:
    try:
        set(labels)
    except TypeError:  # a list in the list
        return False
    return True


def _shortened(values: object) -> str:
    text = repr(values)
    return text if len(text) <= 80 else text[:77] + "..."
