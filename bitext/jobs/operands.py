"""Files of alignments as operands, paired by name, and the document pairs in these.

Files are paired as gold standards and systems are, and the document pairs of files that hold
several by the names of documents. They are read side by side, so that memory is that of the largest
document pair where the files hold them in one order; one that comes earlier in a file than in
another waits for its counterpart.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import InputError
from bitext.formats.corpora.pairing import Pairing
from bitext.formats.io.remote import two_files
from bitext.formats.reading import opened
from bitext.formats.word_links import holds_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bitext.formats.corpora import Corpus, Entry
    from bitext.formats.io.source import Notes
    from bitext.model import Bitext

__all__ = ["Group", "Missing", "Operand", "corpora_of", "grouped", "refuse_links"]


@dataclass(frozen=True, slots=True)
class Operand:
    """A file to read.

    Attributes
    ----------
    entry : Entry
        Its name and path.
    where : str
        The corpus that it is of, for messages.
    reading : mapping
        The arguments of `bitext.formats.reading.opened`.
    exchanged : bool
        Whether source and target are exchanged after reading.

    """

    entry: Entry
    where: str
    reading: Mapping[str, Any]
    exchanged: bool = False

    def files(self) -> Iterator[str]:
        """Yield the names of the file and of its texts."""
        for name in (self.entry.path, self.reading.get("src"), self.reading.get("tgt")):
            if name:
                yield from two_files(name) or (name,)


@dataclass(frozen=True, slots=True)
class Group:
    """The files of one name, in the order of the operands."""

    name: str
    operands: tuple[Operand, ...]

    def files(self) -> Iterator[str]:
        """Yield the names of all files."""
        for operand in self.operands:
            yield from operand.files()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files, for messages."""
        return tuple(operand.entry.path for operand in self.operands)

    def texts(
        self, notes: Notes, on_missing: Callable[[Missing], None]
    ) -> Iterator[tuple[Bitext, ...]]:
        """Read the document pairs that belong together: the only ones, or by name.

        Parameters
        ----------
        notes : Notes
            Takes the notes of the readers.
        on_missing : callable
            Called with each document pair that a file lacks; may raise an error.

        Raises
        ------
        BitextError
            When a file cannot be read, or holds word links.

        """
        with ExitStack() as stack:
            readings = []
            for operand in self.operands:
                operand.entry.check(operand.where)
                file = opened(operand.entry.path, **operand.reading)
                readings.append(stack.enter_context(file))
            streams = [
                _checked(reading, operand, notes)
                for reading, operand in zip(readings, self.operands, strict=True)
            ]
            yield from _paired(streams, self.paths, on_missing)
            for reading in readings:
                notes.extend(reading.source.notes.drain())


class Missing(NamedTuple):
    """A text that one operand has and another lacks.

    Attributes
    ----------
    name : str
        The name of the text.
    place, other : int
        The positions of the operand that lacks the text, and of one that has the text.
    lacking, having : str
        The names of both.

    """

    name: str
    place: int
    other: int
    lacking: str
    having: str

    def __str__(self) -> str:
        return f"{self.lacking} has no text {self.name!r}, which {self.having} has"


def corpora_of(paths: Sequence[str], known: str | None) -> list[Corpus]:
    """Find the files of the operands; texts are named as in the first one."""
    systems = {str(k): path for k, path in enumerate(paths[1:])}
    pairing = Pairing(gold=paths[0], systems=systems, gold_format=known, hyp_format=known)
    first, others = pairing.corpora()
    return [first, *others.values()]


