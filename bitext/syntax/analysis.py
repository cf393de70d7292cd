"""Annotate sentences with syntax: raw texts, trees, and the sentences of a cluster without any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.model.sentence import Cluster, Sentence, Token
from bitext.model.tree import Tree
from bitext.syntax.conversion import annotate, without_empty
from bitext.syntax.penn import parse_tree
from bitext.syntax.tokenizer import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitext.syntax.parsers import Parser

__all__ = ["analyse", "parse_cluster", "sentence_of_tree"]


def analyse(cluster: Cluster, parser: Parser | None = None) -> Cluster:
    """Return the cluster with part of speech, chunk and trace for every word.

    Parameters
    ----------
    cluster : Cluster
        Sentences that have their syntax keep it. One that has but a tree gets the rest from it.
    parser : Parser, optional
        Gives the others theirs, all in one call; by default the built-in one of English.

    Raises
    ------
    InputError
        When a parser gives back another number of sentences, or other words, or a tree has empty
        elements.

    Examples
    --------
    >>> from bitext.model.sentence import Cluster, Sentence
    >>> from bitext.syntax.penn import parse_tree
    >>> s = Sentence(["It", "burns"], tree=parse_tree("(S (NP (PRP It)) (VP (VBZ burns)))"))
    >>> analyse(Cluster([s]))[0][1].trace
    ('I-S', 'B-VP')

    """
    done = {
        k: _with_analysis(sentence) for k, sentence in enumerate(cluster) if _has_syntax(sentence)
    }
    asked = [k for k in range(len(cluster)) if k not in done]
    if asked:
        if parser is None:
            from bitext.syntax.adapters.local import BuiltinParser

            parser = BuiltinParser()
        found = list(parser.parse([cluster[k] for k in asked]))
        if len(found) != len(asked):
            raise InputError(
                f"parser {parser.name}: {len(found)} sentences came back for {len(asked)}: want "
                f"one for each"
            )
        for k, sentence in zip(asked, found, strict=True):
            if sentence.forms != cluster[k].forms:
                raise InputError(
                    f"parser {parser.name}: sentence {k + 1} came back as {sentence.text!r:.60}, "
                    f"not {cluster[k].text!r:.60}: want the words that it was given"
                )
            done[k] = sentence
    return Cluster([done[k] for k in range(len(cluster))], id=cluster.id)


def parse_cluster(
    texts: Iterable[str],
    *,
    id: str | None = None,  # noqa: A002 - the field's own word
    parser: Parser | None = None,
) -> Cluster:
    """Return raw sentences as a cluster: their words, each with its syntax.

    Parameters
    ----------
    texts : iterable of str
        A sentence each; `split_sentences` makes them of running text.
    id : str, optional
        The name of the cluster.
    parser : Parser, optional
        By default the built-in one of English.

    Raises
    ------
    InputError
        When there is no sentence, or one has no words; as of `analyse`.

    Examples
    --------
    >>> found = parse_cluster(["Milan is beautiful.", "I went to Milan."], id="milan")
    >>> found, found[1].forms
    (<Cluster 'milan': 2 sentences, 9 words>, ('I', 'went', 'to', 'Milan', '.'))
    >>> found[0][0].pos, found[0][0].trace
    ('NNP', ('B-S', 'B-NP'))

    """
    if isinstance(texts, str):
        raise InputError("the texts are one text; want a list of sentences, as of split_sentences")
    sentences = []
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise InputError(
                f"sentence {number} is {text!r:.40} ({type(text).__name__}): want a text"
            )
        words = tokenize(text)
        if not words:
            raise InputError(f"sentence {number} is {text!r:.40}, without words: leave it out")
        sentences.append(Sentence(words, text=text))
    return analyse(Cluster(sentences, id=id), parser)


def sentence_of_tree(
    tree: str | Tree,
    *,
    id: str | None = None,  # noqa: A002 - the field's own word
    source: str | None = None,
) -> Sentence:
    """Return the sentence that a Penn tree is over, with the syntax of its words.

    Parameters
    ----------
    tree : str or Tree
        With brackets in a string. Empty elements (-NONE-) decide over chunks, as in `annotate`,
        and are no words.
    id, source : str, optional
        Of the sentence.

    Raises
    ------
    FormatError
        When the string is not one tree.
    InputError
        When it has only empty elements.

    Examples
    --------
    >>> s = sentence_of_tree("(S (NP (PRP I)) (VP (VBD left) (NP (-NONE- *))))", id="s1")
    >>> s, s[1].trace, str(s.tree)
    (<Sentence s1: 'I left'>, ('I-S', 'B-VP'), '(S (NP (PRP I)) (VP (VBD left)))')

    """
    whole = tree if isinstance(tree, Tree) else parse_tree(tree)
    visible = without_empty(whole)
    if visible is None:
        raise InputError("the tree has no words, but empty elements: leave it out")
    return Sentence(annotate(whole), id=id, source=source, tree=visible)


def _has_syntax(sentence: Sentence) -> bool:
    return sentence.tree is not None or sentence.analysed


def _with_analysis(sentence: Sentence) -> Sentence:
    """Return a sentence with chunks and traces from its tree, where its words have none."""
    whole = sentence.analysed and all(token.trace for token in sentence)
    if sentence.tree is None or whole:
        return sentence
    told = annotate(sentence.tree)
    if len(told) != len(sentence):
        raise InputError(
            f"sentence {sentence.text!r:.60} has {len(sentence)} words, and its tree {len(told)} "
            f"and empty elements (-NONE-): want neither among the words"
        )
    words = [
        Token(form, word.pos, word.iob, word.trace)
        for form, word in zip(sentence.forms, told, strict=True)
    ]
    return Sentence(
        words, id=sentence.id, text=sentence.text, source=sentence.source, tree=sentence.tree
    )
