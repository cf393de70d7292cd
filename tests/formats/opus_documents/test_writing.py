"""Documents written aside, and put into their folder together."""

import os
from math import nan
from pathlib import Path

import numpy as np
import pytest

import bitext
from bitext import Alignment, Bitext, Text
from bitext.errors import InputError
from bitext.formats.opus_documents import writing as documents_writing
from bitext.formats.opus_documents.writing import DocumentFolder, documents_aside, name_under
from bitext.formats.registry import WriteOptions, by_name
from bitext.formats.writing import deliver

PAIR = Bitext(Text(["a"], lang="en"), Text(["b"], lang="fr"), Alignment([((0,), (0,))]))
XCES = by_name("xces")


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def written(options, folder):
    with DocumentFolder(folder, options) as documents:
        names = documents.begin(PAIR)
        documents.write(PAIR)
    return names


def no_links(*_):
    raise PermissionError(1, "a file system without links")


def test_aside_until_they_are_put_there(tmp_path):
    docs = tmp_path / "deep" / "docs"
    with documents_aside(WriteOptions(), docs, base=tmp_path) as (options, publish):
        assert written(options, docs) == ("deep/docs/en/000001.xml", "deep/docs/fr/000001.xml")
        assert not docs.parent.exists()
        publish()
        assert (docs / "fr/000001.xml").is_file()
    assert files(tmp_path) == [
        "deep",
        "deep/docs",
        "deep/docs/en",
        "deep/docs/en/000001.xml",
        "deep/docs/fr",
        "deep/docs/fr/000001.xml",
    ]


def test_names_are_those_in_the_folder_without_a_base_above_it(tmp_path):
    for base in (None, tmp_path / "other"):
        with documents_aside(WriteOptions(src_lang="de"), tmp_path / "d", base=base) as (given, _):
            assert given.src_lang == "de"
            assert written(given, tmp_path / "d") == ("de/000001.xml", "fr/000001.xml")
    assert files(tmp_path) == []  # nobody published


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("error", [InputError("x"), KeyboardInterrupt()])
def test_an_error_leaves_nothing(tmp_path, after, error):
    docs = tmp_path / "deep" / "docs"

    def run():
        with documents_aside(WriteOptions(), docs) as (options, publish):
            written(options, docs)
            if after:
                publish()
            raise error

    with pytest.raises(type(error)):
        run()
    assert files(tmp_path) == []


@pytest.mark.usefixtures("interrupted_mkdir")
def test_an_interruption_while_the_folder_aside_is_made_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt), documents_aside(WriteOptions(), tmp_path / "docs"):
        pytest.fail("it was made")
    assert files(tmp_path) == []


def test_what_others_put_there_stays(tmp_path):
    docs = tmp_path / "docs"

    def run():
        with documents_aside(WriteOptions(), docs) as (options, publish):
            written(options, docs)
            publish()
            (docs / "en/mine").write_text("x")
            raise InputError("x")

    with pytest.raises(InputError, match="x"):
        run()
    assert files(tmp_path) == ["docs", "docs/en", "docs/en/mine"]


@pytest.mark.parametrize("links", [True, False])
def test_a_document_that_comes_up_meanwhile_is_not_replaced(tmp_path, monkeypatch, links):
    docs = tmp_path / "docs"

    def run():
        with documents_aside(WriteOptions(), docs) as (options, publish):
            written(options, docs)
            if not links:
                monkeypatch.setattr(documents_writing.os, "link", no_links)
            (docs / "fr").mkdir(parents=True)
            (docs / "fr/000001.xml").write_text("mine")
            publish()

    with pytest.raises(InputError, match=r"fr/000001\.xml: exists already, .* name another"):
        run()
    assert files(tmp_path) == ["docs", "docs/fr", "docs/fr/000001.xml"]
    assert (docs / "fr/000001.xml").read_text() == "mine"


