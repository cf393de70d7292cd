"""Lattices as a TEI apparatus in parallel segmentation, as collation programs write it.

    <p>The <app><rdg wit="#A #B">quick</rdg><rdg wit="#C"/></app> fox</p>

Each sentence is a witness of the list in the header, with its id, and its source there. Columns
are those of the alignment table. Where all witnesses read the same, the text stands as it is;
elsewhere an `app` holds a `rdg` for each different reading, in the order of its first witness, and
an empty one for those that have nothing there. Neighbouring columns of one division of the
witnesses are one stretch. Readings are equal when they are spelled the same.

The text of a witness is that outside of `app` and in the readings that name it; runs of white
space, which stand between words and stretches, count as one blank. A word that has white space
within it is a `w` of its own, with `xml:space="preserve"`. An id that cannot be an XML name, or is
not the only one, becomes `w` and its number, and stands as `n` beside it. A control character
that XML cannot hold is an error.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.lattice_table import columns, names_of
from bitext.formats.lattice_xml import attribute, check_characters, content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.model import Lattice

__all__ = ["tei_of"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_BLANK = re.compile(r"[ \t\n\r]")


class _Stretch(NamedTuple):
    """Columns in which the witnesses divide in the same way.

    Attributes
    ----------
    division : tuple of tuple of int
        The witnesses of each reading.
    words : list of list of str
        The words of each reading, one for each column that is not empty there.

    """

    division: tuple[tuple[int, ...], ...]
    words: list[list[str]]


def tei_of(lattice: Lattice) -> Iterator[str]:
    """Yield the file in parts."""
    check_characters(lattice, "tei")
    cluster = lattice.cluster
    names = names_of(cluster)
    ids = _ids(names)
    title = content(cluster.id or "Alignment")
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
        f"  <teiHeader>\n    <fileDesc>\n      <titleStmt><title>{title}</title></titleStmt>\n"
        "      <publicationStmt><p>Unpublished.</p></publicationStmt>\n"
        "      <sourceDesc>\n        <listWit>\n"
    )
    for sentence, name, xml_id in zip(cluster, names, ids, strict=True):
        called = "" if name == xml_id else f' n="{attribute(name)}"'
        source = content(sentence.source or "")
        end = f">{source}</witness>" if source else "/>"
        yield f'          <witness xml:id="{xml_id}"{called}{end}\n'
    yield (
        "        </listWit>\n      </sourceDesc>\n    </fileDesc>\n    <encodingDesc>\n"
        '      <variantEncoding method="parallel-segmentation" location="internal"/>\n'
        "    </encodingDesc>\n  </teiHeader>\n  <text>\n    <body>\n      <p>"
    )
    between = ""
    for stretch in _stretches(lattice):
        yield between + _spelled(stretch, ids)
        between = "\n"
    yield "</p>\n    </body>\n  </text>\n</TEI>\n"


def _ids(names: list[str]) -> list[str]:
    """Return an XML name for each witness, all different."""
    often = Counter(names)
    kept = {name for name in names if often[name] == 1 and _NAME.fullmatch(name)}
    out = []
    for k, name in enumerate(names, start=1):
        made = name if name in kept else f"w{k}"
        while name not in kept and made in kept:
            made += "_"
        out.append(made)
    return out


def _stretches(lattice: Lattice) -> Iterator[_Stretch]:
    places, width = columns(lattice)
    cells = [[""] * len(places) for _ in range(width)]
    for witness, (taken, sentence) in enumerate(zip(places, lattice.cluster, strict=True)):
        for column, form in zip(taken, sentence.forms, strict=True):
            cells[column][witness] = form
    open_stretch: _Stretch | None = None
    for cell in cells:
        readings: dict[str, list[int]] = {}
        for witness, form in enumerate(cell):
            readings.setdefault(form, []).append(witness)
        division = tuple(map(tuple, readings.values()))
        words = [[form] if form else [] for form in readings]
        if open_stretch is not None and open_stretch.division == division:
            for row, more in zip(open_stretch.words, words, strict=True):
                row += more
            continue
        if open_stretch is not None:
            yield open_stretch
        open_stretch = _Stretch(division, words)
    if open_stretch is not None:
        yield open_stretch


def _spelled(stretch: _Stretch, ids: list[str]) -> str:
    readings = [" ".join(map(_word, words)) for words in stretch.words]
    if len(readings) == 1:
        return readings[0]
    filled = sorted(zip(stretch.division, readings, strict=True), key=lambda r: not r[1])
    return f"<app>{''.join(_reading(who, text, ids) for who, text in filled)}</app>"


def _reading(who: tuple[int, ...], text: str, ids: list[str]) -> str:
    pointers = " ".join(f"#{ids[witness]}" for witness in who)
    return f'<rdg wit="{pointers}">{text}</rdg>' if text else f'<rdg wit="{pointers}"/>'


def _word(form: str) -> str:
    if _BLANK.search(form):
        return f'<w xml:space="preserve">{content(form)}</w>'
    return content(form)
