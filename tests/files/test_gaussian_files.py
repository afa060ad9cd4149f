"""GaussianBayes, QDA and LDA in model files."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from bayesic.files import model_files as files
from bayesic.models.normal.discriminant import QuadraticDiscriminantAnalysis
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.models.normal.linear_discriminant import LinearDiscriminantAnalysis
from bayesic.models.notes import restore_notes
from helpers.comparisons import arrays_in

IRIS, SPECIES = load_iris(return_X_y=True)
MODELS = {
    "full": GaussianBayes(),
    "tied": GaussianBayes("tied", shrinkage=0.1, unbiased=True, priors=[0.2, 0.3, 0.5]),
    "auto": GaussianBayes("diagonal", shrinkage="auto"),
    "QDA": QuadraticDiscriminantAnalysis(reg_param=0.1),
    "QDA shrunk": QuadraticDiscriminantAnalysis(shrinkage="ledoit-wolf"),
    "LDA": LinearDiscriminantAnalysis(n_components=1),
    "LDA shrunk": LinearDiscriminantAnalysis(shrinkage=0.3),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_saved_model_gives_the_same_answers(name, tmp_path):
    model = MODELS[name].fit(IRIS, np.array(["setosa", "versicolor", "virginica"])[SPECIES])
    model.save(tmp_path / "iris.bayes")
    loaded = files.load(tmp_path / "iris.bayes")
    np.testing.assert_array_equal(loaded.predict_proba(IRIS), model.predict_proba(IRIS))
    for mine, theirs in zip(
        arrays_in(loaded.statistics_), arrays_in(model.statistics_), strict=True
    ):
        np.testing.assert_array_equal(mine, theirs, strict=True)
    if "auto" not in name:
        model.partial_fit(IRIS[:9], ["virginica"] * 9)
        loaded.partial_fit(IRIS[:9], ["virginica"] * 9)
        np.testing.assert_array_equal(loaded.predict_proba(IRIS), model.predict_proba(IRIS))


def test_extra_state_that_makes_no_sense_is_refused():
    model = GaussianBayes()
    for state in ({"shrinkage_losses": np.zeros(3)}, {"shrinkage_losses": np.full(10, np.nan)}):
        with pytest.raises(ValueError, match="one loss for each candidate"):
            restore_notes(model, state)
    with pytest.raises(ValueError, match="has no extra state"):
        restore_notes(model, {"more": 1})
