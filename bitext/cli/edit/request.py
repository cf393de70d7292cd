"""The options of `bitext edit`, checked."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.cli.common import LIMITS, READING, Parser
from bitext.cli.option_tables import add_groups, options_of
from bitext.cli.request import ReadingRequest
from bitext.errors import InputError, OptionError
from bitext.paths import is_there, may_be_there

if TYPE_CHECKING:
    from bitext.formats.segmentations.collecting import ReadingOptions

_EPILOG = """\
FILE is a project (.bitext), several projects or a folder of them, a text and its translation, whose
sentences are aligned first, or alignments: files, folders, manifests. With --segment it is one
text, to be divided into sentences, paragraphs, topics. All except projects are added to a project
file, in which every change is saved at once. The command prints the link to open, and runs until
Ctrl-C. `bitext convert PROJECT.bitext OUT` exports, as the page does, and `bitext agreement`
compares annotators; both also while the server runs.

examples:
  bitext edit de.txt fr.txt
  bitext edit de-fr.bitext --annotator anna
  bitext edit projects/ --password-file passwords --host 10.0.0.5
  bitext edit gold.align --src a.en --tgt a.fr --project gold.bitext
  bitext edit memory.tmx --page memory.html
  bitext edit talk.txt --segment --types topic,subtopic
  bitext edit chapter.txt --segment --units words --codings coders.json
  bitext edit chapter.bitext --codings late.json
  bitext edit de-fr.bitext --host 10.0.0.5 --port 8000 --password-file passwords
"""
HERE = "127.0.0.1"
MOST_OF_NAME = 200  # characters of the name of an annotator
LOCAL = {HERE: {HERE, "localhost"}, "localhost": {HERE, "localhost"}}
_EDITING = options_of("""
    --project FILE  the project to make, or to add to (default: named after the files)
    --annotator NAME
        who edits (default: the name of the user); each annotator has alignments of their own
    --split  first split two texts into sentences, as by 'bitext align --split'
    --page FILE.html
        write a page that edits one document without a server, and end; a saved page can be FILE
""")
_SEGMENTING = options_of("""
    --segment  set boundaries in FILE, a text; it is read as 'bitext compare' reads it
    --units UNITS
        the units between boundaries: lines (as in FILE), sentences or words (default: lines)
    --types NAMES
        the types of boundaries, with commas between (default: paragraph,topic; between words
        sentence,paragraph,topic)
    --codings FILE ...
        segmentations of the same units by coders, who become annotators (of one coder: named after
        it); repeat it for more
    --codings-from NOTATION  their notation (default: by the contents)
    --coders A,B ...
        of files of several coders: those that count, by name or number; repeats, or with commas
    --column N  of labels beside their units: the column of the labels, by number (from 1) or name
    --texts WHAT  the separator of texts in a file of labels: as in 'bitext compare'
    --labels A,B ...  of labels: those that count, as in 'bitext compare'
    --time-units TIER
        for TextGrids: the tier whose words are the units, or the length of a unit in seconds
    --no-proposals  begin without any boundary
""")
_SERVING = options_of("""
    --port N  the port (default: a free one)
    --host NAME  the address to listen on (127.0.0.1); others need --password-file
    --password-file FILE
        a file with a line NAME:PASSWORD for each annotator, readable by its owner only
    --no-browser  print the link, and open no browser
    --no-server  make the project, or add to it, and start no server
    -q --quiet  no notes
    -v --verbose  all notes, not only some
