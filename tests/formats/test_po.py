import ast
import codecs
import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError
from bitext.formats.io.source import Notes, Source
from bitext.formats.registry import LOSSES, PART, ReadOptions, WriteOptions, by_name, sniff
from bitext.formats.writing import count_losses
from formats.samples import inline, kinds, read, read_all, segment, written
from reference.shared_data import data

NAME = "po"
FUZZY = (
    "targets that are not translations by their state (fuzzy), read as not translated, with the "
    "text in the column 'draft' (drafts=True reads them as translations)"
)
PLURAL = "entries with plural forms, a bisegment for each form"
REVIEW = "needs-review-translation"
OBSOLETE = "obsolete entries (#~), left out"
NO_SOURCE = "entries without a message (a second header?), left out"
LOST = "headers without msgid and msgstr"


def rows(bt):
    """Return the values of each bisegment, by column."""
    a = bt.alignment
    return [
        {name: column[k] for name, column in a.attributes.items() if column[k] is not None}
        for k in range(len(a))
    ]


HEADER = """\
# Translators
msgid ""
msgstr ""
"Project-Id-Version: it 1\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: fi\\n"
"X-Source-Language: en\\n"

"""


def test_an_entry_is_a_bisegment():
    bt = read(NAME, HEADER + 'msgid "One"\nmsgstr "Yksi"\n\nmsgid "Two"\nmsgstr ""\n')
    assert bt.pairs() == [(["One"], ["Yksi"]), (["Two"], [])]
    assert (bt.src.lang, bt.tgt.lang, bt.notes) == ("en", "fi", ())
    assert bt.meta["po_header"].startswith("Project-Id-Version: it 1\nContent-Type")
    assert rows(bt) == [{}, {}]


def test_all_that_an_entry_may_have():
    bt = read(
        NAME,
        """\
#  for a translator
#
# again
#. of a programmer
#: a.c:1 b.c:2
#: c.c:3
#, c-format, no-wrap
#| msgid "Older"
msgctxt "menu"
msgid ""
"%d \\"file\\"\\n"
"here"
msgid_plural "%d files"
msgstr[0] "a"
msgstr[1] "b" "c"
""",
    )
    assert bt.pairs() == [(['%d "file"\nhere'], ["a"]), (["%d files"], ["bc"])]
    common = {
        "tgt.note": " for a translator\n\nagain",
        "src.note": "of a programmer",
        "references": "a.c:1 b.c:2 c.c:3",
        "flags": "c-format, no-wrap",
        "previous": 'msgid "Older"',
        "msgctxt": "menu",
    }
    assert rows(bt) == [common | {"plural": "0/2"}, common | {"plural": "1/2"}]


def test_messages_that_come_again_are_noted():
    entry = 'msgid "a"\nmsgstr "b"\n\n'
    bt = read("po", f'{entry}msgctxt ""\n{entry}msgctxt "x"\n{entry}{entry}')
    assert len(bt.alignment) == 4
    assert kinds(bt) == {"messages that come again in the same context, which gettext refuses": 1}


def test_what_is_no_translation_is_noted():
    bt = read(
        NAME,
        """\
#, fuzzy, c-format
msgid "a"
msgstr "A"
#, fuzzy
msgid "b"
msgid_plural "bs"
msgstr[0] "B"
msgstr[1] "Bs"
# of the old one
#, fuzzy
#~ msgctxt "x"
#~ msgid "c"
#~ msgid_plural "cs"
#~ msgstr[0] "C"

msgid "d"
msgid_plural "ds"
msgstr[0] "D"
msgstr[1] ""
msgid ""
msgstr "what?"
msgctxt "alone"
msgid ""
msgstr "E"
msgctxt "alone"
msgid ""
msgstr ""
""",
    )
    assert bt.pairs() == [
        *((["a"], []), (["b"], []), (["bs"], [])),
        *((["d"], ["D"]), (["ds"], []), ([], ["E"])),
    ]
    assert rows(bt) == [
        {"flags": "fuzzy, c-format", "draft": "A", "state": REVIEW},
        {"flags": "fuzzy", "plural": "0/2", "draft": "B", "state": REVIEW},
        {"flags": "fuzzy", "plural": "1/2", "draft": "Bs", "state": REVIEW},
        {"plural": "0/2"},
        {"plural": "1/2"},
        {"msgctxt": "alone"},
    ]
    assert [str(note) for note in bt.notes] == [
        f"{FUZZY}: 2, first made line 2",
        f"{PLURAL}: 2, first made line 5",
        f"{OBSOLETE}: 1, first made line 12",
        "entries with plural forms of which some are empty: 1, first made line 16",
        f"{NO_SOURCE}: 1, first made line 20",
        "entries without message and translation, left out: 1, first made line 25",
    ]


