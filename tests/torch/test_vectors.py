# SPDX-License-Identifier: Apache-2.0
"""Word vectors of the user: read as a plain reader would, mapped but not learnt, and the same in the core."""

from __future__ import annotations

import dataclasses
import gzip
import lzma
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from accord._core import neural as _neural  # noqa: E402
from accord.data import Document, Sentence  # noqa: E402
from accord.errors import AccordError, ConfigError, FormatError  # noqa: E402
from accord.tasks.network.config import NeuralConfig  # noqa: E402
from accord.tasks.network.vectors import read_vectors  # noqa: E402
from accord.tasks.network.vocabulary import collect_with_counts  # noqa: E402
from accord.tasks.parser import Parser, ParserModel  # noqa: E402
from accord.torch.export import from_arrays, to_arrays  # noqa: E402
from accord.torch.network import Network  # noqa: E402
from tests.torch.test_network import CONFIGS, WORDS, model_of, trained  # noqa: E402

SIZE = 6


def of_words(words: list[str]) -> Document:
    return Document.from_sentences([Sentence.from_words(words)])


def write_text(path: Path, words: list[str], vectors: np.ndarray, header: bool = False) -> str:
    lines = [
        f"{word} {' '.join(str(number) for number in row)}" for word, row in zip(words, vectors.tolist(), strict=True)
    ]
    if header:
        lines.insert(0, f"{len(words)} {vectors.shape[1]}")
    data = ("\n".join(lines) + "\n").encode()
    path.write_bytes({".gz": gzip.compress, ".xz": lzma.compress}.get(path.suffix, bytes)(data))
    return str(path)


