"""A constituency tree in preorder, without recursion and without a limit of depth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.model.frozen import Frozen, put

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Tree"]

_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_ESCAPES = str.maketrans({"(": "-LRB-", ")": "-RRB-"})


class Tree(Frozen):
    """A labelled tree over the words of a sentence.

    Nodes stand in preorder: a node before its daughters, daughters from left to right. Node 0 is
    the root. A leaf is a word with its tag as the label.

    Parameters
    ----------
    labels : iterable of str
        The label of each node; that of the root may be empty.
    parents : iterable of int
        The mother of each node; -1 for the root.
    forms : iterable of str or None
        The word of each leaf; None for every other node.

    Raises
    ------
    InputError
        When the three do not describe one tree in preorder in which exactly the leaves have words.

    Examples
    --------
    >>> t = Tree(["S", "NP", "PRP", "VP", "VBD"], [-1, 0, 1, 0, 3], [None, None, "I", None, "left"])
    >>> print(t)
    (S (NP (PRP I)) (VP (VBD left)))
    >>> t.words, t.tags
    (('I', 'left'), ('PRP', 'VBD'))
    >>> t.spans()
    [('S', 0, 2), ('NP', 0, 1), ('VP', 1, 2)]

    """

    __slots__ = ("forms", "labels", "parents")

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    forms: tuple[str | None, ...]

    def __init__(
        self, labels: Iterable[str], parents: Iterable[int], forms: Iterable[str | None]
    ) -> None:
        put(self, "labels", tuple(labels))
        put(self, "parents", tuple(parents))
        put(self, "forms", tuple(forms))
        _check(self)

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in order."""
        return tuple(form for form in self.forms if form is not None)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tag of each word."""
        return tuple(
            label for label, form in zip(self.labels, self.forms, strict=True) if form is not None
        )

    def children(self) -> list[list[int]]:
        """Return the daughters of each node, left to right."""
        out: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents[1:], start=1):
            out[parent].append(node)
        return out

    def spans(self) -> list[tuple[str, int, int]]:
        """Return label, first word and last word + 1 of every inner node, in preorder."""
        start, end, words = [0] * len(self), [0] * len(self), 0
        for node, form in enumerate(self.forms):
            start[node] = words
            words += form is not None
            end[node] = words
        for node in range(len(self) - 1, 0, -1):
            parent = self.parents[node]
            end[parent] = max(end[parent], end[node])
        return [
            (self.labels[node], start[node], end[node])
            for node, form in enumerate(self.forms)
            if form is None
        ]

    def __len__(self) -> int:
        return len(self.labels)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (self.labels, self.parents, self.forms) == (
            other.labels,
            other.parents,
            other.forms,
        )

    def __hash__(self) -> int:
        return hash((self.labels, self.parents, self.forms))

    def __str__(self) -> str:
        """Return the tree in brackets on one line.

        In words, brackets become -LRB- and -RRB-, and white space becomes _.
        """
        parts: list[str] = []
        path: list[int] = []
        for node, (label, parent, form) in enumerate(
            zip(self.labels, self.parents, self.forms, strict=True)
        ):
            while path and path[-1] != parent:
                path.pop()
                parts.append(")")
            space = " " if parts else ""
            if form is None:
                parts.append(f"{space}({label}")
                path.append(node)
            else:
                parts.append(f"{space}({_escaped(label)} {_escaped(form)})")
        return "".join(parts) + ")" * len(path)

    def __repr__(self) -> str:
        shown = str(self)
        return f"<Tree {shown:.60}>"


def _escaped(form: str) -> str:
    if "(" in form or ")" in form:
        form = form.translate(_ESCAPES)
    if form.isprintable() and " " not in form and form:
        return form
    return _BLANKS.sub("_", form) or "_"


def _check(tree: Tree) -> None:
    """Refuse arrays that are no tree in preorder."""
    if not len(tree.labels) == len(tree.parents) == len(tree.forms) or not tree.labels:
        raise InputError(
            f"{len(tree.labels)} labels, {len(tree.parents)} mothers and {len(tree.forms)} words: "
            f"want one of each a node, and a node"
        )
    path: list[int] = []
    for node, parent in enumerate(tree.parents):
        if node and tree.forms[node - 1] is None and parent != node - 1:
            raise InputError(
                f"node {node - 1} ({tree.labels[node - 1]}) has no daughter: a leaf has a word"
            )
        while path and path[-1] != parent:
            path.pop()
        if bool(path) != bool(node) or (not node and parent != -1):
            raise InputError(
                f"node {node} ({tree.labels[node]}) has the mother {parent}: want preorder, each "
                f"mother a node above that is no leaf, and one root"
            )
        if tree.forms[node] is None:
            path.append(node)
    if tree.forms[-1] is None:
        raise InputError(
            f"node {len(tree) - 1} ({tree.labels[-1]}) has no daughter: a leaf has a word"
        )
