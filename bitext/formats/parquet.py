"""Parquet: one row a bisegment, in columns; for data sets as those of Hugging Face.

Two forms are read. A column `translation`, a struct with a text for each of two languages; the
first field is the source, unless languages are asked for: then there may be more fields, and the
others are columns of further languages. Or two columns of texts, named as those of a header in TSV
(`src tgt`, `source target`, ..., or two languages), or by the user (`--columns src=a,tgt=b`). The
first form is written where a language is known and the two differ.

`null` is an empty side; the empty string is a segment without characters. The column `score` is the
score if it holds numbers; rows with one `document` are one document pair. Other columns of texts,
numbers, truth values and dates are attributes; columns of anything else are noted and left out.
The segments of a side are joined by a blank, so a side comes back as one segment.

On writing, scores are numbers and all else is text. The columns are those of the first bitext that
is written; where there are several, attributes that only later ones have go to a column
`attributes` of pairs (a map), which is read back. All document pairs have the same two languages.

| kept | lost |
| --- | --- |
| texts, empty sides, joined segments without characters | borders of the segments of a side |
| the order of bisegments | the order of segments (crossings, gaps), overlaps, what is in none |
| scores, attributes, word links, languages, further ones | identifiers, inline marks |
| borders of documents, characters of any kind, line ends | paragraphs, empty documents |

The line of a bisegment is the number of its row, from 1. Needs pyarrow. A file that is compressed
as a whole, or comes by a pipe, is put into a temporary file first, since reading begins at its end.
"""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from importlib import import_module
from itertools import compress, groupby
from math import nan
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from bitext.errors import MissingExtraError
from bitext.formats.attribute_columns import AttributeColumns
from bitext.formats.columns import UnclearColumnsError, key_languages, key_roles
from bitext.formats.inline import Beads
from bitext.formats.languages import known, two_languages, wrong_languages
from bitext.formats.lines import PART
from bitext.formats.losses import LANGUAGE, Keeps
from bitext.formats.parquet_writing import write_rows
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.model.languages import language_of
from bitext.paths import is_file, temporary_room
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()
_MAGIC = b"PAR1"


class _Columns(NamedTuple):
    """Which columns hold what."""

    texts: tuple[str, ...]  # one struct, or source and target
    langs: tuple[str, str]
    others: tuple[str, ...]  # further fields of the struct
    score: str
    document: str
    more: str  # pairs of attributes
    attributes: tuple[str, ...]
    called: dict[str, str]  # columns that get another name


def _sniff(head: bytes) -> int:
    return 95 if head.startswith(_MAGIC) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("reading Parquet files", extra="table") from None
    with _seekable(source) as handle, _told(source, arrow):
        file = parquet.ParquetFile(handle, pre_buffer=False)
        columns = _columns(source, options, arrow, file.schema_arrow)
        yield from _bitexts(source, options, _rows(source, file, columns), columns)


def _seekable(source: Source) -> IO[bytes]:
    """Open the file where it can be gone to any place of it, or a temporary copy."""
    head = source.head()
    path = Path(source.path)
    if head.startswith(_MAGIC) and is_file(path):
        handle = path.open("rb")
        if handle.read(len(head)) == head:
            handle.seek(0)
            return handle
        handle.close()
    spool = TemporaryFile()  # noqa: SIM115 - the reader closes it
    with temporary_room():
        shutil.copyfileobj(source.stream, spool, 1 << 20)
        spool.seek(0)
    return spool


@contextmanager
def _told(source: Source, arrow: Any) -> Iterator[None]:
    """Turn the errors of pyarrow into ours."""
    try:
        yield
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        said = " ".join(str(error).split())[:200]
        raise source.error(f"is no sound Parquet file: {said}; get the whole of it") from None


