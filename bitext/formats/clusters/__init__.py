"""Clusters in files: sentences on one event, as text, trees, columns or JSON.

| kind | contents | result |
| --- | --- | --- |
| `text` | one sentence per line | the text; empty lines are left out, and a note tells |
| `trees` | Penn trees, on one line each or on many | words and syntax |
| `conll2000`, `conll2003`, `chunklink` | columns (`bitext.syntax.columns`) | words and syntax |
| `conllu`, `tagged` | columns, too | words and parts of speech |
| `json` | a cluster, sentences, or a lattice (`clusters.objects`) | all of these |

A table (TSV, CSV) whose header names a column of sentences is text, too; a column `cluster` or
`event` divides it into several clusters, and `id` and `source` are those of sentences.

A second file may give the trees, one for each sentence, in order. Words without syntax get it from
`bitext.syntax.parsers`.

The kind is given by the caller, or detected from the name of the file, else from its contents:

| name | kind |
| --- | --- |
| `.trees`, `.mrg`, `.ptb`, `.penn` | `trees` |
| `.conllu` | `conllu` |
| `.conll` | columns, of a kind detected from the first lines |
| `.json`, `.jsonl` | `json` |
| any other, or none | detected from the first lines |

Lines are text unless they are clearly of another kind: a text may begin with `[[Rome]]`, `["No`,
`(Reuters)` or `{`, and contain `vitamin and O`. Columns of an unknown kind, and XML, are refused
rather than read as sentences.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise, starmap
from pathlib import Path, PurePath
from typing import Literal, NamedTuple, get_args

from bitext.errors import (
    FormatError,
    InputError,
    OptionError,
    check_truths,
    many,
    named_by_options,
    remedy,
)
from bitext.formats.clusters.objects import (
    CLUSTER_NAME,
    Location,
    SentenceRecord,
    read_objects,
    sentence_of,
)
from bitext.formats.documents import FORMATS, DocumentFormat, document_format, read_document
from bitext.formats.io.compression import HEAD, unpacked
from bitext.formats.io.encodings import mark_of
from bitext.formats.io.source import Notes, Source, open_source
from bitext.formats.line_files import split_lines
from bitext.formats.plain_text import changed_characters, foreign_lines, tag_lines
from bitext.model import Cluster, Lattice, Sentence
from bitext.paths import is_file, is_folder, path_name
from bitext.syntax.columns import (
    are_exchanged,
    are_universal,
    placed_columns,
    plain_columns,
    sniff_columns,
    strange,
)
from bitext.syntax.penn import read_trees

# Articles: plain text files and documents, one article each, alone or in a folder.
#
# A folder gives its files, sorted by name, without hidden ones, and without its subfolders, which
# is noted. The name of an article is that of its file without folder, `.txt` or the ending of a
# document, and the suffix of compression. Equal names keep their folders, and if necessary their
# suffixes.
#
# Cells and notes of documents are left out, which is noted. A file that begins like JSON or XML is
# refused: its keys and tags are not sentences. A binary file (a picture) is left out of a folder,
# which is noted.

_TEXT_SUFFIXES = {".txt", ".text"}
_MARKUP_HEADS = {  # strict, since a text may begin with [Music] or a quotation in brackets
    "JSON": re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])"),
    "XML or HTML": re.compile(r"\s*<(?:[?!]|[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>)"),
}


class Article(NamedTuple):
    """A text with the name of its file."""

    name: str
    text: str


def read_articles(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    encoding: str = "utf-8",
    main_text: bool = False,
    notes: Notes | None = None,
) -> list[Article]:
    """Read articles from a folder, a file, or several of either.

    Parameters
    ----------
    paths : path or iterable of paths
        Folders and files; `-` is standard input. Files keep the order given.
    encoding : str
        The encoding of files without a byte order mark.
    main_text : bool
        Of HTML: only the main text, without navigation, headers, footers and asides.
    notes : Notes, optional
        Takes irregularities: files without text and folders within a folder, which are left out,
        and the notes of `open_source`.

    Returns
    -------
    list of Article
        One or more.

    Raises
    ------
    InputError
        When a file or a folder is missing, a folder has no file, a named file is binary (NUL
        bytes), no file has text, or a file is named twice.
    FormatError
        When a file is not in the encoding, is damaged, or is JSON or markup.

    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files = [name for path in given for name in _files(path_name(path), notes)]
    named = {path_name(path) for path in given}
    if not files:
        raise InputError("no article is named: name a folder of text files, or text files")
    names = _names(files)
    articles: list[Article] = []
    for file, name in zip(files, names, strict=True):
        with open_source(file, encoding=encoding) as source:
            text = _article(source, is_named=file in named, main_text=main_text)
            if notes is not None:
                notes.extend(source.notes)
        if text:
            articles.append(Article(name, text))
    if not articles:
        raise InputError(f"{files[0]}: is empty, as all articles are: want text")
    return articles


