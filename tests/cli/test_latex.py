"""Tables of the commands, set by pdflatex where it is installed."""

from __future__ import annotations

import shutil
import subprocess

import pytest

PDFLATEX = shutil.which("pdflatex")
LINKS = ("gold.pharaoh", "alpha.talp", "beta.talp")


def check_set(latex, folder, names=()):
    """Set tables in an article with booktabs alone; check that the lines fit."""
    if PDFLATEX is None:
        pytest.skip("pdflatex is not installed (on Debian: texlive-latex-recommended)")
    document = (
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\setlength{\\parindent}{0pt}\\begin{document}\n"
        f"{latex}\n\\end{{document}}\n"
    )
    (folder / "table.tex").write_text(document, encoding="utf-8")
    command = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    log = (folder / "table.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert "Overfull \\hbox" not in log
    assert "Missing character" not in log
    assert (folder / "table.pdf").read_bytes().startswith(b"%PDF")
    assert all(name in latex for name in names)


def test_many_figures_with_intervals_come_closer(bitext, coast, texts, tmp_path):
    files = [coast / "gold", coast / "alpha", coast / "beta", *texts, "-g", "sentence"]
    made = bitext("score", *files, "--also", "silence,noise", "--format", "latex")
    assert r"{@{}l@{\hspace{6pt}}c@{\hspace{6pt}}c" in made.out
    # Silence and noise are better where they are lower.
    assert r"\textbf{0.9574} & \textbf{0.0217} & \textbf{0.0625} \\" in made.out
    check_set(made.out, tmp_path)


def test_coefficients_of_agreement_are_in_groups_by_what_is_observed(bitext, coast, tmp_path):
    topics = coast.parent / "topics"
    references = [topics / "ref", "--ref", topics / "ref2.masses", "--ref", topics / "alpha"]
    command = ["compare", *references, "--agreement", "--observed", "boundaries,B"]
    made = bitext(*command, "--matrix", "B,cohen-kappa", "--format", "latex")
    assert made.out.count(r"\begin{tabular}") == 4
    assert made.out.count(r"{boundaries}") == 1
    assert r"\multicolumn{5}{@{}l}{\emph{boundary-similarity}} \\" in made.out
    check_set(made.out, tmp_path)


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--digits", 2],
        ["--no-intervals"],
        ["--per-text", "--similarity", "--beads", "--precision-by-bead"],
    ],
)
def test_scores_are_set(bitext, coast, texts, tmp_path, more):
    systems = (coast / "alpha", coast / "beta")
    made = bitext("score", coast / "gold", *systems, *texts, "--format", "latex", *more)
    assert made.status == 0, made.err
    assert r"\textbf{" in made.out
    check_set(made.out, tmp_path, ["alpha", "beta", r"\emph{character}"])


def test_scores_of_word_links_are_set(bitext, coast, tmp_path):
    links = [coast.parent / "links" / name for name in LINKS]
    out = tmp_path / "links.tex"
    assert bitext("score", *links, "--base", 1, "--swap", "beta", "-o", out).status == 0
    latex = out.read_text(encoding="utf-8")
    # The error rate is better where it is lower.
    assert r"beta & \textbf{0.9294} & \textbf{0.9296} & \textbf{0.9295} & \textbf{0.0705}" in latex
    check_set(latex, tmp_path)


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["-m", "A,B,pk"],
        ["-m", "A,B,pk,S", "--no-intervals", "--digits", 3, "--average", "both"],
        ["--agreement", "--with-systems", "--observed", "boundaries,B"],
    ],
)
def test_comparisons_are_set(bitext, coast, tmp_path, more):
    topics = coast.parent / "topics"
    files = [topics / "ref", topics / "alpha", topics / "beta.jsonl"]
    made = bitext("compare", *files, "--format", "latex", *more)
    assert made.status == 0, made.err
    check_set(made.out, tmp_path, ["alpha", r"\downarrow"])


def test_names_of_all_kinds_are_set(bitext, write, tmp_path):
    text = "One.\tUn.\nTwo.\tDeux.\nThree.\tTrois.\n"
    gold, one, two = (write(f"{name}.tsv", text) for name in ("gold", "one", "two"))
    names = r"50% of_run & #1 {x} $y$ \z^~ <t> |[u]*,模型 Łódź بيتا ağ"
    command = ["score", gold, one, two, "--names", names, "-g", "sentence"]
    made = bitext(*command, "--format", "latex")
    assert made.status == 0, made.err
    check_set(made.out, tmp_path, [r"50\% of\_run \& \#1", r"MoXing {\L}\'od\'z byt a\u{g}"])
    # Ties are all bold.
    assert made.out.count(r"\textbf{1.0000}") == 6


def test_digits_and_intervals_are_of_tables_for_readers(bitext, coast, texts):
    command = ["score", coast / "gold", coast / "alpha", *texts, "-g", "sentence"]
    two = bitext(*command, "--digits", 2).out.splitlines()
    assert two[-1].split()[:4] == ["sentence", "alpha", "0.94", "[0.60,"]
    bare = bitext(*command, "--no-intervals", "--format", "markdown").out
    assert "| sentence | alpha | 0.9375 | 0.9783 | 0.9574 |" in bare
    for style, name in (("tsv", "tsv"), ("csv", "csv")):
        refused = bitext(*command, "--digits", 2, "--format", style)
        assert refused.status == 2
        assert f"--digits is for reading, and {name} has every figure" in refused.err
    assert bitext(*command, "--no-intervals", "--json").status == 2
    assert "--digits 16: want 0 to 15" in bitext(*command, "--digits", 16).err
