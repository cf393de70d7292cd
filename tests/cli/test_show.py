"""`bitext show`: alignments side by side, parts of them, and their page."""

from __future__ import annotations

import json
import re
from zipfile import ZipFile

import pytest

from bitext.reports import lettering as terminal


@pytest.fixture
def market(coast):
    sides = ["--src", coast / "text/market.en", "--tgt", coast / "text/market.fr"]
    return [coast / "gold/market.align", *sides]


@pytest.fixture
def several(write):
    return write(
        "two.xml",
        """<?xml version="1.0"?>
<cesAlign version="1.0">
 <linkGrp fromDoc="en/one.xml" toDoc="fr/one.xml"><link xtargets="a;b"/></linkGrp>
 <linkGrp fromDoc="en/two.xml" toDoc="fr/two.xml"><link xtargets="c d;e"/></linkGrp>
</cesAlign>
""",
    )


def test_each_bisegment_has_its_type_ids_and_both_sides(bitext, market, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    shown = bitext("show", *market, "--beads", "3-4").out
    assert shown.splitlines() == [
        "2-1 │ 3 His neighbour sells     │ 3 Sa voisine vend du miel",
        "    │   honey from the hills.   │   des collines et pèse",
        "    │ 4 She weighs every jar    │   chaque pot deux fois.",
        "    │   twice.                  │",
        '1-1 │ 5 "Once for you, once for │ 4 « Une fois pour vous,',
        '    │   me", she says.          │   une fois pour moi »,',
        "    │                           │   dit-elle.",
    ]
    whole = bitext("show", *market)
    assert len(re.findall(r"^\d-\d", whole.out, re.MULTILINE)) == 11
    assert "crossing" in whole.err
    assert bitext("show", *market, "-q").err == ""


def test_the_name_of_the_output_does_not_change_the_lines(bitext, market, tmp_path):
    shown = bitext("show", *market, "--beads", "3-4", "-q").out
    bitext("show", *market, "--beads", "3-4", "-q", "-o", tmp_path / "shown.csv")
    assert (tmp_path / "shown.csv").read_text("utf-8") == shown


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("shown.html", "--html shown.html writes a page"),
        ("b.epub", "--book b.epub writes a book"),
        ("b.tmx", "b.tmx writes tmx"),
    ],
)
def test_lines_under_the_name_of_a_page_or_a_book_are_noted(
    bitext, market, tmp_path, monkeypatch, name, remedy
):
    monkeypatch.chdir(tmp_path)
    found = bitext("show", *market, "-o", name)
    assert (found.status, found.out) == (0, "")
    assert remedy in found.err


def test_what_is_not_one_to_one_has_a_colour_on_a_terminal(bitext, market, monkeypatch):
    monkeypatch.setattr(terminal, "wants_colour", lambda: True)
    shown = bitext("show", *market, "--beads", "3-4").out
    assert shown.startswith("\x1b[34m2-1")
    assert shown.count("\x1b[34m") == 2  # both lines of it
    monkeypatch.undo()
    assert "\x1b" not in bitext("show", *market, "--beads", "3-4").out


def test_the_page_has_the_part_that_is_asked_for(bitext, market, tmp_path):
    page = tmp_path / "page.html"
    shown = bitext("show", *market, "--beads", "3-4", "--html", page)
    assert "2-1" in shown.out
    html = page.read_text(encoding="utf-8")
    assert "market.align, bisegments 3 to 4" in html
    held = json.loads(re.search('id="data">(.*?)</script>', html)[1])
    assert held["systems"][0]["src"] == [[0, 1], [2]]
    assert held["sides"][0]["ids"] == ["3", "4", "5"]
    assert held["sides"][0]["texts"][0] == "His neighbour sells honey from the hills."
    alone = bitext("show", *market, "--html", "-")
    assert alone.out.startswith("<!DOCTYPE html>")
    assert alone.out.endswith("</html>\n")


def test_a_file_of_several_texts_shows_all_or_the_one_named(bitext, several, tmp_path):
    shown = bitext("show", several).out
    assert shown.count("│") == 2 * 3
    names = [line for line in shown.splitlines() if line and "│" not in line]
    assert len(names) == 2
    one = bitext("show", several, "--text", names[1])
    assert one.out.splitlines() == shown.splitlines()[-2:]
    refused = bitext("show", several, "--html", tmp_path / "x.html")
    assert refused.status == 2
    assert "holds 2 document pairs, and --html is for one: name it (--text)" in refused.err
    assert not (tmp_path / "x.html").exists()
    unknown = bitext("show", several, "--text", "three")
    assert f"holds no document pair 'three': it holds {names[0]!r}" in unknown.err


