"""Files of lattices: what all kinds hold true, and reading back what can be read."""

import gzip
import json
import re

import pytest
from hypothesis import given

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.lattices import KINDS, kind_of, read_lattice, text_of, write_lattice
from bitext.formats.lattices.reading import lattice_of, object_of
from bitext.model import Cluster, Lattice, Sentence, Token, Tree
from reference.draw_lattices import PLAIN, TAGS, TRAPS, lattices
from reference.shared_data import data


@pytest.mark.parametrize("name", ["a.json", "a.dot", "a.tsv"])
def test_what_is_no_lattice_is_not_written(tmp_path, name):
    with pytest.raises(InputError, match=r"the lattice is None \(NoneType\): want a Lattice"):
        write_lattice(None, tmp_path / name)
    assert not (tmp_path / name).exists()


PAIRS = [((0, 1), (1, 2))]
BARE = {"id": 9, "members": []}


def milan():
    """Two sentences that share their last word."""
    cluster = Cluster(
        [
            Sentence(["Milan", "burns"], id="a", source="one.txt", text="Milan burns"),
            Sentence(["Now", "it", "burns"], id="b"),
        ],
        id="milan",
    )
    return Lattice(cluster, [[1, 2], [3, 4, 2]], PAIRS)


def same(one, other):
    return (one, one.pairs) == (other, other.pairs)


def test_the_kinds():
    assert list(KINDS) == ["json", "dot", "graphml", "tei", "tsv"]
    assert [kind.name for kind in KINDS.values() if kind.readable] == ["json"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("x.json", "json"),
        ("X.JSON.GZ", "json"),
        ("x.gv", "dot"),
        ("x.graphml.zst", "graphml"),
        ("x.tei.xml", "tei"),
        ("x.xml", "tei"),
        ("x.tab", "tsv"),
    ],
)
def test_the_name_tells_the_kind(name, kind):
    assert kind_of(name).name == kind


def test_a_name_that_tells_none(tmp_path):
    assert kind_of("lattice") is None
    with pytest.raises(
        OptionError, match=r"x\.txt: the name does not show what to write.* \.json, \.dot, "
    ):
        write_lattice(milan(), tmp_path / "x.txt")
    assert not list(tmp_path.iterdir())


def test_a_kind_that_is_not_known():
    with pytest.raises(OptionError, match="kind 'graphm' is not known; did you mean 'graphml'"):
        text_of(milan(), "graphm")


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_holds_the_text_of_its_kind(kind, tmp_path):
    path = tmp_path / f"x{KINDS[kind].suffixes[0]}"
    write_lattice(milan(), path)
    assert path.read_text(encoding="utf-8") == "".join(text_of(milan(), kind))
    write_lattice(milan(), tmp_path / "x.gz", kind)
    assert gzip.decompress((tmp_path / "x.gz").read_bytes()) == path.read_bytes()


def test_standard_output_gets_json(capsys):
    write_lattice(milan(), "-")
    assert json.loads(capsys.readouterr().out) == object_of(milan())


def test_json_is_written_as_documented():
    assert "".join(text_of(milan(), "json")) == (
        """{"schema": "bitext.cluster/1",
 "id": "milan",
 "sentences": [
  {"id": "a", "source": "one.txt", "text": "Milan burns"},
  {"id": "b", "source": null, "text": "Now it burns"}
 ],
 "tokens": [
  ["Milan", "burns"],
  ["Now", "it", "burns"]
 ],
 "nodes": [
  {"id": 0, "form": "", "pos": "", "members": []},
  {"id": 1, "form": "Milan", "pos": "", "members": [[0, 0]]},
  {"id": 2, "form": "Now", "pos": "", "members": [[1, 0]]},
  {"id": 3, "form": "it", "pos": "", "members": [[1, 1]]},
  {"id": 4, "form": "burns", "pos": "", "members": [[0, 1], [1, 2]]},
  {"id": 5, "form": "", "pos": "", "members": []}
 ],
 "start": 0,
 "accept": 5,
 "arcs": [
  [0, 1, [0]],
  [0, 2, [1]],
  [1, 4, [0]],
  [2, 3, [1]],
  [3, 4, [1]],
  [4, 5, [0, 1]]
 ],
 "pairs": [
  [[0, 1], [1, 2]]
 ]}
"""
    )


