"""Groups of XCES links: writing them in the style of OPUS, and their compact form in reading.

The two halves of `xtargets` are called left and right: which half points into which document is
decided when the group is complete.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain, compress, count, pairwise
from math import nan
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.formats.beads import AttributeColumns, sizes_of
from bitext.formats.io.source import Notes, Source
from bitext.formats.line_files import first_repeat
from bitext.formats.registry import PART, WriteOptions, language_column
from bitext.formats.scores import score_of
from bitext.formats.xml import FORBIDDEN, escape_value, is_xml_name
from bitext.kernels.arrays import Bools, Floats, Ints, Rows, distinct, prefix
from bitext.model import Bitext, Text

if TYPE_CHECKING:
    from bitext.formats.opus_documents.writing import DocumentFolder

# Names of columns as names of XML attributes, and back.
#
# A character that such a name may not contain, as the colon of `prop:x-domain`, is written as its
# hexadecimal code: `_x003A_`. The underscore of a string that looks like a code is escaped, too.

_XML_NAMES = {"xml:lang", "xml:id", "xml:space"}
_NO_ID = "xml_x003A_id"  # for values of `xml:id` that XML does not allow
_ESCAPED = re.compile(r"_x([0-9A-F]{4,6})_")
_SPECIAL_IN_NAMES = re.compile(
    r"_(?=x[0-9A-F]{4,6}_)|[^\w.-]|^(?:xmlns$|xtargets$|[^A-Za-z_])", re.ASCII
)


def spelled(name: str) -> str:
    """Spell the name of a column as an XML attribute without another meaning.

    Examples
    --------
    >>> spelled("tgt.prop:x y"), spelled("certainty"), spelled("xtargets")
    ('tgt.prop_x003A_x_x0020_y', 'certainty', '_x0078_targets')

    """
    if name in _XML_NAMES:
        return name
    return _SPECIAL_IN_NAMES.sub(lambda match: escaped(match[0]), name) or "_"


def escaped(text: str) -> str:
    """Escape the first character of a text."""
    return f"_x{ord(text[0]):04X}_{text[1:]}"


def meant(name: str) -> str:
    """Decode a spelled name.

    Examples
    --------
    >>> meant("tgt.prop_x003A_x_x0020_y"), meant(spelled("_x0020_"))
    ('tgt.prop:x y', '_x0020_')

    """
    if "_x" not in name:
        return name
    return _ESCAPED.sub(lambda match: _character(match[1]) or match[0], name)


def _character(number: str) -> str:
    code = int(number, 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else ""


def write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    """Write bitexts as groups of links, and their texts as documents if a folder is given."""
    out.write('<?xml version="1.0" encoding="utf-8"?>\n')
    out.write('<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n')
    out.write('<cesAlign version="1.0">\n')
    documents: DocumentFolder | None = None
    with ExitStack() as stack:
        if options.documents is not None:
            from bitext.formats.opus_documents.writing import DocumentFolder

            documents = stack.enter_context(DocumentFolder(options.documents, options))
        opened = False
        before, used = (0, 0), set[str]()
        for bitext in bitexts:
            if not (opened and bitext.continues):
                out.write("</linkGrp>\n" if opened else "")
                _begin(bitext, out, documents.begin(bitext) if documents else None)
                opened, before = True, (0, 0)
            if documents is not None:
                documents.write(bitext)
            before = _write_links(bitext, out, before, used)
        out.write("</linkGrp>\n" if opened else "")
    out.write("</cesAlign>\n")


def documents_of(bitext: Bitext) -> tuple[str, str]:
    """Return the names of the two documents of a group; empty if unknown."""
    texts = [text.name if text is not None else "" for text in (bitext.src, bitext.tgt)]
    if texts[0] == texts[1]:  # one file had both sides, so it is not a document of either
        texts = ["", ""]
    return bitext.meta.get("src_doc") or texts[0], bitext.meta.get("tgt_doc") or texts[1]


def _begin(bitext: Bitext, out: IO[str], documents: tuple[str, str] | None) -> None:
    """Begin a group with the names of its two documents."""
    src_doc, tgt_doc = documents or documents_of(bitext)
    names = ("targType", "fromDoc", "toDoc")
    given = [bitext.meta.get("targType", "s"), src_doc, tgt_doc]
    values = _escaped_values(given, bitext.name or "the bitext")
    out.write("<linkGrp")
    for name, value in zip(names, values, strict=True):
        out.write(f' {name}="{value}"' if value else "")
    out.write(">\n")


def _write_links(
    bitext: Bitext, out: IO[str], before: tuple[int, int], used: set[str]
) -> tuple[int, int]:
    """Write the links of a part of a pair; return the numbers of segments so far.

    `used` has the values of `xml:id` in the file so far, and takes those of these links.
    """
    where = bitext.name or "the bitext"
    alignment = bitext.alignment
    src = _ids(alignment.src, bitext.src, before[0], f"{where}, source")
    tgt = _ids(alignment.tgt, bitext.tgt, before[1], f"{where}, target")
    certainty, rest = _columns(bitext, where, used)
    out.writelines(
        f'<link{score} xtargets="{a};{b}"{more}/>\n'
        for score, a, b, more in zip(certainty, src, tgt, rest, strict=True)
    )
    src_size, tgt_size = sizes_of(bitext)
    return before[0] + src_size, before[1] + tgt_size


def _ids(rows: Rows, text: Text | None, before: int, where: str) -> Iterator[str]:
    """Yield the ids of each side, escaped; lines of a text without ids are numbered from 1."""
    used = distinct(rows.idx).tolist()
    ids = text.ids if text is not None and text.has_ids else None
    names = [str(before + k + 1) for k in used] if ids is None else [ids[k] for k in used]
    refuse_ids(names, where)
    name_of = dict(zip(used, _escaped_values(names, where), strict=True))
    members, pointers = list(map(name_of.__getitem__, rows.idx.tolist())), rows.ptr.tolist()
    return (" ".join(members[begin:end]) for begin, end in pairwise(pointers))


def refuse_ids(names: Sequence[str], where: str) -> None:
    """Refuse ids that links cannot represent.

    Raises `InputError` with the first of these ids.
    """
    if " ".join(names).split() != [*names] or any(";" in name for name in names):
        wrong = next(name for name in names if ";" in name or name.split() != [name])
        raise InputError(
            f"{where}: the id {wrong!r} cannot be written in XCES, where blanks and semicolons "
            f"separate ids; rename it, or write another format"
        )


def _columns(bitext: Bitext, where: str, used: set[str]) -> tuple[list[str], Iterator[str]]:
    """Return for each link its `certainty`, and its other attributes, as written."""
    alignment = bitext.alignment
    certainty = [""] * len(alignment)
    if alignment.scores is not None:
        certainty = [
            "" if score != score else f' certainty="{_number(score)}"'  # noqa: PLR0124 - nan
            for score in alignment.scores.tolist()
        ]
    columns: list[list[str]] = []
    for given, values in alignment.attributes.items():
        if language_column(given):
            continue
        texts = _escaped_values([value or "" for value in values], where)
        # A column of that name is the certainty as written, where it has more than the scores.
        if given == "certainty" and not any(
            value is not None and (score or _is_number(value))
            for value, score in zip(values, certainty, strict=True)
        ):
            certainty = [
                score if value is None else f' certainty="{text}"'
                for score, value, text in zip(certainty, values, texts, strict=True)
            ]
            continue
        name = spelled(given) if given != "certainty" else escaped(given)
        names = [name] * len(values)
        if name == "xml:id":  # names in XML, of which a file may have each once
            names = [name if _take_id(value, used) else _NO_ID for value in values]
        columns.append(
            [
                "" if value is None else f' {each}="{text}"'
                for each, value, text in zip(names, values, texts, strict=True)
            ]
        )
    if not columns:
        return certainty, iter([""] * len(alignment))
    return certainty, map("".join, zip(*columns, strict=True))


def _take_id(value: str | None, used: set[str]) -> bool:
    if not value or value in used or not is_xml_name(value):
        return False
    used.add(value)
    return True


def _number(score: float) -> str:
    return str(int(score)) if abs(score) < 1e15 and score == int(score) else repr(score)


def _is_number(value: str) -> bool:
    """Check whether a value of `certainty` is a score, or blank and so left out."""
    return not value.strip() or score_of(value) is not None


def _escaped_values(values: list[str], where: str) -> list[str]:
    """Escape values of attributes in double quotes."""
    whole = "".join(values)
    if FORBIDDEN.search(whole):
        wrong = next(value for value in values if FORBIDDEN.search(value))
        raise InputError(
            f"{where}: {wrong[:40]!r} has a control character or another that XML cannot hold; "
            f"take it out"
        )
    return [escape_value(value) for value in values]


# Groups of XCES links in compact form: ids as numbers, rows as arrays.


_AT_ONCE = 500  # links per check; set by hand: few enough for the cache of the processor
_XML = "{http://www.w3.org/XML/1998/namespace}"
_SPACE, _LINE_END, _SEMICOLON = map(ord, " \n;")
_BLANK = re.compile(r"[^\S\n]")
_NONE: Ints = np.zeros(0, dtype=np.int64)


class Half(NamedTuple):
    """One half of the links of a group."""

    ids: list[str]  # the ids, in order of first appearance
    rows: Rows  # the indices of each link in `ids`, in the order written


class WordLink(NamedTuple):
    """The attributes of a link between words, inside a link."""

    xtargets: str
    certainty: str
    line: int


class Group:
    """The links between two documents.

    `attributes` are those of the `linkGrp`, completed from the enclosing elements, and `line` is
    the line of its start tag. `rooted` is true if it is the root of the file, and `continues` if
    the group is a further part of the `linkGrp` before.
    """

    def __init__(
        self,
        source: Source,
        attributes: dict[str, str],
        line: int,
        *,
        rooted: bool = False,
        continues: bool = False,
    ) -> None:
        self._source = source
        self.attributes, self.line, self.rooted = attributes, line, rooted
        self.continues = continues
        self.cut = False  # whether further parts of the group follow
        self.outer = False  # whether there are groups inside
        self.ranged = False  # whether there are ranges among the ids
        self.columns = AttributeColumns(source)  # of the links, without `xtargets` and scores
        self.words: dict[int, list[WordLink]] = {}  # by the index of their link
        self.notes = Notes()
        self._waiting: list[Sequence[tuple[str, str]]] = []
        self._waiting_lines: list[int] = []
        self._waiting_words: dict[int, list[WordLink]] = {}
        self._size = 0
        self._names: tuple[list[str], list[str]] = ([], [])  # as written, link after link
        self._distinct: tuple[set[str], set[str]] | None = None  # of `_names`, once compared
        self._lengths: tuple[list[Ints], ...] = ([_NONE], [_NONE])
        self._lines: list[Ints] = [_NONE]
        self._scores: list[Floats] = [np.zeros(0)]

    def __len__(self) -> int:
        return self._size

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the two documents; empty if unknown."""
        return self.attributes.get("fromDoc", ""), self.attributes.get("toDoc", "")

    @property
    def lines(self) -> Ints:
        """The line of each link."""
        return np.concatenate(self._lines)

    @property
    def scores(self) -> Floats:
        """The `certainty` of each link; `nan` without one."""
        return np.concatenate(self._scores)

    def add(
        self, attributes: Sequence[tuple[str, str]], line: int, words: Sequence[WordLink] = ()
    ) -> None:
        """Add a link, to be checked later together with others."""
        if words:
            self._waiting_words[len(self._waiting)] = list(words)
        self._waiting.append(attributes)
        self._waiting_lines.append(line)
        if len(self._waiting) >= _AT_ONCE:
            self.settle()

    def settle(self) -> None:
        """Check the links that were added one by one."""
        if self._waiting:
            if sum(map(len, self._waiting)) > _AT_ONCE * _AT_ONCE:  # otherwise the table is small
                names = {name for link in self._waiting for name, _ in link}
                values, line = sum(map(len, self._waiting)), self._waiting_lines[0]
                self.columns.refuse_sparse(len(names), len(self._waiting), values, line)
            columns, lines = _attribute_columns(self._waiting), np.array(self._waiting_lines)
            words = self._waiting_words
            self._waiting, self._waiting_lines, self._waiting_words = [], [], {}
            self.take(columns, lines, words)

    def take(
        self,
        columns: dict[str, Sequence[str | None]],
        lines: Ints,
        words: dict[int, list[WordLink]] | None = None,
    ) -> None:
        """Add many links by their attributes.

        Raises `FormatError` when a link is faulty, with its line, unless bad units are collected.
        """
        targets = columns.pop("xtargets", [None] * len(lines))
        halves = _halves(targets)
        if halves is None:
            kept = self._without_flaws(targets, lines)
            columns["xtargets"] = targets
            self.take(*_selected(columns, lines, words or {}, kept))
            return
        bare = (halves[0].lengths == 0) & (halves[1].lengths == 0)
        if bare.any():
            first = f"{self._source.path} line {lines[bare.argmax()]}"
            self.notes.add("links without any id, left out", first, int(bare.sum()))
            columns, lines, words = _selected(columns, lines, words or {}, ~bare)
        for side, half in enumerate(halves):
            self._names[side].extend(half.names)
            self._lengths[side].append(half.lengths[~bare])
        self._scores.append(_scores(columns, len(lines)))
        line = int(lines[0]) if len(lines) else self.line
        self.columns.extend(self._size, self._named(columns), line)
        self.words.update((self._size + k, held) for k, held in (words or {}).items())
        self._lines.append(lines)
        self._size += len(lines)

    def _without_flaws(self, targets: Sequence[str | None], lines: Ints) -> Bools:
        """Refuse faulty links; return the indices of the others."""
        flaws = list(map(_target_fault, targets))
        for flaw, line in zip(flaws, lines.tolist(), strict=True):
            if flaw:
                self._source.refuse(flaw, line)
        return np.array([not flaw for flaw in flaws])

    def _named(
        self, columns: Mapping[str, Sequence[str | None]]
    ) -> dict[str, Sequence[str | None]]:
        """Decode the names of columns; leave out new columns without a value."""
        named: dict[str, Sequence[str | None]] = {}
        for spelled, column in columns.items():
            name = meant(spelled.replace(_XML, "xml:").rpartition("}")[2])
            if name in named:  # the same name in two spellings
                both = zip(named[name], column, strict=True)
                column = [old if new is None else new for old, new in both]
            if name in self.columns or column.count(None) < len(column):
                named[name] = column
        return named

    def halves(self) -> tuple[Half, Half]:
        """Return the two halves of the links, which have to be settled."""
        return self._half(0), self._half(1)

    def _half(self, side: int) -> Half:
        names, ptr = self._names[side], prefix(np.concatenate(self._lengths[side]))
        if len(set(names)) == len(names):  # the usual case, and fast
            return Half(names, Rows(ptr, np.arange(len(names))))
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        members = np.fromiter(map(numbers.__getitem__, names), dtype=np.int64, count=len(names))
        return Half(list(numbers), Rows(ptr, members))

    def is_disjoint(self, other: Group) -> bool:
        """Check whether no id is in the same half of both groups."""
        if self._distinct is None:
            self._distinct = set(self._names[0]), set(self._names[1])
        pairs = zip(self._distinct, other._names, strict=True)
        return all(mine.isdisjoint(theirs) for mine, theirs in pairs)

    def extend(self, other: Group) -> None:
        """Append the links of another group of the same documents; both are settled."""
        for side, theirs in enumerate(other._names):
            self._names[side].extend(theirs)
            if self._distinct is not None:
                self._distinct[side].update(theirs)
            self._lengths[side].extend(other._lengths[side])
        self.columns.extend(self._size, other.attribute_columns(), other.line)
        self.words.update((self._size + k, held) for k, held in other.words.items())
        self._lines.extend(other._lines)
        self._scores.extend(other._scores)
        self._size += len(other)
        self.ranged |= other.ranged
        self.notes.extend(other.notes)

    def attribute_columns(self) -> dict[str, list[str | None]]:
        """Return the columns, one value per link."""
        return self.columns.whole(len(self), self.line)


