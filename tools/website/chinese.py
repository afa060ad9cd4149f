"""Chinese pages: lines are joined without a space, and words are found by pairs of characters.

For the latter Sphinx would ask a segmenter that is no part of it, and a browser has none.
"""

import re
from typing import Any

PAIRS = re.compile(r"[\u3400-\u9fff]+")
WORDS = re.compile(r"[a-zA-Z0-9_]+")
WIDE = r"[\u2018-\u201d\u2026\u3000-\u303f\u3400-\u9fff\uff00-\uffef]"
ENDS_WIDE, BEGINS_WIDE = re.compile(rf"{WIDE}$"), re.compile(rf"^{WIDE}")
SPLITTER = r"""
function splitQuery(query) {
  const parts = query.match(/[\u3400-\u9fff]+|[a-zA-Z0-9_]+/g) || [];
  return parts.flatMap((part) => {
    if (!/^[\u3400-\u9fff]{2,}$/.test(part)) return [part];
    return Array.from({ length: part.length - 1 }, (_, at) => part.slice(at, at + 2));
  });
}
"""


def pairs_and_words(text: str) -> list[str]:
    """What a text is found by.

    >>> pairs_and_words("朴素贝叶斯 NaiveBayes")
    ['朴素', '素贝', '贝叶', '叶斯', 'NaiveBayes']
    """
    runs = PAIRS.findall(text)
    pairs = [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))]
    return pairs + WORDS.findall(text)


def is_joint(before: str, after: str) -> bool:
    """Whether a line that ends so and one that begins so are joined without a space.

    >>> is_joint("先验概率，", "后验概率"), is_joint("模型", "NaiveBayes")
    (True, False)
    """
    return bool(ENDS_WIDE.search(before) and BEGINS_WIDE.search(after))


def _join_lines(app: Any, doctree: Any) -> None:
    """Take the breaks out of Chinese paragraphs: a browser would show a space for each."""
    from docutils import nodes

    for text in list(doctree.findall(nodes.Text)):
        around = text.parent.children
        at = next(place for place, child in enumerate(around) if child is text)
        if text != "\n" or not 0 < at < len(around) - 1:
            continue
        if is_joint(around[at - 1].astext(), around[at + 1].astext()):
            text.parent[at] = nodes.Text("")


def setup(app: Any) -> None:
    """Let Sphinx join lines of Chinese pages, and search them by pairs."""
    app.connect("doctree-read", _join_lines)
    from sphinx.search.zh import SearchChinese

    class SearchPairs(SearchChinese):
        language_name = "English"  # of the stemmer of its Latin words, which the page looks for
        js_splitter_code = SPLITTER

        def split(self, input: str) -> list[str]:
            self.latin_terms.update(WORDS.findall(input))
            return pairs_and_words(input)

    app.add_search_language(SearchPairs)
