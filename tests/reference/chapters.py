"""Files of paragraphs, read and written whole."""

from bitext.formats.io.source import open_source
from bitext.formats.plain_text import chapter_line, read_chapters, sentence_line


def read_paragraph_file(path):
    """Return the chapters of a file."""
    with open_source(path) as source:
        return list(read_chapters(source))


def write_chapters(texts, out, head=None):
    """Write chapters, one after another; a text without paragraphs is one paragraph."""
    out.writelines(f"# {key}: {value}\n" for key, value in (head or {}).items())
    for k, text in enumerate(texts):
        starts = {0} if text.paragraphs is None else {0, *text.paragraphs.boundaries.tolist()}
        out.write("\n" if k or head else "")
        out.write(chapter_line(text.name or f"chapter-{k + 1}"))
        out.writelines(
            sentence_line(sentence, starts=place in starts)
            for place, sentence in enumerate(text.segments())
        )
