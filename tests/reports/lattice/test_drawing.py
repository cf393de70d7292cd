from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bitext import OptionError
from bitext.model import Cluster, Lattice, Sentence
from bitext.reports.lattice import drawing as lattice_svg
from bitext.reports.lattice.drawing import draw, palette, shapes
from reference.sample_lattices import hostile, many, town

SVG = "{http://www.w3.org/2000/svg}"
SHEETS = Path(lattice_svg.__file__).parent


def parsed(text):
    return ET.fromstring(text)


def of_class(tree, name):
    return [e for e in tree.iter() if name in e.get("class", "").split()]


def numbers(element, key="data-sentences"):
    return [int(part) for part in element.get(key).split()]


@pytest.mark.parametrize("lattice", [town(), many(30, 20)], ids=["three", "thirty"])
def test_every_word_and_arc_is_drawn_with_its_sentences(lattice):
    tree = parsed(draw(lattice))
    words = {int(e.get("data-node")): e for e in of_class(tree, "word")}
    assert sorted(words) == list(range(1, len(lattice) - 1))
    for node, element in words.items():
        assert "".join(element.itertext()).endswith(lattice.form(node))
        assert numbers(element) == sorted({s for s, _ in lattice.members(node)})
    arcs = {tuple(numbers(e, "data-arc")): e for e in of_class(tree, "arc")}
    boxed = {}
    for box in of_class(tree, "box"):
        boxed[int(box.get("data-node"))] = box
    for tail, head, who in _arcs(lattice):
        if (tail, head) in arcs:
            assert numbers(arcs[tail, head]) == who
        else:  # an arc within a box
            assert head not in boxed
            assert numbers(words[tail]) == numbers(words[head]) == who


def _arcs(lattice):
    tail, head, rows = lattice.arcs
    return [
        (int(t), int(h), rows.row(k).tolist())
        for k, (t, h) in enumerate(zip(tail, head, strict=True))
    ]


