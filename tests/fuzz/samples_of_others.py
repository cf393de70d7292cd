"""What inputs are made of beside alignments: dictionaries, segmentations, models, journals ..."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from bitext.workbench.changes import Splice
from fuzz.samples import BOTH, FIXTURES, fixture, packed

DICTIONARIES = [
    b"the dog @ der Hund\n\nhouse @ Haus\n",
    "# German to English\nder Hund\tthe dog\nHaus\thouse\t0.5\n\u00fc\tx\t1e-3\tnoun\n".encode(),
    b"Hund dog 0.5\nNULL dog 0.1\nHaus house 0.25 1 4\n",
    b"Hund dog\nHaus house\n",
    b"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>
<entry><form><orth>Haus</orth><pron>haus</pron></form>
 <sense><cit type="trans" xml:lang="en"><quote>house</quote></cit>
  <sense><cit type="translation"><quote>the  <hi>home</hi></quote></cit></sense>
  <cit type="example"><quote>im Haus</quote><cit type="trans"><quote>no</quote></cit></cit>
</sense></entry><superEntry><entry><form><orth>alt</orth></form><trans><tr>old</tr></trans></entry>
</superEntry></body></text></TEI>
""",
    b"""<martif type="TBX-Basic" xml:lang="en"><text><body><termEntry id="c1">
<descrip type="subjectField">x</descrip><langSet xml:lang="en"><tig><term>house</term></tig>
<ntig><termGrp><term>home</term><termNote type="administrativeStatus">deprecatedTerm-admn-sts
</termNote></termGrp></ntig></langSet><langSet xml:lang="de"><tig><term>Haus</term></tig></langSet>
</termEntry></body></text></martif>
""",
    b"""<dictionary><section id="main" type="standard"><e><p><l>zum<b/>Haus<s n="n"/></l>
<r><g>house</g></r></p></e><e><i>Radio</i></e></section></dictionary>
""",
]
_DICT = "Haus /haus/ <n>\n1. house; home\n   Synonyms: x\n2. (old) family, line\nalt\n old\n"
DICTD = [b"Haus\tA\tBD\nalt\tBD\tJ\n00-database-info\tA\tB\n" + BOTH + _DICT.encode()]
_ARPA = """\\data\\
ngram 1=5
ngram 2=2

\\1-grams:
-99\t<s>\t-0.5
-1.0\tferry\t-0.25
-0.75\tburns\t-0.125
-0.5\t</s>
-2.0\t<unk>

\\2-grams:
-0.3\t<s> ferry
-0.2\tferry burns

\\end\\
"""
CONLL = "He PRP B-NP\nleft VBD B-VP\n. . O\n\n5 CD B-NP\n\n"
CONLL2003 = "-DOCSTART- -X- O O\n\nHe PRP B-NP O\nleft VBD B-VP O\n\n"
CHUNKLINK = """\
#columns: word_id iob_inner pos word function heads head_ids iob_chain trace-function
# Sentence 1/01
  0 B-NP    NNP   Ada             NP-SBJ          left              1 B-S/B-NP
  1 B-VP    VBD   left            VP/S            left              1 I-S/B-VP     NP-SBJ  *T*   ???
  2 O       COMMA COMMA           NOFUNC          left              1 I-S

"""
CONLLU = """\
# newdoc id = news-1
# sent_id = a-1
# text = Don't go!
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t!\t!\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
TREES = [
    b"( (S (NP (NN ferry)) (VP (VBD burned)) (. .)) )\n(S (NP (PRP It))\n  (VP (VBD sank)))\n",
    b"(S (NP-SBJ-1 (-NONE- *)) (VP (VB go) (-LRB- -LRB-)))\n",
]
CLUSTER = {
    "id": "ferry",
    "sentences": [
        {"id": "s1", "source": "a", "tokens": ["A", "ferry", "burned"], "text": "A ferry burned"},
        {"id": "s2", "tree": "(S (NP (DT A) (NN ferry)) (VP (VBD sank)))"},
        "It burned.",
    ],
}


def segmentations():
    """Return segmentations in every spelling."""
    names = ["ref2.masses", "ref3.bits", "beta.closed", "beta.jsonl", "bakery.labels"]
    found = [fixture("topics", name) for name in names]
    found += [fixture("topics", "ref", "bakery.txt"), fixture("topics", "typed", "ref.jsonl")]
    more = b'{"id": "a", "masses": [2, 3], "types": {"2": ["x"]}, "units": ["a", "b"]}\n'
    item = b'{"items": {"t": {"a": [2, 3], "b": [5]}}, "segmentation_type": "linear"}'
    coders = [item, b"Coder\tMasses\na\t2\t3\nb\t5\n", b"u\ta\tb\nx\tB\tB\ny\tI\tB\n"]
    token = b"1\tWe\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n2\tgo\t_\t_\t_\t_\t_\t_\t_\tSeg=O\n"
    rst = b"<rst><body><segment id='1'>We go</segment><segment id='2'>on</segment></body></rst>"
    dis = b"( Root (span 1 2) ((leaf 1) (text _!We go_!)) ((leaf 2) (text _!on<P>_!)) )"
    grid = (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n2\n<exists>\n3\n'
        '"IntervalTier"\n"words"\n0\n2\n2\n0\n1\n"we"\n1\n2\n"go"\n"IntervalTier"\n"a"\n0\n2\n2\n'
        '0\n1.5\n"x"\n1.5\n2\n""\n"TextTier"\n"b"\n0\n2\n1\n0.9\n"seg"\n'
    )
    found += [grid.encode(), grid.encode("utf-16")]
    found += [*coders, b"# newdoc id = a\n" + token, rst, dis]
    return [*found, b"5 5 1 3\n7,3\n", b"a\nb\n==========\nc\n\n\nd\n", b"0100\n", more]


def paragraph_files():
    """Return files of paragraphs."""
    made = "# title: T\n# doc: One\n1\tIt rained.\t0.5\n0\tWho?\n\n0\tNobody.\n# doc: \n1\tx\n"
    return [made.encode(), fixture("paragraphs", "ferry.en.tsv")[:1500]]


def articles():
    """Return plain texts."""
    return [fixture("harbour", "articles", "post.txt"), fixture("paragraphs", "lamp.txt")[:800]]


def manifests():
    """Return manifests, of both kinds."""
    return [
        b"text\tpath\tsrc\ttgt\na\ta.align\ta.en\ta.fr\nb\tsub/b.align\t\t\n",
        b'{"text": "a", "path": "a.align", "src": "a.en"}\n{"text": "b", "path": "memory://b"}\n',
    ]


def packed_files():
    """Return a text in each compression, and one in encodings."""
    text = "A ferry left.\r\nIt rained – é 😀.\n"
    return [*packed(text.encode()), text.encode("utf-16"), text.encode("utf-8-sig")]


def arrays():
    """Return vectors, as arrays of numpy and raw."""
    found = []
    for kind in ("<f4", "<f8", "<f2", ">f4"):
        out = io.BytesIO()
        np.save(out, np.arange(12, dtype=kind).reshape(3, 4))
        found.append(out.getvalue())
    out = io.BytesIO()
    np.savez(out, a=np.arange(3.0))
    return [*found, out.getvalue(), np.arange(12, dtype="<f4").tobytes()]


def lexicons():
    """Return lexicons of sentence alignment."""
    return [b"ferry\tbac\t0.5\t0.25\nleft\tpartit\t1\t0\nferry\t\t0.5\n\tbac\t0.25\n"]


def language_models():
    """Return language models: as ARPA, and texts."""
    return [_ARPA.encode(), b"A ferry burns.\nIt sank.\n"]


@cache
def _segmenters():
    """Train a few small models; return each as a file, and in its readable forms."""
    from bitext.segment import FeatureOptions, ParagraphSegmenter
    from bitext.segment.model_files import export_model
    from reference.chapters import read_paragraph_file

    texts = read_paragraph_file(FIXTURES / "paragraphs" / "ferry.en.tsv")
    made = [
        ParagraphSegmenter(features=FeatureOptions(groups=("bias", "length")), passes=2),
        ParagraphSegmenter(method="majority"),
        ParagraphSegmenter(method="quotes"),
    ]
    files, readable = [], []
    with tempfile.TemporaryDirectory() as folder:
        for segmenter in made:
            segmenter.fit(texts)
            segmenter.save(Path(folder) / "a.npz")
            files.append((Path(folder) / "a.npz").read_bytes())
            for name in ("a.tsv", "a.json"):
                export_model(Path(folder) / name, segmenter.to_parts(), [])
                readable.append((Path(folder) / name).read_bytes())
    return files, readable


def models():
    """Return models of paragraphs."""
    return _segmenters()[0]


def readable_models():
    """Return the readable forms of them."""
    return _segmenters()[1]


def states():
    """Return a state of training."""
    from bitext.segment.training import TrainingState, save_state

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state"
        save_state(path, TrainingState("cutting-plane", 2, "x", {"weights": np.arange(3.0)}))
        return [path.read_bytes()]


def columns():
    """Return sentences in columns, of every kind."""
    return [text.encode() for text in (CONLL, CONLL2003, CHUNKLINK, CONLLU)] + [
        b"The/DT ferry/NN burned/VBD ./.\n"
    ]


def labels():
    """Return sentences with labels: CoNLL-U and columns, of the first lines of a text of ours."""
    rows = [
        "The DET 2 det O", "ferry NOUN 6 nsubj O", "to ADP 5 case O", "the DET 5 det O",
        "islands NOUN 2 nmod B-LOC", "leaves VERB 0 root O", "twice ADV 6 advmod O",
        "a DET 9 det O", "day NOUN 6 obl O", ". PUNCT 6 punct O",
    ]  # fmt: skip
    words = [row.split(" ") for row in rows]
    conllu = [
        "\t".join(
            (str(k), form, "_", tag, tag, "Case=Nom", head, name, "_", f"NER={label}|Gloss=x")
        )
        for k, (form, tag, head, name, label) in enumerate(words, 1)
    ]
    conllu.insert(2, "3-4\tto_the" + "\t_" * 8)
    conllu[0:0] = ["# newdoc id = ferry", "# sent_id = 1", "# text = The ferry"]
    plain = [f"{form} {tag} {label}" for form, tag, _, _, label in words]
    return [
        "\n".join([*conllu, "", *conllu[1:], ""]).encode(),
        "\n".join(["-DOCSTART- -X- O", "", *plain, ""]).encode(),
        "\n".join([line for line in conllu if not line.startswith("3-4")]).encode(),
    ]


def trees():
    """Return trees in brackets."""
    return [*TREES, fixture("harbour", "news.trees")]


@cache
def lattices():
    """Return lattices in JSON: one, and several."""
    from bitext.align import align_cluster
    from bitext.formats.lattices import text_of
    from bitext.model import Cluster, Sentence

    texts = ["A ferry burned off Sydby .", "A ferry sank .", "Off Sydby a ferry burned ."]
    sentences = [Sentence(text.split(), id=f"s{k}") for k, text in enumerate(texts)]
    one = "".join(text_of(align_cluster(Cluster(sentences, id="c"), preset="V1")))
    several = json.dumps({"schema": json.loads(one)["schema"], "clusters": [json.loads(one)] * 2})
    return [one.encode(), several.encode()]


def clusters():
    """Return clusters in every kind of file."""
    plain = b"A ferry burned.\n\nIt sank off Sydby.\n"
    json_lines = b'{"text": "A ferry burned."}\n{"tokens": ["It", "sank"], "id": "x"}\n'
    return [
        *(
            plain,
            json_lines,
            json.dumps(CLUSTER).encode(),
            json.dumps(CLUSTER["sentences"]).encode(),
        ),
        *columns(),
        *TREES,
        lattices()[0],
    ]


@cache
def journals():
    """Return journals: of one shard of two, and of a whole run."""
    from bitext.jobs import Document, Journal, Shard

    found = []
    with tempfile.TemporaryDirectory() as folder:
        for shard in (Shard(1, 1), Shard(1, 2)):
            path = Path(folder) / f"journal{shard.count}"
            run = {"command": "score", "options": {"gold": "gold", "hyps": ["a"], "k": None}}
            with Journal(path, run, shard=shard, shown={"json": True}) as journal:
                for number in range(0, 4, shard.count):
                    document = Document(number, f"d{number}", 1)
                    if number == 2:
                        journal.add(document, failed="a reason")
                    else:
                        journal.add(document, value='{"a": [1, 2]}', files=[[1, 2], None])
                journal.finish(4, whole={"names": ["a"]})
            found.append(path.read_bytes())
    return found


def gzipped(contents):
    """Return contents packed, for readers of packed files."""
    return [gzip.compress(content, mtime=0) for content in contents]


# Documents

_RTF = r"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 MS;}}
{\stylesheet{\s1\outlinelevel0 heading 1;}}\pard\s1 Mill\par\pard\plain\f0\b It \b0
r\'e4in\u8212 -ed.
{\footnote A note.}{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt there}}\line
\f1\'83A{\upr{a}{\*\ud{b}}}
\par\trowd\intbl One\cell Two\cell\row{\v hidden}\par}
"""
_MARKDOWN = """---
lang: en
title: Mill
---
# The Mill #

It *had **rained*** for [days](x "t")[^1], ~~and~~ `code` <b>so</b> ![on](p.png).\
> - [x] A task
>   1. Two

[^1]: A note
    goes on.

| a | b |
|---|---|
| 1 | 2 |

<p align="center"><b>HTML</b></p>
"""
_USFM = r"""\id GEN
\h Genesis
\mt1 Genesis
\c 1
\s The Beginning
\p
\v 1 In the \nd Lord\nd*\f + \fr 1:1 \ft A note.\f* was.
\q1
\v 2-3 And \w light|strong="H1"\w* \+bd it\+bd*.
\li1 One
"""
_HTML = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Mill</title></head>
<body><nav><a href="a">A</a> <a href="b">B</a></nav><main><h1>The Mill</h1><p>It <b>had
<i>rained</b></i>
for<br>days.<sup><a href="#n">1</a></sup> <ruby>x<rt>y</rt></ruby><img src="x" alt="y"></p>
<ul><li>One<ol><li>Two</ol></ul><table><tr><td>a<td>b</table><p hidden>no</p><pre>a
 b</pre><aside role="doc-footnote" id="n">A note.</aside></main></body></html>
