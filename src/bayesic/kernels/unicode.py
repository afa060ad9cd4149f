"""What each character of Unicode is for a tokenizer: part of a word or not, and its folded form."""

import re
from functools import lru_cache

import numpy as np

from bayesic.kernels import Array

OTHER, WORD, HAN = 0, 1, 2

N_CHARACTERS = 0x110000

# Chinese characters: the unified ideographs with their extensions, and the compatibility forms.
HAN_RANGES = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF))


@lru_cache
def character_kinds() -> Array:
    """OTHER, WORD (as in `re` with \\w) or HAN for each code point: uint8."""
    kinds = np.zeros(N_CHARACTERS, dtype=np.uint8)
    everything = "".join(map(chr, range(N_CHARACTERS)))
    kinds[[match.start() for match in re.finditer(r"\w", everything)]] = WORD
    for first, last in HAN_RANGES:
        part = kinds[first : last + 1]
        part[part == WORD] = HAN
    return kinds


@lru_cache
def spaces() -> Array:
    """Whether each code point is a space, as in `re` with \\s: bool."""
    return np.array([chr(code).isspace() for code in range(N_CHARACTERS)])


@lru_cache
def case_folding() -> tuple[Array, Array]:
    """What each code point folds to: int32, and a table of those that become several.

    fold[c] is the folded code point; or -1 - k, if it becomes the code points in row k of the
    table, which ends with zeros.
    """
    fold = np.arange(N_CHARACTERS, dtype=np.int32)
    several: list[list[int]] = []
    for start in range(0, N_CHARACTERS, 256):
        block = "".join(map(chr, range(start, start + 256)))
        if block.casefold() == block:
            continue
        for character in block:
            folded = [*map(ord, character.casefold())]
            if len(folded) == 1:
                fold[ord(character)] = folded[0]
            else:
                fold[ord(character)] = -1 - len(several)
                several.append(folded + [0] * (4 - len(folded)))
    return fold, np.array(several, dtype=np.int32)