def test_few_sentences_have_a_line_each_and_many_one_that_is_broad():
    tree = parsed(draw(town()))
    for arc in of_class(tree, "arc"):
        assert [int(lane.get("data-s")) for lane in of_class(arc, "lane")] == numbers(arc)
    tree = parsed(draw(many(30, 20)))
    breadth = {}
    for arc in of_class(tree, "arc"):
        (line,) = of_class(arc, "plain")
        breadth.setdefault(len(numbers(arc)), set()).add(float(line.get("stroke-width")))
    assert all(len(found) == 1 for found in breadth.values())
    sizes = [breadth[count].pop() for count in sorted(breadth)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_lines_meet_the_boxes_and_end_where_they_should():
    lattice = many(12, 15)
    form = shapes(lattice)
    right = {box.nodes[-1]: box.x + box.width for box in form.boxes}
    left = {box.nodes[0]: box.x for box in form.boxes}
    low = {node: (box.y, box.y + box.height) for box in form.boxes for node in box.nodes}
    for line in form.lines:
        places = [float(part) for part in re.findall(r"[-\d.]+", line.paths[0])]
        if line.tail:
            assert places[0] == pytest.approx(right[line.tail], abs=0.06)
            assert low[line.tail][0] <= places[1] <= low[line.tail][1]
        if line.head < len(lattice) - 1:
            assert places[-1] == pytest.approx(left[line.head], abs=0.06)


def test_arcs_do_not_lie_upon_each_other_where_they_leave():
    form = shapes(many(12, 15))
    leaving = {}
    for line in form.lines:
        y = float(re.match(r"M[\d.]+ ([-\d.]+)", line.paths[0]).group(1))
        leaving.setdefault(line.tail, []).append((y, line.breadth))
    for lines in leaving.values():
        for (y, breadth), (next_y, next_breadth) in pairwise(sorted(lines)):
            assert next_y - y >= (breadth + next_breadth) / 2 - 0.11


def test_shared_words_stand_out():
    tree = parsed(draw(town()))
    tiers = {e.find(f"{SVG}title").tail: e.get("class") for e in of_class(tree, "word")}
    assert tiers["closed"] == tiers["bridge"] == "word t2"
    assert tiers["mayor"] == "word t0"


def test_colours_go_by_source_else_by_sentence_else_there_are_none():
    assert palette(town()) == [1, 2, 1]
    few = many(5, 6)
    assert palette(few) == [1, 2, 3, 4, 5]
    assert palette(many(9, 6)) == [0] * 9
    tree = parsed(draw(many(9, 6)))
    assert not re.search(r'class="[^"]*\bc[1-8]\b', ET.tostring(tree, encoding="unicode"))
    sources = [Sentence(s.tokens, source="AB"[k % 2]) for k, s in enumerate(many(9, 6).cluster)]
    nine = Lattice(
        Cluster(sources), [[k * 100 + w for w in range(len(s))] for k, s in enumerate(sources)]
    )
    assert palette(nine) == [1, 2] * 4 + [1]
    assert {e.get("class") for e in of_class(parsed(draw(nine)), "plain")} == {
        "plain c1",
        "plain c2",
    }


def test_a_path_stands_out():
    lattice = town()
    path = lattice.path(1)
    tree = parsed(draw(lattice, highlight=path))
    assert {int(e.get("data-node")) for e in of_class(tree, "word") if "on" in e.get("class")} == {
        *path[1:-1]
    }
    lit = [
        tuple(numbers(e, "data-arc"))
        for e in of_class(tree, "arc")
        if "on" in e.get("class").split()
    ]
    assert {*lit} <= {*pairwise(path)}
    assert of_class(tree, "focus")
    assert not of_class(parsed(draw(lattice)), "focus")
    for wrong in ([], [0], [0, len(lattice) - 1], [3, 2], path[:2], path[:-1], path[1:]):
        with pytest.raises(OptionError, match="no path of the lattice"):
            draw(lattice, highlight=wrong)


def test_own_colours_and_title():
    svg = draw(town(), colours=["#123456", "teal"], title="A <title>")
    assert "--c1:#123456;--c2:teal;" in svg
    assert "--c2:#12345678;--c3:#1aF4;" in draw(town(), colours=["Gold", "#12345678", "#1aF4"])
    assert parsed(svg).find(f"{SVG}title").text == "A <title>"
    for wrong in ("red;}", "notacolour", "#12", "#12345", "#1234567", "#123456789", "#ggg", ""):
        with pytest.raises(OptionError, match="want CSS names or #rrggbb"):
            draw(town(), colours=["red", wrong])
    with pytest.raises(OptionError, match="at most 8"):
        draw(town(), colours=["red"] * 9)


def test_hostile_text_is_inert_and_contained():
    svg = draw(hostile())
    tree = parsed(svg)
    assert {e.tag.removeprefix(SVG) for e in tree.iter()} == {
        *("svg", "title", "style", "rect", "g", "path", "circle", "text"),
    }
    assert not any(key.startswith("on") or "href" in key for e in tree.iter() for key in e.attrib)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069\ufffe]", svg)
    assert "[U+202E]right" in svg
    for word in of_class(tree, "word"):
        assert float(word.get("textLength")) < 200
        assert len(word.find(f"{SVG}title").text) < 400
    assert float(tree.get("width")) < 3000


def test_the_drawing_by_itself_has_its_style_and_key_and_the_one_in_a_page_has_not():
    whole, part = parsed(draw(town())), parsed(draw(town(), standalone=False))
    assert len(list(whole.iter(f"{SVG}style"))) == 1
    assert [text.text for text in of_class(whole, "key")[0].iter(f"{SVG}text")] == [
        "Herald",
        "Post",
    ]
    assert not list(part.iter(f"{SVG}style"))
    assert not of_class(part, "key")


def test_one_sentence_and_one_word_are_drawn_too():
    for words in (["Rain"], ["It", "rains", "."]):
        tree = parsed(draw(Lattice(Cluster([Sentence(words)]), [range(len(words))])))
        assert len(of_class(tree, "word")) == len(words)
        assert len(of_class(tree, "box")) == 1


def _luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * sign for sign in colour[1:])
    parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one, two):
    dark, light = sorted((_luminance(one), _luminance(two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_contrast_is_that_of_wcag_aa_and_dashes_differ(theme):
    sheet = (SHEETS / "lattice_svg.css").read_text(encoding="utf-8")
    block = re.split("@media screen", sheet)[theme]
    colour = dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]+)", block))
    for ground in ("ground", "few", "many", "glow"):
        assert _contrast(colour["ink"], colour[ground]) >= 4.5
        assert _contrast(colour["quiet"], colour[ground]) >= 4.5
    assert _contrast(colour["accent"], colour["ground"]) >= 4.5
    for line in ("line", "edge", "mark", *(f"c{k}" for k in range(1, 9))):
        assert _contrast(colour[line], colour["ground"]) >= 3
    dashes = dict(re.findall(r"\.lattice \.(c\d) \{[^}]*?dasharray: ([\d. ]+);", sheet))
    assert sorted(dashes) == [f"c{k}" for k in range(2, 9)]
    assert len(set(dashes.values())) == 7