def _attribute_columns(links: list[Sequence[tuple[str, str]]]) -> dict[str, Sequence[str | None]]:
    flat = list(chain.from_iterable(links))
    names = [name for name, _ in links[0]]
    width = len(names)
    if [name for name, _ in flat] == names * len(links):  # the usual case, and fast
        return {name: [value for _, value in flat[k::width]] for k, name in enumerate(names)}
    # Few links have each of many names: a column is filled where there are values.
    columns: dict[str, list[str | None]] = {name: [None] * len(links) for name, _ in flat}
    for k, link in enumerate(links):
        for name, value in link:
            columns[name][k] = value
    return {**columns}


def _selected(
    columns: dict[str, Sequence[str | None]],
    lines: Ints,
    words: dict[int, list[WordLink]],
    chosen: Bools,
) -> tuple[dict[str, Sequence[str | None]], Ints, dict[int, list[WordLink]]]:
    """Return the columns, lines and word links of some links only."""
    place = np.cumsum(chosen) - 1
    return (
        {name: list(compress(column, chosen)) for name, column in columns.items()},
        lines[chosen],
        {int(place[k]): link_words for k, link_words in words.items() if chosen[k]},
    )


def _target_fault(targets: str | None) -> str:
    """Describe the fault of the targets of a link; empty for none."""
    if targets is None:
        return 'has a link without xtargets; want one as <link xtargets="s1 s2;s1"/>'
    semicolons = targets.count(";")
    if semicolons != 1:
        return (
            f"xtargets is {targets[:60]!r}, with {semicolons} semicolons; want one, between the "
            f"ids of the two sides"
        )
    for half in targets.split(";"):
        names = half.split()
        if len(set(names)) < len(names):
            return f"xtargets names {first_repeat(names)!r} twice on one side; want each id once"
    return ""


