"""Syntax of sentences: trees, chunks and traces, taggers and parsers."""

from bitext.syntax.analysis import analyse, parse_cluster, sentence_of_tree
from bitext.syntax.columns import read_columns
from bitext.syntax.conversion import annotate, without_empty
from bitext.syntax.detokenize import detokenize
from bitext.syntax.english.model import EnglishParser
from bitext.syntax.parsers import PARSERS, Parser, parser_named
from bitext.syntax.penn import parse_tree, read_trees
from bitext.syntax.sentences import split_sentences
from bitext.syntax.tokenizer import tokenize

__all__ = [
    "PARSERS",
    "EnglishParser",
    "Parser",
    "analyse",
    "annotate",
    "detokenize",
    "parse_cluster",
    "parse_tree",
    "parser_named",
    "read_columns",
    "read_trees",
    "sentence_of_tree",
    "split_sentences",
    "tokenize",
    "without_empty",
]
