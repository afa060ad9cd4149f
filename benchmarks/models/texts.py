"""Speed and memory of TextClassifier against CountVectorizer + MultinomialNB in the same run.

    python -m benchmarks texts

Prints one table and writes it to TEXTS.md beside this file. The texts are made for the purpose: the
frequency of a word falls with its rank as in a language. Real texts have more words that come once
or twice: 6,000 mails of 20 newsgroups (`shared.py`) are measured too, where they exist.
The Chinese texts are 11,987 reviews from there; else they are made, of words from a list. The file
of a gigabyte is made in a temporary folder and removed at the end; it is learned in a process of
its own, whose peak memory is what the operating system reports for it.
"""

import csv
import gzip
import logging
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jieba
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import bayesic as by
from benchmarks.measuring import Measurement, best, processor, table, tell_and_keep
from benchmarks.shared import TEXTS

RESULTS = Path(__file__).with_name("TEXTS.md")
REVIEWS, MAILS = TEXTS / "waimai_10k.csv.gz", TEXTS / "newsgroups20.parquet"
SCIKIT_LEARN = f"MultinomialNB, scikit-learn {version('scikit-learn')}"
PEER = f"CountVectorizer + {SCIKIT_LEARN}"
SYLLABLES = "ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ra re sa se ta te"
CHINESE = (
    "今天 下雨 味道 不错 很快 好吃 送餐 服务 态度 非常 满意 太 慢 了 的 是 我 们 家 量 大 "
    "价格 便宜 米饭 面条 鸡肉 牛肉 蔬菜 汤 有点 咸 辣 没有 筷子 包装 干净 新鲜 一般 可以 "
    "再来 推荐 朋友 中午 晚上 时间 电话 快递 小哥 辛苦 谢谢"
)
N_TEXTS, N_WORDS, N_CLASSES = 20_000, 100_000, 20
N_MAILS = 6_000
MOST_MEMORY = 1000.0  # MB, to be reached

LEARN = """
import resource, sys, time
from pathlib import Path
import bayesic as by
start = time.perf_counter()
model = by.TextClassifier().fit(sys.argv[1], y="label", text="text")
seconds = time.perf_counter() - start
status = Path("/proc/self/status")
if status.exists():  # ru_maxrss would count what the parent had when it forked
    peak = int(status.read_text().split("VmHWM:")[1].split()[0]) * 1024 / 1e6
else:  # macOS: bytes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
print(int(model.class_count_.sum()), len(model.vocabulary_), seconds, peak)
"""


# texts ----------------------------------------------------------------------------------------


def made_texts(rng: np.random.Generator, n_texts: int, n_words: int) -> list[str]:
    """Texts of about 220 words of two to four syllables."""
    syllables = np.array(SYLLABLES.split())
    words = np.array(
        ["".join(rng.choice(syllables, rng.integers(2, 5))) for _ in range(n_words)], dtype=object
    )
    lengths = rng.poisson(220, n_texts)
    drawn = words[np.minimum(rng.zipf(1.3, lengths.sum()) - 1, n_words - 1)]
    return [" ".join(part) for part in np.split(drawn, np.cumsum(lengths)[:-1])]


def chinese_reviews(rng: np.random.Generator) -> tuple[str, list[str], list[str]]:
    """What they are, the reviews, and their labels."""
    if REVIEWS.exists():
        with gzip.open(REVIEWS, "rt", encoding="utf-8", newline="") as file:
            labels, texts = zip(*csv.reader(file), strict=True)
        return f"{len(texts) - 1:,} reviews (waimai_10k)", [*texts[1:]], [*labels[1:]]
    words = np.array(CHINESE.split(), dtype=object)
    drawn = rng.choice(words, (12_000, 3, 5))
    made = ["，".join("".join(part) for part in text) for text in drawn]
    return "12,000 made reviews", made, rng.choice(["0", "1"], 12_000).tolist()


# jobs -----------------------------------------------------------------------------------------


def peer_fit(texts: list[str], y: Any, **options: Any) -> tuple[CountVectorizer, MultinomialNB]:
    vectorizer = CountVectorizer(**options)
    return vectorizer, MultinomialNB().fit(vectorizer.fit_transform(texts), y)


def plain_words(rng: np.random.Generator) -> Iterator[Measurement]:
    texts, y = made_texts(rng, N_TEXTS, N_WORDS), rng.integers(0, N_CLASSES, N_TEXTS)
    column = pa.array(texts)
    size = f"{N_TEXTS:,} texts, {sum(map(len, texts)) / 1e6:.0f} MB, {N_CLASSES} classes"
    model = by.TextClassifier().fit(texts, y)  # compiles, or loads from the cache
    vectorizer, peer = peer_fit(texts, y)
    fits = best(
        lambda: by.TextClassifier().fit(texts, y),
        lambda: by.TextClassifier().fit(column, y),
        lambda: peer_fit(texts, y),
        repeats=5,
    )
    yield Measurement("fit a list of strings", size, PEER, fits[0], fits[2], "8x")
    yield Measurement("fit an Arrow column", size, PEER, fits[1], fits[2], "15x")
    answers = best(
        lambda: model.predict_proba(texts),
        lambda: peer.predict_proba(vectorizer.transform(texts)),
        repeats=5,
    )
    yield Measurement("predict_proba of the list", size, PEER, *answers, "8x")
    short = ["free lunch today"]
    one = best(
        lambda: model.predict_proba(short),
        lambda: peer.predict_proba(vectorizer.transform(short)),
        repeats=300,
    )
    yield Measurement("predict_proba of one short text", "3 words", PEER, *one, "0.2 ms")
    yield from n_grams(texts, y, size)