""")


class EditRequest(ReadingRequest):
    """The request of `bitext edit`; the fields are its options."""

    files: tuple[str, ...]
    base: int | None = None
    project: str | None = None
    annotator: str | None = None
    split: bool = False
    page: str | None = None
    segment: bool = False
    units: str | None = None
    types: str | None = None
    codings: tuple[str, ...] = ()
    codings_from: str | None = None
    coders: tuple[str, ...] = ()
    column: str | None = None
    texts: str | None = None
    labels: tuple[str, ...] = ()
    time_units: str | None = None
    no_proposals: bool = False
    port: str = "0"
    host: str = HERE
    password_file: str | None = None
    no_browser: bool = False
    no_server: bool = False

    @property
    def outputs(self) -> tuple[str | None, ...]:
        """The files to write: the page. A project is added to."""
        return (self.page,)

    @property
    def projects(self) -> tuple[str, ...]:
        """The projects to open: files, and those in a folder that holds some."""
        names: list[str] = []
        for name in self.files:
            if is_project(name):
                names.append(name)
            elif self.project is None:  # else a folder holds what is added
                names += projects_in(name)
        if not self.files:
            names.append(str(self.project))
        return tuple(names)

    def resolve(self) -> int:
        """Check options and paths before any work; return the port."""
        self.check_reading()
        self._check_files()
        self._check_annotator()
        self._check_segmenting()
        if self.page is not None:
            self._check_page()
        self._check_paths()
        beside = [self.src, self.tgt, *self.codings]
        self.refuse_inputs([*self.files, self.project], beside=beside)
        if not (self.port.isascii() and self.port.isdigit() and int(self.port[:9]) < 1 << 16):
            raise OptionError(f"--port {self.port}: want a number from 0 to 65535")
        if self.no_server and (self.port != "0" or self.host != HERE or self.password_file):
            raise OptionError("--no-server: leave --port, --host and --password-file out")
        if self.host not in LOCAL and self.password_file is None:
            raise OptionError(
                f"--host {self.host}: others reach the server there: give each annotator a "
                f"password (--password-file)"
            )
        return int(self.port)

    def _check_files(self) -> None:
        if not self.files and self.project is None:
            expected = "the text" if self.segment else "a project, two texts, or alignments"
            raise OptionError(f"name {expected}")
        if not self.files and not is_there(str(self.project)):
            raise InputError(f"{self.project}: no such file; name what it is made of")
        projects = self.projects
        others = [name for name in self.files if not (is_project(name) or projects_in(name))]
        if self.files and projects and (others or self.project is not None):
            beside = others[0] if others else f"--project {self.project}"
            raise OptionError(
                f"{projects[0]}: is a project, which is opened, and {beside} is not: name projects "
                f"alone, or add files to one (--project)"
            )
        places = [os.path.realpath(each) for each in projects]
        for k, place in enumerate(places):
            if place in places[:k]:
                raise OptionError(f"{projects[k]}: is named twice: name it once")
        if projects:
            self.refuse(
                "--src --tgt --root --from --where --columns --head --base --drafts --split "
                f"--src-lang --tgt-lang {'' if self.codings else '--encoding'}",
                "OPTION is for files that go into a project, and a project is opened: leave it out",
            )
        if "-" in self.files:
            raise OptionError("standard input (-) cannot be part of a project: name a file")
        if self.project is not None and not is_project(self.project):
            raise OptionError(f"--project {self.project}: want a name that ends with .bitext")

    def _check_paths(self) -> None:
        """Refuse files that are not there; projects are refused when they are opened."""
        from bitext.formats.io.remote import two_files
        from bitext.formats.io.source import open_source

        for name in self.files:
            known = is_project(name) or "://" in name or two_files(name)
            if name and not (known or may_be_there(name)):
                open_source(name).close()

    def _check_segmenting(self) -> None:
        if "-" in self.codings:
            raise OptionError("standard input (-) cannot be part of a project: name a file")
        if self.codings_from is not None and not self.codings:
            raise OptionError("--codings-from is for --codings: name a file of these")
        # Codings may be added to an existing project without --segment.
        if not self.segment:
            are_added = len(self.projects) == 1 and self.codings and self.page is None
            of_codings = "--codings --codings-from --coders --column --texts --labels --time-units"
            self.refuse(
                f"--units --types --no-proposals {'' if are_added else of_codings}",
                "OPTION is for a text to segment: give --segment, too",
            )
            return
        from bitext.workbench.segmentations import UNITS, check_types

        if not self.files or self.projects:
            raise OptionError(
                "--segment is for a text, and a project is opened: leave it out, or name the text, "
                "with --project for a project that it is added to"
            )
        self.refuse(
            "--src --tgt --root --where --columns --head --base --drafts --tgt-lang",
            "OPTION is for alignments, and --segment for one text",
        )
        if self.split:
            raise OptionError("--split is for two texts: give --units sentences for one to segment")
        if self.units is not None and self.units not in UNITS:
            raise OptionError(f"--units {self.units}: want one of {', '.join(UNITS)}")
        if self.types is not None:
            check_types(self.types)

    def _check_annotator(self) -> None:
        name = self.annotator
        if name is None:
            return
        if not name.strip() or len(name) > MOST_OF_NAME or not name.isprintable():
            raise OptionError("--annotator: want 1 to 200 printable characters")
        if self.password_file is not None:
            raise OptionError("--annotator is for a link, and --password-file names annotators")

    def _check_page(self) -> None:
        if Path(str(self.page)).suffix.lower() not in {".html", ".htm"}:
            raise OptionError(f"--page {self.page}: want a name that ends with .html")
        message = "--page needs no server: leave OPTION out"
        self.refuse("--host --password-file --no-server", message)
        if self.project is not None and self.files:
            raise OptionError("--page writes no project: leave --project out")
        from bitext.workbench.standalone import has_changes

        if has_changes(str(self.page)):
            raise InputError(
                f"{self.page}: has changes that somebody saved in it: name another file, or first "
                f"add it to a project (bitext edit {self.page})"
            )


def edit_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser(
        prog="bitext edit",
        description="Make and correct gold standards in the browser: alignments, segmentations.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="projects, two texts, alignments, or a text to segment",
    )
    add_groups(
        parser,
        {
            "reading": [*READING, *LIMITS],
            "editing": _EDITING,
            "segmenting": _SEGMENTING,
            "serving": _SERVING,
        },
    )
    return parser


def is_project(name: str) -> bool:
    """Recognise a project by the ending of its name."""
    return name.endswith(".bitext")


def projects_in(folder: str) -> list[str]:
    """Return the projects in a folder by name; none for a path that is no folder."""
    path = Path(folder)
    if not path.is_dir():
        return []
    return [str(each) for each in sorted(path.iterdir()) if is_project(each.name)]


def annotator_of(request: EditRequest) -> str:
    """Return the name of the annotator: as given, else that of the user of the machine."""
    if request.annotator is not None:
        return request.annotator.strip()
    import getpass

    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):  # the user has no name
        name = ""
    return "".join(filter(str.isprintable, name)).strip()[:MOST_OF_NAME] or "annotator"


def segmenting_of(request: EditRequest) -> tuple[tuple[str, ...], str]:
    """Return the types of boundaries, and the units that they lie between."""
    from bitext.workbench.segmentations import TYPES, check_types

    units = request.units or "lines"
    return (TYPES[units] if request.types is None else check_types(request.types)), units


def options_of_text(request: EditRequest, known: str | None) -> ReadingOptions:
    """Collect the options for reading segmentations."""
    from bitext.formats.segmentations import with_spelling
    from bitext.formats.segmentations.collecting import option_items
    from bitext.workbench.segmentations import reading_options

    options = reading_options(
        encoding=request.encoding,
        column=request.column,
        texts=request.texts,
        coders=tuple(one for each in request.coders for one in option_items(each)),
        labels=tuple(one for each in request.labels for one in option_items(each)),
        time_units=request.time_units,
    )
    if request.codings:  # of a text and codings in two notations, the options may be for one alone
        return with_spelling(options, known or None)
    return replace(options, spelling=known or None)
