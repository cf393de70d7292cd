"""The CoNLL-2000 conversion written down rule by rule, on nested lists, with recursion.

A node is `[label, daughters]`, a word `(tag, form)`, an empty element `None`. The result is, for
each word, its tag, chunk and trace; B for the first word and I for the others.
"""

import re

WORD_HEADS = {
    "NP": "NN|CD|PRP|JJ|DT|EX|IN|RB|VB|FW|SYM|UH|WP|WDT",
    "VP": "VB|MD|TO|JJ|NN|POS|FW|SYM",
    "PP": "IN|TO|RB|VBG|VBN|JJ|RP|CC|FW",
    "ADJP": r"JJ|RB|VB|IN|UH|FW|RP|\$|\#|DT|NN",
    "ADVP": "RB|IN|TO|DT|PDT|JJ|RP|FW|LS|UH|CC|NN|CD|VB",
    "SBAR": "IN|WDT",
    "PRT": "RP|IN|RB|JJ",
    "CONJP": "CC|IN|RB",
    "INTJ": "UH|RB|NN|VB|FW|JJ",
    "WHNP": "WDT|WP|CD|DT|IN|NN|JJ|RB",
    "WHADVP": "WRB|IN|RB|WDT",
    "WHPP": "IN|TO",
    "WHADJP": "JJ",
    "UCP": "JJ|NN|VB|CD",
    "LST": "LS|JJ|:",
    # These four stand only where a root is not pruned.
    "NAC": "NN",
    "NX": "NN|CD|PRP|JJ|DT|EX|FW|SYM|UH|WP|WDT",
    "QP": "CD|DT|NN|JJ",
    "NOLABEL": "[A-Z]|,",
}
PHRASE_HEADS = {
    "ADJP": "ADJP",
    "ADVP": "ADVP|.*-ADV",
    "CONJP": "CONJP",
    "FRAG": "FRAG|INTJ|S|VP",
    "INTJ": "S|VP|INTJ",
    "LST": "LST",
    "NOLABEL": "[A-Z]",
    "NP": "NP|NX|.*-NOM",
    "NX": "NX",
    "PP": "PP",
    "PRN": "S|VP",
    "PRT": "PRT",
    "RRC": "S|VP",
    "S": "S$|VP|.*-PRD",
    "SBAR": "SBAR|S|WH",
    "SBARQ": "SBARQ|SQ|WH",
    "SINV": "SINV|VP|SBAR",
    "SQ": "SQ|VP|S|WH",
    "UCP": "[A-Z]+P(-[-A-Z]+)?$|S",
    "VP": "VP",
    "WHADJP": "WHADJP|ADJP",
    "WHADVP": "WHADVP",
    "WHNP": "WHNP|NP",
    "WHPP": "WHPP",
    "X": "S|[A-Z]+P(-[-A-Z]+)?$",
}
IN_FRONT = {("NP", "ADJP"), ("NP", "UCP"), ("WHNP", "WHADJP"), ("ADJP", "ADVP")}


def convert(text):
    """Return (tag, chunk, trace) of each word of a tree with brackets."""
    tree = _node(iter(re.findall(r"[()]|[^\s()]+", text)[1:]))
    while tree[0] in {"", "ROOT", "S1", "TOP"} and len(tree[1]) == 1 and _is_node(tree[1][0]):
        tree = tree[1][0]
    tree[0] = tree[0] or "NOLABEL"
    heads = []
    _prune(tree, heads)
    words = []
    _collect(tree, [], words)
    return _chunked(words, heads)


def _is_node(item):
    return isinstance(item, list)


def _node(pieces):
    label, daughters = "", []
    words = []
    for piece in pieces:
        if piece == "(":
            daughters.append(_node(pieces))
        elif piece == ")":
            break
        elif not label and not daughters:
            label = piece
        else:
            words.append(piece)
    if words:
        return ("word", label, words[0], object())
    kept = [_daughter(each) for each in daughters]
    label = re.sub(r"(?<=.)-[0-9]+$", "", label)
    label = re.sub(r"(?<=.)=[0-9]+$", "", label)
    return [label, [each for each in kept if each != "gone"]]


def _daughter(item):
    if _is_node(item) or item[1] != "-NONE-":
        return item
    return None if item[2].startswith("*") else "gone"


def _category(item):
    return re.match("[A-Z]+", item[0])[0] if item[0] else "NOLABEL"


def _only_verbs_and_adverbs(before, category):
    """All of them, and at least one, can head a VP, or are adverbs or ADVPs."""

    def is_one(item):
        if item is None:
            return False
        if _is_node(item):
            return _category(item) == "ADVP"
        return bool(re.match(f"{WORD_HEADS['VP']}|RB", item[1]))

    return category == "VP" and bool(before) and all(is_one(item) for item in before)


