"""Text of PDF files."""

import zlib

import pytest

from bitext.formats.io.compression import Limits
from formats.document_samples import pdf

pytest.importorskip("pdfminer", reason="the extra documents")


def page(number, *columns):
    """A page with a head, a number, and columns of rows from the top."""
    rows = [(50, 570, 8, f"The Mill, part {number % 3 + 1}"), (195, 20, 8, str(number))]
    for k, column in enumerate(columns):
        y = 540
        for row in column:
            x, size, text = row if isinstance(row, tuple) else (0, 10, row)
            y -= 12 + (size > 10) * 10
            rows.append((30 + 220 * k + x, y, size, text))
    return rows


LEFT = [
    (0, 16, "The Mill"),
    (10, 10, "It had rained for nine days, and the"),
    "bridge had gone down the river with the rail-",
    "way and an out-",
    "house. A well-known man came.",
    (10, 10, "He left again. The miller wrote to his"),
    "brother, who came up the road from",
    "the town with the well-",
]
RIGHT = [
    "known books on the railway, and they",
    "read them all.",
    (10, 10, "Then it rained again, all day and all"),
    "night, over the hill and the mill and the",
    "road.",
    (0, -10, "A Second Part"),
    (10, 10, "They came back."),
    (0, 7, "1 A note at the foot of the page."),
]
FIRST = """It had rained for nine days, and the bridge had gone down the river with the railway and
an outhouse. A well-known man came."""
SECOND = """He left again. The miller wrote to his brother, who came up the road from the town with
the well- known books on the railway, and they read them all."""
THIRD = "Then it rained again, all day and all night, over the hill and the mill and the road."
TEXTS = [
    ("heading", "The Mill"),
    ("paragraph", FIRST.replace("\n", " ")),
    ("paragraph", SECOND.replace("\n", " ")),
    ("paragraph", THIRD),
    ("heading", "A Second Part"),
    ("paragraph", "They came back."),
    ("note", "1 A note at the foot of the page."),
]


def read_texts(read, data, **options):
    document, notes = read(data, "a.pdf", **options)
    return [(block.kind, block.text.replace("\n", " ")) for block in document.blocks], notes


@pytest.mark.parametrize("pages", [1, 2])
def test_columns_are_read_one_after_another_without_heads(read, pages):
    """Once on one page in two columns, once on two pages."""
    more = [page(k, [f"{said} said more of it there."]) for k, said in ((8, "She"), (9, "He"))]
    made = [page(1, LEFT, RIGHT)] if pages == 1 else [page(1, LEFT), page(2, RIGHT)]
    texts, notes = read_texts(read, pdf(*made, *more))
    assert texts[:6] == TEXTS[:6]
    assert texts[-1] == TEXTS[-1]
    kinds = {note.kind: note.count for note in notes}
    assert kinds["running heads and page numbers of PDF, left out"] == 2 * (len(made) + 2)
    assert ("pages of PDF in columns, read one after another" in kinds) == (pages == 1)
    (guessed,) = [note.first for note in notes if "joined without a hyphen" in note.kind]
    assert guessed.endswith("out-house")


def test_heads_over_other_columns_are_left_out_with_those_that_recur(read):
    """The head of the right column names the section, and stands on one page only."""
    pages = []
    for k in range(2):
        rows = [f"Row {chr(65 + n + 9 * k)} of the text goes on and on" for n in range(9)]
        made = page(k, rows, [row.upper()[::-1] for row in rows])
        pages.append([*(row for row in made if row[1] < 570), (30, 570, 10, "The Mill by A. B.")])
    pages[1].append((250, 570, 10, "Section of the rain"))
    texts, notes = read_texts(read, pdf(*pages))
    assert "Section of the rain" not in str(texts)
    assert sum(note.count for note in notes if note.kind.startswith("running heads")) == 5
    pages[1][-1] = (250, 552, 10, "A row of the text at last")
    assert "A row of the text at last" in str(read_texts(read, pdf(*pages))[0])


def test_columns_may_be_close_to_each_other(read):
    """As in LaTeX, where hyphens and marks stand in the margin; the right one is shorter."""
    left, right = (" ".join([letter * 4] * 8) for letter in "nu")  # 197.4 wide
    rows = [(30, 550 - 12 * k, 10, left) for k in range(14)]
    rows += [(235.2, 550 - 12 * k, 10, right) for k in range(8)]
    texts, _ = read_texts(read, pdf(rows))
    words = " ".join(text for _, text in texts).split()
    assert words == ["nnnn"] * 112 + ["uuuu"] * 64


