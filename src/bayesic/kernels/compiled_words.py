"""Words of UTF-8 bytes, counted: the compiled twin of `re` and a dictionary (`data/tokens.py`)."""

import numpy as np

from bayesic.kernels.jit import jit

HASH_START = np.uint64(0xCBF29CE484222325)
HASH_STEP = np.uint64(0x100000001B3)
HASH_MIX = np.uint64(0xFF51AFD7ED558CCD)
HALF_FULL = 2


@jit()
def _mixed(value):
    value ^= value >> np.uint64(33)
    value *= HASH_MIX
    value ^= value >> np.uint64(33)
    return value | np.uint64(1)  # 0 marks a free place


@jit()
def _with_folded(value, character, fold, several):
    folded = fold[character]
    if folded >= 0:
        return (value ^ np.uint64(folded)) * HASH_STEP
    row = -1 - folded
    place = 0
    while place < several.shape[1] and several[row, place] > 0:
        value = (value ^ np.uint64(several[row, place])) * HASH_STEP
        place += 1
    return value


@jit()
def _decoded(data, place):
    """The character at a place of valid UTF-8, and how many bytes it takes."""
    first = np.int64(data[place])
    if first < 0x80:
        return first, 1
    if first < 0xE0:
        return ((first & 0x1F) << 6) | (np.int64(data[place + 1]) & 0x3F), 2
    if first < 0xF0:
        high = ((first & 0x0F) << 12) | ((np.int64(data[place + 1]) & 0x3F) << 6)
        return high | (np.int64(data[place + 2]) & 0x3F), 3
    high = ((first & 0x07) << 18) | ((np.int64(data[place + 1]) & 0x3F) << 12)
    low = ((np.int64(data[place + 2]) & 0x3F) << 6) | (np.int64(data[place + 3]) & 0x3F)
    return high | low, 4


@jit()
def _grown(keys, numbers):
    size = 2 * len(keys)
    new_keys, new_numbers = np.zeros(size, np.uint64), np.zeros(size, np.int32)
    mask = np.uint64(size - 1)
    for place in range(len(keys)):
        if keys[place] != 0:
            at = keys[place] & mask
            while new_keys[at] != 0:
                at = (at + np.uint64(1)) & mask
            new_keys[at] = keys[place]
            new_numbers[at] = numbers[place]
    return new_keys, new_numbers


@jit()
def _tokens_of_text(data, place, stop, kinds, ascii, fold, several, least_letters, found):
    """Hash, first and last byte of each token of one text, put into found; how many there are.

    Runs of word characters are words, of at least least_letters characters. In runs of Chinese
    characters, each character and each pair of neighbours is a token.
    """
    n_tokens = 0
    while place < stop:
        start, letters, value = place, 0, HASH_START
        kind = 1
        while place < stop and kind == 1:
            if data[place] < 128:  # most are, and they take one byte and fold to one
                folded = ascii[data[place]]
                if folded == 0:
                    kind = 0
                else:
                    value = (value ^ np.uint64(folded)) * HASH_STEP
                    letters += 1
                    place += 1
            else:
                character, width = _decoded(data, place)
                kind = kinds[character]
                if kind == 1:
                    value = _with_folded(value, character, fold, several)
                    letters += 1
                    place += width
        if letters >= least_letters:
            found[n_tokens, 0] = _mixed(value)
            found[n_tokens, 1], found[n_tokens, 2] = start, place
            n_tokens += 1
        before = np.int64(-1)
        while place < stop and kind == 2:
            character, width = _decoded(data, place)
            kind = kinds[character]
            if kind == 2:
                value = _with_folded(HASH_START, character, fold, several)
                found[n_tokens, 0] = _mixed(value)
                found[n_tokens, 1], found[n_tokens, 2] = place, place + width
                n_tokens += 1
                if before >= 0:
                    earlier, _ = _decoded(data, before)
                    value = _with_folded(HASH_START, earlier, fold, several)
                    value = _with_folded(value, character, fold, several)
                    found[n_tokens, 0] = _mixed(value)
                    found[n_tokens, 1], found[n_tokens, 2] = before, place + width
                    n_tokens += 1
                before = place
                place += width
        if place < stop and kind == 0:
            place += _decoded(data, place)[1]
    return n_tokens


