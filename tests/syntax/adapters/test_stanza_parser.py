"""The adapter of Stanza: over a stand-in anywhere, and for real where it is installed."""

import json
import re
import sys
import types

import pytest

from bitext.errors import InputError, OptionError
from bitext.model import Sentence
from bitext.syntax.adapters.local import StanzaParser

SENTENCES = [
    Sentence(["It", "left", "New York", "-LRB-", "soon", ")", "."], id="a", source="wire"),
    Sentence(["Yes"]),
    Sentence(["No"], id="c"),
]
TREES = {
    ("It", "left", "New_York", "(", "soon", ")", "."): (
        "(ROOT (S (NP (PRP It)) (VP (VBD left) (NP (NNP New_York)) "
        "(PRN (-LRB- -LRB-) (ADVP (RB soon)) (-RRB- -RRB-))) (. .)))"
    ),
    ("Yes",): "(ROOT (INTJ (INTJ Yes)))",
    ("No",): "(ROOT (INTJ (UH No)))",
}
XPOS = {"Yes": "UH"}


class Tree:
    """What the adapter uses of Stanza's trees."""

    def __init__(self, text):
        self.text = text

    def __format__(self, spec):
        assert spec == "_O"
        return self.text


@pytest.fixture
def stanza(monkeypatch):
    """Put a stand-in for Stanza in its place."""
    made = types.ModuleType("stanza")
    made.trees, made.opened, made.batches, made.fails = dict(TREES), [], [], None

    def pipeline(language, **options):
        made.opened.append((language, options))
        if made.fails:
            raise made.fails
        return run

    def run(sentences):
        made.batches.append(len(sentences))
        found = [
            types.SimpleNamespace(
                constituency=made.trees[tuple(words)] and Tree(made.trees[tuple(words)]),
                words=[types.SimpleNamespace(text=w, xpos=XPOS.get(w)) for w in words],
            )
            for words in sentences
        ]
        return types.SimpleNamespace(sentences=found)

    made.Pipeline = pipeline
    monkeypatch.setitem(sys.modules, "stanza", made)
    return made


def test_stanza_parses(stanza):
    parser = StanzaParser(batch=2)
    found = list(parser.parse(SENTENCES))
    assert [s.forms for s in found] == [s.forms for s in SENTENCES]
    assert [s.tree.words for s in found] == [s.forms for s in SENTENCES]
    assert [t.iob for t in found[0]] == ["B-NP", "B-VP", "B-NP", "O", "B-ADVP", "O", "O"]
    assert all(sentence.analysed for sentence in found)
    assert (found[0].id, found[0].source) == ("a", "wire")
    assert stanza.batches == [2, 1]
    list(parser.parse(SENTENCES))
    assert len(stanza.opened) == 1, "a model is loaded once"


def test_tags_of_the_treebank_go_before_universal_ones(stanza):
    assert stanza.trees["Yes",] == "(ROOT (INTJ (INTJ Yes)))"
    found = list(StanzaParser().parse(SENTENCES))
    assert found[1][0].pos == "UH"
    assert found[2][0].pos == "UH"


def test_nothing_is_downloaded(stanza):
    list(StanzaParser(model="default_fast", language="de", folder="models").parse(SENTENCES))
    assert stanza.opened == [
        (
            "de",
            {
                "package": "default_fast",
                "processors": "tokenize,pos,constituency",
                "tokenize_pretokenized": True,
                "download_method": None,
                "logging_level": "ERROR",
                "dir": "models",
            },
        )
    ]


def test_missing_models_are_told_with_what_brings_them(stanza):
    stanza.fails = FileNotFoundError("Resources file not found at: /x\n Try again.")
    told = (
        r"no models 'default' for 'en' \(Resources file .* Try again\.\): bring them: python -c "
        r"\"import stanza; stanza\.download\('en', package='default', "
        r"processors='tokenize,pos,constituency'\)\""
    )
    with pytest.raises(InputError, match=told):
        list(StanzaParser().parse(SENTENCES))
    with pytest.raises(InputError, match=r"constituency', model_dir='here'\)"):
        list(StanzaParser(folder="here").parse(SENTENCES))


def test_a_package_without_a_parser_is_told(stanza):
    stanza.trees["Yes",] = None
    with pytest.raises(InputError, match=r"\(en, default\): sentence 2: no tree, for the package"):
        list(StanzaParser().parse(SENTENCES))


def test_other_words_are_told(stanza):
    stanza.trees["Yes",] = "(ROOT (INTJ (UH Oh)))"
    with pytest.raises(InputError, match="sentence 2: word 1 is 'Yes' in the sentence and 'Oh'"):
        list(StanzaParser().parse(SENTENCES))


def test_options_are_checked():
    with pytest.raises(OptionError, match="parser stanza: batch is 0"):
        StanzaParser(batch=0)


# For real.

