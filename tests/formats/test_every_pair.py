"""Every pair of formats: what the loss tables say survives does, what they say is lost is told.

The slow truth is written here: `projected` applies the loss table of a format to a bitext, by
plain lists. A bitext that is written in one format, read, written in another and read again has to
be the bitext projected twice.
"""

import atexit
import functools
import io
import re
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Text
from bitext.errors import InputError
from bitext.formats.io.source import Notes
from bitext.formats.registry import LOSSES, Capabilities, WriteOptions, all_formats
from bitext.formats.writing import count_losses
from formats.samples import inline
from reference.draw import sides, some_of

# These need word links, or times: their own tests have the like of this.
OF_WORDS = {"pharaoh", "naacl", "giza"}
OF_TIMES = {"srt", "vtt"}
FORMATS = {
    name: known
    for name, known in all_formats().items()
    if known.write is not None and known.read is not None and name not in OF_WORDS | OF_TIMES
}
WITH_TEXT = {name for name, known in FORMATS.items() if known.holds == "text"} | {"tei"}
LADDER = "hunalign-ladder"  # its bisegments are in order
# Formats that share their bisegments with another one, and differ in how the file is written:
# they go through themselves and that one, and the other through all.
TWINS = {"arrow": "parquet", "json": "jsonl", "xlsx": "csv"}
OTHERS = [name for name in FORMATS if name != LADDER and name not in TWINS]
# Each format with all the second formats to which a bitext goes from it.
WAYS = [
    pytest.param(LADDER, [LADDER, *OTHERS], True, id=LADDER),
    *(pytest.param(twin, [twin, other], False, id=twin) for twin, other in TWINS.items()),
    *(pytest.param(first, OTHERS, False, id=first) for first in OTHERS),
    *(pytest.param(first, [LADDER], True, id=f"{first}-{LADDER}") for first in OTHERS),
]
OF_TEXTS = dict.fromkeys(
    (
        "texts",
        "ids",
        "languages",
        "breaks",
        "markup",
        "borders",
        "empty_segments",
        "paragraphs",
    ),
    True,
)

# Direction marks, line ends that are none, beyond the BMP, combining marks, what formats use.
SIGNS = "ab é\u0301𝄞😀\u202eא\u200f\u2028\x85 <>&\"'|;#[]{}$\\/%="
inner = st.text(st.sampled_from(SIGNS), max_size=5).map(lambda signs: f"x{signs}y")
BROKEN = ("x\ty", "x\ny", "x\r\ny", "x\n\n\ty")
MARKED = (
    ("x <b>y", '<bpt i="1" x="1">&lt;i&gt;</bpt>x<ept i="1">&lt;/i&gt;</ept> &lt;b&gt;y'),
    ("x y", 'x <hi type="b">y</hi>'),
    ("x  y", 'x <ph x="1">{0}</ph> y'),
)


@dataclass
class Plain:
    """A bitext as plain lists: each bisegment is two lists of (text, marked, id)."""

    beads: list
    scores: list
    columns: dict
    langs: tuple
    structure: object


def plain(found):
    def side(text, members):
        ids = text.ids if text.has_ids else None
        texts = list(text.segments())
        marked = text.marked or [None] * len(texts)
        return [(texts[k], marked[k], ids and ids[k]) for k in members]

    beads = [(side(found.src, bead.src), side(found.tgt, bead.tgt)) for bead in found.alignment]
    scores = [None] * len(beads)
    if found.alignment.scores is not None:
        scores = [None if score != score else score for score in found.alignment.scores.tolist()]  # noqa: PLR0124
    columns = {name: list(values) for name, values in found.alignment.attributes.items()}
    structure = ([tuple(bead) for bead in found.alignment], len(found.src), len(found.tgt))
    return Plain(beads, scores, columns, (found.src.lang, found.tgt.lang), structure)


def in_text_order(found):
    """Sort bisegments by their members, with what is told of each."""
    order = sorted(range(len(found.beads)), key=lambda k: found.structure[0][k])
    return replace(
        found,
        beads=[found.beads[k] for k in order],
        scores=[found.scores[k] for k in order],
        columns={name: [values[k] for k in order] for name, values in found.columns.items()},
    )


