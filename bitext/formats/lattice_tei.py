"""Lattices as a TEI apparatus in parallel segmentation, as collation programs write it.

    <p>The <app><rdg wit="#A #B">quick</rdg><rdg wit="#C"/></app> fox</p>

Each sentence is a witness of the list in the header, with its id, and its source there. Words that
always stand together, and are always spelled the same, make one stretch; stretches stand in
columns by rank, as words do in the alignment table (`lattice_table`). Where all witnesses read the
same, the text stands as it is; elsewhere an `app` holds a `rdg` for each different reading of the
column, in the order of its first witness, and an empty one for those that have nothing there. Words
of one column that are spelled the same are one reading, whether they are aligned or not.

The text of a witness is that outside of `app` and in the readings that name it; runs of white
space, which stand between words and stretches, count as one blank. A word that has white space
within it is a `w` of its own, with `xml:space="preserve"`. An id that cannot be an XML name has
hyphens for the signs that a name cannot have (`post:3` is `post-3`). Where that is no name either,
or another's, and where an id is not the only one of its kind, it becomes `w` and the number of the
sentence. The id itself stands as `n` beside it. A control character that XML cannot hold is an
error.

CollateX writes other TEI: an apparatus alone in a namespace of its own (`cx:apparatus`) and not a
document, with variants that stand side by side joined to one, and no reading for a witness that has
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.lattice_xml import check_characters
from bitext.formats.xml_escapes import escape, escape_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.model import Lattice

__all__ = ["tei_of"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_UNNAMED = re.compile(r"[^A-Za-z0-9_.-]")
_BLANK = re.compile(r"[ \t\n\r]")


def tei_of(lattice: Lattice) -> Iterator[str]:
    """Yield the file in parts."""
    check_characters(lattice, "tei")
    cluster = lattice.cluster
    names = cluster.names
    ids = _ids(names)
    title = escape(cluster.id or "Alignment")
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
        f"  <teiHeader>\n    <fileDesc>\n      <titleStmt><title>{title}</title></titleStmt>\n"
        "      <publicationStmt><p>Unpublished.</p></publicationStmt>\n"
        "      <sourceDesc>\n        <listWit>\n"
    )
    for sentence, name, xml_id in zip(cluster, names, ids, strict=True):
        called = "" if name == xml_id else f' n="{escape_value(name)}"'
        source = escape(sentence.source or "")
        end = f">{source}</witness>" if source else "/>"
        yield f'          <witness xml:id="{xml_id}"{called}{end}\n'
    yield (
        "        </listWit>\n      </sourceDesc>\n    </fileDesc>\n    <encodingDesc>\n"
        '      <variantEncoding method="parallel-segmentation" location="internal"/>\n'
        "    </encodingDesc>\n  </teiHeader>\n  <text>\n    <body>\n      <p>"
    )
    between = ""
    for cells in _columns(lattice):
        yield between + _spelled(cells, ids)
        between = "\n"
    yield "</p>\n    </body>\n  </text>\n</TEI>\n"


def _ids(names: list[str]) -> list[str]:
    """Return an XML name for each witness, all different."""
    often = Counter(names)
    taken = {name for name in names if often[name] == 1 and _NAME.fullmatch(name)}
    out = []
    for k, name in enumerate(names, start=1):
        made = name
        if name not in taken or often[name] > 1:
            made = _UNNAMED.sub("-", name)
            if often[name] > 1 or made in taken or not _NAME.fullmatch(made):
                made = f"w{k}"
            while made in taken:
                made += "_"
            taken.add(made)
        out.append(made)
    return out


def _columns(lattice: Lattice) -> Iterator[list[str]]:
    """Yield what each witness has in each column, spelled; nothing is an empty string."""
    rank, width = _ranks(lattice)
    cells: list[list[list[str]]] = [[[] for _ in lattice.cluster] for _ in range(width)]
    for witness, sentence in enumerate(lattice.cluster):
        nodes = lattice.path(witness)[1:-1]
        for node, form in zip(nodes, sentence.forms, strict=True):
            cells[rank[node]][witness].append(_word(form))
    for column in cells:
        yield [" ".join(words) for words in column]


def _ranks(lattice: Lattice) -> tuple[list[int], int]:
    """Return the column of each node, and their number; the nodes of a stretch share one."""
    size = len(lattice)
    tail, head = lattice.arcs.tail, lattice.arcs.head
    uniform = np.array([len({t.form for t in lattice.tokens(n)}) == 1 for n in range(size)])
    leaving, entering = np.bincount(tail, minlength=size), np.bincount(head, minlength=size)
    joined = (leaving[tail] == 1) & (entering[head] == 1) & uniform[tail] & uniform[head]
    first = list(range(size))  # the first node of the stretch of each
    rank = [-1] * size  # of the stretch that begins there
    # Arcs ascend by the node they leave, so its stretch and rank are known when they are met.
    for t, h, together in zip(tail.tolist(), head.tolist(), joined.tolist(), strict=True):
        if together:
            first[h] = first[t]
        else:
            rank[h] = max(rank[h], rank[first[t]] + 1)
    return [rank[begin] for begin in first], rank[lattice.accept]


def _spelled(cells: list[str], ids: list[str]) -> str:
    """Write a column: the text that all have, or the readings."""
    readings: dict[str, list[int]] = {}
    for witness, text in enumerate(cells):
        readings.setdefault(text, []).append(witness)
    if len(readings) == 1:
        return cells[0]
    filled = sorted(readings.items(), key=lambda reading: not reading[0])
    return f"<app>{''.join(_reading(who, text, ids) for text, who in filled)}</app>"


def _reading(who: list[int], text: str, ids: list[str]) -> str:
    pointers = " ".join(f"#{ids[witness]}" for witness in who)
    return f'<rdg wit="{pointers}">{text}</rdg>' if text else f'<rdg wit="{pointers}"/>'


def _word(form: str) -> str:
    if _BLANK.search(form):
        return f'<w xml:space="preserve">{escape(form)}</w>'
    return escape(form)
