"""Trees in brackets (Penn Treebank): `(S (NP (PRP I)) (VP (VBD left)))`, any number in a file.

A tree may stand on one line or on many, and several on one line. Outer brackets may have no label,
as in `( (S ...) )`; the label of such a root is "". A word is any text without white space (blank,
tab, line end, form feed) and without brackets: brackets are written -LRB- and -RRB-, also in the
tree; `unescape` returns the character.

The parser does not recurse, and never reads a file beyond the end of the current tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from bitext.errors import FormatError, check_list, check_type
from bitext.model.sentence import Tree

# An opening bracket with its label (and with its word, for a leaf on one line), a closing bracket,
# or a single word.
_PIECE = re.compile(
    r"\([ \t\r\n\f\v]*([^ \t\r\n\f\v()]*)"
    r"(?:[ \t\r\n\f\v]+([^ \t\r\n\f\v()]+)[ \t\r\n\f\v]*\))?"
    r"|(\)|[^ \t\r\n\f\v()]+)"
)
_ESCAPED = re.compile(r"-[LR][RSC]B-")
# The escapes of brackets in trees, and the brackets.
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


def parse_tree(text: str) -> Tree:
    """Parse a string of exactly one tree.

    Raises
    ------
    FormatError
        When the string has no tree, or more than one; with line and column.

    Examples
    --------
    >>> parse_tree("( (S (NP (PRP I)) (VP (VBD left))) )").words
    ('I', 'left')

    """
    check_type("the tree", text, str, "a string, as '(S (NP (PRP I)) (VP (VBD left)))'")
    parsed: Tree | None = None
    for line, tree in read_trees(text.split("\n"), path="the tree"):
        if parsed is not None:
            raise FormatError(
                "a second tree begins; give one tree, or read them with read_trees",
                path="the tree",
                line=line,
            )
        parsed = tree
    if parsed is None:
        raise FormatError("is empty; want a tree, as (S (NP (PRP I)) ...)", path="the tree")
    return parsed


def read_trees(lines: Iterable[str], *, path: str) -> Iterator[tuple[int, Tree]]:
    """Yield the trees of a file, one at a time.

    Parameters
    ----------
    lines : iterable of str
        The lines of a file, with or without their ends.
    path : str
        The name of the file, for messages.

    Yields
    ------
    tuple of int and Tree
        The line at which the tree begins, counted from 1, and the tree.

    Raises
    ------
    FormatError
        When brackets are unbalanced or empty, a word is outside of brackets, beside another word
        or beside daughters, or a node other than the root has no label; with line and column.

    Examples
    --------
    >>> for line, tree in read_trees(["(NP (DT the)", "  (NN end))", "(UH oh)"], path="a.mrg"):
    ...     print(line, tree)
    1 (NP (DT the) (NN end))
    3 (UH oh)

    """
    check_list("the lines", lines, "the lines of the file, as open(path)")
    labels: list[str] = []
    parents: list[int] = []
    forms: list[str | None] = []
    opened: list[int] = []  # nodes with open brackets
    top = -1  # the innermost open node
    barred = False  # whether it takes no daughter: it has a word, or lacks a required label
    begins = number = 0
    line = ""
    bare = _Place(path, 0, "", 0)  # position of the bracket without its required label
    pieces = _PIECE.findall
    for number, line in enumerate(lines, start=1):
        for k, (label, word, piece) in enumerate(pieces(line)):
            if not piece:
                if barred:
                    here = _Place(path, number, line, k)
                    raise _misplaced(here if forms[top] else bare, labels, forms, top)
                if top < 0:
                    begins = number
                labels.append(label)
                parents.append(top)
                if not word:
                    barred = top >= 0 and not label
                    bare = _Place(path, number, line, k) if barred else bare
                    forms.append(None)
                    top = len(labels) - 1
                    opened.append(top)
                    continue
                forms.append(word)
                if top >= 0:
                    continue
            elif piece != ")":
                barred = _set_label_or_word(
                    _Place(path, number, line, k), labels, forms, top, piece
                )
                continue
            else:
                if top < 0 or (top == len(labels) - 1 and forms[top] is None):
                    raise _misplaced(_Place(path, number, line, k), labels, forms, top, piece)
                barred = False
                opened.pop()
                if opened:
                    top = opened[-1]
                    continue
            yield begins, Tree(labels, parents, forms)
            labels, parents, forms = [], [], []
            top = -1
    if opened:
        raise _unclosed(_Place(path, number, line, 0), begins, len(opened))


def unescape(form: str) -> str:
    """Return a word with its brackets as characters.

    Examples
    --------
    >>> unescape("-LRB-"), unescape(":-RRB-"), unescape("well-to-do")
    ('(', ':)', 'well-to-do')

    """
    if "B-" not in form:
        return form
    return _ESCAPED.sub(lambda match: BRACKETS[match[0]], form)


class _Place(NamedTuple):
    """The k-th piece of a line."""

    path: str
    number: int
    line: str
    k: int

    def error(self, message: str) -> FormatError:
        """Return an error with line and column; the column is computed only here."""
        column = next(islice(_PIECE.finditer(self.line), self.k, None)).start() + 1
        return FormatError(message, path=self.path, line=self.number, column=column)


def _unclosed(place: _Place, begins: int, opened: int) -> FormatError:
    brackets = "1 bracket is" if opened == 1 else f"{opened} brackets are"
    return FormatError(
        f"ends within the tree that begins in line {begins}: {brackets} open; close what is "
        f"open, or take the tree out",
        path=place.path,
        line=place.number,
        column=len(place.line.rstrip("\r\n")) + 1,
    )


def _set_label_or_word(
    place: _Place, labels: list[str], forms: list[str | None], top: int, piece: str
) -> bool:
    """Set the label or the word of the innermost open bracket; return whether it is a word."""
    if top < 0 or top != len(labels) - 1 or forms[top] is not None:
        raise _misplaced(place, labels, forms, top, piece)
    if labels[top]:
        forms[top] = piece
        return True
    labels[top] = piece
    return False


def _misplaced(
    place: _Place, labels: list[str], forms: list[str | None], top: int, piece: str = "("
) -> FormatError:
    if top < 0:
        if piece == ")":
            return place.error("closes a bracket that was never opened; take it out")
        return place.error(f"the word {piece!r:.40} stands outside of brackets; want (TAG WORD)")
    label, word = labels[top], forms[top]
    if piece == ")":
        inside = f"({label:.40})" if label else "()"
        return place.error(f"{inside} has neither a word nor daughters; want (TAG WORD)")
    if word is not None:
        if piece == "(":
            return place.error(
                f"the leaf {label:.40} has the word {word!r:.40} and a daughter; want one of them"
            )
        return place.error(
            f"the leaf {label:.40} has the words {word!r:.40} and {piece!r:.40}; want one word a "
            f"leaf, without blanks"
        )
    if piece == "(":
        return place.error(
            "a bracket within a tree has no label; only that of the root may have none"
        )
    return place.error(
        f"the word {piece!r:.40} stands beside the daughters of {label or 'the root':.40}; want it "
        f"in a leaf of its own, (TAG WORD)"
    )
