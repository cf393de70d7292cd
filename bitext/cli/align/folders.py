"""Folders of texts: their files, the two sides, and the pairs by name, number, content or order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

from bitext.cli.common import json_line
from bitext.cli.console import Progress
from bitext.errors import BitextError, InputError, few, many
from bitext.formats.io.remote import files_at, is_remote
from bitext.formats.languages import VOLUME, bare_name, named_languages
from bitext.model import Text
from bitext.model.languages import main_language
from bitext.paths import files_below, is_folder
from bitext.segment.sentences import language_of_text

if TYPE_CHECKING:
    from bitext.align.documents import DocumentPairing

    ReadText = Callable[[str, str, str], Text]

_LANGUAGE = re.compile(r"\.[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")  # at the end of a name of a file
_MAX_ENDINGS = 5  # endings of files that a message names
# Files of programs, and endings of files that hold no text.
_NO_TEXTS = frozenset(("thumbs.db", "ehthumbs.db", "desktop.ini"))
_NO_TEXT_ENDINGS = frozenset(
    (
        ".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".webp", ".ico", ".heic",
        ".psd", ".eps", ".mp3", ".wav", ".ogg", ".mp4", ".avi", ".mov", ".mkv", ".ttf", ".otf",
        ".woff", ".woff2", ".css", ".js", ".tmp", ".bak", ".lnk",
    )
)  # fmt: skip
_LEAST = 0.5  # probability of a pair by content, below which both texts stay without a partner
_UNSURE = 0.9  # the same, below which a note names the pair; both set by hand
_COMPARED = 200  # texts of a side whose contents a dry run compares with pairs by name: time
_MOST_JOINED = 50  # files without a partner for which it is tried whether two are one: time
_MOST_SORTED = 20_000  # texts of a side that are sorted as chapters; more are no book: memory
_MAX_READ = 2_000  # texts of a side that are paired by content: memory


class PairRow(NamedTuple):
    """A pair of files, or a file without a partner."""

    name: str  # the name of the text
    src: str  # the source file; empty for a target file without a partner
    tgt: str  # the target file; empty for a source file without a partner
    by: str  # what pairs the files, as `number 7`; for a file without a partner, `no partner`
    probability: float | None = None  # by the contents of both; `None`: not compared


class FolderPairs(NamedTuple):
    """The files of two sides."""

    rows: list[PairRow]  # the pairs, in the natural order of the source files
    alone: list[PairRow]  # the files without a partner
    notes: list[str]


class _Side(NamedTuple):
    """The files of a side, by the names of their texts in natural order."""

    folder: str
    lang: str
    files: dict[str, str]


class _Match(NamedTuple):
    src: int
    tgt: int
    by: str
    probability: float | None = None


def pair_folders(
    src: str,
    tgt: str,
    langs: tuple[str, str],
    *,
    together: bool,
    by: str | None,
    read: ReadText,
    compare: bool = False,
    quiet: bool = True,
) -> FolderPairs:
    """Pair the files of two folders, or of one, `src`, that holds both sides (`together`).

    A language that is not known is empty. `by` is `name`, `number`, `content` or `order`; without
    it names and numbers decide, and where these pair nothing the content. `read` reads a text from
    a file, the key of its side and its language. `compare` tells whether the contents of pairs by
    names, numbers or order are compared, too, and `quiet` whether no progress is shown.

    Raises `InputError` when a folder has no files, or nothing can be paired.
    """
    notes: list[str] = []
    listed = [_listed(folder, notes) for folder in ((src,) if together else (src, tgt))]
    if together:
        sides = _sides_of_folder(src, listed[0], langs, read, notes)
    else:
        sides = (
            _Side(src, langs[0], _by_name(src, listed[0])),
            _Side(tgt, langs[1], _by_name(tgt, listed[1])),
        )
    pairing = _Pairing(sides, read, notes, quiet=quiet)
    matches = pairing.matches(by)
    if not matches:
        raise _unpaired(sides, by)
    if compare:
        matches = pairing.compared(matches)
    rows = _rows(sides, matches)
    alone = pairing.alone(matches)
    notes += [*_match_notes(rows, by, shown=compare), *_alone_notes(sides, alone, by)]
    return FolderPairs(rows, alone, notes)


# The files of a folder, and those of its two sides.


def text_name(path: str) -> str:
    """Return the path of a text without the endings of compression, format and language."""
    name = "standard input" if path == "-" else bare_name(path)
    suffix = Path(name).suffix
    if _LANGUAGE.fullmatch(suffix) and not VOLUME.fullmatch(suffix) and Path(name).stem:
        name = name.removesuffix(suffix)
    return name


def count_files(folder: str) -> int:
    """Count the files of a folder that may hold texts."""
    return len(_listed(folder, []))


def _listed(folder: str, notes: list[str]) -> list[tuple[str, str]]:
    """Return the path in the folder and the whole path of each file that may hold a text.

    Hidden files, pictures and files of programs are left out, with a note.
    """
    if is_remote(folder):
        every = list(files_at(folder))
    else:
        every = [(each.relative_to(folder).as_posix(), str(each)) for each in files_below(folder)]
    texts = [(inside, path) for inside, path in every if _may_hold_text(inside)]
    left = [inside for inside, _ in every if not _may_hold_text(inside)]
    if left:
        files = many(len(left), "file")
        notes.append(
            f"{files} of {folder} left out as no {'text' if len(left) == 1 else 'texts'} "
            f"(hidden, locks, pictures): {few(left)}"
        )
    return texts


def _may_hold_text(inside: str) -> bool:
    """Exclude hidden files, files of programs, pictures and the like; return True for any other."""
    parts = inside.split("/")
    name = parts[-1].lower()
    return not (
        any(part.startswith(".") or part == "__MACOSX" for part in parts)
        or name.startswith("~$")
        or name.endswith("~")
        or name in _NO_TEXTS
        or Path(name).suffix in _NO_TEXT_ENDINGS
    )


def _by_name(folder: str, listed: Sequence[tuple[str, str]], *, ending: str = "") -> dict[str, str]:
    """Return the files by the names of their texts, in natural order; of very many as listed.

    `listed` are the files, as `_listed` returns them. `ending`, as `.de`, is the ending of files
    that is not part of the names of their texts; empty: the ending of any language.
    """
    from bitext.formats.corpora.chapters import natural_key

    if not listed:
        raise InputError(f"{folder}: has no file; name another folder")
    files: dict[str, str] = {}
    for inside, path in listed:
        name = bare_name(inside).removesuffix(ending) if ending else text_name(inside)
        name = normalize("NFC", name)  # archives of macOS have accents as characters of their own
        if name in files:
            raise InputError(
                f"{folder}: {Path(files[name]).name} and {Path(path).name} are both named "
                f"{name!r}: name languages (--src-lang, --tgt-lang) and this folder twice, or pair "
                f"the files in a manifest"
            )
        files[name] = path
    if len(files) > _MOST_SORTED:
        return files
    return dict(sorted(files.items(), key=lambda item: natural_key(item[0])))


def _sides_of_folder(
    folder: str,
    listed: Sequence[tuple[str, str]],
    langs: tuple[str, str],
    read: ReadText,
    notes: list[str],
) -> tuple[_Side, _Side]:
    """Divide the files of a folder by languages: by endings, by words of names, or by their texts.

    Raises `InputError` when a side has no file.
    """
    from bitext.formats.corpora.chapters import names_language

    if not listed:
        raise InputError(f"{folder}: has no file; name another folder")
    ended = [[each for each in listed if bare_name(each[0]).endswith(f".{lang}")] for lang in langs]
    if all(ended):
        known = {inside for side in ended for inside, _ in side}
        notes += _neither_notes(folder, [inside for inside, _ in listed if inside not in known])
        src, tgt = (
            _by_name(folder, side, ending=f".{lang}")
            for side, lang in zip(ended, langs, strict=True)
        )
        return _Side(folder, langs[0], src), _Side(folder, langs[1], tgt)
    if not any(ended):
        named: list[list[tuple[str, str]]] = [[], []]
        others: list[str] = []
        for each in listed:
            folder_name = bare_name(each[0]).rpartition("/")[2]
            sides_named = [k for k, lang in enumerate(langs) if names_language(folder_name, lang)]
            if len(sides_named) == 1:
                named[sides_named[0]].append(each)
            else:
                others.append(each[0])
        if not any(named) and not any(is_folder(Path(folder) / lang) for lang in langs):
            named, others = _by_language(listed, langs, read)
            if all(named):
                notes.append(
                    f"files of {folder} told apart by the languages of their words: "
                    f"{len(named[0]):,} in {langs[0]}, {len(named[1]):,} in {langs[1]}"
                )
        if all(named):
            notes += _neither_notes(folder, others)
            src, tgt = (_by_name(folder, side) for side in named)
            return _Side(folder, langs[0], src), _Side(folder, langs[1], tgt)
    raise _no_side(folder, langs if not ended[0] else langs[::-1], listed)


def _neither_notes(folder: str, others: Sequence[str]) -> list[str]:
    """Return a note on files of a folder that belong to neither side."""
    if not others:
        return []
    left = f"{len(others):,} of the files of {folder} left out, of neither language"
    return [f"{left}: {few(others)}"]


def _by_language(
    listed: Sequence[tuple[str, str]], langs: tuple[str, str], read: ReadText
) -> tuple[list[list[tuple[str, str]]], list[str]]:
    """Divide files by the languages of their words; files of neither come second.

    Raises the error of the first file that cannot be read, as in a folder of alignments, unless
    there are files of both languages.
    """
    named: list[list[tuple[str, str]]] = [[], []]
    others = []
    errors: list[BitextError] = []
    mains = [*map(main_language, langs)]
    for each in listed:
        try:
            text = read(each[1], "src", "")
        except BitextError as error:
            errors.append(error)
            others.append(each[0])
            continue
        beginning = "\n".join(islice(text.segments(), 500))
        code = language_of_text(beginning)
        if code in mains:
            named[mains.index(code)].append(each)
        else:
            others.append(each[0])
    if errors and not all(named):
        raise errors[0]
    return named, others


def _no_side(folder: str, langs: tuple[str, str], listed: Sequence[tuple[str, str]]) -> InputError:
    """Return the error about a folder without files of the first of two languages."""
    lang, other = langs
    fault = f"{folder}: has no file that ends with .{lang}"
    if is_folder(Path(folder) / lang):
        return InputError(f"{fault}, but a folder {lang}: name the folders of both texts")
    endings = {Path(bare_name(inside)).suffix for inside, _ in listed} - {""}
    if endings <= {f".{other}"}:
        also = ", only with ." + other if endings else ", nor with another language"
        return InputError(f"{fault}{also}: name the others so (one.{lang}), or write a manifest")
    found = ", ".join(sorted(endings)[:_MAX_ENDINGS])
    return InputError(f"{fault}; its files end with {found}: name that language, or another folder")


# The pairs.


class _Pairing:
    """The pairing of the files of two sides; texts are read once, and only for their contents."""

    def __init__(
        self, sides: tuple[_Side, _Side], read: ReadText, notes: list[str], *, quiet: bool
    ) -> None:
        self._sides, self._read, self._notes, self._quiet = sides, read, notes, quiet
        self._names = [list(side.files) for side in sides]
        self._paths = [list(side.files.values()) for side in sides]
        self._contents: DocumentPairing | None = None
        self._texts: tuple[dict[int, Text], dict[int, Text]] = ({}, {})  # that can be read

    def matches(self, by: str | None) -> list[_Match]:
        """Return the pairs by the indices of the files, in the order of the source files."""
        if by == "order":
            return self._by_order()
        matches = []
        if by != "content":
            matches = self._by_names(by)
        if by == "content" or (by is None and not matches):
            matches = self._by_content()
        return matches

    def _by_order(self) -> list[_Match]:
        counts = [len(names) for names in self._names]
        if counts[0] != counts[1]:
            raise InputError(
                f"--pair-by order: {self._sides[0].folder} has {many(counts[0], 'text')} and "
                f"{self._sides[1].folder} {counts[1]:,}: pair them by content, or in a manifest "
                f"(--dry-run prints one)"
            )
        return [_Match(k, k, f"order {k + 1}") for k in range(counts[0])]

    def _by_names(self, by: str | None) -> list[_Match]:
        from bitext.formats.corpora.chapters import pair_names

        langs = self._sides[0].lang, self._sides[1].lang
        steps = ("name", "number") if by is None else (by,)
        pairing = pair_names(self._names[0], self._names[1], langs=langs, steps=steps)
        if pairing.from_0 is not None and by is None:
            counts = {len(names) for names in self._names}
            way = "order" if len(counts) == 1 else "content"
            raise InputError(
                f"{self._sides[pairing.from_0].folder} counts its texts from 0, and "
                f"{self._sides[1 - pairing.from_0].folder} from 1: pair them by {way} "
                f"(--pair-by {way}), or, if equal numbers are of one text, by --pair-by number"
            )
        if (other := pairing.other) is not None:
            src, tgt = self._paths[0][other.src], self._paths[1][other.tgt]
            self._notes.append(
                f"the numbers of names can be read in another way, by which {src} and {tgt} are a "
                f"pair ({other.by}): --dry-run prints the pairs taken, as a manifest to edit"
            )
        pairs = pairing.pairs
        if all(pair.number for pair in pairs):
            pairs = sorted(pairs, key=lambda pair: pair.number)
        return [_Match(*pair[:3]) for pair in pairs]

    def _by_content(self) -> list[_Match]:
        contents = self._compared_contents()
        src, tgt = map(list, self._texts)
        return [
            _Match(
                src[pair.src],
                tgt[pair.tgt],
                "content" + (" and order" if contents.in_order and len(contents.pairs) > 2 else ""),
                pair.probability,
            )
            for pair in contents.pairs
            if pair.probability >= _LEAST
        ]

    def _compared_contents(self) -> DocumentPairing:
        """Read all texts that can be read, and compare each source with each target."""
        from bitext.align.documents import pair_documents

        if self._contents is None:
            most = max(map(len, self._paths))
            if most > _MAX_READ:
                raise InputError(
                    f"{most:,} texts cannot be paired by content, only up to {_MAX_READ:,}: name "
                    f"the files alike, or pair them in a manifest"
                )
            progress = Progress("texts read", sum(map(len, self._paths)), quiet=self._quiet)
            with progress.beating():
                for k, key in enumerate(("src", "tgt")):
                    for number, path in enumerate(self._paths[k]):
                        try:
                            self._texts[k][number] = self._read(path, key, self._sides[k].lang)
                        except BitextError as error:
                            self._notes.append(f"not compared by content: {error}")
                        progress.add(1)
                texts = [list(side.values()) for side in self._texts]
                self._contents = pair_documents(texts[0], texts[1])
        return self._contents

    def compared(self, matches: list[_Match]) -> list[_Match]:
        """Add the probabilities by content, with notes on pairs that the contents contradict."""
        if max(map(len, self._paths)) > _COMPARED:
            return matches
        contents = self._compared_contents()
        places = [{number: k for k, number in enumerate(side)} for side in self._texts]
        readable = list(self._texts[1])
        fitting = {pair.src: pair for pair in contents.pairs if pair.probability >= _UNSURE}
        rows = []
        for match in matches:
            row, column = places[0].get(match.src), places[1].get(match.tgt)
            if match.probability is None and row is not None and column is not None:
                match = match._replace(probability=contents.probability(row, column))
                other = fitting.get(row)
                if other is not None and other.tgt != column:
                    src = self._paths[0][match.src]
                    tgt, better = (self._paths[1][k] for k in (match.tgt, readable[other.tgt]))
                    self._notes.append(
                        f"{src} and {tgt} are a pair by {match.by}, and by content {src} and "
                        f"{better} (--pair-by content)"
                    )
            rows.append(match)
        return rows

    def alone(self, matches: Sequence[_Match]) -> list[PairRow]:
        """Return the files without a partner."""
        paired = {match.src for match in matches}, {match.tgt for match in matches}
        rows = []
        for k, paths in enumerate(self._paths):
            for number, path in enumerate(paths):
                if number not in paired[k]:
                    files = (path, "") if k == 0 else ("", path)
                    rows.append(PairRow(self._names[k][number], *files, by="no partner"))
        if self._contents is not None and len(rows) <= _MOST_JOINED:
            self._notes += self._divided(matches)
        return rows

    def _divided(self, matches: Sequence[_Match]) -> Iterator[str]:
        """Yield notes on chapters in one file whose translation is in two files in a row."""
        partners = (
            {match.src: match.tgt for match in matches},
            {match.tgt: match.src for match in matches},
        )
        for k, texts in enumerate(self._texts):
            others = self._texts[1 - k]
            for one, two in pairwise(sorted(texts)):
                undivided = [partners[k][each] for each in (one, two) if each in partners[k]]
                if two > one + 1 or len(undivided) == 2:
                    continue
                joined = Text([*texts[one].segments(), *texts[two].segments()])
                half = one if one in partners[k] else two
                least = _fit(others[undivided[0]], texts[half]) + 1.0 if undivided else 0.0
                candidates = undivided or [each for each in others if each not in partners[1 - k]]
                for each in candidates:
                    if _fit(others[each], joined) > max(least, 0.0):
                        yield (
                            f"{self._paths[1 - k][each]} fits {self._paths[k][one]} and "
                            f"{self._paths[k][two]} together: a chapter in two files? Join the two"
                        )


def _fit(one: Text, other: Text) -> float:
    """Return the natural logarithm of the odds that two texts are translations of each other."""
    from bitext.align.documents import pair_documents

    return float(pair_documents([one], [other]).score[0, 0])


def _unpaired(sides: tuple[_Side, _Side], by: str | None) -> InputError:
    """Return the error about two sides without any pair."""
    one, other = (next(iter(side.files)) for side in sides)
    src, tgt = sides[0].folder, sides[1].folder
    if by in {"number", "content"}:
        criterion = "of the same number" if by == "number" else "with contents that fit"
        return InputError(
            f"no text of {src} has a partner {criterion} in {tgt}: {one!r} against {other!r}; pair "
            f"them in another way (--pair-by), or in a manifest"
        )
    also = "" if by == "name" else ", nor by numbers or contents"
    return InputError(
        f"no text of {src} has a partner of the same name in {tgt}{also}: {one!r} against "
        f"{other!r}; name the files alike, or pair them in a manifest"
    )


def _rows(sides: tuple[_Side, _Side], matches: Sequence[_Match]) -> list[PairRow]:
    """Return the files of the pairs, with a name for each text."""
    from bitext.formats.corpora.chapters import without_language

    names = list(sides[0].files)
    paths = [list(side.files.values()) for side in sides]
    bare = []
    for match in matches:
        name = names[match.src]
        lang = sides[0].lang or named_languages(name, list(sides[1].files)[match.tgt])[0]
        folder, slash, own = name.rpartition("/")
        own = without_language(own, lang) if lang and match.by != "name" else own
        bare.append(f"{folder}{slash}{own}" if own else name)
    counts = Counter(bare)
    return [
        PairRow(
            short if counts[short] == 1 else names[match.src],
            paths[0][match.src],
            paths[1][match.tgt],
            match.by,
            match.probability,
        )
        for short, match in zip(bare, matches, strict=True)
    ]


def _match_notes(rows: Sequence[PairRow], by: str | None, *, shown: bool) -> Iterator[str]:
    """Yield notes on pairs of files of different names, and on doubtful pairs by content."""
    other = [row for row in rows if row.by != "name"]
    if other:
        ways = Counter(re.split(r" \d", row.by)[0] for row in other)
        counts = ", ".join(f"by {way}: {count:,}" for way, count in ways.most_common())
        again = "" if by else "; --pair-by names another way"
        again += "" if shown else f"{', and' if again else ';'} --dry-run shows all pairs"
        first = other[0]
        yield f"texts paired {counts}, first {first.src} and {first.tgt}{again}"
    unsure = [
        row
        for row in rows
        if row.by.startswith("content") and row.probability is not None
        if row.probability < _UNSURE
    ]
    if unsure:
        first = min(unsure, key=lambda row: row.probability or 0.0)
        yield (
            f"pairs by content that are not sure: {len(unsure):,}, least {first.src} and "
            f"{first.tgt} ({first.probability:.2f}){'' if shown else '; --dry-run shows all'}"
        )


def _alone_notes(
    sides: tuple[_Side, _Side], alone: Sequence[PairRow], by: str | None
) -> Iterator[str]:
    left = [[row.name for row in alone if (row.src, row.tgt)[k]] for k in (0, 1)]
    way = "" if by or not all(left) else "; --pair-by content compares all texts"
    for side, names in zip(sides, left, strict=True):
        if names:
            texts = f"{many(len(names), 'text')}"
            yield f"{texts} of {side.folder} without a partner, left out: {few(names)}{way}"


# The report of a dry run: a table, a manifest, or one JSON document.


def pair_report(pairs: FolderPairs, style: str, *, as_json: bool) -> str:
    """Return the pairs of a dry run: as one JSON document, or as a table of a style.

    The style `tsv` is a manifest, which `bitext align` takes as SRC. Raises `InputError` when a
    manifest cannot hold the name of a file.
    """
    rows = [*pairs.rows, *pairs.alone]
    if as_json:
        document: dict[str, Any] = {"schema": "bitext.pairs/1"}
        for key, listed in (("pairs", pairs.rows), ("without_partner", pairs.alone)):
            document[key] = [
                {
                    "text": row.name,
                    "src": row.src or None,
                    "tgt": row.tgt or None,
                    "by": row.by,
                    "probability": _rounded(row.probability),
                }
                for row in listed
            ]
        document["notes"] = pairs.notes
        return json_line(document)
    head = ["text", "src", "tgt", "by", "probability"]
    cells = [[*row[:4], _shown_probability(row.probability)] for row in rows]
    if style == "tsv":
        for cell in (cell for row in cells for cell in row):
            if re.search(r"[\t\r\n\ud800-\udfff]", cell):
                raise InputError(
                    f"{cell!r}: has a tab, a line end, or bytes that are not UTF-8, which a "
                    f"manifest cannot hold: rename it, or print JSON (--json)"
                )
        return "".join("\t".join(row) + "\n" for row in (head, *cells))
    from bitext.reports.table import Table

    table = Table(head, right={4})
    table.rows += cells
    return table.render(style)


def _rounded(probability: float | None) -> float | None:
    return None if probability is None else round(probability, 4)


def _shown_probability(probability: float | None) -> str:
    return "" if probability is None else f"{probability:.2f}"