def test_short_columns_of_a_last_page_are_read_as_those_before(read):
    last = page(
        2, ["It was late, and the rain had", "not ended yet."], ["Nobody came to the mill."]
    )
    texts, _ = read_texts(read, pdf(page(1, LEFT, RIGHT), last))
    assert [text for _, text in texts if "late" in text or "Nobody" in text] == [
        "It was late, and the rain had not ended yet.",
        "Nobody came to the mill.",
    ]
    texts, _ = read_texts(read, pdf(page(1, LEFT, RIGHT), [(150, 400, 10, f"One. {RIGHT[0]}")]))
    assert f"One. {RIGHT[0]}" in str(texts)


@pytest.mark.parametrize("is_table", [False, True])
def test_a_head_over_both_columns_crosses_their_strip(read, is_table):
    """Of a table the rows go on: its cells are ragged."""
    words = "It had rained for nine days, and the", "river had gone up to the mill, as the"
    head = "The abstract is as wide as both of the columns of the text below it"
    rows = [(30, 560, 14, "An Article about the Mill and the Rain"), (284, 567, 8, "1")]
    rows += [(30, 540 - 12 * k, 8, head) for k in range(5)]  # small, and no note
    for column, side in enumerate("LR"):
        for k in range(10):
            text = f"{side} said."[: 2 + k] if is_table and k % 3 else f"{side} {words[k % 2]}"
            rows.append((30 + 205 * column, 470 - 12 * k, 10, text))
    texts, notes = read_texts(read, pdf(rows))
    assert texts[0] == ("heading", "An Article about the Mill and the Rain 1")
    assert texts[1][1].startswith(" ".join([head] * 5))
    joined = " ".join(text for _, text in texts)
    is_in_columns = joined.rindex("L ") < joined.index("R ")
    noted = "pages of PDF in columns, read one after another" in [note.kind for note in notes]
    assert is_in_columns == noted == (not is_table)


def test_parts_of_a_page_may_be_in_columns(read):
    words = "had rained for nine days, and the", "had gone up to the mill, as she had"
    rows, y = [], 560
    for part, sizes in enumerate((3, 9, 4, 3)):
        for k in range(sizes):
            y -= 12
            if part % 2:
                rows += [
                    (30 + 205 * column, y, 10, f"{side}{part} {words[k % 2]}")
                    for column, side in enumerate("LR")
                ]
            else:
                rows.append((30, y, 10, f"F{part} {words[0]} town, which {words[1]} said"))
    texts, _ = read_texts(read, pdf(rows))
    order = [word for _, text in texts for word in text.split() if word[1:].isdecimal()]
    assert list(dict.fromkeys(order)) == ["F0", "L1", "R1", "F2", "L3", "R3"]
    assert order == sorted(order, key=list(dict.fromkeys(order)).index)


def test_rows_of_figures_in_a_part_of_a_page_are_a_table(read):
    head = [
        (30, 560 - 12 * k, 10, f"It had rained {k} days, and the bridge had gone down at last.")
        for k in range(8)
    ]
    rows = [
        (30 + 205 * column, 460 - 12 * k, 10, f"{name} {k + 1}0.5 : 1998 : 32.50 : 71.25 : 8{k}.75")
        for k in range(8)
        for column, name in enumerate(("North", "South"))
    ]
    texts, _ = read_texts(read, pdf([*head, *rows]))
    names = [text.split()[0] for _, text in texts if text.startswith(("North", "South"))]
    assert names == ["North", "South"] * 8


def test_a_short_row_at_the_foot_of_a_page_does_not_go_on(read):
    long = "It had rained for nine days, and the bridge had gone down."
    first = [(30, 500, 10, long), (120, 488, 10, "Anna, 12")]
    texts, _ = read_texts(read, pdf(first, [(30, 540, 10, "On page two."), (30, 500, 10, long)]))
    assert ("paragraph", "On page two.") in texts


