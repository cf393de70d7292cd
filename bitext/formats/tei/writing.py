"""Writing TEI: the two texts of each document pair, then the links of all pairs.

Texts come before links, and a pair may come in parts. So the second text, the links and the spans
with their values are spooled to unnamed temporary files, not to memory.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import pairwise
from typing import IO

from bitext.errors import InputError, remedy
from bitext.formats.opus_documents import tidy
from bitext.formats.registry import WriteOptions
from bitext.formats.scores import spell_score
from bitext.formats.xml import FORBIDDEN, escape, escape_value, forbidden_error, is_xml_name
from bitext.kernels.arrays import Rows, row_of
from bitext.model import Alignment, Bitext, Text
from bitext.paths import temporary_room

# Spelling of names, values and pointers.

BARE = "bitext-ids"  # subtype of groups whose pointers are a document and a bare id
_OURS = re.compile(r"bitext-\d+-(?:src|tgt|link)(?:-\d+)?")
_NOT_IN_URI = re.compile(r"[\s%#<>\"{}|\\^`()]")


def is_name(text: str) -> bool:
    """Check whether a text can be an `xml:id`: a name in XML, and none of the writer's own.

    Examples
    --------
    >>> is_name("s1"), is_name("é.1"), is_name("1"), is_name("a:b"), is_name("bitext-1-src-1")
    (True, True, False, False, False)

    """
    return is_xml_name(text) and _OURS.fullmatch(text) is None


def uri(name: str) -> str:
    """Percent-encode the characters of a name that a pointer may not contain.

    Examples
    --------
    >>> uri("en/my file.xml")
    'en/my%20file.xml'

    """

    def spelled(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match[0].encode())

    return _NOT_IN_URI.sub(spelled, name)


def attribute(name: str, value: str, *, empty: bool = False) -> str:
    """Spell an attribute with a blank in front; an empty value gives nothing, unless `empty`.

    Raises `InputError` when the value has a character that XML forbids.
    """
    if FORBIDDEN.search(value):
        raise InputError(
            f"{name}={value[:40]!r} has a control character or another that XML cannot hold; take "
            f"it out"
        )
    return f' {name}="{escape_value(value)}"' if value or empty else ""


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader>
<fileDesc>
<titleStmt><title>Aligned texts</title></titleStmt>
<publicationStmt><p>Unpublished.</p></publicationStmt>
<sourceDesc><p>Converted from another form of the same alignment.</p></sourceDesc>
</fileDesc>
</teiHeader>
"""
_SIDES = ("src", "tgt")
_WORD = re.compile(r"\S+")
_CERT = re.compile(r"high|medium|low|unknown")
_ALLOWED = {"type": _WORD, "subtype": _WORD, "resp": _WORD, "n": re.compile(r".*", re.DOTALL)}
_ALLOWED["cert"] = _CERT
_PRESERVE = ' xml:space="preserve"'


