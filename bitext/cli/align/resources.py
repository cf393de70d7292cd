"""What `bitext align` brings beside the texts: dictionaries, lexicons and vectors, checked."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.cli.console import Progress
from bitext.errors import InputError
from bitext.paths import is_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.align.sentences.lexical.lexicon import Lexicon
    from bitext.align.sentences.vectors import Encoder, SentenceVectors
    from bitext.cli.align.texts import TextPair
    from bitext.formats.dictionaries import Dictionary
    from bitext.formats.io.source import Notes

__all__ = [
    "read_dictionaries",
    "read_lexicon",
    "refuse_one_of_many",
    "sentence_vectors",
    "vectors_of_pair",
]

_LOOKED_AT = 2000  # sentences of a text that tell the direction of a lexicon
_CLEAR = 5  # pairs that the other direction must have more than twice as many


def read_dictionaries(
    options: argparse.Namespace, pairs: Sequence[TextPair], notes: Notes, told: list[str]
) -> list[tuple[str, str, float]]:
    """Return the pairs of all dictionaries that occur in the texts, from source to target.

    A dictionary of the other direction, which is told by what of it occurs in the texts, is turned;
    that is told.

    Parameters
    ----------
    options : Namespace
    pairs : sequence of TextPair
        The texts.
    notes : Notes
        Takes what is odd in the files.
    told : list of str
        Takes what the user has to know.

    """
    from bitext.formats.dictionaries import read_dictionary
    from bitext.formats.io.encodings import encoding_of

    found: list[tuple[str, str, float]] = []
    if not options.dictionary:
        return found
    src, tgt = _words_of_texts(pairs)
    for path in options.dictionary:
        read = read_dictionary(path, encoding=encoding_of(options.encoding, ""))
        for note in read.notes:
            notes.add(note.kind, note.first, note.count)
        found += _occurring(read, src, tgt, told)
    return found


def _words_of_texts(
    pairs: Sequence[TextPair], *, most: int | None = None
) -> tuple[set[str], set[str]]:
    """Return the words of all sources, and of all targets; of the first sentences of each text."""
    from bitext.align.sentences.cleaning import unescaped
    from bitext.align.sentences.lexical.vocabulary import words_of

    src, tgt = (
        {
            word
            for text in texts
            for sentence in islice(text.segments(), most)
            for word in words_of(unescaped(sentence))
        }
        for texts in ([pair.src for pair in pairs], [pair.tgt for pair in pairs])
    )
    return src, tgt


def _occurring(read: Dictionary, src: set[str], tgt: set[str], told: list[str]) -> Dictionary:
    """Return what of a dictionary the texts have, from source to target as it may be written.

    Which direction it has is told by terms that occur as they are; with them, terms are used of
    which the texts may have another form.
    """
    from bitext.align.sentences.lexical.lexicon import BEGINNING

    near = read.occurring(src, tgt, words=_words, letters=BEGINNING)
    given = near.occurring(src, tgt, words=_words)
    near_turned = read.swapped().occurring(src, tgt, words=_words, letters=BEGINNING)
    turned = near_turned.occurring(src, tgt, words=_words)
    entries = f"{len(given):,} of its {len(read):,} pairs occur in the texts"
    if len(turned) > 2 * len(given) + _CLEAR:
        told.append(
            f"{read.path}: is in the wrong direction, target to source: {entries} as given, and "
            f"{len(turned):,} exchanged; it is used exchanged"
        )
        return near_turned
    if not given and turned:
        told.append(
            f"{read.path}: {entries} as given, and {len(turned):,} exchanged: if it is in the "
            f"wrong direction, exchange its columns"
        )
    elif not given:
        told.append(f"{read.path}: no pair of its {len(read):,} stands in the texts in this form")
    return near


def _words(term: str) -> list[str]:
    """Cut a term into words as texts are; the quick way for one word in Latin letters."""
    from bitext.align.sentences.lexical.vocabulary import words_of

    return [term.lower()] if term.isascii() and term.isalpha() else words_of(term)


def read_lexicon(
    options: argparse.Namespace, pairs: Sequence[TextPair], told: list[str]
) -> Lexicon | None:
    """Return the lexicon that the options name; one of the other direction is turned, and told.

    Parameters
    ----------
    options : Namespace
    pairs : sequence of TextPair
        The texts.
    told : list of str
        Takes what the user has to know.

    Raises
    ------
    FormatError
        When a line is not as `--save-lexicon` writes them, with its number.

    """
    if not options.lexicon:
        return None
    from bitext.align.sentences.lexical.lexicon import Lexicon
    from bitext.formats.io.source import open_source

    with open_source(options.lexicon) as source:
        read = Lexicon.of_lines((line for _, line in source.stream_lines()), path=source.path)
    if not len(read):
        told.append(f"{options.lexicon}: holds no pair of words, so it tells nothing")
        return read
    src, tgt = _words_of_texts(pairs, most=_LOOKED_AT)
    given, turned = (_pairs_met(read, *sides) for sides in ((src, tgt), (tgt, src)))
    entries = f"{given:,} of its {len(read):,} pairs occur in the texts"
    if turned > 2 * given + _CLEAR:
        told.append(
            f"{options.lexicon}: is in the wrong direction, target to source: {entries} as given, "
            f"and {turned:,} exchanged; it is used exchanged"
        )
        return read.swapped()
    if not given and any(src) and any(tgt):
        told.append(f"{options.lexicon}: no pair of its {len(read):,} stands in the texts")
    return read


def _pairs_met(lexicon: Lexicon, src: set[str], tgt: set[str]) -> int:
    """Return how many pairs of a lexicon have both words in the texts; no figures and marks."""
    import numpy as np

    here = (
        [form in words and form.isalpha() for form in vocabulary.forms]
        for vocabulary, words in ((lexicon.src, src), (lexicon.tgt, tgt))
    )
    first, second = (np.array(met, dtype=bool) for met in here)
    pairs = lexicon.pairs
    return int((first[pairs.src] & second[pairs.tgt]).sum())


def sentence_vectors(
    options: argparse.Namespace, pairs: Sequence[TextPair]
) -> list[tuple[SentenceVectors, SentenceVectors]] | None:
    """Return the vectors of each text, from files or an encoder; `None` where none are asked for.

    Raises
    ------
    FormatError
        When a file is no array, or has another number of rows than the text has sentences.
    InputError
        When there is no such file, or a row is none.
    MissingExtraError
        When the package of the encoder is not there.

    """
    if options.vectors:
        alone = len(pairs) == 1
        return [_read_both(options.vectors, pair, alone=alone) for pair in pairs]
    if not options.encoder:
        return None
    from bitext.align.sentences.vectors import encoder_named, vectors_of

    encoder = encoder_named(options.encoder)
    total = sum(len(pair.src) + len(pair.tgt) for pair in pairs)
    progress = Progress("sentences encoded", total, quiet=options.quiet)
    found = []
    with progress.beating():
        for pair in pairs:
            sides = []
            for text in (pair.src, pair.tgt):
                sides.append(vectors_of(text, encoder))
                progress.add(len(text))
            found.append((sides[0], sides[1]))
    return found


def vectors_of_pair(
    options: argparse.Namespace, pair: TextPair, encoder: Encoder | None
) -> tuple[SentenceVectors, SentenceVectors]:
    """Return the vectors of one text of many, from files or an encoder; raises the same."""
    if encoder is not None:
        from bitext.align.sentences.vectors import vectors_of

        return vectors_of(pair.src, encoder), vectors_of(pair.tgt, encoder)
    return _read_both(options.vectors, pair, alone=False)


def _read_both(
    given: Sequence[str], pair: TextPair, *, alone: bool
) -> tuple[SentenceVectors, SentenceVectors]:
    """Return the vectors of both texts of a pair, each from a file of its own."""
    paths = [_file_of(value, pair, alone=alone) for value in given]
    if Path(paths[0]).samefile(paths[1]):
        raise InputError(
            f"--vectors {paths[0]}: is named for both texts; name the vectors of each (or a "
            f"pattern, as 'de/{{name}}.npy')"
        )
    return _read(paths[0], pair, 0), _read(paths[1], pair, 1)


def _file_of(value: str, pair: TextPair, *, alone: bool) -> str:
    """Return the file of vectors that an option names for a text."""
    from bitext.formats.corpora import find_text
    from bitext.formats.io.source import open_source

    path = find_text(value, pair.name, option="vectors")
    if path is None or (not alone and path == value):
        raise _one_of_many(value)
    if not is_file(path):
        open_source(path).close()  # raises, with the nearest name there is
    return path


def refuse_one_of_many(options: argparse.Namespace) -> None:
    """Refuse a file of vectors where there are several texts."""
    for value in options.vectors or ():
        if is_file(value):
            raise _one_of_many(value)


def _one_of_many(value: str) -> InputError:
    return InputError(
        f"--vectors {value}: is one file, and there are several texts: name a folder, or a pattern "
        f"with {{name}}"
    )


def _read(path: str, pair: TextPair, side: int) -> SentenceVectors:
    """Return the vectors of what is aligned: of blank lines between paragraphs none are wanted."""
    from bitext.align.sentences.vectors import SentenceVectors, read_vectors, vectors_of

    text, places = (pair.src, pair.tgt)[side], pair.places[side]
    if places is None:
        return vectors_of(text, path)
    array = read_vectors(path, rows=len(pair.whole[side]))
    return SentenceVectors(array[places], text=text, name=path)
