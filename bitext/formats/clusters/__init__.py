"""Clusters in files: sentences on one event, in any of the ways in which people have them.

| kind | what it is | what it gives |
| --- | --- | --- |
| `text` | a sentence a line | the text; empty lines are left out, and a note tells |
| `trees` | Penn trees, on one line each or on many | words and syntax |
| `conll2000`, `conll2003`, `chunklink` | columns (`bitext.syntax.columns`) | words and syntax |
| `conllu`, `tagged` | columns, too | words and parts of speech |
| `json` | a cluster, sentences, or a lattice (`cluster_json`) | what it holds |

The kind is told by the name of the file or by its contents (`cluster_kinds`), or by who reads it.
A second file may give the trees, one for each sentence, in order.
Words without syntax get it from `bitext.syntax.analysis`.

Which kind of file a cluster stands in: by its name where that tells it, else by its contents.

| name | kind |
| --- | --- |
| `.trees`, `.mrg`, `.ptb`, `.penn` | `trees` |
| `.conllu` | `conllu` |
| `.conll` | columns, which of them by the first lines |
| `.json`, `.jsonl` | `json` |
| any other, and none | by the first lines |

Lines are text unless they are plainly something else: a text may begin with `[[Rome]]`, `["No`,
`(Reuters)` or `{`, and hold `vitamin and O`. Columns of no kind that is known, and XML, are refused
and not taken for sentences.
"""

from __future__ import annotations

import codecs
import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Literal, NamedTuple

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.clusters.objects import Place, Told, read_objects, sentence_of
from bitext.formats.io.compression import HEAD, unpacked
from bitext.formats.io.source import open_source
from bitext.formats.line_files import split_lines
from bitext.formats.plain_text import foreign_lines
from bitext.model import Cluster, Lattice
from bitext.option_names import remedy
from bitext.paths import is_file, is_folder
from bitext.syntax.columns import (
    are_exchanged,
    are_universal,
    placed_columns,
    plain_columns,
    sniff_columns,
    strange,
)
from bitext.syntax.penn import read_trees

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitext.formats.io.source import Notes, Source

__all__ = [
    "KINDS",
    "Article",
    "ClusterKind",
    "Guess",
    "as_text",
    "guess",
    "read_articles",
    "read_cluster",
    "read_comparable",
]


# Articles: plain text files, one article each, by themselves or in a folder.
#
# A folder gives the files in it, sorted by name, without those whose name begins with a dot, and
# without what lies in folders of its own, which is noted; the name of an article is that of its
# file without folder, `.txt` and what tells of compression. Where two names are one, they keep
# their folders, and their suffixes if need be.
#
# What begins like JSON, or like XML or HTML, is refused: its names and tags are no sentences. What
# is no text at all (a picture) is left out of a folder, which is noted.