def _columns(source: Source, options: ReadOptions, arrow: Any, schema: Any) -> _Columns:
    """Tell which columns hold what, and note those that are left out."""
    types, fields = arrow.types, {field.name: field.type for field in schema}
    metadata = schema.metadata or {}
    if len(fields) < len(schema):
        raise source.error("has two columns of one name; give them different names")
    struct = fields.get("translation")
    others: tuple[str, ...] = ()
    asked = (options.src_lang, options.tgt_lang)
    if struct is not None and types.is_struct(struct) and not options.columns.named:
        texts: tuple[str, ...] = ("translation",)
        roles: dict[str, str] = {}
        names = [struct.field(k).name for k in range(struct.num_fields)]
        found = two_languages(names, asked)
        if found is None or len(set(names)) < len(names):
            raise source.error(wrong_languages(names, asked))
        langs, held = found, {name: struct.field(name).type for name in names}
        others = tuple(name for name in names if name not in langs)
    else:
        roles, coded = _text_columns(
            source, options, fields, [name for name in fields if _is_text(types, fields[name])]
        )
        src, tgt = roles["src"], roles["tgt"]
        texts, held = (src, tgt), {src: fields[src], tgt: fields[tgt]}
        told = [metadata.get(f"bitext.{side}_lang".encode(), b"") for side in ("src", "tgt")]
        langs = (told[0].decode("utf-8", "replace"), told[1].decode("utf-8", "replace"))
        langs = coded if all(coded) else langs
    for name, kind in held.items():
        if not _is_text(types, kind):
            raise source.error(f"column {name[:40]!r} is of the type {kind}; want texts")
    places = {role: roles.get(role, role) for role in ("score", "document", "attributes")}
    fitting = {"score": _is_number, "document": _is_text, "attributes": _is_text_map}
    named = {
        role: name
        for role, name in places.items()
        if name in fields and name not in texts and fitting[role](types, fields[name])
    }
    if "score" in roles and "score" not in named:
        raise source.error(f"column {roles['score'][:40]!r} holds no numbers, and is to be a score")
    rest = [name for name in fields if name not in texts and name not in named.values()]
    plain = tuple(
        name
        for name in rest
        if not types.is_nested(fields[name])
        and not types.is_binary(fields[name])
        and not types.is_large_binary(fields[name])
    )
    left = [f"{name[:40]!r} ({fields[name]!s:.40})" for name in rest if name not in plain]
    if left:
        kind = "columns that are no texts or numbers, left out"
        source.notes.add(kind, f"{source.path}: {left[0]}", len(left))
    return _Columns(
        texts,
        langs,
        others,
        named.get("score", ""),
        named.get("document", ""),
        named.get("attributes", ""),
        plain,
        {column: name for name, column in roles.items()},
    )


def _text_columns(
    source: Source, options: ReadOptions, fields: Collection[str], texts: Sequence[str]
) -> tuple[dict[str, str], tuple[str, str]]:
    """Return the columns of the texts, and of what else the user names; and their languages."""
    way = remedy("columns src=a,tgt=b")
    try:
        roles = {role: key for key, role in key_roles(fields, options.columns).items()}
    except UnclearColumnsError as error:
        raise source.error(f"{error}; name the columns ({way})") from None
    if roles:
        return roles, (language_of(roles["src"]), language_of(roles["tgt"]))
    names = key_languages(texts)
    if not names:
        shown = ", ".join(map(repr, fields))[:80] or "none"
        raise source.error(
            f"has the columns {shown}; want a struct 'translation' of two languages, the columns "
            f"'src' and 'tgt', or name those of the texts ({way})"
        )
    asked = (options.src_lang, options.tgt_lang)
    langs = two_languages(names, asked)
    if langs is None:
        raise source.error(wrong_languages(names, asked))
    return {"src": langs[0], "tgt": langs[1]}, langs


def _is_text(types: Any, kind: Any) -> bool:
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_null(kind))


def _is_number(types: Any, kind: Any) -> bool:
    return bool(types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind))


def _is_text_map(types: Any, kind: Any) -> bool:
    return bool(types.is_map(kind)) and _is_text(types, kind.item_type)


