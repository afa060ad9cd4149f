"""Words of UTF-8 bytes, counted: the twin of the dictionary in `data/counted_texts.py`."""

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels._compiled_texts import chinese_runs, folded_texts, with_cuts
from bayesic.kernels._compiled_tokens import (
    CHARACTERS,
    CUT,
    HAN_BY_CHARACTERS,
    HAN_BY_CUTS,
    HAN_BY_WORDS,
    ONE,
    decoded,
    find_characters,
    find_chinese_characters,
    find_chinese_words,
    find_words,
    hash_of_characters,
    joined,
)
from bayesic.kernels._jit import inlined, inner, jit

__all__ = [  # all that words are counted with
    "CHARACTERS",
    "HAN_BY_CHARACTERS",
    "HAN_BY_CUTS",
    "HAN_BY_WORDS",
    "add_entries",
    "chinese_runs",
    "counted_tokens",
    "folded_texts",
    "hashes_of_lines",
    "line_keys",
    "numbered",
    "some_lines",
    "token_lines",
    "with_cuts",
]

HALF_FULL = 2
FIRST_ROOM = 8192
# Texts whose tokens are found, and then counted: the tokens stay near the processor.
BYTES_AT_ONCE = 2**16


def counted_tokens(
    data: Array,
    offsets: Array,
    order: Array,
    groups: Array,
    weights: Array,
    kinds: Array,
    fold: Array,
    several: Array,
    rule: tuple[int, int, int, int],
    with_texts: bool,
) -> tuple[Array, Array, Array, Array, Array]:
    """The tokens of texts counted by group: a sparse matrix of groups and different tokens.

    data    : uint8, valid UTF-8 (lone surrogates may be in it); text i is offsets[i] to i + 1
    order   : int64 (n_texts,), the texts in an order in which the groups do not fall
    groups  : int64 (n_texts,), the group of each text; weights : float64 (n_texts,)
    kinds, fold, several : as in `unicode.py`
    rule    : least letters of a word, least and largest n-gram, what is made of Chinese
    with_texts : whether to count too the texts of the group that have the token

    Returns where each group's entries end, the number of the token of each entry, how often it
    occurs, how many texts have it, and for each different token its hash and where it first occurs:
    uint64 (n_different, 3), hash, first byte, end.
    """
    ascii = np.zeros(256, np.uint8)
    ascii[:128] = np.where(kinds[:128] == 1, fold[:128], 0)
    ends = np.zeros(groups.max(initial=-1) + 2, np.int64)
    slots, different = np.zeros((FIRST_ROOM, 4), np.uint64), np.empty((0, 3), np.uint64)
    tokens, counts, texts = np.empty(0, np.int32), np.empty(0), np.empty(0)
    group, first_entry, n_different, n_entries = -1, 0, 0, 0
    pieces = _pieces(order, offsets)
    rooms = _rooms([offsets[here + 1] - offsets[here] for here in pieces], rule)
    for here in pieces:
        spans = _find((data, offsets, here), (kinds, ascii, fold, several), rule, *rooms)
        n_found = int(spans[0][-1, 1] + spans[1][-1, 1])
        if HALF_FULL * (n_different + n_found) > len(slots):
            slots = _grown_slots(slots, HALF_FULL * (n_different + n_found))
        different = _longer(different, n_different + n_found)
        tokens, counts = (_longer(array, n_entries + n_found) for array in (tokens, counts))
        texts = _longer(texts, n_entries + n_found) if with_texts else texts
        group, first_entry, n_different, n_entries = _count_texts(
            here, groups, weights, *rooms, *spans, ends, slots, different, tokens, counts, texts,
            group, first_entry, n_different, n_entries,
        )  # fmt: skip
    ends = np.maximum.accumulate(ends)  # groups without texts end where the one before them ends
    return (
        ends, tokens[:n_entries], counts[:n_entries], texts[:n_entries], different[:n_different]
    )  # fmt: skip


def _pieces(order: Array, offsets: Array) -> list[Array]:
    """The texts in pieces of about BYTES_AT_ONCE."""
    ends = np.cumsum(offsets[order + 1] - offsets[order])
    marks = np.arange(BYTES_AT_ONCE, ends[-1] if len(ends) else 0, BYTES_AT_ONCE)
    return [piece for piece in np.split(order, np.searchsorted(ends, marks)) if len(piece)]