def test_a_folder_has_a_page_for_each_text_and_an_index_with_the_fewest_1_1_first(
    bitext, several, tmp_path
):
    folder = tmp_path / "pages"
    assert bitext("show", several, "--html", f"{folder}/").status == 0
    index = (folder / "index.html").read_text(encoding="utf-8")
    found = re.findall(r'<a href="(texts/[^"]+)"><bdi>(.*?)</bdi>', index)
    assert ["two" in name for _, name in found] == [True, False]
    for address, name in found:
        page = (folder / address).read_text(encoding="utf-8")
        assert '<a href="../index.html">All texts</a>' in page
        assert f"Alignment of {name}" in page
    shares = re.findall(r'</th>\s*<td class="n"><bdi>([\d.]+)', index)
    assert shares == ["0.0000", "1.0000"]
    assert bitext("show", several, "--html", tmp_path).status == 2  # it has other files


def test_a_part_of_a_long_file_is_that_of_the_whole(bitext, tmp_path):
    path = tmp_path / "long.tsv"
    path.write_text("".join(f"{k} a\t{k} b\n" for k in range(3_000)))
    shown = bitext("show", path, "--beads", "998-1009").out.splitlines()
    assert len(shown) == 12
    assert [line.split()[2:4] for line in shown] == [[str(k)] * 2 for k in range(998, 1_010)]
    beyond = bitext("show", path, "--beads", "3000")
    assert "there is no bisegment 3000: want one from 0 to 2999" in beyond.err
    links = tmp_path / "links.pharaoh"
    links.write_text("0-0\n" * 3_000)
    shown = bitext("show", links, "--beads", "1999-2000").out.splitlines()
    assert shown[::3] == [f"bisegment {k}: 1 link ■" for k in (1999, 2000)]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--beads", "x"], "--beads 'x': want A-B or A"),
        (["--beads", "3-"], "--beads '3-': want A-B or A"),
        (["--beads", "11"], "there is no bisegment 11: want one from 0 to 10"),
        (["--beads", "5-2"], "bisegments 5 to 2: want the first, then the last"),
        (["--html", ""], "--html names no file"),
        (["-o", "a.html", "--html", "a.html"], "-o and --html both name a.html"),
        (["--from", "nonsense"], "nonsense"),
    ],
)
def test_what_cannot_be_shown_is_one_line(bitext, market, more, told):
    result = bitext("show", *market, *more)
    assert (result.status, result.out, len(result.lines())) == (2, "", 1)
    assert told in result.err


def test_an_input_is_never_overwritten(bitext, market):
    before = market[2].read_bytes()
    refused = bitext("show", *market, "-o", market[2])
    assert refused.status == 2
    assert market[2].read_bytes() == before


