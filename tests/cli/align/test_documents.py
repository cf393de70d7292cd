"""Documents, given to `bitext align` as they are."""

import json
import re
from contextlib import redirect_stderr, redirect_stdout
from html import escape
from io import StringIO

import pytest

from bitext.cli.align.inputs import FilePair
from bitext.cli.align.request import AlignRequest
from bitext.cli.align.texts import TextReader
from bitext.cli.main import main
from bitext.formats.io.source import Notes
from formats.document_samples import archive, docx, epub, odt, paragraph

ENGLISH = [
    ["The Mill"],
    ["It had rained for nine days and nobody came.", "On the tenth the miller went out."],
    ["He saw the water at the wall.", "Who is there, he called, and nobody answered."],
    ["The Flood"],
    ["In the morning the bridge was gone.", "The miller had to go over the hill."],
]
GERMAN = [
    ["Die Mühle"],
    ["Es hatte neun Tage geregnet und niemand kam.", "Am zehnten ging der Müller hinaus."],
    ["Er sah das Wasser an der Mauer.", "Wer ist da, rief er, und niemand antwortete."],
    ["Die Flut"],
    ["Am Morgen war die Brücke nicht mehr da.", "Der Müller musste über den Hügel gehen."],
]


def page(blocks, lang):
    body = "".join(
        f"<h1>{escape(block[0])}</h1>" if len(block) == 1 else f"<p>{escape(' '.join(block))}</p>"
        for block in blocks
    )
    return f'<!doctype html><html lang="{lang}"><body>{body}</body></html>'


def word(blocks, lang):
    lang = f'<w:lang w:val="{lang}"/>'
    return docx(
        "".join(
            paragraph((" ".join(block), lang), style="H1" if len(block) == 1 else "")
            for block in blocks
        )
    )


def opendocument(blocks, lang):
    return odt(
        "".join(
            f'<text:h text:outline-level="1">{block[0]}</text:h>'
            if len(block) == 1
            else f"<text:p>{' '.join(block)}</text:p>"
            for block in blocks
        ),
        lang=lang,
    )


def book(blocks, lang):
    return epub(page(blocks, lang).partition("<body>")[2].partition("</body>")[0], lang=lang)


def markdown(blocks, lang):
    text = "\n\n".join(f"# {block[0]}" if len(block) == 1 else "\n".join(block) for block in blocks)
    return f"---\nlang: {lang}\n---\n{text}\n"


def rich_text(blocks, lang):
    number = {"en": 1033, "de": 1031}[lang]
    parts = []
    for block in blocks:
        text = " ".join(block).encode("cp1252")
        parts.append(b"\\pard\\outlinelevel%d %s\\par\n" % (0 if len(block) == 1 else 9, text))
    return b"{\\rtf1\\ansi\\deflang%d\n%s}" % (number, b"".join(parts))