def test_text_of_forms_is_noted(read):
    fields = (
        "<< /Subtype /Widget /FT /Tx /V (Anna) >>",
        "<< /Subtype /FreeText /Contents (Typed.) >>",
        "<< /Subtype /Widget /FT /Tx /V () >>",
        "<< /Subtype /Link /Contents (x) >>",
    )
    data = pdf([(30, 500, 10, "Name:")], objects=fields)
    data = data.replace(b"/MediaBox", b"/Annots [7 0 R 8 0 R 9 0 R 10 0 R] /MediaBox", 1)
    texts, notes = read_texts(read, data)
    assert texts == [("paragraph", "Name:")]
    assert [(note.kind, note.count) for note in notes] == [
        ("text in forms and typed onto pages of PDF, left out", 2)
    ]


def test_lists_and_languages_are_read(read):
    rows = [(50, 500, 10, "\\225 Bread"), (50, 488, 10, "\\225 Salt and"), (58, 476, 10, "flour")]
    document, _ = read(pdf([*rows, (50, 440, 10, "The end.")]), "a.pdf")
    assert document.lang == "en-GB"
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("item", "Bread"),
        ("item", "Salt and\nflour"),
        ("paragraph", "The end."),
    ]


def test_characters_far_from_the_page_are_left_out(read):
    far = [(10**12, 488, 10, "Far."), (50, 10**9, 10, "High."), (50, 400, 10**8, "Large.")]
    texts, _ = read_texts(read, pdf([(50, 500, 10, "One."), *far] * 8))
    assert not any(word in str(texts) for word in ("Far.", "High.", "Large."))


def test_numbered_headings_at_the_tops_of_pages_are_no_running_heads(read):
    made = [
        [(50, 570, 8, f"Page {k} of 3"), (50, 540, 16, f"Chapter {k}"), (50, 500, 10, text)]
        + [(50, 480 - 12 * line, 10, f"Row {text} {'abc'[line]}") for line in range(3)]
        for k, text in enumerate(("One.", "Two.", "Three."), start=1)
    ]
    document, _ = read(pdf(*made), "a.pdf")
    headings = [block.text for block in document.blocks if block.kind == "heading"]
    assert headings == ["Chapter 1", "Chapter 2", "Chapter 3"]
    assert not any("Page" in block.text for block in document.blocks)


def test_heads_with_the_numbers_of_their_pages_are_left_out_where_none_recurs(read):
    heads = ["", "12 CHAPTER 1. THE FLOOD", "Night 13", "The year 14", "14 CHAPTER 2", "16 Bold"]
    feet = ["11", "", "", "14", "15", ""]
    made = []
    for k, (head, foot) in enumerate(zip(heads, feet, strict=True)):
        rows = [
            (30, 540 - 12 * line, 10, f"Row {'abcdef'[k]} {'xyz'[line]} of it.")
            for line in range(3)
        ]
        size = -8 if head == "16 Bold" else 8
        made.append([(30, 570, size, head)] * bool(head) + rows + [(195, 20, 8, foot)] * bool(foot))
    texts, notes = read_texts(read, pdf(*made))
    whole = " ".join(text for _, text in texts)
    assert "CHAPTER 1" not in whole
    assert "Night" not in whole
    assert "The year 14" in whole  # the number of its page stands at the foot
    assert "14 CHAPTER 2" in whole  # on page 15
    assert "16 Bold" in whole  # may be a heading
    (left_out,) = [note.count for note in notes if "running heads" in note.kind]
    assert left_out == 5


def test_the_number_of_a_note_is_parted_from_its_characters(read):
    rows = [
        (50, 500, 10, "The text of this page is here."),
        (50, 60, 7, "1A note."),
        (50, 40, 7, ""),
    ]
    texts, _ = read_texts(read, pdf(rows))
    assert texts[-1] == ("note", "1 A note.")


def test_an_object_that_only_refers_to_another_is_that_one(read):
    whole = pdf([(50, 500, 10, "One.")])
    referring = whole.replace(b"5 0 obj\n", b"5 0 obj\n9 0 R\nendobj\n9 0 obj\n")
    assert referring != whole
    assert [block.text for block in read(referring, "a.pdf")[0].blocks] == ["One."]


def stream(content):
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def text_of(read, instructions, **options):
    document, notes = read(pdf(instructions, **options), "a.pdf")
    return " ".join(block.text for block in document.blocks), {note.kind: note for note in notes}