def projected(found, keeps):
    """Apply a table of losses."""

    def side(segments):
        out = [
            (
                text if keeps.breaks else re.sub("\r\n|[\t\r\n]", " ", text),
                marked if keeps.markup else None,
                name if keeps.ids else None,
            )
            for text, marked, name in segments
        ]
        if not keeps.borders and len(out) > 1:
            both = any(marked for _, marked, _ in out)
            spelled = " ".join(
                escape(text, {"\r": "&#13;"}) if marked is None else marked
                for text, marked, _ in out
            )
            out = [(" ".join(text for text, _, _ in out), spelled if both else None, None)]
        empty = len(out) < 2 and not any(text for text, _, _ in out)
        return [] if empty and not keeps.empty_segments else out

    beads = [(side(src), side(tgt)) for src, tgt in found.beads]
    kept = [
        k
        for k, (src, tgt) in enumerate(beads)
        if (src or tgt) and (keeps.empty_sides or (src and tgt))
    ]
    columns = {
        name: [values[k] for k in kept]
        for name, values in found.columns.items()
        if keeps.keeps_column(name)
    }
    whole = keeps.crossings and keeps.gaps and keeps.overlaps and keeps.uncovered and keeps.borders
    return Plain(
        [beads[k] for k in kept],
        [found.scores[k] if keeps.scores else None for k in kept],
        {name: values for name, values in columns.items() if any(v is not None for v in values)},
        found.langs if keeps.languages else ("", ""),
        found.structure if whole and len(kept) == len(beads) else None,
    )


def trip(found, known, *, losses=None):
    """Write a bitext in a format and read it back, with its texts where the format has none."""
    path = f"{folder()}/a.src,{folder()}/a.tgt" if known.two_files else f"{folder()}/a"
    bitext.write(found, path, format=known.name, losses=losses)
    given = {} if known.name in WITH_TEXT else {"src": found.src, "tgt": found.tgt}
    return bitext.read(path, format=known.name, **given)


@functools.cache
def folder():
    """Return a folder for files that are read at once: to make one each takes as long as they."""
    made = TemporaryDirectory()
    atexit.register(made.cleanup)
    return made.name


def same(got, wanted, keeps):
    """Compare what came back with what should have, as sets; ids and columns may be more."""
    assert rows(got, wanted, keeps) == rows(wanted, wanted, keeps)
    for lang, told in zip(got.langs, wanted.langs, strict=True):
        assert told in {lang, ""}
    if wanted.structure is not None:
        assert sorted(got.structure[0]) == sorted(wanted.structure[0])
        assert got.structure[1:] == wanted.structure[1:]


def rows(found, wanted, keeps):
    """Return the bisegments with all that is to be compared of them, in one order."""
    names = sorted(wanted.columns)
    out = []
    for k, bead in enumerate(found.beads):
        sides = [
            [
                (text, marked if keeps.markup else None, name if keeps.ids else None)
                for text, marked, name in side
            ]
            for side in bead
        ]
        values = {name: found.columns.get(name, [None] * len(found.beads))[k] for name in names}
        out.append((sides, found.scores[k], values))
    if not any(name for bead in wanted.beads for side in bead for _, _, name in side):
        out = [([[s[:2] for s in side] for side in sides], *rest) for sides, *rest in out]
    return sorted(out, key=repr)


def both(first, second):
    return Capabilities(**{name: getattr(first, name) and getattr(second, name) for name in LOSSES})


# Strategies are made once: hypothesis looks into each new one, which takes as long as drawing.
SEGMENTS = st.integers(1, 5)
KINDS = ["plain"] * 6 + ["marked", "broken", "empty"]
MARKUP, BREAKS = st.sampled_from(MARKED), st.sampled_from(BROKEN)
LANGS = {lang: st.sampled_from(["", lang]) for lang in ("en", "fr")}
SCORES = [0.5, -1.25, 3.0, float("nan")]
VALUES = [None] * 3 + ["1", 'a <b> & "c"', "😀 x"]
COLUMNS = st.sampled_from(
    [
        [name for k, name in enumerate(["lang:de", "note", "status"]) if which >> k & 1]
        for which in range(8)
    ]
)
IN_ORDER = some_of([(1, 1), (2, 1), (1, 2), (0, 1), (1, 0), (2, 2)], most=6)
VALUES_OF, KINDS_OF = (
    [some_of(each, least=count, most=count) for count in range(12)] for each in (VALUES, KINDS)
)


