"""What TEI says, by the shortest way: for comparison with the reader and the writer."""

import xml.etree.ElementTree as ET

TEI = "{http://www.tei-c.org/ns/1.0}"
XML = "{http://www.w3.org/XML/1998/namespace}"


def parts_of_graph(edges):
    """Return the connected parts of a graph as sets of nodes, by joining sets while some meet."""
    parts = [set(edge) for edge in edges]
    changed = True
    while changed:
        changed = False
        for part in parts:
            for other in parts:
                if part is not other and part & other:
                    part |= other
                    parts.remove(other)
                    changed = True
                    break
            if changed:
                break
    return parts


def pairs_of_file(content):
    """Return for each linkGrp of a written file its links, as the texts of the two sides."""
    root = ET.fromstring(content)
    texts, sides = {}, {}
    for text in root.iter(f"{TEI}text"):
        for sentence in text.iter(f"{TEI}s"):
            texts[sentence.get(f"{XML}id")] = sentence.text or ""
            if text.get(f"{XML}id"):
                sides[sentence.get(f"{XML}id")] = text.get(f"{XML}id")
    found = []
    for group in root.iter(f"{TEI}linkGrp"):
        src, tgt = (domain.removeprefix("#") for domain in group.get("domains").split())
        links = []
        for link in group.iter(f"{TEI}link"):
            names = [target.removeprefix("#") for target in link.get("target").split(" ")]
            links.append(
                tuple([texts[name] for name in names if sides[name] == side] for side in (src, tgt))
            )
        found.append(links)
    return found
