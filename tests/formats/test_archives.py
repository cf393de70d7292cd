"""ZIP archives of corpora: two texts, one memory, documents of links; hostile ones."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest

import bitext
from bitext.cli.main import main
from bitext.errors import FormatError
from bitext.formats.io.compression import Limits
from formats.samples import kinds, opened, read, read_all

MILL = Path(__file__).parents[2] / "fixtures" / "mill"
PAIR = {"LICENSE": "CC0", "News.de-en.en": "One\nTwo\n", "News.de-en.de": "Eins\nZwei\n"}
TMX = (
    '<tmx><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>x</seg></tuv>'
    '<tuv xml:lang="{lang}"><seg>y</seg></tuv></tu></body></tmx>'
)


def packed(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_two_texts_in_the_order_of_their_name():
    bt = read("zip", packed(PAIR | {"News.de-en.scores": "0.5\n"}))
    assert bt.pairs() == [(["Eins"], ["One"]), (["Zwei"], ["Two"])]
    assert (bt.src.lang, bt.tgt.lang) == ("de", "en")
    assert bt.notes[0].first == "made: News.de-en.de and News.de-en.en"
    turned = read("zip", packed(PAIR), src_lang="en")
    assert turned.pairs()[0] == (["One"], ["Eins"])


def test_what_is_beside_is_noted(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(packed(PAIR | {"News.de-en.scores": "0.5\n"}))
    with bitext.formats.reading.opened(path) as reading:
        list(reading)
        assert [note.kind for note in reading.source.notes] == [
            "members beside those that were read, left out"
        ]


def test_more_than_two_languages_have_to_be_asked_for():
    data = packed({f"x/a.{lang}": f"{lang}\n" for lang in ("en", "de", "fr")})
    with pytest.raises(FormatError, match="has the languages 'en', 'de', 'fr'; want two"):
        read("zip", data)
    assert read("zip", data, src_lang="fr", tgt_lang="en").pairs() == [(["fr"], ["en"])]


def test_several_pairs_are_document_pairs_and_may_be_packed_twice():
    members = {
        f"{part}.{side}": f"{part} {side}\n" for part in ("dev", "test") for side in ("en", "fr")
    }
    members = {"dev.en.gz": gzip.compress(members.pop("dev.en").encode())} | members
    found = read_all("zip", packed(members), parts=True)
    assert [(bt.name, bt.pairs()) for bt in found] == [
        ("dev", [(["dev en"], ["dev fr"])]),
        ("test", [(["test en"], ["test fr"])]),
    ]


def test_folders_of_old_archives_of_windows_are_folders():
    members = {"x\\a.en": "One\n", "x\\a.fr": "Un\n"}
    assert read("zip", packed(members)).pairs() == [(["One"], ["Un"])]
    for name in ("..\\a.en", "\\a.en"):
        with pytest.raises(FormatError, match="a path outside of the archive"):
            read("zip", packed(members | {name: "x"}))


def test_pages_about_a_site_are_texts_and_no_descriptions():
    members = {
        f"{part}.{lang}.txt": f"{part}\n" for part in ("about-us", "x") for lang in ("en", "fr")
    }
    names = [bt.name for bt in read_all("zip", packed({"about.txt": "x", "info": "x"} | members))]
    assert names == ["about-us", "x"]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_the_only_memory_is_read(tmp_path, method):
    path = tmp_path / "memory.zip"
    members = {"README": "", "m/memory.tmx": (MILL / "memory.tmx").read_bytes()}
    path.write_bytes(packed(members, method))
    bt = bitext.read(path)
    assert bt.pairs() == bitext.read(MILL / "memory.tmx").pairs()
    assert "files in archives, read" in kinds(bt)


def test_several_files_of_translations_are_read_one_after_another(tmp_path):
    path = tmp_path / "memories.zip"
    memory = (MILL / "memory.tmx").read_bytes()
    path.write_bytes(packed({"m/one.tmx": memory, "README": "", "two.tmx": memory}))
    found = [*bitext.read_all(path, src_lang="en", tgt_lang="fr")]
    assert [each.name for each in found] == ["one", "two"]
    alone = bitext.read(MILL / "memory.tmx", src_lang="en", tgt_lang="fr").pairs()
    assert [each.pairs() for each in found] == [alone] * 2
    path.write_bytes(packed({"one.tmx": memory, "two.tsv": "x\ty\n"}))
    with pytest.raises(FormatError, match=r"several files of alignments \('one.tmx', 'two.tsv'\)"):
        bitext.read(path)


def test_copies_in_the_source_language_of_a_package_of_trados_are_left_out():
    unit = '<trans-unit id="1"><source>One.</source>{}</trans-unit>'
    file = '<xliff version="1.2"><file original="a" source-language="en-US" datatype="x"{}><body>{}'
    ends = "</body></file></xliff>"
    made = file.format(' target-language="de-DE"', unit.format("<target>Eins.</target>")) + ends
    copy = file.format("", unit.format("")) + ends
    direction = '<LanguageDirection TargetLanguageCode="de-DE" SourceLanguageCode="en-US"/>'
    package = {
        "p.sdlproj": f"<PackageProject><A>{direction}</A></PackageProject>",
        "en-US/a.sdlxliff": copy,
        "de-DE/a.sdlxliff": made,
        "en-US/alone.sdlxliff": copy,
    }
    read_ones = read_all("zip", packed(package))
    assert [bt.pairs() for bt in read_ones] == [[(["One."], ["Eins."])], [(["One."], [])]]
    assert len(read_all("zip", packed(package | {"p.sdlproj": "<PackageProject/>"}))) == 3


@pytest.mark.parametrize(
    "members",
    [
        {"a.en": "1\n2\n", "a.fr": "1\n", "b.en": "x\n", "b.fr": "y\n"},
        {f"{k}.tmx": TMX.format(lang=lang) for k, lang in enumerate(("de", "fr"))},
    ],
)
def test_a_member_that_cannot_be_read_costs_no_other(members):
    errors = []
    langs = {"src_lang": "en", "tgt_lang": "fr"}
    found = read_all("zip", packed(members), bad=errors, parts=True, **langs)
    assert found[-1].pairs() == [(["x"], ["y"])]
    assert len(errors) == 1
    with pytest.raises(FormatError, match=r"as many|has no text in 'fr'"):
        read_all("zip", packed(members), **langs)


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"a.txt": "x"}, r"no two texts, as a.en and a.fr, and no memory \('a.txt'\)"),
        (
            {"a.tsv": "x\ty\n", "b.tsv": "x\ty\n"},
            r"several files of alignments \('a.tsv', 'b.tsv'\)",
        ),
        ({"../a.en": "x", "../a.fr": "y"}, "a path outside"),
        ({"a.en": "x\n", "a.fr": "y\nz\n"}, "has 1 line"),
        ({}, "no two texts"),
    ],
)
def test_other_archives_are_refused(members, told):
    with pytest.raises(FormatError, match=told):
        read("zip", packed(members))


def test_texts_that_unfold_beyond_the_limits_are_refused():
    data = packed({"a.en": "x\n" * 100_000, "a.fr": "y\n" * 100_000})
    with (
        opened(data, limits=Limits(ratio=10, size=1000)) as source,
        pytest.raises(FormatError, match="unfolds to more than"),
    ):
        list(
            bitext.formats.registry.by_name("zip").read(
                source, bitext.formats.registry.ReadOptions()
            )
        )


def test_documents_of_links_may_be_in_an_archive(tmp_path, capsys):
    root = tmp_path / "mill.zip"
    files = sorted(MILL.glob("*/*.xml"))
    root.write_bytes(
        packed({f"Mill/xml/{path.relative_to(MILL)}": path.read_bytes() for path in files})
    )
    links = tmp_path / "links.xml"
    links.write_bytes((MILL / "links.xml").read_bytes())
    main(["convert", str(links), "-", "--to", "tsv", "--root", str(root)])
    out = capsys.readouterr().out
    assert "It took two winters to mend the roof.\tIl a fallu deux hivers" in out
    assert bitext.read(links, roots=[root]).pairs() == bitext.read(MILL / "links.xml").pairs()


def test_documents_of_which_an_archive_has_several_are_noted(tmp_path):
    texts = {
        f"{part}/{lang}/a.xml": f'<text><s id="1">{part} {lang}</s></text>'
        for part in ("Books", "News")
        for lang in ("en", "fr")
    }
    root, links = tmp_path / "all.zip", tmp_path / "links.xml"
    root.write_bytes(packed(texts | {"en/b.xml": '<text><s id="1">b</s></text>', "x/en/b.xml": ""}))
    group = '<cesAlign><linkGrp fromDoc="en/{}" toDoc="fr/a.xml"><link xtargets="1;1"/></linkGrp>'
    links.write_text(group.format("a.xml.gz") + "</cesAlign>")
    found = bitext.read(links, roots=[root])
    assert found.pairs() == [(["Books en"], ["Books fr"])]
    assert [(note.count, note.first) for note in found.notes] == [
        (2, f"{root}: Books/en/a.xml and {root}: News/en/a.xml")
    ]
    links.write_text(group.format("b.xml") + "</cesAlign>")
    assert bitext.read(links, roots=[root]).notes[0].count == 1  # the other has the whole name


@pytest.mark.parametrize(
    ("names", "langs"),
    [
        (("a/x.en.txt", "a/x.de.txt"), ("en", "de")),
        (("x.de-pt_br.pt_br", "x.de-pt_br.de"), ("de", "pt-BR")),
    ],
)
def test_names_of_texts_are_those_of_files(names, langs):
    bt = read("zip", packed(dict.fromkeys(names, "One\n")))
    assert (bt.src.lang, bt.tgt.lang) == langs
