"""Random TMX files, regular and not, for tests that read them in two ways.

Each strategy is made once: hypothesis looks into every new one, which takes longer than drawing.
"""

import functools

from hypothesis import strategies as st

from reference.draw import some_of

WORDS = [
    "a",
    "b c",
    "R&amp;D",
    "&lt;b&gt;",
    "&#233;",
    "&#x1F600;",
    "😀",
    "é",
    " ",
    "\n",
    "\n  ",
    ">",
    "",
]
ODD_WORDS = [
    "&quot;",
    "&apos;",
    "&#10; ",
    "&#13;",
    "\t",
    "]]",
    "<!-- c -->",
    "<![CDATA[<]]>",
    "\r\n",
]
VALUES = ["1", "x&amp;y", "", "two words", "&#10;", "begin", "end"]
LANGS = ["en", "fr", "EN", "en-GB", "de"]

text = some_of(WORDS * 3 + ODD_WORDS, most=4).map("".join)
value = st.sampled_from(VALUES)


def attributes(names):
    """Return a few attributes, in any order, each once."""
    pairs = some_of([(name, given) for name in names for given in VALUES], most=3)
    return pairs.map(lambda some: "".join(f' {name}="{held}"' for name, held in dict(some).items()))


CODES = [
    '<bpt i="1" x="1">&lt;b&gt;</bpt>',
    '<ept i="1">&lt;/b&gt;</ept>',
    '<ph x="2"/>',
    '<ph x="2"></ph>',
    '<it pos="begin">{</it>',
    "<hi>h</hi>",
    '<hi type="x">h<ph>p</ph></hi>',
    "<ut>{\\i}</ut>",
    '<ph x="3">a<sub>flow</sub>b</ph>',
    "<bpt>q</bpt>",
    '<g id="1">g</g>',
    '<x id="2"/>',
    "<ph x='3'>&lt;i></ph>",
    '<it pos="middle">m</it>',
    "<sub>s</sub>",
    '<ept i="1" x="2">z</ept>',
    "<ph>a<ph>b</ph></ph>",
    "<ph>a<hi>b</hi></ph>",
    "<hi>a<hi>b</hi><hi/></hi>",
    "<hi><sub>a</sub></hi>",
    '<ut x="1">a<sub>b<hi>c</hi><ph>d<sub type="t"/></ph></sub></ut>',
    "<ph>a<sub>b<sub>c</sub></sub></ph>",
    "<ut>a</ph>",
    '<ph x="a&quot;b">c</ph>&quot;',
]
code = st.sampled_from(CODES)
regular_code = st.sampled_from(
    ['<bpt i="1" x="1">&lt;b&gt;</bpt>', '<ept i="1">&lt;/b&gt;</ept>', '<ph x="2"/>']
)
marked = st.lists(st.one_of(text, regular_code, code), max_size=4).map("".join)
segment = st.one_of(text, text, marked)
prop = st.tuples(
    st.sampled_from(["x-score", "a", "a", "b#2", "x-column-z"]),
    st.sampled_from(["0.5", "nan", "q&amp;", "", " "]),
).map(lambda t: f'<prop type="{t[0]}">{t[1]}</prop>')
note = st.sampled_from(["<note>n</note>", '<note xml:lang="en">n</note>'])
extras = st.lists(st.one_of(prop, note), max_size=2).map("".join)
space = st.sampled_from(["", "\n", "\n  "])
some_extras = st.just("") | extras
LANG_KEYS = st.sampled_from(["xml:lang", "xml:lang", "xml:lang", "lang"])
OF_VARIANTS = st.just("") | attributes(["creationdate", "changeid"])
OF_UNITS = st.just("") | attributes(["tuid", "datatype", "srclang"])
BODIES = st.sampled_from(
    ["{x}<seg>{t}</seg>"] * 8
    + ["{x}<seg>{t}</seg><seg>{t}</seg>", "{t}", "<seg xml:space='preserve'>{t}</seg>", "{x}"]
)
LANGS_OF_UNITS = st.sampled_from(
    [["en", "fr"]] * 6
    + [["fr", "en"], ["en"], ["fr"], ["en", "en-GB", "fr"], ["en", "fr", "de"], [], [""]]
)