# Letters of a font by their codes: Hebrew, with a point, a ligature, and a form of Arabic.
LETTERS = {"a": 0x5D0, "b": 0x5D1, "c": 0x5B8, "f": 0xFB01, "l": 0xFEFB, "x": 0x644, "y": 0xE001}
TO_UNICODE = stream(
    f"{len(LETTERS)} beginbfchar\n"
    + "".join(f"<{ord(code):02x}> <{letter:04x}>\n" for code, letter in LETTERS.items())
    + "endbfchar"
)
LETTERED = {"font": "/ToUnicode 7 0 R", "objects": (TO_UNICODE,)}


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        # From the left as on the page: a number, brackets, and a word of Latin between Hebrew.
        ("ba TEN \\(12,5\\) ba, ab", "בא ,אב TEN (12,5) אב"),
        ("ba 3 ,2-1 ab", "בא 2-1, 3 אב"),
        # Signs belong to numbers; after Arabic letters, they and hyphens do not.
        ("ba $5 12.5% ab", "בא 12.5% $5 אב"),
        ("x %3 12-05-2020 x", "ل 2020-05-12 3% ل"),
        ("fine", "fiine"),
        ("xl", "لال"),
    ],
)
def test_letters_are_read_in_the_order_of_reading(read, shown, text):
    """Ligatures and presentation forms are those letters that they stand for."""
    assert text_of(read, f"BT /F1 10 Tf 50 500 Td ({shown}) Tj ET", **LETTERED)[0] == text


@pytest.mark.parametrize(
    "shown", ["[(One) -50 (\\(a (b) c) (d)]", "[(One(a(b)c)d)]", "[<4F6E65>(()) ]"]
)
def test_strings_of_arrays_have_brackets_in_them(read, shown):
    text, _ = text_of(read, f"BT /F1 10 Tf 50 500 Td {shown} TJ ET")
    assert text.startswith("One")
    assert "(" in text
    assert ")" in text


def test_letters_of_spaced_text_are_words(read):
    """Whether blanks are characters or places, and whether the text is spaced, as in headings."""
    for shown in ("(The old mill) Tj", "[(The) -300 (old) -300 (mill)] TJ"):
        for spacing in (0, 1, 3):
            page = f"BT /F1 10 Tf {spacing} Tc 50 500 Td {shown} ET"
            assert text_of(read, page)[0] == "The old mill"


def test_points_and_accents_are_put_on_their_letters(read):
    page = "BT /F1 10 Tf 50 500 Td (r) Tj 0.3 0 Td (\\264) Tj ET"
    assert text_of(read, page)[0] == "ŕ"
    page = "BT /F1 10 Tf 50 500 Td (ba) Tj -1 0 Td (c) Tj ET"
    assert text_of(read, page, **LETTERED)[0] == "אבָ"
    # The accent is as near to the next letter, which cannot have it.
    page = "BT /F1 10 Tf 50 500 Td (garc) Tj 16.5 0 Td (\\270) Tj 2.4 0 Td (aio) Tj ET"
    assert text_of(read, page)[0] == "garçaio"


def test_characters_without_a_letter_are_told_and_too_many_refused(read, refused):
    page = "BT /F1 10 Tf 50 500 Td (A yes y) Tj ET"
    text, notes = text_of(read, page, **LETTERED)
    assert text == "A \ufffdes \ufffd"
    note = notes["characters of PDF that cannot be identified, by a font without their names"]
    assert (note.count, note.first) == (2, "a.pdf: page 1")
    data = pdf("BT /F1 10 Tf 50 500 Td (yyy a) Tj ET", **LETTERED)
    assert "cannot be identified, on page 1 first" in refused(data, "a.pdf")


@pytest.mark.parametrize(
    "matrix", ["1 0 0 1 50 500", "0 1 -1 0 300 50", "-1 0 0 -1 300 300", "0 -1 1 0 100 500"]
)
def test_pages_are_read_in_the_direction_of_most_of_their_text(read, matrix):
    rest = "BT /F1 10 Tf .7 .7 -.7 .7 100 100 Tm (Draft) Tj ET"
    page = f"BT /F1 10 Tf {matrix} Tm (Two lines) Tj 0 -12 Td [(of wor) -20 (ds.)] TJ ET {rest}"
    text, notes = text_of(read, page)
    assert text == "Two lines\nof words."
    assert notes["words of PDF in another direction than their page, left out"].count == 1


