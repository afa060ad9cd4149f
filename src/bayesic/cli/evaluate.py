"""`bayesic evaluate`: how good the answers are on what was not learned."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import click
import numpy as np

import bayesic as by
from bayesic.catalogue import is_text_model
from bayesic.cli._labelled_files import LabelledFile, labelled_texts, source_for_model
from bayesic.cli._learned_models import known_classes, read_model, refuse_without
from bayesic.cli._model_options import takers
from bayesic.cli._on_server import OnServer
from bayesic.cli._options import MODEL, first_given
from bayesic.cli._output import print_json, print_table, working
from bayesic.cli.fit import (
    LearningOptions,
    learned,
    new_model,
    numbers_refused,
    set_prior,
    source_to_learn,
)
from bayesic.data.source import opened_file
from bayesic.data.text_files import Columns
from bayesic.data.typing import Classifier, LossLike
from bayesic.evaluation.held_out import LEAVE_ONE_OUT, TooManyFoldsError, labelled_rows
from bayesic.evaluation.report import Evaluation

USUAL_FOLDS = 10


def evaluate(
    source: Path | OnServer,
    test: Path | None,
    text: Columns,
    target: str | None,
    cv: int | None,
    share: float | None,
    leave_one_out: bool,
    seed: int,
    loss: LossLike | None,
    reject: float | None,
    worst: int,
    as_json: bool,
    **how: Any,
) -> None:
    """Say how good the answers are for the rows or texts that the arguments hold out."""
    fades_by_time = isinstance(how["decay"], str)
    _refuse_what_does_not_fit(source, test, cv, share, leave_one_out, fades_by_time)
    judging = {"loss": loss, "reject_loss": reject, "worst": worst}
    if _is_model(source):
        model = read_model(source)
        tried = source_for_model(model, source, cast(Path, test), text, target)
    elif isinstance(source, Path):
        tried = source_to_learn(source, text, target, how["model"])
        if test is None and not leave_one_out:
            folds = share or cv or USUAL_FOLDS
            _print_report(_cross_validated(tried, folds, how, seed=seed, **judging), as_json)
            return
        model = learned([tried], how)
        tried = tried if test is None else _elsewhere(tried, test)
    _print_report(tried_on(model, tried, leave_one_out, **judging), as_json)


def _is_model(source: Path | OnServer) -> bool:
    """Whether this is a model: by the extension of its file, or on a server.

    >>> _is_model(Path("spam.bayes")), _is_model(Path("spam.csv"))
    (True, False)
    """
    return not isinstance(source, Path) or source.suffix.lower() in MODEL.endings


def _refuse_what_does_not_fit(
    source: Path | OnServer,
    test: Path | None,
    folds: int | None,
    share: float | None,
    leave_one_out: bool,
    fades_by_time: bool,
) -> None:
    """Refuse arguments that contradict each other."""
    n_ways = (folds is not None) + (share is not None) + leave_one_out
    if n_ways > 1:
        raise click.UsageError("Give one of --cv, --share and --leave-one-out.")
    if _is_model(source):
        if test is None:
            raise click.UsageError("A model needs data to be evaluated on: MODEL TABLE.")
        if folds is not None or share is not None:
            raise click.UsageError(
                "--cv and --share fit new models: give a table instead of a model."
            )
        given = first_given(takers())
        if given:
            raise click.UsageError(
                f"{given} says how to learn, but {source} is already fitted. Give a table."
            )
    elif fades_by_time:
        raise click.UsageError(
            "With --decay in time rows fade from the moment they are learned, but here all are "
            "learned at once. Give a number of rows, such as --decay 1000."
        )
    elif test is not None and n_ways:
        raise click.UsageError("With two tables the second is held out: leave out the option.")


def _elsewhere(source: LabelledFile, path: Path) -> LabelledFile:
    """Rows or texts of the same kind in another file or folder."""
    if source.unit == "row":
        return replace(source, rows=opened_file(path))
    return labelled_texts(path, source.text, source.target)


# what is held out ---------------------------------------------------------------------------------


def tried_on(
    model: Classifier, source: LabelledFile, leave_one_out: bool = False, **judging: Any
) -> Evaluation:
    """Rows or texts by a model that was learned from others, or from all of them but each."""
    columns: dict[str, Any] = {"y": source.target, "text": source.text}
    if leave_one_out:
        refuse_without(model, "leave_one_out")
        columns["cv"], how = LEAVE_ONE_OUT, f"leave-one-out on {source.path}"
    else:
        how = f"{source.unit}s of {source.path}"
    with (
        working(f"reading {source.path}", unit=source.unit),
        known_classes(source.path, "Only rows that were learned can be left out."),
    ):
        return replace(by.evaluate(model, source.rows, **columns, **judging), how=how)


def _cross_validated(
    source: LabelledFile, folds: float, how: LearningOptions, seed: int, **judging: Any
) -> Evaluation:
    """Each row by a model that was learned from the other folds; or a share of the rows."""
    model, cv = new_model(source.unit, how), folds
    description = f"{folds}-fold cross validation on {source.path}"
    if isinstance(folds, float):
        from sklearn.model_selection import StratifiedShuffleSplit  # takes long to load

        cv = StratifiedShuffleSplit(1, test_size=folds, random_state=seed)
        description = f"{folds:.0%} of {source.path}, learned from the rest"
    with working(f"reading {source.path}", unit=source.unit):
        X, labels = labelled_rows(model, source.rows, source.target, source.text)
    if not is_text_model(model):
        set_prior(model, how["prior"], np.unique(labels))
    try:
        with numbers_refused(source.path):
            evaluation = by.evaluate(model, X, labels, cv=cv, seed=seed, **judging)
    except TooManyFoldsError as error:
        raise ValueError(
            f"--cv must be at most {error.most}, as many {source.unit}s as the largest class has, "
            f"got {error.n_folds}. Use --leave-one-out where there are few."
        ) from None
    return replace(evaluation, how=description)


def _print_report(evaluation: Evaluation, as_json: bool) -> None:
    """The report as JSON, or as tables."""
    if as_json:
        print_json(evaluation.to_dict())
        return
    shown = evaluation.shown()
    for line in shown.head:
        click.echo(line)
    for table in shown.tables:
        click.echo()
        print_table(table.title, table.headers, table.rows)
