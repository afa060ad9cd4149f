"""Which columns depend on which, so that it can be held while rows come."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bayesic.estimation.dependent_columns import Parents


@dataclass(frozen=True, eq=False)
class HeldNetwork:
    """The columns by what they say about the class, and the parents of each; by their names.

    Columns that are gone take no part. Those that came later are the last, and have no parents.
    """

    order: tuple[str, ...] = ()
    parents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def order_among(self, names: Sequence[str]) -> list[int]:
        """The numbers of these columns in the order that is held.

        >>> HeldNetwork(("wind", "sky")).order_among(["fog", "sky", "wind"])
        [2, 1, 0]
        """
        held = [name for name in self.order if name in names]
        return [names.index(name) for name in [*held, *(n for n in names if n not in held)]]

    def parents_among(self, names: Sequence[str]) -> Parents:
        """The numbers of the parents of each of these columns.

        >>> HeldNetwork(parents={"sky": ("wind", "rain")}).parents_among(["fog", "sky", "wind"])
        [(), (2,), ()]
        """
        return [
            tuple(names.index(parent) for parent in self.parents.get(name, ()) if parent in names)
            for name in names
        ]

    def state(self) -> dict[str, object]:
        """The choices as plain values."""
        return {"order": self.order, "parents": dict(self.parents)}


def restored_network(state: dict[str, Any], names: Collection[str]) -> HeldNetwork:
    """The choices that have this state, for columns of these names; others are refused."""
    order, parents = state.get("order"), state.get("parents")
    is_order = set(state) == {"order", "parents"} and _are_different(order, names)
    if not is_order or not isinstance(parents, dict) or not set(parents) <= set(order or ()):
        raise ValueError("What is held of a network must be its columns, and the parents of each.")
    place = {name: at for at, name in enumerate(order or ())}
    for name, given in parents.items():
        if not _are_different(given, place) or not _can_be_first(name, given, parents):
            raise ValueError(f"The parents of {name!r} must be other columns, without a circle.")
    return HeldNetwork(tuple(order or ()), parents)


def _are_different(some: object, names: Collection[str]) -> bool:
    return isinstance(some, tuple) and len(set(some)) == len(some) and set(some) <= set(names)


def _can_be_first(
    name: str, given: tuple[str, ...], parents: Mapping[str, tuple[str, ...]]
) -> bool:
    """Whether a column is none of those that it depends on, however far."""
    seen: set[str] = set()
    left = list(given)
    while left:
        each = left.pop()
        if each not in seen:
            seen.add(each)
            left += [*parents.get(each, ())]
    return name not in seen
