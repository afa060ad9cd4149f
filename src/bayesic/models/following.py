"""What follows from what a model has learned and from its parameters, made when it is needed."""

from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from bayesic.models.parameters import Parameters, are_same

Settings = TypeVar("Settings")


class Parsed(NamedTuple, Generic[Settings]):
    """What the parameters of a model say, and which they were."""

    parameters: Parameters
    settings: Settings


@dataclass(frozen=True, eq=False)
class Fitting:
    """What follows from a learned state with these parameters."""

    parameters: Parameters
    fitted: Any


class Following:
    """Belongs to one learned state of a model, and to all its copies: what one makes, all have."""

    def __init__(self) -> None:
        """Nothing is made yet."""
        self.made: Fitting | None = None

    def __repr__(self) -> str:
        return "Following()"

    def __reduce__(self) -> tuple[object, ...]:
        return Following, ()

    def fitted_with(self, parameters: Parameters) -> Any:
        """What was made with these parameters; None if nothing was."""
        made = self.made
        return made.fitted if made is not None and are_same(made.parameters, parameters) else None
