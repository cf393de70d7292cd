"""Segmentations as labels: one per line, or in columns beside the units, one column per coder."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np

from bitext.errors import SegmentationError, did_you_mean, many, remedy
from bitext.formats.io.source import Source
from bitext.formats.segmentations.collecting import (
    CODER_HEADS,
    FLAGS,
    Collected,
    Reading,
    ReadingOptions,
    Readings,
    Units,
    chosen_coders,
    csv_rows,
    is_flag,
    listed,
    note_labels,
    note_marks,
)
from bitext.kernels.arrays import Ints
from bitext.model import Segmentation
from bitext.model.segmentation import (
    BIO_FORMS,
    LABEL_FORMS,
    bio_form,
    bio_parts,
    may_be_bio,
    repeated,
)

_HEADS = frozenset(
    [
        *("label", "labels", "tag", "tags", "class", "topic", "section", "segment"),
        *("boundary", "bio", "iob", "gold", "pred", "prediction"),
    ]
)
_DOCSTART = "-DOCSTART-"
TEXT_HEADS = frozenset(
    [
        *("doc", "docid", "doc_id", "document", "document_id", "documentid", "text", "textid"),
        *("text_id", "file", "filename", "file_name", "article", "article_id", "essay", "essay_id"),
        *("episode", "meeting", "dialogue", "dialogue_id", "id"),
    ]
)
_UNIT_HEADS = frozenset(["text", "id"])  # may also name the units, or their numbers
_INDEX_HEADS = frozenset(["", "Unnamed: 0"])  # of the numbers of rows that pandas writes
_FEW_LABELS = 2  # labels that may all differ
_MASSES = re.compile(r"\[?[0-9]+(?:[,; ]+[0-9]+)+\]?")  # of two segments or more
_DIFFERENT = 0.8  # least share of different cells in a column of units; set by hand
_FITTING = 20  # characters of a label in a message
_LONGEST = 200  # characters of the names of columns in a message
_NOT_CODED = "NA"
_SPEAKERS = frozenset(["user", "subject", "participant"])  # of CODER_HEADS, also in dialogues
_MISSING = frozenset(["", _NOT_CODED])  # cells of a coder without a label
_NOT_CODED_CELLS = frozenset(["na", "n/a", "nan"])  # as spreadsheets and pandas write them
_ONLY_MARKS = frozenset(["", "na", "1", "1.0", "true", "yes"])  # where 0 is left empty


def split_columns(lines: Sequence[str], *, named: bool = False) -> list[list[str]]:
    """Split lines into cells at tabs.

    If the user `named` a column and there is no tab at all, cells are those of CSV with the same
    number of commas or semicolons in every line, or else are separated by blanks.
    """
    if named and not any("\t" in line for line in lines):
        for delimiter in ",;":
            rows = csv_rows(lines, delimiter)
            if len(rows) == len(lines) and {*map(len, rows)} == {len(rows[0])} != {1}:
                return [[cell.strip() for cell in row] for row in rows]
        return [line.split() for line in lines]
    return [[cell.strip() for cell in line.split("\t")] for line in lines]


def refuse_uneven_rows(source: Source, lines: Sequence[str]) -> None:
    """Refuse lines of CSV with more or fewer cells than the first, or that end within a cell.

    Raises `FormatError` with the line.
    """
    delimiter = max(",;", key=lines[0].count)
    content = label_lines(lines)
    numbers = not lines[0].strip(" 0123456789,;")  # masses, positions or bits
    if delimiter not in lines[0] or numbers or any("\t" in line for line in content):
        return
    odd = next((k for k, line in enumerate(lines, 1) if line.count('"') % 2), None)
    if odd is not None:
        raise source.error(
            "has a quotation mark that does not close in its line; want a unit in one line", odd
        )
    widths = [*map(len, csv_rows(content, delimiter))]
    most = max(set(widths), key=widths.count, default=0)
    if most < 2 or most != widths[0] or len(widths) != len(content):
        return
    wrong = next((k for k, width in enumerate(widths) if width != most), None)
    if wrong is not None:
        number = lines.index(content[wrong]) + 1
        raise source.error(
            f"has {widths[wrong]} columns, and line 1 has {most}; want quotation marks around "
            f"cells with {delimiter!r}, or name the notation of a text ({remedy('from text')})",
            number,
        )


def read_labels(
    source: Source,
    lines: Sequence[str],
    form: str,
    options: ReadingOptions,
    *,
    detected: bool = False,
) -> Readings:
    """Read labels of one text or several, one a line, or in columns beside the units.

    Parameters
    ----------
    form : str
        `labels`, `bio`, or a spelling of 0s and 1s (`Segmentation.from_bits`).
    options : ReadingOptions
        `column` is the column of the labels, by its number from 1, or by its name in a header
        (default: the only column that may hold labels); `coders` are the columns of several coders.
        `labels` are the labels that count.
    detected : bool
        Whether the spelling was detected from the contents, and not set by the user.

    """
    refuse_no_labels(source, lines, form)
    content = label_lines(lines)
    places = np.array([k for k, line in enumerate(lines, 1) if _is_label(line)], dtype=np.int64)
    given = _Content(source, lines, content, places, form, options, detected)
    rows = split_columns(content, named=True) if options.column is not None else []
    if not (rows or has_coder_columns(content, options.coders)):
        rows = _rows_by_coder(content)
    k = _column_of_coders(rows, options)
    if k is None:
        return given.read()
    source.note("tables of a row for each unit of each coder", f"{rows[0][k]!r}")
    # Its rows are read once for each coder, without the column of coders.
    coders = list(dict.fromkeys(row[k] for row in rows[1:]))
    chosen = [coders[n] for n in chosen_coders(source, coders, options.coders)]
    used = "1" in {options.column, options.texts}
    left = [n for n, name in enumerate(rows[0]) if n or used or name not in _INDEX_HEADS]
    left.remove(k)
    if options.column is None:
        at = left[_chosen(source, [[row[c] for c in left] for row in rows], form, None)]
        _note_column(source, at, len(rows[0]))
        options = replace(options, column=str(at + 1))
    own = {c: [n for n, row in enumerate(rows) if n == 0 or row[k] == c] for c in chosen}
    if options.texts is None:
        options = replace(options, texts=_text_of_coders(rows, left, list(own.values())))
    column, texts = (_shifted(option, left) for option in (options.column, options.texts))
    options = replace(options, coders=(), column=column, texts=texts)
    readings = {}
    for coder in chosen:
        cells = ["\t".join(rows[n][c] for c in left) for n in own[coder]]
        part = replace(given, content=cells, places=places[own[coder]], options=options)
        readings[coder] = part.read(coder, noted=coder == chosen[-1]).by_coder[""]
    return Readings(readings, tuple(coders))


def _rows_by_coder(content: Sequence[str]) -> list[list[str]]:
    """Return the rows of a table that repeats its units for each coder; no rows of other tables."""
    names = re.split("[\t,;]", content[0].lower())
    of_coders = [k for k, name in enumerate(names) if name.strip() in CODER_HEADS - _SPEAKERS]
    rows = split_columns(content, named=True) if len(names) > 2 and of_coders else []
    if any(len(row) != len(names) for row in rows):
        return []
    for k, column in enumerate(zip(*rows[1:], strict=True)):
        by_coder: dict[str, list[str]] = {}
        for row, value in zip(rows[1:], column, strict=True):
            by_coder.setdefault(row[of_coders[0]], []).append(value)
        first, *others = by_coder.values()
        same = first in others and len({*first}) > 2
        if k != of_coders[0] and (same or _share_units([*by_coder.values()])):
            return rows
    return []


def _share_units(lists: Sequence[Sequence[str]]) -> bool:
    """Recognise the units of two coders, of whom one may lack some texts, in their cells.

    Most cells of each are different, and half of those of the one with fewer are of both.
    """
    cells = [{*values} for values in lists]
    own = [
        len(known) > 2 and _DIFFERENT * len(values) <= len(known)
        for known, values in zip(cells, lists, strict=True)
    ]
    numbers = all(value.isdecimal() for known in cells for value in known)
    return not numbers and any(
        own[a] and own[b] and 2 * len(cells[a] & cells[b]) >= min(len(cells[a]), len(cells[b]))
        for a, b in combinations(range(len(cells)), 2)
    )


def _column_of_coders(rows: Sequence[Sequence[str]], options: ReadingOptions) -> int | None:
    """Return the column with the coder of each unit, which has such a header; else `None`."""
    head = [name.lower() for name in rows[0]] if rows else []
    of_coders = [k for k, name in enumerate(head) if name in CODER_HEADS]
    if len(of_coders) != 1 or any(len(row) != len(head) for row in rows):
        return None
    (k,) = of_coders
    if {rows[0][k], str(k + 1)} & {options.column, options.texts, *options.coders}:
        return None
    return k if len({row[k] for row in rows[1:]}) > 1 else None


def _text_of_coders(
    rows: Sequence[Sequence[str]], columns: Sequence[int], own: Sequence[Sequence[int]]
) -> str | None:
    """Return the number of the column of texts that a coder with a single text does not show."""
    heads = TEXT_HEADS - _UNIT_HEADS
    named = [c for c in columns if rows[0][c].lower() in heads]
    counts = [{len({rows[n][c] for n in lines[1:]}) for lines in own} for c in named]
    known = (c for c, several in zip(named, counts, strict=True) if 1 in several != {1})
    return next((str(c + 1) for c in known), None)


def _shifted(option: str | None, left: Sequence[int]) -> str | None:
    """Return the number of a column among those that are left; a name is unchanged."""
    if option is None or not option.isdecimal() or int(option) - 1 not in left:
        return option
    return str(left.index(int(option) - 1) + 1)


@dataclass(frozen=True, slots=True)
class _Labels:
    """The labels of a file, and the other columns."""

    labels: list[str]
    places: Ints  # the line of each label
    units: list[str] | None = None  # the cells of the other columns
    # `starts`, `names`: the first label and the name of each text that a column names.
    starts: Sequence[int] = (0,)
    names: Sequence[str | None] | None = None
    are_headed: bool = False  # whether their column has the header of labels, or of a coder

    def units_of(self, texts: Iterable[_Text]) -> tuple[Units, ...] | None:
        if self.units is None:
            return None
        return tuple(Units.of(self.units[a:b], self.places[a:b]) for a, b, _ in texts)


_Text = tuple[int, int, str | None]  # a text: its labels, half-open, and its name


@dataclass(frozen=True, slots=True)
class _Content:
    """The lines of a file of labels, all or those of one of its coders."""

    source: Source
    lines: Sequence[str]  # all lines of the file
    content: Sequence[str]  # those with labels
    places: Ints  # the numbers of these
    form: str
    options: ReadingOptions
    detected: bool

    def read(self, coder: str = "", *, noted: bool = True) -> Readings:
        source, content, form, options = self.source, self.content, self.form, self.options
        columns: dict[str, list[str]] = {}
        by_coder = has_coder_columns(content, options.coders)
        named = options.column is not None or any("\t" in line for line in content)
        may_be_table = form != "labels" and not by_coder and not named
        rows, fit = _csv_table(content, form) if may_be_table else ([], [])
        # A first row of flags is no header, and its table rather the flags of several coders.
        is_one = len(fit) == 1 and not options.coders and not all(map(is_flag, rows[0]))
        if by_coder:
            table, columns = self._coder_columns()
        elif named or is_one:
            table = self._label_column()
        else:
            _refuse_unknown_coders(source, content, options.coders)
            if len(fit) > 1:
                _chosen(source, rows, form, None)
            table = _Labels([line.strip() for line in content], self.places)
        if form == "labels":
            for column in columns.values() or [table.labels]:
                _refuse_no_names(source, column, may_differ=table.are_headed)
        labels = [label for column in columns.values() for label in column] or table.labels
        if form == "bio":
            form = bio_form({*labels, "O"} if options.labels else labels)
        if options.labels:
            check_labels(source, labels, form, options.labels)
            table = replace(table, labels=select_labels(table.labels, form, options.labels))
            columns = {c: _selected(column, form, options.labels) for c, column in columns.items()}
        else:
            note_labels(source, labels, form, detected=self.detected)
        # The borders of texts come from a column of names, else from separators between lines.
        starts, names = table.starts, table.names
        if names is None:
            starts = _text_starts(source, self.lines, table.places, options.texts)
            names = [None] if len(starts) == 1 else [str(k + 1) for k in range(len(starts))]
        texts = list(zip(starts, [*starts[1:], len(table.places)], names, strict=True))
        if form == "labels" and not options.labels:
            lists = [*columns.values()] or [table.labels]
            note_marks(source, (labels[a:b] for labels in lists for a, b, _ in texts))
        if columns:
            return _read_coders(source, table, columns, texts, form, selected=bool(options.labels))
        collected = Collected(source, coder)
        for start, end, name in texts:
            _put(collected, table.labels[start:end], table.places[start:], form)
            collected.add(name, int(table.places[start]))
        units = table.units_of(texts)
        return Readings({"": collected.reading(form, units=units, labels=form, noted=noted)})

    def _rows(self) -> list[list[str]]:
        """Return the cells of each line; refuse lines of another width than the first."""
        rows = split_columns(self.content, named=True)
        width = len(rows[0])
        for row, place in zip(rows, self.places.tolist(), strict=True):
            if len(row) != width:
                raise self.source.error(
                    f"has {len(row)} columns, and line 1 has {width}; want the same in each line",
                    place,
                )
        return rows

    def _coder_columns(self) -> tuple[_Labels, dict[str, list[str]]]:
        """Return the units and texts of a table, and the labels of each chosen coder."""
        source, form, options, places = self.source, self.form, self.options, self.places
        rows = self._rows()
        # Coders are named as in the header, or by the numbers of their columns.
        named = any(name in rows[0] for name in options.coders)
        if named and (unknown := [n for n in options.coders if n not in rows[0]]):
            raise _no_column(source, unknown[0], rows[0])
        chosen = chosen_coders(source, rows[0] if named else [""] * len(rows[0]), options.coders)
        head: Sequence[str] = ()
        if named or _is_head(rows, chosen, form):
            head, rows, places = rows[0], rows[1:], places[1:]
            if not rows:
                raise source.error("has a header only; want labels in the lines below")
        names = [head[k] if head else f"column {k + 1}" for k in chosen]
        if len(set(names)) < len(names) or not all(names):
            raise source.error(
                f"has columns of one name, {listed(names)}; want a name of its own for each coder",
                1,
            )
        text = self._text_column(rows, head, chosen, most=min(chosen))
        unit = _unit_column(rows, {*chosen, text}, form)
        units = None if unit is None else [row[unit] for row in rows]
        columns = {
            name: [_NOT_CODED if row[k].lower() in _NOT_CODED_CELLS else row[k] for row in rows]
            for name, k in zip(names, chosen, strict=True)
        }
        texts = _texts_of(rows, text)
        return _Labels([], places, units, *texts, are_headed=named), columns

    def _label_column(self) -> _Labels:
        """Return the labels of a column, with the units and the texts of the other columns."""
        source, form, places, column = self.source, self.form, self.places, self.options.column
        rows = self._rows()
        k = _chosen(source, rows, form, column)
        values = [row[k] for row in rows]
        named = column is not None and column == values[0] and not column.isdecimal()
        unfit = form != "labels" and not fits_form(values[:1], form)
        header = len(values) > 1 and (
            named or is_header(values) or (unfit and fits_form(values[1:], form))
        )
        head: Sequence[str] = ()
        if header:
            head, rows, values, places = rows[0], rows[1:], values[1:], places[1:]
            source.note("first lines taken as a header", f"{self.content[0].strip()!r:.60}")
        if column is None:
            _note_column(source, k, len(rows[0]))
        text = self._text_column(rows, head, [k])
        index = 0 if head and head[0] in _INDEX_HEADS else None
        left = [c for c in range(len(rows[0])) if c not in {k, text, index}]
        units = ["\t".join(row[c] for c in left) for row in rows] if left else None
        are_headed = header and head[k].lower() in _HEADS
        return _Labels(values, places, units, *_texts_of(rows, text), are_headed=are_headed)

    def _text_column(
        self,
        rows: Sequence[Sequence[str]],
        head: Sequence[str],
        labels: Collection[int],
        most: int | None = None,
    ) -> int | None:
        """Return the index of the column with the names of texts, or `None`.

        Without an option the column has to be among the first `most` ones.
        """
        source, texts, width = self.source, self.options.texts, len(rows[0])
        if texts in {"one", "blank-lines", "docstart"}:
            return None
        if texts is not None:
            at = int(texts) - 1 if texts.isdecimal() else -1
            if not texts.isdecimal() and texts in head:
                at = list(head).index(texts)
            if not 0 <= at < width or at in labels:
                raise source.error(
                    f"has no column {texts!r} of the names of texts; want a number from 1 to "
                    f"{width}, or a name in the header, other than that of the labels"
                )
            return at
        # Without an option only a column whose header names texts is accepted.
        first = [c for c in range(width if most is None else most) if c not in labels]
        sure = [c for c in first if head and head[c].lower() in TEXT_HEADS - _UNIT_HEADS]
        repeated = [c for c in sure if 1 < len({row[c] for row in rows}) < len(rows)]
        if repeated:
            _refuse_scattered(source, rows, repeated[0], head)
        may = repeated or [c for c in first if _names_texts([row[c] for row in rows], self.form)]
        if not may:
            return None
        named = next((c for c in may if head and head[c].lower() in TEXT_HEADS), None)
        if named is None:
            k = may[0] + 1
            other = next(row[k - 1] for row in rows if row[k - 1] != rows[0][k - 1])
            raise source.error(
                f"has a column {k} that may name the texts ({rows[0][k - 1]!r:.30}, then "
                f"{other!r:.30}): name it ({remedy(f'texts {k}')}), or another separator of texts "
                f"({remedy('texts blank-lines', 'texts one')})"
            )
        kind = f"texts separated by their names in a column (all one text: {remedy('texts one')})"
        source.note(kind, f"{head[named]!r:.30}")
        return named


def _put(collected: Collected, labels: Sequence[str], places: Ints, form: str) -> None:
    source = collected.source
    try:
        if form in LABEL_FORMS:
            made = Segmentation.from_labels(labels, form=form)
        else:
            made = Segmentation.from_bits(_flags(source, labels, places), form=form)
    except SegmentationError as error:
        raise source.error(str(error), int(places[0])) from None
    collected.put(made)


# Labels that count (`--labels`).


def select_labels(labels: Sequence[str], form: str, wanted: Collection[str]) -> list[str]:
    """Return labels of which those that are not wanted are as none.

    Wanted are types of BIO labels, where all others become `O`; labels of a run, where all others
    are alike; or labels of units that begin or end a segment: 1, and all others 0.

    Examples
    --------
    >>> select_labels(["B-NP", "I-NP", "B-VP", "O"], "bio-outside", {"NP"})
    ['B-NP', 'I-NP', 'O', 'O']
    >>> select_labels(["T", "", "S"], "begin-bits", {"T"})
    ['1', '0', '0']

    """
    if form in BIO_FORMS:
        return [label if bio_parts(label)[1] in wanted else "O" for label in labels]
    if form == "labels":
        return [label if label in wanted else "" for label in labels]
    return ["1" if label in wanted else "0" for label in labels]


def check_labels(source: Source, labels: Iterable[str], form: str, wanted: Sequence[str]) -> None:
    """Refuse labels to count of which the file has none; note those that it lacks.

    Raises `FormatError` with the labels of the file.
    """
    known = dict.fromkeys(labels)
    noun = "label"
    if form in BIO_FORMS:
        known = dict.fromkeys(bio_parts(label)[1] for label in known)
        noun = "type of BIO label"
    known.pop("", None)
    lacking = [name for name in wanted if name not in known]
    if len(lacking) == len(wanted):
        raise source.error(
            f"has no {noun} {lacking[0]!r:.40} ({remedy('labels')}); "
            + (f"it has {listed(known)}" if known else "it has none")
        )
    if lacking:
        kind = f"labels to count that are not there ({remedy('labels')})"
        source.note(kind, listed(lacking), count=len(lacking))


def _selected(column: Sequence[str], form: str, wanted: Collection[str]) -> list[str]:
    """Return the labels of a coder with the wanted ones alone; texts without a coder stay so."""
    chosen = select_labels(column, form, wanted)
    pairs = zip(column, chosen, strict=True)
    return [label if label == _NOT_CODED else new for label, new in pairs]


# One column per coder.


def has_coder_columns(lines: Sequence[str], coders: Sequence[str]) -> bool:
    """Check for columns of the coders, by their names or numbers."""
    head = split_columns(lines, named=True)[0] if coders and lines else []
    named = any(name in head or name.isdecimal() for name in coders)
    return len(head) > 1 and named


def coders_like(
    lines: Sequence[str], coders: Sequence[str], spelling: str | None
) -> tuple[str, ...]:
    """Return the names of the columns that have labels as those of some coders, whom it includes.

    Empty for lines without a header of their names. Of labels that are names, these are the
    neighbours of the coders, since other columns may have names, too.
    """
    rows = split_columns(lines, named=True) if coders and lines else []
    head = rows[0] if rows else []
    if not {*coders} <= {*head} or any(len(row) != len(head) for row in rows):
        return ()
    cells = [[row[k] for row in rows[1:]] for k in range(len(head))]
    known = [head.index(name) for name in coders]
    forms = [spelling] if spelling else ["begin-bits", "bio", "labels"]
    form = next((f for f in forms if all(_fits(cells[k], f) for k in known)), "labels")
    free = {k for k, name in enumerate(head) if name.lower() in TEXT_HEADS}
    alike = {k for k, column in enumerate(cells) if _fits(column, form)} - free | {*known}
    first, last = min(known), max(known)
    if form == "labels":
        while first - 1 in alike:
            first -= 1
        while last + 1 in alike:
            last += 1
        alike = set(range(first, last + 1)) & alike
    return tuple(head[k] for k in sorted(alike))


def _refuse_unknown_coders(source: Source, lines: Sequence[str], coders: Sequence[str]) -> None:
    """Refuse a table of CSV that has none of the columns of the chosen coders."""
    head = split_columns(lines, named=True)[0] if coders and lines else []
    if len(head) > 1 and any(len(lines[0].split(delimiter)) == len(head) for delimiter in ",;"):
        raise _no_column(source, coders[0], head)


def _no_column(source: Source, name: str, head: Sequence[str]) -> Exception:
    near = did_you_mean(name, head)
    return source.error(f"has no column {name!r:.40}; {near}the first line has {listed(head)}", 1)


def _csv_table(lines: Sequence[str], form: str) -> tuple[list[list[str]], list[int]]:
    """Return the rows of a CSV table, and its columns that may be labels; none for other lines."""
    if not lines or not any(delimiter in lines[0] for delimiter in ",;"):
        return [], []
    rows = split_columns(lines, named=True)
    is_table = len(rows[0]) > 1 and len({*map(len, rows)}) == 1
    return (rows, label_columns(rows, form)) if is_table else ([], [])


def _unit_column(
    rows: Sequence[Sequence[str]], others: Collection[int | None], form: str
) -> int | None:
    """Return the column of the units, which has the most different values.

    It is none of `others`, and has neither numbers alone nor labels of a coder.
    """
    columns = {k: [row[k] for row in rows] for k in range(len(rows[0])) if k not in others}
    may = [
        k
        for k, values in columns.items()
        if not all(map(str.isdecimal, values)) and (form == "labels" or not _fits(values, form))
    ]
    return max(may, key=lambda k: (len(set(columns[k])), sum(map(len, columns[k]))), default=None)


def _is_head(rows: Sequence[Sequence[str]], chosen: Sequence[int], form: str) -> bool:
    """Recognise a header: no value of the first line occurs again below it."""
    if len(rows) < 2:
        return False
    columns = [[row[k] for row in rows] for k in chosen]
    if form != "labels":
        return not any(_fits(column[:1], form) for column in columns)
    return all(column[0] and column[0] not in column[1:] for column in columns) and not any(
        column[0].isdecimal() for column in columns
    )


def _fits(values: Sequence[str], form: str) -> bool:
    """Test values for labels of a kind; cells of texts without a coder count for any kind."""
    coded = [value for value in values if value and value.lower() not in _NOT_CODED_CELLS]
    return not coded or fits_form(coded, form)


def _read_coders(
    source: Source,
    table: _Labels,
    columns: Mapping[str, list[str]],
    texts: Sequence[_Text],
    form: str,
    *,
    selected: bool,
) -> Readings:
    """Read the texts of each coder; a text without any label of a coder is not coded.

    An empty cell is no mark beside marks of 1, and no label that counts where these are `selected`.
    """
    coded: dict[str, list[_Text]] = {}
    parts: dict[str, Collected] = {}
    marks = not selected and form not in LABEL_FORMS
    for coder, column in columns.items():
        of_ones = marks and {label.lower() for label in column} <= _ONLY_MARKS
        blank = of_ones or selected
        part = parts[coder] = Collected(source, coder)
        coded[coder] = []
        for text in texts:
            start, end, name = text
            labels, lines = column[start:end], table.places[start:end]
            empty = [k for k, label in enumerate(labels) if label in _MISSING]
            called = "a text" if name is None else f"text {name!r:.40}"
            if len(empty) == len(labels) and (not blank or _NOT_CODED in labels):
                kind = "texts that a coder did not code (no label, or NA)"
                source.note(kind, f"{coder}, {called}")
                continue
            if of_ones and len(empty) == len(labels):
                raise source.error(
                    f"has no mark of coder {coder!r:.40} in {called}: write 0 for no boundary, or "
                    f"NA where the text is not coded",
                    int(lines[0]),
                )
            if empty and (not blank or _NOT_CODED in labels):
                only = [*{*labels} - _MISSING] if marks else []
                way = remedy(f"labels {''.join(only)}")
                way = f"; or name the label that marks a boundary ({way})"
                raise source.error(
                    f"has no label of coder {coder!r:.40}; want one in each line of {called}, or "
                    f"in none{way if len(only) == 1 else ''}",
                    int(lines[empty[0]]),
                )
            if empty and of_ones:
                kind = "empty cells taken as 0, beside cells of 1"
                source.note(kind, line=lines[empty[0]], count=len(empty))
                labels = [label or "0" for label in labels]
            _put(part, labels, lines, form)
            part.add(name, int(lines[0]))
            coded[coder].append(text)
    readings: dict[str, Reading] = {}
    for coder, part in parts.items():
        if part.texts:
            units = table.units_of(coded[coder])
            readings[coder] = part.reading(form, units=units, labels=form, noted=not readings)
    if not readings:
        raise source.error("has no label of any coder; want at least one text")
    return Readings(readings, tuple(columns))


def label_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines that may be labels: neither empty nor `-DOCSTART-`."""
    return [line for line in lines if _is_label(line)]


