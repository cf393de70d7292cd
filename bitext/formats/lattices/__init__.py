"""Files of lattices, of which JSON is read, too, and files of word automata.

| kind | contents | readable |
| --- | --- | --- |
| `json` | the complete lattice | yes |
| `dot` | a drawing for Graphviz | no |
| `graphml` | nodes and arcs for graph programs | no |
| `tei` | an apparatus in parallel segmentation | no |
| `tsv` | the alignment table | no |
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from bitext.errors import FormatError, InputError, OptionError, did_you_mean
from bitext.formats.io.compression import unpacked
from bitext.formats.io.output import write_whole
from bitext.formats.io.source import open_source
from bitext.formats.line_files import flat
from bitext.formats.xml import escape, escape_value
from bitext.model import Lattice
from bitext.model.lattice import want_lattice
from bitext.paths import path_name


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file that a lattice can be written to."""

    name: str  # its name on the command line
    title: str  # a description in a few words
    # The suffixes of its files, without that of compression; the first is the usual one.
    suffixes: tuple[str, ...]
    readable: bool = False  # whether it can be read back


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "json",
            "nodes, arcs and word pairs, with all words and their syntax",
            (".json",),
            readable=True,
        ),
        Kind("dot", "a drawing for Graphviz", (".dot", ".gv")),
        Kind("graphml", "nodes and arcs for graph programs", (".graphml",)),
        Kind("tei", "a TEI apparatus in parallel segmentation", (".tei", ".tei.xml", ".xml")),
        Kind(
            "tsv",
            "the alignment table: a row a sentence, aligned words in one column",
            (".tsv", ".tab"),
        ),
    )
}


def kind_of(path: str | os.PathLike[str]) -> Kind | None:
    """Return the kind of the suffix of a file, or None.

    Examples
    --------
    >>> kind_of("milan.tei.xml.gz").name
    'tei'

    """
    name = unpacked(Path(os.fspath(path)).name).lower()
    return next((kind for kind in KINDS.values() if name.endswith(kind.suffixes)), None)


def text_of(lattice: Lattice, kind: str = "json") -> Iterator[str]:
    """Yield the text of a file in parts.

    `kind` is one of `KINDS`.

    Raises `OptionError`, with the nearest kind, when there is no such kind, and `InputError`, with
    the word, when the lattice has a character that the kind cannot hold.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> lattice = Lattice(Cluster([Sentence(["It", "burns"], id="a")]), [[0, 1]])
    >>> print("".join(text_of(lattice, "tsv")), end="")
    a	It	burns

    """
    want_lattice(lattice)
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS)
        raise OptionError(f"kind {kind!r} is not known; {hint}the kinds: {', '.join(KINDS)}")
    _check_whole(lattice)
    if kind == "json":
        from bitext.formats.lattices.reading import json_of

        return json_of(lattice)
    return {"dot": dot_of, "graphml": graphml_of, "tei": tei_of, "tsv": table_of}[kind](lattice)


def write_lattice(lattice: Lattice, path: str | os.PathLike[str], kind: str | None = None) -> None:
    """Write a lattice to a file, which appears only when complete.

    Parameters
    ----------
    lattice : Lattice
        The lattice to write.
    path : str or path
        The file; `-` is standard output; `.gz`, `.bz2`, `.xz` and `.zst` are compressed.
    kind : str, optional
        One of `KINDS`. Default: that of the suffix; json for standard output.

    Raises
    ------
    OptionError
        When there is no such kind, or none has the suffix.
    InputError
        When the file cannot be written, or the kind cannot hold a character.

    """
    name = path_name(path)
    if kind is None:
        known = KINDS["json"] if name == "-" else kind_of(name)
        if known is None:
            endings = ", ".join(each.suffixes[0] for each in KINDS.values())
            raise OptionError(
                f"{name}: the name does not show what to write; want one that ends in {endings}, "
                f"or name the kind: {', '.join(KINDS)}"
            )
        kind = known.name
    parts = text_of(lattice, kind)
    with write_whole(name) as out:
        out.writelines(parts)