def test_spellings():
    bt = read(
        NAME,
        '\ufeff\tmsgid"One"\r\n\r\nmsgstr\r\n  "Yk" "si"\r\nmsgid "2" msgstr "Kaksi"\r\n'
        'domain "other"\nmsgid "a" msgid_plural "b" msgstr [ 0 ] "A"\n',
    )
    assert bt.pairs() == [(["One"], ["Yksi"]), (["2"], ["Kaksi"]), (["a"], ["A"]), (["b"], ["A"])]
    assert kinds(bt) == {"names of domains, left out": 1, PLURAL: 1}


def test_escapes():
    spelled = r"\a\b\f\n\r\t\v\\\"\'\? \\n \303\251\xc3\xa9 \0011 \d"
    bt = read(NAME, f'msgid "x"\nmsgstr "{spelled}"\n')
    assert bt.pairs() == [(["x"], ["\a\b\f\n\r\t\v\\\"'? \\n éé \x011 \\d"])]
    assert kinds(bt) == {"escapes that C does not have, kept as they are": 1}
    with pytest.raises(FormatError, match=r"made line 1: has the bytes \\377, which are not utf-8"):
        read(NAME, 'msgid "x"\nmsgstr "\\377"\n')


@given(st.text('\\nt"x\0\n0', max_size=12))
def test_usual_escapes_are_read_as_all_are(text):
    spelled = text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    assert read(NAME, f'msgid "{spelled}x"\nmsgstr ""\n').src[0].text == f"{text}x"
    assert read(NAME, f'msgid "{spelled}x\\a"\nmsgstr ""\n').src[0].text == f"{text}x\a"


WANT = r'; want entries of msgid "..." and msgstr "...", the strings in quotes'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("hello\n", "made line 3: is 'hello'"),
        ('msgid "a\nmsgstr "b"\n', "made line 3: is '\"a'"),
        ('msgid "a"b"\nmsgstr "b"\n', "made line 3: is 'b\"'"),
        ('msgid "a\\"\nmsgstr "b"\n', "made line 3: is "),
        ('msgid "a"\n', "made line 3: has no msgstr"),
        ('msgctxt "a"\n', "made line 3: has no msgstr"),
        ('msgid "a"\n\nmsgid "b"\nmsgstr ""\n', "made line 3: has no msgstr"),
        ('msgstr "a"\n', "made line 3: has a second msgstr in one entry"),
        ('\n# c\nmsgstr "a"\n', "made line 5: has msgstr without a msgid before it"),
        ('msgid "a"\nmsgctxt "b"\nmsgstr "c"\n', "made line 3: has no msgstr"),
        ('msgid "a"\nmsgstr[0] "b"\n', "made line 4: has msgstr[0] without a msgid_plural"),
        (
            'msgid "a"\nmsgid_plural "b"\nmsgstr "b"\n',
            "made line 5: has msgstr with a msgid_plural",
        ),
        (
            'msgid "a"\nmsgid_plural "b"\nmsgstr[1] "b"\n',
            "made line 5: has msgstr[1] where msgstr[0] comes next",
        ),
        ('msgid "a"\nmsgstr "b"\nmsgid_plural "b"\n', "made line 5: has msgid_plural, but not"),
        ('#, fuzzy\n"alone"\n', 'made line 4: has the string "alone" alone'),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(FormatError, match=f"{re.escape(message)}.*{re.escape(WANT)}$"):
        read(NAME, 'msgid "first"\nmsgstr ""\n' + content)


def test_bad_entries_can_be_left_out():
    found = []
    content = """\
msgid "a"
msgstr "A"
oops
# of b
msgid "b"
msgstr "B"
msgid "c
msgstr "C"
msgid "d"
msgstr "\\377"

#. of e
msgid "e"
msgstr "E"
msgid "f"
"""
    with Source("made", io.BytesIO(content.encode())) as source:
        source.on_bad = found.append
        (bt,) = by_name(NAME).read(source, ReadOptions())
    assert [error.line for error in found] == [3, 7, 9, 15]
    assert bt.pairs() == [(["b"], ["B"]), (["e"], ["E"])]
    assert rows(bt) == [{"tgt.note": "of b"}, {"src.note": "of e"}]


