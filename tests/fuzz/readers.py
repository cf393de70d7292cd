"""Targets: what is read beside alignments, as dictionaries, segmentations, texts and models."""

from __future__ import annotations

import io

import numpy as np

from bitext.errors import FormatError
from bitext.formats.clusters import read_articles
from bitext.formats.corpora import open_corpus
from bitext.formats.dictionaries import read_dictionary
from bitext.formats.io.compression import Limits
from bitext.formats.io.source import Source, open_source
from bitext.formats.opus_documents import read_document
from bitext.formats.plain_text import load_text
from bitext.formats.segmentations import SPELLINGS, WITH_LABELS, read_coders
from fuzz import samples, samples_of_others
from fuzz.target import Target, coin, folder, on_file
from fuzz.verdict import Wrong, named
from reference.chapters import read_paragraph_file, write_chapters

_ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-16", "latin-1", "utf-16-le", "euc-jp", "cp1252")


def targets():
    """Return the targets."""
    made = samples_of_others
    return [
        *_dictionaries(),
        Target("segmentations", on_file("made.seg", _segmentations), made.segmentations, ""),
        Target("paragraph-files", on_file("made.tsv", _paragraphs), made.paragraph_files, "lines"),
        Target("articles", on_file("made.txt", _articles), made.articles, "lines"),
        Target("documents", _document, lambda: [d.encode() for d in samples.DOCUMENTS], "xml"),
        Target("running-text", _running_text, made.running_texts),
        Target("packed-running-text", _running_text, made.packed_texts, "archive"),
        Target("texts", on_file("made.txt", _text), made.articles, "lines"),
        Target("manifests", on_file("made.tsv", _manifest), made.manifests, ""),
        Target("packed", on_file("made", _packed), made.packed_files, "packed"),
        Target("vectors", on_file("made.npy", _vectors), made.arrays, "bytes"),
        Target("raw-vectors", on_file("made.f32", _vectors), made.arrays, "bytes"),
        Target("lexicons", on_file("made.lexicon", _lexicon), made.lexicons, "lines"),
        Target("models", on_file("made.npz", _model), made.models, "archive"),
        Target("readable-models", on_file("made.model", _readable), made.readable_models, ""),
        Target("training-states", on_file("made.state", _state), made.states, "archive"),
        Target("language-models", _language_model, made.language_models, "lines"),
    ]


# Dictionaries

_SUFFIXES = {
    "dic": "hunalign",
    "tsv": "tsv",
    "e2f": "moses",
    "txt": "",
    "tei": "freedict",
    "tbx": "tbx",
    "dix": "apertium",
}


def _dictionaries():
    for suffix, kind in _SUFFIXES.items():
        change = "xml" if suffix in {"tei", "tbx", "dix"} else "lines"
        run = on_file(f"made.{suffix}", _dictionary)
        yield Target(
            f"dictionary-{kind or 'any'}", run, lambda: samples_of_others.DICTIONARIES, change
        )
    yield Target("dictionary-dictd", _dictd, lambda: samples_of_others.DICTD, "lines")


def _dictionary(path, content):
    encoding = _ENCODINGS[coin(content, len(_ENCODINGS))]
    found = read_dictionary(path, encoding=encoding)
    if not len(found) or any(not (weight >= 0) for _, _, weight in found):
        raise Wrong("a dictionary is empty, or has a weight below 0")
    found.swapped()


def _dictd(content):
    index, _, terms = content.partition(samples.BOTH)
    (folder() / "made.index").write_bytes(index)
    (folder() / "made.dict").write_bytes(terms)
    with named("made.index", "made.dict"):
        read_dictionary(folder() / "made.index")


# Segmentations and texts


def _segmentations(path, content):
    spelling = (*[None] * 6, *SPELLINGS)[coin(content, 6 + len(SPELLINGS), 1)]
    encoding = _ENCODINGS[coin(content, len(_ENCODINGS))]
    coders = ((), (), ("a", "b"), "1")[coin(content, 4, 2)]
    labels = ((), (), (), ("seg", "x"))[coin(content, 4, 3)]
    with_labels = labels if spelling in {None, *WITH_LABELS} else ()
    steps = (None, None, "0.5", "words")[coin(content, 4, 4)]
    tables = read_coders(
        path,
        format=spelling,
        encoding=encoding,
        coders=coders,
        labels=with_labels,
        time_units=steps,
    )
    for name, segmentation in (each for table in tables.values() for each in table.items()):
        masses = segmentation.masses
        if not isinstance(name, str) or masses.size == 0 or masses.min() < 1:
            raise Wrong(f"{name!r} has the masses {masses!r}")