@functools.cache
@st.composite
def variants(draw, lang):
    key, own, body, gap = draw(LANG_KEYS), draw(OF_VARIANTS), draw(BODIES), draw(space)
    inside = body.format(x=draw(some_extras), t=draw(segment))
    return f'<tuv {key}="{lang}"{own}>{gap}{inside}{gap}</tuv>'


@functools.cache
@st.composite
def units(draw):
    langs, own, gap = draw(LANGS_OF_UNITS), draw(OF_UNITS), draw(space)
    parts = gap.join(draw(variants(lang)) for lang in langs)
    inside = draw(some_extras)
    return f"<tu{own}>{inside}{gap}{parts}{gap}</tu>"


REGULAR_OWN = st.sampled_from(["", ' tuid="{v}"', ' tuid="{v}" usagecount="{v}"'])
REGULAR_INSIDE = st.sampled_from(
    ["", '<prop type="x-score">{n}</prop>', '<prop type="a">{v}</prop><note>{v}</note>']
)
REGULAR_LANGS = st.sampled_from([["en", "fr"], ["fr", "en"]])
TEXTS_THERE = st.sampled_from([[0, 1]] * 4 + [[0], [1]])  # of the two texts of a unit
COUNTS = st.integers(2, 8)
NUMBERS = st.sampled_from(["0.5", "1", "-2e3", "x"])


@functools.cache
@st.composite
def regular_units(draw):
    """Draw many units of one shape, some of which lack a text."""
    own, inside = draw(REGULAR_OWN), draw(REGULAR_INSIDE)
    langs = draw(REGULAR_LANGS)
    gap = draw(space)
    made = []
    plain_only = draw(st.booleans())
    for _ in range(draw(COUNTS)):
        both = [
            f'<tuv xml:lang="{lang}">{gap}<seg>{draw(text if plain_only else segment)}</seg></tuv>'
            for lang in [langs[k] for k in draw(TEXTS_THERE)]
        ]
        shape = own.format(v=draw(value)) + ">" + inside.format(v=draw(value), n=draw(NUMBERS))
        made.append(f"<tu{shape}{gap}{gap.join(both)}{gap}</tu>")
    return made


DECLARED = st.sampled_from(
    ['<?xml version="1.0" encoding="UTF-8"?>\n', "", '<!DOCTYPE tmx SYSTEM "tmx14.dtd">']
)
SRCLANGS = st.sampled_from(
    [' srclang="en"'] * 5 + [' srclang="fr"', ' srclang="*all*"', "", ' srclang="de"']
)
HEADERS = st.sampled_from(
    ["<header{0}/>"] * 5
    + [
        '<header{0}\n  segtype="block"><prop type="x">v</prop></header>',
        "",
        "<!-- c --><header{0}/>",
    ]
)
MADE = st.one_of(
    st.lists(units(), max_size=5),
    regular_units(),
    st.tuples(regular_units(), st.lists(units(), max_size=2)).map(lambda t: t[0] + t[1]),
)
BETWEEN = st.sampled_from(["\n"] * 3 + ["", "\n ", "\r\n"])
ROOTS = st.sampled_from(['<tmx version="1.4">'] * 4 + ['<tmx xmlns="urn:t">', "<tmx>"])
ENDS = st.sampled_from(["</body></tmx>", "\n</body>\n</tmx>\n", "</body></tmx><!-- end -->"])


@functools.cache
@st.composite
def files(draw):
    declared, header = draw(DECLARED), draw(HEADERS).format(draw(SRCLANGS))
    made, between, root, end = draw(MADE), draw(BETWEEN), draw(ROOTS), draw(ENDS)
    return f"{declared}{root}{header}<body>{between}{between.join(made)}{end}"


DAMAGES = st.sampled_from(
    ["", "<", ">", "&", '"', "</tu>", "<tu>", "</seg>", "<t:x xmlns:t='u'/>", "&x;", "\x01", " "]
)
LEFT_OUT = st.integers(0, 3)


@functools.cache
@st.composite
def damaged(draw):
    """Draw a file with something changed in one place."""
    content = draw(files())
    at = draw(st.integers(0, len(content)))
    return content[:at] + draw(DAMAGES) + content[at + draw(LEFT_OUT) :]
