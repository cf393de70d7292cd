"""Any program as an aligner of sentences: `bitext align --method 'command:hunalign ...'`.

The program gets two files in UTF-8, one sentence per line, and writes an alignment in any format
that `bitext` reads: to a file, or to its standard output. It is run once for each pair of texts,
without a shell. These placeholders in its arguments are replaced:

| placeholder | value |
| --- | --- |
| `{src}`, `{tgt}` | the files of sentences |
| `{output}` | the file to write; without it, standard output is the alignment |
| `{dictionary}` | the dictionary in hunalign's format (target, ` @ `, source); empty without one |
| `{src_lang}`, `{tgt_lang}` | the languages |

Texts in the output are matched with the sentences again: each side of a bead has to consist of
whole sentences, apart from white space. A program that writes two files whose names begin with that
of `{output}`, as Bleualign does, has written the two sides of Moses.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import threading
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.align.sentences.options import checked_beads
from bitext.errors import BitextError, InputError, OptionError, brief, remedy, renamed
from bitext.formats import read_all
from bitext.formats.dictionaries import read_dictionary
from bitext.formats.io.source import Notes
from bitext.formats.registry import by_name
from bitext.kernels.arrays import distinct
from bitext.model import Alignment, Bitext, Text
from bitext.paths import is_file, temporary_folder

if TYPE_CHECKING:
    from pathlib import Path


PREFIX = "command:"  # of methods that are commands
TIMEOUT = 600.0  # seconds for one pair of texts; set by hand
_PLACES = ("src", "tgt", "output", "dictionary", "src_lang", "tgt_lang")
_PLACE = re.compile("|".join(rf"\{{{place}\}}" for place in _PLACES))
_LINE_BREAKS = re.compile(
    r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+"
)  # what programs take for line ends
_SHOWN_CHARACTERS = 80  # characters of a command in messages; set by hand
_STDERR_BYTES = 4096  # bytes of standard error that are read; set by hand
_ALARM_SHARE = 0.9  # of the time limit of a document, for the program alone; set by hand


class _Running:
    """The programs that run now, by threads of their own."""

    def __init__(self) -> None:
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def start(self, words: Sequence[str], out: Any, err: Any, name: str) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._stopped:
                raise InputError(f"{name}: was stopped")
            try:
                process = subprocess.Popen(  # noqa: S603 - running the user's command is the purpose
                    words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
                )
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise InputError(
                    f"{name}: cannot be run: {reason}: want a program that is on the path or named "
                    f"with its folder"
                ) from error
            self._processes.add(process)
            return process

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill a program and the processes that it started, unless it has ended."""
        _kill(process)
        process.wait()
        with self._lock:
            self._processes.discard(process)

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for process in self._processes:
                _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is not None:
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