def test_raised_and_lowered_characters_of_one_row_stay_in_it(read):
    places = ((50, 0, 10, "H"), (57.3, -3, 6, "2"), (60.7, 0, 10, "O at 10"), (93.8, 4, 6, "6"))
    shown = [(x, 500 + y, size, text) for x, y, size, text in places]
    assert read_texts(read, pdf([*shown, (101, 500, 10, "grams.")]))[0] == [
        ("paragraph", "H2O at 106 grams.")
    ]


def test_two_rows_of_small_text_beside_a_row_are_not_mixed(read):
    """As the address beside the text of a letter."""
    small = [(300, 502.5, 7, "Market street"), (300, 497.5, 7, "Hamburg town")]
    texts, _ = read_texts(read, pdf([(50, 500, 10, "A row of the letter"), *small]))
    assert [text for _, text in texts] == ["A row of the letter Market street", "Hamburg town"]


@pytest.mark.parametrize("encoding", ["7 0 R", "/UniGB-UCS2-H"])
def test_characters_are_by_the_codes_of_strings_and_not_by_the_numbers_of_glyphs(read, encoding):
    """The codes 0041 and 0042 are glyphs of other numbers in both maps."""
    numbers = stream("2 begincidchar\n<0041> 66\n<0042> 0\nendcidchar")
    letters = stream("2 beginbfchar\n<0041> <0054>\n<0042> <0069>\nendbfchar")
    inner = "[<< /Subtype /CIDFontType2 /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) >> >>]"
    font = f"/Subtype /Type0 /Encoding {encoding} /ToUnicode 8 0 R /DescendantFonts {inner}"
    page = "BT /F1 10 Tf 50 500 Td <004100420041> Tj ET"
    assert text_of(read, page, font=font, objects=(numbers, letters))[0] == "TiT"


@pytest.mark.parametrize("matrix", ["1 0 0 1 50 %d", "0 1 -1 0 %d 50", "-1 0 0 -1 150 %d"])
def test_text_beyond_the_crop_box_is_left_out(read, matrix):
    """As the other page of two that were scanned or set together."""
    shown = "".join(
        f"BT /F1 10 Tf {matrix % place} Tm ({text}) Tj ET\n"
        for place, text in ((100, "On the page."), (-100, "Below or beside it."), (300, "Above."))
    )
    data = pdf(shown).replace(b"/MediaBox [0 0 400 600]", b"/CropBox  [200 0 0 200]")
    document, notes = read(data, "a.pdf")
    assert [block.text for block in document.blocks] == ["On the page."]
    note = next(note for note in notes if "to which their page is cropped" in note.kind)
    assert (note.count, note.first) == (5, "a.pdf: page 1")
    assert "Above." in text_of(read, shown)[0]


def test_pages_that_are_pictures_are_told(read):
    picture = "q BI /W 1 /H 1 /BPC 8 /CS /G ID (x) Tj EI Q"
    document, notes = read(pdf([(50, 500, 10, "One.")], picture, picture), "a.pdf")
    assert [block.text for block in document.blocks] == ["One."]
    assert [(note.count, note.first) for note in notes] == [(2, "a.pdf: page 2, 3")]
    assert "pictures: recognise their text first (OCR)" in notes[0].kind


TAGGED = """/Artifact BMC BT /F1 8 Tf 50 570 Td (Head) Tj ET EMC
/P << /MCID 1 >> BDC BT /F1 10 Tf 50 500 Td (It had rain-) Tj 0 -12 Td (ed ) Tj
/Span << /ActualText (for) >> BDC (4) Tj EMC ( days.) Tj ET EMC
/H1 << /MCID 0 >> BDC BT /F1 10 Tf 50 540 Td (The Mill) Tj ET EMC
/Lbl << /MCID 2 >> BDC BT /F1 10 Tf 50 400 Td (1.) Tj ET EMC
/LBody << /MCID 3 >> BDC BT /F1 10 Tf 60 400 Td (Bread) Tj ET EMC"""


def tagged(elements):
    roles = "/RoleMap << /Absatz /P >>"
    catalog = f"/MarkInfo << /Marked true >> /StructTreeRoot << /K [ {elements} ] {roles} >>"
    return pdf(TAGGED, catalog=catalog)


