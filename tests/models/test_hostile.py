# SPDX-License-Identifier: Apache-2.0
"""A model file may come from a stranger: every mutation is refused with a ModelError, or the model answers.

The cases are those of ``python -m tools.fuzz models``, which runs as many as one likes, in processes of their own.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord._core.tasks import derive_lemma_rule
from accord._core.text import checksum
from accord.errors import AccordError, ModelError
from accord.models.file import ModelFile, block_kind
from accord.models.stored import open_worker
from accord.models.writing import write_blocks, write_model
from accord.tasks import registry
from accord.tasks.lemmatizer import lemma_rule
from tests.tasks.contract import Trained, trained
from tests.tasks.parser.neural_cases import random_model
from tools.fuzz.model_files import Parts, mutated

CASES = int(os.environ.get("ACCORD_EXAMPLES", "60"))


@pytest.fixture(scope="module", params=[row.name for row in registry.rows()])
def one(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    return trained(registry.task(request.param), tmp_path_factory.mktemp(request.param))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # weights of any size overflow in numpy, which only warns
def test_mutated_models_are_refused_or_answer(one: Trained) -> None:
    good, path = one.folder / "good.accord", one.folder / "case.accord"
    one.model.save(good)
    parts = Parts.of(str(good))
    refused = 0
    for case in range(CASES):
        path.write_bytes(mutated(parts, random.Random(case)))
        try:
            worker = open_worker(one.task.worker, one.task.model, path)
        except ModelError as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)
            refused += 1
            continue
        try:
            one.example.predict(worker, one.example.inputs, 1)
        except AccordError as error:
            assert "\n" not in str(error)
    assert refused > CASES // 4


def test_a_good_model_passes_unchanged(one: Trained) -> None:
    good, path = one.folder / "good.accord", one.folder / "again.accord"
    one.model.save(good)
    path.write_bytes(Parts.of(str(good)).to_bytes())
    assert {name: array.tobytes() for name, array in ModelFile(path).arrays.items()} == {
        name: array.tobytes() for name, array in ModelFile(good).arrays.items()
    }


def small(tmp_path: Path) -> tuple[Path, Parts]:
    path = tmp_path / "small.accord"
    write_model(path, {"kind": "x"}, {"first": np.arange(20, dtype=np.int16), "second": np.zeros((3, 4), np.float32)})
    return path, Parts.of(str(path))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("offset", value) for value in (1, 7, 8, -64, 64, 2**31, 2**63, 0.0, True, None, "0")),
        *(("shape", value) for value in ([-1], [2**62, 4], [20.0], [True], None, "20", [[20]], {})),
        *(("dtype", value) for value in ("O", "", None, ["int16"], "int17", "V2")),
        *(("name", value) for value in (None, 3, ["first"], "second")),
    ],
)
def test_blocks_that_are_described_wrongly(key: str, value: Any, tmp_path: Path) -> None:
    path, parts = small(tmp_path)
    parts.blocks[0][key] = value
    path.write_bytes(parts.to_bytes())
    with pytest.raises(ModelError, match=r"small\.accord: "):
        ModelFile(path)


@pytest.mark.parametrize(
    "header", ["[1]", "3", '{"blocks": 3}', '{"blocks": [3]}', "{", '{"x": NaN, "blocks": []}', "[" * 99_999]
)
def test_headers_that_are_none(header: str, tmp_path: Path) -> None:
    path, parts = small(tmp_path)
    whole = parts.to_bytes()
    text = header.encode()

    path.write_bytes(
        whole[:12]
        + len(text).to_bytes(4, "little")
        + checksum(np.frombuffer(text, np.uint8)).to_bytes(8, "little")
        + text
    )
    with pytest.raises(ModelError, match=r"small\.accord: "):
        ModelFile(path)


def test_what_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    wrong = {
        "network/weights/root": np.array([np.nan], np.float32),
        "network/weights/input.0.scales": np.array([1.0]),
        "chain/mask.follow": np.zeros((2, 2, 2), np.uint8),
        "chain/words": np.zeros(3, np.int8),
        "analyses/keys": np.zeros(3, np.int64),
        "state.fingerprints": np.zeros(3, np.uint64),
    }
    for name, array in wrong.items():
        with pytest.raises(ModelError, match=block_kind(name).title):
            write_model(tmp_path / "x.accord", {}, {name: array})
        assert not (tmp_path / "x.accord").exists()
        write_blocks(tmp_path / "y.accord", {}, {name: array})
        with pytest.raises(ModelError, match=block_kind(name).title):
            ModelFile(tmp_path / "y.accord")


def test_headers_of_parts_keep_their_types(one: Trained) -> None:
    """Labels that are no names would fail only when an answer is written."""
    header = json.loads(json.dumps(one.model.to_blocks()[0]))
    labels = [place for place in _lists_called(header, "labels") if place]
    for place in labels:
        for odd in ("a\tb", "", 3, None, "\ud800", "a\nb", place[0]):
            kept, place[-1] = place[-1], odd
            if len(place) == 1 and odd == kept:
                continue
            with pytest.raises(ModelError):
                one.task.model.from_blocks(header, one.model.to_blocks()[1], "x.accord")
            place[-1] = kept


_NAMES = ("labels", "phrases", "helpers", "chains", "upos", "xpos", "feats", "lemma", "analyses")


def test_names_that_would_break_a_line_are_refused(one: Trained) -> None:
    _names_are_checked(one.model)


@pytest.mark.parametrize("tags", ["predict", "given"])
def test_names_of_networks_that_would_break_a_line_are_refused(tags: str) -> None:
    assert _names_are_checked(random_model(1, {"tags": tags})) > (0 if tags == "given" else 20)


def _names_are_checked(model: Any) -> int:
    """Every name in lists of names, with a tab, a line end or a half of a character behind it; how many there are."""
    blocks, arrays = model.to_blocks()
    header = json.loads(json.dumps(blocks))
    count = 0
    for place in (found for name in _NAMES for found in _lists_called(header, name)):
        for number, kept in enumerate(place):
            for odd in ("\t", "\n", "\r", "\ud800"):
                place[number] = kept + odd if isinstance(kept, str) else odd
                with pytest.raises(ModelError):
                    type(model).from_blocks(header, arrays, "x.accord")
            place[number] = kept
            count += 1
    type(model).from_blocks(header, arrays, "x.accord")
    return count


@pytest.mark.parametrize("rule", ["word/a\tb", "word/a\\nb", "lower/0/\r/0/", "keep/0//1/x\\\nb", "none"])
def test_rules_of_lemmas_that_would_break_a_line_are_refused(rule: str) -> None:
    with pytest.raises(ValueError, match="rule"):
        lemma_rule(rule)


def test_rules_of_lemmas_with_backslashes_are_rules() -> None:
    for form, lemma in (("a", "a\\n"), ("a/b", "\\"), ("x", "\\t"), ("n", "n n")):
        rule = derive_lemma_rule(form, lemma)
        assert lemma_rule(rule) == rule


def _lists_called(node: Any, name: str) -> list[list[Any]]:
    if isinstance(node, list):
        return [found for each in node for found in _lists_called(each, name)]
    if not isinstance(node, dict):
        return []
    own = [node[name]] if isinstance(node.get(name), list) else []
    return own + [found for each in node.values() for found in _lists_called(each, name)]


def test_an_unknown_scheme_of_labels_is_refused(tmp_path: Path) -> None:
    model = trained(registry.task("spans"), tmp_path).model
    header, arrays = model.to_blocks()
    write_blocks(tmp_path / "other.accord", {**header, "scheme": "x"}, arrays)
    with pytest.raises(ModelError, match="'x' where one of BIO, IOB1, BIOES, BMES, BMEWO belongs"):
        type(model).load(tmp_path / "other.accord")
