"""Engines that are started for the tests: Dask, a PostgreSQL server, Spark."""

from collections import Counter
from unittest import mock

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bayesic as by
from helpers.comparisons import assert_same, assert_unchanged, state_of
from helpers.databases import on_server, postgresql, tables_on
from helpers.engines import rows_stay
from helpers.spark import KNOWN, session, spark_table

pytestmark = [
    pytest.mark.xdist_group("spark"),
    pytest.mark.filterwarnings(KNOWN),
    pytest.mark.filterwarnings("ignore:Some columns tell nothing:UserWarning"),
]

N_ROWS = 120
WORDS = ["rain", "雨", "", None, "O'Hara", 'a "hot" day', "NULL", "nan"]
DAYS = pa.table(
    {
        'sk"y.a': [WORDS[number % 8] for number in range(N_ROWS)],
        "风": pa.array([[1.5, None, -2.0, 0.0, 1e8 + 1][number % 5] for number in range(N_ROWS)]),
        "long": [1e8 + np.sin(number) * (1 + number % 2) for number in range(N_ROWS)],
        "grade": pa.array([[1, 2, None, 3][number % 4] for number in range(N_ROWS)], pa.int64()),
        "wet": pa.array([[True, False, None][number % 3] for number in range(N_ROWS)], pa.bool_()),
        "mail": [["ham", "垃圾"][number % 7 % 2] for number in range(N_ROWS)],
    }
)


@pytest.fixture(scope="module")
def server():
    with postgresql() as database:
        yield database


@pytest.fixture(params=["dask", "postgresql", "spark"])
def engine(request):
    """table -> the same rows elsewhere."""
    if request.param == "dask":
        yield lambda table: dd.from_pandas(_as_pandas(table), npartitions=3)
    elif request.param == "spark":
        session()
        yield spark_table
    else:
        with tables_on(request.getfixturevalue("server")) as put:
            yield put


def _as_pandas(table):
    """With the types of pandas that have gaps."""
    types = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    return table.to_pandas(types_mapper=types.get)


def few_values():
    """Tables of values so short that numbers are cut to a few bits."""
    return mock.patch("bayesic.statistics.value_tables.MOST_VALUES", 16)


def test_the_statistics_are_those_of_the_table_in_memory(engine):
    with few_values():
        in_memory = by.NaiveBayes().fit(DAYS, y="mail")
        with rows_stay() as streamed:
            ours = by.NaiveBayes().fit(engine(DAYS), y="mail")
        assert streamed == []
        assert_same(ours.statistics_, in_memory.statistics_, tolerance=1e-9)
        assert ours.statistics_.columns["long"].bits < 52
        assert ours.classes_.tolist() == in_memory.classes_.tolist()


def test_odd_numbers_are_cut_as_in_memory(engine):
    odd = [5e-324, -1e-310, -0.0, 0.0, 1e-300, -1.5, 1.5, 1 - 2**-53, -9e4, 9e4, None]
    numbers = [*odd, *(float(np.sin(number) * 10.0 ** (number % 9 - 4)) for number in range(109))]
    table = pa.table({"wind": pa.array(numbers, pa.float64()), "mail": DAYS["mail"]})
    for most in (64, 80, 100):
        with mock.patch("bayesic.statistics.value_tables.MOST_VALUES", most):
            in_memory = by.NaiveBayes(numeric="gaussian").fit(table, y="mail").statistics_
            with rows_stay():
                ours = by.NaiveBayes(numeric="gaussian").fit(engine(table), y="mail").statistics_
        assert ours.columns["wind"].bits == in_memory.columns["wind"].bits
        assert_same(ours, in_memory, tolerance=1e-12, scale=1e5)


def test_counts_are_those_of_python(engine):
    with rows_stay():
        ours = by.NaiveBayes(numeric="gaussian").fit(engine(DAYS), y="mail").statistics_
    cells, labels = DAYS['sk"y.a'].to_pylist(), DAYS["mail"].to_pylist()
    counted = Counter(zip(cells, labels, strict=True))
    sky = ours.columns['sk"y.a']
    for level, counts in zip(sky.levels, sky.table.tolist(), strict=True):
        assert counts == [counted[level, label] for label in ("ham", "垃圾")]
    assert ours.class_count.tolist() == [labels.count("ham"), labels.count("垃圾")]