@pytest.mark.parametrize("charset", ["windows-1251", "ISO-8859-5", "KOI8-R", "UTF-8", "utf8"])
def test_the_charset_of_the_header(charset):
    content = f'msgid ""\nmsgstr "a: b\\n"\n"Content-Type: text/plain; charset={charset}\\n"\n'
    content = f'# перевод\n{content}\nmsgid "a"\nmsgstr "я \\n"\n'
    bt = read(NAME, content.encode(charset))
    assert (bt.pairs(), bt.notes) == ([(["a"], ["я \n"])], ())


def test_whose_charset_wins():
    def content(name):
        header = f'msgid ""\nmsgstr "Content-Type: text/plain; charset={name}\\n"\n'
        return f'{header}\nmsgid "é"\nmsgstr ""'

    kind = "charsets of the header that are not the encoding of the file"
    marked = read(NAME, codecs.BOM_UTF8 + content("ISO-8859-15").encode())
    assert (marked.src[0].text, kinds(marked)) == ("é", {kind: 1})
    with Source("made", io.BytesIO(content("UTF-8").encode("cp1252")), "cp1252") as source:
        (named,) = by_name(NAME).read(source, ReadOptions())
    assert (named.src[0].text, kinds(named)) == ("é", {kind: 1})
    assert read(NAME, content("CHARSET").encode()).src[0].text == "é"
    with pytest.raises(
        FormatError, match="made: declares the charset 'x-none', which is not known"
    ):
        read(NAME, content("x-none"))
    with pytest.raises(FormatError, match="declares the charset 'UTF-7', which is not known"):
        read(NAME, content("UTF-7"))
    # That of a message is none.
    late = 'msgid "Content-Type: text/plain; charset=latin-1"\nmsgstr "é"\n'
    assert read(NAME, late.encode()).tgt[0].text == "é"


def test_languages():
    content = HEADER + 'msgid "a"\nmsgstr "b"\n'
    assert read(NAME, content, tgt_lang="fi", src_lang="en").tgt.lang == "fi"
    with pytest.raises(FormatError, match=r"line 2: has the language 'fi', and 'de' is asked for"):
        read(NAME, content, tgt_lang="de")
    bare = read(NAME, 'msgid "a"\nmsgstr "b"\n', src_lang="en", tgt_lang="de")
    assert (bare.src.lang, bare.tgt.lang) == ("en", "de")


pairs = st.lists(
    st.tuples(st.lists(segment, max_size=1), st.lists(segment, max_size=1)).filter(
        lambda pair: any(pair) and all(all(side) for side in pair)
    ),
    max_size=6,
)


@given(pairs)
def test_round_trip(found):
    assert read(NAME, written(NAME, inline(found))).pairs() == found


@given(st.lists(segment, min_size=2, max_size=2), st.lists(segment, min_size=1, max_size=4))
def test_joined(src, tgt):
    want = [([" ".join(src)], [" ".join(tgt)] if "".join(tgt) or tgt[1:] else [])]
    assert read(NAME, written(NAME, inline([(src, tgt)]))).pairs() == want


def forms(src, tgt):
    """Return the bisegments of an entry with a plural, and their column."""
    count = max(2, len(tgt))
    made = [
        ([src[min(k, 1)]], [form] if (form := tgt[min(k, len(tgt) - 1)]) else [])
        for k in range(count)
    ]
    return made, {"plural": [f"{k}/{len(tgt)}" for k in range(count)]}


@given(st.lists(segment.filter(bool), min_size=2, max_size=2), st.lists(segment, min_size=1))
def test_plurals_come_back(src, tgt):
    made, columns = forms(src, tgt)
    text = written(NAME, inline(made, attributes=columns))
    back = read(NAME, text)
    assert back.pairs() == made
    assert back.alignment.attributes == columns
    assert text.count(b"\nmsgid_plural ") == 1


def test_plural_forms_that_do_not_follow_each_other_are_entries_of_their_own():
    made, columns = forms(["a", "as"], ["A", "B", "C"])
    for which in ([0, 1], [1, 2], [0, 2], [0, 2, 1]):
        part = inline(
            [made[k] for k in which],
            attributes={"plural": [columns["plural"][k] for k in which]},
        )
        text = written(NAME, part).decode()
        assert "msgid_plural" not in text
        assert [p[1] for p in read(NAME, text).pairs()] == [made[k][1] for k in which]


