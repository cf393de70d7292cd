import bz2
import codecs
import encodings.aliases
import gzip
import io
import lzma
import os
import stat
import sys
import threading
import time
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.io.encodings import check_encoding, check_encodings
from bitext.formats.io.output import write_whole
from bitext.formats.io.remote import two_files
from bitext.formats.io.source import Source, can_be_examined, held_pipes, open_source

PACK = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda content: zstandard.ZstdCompressor().compress(content),
}
packings = pytest.mark.parametrize("packing", PACK)


def _put(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path


def _notes(source):
    return {note.kind: note.first for note in source.notes.all()}


@packings
def test_compression_by_name(packing, tmp_path):
    path = _put(tmp_path, f"a.txt{packing}", PACK[packing](b"a\nb\n"))
    with open_source(path) as source:
        assert source.head() == b"a\nb\n"
        assert source.lines() == ["a", "b"]
        assert _notes(source) == {}


@packings
def test_compression_that_the_name_does_not_tell(packing, tmp_path):
    path = _put(tmp_path, "a.txt", PACK[packing](b"a\n"))
    with open_source(path) as source:
        assert source.text() == "a\n"
        kind = "compressed files without the ending of the compression"
        assert _notes(source) == {kind: f"{path}: is {packing[1:]}-compressed"}


def test_a_name_that_promises_compression(tmp_path):
    path = _put(tmp_path, "a.txt.gz", b"a\n")
    with open_source(path) as source:
        assert source.text() == "a\n"
        kind = "names of compressed files on files that are not compressed"
        assert _notes(source) == {kind: f"{path}: is not gz-compressed"}


@packings
def test_one_compression_named_as_another(packing, tmp_path):
    other = ".gz" if packing != ".gz" else ".xz"
    path = _put(tmp_path, f"a{other}", PACK[packing](b"a\n"))
    with open_source(path) as source:
        assert source.text() == "a\n"
        assert list(_notes(source)) == ["compressed files without the ending of the compression"]


@packings
def test_several_members_are_read_on(packing, tmp_path):
    path = _put(tmp_path, f"a{packing}", PACK[packing](b"a\n") + PACK[packing](b"b\n"))
    with open_source(path) as source:
        assert source.lines() == ["a", "b"]


@pytest.mark.parametrize(
    "packing",
    [".gz", ".bz2", ".xz", ".zst"],
)
def test_damaged_files(packing, tmp_path):
    whole = PACK[packing](os.urandom(100_000))
    cut = _put(tmp_path, f"cut{packing}", whole[: len(whole) // 2])
    with open_source(cut) as source, pytest.raises(FormatError, match=r"cut\..*: is damaged"):
        source.text()


@pytest.mark.parametrize("packing", [".gz", ".xz", ".zst"])
def test_garbage_behind_the_first_bytes(packing, tmp_path):
    whole = PACK[packing](b"a" * 1000)
    path = _put(tmp_path, f"a{packing}", whole[:10] + b"\xff" * 40)
    with (
        pytest.raises(FormatError, match=r"a\..*: (is damaged|cannot be read)"),
        open_source(path) as source,
    ):
        source.text()


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfna\xc3\xafve\n",
        b"\xff\xfe" + "naïve\n".encode("utf-16-le"),
        b"\xfe\xff" + "naïve\n".encode("utf-16-be"),
    ],
)
def test_a_byte_order_mark_wins(content, tmp_path):
    with open_source(_put(tmp_path, "a", content), encoding="latin-1") as source:
        assert source.lines() == ["naïve"]


def test_the_encoding_asked_for(tmp_path):
    with open_source(_put(tmp_path, "a", b"\xb1\n"), encoding="iso-8859-2") as source:
        assert source.lines() == ["ą"]


def test_bytes_that_are_not_of_the_encoding(tmp_path):
    path = _put(tmp_path, "a", b"good\nna\xefve\n")
    message = r"a line 2: byte 3 of the line is 0xef, which is not utf-8; .*encoding="
    with open_source(path) as source, pytest.raises(FormatError, match=message):
        source.text()
    marked = _put(tmp_path, "b", b"\xef\xbb\xbf\xef\n")
    with open_source(marked) as source, pytest.raises(FormatError, match="b line 1: byte 4"):
        source.text()


@pytest.mark.parametrize("name", ["utf-7", "rot13", "base64", "idna", "klingon", ""])
def test_encodings_that_are_refused(name):
    with pytest.raises(OptionError, match=f"encoding '{name}' is not"):
        check_encoding(name)


def test_names_of_encodings():
    assert check_encoding("Latin-1") == "iso8859-1"


def test_missing_files_suggest(tmp_path):
    _put(tmp_path, "gold.align", b"")
    with pytest.raises(InputError, match=r"no such file; did you mean .*gold\.align\?"):
        open_source(tmp_path / "gold.algin")
    with pytest.raises(InputError, match="no such file; check the path"):
        open_source(tmp_path / "xyz")
    with pytest.raises(InputError, match=r"no such file, nor a folder .*none; check the path"):
        open_source(tmp_path / "none" / "a")
    (tmp_path / "link").symlink_to("gone.align")
    with pytest.raises(
        InputError, match=r"no such file: it is a link to 'gone\.align', which is n"
    ):
        open_source(tmp_path / "link")


def test_what_cannot_be_opened(tmp_path):
    with pytest.raises(InputError, match="is a directory where a file is wanted; name a file"):
        open_source(tmp_path)
    plain = _put(tmp_path, "a", b"")
    with pytest.raises(InputError, match="cannot be read: Not a directory"):
        open_source(plain / "b")
    with pytest.raises(InputError, match=r"cannot be read: .*null"):
        open_source("a\0b")


def test_standard_input(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(gzip.compress(b"a\n")))
    monkeypatch.setattr(sys, "stdin", stream)
    source = open_source("-")
    assert source.text() == "a\n"
    assert source.path == "standard input"
    assert _notes(source) == {}


def test_the_head_is_not_consumed():
    content = bytes(range(256)) * 1000
    source = Source("made", io.BytesIO(content))
    assert content.startswith(source.head())
    assert 0 < len(source.head()) <= 1 << 16
    assert source.stream.read() == content


def test_two_files(tmp_path):
    assert two_files("a.en,a.fr") == ("a.en", "a.fr")
    assert two_files("x/a.{en,fr}.gz") == ("x/a.en.gz", "x/a.fr.gz")
    assert two_files("a.en") is two_files("-") is two_files("a,b,c") is None
    assert two_files(str(_put(tmp_path, "a,b", b""))) is None


@packings
def test_written_files_are_compressed_by_name(packing, tmp_path):
    path = tmp_path / f"a.tsv{packing}"
    with write_whole(path) as out:
        out.write("naïve 😀\u2028\n")
    with open_source(path) as source:
        assert source.text() == "naïve 😀\u2028\n"
        assert _notes(source) == {}
    assert path.read_bytes()[:2] == PACK[packing](b"")[:2]


def test_the_same_text_gives_the_same_bytes(tmp_path):
    for name in ("a.gz", "b.gz"):
        with write_whole(tmp_path / name) as out:
            out.write("a\n")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize("name", ["a.txt", *(f"a{packing}" for packing in PACK)])
def test_an_error_within_leaves_the_old_file(name, tmp_path):
    path = _put(tmp_path, name, b"old")

    def fail():
        with write_whole(path) as out:
            out.write("new" * 100_000)
            raise KeyError("within")

    with pytest.raises(KeyError, match="within"):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_within_makes_no_file(tmp_path):
    def fail():
        with write_whole(tmp_path / "a") as out:
            out.write("new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_nothing_shows_before_all_is_written(tmp_path):
    path = _put(tmp_path, "a", b"old")
    with write_whole(path) as out:
        out.write("new")
        out.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


def test_places_that_cannot_be_written(tmp_path):
    plain = _put(tmp_path, "a", b"old")

    def put(path):
        with write_whole(path) as out:
            out.write("new")

    with pytest.raises(InputError, match="is a directory; name a file in it"):
        put(tmp_path)
    with pytest.raises(InputError, match=r"none/b: cannot be written: No such file or directory"):
        put(tmp_path / "none" / "b")
    with pytest.raises(InputError, match=r"a/b: cannot be written: Not a directory"):
        put(plain / "b")


def test_a_folder_that_may_not_be_written(tmp_path):
    tmp_path.chmod(0o555)
    try:
        if os.access(tmp_path, os.W_OK):
            pytest.skip("this user may write anywhere")
        with (
            pytest.raises(InputError, match="cannot be written: Permission denied"),
            write_whole(tmp_path / "a"),
        ):
            pass
    finally:
        tmp_path.chmod(0o755)


def test_permissions_stay(tmp_path):
    path = _put(tmp_path, "a", b"old")
    path.chmod(0o640)
    with write_whole(path) as out:
        out.write("new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_permissions_of_a_new_file(tmp_path):
    before = os.umask(0o027)
    try:
        with write_whole(tmp_path / "a") as out:
            out.write("new")
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_standard_output(capsys):
    with write_whole("-") as out:
        out.write("a\n")
    assert capsys.readouterr().out == "a\n"


def test_a_device_is_written_to_directly():
    with write_whole("/dev/null") as out:
        out.write("a\n")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def _text_encodings():
    """All encodings of this Python that are allowed, by Python's name."""
    found = set()
    for name in set(encodings.aliases.aliases.values()) | {"utf-8-sig"}:
        try:
            found.add(check_encoding(name))
        except OptionError:
            continue
    return sorted(found - {"mbcs", "oem"})


ENCODINGS = _text_encodings()


@given(
    st.lists(
        st.sampled_from(["a", "\r", "\n", "\r\n", "é", "日本", "\x85", "\u2028", "😀", "\ufeff"])
    ),
    st.sampled_from(
        ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "gb18030"]
    ),
    st.integers(1, 9),
)
def test_streaming_gives_the_lines_of_the_whole(parts, encoding, block):
    # Without a line feed, carriage returns within the text would be refused.
    content = "".join([*parts, "\n"] if "\r" in parts else parts).encode(encoding)
    whole = Source("made", io.BytesIO(content), encoding).lines()
    sources = [Source("made", io.BytesIO(content), encoding, block_size=block) for _ in range(2)]
    streamed, blocks = list(sources[0].stream_lines()), list(sources[1].blocks())
    assert streamed == list(enumerate(whole, 1))
    assert (
        "".join(text for _, text in blocks) == Source("made", io.BytesIO(content), encoding).text()
    )
    assert all(text.endswith("\n") for _, text in blocks[:-1])
    assert all(text for _, text in blocks)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32-be"])
@pytest.mark.parametrize("read", [Source.lines, Source.stream_lines, Source.blocks])
def test_lines_that_end_with_carriage_returns_alone_are_refused(read, encoding):
    def source(text):
        return Source("old.txt", io.BytesIO(text.encode(encoding)), encoding)

    with pytest.raises(FormatError, match=r"^old.txt: has carriage returns \(CR\) alone where"):
        list(read(source("Fog fell.\rIt rained.\r")))
    for text in ("Fog fell.\r", "\r", "Fog fell.\r\nIt rained.\r\n", "Fog\rfell.\nIt rained."):
        assert list(read(source(text)))  # one line, or a return within a line
    if read is not Source.lines:
        assert list(read(source("[1,\r2]"), bare_returns=True))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_streaming_in_every_encoding_of_python(encoding, block):
    signs = ["abc", "\r", "é", "ж", "ά", "日本", "한국", "א", "\x85", "ü\x8e", "ab"]
    some = "\n".join(sign for sign in signs if _can(sign, encoding)) + "\r\n\nend"
    content = some.encode(encoding)
    whole = Source("made", io.BytesIO(content), encoding).lines()
    assert whole == [line.removesuffix("\r") for line in some.split("\n")]
    streamed = Source("made", io.BytesIO(content), encoding, block_size=block).stream_lines()
    assert list(streamed) == list(enumerate(whole, 1))


def _can(sign, encoding):
    try:
        return sign.encode(encoding).decode(encoding) == sign
    except UnicodeError:
        return False


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_a_long_line_is_not_copied_again_and_again(encoding):
    content = ("x" * 16_000_000).encode(encoding)
    begun = time.process_time()
    source = Source("made", io.BytesIO(content), encoding, block_size=1 << 10)
    [(number, line)] = source.stream_lines()
    # Copied once a block this would be 125 GB.
    assert time.process_time() - begun < 5
    assert (number, len(line)) == (1, 16_000_000)


def test_a_bad_byte_far_on_is_told_with_its_line():
    content = b"ab\n" * 700_000 + b"a\xefb\n"
    message = "made line 700001: byte 2 of the line is 0xef"
    with pytest.raises(FormatError, match=message):
        list(Source("made", io.BytesIO(content)).stream_lines())
    wide = "ab\n".encode("utf-16-le") * 10 + b"\x00\xd8a"
    with pytest.raises(FormatError, match=r"made line 11: is not utf-16-le in this line or soon"):
        list(Source("made", io.BytesIO(wide), "utf-16-le").stream_lines())


def test_marks_of_utf_32():
    for bom, encoding in ((codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")):
        content = bom + "naïve\n".encode(encoding)
        assert Source("made", io.BytesIO(content)).lines() == ["naïve"]
        assert list(Source("made", io.BytesIO(content)).stream_lines()) == [(1, "naïve")]


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom", "/dev/full"])
def test_devices_without_end_are_no_inputs(name):
    if not Path(name).exists():
        pytest.skip(f"{name} is not here")
    with pytest.raises(InputError, match=f"{name}: is a device where a file is wanted"):
        open_source(name)


def test_the_empty_device_is_an_empty_file():
    with open_source(os.devnull) as source:
        assert source.text() == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of Unix")
def test_a_named_pipe_that_the_user_gives_is_read(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    content = PACK[".gz"](b"a\nb\n" * 50_000)
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    with open_source(path) as source:
        assert source.head()[:4] == b"a\nb\n"
        assert len(source.lines()) == 100_000
    writer.join()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of Unix")
@pytest.mark.parametrize("size", [3, 400_000])
def test_a_named_pipe_whose_head_was_read_is_read_again_from_its_beginning(tmp_path, size):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    content = b"".join(b"line %d\n" % k for k in range(size))
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    with held_pipes():
        assert can_be_examined(str(path))
        with open_source(path) as source:
            assert content.startswith(source.head())
        with open_source(path) as source:
            assert source.text() == content.decode()
        if size > 10_000:  # more than is held
            with pytest.raises(InputError, match="pipe: is a pipe, which is read once, and is nee"):
                open_source(path)
        else:
            with open_source(path) as source:
                assert source.text() == content.decode()
    writer.join()
    assert not can_be_examined(str(path))


def test_a_file_that_may_not_be_read(tmp_path):
    path = _put(tmp_path, "a", b"secret")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read anything")
    with pytest.raises(InputError, match="a: cannot be read: Permission denied"):
        open_source(path)


@pytest.mark.parametrize("name", ["unicode_escape", "raw-unicode-escape", "undefined", "punycode"])
def test_encodings_of_what_is_no_text(name):
    with pytest.raises(OptionError, match="is not for text files"):
        check_encoding(name)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_characters_without_a_mark_are_as_windows_writes_them(encoding):
    """Found by fuzzing: read line by line, Python refused them with an error of its own."""
    content = "naïve\nB\n".encode(f"{encoding}-le")
    lines = [(1, "naïve"), (2, "B")]
    assert list(Source("made", io.BytesIO(content), encoding).stream_lines()) == lines
    assert Source("made", io.BytesIO(content), encoding).text() == "naïve\nB\n"
    with pytest.raises(FormatError, match="made line 1: is not utf-"):
        list(Source("made", io.BytesIO(b"\xff\xdf\xff"), encoding).stream_lines())


@pytest.mark.parametrize("name", ["\udcff", "\0", ""])
def test_names_of_encodings_that_cannot_be_one(name):
    """Found by fuzzing: Python has other errors for them."""
    with pytest.raises(OptionError, match="is not known: want one as utf-8, latin-1"):
        check_encoding(name)


@pytest.mark.parametrize(
    ("head", "what", "remedy"),
    [
        (b"PK\x03\x04\x14\x00", "a ZIP archive, as .docx", "save its text"),
        (b"%PDF-1.4\n", "a PDF document", "save its text"),
        (b"{\\rtf1\\ansi", "an RTF document", "save its text"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "an Office document",
            "save it as DOCX, or save its text",
        ),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16-le"])
def test_documents_that_are_no_text_are_told(tmp_path, head, what, remedy, encoding):
    path = tmp_path / "text"
    path.write_bytes(head + b"1 0 obj\n" * 9)
    for reading in (lambda source: source.text(), lambda source: list(source.blocks())):
        with (
            open_source(path, encoding=encoding) as source,
            pytest.raises(FormatError) as found,
        ):
            reading(source)
        assert f"{path}: is {what}" in str(found.value)
        assert f"{remedy} as plain text, in UTF-8" in str(found.value)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_with_a_mark_in_no_format_is_not_said_to_have_none(tmp_path, encoding):
    path = tmp_path / "wide.txt"
    path.write_bytes("\ufeffOne line.\nTwo.\n".encode(encoding))
    with pytest.raises(FormatError, match=r"wide\.txt: is in no format that bitext recognises"):
        bitext.read(path)


@pytest.mark.parametrize("end", ["le", "be"])
def test_utf_16_without_a_mark_is_no_utf_8(end):
    wide = "One line.\nTwo.\n".encode(f"utf-16-{end}")
    for read in (Source.text, Source.lines, lambda source: list(source.blocks())):
        with pytest.raises(FormatError, match=rf"made: has NUL bytes, as .*'utf-16-{end}', or"):
            read(Source("made", io.BytesIO(wide)))
    assert Source("made", io.BytesIO(wide), f"utf-16-{end}").lines() == ["One line.", "Two."]
    assert Source("made", io.BytesIO(b"\0a\0b\n" + b"more text\n" * 9)).text()[:2] == "\0a"


@pytest.mark.parametrize("end", ["le", "be"])
@pytest.mark.parametrize(
    "text", ["Шёл дождь — и было холодно.\n", "Її Єва…\n", "ירד גשם.\n", "Ārā lija.\n"]
)
def test_utf_16_without_a_mark_in_other_scripts_is_no_utf_8(text, end):
    wide = (text * 4).encode(f"utf-16-{end}")
    for encoding in ("utf-8", "latin-1"):
        with pytest.raises(FormatError, match=rf"made: has NUL bytes, as .*'utf-16-{end}', or"):
            Source("made", io.BytesIO(wide), encoding).text()
    other = Source("made", io.BytesIO(wide), {"le": "utf-16-be", "be": "utf-16"}[end])
    with pytest.raises(FormatError, match=rf"made: has NUL bytes, as .*'utf-16-{end}', or"):
        list(other.blocks())
    assert Source("made", io.BytesIO(wide), f"utf-16-{end}").text() == text * 4
    controls = b"A\x01B\x02C\x03D\x04 " * 9 + b"text with some controls\n" * 9
    assert Source("made", io.BytesIO(controls)).text().startswith("A\x01B")


@pytest.mark.parametrize("end", ["le", "be"])
def test_utf_16_of_chinese_is_advised_as_such(end):
    wide = "你好，世界。\n我们去公园散步。\n".encode(f"utf-16-{end}")
    for read in (Source.text, lambda source: list(source.blocks())):
        with pytest.raises(FormatError, match=rf"'utf-16-{end}' for UTF-16 without a mark\) or"):
            read(Source("made", io.BytesIO(wide)))


def test_lines_of_wide_characters_have_the_notes_of_others():
    content = "\ufeffOne.\r\r\n".encode("utf-16-le") * 2
    for read in (Source.text, lambda source: list(source.blocks())):
        source = Source("made", io.BytesIO(content))
        read(source)
        notes = {note.kind: note for note in source.notes}
        assert [note.count for note in notes.values()] == [2, 1]
        assert [note.first for note in notes.values()] == ["made line 1", "made line 2"]


@pytest.mark.parametrize("name", [5, None, b"utf-8"])
def test_an_encoding_is_a_name(name):
    with pytest.raises(OptionError, match=r"encoding .* is not known: want one as utf-8"):
        check_encodings(name)
