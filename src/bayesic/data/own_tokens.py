"""Texts cut into words by a function that the user gives."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from bayesic.data.tokens import OWN, checked_ngrams, joined_tokens


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
            f"cannot hold. Give it again: model.set_params(tokenizer={name})."
        )

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, in order; the words are taken as they are.

        >>> own_tokenizer(str.split, (1, 2)).tokens("Free lunch !")
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
        return joined_tokens(words, self.ngrams)


def own_tokenizer(function: Any, ngrams: Any) -> OwnTokenizer:
    """The tokenizer that is this function.

    >>> own_tokenizer(str.split, (1, 1)).name
    'own, builtins.str.split, (1, 1)'
    """
    if not callable(function):
        raise TypeError(
            "tokenizer must be a function that cuts a text into a list of words, a name such as "
            f"'whitespace', or None, got {function!r}. Use str.split, for example."
        )
    module = getattr(function, "__module__", None) or "builtins"
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return OwnTokenizer(f"{module}.{name}", checked_ngrams(ngrams), function)
