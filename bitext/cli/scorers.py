"""Scorers of the filters `lexicon` and `vectors`: files and models of the aligner."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError, OptionError, many
from bitext.paths import temporary_room

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from bitext.align.sentences.pair_scores import CorpusLexicon, LexiconScores
    from bitext.formats.cleaning import Pair
    from bitext.formats.cleaning.cleaner import PairScorer, Profile, Rule
    from bitext.model import Bitext

    Learn = Callable[[], Iterable[Bitext]]

_FEW = 2_000  # bisegments to learn a lexicon from, below which there is a note; set by hand


def learns(profile: Profile) -> bool:
    """Check for filters of a profile that learn a lexicon from the corpus."""
    return any(rule.name == "lexicon" and not rule.files for rule in profile.rules)


def uses_vectors(profile: Profile) -> bool:
    """Check for filters of a profile that compare vectors."""
    return any(rule.name == "vectors" for rule in profile.rules)


def with_scorers(
    profile: Profile, corpus: Learn, *, encoding: str = "utf-8", langs: tuple[str, str] = ("", "")
) -> Profile:
    """Read or learn the lexicons of a profile, and give its rules their scorers.

    `corpus` returns the bitexts from which a lexicon is learned if none is named. `encoding` is the
    encoding of a dictionary that does not declare one. `langs` are the two languages to take from a
    dictionary that has more, as a term base may.

    Raises `FormatError` or `InputError` when a file is no lexicon or no dictionary, or the corpus
    is too small to learn from.
    """
    rules = []
    for rule in profile.rules:
        if rule.name == "lexicon":
            rule = replace(rule, scorer=_lexicon_scorer(rule, corpus, encoding, langs))
        elif rule.name == "vectors":
            rule = replace(rule, scorer=_vector_scorer(rule))
        rules.append(rule)
    return replace(profile, rules=tuple(rules))


def remarks(profile: Profile) -> Iterator[str]:
    """Yield a note on each lexicon that was learned from few bisegments."""
    for rule in profile.rules:
        if isinstance(rule.scorer, _CorpusScorer) and rule.scorer.scores.size < _FEW:
            yield (
                f"filter lexicon: learned from {rule.scorer.scores.size:,} bisegments, which are "
                f"few, and may reject good ones: look at what it rejects (--keep-rejected of "
                f"bitext convert), or name a lexicon in the profile"
            )


def stored(profile: Profile, folder: Path) -> Profile:
    """Write the lexicons that were learned to files in a folder, from which jobs read them."""
    rules = []
    for number, rule in enumerate(profile.rules):
        if isinstance(rule.scorer, _CorpusScorer):
            file = folder / f"{number}.lexicon"
            with temporary_room():
                file.write_bytes(pickle.dumps(rule.scorer.scores))
            rule = replace(rule, scorer=_StoredScorer(str(file), rule.scorer.scores.digest))
        rules.append(rule)
    return replace(profile, rules=tuple(rules))


def with_names(profile: Profile, name: str | None) -> Profile:
    """Put the name of a text for `{name}` in the names of vectors; `None` for all texts in one.

    Raises `OptionError` when a name has no `{name}` and there are several texts, or has one and
    there are not.
    """
    rules = []
    for rule in profile.rules:
        if rule.name == "vectors":
            for path in rule.files:
                if (name is None) != ("{name}" not in path):
                    raise OptionError(
                        f"{profile.name}: filter vectors: {path} "
                        + (
                            "is one file, and there is one output for each input: want {name} in it"
                            if name is not None
                            else "has {name}, and all inputs go into one output: name one file"
                        )
                    )
            given = dict(rule.parameters)
            for side in rule.filter.files if name is not None else ():
                given[side] = given[side].replace("{name}", name or "")
            rule = replace(rule, parameters=tuple(given.items()))
            rule = replace(rule, scorer=_vector_scorer(rule))
        rules.append(rule)
    return replace(profile, rules=tuple(rules))


def digests_of_files(profile: Profile) -> list[str]:
    """Return a digest of the contents of each lexicon that a profile names, for a journal.

    Vectors are among the files of the documents of a journal.
    """
    from hashlib import file_digest

    digests = []
    for path in (path for rule in profile.rules if rule.name == "lexicon" for path in rule.files):
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                digests.append(file_digest(file, "sha256").hexdigest())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    return digests


# Lexicons.


def _lexicon_scorer(
    rule: Rule, corpus: Learn, encoding: str, langs: tuple[str, str]
) -> Callable[[], PairScorer]:
    given = dict(rule.parameters)
    if path := given.get("lexicon") or given.get("dictionary"):
        scorer = partial(_file_run, path, bool(given.get("dictionary")), encoding, langs)
        scorer()  # raises before anything is written
        return scorer
    from bitext.align.sentences.pair_scores import learned_lexicons
    from bitext.formats.beads import joined_sides

    pairs = (joined_sides(bitext, "learning a lexicon") for bitext in corpus())
    return _CorpusScorer(learned_lexicons(pairs, name="filter lexicon"))


@cache
def _lexicon(
    path: str, is_dictionary: bool, encoding: str, langs: tuple[str, str]
) -> LexiconScores:
    """Read a lexicon or a dictionary, once in each process."""
    from bitext.align.sentences.lexical.lexicon import Lexicon
    from bitext.align.sentences.pair_scores import LexiconScores

    if is_dictionary:
        from bitext.formats.dictionaries import read_dictionary
        from bitext.formats.io.encodings import encoding_of

        entries = read_dictionary(path, encoding=encoding_of(encoding, ""), langs=langs)
        lexicon = Lexicon.of_entries(entries)
    else:
        from bitext.formats.io.source import open_source

        with open_source(path) as source:
            lines = (line for _, line in source.stream_lines())
            lexicon = Lexicon.of_lines(lines, path=source.path)
    return LexiconScores(lexicon, name=path, is_dictionary=is_dictionary)


def _file_run(*file: Any) -> PairScorer:
    """Score by a file, which each process reads for itself; arguments are those of `_lexicon`."""
    return _LexiconRun(_lexicon(*file))


@dataclass(frozen=True, slots=True)
class _CorpusScorer:
    """Scores by the lexicons of the corpus."""

    scores: CorpusLexicon

    def __call__(self) -> PairScorer:
        return _LexiconRun(self.scores)


@cache
def _read_stored(path: str) -> CorpusLexicon:
    """Read the lexicons that the parent process learned, once in each process."""
    with open(path, "rb") as file:  # noqa: PTH123
        scores: CorpusLexicon = pickle.load(file)  # noqa: S301 - of our parent process
    return scores


@dataclass(frozen=True, slots=True)
class _StoredScorer:
    """Scores by the lexicons of the corpus, from a file of the parent process."""

    path: str
    digest: str

    def __call__(self) -> PairScorer:
        return _LexiconRun(_read_stored(self.path))


class _LexiconRun:
    """The scores of one run; the lexicon is checked against its first words."""

    def __init__(self, scores: LexiconScores | CorpusLexicon) -> None:
        self._scores, self._fits = scores, False

    def begin(self, bitext: Bitext, number: int) -> None:
        pass

    def __call__(self, pair: Pair) -> NDArray[Any]:
        import numpy as np

        values = np.full((2, len(pair)), np.nan)
        rows = np.flatnonzero(pair.open)
        src, tgt = ([side.strings[k] for k in rows.tolist()] for side in pair.sides)
        self._fits = self._fits or self._scores.check(src, tgt)
        if rows.size:
            values[:, rows] = self._scores(src, tgt)
        return values

    def finish(self) -> None:
        pass


# Vectors.


def _vector_scorer(rule: Rule) -> Callable[[], PairScorer]:
    """Return the scorer by two files of vectors, a row for each segment or each bisegment."""
    from bitext.formats.io.source import reads_once

    given = dict(rule.parameters)
    for path in rule.files:
        if reads_once(path):
            raise OptionError(
                f"filter vectors: {path}: is a stream, and vectors are looked up in a file: save "
                f"it (.npy, or raw float32), and name that"
            )
    by_bead = given.get("measure") == "bisegments"
    return partial(_VectorRun, given["src"], given["tgt"], given.get("dimensions"), by_bead=by_bead)


class _VectorRun:
    """The similarities of one run: rows follow the texts from part to part."""

    def __init__(self, src: str, tgt: str, dimensions: int | None, *, by_bead: bool) -> None:
        from bitext.align.sentences.pair_scores import VectorScores

        self._scores = VectorScores(src, tgt, dimensions=dimensions)
        self._by_bead = by_bead
        self._bitext: Bitext | None = None
        self._number = self._beads = 0
        self._first, self._next = (0, 0), (0, 0)

    def begin(self, bitext: Bitext, number: int) -> None:
        self._bitext, self._number = bitext, number
        self._beads = number + len(bitext.alignment)
        sizes = [0 if text is None else len(text) for text in (bitext.src, bitext.tgt)]
        self._first = self._next
        self._next = (self._first[0] + sizes[0], self._first[1] + sizes[1])
        for side in (0, 1):
            if self._wanted(side) > len(self._scores.sides[side]):
                raise self._mismatch(side, "or more")

    def __call__(self, pair: Pair) -> NDArray[Any]:
        import numpy as np

        from bitext.kernels.arrays import Rows, prefix, ranges

        bitext = self._bitext
        assert bitext is not None  # noqa: S101 - `begin` comes first
        values = np.full(len(pair), np.nan)
        rows = np.flatnonzero(pair.open)
        groups = []
        for side, members in enumerate((bitext.alignment.src, bitext.alignment.tgt)):
            if self._by_bead:
                groups.append(Rows(np.arange(len(rows) + 1), pair.numbers[rows]))
                continue
            local = pair.numbers[rows] - self._number
            sizes = members.lengths[local]
            segments = members.idx[ranges(members.ptr[local], sizes)]
            groups.append(Rows(prefix(sizes), segments + self._first[side]))
        values[rows] = self._scores(groups[0], groups[1], pair.both[rows])
        return values

    def finish(self) -> None:
        for side in (0, 1):
            if self._wanted(side) != len(self._scores.sides[side]):
                raise self._mismatch(side)

    def _wanted(self, side: int) -> int:
        return self._beads if self._by_bead else self._next[side]

    def _mismatch(self, side: int, qualifier: str = "") -> InputError:
        vectors, name = self._scores.sides[side], ("source", "target")[side]
        unit = "bisegments" if self._by_bead else f"segments of the {name}"
        other = (
            'measure = "segments": a row for each segment'
            if self._by_bead
            else f'measure = "bisegments": a row for each of the {self._beads:,} bisegments'
        )
        number = f"{self._wanted(side):,}{f' {qualifier}' if qualifier else ''}"
        return InputError(
            f"{vectors.name}: {many(len(vectors), 'row')} for {number} {unit}: want one for each "
            f"({other})"
        )
