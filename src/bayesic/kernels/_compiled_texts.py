# mypy: disallow-untyped-defs=False
"""Texts of UTF-8 bytes made ready for their tokens: Chinese cut into words, or all case folded.

data, offsets : uint8, valid UTF-8; text i is offsets[i] to i + 1
"""

import numpy as np

from bayesic.kernels._compiled_tokens import CUT, decoded
from bayesic.kernels._jit import inner, jit

LONGEST_FOLDED = 3  # times as many bytes at most, where a character becomes three


def chinese_runs(data, offsets, kinds):
    """Every run of Chinese in these texts as a line."""
    runs = np.empty(2 * (offsets[-1] - offsets[0]) + 1, np.uint8)
    return runs[: _chinese_runs(data, offsets, kinds, runs)]


@jit()
def _chinese_runs(data, offsets, kinds, runs):
    size = 0
    for text in range(len(offsets) - 1):
        index, stop, within = offsets[text], offsets[text + 1], False
        while index < stop:
            character, width = decoded(data, index)
            is_chinese = kinds[character] == 2
            if within and not is_chinese:
                runs[size] = 10
                size += 1
            if is_chinese:
                for byte in range(index, index + width):
                    runs[size] = data[byte]
                    size += 1
            within = is_chinese
            index += width
        if within:
            runs[size] = 10
            size += 1
    return size


def with_cuts(data, offsets, kinds, runs):
    """The texts again, with a cut in their runs of Chinese wherever there is a zero.

    runs : the lines of `chinese_runs`, with zeros between the words and around the ends of lines
    """
    out = np.empty(offsets[-1] - offsets[0] + len(runs), np.uint8)
    new_offsets = np.zeros(len(offsets), np.int64)
    _with_cuts(data, offsets, kinds, runs, out, new_offsets)
    return out[: new_offsets[-1]], new_offsets


@jit()
def _with_cuts(data, offsets, kinds, runs, out, new_offsets):
    size, at = 0, 0
    for text in range(len(offsets) - 1):
        index, stop, within = offsets[text], offsets[text + 1], False
        while index < stop:
            character, width = decoded(data, index)
            is_chinese = kinds[character] == 2
            if is_chinese:
                if within and runs[at] == 0:
                    out[size] = CUT
                    size += 1
                while runs[at] == 0 or runs[at] == 10:
                    at += 1
                at += width
            within = is_chinese
            for byte in range(index, index + width):
                out[size] = data[byte]
                size += 1
            index += width
        new_offsets[text + 1] = size


def folded_texts(data, offsets, is_space, fold, several):
    """The texts with their case folded, and one space for each run of spaces."""
    out = np.empty(LONGEST_FOLDED * (offsets[-1] - offsets[0]), np.uint8)
    new_offsets = np.zeros(len(offsets), np.int64)
    _folded_texts(data, offsets, is_space, fold, several, out, new_offsets)
    return out[: new_offsets[-1]], new_offsets


@jit()
def _folded_texts(data, offsets, is_space, fold, several, out, new_offsets):
    size = 0
    for text in range(len(offsets) - 1):
        index, stop, after_space = offsets[text], offsets[text + 1], False
        while index < stop:
            character, width = decoded(data, index)
            index += width
            if is_space[character]:
                if not after_space:
                    out[size] = 32
                    size += 1
                after_space = True
                continue
            after_space = False
            if fold[character] >= 0:
                size = _encode(np.int64(fold[character]), out, size)
                continue
            for folded in several[-1 - fold[character]]:
                if folded > 0:
                    size = _encode(np.int64(folded), out, size)
        new_offsets[text + 1] = size


@inner
def _encode(character, out, size):
    """Put a character as UTF-8 into out; the size after it."""
    if character < 0x80:
        out[size] = character
        return size + 1
    if character < 0x800:
        out[size] = 0xC0 | (character >> 6)
        out[size + 1] = 0x80 | (character & 0x3F)
        return size + 2
    if character < 0x10000:
        out[size] = 0xE0 | (character >> 12)
        out[size + 1] = 0x80 | ((character >> 6) & 0x3F)
        out[size + 2] = 0x80 | (character & 0x3F)
        return size + 3
    out[size] = 0xF0 | (character >> 18)
    out[size + 1] = 0x80 | ((character >> 12) & 0x3F)
    out[size + 2] = 0x80 | ((character >> 6) & 0x3F)
    out[size + 3] = 0x80 | (character & 0x3F)
    return size + 4
