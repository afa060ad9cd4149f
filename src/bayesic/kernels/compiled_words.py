"""Words of UTF-8 bytes, counted: the compiled twin of `re` and a dictionary (`data/tokens.py`)."""

import numpy as np

from bayesic.kernels.compiled_prepared import chinese_runs, folded_texts, with_cuts
from bayesic.kernels.compiled_tokens import (
    CHARACTERS,
    CUT,
    HAN_BY_CHARACTERS,
    HAN_BY_CUTS,
    HAN_BY_WORDS,
    ONE,
    character_grams,
    chinese_characters,
    chinese_pairs,
    chinese_words,
    decoded,
    joined_words,
    words_of_text,
)
from bayesic.kernels.jit import jit

__all__ = [  # all that words are counted with
    "CHARACTERS",
    "HAN_BY_CHARACTERS",
    "HAN_BY_CUTS",
    "HAN_BY_WORDS",
    "add_entries",
    "chinese_runs",
    "counted_tokens",
    "folded_texts",
    "numbered",
    "some_lines",
    "token_lines",
    "with_cuts",
]

HALF_FULL = 2
FIRST_ROOM = 4096


@jit()
def counted_tokens(data, offsets, order, groups, weights, kinds, fold, several, rule, with_texts):
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
    ascii = _folded_ascii(kinds, fold)
    found = np.empty((FIRST_ROOM, 3), np.uint64)
    slots = np.zeros((2 * FIRST_ROOM, 4), np.uint64)
    different = np.empty((FIRST_ROOM, 3), np.uint64)
    tokens, counts = np.empty(FIRST_ROOM, np.int32), np.empty(FIRST_ROOM, np.float64)
    texts = np.empty(FIRST_ROOM if with_texts else 0, np.float64)
    ends = np.zeros((groups.max() + 1 if len(groups) else 0) + 1, np.int64)
    n_different, n_entries, first_entry, group = 0, 0, 0, -1
    for text in order:
        if groups[text] != group:
            group, first_entry = groups[text], n_entries
        found, first, n_found = _tokens_of_text(
            data, offsets[text], offsets[text + 1], kinds, ascii, fold, several, rule, found
        )
        # arrays grow here, between texts: in the inner loop they stay the same
        slots, different, tokens, counts, texts = _with_room(
            slots, different, tokens, counts, texts, n_different + n_found, n_entries + n_found
        )
        n_different, n_entries = _count_text(
            found[first:n_found], text, weights[text], first_entry, slots, different, tokens,
            counts, texts, n_different, n_entries,
        )  # fmt: skip
        ends[group + 1] = n_entries
    for group in range(1, len(ends)):  # groups without texts end where the one before them ends
        ends[group] = max(ends[group], ends[group - 1])
    return (
        ends, tokens[:n_entries], counts[:n_entries], texts[:n_entries], different[:n_different]
    )  # fmt: skip


@jit()
def _folded_ascii(kinds, fold):
    ascii = np.zeros(256, np.uint8)
    for character in range(128):
        if kinds[character] == 1:
            ascii[character] = fold[character]
    return ascii


@jit()
def _with_room(slots, different, tokens, counts, texts, n_different, n_entries):
    """The arrays with room for so many different tokens and entries."""
    if HALF_FULL * n_different > len(slots):
        slots = _grown_slots(slots, HALF_FULL * n_different)
    if n_different > len(different):
        different = _longer(different, n_different)
    if n_entries > len(tokens):
        tokens, counts = _longer(tokens, n_entries), _longer(counts, n_entries)
        if len(texts):
            texts = _longer(texts, n_entries)
    return slots, different, tokens, counts, texts


@jit()
def _longer(array, length):
    """The same with room for length rows, and for more to come."""
    out = np.empty((2 * length,) + array.shape[1:], array.dtype)  # noqa: RUF005
    out[: len(array)] = array
    return out


