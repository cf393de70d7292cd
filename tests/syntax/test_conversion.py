import json
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.model import Token, Tree
from bitext.syntax.conversion import annotate, without_empty
from bitext.syntax.penn import parse_tree, read_trees
from reference.chunklink_slow import convert
from reference.shared_data import data


def chunked(tree, **options):
    """Return `word:chunk:trace` of each word of a tree, with blanks between."""
    found = annotate(parse_tree(tree), **options)
    return " ".join(f"{word.form}:{word.iob}:{'/'.join(word.trace)}" for word in found)


# Each worked by hand from the rules; what it would be without the rule stands beside it.
RULES = [
    # Labels: indices and function tags are cut, a joined label is its first part.
    ("(S (NP-SBJ-1 (NN fog)) (VP=2 (VBD fell)))", "fog:B-NP:B-S/B-NP fell:B-VP:I-S/B-VP"),
    ("(PRT|ADVP (RP up))", "up:B-PRT:B-PRT"),
    ("(ADVP|PRT (RP up))", "up:B-ADVP:B-ADVP"),
    ("(S (NP|PP (NN fog)))", "fog:B-NP:B-S/B-NP"),
    # The trace: B for the first word of a constituent, I for the others.
    (
        "(S (NP (NP (NN fog)) (PP (IN at) (NP (NN sea)))))",
        "fog:B-NP:B-S/B-NP/B-NP at:B-PP:I-S/I-NP/B-PP sea:B-NP:I-S/I-NP/I-PP/B-NP",
    ),
    # 1. NAC, QP, NX and X always, however deep. Otherwise `about six` were a chunk by itself.
    (
        "(NP (QP (RB about) (CD six)) (NNS boats))",
        "about:B-NP:B-NP six:I-NP:I-NP boats:I-NP:I-NP",
    ),
    (
        "(NP (NX (NX (NN bed)) (CC and) (NN board)) (X (NAC (NNP Bonn))) (NN x))",
        "bed:B-NP:B-NP and:I-NP:I-NP board:I-NP:I-NP Bonn:I-NP:I-NP x:I-NP:I-NP",
    ),
    ("(S (X-TTL (SYM *)) (NP (NN fog)))", "*:O:B-S fog:B-NP:I-S/B-NP"),
    # But not as the root.
    ("(QP (RB about) (CD six))", "about:B-QP:B-QP six:I-QP:I-QP"),
    ("(X (NN fog))", "fog:O:B-X"),
    # 2. ADJP and UCP in NP, WHADJP in WHNP, ADVP in ADJP ...
    (
        "(NP (DT an) (ADJP (RB very) (JJ old)) (NN boat))",
        "an:B-NP:B-NP very:I-NP:I-NP old:I-NP:I-NP boat:I-NP:I-NP",
    ),
    (
        "(NP (UCP (NN state) (CC and) (JJ local)) (NN tax))",
        "state:B-NP:B-NP and:I-NP:I-NP local:I-NP:I-NP tax:I-NP:I-NP",
    ),
    (
        "(WHNP (WHADJP (WRB how) (JJ many)) (NNS boats))",
        "how:B-NP:B-WHNP many:I-NP:I-WHNP boats:I-NP:I-WHNP",
    ),
    ("(ADJP (ADVP (RB very)) (JJ old))", "very:B-ADJP:B-ADJP old:I-ADJP:I-ADJP"),
    # ... and not ADJP in WHNP, nor ADVP in NP.
    ("(WHNP (ADJP (JJ old)) (NN x))", "old:B-ADJP:B-WHNP/B-ADJP x:B-NP:I-WHNP"),
    ("(NP (ADVP (RB nearly)) (DT all))", "nearly:B-ADVP:B-NP/B-ADVP all:B-NP:I-NP"),
    # ... when no phrase that can head the node stands before it; a word does not count.
    (
        "(NP (NP (NNP Ada)) (, ,) (ADJP (CD six) (JJ old)))",
        "Ada:B-NP:B-NP/B-NP ,:O:I-NP six:B-ADJP:I-NP/B-ADJP old:I-ADJP:I-NP/I-ADJP",
    ),
    (
        "(NP (S-NOM (VP (VBG sailing))) (ADJP (JJ late)))",
        "sailing:B-VP:B-NP/B-S/B-VP late:B-ADJP:I-NP/B-ADJP",
    ),
    ("(ADJP (ADJP (JJ old)) (ADVP (RB so)))", "old:B-ADJP:B-ADJP/B-ADJP so:B-ADVP:I-ADJP/B-ADVP"),
    # A possessor before an NP cannot head; the NP can, and NPX then takes the name NP.
    (
        "(NP (NP (NN cat) (POS 's)) (NPX (NN x)) (ADJP (JJ old)))",
        "cat:B-NP:B-NP/B-NP 's:B-NP:I-NP/I-NP x:O:I-NP/B-NP old:B-ADJP:I-NP/B-ADJP",
    ),
    # 3. VP in VP, when all before it are verbs or adverbs ...
    (
        "(VP (MD may) (RB not) (VP (VB have) (ADVP (RB ever)) (VP (VBN sunk))))",
        "may:B-VP:B-VP not:I-VP:I-VP have:I-VP:I-VP ever:I-VP:I-VP sunk:I-VP:I-VP",
    ),
    # ... and there is one.
    (
        "(VP (VP (VBD rose)) (CC and) (VP (VBD sank)))",
        "rose:B-VP:B-VP/B-VP and:O:I-VP sank:B-VP:I-VP/B-VP",
    ),
    ("(VP (NP (DT this)) (VP (VBD sank)))", "this:B-NP:B-VP/B-NP sank:B-VP:I-VP/B-VP"),
    # An empty element before it is no verb.
    ("(VP (VBD was) (-NONE- *T*-1) (VP (VBN sunk)))", "was:B-VP:B-VP sunk:B-VP:I-VP/B-VP"),
    # 4. S in VP under that condition: a predicate takes the subject out with it ...
    (
        "(VP (VBD made) (S (NP-SBJ (PRP it)) (ADJP-PRD (JJ safe))))",
        "made:B-VP:B-VP it:B-NP:I-VP/B-NP safe:B-ADJP:I-VP/B-ADJP",
    ),
    # ... an empty subject goes, and the verbs are one chunk ...
    (
        "(VP (VBD tried) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sail)))))",
        "tried:B-VP:B-VP to:I-VP:I-VP sail:I-VP:I-VP",
    ),
    # ... but not where another phrase stands before, the label has a function, a subject is not
    # empty, not told, or 0, or the second daughter is no plain VP.
    (
        "(VP (VBD made) (NP (PRP us)) (S (NP-SBJ (PRP it)) (ADJP-PRD (JJ safe))))",
        "made:B-VP:B-VP us:B-NP:I-VP/B-NP it:B-NP:I-VP/B-S/B-NP safe:B-ADJP:I-VP/I-S/B-ADJP",
    ),
    (
        "(VP (VBD tried) (S-CLR (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB go)))))",
        "tried:B-VP:B-VP to:B-VP:I-VP/B-S/B-VP go:I-VP:I-VP/I-S/I-VP",
    ),
    (
        "(VP (VBD saw) (S (NP-SBJ (PRP it)) (VP (VB go))))",
        "saw:B-VP:B-VP it:B-NP:I-VP/B-S/B-NP go:B-VP:I-VP/I-S/B-VP",
    ),
    ("(VP (VBD tried) (S (VP (TO to))))", "tried:B-VP:B-VP to:B-VP:I-VP/B-S/B-VP"),
    (
        "(VP (VBD tried) (S (NP-SBJ (-NONE- 0)) (VP (TO to))))",
        "tried:B-VP:B-VP to:B-VP:I-VP/B-S/B-VP",
    ),
    (
        "(VP (VBD tried) (S (NP-SBJ (-NONE- *)) (VP-TPC (TO to))))",
        "tried:B-VP:B-VP to:B-VP:I-VP/B-S/B-VP",
    ),
    (
        "(VP (VBD made) (S (NP (PRP it)) (ADJP-PRD (JJ safe))))",
        "made:B-VP:B-VP it:B-NP:I-VP/B-S/B-NP safe:B-ADJP:I-VP/I-S/B-ADJP",
    ),
    # Indices are no functions, whichever there are.
    ("(VP (VBD tried) (S-1 (NP-SBJ (-NONE- *)) (VP-2 (TO to))))", "tried:B-VP:B-VP to:I-VP:I-VP"),
    ("(VP (VBD tried) (S=1 (NP-SBJ (-NONE- *)) (VP (TO to))))", "tried:B-VP:B-VP to:I-VP:I-VP"),
    ("(VP (VBD tried) (S=1-2 (NP-SBJ (-NONE- *)) (VP (TO to))))", "tried:B-VP:B-VP to:I-VP:I-VP"),
    # A subject that is an S becomes a plain one, and is looked at in turn.
    (
        "(VP (VBZ is) (S (S-SBJ (NP-SBJ (PRP it)) (NP-PRD (NN x))) (NP-PRD (NN y))))",
        "is:B-VP:B-VP it:B-NP:I-VP/B-NP x:B-NP:I-VP/B-NP y:B-NP:I-VP/B-NP",
    ),
    # 5. ADVPs before the last head word of a VP, and not behind it.
    (
        "(VP (ADVP (RB soon)) (VBD sank) (ADVP (RB there)))",
        "soon:B-VP:B-VP sank:I-VP:I-VP there:B-ADVP:I-VP/B-ADVP",
    ),
    # Chunks: the last word that can head is the head; what is left of it joins.
    ("(NP (NN cat) (CC and) (NN dog))", "cat:B-NP:B-NP and:I-NP:I-NP dog:I-NP:I-NP"),
    # To its right, all is outside.
    ("(NP (DT a) (NN cat) (, ,) (CC and))", "a:B-NP:B-NP cat:I-NP:I-NP ,:O:I-NP and:O:I-NP"),
    # A word joins but the nearest head, not its own beyond another.
    ("(NP (DT the) (PP (IN in)) (NN boat))", "the:O:B-NP in:B-PP:I-NP/B-PP boat:B-NP:I-NP"),
    # Without a head word, all are outside.
    ("(FRAG (NN fog) (: :))", "fog:O:B-FRAG ::O:I-FRAG"),
    ("(S (`` ``) (NP (WRB when)) ('' ''))", "``:O:B-S when:O:I-S/B-NP '':O:I-S"),
    # Neither is there one where there is but an empty element.
    ("(NP (-NONE- *T*-1))", ""),
    # WH-phrases count as the plain ones, in the chunk and not in the trace.
    (
        "(WHPP (IN of) (WHNP (WDT which)))",
        "of:B-PP:B-WHPP which:B-NP:I-WHPP/B-WHNP",
    ),
    # A possessive begins the NP that follows it, joins its own, or is one by itself.
    ("(NP (NP (NN cat) (POS 's)) (NN paw))", "cat:B-NP:B-NP/B-NP 's:B-NP:I-NP/I-NP paw:I-NP:I-NP"),
    ("(NP (NN cat) (POS 's) (NN paw))", "cat:B-NP:B-NP 's:I-NP:I-NP paw:I-NP:I-NP"),
    (
        "(NP (NP (NN cat) (POS 's)) (ADJP (JJ old)) (VP (VBD is)))",
        "cat:B-NP:B-NP/B-NP 's:B-NP:I-NP/I-NP old:B-ADJP:I-NP/B-ADJP is:B-VP:I-NP/B-VP",
    ),
    ("(VP (POS 's) (VBN gone))", "'s:B-VP:B-VP gone:I-VP:I-VP"),
    # Two chunks of a kind are told apart.
    ("(NP (NP (NN cat)) (NP (NN dog)))", "cat:B-NP:B-NP/B-NP dog:B-NP:I-NP/B-NP"),
    # Empty elements are no words, and what holds nothing else is no constituent.
    ("(S (NP-SBJ (-NONE- *)) (VP (VB go)))", "go:B-VP:B-S/B-VP"),
    (
        "(SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD sank))))",
        "sank:B-VP:B-SBAR/B-S/B-VP",
    ),
    ("(NP ($ $) (CD 5) (-NONE- *U*))", "$:B-NP:B-NP 5:I-NP:I-NP"),
    # What heads a constituent and is called as it begins takes its name, as in the script.
    (
        "(S (SBAR-PRD (IN that) (S (VP (VBD sank)))) (VP (VBZ is)))",
        "that:B-S:B-S/B-S sank:B-VP:I-S/I-S/B-S/B-VP is:B-VP:I-S/B-VP",
    ),
    (
        "(S (SBAR-PRD (IN if)) (CC and) (SBAR-PRD (IN as)))",
        "if:B-S:B-S/B-S and:O:I-S as:B-S:I-S/B-S",
    ),
    (
        "(S (SBAR-PRD (IN if)) (, ,) (SBAR-PRD (IN as)))",
        "if:B-S:B-S/B-S ,:O:I-S as:B-SBAR:I-S/B-SBAR",
    ),
    (
        "(S (SBAR-PRD (IN if)) (CONJP (RB then)) (SBAR-PRD (IN as)))",
        "if:B-S:B-S/B-S then:B-CONJP:I-S/B-CONJP as:B-S:I-S/B-S",
    ),
    (
        "(S (CC but) (SBAR-PRD (IN if)) (SBAR-PRD (IN as)))",
        "but:O:B-S if:B-S:I-S/B-S as:B-SBAR:I-S/B-SBAR",
    ),
    ("(S (SBAR-PRD (SINV (VP (VBD sank)))))", "sank:B-VP:B-S/B-S/B-S/B-VP"),
    ("(S (SBAR (IN if)) (VP (VBZ is)))", "if:B-SBAR:B-S/B-SBAR is:B-VP:I-S/B-VP"),
]

