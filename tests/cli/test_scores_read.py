"""What stands in the place of a score and is no finite number passes no bound."""

import pytest

LINK = (
    '<cesAlign><linkGrp fromDoc="a" toDoc="b"><link xtargets="1;1" certainty="{}"/></linkGrp>'
    "</cesAlign>"
)
FILES = {
    "a.xces": LINK,
    "a.tsv": "src\ttgt\tscore\none\tyksi\t{}\ntwo\tkaksi\t0.5\n",
    "a.tmx": (
        '<tmx version="1.4"><header srclang="en"/><body><tu><prop type="x-score">{}</prop>'
        '<tuv xml:lang="en"><seg>one</seg></tuv><tuv xml:lang="fi"><seg>yksi</seg></tuv></tu>'
        "</body></tmx>"
    ),
    "a.jsonl": '{{"src": ["1"], "tgt": ["1"], "score": "{}"}}\n',
    "number.jsonl": '{{"src": ["1"], "tgt": ["1"], "score": {}}}\n',
    "a.vecalign": "[0]:[0]:{}\n",
    "a.ladder": "0\t0\t{}\n1\t1\n",
}


@pytest.mark.parametrize("score", ["1e999", "inf", "٩", "nan"])
@pytest.mark.parametrize("name", FILES)
def test_no_bound_is_passed(bitext, write, tmp_path, name, score):
    path, out = write(name, FILES[name].format(score)), tmp_path / "o.jsonl"
    known = ("--from", "hunalign-ladder") if name == "a.ladder" else ()
    found = bitext("convert", path, out, "--min-score", "0.6", "--keep-going", *known)
    assert found.status in {0, 1, 2}
    assert "Traceback" not in found.err
    if out.exists():
        assert out.read_text(encoding="utf-8") == ""
    sure = bitext(
        "convert", write(name, FILES[name].format("0.7")), out, "--min-score", "0.6", *known
    )
    assert sure.status == 0
    assert out.read_text(encoding="utf-8").count("\n") == 1


def test_a_version_in_another_namespace_is_not_that_of_xliff(bitext, write, tmp_path):
    unit = '<trans-unit id="1"><source>a</source><target>b</target></trans-unit>'
    its = 'xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0"'
    path = write(
        "a.xlf",
        f'<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" {its} version="1.2"><file '
        f'original="a" source-language="en" target-language="fi" datatype="x"><body>{unit}</body>'
        "</file></xliff>",
    )
    found = bitext("convert", path, tmp_path / "o.jsonl", "--json")
    assert found.status == 0, found.err
    assert '"xliff12": 1' in found.out
