"""Folders, mails and columns of files are read in blocks, in order; what is broken is told."""

import email.message
import gzip
import mailbox

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from bayesic.data import duckdb_files, text_files
from bayesic.data.encodings import decoded
from bayesic.data.mails import mail_text, without_tags
from bayesic.data.source import opened, opened_file
from bayesic.data.text_files import has_texts, text_blocks
from helpers.examples import at_most

BODIES = ["free lunch", "see you at lunch", "今天下雨", 'rain, "sun"\nand more rain']
LABELS = ["spam", "ham", "ham", "spam"]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture(params=["with pyarrow", "without pyarrow"])
def either_way(request, monkeypatch):
    if request.param == "without pyarrow":
        monkeypatch.setattr(duckdb_files, "has_pyarrow", lambda: False)


def read(source, **options):
    """The texts and labels of all blocks; the labels are None if no block has any."""
    blocks = list(text_blocks(opened_file(source), **options))
    texts = [text for texts, _ in blocks for text in texts.texts()]
    labels = [labels for _, labels in blocks]
    assert all(len(texts) for texts, _ in blocks)
    if all(some is None for some in labels):
        return texts, None
    assert all(len(some) == len(texts) for texts, some in blocks)
    return texts, [label for some in labels for label in some.tolist()]


def sizes(source, **options):
    return [len(texts) for texts, _ in text_blocks(opened_file(source), **options)]


# what a source is -----------------------------------------------------------------------------


def test_a_path_is_a_source_if_it_exists(tmp_path, write):
    mail = write("mail.eml", "Subject: free\n\nlunch")
    for source in (tmp_path, str(tmp_path), mail, str(mail)):
        assert has_texts(opened(source))
    for other in ("", tmp_path / "nothing", str(tmp_path / "nothing"), [str(mail)], None, 3):
        assert not has_texts(opened(other))


@given(st.text(st.characters()))
def test_a_text_is_no_source_whatever_is_in_it(text):
    for long_or_not in (f"free lunch {text}", f"free lunch {text}" * 1000, f"free lunch {text}\0"):
        assert not has_texts(opened(long_or_not))


# folders --------------------------------------------------------------------------------------


def test_each_sub_folder_is_a_class_and_each_file_below_it_a_text(tmp_path, write):
    write("spam/2.txt", "free lunch")
    write("spam/10.txt", "free rain")
    write("ham/2024/may/note", "今天下雨")
    write("ham/2023.txt", "see you")
    assert read(tmp_path) == (
        ["see you", "今天下雨", "free rain", "free lunch"],
        ["ham", "ham", "spam", "spam"],
    )


def test_a_folder_without_sub_folders_has_texts_without_labels(tmp_path, write):
    write("sun.txt", "sun")
    write("rain.txt", "rain")
    assert read(tmp_path) == (["rain", "sun"], None)


def test_hidden_files_and_files_beside_the_classes_are_left_out(tmp_path, write):
    write("README.txt", "about these texts")
    write(".git/config", "nothing to learn")
    write("雨/.hidden", "nothing to learn")
    write("雨/.folder/text", "nothing to learn")
    write("雨/one.txt", "下雨")
    assert read(tmp_path) == (["下雨"], ["雨"])


def test_a_link_that_leads_round_in_a_circle_is_not_followed(tmp_path, write):
    write("ham/one.txt", "lunch")
    (tmp_path / "ham" / "again").symlink_to(tmp_path / "ham", target_is_directory=True)
    assert read(tmp_path) == (["lunch"], ["ham"])


def test_the_files_of_a_class_may_be_mails(tmp_path, write):
    write("spam/one.eml", "Subject: free\n\nlunch")
    write("ham/all.mbox", "From me\nSubject: rain\n\ntoday\n\nFrom me\n\nsun\n")
    texts, labels = read(tmp_path)
    assert [text.split() for text in texts] == [["rain", "today"], ["sun"], ["free", "lunch"]]
    assert labels == ["ham", "ham", "spam"]


def test_a_folder_that_does_not_exist_or_is_empty_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file or folder .*nothing'. Check"):
        text_blocks(opened_file(tmp_path / "nothing"))
    with pytest.raises(ValueError, match="must hold texts, but there is no file in it. Put one"):
        text_blocks(opened_file(tmp_path))
    (tmp_path / "spam").mkdir()
    with pytest.raises(ValueError, match="must hold texts, but there is no file in it. Put one"):
        text_blocks(opened_file(tmp_path))


def test_columns_of_a_folder_are_refused(tmp_path, write):
    write("ham/one.txt", "lunch")
    for options in ({"text": "body"}, {"target": "label"}):
        with pytest.raises(ValueError, match="name columns of a table, but .* Leave them out"):
            text_blocks(opened_file(tmp_path), **options)


# single files ---------------------------------------------------------------------------------


