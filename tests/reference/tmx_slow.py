"""The texts of a TMX file by a tree, with nothing shared with the reader."""

from xml.etree import ElementTree as ET

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def outside_of_codes(element):
    """Return the characters of an element and of those in `hi`."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == "hi":
            parts.append(outside_of_codes(child))
        parts.append(child.tail or "")
    return "".join(parts)


def language(tuv):
    return (tuv.get(XML_LANG) or tuv.get("lang")).lower().replace("_", "-")


def languages(content):
    """Return the languages of a file, the most frequent first."""
    counts = {}
    for tuv in ET.fromstring(content).iter("tuv"):
        counts[language(tuv)] = counts.get(language(tuv), 0) + 1
    return sorted(counts, key=lambda code: -counts[code])


def pairs(content, src, tgt):
    """Return the bisegments of a file, those of variants by their order."""
    found = []
    for tu in ET.fromstring(content).iter("tu"):
        sides = []
        for wanted in (src, tgt):
            texts = []
            for tuv in tu.iter("tuv"):
                code = language(tuv)
                if code == wanted or code.startswith(f"{wanted}-"):
                    texts.append([outside_of_codes(seg) for seg in tuv.iter("seg")])
            sides.append(texts)
        found.extend(
            tuple(side[min(k, len(side) - 1)] if side else [] for side in sides)
            for k in range(max(map(len, sides)))
        )
    return found
