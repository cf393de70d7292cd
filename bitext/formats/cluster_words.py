r"""The words of a sentence from its text, its tokens, its tree, or several of them that agree.

Text and tree are held against each other without white space, so are text and tokens, and tokens
and tree word by word. How they spell marks and brackets does not count (`bitext.syntax.spelling`),
and between text and tokens capitals do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bitext.errors import FormatError, InputError
from bitext.model import Sentence, Token
from bitext.syntax.conversion import annotate, without_empty
from bitext.syntax.penn import unescape
from bitext.syntax.spelling import folded, spelled_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.model import Tree

__all__ = ["Place", "Told", "sentence_of"]

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence or its tree stands, for messages."""

    path: str
    line: int | None = None

    def error(self, message: str) -> FormatError:
        """Make an error that names the place."""
        return FormatError(message, path=self.path, line=self.line)


@dataclass(frozen=True, slots=True)
class Told:
    """What a file tells of a sentence.

    Attributes
    ----------
    name : str
        What messages call it.
    place : Place
    text : str, optional
    tokens : sequence of str, optional
    tree : Tree, optional
    tree_place : Place, optional
        Where the tree stands, if elsewhere.
    id, source : str, optional
    analysed : Sentence, optional
        The sentence, where a file of columns gives all of it.

    """

    name: str
    place: Place
    text: str | None = None
    tokens: Sequence[str] | None = None
    tree: Tree | None = None
    tree_place: Place | None = None
    id: str | None = None
    source: str | None = None
    analysed: Sentence | None = None


def sentence_of(told: Told, *, aux: bool = True) -> Sentence:
    """Make a sentence of what is told of it.

    Its words are the tokens if there are any, else the leaves of the tree as the text spells
    them, else what the tokenizer makes of the text.

    Raises
    ------
    FormatError
        When there are no words, or two of text, tokens and tree disagree.

    """
    try:
        if told.tokens is not None and told.text is not None:
            _check_text(told, told.tokens, told.text)
        if told.tree is not None:
            return _with_tree(told, told.tree, aux=aux)
        if told.analysed is not None:
            return told.analysed
        if told.tokens is not None:
            words = [unescape(token) for token in told.tokens]
        else:
            from bitext.syntax.tokenizer import tokenize

            words = tokenize(told.text or "")
        return Sentence(words, id=told.id, text=told.text, source=told.source)
    except FormatError:
        raise
    except InputError as error:
        raise told.place.error(str(error)) from None


def _with_tree(told: Told, tree: Tree, *, aux: bool) -> Sentence:
    place = told.tree_place or told.place
    visible = without_empty(tree)
    if visible is None:
        raise place.error(f"the tree of {told.name} has no words, but empty elements: leave it out")
    tokens = annotate(tree, aux=aux)
    leaves = [token.form for token in tokens]
    given = told.tokens if told.analysed is None else told.analysed.forms
    if given is not None:
        words = _over_tokens(told, place, leaves, given)
    elif told.text is not None:
        words = _over_text(told, place, leaves, told.text)
    else:
        words = leaves
    return Sentence(
        [
            Token(word, token.pos, token.iob, token.trace)
            for word, token in zip(words, tokens, strict=True)
        ],
        id=told.id,
        text=told.text,
        source=told.source,
        tree=visible,
    )


def _over_tokens(
    told: Told, place: Place, leaves: Sequence[str], tokens: Sequence[str]
) -> list[str]:
    """Return the tokens, if the tree has the same."""
    words = [unescape(token) for token in tokens]
    for k, (leaf, word) in enumerate(zip(leaves, words, strict=False)):  # counts: below
        if leaf != word and folded(leaf) != folded(word):
            raise place.error(
                f"word {k + 1} of {told.name} is {word!r:.{_SHOWN}}, and {leaf!r:.{_SHOWN}} in its "
                f"tree{_elsewhere(told)}: want the tree of these words"
            )
    if len(leaves) != len(words):
        k = min(len(leaves), len(words))
        more, which = (leaves, "its tree") if len(leaves) > len(words) else (words, "the sentence")
        raise place.error(
            f"{told.name} has {len(words)} words and its tree {len(leaves)}{_elsewhere(told)}, "
            f"{which} goes on with {more[k]!r:.{_SHOWN}}: want the tree of these words"
        )
    return words


def _over_text(told: Told, place: Place, leaves: Sequence[str], text: str) -> list[str]:
    """Return the leaves as the text spells them, if it has them and nothing else."""
    words, rest = spelled_in(leaves, text)
    if len(words) < len(leaves):
        goes_on = f"goes on with {rest!r:.{_SHOWN}}" if rest else "has ended"
        raise place.error(
            f"word {len(words) + 1} of the tree of {told.name} is "
            f"{leaves[len(words)]!r:.{_SHOWN}}, where the text{_elsewhere(told)} {goes_on}: "
            f"want the tree of this text"
        )
    if rest:
        raise place.error(
            f"the tree of {told.name} ends with word {len(leaves)}, where the text"
            f"{_elsewhere(told)} goes on with {rest!r:.{_SHOWN}}: want the tree of this text"
        )
    return words


def _check_text(told: Told, tokens: Sequence[str], text: str) -> None:
    """Refuse tokens that are not those of the text."""
    words, rest = spelled_in([unescape(token) for token in tokens], text, case=False)
    if len(words) < len(tokens):
        goes_on = f"goes on with {rest!r:.{_SHOWN}}" if rest else "has ended"
        raise told.place.error(
            f"word {len(words) + 1} of {told.name} is {tokens[len(words)]!r:.{_SHOWN}}, where its "
            f"text {goes_on}: want the words of this text, or give one of the two"
        )
    if rest:
        raise told.place.error(
            f"{told.name} ends with word {len(tokens)}, where its text goes on with "
            f"{rest!r:.{_SHOWN}}: want the words of this text, or give one of the two"
        )


def _elsewhere(told: Told) -> str:
    """Name the sentence's own place where the tree stands in another file."""
    if told.tree_place is None:
        return ""
    line = "" if told.place.line is None else f" line {told.place.line}"
    return f" ({told.place.path}{line})"
