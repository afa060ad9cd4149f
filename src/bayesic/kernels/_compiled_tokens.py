# mypy: disallow-untyped-defs=False
"""The tokens of texts of UTF-8 bytes: hash, first byte and end of each, put into an array.

These are the compiled twins of `Tokenizer.tokens` in `data/tokens.py`, but for the order. Each kind
of token is found by a kernel of its own, for each is compiled when it is first needed.

    data, offsets : uint8, valid UTF-8; text i is offsets[i] to i + 1
    texts         : int64 (n_texts,), the numbers of the texts to look at
    found         : uint64 (n_tokens, 3), with room for all tokens
    spans         : int64 (n_texts, 2), where the tokens of each of them begin and end in found
"""

import numpy as np

from bayesic.kernels._jit import inlined, inner, jit

HASH_START = np.uint64(0xCBF29CE484222325)
HASH_STEP = np.uint64(0x100000001B3)
HASH_MIX = np.uint64(0xFF51AFD7ED558CCD)
ONE = np.uint64(1)

CUT = 0xFF  # no byte of UTF-8: it stands where a run of Chinese is cut into words

# what is made of Chinese (with cuts: words and the pairs beside them, or words alone), or of the
# whole text
HAN_BY_CHARACTERS, HAN_BY_CUTS, HAN_BY_WORDS, CHARACTERS = 0, 1, 2, 3


@inner
def _mixed(value):
    value ^= value >> np.uint64(33)
    value *= HASH_MIX
    value ^= value >> np.uint64(33)
    return value | np.uint64(1)  # 0 marks a free place


@inner
def _with_character(value, character):
    """The hash with one more character."""
    return (value ^ np.uint64(character)) * HASH_STEP


@inlined
def _with_folded(value, character, fold, several):
    """The same with a character whose case is folded, which may become several."""
    folded = fold[character]
    if folded >= 0:
        return _with_character(value, folded)
    for letter in several[-1 - folded]:
        if letter > 0:
            value = _with_character(value, letter)
    return value


@inner
def decoded(data, position):
    """The character at a place of valid UTF-8, and how many bytes it takes; 0 for a cut."""
    first = np.int64(data[position])
    if first < 0x80:
        return first, 1
    if first < 0xE0:
        return ((first & 0x1F) << 6) | (np.int64(data[position + 1]) & 0x3F), 2
    if first < 0xF0:
        high = ((first & 0x0F) << 12) | ((np.int64(data[position + 1]) & 0x3F) << 6)
        return high | (np.int64(data[position + 2]) & 0x3F), 3
    if first == CUT:
        return np.int64(0), 1
    high = ((first & 0x07) << 18) | ((np.int64(data[position + 1]) & 0x3F) << 12)
    low = ((np.int64(data[position + 2]) & 0x3F) << 6) | (np.int64(data[position + 3]) & 0x3F)
    return high | low, 4


@inner
def _put(found, token, value, start, stop):
    found[token, 0] = _mixed(value)
    found[token, 1] = start
    found[token, 2] = stop


@jit()
def hash_of_characters(data, position, stop):
    """The hash of these characters, whose case is folded."""
    value = HASH_START
    while position < stop:
        character, width = decoded(data, position)
        value = _with_character(value, character)
        position += width
    return _mixed(value)


@jit()
def joined(value, word):
    """The hash of an n-gram with one more word, from the hashes of both."""
    return _mixed((value * HASH_STEP) ^ word)


@inlined
def _words_of_text(data, position, stop, kinds, ascii, fold, several, least_letters, found):
    """Runs of word characters, at least least_letters of them; and whether there is Chinese.

    ascii : for each byte that is a letter of ASCII what it folds to, 0 for all others
    """
    n_words, has_chinese = np.uint64(0), False
    position, stop = np.uint64(position), np.uint64(stop)  # no check for places from the end
    while position < stop:
        start, letters, value = position, 0, HASH_START
        kind, width = np.uint8(1), ONE
        while position < stop:
            folded = ascii[data[position]]
            if folded != 0:  # most are such letters: they take one byte and fold to one
                value = _with_character(value, folded)
                position += ONE
            else:
                character, n_bytes = decoded(data, np.int64(position))
                kind, width = kinds[character], np.uint64(n_bytes)
                if kind != 1:
                    break
                value = _with_folded(value, character, fold, several)
                position += width
            letters += 1
        if letters >= least_letters:
            _put(found, n_words, value, start, position)
            n_words += ONE
        if kind != 1:
            has_chinese |= kind == 2
            position += width
    return np.int64(n_words), has_chinese


@inlined
def _joined_words(found, n_words, least, largest):
    """Put the n-grams of two words and more behind the words; an n-gram is known by its parts."""
    n_tokens = n_words
    for first in range(n_words):
        value = found[first, 0]
        for last in range(first + 1, min(first + largest, n_words)):
            value = joined(value, found[last, 0])
            if last - first + 1 >= least:
                found[n_tokens, 0] = value
                found[n_tokens, 1] = found[first, 1]
                found[n_tokens, 2] = found[last, 2]
                n_tokens += 1
    return n_tokens