def _article(source: Source, *, is_named: bool, main_text: bool) -> str:
    """Return the text of an article; empty for a file that is left out, with a note."""
    known = document_format(source.head(), source.path)
    if main_text and (known is None or known.name != "html"):
        source.note(f"texts that are no HTML, so {remedy('main-text')} is of no use")
    if known is not None:
        text = "\n\n".join(_blocks(source, main_text=main_text))
    elif is_named or not _is_binary(source):
        source.refuse_bare_returns()
        text = source.plain_text()
        for kind, begins in _MARKUP_HEADS.items():
            if begins.match(text):
                raise source.error(
                    f"begins like {kind}, not like an article: want plain text; take the text out "
                    f"of it, or leave the file out"
                )
        lines = split_lines(text)[:_EXAMINED]
        if foreign := foreign_lines(lines, source.path):
            source.note(f"articles with lines that seem to be {foreign}; taken as text")
        for kind, count, first in changed_characters(lines):
            source.note(kind, repr(first[:60]), count=count)
    else:
        source.note("files that are not text, left out")
        return ""
    if not text.strip():
        source.note("files without text, left out")
        return ""
    return text.replace("\r\n", "\n")


def _blocks(source: Source, *, main_text: bool = False) -> list[str]:
    """Return the headings, paragraphs and items of a document."""
    document = read_document(source, main_text=main_text)
    blocks = [block for block in document.blocks if block.kind not in {"cell", "note"}]
    if len(blocks) < len(document.blocks):
        source.note("documents with cells or notes, which are left out")
    return [block.text for block in blocks]


def _is_binary(source: Source) -> bool:
    """Detect a binary file by NUL bytes at positions where text has none, not even UTF-16."""
    head = source.head()
    wide = source.encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32", "ucs"))
    if wide or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    # Latin letters in UTF-16 have NUL bytes at even or at odd positions only.
    return b"\0" in head[::2] and b"\0" in head[1::2]


def _files(path: str, notes: Notes | None) -> list[str]:
    """Return a single file, or the files of a folder; note its subfolders."""
    if path == "-" or not is_folder(path):
        return [path]
    try:
        inside = sorted(Path(path).iterdir())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    files = [str(file) for file in inside if not file.name.startswith(".") and is_file(file)]
    folders = [str(file) for file in inside if not file.name.startswith(".") and is_folder(file)]
    if folders and notes is not None:
        notes.add("folders within a folder, left out", folders[0], len(folders))
    if not files:
        raise InputError(f"{path}: the folder has no file: want text files, an article each")
    return files


def _names(files: list[str]) -> list[str]:
    """Return the name of each article, with its folder and suffixes where names are equal."""
    twice = [file for file, times in Counter(files).items() if times > 1]
    if twice:
        raise InputError(f"{twice[0]}: is named twice: name each article once")
    names = [_bare_name(Path(file).name) for file in files]
    for longer in ([_bare_name(file) for file in files], files):
        counts = Counter(names)
        pairs = zip(names, longer, strict=True)
        names = [name if counts[name] == 1 else other for name, other in pairs]
    return names


def _bare_name(name: str) -> str:
    """Return a name without the suffixes of compression and of plain text."""
    if name == "-":
        return "standard input"
    name = unpacked(name)
    stem, dot, end = name.rpartition(".")
    endings = {*_TEXT_SUFFIXES, *(ending for known in FORMATS for ending in known.endings)}
    return stem if dot and stem and dot + end.lower() in endings else name


ClusterKind = Literal[
    "text", "trees", "conll2000", "conll2003", "chunklink", "conllu", "tagged", "json"
]
KINDS: tuple[ClusterKind, ...] = get_args(ClusterKind)

