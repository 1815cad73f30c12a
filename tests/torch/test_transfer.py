# SPDX-License-Identifier: Apache-2.0
"""Training that begins with the weights of another network."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from accord import Document, Parser, Sentence
from accord.errors import ConfigError
from accord.settings import make_settings
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig
from accord.tasks.examples import tiny_constituents
from accord.tasks.parser import ParserConfig
from accord.torch.export import named_parameters
from accord.torch.span_task import NeuralConstituentsTask
from accord.torch.task import NeuralTask
from tests.tasks.parser.neural_cases import SMALL, random_model, some_words, treebank
from tests.tasks.parser.test_both_scorers import pair


def config(start: Path) -> ParserConfig:
    return make_settings(
        ParserConfig, {"scorer": "neural", "threads": 1, "neural": {**SMALL, "start": str(start), "storage": "float32"}}
    )


def test_a_network_that_knows_the_same_comes_back(tmp_path: Path) -> None:
    known = treebank()
    first = NeuralTask(known, None, make_settings(ParserConfig, {"scorer": "neural", "neural": SMALL}))
    first.snapshot().save(tmp_path / "first.accord")
    second = NeuralTask(known, None, config(tmp_path / "first.accord"))
    assert second.started == pytest.approx(1.0)
    text = Document.from_sentences([some_words(seed, 6) for seed in range(4)])
    one, other = Parser(first.snapshot()), Parser(second.snapshot())
    np.testing.assert_allclose(
        one.arc_scores(text.sentences[0]), other.arc_scores(text.sentences[0]), atol=1e-2
    )  # the file holds halves


def test_words_tags_and_labels_find_their_rows(tmp_path: Path) -> None:
    model = random_model(4, {"storage": "float32"})
    model.save(tmp_path / "m.accord")
    more = Document.from_sentences([*treebank().sentences, *some_extra()])
    task = NeuralTask(more, None, config(tmp_path / "m.accord"))
    assert 0.5 < task.started < 1.0 and model.network is not None
    arrays = task.snapshot().network
    assert arrays is not None
    own, other = arrays.vocabulary, model.network.vocabulary
    for index, field in enumerate(own.fields):
        theirs = next((i for i, found in enumerate(other.fields) if found.name == field.name), None)
        if theirs is None:
            continue
        shared = np.intersect1d(field.keys, other.fields[theirs].keys)
        mine = arrays.weights[f"input.{index}"][np.searchsorted(field.keys, shared) + 1]
        rows = model.network.weights[f"input.{theirs}"][np.searchsorted(other.fields[theirs].keys, shared) + 1]
        np.testing.assert_array_equal(mine, rows)
        assert len(shared) > 0
    upos = own.classes["upos"]
    rows = [other.classes["upos"].index(name) for name in upos if name in other.classes["upos"]]
    kept = [number for number, name in enumerate(upos) if name in other.classes["upos"]]
    np.testing.assert_array_equal(arrays.weights["class.upos"][kept], model.network.weights["class.upos"][rows])


def some_extra() -> list[Sentence]:
    sentence = treebank().sentences[0]
    words = [dataclasses.replace(word, form=f"new{place}", upos="X") for place, word in enumerate(sentence.words)]
    return [dataclasses.replace(sentence, words=tuple(words))] * 2


def test_a_linear_parser_is_no_start(tmp_path: Path) -> None:
    linear, _ = pair(1)
    linear.save(tmp_path / "l.accord")
    with pytest.raises(ConfigError, match="has no network"):
        NeuralTask(treebank(), None, config(tmp_path / "l.accord"))


def phrase_config(start: Path | str, **values: object) -> ConstituentsConfig:
    network = {**SMALL, "start": str(start), "storage": "float32", **values}
    return make_settings(ConstituentsConfig, {"scorer": "neural", "threads": 1, "least_count": 1, "neural": network})


def test_a_parser_of_phrases_begins_with_another(tmp_path: Path) -> None:
    known = tiny_constituents(20)
    first = NeuralConstituentsTask(known, None, phrase_config(""))
    with torch.no_grad():
        for parameter in first.trainer.parameters:
            parameter.normal_(generator=torch.Generator().manual_seed(5))
    first.trainer.mean = [parameter.detach().clone() for parameter in first.trainer.parameters]
    model = first.snapshot()
    model.save(tmp_path / "first.accord")
    second = NeuralConstituentsTask(known, None, phrase_config(tmp_path / "first.accord"))
    assert second.started == pytest.approx(1.0)
    one, other = ConstituencyParser(model), ConstituencyParser(second.snapshot())
    np.testing.assert_allclose(one.spans(known.sentences[0]).scores, other.spans(known.sentences[0]).scores, rtol=1e-4)


def test_inputs_that_only_one_network_has_stand_behind_the_others(tmp_path: Path) -> None:
    known = tiny_constituents(20)
    first = NeuralConstituentsTask(known, None, phrase_config(""))
    first.snapshot().save(tmp_path / "first.accord")
    given = NeuralConstituentsTask(known, None, phrase_config(tmp_path / "first.accord", tags="given"))
    own, other = (dict(named_parameters(task.trainer.network)) for task in (given, first))
    name = "encoder.0.forward.input"
    columns = other[name].shape[1]
    assert own[name].shape[1] > columns and 0.3 < given.started < 1.0
    torch.testing.assert_close(own[name][:, :columns], other[name])
    wide = phrase_config(tmp_path / "first.accord", word_size=13)
    assert NeuralConstituentsTask(known, None, wide).started < given.started


def test_scorers_of_arcs_are_none_of_phrases(tmp_path: Path) -> None:
    parser = random_model(4, {"storage": "float32"})
    parser.save(tmp_path / "p.accord")
    begun = NeuralConstituentsTask(tiny_constituents(20), None, phrase_config(tmp_path / "p.accord"))
    arrays, theirs = begun.snapshot().network.weights, parser.network.weights
    np.testing.assert_array_equal(arrays["encoder.0.forward.recurrent"], theirs["encoder.0.forward.recurrent"])
    assert not np.array_equal(arrays["arc_head"], theirs["arc_head"])


def test_a_network_with_given_vectors_begins_with_one_without(tmp_path: Path) -> None:
    known = treebank()
    words = sorted({form.lower() for form in known.column("form")} | {"elsewhere", "nowhere"})
    lines = [f"{word} {place % 3 - 1} {place % 5} 1" for place, word in enumerate(words)]
    (tmp_path / "vectors.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    first = NeuralTask(known, None, make_settings(ParserConfig, {"scorer": "neural", "neural": SMALL}))
    first.snapshot().save(tmp_path / "first.accord")
    network = {**SMALL, "start": str(tmp_path / "first.accord"), "keep_vocabulary": True, "storage": "float32"}
    settings = {"scorer": "neural", "threads": 1, "neural": {**network, "vectors": str(tmp_path / "vectors.txt")}}
    second = NeuralTask(known, None, make_settings(ParserConfig, settings))
    given, before = second.trainer.network.given, first.trainer.vocabulary
    assert given is not None and 0.5 < second.started < 1.0
    assert second.trainer.vocabulary.words == before.words + 1
    assert len(second.trainer.vocabulary.fields[before.words].keys) == len(words)

    # What both have is copied, so that without the map of the vectors the scores are those of the first network.
    with torch.no_grad():
        given.map.zero_()
    second.trainer.mean = [parameter.detach().clone() for parameter in second.trainer.parameters]
    sentence = known.sentences[0]
    np.testing.assert_allclose(
        Parser(second.snapshot()).arc_scores(sentence), Parser(first.snapshot()).arc_scores(sentence), atol=1e-2
    )

    # A third network takes the mapped vectors as words that it learns, in the places where they stood.
    second.update(np.arange(len(second)))
    second.snapshot().save(tmp_path / "second.accord")
    again = {**network, "start": str(tmp_path / "second.accord")}
    third = NeuralTask(known, None, make_settings(ParserConfig, {"scorer": "neural", "threads": 1, "neural": again}))
    assert third.started == pytest.approx(1.0) and third.trainer.network.given is None
    np.testing.assert_allclose(
        Parser(third.snapshot()).arc_scores(sentence), Parser(second.snapshot()).arc_scores(sentence), atol=1e-6
    )
