"""The kinds of lattice files that are written only: what they hold, read by other means."""

import io
import re

import pytest
from hypothesis import given
from lxml import etree

from bitext.formats.lattices import columns, quoted, text_of
from bitext.formats.line_files import flat
from bitext.model import Cluster, Lattice, Sentence
from reference import dot_grammar
from reference.draw_lattices import PLAIN, TAGS, TRAPS, lattices

TEI = "{http://www.tei-c.org/ns/1.0}"
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
XML = "{http://www.w3.org/XML/1998/namespace}"


def foxes():
    """Three sentences; fox and dog are shared by all."""
    rows = {
        "A": [("The", 1), ("quick", 2), ("brown", 3), ("fox", 4), ("saw", 5), ("dogs", 6)],
        "B": [("The", 1), ("quick", 2), ("brown", 3), ("fox", 4), ("saw", 5), ("dogs", 6)],
        "C": [("A", 7), ("fox", 4), ("saw", 5), ("no", 8), ("Dogs", 6)],
    }
    cluster = Cluster(
        [Sentence([form for form, _ in row], id=name) for name, row in rows.items()], id="foxes"
    )
    return Lattice(cluster, [[group for _, group in row] for row in rows.values()])


@given(lattices(width=7))
def test_columns_are_ranks(drawn):
    places, width = columns(drawn)
    rank = {}
    for row, sentence in enumerate(drawn.cluster):
        assert len(places[row]) == len(sentence)
        assert places[row] == sorted(set(places[row]))
        for node, column in zip(drawn.path(row)[1:-1], places[row], strict=True):
            assert rank.setdefault(node, column) == column
    # As low as can be: before each node of rank k > 0 there is one of rank k - 1.
    before = {
        (head, rank.get(tail, -1))
        for tail, after in enumerate(drawn.successors())
        for head in after
    }
    assert all((node, column - 1) in before for node, column in rank.items())
    assert {*rank.values()} == {*range(width)}


def test_the_table():
    assert "".join(text_of(foxes(), "tsv")) == (
        "A\tThe\tquick\tbrown\tfox\tsaw\t\tdogs\n"
        "B\tThe\tquick\tbrown\tfox\tsaw\t\tdogs\n"
        "C\tA\t\t\tfox\tsaw\tno\tDogs\n"
    )


@given(lattices(forms=PLAIN + TRAPS))
def test_the_table_has_a_row_a_sentence_and_a_word_a_cell(drawn):
    rows = [line.split("\t") for line in "".join(text_of(drawn, "tsv")).split("\n")]
    assert rows.pop() == [""]
    assert [row[0] for row in rows] == drawn.cluster.names
    assert {len(row) for row in rows} == {columns(drawn).width + 1}
    for row, sentence in zip(rows, drawn.cluster, strict=True):
        assert [cell for cell in row[1:] if cell] == [flat(form) for form in sentence.forms]


def test_dot_is_written_as_documented():
    cluster = Cluster([Sentence(["It", "burns"], id="a"), Sentence(["burns"], id="b")])
    assert "".join(text_of(Lattice(cluster, [[1, 2], [2]]), "dot")) == (
        'digraph "lattice" {\n'
        "  rankdir=LR;\n"
        "  node [shape=box, style=rounded];\n"
        "  edge [color=gray40];\n"
        '  0 [label="", shape=circle, style=solid, width=0.2];\n'
        '  1 [label="It", tooltip="a:1"];\n'
        '  2 [label="burns", tooltip="a:2, b:1"];\n'
        '  3 [label="", shape=doublecircle, style=solid, width=0.2];\n'
        '  0 -> 1 [weight=1, penwidth=1.00, label="a"];\n'
        '  0 -> 2 [weight=1, penwidth=1.00, label="b"];\n'
        '  1 -> 2 [weight=1, penwidth=1.00, label="a"];\n'
        '  2 -> 3 [weight=2, penwidth=2.00, label="a, b"];\n'
        "}\n"
    )


