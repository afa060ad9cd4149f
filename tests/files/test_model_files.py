"""Models to files and back: nothing is lost, nothing is believed."""

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import bayesic as by
from bayesic.catalogue import ModelEntry
from bayesic.files import model_files as files
from bayesic.files.archive import read_archive, write_archive
from bayesic.files.tagged import encode
from bayesic.models.notes import Note
from helpers.comparisons import assert_same, assert_unchanged, impossible_rows_allowed, state_of
from helpers.labelled_rows import FIVE, fresh

X = np.array([[2, 1, 0], [1, 0, 3], [0, 4, 1], [1, 1, 1]])
Y = np.array(["spam", "spam", "ham", "news"])
every_model = pytest.mark.parametrize("Model", FIVE, ids=lambda Model: Model.__name__)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "spam.bayes"


@pytest.fixture(scope="module")
def shared_path(tmp_path_factory):
    return tmp_path_factory.mktemp("models") / "spam.bayes"


def through_file(model, path):
    model.save(path)
    return by.load(path)


def through_pickle(model, path):
    path.write_bytes(pickle.dumps(model))
    return pickle.loads(path.read_bytes())


def through_joblib(model, path):
    joblib.dump(model, path)
    return joblib.load(path)


every_way = pytest.mark.parametrize("way", [through_file, through_pickle, through_joblib])


def answers(model, rows):
    with impossible_rows_allowed():
        return model.predict_joint_log_proba(rows), model.predict_proba(rows)


def assert_identical(ours, theirs, rows=X):
    """All that the models hold is the same, to the last bit."""
    mine, other = vars(ours), vars(theirs)
    assert set(mine) == set(other)
    assert_unchanged(ours, {name: other[name] for name in mine})
    for one, another in zip(answers(ours, rows), answers(theirs, rows), strict=True):
        assert one.tobytes() == another.tobytes()


# what was saved comes back ----------------------------------------------------------------------


@every_way
@every_model
def test_a_model_comes_back_to_the_last_bit(Model, way, path):
    model = fresh(Model).fit(X, Y)
    assert_identical(way(model, path), model)


@every_way
@every_model
def test_learning_goes_on_as_if_the_model_had_stayed(Model, way, path):
    stayed = fresh(Model).fit(X, Y)
    came_back = way(fresh(Model).fit(X, Y), path)
    other = fresh(Model).fit(X[:2] + 1, ["rain", "spam"])
    for model in (stayed, came_back):
        model.partial_fit(X[::-1], Y).forget(X[:1], Y[:1]).merge(other)
    assert stayed.classes_.tolist() == ["ham", "news", "rain", "spam"]
    assert_identical(came_back, stayed)
    held_out = [model.leave_one_out(X[1:], Y[1:]) for model in (came_back, stayed)]
    assert held_out[0].tobytes() == held_out[1].tobytes()


@every_way
@every_model
def test_statistics_that_came_back_cannot_be_changed(Model, way, path):
    model = way(fresh(Model).fit(X, Y), path)
    with pytest.raises(ValueError, match="read-only"):
        model.statistics_.class_count[0] = 7


@every_model
def test_a_model_that_came_back_can_be_cloned_and_fitted_anew(Model, path):
    model = fresh(Model).fit(X, Y)
    again = clone(through_file(model, path))
    assert again.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        again.predict(X)
    assert_identical(again.fit(X, Y), model)


@every_model
def test_the_same_model_gives_the_same_bytes(Model, tmp_path):
    for name in ("some", "same"):
        fresh(Model).fit(X, Y).save(tmp_path / name)
    assert (tmp_path / "some").read_bytes() == (tmp_path / "same").read_bytes()


@every_model
def test_names_of_features_come_back_and_are_checked(Model, path):
    table = pd.DataFrame(X, columns=["免费", "win", "the end"])
    model = through_file(fresh(Model).fit(table, Y), path)
    assert model.feature_names_in_.tolist() == list(table.columns)
    assert model.predict_proba(table).shape == (4, 3)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table.rename(columns={"免费": "free"}))


