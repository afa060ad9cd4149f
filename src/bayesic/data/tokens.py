"""Texts -> tokens.

A word is a run of characters that are \\w for `re`, with its case folded; words of a single letter
are left out. Chinese is written without spaces: a run of Chinese characters is cut into words by
rjieba, beside which each pair of neighbours that is no such word counts (no cut is always right: on
titles and reviews this gains up to two points of accuracy); or else into single characters and
pairs of neighbours.

Other ways to cut texts have a name, which a model file can keep:

zh-words       as language="zh", but Chinese into the words of rjieba alone, without the pairs of
               neighbours beside them
zh-characters  as language="zh", but Chinese into single characters and pairs of neighbours, also
               where rjieba is installed: such a model can be read everywhere
whitespace     at spaces and line breaks, nothing else: for texts that are cut already

or are a function of the user.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import accumulate
from typing import Any

from bayesic.data.arguments import check_one_of, is_whole_number, tell
from bayesic.kernels.unicode import HAN_RANGES

LANGUAGES = ("auto", "en", "zh")
ANALYZERS = ("word", "char")
OWN = "own"  # the analyzer of a function that the user gives
NAMED = ("zh-words", "zh-characters", "whitespace")

CUT_BY_RJIEBA = ("rjieba", "rjieba words")  # what is made of Chinese where rjieba is needed
NEEDS_RJIEBA = 'rjieba, which is not installed here: pip install "bayesic[zh]"'

VERSION = 1  # of the rules in this file
LEAST_LETTERS = 2  # of a word that is not Chinese

_HAN = "".join(f"{chr(first)}-{chr(last)}" for first, last in HAN_RANGES)
# not all that lies in these ranges is a character, which depends on the version of Unicode
_RUNS = re.compile(rf"(?P<han>(?:(?=\w)[{_HAN}])+)|(?:(?![{_HAN}])\w)+")
_CHINESE = re.compile(f"[{_HAN}]")
_WORDS = re.compile(r"\w+")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Tokenizer:
    """How texts are cut into tokens.

    language : "auto" and "zh" cut Chinese runs apart, "en" takes them as words
    ngrams   : least and largest number of words (or characters) that make a token
    analyzer : "word", or "char" for runs of characters whatever they are
    chinese  : "characters" for single ones and pairs; "rjieba" for words and the pairs beside them,
               "rjieba words" for words alone; "as words" with "en" or "char"
    """

    language: str = "auto"
    ngrams: tuple[int, int] = (1, 1)
    analyzer: str = "word"
    chinese: str = "characters"

    @property
    def name(self) -> str:
        """What a model file calls it: another name, or another version, may cut otherwise."""
        how = f"bayesic {VERSION}, {self.language}, {self.analyzer}, {self.ngrams}"
        if self.chinese not in CUT_BY_RJIEBA:
            return f"{how}, {self.chinese}"
        return f"{how}, {self.chinese} {version('rjieba')}"

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, in order.

        >>> Tokenizer().tokens("A free lunch, 今天下雨!")
        ['free', 'lunch', '今', '天', '今天', '下', '天下', '雨', '下雨']
        >>> Tokenizer(ngrams=(1, 2)).tokens("free lunch today")
        ['free', 'lunch', 'today', 'free lunch', 'lunch today']
        >>> Tokenizer(analyzer="char", ngrams=(2, 2)).tokens("Rain")
        ['ra', 'ai', 'in']
        """
        if self.analyzer == "char":
            return _character_tokens(text, self.ngrams)
        if self.language == "en" or text.isascii():  # nothing Chinese to look for
            long = [word.casefold() for word in _WORDS.findall(text) if len(word) >= LEAST_LETTERS]
            return _joined_tokens(long, self.ngrams)
        found: list[str] = []
        words: list[str] = []
        for run in _RUNS.finditer(text):
            if run["han"] is not None:
                found += self._chinese_tokens(run["han"].casefold())
            elif len(run[0]) >= LEAST_LETTERS:
                words.append(run[0].casefold())
                if self.ngrams == (1, 1):
                    found.append(words[-1])
        return found if self.ngrams == (1, 1) else found + _joined_tokens(words, self.ngrams)

    def _chinese_tokens(self, run: str) -> list[str]:
        if self.chinese in CUT_BY_RJIEBA:
            import rjieba

            words = rjieba.cut(run)
            found = _joined_tokens(words, self.ngrams, between="")
            with_pairs = self.chinese == "rjieba" and self.ngrams == (1, 1)
            return found + _pairs_beside(words) if with_pairs else found
        pairs = [run[place : place + 2] for place in range(len(run) - 1)]
        return [run[0], *(token for both in zip(run[1:], pairs, strict=True) for token in both)]