def test_without_links_they_are_renamed(tmp_path, monkeypatch):
    with documents_aside(WriteOptions(), tmp_path / "d") as (options, publish):
        written(options, tmp_path / "d")
        monkeypatch.setattr(documents_writing.os, "link", no_links)
        publish()
    assert files(tmp_path) == ["d", "d/en", "d/en/000001.xml", "d/fr", "d/fr/000001.xml"]


def test_a_document_that_is_there_is_refused_at_once(tmp_path):
    (tmp_path / "docs/en").mkdir(parents=True)
    (tmp_path / "docs/en/000001.xml").symlink_to("nowhere")

    def bitexts():
        yield PAIR
        pytest.fail("the second is not asked for")

    options = WriteOptions(documents=tmp_path / "docs")
    with pytest.raises(InputError, match=r"en/000001\.xml: exists already"):
        deliver(bitexts(), str(tmp_path / "o.xces"), XCES, options=options)
    assert files(tmp_path) == ["docs", "docs/en", "docs/en/000001.xml"]


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "docs").write_text("x")
    options = WriteOptions(documents=tmp_path / "docs")
    with pytest.raises(InputError, match="docs: is not a folder"):
        deliver([PAIR], str(tmp_path / "o.xces"), XCES, options=options)
    (tmp_path / "docs").unlink()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/en").write_text("x")
    with pytest.raises(InputError, match="docs/en: cannot be made: Not a directory"):
        deliver([PAIR], str(tmp_path / "o.xces"), XCES, options=options)
    assert files(tmp_path) == ["docs", "docs/en"]


def test_an_output_that_cannot_be_put_there_takes_its_documents_along(tmp_path):
    out = tmp_path / "o.xces"
    options = WriteOptions(documents=tmp_path / "docs")
    # A folder comes up in the place of the output: found when it is renamed, after all else.
    with pytest.raises(InputError, match="cannot be written"):
        deliver([PAIR], str(out), XCES, options=options, finish=lambda: os.mkdir(out))  # noqa: PTH102
    assert files(tmp_path) == ["o.xces"]


def test_standard_output_waits_for_the_documents(tmp_path, capsysbinary):
    (tmp_path / "docs/fr").mkdir(parents=True)
    (tmp_path / "docs/fr/000001.xml").write_text("mine")
    options = WriteOptions(documents=tmp_path / "docs")
    with pytest.raises(InputError, match="exists already"):
        deliver([PAIR], "-", XCES, options=options)
    assert capsysbinary.readouterr().out == b""


def test_a_folder_as_seen_from_a_link(tmp_path):
    (tmp_path / "real/docs").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    assert name_under(tmp_path / "link/docs", tmp_path / "real") == "docs"
    assert name_under(tmp_path / "real", tmp_path / "real/docs") is None
    assert name_under(Path("x/../y"), Path()) == "y"


def test_times_are_those_of_opus(tmp_path):
    times = [(1.5, 2.25), (nan, nan), (3.0, nan)]
    timed = Text(["One.", "Two & three.", " x"], lang="en", times=times)
    other = Text(["Un."], lang="fr")
    item = Bitext(timed, other, Alignment([((0, 1, 2), (0,))]))
    docs, links = tmp_path / "docs", tmp_path / "links.xml"
    deliver([item], str(links), XCES, options=WriteOptions(documents=docs), base=tmp_path)
    content = (docs / "en/000001.xml").read_text(encoding="utf-8")
    assert (
        '<s id="1"><time id="T1S" value="00:00:01,500" />One.'
        '<time id="T1E" value="00:00:02,250" /></s>\n<s id="2">Two &amp; three.</s>\n'
    ) in content
    assert '<time id="T3S" value="00:00:03,000" /> x</s>' in content
    back = bitext.read(links)
    assert back.pairs() == item.pairs()
    assert np.array_equal(back.src.times, times, equal_nan=True)
    assert back.tgt.times is None