def _paragraphs(path, _content):
    texts = read_paragraph_file(path)
    out = io.StringIO(newline="")
    write_chapters(texts, out)
    again = folder() / "again.tsv"
    again.write_text(out.getvalue(), encoding="utf-8", newline="")
    back = read_paragraph_file(again)
    for one, other in zip(texts, back, strict=True):
        same = [[" ".join(line.split()) for line in text.segments()] for text in (one, other)]
        if same[0] != same[1] or one.paragraphs != other.paragraphs:
            raise Wrong("chapters are not what was written")


def _articles(path, content):
    read_articles(path, encoding=_ENCODINGS[coin(content, len(_ENCODINGS))])


def _document(content):
    with Source("made", io.BytesIO(content)) as source, named("made"):
        text = read_document(source)
        if len(text.ids) != len(list(text.segments())):
            raise Wrong("ids are not as many as segments")


_KINDS = {"heading", "paragraph", "item", "cell", "note", "verse"}


def _running_text(content):
    """Read a document of any format; `made.md` is Markdown where nothing else is recognised."""
    from bitext.formats.documents import cut_at, document_format
    from bitext.formats.documents import read_document as read_running_text
    from bitext.formats.xml.inline_codes import pieces

    name = "made" if document_format(content[: 1 << 16], "made") else "made.md"
    limits = Limits(size=1 << 22)
    with Source(name, io.BytesIO(content), limits=limits) as source, named(name):
        document = read_running_text(source, main_text=bool(coin(content, 2)))
    for block in document.blocks:
        if block.kind not in _KINDS or not block.text.strip() or block.level < 0:
            raise Wrong(f"a block is {block!r}")
        if block.marked is not None:
            plain = "".join(each.text for each in pieces(block.marked) if each.kind == "text")
            middle = len(plain) // 2
            cut_at(block.marked, [(0, middle), (middle, len(plain))])
            if plain != block.text:
                raise Wrong(f"the codes of {block.text!r} are around {plain!r}")


def _text(path, content):
    text = load_text(path, _ENCODINGS[coin(content, len(_ENCODINGS))])
    list(text.segments())
    list(text.ids)


def _manifest(path, _content):
    corpus = open_corpus(path)
    if not corpus.entries or not all(entry.path for entry in corpus.entries.values()):
        raise Wrong("a corpus has no file")


def _packed(path, content):
    most = Limits(size=1 << 22)
    with open_source(path, encoding=_ENCODINGS[coin(content, 3)], limits=most) as source:
        if coin(content, 2, 1):
            source.text()
        else:
            for _ in source.stream_lines():
                pass


# Vectors, lexicons, models


def _vectors(path, content):
    from bitext.align.sentences.vectors import read_vectors

    found = read_vectors(path, rows=3, dimensions=(None, None, 4)[coin(content, 3)])
    if found.shape[0] != 3 or found.dtype.kind != "f":
        raise Wrong(f"vectors are {found.dtype} of the shape {found.shape}")
    np.asarray(found).tolist()


def _lexicon(path, _content):
    from bitext.align.sentences.lexical.lexicon import Lexicon

    found = Lexicon.load(path)
    found.save(path)
    if list(Lexicon.load(path).lines()) != list(found.lines()):
        raise Wrong("a lexicon is not what was written")


def _model(path, _content):
    from bitext.segment import ParagraphSegmenter

    _used(ParagraphSegmenter.load(str(path)))


def _used(segmenter):
    """Use a model: what loads has to work, or to say why not."""
    from bitext.model import Text

    segmenter.predict(Text(["It rained.", "“Who?” he said.", "Nobody."]))


def _readable(path, _content):
    from bitext.segment import ParagraphSegmenter
    from bitext.segment.model_files import import_model

    parts = import_model(path)
    _used(ParagraphSegmenter.from_parts(parts, name=path.name))


def _state(path, _content):
    from bitext.segment.training import load_state

    load_state(path)


def _language_model(content):
    from bitext.align.words.ranking import read_model

    lines = content.decode("utf-8", "surrogateescape").split("\n")
    try:
        model = read_model(lines, path="made")
    except FormatError as error:
        if "made" not in str(error):
            raise Wrong(f"an error does not name the file: {error}") from error
        raise
    bits = model.log2([["ferry", "burns"], [], ["x"]])
    if any(np.isnan(bits)) or any(value > 0 for value in bits):
        raise Wrong(f"probabilities are {bits}")