MAKERS = {
    "html": page, "docx": word, "odt": opendocument, "epub": book, "md": markdown,
    "rtf": rich_text,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with both texts in each format and as plain text, one sentence a line."""
    place = tmp_path_factory.mktemp("documents")
    for lang, blocks in (("en", ENGLISH), ("de", GERMAN)):
        for ending, make in MAKERS.items():
            made = make(blocks, lang)
            data = made.encode() if isinstance(made, str) else made
            (place / f"{lang}.{ending}").write_bytes(data)
        lines = [sentence for block in blocks for sentence in block]
        (place / f"{lang}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return place


def rows(capsys, *arguments):
    assert main(["align", *map(str, arguments), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    return [(row["src_text"], row["tgt_text"]) for row in shown["rows"]], shown


@pytest.fixture(scope="module")
def plain(folder):
    """The beads of the plain texts."""
    with redirect_stdout(StringIO()) as out:
        assert main(["align", str(folder / "en.txt"), str(folder / "de.txt"), "--json", "-q"]) == 0
    return [(row["src_text"], row["tgt_text"]) for row in json.loads(out.getvalue())["rows"]]


@pytest.mark.parametrize("ending", MAKERS)
def test_beads_are_those_of_the_plain_texts(capsys, folder, plain, ending):
    beads, shown = rows(capsys, folder / f"en.{ending}", folder / f"de.{ending}")
    assert beads == plain
    assert any("documents, whose paragraphs are split" in note for note in shown["notes"])


def test_beads_of_a_document_and_a_text_and_within_paragraphs(capsys, folder, plain):
    assert rows(capsys, folder / "en.html", folder / "de.txt")[0] == plain
    assert rows(capsys, folder / "en.rtf", folder / "de.odt", "--paragraphs")[0] == plain


def test_languages_and_codes_are_those_of_the_documents(tmp_path):
    english = '<!doctype html><html lang="en-GB"><p>The <i>Mill</i>'
    (tmp_path / "a.html").write_text(english)
    (tmp_path / "b.docx").write_bytes(
        docx(paragraph("Die ", ("Mühle", '<w:i/><w:lang w:val="de"/>')))
    )
    out = tmp_path / "out.tmx"
    assert main(["align", str(tmp_path / "a.html"), str(tmp_path / "b.docx"), "-o", str(out)]) == 0
    written = out.read_text("utf-8")
    assert re.findall('xml:lang="(.*?)"', written) == ["en-GB", "de"]
    assert written.count('<bpt i="1" type="italic">&lt;i&gt;</bpt>') == 2


def test_sentences_that_were_split_are_no_broken_lines(tmp_path):
    lines = ["One is here", "Two is there. code and link .", *"abcd", "task", "quote", "Note."]
    page = "<!doctype html>" + "".join(f"<p>{line}" for line in lines)
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "b.txt").write_text("Eins ist hier.\nZwei ist dort.\n")
    with redirect_stderr(StringIO()) as told, redirect_stdout(StringIO()):
        assert main(["align", str(tmp_path / "a.html"), str(tmp_path / "b.txt")]) == 0
    assert "its lines seem to be broken" not in told.getvalue()


def test_paragraphs_are_sentences_where_a_script_marks_no_ends(capsys, tmp_path):
    blocks = [["ฝนตกมาเก้าวันแล้ว ไม่มีใครมา", "คนโม่แป้งออกไปข้างนอก"]]
    (tmp_path / "a.th.docx").write_bytes(word(blocks, "th-TH"))
    (tmp_path / "a.en.docx").write_bytes(word(ENGLISH[1:2], "en-GB"))
    sides = [str(tmp_path / f"a.{lang}.docx") for lang in ("en", "th")]
    assert main(["align", *sides]) == 0
    captured = capsys.readouterr()
    assert "\t2-1\t" in captured.out
    assert "whose script does not mark the ends of sentences: each paragraph is one" in captured.err
    assert main(["align", *sides, "--split"]) == 2


def test_superscript_marks_of_notes_end_their_sentence(tmp_path):
    mark, square = ((sign, '<w:vertAlign w:val="superscript"/>') for sign in "12")
    content = paragraph("It has 20 m", square, " of cork.", mark, " She left.", mark, " He did.")
    (tmp_path / "a.docx").write_bytes(docx(content))
    page = "<!doctype html><p>It has 20 m² of cork.¹ She left.<sup>1</sup> He did."
    (tmp_path / "b.html").write_text(page)
    out = tmp_path / "out.jsonl"
    assert main(["align", str(tmp_path / "a.docx"), str(tmp_path / "b.html"), "-o", str(out)]) == 0
    lines = [*map(json.loads, out.read_text("utf-8").splitlines())]
    assert [(line["src_text"], line["tgt_text"]) for line in lines] == [
        ("It has 20 m2 of cork.1", "It has 20 m² of cork.¹"),
        ("She left.1", "She left.1"),
        ("He did.", "He did."),
    ]
    assert "src_marked" not in lines[2]
    assert lines[1]["src_marked"][0].startswith('She left.<bpt i="3" type="x-sup">')


def test_words_tell_the_language_against_a_declared_one(folder, tmp_path):
    # The default language of a program, which nobody set to that of the text.
    (tmp_path / "b.docx").write_bytes(word(GERMAN * 2, "en-US"))
    notes = Notes()
    request = AlignRequest(src=str(folder / "en.html"), tgt=str(tmp_path / "b.docx"))
    files = FilePair("a", str(folder / "en.html"), str(tmp_path / "b.docx"))
    (pair,) = TextReader(request, notes).pairs(files)
    assert (pair.src.lang, pair.tgt.lang) == ("en", "de")
    assert any("declare en-US, whose words are those of de" in note.kind for note in notes)


def test_documents_are_read_from_standard_input_and_folders(capsys, folder, tmp_path, monkeypatch):
    from io import BytesIO, TextIOWrapper

    data = (folder / "en.docx").read_bytes()
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(data)))
    assert len(rows(capsys, "-", folder / "de.html")[0]) == 8
    for lang in ("en", "de"):
        (tmp_path / f"mill.{lang}.docx").write_bytes((folder / f"{lang}.docx").read_bytes())
    beads, shown = rows(capsys, tmp_path, "--src-lang", "en", "--tgt-lang", "de")
    assert len(beads) == 8
    assert shown["texts"][0]["text"] == "mill"


def test_sections_correspond_where_headings_do(folder):
    def masses(src, tgt, **options):
        request = AlignRequest(src=str(src), tgt=str(tgt), **options)
        (pair,) = TextReader(request, Notes()).pairs(FilePair("a", str(src), str(tgt)))
        return [
            list(map(int, text.paragraphs.masses)) if text.paragraphs else None
            for text in (pair.src, pair.tgt)
        ]

    assert masses(folder / "en.html", folder / "de.docx") == [[5, 3], [5, 3]]
    assert masses(folder / "en.html", folder / "de.txt") == [None, None]
    page_of_two = page([*ENGLISH, ["More"]], "en").replace("<h1>More</h1>", "<h2>More</h2>")
    (folder / "more.html").write_text(page_of_two)
    assert masses(folder / "more.html", folder / "de.odt") == [[5, 4], [5, 3]]
    kept = masses(folder / "en.html", folder / "de.docx", paragraphs=True)
    assert kept == [[1, 2, 2, 1, 2]] * 2


def test_verses_align_by_their_references(capsys, tmp_path):
    english = r"""\id RUT
\c 1 \s The Famine
\p \v 1 In the days of the judges there was a famine. A man went to Moab.
\v 2 His name was Elimelech.
\s The Way Home
\p \v 3 Then he died, and she was left.
\c 2 \p \v 1 She had a kinsman.
"""
    german = r"""\id RUT
\c 1 \p \v 1-2 Zur Zeit der Richter kam eine Hungersnot. Ein Mann zog nach Moab. Er hieß Elimelech.
\v 3 Dann starb er, und sie blieb zurück. \v 4 Sie hatte Söhne.
\c 2 \p \v 1 Sie hatte einen Verwandten.
"""
    (tmp_path / "a.usfm").write_text(english, "utf-8")
    (tmp_path / "b.usfm").write_text(german, "utf-8")
    both = tmp_path / "a.usfm", tmp_path / "b.usfm"
    beads, shown = rows(capsys, *both)
    assert any("verses are aligned by their references: 2" in note for note in shown["notes"])
    sides = {}
    for src, tgt in beads:
        for text in (*src, *tgt):
            sides[text] = (src, tgt)
    assert sides["Then he died, and she was left."][1][0].startswith("Dann starb er")
    assert sides["She had a kinsman."][1] == ["Sie hatte einen Verwandten."]


def test_bibles_in_two_kinds_of_xml_align_by_book_chapter_and_verse(capsys, tmp_path):
    osis = """<osis><osisText xml:lang="en"><div type="book" osisID="Ruth"><chapter osisID="Ruth.1">
<verse osisID="Ruth.1.1 Ruth.1.2">In the days of the judges there was a famine. A man went.</verse>
<verse osisID="Ruth.1.3">Then he died.</verse></chapter></div><div type="book" osisID="1Sam">
<verse osisID="1Sam.1.1">There was a man.</verse></div></osisText></osis>"""
    zefania = """<XMLBIBLE><BIBLEBOOK bnumber="8"><CHAPTER cnumber="1">
<VERS vnumber="1">Hunger.</VERS>
<VERS vnumber="2">Ein Mann ging.</VERS><VERS vnumber="3">Er starb.</VERS></CHAPTER></BIBLEBOOK>
<BIBLEBOOK bnumber="9"><CHAPTER cnumber="1"><VERS vnumber="1">Da war ein Mann.</VERS></CHAPTER>
</BIBLEBOOK></XMLBIBLE>"""
    (tmp_path / "a.xml").write_text(osis, "utf-8")
    (tmp_path / "b.xml").write_text(zefania, "utf-8")
    beads, shown = rows(capsys, tmp_path / "a.xml", tmp_path / "b.xml")
    assert any("verses are aligned by their references: 2" in note for note in shown["notes"])
    assert beads[-2:] == [
        (["Then he died."], ["Er starb."]),
        (["There was a man."], ["Da war ein Mann."]),
    ]


def test_other_archives_and_office_documents_are_refused(capsys, folder, tmp_path):
    for name, data, fault in (
        ("a.xlsx", archive({"xl/workbook.xml": "<x/>"}), "is a ZIP archive"),
        ("b.xlsx", archive({"xl/workbook.xml": "<x/>"}), "table with a column for each language"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "those with a password"),
    ):
        (tmp_path / name).write_bytes(data)
        assert main(["align", str(tmp_path / name), str(folder / "de.txt")]) == 2
        assert fault in capsys.readouterr().err


def test_the_content_of_a_file_decides_against_its_name(folder, tmp_path):
    for name, like, note in (
        ("de.docx", "de.txt", "named as a document of Word, whose content is none"),
        ("de.txt", "de.html", "that are an HTML page under another name"),
        ("de.html", "de.odt", "that are a text in OpenDocument under another name"),
        ("de.rtf", "de.rtf", ""),
        ("de", "de.docx", ""),
    ):
        path = tmp_path / name
        path.write_bytes((folder / like).read_bytes())
        notes = Notes()
        text = TextReader(AlignRequest(), notes).text(str(path), "tgt", "de")
        assert "Es hatte neun Tage" in " ".join(text.segments())
        kinds = " ".join(each.kind for each in notes.all() if "content" in each.kind)
        assert note in kinds
        assert bool(note) == bool(kinds)


def test_vectors_gold_standards_and_formats_without_texts_are_refused(capsys, folder, tmp_path):
    both = [str(folder / "en.html"), str(folder / "de.html")]
    assert main(["align", *both, "--vectors", "a.npy", "b.npy"]) == 2
    assert "--vectors are for sentences as they are" in capsys.readouterr().err
    assert main(["align", *both, "--gold", "gold.align"]) == 2
    assert "--gold is for the sentences as they are" in capsys.readouterr().err
    assert main(["align", *both, "-o", str(tmp_path / "out.xces")]) == 2
    assert "its sentences are in no file, and xces holds no texts" in capsys.readouterr().err


def test_documents_become_a_book(capsys, folder, tmp_path):
    out = tmp_path / "mill.html"
    status = main(["align", str(folder / "en.docx"), str(folder / "de.odt"), "-o", str(out)])
    assert status == 0
    assert "lost: scores" in capsys.readouterr().err
    made = out.read_text(encoding="utf-8")
    assert made.count('class="row heading"') == 2
    assert '<div class="b" lang="de" dir="ltr"><h2><span class="s b0">Die Flut</span></h2>' in made
    assert made.count('class="row"') == 3  # a paragraph each
    beads = ["align", str(folder / "en.docx"), str(folder / "de.odt"), "-o", str(out), "-q"]
    assert main([*beads, "--rows", "bead", "--title", "A <book>", "--min-score", "1"]) == 0
    made = out.read_text(encoding="utf-8")
    assert "<title>A &lt;book&gt;</title>" in made
    assert 'class="s b' not in made  # no bead is left, and all sentences
    assert all(sentence in made for block in ENGLISH + GERMAN for sentence in block)


def test_texts_of_a_folder_become_one_book_with_a_chapter_each(tmp_path):
    for lang, blocks in (("en", ENGLISH), ("de", GERMAN)):
        (tmp_path / lang).mkdir()
        (tmp_path / lang / "one.md").write_text(markdown(blocks, lang), "utf-8")
        lines = "\n\n".join("\n".join(block) for block in blocks)
        (tmp_path / lang / "two.txt").write_text(lines, "utf-8")
    out = tmp_path / "book.html"
    folders = [str(tmp_path / lang) for lang in ("en", "de")]
    given = ["align", *folders, "-o", str(out), "-q", "--src-lang", "en", "--tgt-lang", "de"]
    assert main(given) == 0
    made = out.read_text(encoding="utf-8")
    assert made.count('<section class="chapter"') == 2
    assert '<h2><span dir="auto">two</span></h2>' in made
    assert "<title>2 texts (en, de)</title>" in made
    # Blank lines between the sentences of plain text are paragraphs.
    assert 'came.</span> <span class="s b1">On the tenth' in made.partition(">two<")[2]


def test_blocks_of_a_document_are_those_of_its_text(tmp_path):
    (tmp_path / "a.md").write_text(
        "---\ntitle: Mills\n---\n# One\n\nHe came. She saw it.\n\n- e f\n"
    )
    request = AlignRequest(src_lang="en", tgt_lang="de")
    path = str(tmp_path / "a.md")
    (pair,) = TextReader(request, Notes()).pairs(FilePair("a", path, path))
    blocks = pair.whole[0].blocks
    assert (blocks.kinds, blocks.begins) == (("heading", "paragraph", "item"), (0, 1, 3))
    assert (blocks.levels, blocks.title) == ((1, 0, 1), "Mills")
    (tmp_path / "b.txt").write_text("He came.\nShe saw it.\n\nThen they went.\n")
    path = str(tmp_path / "b.txt")
    (pair,) = TextReader(request, Notes()).pairs(FilePair("b", path, path))
    assert pair.whole[0].blocks.begins == (0, 3)
    split = AlignRequest(src_lang="en", tgt_lang="de", split=True)
    (pair,) = TextReader(split, Notes()).pairs(FilePair("b", path, path))
    assert pair.whole[0].blocks.begins == (0, 2)


def test_documents_that_are_a_table_are_noted(tmp_path):
    path = tmp_path / "a.html"
    cells = "<tr><td>One cat.</td><td>Eine Katze.</td></tr><tr><td>Two.</td><td>Zwei.</td></tr>"
    for body, cases in ((f"<table>{cells}</table>", 4), (f"<table>{cells}</table><p>A.<p>B.", 0)):
        path.write_text(f'<!doctype html><html lang="en"><body>{body}')
        notes = Notes()
        TextReader(AlignRequest(), notes).text(str(path), "src", "en")
        kind = "cells of tables that make most of a document"
        assert sum(note.count for note in notes if note.kind.startswith(kind)) == cases
