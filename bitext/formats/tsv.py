"""TSV: one bisegment a line: source, target, then any columns, parted by tabs; no quoting.

The segments of a side are joined by a blank, so a side comes back as one segment; an empty
column is an empty side. Only LF and CRLF end a line.

Columns
    A first line that names a source and a target column (`src tgt`, `source target`,
    `text1 text2`, ...) is a header, and its names are the names of the columns. Without one the
    texts are the first two, or, where these are addresses, the two after them (ParaCrawl:
    `url1 url2 text1 text2`). The other columns are attributes, `col3` and so on without a header;
    an empty cell is no value.
Score
    The column named `score`, or without a header the column after the texts, if all its cells are
    numbers.
Ragged lines
    Each kind is noted. A line with more columns than the first, or without both texts, is left
    out, since a tab too many or too few moves the texts; in such a file an empty column cannot be
    told from a lost one, and lines with one are left out too. A line that lacks only columns after
    the texts is taken.

Lost: the borders between the segments of a side, ids, languages, the borders between documents,
crossings, overlaps. On writing, tabs and line ends within a segment become blanks. A header
is written where there are scores or attributes to name, or where the first line could be taken
for one.
"""

from __future__ import annotations

import re
from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import InputError
from bitext.formats.inline import Beads, sides
from bitext.formats.lines import flat, head_lines, no_segment, score_of, spell_score
from bitext.formats.registry import Format, ReadOptions, WriteOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_SRC = {"src", "source", "text1", "src_text", "source_text"}
_TGT = {"tgt", "trg", "target", "text2", "tgt_text", "trg_text", "target_text"}
_URL = re.compile(r"(?:https?|ftp)://\S+")


class _Shape(NamedTuple):
    """Which columns there are, and which of them hold the texts and the score."""

    names: list[str]
    src: int
    tgt: int
    score: int | None
    header: bool

    @property
    def rest(self) -> dict[int, str]:
        """The columns of attributes."""
        texts = {self.src, self.tgt, self.score}
        return {k: name for k, name in enumerate(self.names) if k not in texts}


def _sniff(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line]
    if not lines or "\0" in lines[0] or lines[0].startswith(("<?", "<!")):
        return 0
    inner = sum("\t" in line.lstrip("\t") for line in lines)  # tabs that only indent are none
    return 31 if "\t" in lines[0] or 2 * inner > len(lines) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    lines = source.lines()
    first = next((line for line in lines if "\t" in line), None)
    if first is None:
        if any(lines):
            raise source.error("no line has two columns; want source and target, parted by a tab")
        first = "\t"
    shape = _shape(first.split("\t"))
    rows = _rows(source, lines, shape)
    scores, shape = _scores(source, rows, shape)
    beads = Beads(source, options)
    for row, score in zip(rows, scores, strict=True):
        src, tgt = row[shape.src], row[shape.tgt]
        columns = {name: row[k] for k, name in shape.rest.items() if row[k]}
        beads.add([src] if src else [], [tgt] if tgt else [], score, attributes=columns)
        yield from beads.parts()
    yield from beads.rest()


def _shape(first: list[str]) -> _Shape:
    """Tell the columns by the first line that has any."""
    named = [column.strip().lower() for column in first]
    src = next((k for k, name in enumerate(named) if name in _SRC), None)
    tgt = next((k for k, name in enumerate(named) if name in _TGT), None)
    if src is not None and tgt is not None:
        names = [column.strip() for column in first]
        score = named.index("score") if "score" in named else None
        return _Shape(_different(names), src, tgt, score, header=True)
    names = [f"col{k}" for k in range(1, len(first) + 1)]
    if len(first) >= 4 and _URL.fullmatch(first[0]) and _URL.fullmatch(first[1]):
        names[:2] = "url1", "url2"
        return _Shape(names, 2, 3, 4 if len(first) > 4 else None, header=False)
    return _Shape(names, 0, 1, 2 if len(first) > 2 else None, header=False)


def _different(names: list[str]) -> list[str]:
    """Give columns without a name, or with one that is taken, one by their number."""
    out: list[str] = []
    for k, name in enumerate(names, start=1):
        new = name if name and name not in out else f"col{k}"
        while new in out:
            new += "_"
        out.append(new)
    return out


