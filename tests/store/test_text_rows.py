"""Folders of texts, Maildirs and mailboxes as rows of a store, once by their ids."""

import pytest

import bayesic as by
from helpers.mails import SPAM, made_up_maildirs


@pytest.fixture
def maildir(tmp_path):
    return made_up_maildirs(tmp_path / "mails")


def test_a_store_learns_mails_once_by_their_ids(maildir, tmp_path):
    with by.open_store(tmp_path / "mail.store") as store:
        store.create("spam", by.TextClassifier())
        receipt = store.learn("spam", maildir)
        assert receipt.ids == ("<lunch@sun.example>", "<win@rain.example>")
        assert store.learn("spam", maildir).already == (True, True)
        assert store.learn("spam", maildir / "spam", "spam").already == (True,)
        store.correct("spam", "<win@rain.example>", "ham")
        assert store.model("spam").class_count_.tolist() == [2, 0]
        store.forget("spam", ["<win@rain.example>"])
        assert store.learn("spam", maildir / "spam", ["spam"], ids=["mine"]).ids == ("mine",)
        with pytest.raises(ValueError, match="of which class all of them are: y='spam'"):
            store.learn("spam", maildir / "spam")


def test_a_mail_that_is_there_twice_is_one_row_and_in_two_classes_refused(maildir, tmp_path):
    (maildir / "spam" / "new" / "copy").write_bytes(SPAM)
    with by.open_store(tmp_path / "mail.store") as store:
        store.create("spam", by.TextClassifier())
        assert len(store.learn("spam", maildir).ids) == 2
        (maildir / "ham" / "new" / "copy").write_bytes(SPAM)
        with pytest.raises(
            ValueError, match="'<win@rain.example>' is there as 'ham' and as 'spam'"
        ):
            store.learn("spam", maildir)
