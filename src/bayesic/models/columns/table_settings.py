"""What the parameters of a model of tables say, parsed once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bayesic.data.typing import Prior
from bayesic.models.columns.schema import checked_kinds, refuse_other_kinds


@dataclass(frozen=True, eq=False)
class TableSettings:
    """How columns are read and smoothed, and the prior; each kind of model knows what it needs."""

    kinds: Mapping[str, str]  # column -> kind, as declared
    numeric: str  # the kind of all other numeric columns
    smoothing: Any  # as parsed: an amount, a rule, or the rules by column
    prior: Prior  # "learned", "uniform", or class -> probability

    def kept(self, names: Iterable[str]) -> list[str]:
        """Those of the columns that are not to be ignored."""
        return [name for name in names if self.kinds.get(name) != "ignore"]


def declared_kinds(columns: object, possible: tuple[str, ...], model: str) -> dict[str, str]:
    """The kinds of columns as declared, all of which are possible for this model."""
    kinds = checked_kinds(columns)
    refuse_other_kinds(kinds, possible, model)
    return kinds