@functools.cache
def scored(count):
    return st.none() | some_of(SCORES, least=count, most=count)


@functools.cache
def anyhow(*sizes):
    both = [sides(size, 3).map(sorted).map(tuple) for size in sizes]
    return st.lists(st.tuples(*both).filter(any), min_size=1, max_size=5, unique=True)


@functools.cache
@st.composite
def bitexts(draw, *, orderly=False):
    """Draw a bitext: in order, or with gaps, crossings, overlaps and segments in no bisegment."""
    texts = []
    for name, lang in (("s", "en"), ("t", "fr")):
        segments, marked = [], []
        for kind in draw(KINDS_OF[draw(SEGMENTS)]):
            text, mark = draw(inner), None
            if kind == "marked" and not any(marked):  # two would be numbered anew where joined
                text, mark = draw(MARKUP)
            elif kind in {"broken", "empty"}:
                text = "" if kind == "empty" else draw(BREAKS)
            segments.append(text)
            marked.append(mark)
        ids = [f"{name}{k}" for k in range(len(segments))] if draw(st.booleans()) else None
        texts.append(Text(segments, ids=ids, lang=draw(LANGS[lang]), marked=marked))
    beads = draw((in_order if orderly else anyhow)(*map(len, texts)))
    count = len(beads)
    scores = draw(scored(count))
    columns = {name: draw(VALUES_OF[count]) for name in draw(COLUMNS)}
    return Bitext(texts[0], texts[1], Alignment(beads, scores=scores, attributes=columns))


@functools.cache
@st.composite
def in_order(draw, *sizes):
    beads, at = [], [0, 0]
    for n, m in draw(IN_ORDER):
        ends = min(at[0] + n, sizes[0]), min(at[1] + m, sizes[1])
        beads.append((tuple(range(at[0], ends[0])), tuple(range(at[1], ends[1]))))
        at = list(ends)
    beads.append((tuple(range(at[0], sizes[0])), tuple(range(at[1], sizes[1]))))
    return list(filter(any, beads))


@pytest.mark.parametrize(("first", "seconds", "orderly"), WAYS)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_what_two_formats_keep_survives_both(first, seconds, orderly, data):
    found = data.draw(bitexts(orderly=orderly))
    once = through(FORMATS[first], found, plain(found))
    for second in seconds if once else ():
        if twice := through(FORMATS[second], *once):
            got, wanted = twice
            same(plain(got), wanted, both(FORMATS[first].keeps, FORMATS[second].keeps))


def through(known, found, wanted):
    """Write a bitext in a format, read it back; return it, and what it should be.

    Return nothing where no bisegment should come back.
    """
    keeps = known.keeps
    if known.name not in WITH_TEXT:
        # The texts are given again: what the file itself says is the rest.
        keeps = replace(keeps, **OF_TEXTS)
    wanted = projected(wanted, keeps)
    if not wanted.beads:
        return None
    losses, counted = Notes(), Notes()
    got = trip(found, known, losses=losses)
    count_losses(found, known.keeps, counted)
    assert losses.all() == counted.all()
    return got, wanted


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=16, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_is_lost_is_told(name, data):
    """Whatever changes on a way through a file is one of the losses that are counted."""
    known = FORMATS[name]
    found = data.draw(bitexts(orderly=name == "hunalign-ladder"))
    losses = Notes()
    # A format may write bisegments in the order of the texts: each keeps what is its own.
    got, wanted = (in_text_order(plain(one)) for one in (trip(found, known, losses=losses), found))
    told = {note.kind for note in losses.all()}
    changed = {
        "borders": [len(side) > 1 for bead in got.beads for side in bead]
        != [len(side) > 1 for bead in wanted.beads for side in bead],
        "scores": got.scores != wanted.scores,
        "languages": got.langs != wanted.langs and name in WITH_TEXT,
        "markup": [s[1] for b in got.beads for side in b for s in side if s[1]]
        != [s[1] for b in wanted.beads for side in b for s in side if s[1]],
        "other_languages": got.columns.get("lang:de", []) != wanted.columns.get("lang:de", [])
        and any(wanted.columns.get("lang:de", [])),
    }
    structural = {
        "borders",
        "empty_sides",
        "empty_segments",
        "crossings",
        "gaps",
        "overlaps",
        "uncovered",
    }
    for kind, differs in changed.items():
        if differs:
            assert told & {LOSSES[k] for k in structural | {kind}}, kind


