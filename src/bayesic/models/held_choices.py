"""Choices that stay while rows come: for models that choose something from the data.

What a model chooses follows from its statistics, so each row that it learns would choose again.
With choices="hold" it does so only when the rows have become a tenth more or fewer, or by
`choose_again`. So what is held is a function of the verbs and rows that came, in their order, and
of nothing else: the same sequence gives the same bits, also if it is saved and loaded in between.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

from bayesic.data.arguments import check_is_fitted, check_one_of, is_number
from bayesic.data.snapshots import learning

CHOICES = ("always", "hold")


@dataclass(frozen=True, eq=False)
class Held:
    """What was chosen, and how many rows were learned then, by their weights."""

    n_rows: float
    choices: Any

    def is_due(self, n_rows: float) -> bool:
        """Whether this many rows are a tenth more or fewer: time to choose again.

        >>> [Held(50, None).is_due(n_rows) for n_rows in (45, 46, 54, 55)]
        [True, False, False, True]
        """
        more, fewer = max(n_rows, self.n_rows), min(n_rows, self.n_rows)
        return more != fewer and 10 * more >= 11 * fewer


class HoldsChoices:
    """A counting model with the parameter choices: "always" or "hold".

    It is not an ABC of its own: Python would then look into CountingModel, which is one, before it
    looks into classes that stand behind this one.
    """

    choices: str
    statistics_: Any
    held_: Held

    # what a model says ----------------------------------------------------------------------

    @abstractmethod
    def _choose(self, statistics: Any, held: Any) -> Any:
        """What is to be held from now on, chosen from these statistics.

        held : what was held until now, to which only what it lacks is added, and which is returned
            as it is if it lacks nothing; None: choose all again, nothing is held now
        """

    @abstractmethod
    def _choices_state(self, choices: Any) -> dict[str, Any]:
        """For `save`: the choices as plain values."""

    @abstractmethod
    def _restored_choices(self, state: dict[str, Any]) -> Any:
        """For `load`: the choices that have this state; anything else is refused."""

    # verbs ----------------------------------------------------------------------------------

    @learning
    def choose_again(self) -> Self:
        """Make the choices of choices="hold" again: the model then equals one `fit` on all rows.

        With choices="always" nothing changes.
        """
        check_is_fitted(self)
        vars(self).pop("held_", None)
        return self._keep(self.statistics_)

    # how it is done -------------------------------------------------------------------------

    def _replaced(self, n_rows: int) -> None:
        """So many of the rows that were chosen by have made way for others: a tenth is enough."""
        if "held_" in vars(self):
            self.held_ = Held(max(self.held_.n_rows - n_rows, 0), self.held_.choices)
            self._keep(self.statistics_)

    def _check_choices(self) -> None:
        check_one_of("choices", self.choices, CHOICES)

    @property
    def _held(self) -> Any:
        """What is held; None if all is to be chosen."""
        held = vars(self).get("held_")
        return None if held is None or self.choices == "always" else held.choices

    def _keep(self, statistics: Any) -> Self:
        if self.choices == "hold":
            self._hold(statistics)
        return super()._keep(statistics)  # type: ignore[misc]  # of CountingModel

    def _hold(self, statistics: Any) -> None:
        n_rows = statistics.class_count.sum().item()
        held = vars(self).get("held_")
        if held is None or held.is_due(n_rows):
            vars(self).pop("held_", None)
            self.held_ = Held(n_rows, self._choose(statistics, None))
            return
        choices = self._choose(statistics, held.choices)
        if choices is not held.choices:
            self.held_ = Held(held.n_rows, choices)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.endswith("_") and not name.startswith("_"):
            vars(self).pop("held_", None)  # a parameter: what was chosen with another is void
        super().__setattr__(name, value)

    def _extra_state(self) -> dict[str, Any]:
        state = super()._extra_state()  # type: ignore[misc]  # of CountingModel
        if self._held is None:
            return state
        held = {"n_rows": self.held_.n_rows, **self._choices_state(self.held_.choices)}
        return {**state, "held": held}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        rest = {name: part for name, part in state.items() if name != "held"}
        super()._restore_extra_state(rest)  # type: ignore[misc]  # of CountingModel
        if "held" not in state:
            return
        held = dict(state["held"]) if isinstance(state["held"], dict) else {}
        n_rows = held.pop("n_rows", None)
        if self.choices != "hold" or not is_number(n_rows) or not 0 <= n_rows < float("inf"):
            raise ValueError("Choices that are held need the rows that they were made from.")
        self.held_ = Held(n_rows, self._restored_choices(held))
