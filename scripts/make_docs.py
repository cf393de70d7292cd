"""Writes the reference documentation, made from the docstrings, to build/docs; warnings fail."""

from __future__ import annotations

import argparse
import ast
import gc
import inspect
import pkgutil
import sys
import warnings
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pdoc

import bitext

BUILD = Path(__file__).resolve().parent.parent / "build" / "docs"
# What pages show of each kind of member, beside its docstring and members.
SHOWN = {
    "module": ("submodules", "members"),
    "class": ("decorators", "bases", "inherited_members"),
    "function": ("decorators", "funcdef", "signature"),
    "variable": ("annotation_str", "default_value_str"),
}
parse = pdoc.doc_ast.parse


def main() -> None:
    """Write one page a module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing: look for warnings")
    check = parser.parse_args().check
    gc.disable()  # syntax trees by the thousand, which are kept
    warnings.simplefilter("error")
    # Packages without a list of public names bring their modules along.
    warnings.filterwarnings("ignore", message="The module specification .* already been added")
    # Types that only checkers import are shown by name.
    warnings.filterwarnings("ignore", message="Error parsing type annotation")
    # Public names are imported when first asked for; the documentation asks for all.
    for name in bitext.__all__:
        setattr(bitext, name, getattr(bitext, name))
    found = pkgutil.walk_packages(bitext.__path__, "bitext.")
    modules = ["bitext"]
    modules += [module.name for module in found if not module.name.endswith("__main__")]
    pdoc.doc_ast.parse = definition  # type: ignore[assignment]
    if check:
        specs = pdoc.extract.walk_specs(modules)
        for module in [pdoc.doc.Module.from_name(name) for name in specs]:
            evaluate(module, module)
        return
    pdoc.render.configure(docformat="numpy", show_source=False)
    pdoc.pdoc(*modules, output_directory=BUILD)
    print(BUILD / "index.html")


def evaluate(member: pdoc.doc.Doc[Any], module: pdoc.doc.Module) -> None:
    """Evaluate what a page shows of a member and of its own members.

    All that can warn is in these values; to lay them out as pages takes as long again.
    """
    text = pdoc.render_helpers.to_markdown(member.docstring, module, "numpy")
    hidden = member.name.startswith("_") and member.name != "__init__" and "@public" not in text
    if hidden and member.name not in getattr(module.obj, "__all__", ()):
        return
    for name in SHOWN[member.kind]:
        shown = getattr(member, name)
        if name == "signature":
            str(shown)
    if isinstance(member, pdoc.doc.Namespace):
        for child in member.own_members:
            if not isinstance(child, pdoc.doc.Module):
                evaluate(child, module)


def definition(item: Any) -> Any:
    """Return the syntax tree of a module, class or function.

    Where pdoc looks for one, modules are parsed anew for each of their classes, and functions are
    split into tokens to find where they end: that takes a third of the time.
    """
    if not isinstance(item, ModuleType):
        code = getattr(inspect.unwrap(item), "__code__", None)
        module = sys.modules.get(getattr(item, "__module__", ""))
        if module and (code is None or code.co_filename == getattr(module, "__file__", None)):
            place = code.co_firstlineno if code else getattr(item, "__qualname__", "")
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
    gc.freeze()  # Python's last collections pass over the trees: more than half of the whole time
