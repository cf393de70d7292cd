"""`bitext join`: tables and memories of several languages from pairs that share a language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from contextlib import ExitStack
from itertools import combinations
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.cli.algebra import WRITING, AlgebraRequest, reading_options
from bitext.cli.common import (
    Parser,
    add_groups,
    is_output_folder,
    print_notes,
    protected_outputs,
    value,
)
from bitext.cli.request import request_of
from bitext.errors import InputError, OptionError
from bitext.option_names import renamed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bitext.formats.io.source import Notes
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext, Text
    from bitext.model.multitext import Join, Link, Multitext

__all__ = ["run"]

_EPILOG = """\
Bisegments that share a segment, directly or through others, are one row; segments that are in no
bisegment are in no row. Where files cut a text in different ways, its versions are laid over each
other. The languages are those of the files, of the names of the texts, or of the files (de-en.tsv).

FILE may be a folder or a manifest, whose files belong to those of the same names in the others.

examples:
  bitext join de-en.tmx de-fr.tmx de-it.tmx -o de-en-fr-it.tmx
  bitext join a.align b.align --langs de-en,de-fr --text de=x.de --text en=x.en --text fr=x.fr \\
    --strict -o x.tsv
  bitext convert de-en-fr-it.tmx --src-lang en --tgt-lang it -o en-it.tsv    a pair of the languages
