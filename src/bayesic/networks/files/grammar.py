"""Texts with marks, words and quoted words: the tokens of BIF and NET, and the line of each.

One compiled pattern runs over the whole text. A run of words or numbers without a mark between
them is one token: a table of numbers is not cut before it is known to be one.
"""

import re
from dataclasses import dataclass

from bayesic.networks.files.parsed import MOST_WORDS, RefusedNetworkError, check_at_most, shown

QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'  # the text may end before its second mark

CLOSED = re.compile(QUOTED.removesuffix("?"), re.DOTALL)


@dataclass(frozen=True)
class Grammar:
    """How a format marks its text."""

    token: re.Pattern[str]  # a mark, a quoted word, or words up to the next mark
    comment: re.Pattern[str]  # a quoted word, or a comment
    has_comments: re.Pattern[str]  # whether there may be any
    marks: frozenset[str]


def grammar(marks: str, comments: str, start_of_comment: str) -> Grammar:
    """The grammar with these marks, and these patterns of comments."""
    escaped = re.escape(marks)
    return Grammar(
        token=re.compile(rf'[{escaped}]|{QUOTED}|[^\s,"{escaped}][^"{escaped}]*', re.DOTALL),
        comment=re.compile(rf"{QUOTED}|{comments}", re.DOTALL),
        has_comments=re.compile(start_of_comment),
        marks=frozenset(marks),
    )


def without_comments(text: str, rules: Grammar) -> str:
    """The text with comments taken out; lines keep their numbers."""
    if not rules.has_comments.search(text):
        return text

    def kept(match: re.Match[str]) -> str:
        found = match[0]
        return found if found[0] == '"' else "\n" * found.count("\n") + " "

    return rules.comment.sub(kept, text)


class Tokens:
    """The tokens of a text, read one after the other."""

    def __init__(self, text: str, rules: Grammar) -> None:
        self.text = without_comments(text, rules)
        self.rules = rules
        self.marks = rules.marks
        self.words_left = MOST_WORDS
        # between two marks there is at most one more token
        n_marks = sum(map(self.text.count, self.marks)) + self.text.count('"')
        check_at_most(MOST_WORDS, 2 * n_marks, "marks and words")
        self.all = rules.token.findall(self.text)
        self.all.append("")  # the end
        self.place = 0

    def at_end(self) -> bool:
        """Whether all was read."""
        return self.place == len(self.all) - 1

    def peek(self) -> str:
        """The next token; empty at the end."""
        return self.all[self.place]

    def skip(self, mark: str) -> None:
        """Go over the mark that must come next."""
        if self.all[self.place] != mark:
            raise self.refusal(f"expected {mark!r}, got {self._shown()}")
        self.place += 1

    def skip_behind(self, mark: str) -> None:
        """Go behind the next such mark, wherever it is."""
        try:
            self.place = self.all.index(mark, self.place) + 1
        except ValueError:
            raise self.refusal(f"the {mark!r} that ends what begins here is missing") from None

    def words(self) -> list[str]:
        """All words up to the next mark, without their quotes; commas between them do not count."""
        token = self.all[self.place]
        if token in self.marks or not token:
            return []
        self.place += 1
        if token[0] != '"' and self.all[self.place] in self.marks:  # nearly always
            return self._split(token)
        words = self._unquoted(token)
        while (token := self.all[self.place]) and token not in self.marks:
            self.place += 1
            words += self._unquoted(token)
        return words

    def _unquoted(self, token: str) -> list[str]:
        if token[0] != '"':
            return self._split(token)
        if not CLOSED.fullmatch(token):
            raise self.refusal("the quoted word that begins here does not end", self.place - 1)
        return [re.sub(r'\\(["\\])', r"\1", token[1:-1])]

    def _split(self, token: str) -> list[str]:
        words = token.replace(",", " ").split(maxsplit=self.words_left)
        if len(words) > self.words_left:
            check_at_most(MOST_WORDS, MOST_WORDS + 1, "words")
        self.words_left -= len(words)
        return words

    def word(self, what: str) -> str:
        """The one word that must come next."""
        start = self.place
        words = self.words()
        if len(words) != 1:
            self.place = start
            raise self.refusal(f"expected {what}, got {self._shown()}")
        return words[0]

    def refusal(self, reason: str, place: int | None = None) -> RefusedNetworkError:
        """The error that gives the line of a token: of the next one if none is named."""
        return RefusedNetworkError(reason, self.line(self.place if place is None else place))

    def line(self, place: int) -> int:
        """The line of a token; lines are counted when they are asked for."""
        if place >= len(self.all) - 1:
            return self.text.rstrip().count("\n") + 1
        for number, match in enumerate(self.rules.token.finditer(self.text)):
            if number == place:
                return self.text.count("\n", 0, match.start()) + 1
        raise AssertionError("every token is in the text")

    def _shown(self) -> str:
        return (
            shown(self.all[self.place].strip()) if self.all[self.place] else "the end of the file"
        )


def quoted(name: str) -> str:
    """A name in quotes, as `words` reads it.

    >>> print(quoted('a "red" flag'))
    "a \\"red\\" flag"
    """
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
