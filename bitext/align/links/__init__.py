"""Word links of translated sentences, learned from the sentences alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.links.corpus import number
from bitext.align.links.directions import PRODUCT, Directions, checked, directed_links_of
from bitext.align.links.evidence import BlockCounts
from bitext.align.links.explanation import LinkExplanation, check_words, explain_links
from bitext.align.links.similarity import Nearness, similarities_of, words_of
from bitext.align.links.training import in_turn, train
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.lexicon import Lexicon, inflected
from bitext.align.sentences.lexical.word_links import join_pairs
from bitext.errors import InputError, OptionError, check_order, check_truths
from bitext.kernels.one_thread import one_thread
from bitext.model import WordLinks
from bitext.model.word_links import LinkRows

if TYPE_CHECKING:
    from bitext.align.links.training import Each
    from bitext.align.links.vectors import Given, TokenEncoder

__all__ = [
    "LEAST_SCORE",
    "Directions",
    "LinkExplanation",
    "LinkedCorpus",
    "link_corpus",
    "link_words",
]

LEAST_SCORE = 0.3  # smallest score of a link; set by hand: see scripts/bench/link_constants.md


def link_words(
    src: Iterable[str | Sequence[str]],
    tgt: Iterable[str | Sequence[str]],
    *,
    min_score: float = LEAST_SCORE,
    dictionary: Iterable[Sequence[str | float]] | None = None,
    lexicon: Lexicon | None = None,
    symmetrise: str = PRODUCT,
    vectors: TokenEncoder | tuple[Given, Given] | None = None,
) -> WordLinks:
    """Link the words of translated sentences; no other resource is required.

    Two hidden Markov models, one in each direction, are trained on the sentence pairs. They share
    their counts of links, in which only links count that are probable in both. Beside co-occurrence
    and position, the similarity of letters (in Latin transliteration) and of frequencies are
    evidence, as far as the links themselves show that they are; and words with the same beginning
    share translations. With a few hundred sentence pairs, this is most of the evidence.

    Parameters
    ----------
    src, tgt : iterables of str, or of sequences of str
        As many sentences of each. Tokens of a string are divided by blanks and tabs, and are never
        cut; a sequence has the tokens. Upper and lower case are the same, and so are composed and
        decomposed accents.
    min_score : float
        The smallest score of a link: the geometric mean of its probabilities in both directions.
        A link also has half the score at least of any other of its two words. More links are right
        with a higher score, fewer are left out with a lower one.
    dictionary : iterable of (str, str) or (str, str, float), optional
        Source term, target term, and optionally the weight of the entry, 0 to 1. Inflected forms
        of the words of an entry are linked, too, with less weight.
    lexicon : Lexicon, optional
        Word pairs learned from other texts: by `link_corpus`, or in sentence alignment.
    symmetrise : str
        The method that combines both directions into one set of links. `product`: by the score, as
        above. `forward`: each target word is linked with its most probable source word, and
        `backward`: each source word with its most probable target word, where the probability is
        `min_score` at least. The methods of `bitext.align.symmetrise` combine these two.
    vectors : function, or pair, optional
        Vectors of words, further evidence: an encoder, as `token_encoder` returns, from a list of
        sentences (lists of words) to an array for each, with one row per word; or the vectors of
        the source and of the target, each a file, an array with a row for each word, an array for
        each sentence, or a mapping from words. `link_by_vectors` links by vectors alone.

    Returns
    -------
    WordLinks
        The links of each sentence pair with their scores as confidences, and the numbers of words;
        those of `forward` and `backward` have their probability in this direction.
        A word has any number of links; a pair with an empty side has none.

    Raises
    ------
    InputError
        When the two have not the same number of sentences, a token is not a string, or vectors are
        not those of the words.
    OptionError
        When the score is not above 0, or is above 1, and when there is no such way to symmetrise.

    Notes
    -----
    The result is the same for the same input; nothing is random. For n cells (products of the
    lengths of sentence pairs) the time is linear in n: 300,000 pairs of 25 words took 143 s
    of CPU time and 1.8 GB. Corpora above 33 million cells are learned from in blocks: each with the
    counts of the first and its own; then their counts are added up, and link all blocks.

    Sentences above 500 words are cut, with their translations, into pieces of equal length along
    the diagonal, and linked piece by piece.

    **Source**: S. Vogel, H. Ney and C. Tillmann, HMM-Based Word Alignment in Statistical
    Translation, COLING 1996; P. Liang, B. Taskar and D. Klein, Alignment by Agreement, NAACL 2006
    (products of posteriors as counts, and their threshold); A. Asuncion, M. Welling, P. Smyth and
    Y. W. Teh, On Smoothing and Inference for Topic Models, UAI 2009 (CVB0: each cell is estimated
    without its own count); R. Östling and J. Tiedemann, Efficient Word Alignment with Markov Chain
    Monte Carlo, PBML 106, 2016 (Dirichlet priors on translations).

    **Departures**: the prior of a translation is no constant, but the translation of the families
    of both words; the prior of those has the evidence of letters and frequencies. All counts are
    expectations; no alignment is sampled.

    Examples
    --------
    >>> src = ["the house", "a house", "the big house", "a big tree", "the tree"]
    >>> tgt = ["la maison", "une maison", "la grande maison", "un grand arbre", "l' arbre"]
    >>> links = link_words(src * 3, tgt * 3)
    >>> links[3].src.tolist(), links[3].tgt.tolist(), links[3].confidences.round(1).tolist()
    ([0, 1, 2], [0, 1, 2], [0.9, 0.9, 0.9])

    """
    return link_corpus(
        src,
        tgt,
        min_score=min_score,
        dictionary=dictionary,
        lexicon=lexicon,
        symmetrise=symmetrise,
        vectors=vectors,
    ).links


class LinkedCorpus(NamedTuple):
    """The word links of a corpus, and the lexicon that was learned with them.

    Attributes
    ----------
    links : WordLinks
        As `link_words` returns them.
    lexicon : Lexicon
        Linked words with the share of the tokens of each that are linked with the other.
    directions : Directions or None
        The probabilities of the links in both directions, if requested.
    explanations : tuple of LinkExplanation
        One for each pair of words that was to be explained.

    """

    links: WordLinks
    lexicon: Lexicon
    directions: Directions | None = None
    explanations: tuple[LinkExplanation, ...] = ()


def link_corpus(
    src: Iterable[str | Sequence[str]],
    tgt: Iterable[str | Sequence[str]],
    *,
    min_score: float = LEAST_SCORE,
    dictionary: Iterable[Sequence[str | float]] | None = None,
    lexicon: Lexicon | None = None,
    symmetrise: str = PRODUCT,
    directions: bool = False,
    explain: Iterable[Sequence[int]] = (),
    vectors: TokenEncoder | tuple[Given, Given] | None = None,
    cells: int | None = None,
    each: Each = in_turn,
    counts: BlockCounts | None = None,
) -> LinkedCorpus:
    """Link the words of translated sentences, and learn a lexicon.

    The method is that of `link_words`.

    Parameters
    ----------
    src, tgt, min_score, dictionary, lexicon, symmetrise, vectors
        Those of `link_words`.
    directions : bool
        Whether the probabilities of the links in both directions are computed, too.
    explain : iterable of (int, int, int)
        A sentence pair, a source word and a target word each, from 0: why the two are linked, or
        are not.
    cells : int, optional
        The largest sum of products of source words and target words of the pairs of a block.
        Smaller blocks take less memory, and links are a little worse. Default: 33,554,432.
    each : callable, optional
        Called with the kind of work, `"count"` or `"link"`, a function and the numbers of blocks of
        pairs; yields the results in the order of the numbers. It may do the work in several
        processes that are forked when it is called. Default: one block after another.
    counts : BlockCounts, optional
        The sum of the counts of all blocks, if they were trained before.

    Returns
    -------
    LinkedCorpus
        The links, and a lexicon for `link_words` or `align_sentences`: word pairs of 0.3 expected
        links at least, with t(target|source) and t(source|target) as shares of tokens.

    Raises
    ------
    InputError
        When the two have not the same number of sentences, a token is not a string, an entry has
        another shape, or a pair of words to explain is not there.
    OptionError
        When the score is not above 0, or is above 1, when there is no such way to symmetrise, and
        when blocks have no cells.

    Examples
    --------
    >>> src = ["the house", "a house", "the big house", "a big tree", "the tree"]
    >>> tgt = ["la maison", "une maison", "la grande maison", "un grand arbre", "l' arbre"]
    >>> lexicon = link_corpus(src * 3, tgt * 3).lexicon
    >>> next(line for line in lexicon.lines() if line.startswith("house")).split()
    ['house', 'maison', '0.5706', '0.5706']

    """
    if not isinstance(min_score, Real) or not 0 < min_score <= 1:
        raise OptionError(f"min_score is {min_score!r}: want a number above 0, up to 1")
    checked(symmetrise)
    check_truths(directions=directions)
    check_order(src, tgt)
    if vectors is not None:
        src, tgt = words_of(src), words_of(tgt)
    words = number(src), number(tgt)
    sizes = [np.diff(side.ptr) for side in words]
    if sizes[0].size != sizes[1].size:
        raise InputError(
            f"{sizes[0].size} source sentences and {sizes[1].size} target sentences: want as many, "
            f"an empty one where a sentence has no translation"
        )
    if cells is not None and cells < 1:
        raise OptionError(f"cells is {cells!r}: want 1 or more")
    places = check_words(explain, (sizes[0], sizes[1]))
    near = None
    if vectors is not None:
        with one_thread():
            near = Nearness.of(similarities_of(vectors, src, tgt), sizes)
    # Known translations, renumbered for the words of the texts; equal pairs have the better value.
    vocabularies = Vocabulary(words[0].forms), Vocabulary(words[1].forms)
    lexicons = []
    if dictionary is not None:
        entries = Lexicon.of_entries(dictionary, tokens=vocabularies)
        lexicons.append(inflected(entries, *vocabularies))
    if lexicon is not None:
        Lexicon.check(lexicon)
        lexicons.append(lexicon.onto(*vocabularies))
    rows = LinkRows()
    posteriors: list[Directions] = []
    with one_thread():
        known = join_pairs(lexicons) if lexicons else None
        trained = train(*words, given=known, near=near, cells=cells, each=each, counts=counts)

        def work(block: int) -> tuple[WordLinks, Directions | None]:
            if symmetrise == PRODUCT and not directions:
                return trained.links_of(block, min_score), None
            return directed_links_of(trained, block, symmetrise, min_score)

        for links, both in each("link", work, range(len(trained.runs))):
            rows.extend(links)
            if directions:
                posteriors.append(both)
        joined = rows.joined() if len(rows) else WordLinks.parse([""] * sizes[0].size)
        reasons = explain_links(
            trained, places, joined, method=symmetrise, at_least=min_score, given=known
        )
    return LinkedCorpus(
        joined.with_sizes(*sizes),
        trained.lexicon(),
        Directions.joined(posteriors) if directions else None,
        tuple(reasons),
    )