def test_tags_are_kept_as_blocks(read):
    document, notes = read(
        tagged(
            "<< /S /H1 /Pg 5 0 R /K 0 >> << /S /Absatz /Pg 5 0 R /Lang (en) /K [1] >> << /S /L /K "
            "<< /S /LI /Pg 5 0 R /K [<< /S /Lbl /K 2 >> << /S /LBody /K << /MCID 3 >> >>] >> >>"
        ),
        "a.pdf",
    )
    assert [(block.kind, block.level, block.text, block.lang) for block in document.blocks] == [
        ("heading", 1, "The Mill", ""),
        ("paragraph", 0, "It had rained for days.", "en"),
        ("item", 1, "Bread", ""),
    ]
    assert "running heads and page numbers of PDF, left out" in {note.kind for note in notes}


def test_code_within_a_paragraph_does_not_end_it(read):
    """Browsers tag `<code>` so; code beside paragraphs is a block of its own."""
    shown = "".join(
        f"/P << /MCID {k} >> BDC BT /F1 10 Tf {x} {y} Td ({text}) Tj ET EMC\n"
        for k, x, y, text in (
            (0, 50, 500, "Run "), (1, 75, 500, "make"), (2, 105, 500, " twice."), (3, 50, 480, "x")
        )
    )  # fmt: skip
    tree = (
        "/StructTreeRoot << /K [ << /S /P /Pg 5 0 R /K [0 << /S /Code /K 1 >> 2] >> "
        "<< /S /Code /Pg 5 0 R /K 3 >> ] >>"
    )
    document, _ = read(pdf(shown, catalog=tree), "a.pdf")
    assert [block.text for block in document.blocks] == ["Run make twice.", "x"]


def test_blocks_by_tags_are_read_in_the_direction_of_their_page(read):
    """Also a block with more letters of Latin."""
    shown = "".join(
        f"/P << /MCID {k} >> BDC BT /F1 10 Tf 50 {500 - 30 * k} Td ({text}) Tj ET EMC\n"
        for k, text in enumerate(("abababab abababab", "ba HELLO ab"))
    )
    objects = "<< /S /P /Pg 5 0 R /K 0 >> << /S /P /Pg 5 0 R /K 1 >>"
    tree = f"/StructTreeRoot << /K [ {objects} ] >>"
    document, _ = read(pdf(shown, catalog=tree, **LETTERED), "a.pdf")
    assert document.blocks[1].text == "בא HELLO אב"


def test_tags_that_lack_much_of_the_text_are_not_used(read):
    document, notes = read(tagged("<< /S /H1 /Pg 5 0 R /K 0 >>"), "a.pdf")
    assert [block.text for block in document.blocks][-1] == "1. Bread"
    assert "PDF files whose tags lack much of the text, read by the places of words" in {
        note.kind for note in notes
    }


def packed(data, head=b"/Filter /FlateDecode"):
    return pdf([(50, 500, 10, "One.")], packed=(head, data))


def in_object_stream(value):
    """Return a file whose catalogue, object 1, is a value in an object stream."""
    stream = b"1 0 " + value
    return (
        b"%%PDF-1.5\n4 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Length %d >>\nstream\n%s\n"
        b"endstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\n%%%%EOF\n"
    ) % (len(stream), stream)


CIRCLE = pdf([]).replace(b"5 0 obj\n", b"5 0 obj\n9 0 R\nendobj\n9 0 obj\n5 0 R\nendobj\n7 0 obj\n")


def lzw(count):
    """Return codes of LZW, each of which unfolds to one character more than the last."""
    bits, size = "100000000001111000", 259  # a code that empties the table, and an x
    for code in range(258, 258 + count):
        bits += f"{code:0{min(size.bit_length(), 12)}b}"
        size += 1
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