def test_plural_forms_of_which_one_was_edited_are_entries_of_their_own():
    pairs = [(["a"], ["A"]), (["as"], ["B"]), (["ass"], ["C"])]
    made = inline(pairs, attributes={"plural": ["0/3", "1/3", "2/3"]})
    losses = Notes()
    count_losses(made, by_name(NAME).keeps, losses)
    assert losses.all()
    assert read(NAME, written(NAME, made)).pairs() == pairs
    one = inline([(["a"], ["A"]), (["as"], ["B"])], attributes={"plural": ["0/1", "1/1"]})
    assert read(NAME, written(NAME, one)).pairs() == one.pairs()


def test_plural_forms_may_be_in_two_parts():
    made, columns = forms(["a", "as"], ["A", "B", "C"])
    first = inline(made[:1], attributes={"plural": columns["plural"][:1]})
    second = replace(inline(made[1:], attributes={"plural": columns["plural"][1:]}), continues=True)
    assert read(NAME, written(NAME, first, second)).alignment.attributes == columns


def test_drafts_may_be_read_as_translations():
    content = '#, fuzzy\nmsgid "a"\nmsgid_plural "as"\nmsgstr[0] "A"\nmsgstr[1] "As"\n'
    bt = read(NAME, content, drafts=True)
    assert bt.pairs() == [(["a"], ["A"]), (["as"], ["As"])]
    assert bt.alignment.attributes["state"] == [REVIEW, REVIEW]
    assert "by their state (fuzzy), read as translations" in bt.notes[0].kind
    assert written(NAME, bt).decode().endswith(f"\n\n{content}")


note = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), min_size=1)


@given(note.map(str.strip).filter(bool), note, st.booleans())
def test_columns_come_back(comment, context, plural):
    columns = {
        "tgt.note": comment,
        "src.note": comment,
        "references": "a.c:1 b.c:2",
        "flags": "fuzzy, c-format",
        "msgctxt": context,
        "draft": "new",
        "state": REVIEW,
    }
    held = [columns | ({"plural": f"{k}/2"} if plural else {}) for k in range(1 + plural)]
    given_ = inline(
        [(["a"], []), (["b"], [])][: 1 + plural],
        attributes={k: [each[k] for each in held] for k in held[0]},
    )
    back = read(NAME, written(NAME, given_))
    assert back.pairs() == given_.pairs()
    want = {name: value.strip(" \t") for name, value in columns.items()} | {"msgctxt": context}
    for name in ("tgt.note", "src.note"):
        want[name] = "\n".join(line.rstrip(" \t") for line in comment.split("\n"))
    assert rows(back) == [each | want for each in held]


def test_what_is_written():
    given_ = inline(
        [
            (["a\nb\n"], ['"\\\t']),
            (["same"], ["one"]),
            (["same"], ["two"]),
            (["same"], ["three"]),
            (["same"], ["four"]),
            ([], ["five"]),
            (["six"], ["seven"]),
        ],
        attributes={
            "msgctxt": [None, None, None, "c", "c", None, None],
            "flags": [None, None, None, None, None, None, "fuzzy, no-wrap"],
            "note": ["of another\nformat", None, None, None, None, None, None],
        },
    )
    text = written(NAME, given_).decode()
    assert (
        text
        == r"""msgid ""
msgstr ""
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

# of another
# format
msgid ""
"a\n"
"b\n"
msgstr "\"\\\t"

msgid "same"
msgstr "one"

msgctxt "bitext 3"
msgid "same"
msgstr "two"

msgctxt "c"
msgid "same"
msgstr "three"

msgctxt "c bitext 5"
msgid "same"
msgstr "four"

msgctxt "bitext 6"
msgid ""
msgstr "five"

#, no-wrap
msgid "six"
msgstr "seven"
"""
    )