def _prune(node, heads):
    category = _category(node)
    at = 0
    while at < len(node[1]):
        item = node[1][at]
        instead = _instead(node, category, at) if _is_node(item) else None
        if instead is None:
            at += 1
        else:
            node[1][at : at + 1] = instead
    daughters = node[1]
    wanted = WORD_HEADS.get(category)
    words = [
        item
        for item in daughters
        if (item is None and len(daughters) == 1)
        or (isinstance(item, tuple) and wanted and re.match(wanted, item[1]))
    ]
    if words:
        heads.append(words[-1])
        last = next(at for at, item in enumerate(daughters) if item is words[-1])
        if category == "VP":
            flat = []
            for place, item in enumerate(daughters):
                adverbs = _is_node(item) and _category(item) == "ADVP" and place < last
                flat += item[1] if adverbs else [item]
            node[1] = flat
    else:
        phrases = [at for at in range(len(daughters)) if _can_head(node, category, at)]
        if not _joined(daughters, category, phrases):
            phrases = phrases[:1]
        for at in phrases:
            # What heads a node and begins as its label does is called as the node.
            if _called(daughters[at]).startswith(_called(node)):
                daughters[at].append(_called(node))
    for item in node[1]:
        if _is_node(item):
            _prune(item, heads)


def _called(node):
    return node[2] if len(node) > 2 else _category(node)


def _joined(daughters, category, phrases):
    for at, item in enumerate(daughters):
        if isinstance(item, tuple) and item[1].startswith("CC") and at:
            return True
        aside = category == "VP" and _is_node(item) and _category(item) == "ADVP"
        if _is_node(item) and _category(item) == "CONJP" and at not in phrases and not aside:
            # One that could head the node, but is a possessor, does not come here: it is an NP.
            return True
    return False


def _can_head(node, category, at):
    item = node[1][at]
    wanted = PHRASE_HEADS.get(category)
    if not _is_node(item) or not wanted or not re.match(f"(?:{wanted})", item[0] or "NOLABEL"):
        return False
    if category == "VP" and _category(item) == "ADVP":
        return False
    following = node[1][at + 1] if at + 1 < len(node[1]) else None
    possessor = item[1] and isinstance(item[1][-1], tuple) and item[1][-1][1] == "POS"
    before_np = _is_node(following) and following[0].startswith("NP")
    return not (category == "NP" and possessor and before_np)


def _instead(node, category, at):
    """Return what takes the place of a daughter; None where it stays."""
    item = node[1][at]
    below = _category(item)
    before = node[1][:at]
    if below in {"NAC", "QP", "NX", "X"}:
        return item[1]
    if (category, below) in IN_FRONT and not any(_can_head(node, category, k) for k in range(at)):
        return item[1]
    if not _only_verbs_and_adverbs(before, category):
        return None
    if below == "VP":
        return item[1]
    if item[0] != "S" or len(item[1]) < 2:
        return None
    subject, second = item[1][:2]
    if not _is_node(subject) or "-SBJ" not in subject[0] or not _is_node(second):
        return None
    if re.search("-PRD$", second[0]):
        subject[0] = subject[0].replace("-SBJ", "", 1)
        return item[1]
    return item[1][1:] if subject[1] == [None] and second[0] == "VP" else None


def _collect(node, above, words):
    """List the words with the nodes above them, and which of them is first in which node."""
    path = [*above, node]
    for item in node[1]:
        if _is_node(item):
            _collect(item, path, words)
        elif item is not None:
            words.append((item, path))


def _chunked(words, heads):
    seen = []
    out = []
    for (_, tag, _, _), path in words:
        trace = []
        for node in path:
            new = not any(node is other for other in seen)
            trace.append(f"{'B' if new else 'I'}-{_called(node)}")
            seen += [node] * new
        out.append([tag, None, tuple(trace)])
    chunks = []  # from the right: the kind, and what it is counted by
    head = None
    for item, path in reversed(words):
        node = path[-1]
        if any(item is each for each in heads):
            head = node
        kind = re.sub("^WH(?=.)", "", _called(node))
        if node is head:
            chunks.append((kind, id(node)))
        elif item[1] == "POS":
            follows = chunks and (chunks[-1][0] or "").startswith("NP")
            chunks.append(("NP", chunks[-1][1] if follows else "by itself"))
        else:
            chunks.append((None, id(node)))
    chunks.reverse()
    for at, (kind, number) in enumerate(chunks):
        begins = at == 0 or chunks[at - 1][1] != number
        out[at][1] = f"{'B' if begins else 'I'}-{kind}" if kind else "O"
    return [tuple(each) for each in out]