class _HalfNames(NamedTuple):
    """One half of some links: all ids in order, and the offset of each link."""

    names: list[str]
    ptr: Ints

    @property
    def lengths(self) -> Ints:
        return np.diff(self.ptr)

    def has_twice(self) -> bool:
        """Check for a link that has an id twice."""
        names, lengths = self.names, self.lengths
        twos = self.ptr[:-1][lengths == 2].tolist()  # nearly all links with several ids
        if any(names[k] == names[k + 1] for k in twos):
            return True
        many = np.flatnonzero(lengths > 2)
        spans = zip(self.ptr[many].tolist(), self.ptr[many + 1].tolist(), strict=True)
        return any(len(set(names[begin:end])) < end - begin for begin, end in spans)


def _halves(targets: Sequence[str | None]) -> tuple[_HalfNames, _HalfNames] | None:
    """Return the ids of both halves; `None` if a link is faulty."""
    if None in targets:
        return None
    whole = "\n".join(targets) + "\n" if targets else ""  # type: ignore[arg-type]  # just looked
    if whole.count("\n") != len(targets):
        whole = "\n".join(" ".join(text.split()) for text in targets if text is not None) + "\n"
    if not whole.isascii() or "\t" in whole:
        whole = _BLANK.sub(" ", whole)
    signs = np.frombuffer(whole.encode(), dtype=np.uint8)
    at = np.flatnonzero((signs == _SPACE) | (signs == _LINE_END) | (signs == _SEMICOLON))
    kinds = signs[at]
    borders = kinds[kinds != _SPACE]
    if borders.size != 2 * len(targets) or (borders[::2] != _SEMICOLON).any():
        return None
    # Halves are numbered consecutively; each separator ends a name or a half.
    half = np.cumsum(kinds != _SPACE) - (kinds != _SPACE)
    named = half[np.diff(at, prepend=-1) > 1]
    lengths = np.bincount(named, minlength=borders.size)
    names = whole.replace(";", " ").split()
    if borders.size == len(names) and (lengths == 1).all():  # 1-1 throughout
        sides = names[::2], names[1::2]
    else:
        is_right = (named & 1).astype(bool)
        sides = (
            list(compress(names, (~is_right).tobytes())),
            list(compress(names, is_right.tobytes())),
        )
    left = _HalfNames(sides[0], prefix(lengths[::2]))
    right = _HalfNames(sides[1], prefix(lengths[1::2]))
    return None if left.has_twice() or right.has_twice() else (left, right)


