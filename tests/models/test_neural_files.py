# SPDX-License-Identifier: Apache-2.0
"""Model files with a network that are damaged or do not fit together: one ModelError, never a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from accord import ConfigError, Document, ModelError, Parser
from accord.models.writing import write_blocks
from accord.tasks.parser import ParserModel
from tests.app.test_cli import accord
from tests.tasks.parser.neural_cases import random_model, some_words

Header = dict[str, Any]
Arrays = dict[str, NDArray[Any]]
WEIGHTS = "network/weights/"
UNSORTED = ("readings", "lemmas.rules", "lemmas.often")  # tables whose order no reader knows


@pytest.fixture(scope="module")
def model() -> ParserModel:
    return random_model(1, order=2)


@pytest.fixture(scope="module")
def document() -> Document:
    return Document.from_sentences([some_words(1, 5)])


def blocks(model: ParserModel) -> tuple[Header, Arrays]:
    header, arrays = model.to_blocks()
    return json.loads(json.dumps(header)), dict(arrays)


def refused(path: Path) -> str:
    with pytest.raises(ModelError) as caught:
        Parser.load(path)
    message = str(caught.value)
    assert message and "\n" not in message
    return message


def test_truncated_files(model: ParserModel, tmp_path: Path) -> None:
    file = tmp_path / "m.accord"
    model.save(file)
    whole = file.read_bytes()
    for share in (*np.linspace(0, 1, 40, endpoint=False), 1 - 1 / len(whole)):
        file.write_bytes(whole[: int(share * len(whole))])
        refused(file)


def test_flipped_bytes_are_noticed_or_do_not_matter(model: ParserModel, document: Document, tmp_path: Path) -> None:
    file = tmp_path / "m.accord"
    model.save(file)
    whole = file.read_bytes()
    expected = Parser.load(file).parse(document).to_bytes()
    random = np.random.default_rng(3)
    noticed = 0
    for place in [*range(24), *random.integers(0, len(whole), 150).tolist()]:
        changed = bytearray(whole)
        changed[place] ^= 1 << int(random.integers(8))
        file.write_bytes(changed)
        try:
            parser = Parser.load(file)
        except ModelError:
            noticed += 1
        else:  # between blocks
            assert parser.parse(document).to_bytes() == expected
    assert noticed > 150


def test_every_array_is_needed_in_its_size(model: ParserModel, tmp_path: Path) -> None:
    header, arrays = blocks(model)
    file = tmp_path / "m.accord"
    assert any(name.startswith(WEIGHTS) for name in arrays)
    for name in arrays:
        write_blocks(file, header, {key: array for key, array in arrays.items() if key != name})
        assert name.rpartition("/")[2] in refused(file)
        if name.endswith("clusters"):
            continue
        flat = arrays[name].reshape(-1)
        for wrong in (flat[:-1], np.concatenate([flat, flat[:1]])):
            if wrong.size:
                write_blocks(file, header, {**arrays, name: wrong})
                refused(file)


def test_arrays_of_other_kinds_and_numbers_that_are_none(model: ParserModel, tmp_path: Path) -> None:
    header, arrays = blocks(model)
    file = tmp_path / "m.accord"
    for name, array in arrays.items():
        if name.startswith(WEIGHTS):
            for kind in (np.float64, np.int8):
                write_blocks(file, header, {**arrays, name: array.astype(kind)})
                refused(file)
            for number in (np.nan, np.inf, -np.inf):
                bad = array.copy()
                bad.reshape(-1)[-1] = number
                write_blocks(file, header, {**arrays, name: bad})
                assert "not finite" in refused(file)
        elif not name.endswith("clusters"):
            write_blocks(file, header, {**arrays, name: array.astype(np.float32)})
            refused(file)
            if name.endswith(UNSORTED):
                continue
            write_blocks(file, header, {**arrays, name: array[::-1].copy()})
            assert "not in order" in refused(file)
    write_blocks(file, header, {**arrays, "network/vocabulary/clusters": np.frombuffer(b"no clusters", np.uint8)})
    refused(file)
    write_blocks(file, header, {**arrays, "network/vocabulary/clusters": np.frombuffer(b"\xff\xfe", np.uint8)})
    refused(file)


def change(*path: str, to: Any) -> Callable[[Header], None]:
    def apply(header: Header) -> None:
        for key in path[:-1]:
            header = header[key]
        header[path[-1]] = to

    return apply


NETWORK = {
    "an unknown encoder": change("network", "config", "encoder", to="transformer"),
    "another encoder": change("network", "config", "encoder", to="convolution"),
    "an unknown precision": change("network", "config", "precision", to="float8"),
    "an unknown setting": change("network", "config", "colour", to="red"),
    "a size of zero": change("network", "config", "units", to=0),
    "a size that is text": change("network", "config", "units", to="many"),
    "other sizes": change("network", "config", "units", to=9),
    "sizes out of this world": change("network", "config", "units", to=2**40),
    "more layers": change("network", "config", "layers", to=3),
    "other labels": change("network", "labels", to=4),
    "labels below zero": change("network", "labels", to=-1),
    "labels that are none": change("network", "labels", to="three"),
    "fewer label names": change("labels", to=["nsubj"]),
    "no parts": change("network", "parts", to=[]),
    "unknown parts": change("network", "parts", to=["sibling", "cousin"]),
    "parts that are a number": change("network", "parts", to=3),
    "parts that networks do not have": change("config", "order", to=3),
    "more fields for words": change("network", "vocabulary", "words", to=99),
    "no fields for words": change("network", "vocabulary", "words", to=0),
    "unknown fields": change("network", "vocabulary", "fields", to=["colour"] * 11),
    "fields that are numbers": change("network", "vocabulary", "fields", to=[1, 2]),
    "fewer fields": change("network", "vocabulary", "fields", to=["lower"]),
    "fewer classes": change("network", "vocabulary", "classes", "upos", to=["NOUN"]),
    "no classes": change("network", "vocabulary", "classes", "upos", to=[]),
    "unknown tasks": change("network", "vocabulary", "classes", "colour", to=["red", "green"]),
    "classes that are a list": change("network", "vocabulary", "classes", to=["NOUN"]),
    "lemma rules that are none": change("network", "vocabulary", "classes", "lemma", to=["?"]),
    "a linear scorer's settings": change("config", "scorer", to="linear"),
    "an unknown scorer": change("config", "scorer", to="oracle"),
    "labels of whole trees": change("tables", to={"tree_labels": {}}),
    "a temperature that is none": change("temperature", to="warm"),
    "no vocabulary": change("network", "vocabulary", to=None),
    "no network": change("network", to=None),
    "a network that is a list": change("network", to=[]),
}


@pytest.mark.parametrize("break_it", NETWORK.values(), ids=NETWORK.keys())
def test_headers_that_do_not_fit(break_it: Callable[[Header], None], model: ParserModel, tmp_path: Path) -> None:
    header, arrays = blocks(model)
    break_it(header)
    write_blocks(tmp_path / "m.accord", header, arrays)
    assert "Error" not in refused(tmp_path / "m.accord")


def test_a_neural_scorer_without_its_network(model: ParserModel, tmp_path: Path) -> None:
    header, arrays = blocks(model)
    del header["network"]
    write_blocks(tmp_path / "m.accord", header, arrays)
    assert "without a network" in refused(tmp_path / "m.accord")


def test_unknown_precision_is_one_error(model: ParserModel) -> None:
    with pytest.raises(ConfigError, match="expected one of float32, int8"):
        Parser(model, precision="float8")


def test_the_command_line_says_it_in_one_line(model: ParserModel, tmp_path: Path) -> None:
    header, arrays = blocks(model)
    file = tmp_path / "m.accord"
    model.save(file)
    whole = file.read_bytes()
    name = f"{WEIGHTS}root"
    write_blocks(tmp_path / "nan.accord", header, {**arrays, name: arrays[name] * np.float16(np.nan)})
    write_blocks(tmp_path / "absent.accord", header, {key: array for key, array in arrays.items() if key != name})
    change("config", "scorer", to="linear")(header)
    write_blocks(tmp_path / "linear.accord", header, arrays)
    (tmp_path / "short.accord").write_bytes(whole[: len(whole) // 2])
    text = some_words(1, 4).to_conllu().encode()
    for broken in ("nan", "absent", "linear", "short"):
        done = accord("parse", "--model", str(tmp_path / f"{broken}.accord"), stdin=text)
        message = done.stderr.decode()
        assert done.returncode == 1 and done.stdout == b""
        assert len(message.strip().splitlines()) == 1 and message.startswith("accord: ") and "Traceback" not in message


def test_the_command_line_parses_and_tells_about_the_model(model: ParserModel, tmp_path: Path) -> None:
    file = tmp_path / "m.accord"
    model.save(file)
    text = some_words(1, 6).to_conllu() + some_words(2, 3).to_conllu()
    expected = Parser(model).parse(Document.from_conllu(text))
    done = accord("parse", "--model", str(file), "--tags", "keep", stdin=text.encode())
    assert done.returncode == 0 and b"does not read tags" in done.stderr
    assert done.stdout == expected.to_bytes()
    sure = accord(
        "parse", "--model", str(file), "--probabilities", "--constraint", "max-dependents 1", stdin=text.encode()
    )
    assert sure.returncode == 0 and sure.stdout.count(b"# accord_marginals = estimate") == 2
    ruled = accord("parse", "--model", str(file), "--constraint", "max-dependents 1", stdin=text.encode())
    for sentence in Document.from_conllu(ruled.stdout).sentences:
        assert np.bincount([head for head in sentence.heads if head]).max(initial=0) <= 1
    about = accord("info", str(file))
    assert about.returncode == 0 and b"neural" in about.stdout and b"scorer" in about.stdout
    header = json.loads(accord("info", str(file), "--json").stdout)
    assert header["network"]["config"]["units"] == 8 and header["config"]["scorer"] == "neural"


def test_a_lemma_rule_of_two_lines_is_refused_in_one(model: ParserModel, tmp_path: Path) -> None:
    header, arrays = blocks(model)
    header["network"]["vocabulary"]["classes"]["lemma"][0] = "a\nb"
    write_blocks(tmp_path / "m.accord", header, arrays)
    assert "not a lemma rule" in refused(tmp_path / "m.accord")
