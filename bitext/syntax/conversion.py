"""From a Penn tree to part of speech, chunk and trace of each word, as for CoNLL-2000.

The tree is pruned (`bitext.syntax.pruning`), and each word then belongs to the constituent right
above it.

*Trace*: one element a constituent above the word, the root first: B-XP for the first word of that
XP, I-XP for the others. Function tags and indices are cut from the labels.

*Chunk*: the words are looked at from right to left. The head word of a constituent is in a chunk
of that category (of a WH-phrase: of the plain phrase). Another word joins when it is in the same
constituent as the nearest head to its right; else it is outside, O. So words to the right of the
head are outside, and so is most punctuation. A possessive 's that no head takes in begins the
NP chunk that follows it, or is one by itself.

The rules, the table and the order of the prunings are those of the published script (Sabine
Buchholz, chunklink, version 2-2-2000 for CoNLL), which made the data of that shared task. Where it
stops at a tree, there is an answer here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from bitext.errors import InputError, OptionError
from bitext.model.sentence import Token
from bitext.model.tree import Tree
from bitext.syntax.categories import EMPTY, UNLABELLED
from bitext.syntax.penn import unescape
from bitext.syntax.pruning import Pruned

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Tags", "annotate", "without_empty"]

Tags = Literal["begin", "end", "begin-end", "between"]

MOST_ELEMENTS = 50_000_000  # of the traces of a tree: it could be as deep as it is long


def annotate(tree: Tree, *, aux: bool = True, tags: Tags = "begin") -> tuple[Token, ...]:
    """Return the words of a tree with their part of speech, chunk and trace.

    Parameters
    ----------
    tree : Tree
        The tree. Its empty elements (-NONE-) are no words.
    aux : bool
        Whether the tags AUX and AUXG of older parsers are taken for those of the Penn treebank, by
        the form: `were` is VBD, `being` VBG, `may` MD, a form that is not known VB. `do` and `have`
        are VBP, and right after a modal, `to` or a form of `do`, adverbs apart, VB. Without it no
        AUX heads a VP.
    tags : str
        How places in a chunk are told. `begin`: B for the first word, I for the others. `end`: E
        for the last, I for the others. `begin-end`: B first, E last, C for a chunk of one word, I
        otherwise. `between`: B for the first word of a chunk right behind another of its category,
        I otherwise; the trace is then that of `begin`.

    Returns
    -------
    tuple of Token
        In order. Brackets are characters, not -LRB-, in the forms; tags are as in the tree.
        Empty when the tree has only empty elements.

    Raises
    ------
    InputError
        When the tree is so deep and long that the traces would have more than 50 million elements.
    OptionError
        When `tags` is another word.

    Notes
    -----
    **Source**: S. Buchholz, chunklink_2-2-2000_for_conll.pl; E. F. Tjong Kim Sang and S. Buchholz,
    Introduction to the CoNLL-2000 shared task: chunking, CoNLL 2000.

    **Departures**: the roots ROOT, S1 and TOP are stripped as a bracket without a label is, when
    they hold one constituent; the script keeps them. It also keeps, and so does this, a
    bracket without label around several, as a constituent NOLABEL. The script writes COMMA for
    a comma, in the tag too.

    Examples
    --------
    >>> from bitext.syntax.penn import parse_tree
    >>> t = parse_tree("(S (NP-SBJ (DT The) (NN plane)) (VP (MD may) (VP (VB burn))) (. .))")
    >>> for word in annotate(t):
    ...     print(word.form, word.pos, word.iob, "/".join(word.trace))
    The DT B-NP B-S/B-NP
    plane NN I-NP I-S/I-NP
    may MD B-VP I-S/B-VP
    burn VB I-VP I-S/I-VP
    . . O I-S

    """
    if tags not in _SIGNS:
        raise OptionError(f"tags {tags!r} are not known: want one of {', '.join(_SIGNS)}")
    if tree.parents == (-1,):
        tree = Tree((UNLABELLED, *tree.labels), (-1, 0), (None, *tree.forms))
    labels = tree.labels
    if aux and ("AUX" in labels or "AUXG" in labels):
        labels = _without_aux(tree)
    pruned = Pruned(tree, labels)
    words = _walk(pruned)
    tagged = [labels[node] for node in words.nodes]
    chunks, first, final = _chunks(words, pruned.category, tagged)
    traces = words.traces
    if tags == "between":
        first = [b and chunks[k] == chunks[k - 1] and k > 0 for k, b in enumerate(first)]
    if tags in {"end", "begin-end"}:
        traces = _respelled(traces, _SIGNS[tags])
    inside, opening = _SIGNS[tags]
    return tuple(
        Token(
            unescape(tree.forms[node] or ""),
            tag,
            f"{(opening if begins else inside)[ends]}-{chunk}" if chunk else "O",
            trace,
        )
        for node, tag, chunk, begins, ends, trace in zip(
            words.nodes, tagged, chunks, first, final, traces, strict=True
        )
    )


def without_empty(tree: Tree) -> Tree | None:
    """Return the tree without its empty elements (-NONE-), or None where nothing is left.

    A constituent that holds nothing else goes with them.

    Examples
    --------
    >>> from bitext.syntax.penn import parse_tree
    >>> print(without_empty(parse_tree("(S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB go))))")))
    (S (VP (TO to) (VP (VB go))))

    """
    if EMPTY not in tree.labels:
        return tree
    size = len(tree)
    stays = [
        form is not None and label != EMPTY
        for label, form in zip(tree.labels, tree.forms, strict=True)
    ]
    for node in range(size - 1, 0, -1):
        if stays[node]:
            stays[tree.parents[node]] = True
    kept = [node for node in range(size) if stays[node]]
    if not kept:
        return None
    new = dict(zip(kept, range(len(kept)), strict=True))
    new[-1] = -1
    return Tree(
        [tree.labels[node] for node in kept],
        [new[tree.parents[node]] for node in kept],
        [tree.forms[node] for node in kept],
    )


# By the kind of tags: what stands for a word within a chunk, and for its first word; each
# pair for a word that is not the last of it, and for one that is.
_SIGNS: dict[str, tuple[str, str]] = {
    "begin": ("II", "BB"),
    "end": ("IE", "IE"),
    "begin-end": ("IE", "BC"),
    "between": ("II", "BB"),
}

_BY_ITSELF = -2  # in the place of the constituent of a possessive's own chunk

_AUX_TAGS = {
    "VBZ": "is 's has does",
    "VBP": "am are 'm 're 've ai do have",
    "VBD": "was were had did 'd",
    "VBN": "been done",
    "VBG": "being having doing",
    "MD": "will wo 'll would shall sha should can ca could may might must ought",
}
_AUX_FORMS = {form: tag for tag, forms in _AUX_TAGS.items() for form in forms.split()}
_BASE = frozenset({"do", "have", "'ve"})  # forms that are VB after a modal, `to` or `do`
_DO = frozenset({"do", "does", "did"})
_PASSED_OVER = frozenset({"RB", EMPTY})  # what stands between these and the verb: `to not have`


def _without_aux(tree: Tree) -> tuple[str, ...]:
    """Return the labels of a tree with those of the Penn treebank for AUX and AUXG."""
    out = list(tree.labels)
    asks_base = False  # whether the words before ask for the base form of a verb
    for node, (label, form) in enumerate(zip(tree.labels, tree.forms, strict=True)):
        if form is None or label in _PASSED_OVER:
            continue
        word = form.casefold().replace("\u2019", "'")
        if label == "AUXG":
            out[node] = "VBG"
        elif label == "AUX":
            out[node] = "VB" if asks_base and word in _BASE else _AUX_FORMS.get(word, "VB")
        asks_base = out[node] in {"MD", "TO"} or (label == "AUX" and word in _DO)
    return tuple(out)


class _Words(NamedTuple):
    """The words of a pruned tree, in order: what is known of each.

    Attributes
    ----------
    nodes : list of int
        Its node.
    mothers : list of int
        The constituent right above it.
    heads : list of bool
        Whether it is the head word of that.
    traces : list of tuple of str

    """

    nodes: list[int]
    mothers: list[int]
    heads: list[bool]
    traces: list[tuple[str, ...]]


def _walk(pruned: Pruned) -> _Words:
    """Prune a tree from the root down, and collect its words.

    Raises
    ------
    InputError
        When the traces have too many elements together.

    """
    forms, tags, daughters, category = (
        pruned.forms,
        pruned.tags,
        pruned.daughters,
        pruned.category,
    )
    words = _Words([], [], [], [])
    mothers, depths, heads = [-1] * len(forms), [0] * len(forms), [-1] * len(forms)
    first: list[str] = []  # the constituents that are open, as the first word of each has them
    later: list[str] = []  # and as the others have them
    fresh = 0  # from where on they have no word yet
    trace: tuple[str, ...] = ()  # as the next word has it, if it has the mother
    known = -1
    elements = 0
    waiting = [pruned.root]
    while waiting:
        node = waiting.pop()
        depth = depths[node]
        if forms[node] is None:
            del first[depth:], later[depth:]
            fresh = min(fresh, depth)
            first_element, later_element = _elements(category[node])
            first.append(first_element)
            later.append(later_element)
            heads[node] = pruned.prune(node)
            for daughter in reversed(daughters[node]):
                mothers[daughter] = node
                depths[daughter] = depth + 1
                waiting.append(daughter)
            known = -1
        elif tags[node] != EMPTY:
            mother = mothers[node]
            words.nodes.append(node)
            words.mothers.append(mother)
            words.heads.append(heads[mother] == node)
            if mother == known:
                words.traces.append(trace)
                continue
            words.traces.append((*later[: min(fresh, depth)], *first[fresh:depth]))
            trace, known, fresh = tuple(later[:depth]), mother, depth
            elements += 2 * depth
            if elements > MOST_ELEMENTS:
                raise InputError(
                    f"the tree is {depth} constituents deep at word {len(words.nodes)}, and the "
                    f"traces of all words so far have more than {MOST_ELEMENTS:,} elements: split "
                    f"the sentence, or check the tree"
                )
    return words


@lru_cache(maxsize=1 << 12)
def _elements(category: str) -> tuple[str, str]:
    """Return the element of a trace for the first word of a constituent, and for the others."""
    return f"B-{category}", f"I-{category}"


def _chunks(
    words: _Words, category: Sequence[str], tags: Sequence[str]
) -> tuple[list[str], list[bool], list[bool]]:
    """Return the category of each word's chunk, and whether the word begins and ends the chunk.

    The category is empty for words outside. What is between two chunks is told by the
    constituents, outside words among them: a word with one of its own constituent to its right
    ends no chunk, even when that one is outside.
    """
    size = len(words.nodes)
    chunks = [""] * size
    begins, ends = [False] * (size + 1), [False] * size
    begins[0] = True
    head, right, after = -1, -1, ""  # the last head's mother; of the word to the right: its own
    for k in range(size - 1, -1, -1):
        mother = words.mothers[k]
        if words.heads[k]:
            head = mother
        if mother == head:
            after = _plain(category[mother])
        elif tags[k] != "POS":
            after = ""
        else:
            mother = right if after.startswith("NP") else _BY_ITSELF
            after = "NP"
        chunks[k] = after
        if mother != right:
            ends[k] = begins[k + 1] = True
            right = mother
    return chunks, begins[:size], ends


@lru_cache(maxsize=1 << 12)
def _plain(category: str) -> str:
    """Return the category of chunk: of a WH-phrase, that of the plain phrase."""
    return category[2:] if category.startswith("WH") and len(category) > 2 else category


def _respelled(traces: list[tuple[str, ...]], signs: tuple[str, str]) -> list[tuple[str, ...]]:
    """Return the traces with other signs than B and I."""
    inside, opening = signs
    out: list[tuple[str, ...]] = []
    kept = 0  # how many of the constituents above a word go on behind it
    for trace in reversed(traces):
        out.append(
            tuple(
                (opening if element[0] == "B" else inside)[depth >= kept] + element[1:]
                for depth, element in enumerate(trace)
            )
        )
        kept = sum(element[0] == "I" for element in trace)
    return out[::-1]
