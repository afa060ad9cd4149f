"""Make the pictures that only docs/textbook.md and docs/textbook.zh.md have.

    python docs/images/make_textbook.py            # into this folder
    python docs/images/make_textbook.py FOLDER

Names are Chinese where the tables are; without a font for them there is a warning.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from make import write
from matplotlib.figure import Figure

import bayesic as by
from bayesic import hypotheses, plots
from bayesic.mixtures.known_variance import means_of_known_variance


def tree_of_days() -> Figure:
    """The tree of the shortest description of PlayTennis, each day ten times (case 17)."""
    days = by.datasets.play_tennis("zh")
    columns = dict(zip(days.columns, zip(*days.rows, strict=True), strict=True))
    model = hypotheses.MDLTreeClassifier(exception_weight=1)
    return plots.tree(model.fit(columns, days.target, sample_weight=[10] * len(days)))


def campfire() -> Figure:
    """Storm, BusTourGroup and Campfire, after the fire was seen (case 21)."""
    net = by.datasets.campfire(storm=1 / 4, bus_tour_group=1 / 2)
    return plots.network(net, given={"Campfire": True})


def climb_of_two_means() -> Figure:
    """EM for two Gaussians of the known variance 9 on five points (case 24)."""
    points = [[0.0], [1.0], [2.0], [8.0], [9.0]]
    found = means_of_known_variance(points, [[1.0], [5.0]], variance=9.0)
    return plots.log_likelihood(found.trace)


def densities_of_melons() -> Figure:
    """Density and sugar of good and bad melons, each a Gaussian (case 7)."""
    import pandas as pd

    table = pd.DataFrame(by.datasets.watermelon().to_dict())
    X, y = table[["密度", "含糖率"]], table["好瓜"]
    return plots.densities(by.GaussianNB(var_smoothing=0).fit(X, y), X, y)


PICTURES: dict[str, Callable[[], Figure]] = {
    "textbook-tree": tree_of_days,
    "textbook-campfire": campfire,
    "textbook-em": climb_of_two_means,
    "textbook-melons": densities_of_melons,
}


def main() -> None:
    """Write all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, make in PICTURES.items():
        path = folder / f"{name}.png"
        write(make(), path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
