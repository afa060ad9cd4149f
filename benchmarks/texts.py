"""Speed of TextClassifier against CountVectorizer + MultinomialNB in the same run.

    python benchmarks/texts.py

Prints one table and writes it to TEXTS.md beside this file. The texts are made for the purpose: the
frequency of a word falls with its rank as in a language.
"""

import argparse
import os
import platform
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pyarrow as pa
from run import Measurement, best, processor, table
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import bayesic as by

RESULTS = Path(__file__).with_name("TEXTS.md")
PEER = f"CountVectorizer + MultinomialNB, scikit-learn {version('scikit-learn')}"
SYLLABLES = "ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ra re sa se ta te"


def made_texts(rng: np.random.Generator, n_texts: int, n_words: int) -> list[str]:
    """Texts of about 220 words of two to four syllables."""
    syllables = np.array(SYLLABLES.split())
    words = np.array(
        ["".join(rng.choice(syllables, rng.integers(2, 5))) for _ in range(n_words)], dtype=object
    )
    lengths = rng.poisson(220, n_texts)
    drawn = words[np.minimum(rng.zipf(1.3, lengths.sum()) - 1, n_words - 1)]
    return [" ".join(part) for part in np.split(drawn, np.cumsum(lengths)[:-1])]


def peer_fit(texts: list[str], y: np.ndarray) -> tuple[CountVectorizer, MultinomialNB]:
    vectorizer = CountVectorizer()
    return vectorizer, MultinomialNB().fit(vectorizer.fit_transform(texts), y)


def measurements() -> list[Measurement]:
    rng = np.random.default_rng(0)
    texts, y = made_texts(rng, 20_000, 100_000), rng.integers(0, 20, 20_000)
    column = pa.array(texts)
    size = f"20,000 texts, {sum(map(len, texts)) / 1e6:.0f} MB, 20 classes"
    model = by.TextClassifier().fit(texts, y)  # compiles, or loads from the cache
    vectorizer, peer = peer_fit(texts, y)
    fits = best(
        lambda: by.TextClassifier().fit(texts, y),
        lambda: by.TextClassifier().fit(column, y),
        lambda: peer_fit(texts, y),
        repeats=3,
    )
    answers = best(
        lambda: model.predict_proba(texts),
        lambda: peer.predict_proba(vectorizer.transform(texts)),
        repeats=3,
    )
    short = ["free lunch today"]
    one = best(
        lambda: model.predict_proba(short),
        lambda: peer.predict_proba(vectorizer.transform(short)),
        repeats=300,
    )
    return [
        Measurement("fit a list of strings", size, PEER, fits[0], fits[2], "8x"),
        Measurement("fit an Arrow column", size, PEER, fits[1], fits[2], "15x"),
        Measurement("predict_proba of the list", size, PEER, *answers, "8x"),
        Measurement("predict_proba of one short text", "3 words", PEER, *one, "0.2 ms"),
    ]


def report() -> str:
    start = time.perf_counter()
    by.TextClassifier().fit(["rain and lunch " * 100_000, "free"], ["ham", "spam"])
    ready = time.perf_counter() - start
    libraries = ", ".join(
        f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn", "numba", "pyarrow")
    )
    return f"""# Texts

Measured {date.today()} with `python benchmarks/texts.py` on {os.cpu_count()} cores ({processor()}),
Python {platform.python_version()}, {libraries}.
The best of 3 runs (the short text: of 300), in turns. The ratio is the other time divided by ours.
"To reach" is what we want; where it is missed, it stands here all the same. Making the compiled
kernels ready took {ready:.2f} s, once in a process; it is in none of the times.

{table(measurements())}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dry", action="store_true", help="print only, do not write TEXTS.md")
    arguments = parser.parse_args()
    text = report()
    print(text)
    if not arguments.dry:
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