@given(lattices(forms=PLAIN + TRAPS, tags=TAGS))
def test_json_comes_back_equal(drawn):
    text = "".join(text_of(drawn, "json"))
    back = lattice_of(json.loads(text), path="x.json")
    assert same(back, drawn)
    assert "".join(text_of(back, "json")) == text


def test_trees_and_traces_come_back_equal(tmp_path):
    plain = Tree(["S", "NP", "NNP"], [-1, 0, 1], [None, None, "Milan"])
    nameless = Tree(["", "S", "NNP"], [-1, 0, 1], [None, None, "Milan"])
    bracket = Tree(["S", "-LRB-"], [-1, 0], [None, "("])
    sentences = [
        Sentence([Token("Milan", "NNP", "B-NP", ("B-S", "B-NP"))], tree=plain),
        Sentence([Token("Milan", "NNP", "B-NP", ("B-S/X", "B-NP"))], tree=nameless),
        Sentence([Token("(", "-LRB-", "O", ("B-S", ""))], tree=bracket),
        Sentence(["Milan"]),
    ]
    wanted = Lattice(Cluster(sentences), [[1], [1], [2], [1]])
    write_lattice(wanted, tmp_path / "x.json.gz")
    back = read_lattice(tmp_path / "x.json.gz")
    assert same(back, wanted)
    assert [s.tree for s in back.cluster] == [plain, nameless, bracket, None]
    held = object_of(wanted)
    assert [word[2] for row in held["syntax"][:3] for word in row] == [
        "B-S/B-NP",
        ["B-S/X", "B-NP"],
        ["B-S", ""],
    ]
    assert held["syntax"][3] is None
    assert held["sentences"][0]["tree"] == "(S (NP (NNP Milan)))"
    assert held["sentences"][2]["tree_nodes"]["forms"] == [None, "("]


def test_real_trees_come_back_equal():
    from bitext.syntax.penn import parse_tree

    for file in sorted(data("clusters").glob("*.json")):
        found = json.loads(file.read_text(encoding="utf-8"))["sentences"]
        trees = [parse_tree(each["tree"]) for each in found]
        cluster = Cluster(Sentence(tree.words, tree=tree) for tree in trees)
        numbers = iter(range(cluster.words))
        wanted = Lattice(cluster, [[next(numbers) for _ in sentence] for sentence in cluster])
        held = object_of(wanted)
        assert same(lattice_of(held, path="x"), wanted)
        assert all("tree" in sentence for sentence in held["sentences"])


def test_only_json_is_read(tmp_path):
    write_lattice(milan(), tmp_path / "x.tsv")
    with pytest.raises(FormatError, match=r"x\.tsv: is tsv by its name, which is written only"):
        read_lattice(tmp_path / "x.tsv")
    (tmp_path / "x").write_text('{"schema":\n nothing}')
    with pytest.raises(FormatError, match=r"x line 2 column 2: is not JSON: Expecting value; want"):
        read_lattice(tmp_path / "x")
    with pytest.raises(InputError, match="no such file"):
        read_lattice(tmp_path / "y.json")
    with pytest.raises(InputError, match="of type Lattice, is no path: want the name of a file"):
        read_lattice(milan())


def test_depth_and_repeated_keys_are_errors(tmp_path):
    (tmp_path / "x.json").write_text("[" * 100_000)
    with pytest.raises(FormatError, match=r"x\.json: is JSON beyond all limits"):
        read_lattice(tmp_path / "x.json")
    (tmp_path / "x.json").write_text('{"schema": "a", "schema": "b"}')
    with pytest.raises(FormatError, match="has the key 'schema' twice; want it once"):
        read_lattice(tmp_path / "x.json")


