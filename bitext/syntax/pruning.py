"""Pruning a tree as the CoNLL-2000 conversion does: constituents replaced by their daughters.

From the root down, the daughters of each node from left to right, and what takes the place of a
daughter is looked at in turn:

1. NAC, QP, NX and X always;
2. ADJP and UCP in NP, WHADJP in WHNP, ADVP in ADJP, when no constituent that can head the node
   stands before it;
3. VP in VP when all before it are verbs or adverbs, and there is one;
4. S in VP under the same condition, when it has at least two daughters and the first is a subject
   (-SBJ): where the second is a predicate (-PRD), by all its daughters; where the subject is an
   empty element by itself and the second is a VP, by all but the subject;
5. at last, the ADVPs before the last head word of a VP.

Empty elements (-NONE-) take part: they are cut later. Those that are no traces, as the empty
complementizer 0, are not there from the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.syntax.categories import (
    EMPTY,
    HEADS,
    ROOTS,
    UNLABELLED,
    heads_by_label,
    read_label,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.model.tree import Tree

__all__ = ["Pruned"]

_ALWAYS = frozenset({"NAC", "QP", "NX", "X"})
_OUTERMOST = ROOTS | {UNLABELLED}
_WORD = ("", "")  # in the place of label and category
_NO_DAUGHTERS: list[int] = []
_BEFORE_HEAD = {"NP": ("ADJP", "UCP"), "WHNP": ("WHADJP",), "ADJP": ("ADVP",)}


class Pruned:
    """A tree that is pruned node by node, mothers before daughters.

    Parameters
    ----------
    tree : Tree
        The tree.
    tags : sequence of str
        The labels of its nodes; those of the words may differ from the tree's own.

    Attributes
    ----------
    forms, tags : sequence
        Of each node.
    root : int
        The topmost node but for ROOT, S1, TOP and a bracket without a label around one
        constituent.
    daughters : list of list of int
        Of each node; words have none.
    category : list of str
        Of each node that is no word. A daughter that heads a constituent whose category its own
        begins with (SBAR-PRD in S) takes that category, as in the script.

    """

    __slots__ = ("_kinds", "_labels", "_plain", "category", "daughters", "forms", "root", "tags")

    def __init__(self, tree: Tree, tags: Sequence[str]) -> None:
        self.forms = forms = tree.forms
        self.tags = tags
        self.daughters: list[list[int]] = [[] if form is None else _NO_DAUGHTERS for form in forms]
        read = [
            read_label(tag) if form is None else _WORD
            for tag, form in zip(tags, forms, strict=True)
        ]
        self._labels = [label for label, _ in read]
        self._kinds = [category for _, category in read]
        self.category = self._kinds.copy()
        traces = EMPTY in tags
        # Whether a node has but words for daughters, which is most often so: nothing is pruned.
        self._plain = [True] * len(forms)
        for node, (mother, form) in enumerate(zip(tree.parents, forms, strict=True)):
            if mother < 0 or (traces and tags[node] == EMPTY and form and form[0] != "*"):
                continue
            self.daughters[mother].append(node)
            if form is None:
                self._plain[mother] = False
        self.root = self._topmost()
        if self._plain[self.root] and len(self.daughters[self.root]) == 1:
            # A word by itself is in no chunk, unless a constituent with a label holds it.
            self._kinds[self.root] = self._kinds[self.root].replace(UNLABELLED, "")

    def _topmost(self) -> int:
        node = 0
        while self._labels[node] in _OUTERMOST:
            below = self.daughters[node]
            if len(below) != 1 or self.forms[below[0]] is not None:
                break
            node = below[0]
        return node

    def prune(self, node: int) -> int:
        """Prune the daughters of a node that is no word; return its head word, or -1."""
        if not self._plain[node]:
            return self._prune(node)
        heads = HEADS.get(self._kinds[node], ())
        for word in reversed(self.daughters[node]):
            if self.tags[word].startswith(heads):
                return word
        return -1

    def _prune(self, node: int) -> int:
        kind = self._kinds[node]
        seen = _Seen(kind)
        rest = self.daughters[node][::-1]  # the next one at the end, so that nothing is moved
        while rest:
            daughter = rest.pop()
            if self.forms[daughter] is None:
                within = self._within(seen, daughter)
                if within is not None:
                    rest.extend(reversed(within))
                    continue
                self._see_phrase(seen, daughter, rest)
            else:
                self._see_word(seen, daughter)
            seen.done.append(daughter)
        if not seen.words:
            self._rename(node, seen)
        self.daughters[node] = self._without_adverb_phrases(seen)
        return seen.done[seen.words[-1]] if seen.words else -1

    def _within(self, seen: _Seen, daughter: int) -> list[int] | None:
        """Return what takes the place of a constituent, or None where it stays."""
        below = self._kinds[daughter]
        if below in _ALWAYS or (below in _BEFORE_HEAD.get(seen.kind, ()) and not seen.phrases):
            return self.daughters[daughter]
        if seen.kind != "VP" or not 0 < len(seen.done) == len(seen.words) + len(seen.adverbs):
            return None
        return self.daughters[daughter] if below == "VP" else self._clause(daughter)

    def _clause(self, clause: int) -> list[int] | None:
        """Return what takes the place of an S behind verbs, or None where it stays."""
        parts = self.daughters[clause]
        if self._labels[clause] != "S" or len(parts) < 2:
            return None
        subject, second = parts[:2]
        if "-SBJ" not in self._labels[subject]:
            return None
        if self._labels[second].endswith("-PRD"):
            self._labels[subject] = self._labels[subject].replace("-SBJ", "", 1)
            return parts
        inside = self.daughters[subject]
        if self._labels[second] == "VP" and len(inside) == 1 and self.tags[inside[0]] == EMPTY:
            return parts[1:]
        return None

    def _see_phrase(self, seen: _Seen, daughter: int, rest: list[int]) -> None:
        below = self._kinds[daughter]
        if seen.kind == "VP" and below == "ADVP":
            seen.adverbs.append(len(seen.done))
        elif heads_by_label(seen.kind, self._labels[daughter]):
            if not (seen.kind == "NP" and rest and self._possesses(daughter, rest[-1])):
                seen.phrases.append(len(seen.done))
        elif below == "CONJP":
            seen.joined = True

    def _possesses(self, node: int, following: int) -> bool:
        """Tell whether a constituent ends in a possessive and an NP follows."""
        below = self.daughters[node]
        return (
            self._labels[following].startswith("NP")
            and bool(below)
            and self.tags[below[-1]] == "POS"
        )

    def _see_word(self, seen: _Seen, word: int) -> None:
        tag, place = self.tags[word], len(seen.done)
        if tag.startswith(seen.heads):
            seen.words.append(place)
        if tag.startswith("CC") and place:
            seen.joined = True
        elif tag.startswith("RB"):
            seen.adverbs.append(place)

    def _rename(self, node: int, seen: _Seen) -> None:
        """Give the constituents that head a node its category, where theirs begins with it."""
        category = self.category[node]
        for place in seen.phrases if seen.joined else seen.phrases[:1]:
            head = seen.done[place]
            if self._kinds[head].startswith(category):
                self.category[head] = category

    def _without_adverb_phrases(self, seen: _Seen) -> list[int]:
        """Return the daughters with each ADVP before the last head word of a VP replaced."""
        if seen.kind != "VP" or not seen.words or not seen.adverbs:
            return seen.done
        out: list[int] = []
        before = 0
        for place in seen.adverbs:
            adverb = seen.done[place]
            if place < seen.words[-1] and self.forms[adverb] is None:
                out += seen.done[before:place]
                out += self.daughters[adverb]
                before = place + 1
        return out + seen.done[before:]


class _Seen:
    """What stands among the daughters of a node, as far as they are looked at.

    Attributes
    ----------
    kind : str
        The category of the node.
    heads : tuple of str
        What the tags of its head words begin with.
    done : list of int
        The daughters that stay.
    words, phrases, adverbs : list of int
        The places among them of words that can head the node, of constituents that can, and of
        adverbs and, in a VP, ADVPs.
    joined : bool
        Whether there is a conjunction.

    """

    __slots__ = ("adverbs", "done", "heads", "joined", "kind", "phrases", "words")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.heads = HEADS.get(kind, ())
        self.done: list[int] = []
        self.words: list[int] = []
        self.phrases: list[int] = []
        self.adverbs: list[int] = []
        self.joined = False
