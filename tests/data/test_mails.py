"""Mails: who sent them, their ids, Maildirs; and whatever bytes come, there is a text."""

import email.message
import mailbox

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.data.mails import is_maildir, mail_text, read_mail, text_id
from bayesic.data.text_files import files_below, labelled_identified_texts
from helpers.mails import HAM, SPAM, made_up_maildirs


def test_the_sender_is_read_and_decoded():
    mail = b"From: =?utf-8?b?5LiL6Zuo?= <rain@sky.example>\nSubject: =?gb2312?b?s9S3uQ==?=\n\nlunch"
    assert mail_text(mail) == "下雨 <rain@sky.example>\n吃饭\nlunch"


def test_the_id_is_the_message_id_however_it_is_folded():
    assert read_mail(SPAM)[0] == "<win@rain.example>"
    assert read_mail(b"Message-Id:\n <7@rain.example>\nSubject: rain\n\n")[0] == "<7@rain.example>"


@pytest.mark.parametrize("id", [b"", b"\xe9\xff", b"<\x01@rain>", b"x" * 5000])
def test_what_has_no_good_id_is_known_by_its_text(id):
    mail = b"Message-ID: " + id + b"\nSubject: Lunch\n\nToday?"
    assert read_mail(mail) == (text_id("Lunch\nToday?"), "Lunch\nToday?")


def test_a_mail_is_the_same_however_it_was_sent():
    lines = SPAM.replace(b"\n", b"\r\n")
    assert read_mail(lines) == read_mail(SPAM)
    assert read_mail(b"From lucky Mon Nov 16 2026\n" + SPAM) == read_mail(SPAM)
    assert read_mail(b"X-Bayes: spam\n" + SPAM + b"\n\n") == read_mail(SPAM)


def test_a_mailbox_gives_the_ids_of_its_mails(tmp_path):
    box = mailbox.mbox(tmp_path / "spam.mbox")
    box.add(SPAM)
    box.add(HAM)
    box.close()
    found = [*labelled_identified_texts(tmp_path / "spam.mbox")]
    assert found == [("spam", *read_mail(SPAM)), ("spam", *read_mail(HAM))]


# Maildir ------------------------------------------------------------------------------------------


@pytest.fixture
def maildir(tmp_path):
    return made_up_maildirs(tmp_path / "mails")


def test_the_files_of_a_maildir_are_mails_and_nothing_else_is_read(maildir):
    assert is_maildir(maildir / "spam") and not is_maildir(maildir)
    (path,) = files_below(maildir / "spam")
    assert path.parent.name == "cur"
    assert [*labelled_identified_texts(maildir / "spam")] == [(None, *read_mail(SPAM))]


def test_a_maildir_for_each_class_is_learned_as_a_folder_of_classes(maildir):
    model = by.TextClassifier().fit(maildir)
    right = by.TextClassifier().fit([mail_text(HAM), mail_text(SPAM)], ["ham", "spam"])
    assert model.vocabulary_ == right.vocabulary_ and model.classes_.tolist() == ["ham", "spam"]
    assert model.predict(maildir / "spam").tolist() == ["spam"]


def test_a_maildir_alone_has_no_classes(maildir):
    with pytest.raises(ValueError, match="There are no labels"):
        by.TextClassifier().fit(maildir / "spam")


# whatever comes -----------------------------------------------------------------------------------


pieces = st.sampled_from(
    [
        b"Subject: ",
        b"From: ",
        b"Message-ID: ",
        b"Content-Type: text/html; charset=",
        b"Content-Type: multipart/mixed; boundary=rain",
        b"Content-Type: message/rfc822",
        b"Content-Transfer-Encoding: base64",
        b"Content-Transfer-Encoding: uuencode",
        b"Content-Disposition: attachment",
        b"--rain",
        b"--rain--",
        b"=?utf-8?b?",
        b"=?utf-8?q?=ff?=",
        b"\n",
        b"\r\n",
        b"\n\n",
        b"<script>",
        b"&#xd800;",
        b"\xff\xfe\x00",
    ]
)


@given(st.lists(pieces | st.binary(max_size=10), max_size=20).map(b"".join))
def test_any_bytes_are_a_mail_with_an_id_that_a_store_takes(data):
    id, text = read_mail(data)
    assert id and id.isascii() and id.isprintable()
    assert isinstance(text, str) and (id, text) == read_mail(data)


@given(st.lists(pieces | st.binary(max_size=10), max_size=8).map(b"".join))
def test_a_mail_that_was_cut_or_changed_is_still_read(junk):
    mail = email.message.EmailMessage()
    mail["Subject"] = "free lunch"
    mail.set_content("rain 下雨")
    mail.add_alternative("<p>rain</p>", subtype="html")
    whole = mail.as_bytes()
    for place in range(0, len(whole), 25):
        assert read_mail(whole[:place])[0]
        assert read_mail(whole[:place] + junk + whole[place:])[0]