HEADS = {
    "NP": "NN NNS NNP CD PRP PRP$ JJ JJR DT EX IN RB VB VBG FW SYM UH WP WP$ WDT",
    "VP": "VB VBD MD TO JJ NN POS FW SYM",
    "PP": "IN TO RB VBG VBN JJ RP CC FW",
    "ADJP": "JJ RB VB IN UH FW RP $ # DT NN",
    "ADVP": "RB IN TO DT PDT JJ RP FW LS UH CC NN CD VB",
    "SBAR": "IN WDT",
    "PRT": "RP IN RB JJ",
    "CONJP": "CC IN RB",
    "INTJ": "UH RB NN VB FW JJ",
    "WHNP": "WDT WP CD DT IN NN JJ RB",
    "WHADVP": "WRB IN RB WDT",
    "WHPP": "IN TO",
    "WHADJP": "JJ",
    "UCP": "JJ NN VB CD",
    "LST": "LS JJ :",
    "S": "",
    "SQ": "",
    "FRAG": "",
    "PRN": "",
}
_TAGS = (
    "NN NNS NNP CD PRP PRP$ JJ JJR DT PDT EX IN RB VB VBD VBG VBN VBZ MD TO POS FW SYM UH WP "
    "WP$ WDT WRB RP CC LS $ # : , . `` '' -LRB- -RRB- HYPH"
)
TAGS = _TAGS.split()


