"""Targets: clusters, lattices, trees, columns, labels; journals and merging; words of metrics."""

from __future__ import annotations

import json

from bitext.errors import BitextError
from bitext.formats.clusters import KINDS, read_comparable
from bitext.formats.io.source import Notes
from bitext.formats.lattices import read_lattice, text_of
from bitext.model import Lattice
from fuzz import samples_of_others as samples
from fuzz.samples import BOTH
from fuzz.target import Target, coin, folder, on_file
from fuzz.verdict import Wrong, check_error, named


def targets():
    """Return the targets."""
    return [
        Target("clusters", on_file("made.cluster", _cluster), samples.clusters),
        Target("clusters-with-trees", _with_trees, _clusters_and_trees, "lines"),
        Target("json-clusters", on_file("made.json", _cluster), samples.clusters, "json"),
        Target("lattices", on_file("made.json", _lattice), samples.lattices, "json"),
        Target("columns", _columns, samples.columns, "lines"),
        Target("labels", _labels, samples.labels, "lines"),
        Target("trees", _trees, samples.trees, "lines"),
        Target("journals", on_file("made.journal", _journal), samples.journals, "journal"),
        Target("word-links", _links, lambda: [b"0-0 1-2p 3-1:0.9 1p2 1?2"], "lines"),
        Target("metrics", _metric, _metrics, "lines"),
    ]


def _cluster(path, content):
    kind = (None, None, *KINDS)[coin(content, len(KINDS) + 2)]
    notes = Notes()
    for made in read_comparable(path, kind=kind, aux=coin(content, 2, 1) == 0, notes=notes):
        cluster = made.cluster if isinstance(made, Lattice) else made
        _checked(cluster)
        if isinstance(made, Lattice):
            _written(made)


def _checked(cluster):
    for sentence in cluster:
        if not len(sentence) and sentence.tree is not None:
            raise Wrong("a sentence without words has a tree")
        if sentence.tree is not None and len(sentence.tree.words) != len(sentence):
            raise Wrong("a tree has other words than its sentence")


def _clusters_and_trees():
    plain = b"The ferry burned.\nIt sank\n"
    return [plain + BOTH + trees for trees in samples.TREES]


def _with_trees(content):
    text, _, trees = content.partition(BOTH)
    (folder() / "made.txt").write_bytes(text)
    (folder() / "made.trees").write_bytes(trees)
    with named("made.txt", "made.trees"):
        for made in read_comparable(folder() / "made.txt", trees=folder() / "made.trees"):
            _checked(made.cluster if isinstance(made, Lattice) else made)


def _lattice(path, _content):
    _written(read_lattice(path))


def _written(lattice):
    """Write a lattice in every kind; that of JSON is read again."""
    whole = "".join(text_of(lattice))
    again = folder() / "again.json"
    again.write_bytes(whole.encode("utf-8", "surrogatepass"))
    try:
        back = read_lattice(again)
    except BitextError as error:
        raise Wrong(f"a lattice that was written is refused: {error}") from error
    if "".join(text_of(back)) != whole:
        raise Wrong("a lattice written again is another one")
    for kind in ("dot", "graphml", "tei", "tsv"):
        try:
            "".join(text_of(lattice, kind))
        except BitextError as error:
            check_error(error)


def _columns(content):
    from bitext.syntax.columns import read_columns

    with named("made"):
        for sentence in read_columns(_lines(content), path="made"):
            str(sentence)


def _labels(content):
    from bitext.syntax.labelled import open_labels

    with named("made"):
        known, sentences = open_labels(_lines(content), path="made")
        made = list(sentences)
    if known.kind != "conllu":  # the columns of spans are told by the first lines
        return
    written = [line for sentence in made for line in known.lines(sentence)]
    again = list(open_labels(written, path="again")[1])
    if [_content_of(each) for each in again] != [_content_of(each) for each in made]:
        raise Wrong("labels written again are others")


def _content_of(sentence):
    names = ("forms", "tags", "spans", "heads", "relations", "tokens", "comments")
    return [getattr(sentence, name) for name in names]


def _trees(content):
    from bitext.syntax.conversion import annotate
    from bitext.syntax.penn import parse_tree, read_trees

    with named("made"):
        for _, tree in read_trees(_lines(content), path="made"):
            if list(parse_tree(str(tree)).words) != list(tree.words):
                raise Wrong("a tree has other words when it is written")
            try:
                annotate(tree)
            except BitextError as error:  # it knows the tree, not the file
                check_error(error)


def _lines(content):
    return content.decode("utf-8", "surrogateescape").split("\n")


def _journal(path, _content):
    from bitext.jobs.journal import Parts

    with Parts([str(path)]) as parts:
        list(parts.results())
    _gone_on_with(path)


def _gone_on_with(path):
    """Open the journal for going on, as a run of the same head."""
    from bitext.jobs import Document, Journal
    from bitext.jobs.journal import Reader

    with path.open("rb") as file:
        reader = Reader(str(path), file)
    with Journal(path, reader.head["run"], shard=reader.shard) as journal:
        for number in range(3):
            journal.find(Document(number, f"d{number}", 1))


def _links(content):
    from bitext.model import word_links as words

    text = content.decode("utf-8", "surrogateescape")
    found = words.distinct(words.parse(text))
    if words.distinct(words.parse(words.spell(found))) != found:
        raise Wrong(f"links are others when they are written: {words.spell(found)!r}")
    words.swapped(text)


def _metrics():
    return [b"pk", b"window-diff(k=5, padded=True)", b"boundary-similarity(max_transposition=1)"]


def _metric(content):
    from bitext.metrics.registry import parse_metric
    from bitext.model import Segmentation

    # Of an argument: the error repeats it.
    found = parse_metric(content[:200].decode("utf-8", "surrogateescape"))
    found.signature("micro")
    json.dumps(found.label)
    found(Segmentation([2, 3, 1]), Segmentation([1, 4, 1]))
