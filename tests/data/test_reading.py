# SPDX-License-Identifier: Apache-2.0
"""Reading files and streams: the treebanks in full, blocks of any size, formats found, memory flat, noise survived."""

from __future__ import annotations

import io
import lzma
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data import Document, read, stream
from accord.errors import AccordError, ConfigError, FormatError

from .samples import SAMPLE, TREEBANKS, block, row

SMALL = [path for path in TREEBANKS if path.stat().st_size < 70_000]


@pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: path.name)
def test_treebanks_come_back_byte_for_byte(path: Path) -> None:
    content = lzma.decompress(path.read_bytes())
    document = read(path)
    assert document.format == ("conllu" if ".conllu" in path.name else "conllx")
    assert document.to_bytes() == content
    assert document.replace(heads=document.heads, deprels=document.column("deprel")).to_bytes() == content
    assert len(document) == content.rstrip(b"\n").count(b"\n\n") + 1
    blocks = list(stream(io.BytesIO(content), block_size=50_000, format=document.format))
    assert b"".join(part.to_bytes() for part in blocks) == content
    assert [head for part in blocks for head in part.heads.tolist()] == document.heads.tolist()


@pytest.mark.parametrize("path", SMALL[:3], ids=lambda path: path.name)
def test_sentences_of_treebanks_write_their_text(path: Path) -> None:
    document = read(path)
    assert "".join(sentence.to_conllu() for sentence in document) == document.to_conllu()
    assert sum(len(sentence) for sentence in document) == len(document.heads)


MESSY = "\ufeff\n" + SAMPLE + "\n\n" + SAMPLE.replace("\n", "\r\n") + "\r\n\n" + block(row()).rstrip("\n")


@pytest.mark.parametrize("block_size", [1, 2, 3, 7, 64, 500, 1 << 20])
@pytest.mark.parametrize("format", ["auto", "conllu"])
def test_blocks_of_any_size_are_the_file(block_size: int, format: str) -> None:
    content = MESSY.encode()
    blocks = list(stream(io.BytesIO(content), block_size=block_size, format=format))
    assert b"".join(part.to_bytes() for part in blocks) == content
    whole = Document(content)
    together = [sentence for part in blocks for sentence in part]
    assert together == list(whole)
    assert [sentence.line for sentence in together] == [sentence.line for sentence in whole]
    if block_size == 1:
        assert all(len(part) <= 1 for part in blocks)


@pytest.mark.parametrize("block_size", [1, 100, 1 << 20])
def test_lines_in_errors_are_those_of_the_file(tmp_path: Path, block_size: int) -> None:
    text = SAMPLE * 5 + block(row("2", "0")) + SAMPLE
    line = SAMPLE.count("\n") * 5 + 1
    path = tmp_path / "file.conllu"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        list(stream(path, block_size=block_size))
    assert str(caught.value) == f"{path}:{line}: ID 2 where 1 was expected"
    kept = list(stream(path, block_size=block_size, on_error="keep"))
    assert [problem.line for part in kept for problem in part.problems] == [line]
    assert b"".join(part.to_bytes() for part in kept) == text.encode()


def test_streams_hold_one_block_in_memory() -> None:
    class Repeated(io.RawIOBase):
        """Many copies of a text, made as they are read."""

        def __init__(self, text: bytes, copies: int) -> None:
            self.text, self.copies = text, copies

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            self.copies -= 1
            return self.text if self.copies >= 0 else b""

    def peak(copies: int) -> int:
        tracemalloc.start()
        source: io.RawIOBase = Repeated(SAMPLE.encode() * 20, copies)
        sentences = sum(len(part) for part in stream(source, block_size=1 << 14, format="conllu"))  # type: ignore[arg-type]
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert sentences == 40 * copies
        return highest

    assert peak(400) < 1.5 * peak(20)