"""


_MAP = "2 beginbfchar <61> <0062> endbfchar 1 beginbfrange <62> <63> <05d0> endbfrange"


def running_texts():
    """Return documents of each format that is no archive."""
    from formats.document_samples import pdf
    from formats.documents.test_other_formats import FB2, FLAT, MHTML

    rows = [(50, 560, 8, "Head"), (50, 500, 16, "Mill"), (50, 480, 10, "It had rai-")]
    plain = pdf([*rows, (50, 468, 10, "ned.")], [*rows, (60, 468, 10, "\\225 ned.")])
    tags = "/MarkInfo << /Marked true >> /StructTreeRoot << /K << /S /P /Pg 5 0 R /K [0 1] >> >>"
    tagged = pdf(
        "/P << /MCID 0 >> BDC BT /F1 10 Tf 1 0 0 1 50 500 Tm [(It) -300 (had \\(it\\))] TJ T* "
        "(rain) ' ET EMC q .5 0 0 .5 0 0 cm 0 0 9 9 re f Q /Span << /ActualText (x) /MCID 1 >> "
        "BDC BT /F2 9 Tf 3 Ts 50 400 Td <6162> Tj ET EMC BI /W 1 ID abc EI",
        catalog=tags,
        font="/ToUnicode 7 0 R",
        objects=(f"<< /Length {len(_MAP)} >>\nstream\n{_MAP}\nendstream",),
    )
    others = [_RTF, _MARKDOWN, _USFM, _HTML, FLAT]
    return [*(each.encode() for each in others), FB2, MHTML, plain, tagged]


def packed_texts():
    """Return documents that are archives."""
    from formats.document_samples import archive, docx, epub, odt, paragraph
    from formats.documents.test_other_formats import FB2

    note = '<w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote>'
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    word = docx(
        paragraph("The Mill", style="Mine")
        + paragraph("It ", ("had", "<w:b/>"), reference)
        + f"<w:tbl><w:tr><w:tc>{paragraph('One')}</w:tc></w:tr></w:tbl>",
        notes=note,
    )
    body = (
        '<text:h text:outline-level="1">Mill</text:h><text:p>It <text:span text:style-name="i">had'
        '</text:span><text:note text:id="n"><text:note-body><text:p>A note.</text:p>'
        "</text:note-body></text:note>.</text:p><text:list><text:list-item><text:p>One</text:p>"
        "</text:list-item></text:list>"
    )
    return [word, odt(body), epub("<h1>Mill</h1><p>It <b>had</b>.</p>", "<p>One.</p>"),
            archive({"a.fb2": FB2})]  # fmt: skip


def confirm_by_two(project):
    """Have two annotators confirm the beads of a document."""
    for annotator in ("ada", "bea"):
        number = project.assign(1, annotator)
        beads = tuple(project.rows(number)[1]["beads"])
        done = tuple(bead._replace(state="confirmed") for bead in beads)
        splices = [Splice("beads", 0, beads, done)]
        project.change(number, splices, name="confirm", annotator=annotator)