def _rooms(sizes: list[Array], rule: tuple[int, int, int, int]) -> tuple[Array, Array]:
    """Room for the tokens of any piece, and for those of its Chinese.

    sizes : the bytes of the texts of each piece

    Between words there is a byte or more, and a Chinese character takes three or more.
    """
    least_letters, least, largest, how = rule
    longest = max((int(size.max()) for size in sizes), default=0)
    lengths = max(0, min(largest, longest) - least + 1)  # of n-grams
    n_bytes = max((int(size.sum()) for size in sizes), default=0)
    if how == CHARACTERS:
        return np.empty((n_bytes * lengths, 3), np.uint64), np.empty((0, 3), np.uint64)
    n_words = n_bytes // (least_letters + 1) + max(map(len, sizes), default=0)
    n_tokens = n_words * (1 + lengths) if largest > 1 else n_words
    room = np.empty((n_tokens, 3), np.uint64)
    return room, np.empty((n_bytes * max(1, lengths), 3), np.uint64)


def _find(
    texts: tuple[Array, Array, Array],
    characters: tuple[Array, Array, Array, Array],
    rule: tuple[int, int, int, int],
    found: Array,
    chinese: Array,
) -> tuple[Array, Array]:
    """Put the tokens of some texts into the rooms; where those of each text begin and end."""
    least_letters, least, largest, how = rule
    spans, chinese_spans = np.zeros((2, len(texts[-1]), 2), np.int64)
    if how == CHARACTERS:
        find_characters(*texts, least, largest, found, spans)
    elif find_words(*texts, *characters, least_letters, least, largest, found, spans):
        kinds = characters[0]
        if how == HAN_BY_CHARACTERS:
            find_chinese_characters(*texts, kinds, chinese, chinese_spans)
        else:
            with_pairs = largest == 1 and how == HAN_BY_CUTS
            find_chinese_words(*texts, kinds, least, largest, with_pairs, chinese, chinese_spans)
    return spans, chinese_spans