NAMES = ("src_doc", "tgt_doc", "name")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("given", [("name",), ("src_doc", "tgt_doc"), NAMES])
def test_names_of_documents_are_kept_or_told(name, given):
    known = FORMATS[name]
    values = {"src_doc": "en/a 1.xml", "tgt_doc": "fr/a&1.xml", "name": "a pair"}
    texts = [
        Text(["One."], ids=[f"{side}1"], lang=lang) for side, lang in (("s", "en"), ("t", "fr"))
    ]
    meta = {key: values[key] for key in given if key != "name"}
    pair_name = values["name"] if "name" in given else ""
    found = Bitext(*texts, Alignment([((0,), (0,))]), name=pair_name, meta=meta)
    losses = Notes()
    got = trip(found, known, losses=losses)
    told = dict(got.meta) | {"name": got.name}
    own = given if len(given) == 1 else ("src_doc", "tgt_doc")  # documents name their pair, too
    lost = [key for key in own if told.get(key) != values[key]]
    assert bool(lost) == (LOSSES["document_names"] in {note.kind for note in losses.all()}), lost
    kept = set(NAMES) if known.keeps.document_names else known.keeps.names
    assert not kept & set(lost)


@pytest.mark.parametrize("name", FORMATS)
def test_what_xml_forbids_is_kept_or_an_error(name):
    known = FORMATS[name]
    found = Bitext(Text(["a\x01b"]), Text(["c\ufffed"]), Alignment([((0,), (0,))]))
    if known.keeps.controls:
        got = trip(found, known)
        assert [got.src[0].text, got.tgt[0].text] == ["a\x01b", "c\ufffed"]
    else:
        with pytest.raises(InputError, match=r"bisegment 0|\bsegment 0"):
            trip(found, known)
        before = inline([(["a"], ["b"]), (["c"], ["d"])])
        with pytest.raises(InputError, match=r"bisegment 2|\bsegment 0"):
            trip([before, replace(found, continues=True)], known)


@pytest.mark.parametrize("name", [name for name, known in FORMATS.items() if known.streams])
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(found=bitexts(orderly=True))
def test_parts_make_the_same_of_it(name, found):
    """A document pair in parts is written as the whole is, but for how files say the order."""
    known = FORMATS[name]
    if known.binary:
        return
    whole, apart = (
        plain(read_back(known, written(known, each))) for each in ([found], parts(found))
    )
    assert rows(apart, whole, known.keeps) == rows(whole, whole, known.keeps)
    assert apart.langs == whole.langs


def written(known, bitexts):
    files = [io.StringIO() for _ in range(1 + known.two_files)]
    known.write(bitexts, *files, options=WriteOptions())
    return [out.getvalue() for out in files]


def read_back(known, files):
    with TemporaryDirectory() as folder:
        names = [f"{folder}/{k}" for k in range(len(files))]
        for name, content in zip(names, files, strict=True):
            Path(name).write_text(content, encoding="utf-8", newline="")
        return bitext.read(",".join(names), format=known.name)


def parts(found):
    """Yield a bitext whose bisegments are in order as parts of one bisegment each."""
    a = found.alignment
    for k in range(len(a)):
        texts, rows = [], []
        for text, row in ((found.src, a.src.row(k)), (found.tgt, a.tgt.row(k))):
            members = row.tolist()
            segments = list(text.segments())
            texts.append(
                Text(
                    [segments[m] for m in members],
                    ids=[text.ids[m] for m in members] if text.has_ids else None,
                    lang=text.lang,
                    name=text.name,
                    marked=[text.marked[m] for m in members] if text.marked else None,
                )
            )
            rows.append(range(len(members)))
        columns = {name: [values[k]] for name, values in a.attributes.items()}
        scores = None if a.scores is None else [a.scores[k]]
        alignment = Alignment([tuple(rows)], scores=scores, attributes=columns)
        yield Bitext(*texts, alignment, continues=k > 0)