@pytest.mark.parametrize(("tree", "expected"), RULES)
def test_each_rule(tree, expected):
    assert chunked(tree) == expected


@pytest.mark.parametrize("category", HEADS)
def test_what_can_head(category):
    heads = HEADS[category].split()
    wanted = {tag for tag in TAGS if any(tag.startswith(head) for head in heads)}
    chunk = category.removeprefix("WH")
    found = {tag for tag in TAGS if chunked(f"({category} ({tag} w))").startswith(f"w:B-{chunk}:")}
    # A possessive is in a chunk in any case.
    assert found - {"POS"} == wanted - {"POS"}
    assert chunked(f"({category} (POS 's))").split(":")[1] == (
        "B-VP" if category == "VP" else "B-NP"
    )


@pytest.mark.parametrize(
    "tree",
    [
        "(S (NP (NN fog)))",
        "( (S (NP (NN fog))))",
        "(ROOT (S (NP (NN fog))))",
        "(S1 (S (NP (NN fog))))",
        "(TOP (ROOT (S (NP (NN fog)))))",
        "( (ROOT (S (NP (NN fog)))))",
    ],
)
def test_roots_are_stripped(tree):
    assert chunked(tree) == "fog:B-NP:B-S/B-NP"


def test_a_root_around_several_stays():
    assert chunked("(ROOT (NP (NN fog)) (. .))") == "fog:B-NP:B-ROOT/B-NP .:O:I-ROOT"
    assert chunked("( (NP (NN fog)) (. .))") == "fog:B-NP:B-NOLABEL/B-NP .:O:I-NOLABEL"
    assert chunked("( (NP (NN fog)) (, ,))") == "fog:B-NP:B-NOLABEL/B-NP ,:B-NOLABEL:I-NOLABEL"
    assert chunked("( (UH oh) (NN fog))") == "oh:B-NOLABEL:B-NOLABEL fog:I-NOLABEL:I-NOLABEL"


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("(NN fog)", "fog:O:B-NOLABEL"),
        ("( (NN fog))", "fog:O:B-NOLABEL"),
        ("(ROOT (NN fog))", "fog:O:B-ROOT"),
        ("(np (NN fog) (: :))", "fog:O:B-np ::O:I-np"),
        ("(-NP- (VP (VB go)))", "go:B-VP:B--NP-/B-VP"),
        ("(WH (NN fog))", "fog:O:B-WH"),
        ("(S (-NONE- *) (-NONE- 0))", ""),
        ("(-NONE- *)", ""),
        ("(-NONE- (NN fog))", "fog:O:B--NONE-"),
    ],
)
def test_odd_trees_have_an_answer(tree, expected):
    assert chunked(tree) == expected


