"""The three databases, each started once."""

import pytest

from helpers.databases import duckdb_in_memory, postgresql, sqlite_in_memory


@pytest.fixture(scope="session")
def postgres():
    with postgresql() as database:
        yield database


@pytest.fixture(scope="session", params=["duckdb", "sqlite", "postgresql"])
def database(request):
    """Each of them in turn."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres")
    return duckdb_in_memory() if request.param == "duckdb" else sqlite_in_memory()