def read_lattice(path: str | os.PathLike[str], *, encoding: str = "utf-8") -> Lattice:
    """Read a lattice from its JSON.

    Parameters
    ----------
    path : str or path
        The file; `-` is standard input; compressed files are unpacked.
    encoding : str
        The encoding of a file without a byte order mark.

    Raises
    ------
    FormatError
        When the file is not a lattice; the message names the line or the element.
    InputError
        When it cannot be opened.

    """
    from bitext.formats.lattices.reading import read_json

    name = path_name(path)
    known = kind_of(name)
    if known is not None and not known.readable:
        raise FormatError(
            f"is {known.name} by its name, which is written only; want json: "
            f"write the lattice as {Path(name).stem}.json",
            path=name,
        )
    with open_source(name, encoding=encoding) as source:
        return read_json(source)


def _check_whole(lattice: Lattice) -> None:
    """Refuse half a surrogate pair, which no encoding can represent."""
    cluster = lattice.cluster
    strings = [("the cluster", cluster.id or "")]
    for k, sentence in enumerate(cluster, start=1):
        strings += [
            (f"sentence {k}", each or "") for each in (sentence.id, sentence.source, sentence.text)
        ]
        for place, token in enumerate(sentence, start=1):
            where = f"word {place} of sentence {k}"
            strings += [(where, each) for each in (token.form, token.pos, token.iob, *token.trace)]
        if sentence.tree is not None:
            forms = (form or "" for form in sentence.tree.forms)
            strings += [
                (f"the tree of sentence {k}", each) for each in (*sentence.tree.labels, *forms)
            ]
    try:
        "".join(value for _, value in strings).encode()
    except UnicodeEncodeError:
        where, value = next((w, v) for w, v in strings if any("\ud800" <= c <= "\udfff" for c in v))
        raise InputError(
            f"{where} holds half of a surrogate pair, {value!a:.40}; want whole characters: "
            f"take it out of the text"
        ) from None


# Files of word automata: JSON, and DOT for Graphviz.
#
#     {"schema": "bitext.automaton/1", "states": 3, "start": 0, "accepting": [2],
#      "arcs": [[0, 1, "It"], [1, 2, "burns"]]}
#
# States are integers from 0, the start; an arc is [from, to, word], from a lower to a higher state.

SCHEMA = "bitext.automaton/1"
_KINDS = ("json", "dot")


class WordAutomaton(Protocol):
    """An automaton that can be written: states from 0, words on its arcs."""

    def __len__(self) -> int:
        """The number of states."""

    @property
    def accepting(self) -> Iterable[int]:
        """The states at which a string may end."""

    def arcs(self) -> Iterator[tuple[int, int, str]]:
        """Yield (from, to, word), ascending."""


def automaton_text(automaton: WordAutomaton, kind: str = "json") -> Iterator[str]:
    """Yield the text of a file in parts.

    Raises `OptionError` when there is no such kind.
    """
    if kind not in _KINDS:
        raise OptionError(f"kind {kind!r} is not known for automata; want {' or '.join(_KINDS)}")
    if kind == "dot":
        return automaton_dot(len(automaton), automaton.accepting, automaton.arcs())
    return _json(automaton)


def _json(automaton: WordAutomaton) -> Iterator[str]:
    yield (
        f'{{"schema": "{SCHEMA}",\n "states": {len(automaton)},\n "start": 0,\n '
        f'"accepting": {list(automaton.accepting)},\n "arcs": ['
    )
    before = "\n  "
    for arc in automaton.arcs():
        yield before + json.dumps(arc, ensure_ascii=False)
        before = ",\n  "
    yield "\n ]}\n"


# Lattices in DOT, as alignment tables, in GraphML and as a TEI apparatus.


# Lattices and automata in DOT, the language of Graphviz, drawn from left to right.
#
# The label of a node is its form, its tooltip the part of speech and the positions of its words
# (sentence and word, from 1). An arc has the number of its sentences as `weight`, a line width that
# grows with the logarithm of that number, and the names of the sentences (their number where there
# are more than three) as its label. Quotes, backslashes and apparent entities are escaped; a line
# end in a word is one in the label. Other control characters, which Graphviz cannot draw, become
# their control pictures (U+2400 and on).

_ENTITY = re.compile(r"&(?=#?\w+;)")
_SPELLED: dict[int, int | str] = {
    **{code: 0x2400 + code for code in range(0x20)},
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    ord("\\"): "\\\\",
    ord('"'): '\\"',
    ord("\n"): "\\n",
    ord("\t"): " ",
}
_MOST_NAMES = 3  # names of sentences in the label of an arc