def test_joint_tables_and_networks_are_those_of_the_table_in_memory(engine):
    some = DAYS.select(["grade", "wet", "mail"]).drop_null()
    source = engine(some)
    edges = [("mail", "wet"), ("wet", "grade")]
    with rows_stay():
        joint = by.JointBayes().fit(source, y="mail")
        net = by.BeliefNetwork(edges).fit(source)
    assert_same(joint.statistics_, by.JointBayes().fit(some, y="mail").statistics_)
    assert net == by.BeliefNetwork(edges).fit(some)
    structure, in_memory = by.learn_structure(source), by.learn_structure(some)
    assert structure == in_memory


@pytest.mark.parametrize("Model", [by.NaiveBayes, by.JointBayes])
def test_rows_are_learned_on_and_forgotten_where_they_are(engine, Model):
    some = DAYS.select(["grade", "wet", "mail"])
    ours, source = Model().fit(some, y="mail"), engine(some)
    before = ours.statistics_
    with rows_stay():
        ours.partial_fit(source, "mail")
        assert ours.class_count_.tolist() == (2 * before.class_count).tolist()
        assert_same(ours.forget(source, "mail").statistics_, before)


@pytest.mark.parametrize("engine", ["dask", "postgresql"], indirect=True)
@pytest.mark.parametrize("Model", [by.NaiveBayes, by.JointBayes])
def test_rows_are_left_out_only_if_they_were_learned(engine, Model):
    some = DAYS.select(["grade", "wet", "mail"])
    ours, source = Model().fit(some, y="mail"), engine(some)
    with mock.patch("bayesic.data.engines.FIRST_ROWS", 1):
        found = ours.leave_one_out(source, "mail")
        np.testing.assert_allclose(found, ours.leave_one_out(some, "mail"), rtol=1e-12)
        fewer = Model().fit(some.slice(0, N_ROWS - 9), y="mail")
        before = state_of(fewer)
        with pytest.raises(ValueError, match="never learned|would leave a count"):
            fewer.leave_one_out(source, "mail")
    assert_unchanged(fewer, before)


def test_models_that_need_rows_read_them_in_blocks(engine):
    some = DAYS.select(["long", "mail"])
    source = engine(some)
    ours, theirs = by.GaussianNB().fit(source, "mail"), by.GaussianNB().fit(some, "mail")
    np.testing.assert_allclose(ours.theta_, theirs.theta_, rtol=1e-12)
    texts = by.NaiveBayes(columns={'sk"y.a': "text"}, numeric="gaussian")
    with rows_stay() as streamed:
        texts.fit(engine(DAYS), y="mail")
    assert streamed == [["mail", 'sk"y.a']]
    in_memory = by.NaiveBayes(columns={'sk"y.a': "text"}, numeric="gaussian").fit(DAYS, "mail")
    assert_same(texts.statistics_, in_memory.statistics_, tolerance=1e-9)


def test_texts_are_learned_and_asked(engine):
    texts = pa.table({"body": ["free lunch", "rain 今天", None] * 40, "mail": DAYS["mail"]})
    source = engine(texts)
    ours = by.TextClassifier().fit(source, y="mail", text="body")
    words = [text or "" for text in texts["body"].to_pylist()]
    in_memory = by.TextClassifier().fit(words, texts["mail"].to_pylist())
    assert_same(ours.statistics_, in_memory.statistics_)
    answers = np.sort(ours.predict_proba(source), axis=0)  # rows may come in another order
    np.testing.assert_allclose(answers, np.sort(in_memory.predict_proba(words), axis=0))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([float("inf"), 1.0, 2.0], "got inf in column 'long'"),
        ([1.0, 2.0, None], None),
    ],
    ids=["infinite", "a gap"],
)
def test_bad_numbers_are_refused_and_change_nothing(engine, column, message):
    ours = by.NaiveBayes().fit({"long": [1.0, 2.0]}, ["ham", "ham"])
    before = state_of(ours)
    source = engine(pa.table({"long": column, "mail": ["ham"] * 3}))
    with mock.patch("bayesic.data.engines.FIRST_ROWS", 1):
        if message is None:
            assert ours.partial_fit(source, "mail").class_count_.tolist() == [5]
            return
        with pytest.raises(ValueError, match=message):
            ours.partial_fit(source, "mail")
    assert_unchanged(ours, before)


# PostgreSQL by itself ---------------------------------------------------------------------------


def test_rows_fetched_by_a_plain_connection_give_the_same_model(server):
    connection, source = on_server(server, DAYS)
    with server.connection.cursor() as cursor:
        cursor.execute("select * from days")
        names = [column.name for column in cursor.description]
        fetched = [dict(zip(names, row, strict=True)) for row in cursor]
    with rows_stay():
        ours = by.NaiveBayes().fit(source, y="mail")
    assert_same(ours.statistics_, by.NaiveBayes().fit(fetched, y="mail").statistics_)
    connection.disconnect()