_SUFFIXES: dict[str, ClusterKind] = {
    **dict.fromkeys((".trees", ".mrg", ".ptb", ".penn"), "trees"),
    ".conllu": "conllu",
    **dict.fromkeys((".json", ".jsonl"), "json"),
}
_COLUMNS = ".conll"

# An object with its first key, or a list that begins with an object, or with a string and more.
_JSON = re.compile(
    r"\{\s*(?:\"(?:[^\"\\]|\\.)*\"\s*(?::|\Z)|\}|\Z)"
    r"|\[\s*(?:\{\s*[\"}]|\"(?:[^\"\\]|\\.)*\"\s*(?:,\s*[\"{\[0-9]|,?\s*\Z|\]\s*\Z)|\]?\s*\Z)"
)
# Nested brackets with their labels, or the label of a phrase; texts may begin with (AP), (Reuters).
_TREE = re.compile(
    r"\(\s*(?:[^\s()]*\s*\(\s*[^\s()]*(?:[\s(]|\Z)"
    r"|(?:ROOT|TOP|S1?|SINV|SQ|SBARQ|SBAR|FRAG|NP|VP|PP|X)(?:[-=][^\s()]*)?\s)"
)
_MARKUP = re.compile(
    r"<\?xml\b|<!doctype\b|<(?:html|tei|svg|graphml)\b|(?:strict\s+)?digraph\b[^{]*\{",
    re.IGNORECASE,
)
_EXAMINED = 200  # lines of the head of a file that decide its kind; set by hand


class Guess(NamedTuple):
    """The kind of a file, and whether it comes from the name of the file."""

    kind: ClusterKind
    named: bool


def guess(source: Source) -> Guess:
    """Detect the kind of a file.

    Raises `FormatError` when its lines are columns of an unknown kind, or XML.
    """
    suffix = PurePath(unpacked(source.path)).suffix.lower()
    if suffix in _SUFFIXES:
        return Guess(_SUFFIXES[suffix], named=True)
    lines = _first_lines(source)
    if suffix == _COLUMNS:
        columns = sniff_columns(lines)
        first = next((k for k, line in enumerate(lines, start=1) if line.strip()), None)
        if columns is None and first is not None:
            raise source.error(
                f"is of no columns that are known, as its name promises: want conll2000, "
                f"conll2003, chunklink, conllu or tagged, or say what it is ({as_text()})",
                first,
            )
        return Guess(columns or "conll2000", named=True)
    begins = "\n".join(lines).lstrip()
    if _JSON.match(begins):
        return Guess("json", named=False)
    if _TREE.match(begins):
        return Guess("trees", named=False)
    known = plain_columns(lines)
    if known is None:
        _refuse_other_kinds(source, lines, begins)
    return Guess(known or "text", named=False)


def as_text() -> str:
    """Name the option that reads a file as plain sentences."""
    return remedy("from text", python="kind='text'")


def _first_lines(source: Source) -> list[str]:
    head = source.head()
    mark, encoding = mark_of(head, source.encoding)
    lines = split_lines(head[len(mark) :].decode(encoding, "replace"))
    if len(head) == HEAD and len(lines) > 1:
        lines.pop()  # which may be cut
    return lines[:_EXAMINED]


def _refuse_other_kinds(source: Source, lines: Sequence[str], begins: str) -> None:
    """Refuse columns and markup that would be read as sentences."""
    width = strange(lines)
    if width is not None:
        raise source.error(
            f"has {width} columns a line, of an unknown kind: want a sentence a line, or "
            f"columns as of conll2000, conll2003, conllu or tagged; if they are sentences, "
            f"say so ({as_text()})"
        )
    if _MARKUP.match(begins):
        raise source.error(
            f"begins with {begins.split(maxsplit=1)[0]!r:.20}, so it holds no sentences that can "
            f"be read: want a sentence a line, trees, columns or JSON; if it is text, "
            f"say so ({as_text()})"
        )


