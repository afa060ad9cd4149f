"""scikit-learn's own tests of discriminant analysis, run against ours.

As in test_scikit_learn_suite.py: the installed file is read when the test runs, the import line is
swapped, and pytest runs it. Tests that cannot hold are left out by name, each with the reason.
"""

import subprocess
import sys
from pathlib import Path

import sklearn

IMPORT = """from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    _cov,
)
"""
OURS = """from bayesic.models.normal.discriminant import QuadraticDiscriminantAnalysis
from bayesic.models.normal.linear_discriminant import LinearDiscriminantAnalysis
from sklearn.discriminant_analysis import _cov
"""
ORIGINAL = Path(sklearn.__file__).parent / "tests" / "test_discriminant_analysis.py"
LEFT_OUT = {
    "test_lda_dtype_match[float32-float32]": "wants float32, ours are float64",
    "test_covariance": "tests the private helper _cov and no estimator",
}


def test_the_tests_of_scikit_learn_pass_with_our_classes(tmp_path):
    text = ORIGINAL.read_text(encoding="utf-8")
    assert text.count(IMPORT) == 1
    copy = tmp_path / "test_discriminant_analysis_of_bayesic.py"
    copy.write_text(text.replace(IMPORT, OURS), encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    left_out = [f"--deselect={copy.name}::{name}" for name in LEFT_OUT]
    options = ["-q", "-p", "sklearn.conftest", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *left_out, copy.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    counts = run.stdout.splitlines()[-1]
    assert int(counts.split(" passed")[0].split()[-1]) >= 50, counts
    assert "skipped" not in counts, counts


def test_what_is_left_out_exists():
    text = ORIGINAL.read_text(encoding="utf-8")
    assert [name for name in LEFT_OUT if f"def {name.partition('[')[0]}(" not in text] == []