def quoted(text: str) -> str:
    r"""Quote a string for DOT, so that Graphviz draws it unchanged.

    Examples
    --------
    >>> print(quoted('say "no" \\ &amp; go'))
    "say \"no\" \\ &amp;amp; go"

    """
    return f'"{_ENTITY.sub("&amp;", text).translate(_SPELLED)}"'


def dot_of(lattice: Lattice) -> Iterator[str]:
    """Yield a lattice in DOT, in parts."""
    cluster = lattice.cluster
    names = cluster.names
    yield from _head(cluster.id or "lattice", "box, style=rounded")
    for node in range(len(lattice)):
        if node in {lattice.start, lattice.accept}:
            shape = "circle" if node == lattice.start else "doublecircle"
            yield f'  {node} [label="", shape={shape}, style=solid, width=0.2];\n'
            continue
        positions = ", ".join(f"{names[s]}:{word + 1}" for s, word in lattice.members(node))
        tip = f"{lattice.pos(node)} {positions}".strip()
        yield f"  {node} [label={quoted(lattice.form(node))}, tooltip={quoted(tip)}];\n"
    ends = zip(lattice.arcs.tail.tolist(), lattice.arcs.head.tolist(), strict=True)
    for k, (tail, head) in enumerate(ends):
        who = lattice.arcs.sentences.row(k).tolist()
        few = len(who) <= _MOST_NAMES
        label = ", ".join(names[s] for s in who) if few else str(len(who))
        yield (
            f"  {tail} -> {head} [weight={len(who)}, penwidth={1 + log2(len(who)):.2f}, "
            f"label={quoted(label)}];\n"
        )
    yield "}\n"


def automaton_dot(
    states: int, accepting: Iterable[int], arcs: Iterable[tuple[int, int, str]]
) -> Iterator[str]:
    """Yield an automaton in DOT, in parts: states from 0, the start, and (from, to, word) arcs."""
    yield from _head("automaton", 'circle, label="", width=0.2')
    final = set(accepting)
    for state in range(states):
        yield f"  {state} [shape=doublecircle];\n" if state in final else f"  {state};\n"
    for tail, head, word in arcs:
        yield f"  {tail} -> {head} [label={quoted(word)}];\n"
    yield "}\n"


def _head(name: str, shape: str) -> Iterator[str]:
    yield f"digraph {quoted(name)} {{\n  rankdir=LR;\n  node [shape={shape}];\n"
    yield "  edge [color=gray40];\n"


# The alignment table of a lattice: one row per sentence, one column per rank, as tab-separated
# values.
#
# Nodes of equal rank share a column: the rank of a node is the number of words on the longest path
# that ends there. A sentence then has at most one word in a column, its words keep their order, and
# the words of one node stand below each other. Ranks are minimal, so the table is as narrow as the
# longest path allows. Words in one column are aligned only if they share a node.
#
# A line has the name of the sentence (its id, or its number from 1), then a cell for each column,
# empty where the sentence has no word. There is no header. Only LF ends a line; a tab or line end
# within a word becomes a blank, as in the format `tsv`.


class Columns(NamedTuple):
    """The columns of the words of a lattice in its alignment table."""

    places: list[list[int]]  # for each sentence, the column of each of its words, ascending, from 0
    width: int  # the number of columns


def columns(lattice: Lattice) -> Columns:
    """Return the column of each word in the alignment table.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["Now", "it", "burns"])])
    >>> columns(Lattice(c, [[1, 2], [3, 4, 2]]))
    Columns(places=[[0, 2], [0, 1, 2]], width=3)

    """
    rank = [0] * len(lattice)
    # Arcs ascend by their tails, so the rank of a tail is final when its arcs are visited.
    for tail, head in zip(lattice.arcs.tail.tolist(), lattice.arcs.head.tolist(), strict=True):
        rank[head] = max(rank[head], rank[tail] + 1)
    column = (np.array(rank) - 1)[lattice.paths.idx].tolist()
    ptr = lattice.paths.ptr.tolist()
    places = [column[ptr[s] : ptr[s + 1]] for s in range(len(ptr) - 1)]
    return Columns(places, rank[lattice.accept] - 1)


