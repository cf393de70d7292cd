"""Small documents of each format, written by hand."""

import io
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STYLES = f"""<w:styles xmlns:w="{W}"><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/>
</w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H1"/></w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style></w:styles>"""
_LINKS = """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="x/hyperlink"
Target="http://example.org/a?b&amp;c" TargetMode="External"/>
<Relationship Id="r2" Type="x/footnotes" Target="footnotes.xml"/></Relationships>"""


def archive(members):
    """Pack members, as texts or bytes, into a ZIP archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            packed.writestr(name, content, method)
    return out.getvalue()


def docx(body, *, notes="", **more):
    """Make a document of Word from the XML of its body and of its footnotes."""
    head = f'xmlns:w="{W}" xmlns:r="{R}"'
    members = {
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": f"<w:document {head}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": _STYLES,
        "word/_rels/document.xml.rels": _LINKS,
        "word/footnotes.xml": f"<w:footnotes {head}>{notes}</w:footnotes>",
    }
    return archive(members | more)


def paragraph(*runs, style="", properties=""):
    """Make a paragraph of Word from texts, or pairs of a text and the properties of its run."""
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    made = [(run, "") if isinstance(run, str) else run for run in runs]
    texts = "".join(
        text if text.startswith("<") else f"<w:r><w:rPr>{more}</w:rPr><w:t>{text}</w:t></w:r>"
        for text, more in made
    )
    return f"<w:p><w:pPr>{style}{properties}</w:pPr>{texts}</w:p>"


_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
ODF = (
    " ".join(
        f'xmlns:{prefix}="{_OASIS}{name}:1.0"'
        for prefix, name in (
            ("office", "office"),
            ("text", "text"),
            ("table", "table"),
            ("style", "style"),
            ("fo", "xsl-fo-compatible"),
            ("draw", "drawing"),
        )
    )
    + ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def odt(body, *, lang="en", **more):
    """Make a text in OpenDocument from the XML of its body; the style `i` is italic."""
    styles = f"""<office:styles><style:default-style style:family="paragraph">
<style:text-properties fo:language="{lang}" fo:country="none"/></style:default-style>
</office:styles>"""
    automatic = """<office:automatic-styles><style:style style:name="i" style:family="text">
<style:text-properties fo:font-style="italic"/></style:style></office:automatic-styles>"""
    content = f"<office:body><office:text>{body}</office:text></office:body>"
    members = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "META-INF/manifest.xml": "<manifest/>",
        "styles.xml": f"<office:document-styles {ODF}>{styles}</office:document-styles>",
        "content.xml": f"<office:document-content {ODF}>{automatic}{content}"
        "</office:document-content>",
        "meta.xml": f"<x {ODF}><dc:title>A title</dc:title></x>",
    }
    return archive(members | more)


def epub(*pages, lang="en", **more):
    """Make a book from the XML of the bodies of its pages."""
    names = [f"p{k}.xhtml" for k in range(len(pages))]
    items = "".join(
        f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in names
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in ("nav", *names))
    package = f"""<package xmlns="http://www.idpf.org/2007/opf"
xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Mill</dc:title>
<dc:language>{lang}</dc:language></metadata><manifest>{items}<item id="nav" href="nav.xhtml"
properties="nav" media-type="application/xhtml+xml"/></manifest><spine>{spine}</spine></package>"""
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><head/><body>%s</body></html>'
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<c><rootfile full-path="OEBPS/book.opf"/></c>',
        "OEBPS/book.opf": package,
        "OEBPS/nav.xhtml": page % "<nav>Contents</nav>",
        **{f"OEBPS/{name}": page % body for name, body in zip(names, pages, strict=True)},
    }
    return archive(members | more)


def pdf(*pages, packed=None, trailer="", catalog="", font="", objects=()):
    """Make a PDF file of pages, each a list of rows: place, size and text.

    Texts of a size below 0 are bold, in the size above 0. `packed` is a stream that goes on with
    the contents of the pages: its dictionary and its data. A page may be its instructions instead.
    `objects` come after the pages, from the number 5 + twice the number of pages; `catalog` and
    `font` are added to the catalogue and to the first font.
    """
    more_objects = objects
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) {catalog} >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids ["
        + " ".join(f"{2 * k + 5} 0 R" for k in range(len(pages)))
        + "] >>",
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding {font} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    more = "" if packed is None else f"{5 + 2 * len(pages)} 0 R"
    for k, rows in enumerate(pages):
        shown = (
            rows
            if isinstance(rows, str)
            else "".join(
                f"BT /F{1 + (size < 0)} {abs(size)} Tf {x} {y} Td ({text}) Tj ET\n"
                for x, y, size, text in rows
            )
        )
        fonts = "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>"
        box = "/MediaBox [0 0 400 600]"
        objects += [
            f"<< /Type /Page /Parent 2 0 R {box} {fonts} /Contents [{2 * k + 6} 0 R {more}] >>",
            f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream",
        ]
    objects += more_objects
    written = [each.encode("cp1252") for each in objects]
    if packed is not None:
        head, data = packed
        written.append(b"<< %s /Length %d >>\nstream\n%s\nendstream" % (head, len(data), data))
    out = b"%PDF-1.4\n"
    places = []
    for number, each in enumerate(written, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(places) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R\n"
    return out + f"{end}{trailer} >>\nstartxref\n{len(out)}\n%%EOF\n".encode()
