import bz2
import gzip
import io
import lzma
import os
import random
import resource
import struct
import sys
import tarfile
import time
import zipfile
import zlib

import pytest
import zstandard

from bitext.errors import FormatError, MissingExtraError
from bitext.formats import read_all
from bitext.formats.io.compression import (
    PACKED,
    Limits,
    compressing,
    decompressed,
    packing_of,
    packing_of_name,
    unpacked,
)
from bitext.formats.io.source import Source, open_source

PACK = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
}
packings = pytest.mark.parametrize("packing", sorted(PACKED))
ANY = Limits(ratio=1e9, size=1 << 62)


def unfold(packed, packing, limits=None, size=1 << 16):
    stream = decompressed(io.BytesIO(packed), packing, path="made", limits=limits)
    parts = []
    while part := stream.read(size):
        assert len(part) <= size
        parts.append(part)
    return b"".join(parts)


def zst(data, window):
    how = zstandard.ZstdCompressionParameters.from_level(3, window_log=window)
    packer = zstandard.ZstdCompressor(compression_params=how).compressobj()
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize("suffix", sorted(PACKED))
def test_names_without_compression(suffix):
    assert unpacked(f"a.b/news.en.txt{suffix}") == "a.b/news.en.txt"
    assert unpacked(f"news{suffix.upper()}") == "news"
    assert unpacked(f"news{suffix}.txt") == f"news{suffix}.txt"
    assert unpacked(f"folder/{suffix}") == f"folder/{suffix}"
    assert packing_of_name(f"news{suffix.upper()}") == suffix
    assert packing_of_name(f"news{suffix}.txt") == ""


def test_names_that_tell_nothing():
    assert [unpacked(name) for name in ("", "-", "news", "news.txt")] == [
        "",
        "-",
        "news",
        "news.txt",
    ]


@packings
def test_first_bytes(packing):
    assert packing_of(PACK[packing](b"")) == packing
    assert packing_of(PACK[packing](b"text")) == packing


def test_text_that_begins_as_a_compressed_file_does():
    for text in (b"BZh is no word", b"BZh9 neither", b"", b"<a/>", b"\x1f\x8b is none"):
        assert packing_of(text) == ""


@packings
def test_what_is_packed_unfolds(packing):
    chance = random.Random(7)
    data = chance.randbytes(100_000) + bytes(1_500_000) + chance.randbytes(70_000)
    assert unfold(PACK[packing](data), packing) == data
    assert unfold(PACK[packing](data), packing, size=999) == data
    out = io.BytesIO()
    with compressing(out, packing) as stream:
        stream.write(data)
    assert unfold(out.getvalue(), packing) == data


@packings
def test_members_one_after_another(packing):
    parts = [b"", b"a" * 100_000, b"", b"b", os.urandom(50_000), b""]
    assert unfold(b"".join(map(PACK[packing], parts)), packing) == b"".join(parts)


@packings
def test_a_file_cut_anywhere_is_damaged(packing):
    whole = PACK[packing](b"some text, " * 50)
    for cut in range(1, len(whole)):
        with pytest.raises(FormatError, match=r"made: is damaged: it ends in the middle; get the"):
            unfold(whole[:cut], packing)


@packings
def test_garbage_behind_a_member_is_not_left_out_in_silence(packing):
    with pytest.raises(FormatError, match="made: is damaged"):
        unfold(PACK[packing](b"text") + b"garbage that is none of it", packing)


@pytest.mark.parametrize("packing", [".gz", ".xz"])
def test_zeros_behind_a_member_are_padding(packing):
    packed = PACK[packing](b"a")
    for zeros in (4, 512, 1 << 17):
        assert unfold(packed + bytes(zeros), packing) == b"a"
        assert unfold(packed + bytes(zeros) + packed, packing) == b"aa"


def test_frames_of_zst_that_are_skipped():
    skipped = struct.pack("<II", 0x184D2A53, 5) + b"notes"
    assert packing_of(skipped) == ".zst"
    assert unfold(skipped + PACK[".zst"](b"a") + skipped + PACK[".zst"](b"b"), ".zst") == b"ab"


def test_wrong_sums_are_damage():
    packed = bytearray(PACK[".gz"](b"some text"))
    packed[-6] ^= 1
    with pytest.raises(FormatError, match=r"is damaged: .*incorrect data check"):
        unfold(bytes(packed), ".gz")


