"""States of translation: what is read as a translation, and what formats make of the states."""

from xml.etree import ElementTree as ET

import pytest

import bitext
from bitext.formats.io.source import Notes
from bitext.formats.registry import by_name
from bitext.formats.writing import count_losses
from formats.samples import inline, kinds, read, written

DRAFTS = ["new", "needs-translation", "needs-l10n", "needs-review-translation",
          "needs-review-l10n"]  # fmt: skip
DONE = ["translated", "final", "signed-off", "needs-adaptation", "needs-review-adaptation",
        "x-own"]  # fmt: skip


def xliff12(*units, spaces=""):
    return (
        f'<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" {spaces}><file '
        f'original="a" source-language="en" target-language="de" datatype="plaintext"><body>'
        f"{''.join(units)}</body></file></xliff>"
    )


def unit12(target, unit="", text="B"):
    return (
        f'<trans-unit id="1" {unit}><source>a</source><target {target}>{text}</target></trans-unit>'
    )


def xliff2(segment, text="B"):
    return (
        '<xliff version="2.0" srcLang="en" trgLang="de" '
        'xmlns="urn:oasis:names:tc:xliff:document:2.0"><file id="f"><unit id="1">'
        f"<segment {segment}><source>a</source><target>{text}</target></segment></unit></file>"
        "</xliff>"
    )


MQ = 'xmlns:mq="MQXliff"'
MEMSOURCE = 'xmlns:m="http://www.memsource.com/mxlf/2.0"'
SDL = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" '
    'xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0"><file original="a" source-language="en" '
    'target-language="de" datatype="x"><body><trans-unit id="1"><source>a</source><seg-source>'
    '<mrk mtype="seg" mid="1">a</mrk></seg-source><target><mrk mtype="seg" mid="1">B</mrk>'
    '</target><sdl:seg-defs><sdl:seg id="1" conf="{}"/></sdl:seg-defs></trans-unit></body></file>'
    "</xliff>"
)
TTX = (
    '<TRADOStag><FrontMatter><UserSettings SourceLanguage="EN" TargetLanguage="DE"/></FrontMatter>'
    '<Body><Raw><Tu Origin="{}"><Tuv Lang="EN">a</Tuv><Tuv Lang="DE">B</Tuv></Tu></Raw></Body>'
    "</TRADOStag>"
)
CASES = [
    *(("xliff12", xliff12(unit12(f'state="{state}"')), state) for state in (*DRAFTS, *DONE)),
    *(
        ("xliff2", xliff2(f'state="{state}"'), state)
        for state in ("initial", "translated", "reviewed", "final")
    ),
    *(
        ("xliff12", xliff12(unit12("", f'mq:status="{status}"'), spaces=MQ), state)
        for status, state in (
            ("NotStarted", "new"),
            ("Pretranslated", "needs-translation"),
            ("PartiallyEdited", "needs-translation"),
            ("Rejected", "needs-review-translation"),
            ("ManuallyConfirmed", "translated"),
            ("Proofread", "signed-off"),
        )
    ),
    *(
        ("xliff12", xliff12(unit12("", f'm:confirmed="{level}"'), spaces=MEMSOURCE), state)
        for level, state in (("0", "needs-review-translation"), ("1", "translated"))
    ),
    *(
        ("sdlxliff", SDL.format(conf), state)
        for conf, state in (
            ("Unspecified", "new"),
            ("Draft", "needs-translation"),
            ("RejectedTranslation", "needs-review-translation"),
            ("RejectedSignOff", "needs-review-translation"),
            ("Translated", "translated"),
            ("ApprovedTranslation", "signed-off"),
            ("ApprovedSignOff", "final"),
        )
    ),
    ("ttx", TTX.format("untranslated"), "new"),
    (
        "xliff12",
        xliff12(unit12('state-qualifier="rejected-inaccurate"')),
        "needs-review-translation",
    ),
    ("po", '#, fuzzy\nmsgid "a"\nmsgstr "B"\n', "needs-review-translation"),
]