def real_mails(rng: np.random.Generator) -> Iterator[Measurement]:
    table = pq.read_table(MAILS, columns=["text", "label"])
    table = table.take(rng.permutation(table.num_rows)[:N_MAILS])
    texts, y = table["text"].to_pylist(), table["label"].to_pylist()
    model, (vectorizer, peer) = by.TextClassifier().fit(texts, y), peer_fit(texts, y)
    n_words, megabytes = len(model.vocabulary_), sum(map(len, texts)) / 1e6
    size = f"{N_MAILS:,} mails, {megabytes:.0f} MB, {n_words:,} words, {len(set(y))} classes"
    fits = best(fit_ours(texts, y, {}), fit_theirs(texts, y, {}), repeats=5)
    yield Measurement("fit a list of real mails", size, PEER, *fits, "10x")
    answers = best(
        lambda: model.predict_proba(texts),
        lambda: peer.predict_proba(vectorizer.transform(texts)),
        repeats=5,
    )
    yield Measurement("predict_proba of the mails", size, PEER, *answers, "10x")


def n_grams(texts: list[str], y: np.ndarray, size: str) -> Iterator[Measurement]:
    for ours, theirs in (
        ({"ngrams": (1, 2)}, {"ngram_range": (1, 2)}),
        ({"ngrams": (1, 3), "analyzer": "char"}, {"ngram_range": (1, 3), "analyzer": "char"}),
    ):
        fits = best(fit_ours(texts, y, ours), fit_theirs(texts, y, theirs), repeats=2)
        told = ", ".join(f"{name}={value!r}" for name, value in ours.items())
        yield Measurement(f"fit the list with {told}", size, PEER, *fits, "")


def chinese_words(rng: np.random.Generator) -> Iterator[Measurement]:
    what, texts, y = chinese_reviews(rng)
    jieba.setLogLevel(logging.ERROR)
    jieba.initialize()
    by.TextClassifier().fit(texts, y)
    options = {"tokenizer": jieba.lcut, "token_pattern": None}
    times = best(fit_ours(texts, y, {}), fit_theirs(texts, y, options), repeats=3)
    peer = f"jieba {version('jieba')} + {PEER}"
    yield Measurement("fit Chinese", what, peer, *times, "10x")


def fit_ours(texts: list[str], y: Any, options: dict[str, Any]) -> Callable[[], object]:
    return lambda: by.TextClassifier(**options).fit(texts, y)


def fit_theirs(texts: list[str], y: Any, options: dict[str, Any]) -> Callable[[], object]:
    return lambda: peer_fit(texts, y, **options)


# a file ---------------------------------------------------------------------------------------


def made_file(path: Path, rng: np.random.Generator, gigabytes: float) -> float:
    """Write texts and labels to a Parquet file; the gigabytes of the texts in it."""
    schema = pa.schema({"text": pa.string(), "label": pa.int64()})
    n_bytes = 0
    with pq.ParquetWriter(path, schema) as file:
        while n_bytes < gigabytes * 1e9:
            texts, labels = made_texts(rng, N_TEXTS, N_WORDS), rng.integers(0, N_CLASSES, N_TEXTS)
            file.write_table(pa.table({"text": texts, "label": labels}, schema))
            n_bytes += sum(map(len, texts))
    return n_bytes / 1e9


def learned_file(rng: np.random.Generator, gigabytes: float = 1.0) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mails.parquet")
        size = made_file(path, rng, gigabytes)
        command = [sys.executable, "-c", LEARN, str(path)]
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    n_texts, n_words, seconds, megabytes = map(float, answer.split())
    return (
        f"A Parquet file with {size:.2f} GB of texts, {n_texts:,.0f} of them, {n_words:,.0f} "
        f"words: learned\nin {seconds:.1f} s ({1000 * size / seconds:.0f} MB/s), kernels made "
        f"ready included, with a peak memory of\n{megabytes:.0f} MB, everything included (to "
        f"reach: below {MOST_MEMORY:.0f} MB)."
    )


def report() -> str:
    start = time.perf_counter()
    by.TextClassifier().fit(["rain and lunch " * 100_000, "free"], ["ham", "spam"])
    ready = time.perf_counter() - start
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The parameter .token_pattern.")
        measured = [*plain_words(rng)]
        measured += [*real_mails(rng)] if MAILS.exists() else []
        measured += [*chinese_words(rng)]
    missing = "" if MAILS.exists() else f"\nReal mails were not measured: no {MAILS.name} here.\n"
    file = learned_file(rng)
    names = ("numpy", "scipy", "scikit-learn", "numba", "pyarrow", "rjieba")
    libraries = ", ".join(f"{name} {version(name)}" for name in names)
    return f"""# Texts

Measured {date.today()} with `python -m benchmarks texts` on {os.cpu_count()} cores ({processor()}),
Python {platform.python_version()}, {libraries}.
The best of 5 runs (n-grams: of 2, Chinese: of 3, the short text: of 300), in turns. The ratio is
the other time divided by ours. "To reach" is what we want; where it is missed, it stands here all
the same. Making the compiled kernels ready took {ready:.2f} s, once in a process; it is in none of
the times of the table.

{table(measured)}
{missing}
{file}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
