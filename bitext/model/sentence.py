"""Sentences of words with their syntax, and constituency trees.

A constituency tree is in preorder, without recursion and without a limit of depth.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import overload

from bitext.errors import InputError, check_list, many
from bitext.kernels.arrays import Frozen, put, put_all

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
        put_all(self, labels=tuple(labels), parents=tuple(parents), forms=tuple(forms))
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
        return (self.labels, self.parents, self.forms) == (other.labels, other.parents, other.forms)

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
        brackets = str(self)
        return f"<Tree {brackets:.60}>"


def _escaped(form: str) -> str:
    if "(" in form or ")" in form:
        form = form.translate(_ESCAPES)
    if form.isprintable() and " " not in form and form:
        return form
    return _BLANKS.sub("_", form) or "_"


def _check(tree: Tree) -> None:
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


# Words with their syntax, sentences, and clusters of sentences on one event.


_BRACKET = re.compile(r"-[LR][RSC]B-")


def is_word(form: str) -> bool:
    """Recognise a word, a token with a letter or a digit.

    Examples
    --------
    >>> [is_word(form) for form in ("32-story", "'s", "--")]
    [True, True, False]

    """
    return form.isalnum() or any(character.isalnum() for character in form)


def folded(form: str) -> str:
    """Fold a word: ignore case, the kind of apostrophe, and the composition of letters.

    Examples
    --------
    >>> folded("Don’t"), folded("Straße")
    ("don't", 'strasse')
    >>> folded("Cafe\u0301") == folded("CAF\u00c9") == "caf\u00e9"
    True

    """
    if form.isascii():
        return form.casefold()
    decomposed = unicodedata.normalize("NFD", form).casefold()
    return unicodedata.normalize("NFC", decomposed).replace("’", "'")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a sentence with its place in the syntax.

    Attributes
    ----------
    form : str
        The word as it is written.
    pos : str
        Its part of speech; empty when unknown.
    iob : str
        Its chunk: `B-NP`, `I-NP`, ..., or `O`; empty when unknown.
    trace : tuple of str
        One element a constituent above the word, the root first: `B-XP` for the first word of the
        XP, else `I-XP`. Empty when unknown. Any iterable but a string is converted to a tuple.

    Raises
    ------
    InputError
        When a field is of another type.

    """

    form: str
    pos: str = ""
    iob: str = ""
    trace: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # The usual case needs few steps, as there are millions of tokens.
        if type(self.trace) is not tuple:
            put(self, "trace", _elements(self.trace))
        if not (type(self.form) is type(self.pos) is type(self.iob) is str):
            for name in ("form", "pos", "iob"):
                _want_text(f"the {name} of a token", getattr(self, name))
        try:
            "".join(self.trace)
        except TypeError:
            raise _wrong_trace(self.trace) from None


def _elements(trace: object) -> tuple[str, ...]:
    if isinstance(trace, str) or not isinstance(trace, Iterable):
        raise _wrong_trace(trace)
    return tuple(trace)


def _wrong_trace(trace: object) -> InputError:
    return InputError(f"the trace of a token is {trace!r:.60}: want strings, as ('B-S', 'B-NP')")


def _want_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise InputError(f"{name} is {value!r:.40} ({type(value).__name__}): want a string")