def _longer(array: Array, length: int) -> Array:
    """The array with room for so many, and for more to come."""
    if length <= len(array):
        return array
    longer = np.empty((2 * length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


@jit()
def _count_texts(
    here, groups, weights, found, chinese, spans, chinese_spans, ends, slots, different, tokens,
    counts, texts, group, first_entry, n_different, n_entries,
):  # fmt: skip
    """Count the tokens of some texts into the arrays, which have room for them."""
    for index in range(len(here)):
        text = here[index]
        if groups[text] != group:
            group, first_entry = groups[text], n_entries
        n_different, n_entries = _count_text(
            found[spans[index, 0] : spans[index, 1]], text, weights[text], first_entry, slots,
            different, tokens, counts, texts, n_different, n_entries,
        )  # fmt: skip
        n_different, n_entries = _count_text(
            chinese[chinese_spans[index, 0] : chinese_spans[index, 1]], text, weights[text],
            first_entry, slots, different, tokens, counts, texts, n_different, n_entries,
        )  # fmt: skip
        ends[group + 1] = n_entries
    return group, first_entry, n_different, n_entries


@inner
def _count_text(
    found, text, weight, first_entry, slots, different, tokens, counts, texts, n_different,
    n_entries,
):  # fmt: skip
    """Count the tokens of one text into the arrays, which have room for them.

    first_entry : where the entries of the group of the text begin
    slots : hash and number of each token, and the text and the entry where it was seen last, both
            counted from 1, in a table that is at most half full; a free place has zeros
    """
    mask = np.uint64(len(slots) - 1)
    text, first_entry, with_texts = np.uint64(text + 1), np.uint64(first_entry), len(texts) > 0
    for token in range(len(found)):
        key = found[token, 0]
        at = key & mask
        while slots[at, 0] != key and slots[at, 0] != 0:
            at = (at + ONE) & mask
        if slots[at, 0] == 0:
            slots[at, 0], slots[at, 1] = key, n_different
            for part in range(3):
                different[n_different, part] = found[token, part]
            n_different += 1
        if slots[at, 3] <= first_entry:  # the first one in this group
            tokens[n_entries], counts[n_entries] = slots[at, 1], 0.0
            if with_texts:
                texts[n_entries] = 0.0
            n_entries += 1
            slots[at, 3] = n_entries
        entry = slots[at, 3] - ONE
        counts[entry] += weight
        if with_texts:  # without a branch: whether it is new in this text cannot be predicted
            texts[entry] += weight * np.float64(slots[at, 2] != text)
            slots[at, 2] = text
    return n_different, n_entries


@jit()
def _grown_slots(slots, least):
    size = 2 * len(slots)
    while size < least:
        size *= 2
    grown = np.zeros((size, 4), np.uint64)
    mask = np.uint64(size - 1)
    for index in range(len(slots)):
        key = slots[index, 0]
        if key != 0:
            at = key & mask
            while grown[at, 0] != 0:
                at = (at + ONE) & mask
            for part in range(slots.shape[1]):
                grown[at, part] = slots[index, part]
    return grown


def numbered(hashes: Array) -> tuple[Array, Array]:
    """A number for each different hash, as they first come, and where each first comes."""
    size = max(16, 1 << (HALF_FULL * len(hashes) - 1).bit_length())
    slots = np.zeros((size, 2), np.uint64)
    numbers, first = np.empty(len(hashes), np.int32), np.empty(len(hashes), np.int64)
    return numbers, first[: _number(hashes, slots, numbers, first)]


@jit()
def _number(hashes, slots, numbers, first):
    """Fill in numbers and first; how many are different. The table is at most half full."""
    mask = np.uint64(len(slots) - 1)
    n_different = 0
    for index in range(len(hashes)):
        key = hashes[index]
        at = key & mask
        while slots[at, 0] != 0 and slots[at, 0] != key:
            at = (at + ONE) & mask
        if slots[at, 0] == 0:
            slots[at, 0], slots[at, 1] = key, n_different
            first[n_different] = index
            n_different += 1
        numbers[index] = slots[at, 1]
    return n_different


@jit()
def add_entries(ends, tokens, counts, texts, places, occurrences, texts_with):
    """Add the entries of a block to tables of words and groups, at the places of its tokens."""
    for group in range(len(ends) - 1):
        for entry in range(ends[group], ends[group + 1]):
            index = places[tokens[entry]]
            occurrences[index, group] += counts[entry]
            texts_with[index, group] += texts[entry]


# lines ----------------------------------------------------------------------------------------


def token_lines(
    data: Array, different: Array, kinds: Array, least_letters: int, how: int
) -> tuple[Array, Array]:
    """The text of each token as a line, case not folded; and where each line ends.

    Of neighbouring words only the words are kept, with one space between them; of Chinese words
    the cuts between them are left out.
    """
    starts, stops = different[:, 1].astype(np.int64), different[:, 2].astype(np.int64)
    lines = np.empty((stops - starts).sum() + len(starts), np.uint8)
    ends = np.empty(len(starts), np.int64)
    _fill_lines(data, starts, stops, kinds, least_letters, how, lines, ends)
    return lines[: ends[-1] if len(ends) else 0], ends


@jit()
def _fill_lines(data, starts, stops, kinds, least_letters, how, lines, ends):
    index = np.int64(0)
    for line in range(len(starts)):
        start, stop = starts[line], stops[line]
        if how == CHARACTERS or kinds[decoded(data, start)[0]] == 2:
            for byte in range(start, stop):
                if data[byte] != CUT:
                    lines[index] = data[byte]
                    index += 1
        else:
            index = _copy_words(data, start, stop, kinds, least_letters, lines, index)
        lines[index] = 10
        index += 1
        ends[line] = index


@inlined
def _copy_words(data, start, stop, kinds, least_letters, lines, index):
    begin = index
    while start < stop:
        letters, end = 0, start
        character, width = decoded(data, end)
        while kinds[character] == 1:
            letters += 1
            end += width
            if end == stop:
                break
            character, width = decoded(data, end)
        if letters >= least_letters:
            if index > begin:
                lines[index] = 32
                index += 1
            for byte in range(start, end):
                lines[index] = data[byte]
                index += 1
        start = end + width if end < stop else stop
    return index


@jit()
def some_lines(lines, ends, numbers):
    """The lines of these numbers after one another."""
    size = 0
    for number in numbers:
        size += ends[number] - (ends[number - 1] if number else 0)
    out = np.empty(size, np.uint8)
    index = 0
    for number in numbers:
        for byte in range(ends[number - 1] if number else 0, ends[number]):
            out[index] = lines[byte]
            index += 1
    return out


@jit()
def line_keys(lines, ends, numbers, depth):
    """The next bytes of these lines from depth on, as numbers that sort like them: uint64.

    Seven bytes, and in the last place how many there are from depth on, 8 for more than seven. The
    end of the line is none of them.
    """
    keys = np.empty(len(numbers), np.uint64)
    for index in range(len(numbers)):
        number = numbers[index]
        start = (ends[number - 1] if number else 0) + depth
        size = max(ends[number] - 1 - start, 0)
        key = np.uint64(0)
        for byte in range(7):
            key = (key << np.uint64(8)) | np.uint64(lines[start + byte] if byte < size else 0)
        keys[index] = (key << np.uint64(8)) | np.uint64(min(size, 8))
    return keys


@jit()
def hashes_of_lines(lines, ends, how):
    """The hash by which `counted_tokens` knows the token of each line, whose case is folded."""
    hashes = np.empty(len(ends), np.uint64)
    for line in range(len(ends)):
        start, stop = ends[line - 1] if line else 0, ends[line] - 1
        value, is_first, index = np.uint64(0), True, start
        while is_first or index < stop:
            end = index
            while end < stop and (how == CHARACTERS or lines[end] != 32):
                end += 1
            word = hash_of_characters(lines, index, end)
            value = word if is_first else joined(value, word)
            is_first, index = False, end + 1
        hashes[line] = value
    return hashes
