"""`bayesic fit` at each site, with noise or without, and `bayesic merge`."""

import pytest

import bayesic as by


@pytest.fixture
def sites(write, tennis):
    for number, (start, stop) in enumerate([(0, 5), (5, 6), (6, 14)]):
        write(f"site{number}.csv", {name: cells[start:stop] for name, cells in tennis.items()})
    return [f"site{number}" for number in range(3)]


def test_merged_sites_are_the_model_of_all_rows(run, folder, sites, model):
    for site in sites:
        run("fit", f"{site}.csv", "--target", "PlayTennis", "--out", f"{site}.bayes")
    run("merge", *(f"{site}.bayes" for site in sites), "--out", "all.bayes")
    merged, expected = by.load(folder / "all.bayes"), by.load(model)
    assert merged.statistics_.class_count.tolist() == expected.statistics_.class_count.tolist()
    for name, counts in expected.statistics_.columns.items():
        assert merged.statistics_.columns[name].levels == counts.levels
        assert merged.statistics_.columns[name].table.tolist() == counts.table.tolist()


def test_a_site_writes_counts_with_noise_alone(run, folder, sites):
    words = ["fit", "site0.csv", "--target", "PlayTennis", "--out", "told.bayes", "--noise"]
    drawn = set()
    for _ in range(5):
        run(*words, "0.5")
        drawn.add(tuple(by.load(folder / "told.bayes").statistics_.class_count.tolist()))
    assert len(drawn) > 1
    run(*words, "150")  # hardly any
    exact = by.NaiveBayes().fit("site0.csv", y="PlayTennis")
    told = by.load(folder / "told.bayes")
    assert told.statistics_.class_count.tolist() == exact.statistics_.class_count.tolist()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--noise", "0"), "epsilon must be a number above 0"),
        (("--noise", "1", "--model", "aode"), "got CombinationCounts"),
        (("--noise", "1", "--model", "auto"), "got PooledCounts"),
    ],
)
def test_what_cannot_have_noise_is_refused(run, sites, words, sentence):
    told = run("fit", "site2.csv", "--target", "PlayTennis", "--out", "x.bayes", *words, code=1)
    assert sentence in told.stderr


def test_a_model_of_weights_has_no_counts(run, write):
    write("wind.csv", {"wind": [1.5, 2.5, 8.0, 9.5], "sky": ["sun", "sun", "rain", "rain"]})
    words = ["--target", "sky", "--model", "logistic", "--noise", "1", "--out", "x.bayes"]
    told = run("fit", "wind.csv", *words, code=2).stderr
    assert "LogisticRegression cannot be written as counts with noise" in told
