"""Syntax for the sentences of a cluster that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.model.sentence import Cluster, Sentence, Token
from bitext.syntax.conversion import annotate

if TYPE_CHECKING:
    from bitext.syntax.parsers import Parser

__all__ = ["analyse"]


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
    done = {k: _kept(sentence) for k, sentence in enumerate(cluster) if _has_syntax(sentence)}
    asked = [k for k in range(len(cluster)) if k not in done]
    if asked:
        if parser is None:
            from bitext.syntax.builtin_parser import BuiltinParser

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


def _has_syntax(sentence: Sentence) -> bool:
    return sentence.tree is not None or sentence.analysed


def _kept(sentence: Sentence) -> Sentence:
    """Return a sentence with what follows from its tree, where its words have none of it."""
    if sentence.tree is None or sentence.analysed:
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
