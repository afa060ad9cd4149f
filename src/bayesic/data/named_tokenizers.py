"""Ways to cut texts into words that have a name, which a model file can keep.

zh-words       as language="zh", but Chinese into the words of rjieba alone, without the pairs of
               neighbours beside them
zh-characters  as language="zh", but Chinese into single characters and pairs of neighbours, also
               where rjieba is installed: such a model can be read everywhere
whitespace     at spaces and line breaks, nothing else: for texts that are cut already
"""

from typing import Any

from bayesic.data.own_tokens import OwnTokenizer, own_tokenizer
from bayesic.data.tokens import Tokenizer, checked_ngrams, chinese_cutter

NAMED = ("zh-words", "zh-characters", "whitespace")

NEEDS_RJIEBA = 'rjieba, which is not installed here: pip install "bayesic[zh]"'


def named_tokenizer(name: str, ngrams: Any) -> Tokenizer | OwnTokenizer:
    """The tokenizer of this name.

    >>> named_tokenizer("zh-characters", (1, 1)).tokens("下雨 Today")
    ['下', '雨', '下雨', 'today']
    >>> named_tokenizer("whitespace", (1, 1)).tokens("今天 下雨 !")
    ['今天', '下雨', '!']
    """
    if name == "whitespace":
        return OwnTokenizer("whitespace", checked_ngrams(ngrams), str.split)
    if name == "zh-characters":
        return Tokenizer("zh", checked_ngrams(ngrams), "word", "characters")
    if name != "zh-words":
        raise ValueError(
            f"tokenizer must be one of {', '.join(map(repr, NAMED))}, or a function that cuts a "
            f"text into a list of words, got {name!r}."
        )
    if chinese_cutter() != "rjieba":
        raise ModuleNotFoundError(f"tokenizer='zh-words' needs {NEEDS_RJIEBA}.", name="rjieba")
    return Tokenizer("zh", checked_ngrams(ngrams), "word", "rjieba words")


def chosen_tokenizer(given: Any, ngrams: Any) -> Tokenizer | OwnTokenizer:
    """The tokenizer that a user gives: a name, or a function text -> list of words."""
    if isinstance(given, str):
        return named_tokenizer(given, ngrams)
    return own_tokenizer(given, ngrams)


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
        f"{here!r}. Install the same version of what cuts them, or learn the texts anew."
    )


def refusal_to_recut(learned: Any, now: Any, none_given: bool) -> str:
    """Why texts cannot be cut in another way than those that were learned, and the way out.

    none_given : whether the model has no tokenizer of its own now, as after loading it
    """
    if none_given and isinstance(learned, OwnTokenizer):
        return learned.to_give_again()
    return (
        f"Texts must be cut into words as those that were learned, with {learned}, got {now}. Set "
        "language, ngrams, analyzer and tokenizer back, or fit anew."
    )
