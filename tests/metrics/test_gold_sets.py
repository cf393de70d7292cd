"""Published gold standards, where they are at hand, against copies with known errors."""

import functools
import json
import random
from math import isnan

import pytest

from bitext.metrics import arcade
from bitext.metrics.arcade import MEASURES
from bitext.model import Alignment, Bitext, Text
from reference import ground, measures
from reference.shared_data import needs_data, shared_data

DOCUMENTS = sorted(shared_data("gold").glob("*/*.align"))
EACH = pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=f"{p.parent.name}/{p.stem}") for p in DOCUMENTS]
    or [pytest.param(None, marks=needs_data("gold"))],
)


@functools.cache
def read(path):
    """Return source segments, target segments and bisegments; told apart by their sizes."""
    beads = [
        tuple(tuple(json.loads(side)) for side in line.split(":")[:2])
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    sizes = [max(k for b in beads for k in b[n]) + 1 for n in (0, 1)]
    texts = [
        p.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        for p in sorted(path.parent.glob(f"{path.stem}.*"))
        if len(p.suffixes) == 1 and p != path
    ]
    if len(texts) != 2:
        pytest.skip(f"the texts of {path.name} are not beside it")
    if abs(len(texts[0]) - sizes[0]) > abs(len(texts[1]) - sizes[0]):
        texts.reverse()
    # A position beyond its text is one without characters.
    src, tgt = (t + [""] * (n - len(t)) for t, n in zip(texts, sizes, strict=True))
    return src, tgt, beads


def begun(src, tgt, beads, most=150):
    """Return the first bisegments, and their segments: sets of characters take time."""
    beads = beads[:most]
    sizes = [max(k for b in beads for k in b[n]) + 1 for n in (0, 1)]
    return src[: sizes[0]], tgt[: sizes[1]], beads


def shifted(beads, rng, sizes):
    """Move some bisegments by a segment, on one side."""
    out = []
    for src, tgt in beads:
        moved = tuple(t + 1 for t in tgt if t + 1 < sizes[1])
        out.append((src, moved) if rng.random() < 0.2 and (src or moved) else (src, tgt))
    return out


def merged(beads, rng, _):
    """Join some bisegments with the next one."""
    out = []
    for src, tgt in beads:
        if out and rng.random() < 0.2:
            before = out.pop()
            src, tgt = (tuple(sorted({*a, *b})) for a, b in zip(before, (src, tgt), strict=True))
        out.append((src, tgt))
    return out


def split(beads, rng, _):
    """Cut some bisegments in two or leave a side out, and repeat some."""
    out = []
    for src, tgt in beads:
        if len(src) + len(tgt) > 1 and rng.random() < 0.4:
            s, t = rng.randint(0, len(src)), rng.randint(0, len(tgt))
            out += [b for b in ((src[:s], tgt[:t]), (src[s:], tgt[t:])) if b[0] or b[1]]
        else:
            out.append((src, tgt))
        out += [out[-1]] if rng.random() < 0.05 else []
    return out


def counted(scores):
    return {m: (c.hits, c.proposed, c.expected, c.found) for m, c in scores.items()}


@EACH
def test_a_gold_standard_is_perfect_against_itself(path):
    src, tgt, beads = read(path)
    one = Bitext(Text(src), Text(tgt), Alignment(beads))
    other = Bitext(Text(src), Text(tgt), Alignment(beads[::-1]))
    scores = arcade(one, other)
    assert list(scores) == list(MEASURES)
    for counts in scores.values():
        assert (counts.precision, counts.recall, counts.f1) == (1, 1, 1)
    assert not any(isnan(counts.f1) for counts in arcade(one.swapped(), one.swapped()).values())


@EACH
@pytest.mark.parametrize("change", [shifted, merged, split])
def test_changed_copies_are_counted_as_on_sets(path, change):
    src, tgt, beads = read(path)
    rng = random.Random(f"{path.stem} {change.__name__}")
    hyp = change(beads, rng, (len(src), len(tgt)))
    scores = arcade(
        Bitext(Text(src), Text(tgt), Alignment(beads)), Bitext(Text(src), Text(tgt), Alignment(hyp))
    )
    assert counted(scores) == measures.all_counts(beads, hyp, src, tgt)
    assert scores["alignment"].f1 < 1


@EACH
def test_a_copy_cut_elsewhere_is_counted_as_on_sets_of_characters(path):
    src, tgt, beads = begun(*read(path))
    rng = random.Random(path.stem)
    cut, made = [], []
    for segment in src:
        at = rng.randint(0, len(segment)) if rng.random() < 0.3 else len(segment)
        parts = [p for p in (segment[:at], segment[at:]) if p] or [""]
        made.append(range(len(cut), len(cut) + len(parts)))
        cut += parts
    hyp = [
        (tuple(n for k in sorted(set(s)) for n in made[k]), t)
        for s, t in shifted(beads, rng, (len(src), len(tgt)))
    ]
    scores = arcade(
        Bitext(Text(src), Text(tgt), Alignment(beads)), Bitext(Text(cut), Text(tgt), Alignment(hyp))
    )
    assert counted(scores) == ground.all_counts(beads, hyp, (src, tgt), (cut, tgt))


@EACH
def test_other_quotation_marks_tell_nothing_apart(path):
    new = ("”", "", "-»")[DOCUMENTS.index(path) % 3]
    src, tgt, beads = read(path)
    marks = dict.fromkeys(map(ord, '"“”„«»‹›'), new)
    gold = Bitext(Text(src), Text(tgt), Alignment(beads))
    if not all(any(c.isalnum() for c in segment) for segment in (*src, *tgt)):
        pytest.skip("a segment of marks alone is one that only one of the texts has")
    hyp = Bitext(*(Text([s.translate(marks) for s in side]) for side in (src, tgt)), gold.alignment)
    for one, two in ((gold, hyp), (hyp, gold)):
        scores = arcade(one, two, min_matched=0.5)
        assert {m: scores[m].f1 for m in MEASURES} == dict.fromkeys(MEASURES, 1.0)
