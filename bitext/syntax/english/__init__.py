"""The built-in tagger and parser of English, which need numpy only.

The model is part of the package (`english.npz`) and is loaded on first use. Its card, `ENGLISH.md`
beside it, names the training data, the accuracy and the limits.

The tagger is a linear-chain model: the weights of the features of a word score its tags, and one
weight for each pair of tags scores the transition. Viterbi's algorithm gives the most probable
sequence of tags.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, repeat
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitext.errors import FormatError, InputError
from bitext.kernels.arrays import Singles
from bitext.kernels.compiled_charts import chart_kernels
from bitext.kernels.one_thread import one_thread
from bitext.model.sentence import Tree
from bitext.paths import refuse_bomb
from bitext.syntax.english.features import NAMES, Table, Templates, word_codes

if TYPE_CHECKING:
    from bitext.syntax.english.parser import ChartParser

    Codes = NDArray[np.uint64]

Model = TypeVar("Model")

MODEL = Path(__file__).with_name("english.npz")
LONGEST = 100  # words; longer sentences are cut
PIECE = 50  # words of a piece of a longer sentence: the time of a piece is cubic in its length
_CELLS_OF_BATCH = 12_000  # sum of squared lengths in one batch; set by hand to bound memory
_SENTENCES_AHEAD = 512  # sentences read before the first tree is returned; set by hand
_WORDS_AHEAD = 20_000  # words read before the first tree is returned; set by hand
_NO_TAGS = ("no tags",)
# Tags of the Penn treebank and of OntoNotes that the model lacks, and tags of the model for them;
# the tagger tags words of those without
_OTHER_PENN_TAGS = {"ADD": "NN", "#": "$", "(": "-LRB-", ")": "-RRB-"}
_OTHER_PENN_TAGS |= dict.fromkeys(("AFX", "GW", "NFP", "XX", '"'), "")
# Errors that numpy, or a reader of its arrays, may raise for a file that is not a model.
_DAMAGES = (
    *(OSError, EOFError, ValueError, KeyError, IndexError, TypeError),
    *(AttributeError, zipfile.BadZipFile, zlib.error),
)
_ENDS = ({".", ":"}, {","}, {"CC"})  # tags at which a long sentence is cut, best first


class EnglishParser:
    """The built-in parser.

    A sentence of more than `LONGEST` words is cut into pieces of at most `PIECE` words: in the
    second half of that length at a full stop, colon, semicolon or dash, otherwise at a comma,
    otherwise before a conjunction, otherwise at the full length. The pieces are parsed separately
    and become sisters under ROOT.

    Parameters
    ----------
    model : path, optional
        A model written by `scripts/train_english.py`; by default the model of the package.

    Examples
    --------
    >>> parser = EnglishParser()
    >>> parser.tag("The plane hit a building .".split())
    ['DT', 'NN', 'VBD', 'DT', 'NN', '.']
    >>> print(next(parser.parse_tokens(["The plane hit a building .".split()])))
    (ROOT (S (NP (DT The) (NN plane)) (VP (VBD hit) (NP (DT a) (NN building))) (. .)))

    """

    name = "english"

    def __init__(self, model: str | Path = MODEL) -> None:
        self._model = str(model)

    def tag(self, tokens: Sequence[str]) -> list[str]:
        """Return the Penn tag of each token; an empty list for no tokens."""
        if not tokens:
            return []
        return tagger_of(self._model).tag([_checked(tokens)])[0]

    def parse(self, tokens: Sequence[str], *, tags: Sequence[str] | None = None) -> Tree:
        """Return the tree of one sentence.

        Parameters are those of `parse_tokens` for one sentence.

        Raises
        ------
        InputError
            As `parse_tokens`.

        """
        return next(self.parse_tokens([tokens], tags=[tags]))

    def parse_tokens(
        self,
        sentences: Iterable[Sequence[str]],
        *,
        tags: Iterable[Sequence[str] | None] | None = None,
    ) -> Iterator[Tree]:
        """Yield the tree of each sentence, in order.

        Parameters
        ----------
        sentences : iterable of sequence of str
            The tokens of each sentence, as from `tokenize`. The iterable may be lazy: batches of
            some hundred sentences, or about 20,000 words, are parsed together.
        tags : iterable of sequence of str, optional
            For each sentence the tags of its tokens, or None. Tags are used if all of the sentence
            are those of the Penn treebank or OntoNotes; the tagger tags words with tags that the
            model lacks (NFP, ADD). If a tag is empty or of another tag set (universal tags such as
            NOUN), the tagger tags the whole sentence.

        Yields
        ------
        Tree
            With the root ROOT and the words of the input, without functions and traces.

        Raises
        ------
        InputError
            When a sentence has no token, a token is empty or not a string, the number of tags
            differs from that of tokens, or the number of tag sequences from that of sentences.
        FormatError
            When the file is not a model, or is damaged.

        Examples
        --------
        >>> words = ["Time", "flies"]
        >>> print(next(EnglishParser().parse_tokens([words], tags=[["NN", "NNS"]])))
        (ROOT (NP (NN Time) (NNS flies)))

        """
        number = words_waiting = 0
        waiting: list[tuple[list[str], list[str] | None]] = []
        given_tags: Iterator[Sequence[str] | None] = repeat(None) if tags is None else iter(tags)
        for number, sentence in enumerate(sentences, start=1):
            try:
                known = next(given_tags)
            except StopIteration:
                raise InputError(
                    f"the tags end before sentence {number}; want tags or None for each sentence"
                ) from None
            words = _checked(sentence)
            waiting.append((words, None if known is None else _one_each(known, words)))
            words_waiting += len(words)
            if len(waiting) == _SENTENCES_AHEAD or words_waiting >= _WORDS_AHEAD:
                yield from self.parse_together(waiting)
                waiting, words_waiting = [], 0
        yield from self.parse_together(waiting)
        if tags is not None and next(given_tags, _NO_TAGS) is not _NO_TAGS:
            raise InputError(
                f"there are tags after those of the last sentence, number {number}; "
                "want tags or None for each sentence, and no more"
            )

    def _tagged(self, sentences: list[tuple[list[str], list[str] | None]]) -> list[list[str]]:
        """Return the given tags of each sentence where they are of the Penn treebank, else new."""
        tagger = tagger_of(self._model)
        known = frozenset(tagger.tags)
        usable = known.union(_OTHER_PENN_TAGS)
        given = [
            None
            if tags is None or not usable.issuperset(tags)
            else [_OTHER_PENN_TAGS.get(tag, tag) for tag in tags]
            for _, tags in sentences
        ]
        open_places = [
            k for k, tags in enumerate(given) if tags is None or not known.issuperset(tags)
        ]
        words, fixed = [sentences[k][0] for k in open_places], [given[k] for k in open_places]
        new_tags = dict(zip(open_places, tagger.tag(words, fixed) if words else [], strict=True))
        return [new_tags.get(k) or tags or [] for k, tags in enumerate(given)]

    def parse_together(self, sentences: list[tuple[list[str], list[str] | None]]) -> list[Tree]:
        """Parse sentences, with tags where they are known, in batches of similar length."""
        if not sentences:
            return []
        parser = parser_of(self._model)
        chart_kernels.after(sum(len(words) ** 2 for words, _ in sentences))
        space = parser.workspace()
        pieces: list[tuple[list[str], list[str]]] = []
        counts = []
        for (words, _), tags in zip(sentences, self._tagged(sentences), strict=True):
            cuts = _cuts(tags)
            counts.append(len(cuts) - 1)
            pieces += [(words[a:b], tags[a:b]) for a, b in pairwise(cuts)]
        trees: list[Tree | None] = [None] * len(pieces)
        order = sorted(range(len(pieces)), key=lambda k: len(pieces[k][0]))
        for batch in _batches(order, [len(words) for words, _ in pieces]):
            with one_thread():
                parsed = parser.parse(
                    [pieces[k][0] for k in batch], [pieces[k][1] for k in batch], space
                )
            for k, tree in zip(batch, parsed, strict=True):
                trees[k] = tree
        done = iter([tree for tree in trees if tree is not None])
        return [_side_by_side([next(done) for _ in range(count)]) for count in counts]


@cache
def tagger_of(path: str) -> Tagger:
    """Load the tagger of a model file, once."""
    return _load(path, Tagger)


@cache
def parser_of(path: str) -> ChartParser:
    """Load the parser of a model file, once."""
    from bitext.syntax.english.parser import ChartParser

    return _load(path, ChartParser)


def _load(path: str, make: Callable[[Mapping[str, NDArray[np.generic]]], Model]) -> Model:
    try:
        # numpy does not close a damaged file that it opened itself.
        with Path(path).open("rb") as file:
            with zipfile.ZipFile(file) as archive:
                refuse_bomb(archive, path)
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                return make(arrays)
    except FileNotFoundError:
        raise InputError(
            f"there is no model at {path}; want a file that scripts/train_english.py wrote: "
            "name one, or install bitext again if it is the file of the package"
        ) from None
    except FormatError:
        raise
    except _DAMAGES as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise FormatError(
            "is no model of scripts/train_english.py, or is damaged; want one as that script "
            f"wrote it: get the file again or train it anew ({reason})",
            path=path,
        ) from None


def _checked(tokens: Sequence[str]) -> list[str]:
    if isinstance(tokens, str):
        raise InputError("a sentence is one text; want its tokens, as of bitext.syntax.tokenize")
    words = list(tokens)
    if not words:
        raise InputError("a sentence has no token; want one or more: leave empty sentences out")
    for k, word in enumerate(words):
        if not isinstance(word, str):
            raise InputError(f"token {k} of {len(words)} is {word!r:.40}; want text")
    if not all(words):
        raise InputError(
            f"token {words.index('')} of {len(words)} is empty; want words: leave empty ones out"
        )
    return words


def _one_each(tags: Sequence[str], words: Sequence[str]) -> list[str]:
    if isinstance(tags, str) or len(tags) != len(words):
        raise InputError(f"{len(tags)} tags for {len(words)} tokens; want a tag for each")
    return list(tags)


def _cuts(tags: Sequence[str]) -> list[int]:
    """Return the start and end of each piece of a sentence."""
    cuts = [0]
    while len(tags) - cuts[-1] > (LONGEST if cuts == [0] else PIECE):
        begin = cuts[-1]
        most = begin + PIECE
        cuts.append(
            next(
                (
                    # A conjunction goes with the words after it, punctuation with those before it.
                    at if "CC" in ends else at + 1
                    for ends in _ENDS
                    for at in range(most - 1, begin + PIECE // 2, -1)
                    if tags[at] in ends
                ),
                most,
            )
        )
    return [*cuts, len(tags)]


def _batches(order: Sequence[int], sizes: Sequence[int]) -> Iterator[list[int]]:
    """Yield batches of sentences of similar length."""
    batch: list[int] = []
    for k in order:
        if batch and (len(batch) + 1) * sizes[k] ** 2 > _CELLS_OF_BATCH:
            yield batch
            batch = []
        batch.append(k)
    if batch:
        yield batch


def _side_by_side(trees: Sequence[Tree]) -> Tree:
    """Join trees by moving the daughters of all roots under one root."""
    if len(trees) == 1:
        return trees[0]
    labels, parents, forms = ["ROOT"], [-1], list[str | None]([None])
    for tree in trees:
        shift = len(labels) - 1
        labels += tree.labels[1:]
        parents += [parent + shift if parent else 0 for parent in tree.parents[1:]]
        forms += tree.forms[1:]
    return Tree(labels, parents, forms)


# The tagger: features of words, their suffixes, shapes and neighbours.

_MARK_TAGS = frozenset([",", ".", ":", "``", "''"])  # tags of words without a letter or digit
_FORBIDDEN_SCORE = -1e6  # below any sum of weights


class Tagger:
    """A tagger; `packed` has the arrays of the model."""

    def __init__(self, packed: Mapping[str, NDArray[np.generic]]) -> None:
        self.tags = tuple(str(tag) for tag in packed["tagger_tags"])
        self.following: Singles = packed["tagger_following"].astype(np.float32)
        self._table = Table(packed, "tagger")
        self._signs = [k for k, tag in enumerate(self.tags) if tag in _MARK_TAGS]

    def tag(
        self, sentences: Sequence[Sequence[str]], fixed: Sequence[Sequence[str] | None] = ()
    ) -> list[list[str]]:
        """Return the tags of each sentence; no sentence may be empty.

        `fixed` has the tags that words of each sentence must have, where the model knows them.
        """
        scores = self._table.sums(tag_templates(sentences)) * self._table.scale
        spoken = [any(map(str.isalnum, word)) for sentence in sentences for word in sentence]
        scores[np.ix_(spoken, self._signs)] = _FORBIDDEN_SCORE
        begin = np.cumsum([0, *map(len, sentences)])
        for first, tags in zip(begin.tolist(), fixed, strict=False):  # the last begin is the end
            for k, tag in enumerate(tags or (), start=first):
                if tag in self.tags:
                    scores[k] = _FORBIDDEN_SCORE
                    scores[k, self.tags.index(tag)] = 0
        if (kernels := chart_kernels.after(0)) is None:
            tag_numbers = [
                k for a, b in pairwise(begin) for k in best_row(scores[a:b], self.following)
            ]
        else:
            best = np.empty(len(scores), dtype=np.int64)
            between = np.ascontiguousarray(self.following[:-1].T)
            kernels.best_tags(scores, between, self.following[-1], begin, best)
            tag_numbers = best.tolist()
        return [[self.tags[k] for k in tag_numbers[a:b]] for a, b in pairwise(begin.tolist())]


def best_row(scores: Singles, following: Singles) -> list[int]:
    """Return the best tag sequence; ties go to the earlier tags, from the end.

    `scores[word, tag]` has the score of each tag for each word, `following[previous tag, tag]` that
    of each transition; its last row is for the first word.
    """
    between = np.ascontiguousarray(following[:-1].T)  # [tag, previous tag]
    value = scores[0] + following[-1]
    came = np.empty(scores.shape, dtype=np.intp)
    tags = np.arange(scores.shape[1])
    for k in range(1, len(scores)):
        both = between + value
        came[k] = both.argmax(axis=1)
        value = both[tags, came[k]] + scores[k]
    row = [int(value.argmax())]
    for k in range(len(scores) - 1, 0, -1):
        row.append(int(came[k, row[-1]]))
    return row[::-1]


def tag_templates(sentences: Sequence[Sequence[str]]) -> Templates:
    """Return the features of each word, with sentences concatenated."""
    sizes = np.array([len(sentence) for sentence in sentences], dtype=np.intp)
    # Two border words stand on each side of a sentence, so that every word has four neighbours.
    begin = np.cumsum(sizes + 4) - sizes - 2
    place = np.concatenate([np.arange(b, b + n) for b, n in zip(begin, sizes, strict=True)])
    known = word_codes(word for sentence in sentences for word in sentence)
    line = np.zeros((int((sizes + 4).sum()), len(NAMES)), dtype=np.uint64)
    for k, at in enumerate((begin - 2, begin - 1, begin + sizes, begin + sizes + 1)):
        line[at] = k + 1
    line[place] = known
    first = np.zeros(len(place), dtype=np.uint64)
    first[np.cumsum(sizes) - sizes] = 1
    own_fields, before, after = (_named(line[place + k]) for k in (0, -1, 1))
    before2, after2 = _named(line[place - 2]), _named(line[place + 2])
    # Features of the word alone, then with a neighbour, with the second neighbour, and with both.
    templates: list[tuple[Codes, ...]] = [(np.zeros_like(first),)]
    templates += [(own_fields[name],) for name in NAMES]
    templates += [(own_fields[name], first) for name in ("kind", "shape", "lower")]
    templates += [
        (own_fields["shape"], own_fields["last3"]),
        (own_fields["shape"], own_fields["last2"]),
    ]
    templates.append((own_fields["kind"], own_fields["last4"]))
    for near in (before, after):
        templates += [(near[name],) for name in ("lower", "last2", "last3", "shape", "first4")]
        templates += [(near["lower"], own_fields[name]) for name in ("lower", "last2", "kind")]
        templates += [(near[name], own_fields[name]) for name in ("last3", "shape")]
        templates.append((near["last2"], own_fields["lower"]))
    for far in (before2, after2):
        templates += [(far[name],) for name in ("lower", "last3", "shape")]
    templates += [
        (before2["lower"], before["lower"]),
        (after["lower"], after2["lower"]),
        (before["lower"], after["lower"]),
        (before["last2"], after["last2"]),
        (before["lower"], own_fields["lower"], after["lower"]),
        (before["last3"], own_fields["last2"], after["last3"]),
        (before2["lower"], before["lower"], own_fields["last2"]),
        (after["lower"], after2["lower"], own_fields["last2"]),
    ]
    out = Templates(0)
    for parts in templates:
        out.add(*parts)
    return out


def _named(codes: Codes) -> dict[str, Codes]:
    return {name: codes[:, k] for k, name in enumerate(NAMES)}
