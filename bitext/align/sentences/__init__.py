"""Aligners of the sentences of translated texts: by lengths, words, and vectors.

docs/how-it-aligns.md has the steps. Modules are best read in this order: `texts` and `bead_types`
(the data), `evidence` (the scores of beads), `search_space` and `search` (the best path), `state`
and `aligner` (rounds of estimates and paths), `path_choice` (the first path).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.align.sentences.aligner import SentenceAligner, check_pair
from bitext.align.sentences.evidence import Evidence
from bitext.align.sentences.hard_boundaries import SetAside, without_empty
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.lexicon import Lexicon, inflected
from bitext.align.sentences.options import (
    PLUGINS,
    SENTENCE_METHODS,
    SentenceOptions,
    choose_options,
    external_aligner,
    named,
)
from bitext.align.sentences.state import prepare_task
from bitext.align.sentences.texts import SentencePair
from bitext.errors import InputError, OptionError, check_list
from bitext.kernels.arrays import Rows
from bitext.model import Alignment, Text

if TYPE_CHECKING:
    from bitext.align.sentences.evidence.vectors import Vectors
    from bitext.align.sentences.texts import Each
    from bitext.align.sentences.vectors import Encoder, SentenceVectors

__all__ = [
    "SENTENCE_METHODS",
    "align_corpus",
    "align_sentences",
    "aligner_of",
    "alignment_of",
    "learned_lexicon",
]


_MANY = 50_000  # sentences: strings of shorter texts take little memory

# Alignment of the sentences of translated texts.
#
# Of all ways to divide two texts into beads in order, the aligner chooses the one with the highest
# score (a path through a lattice, `bitext.kernels.bead_path`). The score of a bead is the prior of
# its type plus the evidence of lengths, marks, words and vectors. All parameters are estimated from
# the texts themselves: they are aligned, and aligned again with the estimates from the first
# alignment.
#
# Scores are integers, 1/1024 of a natural logarithm; among paths of equal score, read from the end,
# the bead that comes first in the list of beads decides.


def align_sentences(
    src: Text | Sequence[str],
    tgt: Text | Sequence[str],
    *,
    method: str | Callable[[Text, Text], Any] = "lexical",
    options: SentenceOptions | None = None,
    lexicon: Lexicon | None = None,
    dictionary: Iterable[Sequence[str | float]] = (),
    vectors: Encoder | tuple[Vectors, Vectors] | None = None,
    **changes: Any,
) -> Alignment:
    """Align the sentences of two translated texts.

    Parameters
    ----------
    src, tgt : Text, or sequence of str
        Their sentences.
    method : str or callable
        A name of `SENTENCE_METHODS` or of a plug-in; or a function of two `Text` that returns an
        `Alignment` or beads, as `[([0], [0, 1])]`, which takes none of the options below.
    options : SentenceOptions, optional
    lexicon : Lexicon, optional
        Word translations learned from other texts.
    dictionary : iterable of (str, str) or (str, str, float)
        Source and target terms, and the weight of each entry, 0 to 1.
    vectors : callable, or pair, optional
        An encoder of sentences, or the vectors of the source and of the target (arrays, or files
        of them): further evidence, with the method `embedding`.
    **changes
        Fields of `SentenceOptions`, in place of those of `options`.

    Returns
    -------
    Alignment
        In order and without gaps: every sentence is in one bead. The score of a bead is its
        posterior probability among all alignments near this one, from tempered scores
        (`SentenceMethod.temper`): about nine in ten beads with a score of about .9 are right. Empty
        sentences without information (`without_empty`) are ignored.

    Raises
    ------
    InputError
        When a text is known by ids only, or is one string.
    OptionError
        When there is no such method or option, a value is not allowed, or the method does not use a
        given resource.

    Examples
    --------
    >>> from bitext.model import Text
    >>> src = Text(["It rained.", "The 12 boats stayed in the harbour.", "Nobody came."])
    >>> tgt = Text(["Il pleuvait.", "Les 12 bateaux restaient au port, personne ne vint."])
    >>> [bead.type for bead in align_sentences(src, tgt)]
    ['1-1', '2-1']

    """
    (alignment,) = align_corpus(
        [(src, tgt)],
        method=method,
        options=options,
        lexicon=lexicon,
        dictionary=dictionary,
        vectors=vectors if vectors is None or callable(vectors) else [vectors],
        **changes,
    )
    return alignment


def align_corpus(
    pairs: Iterable[tuple[Text | Sequence[str], Text | Sequence[str]]],
    *,
    method: str | Callable[[Text, Text], Any] = "lexical",
    options: SentenceOptions | None = None,
    lexicon: Lexicon | None = None,
    dictionary: Iterable[Sequence[str | float]] = (),
    vectors: Encoder | Sequence[tuple[Vectors, Vectors]] | None = None,
    progress: Callable[[int, int], object] | None = None,
    **changes: Any,
) -> list[Alignment]:
    """Align the sentences of many pairs of texts of the same two languages.

    Lengths, bead priors and words are learned from all pairs together.

    Parameters
    ----------
    pairs : iterable of two texts
        As in `align_sentences`.
    method, options, lexicon, dictionary, **changes
        As in `align_sentences`.
    vectors : callable, or sequence of pairs, optional
        An encoder of sentences, or the vectors of each pair of texts.
    progress : callable, optional
        Called with the number of finished texts and the number of all texts.

    """
    whole = _texts(pairs)
    external = external_aligner(method)
    if external is not None:
        models = (options, lexicon, vectors)
        if any(each is not None for each in models) or dictionary or changes:
            raise OptionError(f"the method {external.name!r} takes no options of ours: give none")
        return [external(*pair) for pair in whole]
    method = str(method)
    # Empty sentences are set aside, and so are their vectors; they are put back at the end.
    nonempty_pairs = [without_empty(*pair) for pair in whole]
    if vectors is not None and not callable(vectors):
        check_list("the vectors", vectors, "those of each pair of texts, or an encoder")
    if vectors is not None and not callable(vectors) and len(vectors) == len(whole):
        vectors = [
            each if aside is None else _of_some(each, pair, (src, tgt), aside)
            for each, pair, (src, tgt, aside) in zip(vectors, whole, nonempty_pairs, strict=True)
        ]
    aligner = aligner_of(
        [(src, tgt) for src, tgt, _ in nonempty_pairs],
        method=method,
        options=options,
        lexicon=lexicon,
        dictionary=dictionary,
        vectors=vectors,
        **changes,
    )
    aligner.run(progress=progress)
    alignments = [alignment_of(aligner, k) for k in range(len(nonempty_pairs))]
    return [
        one if aside is None else aside.put_back(one).alignment
        for one, (_, _, aside) in zip(alignments, nonempty_pairs, strict=True)
    ]


def _of_some(
    vectors: tuple[Vectors, Vectors],
    whole: tuple[Text, Text],
    kept_texts: tuple[Text, Text],
    aside: SetAside,
) -> tuple[SentenceVectors, SentenceVectors]:
    from bitext.align.sentences.vectors import vectors_of

    src, tgt = (
        vectors_of(text, given).of_some(places, left)
        for text, given, places, left in zip(whole, vectors, aside.places, kept_texts, strict=True)
    )
    return src, tgt


def aligner_of(
    pairs: Iterable[tuple[Text | Sequence[str], Text | Sequence[str]]],
    *,
    method: str = "lexical",
    options: SentenceOptions | None = None,
    lexicon: Lexicon | None = None,
    dictionary: Iterable[Sequence[str | float]] = (),
    vectors: Encoder | Sequence[tuple[Vectors, Vectors]] | None = None,
    more: Callable[[int], Sequence[Evidence]] | None = None,
    each: Each = map,
    **changes: Any,
) -> SentenceAligner:
    """Make an aligner of text pairs of the same two languages, before it has run.

    Besides alignments, it gives the learned lexicon (`learned_lexicon`) and explanations of beads
    (`explain_bead`). Empty sentences stay in the texts; `without_empty` sets aside those without
    information.

    Parameters
    ----------
    pairs, method, options, lexicon, dictionary, vectors, **changes
        As in `align_corpus`.
    more : callable, optional
        Returns further evidence of a text pair by its number, for the beads of the options; no bead
        types are added to them.
    each : callable
        Cuts the texts into words, and compares these, as `SentencePair.several` wants it.

    """
    if vectors is not None and method == "lexical":
        method = "embedding"
    chosen_method = named(method, further=PLUGINS.names())
    chosen_options = choose_options(options, changes)
    pairs = _texts(pairs)
    if more is None:  # otherwise for the requested beads
        chosen_options = chosen_options.for_texts(pairs)
    if vectors is not None and more is None:
        from bitext.align.sentences.evidence.vectors import CorpusVectors

        more = CorpusVectors.of_texts(chosen_options.kinds, pairs, vectors)
    if chosen_method.vectors and more is None:
        raise InputError(f"the method {method!r} needs vectors: give some, or take 'lexical'")
    entries = Lexicon.of_entries(dictionary)
    if lexicon is not None:
        Lexicon.check(lexicon)
    for subject, useless in (
        ("vectors are", vectors is not None and not chosen_method.vectors),
        ("a lexicon is", lexicon is not None and not chosen_method.words),
        ("a dictionary is", len(entries) > 0 and not chosen_method.words),
    ):
        if useless:
            raise OptionError(f"{subject} of no use to the method {method!r}: take 'lexical'")
    for text in chain.from_iterable(pairs):
        if len(text) >= _MANY:
            text.join_own_segments()
    words = Vocabulary(), Vocabulary()
    sentence_pairs = SentencePair.several(pairs, vocabularies=words, each=each)
    known = [] if lexicon is None else [lexicon.onto(*words)]
    if len(entries):
        known.append(inflected(entries, *words))
    return SentenceAligner(
        prepare_task(
            sentence_pairs, chosen_method, chosen_options, given=known, more=more, each=each
        )
    )


def _texts(
    pairs: Iterable[tuple[Text | Sequence[str], Text | Sequence[str]]],
) -> list[tuple[Text, Text]]:
    if not isinstance(pairs, Mapping):  # its first key is named below
        check_list("the pairs", pairs, "a list of pairs of texts")
    whole = []
    for number, pair in enumerate(pairs, start=1):
        if not isinstance(pair, Sequence) or isinstance(pair, str | Text) or len(pair) != 2:
            raise InputError(
                f"pair {number} is {str(pair)[:40]!r} ({type(pair).__name__}): want two texts, the "
                f"source and the target"
            )
        whole.append((_text(pair[0]), _text(pair[1])))
    return whole


def _text(given: Text | Sequence[str]) -> Text:
    if isinstance(given, Text):
        return given
    wanted = "a text is wanted as a Text or a sequence of its sentences, each a string"
    if isinstance(given, str | PathLike):
        raise InputError(f"{wanted}; of a file, give its lines")
    try:
        return Text(given)
    except InputError as error:
        raise InputError(f"{wanted}: {error}") from None


def alignment_of(aligner: SentenceAligner, k: int) -> Alignment:
    """Return the alignment of text pair k of an aligner that has run.

    Raises `InputError` when the aligner has not run, or there is no such pair.
    """
    check_pair(aligner, k)
    path = aligner.paths[k]
    src, tgt = len(aligner.pairs[k].src), len(aligner.pairs[k].tgt)
    return Alignment.of_rows(
        Rows(np.append(0, path.row), np.arange(src)),
        Rows(np.append(0, path.column), np.arange(tgt)),
        scores=aligner.posteriors(k),
    )


def learned_lexicon(aligner: SentenceAligner) -> Lexicon:
    """Return the lexicon that an aligner has learned from its texts.

    Raises
    ------
    InputError
        When its method learns none, or it has no texts, or has not run.

    """
    if not isinstance(aligner, SentenceAligner):
        raise InputError(f"the aligner is {aligner!r:.40}: want a SentenceAligner, as aligner_of's")
    if len(aligner.paths) < len(aligner.pairs):
        raise InputError("no lexicon is learned before the texts are aligned: run the aligner")
    lexicon = aligner.learn_lexicon()
    if lexicon is None:
        raise InputError("no lexicon is learned by this method, or of no texts: take 'lexical'")
    words = aligner.pairs[0].src.vocabulary, aligner.pairs[0].tgt.vocabulary
    return Lexicon(*words, lexicon)
