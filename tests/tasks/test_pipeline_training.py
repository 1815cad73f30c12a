# SPDX-License-Identifier: Apache-2.0
"""Training of pipelines: what each step is trained on."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from accord.settings import make_settings
from accord.tasks.examples import tiny_treebank
from accord.tasks.parser import Parser, ParserConfig, ParserModel
from accord.tasks.parser.both import joined
from accord.tasks.parser.tagging import NetworkTagger
from accord.tasks.parser.temperature import fit_temperature
from accord.tasks.parser.training import train_parser
from accord.tasks.pipeline import Pipeline, PipelineModel
from accord.tasks.pipeline.training import StepConfigs, train_pipeline
from accord.tasks.tagger import jackknife
from tests.tasks.parser.neural_cases import SMALL, random_network


def test_the_linear_half_of_both_scorers_learns_from_tags_of_taggers_that_did_not_see_them(tmp_path: Path) -> None:
    """The network of the sum tags: linear features see its mistakes, not the tags of the treebank."""
    known, more = tiny_treebank(30), tiny_treebank(8, 30)
    tags = ["X" if place % 7 == 0 else tag for place, tag in enumerate(known.column("upos"))]
    known = known.replace(upos=tags)  # which no tagger can know
    small = {"labels": "joint", "order": 1, "arc_bits": 12, "label_bits": 8, "epochs": 2, "threads": 1}
    config = make_settings(ParserConfig, {**small, "scorer": "neural", "neural": {**SMALL, "tags": "predict"}})
    labels = tuple(sorted(set(known.column("deprel"))))
    network = random_network(config.neural, known, labels=len(labels))
    neural = ParserModel(config, True, labels, "", {}, network=network)
    neural.save(tmp_path / "n.accord")
    half = {"scorer": "both", "both.neural": str(tmp_path / "n.accord"), "both.weight": "0.5", "both.label_factor": "1"}
    own = {f"parser.{name}": value for name, value in {**small, **half}.items()}
    configs = StepConfigs.read({**own, "parser.neural.tags": "predict", "steps": "tag,parse", "folds": 3})
    model = train_pipeline([known], more, configs).model
    assert model.tagger is None and isinstance(Pipeline(model).tagger, NetworkTagger)

    seen = jackknife(known, configs.tagger, 3)
    assert seen.column("upos") != known.column("upos")
    linear_config = dataclasses.replace(configs.parser, scorer="linear")
    linear = train_parser(seen, NetworkTagger(Parser(neural))(more), linear_config).model
    expected = fit_temperature(joined(linear, neural, 0.5, 1.0), NetworkTagger(Parser(neural))(more), threads=1)
    assert model.parser is not None
    answers = [Pipeline(PipelineModel(parser=one)).parse(more, tags="predict", probabilities=True).to_bytes()
               for one in (model.parser, expected)]  # fmt: skip
    assert answers[0] == answers[1]
