"""Projection of labels over word links: from the words of the source to those of the target.

Labels of single words, of spans, and dependencies are projected, each by the rule of its paper; see
`project_labels`. The words of the labels and those of the text are matched by their characters, so
that a labelled corpus may divide words otherwise than the text does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from math import isnan
from typing import NamedTuple

from bitext.errors import FormatError, InputError, check_type, many
from bitext.model import WordLinks
from bitext.model.word_links import tokens
from bitext.syntax.columns import folded
from bitext.syntax.labelled import NONE, LabelledSentence, Span
from bitext.syntax.penn import unescape

_SHOWN = 40  # characters of a word in a message
_SATELLITE_RELATION = "dep"  # relation of further words that one source word is linked with
# Relation of the roots of further sentences to that of the first
_SECOND_ROOT_RELATION = "parataxis"
_NO_DEPTH = 1 << 30  # for words whose sentence has no tree


class SegmentLabels(NamedTuple):
    """The labelled words of a segment."""

    words: list[tuple[LabelledSentence, int]]  # each word, as its sentence and its place there
    # For each token of the text, the words that share characters with it, as places in `words`.
    tokens: list[list[int]]


def _labelled(given: object) -> LabelledSentence:
    if isinstance(given, LabelledSentence):
        return given
    raise InputError(
        f"a sentence of the labels is {given!r:.40}: want a LabelledSentence, as "
        f"bitext.syntax.read_labels reads it"
    )


def match_labels(
    labels: Iterable[LabelledSentence], segments: Iterable[Sequence[str]], *, path: str = "labels"
) -> Iterator[SegmentLabels]:
    """Yield the labelled words of each segment, matched by characters.

    A sentence of the labels may be one segment, several, or a part of one. White space and case do
    not count, and neither do the spellings of brackets, quotes and dashes of treebanks.

    Raises `FormatError` when the words are not those of the text, with the line of the sentence.

    The sentences of the labels and the tokens of each segment are in order; `path` is the file of
    the labels, for messages.

    Examples
    --------
    >>> labels = [LabelledSentence(("I", "do", "n't"), line=1), LabelledSentence(("Go", "!"))]
    >>> [each.tokens for each in match_labels(labels, [["I", "don't"], ["Go!"]])]
    [[[0], [1, 2]], [[0, 1]]]

    """
    sentences = map(_labelled, labels)
    sentence = LabelledSentence(())
    surface: list[tuple[str, int, int]] = []
    at = 0  # the next token of `surface`
    for number, segment in enumerate(segments):
        words: list[tuple[LabelledSentence, int]] = []
        places: list[list[int]] = []
        rest = ""  # of the form of the current words, yet to be met
        current: list[int] = []
        for token in segment:
            due = _plain(token)
            segment_words: list[int] = []
            while due:
                while not rest:
                    while at == len(surface):
                        following = next(sentences, None)
                        if following is None:
                            raise FormatError(
                                f"ends where the text goes on with {token!r:.{_SHOWN}}, in source "
                                f"segment {number} (from 0): want the labels of all of the text",
                                path=path,
                            )
                        sentence, surface, at = following, following.surface(), 0
                    form, first, end = surface[at]
                    current = list(range(len(words), len(words) + end - first))
                    words += [(sentence, k) for k in range(first, end)]
                    rest = due if form == token else _plain(form)
                    at += 1
                if not (due.startswith(rest) or rest.startswith(due)):
                    raise FormatError(
                        f"has a sentence with the word {surface[at - 1][0]!r:.{_SHOWN}} where "
                        f"source segment {number} (from 0) has {token!r:.{_SHOWN}}: want the "
                        f"labels of the source text, in its order",
                        path=path,
                        line=sentence.line or None,
                    )
                segment_words += current
                due, rest = due[len(rest) :], rest[len(due) :]
            places.append(segment_words)
        if rest:
            raise FormatError(
                f"has a sentence whose word {surface[at - 1][0]!r:.{_SHOWN}} goes on behind source "
                f"segment {number} (from 0): want words within segments",
                path=path,
                line=sentence.line or None,
            )
        yield SegmentLabels(words, places)
    if at == len(surface):
        sentence, at = next(sentences, LabelledSentence(())), 0
    if sentence.forms:
        raise FormatError(
            f"has a sentence behind the end of the text, with "
            f"{sentence.surface()[at][0]!r:.{_SHOWN}}: want the labels of the source text alone",
            path=path,
            line=sentence.line or None,
        )


def _plain(word: str) -> str:
    return folded(unescape(word), case=False)


@dataclass(slots=True)
class ProjectionCounts:
    """Counts of the projected and of the lost labels."""

    sentences: int = 0  # the target sentences
    # `words`, `labelled`: the target words, and those with a link, which have the labels of its
    # source word.
    words: int = 0
    labelled: int = 0
    # `spans`, `lost_spans`, `cut_spans`: the spans of the source; those without a link; and those
    # cut to a part, since words of others stand between their links.
    spans: int = 0
    lost_spans: int = 0
    cut_spans: int = 0
    # `trees`, `heads`, `rooted`: the target sentences whose source has dependencies; their words
    # with a head; and those of these sentences that have a root.
    trees: int = 0
    tree_words: int = 0
    heads: int = 0
    rooted: int = 0

    def lines(self) -> list[str]:
        """Return the counts as notes."""
        words = f"{self.labelled:,} of {self.words:,} words have the labels of a source word"
        lines = [f"{many(self.sentences, 'target sentence')}: {words}"]
        if self.spans:
            whole = self.spans - self.lost_spans - self.cut_spans
            lines.append(
                f"{many(self.spans, 'span')} of the source: {whole:,} projected, "
                f"{self.cut_spans:,} cut at a word of others, {self.lost_spans:,} lost, without a "
                f"link"
            )
        if self.trees:
            lines.append(
                f"{many(self.trees, 'tree')} of the source: {self.heads:,} of "
                f"{self.tree_words:,} target words have a head, "
                f"{many(self.rooted, 'sentence')} a root"
            )
        return lines


class _Link(NamedTuple):
    """A link of a labelled word; the order is that of preference, the best first."""

    cost: float  # minus the probability
    possible: bool
    mixed: bool  # of a punctuation mark with a word
    depth: int
    word: int
    target: int


class LabelProjector:
    """Projects labels, pair by pair, and counts the losses; see `project_labels`.

    `counts` has the counts of all pairs so far.
    """

    def __init__(self) -> None:
        self.counts = ProjectionCounts()
        self._last = 0  # the last line whose sentence has given its comments
        self._comments: list[str] = []  # of sentences without a target

    def project(
        self,
        labels: Sequence[SegmentLabels],
        target: Sequence[str],
        links: Sequence[tuple[int, int, bool, float | None]],
    ) -> LabelledSentence | None:
        """Return the target sentence of a pair with the labels of its source; None if it is empty.

        `labels` are those of the source segments of the pair; links number tokens across segments.
        A link has its source token, its target token, whether it is sure, and its probability or
        None.

        Raises `InputError` when a link points beyond the tokens.
        """
        words: list[tuple[LabelledSentence, int]] = []
        places: list[list[int]] = []
        for segment in labels:
            places += [[len(words) + k for k in token] for token in segment.tokens]
            words += segment.words
        self._take_comments(words)
        if not target:
            return None
        depths, heads = _heads(words)
        marks = [_is_mark(sentence.forms[k]) for sentence, k in words]
        by_target: list[list[_Link]] = [[] for _ in target]
        by_word: list[list[_Link]] = [[] for _ in words]
        for i, j, sure, probability in links:
            if i >= len(places) or j >= len(target):
                side, at, size = (
                    ("source", i, len(places)) if i >= len(places) else ("target", j, len(target))
                )
                raise InputError(
                    f"a link has {side} word {at} (from 0), and the sentence has {size} words: "
                    f"want the links of this text"
                )
            is_mark = _is_mark(target[j])
            for word in dict.fromkeys(places[i]):
                link = _Link(
                    -(0.0 if probability is None else probability),
                    not sure,
                    marks[word] != is_mark,
                    depths[word],
                    word,
                    j,
                )
                by_target[j].append(link)
                by_word[word].append(link)
        # The fields of a link are in the order in which links are preferred: the more probable one,
        # then sure ones, words to words and marks to marks, and words nearer to the root.
        best = [min(own, default=None) for own in by_target]
        projected = self._tree(words, heads, by_word, best)
        target_sentence = LabelledSentence(
            tuple(target),
            tags=_tags(words, best),
            spans=self._spans(words, by_word, by_target),
            heads=None if projected is None else projected[0],
            relations=() if projected is None else projected[1],
            comments=tuple(self._comments),
            misc=tuple(
                "" if link is None or not link.cost else f"Prob={-link.cost:.4g}" for link in best
            ),
        )
        self._comments = []
        self.counts.sentences += 1
        self.counts.words += len(target)
        self.counts.labelled += sum(link is not None for link in best)
        return target_sentence

    def _take_comments(self, words: Sequence[tuple[LabelledSentence, int]]) -> None:
        """Collect the comments of sentences that begin in the pair; ids of the first alone."""
        self._comments = [line for line in self._comments if "sent_id" not in line]
        has_id = False
        for sentence, k in words:
            if k or not sentence.comments or (sentence.line and sentence.line <= self._last):
                continue
            for line in sentence.comments:
                is_id = line.lstrip("# ").startswith("sent_id")
                if not (is_id and has_id):
                    self._comments.append(line)
                has_id |= is_id
        self._last = max([self._last, *(sentence.line for sentence, k in words if not k)])

    def _spans(
        self,
        words: Sequence[tuple[LabelledSentence, int]],
        by_word: Sequence[Sequence[_Link]],
        by_target: Sequence[Sequence[_Link]],
    ) -> dict[str, tuple[Span, ...]]:
        spans_of_layers: dict[str, tuple[Span, ...]] = {}
        for layer, spans in _layers(words).items():
            self.counts.spans += len(spans)
            covered: set[int] = set()
            layer_spans: list[Span] = []
            weighted = []
            for begin, end, label in spans:
                weights: dict[int, float] = {}
                for word in range(begin, end):
                    for link in by_word[word]:
                        weight = -link.cost or 1.0
                        weights[link.target] = max(weights.get(link.target, 0.0), weight)
                weighted.append((-sum(weights.values()), begin, label, weights))
            for _, _, label, weights in sorted(weighted, key=lambda each: each[:2]):
                free = sorted(weights.keys() - covered)
                if not free:
                    self.counts.lost_spans += 1
                    continue
                runs = [[free[0]]]
                for before, after in pairwise(free):
                    between = range(before + 1, after)
                    if any(by_target[j] or j in covered for j in between):
                        runs.append([])
                    runs[-1].append(after)
                # The part with most of the probability; the first and longest of equal ones.
                run = max(runs, key=lambda run: (sum(weights[j] for j in run), len(run), -run[0]))
                self.counts.cut_spans += len(run) < len(weights)
                covered.update(range(run[0], run[-1] + 1))
                layer_spans.append(Span(run[0], run[-1] + 1, label))
            spans_of_layers[layer] = tuple(sorted(layer_spans))
        return spans_of_layers

    def _tree(
        self,
        words: Sequence[tuple[LabelledSentence, int]],
        heads: Sequence[int | None] | None,
        by_word: Sequence[Sequence[_Link]],
        best: Sequence[_Link | None],
    ) -> tuple[tuple[int | None, ...], tuple[str, ...]] | None:
        if heads is None:
            return None
        # One to many: the word of the most probable link stands for all, and has them below.
        image = [min(own).target if own else None for own in by_word]
        # Many to one: the word nearest to the root gives the head.
        group: dict[int, _Link] = {}
        for own in by_word:
            if own:
                link = min(own)
                best_link = group.get(link.target)
                if best_link is None or (link.depth, link) < (best_link.depth, best_link):
                    group[link.target] = link
        target_heads: list[int | None] = [None] * len(best)
        relations = [NONE] * len(best)
        root: int | None = None
        for j, link in sorted(group.items(), key=lambda item: item[1].word):
            sentence, k = words[link.word]
            above = heads[link.word]
            while above is not None and above >= 0 and image[above] is None:
                above = heads[above]  # words without a link are left out of the tree
            if above is None or (above < 0 and heads[link.word] != above):
                continue
            relations[j] = sentence.relations[k]
            if above >= 0:
                target_heads[j] = image[above]
            elif root is None:
                target_heads[j] = -1
                root = j
            else:
                target_heads[j], relations[j] = root, _SECOND_ROOT_RELATION
        for j, link_or_none in enumerate(best):
            if link_or_none is not None and j not in group:
                target_heads[j], relations[j] = image[link_or_none.word], _SATELLITE_RELATION
        self.counts.trees += 1
        self.counts.tree_words += len(best)
        self.counts.heads += sum(head is not None for head in target_heads)
        self.counts.rooted += root is not None
        return tuple(target_heads), tuple(relations)


def token_tags(labels: Sequence[SegmentLabels]) -> list[str]:
    """Return the part of speech of each token of a pair; `_` for none.

    The tag is the UPOS of the first word that is not a punctuation mark, else its XPOS, else its
    label in the first column of tags.

    Examples
    --------
    >>> house = LabelledSentence(("house", ","), {"UPOS": ("NOUN", "PUNCT")})
    >>> token_tags(list(match_labels([house], [["house,"]])))
    ['NOUN']

    """
    tags = []
    for words, places in labels:
        for place in places:
            word = next((k for k in place if not _is_mark(words[k][0].forms[words[k][1]])), None)
            if word is None and place:
                word = place[0]
            tag = NONE
            if word is not None:
                sentence, k = words[word]
                for name in ("UPOS", "XPOS", *sentence.tags):
                    if tag == NONE and name in sentence.tags:
                        tag = sentence.tags[name][k]
            tags.append(tag)
    return tags


def _is_mark(word: str) -> bool:
    return not any(map(str.isalnum, unescape(word)))


def _heads(
    words: Sequence[tuple[LabelledSentence, int]],
) -> tuple[list[int], list[int | None] | None]:
    """Return the depth and the head of each word of a pair, counted in the pair."""
    if all(sentence.heads is None for sentence, _ in words):
        return [_NO_DEPTH] * len(words), None
    # One sentence may be there twice, so that each word also has the number of its occurrence.
    occurrences: Counter[tuple[int, int]] = Counter()
    keys = []
    for sentence, k in words:
        keys.append((id(sentence), k, occurrences[id(sentence), k]))
        occurrences[id(sentence), k] += 1
    place = {key: n for n, key in enumerate(keys)}
    heads: list[int | None] = []
    for (sentence, k), (own, _, nth) in zip(words, keys, strict=True):
        head = None if sentence.heads is None else sentence.heads[k]
        heads.append(head if head is None or head < 0 else place.get((own, head, nth)))
    depths = [-1] * len(words)
    for n in range(len(words)):
        walked: list[int] = []
        at: int | None = n
        while at is not None and at >= 0 and depths[at] < 0:
            walked.append(at)
            at = heads[at]
        depth = -1 if at is None or at < 0 else depths[at]
        for each in reversed(walked):
            depth += 1
            depths[each] = depth
    return depths, heads


def _tags(
    words: Sequence[tuple[LabelledSentence, int]], best: Sequence[_Link | None]
) -> dict[str, tuple[str, ...]]:
    """Return the tags of target words: those of the source word of the best link."""
    names = dict.fromkeys(name for sentence, _ in words for name in sentence.tags)
    tags_of_names = {}
    for name in names:
        labels = []
        for link in best:
            if link is None:
                labels.append(NONE)
                continue
            sentence, k = words[link.word]
            labels.append(sentence.tags[name][k] if name in sentence.tags else NONE)
        tags_of_names[name] = tuple(labels)
    return tags_of_names


def _layers(words: Sequence[tuple[LabelledSentence, int]]) -> dict[str, list[Span]]:
    """Return the spans of a pair by their layer; of a span that the pair cuts, the part in it."""
    spans_of_layers: dict[str, list[Span]] = {}
    begin = 0
    while begin < len(words):
        sentence, first = words[begin]
        end = begin + 1
        while (
            end < len(words) and words[end][0] is sentence and words[end][1] == first + end - begin
        ):
            end += 1
        last = first + end - begin
        for layer, spans in sentence.spans.items():
            spans_of_layers.setdefault(layer, []).extend(
                Span(max(s.begin, first) - first + begin, min(s.end, last) - first + begin, s.label)
                for s in spans
                if s.begin < last and s.end > first
            )
        begin = end
    return spans_of_layers


def project_labels(
    labels: Iterable[LabelledSentence],
    src: Iterable[str | Sequence[str]],
    tgt: Iterable[str | Sequence[str]],
    links: WordLinks,
    *,
    path: str = "labels",
    counts: ProjectionCounts | None = None,
) -> Iterator[LabelledSentence]:
    """Project the labels of source sentences over word links to the target sentences.

    **Tags** (part of speech, features) are those of the source word of the most probable link; a
    word without a link has none. Of equally probable links sure ones go before possible ones, words
    before punctuation marks (for a target that is a word), the word nearest to the root of the
    tree, and the first.

    **Spans** (names, chunks) become the target words from the first to the last one that is linked
    with a word of the span, with words between that have no link. If there are words of others
    between, the part with most probability is the span, and the rest is lost. If two spans meet,
    the one of more probability is first to take its words.

    **Dependencies** are projected directly: if two source words are linked with two target words,
    the relation between the ones holds between the others. Of several target words of one source
    word, the one of the most probable link stands for all, and the others depend on it (`dep`). Of
    several source words of one target word, the one nearest to the root gives its relation, and the
    dependents of all depend on the target word. A source word without a link is left out: its
    dependents hang from its head, with their own relations; those of a root without a link have no
    head, and neither has a target word without a link. If a pair has several source sentences, the
    roots of further ones hang from the first (`parataxis`). The heads never go in a circle.

    Parameters
    ----------
    labels : iterable of LabelledSentence
        The source with its labels, as `bitext.syntax.read_labels` reads them. Sentences are matched
        with `src` by their characters: words may be divided otherwise than there.
    src, tgt : iterables of str, or of sequences of str
        The sentences, as in `link_words`.
    links : WordLinks
        Their links; confidences are their probabilities.
    path : str
        The file of the labels, for messages.
    counts : ProjectionCounts, optional
        Takes the numbers of labels that were projected and lost.

    Yields
    ------
    LabelledSentence
        A sentence for each pair with a target word. `misc` has the probability of the link of each
        word, where it is known, as `Prob=0.93`.

    Raises
    ------
    FormatError
        When the labels are not those of the source.
    InputError
        When there are not as many sentences of both sides and links, or a link points beyond its
        sentence.

    Notes
    -----
    **Source**: D. Yarowsky, G. Ngai and R. Wicentowski, Inducing Multilingual Text Analysis Tools
    via Robust Projection across Aligned Corpora, HLT 2001 (tags; spans from the first to the last
    linked word); R. Hwa, P. Resnik, A. Weinberg, C. Cabezas and O. Kolak, Bootstrapping Parsers via
    Syntactic Projection across Parallel Texts, Natural Language Engineering 11(3), 2005 (the direct
    projection algorithm).

    **Departures**: Hwa et al. put empty words into the target, for source words without a link and
    above the target words of one source word. CoNLL-U has no place for a tree with them, so they
    are contracted, as said above. Yarowsky et al. let a span cover words of others.

    Examples
    --------
    >>> from bitext.model import WordLinks
    >>> from bitext.syntax import read_labels
    >>> lines = ["a DT B-NP", "white JJ I-NP", "house NN I-NP", "burns VBZ B-VP"]
    >>> links = WordLinks.parse(["0-0 1-2 2-1 3-3"])
    >>> src, tgt = ["a white house burns"], ["une maison blanche brûle"]
    >>> made = next(project_labels(read_labels(lines, path="a.conll"), src, tgt, links))
    >>> made.tags, made.spans
    ({'column 2': ('DT', 'NN', 'JJ', 'VBZ')}, {'column 3': (Span(begin=0, end=3, label='NP'), \
Span(begin=3, end=4, label='VP'))})

    """
    projector = LabelProjector()
    if counts is not None:
        projector.counts = counts
    segments = (tokens(each) if isinstance(each, str) else list(each) for each in src)
    targets = (tokens(each) if isinstance(each, str) else list(each) for each in tgt)
    rows = (link_rows(pair) for pair in links)
    pairs = zip_longest(match_labels(labels, segments, path=path), targets, rows)
    for number, (own, target, row) in enumerate(pairs):
        if own is None or target is None or row is None:
            raise InputError(
                f"one of the source, the target and the links ends behind {number} sentences: want "
                f"as many of each"
            )
        projected = projector.project([own], target, row)
        if projected is not None:
            yield projected


def link_rows(links: WordLinks) -> list[tuple[int, int, bool, float | None]]:
    """Return the links of a pair as rows of `LabelProjector.project`, without links to no word."""
    check_type(
        "the links of a pair", links, WordLinks, "WordLinks, as WordLinks.parse(['0-0 1-2'])"
    )
    links = links.without_null()
    probabilities: list[float | None] = [None] * links.src.size
    if links.confidences is not None:
        probabilities = [None if isnan(each) else each for each in links.confidences.tolist()]
    return list(
        zip(links.src.tolist(), links.tgt.tolist(), links.sure.tolist(), probabilities, strict=True)
    )