def test_what_can_be_told_from_the_rest_may_be_left_out():
    found = object_of(milan())
    for key in ("id", "sentences", "start", "accept", "arcs", "pairs"):
        del found[key]
    found["nodes"] = [
        {"id": f"n{node['id']}", "members": node["members"]}
        for node in reversed(found["nodes"])
        if node["members"]
    ]
    found["comment"] = "by hand"
    cluster = Cluster([Sentence(["Milan", "burns"]), Sentence(["Now", "it", "burns"])])
    assert same(lattice_of(found, path="x"), Lattice(cluster, [[1, 2], [3, 4, 2]]))


def test_the_four_keys_that_tell_all_are_enough():
    told = {key: object_of(milan())[key] for key in ("tokens", "nodes", "arcs", "pairs")}
    texts = ["Milan burns", "Now it burns"]
    wanted = Lattice(Cluster(Sentence(t.split()) for t in texts), [[1, 2], [3, 4, 2]], PAIRS)
    back = lattice_of(told, path="x")
    assert same(back, wanted)
    assert [sentence.text for sentence in back.cluster] == texts
    assert back.cluster.names == ["1", "2"]
    # One of the two may be named; or neither be there, with their arcs.
    assert same(lattice_of(told | {"start": 0}, path="x"), wanted)
    assert same(lattice_of(told | {"accept": 5}, path="x"), wanted)
    inner = told | {"nodes": told["nodes"][1:-1], "arcs": told["arcs"][2:-1]}
    assert same(lattice_of(inner, path="x"), wanted)
    # Nodes that stand for nothing are left aside.
    assert same(lattice_of(told | {"nodes": [*told["nodes"], BARE]}, path="x"), wanted)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        # Two nodes that could be the start: neither is taken.
        ({"arcs": [[0, 1, [0]], [9, 2, [1]]]}, r"arcs\[0\] names the node 0, which has no words"),
        ({"arcs": [[1, 4, [0]], [2, 3, [1]]]}, "the arc from node 3 to 4 is missing"),
        ({"arcs": [[0, 1, [0]], [1, 0, [0]]]}, r"arcs\[0\] names the node 0, which has no words"),
        ({"arcs": [[0, 1], 7]}, r"arcs\[0\] is \[0, 1\]; want"),
        ({"arcs": 7}, '"arcs" is 7; want a list'),
        ({"tokens": None}, '"tokens" is null; want a list'),
    ],
)
def test_without_names_for_start_and_accept_arcs_have_to_tell_them(change, message):
    found = object_of(milan())
    told = {key: found[key] for key in ("tokens", "nodes", "arcs", "pairs")}
    told["nodes"] = [*told["nodes"], BARE]
    with pytest.raises(FormatError, match=f"^x: .*{message}"):
        lattice_of(told | change, path="x")


def test_an_object_without_all_of_them_is_no_lattice():
    with pytest.raises(FormatError, match="x: holds no lattice; want what"):
        lattice_of({"arcs": []}, path="x")
    with pytest.raises(FormatError, match='x: has no "nodes"; want tokens and nodes'):
        lattice_of({"tokens": [["It"]]}, path="x")


def test_nodes_may_be_numbered_in_any_way():
    found = object_of(milan())
    new = {node["id"]: f"node {7 - node['id']}" for node in found["nodes"]}
    for node in found["nodes"]:
        node["id"] = new[node["id"]]
    found["arcs"] = [[new[tail], new[head], who] for tail, head, who in reversed(found["arcs"])]
    found["start"], found["accept"] = new[0], new[5]
    assert same(lattice_of(found, path="x"), milan())


def at(*keys):
    """Return what sets the element under some keys."""

    def change(found, value):
        for key in keys[:-1]:
            found = found[key]
        found[keys[-1]] = value

    return change


MISSING = object()