@dataclass(frozen=True, kw_only=True)
class CommandAligner:
    """Align two texts by a program.

    Raises `OptionError` when the command cannot be split or lacks `{src}` or `{tgt}`, or a value is
    not allowed.

    Examples
    --------
    >>> CommandAligner(command="hunalign -utf {dictionary} {src} {tgt}").words[0]
    'hunalign'

    """

    # The program and its arguments, split as a shell would, with the placeholders above.
    command: str
    format: str | None = None  # the format of its output; `None`: detected from the contents
    timeout: float = TIMEOUT  # the seconds that the program may take for one pair of texts
    dictionaries: tuple[str, ...] = ()  # the files of dictionaries, for `{dictionary}`
    encoding: str = "utf-8"  # the encoding of dictionaries without a declaration
    src_lang: str = ""
    tgt_lang: str = ""
    _running: _Running = field(default_factory=_Running, repr=False, compare=False)

    def __post_init__(self) -> None:
        option = remedy(f"method {PREFIX}", python="command=")
        missing = [place for place in ("src", "tgt") if f"{{{place}}}" not in self.command]
        if not self.words or missing:
            raise OptionError(
                f"{option}{self.command}: want a program and its arguments, with {{src}} and "
                f"{{tgt}} for the files of sentences, and {{output}} for that of the alignment, or "
                f"without it standard output"
            )
        if self.dictionaries and "{dictionary}" not in self.command:
            raise OptionError(
                f"{remedy('dictionary', python='dictionaries=')} is of no use to a command without "
                f"{{dictionary}}: leave one out, or add the other"
            )
        if not isfinite(self.timeout) or self.timeout <= 0:
            raise OptionError(
                f"{remedy('method-timeout', python='timeout=')} {self.timeout}: want seconds, "
                f"above 0"
            )
        if self.format is not None:
            by_name(self.format)  # raises, with the nearest name there is

    @property
    def words(self) -> list[str]:
        """The program and its arguments, with placeholders."""
        try:
            return shlex.split(self.command)
        except ValueError as error:
            raise OptionError(
                f"{remedy(f'method {PREFIX}', python='command=')}{self.command}: cannot be split "
                f"into words ({error}): want a program and its arguments, as a shell takes them"
            ) from None

    @property
    def name(self) -> str:
        """The name of the method."""
        return f"{PREFIX}{self.command}"

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the running programs, and the dictionary, which each worker reads itself."""
        left_out = ("_running", "_dictionary")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update({**state, "_running": _Running()})

    @cached_property
    def _dictionary(self) -> str:
        """The dictionaries in hunalign's format."""
        langs = (self.src_lang, self.tgt_lang)
        dictionaries = (
            read_dictionary(p, encoding=self.encoding, langs=langs) for p in self.dictionaries
        )
        return "".join(f"{b} @ {a}\n" for each in dictionaries for a, b, _ in each)

    def prepare(self) -> None:
        """Read the dictionaries. Raises `BitextError` when one cannot be read."""
        _ = self._dictionary

    def stop(self) -> None:
        """End all running programs, and start no more; for another thread than theirs."""
        self._running.stop()

    def __call__(self, src: Text, tgt: Text, notes: Notes | None = None) -> Alignment:
        """Align two texts; notes on the output are added to `notes`.

        Raises `InputError` when the program cannot be run, fails or takes too long, or its output
        is not an alignment of these texts.
        """
        notes = Notes() if notes is None else notes
        if not len(src) or not len(tgt):
            unaligned = [((k,), ()) for k in range(len(src))] + [
                ((), (k,)) for k in range(len(tgt))
            ]
            return Alignment(unaligned)
        line = " ".join(self.command.split())
        line = line if len(line) <= _SHOWN_CHARACTERS else f"{line[: _SHOWN_CHARACTERS - 3]}..."
        label = f"{src.name or 'the source'}: command {line!r}"
        with temporary_folder() as folder:
            files = self._prepare(folder, src, tgt)
            self._run(folder, files, label)
            try:
                with renamed("from", option="method-format"):
                    return self._read(folder, src, tgt, label, notes)
            except BitextError as error:
                message = str(error).replace(f"{folder}{os.sep}", "")
                message = message if message.startswith(label) else f"{label}: {message}"
                raise InputError(message) from error

    def _prepare(self, folder: Path, src: Text, tgt: Text) -> dict[str, str]:
        """Write the sentences and the dictionary; return the value of each placeholder."""
        for name, text in (("src", src), ("tgt", tgt)):
            lines = (f"{_LINE_BREAKS.sub(' ', sentence)}\n" for sentence in text.segments())
            with (folder / name).open("w", encoding="utf-8", errors="replace", newline="") as out:
                out.writelines(lines)
        values = {name: str(folder / name) for name in ("src", "tgt", "output", "dictionary")}
        with (folder / "dictionary").open("w", encoding="utf-8", errors="replace") as out:
            out.write(self._dictionary)
        return {**values, "src_lang": self.src_lang, "tgt_lang": self.tgt_lang}

    def _run(self, folder: Path, files: dict[str, str], label: str) -> None:
        words = [_PLACE.sub(lambda match: files[match[0][1:-1]], word) for word in self.words]
        printed = folder / ("printed" if "{output}" in self.command else "output")
        limit = self._limit()
        with printed.open("wb") as out, (folder / "errors").open("w+b") as err:
            process = self._running.start(words, out, err, label)
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                advice = remedy("method-timeout", python="timeout=")
                advice = advice if limit == self.timeout else remedy("time-limit", python="limits=")
                raise InputError(
                    f"{label}: no end within {limit:.3g} seconds: give it more time ({advice})"
                ) from None
            finally:
                self._running.end(process)
            size = err.seek(0, os.SEEK_END)
            err.seek(max(0, size - _STDERR_BYTES))
            stderr_text = brief(err.read().decode("utf-8", "replace"))
        if status:
            ended = f"exit status {status}" if status > 0 else f"ended by signal {-status}"
            raise InputError(f"{label}: {ended}: {stderr_text or 'nothing on its standard error'}")

    def _limit(self) -> float:
        """Return the seconds for the program; fewer where SIGALRM is to end this process."""
        alarm = signal.getitimer(signal.ITIMER_REAL)[0] if hasattr(signal, "getitimer") else 0.0
        return min(self.timeout, alarm * _ALARM_SHARE) if alarm else self.timeout

    def _read(self, folder: Path, src: Text, tgt: Text, label: str, notes: Notes) -> Alignment:
        output = folder / "output"
        place = str(output)
        written = sorted(path for path in folder.glob("output?*") if is_file(path))
        if not is_file(output) or (not output.stat().st_size and written):
            if len(written) != 2:
                raise InputError(f"{label}: wrote no {{output}}")
            place = ",".join(map(str, written))
        elif not output.stat().st_size:
            raise InputError(f"{label}: its output is empty")
        plain_texts = [Text(list(text.segments()), name=text.name) for text in (src, tgt)]
        bitexts = list(read_all(place, src=plain_texts[0], tgt=plain_texts[1], format=self.format))
        if len(bitexts) != 1:
            raise InputError(f"{label}: its output holds {len(bitexts)} document pairs: want one")
        (bitext,) = bitexts
        output_format = by_name(bitext.meta.get("format") or self.format or "moses")
        if self.format is None:
            notes.add(f"output of the command read as {output_format.name}", src.name)
        alignment = bitext.alignment
        if output_format.holds == "text":
            alignment = _over_sentences(bitext, src, tgt, label)
        scores = alignment.scores if output_format.better == "higher" else None
        alignment = Alignment.from_arrays(alignment.src, alignment.tgt, scores=scores)
        unaligned = sum(
            len(text) - distinct(rows.idx).size
            for text, rows in ((src, alignment.src), (tgt, alignment.tgt))
        )
        if unaligned:
            notes.add("sentences in no bead of the command", src.name, unaligned)
        return checked_beads(alignment, src, tgt, label)