@pytest.mark.parametrize("first_rows", [1, 2**14], ids=["counted", "read"])
def test_decimals_and_ids_are_numbers_and_words(server, first_rows):
    connection, _ = on_server(server, DAYS)
    server.connection.execute(
        "create view typed as select mail, grade::numeric / 7 as share, "
        "md5(grade::text)::uuid as id, ('10.0.0.' || grade)::inet as address from days"
    )
    with mock.patch("bayesic.data.engines.FIRST_ROWS", first_rows):
        ours = by.NaiveBayes(numeric="gaussian").fit(connection.table("typed"), y="mail")
    rows = server.connection.execute(
        "select mail, share, id::text, address::text from typed"
    ).fetchall()
    for place, name in enumerate(("share", "id", "address"), start=1):
        as_read = float if name == "share" else str
        counted = Counter((as_read(r[place]), r[0]) for r in rows if r[place] is not None)
        found = ours.statistics_.columns[name]
        values = found.keys.tolist() if name == "share" else found.levels
        assert {
            (value, label): number
            for value, numbers in zip(values, found.table.tolist(), strict=True)
            for label, number in zip(ours.classes_, numbers, strict=True)
            if number
        } == counted
    connection.disconnect()


def test_the_server_may_share_the_counting_among_its_processes(server):
    """It does not for a cursor; and each process would compile the whole query first."""
    connection, _ = on_server(server, DAYS)
    server.connection.execute(
        "create view watched as select mail, current_setting('jit') as compiler, "
        "(select count(*) from pg_cursors where name <> '')::text as cursors from days"
    )
    with rows_stay():
        ours = by.NaiveBayes().fit(connection.table("watched"), y="mail")
    assert {name: list(counts.levels) for name, counts in ours.statistics_.columns.items()} == {
        "compiler": ["off"],
        "cursors": ["0"],
    }
    connection.disconnect()


def test_a_connection_is_left_as_it_was(server):
    connection, source = on_server(server, DAYS)
    with connection.con.transaction():
        before = connection.con.execute("show jit").fetchone()
        connection.con.execute("insert into days (mail) values ('ham')")  # others do not see it yet
        with rows_stay():
            ours = by.NaiveBayes().fit(source, y="mail")
        assert connection.con.execute("show jit").fetchone() == before
    assert ours.class_count_.sum() == N_ROWS + 1
    assert connection.con.execute("select count(*) from days").fetchone() == (N_ROWS + 1,)
    assert connection.con.info.transaction_status.name == "IDLE"
    connection.disconnect()


def test_a_query_with_a_table_of_its_own_is_counted(server):
    ibis = pytest.importorskip("ibis")
    connection, source = on_server(server, DAYS)
    prices = ibis.memtable(pa.table({"grade": [1, 2, 3], "price": ["low", "low", "high"]}))
    with rows_stay():
        ours = by.NaiveBayes().fit(source.join(prices, "grade").select("price", "mail"), y="mail")
    grades, labels = DAYS["grade"].to_pylist(), DAYS["mail"].to_pylist()
    counted = Counter(
        (grade == 3, label) for grade, label in zip(grades, labels, strict=True) if grade
    )
    found = ours.statistics_.columns["price"]
    assert list(found.levels) == ["high", "low"]
    assert found.table.tolist() == [
        [counted[high, label] for label in ("ham", "垃圾")] for high in (True, False)
    ]
    connection.disconnect()


def test_a_connection_that_dies_is_told_and_changes_nothing(server):
    _, source = on_server(server, DAYS)
    ours = by.NaiveBayes().fit(DAYS, y="mail")
    before = state_of(ours)
    server.connection.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() "
        "and backend_type = 'client backend'"
    )
    with pytest.raises(ValueError, match=r"The Table of ibis cannot be read: .*connection"):
        ours.partial_fit(source, "mail")
    assert_unchanged(ours, before)


def test_lists_beside_rows_without_an_order_are_refused(server):
    connection, source = on_server(server, DAYS)
    with pytest.raises(ValueError, match="no order of rows.*name of a column"):
        by.NaiveBayes().fit(source, ["ham"] * N_ROWS)
    with pytest.raises(ValueError, match="no order of rows.*no sample_weight"):
        by.NaiveBayes().fit(source, "mail", sample_weight=[1.0] * N_ROWS)
    connection.disconnect()
