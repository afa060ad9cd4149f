"""The container of model files: what is written comes back, what is damaged is refused."""

import hashlib
import io
import json
import os
import pickle
import re
import stat
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.files import archive
from bayesic.files.archive import read_archive, write_archive

ARRAYS = {"class_count": np.array([3, 1]), "mean": np.array([[0.5, -1.0]])}
NOT_A_MODEL = r"^\S+spam\.bayes is not a bayesic model file: .*[^.]\.$"

plain_dtypes = st.one_of(
    hnp.boolean_dtypes(),
    hnp.integer_dtypes(endianness="="),
    hnp.unsigned_integer_dtypes(endianness="="),
    hnp.floating_dtypes(endianness="=", sizes=(16, 32, 64)),
    hnp.unicode_string_dtypes(endianness="=", max_len=5),
    hnp.byte_string_dtypes(max_len=5),
)
plain_arrays = hnp.arrays(plain_dtypes, hnp.array_shapes(min_dims=0, min_side=0, max_dims=3))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=6,
)  # fmt: skip


@pytest.fixture
def path(tmp_path):
    return tmp_path / "spam.bayes"


@pytest.fixture(scope="module")
def shared_path(tmp_path_factory):
    return tmp_path_factory.mktemp("archives") / "spam.bayes"


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def npy_with_header(text, data=b""):
    header = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def entry(content):
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def craft(path, members, manifest=None, listed=None, method=zipfile.ZIP_DEFLATED):
    """A file as a stranger would make it: these members, with right checksums unless told."""
    listed = {name: entry(content) for name, content in members.items()} | (listed or {})
    text = json.dumps({"format": 1, "members": listed} | (manifest or {}))
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in {**members, "manifest.json": text}.items():
            file.writestr(name, content)


def replace_bytes(path, old, new):
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))


def refused(path, reason):
    with pytest.raises(ValueError, match=NOT_A_MODEL) as error:
        read_archive(path)
    assert re.search(reason, str(error.value)), str(error.value)
    return True


# what is written comes back ---------------------------------------------------------------------


@given(st.dictionaries(st.sampled_from(["spam", "ham.mean", "x_1"]), plain_arrays), json_values)
def test_manifest_and_arrays_come_back_as_they_were(shared_path, arrays, value):
    write_archive(shared_path, {"value": value}, arrays)
    manifest, read = read_archive(shared_path)
    assert repr(manifest) == repr({"value": value})
    assert set(read) == set(arrays)
    for name, array in arrays.items():
        assert read[name].dtype == array.dtype and read[name].shape == array.shape
        assert read[name].tobytes() == array.tobytes()
        assert read[name].flags.aligned and read[name].flags.writeable


def test_the_order_in_memory_comes_back(path):
    by_columns = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    write_archive(path, {}, {"by_columns": by_columns})
    read = read_archive(path)[1]["by_columns"]
    assert read.flags.f_contiguous and not read.flags.c_contiguous
    assert read.tolist() == by_columns.tolist()


def test_arrays_of_the_other_byte_order_come_back_in_that_of_the_machine(path):
    write_archive(path, {}, {"count": np.array([1, 256], dtype=">i8")})
    read = read_archive(path)[1]["count"]
    assert read.dtype == np.int64 and read.tolist() == [1, 256]


def test_a_large_array_is_read_in_several_chunks(path, monkeypatch):
    monkeypatch.setattr(archive, "CHUNK", 100)
    write_archive(path, {}, {"count": np.arange(1000)})
    assert read_archive(path)[1]["count"].tolist() == list(range(1000))


def test_the_file_is_a_zip_of_a_manifest_and_npy_arrays(path):
    write_archive(path, {"model": "GaussianNB"}, ARRAYS)
    with zipfile.ZipFile(path) as file:
        assert file.namelist() == ["class_count.npy", "mean.npy", "manifest.json"]
        manifest = json.loads(file.read("manifest.json"))
        for name, array in ARRAYS.items():
            content = file.read(f"{name}.npy")
            assert np.load(io.BytesIO(content)).tolist() == array.tolist()
            assert manifest["members"][f"{name}.npy"] == entry(content)
    assert manifest["format"] == 1 and manifest["model"] == "GaussianNB"


