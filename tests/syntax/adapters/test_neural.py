"""The adapters of spaCy and benepar: over stand-ins anywhere, and for real where they are."""

import json
import sys
import types

import pytest

from bitext.errors import InputError, OptionError
from bitext.model import Sentence
from bitext.syntax.adapters.local import BeneparParser, SpacyParser

SENTENCES = [
    Sentence(["The", "owner", "'s", "ferry", "sank", "."], id="a", text="The owner's ferry sank."),
    Sentence(["-LRB-", "New York", ")"], source="wire"),
]
TAGS = {"The": "DT", "owner": "NN", "'s": "POS", "ferry": "NN", "sank": "VBD", ".": "."}
TREES = {
    "The owner 's ferry sank .": "(S (NP (NP (DT The) (NN owner) (POS 's)) (NN ferry)) "
    "(VP (VBD sank)) (. .))",
    "( New_York )": "(FRAG (-LRB- -LRB-) (NP (NNP New_York)) (-RRB- -RRB-))",
}


class Token:
    def __init__(self, text):
        self.text = text
        self.tag_ = TAGS.get(text, "NNP" if text[0].isalpha() else "-LRB-")


class Span:
    def __init__(self, start, end, tree=None):
        self.start, self.end = start, end
        self._ = types.SimpleNamespace(parse_string=tree)


class Doc:
    """What the adapters use of `spacy.tokens.Doc`."""

    def __init__(self, vocab, *, words, spaces, sent_starts):
        assert len(words) == len(spaces) == len(sent_starts)
        assert sent_starts == [True] + [False] * (len(words) - 1)
        self.tokens = [Token(word) for word in words]
        self.spaces = spaces
        self.vocab = vocab
        self.annotated = {"TAG", "DEP"}

    def __iter__(self):
        return iter(self.tokens)

    def __getitem__(self, index):
        assert index == slice(None)
        tree = TREES.get(" ".join(token.text for token in self.tokens))
        if tree is None:
            raise ValueError(f"Sentence of length {len(self.tokens)} exceeds the maximum of 510")
        return Span(0, len(self.tokens), tree)

    def has_annotation(self, name):
        return name in self.annotated

    @property
    def noun_chunks(self):
        if self.vocab == "xx":
            raise NotImplementedError("[E894]")
        return [Span(0, 4)] if len(self.tokens) > 4 else [Span(0, 3)]


class Pipeline:
    """What the adapters use of a spaCy pipeline."""

    def __init__(self, vocab="en", lacks=()):
        self.vocab, self.lacks = vocab, set(lacks)
        self.pipe_names = ["tagger", "parser"]
        self.seen = []

    def pipe(self, docs, *, batch_size):
        assert batch_size >= 1
        for doc in docs:
            doc.annotated -= self.lacks
            self.seen.append(doc)
            yield doc

    def add_pipe(self, name, *, config):
        assert name == "benepar"
        if config["model"] == "nope":
            raise LookupError("\n***\n  Resource nope not found.\n")
        if config["model"] == "old":
            raise AttributeError("T5Tokenizer has no attribute build_inputs_with_special_tokens")
        self.pipe_names.append(name)


@pytest.fixture
def pipelines(monkeypatch):
    """Put stand-ins for both packages in their places; return the pipelines by model."""
    made = {
        "en_core_web_sm": Pipeline(),
        "xx_sent": Pipeline("xx"),
        "no_parser": Pipeline(lacks=["DEP"]),
        "": Pipeline(),
    }

    def load(model):
        if model not in made:
            raise OSError(f"[E050] Can't find model {model!r}.")
        return made[model]

    spacy = types.ModuleType("spacy")
    spacy.load, spacy.blank = load, lambda language: made["" if language == "en" else language]
    tokens = types.ModuleType("spacy.tokens")
    tokens.Doc = Doc
    for name, module in (("spacy", spacy), ("spacy.tokens", tokens)):
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setitem(sys.modules, "benepar", types.ModuleType("benepar"))
    return made


def test_tags_and_chunks(pipelines):
    found = list(SpacyParser().parse(SENTENCES))
    assert [s.forms for s in found] == [s.forms for s in SENTENCES]
    assert [t.iob for t in found[0]] == ["B-NP", "I-NP", "B-NP", "I-NP", "B-VP", "O"]
    assert [t.iob for t in found[1]] == ["O", "B-NP", "O"]
    assert [t.pos for t in found[0]] == ["DT", "NN", "POS", "NN", "VBD", "."]
    assert found[0][1].trace == ("I-S", "I-NP")
    assert found[1].source == "wire"
    assert all(s.analysed and s.tree is None for s in found)
    assert [token.text for token in pipelines["en_core_web_sm"].seen[1]] == ["(", "New_York", ")"]