def _pairs_beside(words: Sequence[str]) -> list[str]:
    """The pairs of neighbouring characters in a run of Chinese that are none of its words.

    >>> _pairs_beside(["今天", "不", "下雨"])
    ['天不', '不下']
    """
    run = "".join(words)
    begins = accumulate(map(len, words), initial=0)
    taken = {begin for begin, word in zip(begins, words, strict=False) if len(word) == 2}
    return [run[place : place + 2] for place in range(len(run) - 1) if place not in taken]


def _joined_tokens(words: Sequence[str], ngrams: tuple[int, int], between: str = " ") -> list[str]:
    """Neighbouring words joined: first all of the least length, then of the next."""
    if ngrams == (1, 1):
        return list(words)
    least, largest = ngrams
    return [
        between.join(words[place : place + length])
        for length in range(least, largest + 1)
        for place in range(len(words) - length + 1)
    ]


def _character_tokens(text: str, ngrams: tuple[int, int]) -> list[str]:
    folded = _SPACES.sub(" ", text.casefold())
    least, largest = ngrams
    return [
        folded[place : place + length]
        for length in range(least, largest + 1)
        for place in range(len(folded) - length + 1)
    ]


# texts cut into words by a function that the user gives ---------------------------------------


@dataclass(frozen=True)
class OwnTokenizer:
    """A function text -> words of the user, and the n-grams of these words.

    A model file cannot hold a function, only its name: `cut` is None in a model that was loaded,
    until the user gives it again. Two of them are the same if their names are.
    """

    function: str  # its name
    ngrams: tuple[int, int] = (1, 1)
    cut: Callable[[str], Iterable[str]] | None = field(default=None, compare=False, repr=False)

    analyzer = OWN
    chinese = "as words"

    @property
    def name(self) -> str:
        """What a model file calls it."""
        return f"own, {self.function}, {self.ngrams}"

    def to_give_again(self) -> str:
        """What to say when a model that was loaded is asked, and lacks the function.

        >>> OwnTokenizer("builtins.str.split").to_give_again()[-48:]
        'it again: model.set_params(tokenizer=str.split).'
        """
        name = self.function.removeprefix("builtins.").removeprefix("__main__.")
        name = "your_function" if "<" in name else name  # a lambda has no name
        return (
            f"This model cut its texts with the function {self.function}, which a model file "
            f"cannot hold. Set it again: model.set_params(tokenizer={name})."
        )

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, in order; the words are taken as they are.

        >>> _own_tokenizer(str.split, (1, 2)).tokens("Free lunch !")
        ['Free', 'lunch', '!', 'Free lunch', 'lunch !']
        """
        assert self.cut is not None
        given = self.cut(text)
        words = [*given] if isinstance(given, Iterable) else []
        is_list = isinstance(given, Iterable) and not isinstance(given, str)
        if not is_list or not all(isinstance(word, str) for word in words):
            raise TypeError(
                f"tokenizer must give a list of words for each text, {self.function} gave "
                f"{given!r:.80}. Use str.split, for example."
            )
        return _joined_tokens(words, self.ngrams)


def _own_tokenizer(function: object, ngrams: object) -> OwnTokenizer:
    """The tokenizer that is this function.

    >>> _own_tokenizer(str.split, (1, 1)).name
    'own, builtins.str.split, (1, 1)'
    """
    if not callable(function):
        raise TypeError(
            "tokenizer must be a function that cuts a text into a list of words, a name such as "
            f"'whitespace', or None, got {function!r}. Use str.split, for example."
        )
    module = getattr(function, "__module__", None) or "builtins"
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return OwnTokenizer(f"{module}.{name}", _checked_ngrams(ngrams), function)


# what users ask for ---------------------------------------------------------------------------


def checked_tokenizer(language: Any, ngrams: object, analyzer: Any) -> Tokenizer:
    """The tokenizer that a user asks for, with the best there is for Chinese.

    >>> checked_tokenizer("en", (1, 2), "word")
    Tokenizer(language='en', ngrams=(1, 2), analyzer='word', chinese='as words')
    """
    check_one_of("language", language, LANGUAGES)
    check_one_of("analyzer", analyzer, ANALYZERS)
    chinese = chinese_cutter() if language != "en" and analyzer == "word" else "as words"
    return Tokenizer(language, _checked_ngrams(ngrams), analyzer, chinese)


def _checked_ngrams(ngrams: object) -> tuple[int, int]:
    """The least and the largest number of words to take together.

    >>> _checked_ngrams([1, 2])
    (1, 2)
    """
    lengths = tuple(ngrams) if isinstance(ngrams, (tuple, list)) else ()
    whole = all(map(is_whole_number, lengths))
    if len(lengths) != 2 or not whole or not 1 <= lengths[0] <= lengths[1]:
        raise ValueError(
            "ngrams must be the least and the largest number of words to take together, got "
            f"{ngrams!r}. Use (1, 1) for single words, (1, 2) for pairs too."
        )
    return int(lengths[0]), int(lengths[1])


def named_tokenizer(name: str, ngrams: object) -> Tokenizer | OwnTokenizer:
    """The tokenizer of this name.

    >>> named_tokenizer("zh-characters", (1, 1)).tokens("下雨 Today")
    ['下', '雨', '下雨', 'today']
    >>> named_tokenizer("whitespace", (1, 1)).tokens("今天 下雨 !")
    ['今天', '下雨', '!']
    """
    if name == "whitespace":
        return OwnTokenizer("whitespace", _checked_ngrams(ngrams), str.split)
    if name == "zh-characters":
        return Tokenizer("zh", _checked_ngrams(ngrams), "word", "characters")
    if name != "zh-words":
        raise ValueError(
            f"tokenizer must be one of {', '.join(map(repr, NAMED))}, or a function that cuts a "
            f"text into a list of words, got {name!r}."
        )
    if chinese_cutter() != "rjieba":
        raise ModuleNotFoundError(f"tokenizer='zh-words' needs {NEEDS_RJIEBA}.", name="rjieba")
    return Tokenizer("zh", _checked_ngrams(ngrams), "word", "rjieba words")


def told_tokenizer(
    language: object, ngrams: object, analyzer: object, tokenizer: object
) -> Tokenizer | OwnTokenizer:
    """The tokenizer that the parameters of a model describe.

    >>> told_tokenizer("en", (1, 1), "word", tokenizer="whitespace").name
    'own, whitespace, (1, 1)'
    """
    if tokenizer is not None:
        return _chosen_tokenizer(tokenizer, ngrams)
    return checked_tokenizer(language, ngrams, analyzer)


def _chosen_tokenizer(given: object, ngrams: object) -> Tokenizer | OwnTokenizer:
    """The tokenizer that a user gives: a name, or a function text -> list of words."""
    if isinstance(given, str):
        return named_tokenizer(given, ngrams)
    return _own_tokenizer(given, ngrams)


def refusal_to_load(learned: str, here: str) -> str:
    """Why a model whose texts were cut in one way cannot be read where they are cut in another.

    learned, here : the names of the two tokenizers

    >>> refusal_to_load("bayesic 1, auto, word, (1, 1), rjieba 0.1", "own, cut, (1, 1)")[:43]
    'was learned with words that were cut by ano'
    """
    if "rjieba" in learned and chinese_cutter() != "rjieba":
        return f"was learned from texts that were cut into words by {NEEDS_RJIEBA}."
    return (
        f"was learned with words that were cut by another tokenizer: {learned!r}, here it is "
        f"{here!r}. Install the same version of the tokenizer, or fit again."
    )


def refusal_to_recut(learned: object, now: object, none_given: bool) -> str:
    """Why texts cannot be cut in another way than those that were learned, and the way out.

    none_given : whether the model has no tokenizer of its own now, as after loading it
    """
    if none_given and isinstance(learned, OwnTokenizer):
        return learned.to_give_again()
    return (
        f"Texts must be cut into words like the learned ones, with {learned}, got {now}. Set "
        "language, ngrams, analyzer and tokenizer back, or fit again."
    )


# Chinese --------------------------------------------------------------------------------------


@lru_cache
def chinese_cutter() -> str:
    """What cuts Chinese into words here: rjieba if it is installed, else single characters."""
    return "rjieba" if find_spec("rjieba") is not None else "characters"


@lru_cache
def tell_of_characters() -> None:
    """Say once that Chinese is cut into single characters, and what would do better."""
    tell(
        "rjieba is not installed: Chinese texts are cut into single characters and pairs of "
        "neighbours. pip install 'bayesic[zh]' cuts them into words."
    )


def has_chinese(words: Iterable[str]) -> bool:
    """Whether some of these words are Chinese.

    >>> has_chinese(["free", "雨"]), has_chinese(["free"])
    (True, False)
    """
    return any(_CHINESE.match(word) for word in words)
