"""Conversion of Penn trees to part of speech, chunk and trace of each word, as for CoNLL-2000.

The tree is pruned (see below), and each word then belongs to the constituent right
above it.

*Trace*: one element for each constituent above the word, the root first: B-XP for the first word
of that XP, I-XP for the others. Function tags and indices are stripped from the labels.

*Chunk*: words are visited from right to left. The head word of a constituent is in a chunk of that
category (of a WH-phrase: of the plain phrase). Any other word joins the chunk of the nearest head
to its right if both are in the same constituent; otherwise it is outside, O. Words to the right of
the head are therefore outside, and so is most punctuation. A possessive 's that joins no head
begins the following NP chunk, or is an NP chunk by itself.

The rules, the table and the order of the prunings are those of the published script (Sabine
Buchholz, chunklink, version 2-2-2000 for CoNLL), which made the data of that shared task. This
module also converts trees at which the script stops.

**Pruning** replaces constituents by their daughters.

From the root down, the daughters of each node are visited from left to right, and a replacement of
a daughter is visited in turn:

1. NAC, QP, NX and X always;
2. ADJP and UCP in NP, WHADJP in WHNP, ADVP in ADJP, unless a possible head constituent of the node
   precedes it;
3. VP in VP if all daughters before it are verbs or adverbs, and there is at least one;
4. S in VP under the same condition, if it has at least two daughters and the first is a subject
   (-SBJ): if the second is a predicate (-PRD), by all its daughters; if the subject is a single
   empty element and the second is a VP, by all daughters but the subject;
5. finally, the ADVPs before the last head word of a VP.

Empty elements (-NONE-) take part in the pruning, and are removed afterwards. Those without a trace,
such as the empty complementizer 0, are removed first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Literal, NamedTuple

from bitext.errors import InputError, check_one_of, check_truths, check_type
from bitext.model.sentence import Token, Tree
from bitext.syntax.penn import unescape

# The table of the CoNLL-2000 conversion: labels, and the heads of each category of constituent.
#
# A head is a word whose tag begins with one of `HEADS`; if there is none, a constituent whose label
# matches `HEAD_PHRASES`. Tags are matched as prefixes: NN stands for NN, NNS, NNP and NNPS.

EMPTY = "-NONE-"  # the tag of an empty element
ROOTS = frozenset({"ROOT", "S1", "TOP"})
UNLABELLED = "NOLABEL"  # the category of a bracket without a label

HEADS: dict[str, tuple[str, ...]] = {
    "ADJP": ("JJ", "RB", "VB", "IN", "UH", "FW", "RP", "$", "#", "DT", "NN"),
    "ADVP": ("RB", "IN", "TO", "DT", "PDT", "JJ", "RP", "FW", "LS", "UH", "CC", "NN", "CD", "VB"),
    "CONJP": ("CC", "IN", "RB"),
    "INTJ": ("UH", "RB", "NN", "VB", "FW", "JJ"),
    "LST": ("LS", "JJ", ":"),
    "NAC": ("NN",),
    "NP": ("NN", "CD", "PRP", "JJ", "DT", "EX", "IN", "RB", "VB", "FW", "SYM", "UH", "WP", "WDT"),
    "NX": ("NN", "CD", "PRP", "JJ", "DT", "EX", "FW", "SYM", "UH", "WP", "WDT"),
    "PP": ("IN", "TO", "RB", "VBG", "VBN", "JJ", "RP", "CC", "FW"),
    "PRT": ("RP", "IN", "RB", "JJ"),
    "QP": ("CD", "DT", "NN", "JJ"),
    "SBAR": ("IN", "WDT"),
    "UCP": ("JJ", "NN", "VB", "CD"),
    "VP": ("VB", "MD", "TO", "JJ", "NN", "POS", "FW", "SYM"),
    "WHADJP": ("JJ",),
    "WHADVP": ("WRB", "IN", "RB", "WDT"),
    "WHNP": ("WDT", "WP", "CD", "DT", "IN", "NN", "JJ", "RB"),
    "WHPP": ("IN", "TO"),
    # Any word, commas included, whose tag the script writes as COMMA.
    UNLABELLED: (*ascii_uppercase, ","),
}

HEAD_PHRASES: dict[str, str] = {
    "ADJP": "ADJP",
    "ADVP": "ADVP|.*-ADV",
    "CONJP": "CONJP",
    "FRAG": "FRAG|INTJ|S|VP",
    "INTJ": "S|VP|INTJ",
    "LST": "LST",
    "NP": "NP|NX|.*-NOM",
    "NX": "NX",
    "PP": "PP",
    "PRN": "S|VP",
    "PRT": "PRT",
    "RRC": "S|VP",
    "S": "S$|VP|.*-PRD",
    "SBAR": "S|WH",
    "SBARQ": "SBARQ|SQ|WH",
    "SINV": "SINV|VP|SBAR",
    "SQ": "VP|S|WH",
    "UCP": "[A-Z]+P(?:-[-A-Z]+)?$|S",
    "VP": "VP",
    "WHADJP": "WHADJP|ADJP",
    "WHADVP": "WHADVP",
    "WHNP": "WHNP|NP",
    "WHPP": "WHPP",
    "X": "[A-Z]+P(?:-[-A-Z]+)?$|S",
    UNLABELLED: "[A-Z]",
}

_INDEX = re.compile(r"(.+)-[0-9]+")
_GAP = re.compile(r"(.+)=[0-9]+")
_CATEGORY = re.compile(r"[A-Z]+|[^-=|]+|.+")
_PHRASES = {category: re.compile(labels) for category, labels in HEAD_PHRASES.items()}


@lru_cache(maxsize=1 << 14)
def read_label(label: str) -> tuple[str, str]:
    """Return the label of a constituent without its indices, and its category.

    The category is the initial run of capital letters of the label; for a label that begins
    otherwise, the part before its function tags.

    Examples
    --------
    >>> read_label("NP-SBJ-1"), read_label("NP=2"), read_label("PRT|ADVP"), read_label("")
    (('NP-SBJ', 'NP'), ('NP', 'NP'), ('PRT|ADVP', 'PRT'), ('NOLABEL', 'NOLABEL'))

    """
    for ending in (_INDEX, _GAP):
        match = ending.fullmatch(label)
        label = match[1] if match else label
    match = _CATEGORY.match(label)
    return (label, match[0]) if match else (UNLABELLED, UNLABELLED)


@lru_cache(maxsize=1 << 14)
def heads_by_label(category: str, label: str) -> bool:
    """Check whether a constituent can head a category, by its label without indices.

    Examples
    --------
    >>> heads_by_label("NP", "S-NOM"), heads_by_label("S", "SBAR"), heads_by_label("S", "NP-PRD")
    (True, False, True)

    """
    labels = _PHRASES.get(category)
    return labels is not None and labels.match(label) is not None


_ALWAYS = frozenset({"NAC", "QP", "NX", "X"})
_OUTERMOST = ROOTS | {UNLABELLED}
_WORD = ("", "")  # label and category of a word
_NO_DAUGHTERS: list[int] = []
_BEFORE_HEAD = {"NP": ("ADJP", "UCP"), "WHNP": ("WHADJP",), "ADJP": ("ADVP",)}


class Pruned:
    """A tree that is pruned node by node, mothers before daughters.

    Parameters
    ----------
    tree : Tree
        The tree.
    tags : sequence of str
        The labels of its nodes; tags of words may differ from those of the tree.

    Attributes
    ----------
    forms, tags : sequence
        The form and the tag of each node.
    root : int
        The topmost node below ROOT, S1, TOP and a bracket without a label around one
        constituent.
    daughters : list of list of int
        The daughters of each node; words have none.
    category : list of str
        The category of each node other than words. A head daughter whose label begins with the
        category of its mother (SBAR-PRD in S) takes that category, as in the script.

    """

    __slots__ = ("_kinds", "_labels", "_plain", "category", "daughters", "forms", "root", "tags")

    def __init__(self, tree: Tree, tags: Sequence[str]) -> None:
        self.forms = forms = tree.forms
        self.tags = tags
        self.daughters: list[list[int]] = [[] if form is None else _NO_DAUGHTERS for form in forms]
        read = [
            read_label(tag) if form is None else _WORD
            for tag, form in zip(tags, forms, strict=True)
        ]
        self._labels = [label for label, _ in read]
        self._kinds = [category for _, category in read]
        self.category = self._kinds.copy()
        traces = EMPTY in tags
        # Shortcut for the usual case: a node of words only needs no pruning.
        self._plain = [True] * len(forms)
        for node, (mother, form) in enumerate(zip(tree.parents, forms, strict=True)):
            if mother < 0 or (traces and tags[node] == EMPTY and form and form[0] != "*"):
                continue
            self.daughters[mother].append(node)
            if form is None:
                self._plain[mother] = False
        self.root = self._topmost()
        if self._plain[self.root] and len(self.daughters[self.root]) == 1:
            # A single word is in no chunk, unless a labelled constituent contains it.
            self._kinds[self.root] = self._kinds[self.root].replace(UNLABELLED, "")

    def _topmost(self) -> int:
        node = 0
        while self._labels[node] in _OUTERMOST:
            below = self.daughters[node]
            if len(below) != 1 or self.forms[below[0]] is not None:
                break
            node = below[0]
        return node

    def prune(self, node: int) -> int:
        """Prune the daughters of a constituent; return its head word, or -1."""
        if not self._plain[node]:
            return self._prune(node)
        heads = HEADS.get(self._kinds[node], ())
        for word in reversed(self.daughters[node]):
            if self.tags[word].startswith(heads):
                return word
        return -1

    def _prune(self, node: int) -> int:
        kind = self._kinds[node]
        seen = _Seen(kind)
        rest = self.daughters[node][::-1]  # so that the next daughter is popped from the end
        while rest:
            daughter = rest.pop()
            if self.forms[daughter] is None:
                within = self._within(seen, daughter)
                if within is not None:
                    rest.extend(reversed(within))
                    continue
                self._see_phrase(seen, daughter, rest)
            else:
                self._see_word(seen, daughter)
            seen.done.append(daughter)
        if not seen.words:
            self._rename(node, seen)
        self.daughters[node] = self._without_adverb_phrases(seen)
        return seen.done[seen.words[-1]] if seen.words else -1

    def _within(self, seen: _Seen, daughter: int) -> list[int] | None:
        """Return the replacement of a constituent, or None to keep it."""
        below = self._kinds[daughter]
        if below in _ALWAYS or (below in _BEFORE_HEAD.get(seen.kind, ()) and not seen.phrases):
            return self.daughters[daughter]
        if seen.kind != "VP" or not 0 < len(seen.done) == len(seen.words) + len(seen.adverbs):
            return None
        return self.daughters[daughter] if below == "VP" else self._clause(daughter)

    def _clause(self, clause: int) -> list[int] | None:
        """Return the replacement of an S after verbs, or None to keep it."""
        parts = self.daughters[clause]
        if self._labels[clause] != "S" or len(parts) < 2:
            return None
        subject, second = parts[:2]
        if "-SBJ" not in self._labels[subject]:
            return None
        if self._labels[second].endswith("-PRD"):
            self._labels[subject] = self._labels[subject].replace("-SBJ", "", 1)
            return parts
        inside = self.daughters[subject]
        if self._labels[second] == "VP" and len(inside) == 1 and self.tags[inside[0]] == EMPTY:
            return parts[1:]
        return None

    def _see_phrase(self, seen: _Seen, daughter: int, rest: list[int]) -> None:
        below = self._kinds[daughter]
        if seen.kind == "VP" and below == "ADVP":
            seen.adverbs.append(len(seen.done))
        elif heads_by_label(seen.kind, self._labels[daughter]):
            if not (seen.kind == "NP" and rest and self._possesses(daughter, rest[-1])):
                seen.phrases.append(len(seen.done))
        elif below == "CONJP":
            seen.joined = True

    def _possesses(self, node: int, following: int) -> bool:
        """Check whether a constituent ends in a possessive and an NP follows."""
        below = self.daughters[node]
        return (
            self._labels[following].startswith("NP")
            and bool(below)
            and self.tags[below[-1]] == "POS"
        )

    def _see_word(self, seen: _Seen, word: int) -> None:
        tag, place = self.tags[word], len(seen.done)
        if tag.startswith(seen.heads):
            seen.words.append(place)
        if tag.startswith("CC") and place:
            seen.joined = True
        elif tag.startswith("RB"):
            seen.adverbs.append(place)

    def _rename(self, node: int, seen: _Seen) -> None:
        """Give head constituents the category of their mother, if their label begins with it."""
        category = self.category[node]
        for place in seen.phrases if seen.joined else seen.phrases[:1]:
            head = seen.done[place]
            if self._kinds[head].startswith(category):
                self.category[head] = category

    def _without_adverb_phrases(self, seen: _Seen) -> list[int]:
        """Return the daughters with each ADVP before the last head word of a VP replaced."""
        if seen.kind != "VP" or not seen.words or not seen.adverbs:
            return seen.done
        out: list[int] = []
        before = 0
        for place in seen.adverbs:
            adverb = seen.done[place]
            if place < seen.words[-1] and self.forms[adverb] is None:
                out += seen.done[before:place]
                out += self.daughters[adverb]
                before = place + 1
        return out + seen.done[before:]


class _Seen:
    """The visited daughters of a node.

    Attributes
    ----------
    kind : str
        The category of the node.
    heads : tuple of str
        The prefixes of tags of its head words.
    done : list of int
        The daughters after pruning.
    words, phrases, adverbs : list of int
        The indices in `done` of possible head words, of possible head constituents, and of adverbs
        (in a VP also ADVPs).
    joined : bool
        Whether one of them is a conjunction.

    """

    __slots__ = ("adverbs", "done", "heads", "joined", "kind", "phrases", "words")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.heads = HEADS.get(kind, ())
        self.done: list[int] = []
        self.words: list[int] = []
        self.phrases: list[int] = []
        self.adverbs: list[int] = []
        self.joined = False


Tags = Literal["begin", "end", "begin-end", "between"]

# Elements of the traces of a tree: without a limit, quadratic in its size
_MOST_ELEMENTS = 50_000_000


def annotate(
    tree: Tree, *, aux: bool = True, tags: Tags = "begin", most_elements: int = _MOST_ELEMENTS
) -> tuple[Token, ...]:
    """Return the words of a tree with their part of speech, chunk and trace.

    Parameters
    ----------
    tree : Tree
        The tree. Its empty elements (-NONE-) are not words.
    aux : bool
        Whether to replace the tags AUX and AUXG of older parsers by those of the Penn treebank, by
        the form: `were` is VBD, `being` VBG, `may` MD, an unknown form VB. `do` and `have` are VBP,
        but VB directly after a modal, `to` or a form of `do`, adverbs apart. Without this option no
        AUX heads a VP.
    tags : str
        The encoding of positions in a chunk. `begin`: B for the first word, I for the others.
        `end`: E for the last, I for the others. `begin-end`: B first, E last, C for a chunk of one
        word, I otherwise. `between`: B for the first word of a chunk directly after another one of
        its category, I otherwise; the trace is then that of `begin`.
    most_elements : int
        The maximum number of elements of all traces together, which bounds memory.

    Returns
    -------
    tuple of Token
        The words in order. Forms have brackets as characters, not -LRB-; tags are those of the
        tree. Empty if the tree has only empty elements.

    Raises
    ------
    InputError
        When the tree is so deep and long that the traces would have more than `most_elements`.
    OptionError
        When `tags` is unknown.

    Notes
    -----
    **Source**: S. Buchholz, chunklink_2-2-2000_for_conll.pl; E. F. Tjong Kim Sang and S. Buchholz,
    Introduction to the CoNLL-2000 shared task: chunking, CoNLL 2000.

    **Departures**: the roots ROOT, S1 and TOP around one constituent are removed, as is a bracket
    without a label; the script keeps these roots. A bracket without a label around several
    constituents becomes a constituent NOLABEL, as in the script. The script writes COMMA for a
    comma, in the tag too.

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
    check_truths(aux=aux)
    check_one_of("tags", tags, _POSITION_LETTERS, verb="are")
    check_type("the tree", tree, Tree, "a Tree, as parse_tree(text)")
    if tree.parents == (-1,):
        tree = Tree((UNLABELLED, *tree.labels), (-1, 0), (None, *tree.forms))
    labels = tree.labels
    if aux and ("AUX" in labels or "AUXG" in labels):
        labels = _without_aux(tree)
    pruned = Pruned(tree, labels)
    words = _walk(pruned, most_elements)
    tagged = [labels[node] for node in words.nodes]
    chunks, first, final = _chunks(words, pruned.category, tagged)
    traces = words.traces
    if tags == "between":
        first = [b and chunks[k] == chunks[k - 1] and k > 0 for k, b in enumerate(first)]
    if tags in {"end", "begin-end"}:
        traces = _respelled(traces, _POSITION_LETTERS[tags])
    inside, opening = _POSITION_LETTERS[tags]
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
    """Return the tree without its empty elements (-NONE-), or None if nothing remains.

    A constituent of empty elements only is removed too.

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
    kept_nodes = [node for node in range(size) if stays[node]]
    if not kept_nodes:
        return None
    new = dict(zip(kept_nodes, range(len(kept_nodes)), strict=True))
    new[-1] = -1
    return Tree(
        [tree.labels[node] for node in kept_nodes],
        [new[tree.parents[node]] for node in kept_nodes],
        [tree.forms[node] for node in kept_nodes],
    )


# For each encoding: the letters of a word inside a chunk and of its first word, each as a pair for
# words that do not end the chunk and for words that do.
_POSITION_LETTERS: dict[str, tuple[str, str]] = {
    "begin": ("II", "BB"),
    "end": ("IE", "IE"),
    "begin-end": ("IE", "BC"),
    "between": ("II", "BB"),
}

_BY_ITSELF = -2  # stands for the constituent of a possessive that is a chunk by itself

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
# Tags that may stand between these and the verb: `to not have`
_PASSED_OVER = frozenset({"RB", EMPTY})


def _without_aux(tree: Tree) -> tuple[str, ...]:
    """Return the labels of a tree, with AUX and AUXG replaced by tags of the Penn treebank."""
    out = list(tree.labels)
    asks_base = False  # whether the words before require the base form of a verb
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
    """The words of a pruned tree, in order, with their nodes and traces."""

    nodes: list[int]  # the node of each word
    mothers: list[int]  # the mother of each word
    heads: list[bool]  # whether each word is the head word of its mother
    traces: list[tuple[str, ...]]


def _walk(pruned: Pruned, most_elements: int) -> _Words:
    """Prune a tree from the root down, and collect its words.

    Raises `InputError` when the traces have too many elements together.
    """
    forms = pruned.forms
    tags = pruned.tags
    daughters = pruned.daughters
    category = pruned.category
    words = _Words([], [], [], [])
    mothers, depths, heads = [-1] * len(forms), [0] * len(forms), [-1] * len(forms)
    first: list[str] = []  # elements of the open constituents, for their first words
    later: list[str] = []  # the same for their other words
    fresh = 0  # index of the first open constituent without a word
    trace: tuple[str, ...] = ()  # trace of the next word if it has the same mother
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
            if elements > most_elements:
                raise InputError(
                    f"the tree is {depth} constituents deep at word {len(words.nodes)}, and the "
                    f"traces of all words so far have more than {most_elements:,} elements: split "
                    f"the sentence, or check the tree"
                )
    return words


@lru_cache(maxsize=1 << 12)
def _elements(category: str) -> tuple[str, str]:
    """Return the elements of traces for the first and for the other words of a constituent."""
    return f"B-{category}", f"I-{category}"


def _chunks(
    words: _Words, category: Sequence[str], tags: Sequence[str]
) -> tuple[list[str], list[bool], list[bool]]:
    """Return the category of the chunk of each word, and whether it begins and ends the chunk.

    The category is empty for words outside. Constituents decide the borders of chunks, with words
    outside included: a word does not end a chunk if the next word has the same mother, even if the
    next word is outside.
    """
    size = len(words.nodes)
    chunks = [""] * size
    begins, ends = [False] * (size + 1), [False] * size
    begins[0] = True
    # The mother of the last head; mother and chunk of the word to the right.
    head, right, after = -1, -1, ""
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
    """Return the category of a chunk; a WH-phrase counts as the plain phrase."""
    return category[2:] if category.startswith("WH") and len(category) > 2 else category


def _respelled(traces: list[tuple[str, ...]], letters: tuple[str, str]) -> list[tuple[str, ...]]:
    """Rewrite the traces with position letters other than B and I."""
    inside, opening = letters
    out: list[tuple[str, ...]] = []
    continued = 0  # number of constituents above a word that continue after it
    for trace in reversed(traces):
        out.append(
            tuple(
                (opening if element[0] == "B" else inside)[depth >= continued] + element[1:]
                for depth, element in enumerate(trace)
            )
        )
        continued = sum(element[0] == "I" for element in trace)
    return out[::-1]