def test_the_header_is_written():
    bt = read(NAME, HEADER.replace("UTF-8", "ISO-8859-15") + 'msgid "a"\nmsgstr "b"\n')
    back = read(NAME, written(NAME, bt))
    assert back.meta["po_header"] == bt.meta["po_header"].replace("ISO-8859-15", "UTF-8") + (
        "MIME-Version: 1.0\nContent-Transfer-Encoding: 8bit\n"
    )
    out = io.StringIO()
    by_name(NAME).write([bt], out, options=WriteOptions(tgt_lang="fi_FI", src_lang="en_GB"))
    again = read(NAME, out.getvalue())
    assert (again.src.lang, again.tgt.lang) == ("en_GB", "fi_FI")
    assert read(NAME, written(NAME)).pairs() == []
    langs = bitext.Bitext(
        Text(["a"], lang="sv"), Text(["b"], lang="nb"), inline([(["a"], ["b"])]).alignment
    )
    there = read(NAME, written(NAME, langs))
    assert (there.src.lang, there.tgt.lang) == ("sv", "nb")


def test_a_header_that_was_read_for_the_other_side_does_not_name_the_language():
    header = HEADER.replace('"X-Source-Language: en\\n"\n', "")
    bt = read(NAME, header + 'msgid "a"\nmsgstr "b"\n')
    assert (bt.src.lang, bt.tgt.lang) == ("", "fi")
    back = read(NAME, written(NAME, bt.swapped()))
    assert (back.src.lang, back.tgt.lang) == ("fi", "")
    assert "\nLanguage:" not in back.meta["po_header"]


def test_parts():
    size = PART + 3
    content = HEADER + "\n".join(f'msgid "a{k}"\nmsgstr "b{k}"\n' for k in range(size))
    parts = read_all(NAME, content, parts=True, lines=True)
    assert [len(part.alignment) for part in parts] == [PART, 3]
    assert [part.tgt.lang for part in parts] == ["fi", "fi"]
    assert [part.continues for part in parts] == [False, True]
    assert parts[0].lines[:2].tolist() == [9, 12]
    again = written(NAME, *parts)
    assert again.count(b"Language: fi") == 1
    assert read(NAME, again).pairs() == [pair for part in parts for pair in part.pairs()]


def test_it_is_told_by_its_first_bytes():
    for content in (
        b'msgid "a"\nmsgstr "b"\n',
        HEADER.encode(),
        b"#\n" * 50 + b'msgid "a"\nmsgstr "b"',
        'msgid "é"\r\nmsgstr ""\r\n'.encode("latin-1"),
        'msgid "a"\nmsgstr ""\n'.encode("utf-16"),
        b'"Language: fr\\n"\n\nmsgctxt "a"\nmsgid "b"\nmsgstr ""\n',
    ):
        assert sniff(content, "made").name == NAME, content
    for content in (b"# a\n# b\n", b'msgid,"a"\n', b'<a>\nmsgid "a"\n', b"msgid\tmsgstr\n"):
        found = sniff(content, "made")
        assert found is None or found.name != NAME, content


CHARSETS = {"okapi--Test_DrupalRussianCP1251.po": "cp1251"}


def _by_hand(path):
    """Return the pairs of a file whose entries are parted by empty lines."""
    text = path.read_bytes().decode(CHARSETS.get(path.name, "utf-8-sig")).replace("\r\n", "\n")
    found = []
    for block in re.split(r"\n\n+", text):
        lines = [line for line in block.split("\n") if line and not line.startswith("#")]
        parts = re.split(r"^(msg\w+(?:\[\d\])?)", "\n".join(lines), flags=re.MULTILINE)
        strings = [ast.literal_eval(f"({part})") for part in parts[2::2]]
        entry = dict(zip(parts[1::2], strings, strict=True))
        if not entry.get("msgid"):
            continue
        tgt = [value for name, value in entry.items() if name.startswith("msgstr")]
        if re.search("^#,.*fuzzy", block, flags=re.MULTILINE) or not any(tgt):
            tgt = []
        src = [v for name, v in entry.items() if name.startswith("msgid")]
        found += _pairs(src, tgt, forms=sum(name.startswith("msgstr") for name in entry))
    return found


def _pairs(src, tgt, *, forms):
    """Return the bisegments of an entry."""
    if len(src) == 1:
        return [(src, tgt)]
    held = tgt or [""] * forms
    return [
        ([src[min(k, 1)]], [form] if (form := held[min(k, len(held) - 1)]) else [])
        for k in range(max(2, len(held)))
    ]


def _samples():
    folder = data("formats", "po")
    return sorted(folder.glob("*.po"))


