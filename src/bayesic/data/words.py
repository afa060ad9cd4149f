"""Text -> words."""

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np
from scipy import sparse

# Chinese is written without spaces: runs of it are cut into characters and pairs of them.
_RUNS = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+|[^\W\u3400-\u4dbf\u4e00-\u9fff]+")


def words(text: str) -> list[str]:
    """The words of a text in lower case; Chinese as single characters and pairs of neighbours.

    >>> words("Free lunch, 今天下雨!")
    ['free', 'lunch', '今', '天', '下', '雨', '今天', '天下', '下雨']
    """
    found: list[str] = []
    for run in _RUNS.findall(text.casefold()):
        if _is_chinese(run[0]):
            found += [*run, *(run[place : place + 2] for place in range(len(run) - 1))]
        else:
            found.append(run)
    return found


def _is_chinese(character: str) -> bool:
    return "\u3400" <= character <= "\u4dbf" or "\u4e00" <= character <= "\u9fff"


def word_counts(
    texts: Iterable[str | None], vocabulary: dict[str, int], grow: bool = False
) -> sparse.csr_array:
    """How often each word of the vocabulary occurs in each text: CSR, float64.

    Other words are left out, or join the vocabulary if it may grow. A text that is None has none.

    >>> vocabulary = {}
    >>> word_counts(["free free lunch", None], vocabulary, grow=True).toarray()
    array([[2., 1.],
           [0., 0.]])
    >>> vocabulary
    {'free': 0, 'lunch': 1}
    """
    numbers: list[int] = []
    counts: list[int] = []
    ends = [0]
    for text in texts:
        for word, count in Counter(words(text or "")).items():
            number = vocabulary.setdefault(word, len(vocabulary)) if grow else vocabulary.get(word)
            if number is not None:
                numbers.append(number)
                counts.append(count)
        ends.append(len(numbers))
    shape = len(ends) - 1, len(vocabulary)
    matrix = (np.array(counts, dtype=np.float64), np.array(numbers, dtype=np.intp), np.array(ends))
    return sparse.csr_array(matrix, shape=shape)
