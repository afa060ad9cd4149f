"""`bayesic fit`: models as the options describe them, which learn tables or texts."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import numpy as np

from bayesic.catalogue import MODELS, class_named, entry_of, is_text_model, typed_models
from bayesic.cli._given import smoothing_given
from bayesic.cli._labelled_files import LabelledFile, labelled_texts, refuse_options, target_name
from bayesic.cli._learned_models import (
    alone_with,
    label_named,
    refuse_without,
    tell_learned,
)
from bayesic.cli._model_options import TABLES, TEXTS, option_of, options_of, takers
from bayesic.cli._options import first_given, is_given
from bayesic.cli._output import working
from bayesic.cli._signatures import parameters_of
from bayesic.data.mails import is_mailbox
from bayesic.data.source import opened_file
from bayesic.data.text_files import Columns
from bayesic.data.typing import Label
from bayesic.models.summaries.description import column_kinds, learned_so_far

LearningOptions = Mapping[str, Any]  # how to learn: the options that say it, by name

TABLE_MODELS = {entry.typed: entry for entry in typed_models()}  # as --model names them


def fit(
    sources: tuple[Path, ...],
    text: Columns,
    target: str | None,
    out: Path | None,
    noise: float | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Learn sources and write the model."""
    out = _new_model_file(sources) if out is None else out
    model = learned(_sources_to_learn(sources, text, target, how["model"]), how)
    if noise is not None:
        refuse_without(model, "with_noise")
        model = model.with_noise(noise)
    with alone_with(out):  # an update that has begun must not bring the old model back
        model.save(out)
    tell_learned(out, learned_so_far(model), as_json)
    if not as_json and hasattr(model, "members_"):
        click.echo(f"\n{model.members_}")


def _new_model_file(sources: tuple[Path, ...]) -> Path:
    """Where to write what was learned from this file or folder, if nothing is there.

    >>> _new_model_file((Path("data/mails.csv.gz"),)).name
    'mails.bayes'
    """
    source, *others = sources
    if others:
        raise click.UsageError("To learn several sources, name the file to write with --out.")
    path = Path(f"{source.resolve().name.split('.')[0]}.bayes")
    if path.exists():
        raise click.UsageError(f"{path} already exists. Name the file to write with --out.")
    return path


# what is learned ----------------------------------------------------------------------------------


def _sources_to_learn(
    paths: Sequence[Path], text: Columns, target: str | None, model: str | None
) -> list[LabelledFile]:
    """What one path holds; or several mailboxes, each of which is a class."""
    other = next((path for path in paths if not is_mailbox(path)), None)
    if len(paths) > 1 and other is not None:
        raise click.UsageError(
            "fit learns one table or folder, or several mailboxes such as ham.mbox and spam.mbox, "
            f"got {other} beside others. Learn it with update afterwards."
        )
    if len(paths) > 1 and model == "auto":
        raise click.UsageError(
            "--model auto chooses from texts of all classes, but mailboxes are learned one after "
            "the other. Put them into one folder, and learn that."
        )
    return [source_to_learn(path, text, target, model) for path in paths]


def source_to_learn(
    path: Path, text: Columns, target: str | None, model: str | None
) -> LabelledFile:
    """Texts if a column is named, or for a folder or mails; the rows of a table otherwise."""
    if text is not None or path.is_dir() or path.suffix.lower() in (".eml", ".mbox"):
        refuse_options(options_of(TABLES), f"of tables, but {path} is learned as texts")
        if model in TABLE_MODELS and model != "auto":
            raise click.UsageError(
                f"--model {model} is for tables, but {path} is learned as texts."
            )
        return labelled_texts(path, text, target)
    why = f"of texts, but {path} is learned as a table. Name the column with the texts by --text"
    refuse_options(options_of(TEXTS), why)
    _refuse_other_models(model or "naive", path)
    rows = opened_file(path)
    return LabelledFile(rows, "row", target_name(rows, target))