@pytest.mark.parametrize(
    ("change", "value", "message"),
    [
        (at("schema"), "bitext.cluster/9", 'has the schema "bitext.cluster/9"; want'),
        (at("tokens"), MISSING, 'has no "tokens"; want tokens and nodes'),
        (at("tokens"), {}, '"tokens" is {}; want a list'),
        (at("tokens"), [], r'"sentences" has 2 elements and "tokens" 0; want one a sentence'),
        (at("tokens", 0), "Milan", r'tokens\[0\] is "Milan"; want a list of texts'),
        (at("tokens", 0, 1), 7, r"tokens\[0\]\[1\] is 7; want a text"),
        (at("tokens", 0, 1), "\ud800", r"tokens\[0\]\[1\] has half of a surrogate pair"),
        (at("tokens", 0, 1), "", r"sentences\[0\]: word 2 of sentence 'a' is empty"),
        (at("tokens", 0), [], r"sentences\[0\]: sentence 'a' has no words"),
        (at("sentences", 0), 3, r"sentences\[0\] is 3; want an object"),
        (at("sentences", 0, "id"), 3, r"sentences\[0\]\.id is 3; want a text"),
        (at("id"), 3, r"the object\.id is 3; want a text"),
        (at("syntax"), [None], '"syntax" has 1 elements and "tokens" 2'),
        (at("syntax"), [[], None], r"syntax\[0\] is \[\]; want one \[pos, iob, trace\] for each"),
        (at("syntax"), [[["A", "O"]] * 2, None], r"syntax\[0\]\[0\] is \[\"A\", \"O\"\]; want"),
        (at("syntax"), [[["A", "O", 1]] * 2, None], r"syntax\[0\]\[0\]\[2\] is 1; want a list"),
        (at("sentences", 0, "tree"), "(S (NNP Milan)", r"sentences\[0\]\.tree.*: "),
        (at("sentences", 0, "tree"), "(S (A b))", r"sentences\[0\]: .*2 words and its tree 1"),
        (at("sentences", 0, "tree_nodes"), 1, r"tree_nodes is 1; want labels, parents"),
        (
            at("sentences", 0, "tree_nodes"),
            {"labels": ["S"], "parents": ["x"], "forms": [None]},
            r'tree_nodes.parents is \["x"\]; want whole numbers',
        ),
        (
            at("sentences", 0, "tree_nodes"),
            {"labels": ["S"], "parents": [-1], "forms": [None]},
            r"sentences\[0\]: node 0 \(S\) has no daughter",
        ),
        (at("nodes"), MISSING, 'has no "nodes"'),
        (at("nodes", 1), 5, r"nodes\[1\] is 5; want an object"),
        (at("nodes", 1, "id"), 0, r"nodes\[1\]\.id is 0; want a number or a text that no other"),
        (at("nodes", 1, "id"), True, r"nodes\[1\]\.id is true; want"),
        (at("nodes", 1, "members"), None, r"nodes\[1\]\.members is null; want a list"),
        (at("nodes", 1, "members", 0), [0], r"members\[0\] is \[0\]; want \[sentence, word\]"),
        (at("nodes", 1, "members", 0), [2, 0], r"is \[2, 0\], but the sentences are 0 to 1"),
        (at("nodes", 1, "members", 0), [0, 2], "but the words of sentence 0 are 0 to 1"),
        (at("nodes", 1, "members", 0), [0, -1], r"is \[0, -1\], but the words of sentence 0"),
        (at("nodes", 3, "members", 0), [1, 0], "word 0 of sentence 1 is in the nodes 2 and 3"),
        (at("nodes", 1, "members", 0), [1, 0], r"nodes\[1\]\.form is \"Milan\", which none of"),
        (at("nodes", 1, "members"), [], 'nodes.1..form is "Milan", which none of its words is'),
        (at("nodes", 1), {"id": 1, "members": []}, "word 0 of sentence 0 is in no node"),
        (at("nodes", 1, "form"), "Rome", r'nodes\[1\]\.form is "Rome", which none of its words'),
        (at("nodes", 0, "form"), "Rome", r'nodes\[0\]\.form is "Rome", which none of its words'),
        (at("start"), 9, '"start" is 9; want the id of a node without members'),
        (at("start"), 1, '"start" is 1; want the id of a node without members'),
        (at("start"), 5, '"start" and "accept" are both 5; want two nodes'),
        (at("arcs", 0), [5, 1, [0]], "the arc from node 0 to 1 is missing, against the paths"),
        (at("arcs", 0), [0, 1], r"arcs\[0\] is \[0, 1\]; want \[from, to, \[sentences\]\]"),
        (at("arcs", 0), [0, 9, [0]], r"arcs\[0\] names the node 9; want the id of a node"),
        (at("arcs", 0), [0, 2, [0]], r"arcs\[1\] is \[0, 2, \[1\]\], between nodes of another arc"),
        (at("arcs", 0), [0, 3, [0]], "the arc from node 0 to 1 is missing, against the paths"),
        (at("arcs", 0), [0, 4, [0]], "the arc from node 0 to 1 is missing"),
        (at("arcs"), [], "the arc from node 0 to 1 is missing"),
        (at("arcs", 5, 2), [0], r"from node 4 to 5 has the sentences \[0\], but \[0, 1\] take it"),
        (at("pairs", 0), [[0, 1]], r"pairs\[0\] is \[\[0, 1\]\]; want two \[sentence, word\]"),
        (at("pairs", 0, 1), [1, 3], r"pairs\[0\]\[1\] is \[1, 3\], but the words of sentence 1"),
        (at("pairs", 0, 1), [1, 1], r"pairs\[0\] is .* two words of different nodes; want one"),
    ],
)
def test_what_contradicts_itself_is_named(change, value, message):
    found = object_of(milan())
    change(found, value)
    found = {key: value for key, value in found.items() if value is not MISSING}
    with pytest.raises(FormatError, match=f"^some.json: .*{message}") as caught:
        lattice_of(found, path="some.json")
    assert "\n" not in str(caught.value)


