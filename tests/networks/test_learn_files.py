"""Learned networks in model files."""

import numpy as np
import pytest

from bayesic.files.archive import read_archive, refusing, write_archive
from bayesic.networks._learning.model_file import restored_network
from bayesic.networks.network import BeliefNetwork
from helpers.comparisons import assert_same

ROWS = {
    "天气": ["晴", "雨", "晴", "雨"],
    "wind": [True, False, False, False],
    "play": [0.5, 2, 10, 2],
}


def learned(**options):
    states = {"play": None, "天气": ["雨", "雪"], "wind": None}
    return BeliefNetwork([("天气", "play"), ("wind", "play")], states=states).fit(ROWS, **options)


def loaded(path):
    manifest, arrays = read_archive(path)
    with refusing(path):
        return restored_network(BeliefNetwork, manifest, arrays)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"smoothing": ("bdeu", 2)},
        {"smoothing": "back-off"},
        {"smoothing": 0.5, "sample_weight": [1, 0.25, 3, 1]},
    ],
    ids=["plain", "bdeu", "back-off", "weights"],
)
def test_a_network_comes_back_as_it_was_and_learns_on(tmp_path, options):
    net = learned(**options)
    net.save(tmp_path / "play.bayes")
    again = loaded(tmp_path / "play.bayes")
    assert again == net
    assert again.smoothing_ == net.smoothing_
    assert_same(again.statistics_, net.statistics_)
    net.partial_fit(ROWS)
    again.partial_fit(ROWS)
    assert again == net
    first_again, first = again.fit(ROWS), learned()
    assert first_again == first  # given states are still told from learned ones


def test_the_same_network_gives_the_same_bytes(tmp_path):
    learned().save(tmp_path / "one.bayes")
    learned().save(tmp_path / "two.bayes")
    assert (tmp_path / "one.bayes").read_bytes() == (tmp_path / "two.bayes").read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest, arrays: manifest["parameters"].pop("edges"),
        lambda manifest, arrays: manifest["parameters"].update(edges=[]),
        lambda manifest, arrays: manifest["parameters"].update(states=None),
        lambda manifest, arrays: manifest.update(statistics=None),
        lambda manifest, arrays: manifest.update(extra={"dict": [["smoothing", -1]]}),
        lambda manifest, arrays: manifest.update(extra={"dict": []}),
        lambda manifest, arrays: manifest.update(extra=[]),
        lambda manifest, arrays: manifest.update(classes=["yes"]),
        lambda manifest, arrays: manifest.update(features={"number": 2, "names": None}),
        lambda manifest, arrays: arrays.update({"statistics.table": np.arange(3)}),
        lambda manifest, arrays: arrays.update(
            {"statistics.table": arrays["statistics.table"] - 1}
        ),
    ],
    ids=[
        "no edges", "other edges", "other states", "no counts", "smoothing", "no smoothing",
        "no extra", "classes", "features", "few counts", "negative counts",
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_sentence(tmp_path, change):
    path = tmp_path / "play.bayes"
    learned().save(path)
    manifest, arrays = read_archive(path)
    change(manifest, arrays)
    write_archive(path, manifest, arrays)
    with pytest.raises(ValueError, match=r"play\.bayes is not a bayesic model file"):
        loaded(path)