"""

_PAIR = re.compile(r"(?:^|[._-])([A-Za-z]{2,3})-([A-Za-z]{2,3})(?=[._]|$)")  # in names of files
_WORDS = ("id", "no", "nr")  # codes that are other words in headers of more than two columns
_CODE = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")


class JoinRequest(AlgebraRequest):
    """The request of `bitext join`; the fields are its options.

    Attributes
    ----------
    files : tuple of str
        The files.
    langs : str or None
        The languages of each file.
    text : tuple of str
        The texts of languages, as `de=FILE`.
    by : str
        Whether `segments` or `text` join bisegments.
    strict : bool
        Whether rows that lack a language are left out.
    min_matched : float
        The least share of characters that two versions of a text have in common.

    """

    files: tuple[str, ...]
    langs: str | None = None
    text: tuple[str, ...] = ()
    by: str = "segments"
    strict: bool = False
    min_matched: float = 0.9

    def pairs(self) -> list[tuple[str, str]]:
        """Return the languages of each file that the user or the name of the file states."""
        if self.langs is None:
            return [_named_pair(path) for path in self.files]
        from bitext.model.languages import is_language

        pairs = []
        for item in self.langs.split(","):
            codes = item.split(":" if ":" in item else "-")
            if len(codes) != 2 or not all(map(_CODE.fullmatch, codes)):
                raise OptionError(
                    f"--langs {item!r:.40}: want two languages a file, as de-en,de-fr (or de:en-GB)"
                )
            wrong = [code for code in codes if not is_language(re.split("[-_]", code.lower())[0])]
            if wrong:
                raise OptionError(
                    f"--langs {item!r:.40}: {wrong[0]!r:.20} is no code of a language: want codes "
                    f"as de, en-GB or zh-Hans"
                )
            pairs.append((codes[0], codes[1]))
        if len(pairs) != len(self.files):
            raise OptionError(
                f"--langs has {len(pairs)} pairs of languages for {len(self.files)} files: want "
                f"one each, in order"
            )
        return pairs

    def texts(self) -> dict[str, str]:
        """Return the files of the texts by language."""
        made: dict[str, str] = {}
        for item in self.text:
            code, equals, path = item.partition("=")
            if not (equals and path and _CODE.fullmatch(code)):
                raise OptionError(f"--text {item!r:.80}: want LANG=FILE, as de=book.de")
            if code in made:
                raise OptionError(f"--text names {code} twice: give one file")
            made[code] = path
        return made


def run(arguments: Sequence[str]) -> int:
    """Join files of two languages each to one of all languages; return the exit status."""
    from bitext.formats.io.source import Notes
    from bitext.formats.multitexts import deliver_multitexts, refuse_two_sided
    from bitext.model.languages import language_of

    parser = Parser(
        prog="bitext join",
        description="Join alignments that share languages to a table or memory of all languages.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="alignments, in any format; or a folder or manifest",
    )
    text: tuple[str, dict[str, Any], str] = (
        "--text",
        {"action": "append", "default": [], "metavar": "LANG=TEXT"},
        "the text of a language, where files hold ids or positions; repeats",
    )
    langs: tuple[str, dict[str, Any], str] = (
        "--langs",
        {"metavar": "A-B,A-C"},
        "the source and target language of each file, in order",
    )
    joining: list[tuple[str, dict[str, Any], str]] = [
        langs,
        (
            "--by",
            {"choices": ("segments", "text"), "default": "segments"},
            "join where segments are the same (default), or where sides have equal texts",
        ),
        ("--strict", {"action": "store_true"}, "only rows that have all languages"),
        (
            "--min-matched",
            {"type": value(float, "a share from 0 to 1"), "default": 0.9, "metavar": "SHARE"},
            "how many characters two versions of a text have to have in common (0.9)",
        ),
    ]
    reading = reading_options()
    reading.insert(1, text)
    add_groups(parser, {"reading": reading, "joining": joining, "writing": WRITING})
    request = request_of(JoinRequest, parser, arguments)
    pairs, texts = request.pairs(), request.texts()
    request.check(request.files, [*texts.values()])
    if len(request.files) < 2:
        raise OptionError("one file: want two or more, which share a language")
    if not 0 <= request.min_matched <= 1:
        raise OptionError(f"--min-matched {request.min_matched}: want a share from 0 to 1")
    if is_output_folder(request.output):
        raise OptionError(f"-o {request.output}: is a folder, and join writes one file: name it")
    known = request.format_to_write()
    refuse_two_sided(known)
    losses, notes = Notes(), Notes()
    with protected_outputs(request):
        files = _read(request, pairs, texts)
        named = [
            _in_languages(file, pair, texts, surely=request.langs is not None, notes=notes)
            for file, pair in zip(files, pairs, strict=True)
        ]
        languages = _languages(named, notes)
        for code in texts.keys() - {code for file in named for code in file.langs}:
            raise OptionError(
                f"--text {code}={texts[code]}: no file is in {code!r}: want one of "
                f"{', '.join(languages)}"
            )
        account = _Account(request.files, [*dict.fromkeys(languages.values())], Notes())
        multitexts = [
            _joined(group, languages, request, account) for group in _groups(named, notes)
        ]
        lines = account.lines(strict=request.strict)
        print_notes(lines, request, most=len(lines))
        deliver_multitexts(multitexts, request.output, known, losses=losses, notes=notes)
    unclear = [code for code in languages.values() if not language_of(code) or code in _WORDS]
    if known.tabular and unclear:
        notes.add(
            "languages that headers are not read by: name the columns to read them back "
            "(--columns src=de,tgt=no)",
            ", ".join(dict.fromkeys(unclear)),
        )
    print_notes((f"lost: {note}" for note in losses.all()), request)
    print_notes(map(str, notes.all()), request)
    return 0


class Read(NamedTuple):
    """A file, folder or manifest with its document pairs."""

    path: str
    bitexts: list[Bitext]


def _read(
    request: JoinRequest, pairs: Sequence[tuple[str, str]], texts: Mapping[str, str]
) -> list[Read]:
    """Read the document pairs of each file, or of all files of a folder or manifest."""
    from bitext.formats.corpora import refuse_lone_text
    from bitext.formats.reading import opened
    from bitext.jobs.operands import corpora_of, refuse_links

    files = []
    for corpus, (src, tgt) in zip(corpora_of(request.files, request.known), pairs, strict=True):
        asked = (src, tgt) if request.langs is not None else ("", "")
        sides = [(f"text-{lang}", texts.get(lang)) for lang in (src, tgt)]
        bitexts: list[Bitext] = []
        print_notes(corpus.notes(), request)
        with ExitStack() as stack:
            for name, option in (
                ("src", f"text {src or 'LANG'}=FILE"),
                ("tgt", f"text {tgt or 'LANG'}=FILE"),
                ("src-lang", "langs"),
                ("tgt-lang", "langs"),
                (f"text-{src}", f"text {src}="),
                (f"text-{tgt}", f"text {tgt}="),
            ):
                stack.enter_context(renamed(name, option=option))
            for (option, path), side in zip(sides, ("src", "tgt"), strict=True):
                refuse_lone_text(corpus, path, option=option, side=side)
            for name, entry in corpus.entries.items():
                entry.check(corpus.path)
                with opened(
                    entry.path, **request.reading(name, entry, corpus, sides, asked)
                ) as reading:
                    own = list(reading)
                    print_notes(map(str, reading.source.notes.drain()), request)
                for bitext in own:
                    refuse_links(bitext, entry.path)
                print_notes((str(note) for bitext in own for note in bitext.notes), request)
                bitexts += own
        files.append(Read(corpus.path, bitexts))
    return files


# Languages.


class _File(NamedTuple):
    """A file with its languages."""

    path: str
    langs: tuple[str, str]
    bitexts: list[Bitext]


def _named_pair(path: str) -> tuple[str, str]:
    """Return the languages in the name of a file, as `de-en.tmx`; else two empty strings."""
    from bitext.model.languages import is_language

    matches = [
        match.groups()
        for match in _PAIR.finditer(PurePath(path).name)
        if all(is_language(code.lower()) for code in match.groups())
    ]
    return (matches[0][0], matches[0][1]) if len(matches) == 1 else ("", "")


def _in_languages(
    file: Read, pair: tuple[str, str], texts: dict[str, str], *, surely: bool, notes: Notes
) -> _File:
    """Return a file with the languages of both sides; refuse unknown ones, and missing texts."""
    from bitext.formats.languages import finds, named_languages, normal

    first = ("", "")
    own = ["", ""]
    for bitext in file.bitexts:
        sides = bitext.src, bitext.tgt
        names = ["" if text is None else text.name for text in sides]
        documents = [bitext.meta.get(f"{side}_doc", "") for side in ("src", "tgt")]
        own = [text.lang if text is not None and len(text) else "" for text in sides]
        by_names = next(
            filter(any, (named_languages(*each) for each in (documents, names))), ("", "")
        )
        langs = [
            code if surely else lang or name or code
            for code, lang, name in zip(pair, own, by_names, strict=True)
        ]
        if any(langs) and any(first) and any(
            normal(one) != normal(other)
            for one, other in zip(langs, first, strict=True)
            if one and other
        ):  # fmt: skip
            raise InputError(
                f"{file.path}: has document pairs in {first[0]} and {first[1]} and in {langs[0]} "
                f"and {langs[1]}: give files of two languages each"
            )
        if surely and any(by_names) and not all(map(finds, by_names, langs)):
            kind = "languages that are others by the names of the texts"
            notes.add(
                kind, f"{file.path}: {' and '.join(langs)}, by names {' and '.join(by_names)}"
            )
        first = (first[0] or langs[0], first[1] or langs[1])
    if not all(first):
        raise InputError(
            f"{file.path}: its languages are not known: name those of all files, in order "
            f"(--langs de-en,de-fr), or in the names of the files (de-en.tsv)"
        )
    if normal(first[0]) == normal(first[1]):
        raise InputError(
            f"{file.path}: both sides are in {first[0]!r}: name two languages, as of all files in "
            f"order (--langs de-en,de-fr)"
        )
    if not surely and not any(own):
        kind = "languages taken from names of files (--langs names others)"
        notes.add(kind, f"{file.path}: {first[0]} and {first[1]}")
    for bitext in file.bitexts:
        for text, lang in zip((bitext.src, bitext.tgt), first, strict=True):
            if text is None or not text.has_text:
                kind = "positions" if text is None else "identifiers"
                way = f"it has to be over {texts[lang]}" if lang in texts else ""
                raise InputError(
                    f"{file.path}: holds {kind} of {lang} segments without their text: give it "
                    f"(--text {lang}=FILE{'; --root names folders' if text is not None else ''})"
                    f"{way and '; '}{way}"
                )
    return _File(file.path, first, file.bitexts)


def _languages(files: Sequence[_File], notes: Notes) -> dict[str, str]:
    """Map the codes of files to those of the output; refuse pairs that do not hang together."""
    from bitext.formats.languages import finds, normal

    codes = list(dict.fromkeys(code for file in files for code in file.langs))
    made: dict[str, str] = {}
    for code in codes:
        wider = [each for each in codes if finds(each, code)]
        narrower = {normal(each) for each in codes if finds(code, each)} - {normal(code)}
        if len(narrower) > 1:
            raise InputError(
                f"{code!r} may be {' or '.join(sorted(narrower))}: name the languages of each file "
                f"in order (--langs)"
            )
        made[code] = min(wider, key=len)
        if normal(made[code]) != normal(code):
            notes.add("languages taken as one", f"{made[code]} and {code}")
    for one, other in combinations(files, 2):
        same = zip(one.bitexts, other.bitexts, strict=False)
        if one.path == other.path and all((a.src, a.tgt) == (b.src, b.tgt) for a, b in same):
            raise InputError(
                f"{one.path}: is given twice, with the same texts in {' and '.join(one.langs)} and "
                f"in {' and '.join(other.langs)}: give each file once"
            )
    pairs: dict[frozenset[str], str] = {}
    for file in files:
        langs = frozenset(made[code] for code in file.langs)
        shown = " and ".join(made[code] for code in file.langs)
        if len(langs) == 1:
            raise InputError(
                f"{file.path}: both sides are in {shown}: name two languages (--langs)"
            )
        if langs in pairs:
            raise InputError(
                f"{pairs[langs]} and {file.path} are both in {shown}: make one file of the two "
                f"before ('bitext combine' for the same texts, 'bitext convert' for others)"
            )
        pairs[langs] = file.path
    reached = set(next(iter(pairs)))
    left = list(pairs)[1:]
    while near := [langs for langs in left if langs & reached]:
        reached = reached.union(*near)
        left = [langs for langs in left if langs not in near]
    if left:
        raise InputError(
            f"{pairs[left[0]]}: shares no language with the files before ({', '.join(reached)}): "
            f"add a file that links {' or '.join(sorted(left[0]))} to one of these"
        )
    return made


def _groups(files: Sequence[_File], notes: Notes) -> Iterable[list[_File]]:
    """Yield the document pairs that belong together: the only ones, by documents, or by name."""
    if all(len(file.bitexts) == 1 for file in files):
        yield list(files)
        return
    pairs = [_File(file.path, file.langs, [each]) for file in files for each in file.bitexts]
    groups = _by_documents(pairs, notes)
    if groups is None:
        groups = _by_names(files, pairs)
    if not groups:
        raise InputError(f"nothing to join: {notes.all()[-1]}")
    if not any(len(group) > 1 for group in groups):
        raise InputError(
            f"{files[0].path} and {files[1].path}: no two files have a document in common, nor a "
            f"document pair of the same name (as {pairs[0].bitexts[0].name!r:.60}): give files of "
            f"the same documents"
        )
    for group in groups:
        if len(group) < len(files):
            kind = "document pairs that not all files have, joined without"
            notes.add(kind, group[0].bitexts[0].name)
        yield group


def _documents(pair: _File) -> list[tuple[str, str]]:
    """Return the documents of both sides of a document pair, with their languages."""
    meta = pair.bitexts[0].meta
    return list(zip(pair.langs, (meta.get("src_doc", ""), meta.get("tgt_doc", "")), strict=True))


def _by_documents(pairs: Sequence[_File], notes: Notes) -> list[list[_File]] | None:
    """Group document pairs by the documents they share; `None` where some have no documents."""
    from bitext.kernels.rows import Rows, components

    ends = [_documents(pair) for pair in pairs]
    if not all(name for each in ends for _, name in each):
        return None
    numbers: dict[tuple[str, str], int] = {}
    flat = [numbers.setdefault(end, len(numbers)) for each in ends for end in sorted(set(each))]
    if len(numbers) == len(flat):
        return None

    import numpy as np

    groups: dict[int, list[_File]] = defaultdict(list)
    rows = Rows(np.arange(0, len(flat) + 1, 2), np.array(flat, dtype=np.int64))
    for pair, number in zip(pairs, components(rows).tolist(), strict=True):
        groups[number].append(pair)
    made = []
    for group in groups.values():
        langs = Counter(lang for lang, _ in {end for pair in group for end in _documents(pair)})
        several = [lang for lang, count in langs.items() if count > 1]
        if several or len({pair.path for pair in group}) < len(group):
            name = group[0].bitexts[0].meta["src_doc"]
            kind = "documents with several counterparts in a language, left out"
            notes.add(kind, f"{name} ({', '.join(several) or group[0].path})")
        else:
            made.append(group)
    return made


def _by_names(files: Sequence[_File], pairs: Sequence[_File]) -> list[list[_File]]:
    """Group document pairs by name."""
    names: dict[str, list[_File]] = defaultdict(list)
    for file in files:
        own = Counter(bitext.name for bitext in file.bitexts)
        if len(own) < len(file.bitexts):
            raise InputError(
                f"{file.path}: holds {len(file.bitexts)} document pairs, and names are repeated or "
                f"missing, so they cannot be joined: give files of one document pair"
            )
    for pair in pairs:
        names[pair.bitexts[0].name].append(pair)
    return list(names.values())


# Joining.


class _Account:
    """Counts the rows of all documents, and what they merge, lack and leave out."""

    def __init__(self, files: Sequence[str], codes: Sequence[str], notes: Notes) -> None:
        self._codes = codes
        self._sizes = Counter(dict.fromkeys(files, 0))
        self._rows = self._whole = self._merged = 0
        self._lacking = Counter(dict.fromkeys(codes, 0))
        self._columns: set[str] = set()
        self._unscored = False
        self.notes = notes

    def add(self, group: Sequence[_File], made: Join, present: NDArray[np.bool_]) -> None:
        """Count the rows of a document; `present` is that of its `Multitext`."""
        for file in group:
            alignment = file.bitexts[0].alignment
            self._sizes[file.path] += len(alignment)
            self._columns.update(alignment.attributes)
            self._unscored |= made.scores is None and alignment.scores is not None
        self._rows += len(present)
        self._whole += int(present.all(axis=1).sum())
        self._merged += made.merged
        for code, column in zip(self._codes, present.T, strict=True):
            self._lacking[code] += int((~column).sum())

    def lines(self, *, strict: bool) -> list[str]:
        """Return the counts in words; `strict` says that rows that lack a language are left out."""
        sizes = ", ".join(f"{size:,}" for size in self._sizes.values())
        langs = f"{len(self._codes)} languages ({', '.join(self._codes)})"
        rows = f"{self._rows:,} rows of {sizes} bisegments, {self._whole:,} of them in all {langs}"
        lines = [rows, *map(str, self.notes.all())]
        if self._merged:
            lines.append(f"rows that join several bisegments of a file: {self._merged:,}")
        if self._whole < self._rows:
            shown = ", ".join(f"{code} {count:,}" for code, count in self._lacking.items() if count)
            done = "left out" if strict else "with empty cells (--strict leaves them out)"
            count = self._rows - self._whole
            lines.append(f"rows that lack a language, {done}: {count:,} ({shown})")
        if self._unscored:
            lines.append("scores left out: not all files have some from 0 to 1")
        if self._columns:
            lines.append(f"columns left out: {', '.join(sorted(self._columns))}")
        return lines


def _joined(
    group: Sequence[_File], languages: dict[str, str], request: JoinRequest, account: _Account
) -> Multitext:
    """Join the bitexts of a document; count the rows and the losses."""
    import numpy as np

    from bitext.model.multitext import join

    codes = list(dict.fromkeys(languages.values()))
    sides = [
        [(languages[code], text) for code, text in zip(file.langs, _sides(file), strict=True)]
        for file in group
    ]
    versions: list[Link] = []
    if request.by == "text":
        texts, links = _links_of_texts(group, sides, account.notes)
    else:
        texts, links, versions = _links_of_segments(
            group, sides, request.min_matched, account.notes
        )
    made = join(links, len(texts), versions=versions)
    if request.by == "text":
        made = _unambiguous(made, texts, account.notes)
    names = {file.bitexts[0].name for file in group}
    name = names.pop() if len(names) == 1 else group[0].bitexts[0].meta.get("src_doc", "")
    multitext = _multitext(made, texts, codes, name)
    present = multitext.present
    account.add(group, made, present)
    if not request.strict:
        return multitext
    return multitext.select(np.logical_and.reduce(present, axis=1))


def _sides(file: _File) -> tuple[Text, Text]:
    bitext = file.bitexts[0]
    if bitext.src is None or bitext.tgt is None:
        raise InputError(f"{file.path}: lacks a text")
    return bitext.src, bitext.tgt


class _Version(NamedTuple):
    """A text, with its language and a file that has it."""

    lang: str
    text: Text
    path: str


def _links_of_segments(
    group: Sequence[_File],
    sides: Sequence[Sequence[tuple[str, Text]]],
    min_matched: float,
    notes: Notes,
) -> tuple[list[_Version], list[Link], list[Link]]:
    """Return the versions of all texts, the alignments, and those between versions."""
    from bitext.metrics.common_ground import same_segments, version_links
    from bitext.model import Bitext
    from bitext.model.multitext import Link

    texts: list[_Version] = []
    links: list[Link] = []
    for file, pair in zip(group, sides, strict=True):
        ends = []
        for lang, text in pair:
            number = next(
                (
                    k
                    for k, each in enumerate(texts)
                    if each.lang == lang and (each.text is text or same_segments(each.text, text))
                ),
                len(texts),
            )
            if number == len(texts):
                texts.append(_Version(lang, text, file.path))
            ends.append(number)
        links.append(Link(ends[0], ends[1], file.bitexts[0].alignment))
    versions: list[Link] = []
    for (a, one), (b, other) in combinations(enumerate(texts), 2):
        if one.lang == other.lang:
            none = links[0].alignment.select([])
            bitexts = (
                Bitext(one.text, one.text, none, meta={"path": one.path}),
                Bitext(other.text, other.text, none, meta={"path": other.path}),
            )
            try:
                link, share = version_links(*bitexts, min_matched=min_matched)
            except InputError as error:
                raise InputError(
                    f"{one.lang}: {error}; or join where sides have equal texts (--by text)"
                ) from None
            versions.append(Link(a, b, link))
            notes.add(
                "versions of a text that differ, laid over each other",
                f"{one.lang} of {one.path} and {other.path}, {share:.1%} of the characters match",
            )
    return texts, links, versions


def _multitext(
    made: Join, texts: Sequence[_Version], languages: Sequence[str], name: str
) -> Multitext:
    """Return the rows with one text a language, made of its versions."""
    import numpy as np

    from bitext.kernels.rows import Rows
    from bitext.model import Text
    from bitext.model.multitext import Multitext

    count = len(made.rows[0].ptr) - 1
    whole, rows = [], []
    for lang in languages:
        those = [k for k, each in enumerate(texts) if each.lang == lang]
        if not those:
            whole.append(Text([], lang=lang))
            rows.append(Rows(np.zeros(count + 1, dtype=np.int64), np.zeros(0, dtype=np.int64)))
        elif len(those) == 1:
            whole.append(texts[those[0]].text.in_language(lang))
            rows.append(made.rows[those[0]])
        else:
            text, own = _of_versions([(texts[k].text, made.rows[k]) for k in those], lang)
            whole.append(text)
            rows.append(own)
    return Multitext(tuple(whole), tuple(rows), made.scores, name)


def _of_versions(versions: Sequence[tuple[Text, Rows]], lang: str) -> tuple[Text, Rows]:
    """Return the text of each row in the version that has most of its characters, in row order."""
    from unicodedata import normalize

    import numpy as np

    from bitext.kernels.rows import Rows, prefix, sums
    from bitext.model import Text

    def length(segment: str) -> int:
        return len("".join(normalize("NFC", segment).split()))

    lengths_of = [np.array([*map(length, text.segments())], np.int64) for text, _ in versions]
    sizes = np.stack([sums(rows, own) for own, (_, rows) in zip(lengths_of, versions, strict=True)])
    best = sizes.argmax(axis=0).tolist()
    segments: list[str] = []
    marked: list[str | None] = []
    lengths = np.zeros(len(best), dtype=np.int64)
    held = [(list(text.segments()), text.marked, rows) for text, rows in versions]
    for k, version in enumerate(best):
        own, codes, rows = held[version]
        members = rows.row(k).tolist()
        lengths[k] = len(members)
        segments += [own[m] for m in members]
        marked += [None if codes is None else codes[m] for m in members]
    every = Rows(prefix(lengths), np.arange(len(segments)))
    return Text(segments, lang=lang, marked=marked), every


# By equal texts.


def _links_of_texts(
    group: Sequence[_File], sides: Sequence[Sequence[tuple[str, Text]]], notes: Notes
) -> tuple[list[_Version], list[Link]]:
    """Return a text a language whose segments are whole sides, and the alignments over these.

    Equal sides in a language of several files are the same segment, white space and canonical
    equivalence apart; those in a language of one file only beside the same other side.
    """
    from bitext.model import Alignment, Text
    from bitext.model.multitext import Link

    often = Counter(lang for pair in sides for lang, _ in pair)
    order = list(often)
    cells: dict[str, list[str]] = {lang: [] for lang in order}
    marks: dict[str, list[str | None]] = {lang: [] for lang in order}
    known: dict[str, dict[tuple[int, str], int]] = {lang: {} for lang in order}
    links: list[Link] = []
    for file, pair in zip(group, sides, strict=True):
        alignment = file.bitexts[0].alignment
        rows = alignment.src, alignment.tgt
        numbers: list[list[int]] = [[], []]
        # A side in a language of this file alone is the same only beside the same other side.
        for k in sorted((0, 1), key=lambda k: often[pair[k][0]] < 2):
            lang, text = pair[k]
            beside = numbers[1 - k] if often[lang] < 2 else [0] * len(alignment)
            numbers[k] = _numbered(text, rows[k], (cells[lang], marks[lang], known[lang]), beside)
        made = Alignment(
            [tuple((m,) if m >= 0 else () for m in row) for row in zip(*numbers, strict=True)],  # type: ignore[misc]  # two sides
            scores=alignment.scores,
        )
        distinct = made.unique()
        if len(distinct) < len(made):
            notes.add("repeated bisegments, taken once", file.path, len(made) - len(distinct))
        links.append(Link(order.index(pair[0][0]), order.index(pair[1][0]), distinct))
    texts = [
        _Version(lang, Text(cells[lang], lang=lang, marked=marks[lang]), group[0].path)
        for lang in order
    ]
    return texts, links


def _numbered(
    text: Text,
    rows: Rows,
    into: tuple[list[str], list[str | None], dict[tuple[int, str], int]],
    beside: Sequence[int],
) -> list[int]:
    """Return the number of the side of each bisegment, -1 for an empty one; add new sides.

    Sides are equal where their texts are, and the numbers that are `beside` them.
    """
    from unicodedata import normalize

    from bitext.formats.beads import joined_rows
    from bitext.formats.xml.inline_codes import joined
    from bitext.formats.xml.syntax import escape

    cells, marks, known = into
    numbers = []
    for k, cell in enumerate(joined_rows(text, rows, " ", breaks=True)):
        members = rows.row(k).tolist()
        if not members:
            numbers.append(-1)
            continue
        key = beside[k], normalize("NFC", " ".join(cell.split()))
        number = known.get(key, -1)
        if number < 0:
            number = known[key] = len(cells)
            cells.append(cell)
            codes = [None if text.marked is None else text.marked[m] for m in members]
            parts = (
                [
                    escape(text[m].text or "") if each is None else each
                    for m, each in zip(members, codes, strict=True)
                ]
                if any(codes)
                else []
            )
            marks.append(joined(parts) if parts else None)
        numbers.append(number)
    return numbers


def _unambiguous(made: Join, texts: Sequence[_Version], notes: Notes) -> Join:
    """Leave out rows with several texts in a language; count them."""
    import numpy as np

    from bitext.kernels.rows import take

    several = np.stack([rows.lengths > 1 for rows in made.rows])
    bad = several.any(axis=0)
    if bad.any():
        k = int(bad.argmax())
        shared = [t for t in range(len(texts)) if made.rows[t].row(k).size]
        best = min(shared, key=lambda t: made.rows[t].row(k).size)
        first = str(texts[best].text[int(made.rows[best].row(k)[0])].text)[:40]
        notes.add("rows with several texts in a language, left out", repr(first), int(bad.sum()))
    which = np.flatnonzero(~bad)
    rows = tuple(take(each, which) for each in made.rows)
    scores = None if made.scores is None else made.scores[which]
    return made._replace(rows=rows, scores=scores, merged=0)