def test_words_are_as_people_write_them_and_tags_as_in_the_tree():
    tree = parse_tree("(NP (-LRB- -LRB-) (CD 1,000) (: :-RRB-) (, ,) (-RRB- -RCB-))")
    assert [(word.form, word.pos) for word in annotate(tree)] == [
        ("(", "-LRB-"),
        ("1,000", "CD"),
        (":)", ":"),
        (",", ","),
        ("}", "-RRB-"),
    ]


def test_aux_is_a_verb_unless_asked_otherwise():
    tree = "(S (NP (CD Two)) (VP (AUX were) (VP (AUXG being) (VP (VBN towed)))))"
    assert chunked(tree).split()[1:] == [
        "were:B-VP:I-S/B-VP",
        "being:I-VP:I-S/I-VP",
        "towed:I-VP:I-S/I-VP",
    ]
    assert [word.pos for word in annotate(parse_tree(tree))] == ["CD", "VBD", "VBG", "VBN"]
    kept = annotate(parse_tree(tree), aux=False)
    assert [word.pos for word in kept] == ["CD", "AUX", "AUXG", "VBN"]
    assert kept[1].iob == "O"
    assert kept[3].trace == ("I-S", "I-VP", "I-VP", "B-VP")


@pytest.mark.parametrize(
    ("form", "tag"),
    [
        ("Is", "VBZ"),
        ("'re", "VBP"),
        ("’s", "VBZ"),
        ("had", "VBD"),
        ("been", "VBN"),
        ("be", "VB"),
        ("have", "VBP"),
        ("do", "VBP"),
        ("Will", "MD"),
        ("wo", "MD"),
        ("’ll", "MD"),
        ("can", "MD"),
    ],
)
def test_the_tag_of_an_aux_goes_by_its_form(form, tag):
    assert annotate(parse_tree(f"(VP (AUX {form}))"))[0] == Token(form, tag, "B-VP", ("B-VP",))


