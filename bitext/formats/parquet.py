"""Parquet and Arrow: one row for each bisegment; for data sets such as those of Hugging Face.

Arrow files are those of random access (Feather 2, `.arrow`, `.feather`), which are written, and
streams, as the library of Hugging Face stores them. What follows holds for all of them.

Three layouts are read. Either a column `translation` (or `translations`), a struct with a text for
each of two languages; the first field is the source, unless the user requests languages: then there
may be more fields, and the others are columns of further languages. Or that column has a struct of
lists, `language` and `translation`, with any languages a row (`bitext.formats.jsonl.by_texts`). Or
two columns of texts, named as in a header of TSV (`src tgt`, `source target`, ..., or two
languages), or by the user (`--columns src=a,tgt=b`). The struct of two texts is written if a
language is known and the two differ.

`null` is an empty side; the empty string is a segment without characters. The column `score` is the
score if it holds numbers; consecutive rows with one `document` are one document pair. Other columns
of texts, numbers, truth values and dates are attributes; columns of other types are noted and left
out. The segments of a side are joined by a blank, so a side comes back as one segment.

On writing, scores are numbers and all other values are strings. The columns are those of the first
bitext; if there are several, attributes of later bitexts only go to a column `attributes` of
pairs (a map), which is read back. All document pairs have the same two languages.

| kept | lost |
| --- | --- |
| texts, empty sides, joined segments without characters | borders of the segments of a side |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, uncovered segments |
| scores, attributes, word links, languages, further ones | identifiers, inline codes |
| borders of documents, characters of any kind, line ends | paragraphs, empty documents |

The line of a bisegment is the number of its row, from 1. Needs pyarrow. A file that is compressed
as a whole, or read from a pipe, is copied to a temporary file first, since reading begins at the
end of the file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, compress, islice, pairwise
from math import nan
from typing import IO, Any, NamedTuple

from bitext.errors import import_extra, remedy
from bitext.formats.beads import (
    AttributeColumns,
    Beads,
    DocumentNames,
    known_texts,
)
from bitext.formats.columns import UnclearColumnsError, key_languages, key_roles
from bitext.formats.header_names import head_of, language_columns
from bitext.formats.io.source import Source
from bitext.formats.jsonl.by_texts import VariableLanguages, names_of_pairs
from bitext.formats.languages import (
    NO_CODES,
    UNKNOWN,
    RowLanguages,
    known,
    languages_of,
    refuse_others,
    two_languages,
    wrong_languages,
)
from bitext.formats.line_files import runs
from bitext.formats.multitexts import Multitexts, parts_of
from bitext.formats.registry import LANGUAGE, Capabilities, Format, ReadOptions, WriteOptions
from bitext.kernels.arrays import Rows
from bitext.model import Bitext
from bitext.model.languages import language_of


def import_arrow(what: str) -> tuple[Any, Any]:
    """Import `pyarrow` and `pyarrow.parquet` for a feature."""
    arrow = import_extra("pyarrow", what=what, extra="table")
    return arrow, import_extra("pyarrow.parquet", what=what, extra="table")


# Writing.

_GROUP = 1 << 15  # rows of a row group; set by hand
_OURS = {"src", "tgt", "translation", "score", "document", "attributes"}


def write_rows(
    bitexts: Iterable[Bitext], out: IO[bytes], *, options: WriteOptions, name: str = "parquet"
) -> None:
    """Write a row for each bisegment; `name` is the format, `parquet` or `arrow`.

    Raises `MissingExtraError` when pyarrow is not installed, and `InputError` when document pairs
    have different languages, or a text is known by identifiers only.
    """
    arrow, new = _writer(name)
    rest = iter(bitexts)
    head = list(islice(rest, 2))
    table = _Table(arrow, head, options.languages)
    with new(out, table.schema) as writer:
        waiting: list[Any] = []
        for bitext in chain(head, rest):
            for batch in table.batches(bitext):
                waiting.append(batch)
                if sum(each.num_rows for each in waiting) >= _GROUP:
                    writer.write_table(arrow.Table.from_batches(waiting))
                    waiting = []
        if waiting:
            writer.write_table(arrow.Table.from_batches(waiting))


def write_multitext_rows(multitexts: Multitexts, out: IO[bytes], *, name: str = "parquet") -> None:
    """Write a row with a struct of all languages for each row of multi-parallel texts."""
    arrow, new = _writer(name)
    text = arrow.string()
    struct = arrow.struct([(lang, text) for lang in multitexts.languages])
    fields = [("translation", struct)]
    if multitexts.scored:
        fields.append(("score", arrow.float64()))
    if multitexts.several:
        fields.append(("document", text))
    schema = arrow.schema(fields)
    with new(out, schema) as writer:
        for part in parts_of(multitexts):
            cells = [arrow.array(column, text) for column in part.cells.values()]
            arrays = [arrow.StructArray.from_arrays(cells, fields=list(struct))]
            if part.scores is not None:
                arrays.append(arrow.array(part.scores, arrow.float64(), from_pandas=True))
            if part.document is not None:
                arrays.append(arrow.array([part.document] * len(cells[0]), text))
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema), _GROUP)


def _writer(name: str) -> tuple[Any, Any]:
    """Return `pyarrow`, and the class that writes files of a format."""
    arrow, parquet = import_arrow(f"writing {name.title()} files")
    return arrow, parquet.ParquetWriter if name == "parquet" else arrow.ipc.new_file


class _Table:
    """Builds the columns from the first bitexts, and the rows of every bitext."""

    def __init__(self, arrow: Any, head: list[Bitext], requested: tuple[str, str]) -> None:
        self._arrow, self._requested = arrow, requested
        self._langs = languages_of(head[0], requested) if head else requested
        self._several = len(head) > 1
        self._documents = DocumentNames()
        text = arrow.string()
        langs = self._langs
        self._struct = any(langs) and langs[0] != langs[1]
        fields = [("src", text), ("tgt", text)]
        if self._struct:
            named = [lang or unknown for lang, unknown in zip(langs, UNKNOWN, strict=True)]
            fields = [("translation", arrow.struct([(lang, text) for lang in named]))]
        if self._several or any(each.alignment.scores is not None for each in head):
            fields.append(("score", arrow.float64()))
        if self._several or any(each.name for each in head):
            fields.append(("document", text))
        self._names: dict[str, str] = {}
        for name in head[0].alignment.attributes if head else ():
            shown = name
            while shown in _OURS or shown in self._names.values():
                shown += "_"
            self._names[name] = shown
            fields.append((shown, text))
        if self._several:
            fields.append(("attributes", arrow.map_(text, text)))
        metadata = {
            f"bitext.{side}_lang": lang for side, lang in zip(("src", "tgt"), langs, strict=True)
        }
        self.schema = arrow.schema(fields, metadata=None if self._struct else metadata)

    def batches(self, bitext: Bitext) -> Iterator[Any]:
        """Yield the rows of a bitext, a row group at a time."""
        if not self._documents.number or not bitext.continues:
            own = languages_of(bitext, self._requested)
            refuse_others(bitext, own, self._langs, "parquet ... rows")
        self._name = self._documents.of(bitext)
        texts, a = known_texts(bitext, "parquet"), bitext.alignment
        segments = [list(text.segments()) for text in texts]
        for begin in range(0, len(a), _GROUP):
            end = min(begin + _GROUP, len(a))
            yield self._batch(bitext, segments, begin, end)

    def _batch(self, bitext: Bitext, segments: list[list[str]], begin: int, end: int) -> Any:
        a, arrow = bitext.alignment, self._arrow
        text = arrow.string()
        src, tgt = (
            arrow.array(_joined(side, rows, begin, end), text)
            for side, rows in zip(segments, (a.src, a.tgt), strict=True)
        )
        arrays = {"src": src, "tgt": tgt}
        if self._struct:
            fields = list(self.schema.field("translation").type)
            arrays = {"translation": arrow.StructArray.from_arrays([src, tgt], fields=fields)}
        void = arrow.nulls(end - begin, text)
        if "score" in self.schema.names:
            scores = arrow.nulls(end - begin, arrow.float64())
            if a.scores is not None:
                scores = arrow.array(a.scores[begin:end], arrow.float64(), from_pandas=True)
            arrays["score"] = scores
        if "document" in self.schema.names:
            arrays["document"] = arrow.array([self._name or None] * (end - begin), text)
        for name, shown in self._names.items():
            column = a.attributes.get(name)
            arrays[shown] = void if column is None else arrow.array(column[begin:end], text)
        if self._several:
            kind = self.schema.field("attributes").type
            arrays["attributes"] = arrow.array(self._more(bitext, begin, end), kind)
        return arrow.RecordBatch.from_arrays(
            [arrays[name] for name in self.schema.names], schema=self.schema
        )

    def _more(self, bitext: Bitext, begin: int, end: int) -> list[list[tuple[str, str]] | None]:
        """Return the attributes without a column of their own, as pairs for each row."""
        columns = bitext.alignment.attributes
        later = [(name, columns[name]) for name in columns if name not in self._names]
        return [
            [(name, value) for name, column in later if (value := column[k]) is not None] or None
            for k in range(begin, end)
        ]


def _joined(segments: list[str], rows: Rows, begin: int, end: int) -> list[str | None]:
    """Return the joined segments of one side of bisegments, `None` for an empty side."""
    borders = rows.ptr[begin : end + 1]
    members = rows.idx[borders[0] : borders[-1]].tolist()
    texts = list(map(segments.__getitem__, members))
    pairs = pairwise((borders - borders[0]).tolist())
    return [" ".join(texts[b:e]) if e > b else None for b, e in pairs]


_MAGIC = b"PAR1"
_ARROW_MAGIC = b"ARROW1\0\0"
_STREAM = b"\xff\xff\xff\xff"  # of a stream; then the size of the schema, 4 bytes


class _Columns(NamedTuple):
    """The columns of a file by their role."""

    texts: tuple[str, ...]  # one struct, or source and target
    langs: tuple[str, str]
    others: tuple[str, ...]  # further fields of the struct
    score: str
    document: str
    more: str  # pairs of attributes
    attributes: tuple[str, ...]
    roles: dict[str, str]  # the roles of columns that the user or the header names otherwise
    variable: VariableLanguages | None = None  # of a struct of lists


def _sniff_arrow(head: bytes) -> int:
    if head.startswith(_ARROW_MAGIC):
        return 95
    size = int.from_bytes(head[4:8], "little")
    return 70 if head.startswith(_STREAM) and 8 < size < 1 << 24 and not size % 8 else 0


class _ArrowFile:
    """An Arrow file, or stream, that is read as `pyarrow.parquet.ParquetFile` is."""

    def __init__(self, arrow: Any, handle: IO[bytes]) -> None:
        self._arrow = arrow
        whole = handle.read(len(_ARROW_MAGIC)) == _ARROW_MAGIC
        handle.seek(0)
        if whole:
            reader = arrow.ipc.open_file(handle)
            self._batches = map(reader.get_batch, range(reader.num_record_batches))
        else:
            reader = arrow.ipc.open_stream(handle)
            self._batches = iter(reader)
        self.schema_arrow = reader.schema

    def iter_batches(self, batch_size: int, columns: Sequence[str]) -> Iterator[Any]:
        for whole in self._batches:
            batch = whole.select(list(columns))
            batch.validate(full=True)  # a damaged file may have offsets beyond its texts
            for begin in range(0, batch.num_rows, batch_size):
                yield batch.slice(begin, batch_size)


def _read(source: Source, options: ReadOptions, *, kind: str) -> Iterator[Bitext]:
    arrow, parquet = import_arrow(f"reading {kind} files")
    with source.random_access() as handle, _translated_errors(source, arrow, kind):
        file: Any = (
            _ArrowFile(arrow, handle)
            if kind == "Arrow"
            else parquet.ParquetFile(handle, pre_buffer=False)
        )
        columns = _columns(source, options, arrow, file.schema_arrow)
        yield from _bitexts(source, options, _rows(source, file, columns, options), columns)


@contextmanager
def _translated_errors(source: Source, arrow: Any, kind: str) -> Iterator[None]:
    """Translate the errors of pyarrow to `FormatError`; `kind` is that of the file."""
    try:
        yield
    # A damaged size may ask for more memory than there is.
    except (arrow.ArrowException, OSError, UnicodeDecodeError, MemoryError) as error:
        reason = " ".join(str(error).split())[:200] or "a size beyond all limits"
        raise source.error(f"is not a valid {kind} file: {reason}; get the whole of it") from None


def _columns(source: Source, options: ReadOptions, arrow: Any, schema: Any) -> _Columns:
    """Determine the role of each column; note columns that are left out."""
    types, fields = arrow.types, {field.name: field.type for field in schema}
    if len(fields) < len(schema):
        raise source.error("has two columns of one name; give them different names")
    # The texts: the fields of a struct, or two columns.
    struct_name = "translation" if "translation" in fields else "translations"
    struct = fields.get(struct_name)
    variable: VariableLanguages | None = None
    others: tuple[str, ...] = ()
    requested = options.requested
    is_list = struct is not None and _is_list_of_pairs(types, struct)
    nested = struct is not None and (is_list or types.is_struct(struct))
    if struct is not None and nested and not options.columns.named:
        texts: tuple[str, ...] = (struct_name,)
        roles: dict[str, str] = {}
        names = [] if is_list else [struct.field(k).name for k in range(struct.num_fields)]
        if is_list or _has_lists(types, struct):
            variable = VariableLanguages(source, requested, "row")
            langs, text_types = variable.langs, {}
        else:
            chosen = two_languages(names, requested)
            if chosen is None or len(set(names)) < len(names):
                raise source.error(wrong_languages(names, requested))
            langs, text_types = chosen, {name: struct.field(name).type for name in names}
            others = tuple(name for name in names if name not in langs)
    else:
        roles, coded = _text_columns(
            source, options, fields, [name for name in fields if _is_text(types, fields[name])]
        )
        src, tgt = roles["src"], roles["tgt"]
        texts, text_types = (src, tgt), {src: fields[src], tgt: fields[tgt]}
        codes = [
            (schema.metadata or {}).get(f"bitext.{side}_lang".encode(), b"")
            for side in ("src", "tgt")
        ]
        langs = (codes[0].decode("utf-8", "replace"), codes[1].decode("utf-8", "replace"))
        langs = coded if all(coded) else langs
    for name, kind in text_types.items():
        if not _is_text(types, kind):
            raise source.error(f"column {name[:40]!r} is of the type {kind}; want texts")
    # Columns with a role of their own count only if their type fits.
    names_by_role = {role: roles.get(role, role) for role in ("score", "document", "attributes")}
    fitting = {"score": _is_number, "document": _is_text, "attributes": _is_text_map}
    named = {
        role: name
        for role, name in names_by_role.items()
        if name in fields and name not in texts and fitting[role](types, fields[name])
    }
    if "score" in roles and "score" not in named:
        raise source.error(f"column {roles['score'][:40]!r} holds no numbers, and is to be a score")
    if "score" in fields and "score" not in (*roles, *named, *texts):
        kind = "columns named score that hold something else, kept as an attribute"
        source.note(kind, f"{fields['score']!s:.40}")
    # All other columns of plain values are attributes.
    rest = [name for name in fields if name not in texts and name not in named.values()]
    unread = types.is_nested, types.is_binary, types.is_large_binary
    plain = tuple(name for name in rest if not any(test(fields[name]) for test in unread))
    left = [f"{name[:40]!r} ({fields[name]!s:.40})" for name in rest if name not in plain]
    if left:
        kind = "columns that are neither texts nor numbers, left out"
        source.note(kind, left[0], count=len(left))
    return _Columns(
        texts,
        langs,
        others,
        named.get("score", ""),
        named.get("document", ""),
        named.get("attributes", ""),
        plain,
        {column: name for name, column in roles.items()},
        variable,
    )


def _is_list_of_pairs(types: Any, kind: Any) -> bool:
    """Recognise a column of lists of structs, each a language and a text."""
    inner = kind.value_type if _is_list(types, kind) else None
    names = [field.name for field in inner] if inner and types.is_struct(inner) else []
    return bool(names_of_pairs(names))


def _is_list(types: Any, kind: Any) -> bool:
    return bool(types.is_list(kind) or types.is_large_list(kind))


def _has_lists(types: Any, struct: Any) -> bool:
    """Recognise a struct of two lists, languages and texts."""
    kinds = {field.name: field.type for field in struct}
    return kinds.keys() == {"language", "translation"} and all(
        _is_list(types, kind) and _is_text(types, kind.value_type) for kind in kinds.values()
    )


def _text_columns(
    source: Source, options: ReadOptions, fields: Collection[str], texts: Sequence[str]
) -> tuple[dict[str, str], tuple[str, str]]:
    """Return the columns of the texts, and others that the user named, by role; and languages."""
    way = remedy("columns src=a,tgt=b")
    try:
        found = key_roles(texts, options.columns) if not options.columns.named else {}
        found = found or key_roles(fields, options.columns)
        roles = {role: key for key, role in found.items()}
    except UnclearColumnsError as error:
        raise source.error(f"{error}; name the columns ({way})") from None
    if roles:
        return roles, (head_of(roles["src"]).lang, head_of(roles["tgt"]).lang)
    codes = key_languages(texts, requested=options.requested)
    if not codes:
        shown = ", ".join(map(repr, fields))[:80] or "none"
        raise source.error(
            f"has the columns {shown}; want a struct 'translation' of two languages, the columns "
            f"'src' and 'tgt', or name those of the texts ({way})"
        )
    requested = options.requested
    langs = two_languages([*codes.values()], requested)
    if langs is None:
        raise source.error(wrong_languages([*codes.values()], requested))
    keys = {code: name for name, code in codes.items()}
    sides = {"src": keys[langs[0]], "tgt": keys[langs[1]]}
    return sides | {f"{LANGUAGE}{code}": keys[code] for code in keys if code not in langs}, langs


def _is_text(types: Any, kind: Any) -> bool:
    if types.is_dictionary(kind):
        kind = kind.value_type
    known = (types.is_string, types.is_large_string, types.is_string_view, types.is_null)
    return any(is_kind(kind) for is_kind in known)


def _is_number(types: Any, kind: Any) -> bool:
    return bool(types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind))


def _is_text_map(types: Any, kind: Any) -> bool:
    return bool(types.is_map(kind)) and _is_text(types, kind.item_type)


def _rows(
    source: Source, file: Any, columns: _Columns, options: ReadOptions
) -> Iterator[tuple[Sequence[int], dict[str, list[Any]]]]:
    """Yield batches of `part_size` rows: their numbers, from 1, and the columns of their values.

    The two texts are the columns `src` and `tgt`, further languages `lang:CODE`.
    """
    roles = filter(None, (columns.score, columns.document, columns.more))
    named = (*roles, *columns.attributes)  # an attribute may have an empty name
    wanted = [*columns.texts, *named]
    number = 0
    nulls, bare, count = False, "", 0  # of empty strings: the first row, and their number
    for batch in file.iter_batches(batch_size=options.part_size, columns=wanted):
        values = {name: batch.column(name).to_pylist() for name in named}
        numbers: Sequence[int] = range(number + 1, number + batch.num_rows + 1)
        number += batch.num_rows
        if columns.variable is not None:
            given = batch.column(columns.texts[0]).to_pylist()
            numbers, texts, values = _in_two_languages(columns.variable, numbers, given, values)
        elif len(columns.texts) == 1:
            struct = batch.column(columns.texts[0])
            fields = dict(zip([f.name for f in struct.type], struct.flatten(), strict=True))
            texts = [fields[lang].to_pylist() for lang in columns.langs]
            values |= {f"{LANGUAGE}{lang}": fields[lang].to_pylist() for lang in columns.others}
        else:
            texts = [batch.column(name).to_pylist() for name in columns.texts]
        values |= {"src": texts[0], "tgt": texts[1]}
        for text in texts:
            nulls = nulls or None in text
            if "" in text:
                bare = bare or f"{source.path} row {numbers[text.index('')]}"
                count += text.count("")
        void = [src is None and tgt is None for src, tgt in zip(*texts, strict=True)]
        if options.every_language and any(void):
            further = [
                column
                for name, column in values.items()
                if columns.roles.get(name, name).startswith(LANGUAGE)
            ]
            for k, none in enumerate(void):
                if none and any(column[k] for column in further):
                    values["src"][k], void[k] = "", False
        if any(void):
            place = f"{source.path} row {numbers[void.index(True)]}"
            source.notes.add("rows with two empty sides, left out", place, sum(void))
            filled = [not each for each in void]
            values = {name: list(compress(column, filled)) for name, column in values.items()}
            numbers = list(compress(numbers, filled))
        yield numbers, values
    if bare and not nulls:
        kind = "empty strings in files without null, taken as segments without characters"
        source.notes.add(kind, bare, count)
    if columns.variable is not None:
        columns.variable.check()


def _in_two_languages(
    variable: VariableLanguages,
    numbers: Sequence[int],
    given: list[Any],
    values: dict[str, list[Any]],
) -> tuple[list[int], list[list[str | None]], dict[str, list[Any]]]:
    """Return the numbers, the two texts and the columns of the rows that rows of lists make."""
    made = [
        (k, texts)
        for k, (number, value) in enumerate(zip(numbers, given, strict=True))
        for texts in variable.rows(number, value)
    ]
    sides: list[list[str | None]] = [
        [texts.get(lang) for _, texts in made] for lang in variable.langs
    ]
    columns = {name: [column[k] for k, _ in made] for name, column in values.items()}
    further = dict.fromkeys(code for _, texts in made for code in texts)
    columns |= {
        f"{LANGUAGE}{code}": [texts.get(code) for _, texts in made]
        for code in further
        if code not in variable.langs
    }
    return [numbers[k] for k, _ in made], sides, columns


def _bitexts(
    source: Source,
    options: ReadOptions,
    batches: Iterator[tuple[Sequence[int], dict[str, list[Any]]]],
    columns: _Columns,
) -> Iterator[Bitext]:
    """Yield the bitext of the rows of each document, or its parts."""
    langs = (known(columns.langs[0]), known(columns.langs[1]))
    named = [
        None if k is None else columns.attributes[k] for k in language_columns(columns.attributes)
    ]
    wanted = ("", "") if options.every_language else options.languages
    row_langs = RowLanguages(source, "row", wanted)
    beads = Beads(source, options, langs=langs)
    document: str | None = None
    begun = False
    for numbers, values in batches:
        if columns.variable is not None:
            langs = columns.variable.langs
            beads.langs = (known(langs[0]), known(langs[1]))
        # Where the schema names no languages, the columns of languages name them in the first row.
        if not any(langs) and not begun and any(named) and values["src"]:
            first = [str(values[name][0]) if name else "" for name in named]
            codes = ["" if code in NO_CODES else language_of(code) for code in first]
            src, tgt = (c if row_langs.is_wanted(side, c) else "" for side, c in enumerate(codes))
            langs = (src, tgt)
            beads = Beads(source, options, langs=langs)
        if any(named):
            taken = row_langs.select(named, numbers, [values[name] for name in named if name])
            if taken is not None:
                numbers = list(compress(numbers, taken))
                values = {name: list(compress(cells, taken)) for name, cells in values.items()}
        names = values.pop(columns.document) if columns.document else [None] * len(values["src"])
        for name, begin, end in runs(names):
            if begun and name != document:
                yield from beads.rest()
                beads = Beads(source, options, langs=langs)
            begun, document = True, name
            beads.name = options.name if name is None else name
            part = {each: column[begin:end] for each, column in values.items()}
            _add(source, beads, numbers[begin:end], part, columns)
            yield from beads.parts()
    row_langs.check()
    yield from beads.rest()


def _add(
    source: Source,
    beads: Beads,
    numbers: Sequence[int],
    values: dict[str, list[Any]],
    columns: _Columns,
) -> None:
    src, tgt = values["src"], values["tgt"]
    attributes: dict[str, list[str | None]] = {
        columns.roles.get(name, name): values[name]
        if name not in columns.attributes
        else list(map(_spell, values[name]))
        for name in values
        if name in columns.attributes or name.startswith(LANGUAGE)
    }
    if columns.more:
        pairs_of = [pairs or () for pairs in values[columns.more]]
        names = {name for pairs in pairs_of for name, _ in pairs}
        AttributeColumns(source).refuse_sparse(len(names), len(src), sum(map(len, pairs_of)))
        for k, pairs in enumerate(pairs_of):
            for name, value in pairs:
                attributes.setdefault(name, [None] * len(src))[k] = value
    scores = None
    if columns.score:
        scores = [nan if score is None else float(score) for score in values[columns.score]]
    beads.extend(
        [text for text in src if text is not None],
        [text for text in tgt if text is not None],
        sizes=([text is not None for text in src], [text is not None for text in tgt]),
        scores=scores,
        attributes=attributes,
        lines=numbers,
    )


def _spell(value: object) -> str | None:
    """Spell a value as in JSON, or by `str` where JSON has no such type."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool | int | float) else str(value)


FORMAT = Format(
    name="parquet",
    title="one row a bisegment, in columns (Parquet)",
    suffixes=(".parquet",),
    sniff=lambda head: 95 if head.startswith(_MAGIC) else 0,
    read=partial(_read, kind="Parquet"),
    write=write_rows,
    write_multitexts=write_multitext_rows,
    keeps=Capabilities.of(
        "texts empty_sides empty_segments scores attributes times documents languages "
        "other_languages words breaks controls",
        empty_documents=False,
        names=frozenset({"name"}),
    ),
    binary=True,
    streams=True,
    tabular=True,
    extra="table",
)


ARROW = replace(
    FORMAT,
    name="arrow",
    title="one row a bisegment, in columns (Arrow, Feather)",
    suffixes=(".arrow", ".feather"),
    sniff=_sniff_arrow,
    read=partial(_read, kind="Arrow"),
    write=partial(write_rows, name="arrow"),
    write_multitexts=partial(write_multitext_rows, name="arrow"),
)