@jit()
def _tokens_of_text(data, place, stop, kinds, ascii, fold, several, rule, found):
    """The tokens of one text, from first to n_found in an array that has room for all of them."""
    least_letters, least, largest, how = rule
    size = stop - place
    lengths = min(largest, size) - least + 1
    if how == CHARACTERS:
        if size * lengths > len(found):
            found = _longer(found, size * lengths)
        return found, 0, character_grams(data, place, stop, least, largest, found)
    if size >= len(found):
        found = _longer(found, size + 1)
    n_words, has_chinese = words_of_text(
        data, place, stop, kinds, ascii, fold, several, least_letters, found
    )
    room = n_words + n_words * max(lengths, 0) + size * max(lengths, 1) * has_chinese
    if room > len(found):
        found = _longer(found, room)
    n_found = joined_words(found, n_words, least, largest) if largest > 1 else n_words
    if has_chinese and how == HAN_BY_CHARACTERS:
        n_found = chinese_characters(data, place, stop, kinds, found, n_found)
    elif has_chinese:
        n_found = chinese_words(data, place, stop, kinds, least, largest, found, n_found)
        if largest == 1 and how == HAN_BY_CUTS:
            n_found = chinese_pairs(data, place, stop, kinds, found, n_found)
    return found, n_words if least > 1 else 0, n_found


@jit()
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
        if with_texts:  # no branch on whether it is new in this text, which nobody can foresee
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
    for place in range(len(slots)):
        key = slots[place, 0]
        if key != 0:
            at = key & mask
            while grown[at, 0] != 0:
                at = (at + ONE) & mask
            grown[at] = slots[place]
    return grown


@jit()
def numbered(hashes):
    """A number for each different hash, as they first come, and where each first comes."""
    size = 16
    while size < HALF_FULL * len(hashes):
        size *= 2
    slots = np.zeros((size, 2), np.uint64)
    mask = np.uint64(size - 1)
    numbers, first = np.empty(len(hashes), np.int32), np.empty(len(hashes), np.int64)
    n_different = 0
    for place in range(len(hashes)):
        key = hashes[place]
        at = key & mask
        while slots[at, 0] != 0 and slots[at, 0] != key:
            at = (at + ONE) & mask
        if slots[at, 0] == 0:
            slots[at, 0], slots[at, 1] = key, n_different
            first[n_different] = place
            n_different += 1
        numbers[place] = slots[at, 1]
    return numbers, first[:n_different]


@jit()
def add_entries(ends, tokens, counts, texts, places, occurrences, texts_with):
    """Add the entries of a block to tables of words and groups, at the places of its tokens."""
    for group in range(len(ends) - 1):
        for entry in range(ends[group], ends[group + 1]):
            place = places[tokens[entry]]
            occurrences[place, group] += counts[entry]
            texts_with[place, group] += texts[entry]


# lines ----------------------------------------------------------------------------------------


@jit()
def token_lines(data, different, kinds, least_letters, how):
    """The text of each token as a line, case not folded; and where each line ends.

    Of neighbouring words only the words are kept, with one space between them; of Chinese words
    the cuts between them are left out.
    """
    starts, stops = different[:, 1].astype(np.int64), different[:, 2].astype(np.int64)
    lines = np.empty((stops - starts).sum() + len(starts), np.uint8)
    ends = np.empty(len(starts), np.int64)
    place = 0
    for line in range(len(starts)):
        start, stop = starts[line], stops[line]
        if how == CHARACTERS or kinds[decoded(data, start)[0]] == 2:
            for byte in range(start, stop):
                if data[byte] != CUT:
                    lines[place] = data[byte]
                    place += 1
        else:
            place = _copy_words(data, start, stop, kinds, least_letters, lines, place)
        lines[place] = 10
        place += 1
        ends[line] = place
    return lines[:place], ends


@jit()
def _copy_words(data, start, stop, kinds, least_letters, lines, place):
    begin = place
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
            if place > begin:
                lines[place] = 32
                place += 1
            for byte in range(start, end):
                lines[place] = data[byte]
                place += 1
        start = end + width if end < stop else stop
    return place


@jit()
def some_lines(lines, ends, numbers):
    """The lines of these numbers after one another."""
    size = 0
    for number in numbers:
        size += ends[number] - (ends[number - 1] if number else 0)
    out = np.empty(size, np.uint8)
    place = 0
    for number in numbers:
        for byte in range(ends[number - 1] if number else 0, ends[number]):
            out[place] = lines[byte]
            place += 1
    return out