@pytest.mark.parametrize(("name", "content", "state"), CASES)
def test_a_target_is_a_translation_by_its_state(name, content, state):
    draft = state in {*DRAFTS, "initial"}
    found = read(name, content)
    assert found.pairs() == [(["a"], [] if draft else ["B"])]
    assert found.alignment.attributes["state"] == [state]
    assert found.alignment.attributes.get("draft") == (["B"] if draft else None)
    told = [kind for kind in kinds(found) if kind.startswith("targets that are not translations")]
    assert len(told) == draft
    assert all("drafts=True reads them as translations" in kind for kind in told)
    taken = read(name, content, drafts=True)
    assert taken.pairs() == [(["a"], ["B"])]
    assert taken.alignment.attributes["state"] == [state]
    told = [kind for kind in kinds(taken) if "read as translations (drafts=True)" in kind]
    assert len(told) == draft


@pytest.mark.parametrize(
    ("content", "prefix"),
    [
        (xliff12(unit12("", 'mq:status="Pretranslated"'), spaces=MQ), "mq"),
        (xliff12(unit12("", 'm:confirmed="0"'), spaces=MEMSOURCE), "m"),
        (SDL.format("Draft"), "sdl"),
    ],
)
def test_states_have_other_prefixes_where_a_program_wrote_the_file_anew(content, prefix):
    """As ElementTree of Python does."""
    for other in (content, ET.tostring(ET.fromstring(content), "unicode")):
        found = read("sdlxliff" if prefix == "sdl" else "xliff12", other)
        assert found.pairs() == [(["a"], [])]
        assert found.alignment.attributes["draft"] == ["B"]
    assert f"<{prefix}:" not in other
    assert f" {prefix}:" not in other


@pytest.mark.parametrize("drafts", [False, True])
@pytest.mark.parametrize("name", ["xliff12", "xliff2", "po", "jsonl", "tmx"])
@pytest.mark.parametrize("state", [*DRAFTS, *DONE, "initial", "reviewed"])
def test_states_come_back_from_formats_that_have_them(state, name, drafts):
    """What does not come back is told; words of the other version of XLIFF are equals."""
    given = inline([(["a"], ["B"])] if drafts or state in DONE or state == "reviewed" else
                   [(["a"], [])], attributes={"state": [state]})  # fmt: skip
    if not given.pairs()[0][1]:
        given = inline([(["a"], [])], attributes={"state": [state], "draft": ["B"]})
    losses = Notes()
    count_losses(given, by_name(name).keeps, losses)
    back = read(name, written(name, given), drafts=drafts)
    assert back.pairs() == given.pairs()
    alike = {"initial": "new", "reviewed": "signed-off"}
    if name == "xliff2":
        alike = {value: key for key, value in alike.items()}
    elif name != "xliff12":
        alike = {}
    want = {k: list(v) for k, v in given.alignment.attributes.items()}
    want["state"] = [alike.get(state, state)]
    if losses.all():
        del want["state"]
        assert name == "po"
    have = {k: list(v) for k, v in back.alignment.attributes.items() if k in want}
    assert have == want


def test_fuzzy_is_needs_review_translation_and_back():
    po = '#, fuzzy\nmsgid "a"\nmsgstr "B"\n'
    for name in ("xliff12", "xliff2"):
        made = written(name, read("po", po)).decode()
        assert "needs-review-translation" in made
        assert "<target" in made
        assert written("po", read(name, made)).decode().endswith(po)
    other = read("xliff12", xliff12(unit12('state="needs-translation"')))
    assert "#, fuzzy" in written("po", other).decode()


def test_a_draft_keeps_its_inline_codes():
    text = 'B <g id="1">c</g><x id="2"/>'
    found = read("xliff12", xliff12(unit12('state="new"', text=text)))
    assert found.alignment.attributes["draft"] == ["B c"]
    assert text in written("xliff12", found).decode()
    assert read("xliff2", written("xliff2", found)).alignment.attributes == {
        **found.alignment.attributes,
        "state": ["initial"],
    }