_PREFIX_SHARE = 0.8  # least share of lines that begin with the same kind of prefix; set by hand
# Prefixes that are not part of a sentence, as in lists and transcripts.
_PREFIXES = (
    (re.compile(r"\s*(?:\(?\d+[.)\]:]|[-*\u2022\u2013\u2014])\s+\S"), "a number or mark of a list"),
    (re.compile(r"\s*[^\W\d_][\w. -]{0,19}:\s+\S"), "a name and a colon"),
)
_SENTENCE_END = re.compile(r"[.!?…][\"'’”»)]*\s+(?=\S)|[。！？।۔؟](?=\S)")
_FEWEST_ENDS = 2  # ends of sentences within the only line of a file, which is then running text
_FEWEST_OF_BLOCK = 2  # sentences; blocks of as many may be clusters
_KIND_NAMES: dict[ClusterKind, str] = {"trees": "Penn trees", "json": "JSON"}


def read_cluster(
    path: str | os.PathLike[str],
    *,
    trees: str | os.PathLike[str] | None = None,
    kind: ClusterKind | None = None,
    encoding: str = "utf-8",
    aux: bool = True,
    notes: Notes | None = None,
) -> Cluster:
    """Read the sentences of a file.

    Parameters
    ----------
    path : str or path
        `-` is standard input; `.gz`, `.bz2`, `.xz` and `.zst` are unpacked.
    trees : str or path, optional
        A file with the tree of each sentence, in order.
    kind : str, optional
        One of `KINDS`. Default: detected from the name or the contents.
    encoding : str
        The encoding of files without a byte order mark.
    aux : bool
        Whether the tags AUX and AUXG of older parsers become those of the Penn treebank, as by
        `bitext.syntax.annotate`.
    notes : Notes, optional
        Takes irregularities that can be read.

    Returns
    -------
    Cluster
        Its id is that in the JSON, or else the name of the file without folder and suffix.

    Raises
    ------
    FormatError
        When a file is malformed, holds no sentence, or has two with one id; when the text, tokens
        and tree of a sentence disagree. The message has sentence, line and the first word that
        differs.
    InputError
        When a file cannot be read.
    OptionError
        When `kind` or the encoding is not known.

    """
    read = read_comparable(path, trees=trees, kind=kind, encoding=encoding, aux=aux, notes=notes)
    if len(read) > 1:
        raise FormatError(f"holds {many(len(read), 'cluster')}; want one", path=str(path))
    (only,) = read
    return only.cluster if isinstance(only, Lattice) else only


def read_comparable(
    path: str | os.PathLike[str],
    *,
    trees: str | os.PathLike[str] | None = None,
    kind: ClusterKind | None = None,
    encoding: str = "utf-8",
    aux: bool = True,
    notes: Notes | None = None,
) -> list[Cluster | Lattice]:
    """Read the cluster of a file, or its lattices; parameters as in `read_cluster`.

    A lattice read with other trees is reduced to its cluster. Lattices and the clusters of a table
    may be several in a file.
    """
    check_truths(aux=aux)
    if kind is not None and kind not in KINDS:
        raise OptionError(f"kind {kind!r} is not known: want one of {', '.join(KINDS)}")
    given = path_name(path)
    bare = unpacked(Path(given).name)
    name = None if given == "-" else Path(bare).stem or Path(given).name
    with open_source(path, encoding=encoding) as source:
        known = document_format(source.head(), source.path)
        read: list[Lattice] | list[_Records]
        if known is not None and kind in {None, "text"}:
            read = [_Records(None, _read_document(source, known, kind))]
        elif kind is None:
            read = _read_guessed(source)
        else:
            read = _read(source, _text_of(source, kind), kind)
        if notes is not None:
            notes.extend(source.notes)
    if trees is not None and len(read) > 1:
        raise source.error(f"holds {many(len(read), 'cluster')}; want one with trees")
    single = name if len(read) == 1 else None
    found: list[Cluster | Lattice] = []
    for one in read:
        if isinstance(one, Lattice) and trees is None:
            found.append(one if one.cluster.id else _renamed(one, single))
            continue
        cluster_id, records = one if isinstance(one, _Records) else _of_lattice(one, source.path)
        _check_ids(records)
        if trees is not None:
            records = _with_trees(records, trees, encoding, notes)
        if not records:
            raise source.error("is empty; want at least one sentence")
        if notes is not None:
            for fault, count, first in changed_characters([each.text or "" for each in records]):
                notes.add(fault, f"{source.path}: {first[:60]!r}", count)
        sentences = [sentence_of(record, aux=aux) for record in records]
        found.append(Cluster(sentences, id=single if cluster_id is None else cluster_id))
    return found


