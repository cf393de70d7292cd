"""Bitexts of our own for tests of books: with all kinds of blocks, and in several scripts."""

from bitext import Alignment, Bitext, Text
from bitext.model import Blocks

_TENTH = (
    'On the <bpt i="1" type="bold">&lt;b&gt;</bpt>tenth<ept i="1">&lt;/b&gt;</ept> day the '
    'miller went out<ph type="fnote">&lt;note id="1"/&gt;</ph>.'
)
_CHRONICLE = (
    'See the <bpt i="1" type="link">&lt;a href="https://mill.example/?a=1&amp;amp;b=2"&gt;'
    '</bpt>chronicle<ept i="1">&lt;/a&gt;</ept> of the mill.'
)
# Kind, level, and sentences; a sentence may be a pair of characters and content with codes.
ENGLISH = [
    ("heading", 1, ["The Mill on the Hill"]),
    ("paragraph", 0, [
        "It had rained for nine days, and nobody came.",
        ("On the tenth day the miller went out.",
         _TENTH),
    ]),
    ("paragraph", 0, ["He saw the water at the wall.", "Who is there, he called?"]),
    ("heading", 2, ["What he took"]),
    ("item", 1, ["a lamp"]),
    ("item", 1, ["a rope"]),
    ("item", 2, ["of hemp"]),
    ("heading", 2, ["What it cost"]),
    ("cell", 1, ["Thing"]),
    ("cell", 2, ["Pence"]),
    ("cell", 1, ["lamp"]),
    ("cell", 2, ["12"]),
    ("verse", 0, ["The water rose,", "the wheel stood still."]),
    ("note", 0, [
        ("See the chronicle of the mill.",
         _CHRONICLE),
    ]),
]  # fmt: skip
ARABIC = [
    ("heading", 1, ["الطاحونة على التل"]),
    ("paragraph", 0, ["أمطرت السماء تسعة أيام ولم يأت أحد.", "في اليوم العاشر خرج الطحان."]),
    ("paragraph", 0, ["رأى الماء عند الجدار.", "من هناك؟ نادى."]),
    ("heading", 2, ["ما أخذه"]),
    ("item", 1, ["مصباح"]),
    ("item", 1, ["حبل"]),
    ("item", 2, ["من القنب"]),
    ("heading", 2, ["ما كلّفه"]),
    ("cell", 1, ["الشيء"]),
    ("cell", 2, ["بنسات"]),
    ("cell", 1, ["مصباح"]),
    ("cell", 2, ["12"]),
    ("verse", 0, ["ارتفع الماء،", "وتوقفت العجلة."]),
    ("note", 0, ["انظر تاريخ الطاحونة."]),
]
HEBREW = [
    ("heading", 1, ["הטחנה על הגבעה"]),
    ("paragraph", 0, ["ירד גשם תשעה ימים, ואיש לא בא.", "ביום העשירי יצא הטוחן."]),
    ("paragraph", 0, ["הוא ראה את המים ליד הקיר.", "מי שם? קרא."]),
    ("heading", 2, ["מה לקח"]),
    ("item", 1, ["מנורה"]),
    ("item", 1, ["חבל"]),
    ("item", 2, ["מקנבוס"]),
    ("heading", 2, ["כמה עלה"]),
    ("cell", 1, ["דבר"]),
    ("cell", 2, ["פני"]),
    ("cell", 1, ["מנורה"]),
    ("cell", 2, ["12"]),
    ("verse", 0, ["המים עלו,", "הגלגל עמד."]),
    ("note", 0, ["ראו את דברי ימי הטחנה."]),
]
JAPANESE = [
    ("heading", 1, ["丘の上の水車小屋"]),
    ("paragraph", 0, ["九日間雨が降り、誰も来なかった。", "十日目に粉屋は外へ出た。"]),
    ("paragraph", 0, ["壁のそばに水が見えた。", "誰だ、と彼は叫んだ。"]),
    ("heading", 2, ["持って行ったもの"]),
    ("item", 1, ["ランプ"]),
    ("item", 1, ["縄"]),
    ("item", 2, ["麻の"]),
    ("heading", 2, ["かかった金"]),
    ("cell", 1, ["品"]),
    ("cell", 2, ["ペンス"]),
    ("cell", 1, ["ランプ"]),
    ("cell", 2, ["12"]),
    ("verse", 0, ["水は上がり、", "水車は止まった。"]),
    ("note", 0, ["水車小屋の年代記を見よ。"]),
]


def text_of(blocks, lang, *, title=""):
    """Return the text of blocks as they stand above."""
    sentences, begins = [], []
    for _, _, each in blocks:
        begins.append(len(sentences))
        sentences += each
    return Text(
        [each if isinstance(each, str) else each[0] for each in sentences],
        lang=lang,
        marked=[None if isinstance(each, str) else each[1] for each in sentences],
        blocks=Blocks(
            tuple(begins),
            tuple(kind for kind, _, _ in blocks),
            tuple(level for _, level, _ in blocks),
            ("",) * len(blocks),
            title,
        ),
    )


def facing(src, src_lang, tgt, tgt_lang, *, name="mill"):
    """Return a bitext of blocks that correspond sentence by sentence."""
    one, other = text_of(src, src_lang), text_of(tgt, tgt_lang)
    beads = [((k,), (k,)) for k in range(len(one))]
    return Bitext(one, other, Alignment(beads), name=name)


def sides(bitext):
    """Return the two texts of each bisegment, with strokes between segments."""
    texts = [list(text.segments()) for text in (bitext.src, bitext.tgt)]
    return [
        tuple(" / ".join(text[k] for k in side) for text, side in zip(texts, bead, strict=True))
        for bead in bitext.alignment
    ]
