import inspect
import sys
from pathlib import Path

import pytest

from bitext.errors import InputError, MissingExtraError, OptionError
from bitext.model import Sentence
from bitext.syntax import analyse, annotate, parse_tree, read_columns, read_labels, read_trees
from bitext.syntax.parsers import PARSERS, Parser, parse_cluster, parser_named

NEEDED = {"command": {"command": "cat"}}
PACKAGES = {
    "benepar": ["spacy", "benepar"],
    "spacy": ["spacy"],
    "stanza": ["stanza"],
    "corenlp": ["requests"],
    "bllip": ["bllipparser"],
}


@pytest.mark.parametrize("name", PARSERS)
def test_every_parser_of_the_registry_is_one(name):
    made = parser_named(name, **NEEDED.get(name, {}))
    assert isinstance(made, Parser)
    assert made.name == name
    assert PARSERS[name].makes in {"trees", "chunks"}
    assert inspect.getdoc(type(made)), "a class of the registry tells its options"


@pytest.mark.parametrize("name", PARSERS)
def test_no_sentences_need_no_model(name):
    if PARSERS[name].extra is None and name != "nltk":
        assert list(parser_named(name, **NEEDED.get(name, {})).parse([])) == []


@pytest.mark.parametrize(("name", "package"), [(n, p) for n, ps in PACKAGES.items() for p in ps])
def test_a_missing_package_is_told_with_its_extra(name, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    if package == "benepar":
        monkeypatch.setitem(sys.modules, "spacy", sys)  # anything that can be imported
    told = rf"parser {name} needs a package that is missing: pip install 'bitext\[{name}\]'"
    with pytest.raises(MissingExtraError, match=told):
        list(parser_named(name).parse([Sentence(["It", "left"])]))
    assert PARSERS[name].extra == name


def test_every_extra_has_its_test():
    assert {entry.name for entry in PARSERS.values() if entry.extra} == set(PACKAGES)


def test_the_nearest_name_is_told():
    with pytest.raises(OptionError, match="no parser 'Stanzza'; did you mean 'stanza'\\? the pars"):
        parser_named("Stanzza")
    with pytest.raises(OptionError, match="no parser 'qqq'; the parsers: english, benepar"):
        parser_named("qqq")


def test_the_name_of_a_parser_is_no_parser():
    with pytest.raises(InputError, match=r"the parser is 'spacy': want a Parser, as parser_named"):
        parse_cluster(["It rained."], parser="spacy")


def test_the_nearest_option_is_told():
    with pytest.raises(
        OptionError, match=r"corenlp has no option 'time'; .*'timeout'.*: url, model"
    ):
        parser_named("corenlp", time=3)
    with pytest.raises(OptionError, match="english has no options; leave 'model' out"):
        parser_named("english", model="x")
    with pytest.raises(OptionError, match="parser command needs the option command: give command="):
        parser_named("command")


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("command", {"command": 5}, "parser command: command is 5: want a string or a list"),
        ("command", {"command": None}, "parser command: command is None: want a string or"),
        ("corenlp", {"url": 5}, "parser corenlp: url is 5: want a string$"),
        ("corenlp", {"url": ["http://a"]}, "parser corenlp: url is .*: want a string$"),
        ("corenlp", {"model": 5}, "parser corenlp: model is 5: want a string$"),
        ("spacy", {"model": None}, "parser spacy: model is None: want a string$"),
        ("stanza", {"folder": 1}, "parser stanza: folder is 1: want a string$"),
        ("spacy", {"batch": "x"}, "parser spacy: batch is 'x': want a whole number"),
        (5, {}, "no parser 5; the parsers: english"),
        (["english"], {}, r"no parser \['english'\]; "),
    ],
)
def test_options_of_another_type(name, options, told):
    with pytest.raises(OptionError, match=told):
        parser_named(name, **options)


def test_options_that_are_texts_in_other_ways():
    assert parser_named("command", command=["cat", "-u"]).name == "command"
    assert parser_named("corenlp", model=None).name == "corenlp"
    assert parser_named("stanza", folder=Path("models")).name == "stanza"
    assert parser_named("command", command=Path("cat")).words == ["cat"]


def test_options_come_with_their_defaults():
    assert PARSERS["corenlp"].options == {
        "url": "http://localhost:9000",
        "model": None,
        "timeout": 60.0,
        "batch": 16,
    }


def test_the_registry_imports_nothing_heavy():
    heavy = {"spacy", "benepar", "stanza", "torch", "bllipparser", "nltk", "requests"}
    code = (
        "import sys; from bitext.syntax.parsers import PARSERS\n"
        "for entry in PARSERS.values(): entry.options\n"
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    import subprocess

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_other_values_than_trees_and_clusters_are_refused():
    with pytest.raises(
        InputError, match=r"the cluster is \['He sat'\] \(list\): want a Cluster, as parse_cl"
    ):
        analyse(["He sat"])
    with pytest.raises(
        InputError, match=r"the tree is '\(UH yes\)' \(str\): want a Tree, as parse_tree"
    ):
        annotate("(UH yes)")
    with pytest.raises(InputError, match=r"the tree is None \(NoneType\): want a string"):
        parse_tree(None)


@pytest.mark.parametrize("read", [read_labels, read_trees, read_columns])
def test_lines_of_a_file_are_no_path(read):
    with pytest.raises(InputError, match=r"the lines are 'a\.txt', one string: .*as open\(path\)"):
        list(read("a.txt", path="a.txt"))