class _Records(NamedTuple):
    """The id of a cluster, and the records of its sentences."""

    id: str | None
    records: list[SentenceRecord]


def _of_lattice(lattice: Lattice, path: str) -> _Records:
    place, cluster = Location(path), lattice.cluster
    return _Records(cluster.id, _records((place, sentence) for sentence in cluster))


def _records(sentences: Iterable[tuple[Location, Sentence]]) -> list[SentenceRecord]:
    """Return the records of sentences with their words, in order."""
    return [
        SentenceRecord(_named(s.id, k), place, s.text, analysed=s, id=s.id, source=s.source)
        for k, (place, s) in enumerate(sentences, start=1)
    ]


def _renamed(lattice: Lattice, name: str | None) -> Lattice:
    paths = [lattice.paths.row(s).tolist() for s in range(len(lattice.cluster))]
    return Lattice(Cluster(lattice.cluster.sentences, id=name), paths, lattice.pairs)


def _read_guessed(source: Source) -> list[Lattice] | list[_Records]:
    """Read a file of a kind that has to be detected; errors name the detected kind."""
    if table := _table(source):
        return _read_table(source, table)
    kind, named = guess(source)
    text = _text_of(source, kind)
    try:
        return _read(source, text, kind)
    except FormatError as error:
        if named or kind == "text":
            raise
        raise FormatError(
            f"{error.message}; if it is not {_KIND_NAMES.get(kind, f'in columns ({kind})')}, say "
            f"what it is ({as_text()})",
            path=error.path,
            line=error.line,
            column=error.column,
        ) from None


def _text_of(source: Source, kind: ClusterKind) -> str:
    """Return the text of a file, whose lines count unless it is JSON."""
    if kind != "json":
        source.refuse_bare_returns()
    return source.plain_text()


def _read(source: Source, text: str, kind: ClusterKind) -> list[Lattice] | list[_Records]:
    if kind == "json":
        read = read_objects(text, source.path)
        return read if isinstance(read, list) else [_Records(*read)]
    lines = split_lines(text)
    if kind == "text":
        return [_Records(None, _read_text(source, lines))]
    if kind == "trees":
        trees = [
            SentenceRecord(f"sentence {number}", Location(source.path, line), tree=tree)
            for number, (line, tree) in enumerate(read_trees(lines, path=source.path), start=1)
        ]
        return [_Records(None, trees)]
    sentences = list(placed_columns(lines, path=source.path, kind=kind))
    if kind == "conll2003" and sentences:
        source.note("names (NER) in columns, ignored", line=sentences[0][0])
    tokens = [token for _, sentence in sentences for token in sentence]
    if are_exchanged([token.form for token in tokens], [token.pos for token in tokens]):
        raise source.error(
            "has tags in the column of words, and words in that of tags: exchange the two columns",
            sentences[0][0],
        )
    for line, sentence in sentences:
        if are_universal([token.pos for token in sentence]):
            source.note("sentences with universal tags, which a parser replaces", line=line)
    placed = ((Location(source.path, line), sentence) for line, sentence in sentences)
    return [_Records(None, _records(placed))]


_TEXTS = frozenset(("sentence", "text", "headline", "title", "sentence_text", "content"))
_SOURCES = frozenset(("source", "outlet", "newspaper", "publisher", "agency", "author"))
_IDS = frozenset(("id", "sentence_id", "sent_id"))
_LONGEST_HEAD = 40  # characters of a name in a header; set by hand


class _Table(NamedTuple):
    """The separator of a table, and the indices of its columns; -1 for none."""

    separator: str
    width: int
    text: int
    cluster: int
    source: int
    id: int


