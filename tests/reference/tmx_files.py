"""Random TMX files, regular and not, for tests that read them in two ways."""

from hypothesis import strategies as st

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

word = st.one_of(st.sampled_from(WORDS), st.sampled_from(WORDS + ODD_WORDS))
text = st.lists(word, max_size=4).map("".join)
value = st.sampled_from(VALUES)


def attributes(names):
    return st.lists(
        st.tuples(st.sampled_from(names), value), max_size=3, unique_by=lambda p: p[0]
    ).map(lambda pairs: "".join(f' {name}="{given}"' for name, given in pairs))


def element(names, own, content):
    return st.tuples(st.sampled_from(names), attributes(own), content).map(
        lambda t: f"<{t[0]}{t[1]}>{t[2]}</{t[0]}>" if t[2] else f"<{t[0]}{t[1]}/>"
    )


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


@st.composite
def variants(draw, lang):
    key = draw(st.sampled_from(["xml:lang", "xml:lang", "xml:lang", "lang"]))
    own = draw(attributes(["creationdate", "changeid"])) if draw(st.booleans()) else ""
    body = draw(
        st.sampled_from(
            ["{x}<seg>{t}</seg>"] * 8
            + [
                "{x}<seg>{t}</seg><seg>{t}</seg>",
                "{t}",
                "<seg xml:space='preserve'>{t}</seg>",
                "{x}",
            ]
        )
    )
    gap = draw(space)
    inside = body.format(x=draw(extras) if draw(st.booleans()) else "", t=draw(segment))
    return f'<tuv {key}="{lang}"{own}>{gap}{inside}{gap}</tuv>'


@st.composite
def units(draw):
    langs = draw(
        st.sampled_from(
            [["en", "fr"]] * 6
            + [["fr", "en"], ["en"], ["fr"], ["en", "en-GB", "fr"], ["en", "fr", "de"], [], [""]]
        )
    )
    own = draw(attributes(["tuid", "datatype", "srclang"])) if draw(st.booleans()) else ""
    gap = draw(space)
    parts = gap.join(draw(variants(lang)) for lang in langs)
    inside = draw(extras) if draw(st.booleans()) else ""
    return f"<tu{own}>{inside}{gap}{parts}{gap}</tu>"


@st.composite
def regular_units(draw):
    """Draw many units of one shape."""
    own = draw(st.sampled_from(["", ' tuid="{v}"', ' tuid="{v}" usagecount="{v}"']))
    inside = draw(
        st.sampled_from(
            ["", '<prop type="x-score">{n}</prop>', '<prop type="a">{v}</prop><note>{v}</note>']
        )
    )
    langs = draw(st.sampled_from([["en", "fr"], ["fr", "en"]]))
    gap = draw(space)
    made = []
    plain_only = draw(st.booleans())
    for _ in range(draw(st.integers(2, 8))):
        both = [
            f'<tuv xml:lang="{lang}">{gap}<seg>{draw(text if plain_only else segment)}</seg></tuv>'
            for lang in langs
        ]
        shape = (
            own.format(v=draw(value))
            + ">"
            + inside.format(v=draw(value), n=draw(st.sampled_from(["0.5", "1", "-2e3", "x"])))
        )
        made.append(f"<tu{shape}{gap}{gap.join(both)}{gap}</tu>")
    return made


@st.composite
def files(draw):
    declared = draw(
        st.sampled_from(
            ['<?xml version="1.0" encoding="UTF-8"?>\n', "", '<!DOCTYPE tmx SYSTEM "tmx14.dtd">']
        )
    )
    srclang = draw(
        st.sampled_from(
            [' srclang="en"'] * 5 + [' srclang="fr"', ' srclang="*all*"', "", ' srclang="de"']
        )
    )
    header = draw(
        st.sampled_from(
            [f"<header{srclang}/>"] * 5
            + [
                f'<header{srclang}\n  segtype="block"><prop type="x">v</prop></header>',
                "",
                f"<!-- c --><header{srclang}/>",
            ]
        )
    )
    made = draw(
        st.one_of(
            st.lists(units(), max_size=5),
            regular_units(),
            st.tuples(regular_units(), st.lists(units(), max_size=2)).map(lambda t: t[0] + t[1]),
        )
    )
    between = draw(st.sampled_from(["\n"] * 3 + ["", "\n ", "\r\n"]))
    root = draw(st.sampled_from(['<tmx version="1.4">'] * 4 + ['<tmx xmlns="urn:t">', "<tmx>"]))
    end = draw(
        st.sampled_from(["</body></tmx>", "\n</body>\n</tmx>\n", "</body></tmx><!-- end -->"])
    )
    return f"{declared}{root}{header}<body>{between}{between.join(made)}{end}"


@st.composite
def damaged(draw):
    """Draw a file with something changed in one place."""
    content = draw(files())
    at = draw(st.integers(0, len(content)))
    more = draw(
        st.sampled_from(
            [
                "",
                "<",
                ">",
                "&",
                '"',
                "</tu>",
                "<tu>",
                "</seg>",
                "<t:x xmlns:t='u'/>",
                "&x;",
                "\x01",
                " ",
            ]
        )
    )
    return content[:at] + more + content[at + draw(st.integers(0, 3)) :]