@packings
def test_a_changed_byte_of_our_files_is_damage(packing):
    text = "".join(f"line {number}\n" for number in range(2000)).encode()
    file = io.BytesIO()
    with compressing(file, packing) as out:
        out.write(text)
    packed = bytearray(file.getvalue())
    assert unfold(bytes(packed), packing) == text
    packed[len(packed) // 2] ^= 1
    with pytest.raises(FormatError, match="made: is damaged"):
        unfold(bytes(packed), packing)


@packings
@pytest.mark.parametrize("members", [1, 3])
def test_a_bomb_is_refused(packing, members):
    packed = PACK[packing](bytes(400_000)) * members
    tight = Limits(ratio=100, size=1_000)
    message = r"made: unfolds to more than [\d,]+ bytes from [\d,]+, .*\(--max-size, --max-ratio of"
    with pytest.raises(FormatError, match=message):
        unfold(packed, packing, tight)
    # One of the two limits raised is enough.
    whole = bytes(400_000 * members)
    assert unfold(packed, packing, Limits(ratio=1e6, size=1_000)) == whole
    assert unfold(packed, packing, Limits(ratio=1, size=len(whole))) == whole


@packings
def test_a_bomb_behind_honest_data_is_refused(packing):
    packed = PACK[packing](os.urandom(10_000)) + PACK[packing](bytes(8_000_000))
    with pytest.raises(FormatError, match="unfolds to more than"):
        unfold(packed, packing, Limits(ratio=100, size=1_000))


@packings
def test_a_step_of_a_bomb_is_small(packing):
    # What is handed out when the limit is passed tells how much was made at once.
    packed = PACK[packing](bytes(20 << 20))
    stream = decompressed(io.BytesIO(packed), packing, path="made", limits=ANY)
    assert len(stream.read(1 << 30)) <= 17 << 20


def test_a_real_bomb_meets_the_limits_that_hold_by_themselves(tmp_path):
    packer = zlib.compressobj(9, wbits=31)
    first, again = (
        packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2)
    )
    packed = first + again * 299 + packer.flush()  # its sum is wrong, and is not come to
    assert 1000 * len(packed) < 300 << 20
    path = tmp_path / "a.txt.gz"
    path.write_bytes(packed)
    begun = time.process_time()
    with open_source(path) as source:  # no limits given
        sizes = []
        message = r"a\.txt\.gz: unfolds to more than 13\d,\d{3},\d{3}"
        with pytest.raises(FormatError, match=message):
            sizes.extend(map(len, iter(lambda: source.stream.read(1 << 20), b"")))
    assert sum(sizes) <= 1 << 27
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(zst(b"a" * 1000, 28), id="zst"),
        # The header of an xz block that asks for a dictionary of 4 GB, with its sum.
        pytest.param(None, id="xz"),
    ],
)
def test_decoders_that_want_too_much_memory(packed):
    packing = ".zst" if packed else ".xz"
    if packed is None:
        plain = lzma.compress(b"a" * 1000)
        at = 12  # behind the header of the stream
        size = (plain[at] + 1) * 4
        block = bytearray(plain[at : at + size - 4])
        assert block[2:4] == b"\x21\x01"  # LZMA2, with one byte of properties: the dictionary
        block[4] = 40
        packed = plain[:at] + block + struct.pack("<I", zlib.crc32(block)) + plain[at + size :]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(FormatError, match=r"needs more than 134,217,728 bytes of memory .*window"):
        unfold(packed, packing)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000
    if packing == ".zst":
        assert unfold(packed, packing, Limits(size=1 << 28)) == b"a" * 1000


def test_the_largest_windows_that_are_usual_are_read():
    assert unfold(zst(b"a" * 1000, 27), ".zst") == b"a" * 1000
    assert unfold(lzma.compress(b"a" * 1000, preset=9), ".xz") == b"a" * 1000


def test_members_without_number_take_linear_time():
    empty = PACK[".gz"](b"")
    begun = time.process_time()
    assert unfold(empty * 20_000 + PACK[".gz"](b"a"), ".gz") == b"a"
    assert time.process_time() - begun < 5


def test_zst_without_its_library(tmp_path, monkeypatch):
    path = tmp_path / "a.zst"
    path.write_bytes(PACK[".zst"](b"a\n"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    if sys.version_info >= (3, 14):  # Python has its own
        with open_source(path) as source:
            assert source.text() == "a\n"
        out = io.BytesIO()
        with compressing(out, ".zst") as packer:
            packer.write(b"b")
        assert unfold(out.getvalue(), ".zst") == b"b"
        return
    with pytest.raises(MissingExtraError, match=r"reading \.zst files needs .* 'bitext\[zst\]'"):
        open_source(path)
    with pytest.raises(MissingExtraError, match=r"writing \.zst files needs .* 'bitext\[zst\]'"):
        compressing(io.BytesIO(), ".zst")


def test_closing_closes_the_file_below():
    below = io.BytesIO(PACK[".gz"](b"a"))
    with Source("made", decompressed(below, ".gz", path="made")) as source:
        assert source.text() == "a"
    assert below.closed


def test_a_tar_is_told_as_an_archive(tmp_path):
    (tmp_path / "a.tmx").write_text("<tmx version='1.4'><body/></tmx>")
    for name, mode in (("a.tar", "w"), ("a.tgz", "w:gz")):
        with tarfile.open(tmp_path / name, mode) as tar:
            tar.add(tmp_path / "a.tmx", "a.tmx")
        for given in (None, "tmx", "tsv"):
            with pytest.raises(FormatError, match=r"is a tar archive, .*: unpack it"):
                list(read_all(tmp_path / name, format=given))


def test_archives_are_written_into_a_compressed_file():
    out = io.BytesIO()
    with compressing(out, ".gz") as packer, zipfile.ZipFile(packer, "w") as archive:
        archive.writestr("a", "b")
    with zipfile.ZipFile(io.BytesIO(gzip.decompress(out.getvalue()))) as archive:
        assert archive.read("a") == b"b"
