"""Trees to train the English parser on, and how many brackets two sets of trees share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bitext.model.sentence import Tree
from bitext.syntax.english.features import tag_class
from bitext.syntax.penn import read_trees

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

__all__ = [
    "DEVELOPMENT",
    "GENRES",
    "Example",
    "examples",
    "fewer_labels",
    "joined",
    "read",
    "shared_brackets",
]

DEVELOPMENT = (
    "GUM_academic_exposure",
    "GUM_academic_librarians",
    "GUM_court_loan",
    "GUM_court_negligence",
    "GUM_interview_cyclone",
    "GUM_interview_gaming",
    "GUM_news_homeopathic",
    "GUM_news_iodine",
)
GENRES = frozenset(["academic", "court", "interview", "news"])  # those whose texts are CC BY
_PUNCTUATION = frozenset({",", ":", "``", "''", "."})
_RARE = 3  # a label of several categories that is rarer is cut to a part of it
_KEPT = frozenset({"CD", "FW", "JJ", "JJR", "JJS", "NN", "NNP", "NNPS", "NNS", "RB"})
_FALLBACK = "X"


@dataclass(slots=True)
class Example:
    """A sentence to learn from.

    `nodes` are brackets in preorder: categories from the top down (joined with `+`), first word,
    end, and daughters; a daughter is the number of a node, or -1 - k for word k.
    """

    words: list[str]
    tags: list[str]
    nodes: list[tuple[str, int, int, list[int]]]

    def mirrored(self) -> Example:
        """Return the sentence and its tree from the last word to the first."""
        size = len(self.words)
        return Example(
            self.words[::-1],
            self.tags[::-1],
            [
                (
                    label,
                    size - end,
                    size - first,
                    [k if k >= 0 else -size - 1 - k for k in below[::-1]],
                )
                for label, first, end, below in self.nodes
            ],
        )

    def daughters(self) -> Iterator[tuple[str, list[tuple[int, int, str]]]]:
        """Yield each label with its daughters: first word, end, and tag or label."""
        for label, _, _, below in self.nodes:
            yield (
                label,
                [
                    (-1 - k, -k, self.tags[-1 - k])
                    if k < 0
                    else (self.nodes[k][1], self.nodes[k][2], self.nodes[k][0])
                    for k in below
                ],
            )


def read(folder: Path, functions: Collection[str] = ()) -> tuple[dict[str, list[Tree]], int]:
    """Return the trees of each document of a folder, and how many documents are left out.

    Left out are those of genres whose texts are not licensed CC BY. The trees are without indices
    and with these functions.
    """
    out = {}
    paths = sorted(folder.glob("*.ptb"))
    taken = [path for path in paths if _genre(path.stem) in GENRES]
    for path in taken:
        with path.open(encoding="utf-8") as lines:
            out[path.stem] = [
                _cut_down(tree, functions) for _, tree in read_trees(lines, path=str(path))
            ]
    return out, len(paths) - len(taken)


def _genre(name: str) -> str:
    """Return the genre of a document: GUM_GENRE_NAME."""
    return name.removeprefix("GUM_").split("_")[0]


def _cut_down(tree: Tree, functions: Collection[str]) -> Tree:
    """Cut labels down to the category and the first function that is kept."""
    labels = []
    for label, form in zip(tree.labels, tree.forms, strict=True):
        if form is None:
            category, *others = label.split("=")[0].split("-")
            label = "-".join([category, *[f for f in others if f in functions][:1]])
        labels.append(label)
    return Tree(labels, tree.parents, tree.forms)


def joined(tree: Tree) -> Tree:
    """Return the tree with words of one phrase joined at their hyphens: `web - based` is one."""
    labels, parents, forms = list(tree.labels), tree.parents, list(tree.forms)
    gone = set()
    for k in range(1, len(labels) - 1):
        before = k - 1
        while before in gone:
            before -= 1
        if (
            labels[k] != "HYPH"
            or not parents[before] == parents[k] == parents[k + 1]
            or None in (forms[before], forms[k], forms[k + 1])
            or not (labels[before][0].isalpha() and labels[k + 1][0].isalpha())
        ):
            continue
        forms[before] = f"{forms[before]}{forms[k]}{forms[k + 1]}"
        labels[before] = labels[k + 1] if labels[k + 1] in _KEPT else "JJ"
        gone |= {k, k + 1}
    kept = [k for k in range(len(labels)) if k not in gone]
    place = {old: new for new, old in enumerate(kept)}
    return Tree(
        [labels[k] for k in kept],
        [place[parents[k]] if k else -1 for k in kept],
        [forms[k] for k in kept],
    )


def examples(trees: Iterable[Tree]) -> list[Example]:
    """Return the examples of trees: nodes over one and the same span are one node."""
    return [_example(tree) for tree in trees]


def _example(tree: Tree) -> Example:
    children = tree.children()
    parts: list[list[str]] = [[]]
    below: list[list[int]] = [[]]
    where = [(0, len(tree.words))]
    stands = {0: 0}
    spans = iter(tree.spans())
    words = 0
    for k, form in enumerate(tree.forms):
        parent = stands[tree.parents[k]] if k else 0
        if form is not None:
            below[parent].append(-1 - words)
            words += 1
            continue
        label, first, end = next(spans)
        if k and len(children[tree.parents[k]]) > 1:
            below[parent].append(len(parts))
            stands[k] = len(parts)
            parts.append([label])
            below.append([])
            where.append((first, end))
            continue
        stands[k] = parent
        if k and parts[parent][-1:] != [label]:
            parts[parent].append(label)
    return Example(
        list(tree.words),
        list(tree.tags),
        [
            ("+".join(p) or "FRAG", first, end, b)
            for p, (first, end), b in zip(parts, where, below, strict=True)
        ],
    )


def fewer_labels(data: Sequence[Example]) -> tuple[list[str], list[str], list[str], list[str]]:
    """Cut rare labels in place; return tags, labels, classes and states for a `Grammar`."""
    seen = Counter(label for example in data for label, _, _, _ in example.nodes)
    known = {label for label, n in seen.items() if n >= _RARE} | {_FALLBACK}
    for example in data:
        example.nodes = [(_cut(label, known), *rest) for label, *rest in example.nodes]  # type: ignore[misc]
    seen = Counter(label for example in data for label, _, _, _ in example.nodes)
    tags = sorted({tag for example in data for tag in example.tags})
    labels = sorted(known)
    classes = [tag_class(tag) for tag in tags]
    classes += [label if seen[label] >= 50 else _category(label.split("+")[0]) for label in labels]
    of = dict(zip([*tags, *labels], classes, strict=True))
    pairs = Counter(
        f"{_lowest(label)}|{of[symbol]}"
        for example in data
        for label, below in example.daughters()
        for _, _, symbol in below[:-1]
    )
    states = {pair for pair, n in pairs.items() if n >= 8}
    states |= {f"{_lowest(label)}|*" for label in labels}
    return tags, labels, classes, sorted(states)


def _lowest(label: str) -> str:
    return _category(label.rsplit("+", maxsplit=1)[-1])


def _category(part: str) -> str:
    return part.split("-", maxsplit=1)[0]


def _cut(label: str, known: set[str]) -> str:
    """Return the longest known row of categories at the lower end of a label, or at the upper.

    A rare function goes first.
    """
    plain = [_category(part) for part in label.split("+")]
    for parts in ([label], plain):
        for size in range(len(parts), 0, -1):
            for some in ("+".join(parts[-size:]), "+".join(parts[:size])):
                if some in known:
                    return some
    return _FALLBACK


def shared_brackets(gold: Sequence[Tree], hyp: Sequence[Tree]) -> tuple[int, int, int]:
    """Return how many labelled brackets two sets of trees share, and how many each has.

    As `evalb` counts them: without the root, without tags, and with punctuation taken out of the
    spans (by the tags of `gold`).
    """
    shared = proposed = expected = 0
    for gold_tree, hyp_tree in zip(gold, hyp, strict=True):
        place = [0]
        for tag in gold_tree.tags:
            place.append(place[-1] + (tag not in _PUNCTUATION))
        gold_set, hyp_set = (
            Counter(
                (label, place[first], place[end])
                for label, first, end in tree.spans()[1:]
                if place[first] < place[end]
            )
            for tree in (gold_tree, hyp_tree)
        )
        shared += (gold_set & hyp_set).total()
        proposed += hyp_set.total()
        expected += gold_set.total()
    return shared, proposed, expected