def test_real_files():
    files = _samples()
    assert len(files) == 19
    count = 0
    for path in files:
        bt = bitext.read(path)
        assert bt.pairs() == _by_hand(path), path.name
        assert read(NAME, written(NAME, bt)).pairs() == bt.pairs(), path.name
        count += len(bt.alignment)
    assert count > 1000


POLIB_STOPS = {
    "okapi--msgctxt_notes.po",
    "okapi--TestMonoLingual_FR.po",
    "okapi--Test_DrupalRussianCP1251.po",
}


def test_real_files_as_polib_reads_them():
    polib = pytest.importorskip("polib")
    for path in _samples():
        try:
            entries = polib.pofile(str(path))
        except (OSError, UnicodeDecodeError):
            # A header without msgid, a byte order mark, and a no-break space in a comment.
            assert path.name in POLIB_STOPS
            continue
        bt = bitext.read(path)
        want = []
        for entry in entries:
            if entry.obsolete:
                continue
            forms = [entry.msgstr_plural[k] for k in sorted(entry.msgstr_plural)] or [entry.msgstr]
            src = [entry.msgid, *([entry.msgid_plural] if entry.msgid_plural else [])]
            tgt = forms if any(forms) and not entry.fuzzy else []
            want += _pairs(src, tgt, forms=len(forms))
        assert bt.pairs() == want, path.name


def test_what_is_odd_in_real_files():
    folder = data("formats", "po")
    assert kinds(bitext.read(folder / "okapi--AllCasesTest.po"))[FUZZY] == 3
    # Sound as gettext sees it: what comes behind its one entry is obsolete.
    fail = bitext.read(folder / "okapi--fail.po")
    assert fail.pairs() == [(['pointing at "%s"'], ['wys na "%s"'])]
    assert kinds(fail) == {OBSOLETE: 2}
    notes = bitext.read(folder / "okapi--msgctxt_notes.po")
    assert (notes.tgt.lang, kinds(notes)) == ("fr", {LOST: 1})
    assert notes.alignment.attributes["msgctxt"] == ["Context A", "Context B"]
    assert bitext.read(folder / "translate--one.po").tgt.lang == "en"


def test_columns_that_come_back_are_no_losses():
    content = (
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        '# tr\n#. pr\n#: a.c:1\n#, c-format, fuzzy, range: 0..9\n#| msgid "old"\n'
        'msgctxt "menu"\nmsgid "%d a"\nmsgid_plural "%d b"\nmsgstr[0] "x"\nmsgstr[1] "y"\n\n'
        '#, no-wrap, fuzzy\nmsgid "c"\nmsgstr ""\n'
    )
    first = read("po", content)
    losses = Notes()
    count_losses(first, by_name("po").keeps, losses)
    assert losses.all() == ()
    again = read("po", written("po", first))
    assert dict(again.alignment.attributes) == dict(first.alignment.attributes)
    first = "c-format, fuzzy, range: 0..9"
    assert again.alignment.attributes["flags"] == [first, first, "no-wrap, fuzzy"]


def test_a_fuzzy_flag_does_not_hide_a_translation():
    bitext = inline([(["a"], ["b"])], attributes={"flags": ["fuzzy, c-format"]})
    again = read("po", written("po", bitext))
    assert again.pairs() == [(["a"], ["b"])]
    assert again.alignment.attributes["flags"] == ["c-format"]


def of_languages(*langs):
    return [
        Bitext(
            Text(["a"], lang=src),
            Text(["b"] if tgt else [], lang=tgt),
            Alignment([((0,), (0,) if tgt else ())]),
        )
        for src, tgt in langs
    ]


@pytest.mark.parametrize(("name", "units"), [("po", "entries"), ("tmx", "units")])
def test_a_second_pair_of_languages_is_refused(name, units):
    message = (
        f"{name} has the same two languages in all {units}, but a later text has 'en' and 'de' "
        "where the first has 'en' and 'fr'; write each"
    )
    with pytest.raises(InputError, match=message):
        written(name, *of_languages(("en", "fr"), ("EN", "FR"), ("en", "de")))
    assert written(name, *of_languages(("en", "fr"), ("en", ""), ("en", "fr")))
    out = io.StringIO()
    named = WriteOptions(src_lang="en", tgt_lang="fr")
    by_name(name).write(of_languages(("en", "fr"), ("en", "de")), out, options=named)
    assert out.getvalue()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b"]),
            st.sampled_from(["", "x", "y"]),
            st.sampled_from([None, "0/1", "1/1", "0/2", "1/2", "0/3", "1/3", "2/3", "3/3", "x"]),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_plural_forms_that_do_not_come_back_are_losses(rows):
    made = inline(
        [([src], [tgt] * bool(tgt)) for src, tgt, _ in rows],
        attributes={"plural": [told for *_, told in rows]},
    )
    losses = Notes()
    count_losses(made, by_name("po").keeps, losses)
    told = {LOSSES["attributes"]} & {n.kind for n in losses.all()}
    back = read("po", written("po", made))
    column = list(back.alignment.attributes.get("plural", [None] * len(rows)))
    if not told:
        assert (back.pairs(), column) == (made.pairs(), [told for *_, told in rows])
    else:
        assert column != [told for *_, told in rows]


