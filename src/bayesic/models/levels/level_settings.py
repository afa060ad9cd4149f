"""What the parameters of a model of levels say."""

from dataclasses import dataclass

from bayesic.estimation.back_off import STRENGTHS
from bayesic.estimation.smoothing import BackOff, Smoothing
from bayesic.models.columns.table_settings import TableSettings


@dataclass(frozen=True, eq=False)
class LevelSettings(TableSettings):
    """How columns of levels are read, smoothed, and counted together."""

    smoothing: Smoothing | None  # None: back-off whose strength is chosen by the rows
    order: int | None  # how many columns are counted together; None: chosen by the rows

    @property
    def candidates(self) -> list[Smoothing]:
        """The rules for the smoothing that are tried."""
        if self.smoothing is None:
            return [BackOff(strength) for strength in STRENGTHS]
        return [self.smoothing]

    @property
    def is_choosing(self) -> bool:
        """Whether rows are judged, to choose by them."""
        return self.smoothing is None or self.order is None