def table_of(lattice: Lattice) -> Iterator[str]:
    r"""Yield the lines of the alignment table.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["Now", "it", "burns"], id="b")])
    >>> list(table_of(Lattice(c, [[1, 2], [3, 4, 2]])))
    ['1\tMilan\t\tburns\n', 'b\tNow\tit\tburns\n']

    """
    places, width = columns(lattice)
    cluster = lattice.cluster
    for name, sentence, taken in zip(cluster.names, cluster, places, strict=True):
        cells = [""] * width
        for column, form in zip(taken, sentence.forms, strict=True):
            cells[column] = flat(form)
        yield "\t".join([flat(name), *cells]) + "\n"


# The characters of lattices in XML.

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_characters(lattice: Lattice, kind: str) -> None:
    """Refuse a lattice with a character that XML cannot hold.

    Raises `InputError` with the first word, id or text that has one.
    """
    cluster = lattice.cluster
    strings = [("the id of the cluster", cluster.id)]
    for k, sentence in enumerate(cluster, start=1):
        name = f"sentence {k if sentence.id is None else repr(sentence.id)}"
        strings += [
            (f"the id of sentence {k}", sentence.id),
            (f"the source of {name}", sentence.source),
        ]
        strings.append((f"the text of {name}", sentence.text))
        for place, token in enumerate(sentence, start=1):
            strings += [(f"word {place} of {name}", token.form)]
            strings += [(f"the part of speech of word {place} of {name}", token.pos)]
    if not _FORBIDDEN.search("".join(value or "" for _, value in strings)):
        return
    for where, value in strings:
        match = _FORBIDDEN.search(value or "")
        if match:
            raise InputError(
                f"{where} is {value!r:.40} with U+{ord(match[0]):04X}, which XML cannot hold; take "
                f"it out, or write json instead of {kind}"
            )


# Lattices in GraphML.
#
# Nodes have `form`, `pos` and `members` ("0:2 3:1": word 2 of sentence 0 and word 1 of sentence 3,
# from 0), arcs `weight` (the number of sentences on them) and `sentences` ("0 3"). The graph has
# `id`, `start` and `accept` (the ids of these nodes) and `names`, the names of the sentences as a
# JSON list. The form is also the label of the node in yEd. A control character that XML cannot
# hold is an error.

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xmlns:y="http://www.yworks.com/xml/graphml"
    xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns \
http://www.yworks.com/xml/schema/graphml/1.1/ygraphml.xsd">
"""
_KEYS = (
    ("graph", "id", "string"),
    ("graph", "start", "string"),
    ("graph", "accept", "string"),
    ("graph", "names", "string"),
    ("node", "form", "string"),
    ("node", "pos", "string"),
    ("node", "members", "string"),
    ("edge", "weight", "int"),
    ("edge", "sentences", "string"),
)


def graphml_of(lattice: Lattice) -> Iterator[str]:
    """Yield a lattice in GraphML, in parts."""
    check_characters(lattice, "graphml")
    yield _HEAD
    for domain, name, kind in _KEYS:
        yield (
            f'  <key id="{domain}-{name}" for="{domain}" attr.name="{name}" attr.type="{kind}"/>\n'
        )
    yield '  <key id="node-drawing" for="node" yfiles.type="nodegraphics"/>\n'
    yield '  <graph id="lattice" edgedefault="directed">\n'
    cluster = lattice.cluster
    if cluster.id is not None:
        yield _data("graph-id", cluster.id)
    yield _data("graph-start", f"n{lattice.start}")
    yield _data("graph-accept", f"n{lattice.accept}")
    yield _data("graph-names", json.dumps(cluster.names, ensure_ascii=False))
    for node in range(len(lattice)):
        yield _node(lattice, node)
    ends = zip(lattice.arcs.tail.tolist(), lattice.arcs.head.tolist(), strict=True)
    for k, (tail, head) in enumerate(ends):
        who = lattice.arcs.sentences.row(k).tolist()
        yield (
            f'    <edge id="e{k}" source="n{tail}" target="n{head}">\n'
            f"  {_data('edge-weight', str(len(who)))}"
            f"  {_data('edge-sentences', ' '.join(map(str, who)))}"
            f"    </edge>\n"
        )
    yield "  </graph>\n</graphml>\n"


def _data(key: str, value: str) -> str:
    return f'    <data key="{key}">{escape(value)}</data>\n'


def _node(lattice: Lattice, node: int) -> str:
    form, pos = lattice.form(node), lattice.pos(node)
    members = " ".join(f"{sentence}:{word}" for sentence, word in lattice.members(node))
    width = 20 + 8 * max(1, len(form))
    shape = "roundrectangle" if members else "ellipse"
    return (
        f'    <node id="n{node}">\n'
        f"  {_data('node-form', form)}"
        f"  {_data('node-pos', pos)}"
        f"  {_data('node-members', members)}"
        f'      <data key="node-drawing"><y:ShapeNode>'
        f'<y:Geometry height="30" width="{escape_value(str(width))}" x="0" y="0"/>'
        f'<y:NodeLabel>{escape(form)}</y:NodeLabel><y:Shape type="{shape}"/>'
        f"</y:ShapeNode></data>\n"
        f"    </node>\n"
    )


# Lattices as a TEI apparatus in parallel segmentation, as collation programs write it.
#
#     <p>The <app><rdg wit="#A #B">quick</rdg><rdg wit="#C"/></app> fox</p>
#
# Each sentence is a witness in the list of the header, with its id and its source. Words that
# always occur together, with the same spelling, make one stretch; stretches are in columns by rank,
# as words in the alignment table. If all witnesses read the same, the text stands alone;
# elsewhere an `app` holds a `rdg` for each different reading of the column, in the order of its
# first witness, and an empty one for witnesses without text in the column. Words of one column with
# the same spelling are one reading, whether they are aligned or not.
#
# The text of a witness is that outside of `app` and in the readings that name the witness; a run of
# white space between words and stretches counts as one blank. A word that contains white space is a
# `w` element with `xml:space="preserve"`. An id that is no XML name gets hyphens for the characters
# that a name cannot have (`post:3` is `post-3`). If the result is no name either, or is taken,
# and where an id is not unique, the witness is named `w` and the number of the sentence. The id
# itself is the attribute `n`. A control character that XML cannot hold is an error.
#
# CollateX writes other TEI: an apparatus alone, in a namespace of its own (`cx:apparatus`), without
# a document, with neighbouring variants joined into one, and no reading for a witness without text.

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_UNNAMED = re.compile(r"[^A-Za-z0-9_.-]")
_BLANK = re.compile(r"[ \t\n\r]")


def tei_of(lattice: Lattice) -> Iterator[str]:
    """Yield a lattice in TEI, in parts."""
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
    """Return a unique XML name for each witness."""
    counts = Counter(names)
    taken = {name for name in names if counts[name] == 1 and _NAME.fullmatch(name)}
    out = []
    for k, name in enumerate(names, start=1):
        unique = name
        if name not in taken or counts[name] > 1:
            unique = _UNNAMED.sub("-", name)
            if counts[name] > 1 or unique in taken or not _NAME.fullmatch(unique):
                unique = f"w{k}"
            while unique in taken:
                unique += "_"
            taken.add(unique)
        out.append(unique)
    return out


def _columns(lattice: Lattice) -> Iterator[list[str]]:
    """Yield the XML of all witnesses for each column; empty strings for missing words."""
    rank, width = _ranks(lattice)
    cells: list[list[list[str]]] = [[[] for _ in lattice.cluster] for _ in range(width)]
    for witness, sentence in enumerate(lattice.cluster):
        nodes = lattice.path(witness)[1:-1]
        for node, form in zip(nodes, sentence.forms, strict=True):
            cells[rank[node]][witness].append(_word(form))
    for column in cells:
        yield [" ".join(words) for words in column]


def _ranks(lattice: Lattice) -> tuple[list[int], int]:
    """Return the column of each node, and the number of columns; a stretch has one column."""
    size = len(lattice)
    tail, head = lattice.arcs.tail, lattice.arcs.head
    uniform = np.array([len({t.form for t in lattice.tokens(n)}) == 1 for n in range(size)])
    leaving, entering = np.bincount(tail, minlength=size), np.bincount(head, minlength=size)
    joined = (leaving[tail] == 1) & (entering[head] == 1) & uniform[tail] & uniform[head]
    first = list(range(size))  # the first node of the stretch of each
    rank = [-1] * size  # of the stretch that begins at each node
    # Arcs ascend by their tails, so the stretch and rank of a tail are final when it is visited.
    for t, h, together in zip(tail.tolist(), head.tolist(), joined.tolist(), strict=True):
        if together:
            first[h] = first[t]
        else:
            rank[h] = max(rank[h], rank[first[t]] + 1)
    return [rank[begin] for begin in first], rank[lattice.accept]


def _spelled(cells: list[str], ids: list[str]) -> str:
    """Return the XML of a column: the text of all witnesses, or an `app` with the readings."""
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