def _table(source: Source) -> _Table | None:
    """Return the columns of a table of sentences, by its header; `None` for other files."""
    suffix = PurePath(unpacked(source.path)).suffix.lower()
    if suffix in _SUFFIXES or suffix == _COLUMNS:
        return None
    lines = _first_lines(source)
    for separator in "\t,;":
        (_, head), *_ = [*_cells("\n".join(lines[:1]), separator), (0, [])]
        names = [name.strip().lower().replace(" ", "_") for name in head]
        kinds = [
            [k for k, name in enumerate(names) if name in known]
            for known in (_TEXTS, _SOURCES, _IDS)
        ]
        clusters = [k for k, name in enumerate(names) if CLUSTER_NAME.fullmatch(name)]
        if len(lines) < 2 or len(names) < 2 or not kinds[0]:
            continue
        if len(set(names)) == len(names) and max(map(len, names)) <= _LONGEST_HEAD:
            several = clusters if len(clusters) > 1 else kinds[0]
            if len(several) > 1:
                named = sum(map(len, (clusters, *kinds)))
                if named >= min(3, len(names)) and separator in lines[1]:
                    # As of titles and bodies, or of two kinds of clusters.
                    what = "name its clusters" if several is clusters else "hold its sentences"
                    shown = " and ".join(repr(head[k].strip()) for k in several)
                    raise source.error(
                        f"has several columns that may {what}, {shown}: leave one of them in it, "
                        f"or if each line is a sentence, say so ({as_text()})",
                        1,
                    )
                continue
            firsts = ([*found, -1][0] for found in (clusters, *kinds[1:]))
            return _Table(separator, len(names), kinds[0][0], *firsts)
    return None