def write_array(path: Path, words: list[str], vectors: np.ndarray) -> str:
    np.save(path, vectors)
    path.with_suffix(".txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    return str(path)


def plainly_read(words: list[str], vectors: np.ndarray, training: list[str], most: int, word: str) -> np.ndarray:
    """The vector of a word, by the definition."""
    lowered = all(one == one.lower() for one in words)
    wanted = word.lower() if lowered else word
    known = {one.lower() if lowered else one for one in training}
    for place, one in enumerate(words):
        if one == wanted and (most == 0 or place < most or one in known):
            return vectors[place]
    return np.zeros(vectors.shape[1])


some_words = st.lists(st.sampled_from(["a", "A", "be", "Be", "12", "é", "É", "zoo", "猫", ","]), min_size=1, max_size=8)


@settings(max_examples=80, deadline=None)
@given(
    words=some_words,
    training=some_words,
    most=st.integers(0, 4),
    kind=st.sampled_from([".vec", ".gz", ".xz", ".npy"]),
    header=st.booleans(),
    seed=st.integers(0, 99),
)
def test_a_word_has_the_vector_of_the_definition(
    words: list[str], training: list[str], most: int, kind: str, header: bool, seed: int
) -> None:
    vectors = np.random.default_rng(seed).normal(size=(len(words), 2)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"vectors{kind}"
        name = write_array(path, words, vectors) if kind == ".npy" else write_text(path, words, vectors, header)
        found = read_vectors(name, of_words(training), most)
    config = NeuralConfig(tags="given")
    vocabulary, counts = collect_with_counts(of_words(training), config, vectors=found)
    field = vocabulary.words - 1
    assert len(counts) == len(vocabulary.fields) and vocabulary.fields[field].name == found.attribute
    assert [one.name for one in vocabulary.fields[vocabulary.words :]] == ["upos", "xpos", "feats"]
    asked = [*words, *training, "a", "É", "zoo"]
    offsets, rows = vocabulary.reader.read(of_words(asked).native)[0][field]
    assert np.diff(offsets.astype(int)).tolist() == [0, *(1 for _ in asked)]
    table = np.concatenate([np.zeros((1, 2)), found.table])
    expected = [plainly_read(words, vectors, training, most, word) for word in asked]
    np.testing.assert_allclose(table[rows], expected, atol=1e-6)


def test_keys_have_one_value_a_word() -> None:
    with pytest.raises(ValueError, match="several values"):
        _neural.values_of_forms(["a"], "feats")
    with pytest.raises(ValueError, match="no attribute"):
        _neural.values_of_forms(["a"], "colour")
    assert _neural.values_of_forms([], "form").tolist() == []


def vectors_file(folder: Path) -> str:
    """Vectors of some words of the treebank and of one that it does not have."""
    words = [*WORDS[:6], "elsewhere"]
    return write_text(folder / "v.vec", words, 3 * np.random.default_rng(0).normal(size=(len(words), SIZE)))


@pytest.mark.parametrize("name", ["lstm", "given tags", "no characters", "convolution"])
@pytest.mark.parametrize("inputs", [NeuralConfig.inputs, "lower", ""])
def test_the_core_computes_the_same(name: str, inputs: str, tmp_path: Path) -> None:
    config = dataclasses.replace(CONFIGS[name], vectors=vectors_file(tmp_path), inputs=inputs)
    trainer, document = trained(config)
    assert trainer.network.given is not None
    model_of(trainer).save(tmp_path / "m.accord")
    parser = Parser(ParserModel.load(tmp_path / "m.accord"))
    batch = trainer.read(document).batch(np.arange(len(document)))
    trainer.network.eval()
    with torch.no_grad():
        top = trainer.network.encode(batch).top
        arcs = trainer.network(batch).arcs
        trainer.network.given.map.zero_()
        without = trainer.network.encode(batch).top
    assert parser.model.network is not None
    encoded = parser.model.network.native().encode(document.native, list(range(len(document))))
    np.testing.assert_allclose(encoded, top[batch.mask].numpy(), atol=1e-4)
    assert np.abs(encoded - without[batch.mask].numpy()).max() > 1e-2
    for index, sentence in enumerate(document.sentences):
        size = len(sentence) + 1
        real = ~np.eye(size, dtype=bool) & (np.arange(size) > 0)
        found, expected = parser.arc_scores(sentence), arcs[index, :size, :size].numpy()
        np.testing.assert_allclose(found[real], expected[real], atol=1e-4)


def test_the_map_learns_and_the_table_does_not(tmp_path: Path) -> None:
    trainer, document = trained(dataclasses.replace(CONFIGS["lstm"], vectors=vectors_file(tmp_path)))
    vectors = trainer.network.given
    assert vectors is not None and not vectors.table.requires_grad
    assert all(parameter is not vectors.table for parameter in trainer.parameters)
    assert any(parameter is vectors.map for parameter in trainer.parameters)
    table, mapped = vectors.table.clone(), vectors.map.detach().clone()
    trainer.seen = trainer.words  # past the warm-up
    trainer.update(np.arange(len(document)))
    assert torch.equal(vectors.table, table) and not vectors.table[0].any()
    assert vectors.map.grad is not None and vectors.map.grad.abs().max() > 0
    assert not torch.equal(vectors.map, mapped)


def test_vectors_are_not_dropped_with_rare_words(tmp_path: Path) -> None:
    config = dataclasses.replace(
        CONFIGS["no characters"], vectors=vectors_file(tmp_path), inputs="lower", cluster_inputs="", word_dropout=1e12
    )
    trainer, document = trained(config)
    network = trainer.network.train()
    batch = trainer.read(document).batch(np.arange(len(document)))
    assert network.given is not None
    rows, _ = batch.fields[1]
    assert (rows > 0).any() and (rows == 0).any()
    with torch.no_grad():
        expected = network.words[0][0] + network.given.mapped()[rows]
        torch.testing.assert_close(network._embed(batch)[~batch.root], expected)


def test_a_finished_model_goes_into_a_network_without_vectors(tmp_path: Path) -> None:
    trainer, document = trained(dataclasses.replace(CONFIGS["lstm"], vectors=vectors_file(tmp_path)))
    arrays = to_arrays(trainer.network, "float32")
    other = Network(trainer.config, trainer.network.sizes).eval()
    from_arrays(other, arrays)
    batch = trainer.read(document).batch(np.arange(len(document)))
    trainer.network.eval()
    with torch.no_grad():
        torch.testing.assert_close(other(batch).arcs, trainer.network(batch).arcs)
    with pytest.raises(ValueError, match="without them"):
        from_arrays(trainer.network, arrays)


def test_the_scale_of_vectors_does_not_matter(tmp_path: Path) -> None:
    words, vectors = list(WORDS), np.random.default_rng(1).normal(size=(len(WORDS), SIZE))
    tables = []
    for scale in (1e-3, 1e3):
        path = write_text(tmp_path / f"{scale}.vec", words, vectors * scale)
        trainer, _ = trained(dataclasses.replace(CONFIGS["lstm"], vectors=path))
        assert trainer.network.given is not None
        tables.append(trainer.network.given.table.numpy())
    np.testing.assert_allclose(tables[0], tables[1], rtol=1e-4)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (b"", None, "no vectors"),
        (b"7 3\n", None, "no vectors"),
        (b"a 1 2 3\nb 1 2\n", 2, "expected a word and 3 numbers"),
        (b"a 1 2 3\n\nb 1 2 3 4\n", 3, "expected a word and 3 numbers"),
        (b"2 3\na 1 2 3\nb 1 2 x\n", 3, "not a word and its numbers"),
        (b"2 2\na 1 2\nb 1 nan\n", 3, "a number is not finite"),
        (b"a 1\n\xff 2\n", 2, "not UTF-8"),
        (b"alone\n", 1, "not a word and its numbers"),
        (b"2 0\nalone\n", 1, "not a word and its numbers"),
    ],
)
def test_bad_text_files_name_the_line(text: bytes, line: int | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "v.vec"
    path.write_bytes(text)
    with pytest.raises(FormatError, match=message) as caught:
        read_vectors(str(path), of_words(["a", "b"]), 0)
    assert (caught.value.file, caught.value.line) == (str(path), line)


def test_bad_arrays_are_told(tmp_path: Path) -> None:
    path, words = tmp_path / "v.npy", tmp_path / "v.txt"
    training = of_words(["a", "b"])

    def told(kind: type[AccordError], message: str) -> None:
        with pytest.raises(kind, match=message):
            read_vectors(str(path), training, 0)

    told(ConfigError, "no such file")
    np.save(path, np.ones((2, 3), np.float32))
    told(ConfigError, "v.txt, which is not there")
    words.write_bytes(b"a\n")
    told(FormatError, "v.txt: 1 words for the 2 rows")
    words.write_bytes(b"a\nb\nc\n")
    told(FormatError, "v.txt:3: more words than the 2 rows")
    words.write_bytes(b"a\n\n")
    told(FormatError, "v.txt:2: no word")
    words.write_bytes(b"a\nb\n")
    assert len(read_vectors(str(path), training, 0).keys) == 2
    np.save(path, np.array([[1.0], [np.inf]]))
    told(FormatError, "v.npy: row 2 has a number that is not finite")
    for wrong in (np.ones((2, 3), np.int64), np.ones(2), np.ones((2, 0))):
        np.save(path, wrong)
        told(FormatError, "expected rows of floating-point numbers")
    path.write_bytes(b"a 1 2\nb 3 4\n")
    told(FormatError, "not a .npy file")


def test_words_may_hold_blanks(tmp_path: Path) -> None:
    path = tmp_path / "v.vec"
    path.write_bytes(b"New York 1 2 \r\n12 3 4\n")
    with pytest.raises(FormatError, match=r"v\.vec:2"):  # the first line tells the size
        read_vectors(str(path), of_words(["12"]), 0)
    path.write_bytes(b"2 2\nNew York 1 2 \r\n12 3 4\n")
    found = read_vectors(str(path), of_words(["12"]), 0)
    assert found.attribute == "form" and sorted(found.table.tolist()) == [[1, 2], [3, 4]]
