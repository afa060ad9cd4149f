"""What a kind of model keeps of the rows beside its statistics: notes.

Weights of columns, choices that are held, the moment of the last row: none of them follows from the
statistics. A note says when it looks at the rows, what it sets, and how it goes into a file. A
model lists its notes in `notes`, and the verbs of CountingModel go through them in this order.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from bayesic.models.readers.reader import CodedRows

Rows = Iterable[CodedRows]
Model = TypeVar("Model")


@dataclass(frozen=True)
class Note(Generic[Model]):
    """Functions of a model, which is their first argument; None where there is nothing to do."""

    # for every verb that takes rows: the rows with what `times` says of them
    read: Callable[[Model, Rows, object], Rows] | None = None
    # for `fit` and `partial_fit`: the rows that are learned, of which the model is told
    learn: Callable[[Model, Rows], Rows] | None = None
    # look at all rows before they are counted; what was seen, for `notices`
    before: Callable[[Model, Rows], object] | None = None
    # look at the rows again when classes_ and statistics_ are those of all rows, before anything is
    # fitted; the last argument: whether this is `fit`
    after: Callable[[Model, Rows, bool], None] | None = None
    # for every verb: these statistics are to be kept
    keep: Callable[[Model, Any], None] | None = None
    # refuse, or warn of, what `fit` (True) or another verb has come to
    check: Callable[[Model, bool], None] | None = None
    # for `fit`: what users should know of the rows that were seen
    notices: Callable[[Model, Any], Iterable[str]] | None = None
    # refuse a verb other than `fit` that does not go with the parameters
    refuse: Callable[[Model, str], None] | None = None
    # refuse another model of this kind and these columns that counts differently
    alike: Callable[[Model, Model], None] | None = None
    # another model as it is to be merged
    merge: Callable[[Model, Model], Model] | None = None
    # all that was learned counts so much less
    fade: Callable[[Model, float], None] | None = None
    # after `set_params`: what was fitted before, if it was, and the parameters that were set
    reset: Callable[[Model, Any, Mapping[str, object]], None] | None = None
    # for files: under these names, as numbers, texts, lists, tuples, dicts and arrays of them;
    # `restore` gets those that the file has, and refuses what cannot be
    keys: frozenset[str] = frozenset()
    state: Callable[[Model], dict[str, object]] | None = None
    restore: Callable[[Model, dict[str, Any]], None] | None = None


class LearningModel(Protocol):
    """What learns by counting, and lists its notes."""

    statistics_: Any
    notes: ClassVar[tuple[Note, ...]]


def state_of_notes(model: LearningModel) -> dict[str, object]:
    """For files: what was learned beside the statistics and does not follow from them."""
    state: dict[str, object] = {}
    for note in model.notes:
        if note.state is not None:
            state |= note.state(model)
    return state


def restore_notes(model: LearningModel, state: dict[str, object]) -> None:
    """For files: set what `state_of_notes` gave; anything else is refused."""
    keys = {key for note in model.notes for key in note.keys}
    if not isinstance(state, dict) or not state.keys() <= keys:
        raise ValueError(f"{type(model).__name__} has no extra state, got {state!r:.200}.")
    for note in model.notes:
        if note.restore is not None:
            note.restore(model, {key: state[key] for key in note.keys & state.keys()})