_TEXT = {".txt", ".text"}
_OTHERS = {  # a text may begin with [Music] or a quotation in brackets
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
    notes: Notes | None = None,
) -> list[Article]:
    """Read articles from a folder, a file, or several of either.

    Parameters
    ----------
    paths : path or iterable of paths
        Folders and files; `-` is standard input. Files keep the order given.
    encoding : str
        Of files without a byte order mark.
    notes : Notes, optional
        Takes up what is odd: files without text and folders within a folder, which are left out,
        and what `open_source` notes.

    Returns
    -------
    list of Article
        One or more.

    Raises
    ------
    InputError
        When a file or a folder is not there, a folder has no file, a file holds NUL bytes (it is no
        text), no file has text, or a file is named twice.
    FormatError
        When a file is not in the encoding, is damaged, or is JSON or markup and no text.

    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files = [name for path in given for name in _files(os.fspath(path), notes)]
    named = {os.fspath(path) for path in given}
    if not files:
        raise InputError("no article is named: name a folder of text files, or text files")
    names = _names(files)
    found: list[Article] = []
    for file, name in zip(files, names, strict=True):
        with open_source(file, encoding=encoding) as source:
            if file not in named and _is_binary(source):
                if notes is not None:
                    notes.add("files that are no text, left out", source.path)
                continue
            text = source.plain_text()
            if notes is not None:
                notes.extend(source.notes)
        for kind, begins in _OTHERS.items():
            if begins.match(text):
                raise source.error(
                    f"begins like {kind}, not like an article: want plain text; take the text out "
                    f"of it, or leave the file out"
                )
        if text.strip():
            found.append(Article(name, text.replace("\r\n", "\n")))
        elif notes is not None:
            notes.add("files without text, left out", source.path)
    if not found:
        raise InputError(f"{files[0]}: is empty, as all articles are: want text")
    return found


def _is_binary(source: Source) -> bool:
    """Tell whether a file has NUL bytes where no encoding of text has them."""
    head = source.head()
    wide = source.encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32", "ucs"))
    if wide or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    # Latin letters in UTF-16 have theirs on one side.
    return b"\0" in head[::2] and b"\0" in head[1::2]


def _files(path: str, notes: Notes | None) -> list[str]:
    """Return a file by itself, or the files of a folder; note the folders in it."""
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
    """Return the name of each article: with its folder, and its suffixes, where names meet."""
    twice = [file for file, times in Counter(files).items() if times > 1]
    if twice:
        raise InputError(f"{twice[0]}: is named twice: name each article once")
    names = [_bare_name(Path(file).name) for file in files]
    for longer in ([_bare_name(file) for file in files], files):
        met = Counter(names)
        names = [
            name if met[name] == 1 else other for name, other in zip(names, longer, strict=True)
        ]
    return names


def _bare_name(name: str) -> str:
    """Cut what tells of compression and of plain text from the end of a name."""
    if name == "-":
        return "standard input"
    name = unpacked(name)
    stem, dot, end = name.rpartition(".")
    return stem if dot and stem and dot + end.lower() in _TEXT else name


ClusterKind = Literal[
    "text", "trees", "conll2000", "conll2003", "chunklink", "conllu", "tagged", "json"
]
KINDS: tuple[ClusterKind, ...] = (
    "text",
    "trees",
    "conll2000",
    "conll2003",
    "chunklink",
    "conllu",
    "tagged",
    "json",
)

_SUFFIXES: dict[str, ClusterKind] = {
    ".trees": "trees",
    ".mrg": "trees",
    ".ptb": "trees",
    ".penn": "trees",
    ".conllu": "conllu",
    ".json": "json",
    ".jsonl": "json",
}
_COLUMNS = ".conll"

# An object with its first key, or a list whose first item is one, or a text and followed by more.
_JSON = re.compile(
    r"\{\s*(?:\"(?:[^\"\\]|\\.)*\"\s*(?::|\Z)|\}|\Z)"
    r"|\[\s*(?:\{\s*[\"}]|\"(?:[^\"\\]|\\.)*\"\s*(?:,\s*[\"{\[0-9]|,?\s*\Z|\]\s*\Z)|\]?\s*\Z)"
)
# A bracket in a bracket with its label, or a phrase's; a text may begin with (AP) or (Reuters).
_TREE = re.compile(
    r"\(\s*(?:[^\s()]*\s*\(\s*[^\s()]*(?:[\s(]|\Z)"
    r"|(?:ROOT|TOP|S1?|SINV|SQ|SBARQ|SBAR|FRAG|NP|VP|PP|X)(?:[-=][^\s()]*)?\s)"
)
_MARKUP = re.compile(
    r"<\?xml\b|<!doctype\b|<html\b|<tei\b|(?:strict\s+)?digraph\b[^{]*\{", re.IGNORECASE
)
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LOOKED_AT = 200  # lines, to tell the kind


class Guess(NamedTuple):
    """The kind of a file, and whether its name tells it."""

    kind: ClusterKind
    named: bool


def guess(source: Source) -> Guess:
    """Tell the kind of a file.

    Raises
    ------
    FormatError
        When its lines are columns of no kind that is known, or XML.

    """
    suffix = PurePath(unpacked(source.path)).suffix.lower()
    if suffix in _SUFFIXES:
        return Guess(_SUFFIXES[suffix], named=True)
    lines = _first_lines(source)
    if suffix == _COLUMNS:
        columns = sniff_columns(lines)
        written = next((k for k, line in enumerate(lines, start=1) if line.strip()), None)
        if columns is None and written is not None:
            raise source.error(
                f"is of no columns that are known, as its name promises: want conll2000, "
                f"conll2003, chunklink, conllu or tagged, or say what it is ({as_text()})",
                written,
            )
        return Guess(columns or "conll2000", named=True)
    begins = "\n".join(lines).lstrip()
    if _JSON.match(begins):
        return Guess("json", named=False)
    if _TREE.match(begins):
        return Guess("trees", named=False)
    known = plain_columns(lines)
    if known is None:
        _refuse(source, lines, begins)
    return Guess(known or "text", named=False)


def as_text() -> str:
    """Return how one says that sentences are but text."""
    return remedy("from text", python="kind='text'")


def _first_lines(source: Source) -> list[str]:
    head = source.head()
    encoding = source.encoding
    if head.startswith(_MARKS):
        encoding = "utf-16"
    elif head.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    lines = split_lines(head.decode(encoding, "replace"))
    if len(head) == HEAD and len(lines) > 1:
        lines.pop()  # it may be torn
    return lines[:_LOOKED_AT]


def _refuse(source: Source, lines: Sequence[str], begins: str) -> None:
    """Refuse what would make sentences of what are none."""
    width = strange(lines)
    if width is not None:
        raise source.error(
            f"has {width} columns a line, of no kind that is known: want a sentence a line, or "
            f"columns as of conll2000, conll2003, conllu or tagged; if they are sentences all the "
            f"same, say so ({as_text()})"
        )
    if _MARKUP.match(begins):
        raise source.error(
            f"begins with {begins.split(maxsplit=1)[0]!r:.20}, so it holds no sentences that can "
            f"be read: want a sentence a line, trees, columns or JSON; if it is text all the same, "
            f"say so ({as_text()})"
        )


_MOST = 0.8  # of the lines begin with what is no part of a sentence
# What may stand before each sentence, which other texts than clusters have rightly.
_BEFORE = (
    (re.compile(r"\s*(?:\(?\d+[.)\]:]|[-*\u2022\u2013\u2014])\s+\S"), "a number or mark of a list"),
    (re.compile(r"\s*[^\W\d_][\w. -]{0,19}:\s+\S"), "a name and a colon"),
)
_SENTENCE_END = re.compile(r"[.!?…][\"'’”»)]*\s+(?=\S)|[。！？।۔؟](?=\S)")
_SENTENCES = 2  # that end within the only line of running text
_WHAT: dict[ClusterKind, str] = {"trees": "Penn trees", "json": "JSON"}


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
        One of `KINDS`; by default told by the name or the contents.
    encoding : str
        Of files without a byte order mark.
    aux : bool
        Whether the tags AUX and AUXG of older parsers become those of the Penn treebank, as of
        `bitext.syntax.annotate`.
    notes : Notes, optional
        Takes up what is odd but readable.

    Returns
    -------
    Cluster
        Its id is that of the file of JSON, or else the name of the file without folder and suffix.

    Raises
    ------
    FormatError
        When a file is not what it should be, holds no sentence, or has two with one id; when the
        text, tokens and tree of a sentence disagree. The message has sentence, line and the first
        word that differs.
    InputError
        When a file cannot be read.
    OptionError
        When `kind` or the encoding is not known.

    """
    found = read_comparable(path, trees=trees, kind=kind, encoding=encoding, aux=aux, notes=notes)
    if len(found) > 1:
        raise FormatError(f"holds {len(found)} clusters; want one", path=str(path))
    (made,) = found
    return made.cluster if isinstance(made, Lattice) else made