BOMB = zlib.compress(b" " * 500_000)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (packed(BOMB), "unfolds to more than"),
        (
            packed(zlib.compress(BOMB), b"/Filter [/FlateDecode /FlateDecode]"),
            "unfolds to more than",
        ),
        (packed(bytes(200_001), b"/Filter /RunLengthDecode"), "unfolds to more than"),
        (packed(lzw(1000), b"/Filter /LZWDecode"), "unfolds to more than"),
        (packed(b"x", b"/Filter [/Fl /Fl /Fl /Fl /Fl]"), "a stream with 5 filters"),
        (packed(BOMB.hex().encode() + b">", b"/Filter [/AHx /Fl]"), "unfolds to more than"),
        (pdf([(50, 500, 10, "One.")], trailer="/Encrypt << /Filter /Standard >>"), "password"),
        (in_object_stream(b"1 0 R"), "is damaged, or no PDF"),
        (CIRCLE, "has an object that only refers"),
        (pdf([]).replace(b"5 0 obj\n", b"5 0 obj 5 0 R "), "has an object that only refers"),
        (pdf([]), "has no text, only pictures"),
        (b"%PDF-1.4\n" + b"<" * 10_000, "is damaged, or no PDF"),
    ],
)
def test_what_is_protected_damaged_or_unsafe_is_refused(refused, data, fault):
    assert fault in refused(data, "a.pdf", limits=Limits(size=450_000, ratio=20))


@pytest.mark.parametrize(
    "page",
    [
        "(" * 20_000,
        "[(a)<00" * 10_000,
        "[(a()) " * 10_000,
        "[((a) " * 10_000,
        "1 " * 20_000,
        "BI ID x " * 10_000,
        "/Span << /ActualText (a) >> BDC " * 5_000,
        f"[({'1' * 400}) -{'9' * 400} (a)] TJ",
    ],
)
def test_damaged_instructions_are_passed_over_in_linear_time(read, page):
    shown = "BT /F1 10 Tf 50 500 Td (One.) Tj ET "
    assert text_of(read, f"{shown}{page}")[0].startswith("One.")


def test_forms_within_forms_are_counted(refused):
    """Ten forms, each of which shows the next one ten times."""
    resources = "/Resources << /XObject << /X %d 0 R >> /Font << /F1 3 0 R >> >>"
    forms = [
        f"<< /Type /XObject /Subtype /Form {resources % (8 + k)} "
        f"/Length 60 >>\nstream\n{'/X Do ' * 10}\nendstream"
        for k in range(10)
    ]
    data = pdf("/X Do", objects=forms).replace(
        b"/Font << /F1", b"/XObject << /X 7 0 R >> /Font << /F1", 1
    )
    assert "unfolds to more than" in refused(data, "a.pdf", limits=Limits(size=100_000, ratio=1))


def test_hyphens_behind_a_single_letter_are_kept(read):
    rows = [
        "The doctor looked at the X-",
        "ray for a long and quiet while.",
        "He sent an e-",
        "mail.",
    ]
    document, notes = read(
        pdf([(30, 500 - 12 * k, 10, row) for k, row in enumerate(rows)]), "a.pdf"
    )
    assert "X-\nray" in document.blocks[0].text
    assert "e-\nmail" in document.blocks[0].text
    assert notes == ()


def test_rows_that_end_in_the_number_of_a_note_are_no_running_heads(read):
    rows = [
        "It rained all day and the mill was",
        "closed. He left home at nine o'clock",
        "and never came back to the village.",
    ]
    made = [(50, 550 - 12 * k, 10, row) for k, row in enumerate(rows)]
    note = (50, 60, 8, "1 A note about the village and the mill.")
    document, notes = read(pdf([*made, (230, 530, 6, "1"), note]), "a.pdf")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("paragraph", "\n".join(rows) + " 1"),
        ("note", "1 A note about the village and the mill."),
    ]
    assert notes == ()


def test_pronouns_of_french_keep_their_hyphens(read):
    rows = ["Il dit tout. Oui, dit-", "il, et il va là. Com-", "me toujours."]
    page = [(50, 500 - 12 * k, 10, row) for k, row in enumerate(rows)]
    document, _ = read(pdf(page), "a.pdf")
    # The splitter of sentences joins words at the hyphen that is left.
    assert document.blocks[0].text == "Il dit tout. Oui, dit-\nil, et il va là. Comme toujours."


def test_words_with_several_hyphens_keep_those_at_line_ends(read):
    rows = ["Il but de l'eau-", "de-vie, face-à-", "face, et du self-con-", "trol. Le control a"]
    page = [(50, 500 - 12 * k, 10, row) for k, row in enumerate([*rows, "chan-", "té."])]
    document, _ = read(pdf(page), "a.pdf")
    assert document.blocks[0].text == (
        "Il but de l'eau-\nde-vie, face-à-\nface, et du self-control. Le control a\nchanté."
    )