def test_the_same_content_gives_the_same_bytes(tmp_path):
    some, same = tmp_path / "some", tmp_path / "same"
    write_archive(some, {"model": "GaussianNB"}, ARRAYS)
    write_archive(same, {"model": "GaussianNB"}, dict(reversed(ARRAYS.items())))
    assert some.read_bytes() == same.read_bytes()


def test_a_path_may_be_chinese_and_a_string(tmp_path):
    write_archive(str(tmp_path / "垃圾邮件.bayes"), {}, ARRAYS)
    assert read_archive(str(tmp_path / "垃圾邮件.bayes"))[1]["class_count"].tolist() == [3, 1]


# writing: all or nothing ------------------------------------------------------------------------


class DiskFullError(OSError):
    pass


def fail(*arguments, **options):
    raise DiskFullError("No space left on device")


@pytest.mark.parametrize(
    "broken",
    ["os.replace", "os.fsync", "numpy.lib.format.write_array", "zipfile.ZipFile._write_end_record"],
)
def test_a_failed_save_leaves_the_old_file_whole_and_nothing_beside_it(path, monkeypatch, broken):
    write_archive(path, {"model": "old"}, ARRAYS)
    with monkeypatch.context() as patch:
        patch.setattr(broken, fail)
        with pytest.raises(DiskFullError):
            write_archive(path, {"model": "new"}, ARRAYS)
    assert [file.name for file in path.parent.iterdir()] == ["spam.bayes"]
    assert read_archive(path)[0] == {"model": "old"}


