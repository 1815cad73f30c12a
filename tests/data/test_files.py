# SPDX-License-Identifier: Apache-2.0
"""Files: compression, standard streams, damage, and writing that is complete or did not happen."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import stat
import sys
from pathlib import Path

import pytest
import zstandard

from accord.data import open_input, open_output, read
from accord.errors import AccordError, ConfigError, FormatError, MissingDependencyError

CONTENT = "Gute Nacht, schöne Müllerin\n".encode() * 1000
COMPRESS = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}
DECOMPRESS = {".gz": gzip.decompress, ".xz": lzma.decompress, ".bz2": bz2.decompress, "": bytes}
DECOMPRESS[".zst"] = lambda data: zstandard.ZstdDecompressor().stream_reader(data).read()


class StandardStream:
    """What tests put in place of sys.stdin and sys.stdout."""

    def __init__(self, content: bytes = b"") -> None:
        self.buffer = io.BytesIO(content)


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("named", [True, False])
def test_compressed_files_are_read_whatever_their_name(tmp_path: Path, suffix: str, named: bool) -> None:
    path = tmp_path / ("file" + (suffix if named else ".txt"))
    path.write_bytes(COMPRESS[suffix](CONTENT))
    with open_input(path) as file:
        assert file.read() == CONTENT
    with open_input(str(path)) as file:
        assert b"".join(file.readlines()) == CONTENT


@pytest.mark.parametrize("content", [b"", b"B", b"BZh", b"BZh9 is a word", CONTENT])
def test_plain_files_are_read_as_they_are(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(content)
    with open_input(path) as file:
        assert file.read() == content


@pytest.mark.parametrize("suffix", COMPRESS)
def test_empty_compressed_files(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / ("file" + suffix)
    path.write_bytes(COMPRESS[suffix](b""))
    with open_input(path) as file:
        assert file.read() == b""


@pytest.mark.parametrize("suffix", COMPRESS)
def test_truncated_and_damaged_files_are_told_by_name(tmp_path: Path, suffix: str) -> None:
    whole = COMPRESS[suffix](os.urandom(5000) + CONTENT)
    path = tmp_path / ("file.conllu" + suffix)
    for length in [*range(1, 40, 3), len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError) as caught:
            read(path, on_error="keep")
        assert caught.value.file == str(path)
    path.write_bytes(whole[:200] + bytes(200) + whole[400:])
    with pytest.raises(FormatError, match=f"{suffix} compression is damaged"):
        read(path)


def test_a_suffix_that_promises_compression_is_held_to_it(tmp_path: Path) -> None:
    for content in (b"", b"plain"):
        path = tmp_path / "file.xz"
        path.write_bytes(content)
        with pytest.raises(FormatError, match=r"file\.xz: not a \.xz file"), open_input(path):
            pass


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with (
        pytest.raises(AccordError, match=r"none\.conllu: no such file or directory$"),
        open_input(tmp_path / "none.conllu"),
    ):
        pass
    with pytest.raises(AccordError, match=r"is a directory$"), open_input(tmp_path):
        pass
    with pytest.raises(AccordError, match=r"no such file or directory$"), open_output(tmp_path / "none" / "a.txt"):
        pass
    with pytest.raises(AccordError, match="not a directory"):
        (tmp_path / "file").touch()
        with open_output(tmp_path / "file" / "a.txt"):
            pass


def test_open_files_are_read_and_left_open(tmp_path: Path) -> None:
    source = io.BytesIO(gzip.compress(CONTENT))
    with open_input(source) as file:
        assert file.read() == CONTENT
    assert not source.closed
    with pytest.raises(TypeError, match="binary mode"), open_input(io.StringIO("text")):  # type: ignore[arg-type]
        pass


def test_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", StandardStream(lzma.compress(CONTENT)))
    monkeypatch.setattr(sys, "stdout", output := StandardStream())
    with open_input("-") as source, open_output("-") as target:
        target.write(source.read())
    assert output.buffer.getvalue() == CONTENT


@pytest.mark.parametrize("suffix", DECOMPRESS)
def test_output_is_compressed_by_suffix(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / ("file" + suffix)
    path.write_bytes(b"old")
    for expected in (b"old", None):
        with open_output(path) as file:
            file.write(CONTENT[:100])
            file.write(CONTENT[100:])
            assert expected is None or path.read_bytes() == expected
        assert DECOMPRESS[suffix](path.read_bytes()) == CONTENT
    assert list(tmp_path.iterdir()) == [path]


def test_zstandard_files_of_several_frames_are_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "file.zst"
    path.write_bytes(zstandard.compress(CONTENT) + zstandard.compress(b"") + zstandard.compress(b"end"))
    with open_input(path) as file:
        assert file.read(7) == CONTENT[:7]
        assert file.read() == CONTENT[7:] + b"end"


def test_zstandard_without_its_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.zst"
    path.write_bytes(zstandard.compress(CONTENT))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingDependencyError, match=r"file\.zst: .*pip install 'accord\[zstd\]'"), open_input(path):
        pass
    with (
        pytest.raises(MissingDependencyError, match=r"pip install 'accord\[zstd\]'"),
        open_output(tmp_path / "new.zst"),
    ):
        pass
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", [".lz4", ".br", ".zip", ".Z", ".tgz", ".7z", ".zstd"])
def test_a_name_that_promises_another_compression_is_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ConfigError, match=r"Accord writes no \S+ files"), open_output(tmp_path / f"file{suffix}"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_compressed_output_is_the_same_every_time(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with open_output(tmp_path / name) as file:
            file.write(CONTENT)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize("suffix", DECOMPRESS)
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / ("file" + suffix)
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), open_output(path) as file:
        file.write(CONTENT * 100)
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_a_full_disk_is_told_by_name(suffix: str, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    link = tmp_path / ("file" + suffix)
    link.symlink_to("/dev/full")
    with pytest.raises(AccordError, match=os.strerror(errno.ENOSPC).lower()), open_output(link) as file:
        file.write(os.urandom(1 << 18))


def test_links_and_permissions_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    with open_output(link) as file:
        file.write(b"new")
    assert link.is_symlink() and path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_devices_are_written_in_place() -> None:
    with open_output(os.devnull) as file:
        file.write(b"gone")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