@jit()
def counted_tokens(data, offsets, kinds, fold, several, least_letters):
    """The tokens of each text counted: a sparse matrix of texts and different tokens.

    data    : uint8, valid UTF-8 (lone surrogates may be in it); text i is offsets[i] to i + 1
    kinds, fold, several : as in `unicode.py`

    Returns where each text's entries end, the number of the token of each entry, how often it
    occurs in the text, and for each different token its hash and where it first occurs: uint64
    (n_different, 3), hash, first byte, end.
    """
    n_texts = len(offsets) - 1
    ascii = np.zeros(128, np.uint8)
    for character in range(128):
        if kinds[character] == 1:
            ascii[character] = fold[character]
    longest = 0
    for text in range(n_texts):
        longest = max(longest, offsets[text + 1] - offsets[text])
    found = np.empty((longest + 1, 3), np.uint64)
    keys, numbers = np.zeros(4096, np.uint64), np.zeros(4096, np.int32)
    capacity, room = 2048, 4096
    words = np.empty((capacity, 3), np.uint64)
    last_text = np.full(capacity, -1, np.int64)
    last_entry = np.empty(capacity, np.int64)
    tokens, counts = np.empty(room, np.int32), np.empty(room, np.int32)
    entry_ends = np.zeros(n_texts + 1, np.int64)
    n_different, n_entries = 0, 0
    for text in range(n_texts):
        start, stop = offsets[text], offsets[text + 1]
        n_tokens = _tokens_of_text(
            data, start, stop, kinds, ascii, fold, several, least_letters, found
        )
        # arrays grow here, between texts: in the inner loop they stay the same
        while HALF_FULL * (n_different + n_tokens) > len(keys):
            keys, numbers = _grown(keys, numbers)
        if n_different + n_tokens > capacity:
            more = n_different + n_tokens + capacity
            words = np.concatenate((words, np.empty((more, 3), np.uint64)))
            last_text = np.concatenate((last_text, np.full(more, -1, np.int64)))
            last_entry = np.concatenate((last_entry, np.empty(more, np.int64)))
            capacity += more
        if n_entries + n_tokens > room:
            more = n_entries + n_tokens + room
            tokens = np.concatenate((tokens, np.empty(more, np.int32)))
            counts = np.concatenate((counts, np.empty(more, np.int32)))
            room += more
        n_different, n_entries = _count_text(
            found, n_tokens, text, keys, numbers, words, last_text, last_entry, tokens, counts,
            n_different, n_entries,
        )  # fmt: skip
        entry_ends[text + 1] = n_entries
    return entry_ends, tokens[:n_entries], counts[:n_entries], words[:n_different]


@jit()
def _count_text(
    found, n_tokens, text, keys, numbers, words, last_text, last_entry, tokens, counts,
    n_different, n_entries,
):  # fmt: skip
    """Count the tokens of one text into the arrays, which have room for them."""
    mask = np.uint64(len(keys) - 1)
    for token in range(n_tokens):
        key = found[token, 0]
        at = key & mask
        while keys[at] != 0 and keys[at] != key:
            at = (at + np.uint64(1)) & mask
        if keys[at] == 0:
            keys[at] = key
            numbers[at] = n_different
            for part in range(3):
                words[n_different, part] = found[token, part]
            n_different += 1
        number = numbers[at]
        if last_text[number] == text:
            counts[last_entry[number]] += 1
        else:
            last_text[number] = text
            last_entry[number] = n_entries
            tokens[n_entries] = number
            counts[n_entries] = 1
            n_entries += 1
    return n_different, n_entries


@jit()
def lines_of(data, starts, stops):
    """The bytes from each start to its stop, a line each."""
    lines = np.empty((stops - starts).sum() + len(starts), np.uint8)
    place = 0
    for line in range(len(starts)):
        for byte in range(starts[line], stops[line]):
            lines[place] = data[byte]
            place += 1
        lines[place] = 10
        place += 1
    return lines