@given(lattices(forms=PLAIN + TRAPS, tags=TAGS))
def test_dot_shows_the_lattice(drawn):
    name, nodes, arcs = dot_grammar.parse("".join(text_of(drawn, "dot")))
    assert name == (drawn.cluster.id or "lattice")
    assert nodes["rankdir"] == "LR"
    for node in range(len(drawn)):
        assert nodes[str(node)]["label"] == drawn.form(node).replace("\t", " ")
    ends = zip(drawn.arcs.tail.tolist(), drawn.arcs.head.tolist(), strict=True)
    assert [(tail, head) for tail, head, _ in arcs] == list(ends)
    weights = drawn.arcs.sentences.lengths.tolist()
    assert [int(found["weight"]) for _, _, found in arcs] == weights


def test_control_characters_are_pictures_in_dot():
    assert quoted("a\x00\x1b\x7f\x85b\t\n") == '"a␀␛␡\ufffdb \\n"'


def test_many_sentences_are_a_number_in_dot():
    cluster = Cluster([Sentence(["It"])] * 4)
    assert 'label="4"]' in "".join(text_of(Lattice(cluster, [[1]] * 4), "dot"))


def graph_of(drawn):
    """Return the attributes of the graph, of its nodes and of its arcs."""
    root = etree.fromstring("".join(text_of(drawn, "graphml")).encode())
    keys = {key.get("id"): key for key in root.iter(f"{GRAPHML}key")}
    graph = root.find(f"{GRAPHML}graph")

    def data(element):
        found = {}
        for each in element.findall(f"{GRAPHML}data"):
            key = keys[each.get("key")]
            assert element.tag == GRAPHML + key.get("for")
            if key.get("attr.name"):
                found[key.get("attr.name")] = each.text or ""
            else:
                found["label"] = "".join(each.itertext())
        return found

    nodes = {node.get("id"): data(node) for node in graph.iter(f"{GRAPHML}node")}
    arcs = [
        (edge.get("source"), edge.get("target"), data(edge))
        for edge in graph.iter(f"{GRAPHML}edge")
    ]
    return data(graph), nodes, arcs


@given(lattices(forms=PLAIN + TRAPS, tags=TAGS))
def test_graphml_holds_the_lattice(drawn):
    graph, nodes, arcs = graph_of(drawn)
    assert (graph["start"], graph["accept"]) == ("n0", f"n{len(drawn) - 1}")
    assert graph.get("id") == drawn.cluster.id
    assert list(nodes) == [f"n{k}" for k in range(len(drawn))]
    for k, node in enumerate(nodes.values()):
        assert node["form"] == node["label"] == drawn.form(k)
        assert node["pos"] == drawn.pos(k)
        places = [tuple(map(int, each.split(":"))) for each in node["members"].split()]
        assert places == drawn.members(k)
    made = drawn.arcs
    for k, (tail, head, found) in enumerate(arcs):
        assert (tail, head) == (f"n{made.tail[k]}", f"n{made.head[k]}")
        who = list(map(int, found["sentences"].split()))
        assert who == made.sentences.row(k).tolist()
        assert int(found["weight"]) == len(who)
    assert len(arcs) == len(made.tail)


def test_networkx_reads_graphml():
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    drawn = foxes()
    graph = networkx.read_graphml(io.BytesIO("".join(text_of(drawn, "graphml")).encode()))
    assert networkx.is_directed_acyclic_graph(graph)
    assert graph.nodes["n1"]["form"] == drawn.form(1)
    assert graph.edges["n0", "n1"]["weight"] == 2


def test_tei_is_an_apparatus():
    text = "".join(text_of(foxes(), "tei"))
    body = text[text.index("<p>", text.index("<body>")) : text.index("</body>")]
    assert " ".join(body.split()) == (
        '<p><app><rdg wit="#A #B">The quick brown</rdg><rdg wit="#C">A</rdg></app> fox saw '
        '<app><rdg wit="#C">no</rdg><rdg wit="#A #B"/></app> '
        '<app><rdg wit="#A #B">dogs</rdg><rdg wit="#C">Dogs</rdg></app></p>'
    )
    assert '<witness xml:id="A"/>' in text


def words_of(body, witness):
    """Return the words of a witness: those outside of readings, and in its own."""
    body = etree.fromstring(etree.tostring(body))
    for reading in list(body.iter(f"{TEI}rdg")):
        if f"#{witness}" not in reading.get("wit").split():
            reading.getparent().remove(reading)
    words = []
    for event, each in etree.iterwalk(body, events=("start", "end")):
        if event == "start" and each.tag == f"{TEI}w":
            words.append(each.text)
        else:
            text = each.text if event == "start" else each.tail
            words += re.findall(r"[^ \t\r\n]+", text or "")
    return words


