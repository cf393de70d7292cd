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
