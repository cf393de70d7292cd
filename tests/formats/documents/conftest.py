"""Reading of documents that are held in memory."""

import io

import pytest

from bitext.errors import FormatError
from bitext.formats.documents import read_document
from bitext.formats.io.source import Source


@pytest.fixture
def read():
    """Read a document: returns its value and the notes."""

    def read(content, name, *, limits=None, **options):
        data = content.encode() if isinstance(content, str) else content
        source = Source(name, io.BytesIO(data), limits=limits)
        return read_document(source, **options), source.notes.all()

    return read


@pytest.fixture
def refused(read):
    """Read a document that is refused: returns the message."""

    def refused(content, name, **options):
        with pytest.raises(FormatError) as error:
            read(content, name, **options)
        assert "\n" not in str(error.value)
        return str(error.value)

    return refused