def test_a_file_is_one_text_in_utf_8_or_else_in_latin_1(write):
    assert read(write("rain.txt", "下雨\nrain")) == (["下雨\nrain"], None)
    assert read(write("marked", b"\xef\xbb\xbfrain")) == (["rain"], None)
    assert read(write("old.txt", "café".encode("latin-1"))) == (["café"], None)
    assert read(write("empty.txt", "")) == ([""], None)


@at_most(20)
@given(text=st.text(st.characters(exclude_characters="\0", codec="utf-8")))
def test_every_text_comes_back_from_its_file(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("mail") / "mail.txt"
    path.write_bytes(text.encode())
    assert read(path) == ([text.removeprefix("\ufeff")], None)


def test_a_file_with_zero_bytes_is_no_text(write):
    path = write("mail.txt", "free lunch".encode("utf-16"))
    with pytest.raises(ValueError, match="must be text, but it has zero bytes"):
        read(path)


@given(st.binary())
def test_any_bytes_are_some_text(data):
    for charset in (None, "utf-8", "gb2312", "no such set", "rot13", "zero\0in it"):
        assert isinstance(decoded(data, charset), str)


def test_blocks_hold_some_bytes_or_some_rows(tmp_path, write, monkeypatch):
    for number in range(5):
        write(f"ham/{number}.txt", "rain " * 20)
    assert sizes(tmp_path) == [5]
    assert sizes(tmp_path, rows_per_block=2) == [2, 2, 1]
    monkeypatch.setattr(text_files, "BYTES_PER_BLOCK", 250)
    assert sizes(tmp_path) == [3, 2]


# tables ---------------------------------------------------------------------------------------


@pytest.fixture(params=["mail.csv", "mail.tsv", "mail.csv.gz", "mail.txt", "mail.parquet"])
def table(request, tmp_path):
    frame = pd.DataFrame({"id": range(4), "body": BODIES, "label": LABELS})
    path = tmp_path / request.param
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


@pytest.mark.usefixtures("either_way")
def test_a_table_gives_its_text_column_with_the_target_as_labels(table):
    assert read(table, text="body", target="label") == (BODIES, LABELS)
    assert read(table, text="body") == (BODIES, None)
    assert read(str(table), text="body", target="id") == (BODIES, [0, 1, 2, 3])


@pytest.mark.usefixtures("either_way")
def test_the_blocks_of_a_table_have_at_most_the_rows_that_are_asked_for(table):
    assert sizes(table, text="body", rows_per_block=3) == [3, 1]
    assert read(table, text="body", target="label", rows_per_block=1) == (BODIES, LABELS)


@pytest.mark.usefixtures("either_way")
def test_long_tables_are_cut_by_bytes_and_keep_their_order(write, monkeypatch):
    bodies = [f"rain {number}" for number in range(5000)]
    path = write("mail.csv", "body\n" + "\n".join(bodies))
    monkeypatch.setattr(text_files, "BYTES_PER_BLOCK", 30_000)
    assert sizes(path) == [4096, 904]
    assert read(path) == (bodies, None)


def test_the_only_other_column_is_the_text(write):
    path = write("mail.csv", "label,body\nspam,free\nham,42\n")
    assert read(path, target="label") == (["free", "42"], ["spam", "ham"])


def test_a_csv_file_without_rows_has_no_blocks(write):
    assert sizes(write("mail.csv", "body\n")) == []


def test_an_empty_cell_is_a_missing_text(write):
    path = write("mail.csv", "label,body\nspam,\nham,rain\n")
    assert read(path, text="body", target="label") == ([None, "rain"], ["spam", "ham"])


@at_most(20)
@given(texts=st.lists(st.none() | st.text(), min_size=1))
def test_every_text_comes_back_from_a_parquet_file(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("mail") / "mail.parquet"
    parquet.write_table(pa.table({"body": pa.array(texts, pa.string())}), path)
    assert read(path) == (texts, None)


def test_a_column_that_is_not_there_is_refused(table):
    known = r"The columns are \['id', 'body', 'label'\]"
    with pytest.raises(ValueError, match=f"has no column 'text'. {known}"):
        text_blocks(opened_file(table), text="text")
    with pytest.raises(ValueError, match=f"has no column 'class'. {known}"):
        text_blocks(opened_file(table), text="body", target="class")


def test_which_column_is_the_text_must_be_clear(write):
    path = write("mail.csv", "id,body,label\n1,free,spam\n")
    with pytest.raises(ValueError, match=r"Say with text= which .* \['id', 'body', 'label'\]"):
        text_blocks(opened_file(path), target="label")
    with pytest.raises(ValueError, match="must be two columns of .*, got 'body' for both"):
        text_blocks(opened_file(path), text="body", target="body")


def test_numbers_in_the_text_column_of_a_parquet_file_are_refused(tmp_path):
    path = tmp_path / "mail.parquet"
    pd.DataFrame({"body": [3, 4]}).to_parquet(path)
    with pytest.raises(TypeError, match=r"Texts must be strings, got 3 \(int\) in row 0"):
        read(path)


def test_a_broken_table_is_refused_in_one_sentence(write):
    with pytest.raises(ValueError, match="cannot be read as a Parquet file"):
        text_blocks(opened_file(write("mail.parquet", "free lunch")), text="body")
    with pytest.raises(ValueError, match="must be a gzip file, but is broken"):
        text_blocks(
            opened_file(write("mail.csv.gz", gzip.compress(b"body\nfree\n")[:-9])), text="body"
        )


# mails ----------------------------------------------------------------------------------------


def a_mail(subject, plain=None, page=None, attached=None):
    mail = email.message.EmailMessage()
    mail["Subject"] = subject
    if plain is not None:
        mail.set_content(plain)
    if page is not None:
        (mail.add_alternative if plain is not None else mail.set_content)(page, subtype="html")
    if attached is not None:
        mail.add_attachment(attached, filename="attached.txt")
    return mail.as_bytes()


def test_a_mail_is_its_subject_and_its_plain_text():
    mail = a_mail("今天下雨", "Free lunch, 下雨", "<p>not read</p>", "not read either")
    assert mail_text(mail).split() == ["今天下雨", "Free", "lunch,", "下雨"]


def test_html_is_read_where_there_is_no_plain_text():
    page = "<style>p {color: red}</style><p>Free&nbsp;<b>lunch</b></p><script>a<b</script>"
    assert mail_text(a_mail("rain", page=page)).split() == ["rain", "Free", "lunch"]
    assert mail_text(a_mail("rain", " \n", page)).split() == ["rain", "Free", "lunch"]


@pytest.mark.parametrize("charset", ["utf-8", "gb2312", "gb18030", "big5", "no-such-set"])
def test_the_character_set_of_a_mail_is_used(charset):
    body = "下雨".encode("utf-8" if charset == "no-such-set" else charset)
    head = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"
    assert mail_text(head.encode() + body) == "下雨"


def test_a_subject_that_is_not_encoded_as_it_should_be_is_read():
    assert mail_text("Subject: 下雨\n\nrain".encode()) == "下雨\nrain"
    assert mail_text("Subject: café\n\nrain".encode("latin-1")) == "café\nrain"
    assert "=?utf-8?b?" in mail_text(b"Subject: =?utf-8?b?a?=\n\nrain")


@given(st.binary() | st.text(st.characters()).map(lambda text: text.encode("utf-8", "replace")))
def test_no_mail_is_too_broken(data):
    multipart = b'Content-Type: multipart/mixed; boundary="rain"\n\n--rain\n'
    for head in (b"", b"Subject: ", b"Content-Type: ", multipart, multipart + b"Content-Type: "):
        assert isinstance(mail_text(head + data), str)
    encoded = b"Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n"
    assert isinstance(mail_text(encoded + data), str)


def test_a_mail_in_a_mail_in_a_mail_and_so_on_is_read_as_it_is():
    nested = b"Content-Type: message/rfc822\n\n" * 2000 + b"Subject: free\n\nlunch"
    assert "lunch" in mail_text(nested)


def test_a_mailbox_gives_its_mails_in_order(tmp_path):
    box = mailbox.mbox(tmp_path / "all.mbox")
    for subject, body in [("rain", "From the sky"), ("雨", "下雨"), ("sun", "")]:
        box.add(a_mail(subject, body))
    box.close()
    texts, labels = read(tmp_path / "all.mbox")
    assert [text.split()[0] for text in texts] == ["rain", "雨", "sun"]
    assert "the sky" in texts[0]
    assert labels == ["all"] * 3  # a mailbox is a class of its own name
    assert sizes(tmp_path / "all.mbox", rows_per_block=2) == [2, 1]


def test_a_mailbox_without_a_mail_is_refused(write):
    with pytest.raises(ValueError, match="must be a mailbox .* but there is none. Save single"):
        read(write("all.mbox", "Subject: free\n\nlunch\n"))


def test_a_single_mail_file_is_one_text(write):
    assert read(write("mail.EML", a_mail("rain", "today")))[0][0].split() == ["rain", "today"]


@given(st.text())
def test_tags_go_and_the_rest_stays(page):
    assert isinstance(without_tags(page), str)
    words = page.replace("<", " ").replace(">", " ").replace("&", " ").split()
    assert without_tags(" <br> ".join(words)).split() == words


def test_a_million_opening_marks_are_no_trouble():
    assert without_tags("<" * 1_000_000) == "<" * 1_000_000
    assert without_tags("<script>" * 100_000) == ""


def test_labels_are_an_array_of_objects_as_those_of_tables_are(tmp_path, write):
    write("ham/one.txt", "lunch")
    write("mail.csv", "body,label\nfree,spam\n")
    for source, options in ((tmp_path, {}), (tmp_path / "mail.csv", {"target": "label"})):
        ((_, labels),) = text_blocks(opened_file(source), **options)
        assert labels.dtype == np.dtype(object)