TRAINED = [
    "(ROOT (S (NP (DT The) (NN ferry)) (VP (VBD sank) (PP (IN off) (NP (NNP Como)))) (. .)))",
    "(ROOT (S (NP (PRP It)) (VP (VBD left) (PRN (-LRB- -LRB-) (ADVP (RB soon)) (-RRB- -RRB-)))))",
    "(ROOT (S (NP (DT The) (NN coast)) (VP (VBZ is) (ADJP (JJ long))) (. .)))",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Train a tagger and a parser of Stanza's from three trees, and lay them out as it does."""
    pytest.importorskip("stanza", reason="the extra stanza is not installed")
    from stanza.models import constituency_parser, tagger
    from stanza.models.common.pretrain import Pretrain
    from stanza.models.constituency import parser_training

    home = tmp_path_factory.mktemp("stanza")
    for kind in ("pretrain", "pos", "constituency"):
        (home / "en" / kind).mkdir(parents=True)
    leaves = [re.findall(r"\((\S+) ([^()\s]+)\)", tree) for tree in TRAINED]
    rows = []
    for sentence in leaves * 10:
        for number, (tag, word) in enumerate(sentence, start=1):
            form = {"-LRB-": "(", "-RRB-": ")"}.get(word, word)
            head, kind = (0, "root") if number == 1 else (number - 1, "dep")
            rows.append(f"{number}\t{form}\t{form}\tX\t{tag}\t_\t{head}\t{kind}\t_\t_")
        rows.append("")
    table, trees, vectors = home / "train.conllu", home / "train.mrg", home / "vectors.txt"
    table.write_text("\n".join(rows) + "\n")
    trees.write_text("\n".join(TRAINED * 10) + "\n")
    words = sorted({word.lower() for sentence in leaves for _, word in sentence})
    numbers = "\n".join(f"{word} {place / 10} {-place / 7}" for place, word in enumerate(words))
    vectors.write_text(f"{len(words)} 2\n{numbers}\n")
    pretrain = home / "en" / "pretrain" / "tiny.pt"
    Pretrain(str(pretrain), vec_filename=str(vectors)).load()
    common = ["--lang", "en", "--shorthand", "en_tiny", "--save_name", "tiny.pt", "--cpu"]
    common += ["--wordvec_pretrain_file", str(pretrain)]
    sizes = "hidden_dim char_hidden_dim deep_biaff_hidden_dim composite_deep_biaff_hidden_dim"
    sizes += " char_emb_dim tag_emb_dim transformed_dim"
    tagger.main(
        [
            *common,
            *("--train_file", str(table), "--eval_file", str(table)),
            *("--save_dir", str(home / "en" / "pos"), "--num_layers", "1"),
            *("--max_steps", "20", "--eval_interval", "10", "--batch_size", "200"),
            *(part for size in sizes.split() for part in (f"--{size}", "16")),
        ]
    )

    class Scorer:
        """In the place of the one that needs CoreNLP; every round scores more than the last."""

        score = 0.0

        def __init__(self, **options):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def process(self, results):
            Scorer.score += 1
            one = types.SimpleNamespace(f1=Scorer.score)
            return types.SimpleNamespace(
                f1=Scorer.score, HasField=lambda _: False, treeF1=[one] * len(results)
            )

    sizes = "hidden_size tag_embedding_dim transition_embedding_dim transition_hidden_size"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser_training, "EvaluateParser", Scorer)
        constituency_parser.main(
            [
                *common,
                *("--train_file", str(trees), "--eval_file", str(trees), "--no_retag"),
                *("--save_dir", str(home / "en" / "constituency"), "--epochs", "2"),
                *("--epoch_size", "30", "--num_lstm_layers", "1", "--num_output_layers", "1"),
                *("--pattn_num_layers", "0", "--lattn_d_proj", "0", "--delta_embedding_dim", "16"),
                *(part for size in sizes.split() for part in (f"--{size}", "16")),
            ]
        )
    needs = {"tiny": {"dependencies": [{"model": "pretrain", "package": "tiny"}]}}
    steps = {"tokenize": "tiny", "pos": "tiny", "constituency": "tiny"}
    english = {"lang_name": "English", "packages": {"default": steps}, "pretrain": {"tiny": {}}}
    english |= {"tokenize": {"tiny": {}}, "pos": needs, "constituency": needs}
    (home / "resources.json").write_text(json.dumps({"en": english}))
    return str(home)


@pytest.mark.filterwarnings("ignore")
def test_stanza_for_real(folder):
    asked = [Sentence(["It", "left", "New York", "(", "soon", ")", "."]), Sentence(["Yes"], id="b")]
    found = list(StanzaParser(folder=folder).parse(asked))
    assert [s.tree.words for s in found] == [s.forms for s in asked]
    assert all(sentence.analysed for sentence in found)
    tags = {tag for tree in TRAINED for tag in re.findall(r"\((\S+) [^()\s]+\)", tree)}
    assert {token.pos for sentence in found for token in sentence} <= tags


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", [{"model": "nope"}, {"language": "xq"}, {"folder": "nowhere"}])
def test_real_stanza_tells_missing_models(folder, options):
    with pytest.raises(InputError, match=r"parser stanza: no models .*: bring them: python -c"):
        list(StanzaParser(**{"folder": folder, **options}).parse([Sentence(["It"])]))
