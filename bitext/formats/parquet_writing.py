"""The rows of Parquet that are written, some tens of thousands in a row group."""

from __future__ import annotations

from importlib import import_module
from itertools import islice, pairwise
from typing import IO, TYPE_CHECKING, Any

from bitext.errors import InputError, MissingExtraError
from bitext.formats.inline import known_texts
from bitext.formats.languages import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.formats.registry import WriteOptions
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext

__all__ = ["write_rows"]

_GROUP = 1 << 15  # rows of a row group
_OURS = {"src", "tgt", "translation", "score", "document", "attributes"}


def write_rows(bitexts: Iterable[Bitext], out: IO[bytes], *, options: WriteOptions) -> None:
    """Write a row a bisegment.

    Raises
    ------
    MissingExtraError
        When pyarrow is not installed.
    InputError
        When document pairs have different languages, or a text is not known.

    """
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("writing Parquet files", extra="table") from None
    rest = iter(bitexts)
    head = list(islice(rest, 2))
    table = _Table(arrow, head, (options.src_lang, options.tgt_lang))
    with parquet.ParquetWriter(out, table.schema) as writer:
        waiting: list[Any] = []
        while head:
            for batch in table.batches(head.pop(0)):
                waiting.append(batch)
                if sum(each.num_rows for each in waiting) >= _GROUP:
                    writer.write_table(arrow.Table.from_batches(waiting))
                    waiting = []
            head = head or list(islice(rest, 1))
        if waiting:
            writer.write_table(arrow.Table.from_batches(waiting))


class _Table:
    """What the columns are, by the first bitexts, and the rows of each.

    Attributes
    ----------
    schema : pyarrow.Schema
        The names and types of the columns.

    """

    def __init__(self, arrow: Any, head: list[Bitext], asked: tuple[str, str]) -> None:
        self._arrow, self._asked = arrow, asked
        self._langs = self._languages(head[0]) if head else asked
        self._several = len(head) > 1
        self._number, self._name = 0, ""
        first = head[0] if head else None
        text = arrow.string()
        langs = self._langs
        self._struct = any(langs) and langs[0] != langs[1]
        fields = [("src", text), ("tgt", text)]
        if self._struct:
            named = [lang or unknown for lang, unknown in zip(langs, UNKNOWN, strict=True)]
            fields = [("translation", arrow.struct([(lang, text) for lang in named]))]
        if self._several or (first is not None and first.alignment.scores is not None):
            fields.append(("score", arrow.float64()))
        if self._several or (first is not None and first.name):
            fields.append(("document", text))
        self._names: dict[str, str] = {}
        for name in first.alignment.attributes if first is not None else ():
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

    def _languages(self, bitext: Bitext) -> tuple[str, str]:
        texts = (bitext.src, bitext.tgt)
        src, tgt = (
            asked or (text.lang if text is not None else "")
            for asked, text in zip(self._asked, texts, strict=True)
        )
        return src, tgt

    def batches(self, bitext: Bitext) -> Iterator[Any]:
        """Yield the rows of a bitext, a row group at a time."""
        if self._number == 0 or not bitext.continues:
            self._begin(bitext)
        texts, a = known_texts(bitext, "parquet"), bitext.alignment
        segments = [list(text.segments()) for text in texts]
        for begin in range(0, len(a), _GROUP):
            end = min(begin + _GROUP, len(a))
            yield self._batch(bitext, segments, begin, end)

    def _begin(self, bitext: Bitext) -> None:
        """Begin a document pair: its languages are those of the first, and its name is its own."""
        self._number += 1
        langs = self._languages(bitext)
        if langs != self._langs:
            shown = [" and ".join(map(repr, each)) for each in (langs, self._langs)]
            raise InputError(
                f"parquet has the same two languages in all rows, but "
                f"{bitext.name or 'a later text'} has {shown[0]} where the first has {shown[1]}; "
                f"write each pair of languages to a file of its own"
            )
        name = bitext.name or (str(self._number) if self._number > 1 else "")
        self._name = f"{name} ({self._number})" if name and name == self._name else name

    def _batch(self, bitext: Bitext, segments: list[list[str]], begin: int, end: int) -> Any:
        a, arrow = bitext.alignment, self._arrow
        text = arrow.string()
        src, tgt = (
            arrow.array(_joined(held, rows, begin, end), text)
            for held, rows in zip(segments, (a.src, a.tgt), strict=True)
        )
        held = {"src": src, "tgt": tgt}
        if self._struct:
            fields = list(self.schema.field("translation").type)
            held = {"translation": arrow.StructArray.from_arrays([src, tgt], fields=fields)}
        void = arrow.nulls(end - begin, text)
        if "score" in self.schema.names:
            scores = arrow.nulls(end - begin, arrow.float64())
            if a.scores is not None:
                scores = arrow.array(a.scores[begin:end], arrow.float64(), from_pandas=True)
            held["score"] = scores
        if "document" in self.schema.names:
            held["document"] = arrow.array([self._name or None] * (end - begin), text)
        for name, shown in self._names.items():
            column = a.attributes.get(name)
            held[shown] = void if column is None else arrow.array(column[begin:end], text)
        if self._several:
            kind = self.schema.field("attributes").type
            held["attributes"] = arrow.array(self._more(bitext, begin, end), kind)
        return arrow.RecordBatch.from_arrays(
            [held[name] for name in self.schema.names], schema=self.schema
        )

    def _more(self, bitext: Bitext, begin: int, end: int) -> list[list[tuple[str, str]] | None]:
        """Return the attributes that have no column of their own."""
        later = {
            name: column[begin:end]
            for name, column in bitext.alignment.attributes.items()
            if name not in self._names
        }
        if not later:
            return [None] * (end - begin)
        rows = zip(*later.values(), strict=True)
        return [
            [(name, value) for name, value in zip(later, row, strict=True) if value is not None]
            or None
            for row in rows
        ]


def _joined(segments: list[str], rows: Rows, begin: int, end: int) -> list[str | None]:
    """Return one side of some bisegments: its segments joined, `None` where it has none."""
    borders = rows.ptr[begin : end + 1]
    members = rows.idx[borders[0] : borders[-1]].tolist()
    held = list(map(segments.__getitem__, members))
    pairs = pairwise((borders - borders[0]).tolist())
    return [" ".join(held[b:e]) if e > b else None for b, e in pairs]
