"""Search in Chinese pages: text without spaces is found by its pairs of characters.

Sphinx would ask a segmenter of words that is no part of it, and a browser has none.
"""

import re
from typing import Any

PAIRS = re.compile(r"[\u3400-\u9fff]+")
WORDS = re.compile(r"[a-zA-Z0-9_]+")
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


def setup(app: Any) -> None:
    """Let Sphinx search Chinese pages by pairs."""
    from sphinx.search.zh import SearchChinese

    class SearchPairs(SearchChinese):
        language_name = "English"  # of the stemmer of its Latin words, which the page looks for
        js_splitter_code = SPLITTER

        def split(self, input: str) -> list[str]:
            self.latin_terms.update(WORDS.findall(input))
            return pairs_and_words(input)

    app.add_search_language(SearchPairs)
