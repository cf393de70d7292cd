"""Writes the reference documentation, made from the docstrings, to build/docs; warnings fail."""

from __future__ import annotations

import argparse
import ast
import gc
import html
import inspect
import pkgutil
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pdoc

import bitext

BUILD = Path(__file__).resolve().parent.parent / "build" / "docs"
parse = pdoc.doc_ast.parse


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
    pdoc.doc_ast.parse = definition  # type: ignore[assignment]
    # The index of the search takes a third of the time.
    pdoc.render.configure(docformat="numpy", show_source=False, search=not check)
    if check:  # layout, links and colours take a third of the time, and give no warnings
        pdoc.render.env.filters["format_signature"] = uncoloured_signature
        pdoc.render.env.filters["to_html"] = str
        pdoc.render.env.filters["linkify"] = unlinked
    with tempfile.TemporaryDirectory() as folder:
        pdoc.pdoc("bitext", *modules, output_directory=Path(folder) if check else BUILD)
    if not check:
        print(BUILD / "index.html")


def uncoloured_signature(signature: inspect.Signature, colon: bool) -> str:
    """Return a signature without a span for each of its tokens."""
    return html.escape(str(signature)) + ":" * colon


def unlinked(code: str, namespace: str = "", *, shorten: bool = True) -> str:  # noqa: ARG001
    """Return a text without links to the names in it."""
    return code


def definition(item: Any) -> Any:
    """Return the syntax tree of a module, class or function.

    Where pdoc looks for one, modules are parsed anew for each of their classes, and functions are
    split into tokens to find where they end: that takes a third of the time.
    """
    if not isinstance(item, ModuleType):
        code = getattr(inspect.unwrap(item), "__code__", None)
        module = sys.modules.get(item.__module__)
        if module and (code is None or code.co_filename == getattr(module, "__file__", None)):
            place = item.__qualname__ if code is None else code.co_firstlineno
            if node := definitions(module).get(place):
                return node
    return parse(item)


@cache
def definitions(module: ModuleType) -> dict[str | int, ast.AST]:
    """Return the classes of a module by their qualified names, its functions by first lines."""
    found: dict[str | int, ast.AST] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            inside = prefix
            if isinstance(child, ast.ClassDef):
                found.setdefault(f"{prefix}{child.name}", child)
                inside = f"{prefix}{child.name}."
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                found[min(part.lineno for part in (child, *child.decorator_list))] = child
                inside = f"{prefix}{child.name}.<locals>."
            if isinstance(child, ast.stmt):
                visit(child, inside)

    visit(parse(module), "")
    return found


if __name__ == "__main__":
    main()