def _rows(
    source: Source, file: Any, columns: _Columns
) -> Iterator[tuple[Sequence[int], dict[str, list[Any]]]]:
    """Yield the numbers of some rows, from 1, and their values by the name of their column.

    Those of a struct are by its fields. A text has the name of its side.
    """
    named = (columns.score, columns.document, columns.more, *columns.attributes)
    wanted = [*columns.texts, *filter(None, named)]
    number = 0
    for batch in file.iter_batches(batch_size=PART, columns=wanted):
        found = {name: batch.column(name).to_pylist() for name in wanted if name != "translation"}
        if len(columns.texts) == 1:
            struct = batch.column("translation")
            fields = dict(zip([f.name for f in struct.type], struct.flatten(), strict=True))
            texts = [fields[lang].to_pylist() for lang in columns.langs]
            found |= {f"{LANGUAGE}{lang}": fields[lang].to_pylist() for lang in columns.others}
        else:
            texts = [found.pop(name) for name in columns.texts]
        found |= {"src": texts[0], "tgt": texts[1]}
        numbers: Sequence[int] = range(number + 1, number + batch.num_rows + 1)
        void = [src is None and tgt is None for src, tgt in zip(*texts, strict=True)]
        if any(void):
            place = f"{source.path} row {number + void.index(True) + 1}"
            source.notes.add("rows with two empty sides, left out", place, sum(void))
            there = [not each for each in void]
            found = {name: list(compress(column, there)) for name, column in found.items()}
            numbers = list(compress(numbers, there))
        yield numbers, found
        number += len(void)


def _bitexts(
    source: Source,
    options: ReadOptions,
    batches: Iterator[tuple[Sequence[int], dict[str, list[Any]]]],
    columns: _Columns,
) -> Iterator[Bitext]:
    """Make a bitext of the rows of each document."""
    langs = (known(columns.langs[0]), known(columns.langs[1]))
    beads = Beads(source, options, langs=langs)
    document: str | None = None
    begun = False
    for numbers, found in batches:
        names = found.pop(columns.document) if columns.document else [None] * len(found["src"])
        begin = 0
        for name, group in groupby(names):
            end = begin + sum(1 for _ in group)
            if begun and name != document:
                yield from beads.rest()
                beads = Beads(source, options, langs=langs)
            begun, document = True, name
            beads.name = options.name if name is None else name
            part = {each: column[begin:end] for each, column in found.items()}
            _add(source, beads, numbers[begin:end], part, columns)
            begin = end
            yield from beads.parts()
    yield from beads.rest()


def _add(
    source: Source,
    beads: Beads,
    numbers: Sequence[int],
    found: dict[str, list[Any]],
    columns: _Columns,
) -> None:
    """Add the rows of one document."""
    src, tgt = found["src"], found["tgt"]
    values: dict[str, list[str | None]] = {
        columns.called.get(name, name): found[name]
        if name not in columns.attributes
        else list(map(_spell, found[name]))
        for name in found
        if name in columns.attributes or name.startswith(LANGUAGE)
    }
    if columns.more:
        pairs_of = [pairs or () for pairs in found[columns.more]]
        names = {name for pairs in pairs_of for name, _ in pairs}
        AttributeColumns(source).refuse_sparse(len(names), len(src), sum(map(len, pairs_of)))
        for k, pairs in enumerate(pairs_of):
            for name, value in pairs:
                values.setdefault(name, [None] * len(src))[k] = value
    scores = None
    if columns.score:
        scores = [nan if score is None else float(score) for score in found[columns.score]]
    beads.extend(
        [text for text in src if text is not None],
        [text for text in tgt if text is not None],
        sizes=([text is not None for text in src], [text is not None for text in tgt]),
        scores=scores,
        attributes=values,
        lines=numbers,
    )


def _spell(value: object) -> str | None:
    """Spell a value as JSON does, or as itself where JSON does not know it."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool | int | float) else str(value)


def _write(bitexts: Iterable[Bitext], out: IO[bytes], *, options: WriteOptions = _DEFAULT) -> None:
    write_rows(bitexts, out, options=options)


FORMAT = Format(
    name="parquet",
    title="one row a bisegment, in columns (Parquet)",
    holds="text",
    suffixes=(".parquet",),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Keeps(
        texts=True,
        empty_sides=True,
        empty_segments=True,
        scores=True,
        attributes=True,
        documents=True,
        empty_documents=False,
        names=frozenset({"name"}),
        languages=True,
        other_languages=True,
        words=True,
        breaks=True,
        controls=True,
    ),
    binary=True,
    streams=True,
    tabular=True,
    extra="table",
)