def test_the_spaces_of_the_text_are_told(pipelines):
    other = Sentence(["not", "its", "text"], text="something else")
    list(SpacyParser().parse([SENTENCES[0], other]))
    first, second = pipelines["en_core_web_sm"].seen
    assert first.spaces == [True, False, True, True, False, False]
    assert second.spaces == [True] * 3


def test_a_tree_of_benepar(pipelines):
    found = list(BeneparParser().parse(SENTENCES))
    assert [s.tree.words for s in found] == [s.forms for s in SENTENCES]
    assert found[0][2].iob == "B-NP"
    assert [token.text for token in pipelines[""].seen[1]] == ["(", "New_York", ")"]
    assert pipelines[""].pipe_names == ["tagger", "parser", "benepar"]
    list(BeneparParser(pipeline="en_core_web_sm").parse(SENTENCES))
    assert "benepar" in pipelines["en_core_web_sm"].pipe_names


@pytest.mark.usefixtures("pipelines")
def test_a_sentence_that_is_too_long_for_benepar():
    told = (
        r"benepar \(benepar_en3\): sentence 2 \(b\): 600 words, and no tree: Sentence of length 6"
    )
    with pytest.raises(InputError, match=told):
        list(BeneparParser().parse([SENTENCES[0], Sentence(["x"] * 600, id="b")]))


@pytest.mark.usefixtures("pipelines")
@pytest.mark.parametrize(
    ("parser", "told"),
    [
        (
            SpacyParser(model="nope"),
            "parser spacy: spaCy has no model 'nope': .*python -m spacy dow",
        ),
        (
            SpacyParser(model="xx_sent"),
            "no noun chunks for the language of 'xx_sent': want a model",
        ),
        (SpacyParser(model="no_parser"), r"'no_parser' gives no .* \(its parts: tagger, parser\)"),
        (
            BeneparParser(model="nope"),
            r"no model 'nope': .* -c \"import benepar; benepar\.download",
        ),
        (
            BeneparParser(model="old"),
            r"not go together \(T5Tok.*\): benepar 0\.2 wants transformers",
        ),
        (BeneparParser(pipeline="nope"), "parser benepar: spaCy has no model 'nope'"),
    ],
)
def test_a_missing_model_is_told(parser, told):
    with pytest.raises(InputError, match=told) as error:
        list(parser.parse(SENTENCES))
    assert "\n" not in str(error.value)


def test_options_are_checked():
    with pytest.raises(OptionError, match="parser spacy: batch is 0"):
        SpacyParser(batch=0)
    with pytest.raises(OptionError, match="parser benepar: batch is 0"):
        BeneparParser(batch=0)


# For real.

REAL = [
    Sentence(["The", "pilot", "'s", "plane", "(", "a", "Piper", ")", "crashed", "."], id="a"),
    Sentence(["Yes"]),
]


@pytest.fixture(scope="module")
def spacy_model():
    """Return a trained English model of spaCy's, under whatever name it is installed."""
    spacy = pytest.importorskip("spacy", reason="the extra spacy is not installed")
    names = sorted(n for n in spacy.util.get_installed_models() if n.startswith("en_core_web"))
    if not names:
        pytest.skip("no English model of spaCy is installed")
    return names[0]


@pytest.mark.filterwarnings("ignore")
def test_spacy_for_real(spacy_model):
    found = list(SpacyParser(model=spacy_model).parse(REAL))
    assert [s.forms for s in found] == [s.forms for s in REAL]
    want = ["B-NP", "I-NP", "B-NP", "I-NP", "O", "B-NP", "I-NP", "O", "B-VP", "O"]
    assert [t.iob for t in found[0]] == want
    assert [t.pos for t in found[0]][:4] == ["DT", "NN", "POS", "NN"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("spacy_model")
def test_real_spacy_tells_a_missing_model():
    with pytest.raises(InputError, match="spaCy has no model 'no_such_model_at_all'"):
        list(SpacyParser(model="no_such_model_at_all").parse(REAL))


@pytest.mark.filterwarnings("ignore")
def test_a_real_pipeline_without_tags_is_told(tmp_path):
    spacy = pytest.importorskip("spacy", reason="the extra spacy is not installed")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match=r"no parts of speech .* \(its parts: none\)"):
        list(SpacyParser(model=str(tmp_path / "blank")).parse(REAL))


TRAINED = [
    "(TOP (S (NP (DT The) (NN ferry)) (VP (VBD sank) (PP (IN off) (NP (NNP Como)))) (. .)))",
    "(TOP (S (NP (PRP It)) (VP (VBD left) (NP (NNP Milan))) (. .)))",
    "(TOP (S (NP (DT The) (NN coast)) (VP (VBZ is) (ADJP (JJ long))) (. .)))",
]