def test_empty_comments_and_contexts_come_back():
    content = '#\n#.\n#:\n#,\nmsgctxt ""\nmsgid "a"\nmsgstr "b"\n'
    found = read(NAME, content)
    assert written(NAME, found).decode().endswith(f"\n\n{content}")


def test_proposals_beside_a_translation_are_a_loss():
    found = read(NAME, '#, fuzzy\nmsgid "a"\nmsgstr "b"\n')
    losses = Notes()
    count_losses(found, by_name(NAME).keeps, losses)
    assert not losses.all()
    count_losses(found.swapped(), by_name(NAME).keeps, losses)
    case = "the bitext: draft of bisegment 0 (0-1)"
    assert [(note.kind, note.first) for note in losses] == [(LOSSES["attributes"], case)]


def test_a_draft_without_a_message_and_no_bisegment_at_all_are_written_and_read():
    found = read(NAME, '#, fuzzy\nmsgctxt "c"\nmsgid ""\nmsgstr "b"\n')
    assert found.pairs() == [([""], [])]
    assert found.alignment.attributes["draft"] == ["b"]
    none = inline([], attributes={"state": [], "draft": []})
    count_losses(none, by_name(NAME).keeps, losses := Notes())
    assert not losses.all()


def test_contexts_that_tell_repeated_messages_apart_are_no_column():
    made = inline([(["a"], ["b"])] * 2 + [([], ["c"])])
    back = read(NAME, written(NAME, made))
    assert (back.pairs(), back.alignment.attributes) == (made.pairs(), {})
    made = inline([(["a"], ["b"])] * 2, attributes={"msgctxt": ["menu"] * 2})
    assert read(NAME, written(NAME, made)).alignment.attributes == {"msgctxt": ["menu"] * 2}


def test_no_comment_ends_with_a_backslash_where_gettext_would_join_the_next_line():
    note = "C:\\a\\\nb\\\\"
    made = inline([(["a"], ["b"])], attributes={"tgt.note": [note], "references": ["D:\\"]})
    content = written(NAME, made)
    assert not re.search(rb"(?m)\\$", content)
    assert read(NAME, content).alignment.attributes == made.alignment.attributes


def test_messages_that_are_all_identifiers_are_noted():
    told = "files whose messages all look like identifiers, taken as the source texts"
    ids = ["menu.file.open", "ERROR_NOT_FOUND", "a/b", "x-1"]
    content = "".join(f'msgid "{name}"\nmsgstr "T"\n\n' for name in ids)
    assert kinds(read(NAME, content)) == {told: 1}
    assert kinds(read(NAME, content + 'msgid "Open file"\nmsgstr "T"\n')) == {}
    assert kinds(read(NAME, 'msgid "e.g"\nmsgstr "T"\n')) == {}


def test_the_comment_of_the_header_is_a_note_of_the_header(tmp_path):
    comment = "# Copyright Äiti.\n#\n#  second\n"
    path = tmp_path / "a.po"
    head = comment + HEADER[HEADER.index("msgid") :]
    path.write_text(head + 'msgid "a"\nmsgstr "b"\n', encoding="utf-8")
    found = bitext.read(path)
    assert found.meta["note"] == "Copyright Äiti.\n\n second"
    for name, lost in (("b.po", 0), ("b.tmx", 0), ("b.tsv", 1)):
        bitext.write(found, tmp_path / name, losses=(losses := Notes()))
        told = {note.kind: note.count for note in losses}
        assert told.get("notes and props of the header", 0) == lost
    assert (tmp_path / "b.po").read_text(encoding="utf-8").startswith(comment)
    assert bitext.read(tmp_path / "b.tmx").meta["note"] == found.meta["note"]
