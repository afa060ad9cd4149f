"""Which models can be merged."""

import pytest

import bayesic as by


def test_bernoulli_models_that_binarize_differently_are_not_merged():
    some = by.BernoulliNB(binarize=0.0).fit([[1.0], [0.0]], ["rain", "sun"])
    more = by.BernoulliNB(binarize=5.0).fit([[1.0], [9.0]], ["rain", "sun"])
    with pytest.raises(ValueError, match=r"binarize=0\.0.*binarize=5\.0"):
        some.merge(more)
    assert some.class_count_.tolist() == [1, 1]


def test_models_of_different_kinds_are_not_merged():
    some = by.MultinomialNB().fit([[1], [0]], ["rain", "sun"])
    more = by.ComplementNB().fit([[1], [0]], ["rain", "sun"])
    with pytest.raises(TypeError, match="MultinomialNB, the other a ComplementNB"):
        some.merge(more)


def test_merging_keeps_the_arguments_of_the_first():
    some = by.MultinomialNB(alpha=0.5).fit([[1, 0], [0, 1]], ["rain", "sun"])
    more = by.MultinomialNB(alpha=7.0).fit([[3, 0], [0, 2]], ["rain", "snow"])
    at_once = by.MultinomialNB(alpha=0.5).fit(
        [[1, 0], [0, 1], [3, 0], [0, 2]], ["rain", "sun", "rain", "snow"]
    )
    merged = some.merge(more)
    assert merged.classes_.tolist() == ["rain", "snow", "sun"]
    assert merged.feature_log_prob_.tolist() == at_once.feature_log_prob_.tolist()