class Sentence(Frozen):
    """The tokens of a sentence, with its origin.

    Parameters
    ----------
    tokens : iterable of Token or str
        The words in order; a string is a word without syntax. One string for all words is refused.
    id : str, optional
        Its name within its cluster.
    text : str, optional
        The sentence as it was written; by default the words with spaces between.
    source : str, optional
        The document of the sentence.
    tree : Tree, optional
        Its tree over the same words. White space and punctuation within words do not count, since
        trees have their own spellings of quotes, brackets and dashes.

    Raises
    ------
    InputError
        When there is no token, a token is empty or no word, or the tree is over other words.

    Examples
    --------
    >>> s = Sentence(["Milan", "is", "beautiful"], id="s1")
    >>> len(s), s[0].form, s.text, s.analysed
    (3, 'Milan', 'Milan is beautiful', False)

    """

    __slots__ = ("id", "source", "text", "tokens", "tree")

    tokens: tuple[Token, ...]
    id: str | None
    text: str
    source: str | None
    tree: Tree | None

    def __init__(
        self,
        tokens: Iterable[Token | str],
        *,
        id: str | None = None,  # noqa: A002 - the field's own word
        text: str | None = None,
        source: str | None = None,
        tree: Tree | None = None,
    ) -> None:
        for field, value in (("id", id), ("text", text), ("source", source)):
            if value is not None:
                _want_text(f"the {field} of the sentence", value)
        name = "the sentence" if id is None else f"sentence {id!r}"
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            raise InputError(
                f"the words of {name} are {tokens!r:.40} ({type(tokens).__name__}): want a list of "
                f"words, as text.split(), or take bitext.syntax.parse_cluster([text])"
            )
        check_list(f"the words of {name}", tokens, "a list of words")
        tokens_given = tuple(
            token if isinstance(token, Token) else _token(token, k, name)
            for k, token in enumerate(tokens)
        )
        if not tokens_given:
            raise InputError(f"{name} has no words: leave it out, or give its words")
        if not all(token.form for token in tokens_given):
            place = next(i for i, token in enumerate(tokens_given) if not token.form)
            raise InputError(f"word {place + 1} of {name} is empty: leave it out")
        if tree is not None:
            _check_tree(tree, tokens_given, name)
        written = " ".join(token.form for token in tokens_given) if text is None else text
        put_all(self, tokens=tokens_given, id=id, text=written, source=source, tree=tree)

    @property
    def forms(self) -> tuple[str, ...]:
        """The words."""
        return tuple(token.form for token in self.tokens)

    @property
    def analysed(self) -> bool:
        """Whether every word has its part of speech and chunk; a trace may be empty."""
        return all(token.pos and token.iob for token in self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Token, ...]: ...
    def __getitem__(self, index: int | slice) -> Token | tuple[Token, ...]:
        return self.tokens[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash((self.tokens, self.id))

    def __repr__(self) -> str:
        excerpt = self.text if len(self.text) <= 40 else self.text[:39] + "…"
        return f"<Sentence {'' if self.id is None else self.id + ': '}{excerpt!r}>"


def _token(word: object, place: int, name: str) -> Token:
    """Make a token of a word; refuse any other value."""
    if not isinstance(word, str):
        raise InputError(
            f"word {place + 1} of {name} is {word!r:.40} ({type(word).__name__}): want a Token, or "
            f"a string"
        )
    return Token(word)


def _check_tree(tree: Tree, tokens: tuple[Token, ...], name: str) -> None:
    """Refuse a tree that is over other words."""
    if not isinstance(tree, Tree):
        raise InputError(
            f"the tree of {name} is {tree!r:.40} ({type(tree).__name__}): want a Tree, as "
            f"bitext.syntax.parse_tree makes it"
        )
    words = tree.words
    if len(words) != len(tokens):
        raise InputError(
            f"{name} has {len(tokens)} words and its tree {len(words)}: want the tree of these "
            f"words"
        )
    for k, (word, token) in enumerate(zip(words, tokens, strict=True)):
        if word != token.form and _bare(word) != _bare(token.form):
            raise InputError(
                f"word {k + 1} of {name} is {token.form!r:.40}, and {word!r:.40} in its tree: want "
                f"the tree of these words"
            )


def _bare(form: str) -> str:
    """Return the letters and digits of a word, none for brackets."""
    return "".join(filter(str.isalnum, _BRACKET.sub("", form)))


def _values(sentence: Sentence) -> tuple[object, ...]:
    return (sentence.tokens, sentence.id, sentence.text, sentence.source, sentence.tree)


class Cluster(Frozen):
    """Sentences that several sources wrote about one event, in order.

    Parameters
    ----------
    sentences : iterable of Sentence
        One or more.
    id : str, optional
        The name of the cluster.

    Raises
    ------
    InputError
        When there is no sentence, or one is not a `Sentence`.

    Examples
    --------
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["It", "burns"])], id="milan")
    >>> len(c), c.words, c[1].forms, c.names
    (2, 4, ('It', 'burns'), ['1', '2'])

    """

    __slots__ = ("id", "sentences")

    sentences: tuple[Sentence, ...]
    id: str | None

    def __init__(self, sentences: Iterable[Sentence], *, id: str | None = None) -> None:  # noqa: A002
        if id is not None:
            _want_text("the id of the cluster", id)
        if isinstance(sentences, str) or not isinstance(sentences, Iterable):
            raise InputError(
                f"the sentences of the cluster are {sentences!r:.40} ({type(sentences).__name__}): "
                f"want a list of Sentence"
            )
        check_list("the sentences of the cluster", sentences, "a list of Sentence")
        members = tuple(sentences)
        if not members:
            raise InputError("the cluster has no sentence: want one or more")
        for k, sentence in enumerate(members, start=1):
            if not isinstance(sentence, Sentence):
                raise InputError(
                    f"sentence {k} of the cluster is {sentence!r:.40} ({type(sentence).__name__}): "
                    f"want a Sentence; bitext.syntax.parse_cluster makes a cluster of texts"
                )
        put(self, "sentences", members)
        put(self, "id", id)

    @property
    def words(self) -> int:
        """The number of words of all sentences together."""
        return sum(map(len, self.sentences))

    @property
    def names(self) -> list[str]:
        """The name of each sentence: its id, or without one its number from 1."""
        return [s.id or str(k) for k, s in enumerate(self.sentences, start=1)]

    def without(self, number: int) -> Cluster:
        """Return the cluster without one of its sentences.

        Parameters
        ----------
        number : int
            The index of the sentence.

        Raises
        ------
        InputError
            When there is no such sentence, or no other one.

        Examples
        --------
        >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["It", "burns"])])
        >>> [sentence.forms for sentence in c.without(0)]
        [('It', 'burns')]

        """
        if not 0 <= number < len(self.sentences) or len(self.sentences) == 1:
            raise InputError(
                f"sentence {number} of {len(self.sentences)} cannot be left out: want the index "
                "of a sentence of a cluster of two or more"
            )
        cluster = Cluster.__new__(Cluster)  # its sentences were checked
        put(cluster, "sentences", self.sentences[:number] + self.sentences[number + 1 :])
        put(cluster, "id", self.id)
        return cluster

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def __getitem__(self, index: int) -> Sentence:
        return self.sentences[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cluster):
            return NotImplemented
        return (self.sentences, self.id) == (other.sentences, other.id)

    def __hash__(self) -> int:
        return hash((self.sentences, self.id))

    def __repr__(self) -> str:
        name = "" if self.id is None else f" {self.id!r}"
        return f"<Cluster{name}: {many(len(self), 'sentence')}, {self.words} words>"
