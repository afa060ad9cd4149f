"""The page that shows how a model is added: its code is a file that runs, and short."""

import importlib.util
from pathlib import Path

import numpy as np
from scipy.stats import vonmises

ROOT = Path(__file__).parents[1]
FILE = ROOT / "examples" / "hours.py"


def loaded():
    spec = importlib.util.spec_from_file_location("hours_of_the_page", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_the_file_and_the_file_is_short():
    code = FILE.read_text(encoding="utf-8")
    page = (ROOT / "docs" / "adding-a-model.md").read_text(encoding="utf-8")
    assert f"```python\n{code}```\n" in page
    assert sum(1 for line in code.splitlines() if line.strip()) < 60


def test_its_density_is_the_one_of_scipy():
    hours = np.array([20.0, 23.0, 0.0, 3.0, 7.5])
    angles = 2 * np.pi / 24 * hours
    mean = np.array([np.cos(angles).mean(), np.sin(angles).mean()])
    r = np.hypot(*mean)
    expected = vonmises.logpdf(angles, r * (2 - r**2) / (1 - r**2), np.arctan2(mean[1], mean[0]))
    module = loaded()
    np.testing.assert_allclose(
        module.log_density(module.on_a_clock(hours[:, None]), mean), expected, rtol=1e-12
    )


def test_leaving_a_row_out_is_learning_the_others():
    model = loaded().HoursNB()
    X = np.array([[20.0], [23.0], [0.0], [3.0], [8.0], [11.0], [np.nan], [18.0]])
    y = np.array(["owl"] * 4 + ["lark"] * 4)
    found = model.fit(X, y).leave_one_out(X, y)
    for row in range(len(X)):
        others = np.arange(len(X)) != row
        again = type(model)().partial_fit(X[others], y[others], classes=["lark", "owl"])
        np.testing.assert_allclose(found[row], again.predict_proba(X[[row]])[0], rtol=1e-9)
