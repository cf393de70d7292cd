"""Attach the output of a parser to the words of its input.

Parsers spell words in two ways. Those trained on running text (spaCy, benepar, stanza) expect `(`;
those that read and write trees expect `-LRB-`. `plain` and `escaped` convert words to either
spelling. The sentence keeps its own words whatever a parser returns: the tree must have exactly
these words as leaves, and output with other words is an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.errors import BitextError, FormatError, InputError, OptionError, brief, many
from bitext.model.sentence import Sentence, Token, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["at_least_one", "escaped", "numbered", "plain", "positive", "with_chunks", "with_tree"]

_BRACKETS = {
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
}
_ESCAPE = str.maketrans(_BRACKETS)
_UNKNOWN = "XX"  # the Penn tag of a word of unknown part of speech


def escaped(form: str) -> str:
    """Return the spelling of a word in a tree, without brackets and white space.

    Examples
    --------
    >>> escaped("("), escaped(":-)"), escaped("New York")
    ('-LRB-', ':--RRB-', 'New_York')

    """
    whole = "_".join(form.split()) or "_"
    return whole.encode("utf-8", "replace").decode().translate(_ESCAPE)


def plain(form: str) -> str:
    r"""Return the spelling of a word in running text: the inverse of `escaped` but for white space.

    Examples
    --------
    >>> plain("-LRB-"), plain(r"and\/or"), plain("left")
    ('(', 'and/or', 'left')

    """
    if "-" in form:
        for sign, name in _BRACKETS.items():
            form = form.replace(name, sign)
    return form.replace("\\/", "/").replace("\\*", "*") if "\\" in form else form


def with_tree(
    sentence: Sentence,
    answer: str | Tree,
    *,
    place: str,
    asked: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
) -> Sentence:
    """Return a sentence with the tree of a parser, and the chunks and traces derived from it.

    Parameters
    ----------
    sentence : Sentence
        The words.
    answer : str or Tree
        The tree, or its bracketed string.
    place : str
        The parser and the sentence, for errors.
    asked : sequence of str, optional
        The words that the parser got, if it got another spelling.
    tags : sequence of str, optional
        The part of speech of each word, if the tags of the tree are not those of the Penn treebank.

    Returns
    -------
    Sentence
        The same words, each with its part of speech, chunk and trace, and the tree of these words.

    Raises
    ------
    InputError
        When the answer is not a tree, or has other words.

    """
    from bitext.syntax.conversion import annotate

    tree = _read(answer, place) if isinstance(answer, str) else answer
    forms = sentence.forms
    found = tree.words
    if found != forms:
        _compare(forms, asked or forms, found, place)
        words = iter(forms)
        kept = [None if form is None else next(words) for form in tree.forms]
        tree = Tree(tree.labels, tree.parents, kept)
    if tags is not None:
        given = iter(tags)
        pairs = zip(tree.labels, tree.forms, strict=True)
        labels = [label if form is None else next(given) for label, form in pairs]
        tree = Tree(labels, tree.parents, tree.forms)
    tokens = annotate(tree)
    if len(tokens) != len(forms):
        raise InputError(
            f"{place}: the tree has {len(tokens)} words and {len(forms) - len(tokens)} empty "
            f"elements for {len(forms)} words: want a tree without empty elements"
        )
    tokens = tuple(
        Token(form, token.pos, token.iob, token.trace)
        for form, token in zip(forms, tokens, strict=True)
    )  # `annotate` may spell words as text has them; the sentence keeps its own
    return Sentence(tokens, id=sentence.id, text=sentence.text, source=sentence.source, tree=tree)


def with_chunks(
    sentence: Sentence, tags: Sequence[str], chunks: Sequence[str], *, place: str
) -> Sentence:
    """Return a sentence with parts of speech and chunks; the trace of a word is S, then its chunk.

    Parameters
    ----------
    sentence : Sentence
        The words.
    tags, chunks : sequence of str
        The part of speech of each word, and its chunk: `B-NP`, `I-NP`, ..., or `O`.
    place : str
        The tagger and the sentence, for errors.

    Raises
    ------
    InputError
        When the number of tags or of chunks differs from that of words.

    """
    if not len(sentence) == len(tags) == len(chunks):
        raise InputError(
            f"{place}: {len(tags)} tags and {len(chunks)} chunks for {len(sentence)} words: "
            f"want one of each a word"
        )
    tokens = [
        Token(
            form,
            pos or _UNKNOWN,
            chunk,
            ("I-S" if place_ else "B-S",) if chunk == "O" else ("I-S" if place_ else "B-S", chunk),
        )
        for place_, (form, pos, chunk) in enumerate(zip(sentence.forms, tags, chunks, strict=True))
    ]
    return Sentence(tokens, id=sentence.id, text=sentence.text, source=sentence.source)


def _name(sentence: Sentence, number: int) -> str:
    """Return the name of a sentence for errors: its number from 1, and its id if it has one."""
    return f"sentence {number}" if sentence.id is None else f"sentence {number} ({sentence.id})"


def positive(parser: str, option: str, value: float) -> float:
    """Return a number above 0, or raise an error that names the option."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        raise OptionError(f"parser {parser}: {option} is {value!r}: want a number above 0")
    return value


def at_least_one(parser: str, option: str, value: int) -> int:
    """Return an integer from 1, or raise an error that names the option."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(f"parser {parser}: {option} is {value!r}: want a whole number from 1")
    return value


def _read(answer: str, place: str) -> Tree:
    from bitext.syntax.penn import parse_tree

    try:
        return parse_tree(answer)
    except BitextError as error:
        told = error.message if isinstance(error, FormatError) else str(error)
        raise InputError(
            f"{place}: the answer {brief(answer, width=60)!r} is not one Penn tree: {told}"
        ) from error


def _compare(forms: Sequence[str], asked: Sequence[str], found: Sequence[str], place: str) -> None:
    """Refuse a tree whose words differ from those of the sentence."""
    for number, (form, sent, leaf) in enumerate(
        zip(forms, asked, found, strict=False), start=1
    ):  # the rest is told by the counts
        if leaf not in {form, sent} and _folded(leaf) not in {_folded(form), _folded(sent)}:
            raise InputError(
                f"{place}: word {number} is {form!r} in the sentence and {leaf!r} in the tree: "
                f"{_REMEDY}"
            )
    if len(found) != len(forms):
        number = min(len(found), len(forms)) + 1
        more = forms[number - 1] if len(forms) > len(found) else found[number - 1]
        where = "the sentence" if len(forms) > len(found) else "the tree"
        raise InputError(
            f"{place}: {many(len(forms), 'word')} in the sentence and {len(found)} in the tree: "
            f"word {number} of {where}, {more!r}, has no counterpart: {_REMEDY}"
        )


_REMEDY = (
    "want a parser that keeps the words it is given (switch its own tokenizer off), one leaf each"
)


def _folded(form: str) -> str:
    """Return a spelling of a word that is the same with and without the escapes of trees."""
    return plain(form).replace("``", '"').replace("''", '"')


def numbered(sentences: Iterable[Sentence]) -> list[tuple[str, Sentence]]:
    """Yield each sentence with its name for errors."""
    return [(_name(s, number), s) for number, s in enumerate(sentences, start=1)]