def grouped(
    corpora: Sequence[Corpus], operand: Callable[[int, str, Entry, Corpus], Operand]
) -> tuple[list[Group], list[Missing]]:
    """Group the files of one name; single files belong together whatever their names.

    Parameters
    ----------
    corpora : sequence of Corpus
        See `corpora_of`.
    operand : callable
        Returns the operand for the position of a corpus, the name of the text, its entry, and the
        corpus.

    Returns
    -------
    groups : list of Group
        In the order of the first corpus.
    missing : list of Missing
        The texts without a counterpart.

    """
    if all(len(corpus.entries) == 1 for corpus in corpora):
        entries = [next(iter(corpus.entries.values())) for corpus in corpora]
        pairs = zip(entries, corpora, strict=True)
        operands = (operand(k, each.name, each, corpus) for k, (each, corpus) in enumerate(pairs))
        return [Group(entries[0].name, tuple(operands))], []
    groups, missing = [], []
    for name in dict.fromkeys(name for corpus in corpora for name in corpus.entries):
        has = [name in corpus.entries for corpus in corpora]
        if all(has):
            members = [operand(k, name, c.entries[name], c) for k, c in enumerate(corpora)]
            # A file beside folders has the name of its text, too.
            named = (replace(each, reading={**each.reading, "name": name}) for each in members)
            groups.append(Group(name, tuple(named)))
        else:
            k, other = has.index(False), has.index(True)
            missing.append(Missing(name, k, other, corpora[k].path, corpora[other].path))
    if not groups:
        raise InputError(
            f"no text of {corpora[0].path} has a partner of the same name in all others: "
            f"{missing[0]}; name the files alike, or pair them in manifests"
        )
    return groups, missing


def refuse_links(bitext: Bitext, path: str) -> None:
    """Refuse word links, of which bisegments are the sentence pairs and say nothing.

    Raises
    ------
    InputError
        With the file and advice.

    """
    if holds_links(bitext):
        raise InputError(
            f"{path}: holds word links, and bisegments are combined and compared here: 'bitext "
            f"convert' combines links of two directions, 'bitext score' compares links"
        )


def _checked(reading: Iterable[Bitext], operand: Operand, notes: Notes) -> Iterator[Bitext]:
    """Yield the document pairs of a file, with sides exchanged if need be; refuse word links."""
    for bitext in reading:
        refuse_links(bitext, operand.entry.path)
        notes.extend(bitext.notes)
        yield _exchanged(bitext) if operand.exchanged else bitext


def _exchanged(bitext: Bitext) -> Bitext:
    other = {"src": "tgt", "tgt": "src"}
    meta = {other.get(key[:3], key[:3]) + key[3:]: held for key, held in bitext.meta.items()}
    return replace(bitext.swapped(), meta=meta)


def _paired(
    streams: Sequence[Iterator[Bitext]],
    paths: Sequence[str],
    on_missing: Callable[[Missing], None],
) -> Iterator[tuple[Bitext, ...]]:
    """Yield the document pairs that belong together, each as soon as all files have had it."""
    ahead = [[b for _ in range(2) if (b := next(stream, None)) is not None] for stream in streams]
    if all(len(each) == 1 for each in ahead):
        yield tuple(each[0] for each in ahead)
        return
    # Readers do not name an only document pair after its documents, as those of several are.
    lone = {k: each[0] for k, each in enumerate(ahead) if len(each) == 1 and _documents(each[0])}
    # Of each file: document pairs that wait for their counterparts, and the names seen so far.
    waiting: list[dict[str, Bitext]] = [{} for _ in streams]
    seen: list[set[str]] = [set() for _ in streams]
    going = [k for k in range(len(streams)) if k not in lone]
    while going:
        for k in list(going):
            bitext = ahead[k].pop(0) if ahead[k] else next(streams[k], None)
            if bitext is None:
                going.remove(k)
                continue
            name = bitext.name
            if name in seen[k]:
                raise InputError(
                    f"{paths[k]}: holds several document pairs, and {name!r:.80} is the name of "
                    f"two, so they cannot be paired: give files of one document pair"
                )
            for other, only in list(lone.items()):
                if _documents(only) == _documents(bitext):
                    waiting[other][name] = replace(lone.pop(other), name=name)
                    seen[other].add(name)
            seen[k].add(name)
            waiting[k][name] = bitext
            if all(name in each for each in waiting):
                yield tuple(each.pop(name) for each in waiting)
    for k, only in lone.items():
        waiting[k][only.name] = only
        seen[k].add(only.name)
    for name in dict.fromkeys(name for each in waiting for name in each):
        has = [name in names for names in seen]
        if all(has):
            yield tuple(each.pop(name) for each in waiting)
        else:
            k, other = has.index(False), has.index(True)
            on_missing(Missing(name, k, other, paths[k], paths[other]))


def _documents(bitext: Bitext) -> tuple[str, str] | None:
    """Return the names of the documents of a document pair, if the file has both."""
    names = bitext.meta.get("src_doc", ""), bitext.meta.get("tgt_doc", "")
    return names if all(names) else None