def _scores(columns: dict[str, Sequence[str | None]], size: int) -> Floats:
    """Remove the scores from the column `certainty`; other values stay."""
    certainty = columns.pop("certainty", None)
    if certainty is None:
        return np.full(size, nan)
    quick = _floats(certainty)
    if quick is not None:
        return quick
    known = [score_of(value or "") for value in certainty]
    scores = [nan if score is None else score for score in known]
    rest = [
        value if score != score and value and value.strip() else None  # noqa: PLR0124 - nan
        for value, score in zip(certainty, scores, strict=True)
    ]
    if rest.count(None) < len(rest):
        columns["certainty"] = rest
    return np.array(scores, dtype=np.float64)


def _floats(values: Sequence[str | None]) -> Floats | None:
    """Parse numbers; return `None` where a value is not a number."""
    joined = "" if None in values else "".join(values)  # type: ignore[arg-type]  # just looked
    if None in values or "_" in joined or not joined.isascii():
        return None
    try:
        numbers = np.fromiter(map(float, values), dtype=np.float64, count=len(values))  # type: ignore[arg-type]
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


# Links collected in groups, in the order of the file.

_KNOWN = frozenset({"targType", "fromDoc", "toDoc", "version"})  # attributes with a meaning
_SHARED = ("fromDoc", "toDoc", "version")  # attributes that a group inherits from cesAlign