def test_a_save_that_is_interrupted_leaves_nothing(path, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_archive(path, {}, ARRAYS)
    assert list(path.parent.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_permissions_are_those_of_any_new_file_and_those_of_an_old_one_are_kept(path, tmp_path):
    (tmp_path / "any").write_bytes(b"")
    write_archive(path, {}, ARRAYS)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE((tmp_path / "any").stat().st_mode)
    path.chmod(0o600)
    write_archive(path, {}, ARRAYS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_is_followed_and_stays_a_link(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "spam.bayes"
    link.symlink_to(tmp_path / "elsewhere" / "real.bayes")
    write_archive(link, {"model": "new"}, ARRAYS)
    assert link.is_symlink()
    assert [file.name for file in (tmp_path / "elsewhere").iterdir()] == ["real.bayes"]
    assert read_archive(link)[0] == {"model": "new"}


def test_a_missing_folder_is_an_error_that_names_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no folder \S+nowhere: make it first"):
        write_archive(tmp_path / "nowhere" / "spam.bayes", {}, ARRAYS)


def test_a_folder_is_not_overwritten(tmp_path):
    with pytest.raises(ValueError, match="is a folder or a device"):
        write_archive(tmp_path, {}, ARRAYS)


def test_a_folder_that_takes_no_files_is_an_error_that_names_it(path, monkeypatch):
    def refuse(*arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(PermissionError, match=r"^spam\.bayes cannot be written in the folder "):
        write_archive(path, {}, ARRAYS)


@pytest.mark.parametrize(
    "array",
    [np.array([None]), np.zeros(1, "M8[s]"), np.zeros(1, complex), np.zeros(1, [("x", int)])],
)
def test_arrays_that_could_not_be_read_are_not_written(path, array):
    with pytest.raises(ValueError, match="cannot hold an array of dtype"):
        write_archive(path, {}, {"spam": array})
    assert not path.exists()


def test_content_that_could_not_be_read_is_not_written(path, monkeypatch):
    monkeypatch.setattr(archive, "LARGEST_CONTENT", 20)
    with pytest.raises(ValueError, match="at most 20 bytes of arrays, got 32"):
        write_archive(path, {}, ARRAYS)
    monkeypatch.setattr(archive, "LARGEST_MANIFEST", 50)
    with pytest.raises(ValueError, match="at most 50 bytes"):
        write_archive(path, {"long": "word" * 20}, {})
    assert not path.exists()


# reading: what is refused -----------------------------------------------------------------------


def test_a_missing_file_and_a_folder_are_errors(path):
    with pytest.raises(FileNotFoundError, match=r"There is no file \S+spam\.bayes\. Check"):
        read_archive(path)
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read_archive(path.parent)


@pytest.mark.parametrize(
    "content", [b"", b"spam", b"PK\x05\x06", pickle.dumps({"spam": 1}), b"0,1"]
)
def test_other_files_are_refused(path, content):
    path.write_bytes(content)
    assert refused(path, "its content is damaged")


def test_a_zip_without_a_manifest_is_refused(path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("class_count.npy", npy(ARRAYS["class_count"]))
    assert refused(path, r"no manifest\.json")


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ("[]", "is not a JSON object"),
        ("{", "its content is damaged"),
        ("\ud800".encode("utf-8", "surrogatepass"), "its content is damaged"),
        ("[" * 100_000, "its content is damaged"),
        ('{"format": 1, "members": {}, "alpha": NaN}', "holds NaN"),
        ('{"members": {}}', "unknown format None"),
        ('{"format": 0, "members": {}}', "unknown format 0"),
        ('{"format": true, "members": {}}', "unknown format True"),
        ('{"format": "1", "members": {}}', "unknown format '1'"),
        ('{"format": 1}', "does not list its members"),
        ('{"format": 1, "members": ["spam.npy"]}', "does not list its members"),
        ('{"format": 1, "members": {"spam.npy": 7}}', "differ"),
    ],
)
def test_a_manifest_that_is_none_is_refused(path, manifest, reason):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("manifest.json", manifest)
    assert refused(path, reason)


def test_a_file_of_a_newer_version_says_so_whatever_else_it_holds(path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("manifest.json", '{"format": 2, "members": "elsewhere"}')
        file.writestr("some/thing.new", b"spam")
    with pytest.raises(ValueError, match=r"by a newer bayesic \(format 2; this one reads 1\)"):
        read_archive(path)


@pytest.mark.parametrize("name", ["../spam.npy", "/etc/spam.npy", "a/b.npy", "..npy", "spam"])
def test_members_with_other_names_are_refused(path, name):
    craft(path, {name: npy(np.arange(3))})
    assert refused(path, "does not list its members")


def test_a_name_with_a_hidden_end_is_refused(path):
    craft(path, {"spam.npy": npy(np.arange(3)), "hamXfree.npy": b""}, listed={})
    replace_bytes(path, b"hamXfree.npy", b"ham\0free.npy")
    assert refused(path, "differ")


def test_a_member_that_is_not_listed_or_not_there_is_refused(path):
    spam = npy(np.arange(3))
    craft(path, {"spam.npy": spam}, manifest={"members": {}})
    assert refused(path, r"differ: \['spam.npy'\]")
    craft(path, {"spam.npy": spam}, listed={"ham.npy": entry(spam)})
    assert refused(path, r"differ: \['ham.npy'\]")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(path):
    craft(path, {"spam.npy": npy(np.arange(3))})
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("spam.npy", npy(np.arange(4)))
    assert refused(path, "two members of the same name")


def test_an_encrypted_member_is_refused(path):
    craft(path, {"spam.npy": npy(np.arange(3))})
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1  # the flags of the first member
    path.write_bytes(content)
    assert refused(path, "'spam.npy' is encrypted")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(path, method):
    craft(path, {"spam.npy": npy(np.arange(3))}, method=method)
    assert refused(path, "packed in an unknown way")


def test_members_that_are_not_packed_are_fine(path):
    craft(path, {"spam.npy": npy(np.arange(3))}, method=zipfile.ZIP_STORED)
    assert read_archive(path)[1]["spam"].tolist() == [0, 1, 2]


def test_a_wrong_checksum_or_size_is_refused(path):
    spam = npy(np.arange(3))
    craft(path, {"spam.npy": spam}, listed={"spam.npy": entry(npy(np.arange(1, 4)))})
    assert refused(path, "right checksum")
    craft(path, {"spam.npy": spam}, listed={"spam.npy": entry(spam) | {"size": 7}})
    assert refused(path, "size that manifest.json lists")
    craft(path, {"spam.npy": spam}, listed={"spam.npy": entry(spam) | {"run": "rm"}})
    assert refused(path, "size that manifest.json lists")


# reading: no surprises for memory, no code ------------------------------------------------------


@pytest.fixture
def no_large_arrays(monkeypatch):
    """Fail if reading asks for much memory at once."""

    class Guarded:
        def __getattr__(self, name):
            return getattr(np, name)

        def empty(self, size, *arguments, **options):
            assert np.prod(size) < 2**20
            return np.empty(size, *arguments, **options)

    monkeypatch.setattr(archive, "np", Guarded())


def test_a_zip_bomb_is_refused_before_it_is_unpacked(path, no_large_arrays, monkeypatch):
    monkeypatch.setattr(archive, "LARGEST_CONTENT", 2**20)
    craft(path, {"spam.npy": npy(np.zeros(2**19, np.int64))})
    assert path.stat().st_size < 10_000
    assert refused(path, r"would unpack to \d+ bytes, more than 1048576")


def test_sizes_that_no_zip_can_have_are_refused(path, no_large_arrays):
    craft(path, {"spam.npy": npy(np.arange(3))})
    content = bytearray(path.read_bytes())
    of_size = content.index(b"PK\x01\x02") + 24
    content[of_size : of_size + 4] = (2**31).to_bytes(4, "little")
    path.write_bytes(content)
    assert refused(path, r"\d+ bytes cannot unpack to 2147\d+")


def test_a_member_that_is_longer_than_told_is_cut_and_refused(path):
    craft(path, {"spam.npy": npy(np.arange(1000))})
    content = bytearray(path.read_bytes())
    of_size = content.index(b"PK\x01\x02") + 24
    content[of_size : of_size + 4] = (200).to_bytes(4, "little")
    path.write_bytes(content)
    assert refused(path, "size that manifest.json lists")


def test_a_member_that_is_shorter_than_told_is_refused(path):
    spam = npy(np.arange(3))
    told = len(spam) + 50
    craft(path, {"spam.npy": spam}, listed={"spam.npy": entry(spam) | {"size": told}})
    content = bytearray(path.read_bytes())
    of_size = content.index(b"PK\x01\x02") + 24
    content[of_size : of_size + 4] = told.to_bytes(4, "little")
    path.write_bytes(content)
    assert refused(path, "cut off|damaged")


def test_a_huge_manifest_is_refused(path, monkeypatch):
    monkeypatch.setattr(archive, "LARGEST_MANIFEST", 1000)
    craft(path, {}, manifest={"long": "word" * 1000})
    assert refused(path, "more than 1000 bytes")


@pytest.mark.parametrize(
    "shape",
    ["(10**18,)", "(1000000000000000000,)", "(1000000000, 1000000000)", "(-1,)", "(-3, -1)"]
    + ["(3, 2)", "(2,)", "()", "3", "'spam'", "(1.5, 2)", "(" * 300 + ")" * 300],
)
def test_a_shape_that_does_not_fit_the_member_is_refused(path, no_large_arrays, shape):
    header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}"
    craft(path, {"spam.npy": npy_with_header(header, bytes(24))})
    assert refused(path, "size of its shape|damaged")


@pytest.mark.parametrize(
    "dtype",
    ["|O", "<M8[s]", "<m8[s]", "<c16", "<f16", ">i8", "|V8", "|S0", "<U0", "spam"]
    + ["i8,i8", "O,i8"],
)
def test_a_dtype_that_is_not_plain_is_refused(path, dtype):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': (3,), }}"
    craft(path, {"spam.npy": npy_with_header(header, bytes(24))})
    assert refused(path, "values of dtype|damaged")


@pytest.mark.parametrize(
    ("descr", "data"), [("|b1", b"\x02\x00"), ("<U1", (0x110000).to_bytes(4, "little") + bytes(4))]
)
def test_bytes_that_are_no_value_of_their_dtype_are_refused(path, descr, data):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': (2,), }}"
    craft(path, {"spam.npy": npy_with_header(header, data)})
    assert refused(path, "no value of")


def test_a_header_of_odd_length_is_read_into_aligned_memory(path):
    header = "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }"
    craft(path, {"spam.npy": npy_with_header(header, np.array([7, 8]).tobytes())})
    read = read_archive(path)[1]["spam"]
    assert read.flags.aligned and read.tolist() == [7, 8]


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", b"\x93NUMPY\x02\x00", b"spam" * 10])
def test_a_member_that_is_no_array_is_refused(path, content):
    craft(path, {"spam.npy": content})
    assert refused(path, "damaged|version 1.0")


ran = []


def run(what):
    ran.append(what)


class RunsWhenUnpickled:
    def __reduce__(self):
        return run, ("code of the file",)


def test_a_pickle_inside_is_not_run(path):
    objects = np.array([RunsWhenUnpickled()], dtype=object)
    buffer = io.BytesIO()
    np.save(buffer, objects, allow_pickle=True)
    np.load(io.BytesIO(buffer.getvalue()), allow_pickle=True)
    assert ran, "the payload works"
    ran.clear()
    craft(path, {"spam.npy": buffer.getvalue()})
    assert refused(path, r"values of dtype \|O")
    assert not ran
