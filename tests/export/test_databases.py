"""Where PostgreSQL is not installed: a sentence, or a failure if it is demanded."""

import pytest

from helpers import databases


@pytest.mark.parametrize(
    ("told", "raised"), [("", pytest.skip.Exception), ("required", pytest.fail.Exception)]
)
def test_a_server_that_is_not_there_is_told(monkeypatch, told, raised):
    monkeypatch.setattr(databases, "FOLDERS", [])
    monkeypatch.setenv("BAYESIC_POSTGRES_TESTS", told)
    with pytest.raises(raised, match="PostgreSQL .* not installed"), databases.postgresql():
        pass