def test_an_arc_too_many_is_named():
    found = object_of(milan())
    found["arcs"].append([1, 3, [0]])
    with pytest.raises(FormatError, match="the arc from node 1 to 3 is there, against the paths"):
        lattice_of(found, path="x")


def test_a_cycle_is_named():
    cluster = Cluster([Sentence(["a", "b"]), Sentence(["b", "a"])])
    found = object_of(Lattice(cluster, [[1, 2], [3, 4]]))
    found["nodes"] = [
        {"id": 1, "members": [[0, 0], [1, 1]]},
        {"id": 2, "members": [[0, 1], [1, 0]]},
    ]
    with pytest.raises(FormatError, match=r"x: nodes: word 1 \('a'\) of sentence 1 .* a cycle"):
        lattice_of(found, path="x")


def test_a_node_twice_in_a_sentence_is_a_cycle():
    found = object_of(Lattice(Cluster([Sentence(["a", "a"])]), [[1, 2]]))
    found["nodes"] = [{"id": 1, "members": [[0, 0], [0, 1]]}]
    with pytest.raises(FormatError, match="a cycle"):
        lattice_of(found, path="x")


@pytest.mark.parametrize("found", [[], "x", None, 3])
def test_what_is_no_object(found):
    with pytest.raises(FormatError, match="where the object of a lattice is wanted"):
        lattice_of(found, path="x")


@pytest.mark.parametrize("kind", KINDS)
def test_half_a_surrogate_pair_is_refused(kind, tmp_path):
    bad = Lattice(Cluster([Sentence(["ok", "\udc80"])]), [[1, 2]])
    with pytest.raises(
        InputError, match=r"^sentence 1 holds half of a surrogate pair, 'ok \\udc80"
    ):
        write_lattice(bad, tmp_path / "x", kind)
    bad = Lattice(Cluster([Sentence(["ok", "\udc80"], text="ok")]), [[1, 2]])
    with pytest.raises(InputError, match=r"^word 2 of sentence 1 holds half of"):
        text_of(bad, kind)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["graphml", "tei"])
def test_xml_tells_what_it_cannot_hold(kind, tmp_path):
    bad = Lattice(Cluster([Sentence(["ok", "a\x01"], id="s", text="ok")]), [[1, 2]])
    message = r"^word 2 of sentence 's' is 'a\x01' with U+0001, which XML cannot hold; take it out"
    with pytest.raises(InputError, match=re.escape(message).replace(r"\^", "^")):
        write_lattice(bad, tmp_path / "x", kind)
    assert not list(tmp_path.iterdir())
    write_lattice(bad, tmp_path / "x.json")
    assert read_lattice(tmp_path / "x.json") == bad
