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


def test_an_object_that_only_refers_to_another_is_that_one(read):
    whole = pdf([(50, 500, 10, "One.")])
    referring = whole.replace(b"5 0 obj\n", b"5 0 obj\n9 0 R\nendobj\n9 0 obj\n")
    assert referring != whole
    assert [block.text for block in read(referring, "a.pdf")[0].blocks] == ["One."]


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
BOMB = zlib.compress(b" " * 500_000)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (packed(BOMB), "unfolds to more than"),
        (packed(zlib.compress(BOMB), b"/Filter [/FlateDecode /FlateDecode]"), "by FlateDecode, Fl"),
        (packed(b"x" * 200_001, b"/Filter /LZWDecode"), "compressed by LZWDecode"),
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