@pytest.mark.parametrize(
    ("tree", "tags"),
    [
        ("(S (NP (PRP They)) (VP (MD may) (VP (AUX have) (VP (VBN left)))))", "PRP MD VB VBN"),
        ("(S (NP (PRP They)) (VP (AUX will) (VP (AUX have) (NP (NN tea)))))", "PRP MD VB NN"),
        ("(VP (TO to) (ADVP (RB not)) (VP (AUX do) (NP (DT that))))", "TO RB VB DT"),
        ("(S (NP (PRP We)) (VP (AUX do) (RB n't) (VP (AUX have) (S (NN x)))))", "PRP VBP RB VB NN"),
        ("(S (NP (NN I)) (VP (AUX do) (NP (PRP it)) (CC and) (AUX have)))", "NN VBP PRP CC VBP"),
        ("(S (VP (TO to) (VP (AUX are))))", "TO VBP"),
    ],
)
def test_do_and_have_are_base_forms_after_a_modal_to_or_do(tree, tags):
    assert [word.pos for word in annotate(parse_tree(tree))] == tags.split()


def test_other_kinds_of_tags():
    tree = "(S (NP (DT a) (NN cat)) (NP (NN dog)) (VP (VBD ran) (, ,)) (. .))"
    assert chunked(tree, tags="end") == (
        "a:I-NP:I-S/I-NP cat:E-NP:I-S/E-NP dog:E-NP:I-S/E-NP ran:I-VP:I-S/I-VP ,:O:I-S/E-VP .:O:E-S"
    )
    assert chunked(tree, tags="begin-end") == (
        "a:B-NP:B-S/B-NP cat:E-NP:I-S/E-NP dog:C-NP:I-S/C-NP ran:B-VP:I-S/B-VP ,:O:I-S/E-VP .:O:E-S"
    )
    assert chunked(tree, tags="between") == (
        "a:I-NP:B-S/B-NP cat:I-NP:I-S/I-NP dog:B-NP:I-S/B-NP ran:I-VP:I-S/B-VP ,:O:I-S/I-VP .:O:I-S"
    )
    with pytest.raises(OptionError, match="tags 'inside' are not known: want one of begin, end"):
        annotate(parse_tree(tree), tags="inside")


