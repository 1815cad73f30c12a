# SPDX-License-Identifier: Apache-2.0
"""Settings in the header of a model file may be as small or as large as they are allowed to be: the model answers, or
there is one line. Nothing overflows, and nothing takes a time that a setting asks for."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accord.errors import AccordError, ConfigError, ModelError
from accord.models.stored import open_worker
from accord.tasks import registry
from accord.tasks.compressor.language_model import LanguageModel
from accord.tasks.compressor.model import CompressorModel
from accord.tasks.summarizer import Summarizer, SummarizerConfig
from tests.tasks.contract import trained
from tools.fuzz import task_variants
from tools.fuzz.model_cases import packaged_once
from tools.fuzz.model_files import Parts

_WHOLE = (0, 2**31 - 1)
_NUMBERS = (0.0, 20.0, 1e12)
_NAMES = [
    *(row.name for row in registry.rows()),
    *("spines", "segments", "compressor-rerank", "compressor-status", "summaries-of-relevance", "mistakes"),
]


def _settings(node: Any, inside: bool = False) -> Iterator[tuple[dict[str, Any], str]]:
    """Every number that is a setting: the table that it stands in, and its name."""
    for name, value in node.items():
        if isinstance(value, dict):
            yield from _settings(value, inside or name == "config")
        elif inside and isinstance(value, (int, float)) and not isinstance(value, bool):
            yield node, name


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # weights of any size overflow in numpy, which only warns
@pytest.mark.parametrize("name", _NAMES)
def test_settings_of_any_size_are_refused_or_answer(name: str, tmp_path: Path) -> None:
    path = tmp_path / "case.accord"
    if name in task_variants.NAMES:
        task, example = task_variants.trained_variant(name, path)
    else:
        one = trained(registry.task(name), tmp_path)
        task, example = one.task, one.example
        one.model.save(path)
    parts = Parts.of(str(path))
    answered = 0
    with packaged_once():
        for table, setting in _settings(parts.header):
            kept = table[setting]
            for value in _WHOLE if isinstance(kept, int) else _NUMBERS:
                table[setting] = value
                path.write_bytes(copy.deepcopy(parts).to_bytes())
                try:
                    example.predict(open_worker(task.worker, task.model, path), example.inputs[:1], 1)
                    answered += 1
                except AccordError as error:
                    assert "\n" not in str(error)
            table[setting] = kept
    assert answered


def test_rare_concepts_do_not_take_as_long_as_the_setting_is_large() -> None:
    """More documents than there are: as many as the most frequent concept has."""
    texts = ["The dog barks loudly at night.", "The dog barks again and again.", "A cat sleeps on the mat."]
    found = Summarizer(SummarizerConfig(words=6, least_count=2**31 - 1))(texts)
    assert found.text == Summarizer(SummarizerConfig(words=6, least_count=3))(texts).text != ""
    with pytest.raises(ConfigError, match="exponent"):
        SummarizerConfig(exponent=1e9)


@pytest.mark.parametrize("text", ["1\ta\tb", "x\ta\tb\tc", "0\ta\tb\tc", "-1\ta\tb\tc", f"{'9' * 5000}\ta\tb\tc"])
def test_language_models_are_trigrams_with_counts(text: str) -> None:
    with pytest.raises(ValueError, match="trigram"):
        LanguageModel.from_text(text)


def test_compressors_of_other_numbers_or_without_their_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "chain.accord"
    task, _ = task_variants.trained_variant("compressor-crf", path)
    parts = Parts.of(str(path))
    for bonus in ("nan", "1", float("inf"), 1e300, None, []):
        changed = parts.copy()
        changed.header["length_bonus"] = bonus
        path.write_bytes(changed.to_bytes())
        with pytest.raises(ModelError):
            CompressorModel.load(path)
    del parts.header["parts"]["chain"]["tables"]["pair"]
    path.write_bytes(parts.to_bytes())
    with pytest.raises(ModelError, match="no table 'pair'"):
        open_worker(task.worker, task.model, path)
