"""`bitext join`: tables and memories of several languages from files that share a language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from bitext.cli.algebra import reading_options
from bitext.cli.algebra.joining import WRITING, JoiningRequest
from bitext.cli.common import Parser, output_in, refuse_output_clashes
from bitext.cli.job_options import add_jobs
from bitext.cli.leftovers import notes_on_leftovers
from bitext.cli.option_tables import add_groups, option_of, options_of
from bitext.cli.request import request_of
from bitext.cli.writing import OutputPlan, write_outputs
from bitext.errors import InputError, OptionError, many, renamed

if TYPE_CHECKING:
    from bitext.formats.corpora import Corpus, Entry
    from bitext.formats.registry import Format
    from bitext.jobs.multitexts import Table, TableInput, TableWork
    from bitext.jobs.operands import Operand

_EPILOG = """\
Bisegments that share a segment, directly or through others, are one row; segments that are in no
bisegment are in no row. If files cut a text into different segments, its versions are matched by
characters. The languages are those of the files, of the names of the texts, or of the files
(de-en.tsv).

FILE may be in more than two languages; one such file is written with all of them. It may be a
folder or a manifest, whose files belong to those of the same names in the others. OUT is then a
file for all, or a folder (it is there, or its name ends with /) that gets a file for each.

examples:
  bitext join de-en.tmx de-fr.tmx de-it.tmx -o de-en-fr-it.tmx
  bitext join memory.tmx -o memory.tsv
  bitext join memory.tmx --langs de:en:fr -o de-en-fr.tsv
  bitext join a.align b.align --langs de-en,de-fr --text de=x.de --text en=x.en --text fr=x.fr \\
    --strict -o x.tsv
  bitext join de-en/ de-fr/ --to tsv -o all/ -j 4 --journal all.journal
  bitext convert de-en-fr-it.tmx --src-lang en --tgt-lang it -o en-it.tsv    a pair of the languages

