# SPDX-License-Identifier: Apache-2.0
"""Training runs that choose features, in chains and in trees."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError
from accord.learning import SILENT, Checkpoint
from accord.tasks.examples import tiny_treebank
from accord.tasks.labeller import Labeller, LabellerConfig, LabellerModel, Problem, number_labels, train_labeller
from accord.tasks.labeller.online import LabellerTask
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.training import train_parser
from accord.tasks.sparsity.config import SparsityConfig
from accord.tasks.sparsity.groups import finer
from accord.tasks.sparsity.selection import Selection, select_features

TEMPLATES = "[state]\nbias\n" + "".join(
    f"{unit}\n"
    for unit in (
        "here.form",
        "here-1.form",
        "here+1.form",
        "here.suffix1",
        "here.suffix2",
        "here.shape",
        "here-1.shape here.shape",
        "here-1.suffix2 here.form",
        "here-1.form here.form",
        "here.length",
        "here+2.form",
        "here-9.form",
    )
)
PAIRS = "[pair]\nbias\n"


@pytest.fixture(scope="module")
def document() -> Document:
    return tiny_treebank(60)


@pytest.fixture(scope="module")
def problem(document: Document) -> Problem:
    labels, numbers = number_labels(document.column("upos"))
    return Problem(_text.DocumentSequences(document.native), numbers, labels, templates=TEMPLATES + PAIRS)


def config(method: str = "mira", **sparsity: object) -> LabellerConfig:
    chosen = SparsityConfig(**{"groups": "templates", "budget": 3, "interval": 10, **sparsity})  # type: ignore[arg-type]
    return LabellerConfig(method=method, step="sgd", rate=1.0, epochs=4, l2=0.0, threads=1, sparsity=chosen)


def choose(problem: Problem, settings: LabellerConfig) -> Selection:
    task = dataclasses.replace(settings, method=settings.sparsity.loss, table="dictionary", bits=8)
    return LabellerTask(problem, task, None).choose(SILENT)


def lines(templates: str, section: str) -> list[str]:
    inside, found = False, []
    for line in templates.splitlines():
        if line.startswith("["):
            inside = line == f"[{section}]"
        elif inside and line and line != "bias":
            found.append(line)
    return found


def features(model: LabellerModel) -> int:
    return sum(int(np.count_nonzero(table.values)) for table in model.tables.values())


@pytest.mark.parametrize("groups", ["templates", "kinds", "coarse_to_fine"])
@pytest.mark.parametrize("budget", [1, 3, 6])
def test_no_more_templates_than_the_budget_are_left(problem: Problem, groups: str, budget: int) -> None:
    selection = choose(problem, config(groups=groups, budget=budget))
    left = lines(selection.templates, "state")
    assert 1 <= len(left) == selection.chosen <= budget
    assert selection.of == 12
    assert all(after <= before and alive <= budget for before, after, alive in selection.history)
    assert "bias" in selection.templates.split()


def test_finer_templates_stay_only_where_all_coarser_ones_do(problem: Problem) -> None:
    texts = lines(TEMPLATES, "state")
    for budget in range(2, 9):
        left = set(lines(choose(problem, config(groups="coarse_to_fine", budget=budget)).templates, "state"))
        for fine in left:
            assert {coarse for coarse in texts if finer(fine, coarse)} <= left


def test_the_first_step_size_changes_nothing_for_a_perceptron_with_a_budget(problem: Problem) -> None:
    runs = []
    for rate in (1.0, 0.125, 1024.0):
        settings = dataclasses.replace(config(rate=rate), method="perceptron", table="dictionary", bits=8)
        task = LabellerTask(problem, settings, None)
        answers: list[tuple[float, ...]] = []
        original = task._native.update

        def update(
            order: np.ndarray, original: object = original, answers: list[tuple[float, ...]] = answers
        ) -> object:
            _, mistakes, updates = report = original(order)  # type: ignore[operator]
            answers.append((mistakes, updates))
            return report

        selection = _choose_with(task, update)
        runs.append((answers, selection.templates, selection.history))
    assert runs[0] == runs[1] == runs[2]
    assert sum(mistakes for mistakes, _ in runs[0][0]) > 10


def _choose_with(task: LabellerTask, update: object) -> Selection:
    return select_features(
        task._native,
        update,  # type: ignore[arg-type]
        task._prepared.templates,
        task.config.sparsity,
        len(task),
        tables=2,
        seed=1,
    )


@pytest.mark.parametrize("method", ["mira", "crf", "lbfgs", "m3n"])
def test_the_model_holds_only_templates_that_were_chosen_and_still_works(
    problem: Problem, document: Document, method: str, tmp_path: Path
) -> None:
    everything = train_labeller(problem, dataclasses.replace(config(method), sparsity=SparsityConfig())).model
    chosen = train_labeller(problem, config(method)).model
    assert 1 <= len(lines(chosen.templates, "state")) <= 3
    assert features(chosen) < features(everything)
    chosen.save(tmp_path / "m.accord")
    labeller = Labeller(LabellerModel.load(tmp_path / "m.accord"))
    found = labeller.names(labeller.label(labeller.words(document)).numbers)
    right = sum(a == b for a, b in zip(found, document.column("upos"), strict=True))
    assert right / len(found) > 0.95


@pytest.mark.parametrize("groups", ["features", "labels"])
def test_single_features_that_were_dropped_never_learn(problem: Problem, groups: str) -> None:
    settings = config(groups=groups, budget=20)
    selection = choose(problem, settings)
    keys, columns = selection.features[0]
    allowed = 20 if groups == "features" else 20 * len(problem.labels)
    assert 0 < len(keys) == len(columns) <= allowed
    model = train_labeller(problem, settings).model
    assert np.count_nonzero(model.tables["state"].values) <= len(keys)


def test_a_stronger_lasso_leaves_fewer_features(problem: Problem) -> None:
    counts = [
        len(choose(problem, config(groups="features", budget=0, strength=power, loss="crf", rate=0.1)).features[0][0])
        for power in (0.5, 5.0, 50.0)
    ]
    assert counts[0] > counts[1] > counts[2] > 0


def test_sparse_groups_drop_features_inside_the_templates_that_stay(problem: Problem) -> None:
    dense = choose(problem, config(budget=4))
    sparse = choose(problem, config(budget=4, lasso=5.0))
    assert sparse.chosen <= 4
    assert 0 < len(sparse.features[0][0]) < dense.history[-1][1]


def test_templates_of_many_features_stay_where_size_does_not_count(problem: Problem) -> None:
    def kept(power: float) -> int:
        settings = config(budget=4, interval=40, size_power=power)
        selection = choose(problem, settings)
        assert selection.chosen <= 4
        return selection.history[-1][1]

    assert kept(0.0) > kept(1.0)


def test_a_lasso_may_choose_templates_whose_features_all_learn(problem: Problem) -> None:
    light = config(budget=4, lasso=0.5, refit="templates")
    selection = choose(problem, light)
    assert len(lines(selection.templates, "state")) == selection.chosen <= 4
    assert selection.features == ()
    single = train_labeller(problem, config(budget=4, lasso=0.5)).model
    assert features(train_labeller(problem, light).model) > features(single)


def test_rare_values_are_left_out_of_the_second_run_only(problem: Problem) -> None:
    every = config(budget=4)
    rare = dataclasses.replace(every, least_count=30)
    models = [train_labeller(problem, settings).model for settings in (every, rare)]
    assert models[0].templates == models[1].templates
    assert 0 < features(models[1]) < features(models[0])


def test_resumed_training_gives_the_same_model(problem: Problem, tmp_path: Path) -> None:
    settings = config(groups="features", budget=30)
    whole = train_labeller(problem, settings).model
    for epochs in (2, 4):
        checkpoint = Checkpoint.beside(
            tmp_path / "m.accord", "labeller", settings, resume=epochs == 4, free=("epochs",)
        )
        part = train_labeller(problem, dataclasses.replace(settings, epochs=epochs), checkpoint=checkpoint)
    for name, table in whole.tables.items():
        assert part.model.tables[name].values.tobytes() == table.values.tobytes()


@pytest.mark.parametrize(
    ("sparsity", "words"),
    [
        ({"budget": 0}, "sparsity.budget or sparsity.strength"),
        ({"groups": "labels", "lasso": 1.0}, "groups of templates"),
        ({"budget": 0, "strength": 1e9}, "no template is left"),
    ],
)
def test_settings_that_make_no_sense_are_one_line(problem: Problem, sparsity: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        train_labeller(problem, config(**sparsity))


@pytest.mark.parametrize("method", ["lbfgs", "m3n"])
def test_methods_over_all_features_at_once_take_whole_templates(problem: Problem, method: str) -> None:
    with pytest.raises(ConfigError, match="choose templates"):
        train_labeller(problem, config(method, groups="features"))


@pytest.mark.parametrize("order", [1, 2])
def test_parsers_choose_templates_of_all_their_parts(document: Document, order: int, tmp_path: Path) -> None:
    chosen = SparsityConfig(groups="templates", budget=40, interval=20)
    settings = ParserConfig(
        order=order, epochs=2, pruner_threshold=0.0, threads=1, tree_labels="false", sparsity=chosen
    )
    model = train_parser(document, None, settings).model
    sections = ("arc", "label", *(("sibling", "grandparent") if order == 2 else ()))
    left = [line for section in sections for line in lines(model.templates, section) if "." in line]
    assert 1 <= len(left) <= 40
    model.save(tmp_path / "m.accord")
    heads = Parser.load(tmp_path / "m.accord").trees(document).heads
    right = np.mean(np.asarray(heads) == np.asarray(document.column("head"), dtype=np.int32))
    assert right > 0.9


def test_networks_have_no_features_to_choose_from(document: Document) -> None:
    with pytest.raises(ConfigError, match="network"):
        train_parser(
            document, None, ParserConfig(scorer="neural", sparsity=SparsityConfig(groups="templates", budget=3))
        )
