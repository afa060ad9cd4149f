"""A small part of http_junk.py: every request is answered, or refused with a sentence."""

import pytest

from http_junk import faults


# a refusal in the middle of reading a journal leaves a generator over a connection that is closed
@pytest.mark.filterwarnings("ignore:Exception ignored in. <generator object:pytest.PytestWarning")
def test_junk_in_any_place_is_answered_or_refused_with_a_sentence():
    assert faults(every=97) == []