# Beads of texts over the sentences that they were made of.


def _over_sentences(bitext: Bitext, src: Text, tgt: Text, label: str) -> Alignment:
    sides = []
    for side, output_text, text in (("source", bitext.src, src), ("target", bitext.tgt, tgt)):
        segments = [] if output_text is None else list(output_text.segments())
        places = _places(segments, list(text.segments()), f"{label}: {side}")
        beads = [bead.src if side == "source" else bead.tgt for bead in bitext.alignment]
        members = [[k for segment in bead for k in places[segment]] for bead in beads]
        ptr = np.cumsum([0, *map(len, members)])
        sides.append((ptr, np.array([k for row in members for k in row], dtype=np.int64)))
    return Alignment.from_arrays(sides[0], sides[1], scores=bitext.alignment.scores)


def _places(segments: Sequence[str], sentences: Sequence[str], name: str) -> list[range]:
    """Return the sentences of which each segment consists, white space aside.

    The sentences of a segment are looked for after those of the segment before, then from the
    beginning on.
    """
    compact_sentences = ["".join(sentence.split()) for sentence in sentences]
    firsts: dict[str, list[int]] = {}
    for k, sentence in enumerate(compact_sentences):
        if sentence:
            firsts.setdefault(sentence[0], []).append(k)
    places, behind = [], 0
    for segment in segments:
        compact_segment = "".join(segment.split())
        candidates = firsts.get(compact_segment[:1], [])
        cut = bisect_left(candidates, behind)
        order = chain(range(cut, len(candidates)), range(cut))
        spans = (
            (k, _end_of(compact_segment, compact_sentences, k))
            for k in (candidates[i] for i in order)
        )
        place = next((range(k, end) for k, end in spans if end), None)
        if place is None:
            if compact_segment:
                raise InputError(
                    f"{name} text {segment!r:.60} is not one of whole sentences: want them as they "
                    f"were given"
                )
            place = range(0)
        places.append(place)
        behind = place.stop if compact_segment else behind
    return places


def _end_of(segment: str, sentences: Sequence[str], k: int) -> int:
    """Return the end of the sentences from k on that make a string; 0 if they do not."""
    size = 0
    while k < len(sentences) and segment.startswith(sentences[k], size):
        size += len(sentences[k])
        k += 1
        if size == len(segment):
            return k
    return 0