def test_bitmap_fonts_of_tex_are_read_by_its_encodings(read):
    """Their glyphs are named by their codes: here in T1, which has letters above 127."""
    names = " ".join(f"/a{code}" for code in (233, 28, 39, 21))
    encoding = f"<< /Differences [97 {names} 101 /.notdef] >>"
    glyphs = "/Subtype /Type3 /FontMatrix [.01 0 0 .01 0 0]"
    data = pdf([(50, 500, 10, "abcd")]).replace(
        b"/Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding",
        f"{glyphs} /Encoding {encoding}".encode(),
    )
    # The codes of the page are those of the glyphs.
    data = data.replace(b"(abcd)", b"(\\351\\034\\047\\025)").replace(b"[97 /a233", b"[233 /a233")
    data = data.replace(b" /a28 ", b" 28 /a28 ").replace(b" /a39 ", b" 39 /a39 ")
    document, notes = read(data.replace(b" /a21 ", b" 21 /a21 "), "a.pdf")
    assert document.blocks[0].text == "éfi’–"
    assert any("bitmap fonts of TeX" in note.kind for note in notes)
    bullet = pdf([(50, 500, 10, "\\210"), (60, 500, -10, "Bread")]).replace(
        b"/Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding",
        f"{glyphs} /Encoding << /Differences [136 /a136] >>".encode(),
    )
    assert read(bullet, "a.pdf")[0].blocks[0].kind == "item"


def test_rows_whose_parts_stand_below_each_other_are_tables(read):
    """Two rows at least; contents with dots up to the numbers of pages are tables, too."""
    cells = [("Day", "Height"), ("Ninth of May", "1.5"), ("Tenth of May", "2")]
    rows = [(50 + 150 * k, 500 - 12 * j, 10, cell) for j, row in enumerate(cells)
            for k, cell in enumerate(row)]  # fmt: skip
    lines = [(50, 400, 10, "One line that goes"), (200, 400, 10, "on after a gap.")]
    contents = [(50, 300 - 12 * k, 10, f"Part {k}{' .' * 15}") for k in (1, 2)]
    numbers = [(210, 300 - 12 * k, 10, f"1{k}") for k in (1, 2)]
    document, notes = read(pdf([*rows, *lines, *contents, *numbers]), "a.pdf")
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        *(("cell", k, cell) for row in cells for k, cell in enumerate(row, 1)),
        ("paragraph", 0, "One line that goes on after a gap."),
        ("cell", 1, "Part 1"), ("cell", 2, "11"), ("cell", 1, "Part 2"), ("cell", 2, "12"),
    ]  # fmt: skip
    kind = "rows of tables of PDF without tags, taken apart into cells by their places"
    assert {note.kind: note.count for note in notes}[kind] == 5


def test_long_strings_of_objects_take_linear_time(read):
    """The library would copy each at every bracket, or look for its line again and again."""
    deep = "(" * 20_000 + ")" * 20_000
    assert text_of(read, "BT /F1 10 Tf 50 500 Td (One.) Tj ET", catalog=f"/A {deep}")[0] == "One."


def test_headings_of_several_rows_are_one(read):
    rows = [(50, 500, 14, "A long heading of a"), (50, 482, 14, "chapter of a book")]
    rows += [(50, 450, 14, "Another heading")]
    rows += [(50, 420 - 13 * k, 10, f"Line {k} of the text here") for k in range(4)]
    document, _ = read(pdf(rows), "a.pdf")
    assert [(b.kind, b.text) for b in document.blocks[:2]] == [
        ("heading", "A long heading of a\nchapter of a book"),
        ("heading", "Another heading"),
    ]


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("The Mill ........ 12", "The Mill 12"),
        ("The Mill . . . . . . . xi", "The Mill xi"),
        ("Name: ........", "Name: ........"),
        ("Ah ...... that", "Ah ...... that"),
    ],
)
def test_dots_are_left_out_before_a_number_of_a_page_only(read, shown, text):
    assert text_of(read, f"BT /F1 10 Tf 50 500 Td ({shown}) Tj ET")[0] == text
