"""Writes the reference documentation, made from the docstrings, to build/docs; warnings fail."""

from __future__ import annotations

import argparse
import gc
import pkgutil
import tempfile
import warnings
from pathlib import Path

import pdoc

import bitext

BUILD = Path(__file__).resolve().parent.parent / "build" / "docs"


def main() -> None:
    """Write one page a module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing: look for warnings")
    check = parser.parse_args().check
    gc.set_threshold(200_000, 50, 100)  # syntax trees by the thousand, of which most are kept
    warnings.simplefilter("error")
    # Packages without a list of public names bring their modules along.
    warnings.filterwarnings("ignore", message="The module specification .* already been added")
    # Types that only checkers import are shown by name.
    warnings.filterwarnings("ignore", message="Error parsing type annotation")
    # Public names are imported when first asked for; the documentation asks for all.
    for name in bitext.__all__:
        setattr(bitext, name, getattr(bitext, name))
    found = pkgutil.walk_packages(bitext.__path__, "bitext.")
    modules = [module.name for module in found if not module.name.endswith("__main__")]
    # The index of the search takes a third of the time.
    pdoc.render.configure(docformat="numpy", show_source=False, search=not check)
    with tempfile.TemporaryDirectory() as folder:
        pdoc.pdoc("bitext", *modules, output_directory=Path(folder) if check else BUILD)
    if not check:
        print(BUILD / "index.html")


if __name__ == "__main__":
    main()