def read_comparable(
    path: str | os.PathLike[str],
    *,
    trees: str | os.PathLike[str] | None = None,
    kind: ClusterKind | None = None,
    encoding: str = "utf-8",
    aux: bool = True,
    notes: Notes | None = None,
) -> list[Cluster | Lattice]:
    """Read the sentences of a file, or the lattices that it holds, as `read_cluster` does.

    A lattice read with other trees is but its cluster. Only lattices may be several in a file.
    """
    if kind is not None and kind not in KINDS:
        raise OptionError(f"kind {kind!r} is not known: want one of {', '.join(KINDS)}")
    name = None if str(path) == "-" else _bare(Path(path).name)
    with open_source(path, encoding=encoding) as source:
        made = _guessed(source) if kind is None else _read(source, source.plain_text(), kind)
        if notes is not None:
            notes.extend(source.notes)
    if isinstance(made, list):
        if trees is None:
            single = name if len(made) == 1 else None
            return [one if one.cluster.id else _renamed(one, single) for one in made]
        if len(made) > 1:
            raise source.error(f"holds {len(made)} clusters; want one with trees")
        made = _untied(made[0].cluster, Place(source.path))
    cluster_id, told = made
    _check_ids(told)
    if trees is not None:
        told = _with_trees(told, trees, encoding, notes)
    if not told:
        raise source.error("is empty; want at least one sentence")
    sentences = [sentence_of(each, aux=aux) for each in told]
    return [Cluster(sentences, id=name if cluster_id is None else cluster_id)]


def _untied(cluster: Cluster, place: Place) -> tuple[str | None, list[Told]]:
    """Return the id of a cluster and what it tells of its sentences."""
    return cluster.id, [
        Told(_named(s.id, k), place, s.text, analysed=s, id=s.id, source=s.source)
        for k, s in enumerate(cluster, start=1)
    ]


def _renamed(lattice: Lattice, name: str | None) -> Lattice:
    """Return the lattice with a name for its cluster."""
    paths = [lattice.paths.row(s).tolist() for s in range(len(lattice.cluster))]
    return Lattice(Cluster(lattice.cluster.sentences, id=name), paths, lattice.pairs)


