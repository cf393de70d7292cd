import pytest

from bitext.formats.packing import PACKED, unpacked


@pytest.mark.parametrize("suffix", sorted(PACKED))
def test_names_without_compression(suffix):
    assert unpacked(f"a.b/news.en.txt{suffix}") == "a.b/news.en.txt"
    assert unpacked(f"news{suffix.upper()}") == "news"
    assert unpacked(f"news{suffix}.txt") == f"news{suffix}.txt"
    assert unpacked(f"folder/{suffix}") == f"folder/{suffix}"


def test_names_that_tell_nothing():
    assert [unpacked(name) for name in ("", "-", "news", "news.txt")] == [
        "",
        "-",
        "news",
        "news.txt",
    ]