def test_texts_that_are_not_read_are_told(bitext, market, tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("One.\tUn.\n")
    found = bitext("show", path, "--src", "nothere")
    assert found.status == 0
    assert found.lines() == [f"note: --src and --tgt are of no use: {path} is tsv, with its texts"]
    assert "of no use" not in bitext("show", *market).err


def test_repeated_bisegments_are_shown_once_and_counted(bitext, write, tmp_path):
    given = ["--src", write("a.en", "One.\nTwo.\n"), "--tgt", write("a.fr", "Un.\nDeux.\n")]
    path = write("a.align", "[0]:[0]\n[1]:[1]\n[1]:[1]\n[0]:[0]\n")
    told = "bisegments of the same segments as an earlier one, not shown again: "
    found = bitext("show", path, *given)
    assert found.out.count("1-1") == 2
    assert f"{told}2\n" in found.err
    assert f"{told}1\n" in bitext("show", path, *given, "--beads", "1-2").err
    assert f"{told}2\n" in bitext("show", path, *given, "--book", tmp_path / "a.html").err
    assert told not in bitext("show", path, *given, "--beads", "0-1").err


def test_word_links_are_shown_pair_by_pair(bitext, write):
    links = write("a.pharaoh", "0-0\n\n1-0 0-1p\n")
    src, tgt = write("a.en", "no\nyes\nnot now\n"), write("a.fr", "non\noui\npas là\n")
    shown = bitext("show", links, "--src", src, "--tgt", tgt, "--pairs", "1-2")
    assert shown.out.splitlines() == [
        "bisegment 1: 1 and 1 words, 0 links",
        "0 yes │ · │",
        "no link: 0 oui",
        "",
        "bisegment 2: 2 and 2 words, 1 sure link ■ and 1 possible □",
        "0 not │ ·□ │ □ 1 là",
        "1 now │ ■· │ ■ 0 pas",
    ]
    assert bitext("show", links, "--beads", "2").out.splitlines() == [
        "bisegment 2: 1 sure link ■ and 1 possible □",
        "0 │ ·□ │ □ 1",
        "1 │ ■· │ ■ 0",
    ]
    assert bitext("show", links).out.count("bisegment") == 3


def test_word_links_of_a_file_with_texts_are_shown_too(bitext, write):
    row = {"src": "a b", "tgt": "c d", "words": "0-1"}
    shown = bitext("show", write("a.jsonl", json.dumps(row)), "-q")
    assert shown.out.splitlines()[1:] == ["0 a │ ·■ │ ■ 1 d", "1 b │ ·· │", "no link: 0 c"]


def test_the_page_of_word_links_has_the_words_and_counts_as_the_file_does(bitext, write, tmp_path):
    rows = [{"src": f"a{k} b", "tgt": "c d", "words": "0-1 1p0"} for k in range(4)]
    path = write("a.jsonl", "\n".join(map(json.dumps, rows)))
    page = tmp_path / "page.html"
    assert bitext("show", path, "--pairs", "2-3", "--html", page).status == 0
    html = page.read_text()
    assert [int(number) for number in re.findall(r"<b>Pair (\d+)</b>", html)] == [2, 3]
    assert "a2 b" in html
    assert "a1 b" not in html


def test_a_column_of_that_name_without_links_is_shown_as_texts(bitext, write):
    shown = bitext("show", write("a.tsv", "src\ttgt\twords\nOne two.\tUn deux.\t2\n"))
    assert shown.out.splitlines() == [f"1-1 │ {'0 One two.':45} │ 0 Un deux."]


def test_links_to_no_word_are_shown_below(bitext, write):
    texts = ["--src", write("a.en", "a b\n"), "--tgt", write("a.fr", "x y\n")]
    links = write("a.naacl", "1 1 1 S\n1 0 2 P\n1 2 0 S\n")
    for part in ((), ("--pairs", "0")):
        shown = bitext("show", links, *texts, *part)
        assert shown.out.splitlines()[-2:] == [
            "source, to no word: ■ 1 b",
            "target, to no word: □ 1 y",
        ]


ROWS = "one\teins\ntwo\tzwei\n"


@pytest.mark.parametrize("ending", ["html", "epub"])
def test_a_book_is_made_of_any_alignment(bitext, write, tmp_path, ending):
    file, out = write("a.tsv", ROWS), tmp_path / f"book.{ending}"
    languages = ("--src-lang", "en", "--tgt-lang", "de")
    done = bitext("show", file, "--book", out, "--title", "Numbers", "--first", "tgt", *languages)
    assert (done.status, done.out, done.err) == (0, "", "")
    if ending == "html":
        made = out.read_text(encoding="utf-8")
        assert "<title>Numbers</title>" in made
        assert made.index(">eins<") < made.index(">one<")
        assert '<div class="a" lang="de" dir="ltr">' in made
    else:
        with ZipFile(out) as archive:
            assert b"<dc:title>Numbers</dc:title>" in archive.read("EPUB/package.opf")
    done = bitext("show", file, "--book", out, "-o", tmp_path / "a.txt", "--beads", "1", "-q")
    assert done.status == 0
    assert "two" in (tmp_path / "a.txt").read_text()


def test_a_book_is_written_beside_a_page_on_standard_output(bitext, write, tmp_path):
    out = tmp_path / "out.html"
    done = bitext("show", write("a.tsv", ROWS), "--html", "-", "--book", out, "-q")
    assert (done.status, done.out[:9].lower(), out.exists()) == (0, "<!doctype", True)


def test_options_of_books_and_names_that_are_none_are_refused(bitext, write, tmp_path):
    file, out = write("a.tsv", ROWS), tmp_path / "out.tmx"
    for arguments, told in (
        (("show", file, "--book", out), "--book {out}: its name is not that of a book: want .html"),
        (("show", file, "--book", tmp_path / "out"), "its name is not that of a book: want .html"),
        (
            ("show", file, "--book", tmp_path / "a.b" / "out"),
            "its name is not that of a book: want",
        ),
        (("show", file, "--book", tmp_path / "out.mobi"), "its name is not that of a book: want"),
        (("show", file, "--title", "x"), "--title is for a book: name one (--book)"),
        (("show", file, "--book", file), "is read or written too; name another"),
        (
            ("convert", file, out, "--rows", "bead"),
            "--rows: for books (book-html, docx, epub, pdf)",
        ),
        (("convert", file, "a.html", "--font", "x"), "--font: for PDF, and this is book-html"),
        (("convert", file, "a.docx", "--title", "x"), "make it a book (--rows paragraph)"),
        (("align", file, "-o", out, "--first", "tgt"), "--first: for books (book-html, docx"),
    ):
        done = bitext(*arguments)
        assert (done.status, done.out) == (2, ""), arguments
        assert told.format(out=out) in done.err, (arguments, done.err)
    assert not out.exists()


@pytest.mark.parametrize("page", ["pages/", "page.html"])
def test_no_pages_are_left_where_the_book_cannot_be_written(bitext, write, tmp_path, page):
    path, place = write("a.tsv", "One.\tUn.\n"), f"{tmp_path}/{page}"
    given = ("show", path, "--html", place, "-o", tmp_path / "lines.txt", "--book")
    before = sorted(tmp_path.rglob("*"))
    refused = bitext(*given, tmp_path / "no/book.epub")
    assert (refused.status, sorted(tmp_path.rglob("*"))) == (2, before)
    assert bitext(*given, tmp_path / "book.epub").status == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"a.tsv", "lines.txt", "book.epub", page.rstrip("/")}