def test_empty_elements_can_be_cut():
    tree = parse_tree("(S (NP (-NONE- *)) (VP (VB go) (SBAR (-NONE- 0) (S (-NONE- *T*)))) (. .))")
    assert str(without_empty(tree)) == "(S (VP (VB go)) (. .))"
    assert without_empty(parse_tree("(S (NP (-NONE- *)))")) is None
    assert without_empty(parse_tree("(-NONE- *)")) is None
    full = parse_tree("(S (NN fog))")
    assert without_empty(full) is full


def test_a_deep_tree_is_converted():
    depth = 10_000  # ten times as deep as functions may call each other
    tree = parse_tree("(VP (MD x) " * depth + "(NN y)" + ")" * depth)
    found = annotate(tree)
    assert len(found) == depth + 1
    assert {word.trace for word in found[1:]} == {("I-VP",)}
    chain = annotate(parse_tree("(S " * depth + "(NN y)" + ")" * depth))
    assert chain[0].trace == ("B-S",) * depth


def test_nesting_that_is_pruned_costs_no_more_than_its_words():
    # Every X goes, and each leaves a word behind it: moving the rest would cost the square.
    depth = 30_000
    tree = parse_tree("(S " + "(X " * depth + "(NN y)" + " (NN z))" * depth + ")")
    begun = time.process_time()
    assert len(annotate(tree)) == depth + 1
    assert time.process_time() - begun < 5


_CATEGORIES = (
    "NP VP S ADVP ADJP PP SBAR UCP X QP WHNP WHADJP NX NAC SINV SQ SBARQ FRAG PRN PRT INTJ "
    "CONJP LST RRC WHADVP WHPP NP-SBJ NP-SBJ-1 S-NOM S-NOM-SBJ SBAR-PRD NP-PRD VP-PRD ADJP-PRD "
    "S-SBJ SBAR-NOM NP=2 S-1 S=1-2 SINV-PRD NP-TMP ADVP-TMP S-ADV PP-ADV VP-TPC NPB XS WH "
    "PRT|ADVP"
)
CATEGORIES = _CATEGORIES.split()
WORDS = [f"({tag} w)" for tag in TAGS] + ["(POS 's)"] * 6
EMPTIES = [f"(-NONE- {form})" for form in ("*", "*-1", "*T*-1", "0", "*U*", "x")]