def test_an_empty_target_that_is_new_is_no_translation_and_no_draft():
    found = read("xliff12", xliff12(unit12('state="new"', text="")))
    assert found.pairs() == [(["a"], [])]
    assert "draft" not in found.alignment.attributes
    assert '<target state="new"></target>' in written("xliff12", found).decode()
    done = read("xliff12", xliff12(unit12('state="final"', text="")))
    assert done.pairs() == [(["a"], [""])]


def test_a_segment_alone_may_be_a_draft():
    body = (
        '<trans-unit id="1"><source>a b</source><seg-source><mrk mtype="seg" mid="1">a</mrk> '
        '<mrk mtype="seg" mid="2">b</mrk></seg-source><target><mrk mtype="seg" mid="2">B</mrk> '
        '<mrk mtype="seg" mid="1">A</mrk></target><sdl:seg-defs><sdl:seg id="1" conf="Draft"/>'
        '<sdl:seg id="2" conf="Translated"/></sdl:seg-defs></trans-unit>'
    )
    content = SDL[: SDL.index("<trans-unit")] + body + "</body></file></xliff>"
    found = read("sdlxliff", content)
    assert found.pairs() == [(["a"], []), (["b"], ["B"])]
    assert found.alignment.attributes["draft"] == ["A", None]


def test_a_substate_of_another_tool_stays_and_one_of_ours_that_is_out_of_date_does_not():
    own = read("xliff2", xliff2('state="final" subState="my:own"'))
    assert own.alignment.attributes["subState"] == ["my:own"]
    assert 'state="final" subState="my:own"' in written("xliff2", own).decode()
    late = read("xliff2", xliff2('state="final" subState="bitext:needs-l10n"'))
    assert late.alignment.attributes["state"] == ["final"]
    assert late.pairs() == [(["a"], ["B"])]


def test_what_is_not_approved_is_noted():
    found = read("xliff12", xliff12(unit12("", 'approved="no"')))
    assert found.pairs() == [(["a"], ["B"])]
    assert kinds(found) == {
        'units that are not approved (approved="no"), read as the others '
        "(where='approved!=no')": 1
    }


def test_what_is_not_to_be_translated_is_so_by_its_group_too():
    content = xliff12('<group translate="no">', unit12(""), "</group>")
    found = read("xliff12", content)
    assert found.alignment.attributes["translate"] == ["no"]
    content = xliff2("").replace("<unit ", '<group id="g" translate="no"><unit ')
    found = read("xliff2", content.replace("</unit>", "</unit></group>"))
    assert found.alignment.attributes["translate"] == ["no"]


def test_translations_without_a_state_are_noted_where_others_have_one():
    content = xliff2('state="final"')
    bare = '<unit id="2"><segment><source>c</source><target>d</target></segment></unit>'
    assert kinds(read("xliff2", content)) == {}
    assert kinds(read("xliff2", xliff2("").replace("</file>", f"{bare}</file>"))) == {}
    found = read("xliff2", content.replace("</file>", f"{bare}</file>"))
    assert found.pairs() == [(["a"], ["B"]), (["c"], ["d"])]
    assert kinds(found) == {
        "translations without a state, where others have one, taken as translations and not as "
        "initial (where='state!=' leaves them out)": 1
    }


def test_a_segment_without_a_state_is_a_translation():
    found = read("xliff2", xliff2(""))
    assert found.pairs() == [(["a"], ["B"])]
    assert not [kind for kind in kinds(found) if "translation" in kind]


@pytest.mark.parametrize(
    ("content", "spelling"),
    [
        (xliff12(unit12("", 'mq:status="Odd"'), spaces=MQ), "mq:status=Odd"),
        (xliff12(unit12('state="Translatd"')), "state=Translatd"),
        (xliff12(unit12('state="x-own"')), "state=x-own"),
    ],
)
def test_states_of_unknown_meaning_are_noted(content, spelling):
    found = read("xliff12", content)
    assert found.pairs() == [(["a"], ["B"])]
    (note,) = [note for note in found.notes if note.kind.startswith("states of unknown meaning")]
    assert note.first.endswith(repr(spelling))