def _refuse_other_models(name: str, path: Path) -> None:
    """Refuse what is not a table model, and options that the model does not have."""
    if name not in TABLE_MODELS:
        raise click.UsageError(
            f"--model must be one of {', '.join(TABLE_MODELS)} for tables, got {name!r}. To learn "
            f"{path} as texts, name their column by --text."
        )
    entry = TABLE_MODELS[name]
    others = [option for option, models in takers().items() if entry not in models]
    option = next((each for each in others if each != "model" and is_given(each)), None)
    if option is not None:
        models = [each.typed for each in takers()[option] if each.typed]
        raise click.UsageError(
            f"{first_given([option])} is for --model {', '.join(models)}, not for {name}. "
            "Leave it out."
        )


# models -------------------------------------------------------------------------------------------


def learned(sources: Sequence[LabelledFile], how: LearningOptions) -> Any:
    """A model that has learned all rows or texts; options that do not fit these are refused."""
    path, unit = ", ".join(str(source.path) for source in sources), sources[0].unit
    model = new_model(unit, how)
    with working(f"reading {path}", unit=unit), numbers_refused(path):
        for number, source in enumerate(sources):
            source.teach(model, "partial_fit" if number else "fit")
    if not is_text_model(model):
        set_prior(model, how["prior"], model.classes_)
        if hasattr(model, "class_prior_"):
            _ = model.class_prior_, column_kinds(model)  # raise for names of no class or column
    return model


def new_model(unit: str, how: LearningOptions) -> Any:
    """A model for rows or texts with the options that are given, which has learned nothing."""
    is_text = unit == "text"
    entry = MODELS["TextClassifier"] if is_text else TABLE_MODELS[how["model"] or "naive"]
    parameters = parameters_of(entry.name)
    options = {each: option_of(each) for each in entry.options if option_of(each) != "prior"}
    given = {each: how[option] for each, option in options.items()}
    given = {each: value for each, value in given.items() if value not in (None, "none", ())}
    if "smoothing" in given:
        takes = parameters["smoothing"].takes
        given["smoothing"] = smoothing_given(given["smoothing"], takes, entry.typed or "texts")
    return class_named(entry.name)(**given)


def set_prior(model: Any, given: str | Mapping[str, float], classes: np.ndarray) -> None:
    """Give a table model its prior, for the classes that it learns."""
    if "prior" in entry_of(model).options:
        prior = _by_label(given, classes) if isinstance(given, Mapping) else given
        model.set_params(prior=prior)
    elif given != "learned":  # one of numbers: for others --prior was refused
        model.set_params(priors=_in_order(given, [str(label) for label in classes.tolist()]))


def _by_label(prior: Mapping[str, float], classes: np.ndarray) -> dict[Label, float]:
    """The prior with the labels that were learned instead of their texts.

    >>> _by_label({"1": 0.5, "2": 0.5}, np.array([1, 2]))
    {1: 0.5, 2: 0.5}
    """
    return {label_named(classes, name): share for name, share in prior.items()}


def _in_order(prior: str | Mapping[str, float], names: Sequence[str]) -> list[float]:
    """The prior probability of each class: "uniform", or by name, as given.

    >>> _in_order({"spam": 0.2, "ham": 0.8}, ["ham", "spam"])
    [0.8, 0.2]
    """
    if isinstance(prior, str):  # "uniform"
        return [1.0 / len(names)] * len(names)
    if set(prior) != set(names):
        raise ValueError(
            f"--prior must give a probability for each class, {', '.join(names)}: got "
            f"{', '.join(prior)}."
        )
    return [prior[name] for name in names]


@contextmanager
def numbers_refused(path: object) -> Iterator[None]:
    """Within this, rows that a model of numbers cannot learn are refused with a way out."""
    try:
        yield
    except ValueError as error:
        # what these need is not loaded for texts
        from bayesic.estimation.discriminant import SingularCovarianceError
        from bayesic.models.readers.matrix_reader import NotNumbersError

        if isinstance(error, NotNumbersError):
            raise ValueError(
                f"{path}: this model takes numbers, but column {error.column!r} holds other "
                "values. Leave it out, or use --model naive, which takes columns of every kind."
            ) from None
        if isinstance(error, SingularCovarianceError):
            raise ValueError(
                f"{error.what}: columns depend on each other, or there are few rows. Give "
                "--shrinkage 0.1, or use --model gaussian, which shrinks where it must."
            ) from None
        raise