def drawn(seed):
    """Return a tree of random categories and tags, with many of those that are pruned."""
    rng = random.Random(seed)

    def verbs(depth):
        subject = rng.choice(
            ["(NP-SBJ (-NONE- *-1))", "(NP-SBJ (PRP w))", "(S-SBJ (NP-SBJ (NN w)) (NP-PRD (NN w)))"]
        )
        second = rng.choice(["VP", "VP", "NP-PRD", "ADJP-PRD", "VP-1", "S"])
        return f"(S {subject} ({second} {inside(depth - 1, second)}))"

    def item(depth, category):
        draw = rng.random()
        if depth <= 0 or draw < 0.45:
            if draw < 0.05:
                return rng.choice(EMPTIES)
            verbal = category.startswith("VP") and rng.random() < 0.6
            return f"({rng.choice(['VB', 'MD', 'RB', 'TO'])} w)" if verbal else rng.choice(WORDS)
        if category.startswith("VP") and rng.random() < 0.3:
            return verbs(depth)
        below = rng.choice(CATEGORIES[: rng.choice([14, len(CATEGORIES)])])
        return f"({below} {inside(depth - 1, below)})"

    def inside(depth, category):
        return " ".join(item(depth, category) for _ in range(rng.choice([1, 1, 2, 2, 3, 3, 4])))

    top = rng.choice(["S", "VP", "NP", rng.choice(CATEGORIES)])
    beside = " (. .)" if rng.random() < 0.1 else ""
    return f"( ({top} {inside(rng.randrange(5), top)}){beside} )"


@settings(max_examples=300)
@given(st.integers(0, 1 << 40))
def test_against_the_rules_on_nested_lists(seed):
    text = drawn(seed)
    found = annotate(parse_tree(text), aux=False)
    assert [(word.pos, word.iob, word.trace) for word in found] == convert(text)


@given(st.integers(0, 1 << 40))
def test_what_holds_of_every_tree(seed):
    tree = parse_tree(drawn(seed))
    found = annotate(tree)
    assert len(found) == sum(tag != "-NONE-" for tag in tree.tags)
    last = "O"
    for place, word in enumerate(found):
        spelled = "".join(element[0] for element in word.trace)
        assert spelled == "I" * spelled.count("I") + "B" * spelled.count("B")
        assert (spelled[0] == "B") == (place == 0)
        # A chunk goes on only where one of its kind is.
        assert word.iob[0] != "I" or word.iob[2:] == last[2:]
        last = word.iob
    # The other tags say where chunks begin in the same way.
    ends = annotate(tree, tags="begin-end")
    undone = [
        ("BIBI"["BICE".index(word.iob[0])] + word.iob[1:]) if word.iob != "O" else "O"
        for word in ends
    ]
    assert undone == [word.iob for word in found]


def pairs():
    with data("chunklink", "pairs.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def spelled(words):
    """Spell words as the script prints them: tag, form, chunk, chain."""
    tags = {",": "COMMA", "-LRB-": "(", "-RRB-": ")"}
    return [
        (
            tags.get(word.pos, word.pos),
            word.form.replace(",", "COMMA"),
            word.iob,
            "/".join(word.trace),
        )
        for word in words
    ]


def test_the_published_pairs():
    found = pairs()
    assert len(found) >= 20
    for pair in found:
        rows = [(row["pos"], row["word"], row["iob"], row["chain"]) for row in pair["rows"]]
        assert spelled(annotate(parse_tree(pair["tree"]), aux=False)) == rows, pair["id"]


@pytest.mark.parametrize(
    ("tags", "key"), [("begin-end", "begin_end_combined"), ("end", "end"), ("between", "between")]
)
def test_the_published_pairs_with_other_tags(tags, key):
    for pair in pairs():
        found = annotate(parse_tree(pair["tree"]), aux=False, tags=tags)
        told = [list(row[2:]) for row in spelled(found)]
        assert told == [list(row) for row in pair[key]], pair["id"]


def test_a_corpus_against_the_rules_on_nested_lists():
    for file in sorted(data("gum").glob("GUM_news_*.ptb"))[:6]:
        with file.open(encoding="utf-8") as lines:
            for line, tree in read_trees(lines, path=file.name):
                found = annotate(tree, aux=False)
                told = [(word.pos, word.iob, word.trace) for word in found]
                assert told == convert(str(tree)), (file.name, line)


def test_traces_that_would_fill_the_memory_are_refused():
    assert annotate(Tree(["S", "NN", "NN"], [-1, 0, 0], [None, "a", "b"]), most_elements=10)
    with pytest.raises(
        InputError, match=r"2 constituents deep at word 3, .* more than 10 elements"
    ):
        annotate(parse_tree("(S (A (B b)) (A (B b)) (A (B b)))"), most_elements=10)