def write_bitexts(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    """Write bitexts as a file.

    Raises `InputError` when a text is known by positions only, or by identifiers without the name
    of a document, or has a character that XML forbids.
    """
    with ExitStack() as stack:
        writer = _Writer(out, options, stack)
        for bitext in bitexts:
            writer.add(bitext)
        writer.finish()


class _Spool:
    """Text in a temporary file, which is created at the first write."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._file: IO[str] | None = None

    def write(self, text: str) -> None:
        with temporary_room():
            if self._file is None:
                made = tempfile.TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115
                self._file = self._stack.enter_context(made)
            self._file.write(text)

    def pour(self, out: IO[str] | _Spool) -> None:
        """Move all text to `out`."""
        if self._file is not None:
            with temporary_room():
                self._file.seek(0)
            shutil.copyfileobj(self._file, out, 1 << 20)
            self._file.seek(0)
            self._file.truncate()


class _Writer:
    """Writes document pairs, each of which may come in parts."""

    def __init__(self, out: IO[str], options: WriteOptions, stack: ExitStack) -> None:
        self._out = out
        self._langs = (options.src_lang, options.tgt_lang)
        self._tgt, self._links, self._spans = _Spool(stack), _Spool(stack), _Spool(stack)
        self._used: set[str] = set()  # xml:id of the whole file
        self._pair = 0
        self._texts = False  # whether any text was written
        self._docs = ("", "")  # documents of the open pair that are not part of the output
        self._own = [False, False]  # whether the texts of the pair are part of the output
        self._bare = False  # whether identifiers are written as they are, after the document
        self._sizes = [0, 0]
        self._beads = 0
        out.write(_HEAD)

    def add(self, bitext: Bitext) -> None:
        """Write a document pair, or the next part of the open pair."""
        where = bitext.name or "the bitext"
        texts = [
            _known(text, rows, f"{where}, {side}")
            for side, text, rows in (
                ("source", bitext.src, bitext.alignment.src),
                ("target", bitext.tgt, bitext.alignment.tgt),
            )
        ]
        if not (bitext.continues and self._pair):
            self._close()
            self._open(bitext, texts)
        if self._own != [text.has_text for text in texts]:
            raise InputError(
                f"{where}: a part of it has the characters of other texts than the part before; "
                f"give all parts their texts, or none"
            )
        self._refuse_one_document(bitext.alignment, where)
        pointers = []
        for side, (text, rows) in enumerate(
            zip(texts, (bitext.alignment.src, bitext.alignment.tgt), strict=True)
        ):
            if text.has_text:
                self._check(text, rows, f"{where}, {('source', 'target')[side]}")
                pointers.append(self._segments(side, text))
            else:
                pointers.append(_pointers(text, self._docs[side], bare=self._bare))
            self._sizes[side] += len(text)
        self._write_links(bitext.alignment, pointers, where)

    def _refuse_one_document(self, alignment: Alignment, where: str) -> None:
        """Refuse bisegments other than 1-1 between pointers into one document.

        A link has its pointers in one list, whose sides are then not known.
        """
        doc, other = self._docs
        uneven = (alignment.src.lengths != 1) | (alignment.tgt.lengths != 1)
        if doc and doc == other and uneven.any():
            k = int(uneven.argmax())
            raise InputError(
                f"{where}: both sides are segments of the document {doc!r}, and TEI would not tell "
                f"them apart in bisegment {self._beads + k} ({alignment[k].type}); give the texts "
                f"({remedy('src', 'tgt')}), or choose another format, as xces"
            )

    def finish(self) -> None:
        self._close()
        if self._texts:
            self._out.write("</group></text>\n")
        self._out.write("<standOff>\n")
        self._links.pour(self._out)
        self._out.write("</standOff>\n</TEI>\n")

    def _open(self, bitext: Bitext, texts: Sequence[Text]) -> None:
        self._pair += 1
        self._sizes, self._beads = [0, 0], 0
        where = bitext.name or "the bitext"
        named = [bitext.meta.get(f"{side}_doc", "") for side in _SIDES]
        docs, domains = ["", ""], []
        for side, text in enumerate(texts):
            if text.has_text:
                domains.append(f"#{self._name(side)}")
                continue
            docs[side] = named[side] or text.name
            if not docs[side]:
                what, key = (("source", "src"), ("target", "tgt"))[side]
                raise InputError(
                    f"{where}: TEI points into documents, but of the {what} text neither the "
                    f"characters nor the name of a document is known; give the text "
                    f"({remedy(key, python=f'Bitext.{key}')})"
                )
            domains.append(uri(docs[side]))
        self._docs = docs[0], docs[1]
        self._bare = any(docs) and not any(
            doc and name.startswith((f"{doc}#", f"{uri(doc)}#"))
            for doc, text in zip(docs, texts, strict=True)
            for name in (text.ids if doc else ())
        )
        name = attribute("n", bitext.name)
        if any(text.has_text for text in texts):
            self._out.write("" if self._texts else "<text><group>\n")
            self._texts = True
            self._out.write(f"<group{name}>\n")
        for side, text in enumerate(texts):
            if text.has_text:
                lang = attribute("xml:lang", self._langs[side] or text.lang)
                doc = attribute("n", named[side])
                self._into(side).write(f'<text xml:id="{self._name(side)}"{lang}{doc}><body>\n')
        self._own = [text.has_text for text in texts]
        given_kind = bitext.meta.get("type", "")
        kind = given_kind if _WORD.fullmatch(given_kind) and "align" in given_kind else "alignment"
        self._links.write(
            f"<linkGrp{attribute('type', kind)}{attribute('subtype', BARE if self._bare else '')}"
            f"{attribute('domains', ' '.join(domains))}{name}>\n"
        )

    def _close(self) -> None:
        if not self._pair:
            return
        for side, own in enumerate(self._own):
            if own:
                self._into(side).write(
                    "</body></text>\n" if self._sizes[side] else "<ab/></body></text>\n"
                )
        self._tgt.pour(self._out)
        if any(self._own):
            self._out.write("</group>\n")
        self._links.write("</linkGrp>\n")
        self._spans.pour(self._links)

    def _into(self, side: int) -> IO[str] | _Spool:
        return self._tgt if side else self._out

    def _name(self, side: int) -> str:
        return f"bitext-{self._pair}-{_SIDES[side]}"

    def _check(self, text: Text, rows: Rows, where: str) -> None:
        """Refuse characters that XML forbids."""
        if FORBIDDEN.search(text.line or "") is None:
            return
        for k, segment in enumerate(text.segments()):
            if FORBIDDEN.search(segment):
                held = (row_of(rows)[rows.idx == k]).tolist()
                which = (
                    f"bisegment {self._beads + held[0]}"
                    if held
                    else f"segment {k}, in no bisegment"
                )
                raise forbidden_error(f"{where}: {which}: {segment[:40]!r}", segment)

    def _segments(self, side: int, text: Text) -> list[str]:
        """Write the segments of a text; return the pointer to each."""
        first, stem = self._sizes[side] + 1, self._name(side)
        tags, pointers = [], []
        for k, given in enumerate(text.ids if text.has_ids else [None] * len(text), first):
            name, more = f"{stem}-{k}", ""
            if given is not None:
                if given not in self._used and is_name(given):
                    name = given
                    self._used.add(given)
                else:
                    more = attribute("n", given, empty=True)
            tags.append(f'<s xml:id="{name}"{more}')
            pointers.append(f"#{name}")
        segments = list(text.segments())
        space = {segment: _PRESERVE for segment in segments if tidy(segment) != segment}
        lines = [
            f"{tag}{space.get(segment, '')}>{escape(segment)}</s>\n"
            for tag, segment in zip(tags, segments, strict=True)
        ]
        out = self._into(side)
        if text.paragraphs is None:
            out.write(f"<ab>\n{''.join(lines)}</ab>\n" if lines else "")
            return pointers
        at = 0
        for mass in text.paragraphs.masses:
            out.write(f"<p>\n{''.join(lines[at : at + mass])}</p>\n")
            at += mass
        return pointers

    def _write_links(
        self, alignment: Alignment, pointers: Sequence[Sequence[str]], where: str
    ) -> None:
        sides = [
            [" ".join(members[begin:end]) for begin, end in pairwise(rows.ptr.tolist())]
            for rows, known in zip((alignment.src, alignment.tgt), pointers, strict=True)
            for members in [list(map(known.__getitem__, rows.idx.tolist()))]
        ]
        size = len(alignment)
        attributes = [""] * size
        ids: list[str | None] = [None] * size
        # Scores from 0 to 1 and columns that TEI allows are attributes of links, all else spans.
        spans: list[tuple[str, list[tuple[int, str]]]] = []
        if alignment.scores is not None:
            scores = list(enumerate(alignment.scores.tolist()))
            for k, score in scores:
                if 0 <= score <= 1:
                    attributes[k] = f' cert="{spell_score(score)}"'
            others = [(k, spell_score(x)) for k, x in scores if x < 0 or x > 1]
            spans.append(('type="score"', others))
        for name, column in alignment.attributes.items():
            known = [(k, value) for k, value in enumerate(column) if value is not None]
            _check_values(known, f"{where}, {name}", self._beads)
            if name == "id":
                known = self._take_ids(known, ids)
            elif name in _ALLOWED:
                known = _put(known, name, attributes)
            spans.append((f'type="attribute" n="{escape_value(name)}"', known))
        for head, values in spans:
            if values:
                self._write_spans(head, values, ids)
        self._links.write(
            "".join(
                f'<link{attribute("xml:id", name or "")} target="{a} {b}"{more}/>\n'
                if a and b
                else f'<link{attribute("xml:id", name or "")} target="{a or b}"{more}/>\n'
                for a, b, name, more in zip(*sides, ids, attributes, strict=True)
            )
        )
        self._beads += size

    def _take_ids(
        self, known: list[tuple[int, str]], ids: list[str | None]
    ) -> list[tuple[int, str]]:
        """Put unused identifiers into `ids`; return the others."""
        others = []
        for k, value in known:
            if value in self._used or not is_name(value):
                others.append((k, value))
            else:
                self._used.add(value)
                ids[k] = value
        return others

    def _write_spans(self, head: str, values: list[tuple[int, str]], ids: list[str | None]) -> None:
        """Write values of links as spans that point to the links."""
        lines = []
        for k, value in values:
            name = ids[k] or f"bitext-{self._pair}-link-{self._beads + k + 1}"
            ids[k] = name
            lines.append(f'<span target="#{name}">{escape(value)}</span>\n')
        self._spans.write(f"<spanGrp {head}>\n{''.join(lines)}</spanGrp>\n")


def _known(text: Text | None, rows: Rows, where: str) -> Text:
    if text is None and rows.idx.size:
        key = "src" if where.endswith("source") else "tgt"
        raise InputError(
            f"{where}: TEI points to segments by identifiers, but these are known by positions "
            f"only; give the text ({remedy(key, python=f'Bitext.{key}')})"
        )
    return Text([]) if text is None else text


def _pointers(text: Text, doc: str, *, bare: bool) -> list[str]:
    """Return the pointers to segments of a document that is not part of the output.

    Identifiers that are not bare may be pointers already, with the name of the document.
    """
    there, names = uri(doc), text.ids
    if not bare:
        names = [name.removeprefix(f"{doc}#").removeprefix(f"{there}#") for name in names]
    return [f"{escape_value(there)}#{escape_value(uri(name))}" for name in names]


def _put(known: list[tuple[int, str]], name: str, attributes: list[str]) -> list[tuple[int, str]]:
    """Write values that TEI allows as attributes of links; return the others."""
    others = []
    for k, value in known:
        # A score is written as `cert`, so a column `cert` gives way.
        if _ALLOWED[name].fullmatch(value) and not (name == "cert" and " cert=" in attributes[k]):
            attributes[k] += attribute(name, value, empty=True)
        else:
            others.append((k, value))
    return others


def _check_values(known: list[tuple[int, str]], where: str, before: int) -> None:
    for k, value in known:
        if FORBIDDEN.search(value):
            raise InputError(
                f"{where}, bisegment {before + k}: {value[:40]!r} has a character that XML "
                f"forbids; take it out, or choose a format that is not XML, as jsonl"
            )