class Builder:
    """Collects links in groups; groups may be nested, and links may be outside of any group.

    `cut` decides for a long group whether its parts may be yielded separately. `rooted` is true if
    the root of the file is a `linkGrp`.
    """

    def __init__(
        self,
        source: Source,
        cut: Callable[[Group], bool] | None = None,
        *,
        rooted: bool = False,
        part_size: int = PART,
    ) -> None:
        self._source, self._cut, self._part_size = source, cut, part_size
        self._rooted = rooted
        self._open: list[Group] = []
        self._loose: Group | None = None
        self._shared: dict[str, str] = {}

    def share(self, attributes: dict[str, str]) -> None:
        """Apply the attributes of a `cesAlign` to all groups inside."""
        self._shared = {key: attributes[key] for key in _SHARED if key in attributes}
        self._note_attributes(attributes, 0)

    def translation(self, attributes: dict[str, str]) -> None:
        """Record the name of a document in the header (XCES 1.0), by its number."""
        side = {"1": "fromDoc", "2": "toDoc"}.get(attributes.get("n", ""))
        if side and attributes.get("trans.loc"):
            self._shared.setdefault(side, attributes["trans.loc"])

    def group(self) -> Group:
        """Return the open group; outside of groups, a group for loose links."""
        if self._open:
            return self._open[-1]
        if self._loose is None:
            self._loose = Group(self._source, dict(self._shared), 1)
        return self._loose

    def part(self) -> Iterator[Group]:
        """Yield the links so far of the open group, if the group is long and may be cut."""
        group = self.group()
        if self._cut is None or len(group) < self._part_size or not self._cut(group):
            return
        group.settle()
        group.cut = True
        more = Group(
            self._source, group.attributes, group.line, rooted=group.rooted, continues=True
        )
        more.outer = group.outer
        if self._open:
            self._open[-1] = more
        else:
            self._loose = more
        yield group

    def open(self, attributes: dict[str, str], line: int) -> Iterator[Group]:
        """Begin a group; yield the loose links before."""
        yield from self._take_loose()
        around = self._shared
        if self._open:
            self._open[-1].outer = True
            around = self._open[-1].attributes
        whole = {**{key: around[key] for key in _SHARED if key in around}, **attributes}
        rooted = self._rooted and not self._open
        self._note_attributes(attributes, line)
        self._open.append(Group(self._source, whole, line, rooted=rooted))

    def _note_attributes(self, attributes: dict[str, str], line: int) -> None:
        for name in attributes:
            if name not in _KNOWN and not name.startswith(("xmlns", "xml:", "xsi:")):
                where = f"{self._source.path} line {line}" if line else self._source.path
                kind = "attributes of cesAlign and linkGrp, left out"
                self._source.notes.add(kind, f"{where}: {name[:40]}")

    def close(self) -> Iterator[Group]:
        """End the open group; yield the group, unless it only contained other groups."""
        if self._open:
            group = self._open.pop()
            group.settle()
            if len(group) or not (group.outer or group.continues):
                yield group

    def flush(self) -> Iterator[Group]:
        """Yield the remaining groups: loose links, and in SGML groups that were never closed."""
        while self._open:
            yield from self.close()
        yield from self._take_loose()

    def _take_loose(self) -> Iterator[Group]:
        if self._loose is not None:
            self._loose.settle()
            if len(self._loose) or not self._loose.continues:
                yield self._loose
        self._loose = None
