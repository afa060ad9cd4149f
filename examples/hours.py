"""Hours of the day, which are neighbours across midnight: a von Mises density for each class."""

from dataclasses import dataclass

import numpy as np
from scipy.special import i0e

from bayesic.data.matrices import dense_rows
from bayesic.estimation.prior import ClassPrior
from bayesic.kernels.leaving import moments_without
from bayesic.models.classifier import CountingClassifier
from bayesic.models.fitted import Fitted, learned
from bayesic.models.readers.matrix_reader import read_matrix
from bayesic.statistics.moments import ClassMoments, class_moments


class HoursNB(CountingClassifier):
    """P(c | hour)  ~  P(c) exp(kappa_c cos(angle - mu_c)) / (2 pi I_0(kappa_c))."""

    statistics_: ClassMoments
    numbers_per_feature = 2  # an hour is a point on the clock
    peak_ = learned("peak", "The hour around which the rows of each class gather.")

    _reader = read_matrix

    def _parse(self):
        """There are no parameters."""

    def _count(self, X, codes, n_classes, weights):
        return class_moments(on_a_clock(X), codes, n_classes, weights)

    def _fit(self, statistics):
        return Clocks(ClassPrior(statistics.class_count), statistics.per_class)


def on_a_clock(hours):
    angle = 2 * np.pi / 24 * dense_rows(hours, slice(0, hours.shape[0]))[:, 0]
    return np.column_stack([np.cos(angle), np.sin(angle)])


def log_density(points, mean):
    r2 = np.minimum((mean**2).sum(axis=-1), 1 - 1e-9)  # kappa = r (2 - r^2) / (1 - r^2) [Banerjee]
    steep = (2 - r2) / (1 - r2)
    kappa = np.sqrt(r2) * steep
    logs = steep * (points * mean).sum(axis=-1) - kappa - np.log(2 * np.pi * i0e(kappa))
    return np.where(np.isnan(logs), 0.0, logs)  # a gap says nothing


@dataclass(frozen=True, eq=False)
class Clocks(Fitted):
    prior: ClassPrior
    points: object  # moments of the points on the clock, a row for each class

    @property
    def n_parameters(self):
        return self.points.mean.size

    @property
    def peak(self):
        return np.arctan2(*self.points.mean.T[::-1]) * 24 / (2 * np.pi) % 24

    def scorer(self, rows):
        points = on_a_clock(rows)
        return lambda block: log_density(points[block, None], self.points.mean)

    def scorer_without(self, rows, codes, weights):
        points, score = on_a_clock(rows), self.scorer(rows)
        of_class = (moments[codes] for moments in self.points.arrays())
        rest, mean, _ = moments_without(points, weights[:, None], *of_class)
        own = log_density(points, np.where(rest > 0, mean, 0.0))

        def without(block):
            return np.where(
                np.arange(len(self.points.mean)) == codes[block, None],
                own[block, None],
                score(block),
            )

        return without

    def terms(self, rows):
        return self.scorer(rows)(slice(0, rows.shape[0]))[:, None]