@pytest.fixture(scope="module", params=["checkpoint", "release"])
def benepar_model(request, tmp_path_factory):
    """Train a small benepar model from three trees, and return its path.

    One is a file as training leaves it, over letters; the other a folder as models are published,
    over a tiny T5.
    """
    pytest.importorskip("benepar", reason="the extra benepar is not installed")
    import nltk
    import torch
    import transformers
    from benepar import char_lstm, decode_chart, nkutil, parse_base, parse_chart

    class Example(parse_base.BaseInputExample):
        def __init__(self, tree):
            self.tree = nltk.Tree.fromstring(tree)
            self.words = self.tree.leaves()
            self.space_after = [True] * len(self.words)

        def leaves(self):
            return self.words

        def pos(self):
            return self.tree.pos()

    release = request.param == "release"
    if release and int(transformers.__version__.split(".")[0]) > 4:
        pytest.skip("benepar 0.2 and transformers 5 do not go together")
    examples = [Example(tree) for tree in TRAINED]
    tags = {"UNK": 0}
    for example in examples:
        for _, tag in example.pos():
            tags.setdefault(tag, len(tags))
    labels = decode_chart.ChartDecoder.build_vocab([example.tree for example in examples])
    letters = char_lstm.RetokenizerForCharLSTM.build_vocab([e.words for e in examples])
    home = tmp_path_factory.mktemp("benepar")
    if release:
        make_t5(home, [" ".join(example.words) for example in examples])
    sizes = {"d_model": 64, "d_char_emb": 16, "encoder_max_len": 64, "num_heads": 2, "d_kv": 32}
    sizes |= {"d_ff": 64, "num_layers": 1, "d_label_hidden": 32, "d_tag_hidden": 32}
    zero = ("char_lstm_input", "morpho_emb", "relu", "residual", "attention")
    torch.manual_seed(1)
    parser = parse_chart.ChartParser(
        tags,
        labels,
        None if release else letters,
        nkutil.HParams(
            use_chars_lstm=not release,
            use_pretrained=release,
            pretrained_model=str(home) if release else "",
            use_encoder=True,
            predict_tags=True,
            tag_loss_scale=5.0,
            force_root_constituent=True,
            **sizes,
            **{f"{name}_dropout": 0.0 for name in zero},
        ),
        pretrained_model_path=str(home) if release else None,
    )
    steps = torch.optim.Adam(parser.parameters(), lr=0.01)
    for _ in range(80):
        steps.zero_grad()
        batches = parser.encode_and_collate_subbatches(examples, 500)
        sum(parser.compute_loss(batch) for _, batch in batches).backward()
        steps.step()
    if not release:
        path = home / "tiny.pt"
        torch.save({"config": parser.config, "state_dict": parser.state_dict()}, path)
        return str(path)
    config = json.loads((home / "config.json").read_text())
    (home / "config.json").write_text(json.dumps({**config, "benepar": parser.config}))
    torch.save(parser.state_dict(), home / "benepar_model.bin")
    return str(home)


def make_t5(home, sentences):
    """Write the configuration and the tokenizer of a tiny T5."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import T5Config, T5TokenizerFast

    pieces = Tokenizer(models.Unigram())
    pieces.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=80, special_tokens=special, unk_token="<unk>")
    pieces.train_from_iterator(sentences * 5, trainer)
    made = T5TokenizerFast(tokenizer_object=pieces, extra_ids=0)
    made.save_pretrained(home)
    T5Config(
        vocab_size=len(made),
        d_model=32,
        d_kv=8,
        d_ff=32,
        num_layers=1,
        num_decoder_layers=1,
        num_heads=2,
        pad_token_id=made.pad_token_id,
        decoder_start_token_id=0,
        dropout_rate=0.0,
    ).save_pretrained(home)


@pytest.mark.filterwarnings("ignore")
def test_benepar_for_real(benepar_model):
    asked = [Sentence(["It", "left", "Milan", "."], id="a"), Sentence(["(", "New York", ")"])]
    found = list(BeneparParser(model=benepar_model).parse(asked))
    assert str(found[0].tree) == "(S (NP (PRP It)) (VP (VBD left) (NP (NNP Milan))) (. .))"
    assert [t.iob for t in found[0]] == ["B-NP", "B-VP", "B-NP", "O"]
    assert found[1].tree.words == found[1].forms == ("(", "New York", ")")


@pytest.mark.filterwarnings("ignore")
def test_real_benepar_tells_a_sentence_that_is_too_long(benepar_model):
    with pytest.raises(InputError, match="sentence 1: 100 words, and no tree: Sentence of length"):
        list(BeneparParser(model=benepar_model).parse([Sentence(["It"] * 100)]))


@pytest.mark.filterwarnings("ignore")
def test_real_benepar_tells_a_missing_model():
    pytest.importorskip("benepar", reason="the extra benepar is not installed")
    with pytest.raises(InputError, match=r"benepar\.download\('benepar_en3_large'\)") as error:
        list(BeneparParser(model="benepar_en3_large").parse(REAL))
    assert "\n" not in str(error.value)
