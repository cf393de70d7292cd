"""Packages with plug-ins, laid out in a folder as pip installs them."""

from __future__ import annotations

import textwrap


def lay_package(site, name, module, **groups):
    """Lay a package with a module and entry points into a folder; return the folder.

    Groups are `metrics`, `formats` and `aligners`, each a dictionary of names and objects.
    """
    info = site / f"{name.replace('-', '_')}-0.1.dist-info"
    info.mkdir(parents=True)
    info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    lines = []
    for group, entries in groups.items():
        lines += [f"[bitext.{group}]", *(f"{key} = {value}" for key, value in entries.items())]
    info.joinpath("entry_points.txt").write_text("\n".join(lines) + "\n")
    site.joinpath(f"{name.replace('-', '_')}.py").write_text(textwrap.dedent(module))
    return site
