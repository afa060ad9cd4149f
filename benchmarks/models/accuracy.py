"""Accuracy and log loss of NaiveBayes, choose_model and their peers on real tables.

    python -m benchmarks accuracy
    python -m benchmarks accuracy --tables glass,zoo --models default,plain

Prints the tables and, after a full run, writes them to ACCURACY.md beside this file. The tables
do not come with the repository (`shared.py`). For experiments:
`from benchmarks.models.accuracy import tables, evaluate`.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from benchmarks.measuring import measure_and_keep
from benchmarks.models._rivals import MODELS, Classifier
from benchmarks.models._tables import Table, read_schema, tables

PEER = f"scikit-learn {version('scikit-learn')}"
RESULTS = Path(__file__).with_name("ACCURACY.md")
SMALLEST_PROBABILITY = 1e-15  # the log loss of one row is at most 34.5
MEAN_GAIN, LOWEST_GAIN = 5.5, -1.0  # points of accuracy above plain naive Bayes, to be reached
CHOICE_GAIN = -0.5  # points of accuracy of choose_model above boosted trees, to be reached
# their seconds are shown, so they are always run
TIMED = ("default", "choice", "forest", "quick", "average", "boosting", "trees")
LOSS_GAIN, ACCURACY_GAIN, TABLES_BETTER = (
    0.04,
    1.0,
    20,
)  # of AutoBayes over its peers, to be reached
TREES_TIME, QUICK_TIME = 0.2, 1 / 3  # of a random forest, and of boosted trees, to be reached


class FoldScore(NamedTuple):
    """What a model did on the test rows of one fold."""

    n_rows: int
    n_correct: int
    total_loss: float
    seconds: float  # of one processor, to learn and to answer


def score_fold(model: Classifier, table: Table, train: np.ndarray, test: np.ndarray) -> FoldScore:
    """Learn the training rows, score the test rows.

    A class that was not in the training rows has probability 0. Ties go to the first class.
    """
    start = time.process_time()
    with threadpool_limits(1):  # threads that wait for each other would count as work
        model.fit(table.X.iloc[train], table.y[train])
        probability = model.predict_proba(table.X.iloc[test])
    seconds = time.process_time() - start
    truth = table.y[test]
    classes = np.asarray(model.classes_)
    of_truth = np.where(classes == truth[:, np.newaxis], probability, 0.0).sum(axis=1)
    correct = classes[probability.argmax(axis=1)] == truth
    loss = -np.log(np.maximum(of_truth, SMALLEST_PROBABILITY))
    return FoldScore(len(test), int(correct.sum()), float(loss.sum()), seconds)


def evaluate(make_model: Callable[[], Classifier], table: Table) -> tuple[float, float]:
    """Accuracy and log loss over the test rows of all folds of a table."""
    return summarise(score_fold(make_model(), table, *fold) for fold in table.folds)[:2]


def summarise(scores: Iterable[FoldScore]) -> tuple[float, float, float]:
    """Accuracy, log loss, and the seconds of all folds."""
    n_rows, n_correct, total_loss, seconds = (sum(column) for column in zip(*scores, strict=True))
    return n_correct / n_rows, total_loss / n_rows, seconds


def score_folds(model: str, table: Table) -> list[FoldScore]:
    if model in TIMED:  # what is compiled or loaded on the first call is not counted
        score_fold(MODELS[model].make(), table, *table.folds[0])
    return [score_fold(MODELS[model].make(), table, *fold) for fold in table.folds]


def fold_scores(
    models: list[str], data: list[Table], jobs: int, cache: Path | None
) -> dict[tuple[str, str], list[FoldScore]]:
    """The scores of each model on each table, by the names of both.

    Peers that are in the cache are not run again; ours always are.
    """
    known = read_cache(cache)
    pairs = [(model, table) for table in data for model in models]
    missing = [(model, table) for model, table in pairs if (model, table.name) not in known]
    done = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(score_folds)(model, table) for model, table in missing
    )
    for (model, table), scores in zip(missing, done, strict=True):
        print(f"measured {model} on {table.name}", file=sys.stderr)
        known[model, table.name] = scores
        if MODELS[model].is_peer:
            write_cache(cache, known)
    return {(model, table.name): known[model, table.name] for model, table in pairs}


def read_cache(cache: Path | None) -> dict[tuple[str, str], list[FoldScore]]:
    """Fold scores by model and table; none if another release of scikit-learn made them."""
    if cache is None or not cache.exists():
        return {}
    content = json.loads(cache.read_text(encoding="utf-8"))
    if content["peer"] != PEER:
        return {}
    return {
        (model, table): [FoldScore(*f) for f in folds]
        for model, table, folds in content["scores"]
        if model not in TIMED
    }


def write_cache(cache: Path | None, known: dict[tuple[str, str], list[FoldScore]]) -> None:
    if cache is None:
        return
    scores = [[*names, folds] for names, folds in known.items() if MODELS[names[0]].is_peer]
    cache.write_text(json.dumps({"peer": PEER, "scores": scores}), encoding="utf-8")


@dataclass(frozen=True)
class Results:
    """One row for each table, one column for each model."""

    accuracy: pd.DataFrame
    log_loss: pd.DataFrame
    seconds: pd.DataFrame
    with_numbers: list[str]  # the tables that have a numeric column


def collect(
    scores: dict[tuple[str, str], list[FoldScore]], models: list[str], data: list[Table]
) -> Results:
    names = [table.name for table in data]
    summaries = {pair: summarise(folds) for pair, folds in scores.items()}
    accuracy, log_loss, seconds = (
        pd.DataFrame(
            {model: [summaries[model, name][part] for name in names] for model in models},
            index=names,
        )
        for part in (0, 1, 2)
    )
    return Results(accuracy, log_loss, seconds, [table.name for table in data if table.numeric])


def markdown(values: pd.DataFrame, with_numbers: list[str], digits: int) -> str:
    """The values as a Markdown table, with means over all tables and those with numbers."""
    means = {f"mean of {len(values)}": values.mean()}
    if with_numbers:
        name = f"mean of the {len(with_numbers)} with numbers"
        means[name] = values.loc[with_numbers].mean()
    rows = [*values.iterrows(), *means.items()]
    lines = [
        ["table", *(MODELS[model].title for model in values)],
        ["---"] + ["---:"] * values.shape[1],
        *([name, *(f"{value:.{digits}f}" for value in row)] for name, row in rows),
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def verdict(reached: bool) -> str:
    return "reached" if reached else "MISSED"


def accuracy_bars(results: Results) -> list[str]:
    """How `NaiveBayes()` stands against plain naive Bayes, in points of accuracy."""
    points = 100 * (results.accuracy["default"] - results.accuracy["plain"])
    gain, lowest = points[results.with_numbers].mean(), points.min()
    below = ", ".join(
        f"{name} {value:+.2f}" for name, value in points[points < LOWEST_GAIN].items()
    )
    return [
        f"Accuracy against plain naive Bayes, mean of the tables with numbers: {gain:+.2f} points, "
        f"to reach {MEAN_GAIN:+.1f}: {verdict(gain >= MEAN_GAIN)}.",
        f"The lowest difference on a single table: {lowest:+.2f} points on {points.idxmin()}, "
        f"to reach {LOWEST_GAIN:+.1f}: {verdict(lowest >= LOWEST_GAIN)}. "
        f"Below it: {below or 'none'}.",
    ]


def smoothing_bar(results: Results) -> list[str]:
    """How `smoothing="auto"` stands against lambda = 1."""
    auto, fixed = results.log_loss["auto"], results.log_loss["default"]
    worse = ", ".join(f"{name} {value:+.4f}" for name, value in (auto - fixed).items() if value > 0)
    return [
        f'Mean log loss: {auto.mean():.4f} with `smoothing="auto"`, {fixed.mean():.4f} with '
        f"lambda = 1: {verdict(auto.mean() <= fixed.mean())}. Higher on: {worse or 'none'}."
    ]


def choice_bars(results: Results) -> list[str]:
    """How `choose_model` stands against boosted trees, in points of accuracy and in time."""
    points = 100 * (results.accuracy["choice"] - results.accuracy["boosting"])
    gain, best = points.mean(), points.idxmax()
    loss = results.log_loss[["choice", "boosting"]].drop(index=best).mean()
    seconds = results.seconds[["choice", "boosting"]]
    total, ratio = seconds.sum(), seconds["choice"] / seconds["boosting"]
    slower = ", ".join(f"{name} {value:.1f}x" for name, value in ratio.items() if value > 1)
    return [
        f"Accuracy of `choose_model` against boosted trees: {gain:+.2f} points on average, "
        f"to reach {CHOICE_GAIN:+.1f}: {verdict(gain >= CHOICE_GAIN)}. "
        f"Without {best}, where it gains most: "
        f"{points.drop(best).mean():+.2f} points, and the mean log losses are "
        f"{loss['choice']:.4f} and {loss['boosting']:.4f}. It is more accurate on "
        f"{(points > 0).sum()} of {len(points)} tables, less on {(points < 0).sum()}.",
        f"Seconds to learn and answer all folds of all tables: {total['choice']:.0f} and "
        f"{total['boosting']:.0f}, {total['choice'] / total['boosting']:.2f} of the time, "
        f"to be less: {verdict(total['choice'] < total['boosting'])}. Median of the tables "
        f"{ratio.median():.2f}; more time on: {slower or 'none'}.",
    ]


def average_bars(results: Results, peers: list[str]) -> list[str]:
    """How `AutoBayes` stands against its peers: log loss, accuracy, time."""
    loss, points = results.log_loss, 100 * results.accuracy
    best = loss[peers].mean().idxmin()
    gain = loss[best].mean() - loss["average"].mean()
    most = points[peers].mean().idxmax()
    more = points["average"].mean() - points[most].mean()
    better = {peer: int((loss["average"] < loss[peer]).sum()) for peer in peers}
    fewest = min(better.values())
    seconds = results.seconds.sum()
    ratio, quick = (seconds[name] / seconds["boosting"] for name in ("average", "quick"))
    each = ", ".join(f"{MODELS[peer].title} {number}" for peer, number in better.items())
    return [
        f"Mean log loss of `AutoBayes()`: {loss['average'].mean():.4f}, of the best peer "
        f"({MODELS[best].title}) {loss[best].mean():.4f}: {gain:.4f} below it, to reach "
        f"{LOSS_GAIN}: {verdict(gain >= LOSS_GAIN)}.",
        f"Tables of {len(loss)} on which it is below each peer: {each}; to reach {TABLES_BETTER}: "
        f"{verdict(fewest >= TABLES_BETTER)}.",
        f"Mean accuracy of `AutoBayes()`: {points['average'].mean():.2f}, of the best peer "
        f"({MODELS[most].title}) {points[most].mean():.2f}: {more:+.2f} points, to reach "
        f"{ACCURACY_GAIN:+.1f}: {verdict(more >= ACCURACY_GAIN)}.",
        f"Seconds of `AutoBayes()`: {ratio:.2f} of those of boosted trees, to reach 1: "
        f'{verdict(ratio <= 1)}; `"quick"` {quick:.2f}, to reach {QUICK_TIME:.2f}: '
        f"{verdict(quick <= QUICK_TIME)}.",
    ]


def forest_bars(results: Results) -> list[str]:
    """How `BayesForest` stands against a random forest."""
    ours, theirs = results.log_loss["forest"].mean(), results.log_loss["trees"].mean()
    seconds = results.seconds.sum()
    ratio = seconds["forest"] / seconds["trees"]
    return [
        f"Mean log loss of `BayesForest()`, 60 trees: {ours:.4f}, of a random forest of 300 "
        f"{theirs:.4f}: {verdict(ours < theirs)}. In {ratio:.2f} of its time, to reach "
        f"{TREES_TIME}: {verdict(ratio <= TREES_TIME)}."
    ]


def bars(results: Results) -> str:
    """What is reached, as far as the models for it were measured."""
    measured = set(results.accuracy)
    has_gain = {"default", "plain"} <= measured and results.with_numbers
    lines = accuracy_bars(results) if has_gain else []
    lines += smoothing_bar(results) if {"default", "auto"} <= measured else []
    lines += choice_bars(results) if {"choice", "boosting"} <= measured else []
    lines += forest_bars(results) if {"forest", "trees"} <= measured else []
    peers = [name for name in ("logistic", "boosting", "trees", "lightgbm", "stopped")
             if name in measured]  # fmt: skip
    if {"average", "quick", "boosting"} <= measured:
        lines += average_bars(results, peers)
    return "\n".join(f"- {line}" for line in lines) or "Not measured in this run."


def report(results: Results, kept: list[str]) -> str:
    """All as Markdown; kept are the peers whose scores come from an earlier run."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pandas", "scikit-learn"))
    timed = [model for model in TIMED if model in results.seconds]
    earlier = ", ".join(MODELS[model].title for model in kept) or "none"
    return f"""# Accuracy

Measured {date.today()} with `python -m benchmarks accuracy`, Python {platform.python_version()},
{libraries}.
Stratified 10-fold cross validation, shuffled with seed 0; pendigits, satimage and vowel with their
official split. All test rows of a table count alike, all tables count alike in the means.

- Plain naive Bayes: Gaussian with scikit-learn's variance rule (1e-9 of the largest variance of a
  column), Laplace smoothing over the categories seen, missing cells skipped.
- GaussianNB, logistic regression (standardised numbers) and boosted trees are scikit-learn's. The
  first two get one-hot categories and the median for missing numbers; `HistGradientBoosting` takes
  both as they are. The trees run away on nursery, where one class has two rows.
- The random forest has two rows to a leaf at least, and categories as numbers, as LightGBM has.
  LightGBM is as it comes; or stopped by a fifth of the rows, the mean over five such fifths.
- `choose_model` takes the model of least leave-one-out log loss on the training rows of each fold.
- Kept from an earlier run with the same folds and release of scikit-learn: {earlier}.

## What is to be reached

{bars(results)}

## Accuracy, percent

Ties go to the first class.

{markdown(100 * results.accuracy, results.with_numbers, digits=2)}

## Log loss

Natural logarithm. Probabilities below {SMALLEST_PROBABILITY} count as {SMALLEST_PROBABILITY}, also
that of a class which was not in the training rows.

{markdown(results.log_loss, results.with_numbers, digits=4)}

## Seconds

Of one processor ({platform.machine()}) with one thread, to learn and to answer, all folds of a
table together. The models of a table are run one after the other. The first fold is run twice, and
counted once: compiling and loading kernels is not counted.

{markdown(results.seconds[timed], [], digits=2)}
"""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", help="names with commas between; all if not given")
    parser.add_argument("--models", help=f"some of {','.join(MODELS)}; all if not given")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side")
    parser.add_argument(
        "--cache", type=Path, help="keeps the results of the peers; delete it to run them again"
    )
    parser.add_argument("--dry", action="store_true", help="print only, do not write ACCURACY.md")
    return parser.parse_args()


def chosen(wanted: str | None, known: Iterable[str], option: str) -> list[str]:
    """The names of an option, or all that are known."""
    known = list(known)
    names = known if wanted is None else wanted.split(",")
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"{option} takes names with commas between, got {unknown}. Known: {known}.")
    return names


def main() -> None:
    arguments = parse_arguments()
    models = chosen(arguments.models, MODELS, "--models")
    names = chosen(arguments.tables, sorted(read_schema()), "--tables")
    data = list(tables(names))
    os.environ["BAYESIC_THREADS"] = "1"
    kept = sorted({model for model, _ in read_cache(arguments.cache)} & {*models})
    is_complete = arguments.models is None and arguments.tables is None

    def measured() -> str:
        scores = fold_scores(models, data, arguments.jobs, arguments.cache)
        return report(collect(scores, models, data), kept)

    measure_and_keep(measured, RESULTS, arguments.dry or not is_complete)


if __name__ == "__main__":
    main()
