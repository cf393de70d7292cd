"""Chunks from parts of speech alone: a grammar for nltk's `RegexpParser`.

The chunks are those of CoNLL-2000: they do not nest, end with their head, and a possessive `'s`
begins the noun phrase that follows it. The tags are those of the Penn treebank, or of OntoNotes,
which has a few more. A grammar over tags does not see words, so `that` before a clause is a PP
here, where the conversion of trees says SBAR; ADJP stands for predicates only, and particles and
conjunctions of several words follow the tag. With trees none of this is needed.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["chunk"]

# Rules are tried from the first to the last, each on what the ones before it left alone.
_PART = r"<\$|\#|CD|JJ.*|VBN|NN.*|FW|HYPH|AFX|ADD>"  # what may stand in a noun phrase
_END = "<NN.*|CD|FW|ADD>"
_NOUN = rf"""
NP:
    {{<PDT>?<DT|PRP\$|WP\$|POS><RB.*|AFX>*(<VBG>|{_PART}<CC>?)*{_END}}}
    {{(<RB.*|AFX>+(?=<JJ.*|CD|VBN>))?({_PART}<CC>?)*{_END}}}
    {{<DT|PRP\$|WP\$|POS><RB.*>*<JJ.*|VBN|VBG>+}}
    {{<PDT>?<DT|PRP|PRP\$|WP|WP\$|WDT|EX>}}
"""
_OTHER = """
VP: {<MD|TO|VB.*>(<RB.*>*<MD|TO|VB.*>)*(<CC><VB.*>)*}
ADJP: {<RB.*>*<JJ.*>(<HYPH>?<JJ.*|VBN>)*(<CC><JJ.*>)*}
PP: {<IN|TO>}
PRT: {<RP>}
ADVP: {<RB.*|WRB>+}
INTJ: {<UH>+}
LST: {<LS>}
"""


def chunk(tags: Sequence[str], *, nouns: Iterable[tuple[int, int]] | None = None) -> list[str]:
    """Return the chunk of each word.

    Parameters
    ----------
    tags : sequence of str
        The part of speech of each word.
    nouns : iterable of pair of int, optional
        Noun phrases that are known already, as first word and last word + 1, in order and apart;
        by default they are found like the rest.

    Returns
    -------
    list of str
        `B-XP` for the first word of a chunk, `I-XP` for the others of it, `O` outside.

    Examples
    --------
    >>> chunk(["DT", "NN", "POS", "NN", "MD", "RB", "VB", "IN", "NNP", "."])
    ['B-NP', 'I-NP', 'B-NP', 'I-NP', 'B-VP', 'I-VP', 'I-VP', 'B-PP', 'B-NP', 'O']
    >>> chunk(["NN", "VBZ", "JJ", "NN"], nouns=[(0, 1)])
    ['B-NP', 'B-VP', 'B-ADJP', 'O']

    """
    from nltk.tree import Tree

    leaves: list[Any] = [(str(at), _cleaned(tag)) for at, tag in enumerate(tags)]
    parser = _parser(_OTHER if nouns is not None else _NOUN + _OTHER)
    out = ["O"] * len(tags)
    for stretch in _stretches(leaves if nouns is None else _grouped(leaves, nouns)):
        for node in parser.parse(Tree("S", stretch)):
            if isinstance(node, Tree):
                for place, (at, _) in enumerate(node):
                    out[int(at)] = f"{'I' if place else 'B'}-{node.label()}"
    return out


def _stretches(nodes: list[Any]) -> Iterator[list[Any]]:
    """Cut long sentences after marks, and anywhere if need be: rules cost the square of a run."""
    begin = 0
    for at, node in enumerate(nodes, start=1):
        long = at - begin
        if long >= _LONG or (
            long >= _LONG // 4 and isinstance(node, tuple) and node[1] in {",", ".", ":"}
        ):
            yield nodes[begin:at]
            begin = at
    if begin < len(nodes):
        yield nodes[begin:]


@cache
def _parser(grammar: str) -> Any:
    from nltk.chunk.regexp import RegexpParser

    return RegexpParser(grammar, root_label="S")


def _cleaned(tag: str) -> str:
    """Keep the signs out of a tag that the grammar uses itself."""
    return tag.translate(_SIGNS) or "XX"


_LONG = 120  # words of a stretch without marks
_MARKS = {",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP"}
_SIGNS = str.maketrans("<>{}", "____")


def _grouped(leaves: list[Any], nouns: Iterable[tuple[int, int]]) -> list[Any]:
    """Put noun phrases, less marks at their ends, under nodes; a possessive begins a new one."""
    from nltk.tree import Tree

    out: list[Any] = []
    at = 0
    for first, end in nouns:
        out += leaves[at:first]
        while first < end and leaves[first][1] in _MARKS:
            out.append(leaves[first])
            first += 1
        stop = end
        while first < stop and leaves[stop - 1][1] in _MARKS:
            stop -= 1
        begins = [first, *(i for i in range(first + 1, stop) if leaves[i][1] == "POS"), stop]
        out += [Tree("NP", leaves[i:j]) for i, j in pairwise(begins) if i < j]
        out += leaves[stop:end]
        at = end
    return out + leaves[at:]
