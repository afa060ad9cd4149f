"""Where the tokens of a text stand in it: for pages that show a text and mark its words.

Places are those of the text as it was given: case is folded and spaces are joined in tokens only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bayesic.data.tokens import (
    _RUNS,
    _WORDS,
    CUT_BY_RJIEBA,
    LEAST_LETTERS,
    OwnTokenizer,
    Tokenizer,
)

Span = tuple[int, int]  # the first character, and the one after the last


def token_spans(tokenizer: Tokenizer | OwnTokenizer, text: str) -> list[Span | None]:
    """The place of each token in the text, in the order of `tokenizer.tokens(text)`.

    Tokens of several words reach from the first to the last. A function of the user may give words
    that do not stand in the text: these have the place None.

    >>> token_spans(Tokenizer(ngrams=(1, 2)), "A free LUNCH")
    [(2, 6), (7, 12), (2, 12)]
    >>> token_spans(Tokenizer(), "今天 rain")
    [(0, 1), (1, 2), (0, 2), (3, 7)]
    """
    if isinstance(tokenizer, OwnTokenizer):
        return _joined_spans(_own_spans(tokenizer, text), tokenizer.ngrams)
    if tokenizer.analyzer == "char":
        return _joined_spans(_character_spans(text), tokenizer.ngrams)
    found: list[Span | None] = []
    words: list[Span | None] = []
    for span, is_chinese in _runs(tokenizer, text):
        if is_chinese:
            found += _chinese_spans(tokenizer, text, span)
        else:
            words.append(span)
            if tokenizer.ngrams == (1, 1):
                found.append(span)
    return found if tokenizer.ngrams == (1, 1) else found + _joined_spans(words, tokenizer.ngrams)


def word_spans(tokenizer: Tokenizer | OwnTokenizer, text: str) -> list[Span]:
    """The words into which a text is cut, in order; no two of them overlap.

    Tokens are made of these: of one of them, of neighbours, or of parts of neighbours. They are
    single characters with analyzer="char", and in Chinese where there is no rjieba.

    >>> word_spans(Tokenizer(), "A free lunch 今天")
    [(2, 6), (7, 12), (13, 14), (14, 15)]
    """
    if isinstance(tokenizer, OwnTokenizer):
        return [span for span in _own_spans(tokenizer, text) if span is not None]
    if tokenizer.analyzer == "char":
        return [*dict.fromkeys(_character_spans(text))]
    found: list[Span] = []
    for span, is_chinese in _runs(tokenizer, text):
        found += _chinese_words(tokenizer, text, span) if is_chinese else [span]
    return found


def _runs(tokenizer: Tokenizer, text: str) -> Iterable[tuple[Span, bool]]:
    """Words, and runs of Chinese to be cut further."""
    pattern = _WORDS if tokenizer.language == "en" or text.isascii() else _RUNS
    for run in pattern.finditer(text):
        is_chinese = pattern is _RUNS and run["han"] is not None
        if is_chinese or len(run[0]) >= LEAST_LETTERS:
            yield run.span(), is_chinese


def _joined_spans(words: Sequence[Span | None], ngrams: tuple[int, int]) -> list[Span | None]:
    """Neighbours joined: first all of the least number, then of the next, as tokens are."""
    least, largest = ngrams
    return [
        _joined(words[place : place + length])
        for length in range(least, largest + 1)
        for place in range(len(words) - length + 1)
    ]


def _joined(spans: Sequence[Span | None]) -> Span | None:
    known = [span for span in spans if span is not None]
    return (known[0][0], known[-1][1]) if len(known) == len(spans) else None


# Chinese ------------------------------------------------------------------------------------------


def _chinese_words(tokenizer: Tokenizer, text: str, run: Span) -> list[Span]:
    begin, end = run
    if tokenizer.chinese not in CUT_BY_RJIEBA:
        return [(place, place + 1) for place in range(begin, end)]
    import rjieba

    found = []
    for word in rjieba.cut(text[begin:end].casefold()):
        found.append((begin, begin + len(word)))
        begin += len(word)
    return found


def _chinese_spans(tokenizer: Tokenizer, text: str, run: Span) -> list[Span | None]:
    words = _chinese_words(tokenizer, text, run)
    if tokenizer.chinese in CUT_BY_RJIEBA:
        found = _joined_spans(words, tokenizer.ngrams)
        with_pairs = tokenizer.chinese == "rjieba" and tokenizer.ngrams == (1, 1)
        return found + _pair_spans(words) if with_pairs else found
    pairs = [(begin - 1, end) for begin, end in words[1:]]
    return [words[0], *(span for both in zip(words[1:], pairs, strict=True) for span in both)]


def _pair_spans(words: Sequence[Span]) -> list[Span | None]:
    """The pairs of neighbours that are not words: see `tokens._pairs_beside`."""
    taken = {begin for begin, end in words if end - begin == 2}
    first, last = words[0][0], words[-1][1]
    return [(place, place + 2) for place in range(first, last - 1) if place not in taken]


# characters, and words of the user ----------------------------------------------------------------


def _character_spans(text: str) -> list[Span]:
    """The place of each character of the text with its case folded and its spaces joined."""
    found: list[Span] = []
    after_space = False
    for place, character in enumerate(text):
        is_space = character.isspace()
        if is_space and after_space:
            found[-1] = (found[-1][0], place + 1)
        else:
            found += [(place, place + 1)] * len(character.casefold())
        after_space = is_space
    return found


def _own_spans(tokenizer: OwnTokenizer, text: str) -> list[Span | None]:
    """Each word where it first stands after the one before it; whatever its case, if need be."""
    folded = text.casefold()
    same_length = len(folded) == len(text)
    found: list[Span | None] = []
    begin = 0
    for word in replace(tokenizer, ngrams=(1, 1)).tokens(text):
        place = text.find(word, begin)
        if place < 0 and same_length:
            place = folded.find(word.casefold(), begin)
        if place < 0 or not word:
            found.append(None)
            continue
        begin = place + len(word)
        found.append((place, begin))
    return found
