"""Scores as the page draws them."""

from collections.abc import Iterable

from bayesic.evaluation.scores import CalibrationBin


def bins_for_page(bins: Iterable[CalibrationBin]) -> list[dict[str, object]]:
    """The bins of a calibration, by the names that the page knows."""
    return [
        {
            "from": part.low,
            "to": part.high,
            "mean": part.mean_confidence,
            "share": part.share_right,
            "n": part.n_rows,
        }
        for part in bins
    ]
