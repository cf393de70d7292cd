"""Words with their syntax, sentences, and clusters of sentences on one event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from bitext.errors import InputError
from bitext.model.frozen import Frozen, put

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.model.tree import Tree

__all__ = ["Cluster", "Sentence", "Token", "is_word"]


def is_word(form: str) -> bool:
    """Tell whether a token is a word, and no mark: it has a letter or a figure.

    Examples
    --------
    >>> [is_word(form) for form in ("32-story", "'s", "--")]
    [True, True, False]

    """
    return form.isalnum() or any(sign.isalnum() for sign in form)


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
        One element a constituent above the word, the root first: `B-XP` for the first word of
        that XP, else `I-XP`. Empty when unknown.

    """

    form: str
    pos: str = ""
    iob: str = ""
    trace: tuple[str, ...] = ()


class Sentence(Frozen):
    """The tokens of a sentence, and where it comes from.

    Parameters
    ----------
    tokens : iterable of Token or str
        The words in order; a string is a word without syntax.
    id : str, optional
        Its name within its cluster.
    text : str, optional
        The sentence as it was written; by default the words with spaces between.
    source : str, optional
        The document that it stands in.
    tree : Tree, optional
        Its tree; the words of the tree are its tokens.

    Raises
    ------
    InputError
        When there is no token, one is empty, or the tree is over another number of words.

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
        held = tuple(Token(token) if isinstance(token, str) else token for token in tokens)
        name = "the sentence" if id is None else f"sentence {id!r}"
        if not held:
            raise InputError(f"{name} has no words: leave it out, or give its words")
        if not all(token.form for token in held):
            place = next(i for i, token in enumerate(held) if not token.form)
            raise InputError(f"word {place + 1} of {name} is empty: leave it out")
        if tree is not None and len(tree.words) != len(held):
            raise InputError(
                f"{name} has {len(held)} words and its tree {len(tree.words)}: "
                f"want the tree of these words"
            )
        put(self, "tokens", held)
        put(self, "id", id)
        put(self, "text", " ".join(token.form for token in held) if text is None else text)
        put(self, "source", source)
        put(self, "tree", tree)

    @property
    def forms(self) -> tuple[str, ...]:
        """The words."""
        return tuple(token.form for token in self.tokens)

    @property
    def analysed(self) -> bool:
        """Whether every word has its part of speech, chunk and trace."""
        return all(token.pos and token.iob and token.trace for token in self.tokens)

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
        return _held(self) == _held(other)

    def __hash__(self) -> int:
        return hash((self.tokens, self.id))

    def __repr__(self) -> str:
        shown = self.text if len(self.text) <= 40 else self.text[:39] + "…"
        return f"<Sentence {'' if self.id is None else self.id + ': '}{shown!r}>"


def _held(sentence: Sentence) -> tuple[object, ...]:
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
        When there is no sentence.

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
        put(self, "sentences", tuple(sentences))
        put(self, "id", id)
        if not self.sentences:
            raise InputError("the cluster has no sentence: want one or more")

    @property
    def words(self) -> int:
        """The number of words of all sentences together."""
        return sum(map(len, self.sentences))

    @property
    def names(self) -> list[str]:
        """What each sentence is called: its id, or its number from 1 if that is none or empty."""
        return [s.id or str(k) for k, s in enumerate(self.sentences, start=1)]

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
        return f"<Cluster{name}: {len(self)} sentences, {self.words} words>"