@pytest.mark.parametrize(
    "labels",
    [
        np.array([1, 5, 1, -3], dtype=np.int8),
        np.array([1.0, 5.0, 1.0, -3.0], dtype=np.float32),
        np.array([True, False, True, False]),
        np.array(["雨", "晴", "雨", "\ud800"]),
        np.array([b"rain", b"sun", b"rain", b"fog"]),
        np.array(["rain", "sun", "rain", "雨"], dtype=object),
        np.array([3, 4, 3, 10**30], dtype=object),
        np.array(["rain", "sun", "rain", "雨"], dtype=np.dtypes.StringDType()),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_classes_come_back_with_their_dtype(labels, path):
    model = by.MultinomialNB().fit(X, labels)
    came_back = through_file(model, path)
    assert came_back.classes_.dtype == model.classes_.dtype
    assert came_back.classes_.tolist() == model.classes_.tolist()
    assert came_back.predict(X).tolist() == model.predict(X).tolist()


@pytest.mark.parametrize(
    "model",
    [
        by.MultinomialNB(alpha=0, fit_prior=False),
        by.MultinomialNB(alpha=np.array([0.5, 1.0, 2.0])),
        by.MultinomialNB(alpha=[1, 2.5, np.float32(0.1)], class_prior=(0.25, 0.25, 0.5)),
        by.BernoulliNB(binarize=None, alpha=np.float64(0.1)),
        by.BernoulliNB(binarize=np.inf),
        by.CategoricalNB(min_categories=np.array([7, 8, 9])),
        by.CategoricalNB(min_categories=[5, 5, 5], force_alpha=False),
        by.ComplementNB(norm=True),
        by.GaussianNB(priors=np.array([0.5, 0.25, 0.25]), var_smoothing=0.1),
    ],
    ids=repr,
)
def test_parameters_come_back_with_their_types(model, path):
    model.fit(np.minimum(X, 1), Y)
    came_back = through_file(model, path)
    assert repr(came_back.get_params()) == repr(model.get_params())
    assert_identical(came_back, model, np.minimum(X, 1))


def test_a_class_without_rows_comes_back(path):
    model = by.GaussianNB().partial_fit(
        [[1.0], [2.0]], ["ham", "spam"], classes=["ham", "news", "spam"]
    )
    assert_identical(through_file(model, path), model, [[1.5]])


def test_the_file_holds_what_the_page_says(path):
    by.MultinomialNB().fit(X, Y).save(path)
    manifest, arrays = read_archive(path)
    assert list(manifest) == [
        "library", "model", "parameters", "classes", "features", "statistics", "extra",
        "decision",
    ]  # fmt: skip
    assert manifest["library"] == by.__version__ and manifest["model"] == "MultinomialNB"
    assert manifest["parameters"]["alpha"] == 1.0
    assert arrays["classes"].tolist() == ["ham", "news", "spam"]
    assert arrays["statistics.class_count"].tolist() == [1, 1, 2]
    assert arrays["statistics.feature_count"].tolist() == [[0, 4, 1], [1, 1, 1], [3, 1, 3]]


def test_parameters_are_stored_as_they_are_when_the_model_is_saved(path):
    model = by.MultinomialNB(alpha=1.0).fit(X, Y).set_params(alpha=3.0)
    expected = by.MultinomialNB(alpha=3.0).fit(X, Y)
    assert_identical(through_file(model, path), expected)


# extra state ------------------------------------------------------------------------------------


class Remembering(by.MultinomialNB):
    """A model that keeps more than its statistics."""

    notes = (
        Note(
            keys=frozenset({"kinds", "limit"}),
            state=lambda model: {"kinds": {"free": ("text", 1)}, "limit": np.inf},
            restore=lambda model, state: setattr(model, "remembered_", state),
        ),
    )


def test_extra_state_comes_back_before_estimating(path, monkeypatch):
    monkeypatch.setitem(files.MODELS, "Remembering", ModelEntry("Remembering", __name__))
    model = through_file(Remembering().fit(X, Y), path)
    assert model.remembered_ == {"kinds": {"free": ("text", 1)}, "limit": np.inf}
    assert list(vars(model)).index("remembered_") < list(vars(model)).index("statistics_")


def test_extra_state_that_a_model_does_not_have_is_refused(path):
    edit_manifest(path, lambda manifest: manifest.update(extra={"dict": [["run", "rm"]]}))
    refused(path, r"MultinomialNB has no extra state, got {'run': 'rm'}")


# what is not saved ------------------------------------------------------------------------------


def test_a_model_that_has_learned_nothing_is_not_saved(path):
    with pytest.raises(NotFittedError):
        by.MultinomialNB().save(path)
    assert not path.exists()


def test_a_model_of_another_kind_is_not_saved(path):
    class MultinomialNB(by.MultinomialNB):
        pass

    with pytest.raises(TypeError, match=r"got a MultinomialNB\. Use pickle"):
        MultinomialNB().fit(X, Y).save(path)
    with pytest.raises(TypeError, match=r"got a Remembering\. Use pickle"):
        Remembering().fit(X, Y).save(path)
    assert not path.exists()


def test_a_parameter_that_a_file_cannot_hold_is_named(path):
    model = by.MultinomialNB(class_prior=pd.Series([0.5, 0.25, 0.25])).fit(X, Y)
    before = state_of(model)
    with pytest.raises(TypeError, match=r"parameters\.class_prior is or holds a Series"):
        model.save(path)
    assert not path.exists()
    assert_unchanged(model, before)


def test_classes_that_a_file_cannot_hold_are_named(path):
    days = pd.to_datetime(["2024-01-05", "2024-01-06"] * 2).to_pydatetime()
    model = by.MultinomialNB().fit(X, np.array(days, dtype=object))
    with pytest.raises(TypeError, match=r"classes\.0 is or holds a datetime"):
        model.save(path)


# damaged files ----------------------------------------------------------------------------------


def refused(path, reason=""):
    with pytest.raises(ValueError, match="is not a bayesic model file: .*" + reason) as error:
        by.load(path)
    message = str(error.value)
    assert message.startswith(str(path)) and "\n" not in message


@pytest.fixture(scope="module")
def small_model():
    return by.MultinomialNB().fit([[1.0], [3.0], [4.0]], ["rain", "rain", "sun"])


def test_every_flipped_byte_is_refused_or_does_not_matter(small_model, path):
    small_model.save(path)
    whole = path.read_bytes()
    unharmed = 0
    for place in range(len(whole)):
        path.write_bytes(
            whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :]
        )
        try:
            model = by.load(path)
        except ValueError as error:
            assert str(path) in str(error) and "\n" not in str(error)
        else:
            unharmed += 1
            assert_same(model.statistics_, small_model.statistics_)
            assert model.predict_proba([[2.0]]).tolist() == (
                small_model.predict_proba([[2.0]]).tolist()
            )
    assert unharmed < len(whole) / 4  # dates and the like, which nobody reads


def test_every_cut_file_is_refused(small_model, path):
    small_model.save(path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        refused(path)


@given(data=st.data())
def test_random_damage_is_refused_or_does_not_matter(small_model, shared_path, data):
    small_model.save(shared_path)
    content = bytearray(shared_path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        removed = data.draw(st.sampled_from([0, 1, 4, 100]))
        content[start : start + removed] = data.draw(st.binary(max_size=8))
    shared_path.write_bytes(content)
    try:
        model = by.load(shared_path)
    except ValueError as error:
        assert str(shared_path) in str(error)
    else:
        assert_same(model.statistics_, small_model.statistics_)


# files made by hand, with right checksums -------------------------------------------------------


def edit_manifest(path, edit, model=None):
    """Save a model, and change its manifest."""
    (by.MultinomialNB().fit(X, Y) if model is None else model).save(path)
    manifest, arrays = read_archive(path)
    edit(manifest)
    write_archive(path, manifest, arrays)


def edit_arrays(path, model, **changed):
    """Save a model, and change its statistics."""
    model.save(path)
    manifest, arrays = read_archive(path)
    for name, array in changed.items():
        assert f"statistics.{name}" in arrays
        arrays[f"statistics.{name}"] = np.asarray(array)
    write_archive(path, manifest, arrays)


def test_a_newer_file_says_so(path, monkeypatch):
    monkeypatch.setattr("bayesic.files.archive.FORMAT", 2)
    by.MultinomialNB().fit(X, Y).save(path)
    monkeypatch.setattr("bayesic.files.archive.FORMAT", 1)
    with pytest.raises(ValueError, match=r"newer bayesic \(format 2; this one reads 1\): update"):
        by.load(path)


def test_an_unknown_model_is_refused(path):
    edit_manifest(path, lambda manifest: manifest.update(model="os.system"))
    refused(path, "holds a 'os.system', which this version does not know")


def test_missing_and_unknown_keys_are_shown(path):
    def edit(manifest):
        del manifest["classes"]
        manifest["klasses"] = 1

    edit_manifest(path, edit)
    refused(path, r"lacks \['classes'\] and has the unknown \['klasses'\]")


def test_missing_and_unknown_parameters_are_shown(path):
    def edit(manifest):
        manifest["parameters"]["beta"] = manifest["parameters"].pop("alpha")

    edit_manifest(path, edit)
    refused(path, r"MultinomialNB lacks \['alpha'\] and has the unknown \['beta'\]")


@pytest.mark.parametrize(
    "change",
    [
        {
            "parameters": {
                "alpha": -1.0,
                "class_prior": None,
                "fit_prior": True,
                "force_alpha": True,
            }
        },
        {"parameters": {"alpha": 1.0, "class_prior": [1], "fit_prior": True, "force_alpha": True}},
        {"parameters": None},
        {"model": ["MultinomialNB"]},
        {"classes": None},
        {"classes": {"array": "statistics.feature_count"}},
        {"classes": {"objects": {"shape": [3], "values": ["rain", "rain", "sun"]}}},
        {"classes": {"objects": {"shape": [3], "values": [None, "rain", "sun"]}}},
        {"classes": {"objects": {"shape": [2], "values": ["rain", "sun"]}}},
        {"features": {"number": 2, "names": None}},
        {"features": {"number": "3", "names": None, "more": 1}},
        {"features": {"number": 3, "names": {"words": "elsewhere"}}},
        {"features": {"number": 3, "names": "abc"}},
        {"features": {"number": 3, "names": {"tuple": ["free", "win"]}}},
        {"statistics": None},
        {"statistics": {"array": "classes"}},
        {"statistics": {"record": {"class": "Popen", "fields": {"args": "rm"}}}},
        {"extra": None},
        {"extra": {"code": "import os"}},
    ],
    ids=repr,
)
def test_a_manifest_that_does_not_hang_together_is_refused(path, change):
    edit_manifest(path, lambda manifest: manifest.update(change))
    refused(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"class_count": [1, 1]},
        {"class_count": [[1], [1], [2]]},
        {"class_count": [1, 1, -2]},
        {"class_count": ["1", "1", "2"]},
        {"class_count": [1.0, np.nan, 2.0]},
        {"class_count": [True, True, False]},
        {"feature_count": np.zeros((3, 2), np.int64)},
        {"feature_count": np.zeros((2, 3), np.int64)},
        {"feature_count": np.zeros((3, 0), np.int64)},
        {"feature_count": np.zeros(3, np.int64)},
        {"feature_count": np.zeros((3, 3), np.float32)},
        {"feature_count": np.full((3, 3), np.inf)},
        {"feature_count": np.full((3, 3), 1e308)},
        {"feature_count": np.full((3, 3), 2**62)},
    ],
    ids=repr,
)
def test_counts_that_cannot_have_been_counted_are_refused(path, changed):
    edit_arrays(path, by.MultinomialNB().fit(X, Y), **changed)
    refused(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"present": np.zeros((3, 2), np.int64)},
        {"absent": np.zeros((4, 3), np.int64)},
        {"absent": np.full((3, 3), -1)},
    ],
    ids=repr,
)
def test_presence_that_cannot_have_been_counted_is_refused(path, changed):
    edit_arrays(path, by.BernoulliNB().fit(X, Y), **changed)
    refused(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"n_categories": [3, 5, 5]},
        {"n_categories": [3.0, 5.0, 4.0]},
        {"n_categories": [-3, 11, 4]},
        {"n_categories": [10**18, 5, 4]},
        {"n_categories": [2**62, 2**62, 2**62]},
        {"table": np.zeros((12, 2), np.int64)},
        {"table": np.full((12, 3), -1)},
    ],
    ids=repr,
)
def test_categories_that_cannot_have_been_counted_are_refused(path, changed):
    model = by.CategoricalNB().fit(X, Y)
    assert model.statistics_.n_categories.tolist() == [3, 5, 4]
    edit_arrays(path, model, **changed)
    refused(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"per_class.count": np.full((3, 3), -1.0)},
        {"per_class.count": np.ones((3, 3), np.int64)},
        {"per_class.count": np.ones((2, 3))},
        {"per_class.mean": np.full((3, 3), np.nan)},
        {"per_class.mean": np.full((3, 3), 1e200)},
        {"per_class.mean": np.ones((3, 1))},
        {"per_class.scatter": np.full((3, 3), -1.0)},
        {"per_class.scatter": np.full((3, 3), np.inf)},
        {"class_count": [1, 3]},
    ],
    ids=repr,
)
def test_moments_that_cannot_have_been_measured_are_refused(path, changed):
    edit_arrays(path, by.GaussianNB().fit(X, Y), **changed)
    refused(path)


