"""Changes inside of files whose bytes are guarded: archives of arrays, packed files, journals.

Bytes changed at random break the checksum, and nothing behind it is reached. So these are taken
apart, changed, and put together again.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
import zlib

from fuzz import mutations

_UNPACK = (
    (b"\x1f\x8b", gzip.decompress, lambda data: gzip.compress(data, mtime=0)),
    (b"BZh", bz2.decompress, bz2.compress),
    (b"\xfd7zXZ", lzma.decompress, lzma.compress),
)
_BROKEN = (zipfile.BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error)


def mutated(content, draw, *, kind, others=()):
    """Change an input of a kind: one of these, or one of `mutations`."""
    inside = {"archive": _archive, "packed": _packed, "journal": _journal}.get(kind)
    if inside is None:
        return mutations.mutated(content, draw, kind=kind, others=others)
    if draw.random() < 0.2:
        return mutations.mutated(content, draw, kind="bytes", others=others)
    return inside(content, draw)[: mutations.MOST]


def _archive(content, draw):
    """Change a member of an archive, its name, or which there are."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except _BROKEN:
        return mutations.mutated(content, draw, kind="bytes")
    if not members:
        return content
    at = draw.randrange(len(members))
    name, data = members[at]
    what = draw.randrange(8)
    if what == 0:
        del members[at]
    elif what == 1:
        members[at] = (draw.choice(members)[0], data)
    elif what == 2:
        members.append((f"{name}{draw.choice(('x', '', '.npy'))}", data))
    else:
        if name.endswith(".json"):
            data = mutations.mutated(data, draw, kind="json")
        elif name.endswith((".xml", ".xhtml", ".opf", ".rels")):
            data = mutations.mutated(data, draw, kind="xml")
        elif data:  # mostly the head of an array, which tells its type and shape
            size = draw.choice((128, len(data)))
            data = mutations.mutated(data[:size], draw, kind="bytes") + data[size:]
        members[at] = (name, data)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members:
            if name not in archive.namelist():
                archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def _packed(content, draw):
    for start, unpack, pack in _UNPACK:
        if content.startswith(start):
            try:
                data = unpack(content)
            except (*_BROKEN, lzma.LZMAError):
                break
            made = pack(mutations.mutated(data[: mutations.MOST], draw))
            return made + content if draw.random() < 0.1 else made
    return mutations.mutated(content, draw, kind="bytes")


def _journal(content, draw):
    """Change lines of a journal, most of them with a checksum that is right again."""
    lines = content.split(b"\n")
    at = draw.randrange(len(lines))
    what = draw.randrange(6)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines.insert(at, draw.choice(lines))
    elif what == 2:
        lines.append(
            checked(draw.choice((b"null", b"[]", b"{}", b'{"n": 0}', b"1", b'{"end": 1}')))
        )
    else:
        data = mutations.mutated(lines[at][9:], draw, kind="json")
        if draw.random() < 0.7:
            data = _object_changed(lines[at][9:], draw)
        lines[at] = checked(data.replace(b"\n", b" "))
    return b"\n".join(lines)


def _object_changed(data, draw):
    """Give one member of an object another value."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return data
    if not isinstance(found, dict) or not found:
        return data
    inner = found
    name = draw.choice(list(inner))
    while isinstance(inner[name], dict) and inner[name] and draw.random() < 0.7:
        inner = inner[name]
        name = draw.choice(list(inner))
    values = (None, True, -1, 0, 1, 2, 10**30, 0.5, "", "x", "\ud800", [], [1], {}, {"x": 1})
    if draw.random() < 0.2:
        del inner[name]
    else:
        inner[name] = draw.choice(values)
    return json.dumps(found).encode()


def checked(data):
    """Return a line of a journal, without its end."""
    return b"%08x %s" % (zlib.crc32(data), data)