def test_the_states_of_tools_are_known_in_any_case():
    found = read("xliff12", xliff12(unit12("", 'mq:status="PreTranslated"'), spaces=MQ))
    assert found.pairs() == [(["a"], [])]
    assert not any("unknown" in kind for kind in kinds(found))


TRADOS = (
    '<tmx version="1.4"><header srclang="en"/><body><tu><prop type="x-ConfirmationLevel">%s</prop>'
    '<tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>B</seg></tuv></tu></body></tmx>'
)
TXML = (
    '<txml locale="en" targetlocale="de"><translatable blockId="1"><segment segmentId="1" %s>'
    "<source>a</source><target>B</target></segment></translatable></txml>"
)


@pytest.mark.parametrize(
    ("name", "content", "marked"),
    [
        ("tmx", TRADOS % "Draft", "prop:x-ConfirmationLevel=Draft"),
        ("tmx", TRADOS % "RejectedSignOff", "prop:x-ConfirmationLevel=RejectedSignOff"),
        ("tmx", TRADOS % "Translated", ""),
        ("txml", TXML % 'gtmt="true"', "gtmt=true"),
        ("txml", TXML % 'gtmt="false"', ""),
        ("xlf", xliff12(unit12('state-qualifier="leveraged-mt"')), "state-qualifier=leveraged-mt"),
        ("xlf", xliff12(unit12('state-qualifier="exact-match"')), ""),
    ],
)
def test_translations_that_are_only_marked_as_drafts_are_noted(tmp_path, name, content, marked):
    path = tmp_path / f"a.{name}"
    path.write_text(content)
    found = bitext.read(path)
    assert found.pairs() == [(["a"], ["B"])]
    notes = [note.kind for note in found.notes if note.kind.startswith("translations marked")]
    assert [f"marked {marked}, read as others" in kind for kind in notes] == [True] * bool(marked)
    if marked:
        assert not bitext.read(path, where=[marked.replace("=", "!=")]).pairs()


def test_drafts_are_no_translations_that_are_only_marked(tmp_path):
    path = tmp_path / "a.xlf"
    marks = 'state="new" state-qualifier="mt-suggestion"'
    path.write_text(xliff12(unit12(marks)))
    assert not [note for note in bitext.read(path).notes if "translations marked" in note.kind]
    read = bitext.read(path, drafts=True)
    assert [note.count for note in read.notes if "translations marked" in note.kind] == [1]


@pytest.mark.parametrize(
    ("name", "content", "marked"),
    [
        ("tsv", "src\ttgt\tstate\na\tB\tneeds-translation\n", "state=needs-translation"),
        ("tsv", "src\ttgt\tStatus\na\tB\tNot translated\n", "Status=Not translated"),
        ("tsv", "src\ttgt\tfuzzy\na\tB\tTrue\n", "fuzzy=True"),
        ("jsonl", '{"src": "a", "tgt": "B", "state": "new"}\n', "state=new"),
        ("json", '[{"src": "a", "tgt": "B", "fuzzy": true}]', "fuzzy=true"),
        ("tsv", "src\ttgt\tfuzzy\na\tB\tFalse\n", ""),
        ("tsv", "src\ttgt\tstate\na\tB\ttranslated\n", ""),
        (
            "jsonl",
            '{"src": ["a"], "tgt": [], "src_text": "a", "tgt_text": "", "state": "new"}\n',
            "",
        ),
    ],
)
def test_drafts_of_lines_and_objects_stay_translations_and_are_noted(
    tmp_path, name, content, marked
):
    path = tmp_path / f"a.{name}"
    path.write_text(content)
    found = bitext.read(path)
    notes = [note.kind for note in found.notes if note.kind.startswith("translations marked")]
    assert [f"marked {marked}, read as others" in kind for kind in notes] == [True] * bool(marked)
    if marked:
        assert found.pairs() == [(["a"], ["B"])]
        assert not bitext.read(path, where=[marked.replace("=", "!=")]).pairs()
        read = bitext.read(path, drafts=True)
        assert not [note for note in read.notes if "translations marked" in note.kind]