def _cells(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table that have characters, with the numbers of their lines."""
    if separator == "\t":
        for number, line in enumerate(split_lines(text), start=1):
            if line.strip():
                yield number, line.split("\t")
        return
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    number = 1
    for row in rows:
        if any(map(str.strip, row)):
            yield number, row
        number = rows.line_num + 1


def _read_table(source: Source, table: _Table) -> list[_Records]:
    """Read the sentences of a table as clusters, in the order of their first sentences."""
    clusters: dict[str | None, list[SentenceRecord]] = {}
    rows: list[tuple[int, list[str]]] = []
    try:
        rows.extend(_cells(_text_of(source, "text"), table.separator))
    except csv.Error as error:
        message = f"begins a row that cannot be read ({error}): close its quotation marks"
        raise source.error(message, rows[-1][0] + 1) from None
    _, header = rows[0]
    for number, row in rows[1:]:
        place = Location(source.path, number)
        if len(row) != table.width:
            raise place.error(
                f"has {many(len(row), 'cell')} and the header {table.width}: if it is text, say "
                f"so ({as_text()})"
            )
        cells = [row[k].strip() if k >= 0 else "" for k in table[2:]]
        text, cluster, from_source, name = cells
        if not text or (table.cluster >= 0 and not cluster):
            missing = header[table.cluster if text else table.text]
            source.note(f"rows without a value of {missing!r}, left out", line=number)
            continue
        if table.separator == "\t" and _is_quoted(text):
            kind = 'cells of TSV with "" within quotation marks, as CSV has, taken as they are: '
            source.note(f"{kind}write the table without these marks, or as CSV", line=number)
        records = clusters.setdefault(cluster or None, [])
        own, spelled = name or None, " ".join(text.split())
        called = _named(own, len(records) + 1)
        of = from_source or None
        records.append(SentenceRecord(called, place, text=spelled, id=own, source=of))
    used = [header[k].strip() for k in table[2:] if k >= 0]
    if table.cluster < 0 and (grouping := _grouping_columns(table, [row for _, row in rows[1:]])):
        names = ", ".join(header[k].strip() for k in grouping)
        source.note(
            f"tables with a column whose values may be clusters ({names}), taken as one cluster: "
            f"name that column 'cluster'"
        )
    source.note(
        f"tables of sentences, read by their columns {', '.join(used)}, "
        f"{many(len(clusters), 'cluster')} ({as_text()}: each line is a sentence)"
    )
    return list(starmap(_Records, clusters.items())) or [_Records(None, [])]


def _is_quoted(cell: str) -> bool:
    """Check whether a cell stands in quotation marks, and those within it are doubled."""
    inner = cell[1:-1]
    return cell[:1] == cell[-1:] == '"' and '""' in inner and '"' not in inner.replace('""', "")


def _grouping_columns(table: _Table, rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the unused columns whose values come in runs of two rows or more, as of clusters."""
    grouping = []
    for k in (k for k in range(table.width) if k not in table[2:]):
        runs = [len(list(run)) for _, run in groupby(row[k].strip() for row in rows)]
        distinct = {row[k].strip() for row in rows}
        if len(runs) == len(distinct) > 1 and "" not in distinct and min(runs) > 1:
            grouping.append(k)
    return grouping


def _read_text(source: Source, lines: Sequence[str]) -> list[SentenceRecord]:
    foreign = foreign_lines(lines[:_EXAMINED], source.path)
    if foreign.startswith("subtitles"):
        raise source.error(f"is {foreign}, and give a sentence a line")
    if foreign:
        source.note(f"lines that seem to be {foreign}; taken as sentences")
    elif before := _sentence_prefix(lines):
        source.note(f"lines with {before} before each sentence: leave it out; taken as words")
    elif len(lines) == 1 and len(_SENTENCE_END.findall(lines[0])) >= _FEWEST_ENDS:
        kind = "one line of several sentences, taken as one sentence: a sentence a line is wanted"
        source.note(kind)
    if not foreign:
        kind = "lines that are a tag alone, taken as sentences: leave them out"
        for number in tag_lines(lines):
            source.note(kind, line=number)
    records: list[SentenceRecord] = []
    empty: list[int] = []  # numbers of the lines
    for number, text in enumerate(map(str.strip, lines), start=1):
        if text:
            place = Location(source.path, number)
            records.append(SentenceRecord(f"sentence {len(records) + 1}", place, text=text))
        else:
            empty.append(number)
    blocks = [k for k in pairwise([0, *empty, len(lines) + 1]) if k[1] - k[0] > 1]
    kind = "empty lines, left out"
    if len(blocks) > 1 and all(end - begin > _FEWEST_OF_BLOCK for begin, end in blocks):
        kind += " (clusters with empty lines between are taken as one: give each a file, or"
        kind += " all a table with a column cluster)"
    for number in empty:
        source.note(kind, line=number)
    return records


def _read_document(
    source: Source, known: DocumentFormat, kind: ClusterKind | None
) -> list[SentenceRecord]:
    """Read the blocks of a document as sentences, where they are taken for these.

    Raises `FormatError` when the kind is not given: a document is an article, of many sentences on
    many things.
    """
    if kind is None:
        command = f"'bitext cluster FILES {remedy('by event')}' (or term)"
        way = command if named_by_options() else "bitext.align.event_clusters"
        raise source.error(
            f"is {known.title}, not one sentence a line: {way} finds sentences that go together in "
            f"several; {as_text()} takes each paragraph as a sentence"
        )
    place = Location(source.path)
    return [
        SentenceRecord(f"sentence {number}", place, text=" ".join(block.split()))
        for number, block in enumerate(_blocks(source), start=1)
    ]


def _sentence_prefix(lines: Sequence[str]) -> str:
    """Describe the prefix of most lines that is not part of a sentence; empty for none."""
    filled = [line for line in lines[:_EXAMINED] if line.strip()]
    for pattern, name in _PREFIXES:
        count = sum(map(bool, map(pattern.match, filled)))
        if len(filled) > 1 and count > _PREFIX_SHARE * len(filled):
            return name
    return ""


def _with_trees(
    records: list[SentenceRecord], path: str | os.PathLike[str], encoding: str, notes: Notes | None
) -> list[SentenceRecord]:
    """Return the records with their trees from a file of trees."""
    with open_source(path, encoding=encoding) as source:
        parsed = list(read_trees(split_lines(source.plain_text()), path=source.path))
        if notes is not None:
            notes.extend(source.notes)
    if len(parsed) != len(records):
        line = parsed[len(records)][0] if len(parsed) > len(records) else None
        raise source.error(
            f"has {len(parsed)} trees, and the cluster {len(records)} sentences; want a tree for "
            f"each",
            line,
        )
    return [
        replace(each, tree=tree, tree_place=Location(source.path, line))
        for each, (line, tree) in zip(records, parsed, strict=True)
    ]


def _named(name: str | None, number: int) -> str:
    return f"sentence {number}" if name is None else f"sentence {name!r}"


def _check_ids(records: list[SentenceRecord]) -> None:
    seen: dict[str, Location] = {}
    for each in records:
        if each.id is None:
            continue
        if each.id in seen:
            line = seen[each.id].line
            before = "" if line is None else f", as in line {line}"
            raise each.place.error(
                f"has a second sentence with the id {each.id!r:.40}{before}; give each its own"
            )
        seen[each.id] = each.place
