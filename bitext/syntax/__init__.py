"""Syntax of sentences: trees, chunks and traces, taggers and parsers."""

from bitext.syntax.columns import read_columns
from bitext.syntax.conversion import annotate, without_empty
from bitext.syntax.english import EnglishParser
from bitext.syntax.labelled import LabelledSentence, read_labels
from bitext.syntax.parsers import (
    PARSERS,
    Parser,
    analyse,
    parse_cluster,
    parser_named,
    sentence_of_tree,
)
from bitext.syntax.penn import parse_tree, read_trees
from bitext.syntax.tokenizer import detokenize, split_sentences, tokenize

__all__ = [
    "PARSERS",
    "EnglishParser",
    "LabelledSentence",
    "Parser",
    "analyse",
    "annotate",
    "detokenize",
    "parse_cluster",
    "parse_tree",
    "parser_named",
    "read_columns",
    "read_labels",
    "read_trees",
    "sentence_of_tree",
    "split_sentences",
    "tokenize",
    "without_empty",
]