def refuse_no_labels(source: Source, lines: Iterable[str], form: str | None) -> None:
    """Refuse lines that are empty or separators of texts, in files that are or may be of labels."""
    of_labels = form in {None, *LABEL_FORMS, "begin-bits", "end-bits"}
    if of_labels and not any(map(_is_label, lines)):
        raise source.error("holds names and separators of texts only; want a label for each unit")


def _is_label(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(_DOCSTART)


def _text_starts(
    source: Source, lines: Sequence[str], places: Ints, texts: str | None
) -> list[int]:
    """Return the first label of each text, by empty lines or `-DOCSTART-` lines."""
    empty = [number for number, line in enumerate(lines, 1) if not line.strip()]
    marks = [number for number, line in enumerate(lines, 1) if line.startswith(_DOCSTART)]
    if texts not in {None, "one", "blank-lines", "docstart"}:
        raise source.error(
            f"has no columns, and texts are to be separated by {texts!r}; want "
            f"{remedy('texts blank-lines', 'texts docstart', 'texts one')}"
        )
    if texts == "docstart" and not marks:
        raise source.error(
            f"has no line that begins with {_DOCSTART}; name what else separates texts "
            f"({remedy('texts')})"
        )
    if texts == "one":
        return [0]
    parting = marks if texts == "docstart" else sorted(empty + marks)
    starts = np.unique(np.searchsorted(places, parting))
    starts = np.unique(np.append(0, starts[starts < places.size]))
    if texts is None and starts.size > 1:
        other = ["texts docstart"] * (len(marks) > 1) + ["texts one"]
        kind = f"labels with empty lines, which end texts (others: {remedy(*other)})"
        source.note(kind, many(starts.size, "text"))
    first_labels: list[int] = starts.tolist()
    return first_labels


def _refuse_no_names(source: Source, labels: Sequence[str], *, may_differ: bool) -> None:
    """Refuse masses, and several words that are all different, which are no labels.

    Each unit of a short text may be a section with a title of its own (`may_differ`).
    """
    below = labels[1:] or labels  # a header may be the first
    if all(map(_MASSES.fullmatch, below)):
        raise source.error(
            f"has masses where its labels should be, as {below[0]!r:.40}: leave "
            f"{remedy('column')} and {remedy('from labels')} out, or name the column of labels"
        )
    several = sum(any(char in label for char in " ,;") for label in labels)
    different = len(set(labels)) == len(labels) > _FEW_LABELS
    if different and not may_differ and 2 * several > len(labels):
        raise source.error(
            f"has as many different labels as lines, as {labels[-1]!r:.40}: want labels, or their "
            f"column beside the units ({remedy('column')}, its number or its name in the header; "
            f"a column 'section' may have a label of its own for each unit)"
        )


def _flags(source: Source, labels: Sequence[str], places: Ints) -> list[bool]:
    wrong = next((k for k, label in enumerate(labels) if not is_flag(label)), None)
    if wrong is not None:
        label = labels[wrong]
        way = f"; or name the label of a boundary ({remedy(f'labels {label}')})"
        raise source.error(
            f"holds {label!r:.40} as a label; want 0 or 1, or name the notation of the file "
            f"({remedy('from')}){way if label.isalnum() and len(label) <= _FITTING else ''}",
            int(places[wrong]),
        )
    return [FLAGS[label.lower()] for label in labels]


def _note_column(source: Source, k: int, width: int) -> None:
    name = remedy(f"column {k + 1}")
    source.note(f"labels taken from column {k + 1} of {width} (to name another: as {name})")


def _texts_of(
    rows: Sequence[Sequence[str]], named: int | None
) -> tuple[Sequence[int], Sequence[str] | None]:
    """Return the first line and the name of each text by a column; a single text without one."""
    if named is None:
        return (0,), None
    names = [row[named] for row in rows]
    starts = [0, *(k for k in range(1, len(names)) if names[k] != names[k - 1])]
    return starts, [names[start] for start in starts]


def _refuse_scattered(
    source: Source, rows: Sequence[Sequence[str]], k: int, head: Sequence[str]
) -> None:
    """Refuse names of texts that come again after those of another text."""
    _, names = _texts_of(rows, k)
    if names and (again := repeated(names)) >= 0:
        raise source.error(
            f"has lines of text {names[again]!r:.40} in several places (column {head[k]!r:.30}); "
            f"want the lines of a text together, or all as one text ({remedy('texts one')})"
        )


def _names_texts(values: Sequence[str], form: str) -> bool:
    """Recognise a column of names of texts: few values, each in one run, none a label."""
    stretches = 1 + sum(a != b for a, b in pairwise(values))
    few = 1 < stretches == len(set(values)) and stretches * _FEW_LABELS <= len(values)
    return few and (form == "labels" or not fits_form(values, form))


def _chosen(source: Source, rows: Sequence[Sequence[str]], form: str, column: str | None) -> int:
    """Return the index of the column of labels; refuse an unclear or missing one."""
    width = len(rows[0])
    if column is None:
        fit = label_columns(rows, form)
        if len(fit) == 1:
            return fit[0]
        which, coders = listed(str(k + 1) for k in fit), coders_remedy(rows, fit, form)
        may = f"columns {which} may be" if fit else "none is surely"
        raise source.error(
            f"has {many(width, 'column')}, of which {may} that of the labels; name it "
            f"({remedy('column')}, its number or its name in the header){coders}"
        )
    if column.isdecimal():
        if 1 <= int(column) <= width:
            return int(column) - 1
        raise source.error(f"has {width} columns, and no column {column}; want 1 to {width}")
    if column in rows[0]:
        return list(rows[0]).index(column)
    raise source.error(
        f"has no column {column!r:.40}; the first line has {listed(map(repr, rows[0]))}", 1
    )


def coders_remedy(
    rows: Sequence[Sequence[str]], columns: Sequence[int], form: str = "labels"
) -> str:
    """Word the advice to read columns as those of several coders; empty for fewer than two.

    Columns of labels of the same form, with some cells missing, are further coders.
    """
    if form != "labels":
        others = ([row[k] for row in rows[1:]] for k in range(len(rows[0])))
        columns = [k for k, cells in enumerate(others) if k in columns or _fits(cells, form)]
    if len(columns) < 2:
        return ""
    head = [rows[0][k] for k in columns]
    named = len(set(head)) == len(head) and all(
        name and "," not in name and all(row[k] != name for row in rows[1:])
        for k, name in zip(columns, head, strict=True)
    )
    items = ",".join(head if named else [str(k + 1) for k in columns])
    items = f"'{items}'" if " " in items else items
    shown = len(items) <= _LONGEST and items.isprintable()
    option = remedy(f"coders {items}" if shown else "coders")
    return f", or the columns of several coders ({option})"


def label_columns(rows: Sequence[Sequence[str]], form: str) -> list[int]:
    """Return the columns that may be labels of a kind; the first line may be a header."""
    return [
        k
        for k in range(len(rows[0]))
        if fits_form([row[k] for row in rows], form)
        or (len(rows) > 1 and fits_form([row[k] for row in rows[1:]], form))
    ]


def fits_form(values: Sequence[str], form: str) -> bool:
    """Test values for labels of a kind; `labels` need a repeated value."""
    if form == "labels":
        return len(set(values)) < len(values)
    if form in BIO_FORMS:
        return may_be_bio([*values, "B"])  # with a B, so that I and O alone are accepted, too
    return all(map(is_flag, values))


def is_header(values: Sequence[str]) -> bool:
    """Recognise a header in the first cell of a column of labels."""
    return values[0].lower() in _HEADS and values[0] not in values[1:]