@inlined
def _chinese_characters(data, position, stop, kinds, found, n_tokens):
    """Each Chinese character, and each pair of neighbours."""
    before = np.int64(-1)
    while position < stop:
        character, width = decoded(data, position)
        if kinds[character] == 2:
            value = _with_character(HASH_START, character)
            _put(found, n_tokens, value, position, position + width)
            n_tokens += 1
            if before >= 0:
                earlier, _ = decoded(data, before)
                value = _with_character(_with_character(HASH_START, earlier), character)
                _put(found, n_tokens, value, before, position + width)
                n_tokens += 1
            before = position
        else:
            before = -1
        position += width
    return n_tokens


@inlined
def _chinese_words(data, position, stop, kinds, least, largest, found, n_tokens):
    """The n-grams of the words between the cuts of each run of Chinese."""
    while position < stop:
        character, width = decoded(data, position)
        if kinds[character] != 2:
            position += width
            continue
        value, end, n_words, second = HASH_START, position, 1, np.int64(-1)
        while end < stop and n_words <= largest:
            character, width = decoded(data, end)
            if data[end] == CUT:
                if n_words >= least:
                    _put(found, n_tokens, value, position, end)
                    n_tokens += 1
                if second < 0:
                    second = end + 1
                n_words += 1
            elif kinds[character] == 2:
                value = _with_character(value, character)
            else:
                break
            end += width
        if least <= n_words <= largest:  # the last one, which no cut ends
            _put(found, n_tokens, value, position, end)
            n_tokens += 1
        position = end if second < 0 else second
    return n_tokens


@inlined
def _chinese_pairs(data, position, stop, kinds, found, n_tokens):
    """Each pair of neighbours in a run of Chinese, but for those that are a word between cuts."""
    before, begins_word, cut = np.int64(-1), False, True  # of the character before
    while position < stop:
        if data[position] == CUT:
            cut = True
            position += 1
            continue
        character, width = decoded(data, position)
        end = position + width
        if kinds[character] != 2:
            before, cut, position = np.int64(-1), True, end
            continue
        if before >= 0:
            ends_word = end == stop or data[end] == CUT or kinds[decoded(data, end)[0]] != 2
            if cut or not begins_word or not ends_word:
                earlier, _ = decoded(data, before)
                value = _with_character(_with_character(HASH_START, earlier), character)
                _put(found, n_tokens, value, before, end)
                n_tokens += 1
        before, begins_word, cut, position = position, cut, False, end
    return n_tokens


@inlined
def _character_grams(data, position, stop, least, largest, found, n_tokens):
    """Every run of least to largest characters; case and spaces are folded already."""
    while position < stop:
        value, end, n_characters = HASH_START, position, 0
        while end < stop and n_characters < largest:
            character, width = decoded(data, end)
            value = _with_character(value, character)
            end += width
            n_characters += 1
            if n_characters >= least:
                _put(found, n_tokens, value, position, end)
                n_tokens += 1
        position += decoded(data, position)[1]
    return n_tokens


# of many texts --------------------------------------------------------------------------------


@jit()
def find_words(
    data, offsets, texts, kinds, ascii, fold, several, least_letters, least, largest, found, spans
):
    """Words and their n-grams; whether there is Chinese in some text."""
    some_chinese, begin = False, np.int64(0)
    for index in range(len(texts)):
        start, stop, own = offsets[texts[index]], offsets[texts[index] + 1], found[begin:]
        n_words, has_chinese = _words_of_text(
            data, start, stop, kinds, ascii, fold, several, least_letters, own
        )
        n_found = _joined_words(own, n_words, least, largest) if largest > 1 else n_words
        spans[index, 0] = begin + (n_words if least > 1 else 0)
        begin += n_found
        spans[index, 1] = begin
        some_chinese |= has_chinese
    return some_chinese


@jit()
def find_chinese_characters(data, offsets, texts, kinds, found, spans):
    n_found = np.int64(0)
    for index in range(len(texts)):
        start, stop = offsets[texts[index]], offsets[texts[index] + 1]
        spans[index, 0] = n_found
        n_found = _chinese_characters(data, start, stop, kinds, found, n_found)
        spans[index, 1] = n_found


@jit()
def find_chinese_words(data, offsets, texts, kinds, least, largest, with_pairs, found, spans):
    """The n-grams of words between cuts, and if asked for the pairs beside them."""
    n_found = np.int64(0)
    for index in range(len(texts)):
        start, stop = offsets[texts[index]], offsets[texts[index] + 1]
        spans[index, 0] = n_found
        n_found = _chinese_words(data, start, stop, kinds, least, largest, found, n_found)
        if with_pairs:
            n_found = _chinese_pairs(data, start, stop, kinds, found, n_found)
        spans[index, 1] = n_found


@jit()
def find_characters(data, offsets, texts, least, largest, found, spans):
    n_found = np.int64(0)
    for index in range(len(texts)):
        start, stop = offsets[texts[index]], offsets[texts[index] + 1]
        spans[index, 0] = n_found
        n_found = _character_grams(data, start, stop, least, largest, found, n_found)
        spans[index, 1] = n_found
