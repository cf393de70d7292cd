"""Bilingual dictionaries: pairs of terms, whatever they are written in.

| kind | a line, or an entry | told by |
| --- | --- | --- |
| `hunalign` | `target term @ source term` | the name `.dic`, or ` @ ` in the first line |
| `tsv` | `source term`, a tab, `target term` (a tab, a weight) | a tab in the first line |
| `moses` | `source target p` (`lex.e2f`), `target source p` (`lex.f2e`) | two words and a number |
| `words` | `source target`, as MUSE has them | two words in the first line |
| `freedict` | TEI: `entry` with `form/orth` and `cit type="trans"/quote`, or `tr` | markup |
| `dictd` | the text of a headword: its translations after the first line | `.index`, `.dict(.dz)` |

Where the name does not tell, the first line that is not empty does. Empty lines are passed over, as
are remarks: lines that begin with `#` and are no pair. Any other line that is not of its kind is an
error with its number. A weight is taken as a probability.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import FormatError, OptionError, did_you_mean
from bitext.formats.opening import open_source
from bitext.formats.packing import unpacked

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Collection, Iterable, Iterator

    from bitext.formats.opening import Source
    from bitext.model import Note

__all__ = ["KINDS", "Dictionary", "read_dictionary"]

KINDS = ("hunalign", "tsv", "moses", "words", "freedict", "dictd")

_BY_SUFFIX = {
    ".dic": "hunalign",
    ".tsv": "tsv",
    ".e2f": "moses",
    ".f2e": "moses",
    ".tei": "freedict",
    ".index": "dictd",
    ".dict": "dictd",
    ".dz": "dictd",
}


def _casefolded(term: str) -> list[str]:
    return term.casefold().split()


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Pairs of a source term and a target term, in the order of their file.

    Attributes
    ----------
    src, tgt : tuple of str
        The two terms of each pair: words, or several words with blanks between.
    weights : tuple of float
        The probability of each pair; 1 where the file says none.
    path : str
        The file.
    kind : str
        One of `KINDS`.
    notes : tuple of Note
        What was odd.

    Examples
    --------
    >>> found = Dictionary(("Hund", "das Haus"), ("chien", "la maison"))
    >>> list(found.occurring({"hund", "haus", "das"}, {"chien"})), list(found.swapped())[0]
    ([('Hund', 'chien', 1.0)], ('chien', 'Hund', 1.0))

    """

    src: tuple[str, ...]
    tgt: tuple[str, ...]
    weights: tuple[float, ...] = ()
    path: str = ""
    kind: str = ""
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        if not self.weights:
            object.__setattr__(self, "weights", (1.0,) * len(self.src))

    def swapped(self) -> Dictionary:
        """Return the same dictionary from the target language to the source language."""
        return replace(self, src=self.tgt, tgt=self.src)

    def occurring(
        self,
        src: Collection[str],
        tgt: Collection[str],
        *,
        words: Callable[[str], Iterable[str]] = _casefolded,
        letters: int = 0,
    ) -> Dictionary:
        """Return the pairs whose terms can occur in two texts, each with all of its words.

        Parameters
        ----------
        src, tgt : collection of str
            The words of each text, best a set.
        words : callable
            Cuts a term into words as the texts were cut. Default: at blanks, casefolded.
        letters : int
            How many letters at the beginning of a word make it occur, as another form may. 0 for
            the whole word only.

        """
        held = list(
            map(
                all,
                zip(
                    _holding(self.src, src, words, letters),
                    _holding(self.tgt, tgt, words, letters),
                    strict=True,
                ),
            )
        )
        return replace(
            self,
            src=tuple(compress(self.src, held)),
            tgt=tuple(compress(self.tgt, held)),
            weights=tuple(compress(self.weights, held)),
        )

    def __len__(self) -> int:
        return len(self.src)

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        return zip(self.src, self.tgt, self.weights, strict=True)

    def __repr__(self) -> str:
        return f"<Dictionary {self.path!r}: {len(self):,} pairs>"


def _holding(
    terms: Iterable[str],
    text: Collection[str],
    words: Callable[[str], Iterable[str]],
    letters: int,
) -> Iterator[bool]:
    """Yield whether a text has all words of each term, or words that begin as they do."""
    begun = {word[:letters] for word in text if len(word) >= letters} if letters else set()
    for term in terms:
        yield all(
            word in text or (len(word) >= letters and word[:letters] in begun)
            for word in words(term)
        )


def read_dictionary(
    path: str | os.PathLike[str], *, kind: str | None = None, encoding: str = "utf-8"
) -> Dictionary:
    """Read a dictionary.

    Parameters
    ----------
    path : str or path
        The file; `-` is standard input; packed files are unpacked. Of the two files of `dictd`
        either; the other lies beside it.
    kind : str, optional
        One of `KINDS`. Default: told by its name, else by its beginning.
    encoding : str
        Of a file that does not declare one.

    Raises
    ------
    FormatError
        When a line or an entry is not of the kind, with its line; when no pair is there.
    InputError
        When the file cannot be opened.
    OptionError
        When the kind is not known.

    """
    if kind is not None and kind not in KINDS:
        hint = did_you_mean(kind, KINDS)
        raise OptionError(f"kind of dictionary {kind!r}: {hint}want one of {', '.join(KINDS)}")
    with open_source(path, encoding=encoding) as source:
        known = kind or _kind(source)
        if known == "dictd":
            from bitext.formats.dictionary_entries import read_dictd

            rows = list(read_dictd(source))
        elif known == "freedict":
            from bitext.formats.dictionary_entries import read_freedict

            rows = list(read_freedict(source))
        else:
            from bitext.formats.dictionary_lines import read_pairs

            rows = list(read_pairs(source, known))
        if not rows:
            raise FormatError(
                f"holds no pair of terms as {known} has them; give another dictionary",
                path=source.path,
            )
        src, tgt, weights = zip(*rows, strict=True)
        return Dictionary(src, tgt, weights, source.path, known, source.notes.all())


def _kind(source: Source) -> str:
    """Tell the kind by the name, else by the beginning."""
    name = source.path.lower()
    told = _BY_SUFFIX.get(Path(name).suffix) or _BY_SUFFIX.get(Path(unpacked(name)).suffix)
    if told:
        return told
    head = source.head().decode("utf-8", "replace").removeprefix("\ufeff")
    lines = (line for line in head.split("\n") if line.strip() and not line.startswith("#"))
    line = next(lines, "").rstrip("\r")
    if line.lstrip().startswith("<"):
        return "freedict"
    if "\t" in line:
        return "tsv"
    if " @ " in line:
        return "hunalign"
    words = len(line.split())
    if words in {2, 3}:
        return "words" if words == 2 else "moses"
    if not line:
        raise source.error("is empty; give a dictionary")
    raise source.error(
        f"is no dictionary that bitext can tell: it begins with {line[:40]!r}; want "
        f"'target @ source' (.dic), source and target with a tab between (.tsv), Moses lex, "
        f"freedict TEI, or dictd"
    )