def _guessed(source: Source) -> list[Lattice] | tuple[str | None, list[Told]]:
    """Read a file of which nobody told the kind; an error tells for what it was taken."""
    kind, named = guess(source)
    text = source.plain_text()
    try:
        return _read(source, text, kind)
    except FormatError as error:
        if named or kind == "text":
            raise
        raise FormatError(
            f"{error.message}; if it is not {_WHAT.get(kind, f'in columns ({kind})')}, say what it "
            f"is ({as_text()})",
            path=error.path,
            line=error.line,
            column=error.column,
        ) from None


def _read(
    source: Source, text: str, kind: ClusterKind
) -> list[Lattice] | tuple[str | None, list[Told]]:
    if kind == "json":
        return read_objects(text, source.path)
    lines = split_lines(text)
    if kind == "text":
        return None, _read_text(source, lines)
    if kind == "trees":
        return None, [
            Told(f"sentence {number}", Place(source.path, line), tree=tree)
            for number, (line, tree) in enumerate(read_trees(lines, path=source.path), start=1)
        ]
    found = list(placed_columns(lines, path=source.path, kind=kind))
    if kind == "conll2003" and found:
        source.notes.add("names (NER) in columns, left aside", f"{source.path} line {found[0][0]}")
    tokens = [token for _, sentence in found for token in sentence]
    if are_exchanged([token.form for token in tokens], [token.pos for token in tokens]):
        raise source.error(
            "has tags in the column of words, and words in that of tags: exchange the two columns",
            found[0][0],
        )
    for line, sentence in found:
        if are_universal([token.pos for token in sentence]):
            source.notes.add(
                "sentences with universal tags, which a parser replaces",
                f"{source.path} line {line}",
            )
    return None, [
        Told(
            _named(sentence.id, number),
            Place(source.path, line),
            sentence.text,
            analysed=sentence,
            id=sentence.id,
            source=sentence.source,
        )
        for number, (line, sentence) in enumerate(found, start=1)
    ]


def _read_text(source: Source, lines: Sequence[str]) -> list[Told]:
    foreign = foreign_lines(lines[:_LOOKED_AT])
    if foreign.startswith("subtitles"):
        raise source.error(f"is {foreign}, and give a sentence a line")
    if foreign:
        source.notes.add(f"lines that seem to be {foreign}; taken as sentences", source.path)
    elif before := _before(lines):
        kind = f"lines with {before} before each sentence: leave it out; taken as words"
        source.notes.add(kind, source.path)
    elif len(lines) == 1 and len(_SENTENCE_END.findall(lines[0])) >= _SENTENCES:
        kind = "one line of several sentences, taken as one sentence: a sentence a line is wanted"
        source.notes.add(kind, source.path)
    found: list[Told] = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text:
            place = Place(source.path, number)
            found.append(Told(f"sentence {len(found) + 1}", place, text=text))
        else:
            source.notes.add("empty lines, left out", f"{source.path} line {number}")
    return found


def _before(lines: Sequence[str]) -> str:
    """Return the mark that stands before most sentences and is part of none; empty for none."""
    filled = [line for line in lines[:_LOOKED_AT] if line.strip()]
    for shape, what in _BEFORE:
        if len(filled) > 1 and sum(map(bool, map(shape.match, filled))) > _MOST * len(filled):
            return what
    return ""


def _with_trees(
    told: list[Told], path: str | os.PathLike[str], encoding: str, notes: Notes | None
) -> list[Told]:
    """Give each sentence its tree from a file of trees."""
    with open_source(path, encoding=encoding) as source:
        found = list(read_trees(split_lines(source.plain_text()), path=source.path))
        if notes is not None:
            notes.extend(source.notes)
    if len(found) != len(told):
        line = found[len(told)][0] if len(found) > len(told) else None
        raise source.error(
            f"has {len(found)} trees, and the cluster {len(told)} sentences; want a tree for each",
            line,
        )
    return [
        replace(each, tree=tree, tree_place=Place(source.path, line))
        for each, (line, tree) in zip(told, found, strict=True)
    ]


def _named(name: str | None, number: int) -> str:
    return f"sentence {number}" if name is None else f"sentence {name!r}"


def _check_ids(told: list[Told]) -> None:
    seen: dict[str, Place] = {}
    for each in told:
        if each.id is None:
            continue
        if each.id in seen:
            line = seen[each.id].line
            before = "" if line is None else f", as in line {line}"
            raise each.place.error(
                f"has a second sentence with the id {each.id!r:.40}{before}; give each its own"
            )
        seen[each.id] = each.place


def _bare(name: str) -> str:
    """Return the name of a file without its suffix and what tells of compression."""
    return Path(unpacked(name)).stem or name
