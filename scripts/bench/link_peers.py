"""Word links of a peer of `link_quality.py`; runs in the environment of the peers.

    python link_peers.py TOOL SRC TGT FORWARD [REVERSE]

Both texts have a sentence a line, the output a line of `i-j` a sentence pair. A tool that makes its
own symmetrised links writes one file; the others write the links of both directions, each as
source-target.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ITERATIONS = 5  # of each model, the default of fast_align and GIZA++


def main(tool: str, src: str, tgt: str, *outputs: str) -> None:
    """Run one tool."""
    if tool == "eflomal":
        program = Path(sys.executable).with_name("eflomal-align")
        files = ["-s", src, "-t", tgt, "-f", outputs[0], "-r", outputs[1], "--overwrite"]
        subprocess.run([program, *files], check=True, stderr=subprocess.DEVNULL)
        return
    texts = [
        [line.split() for line in Path(name).read_text(encoding="utf-8").split("\n")[:-1]]
        for name in (src, tgt)
    ]
    if tool == "systran-align":
        _write(outputs[0], _systran(*texts))
        return
    _write(outputs[0], _thot(tool, *texts))
    reverse = _thot(tool, *texts[::-1])
    _write(outputs[1], [[(j, i) for i, j in links] for links in reverse])


def _systran(src: list[list[str]], tgt: list[list[str]]) -> list[list[tuple[int, int]]]:
    import systran_align

    with TemporaryDirectory() as folder:
        joined = Path(folder, "joined")
        lines = [f"{' '.join(s)} ||| {' '.join(t)}\n" for s, t in zip(src, tgt, strict=True)]
        joined.write_text("".join(lines), encoding="utf-8")
        forward, reverse = f"{folder}/forward", f"{folder}/reverse"
        systran_align.generate_alignment_probabilities(
            str(joined), forward, reverse, favor_diagonal=True, optimize_tension=True,
            variational_bayes=True,
        )  # fmt: skip
        aligner = systran_align.Aligner(forward, reverse)
        return [
            [(int(i), int(j)) for i, j in aligner.align(s, t)["alignments"]] if s and t else []
            for s, t in zip(src, tgt, strict=True)
        ]


def _thot(tool: str, src: list[list[str]], tgt: list[list[str]]) -> list[list[tuple[int, int]]]:
    from thot import alignment

    model = alignment.Ibm1AlignmentModel()
    for s, t in zip(src, tgt, strict=True):
        model.add_sentence_pair(s, t)
    names = {"thot-hmm": ("Hmm",), "thot-ibm4": ("Hmm", "Ibm3", "Ibm4")}[tool]
    _train(model)
    for name in names:
        model = getattr(alignment, f"{name}AlignmentModel")(model)
        _train(model)
    found = []
    for s, t in zip(src, tgt, strict=True):
        matrix = model.get_best_alignment(s, t)[1].to_numpy() if s and t else []
        found.append([(i, j) for i, row in enumerate(matrix) for j, on in enumerate(row) if on])
    return found


def _train(model: Any) -> None:
    model.start_training()
    for _ in range(ITERATIONS):
        model.train()
    model.end_training()


def _write(name: str, links: list[list[tuple[int, int]]]) -> None:
    lines = [" ".join(f"{i}-{j}" for i, j in pair) + "\n" for pair in links]
    Path(name).write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