memory: that of the largest document, and that of a part of a single file
"""

_PAIR = re.compile(r"(?:^|[._-])([A-Za-z]{2,3})-([A-Za-z]{2,3})(?=[._]|$)")  # in names of files
_CODE = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")


class JoinRequest(JoiningRequest["Table"]):
    """The request of `bitext join`; the fields are its options."""

    command: ClassVar[str] = "join"
    files: tuple[str, ...]
    langs: str | None = None  # the languages of each file
    text: tuple[str, ...] = ()  # the texts of languages, as `de=FILE`
    by: str = "segments"  # whether `segments` or `text` join bisegments
    strict: bool = False  # whether rows that lack a language are left out
    min_matched: float = 0.9  # the least common share of two versions of a text

    @property
    def operands(self) -> tuple[str, ...]:
        """The files, folders or manifests."""
        return self.files

    def stated_languages(self) -> list[tuple[str, ...]]:
        """Return the languages of each file that the user or the name of the file states."""
        if self.langs is None:
            return [_named_pair(path) for path in self.files]
        from bitext.model.languages import is_language

        stated = []
        items = self.langs.split(",")
        if len(self.files) == 1 and len(items) > 1:
            raise OptionError(
                f"--langs {self.langs:.40}: has the languages of {len(items)} files, and one is "
                f"given: want its languages, as de-en-fr (or de:en-GB:fr)"
            )
        for item in items:
            codes = tuple(item.split(":" if ":" in item else "-"))
            if len(codes) < 2 or not all(map(_CODE.fullmatch, codes)):
                raise OptionError(
                    f"--langs {item!r:.40}: want the languages of a file, two or more, as "
                    f"de-en,de-fr or de:en-GB:fr"
                )
            wrong = [code for code in codes if not is_language(re.split("[-_]", code.lower())[0])]
            if wrong:
                raise OptionError(
                    f"--langs {item!r:.40}: {wrong[0]!r:.20} is no code of a language: want codes "
                    f"as de, en-GB or zh-Hans (between colons where a code has a hyphen: de:en-GB)"
                )
            if len(codes) > 2 and len(set(codes)) < len(codes):
                raise OptionError(f"--langs {item!r:.40}: names a language twice: name it once")
            stated.append(codes)
        if len(stated) != len(self.files):
            lists = f"the languages of {many(len(stated), 'file')}"
            raise OptionError(
                f"--langs has {lists} for {many(len(self.files), 'file')}: want those of each, in "
                f"order"
            )
        if len(self.files) == 1 and len(stated[0]) == 2:
            src, tgt = stated[0]
            raise OptionError(
                f"--langs {self.langs:.40}: two languages of one file are nothing to join: 'bitext "
                f"convert --src-lang {src} --tgt-lang {tgt}' writes these"
            )
        return stated

    def texts(self) -> dict[str, str]:
        """Return the files of the texts by language."""
        path_of_code: dict[str, str] = {}
        for item in self.text:
            code, equals, path = item.partition("=")
            if not (equals and path and _CODE.fullmatch(code)):
                raise OptionError(f"--text {item!r:.80}: want LANG=FILE, as de=book.de")
            if code in path_of_code:
                raise OptionError(f"--text names {code} twice: give one file")
            path_of_code[code] = path
        return path_of_code

    def resolve(self) -> OutputPlan[Table]:
        """Check options, paths and clashes before any work; return the work."""
        from bitext.formats.multitexts import refuse_two_sided

        self.refuse_unwritten(own_files=True)
        if self.parts is not None:
            return OutputPlan([], {"notes": []}, by_jobs=True, in_folder=False)
        stated, texts = self.stated_languages(), self.texts()
        known, by_jobs, in_folder = self.check_output([*texts.values()])
        refuse_two_sided(known)
        if not 0 <= self.min_matched <= 1:
            raise OptionError(f"--min-matched {self.min_matched}: want a share from 0 to 1")
        if self.by == "text" and len(self.files) == 1:
            raise OptionError(
                "--by text joins several files, and one is given: leave it out, or name more"
            )
        inputs, notes = self._inputs(stated, texts)
        work, further_notes = self._work(inputs, texts, known, in_folder=in_folder)
        pairs = ((next(iter(item.files())), item.output) for item in work)
        read = [*texts.values(), *(name for item in work for name in item.files())]
        refuse_output_clashes(pairs, self.files, read, [self.journal], verb="join")
        notes += further_notes
        if in_folder:
            outputs = [item.output for item in work]
            notes += notes_on_leftovers(self, outputs, self.files, known, ("", ""))
        return OutputPlan(work, {"notes": notes}, by_jobs, in_folder)

    @property
    def outcome(self) -> type[Table]:
        """The class of results."""
        from bitext.jobs.multitexts import Table

        return Table

    def summarise(self, results: Sequence[Table], plan: OutputPlan[Table], seconds: float) -> None:
        """Print the counts, losses, failures and notes of all outputs."""
        del seconds
        total = self.outcome("")
        for table in results:
            total.include(table)
        self.print_notes([*plan.facts["notes"], *map(str, total.read)])
        done = [table for table in results if not table.failed]
        if done:
            lines = _summary(total, self, many(len(done), "file") if len(results) > 1 else "")
            self.print_notes(lines, most=len(lines))
        self.print_notes(f"lost: {note}" for note in total.losses)
        self.print_failed(results)
        self.print_notes(map(str, total.notes))

    def _inputs(
        self, stated: Sequence[tuple[str, ...]], texts: Mapping[str, str]
    ) -> tuple[list[dict[str, TableInput]], list[str]]:
        """Return the files of each operand by name, and notes on the operands."""
        from bitext.formats.corpora import refuse_lone_text
        from bitext.jobs.multitexts import TableInput
        from bitext.jobs.operands import corpora_of

        inputs: list[dict[str, TableInput]] = []
        notes: list[str] = []
        corpora = corpora_of(self.files, self.file_options())
        for position, (corpus, langs) in enumerate(zip(corpora, stated, strict=True)):
            notes += corpus.notes()
            sides = [(f"text-{lang}", texts.get(lang)) for lang in langs[:2] or ("", "")]
            for (option, path), side in zip(sides, ("src", "tgt"), strict=True):
                with renamed(option, option=f"{option.replace('-', ' ')}="):
                    refuse_lone_text(corpus, path, option=option, side=side)
            inputs.append(
                {
                    name: TableInput(
                        path=corpus.path,
                        position=position,
                        langs=langs,
                        stated=self.langs is not None,
                        operands=(self._operand(name, entry, corpus, sides, langs),),
                    )
                    for name, entry in corpus.entries.items()
                }
            )
        return inputs, notes

    def _operand(
        self,
        name: str,
        entry: Entry,
        corpus: Corpus,
        sides: Sequence[tuple[str, str | None]],
        langs: tuple[str, ...],
    ) -> Operand:
        from bitext.jobs.operands import Operand

        pair = langs if self.langs is not None and len(langs) == 2 else ("", "")
        reading = self.reading(name, entry, corpus, sides, (pair[0], pair[1]))
        return Operand(entry, corpus.path, reading)

    def _work(
        self,
        inputs: Sequence[dict[str, TableInput]],
        texts: Mapping[str, str],
        known: Format,
        *,
        in_folder: bool,
    ) -> tuple[list[TableWork], list[str]]:
        """Return the files to write, and notes on texts that not all operands have."""
        from bitext.jobs.multitexts import TableWork

        def work(files: Sequence[TableInput], output: str) -> TableWork:
            return TableWork(
                inputs=tuple(files),
                output=output,
                to=known.name,
                texts=texts,
                by=self.by,
                strict=self.strict,
                min_matched=self.min_matched,
            )

        # One output: the texts of an operand become the documents of one file.
        if not in_folder:
            complete = []
            for input_of_corpus in inputs:
                first = next(iter(input_of_corpus.values()))
                operands = tuple(
                    operand for each in input_of_corpus.values() for operand in each.operands
                )
                complete.append(replace(first, operands=operands))
            return [work(complete, self.output)], []
        # Single files are joined whatever their names; folders by equal names.
        if len(inputs) > 1 and all(len(input_of_corpus) == 1 for input_of_corpus in inputs):
            name = next(iter(inputs[0]))
            groups = {name: [next(iter(input_of_corpus.values())) for input_of_corpus in inputs]}
        else:
            names = dict.fromkeys(name for input_of_corpus in inputs for name in input_of_corpus)
            groups = {
                name: [
                    input_of_corpus[name] for input_of_corpus in inputs if name in input_of_corpus
                ]
                for name in names
            }
        works, unjoined, incomplete = [], [], []
        for name, files in groups.items():
            if len(files) == 1 < len(inputs):
                unjoined.append(name)
                continue
            if len(files) < len(inputs):
                incomplete.append(name)
            works.append(work(files, output_in(self.output, name, known, ("", ""))))
        if not works:
            raise InputError(
                f"no text of {self.files[0]} has a partner of the same name in another operand "
                f"(as {unjoined[0]!r:.60}): name the files alike, or pair them in manifests"
            )
        notes = [
            f"{kind}: {len(names):,}, first {names[0]}"
            for kind, names in (
                ("texts that not all have, joined without", incomplete),
                ("texts that one operand alone has, left out", unjoined),
            )
            if names
        ]
        return works, notes


def _named_pair(path: str) -> tuple[str, ...]:
    """Return the languages in the name of a file, as `de-en.tmx`; else none."""
    from bitext.model.languages import is_language

    matches = [
        match.groups()
        for match in _PAIR.finditer(PurePath(path).name)
        if all(is_language(code.lower()) for code in match.groups())
    ]
    return (matches[0][0], matches[0][1]) if len(matches) == 1 else ()


def run(arguments: Sequence[str]) -> int:
    """Join files that share languages to one of all languages; return the exit status."""
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
    text = option_of(
        "--text LANG=TEXT",
        "the text of a language, if files hold ids or positions; repeats",
        action="append",
    )
    joining = options_of("""
        --langs A-B,A-C
            the languages of each file, in order; for one file in several languages, the languages
            to select
        --by {segments,text}
            join where segments are the same (default), or where sides have equal texts
        --strict  write only rows that have all languages
        --min-matched SHARE:share
            the share of characters that two versions of a text must have in common (0.9)
    """)
    reading = reading_options()
    reading.insert(1, text)
    add_groups(parser, {"reading": reading, "joining": joining, "writing": WRITING})
    request = request_of(JoinRequest, add_jobs(parser), arguments)
    with request.protected_outputs():
        return write_outputs(request)


def _summary(total: Table, request: JoinRequest, files: str) -> list[str]:
    sizes = [total.sizes[position] for position in sorted(total.sizes)]
    of = f"{', '.join(f'{size:,}' for size in sizes)} bisegments"
    if len(sizes) == 1:
        of = many(sizes[0], "bisegment")
    langs = f"{many(len(total.languages), 'language')} ({', '.join(total.languages)})"
    rows = f"{many(total.rows, 'row')} of {of}, {total.whole:,} of them in all {langs}"
    lines = [rows + (f", in {files}" if files else ""), *map(str, total.remarks)]
    if total.merged:
        lines.append(f"rows that join several bisegments of a file: {total.merged:,}")
    if total.whole < total.rows:
        counts_lacking = ", ".join(
            f"{code} {count:,}" for code, count in total.lacking.items() if count
        )
        done = "left out" if request.strict else "with empty cells (--strict leaves them out)"
        count = total.rows - total.whole
        lines.append(f"rows that lack a language, {done}: {count:,} ({counts_lacking})")
    if total.unscored:
        lines.append("scores left out: not all files have some from 0 to 1")
    if total.columns:
        lines.append(f"columns left out: {', '.join(total.columns)}")
    return lines