class TestFormats:
    @pytest.mark.parametrize(
        ("name", "text", "format"),
        [
            ("a.conllu", "", "conllu"),
            ("a.CONLLX", block(row()), "conllx"),
            ("a.conll", block(row()), "conllx"),
            ("a.conll", "", "conllu"),
            ("a.txt", block("# c", row()), "conllu"),
            ("a", "\ufeff\n" + block(row()), "conllu"),
            ("a.conll", block("1\ta\ta\tN\tN\ta\ta\tN\t0\tROOT\t_"), "conll2008"),
            ("a.conll", block("1\ta\ta\tN\tN\ta\ta\tN\t0\tROOT\tx.01\t_\tA1\t_\t_"), "conll2008"),
            ("a.conll", block("1\ta\ta\ta\tN\tN\t_\t_\t0\t0\tROOT\tROOT\t_\t_"), "conll2009"),
            ("a.conll", block("1\ta\ta\ta\tN\tN\t_\t_\t0\t_\tROOT\tROOT\t_\t_"), "conll2009"),
        ],
    )
    def test_auto(self, tmp_path: Path, name: str, text: str, format: str) -> None:
        for suffix in ("", ".xz"):
            path = tmp_path / (name + suffix)
            data = text.encode()
            path.write_bytes(lzma.compress(data) if suffix else data)
            document = read(path)
            assert (document.format, document.to_bytes(), document.name) == (format, data, str(path))
            assert [part.format for part in stream(path, block_size=1)] == [format] * bool(text)

    def test_json_is_found_by_content(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_text('{"words":[{"id":1,"form":"a"}]}\n')
        assert read(path).sentences[0].forms == ("a",)

    def test_what_is_no_treebank_is_refused_with_its_line(self) -> None:
        with pytest.raises(FormatError, match=r"<input>:1: 1 column where conllu has 10, separated by tabs"):
            read(io.BytesIO(b"Just some words.\n"))

    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Input:
            buffer = io.BytesIO(SAMPLE.encode())

        monkeypatch.setattr(sys, "stdin", Input)
        document = read("-")
        assert (document.name, document.to_conllu()) == ("<stdin>", SAMPLE)

    def test_unknown_settings(self) -> None:
        with pytest.raises(ConfigError, match="no format is named 'xml'"):
            read(io.BytesIO(b""), format="xml")
        with pytest.raises(ConfigError, match="block_size"):
            list(stream(io.BytesIO(b""), block_size=0))
        with pytest.raises(AccordError, match="no such file"):
            read("no/such/file.conllu")


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A good file with some bytes changed, put in or taken out."""
    data = bytearray(draw(st.sampled_from([SAMPLE.encode(), MESSY.encode()])))
    tempting = st.sampled_from(b"\t\n\r#_-.0129 \x00\x80\xff")
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data) - 1))
        match draw(st.sampled_from(["change", "insert", "delete"])):
            case "change":
                data[at] = draw(tempting)
            case "insert":
                data.insert(at, draw(tempting))
            case _:
                del data[at : at + draw(st.integers(1, 20))]
    return bytes(data)


@settings(deadline=None, max_examples=1000)
@given(
    damaged() | st.binary() | st.text("\t\n\r#_-.01 a").map(str.encode),
    st.sampled_from(["conllu", "conllx", "conll2008", "conll2009"]),
)
def test_noise_is_read_exactly_or_refused(data: bytes, format: str) -> None:
    try:
        document = Document(data, format=format)
    except FormatError as error:
        assert error.line is not None and 1 <= error.line <= data.count(b"\n") + 1
        assert "\n" not in str(error)
    else:
        assert document.to_bytes() == data
        assert document.replace(heads=document.heads).to_bytes() == data
        assert document.replace(deprels=document.column("deprel")).to_bytes() == data
    kept = Document(data, format=format, on_error="keep")
    assert kept.to_bytes() == data
    assert len(list(kept)) == len(kept)
    data = b"\n" + data  # never taken for a compressed file
    kept = Document(data, format=format, on_error="keep")
    for block_size in (1, 37):
        parts = list(stream(io.BytesIO(data), block_size, format, "keep"))
        assert b"".join(part.to_bytes() for part in parts) == data
        assert [sentence for part in parts for sentence in part] == list(kept)
        assert [str(problem) for part in parts for problem in part.problems] == [str(p) for p in kept.problems]
