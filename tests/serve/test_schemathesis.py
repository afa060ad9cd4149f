"""A stranger reads the description, and sends what fits it and what does not: schemathesis."""

import os
import subprocess
import sys

import pytest

import bayesic as by
from bayesic.serve.request_limits import RequestLimits
from helpers.http_server import serving, teach_models

# What fits the schemas may still be refused with 422: JSON Schema cannot say that there must be as
# many labels as rows, that a model was never told of a class, or which states a network has.
CONFIG = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 404, 409, 422]
"""


@pytest.fixture
def address(tmp_path):
    path = tmp_path / "mail.store"
    with serving(path, RequestLimits(seconds=1.0)) as address, by.connect(address) as store:
        teach_models(store)
        yield address


def test_a_stranger_who_has_read_the_description_finds_nothing(address, tmp_path):
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"]
    command += [f"{address}/openapi.json", "--phases", "examples,coverage,fuzzing", "--no-color"]
    command += ["--max-examples", "3", "--generation-deterministic", "--warnings", "off"]
    run = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert run.returncode == 0, run.stdout + run.stderr