def test_a_statistic_of_another_model_is_refused(path):
    arrays = {}
    statistics = by.GaussianNB().fit(X, Y).statistics_
    node = encode(statistics, "statistics", arrays, files.statistics_classes())
    by.MultinomialNB().fit(X, Y).save(path)
    manifest, old = read_archive(path)
    write_archive(path, manifest | {"statistics": node}, old | arrays)
    refused(path)


# all that can be named is there -----------------------------------------------------------------


def test_every_statistic_that_a_file_may_name_checks_itself():
    for name, statistic in files.statistics_classes().items():
        assert statistic.__name__ == name
        assert callable(statistic.checked)


# a decision on top of a model ---------------------------------------------------------------------

CREDIT = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
RENT_AND_WORK = [[1, 1], [1, 0], [0, 1], [0, 0]]


@pytest.mark.parametrize(
    "loss",
    [None, CREDIT, [[0, 1], [5, 0]], np.array([[0, 1], [5, 0], [1, 1]]), pd.DataFrame(CREDIT).T],
    ids=["none", "dict", "list", "three actions", "table"],
)
def test_a_decision_comes_back_with_its_loss(loss, path):
    y = ["good", "good", "good", "bad"]
    bank = by.BayesDecision(by.BernoulliNB(), loss, reject_loss=0.5).fit(RENT_AND_WORK, y)
    back = through_file(bank, path)
    assert type(back) is by.BayesDecision
    assert back.actions_.tolist() == bank.actions_.tolist()
    np.testing.assert_array_equal(back.predict(RENT_AND_WORK), bank.predict(RENT_AND_WORK))
    np.testing.assert_array_equal(
        back.predict_risk(RENT_AND_WORK), bank.predict_risk(RENT_AND_WORK)
    )


def test_a_decision_on_a_model_of_another_library_cannot_be_saved(path):
    from sklearn.naive_bayes import BernoulliNB

    bank = by.BayesDecision(BernoulliNB()).fit(RENT_AND_WORK, ["good", "good", "good", "bad"])
    with pytest.raises(TypeError, match="models of bayesic"):
        bank.save(path)
    assert not path.exists()


def test_a_loss_for_other_classes_is_refused_when_loading(path):
    model = by.BernoulliNB().fit(RENT_AND_WORK, ["good", "good", "good", "bad"])
    files.save(model, path, {"loss": {"approve": {"spam": 1}}, "reject_loss": None})
    with pytest.raises(ValueError, match="is not a bayesic model file|missing in loss"):
        by.load(path)