def _rows(source: Source, lines: list[str], shape: _Shape) -> list[list[str]]:
    """Return the rows that are bisegments, of equal length; note the others."""
    width, texts = len(shape.names), max(shape.src, shape.tgt) + 1
    found: list[tuple[int, list[str]]] = []
    ragged, awaited = False, shape.header
    for number, line in enumerate(lines, start=1):
        row = line.split("\t")
        if awaited and len(row) > 1:
            awaited = False
            continue
        if len(row) != width:
            odd = _oddity(row, width, texts)
            ragged = ragged or odd in {_TOO_MANY, _TOO_FEW}
            source.notes.add(odd, f"{source.path} line {number}: {len(row)} for {width} columns")
            if odd != _SHORT:
                continue
            row += [""] * (width - len(row))
        if row[shape.src] or row[shape.tgt]:
            found.append((number, row))
        else:
            no_segment(source, number)
    return _whole_rows(source, found, shape) if ragged else [row for _, row in found]


_TOO_MANY = "lines with more columns than the first, left out"
_TOO_FEW = "lines without a column for each text, left out"
_SHORT = "lines that lack columns after the texts, taken without them"
_EMPTY = "empty lines, left out"


def _oddity(row: list[str], width: int, texts: int) -> str:
    if row == [""]:
        return _EMPTY
    if len(row) > width:
        return _TOO_MANY
    return _TOO_FEW if len(row) < texts else _SHORT


def _whole_rows(
    source: Source, found: list[tuple[int, list[str]]], shape: _Shape
) -> list[list[str]]:
    """Leave out the rows with an empty side, and note them."""
    kept = []
    for number, row in found:
        if row[shape.src] and row[shape.tgt]:
            kept.append(row)
            continue
        source.notes.add(
            "lines with an empty side in a file with ragged lines, left out",
            f"{source.path} line {number}",
        )
    return kept


def _scores(source: Source, rows: list[list[str]], shape: _Shape) -> tuple[Sequence[float], _Shape]:
    """Return the scores, and the shape without a column of scores if it holds something else."""
    if shape.score is not None:
        known = [score_of(row[shape.score]) for row in rows]
        scores = [score for score in known if score is not None]
        if len(scores) == len(rows) and (shape.header or not any(map(isnan, scores))):
            return scores, shape
        if shape.header:
            odd = rows[known.index(None)][shape.score]
            source.notes.add(
                "columns named score that hold something else, kept as an attribute",
                f"{source.path}: {odd[:40]!r}",
            )
    return [nan] * len(rows), shape._replace(score=None)


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    header: list[str] | None = None
    for bitext in bitexts:
        scores, columns = bitext.alignment.scores, list(bitext.alignment.attributes.values())
        named = _header(bitext)
        for k, (src, tgt) in enumerate(sides(bitext, FORMAT.name)):
            row = [" ".join(map(flat, src)), " ".join(map(flat, tgt))]
            if header is None:
                header = named
                if len(header) > 2 or _shape(row).header:
                    out.write("\t".join(header) + "\n")
            if named != header:
                raise InputError(
                    f"tsv has the same columns on all lines, but {bitext.name or 'a later text'} "
                    f"has {', '.join(named)} where the first has {', '.join(header)}; choose a "
                    f"format without columns, as jsonl"
                )
            if scores is not None:
                row.append(spell_score(scores[k]))
            row.extend(flat(column[k] or "") for column in columns)
            out.write("\t".join(row) + "\n")


def _header(bitext: Bitext) -> list[str]:
    """Name the columns; an attribute that is called as another column gets another name."""
    names = ["src", "tgt"] + ["score"] * (bitext.alignment.scores is not None)
    for name in bitext.alignment.attributes:
        taken = {*names, "score"}
        names.append(f"{flat(name)}_" if flat(name) in taken else flat(name))
    return names


FORMAT = Format(
    name="tsv",
    title="source and target parted by a tab, then any columns",
    holds="text",
    suffixes=(".tsv",),
    sniff=_sniff,
    read=_read,
    write=_write,
)
