"""Strings of programs with both languages in a file, and test sets of WMT in XML; read.

Qt (`.ts`)
    A `message` is a bisegment: its `source` and `translation`; a message with numbers is one
    bisegment for each `numerusform`, with the same source and the attribute `numerus`. Translations
    that are `unfinished` are drafts (see `bitext.formats.states`); `vanished` and `obsolete`
    messages are left out, and noted. The attributes are `context`, `id`, `comment` and `note`.
Apple (`.xcstrings`)
    A string catalogue: the source language and the requested one, or the only other one.
    The source text is its own value, or the key. Plural forms and forms for devices are bisegments
    of their own (attribute `form`). States other than `translated` are drafts.
WMT (XML since 2021)
    A `doc` is a document pair, a `seg` a bisegment: that of `src` and that of the first `ref`, by
    the number of its segment. Further references and the outputs of systems are attributes
    (`ref:B`, `hyp:SYSTEM`); without any reference the only output is the target.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bitext.formats.beads import Beads
from bitext.formats.io.source import Source
from bitext.formats.languages import agreed_language, two_languages, wrong_languages
from bitext.formats.line_files import parsed
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.states import FUZZY, as_drafts, is_draft, note_draft
from bitext.formats.xml import has_root
from bitext.formats.xml.safe import iterate, line_of, local_name, text_of
from bitext.model import Bitext


def _add(
    source: Source,
    options: ReadOptions,
    beads: Beads,
    texts: tuple[str, str],
    attributes: dict[str, str],
    state: tuple[str, str],
) -> None:
    """Add a bisegment; a target whose state (and its spelling) marks it as a draft becomes one.

    A bisegment without text on either side is left out, and noted.
    """
    src, tgt = texts
    values = {key: value for key, value in attributes.items() if value}
    if state[0]:
        values["state"] = state[0]
    if tgt and is_draft(state[0]):
        place = f"{source.path} line {beads.line}" if beads.line else source.path
        note_draft(source.notes, state[1], place, taken=options.drafts)
        if not options.drafts:
            values |= as_drafts([(tgt, None)])
            tgt = ""
    if not (src or tgt):
        source.note("strings without text on either side, left out")
        return
    beads.add([src] if src else [], [tgt] if tgt else [], attributes=values)


# Qt.


def _read_qt(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads: Beads | None = None
    context = ""
    for event, element in iterate(source, start=("TS",), end=("name", "message")):
        name = local_name(element)
        if event == "start" and name == "TS":
            langs = (element.get("sourcelanguage", ""), element.get("language", ""))
            src, tgt = (lang.replace("_", "-") for lang in langs)
            agreed = (
                agreed_language(source, options.src_lang, src),
                agreed_language(source, options.tgt_lang, tgt),
            )
            beads = Beads(source, options, langs=agreed)
        elif event == "end" and name == "name":
            context = element.text or ""
        elif event == "end" and name == "message" and beads is not None:
            beads.line = line_of(element) or 0
            _add_message(source, options, beads, element, context)
            yield from beads.parts()
    if beads is None:
        raise source.error("has no element TS: is it a file of Qt Linguist?")
    yield from beads.rest()


def _add_message(
    source: Source, options: ReadOptions, beads: Beads, message: Any, context: str
) -> None:
    parts = {local_name(child): child for child in message.iterchildren("{*}*")}
    texts = {
        name: _qt_text(parts[name])
        for name in ("source", "comment", "extracomment", "translatorcomment")
        if name in parts
    }
    translation = parts.get("translation")
    status = "" if translation is None else translation.get("type", "")
    if status in {"vanished", "obsolete"}:
        source.note("messages that are no longer in the program, left out", line=beads.line)
        return
    attributes = {
        "context": context,
        "id": message.get("id", ""),
        "comment": texts.get("comment", ""),
    }
    comments = filter(None, (texts.get("extracomment"), texts.get("translatorcomment")))
    attributes |= zip(("note", "note#2"), comments, strict=False)
    rest = [name for name in parts if name not in texts and name != "translation"]
    if rest:
        kind = "elements of messages besides their texts and comments, left out"
        source.note(kind, rest[0][:40], line=beads.line)
    state = (FUZZY, "type=unfinished") if status == "unfinished" else ("", "")
    forms = [] if translation is None else [*translation.iterchildren("{*}numerusform")]
    if translation is not None and len(list(translation.iter("{*}lengthvariant"))) > 1:
        kind = "translations with variants of length, of which the first is read"
        source.note(kind, line=beads.line)
    if message.get("numerus") == "yes" and forms:
        for k, form in enumerate(forms):
            numbered = attributes | {"numerus": f"{k}/{len(forms)}"}
            pair = (texts.get("source", ""), _qt_text(form))
            _add(source, options, beads, pair, numbered, state if pair[1] else ("", ""))
        return
    target = "" if translation is None else _qt_text(translation)
    state = state if target else ("", "")
    _add(source, options, beads, (texts.get("source", ""), target), attributes, state)


def _qt_text(element: Any) -> str:
    """Return the text of an element; the first of its variants of length, where it has some."""
    variant = next(element.iterchildren("{*}lengthvariant"), None)
    element = element if variant is None else variant
    parts = [element.text or ""]
    for child in element:
        if local_name(child) == "byte":
            value = child.get("value", "")
            hexadecimal = value.startswith("x")
            try:
                point = int(value[1:], 16) if hexadecimal else int(value)
                parts.append(chr(point) if not 0xD800 <= point < 0xE000 else "\ufffd")
            except (ValueError, OverflowError):
                parts.append("\ufffd")
        parts.append(child.tail or "")
    return "".join(parts)


# String catalogues of Apple.

_XC_STATES = {"new": "new", "needs_review": FUZZY, "stale": FUZZY, "translated": "translated"}


def _read_xcstrings(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    try:
        catalogue = parsed(source.text(), source.error)
    except ValueError as error:
        raise source.error(f"is not JSON: {error}") from None
    strings, first = map(_object(catalogue).get, ("strings", "sourceLanguage"))
    if not isinstance(strings, dict) or not isinstance(first, str):
        raise source.error('wants "sourceLanguage" and "strings": is it a string catalogue?')
    langs = _catalogue_languages(source, options, strings, first)
    beads = Beads(source, options, langs=langs)
    for key, entry in strings.items():
        if not isinstance(entry, dict):
            raise source.error(f"its string {key[:40]!r} is no object")
        if entry.get("shouldTranslate") is False:
            source.note("strings that are not to be translated, left out", f"{key[:40]!r}")
            continue
        both = [_forms(entry, lang) for lang in langs]
        for side, lang in enumerate(langs):
            if lang == first and not both[side]:
                both[side] = {"": (key, "")}
        comment = entry.get("comment")
        note = comment if isinstance(comment, str) else ""
        if any(_localized(entry, lang).get("substitutions") for lang in langs):
            kind = "strings with substitutions (%#@name@), whose forms are left out"
            source.note(kind, f"{key[:40]!r}")
        forms = dict.fromkeys((*both[0], *both[1]))
        if len(forms) > 1 and "" in forms and not all("" in each for each in both):
            del forms[""]  # the text for all forms of the other language
        for form in forms:
            src, _ = _nearest(both[0], form)
            tgt, state = _nearest(both[1], form)
            if form not in both[1] and tgt and "" not in both[1]:
                kind = "plural forms that the target lacks, paired with its form 'other'"
                source.note(kind, f"{key[:40]!r}")
            name = _XC_STATES.get(state, state)
            attributes = {"id": key, "form": form, "note": note}
            _add(source, options, beads, (src, tgt), attributes, (name, f"state={state}"))
        yield from beads.parts()
    yield from beads.rest()


def _catalogue_languages(
    source: Source, options: ReadOptions, strings: dict[str, Any], first: str
) -> tuple[str, str]:
    names = {first: None}
    for entry in strings.values():
        names |= dict.fromkeys(_object(_object(entry).get("localizations")))
    chosen = two_languages(list(names), options.languages)
    if chosen is None:
        raise source.error(wrong_languages(list(names), options.languages))
    for name in names:
        if name not in chosen:
            source.note("languages besides the two, left out", name[:40])
    return chosen


def _object(value: Any) -> dict[str, Any]:
    """Return an object of JSON; an empty one for other values."""
    return value if isinstance(value, dict) else {}


def _localized(entry: dict[str, Any], lang: str) -> dict[str, Any]:
    return _object(_object(entry.get("localizations")).get(lang))


def _forms(entry: dict[str, Any], lang: str) -> dict[str, tuple[str, str]]:
    """Return the texts and states of a string in a language, by their forms; iterative."""
    out: dict[str, tuple[str, str]] = {}
    waiting = [("", _localized(entry, lang))]
    while waiting:
        form, value = waiting.pop()
        unit = _object(value.get("stringUnit"))
        if isinstance(unit.get("value"), str):
            state = unit.get("state")
            out[form] = (unit["value"], state if isinstance(state, str) else "")
        for kinds in map(_object, _object(value.get("variations")).values()):
            prefix = f"{form}." if form else ""
            more = [(f"{prefix}{name}", _object(each)) for name, each in kinds.items()]
            waiting += reversed(more)
    return out


def _nearest(forms: dict[str, tuple[str, str]], form: str) -> tuple[str, str]:
    """Return the text and the state of a form, or of that which stands for it: `other`, or all.

    A form for a device may have forms by number (`iphone.one`).
    """
    names = [form]
    while form:
        form = form.rpartition(".")[0]
        names += [f"{form}.other" if form else "other", form]
    return next((forms[name] for name in names if name in forms), ("", ""))


# WMT.


def _sniff_wmt(head: bytes) -> int:
    return 95 if b"<doc" in head and b"<src" in head and has_root(head, "dataset") else 0


def _read_wmt(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    for number, (_, doc) in enumerate(iterate(source, end=("doc",)), start=1):
        beads = _document(source, options, doc)
        beads.name = doc.get("id", "") or str(number)
        yield from beads.rest()


def _document(source: Source, options: ReadOptions, doc: Any) -> Beads:
    src = next(doc.iterchildren("{*}src"), None)
    if src is None:
        raise source.error(f"its document {doc.get('id', '')[:40]!r} has no src", line_of(doc))
    refs = _named(doc, "ref", "translator")
    hyps = _named(doc, "hyp", "system")
    requested = options.tgt_lang.lower()
    if requested:
        refs = {name: ref for name, ref in refs.items() if _is_in(ref, requested)}
        hyps = {name: hyp for name, hyp in hyps.items() if _is_in(hyp, requested)}
    # A reference goes before an output; of several outputs none is better than the others.
    target = next(iter(refs), next(iter(hyps), "") if len(hyps) == 1 else "")
    others = {name: one for name, one in (refs | hyps).items() if name != target}
    if target and others:
        kind = "documents with several translations, one taken, the others attributes"
        source.note(kind, f"{target} taken, not {next(iter(others))}", line=line_of(doc))
    elif not target:
        kind = "documents without a reference" + (", of several outputs none taken" if hyps else "")
        source.note(kind, line=line_of(doc))
    taken = refs.get(target, hyps.get(target))
    lang = "" if taken is None else taken.get("lang", "")
    langs = (
        agreed_language(source, options.src_lang, src.get("lang", "")),
        agreed_language(source, options.tgt_lang, lang),
    )
    if further := [name for name in doc.attrib if name != "id"]:
        source.note("attributes of documents, left out", further[0][:40], line=line_of(doc))
    beads = Beads(source, options, langs=langs)
    texts = {} if taken is None else _segments(source, taken)
    columns = {name: _segments(source, one) for name, one in others.items()}
    sources = _segments(source, src)
    for name, (text, line) in sources.items():
        beads.line = line
        attributes = {"id": name} | {
            other: column[name][0] for other, column in columns.items() if name in column
        }
        _add(source, options, beads, (text, texts.get(name, ("", 0))[0]), attributes, ("", ""))
    for name, (text, line) in texts.items():
        if name not in sources:
            source.note("segments that the source lacks", line=line)
            beads.line = line
            _add(source, options, beads, ("", text), {"id": name}, ("", ""))
    return beads


def _named(doc: Any, prefix: str, attribute: str) -> dict[str, Any]:
    """Return translations by names: `ref:B`, and `ref:B:fr` where the name is taken."""
    named: dict[str, Any] = {}
    for k, element in enumerate(doc.iterchildren(f"{{*}}{prefix}"), start=1):
        name = f"{prefix}:{element.get(attribute, '') or k}"
        name = f"{name}:{element.get('lang', '') or k}" if name in named else name
        named[name if name not in named else f"{name}:{k}"] = element
    return named


def _is_in(element: Any, lang: str) -> bool:
    code = element.get("lang", "").lower()
    return bool(code == lang or code.startswith(f"{lang}-"))


def _segments(source: Source, element: Any) -> dict[str, tuple[str, int]]:
    """Return the texts of the segments, by their ids, each with its line.

    Raises `FormatError` when an id repeats.
    """
    out: dict[str, tuple[str, int]] = {}
    for seg in element.iter("{*}seg"):
        text = " ".join(text_of(seg).split())
        name = seg.get("id", "") or str(len(out) + 1)
        if name in out:
            message = f"has a second segment {name[:40]!r} in one text of a document"
            raise source.error(f"{message}; give each seg an id of its own", line_of(seg))
        out[name] = (text, line_of(seg) or 0)
    return out


FORMAT = Format(
    name="qt",
    title="messages of Qt Linguist (TS, read)",
    holds="text",
    suffixes=(".ts",),
    sniff=lambda head: 95 if has_root(head, "TS") else 0,
    read=_read_qt,
    streams=True,
    units=("message",),
    holders=("TS", "context"),
)
XCSTRINGS = Format(
    name="xcstrings",
    title="string catalogues of Apple (read)",
    holds="text",
    suffixes=(".xcstrings",),
    sniff=lambda head: 90 if b'"sourceLanguage"' in head and b'"strings"' in head else 0,
    read=_read_xcstrings,
)
WMT = Format(
    name="wmt",
    title="test sets of WMT with references (XML, read)",
    holds="text",
    suffixes=(),
    sniff=_sniff_wmt,
    read=_read_wmt,
    streams=True,
    units=("doc",),
    holders=("dataset",),
)