@given(lattices(forms=PLAIN + TRAPS))
def test_every_witness_can_be_read_from_tei(drawn):
    root = etree.fromstring("".join(text_of(drawn, "tei")).encode())
    witnesses = list(root.iter(f"{TEI}witness"))
    ids = [witness.get(f"{XML}id") for witness in witnesses]
    assert len(set(ids)) == len(drawn.cluster)
    shown = [witness.get("n") or witness.get(f"{XML}id") for witness in witnesses]
    assert shown == drawn.cluster.names
    (body,) = root.iter(f"{TEI}body")
    for witness, sentence in zip(ids, drawn.cluster, strict=True):
        assert words_of(body, witness) == list(sentence.forms)
    for app in body.iter(f"{TEI}app"):
        pointers = [pointer for reading in app for pointer in reading.get("wit").split()]
        assert sorted(pointers) == sorted(f"#{name}" for name in ids)
        assert len(app) > 1
        readings = [etree.tostring(reading, method="text", encoding="unicode") for reading in app]
        assert "" not in readings[:-1]


def test_equal_readings_are_one_whether_they_share_a_node_or_not():
    rows = [["It", "burns", "now"], ["It", "glows", "now"], ["So", "glows", "now"]]
    drawn = Lattice(Cluster(map(Sentence, rows)), [[1, 2, 9], [3, 4, 9], [5, 4, 9]])
    text = "".join(text_of(drawn, "tei"))
    assert '<rdg wit="#w1">It burns</rdg><rdg wit="#w2">It</rdg><rdg wit="#w3">So</rdg>' in text
    drawn = Lattice(Cluster(map(Sentence, rows)), [[1, 2, 9], [3, 4, 9], [1, 6, 9]])
    text = "".join(text_of(drawn, "tei"))
    assert '<rdg wit="#w1">burns</rdg><rdg wit="#w3">glows</rdg><rdg wit="#w2"/>' in text
    assert "</app>\nnow</p>" in text


def test_stretches_are_columns_by_rank():
    cluster = Cluster(map(Sentence, (["Milan", "burns"], ["Now", "it", "burns"])))
    text = "".join(text_of(Lattice(cluster, [[1, 2], [3, 4, 2]]), "tei"))
    assert (
        '<p><app><rdg wit="#w1">Milan</rdg><rdg wit="#w2">Now it</rdg></app>\nburns</p>'
    ) in text


def test_witnesses_have_names_of_their_own():
    names = ["w2", None, "a b", "x", "x", "_ok-1.2", "1st"]
    cluster = Cluster([Sentence(["It"], id=name, source="<one>") for name in names])
    root = etree.fromstring("".join(text_of(Lattice(cluster, [[1]] * 7), "tei")).encode())
    witnesses = list(root.iter(f"{TEI}witness"))
    assert [each.get(f"{XML}id") for each in witnesses] == [
        "w2", "w2_", "a-b", "w4", "w5", "_ok-1.2", "w7",
    ]  # fmt: skip
    assert [each.get("n") for each in witnesses] == [None, "2", "a b", "x", "x", None, "1st"]
    assert {each.text for each in witnesses} == {"<one>"}


def test_ids_that_cannot_be_names_are_kept_as_far_as_they_can():
    def ids(*names):
        cluster = Cluster([Sentence(["It"], id=name) for name in names])
        text = "".join(text_of(Lattice(cluster, [[1]] * len(names)), "tei"))
        root = etree.fromstring(text.encode())
        return [each.get(f"{XML}id") for each in root.iter(f"{TEI}witness")]

    assert ids("post:1", "post:2", "herald 1") == ["post-1", "post-2", "herald-1"]
    # Taken by another, which has it as it stands, or before.
    assert ids("post:1", "post-1", "post 1") == ["w1", "post-1", "w3"]
    assert ids("a:b", "a b") == ["a-b", "w2"]
    assert ids("w:2", ":", "1:2", "é") == ["w-2", "w2", "w3", "w4"]
