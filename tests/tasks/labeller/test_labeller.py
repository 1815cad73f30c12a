# SPDX-License-Identifier: Apache-2.0
"""The sequence labeller: gradients by finite differences, learners on a toy language, known labels, k best, files."""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path

import numpy as np
import pytest

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document, Sentence
from accord.errors import ConfigError, FormatError, ModelError
from accord.learning import Checkpoint, TrainingResult
from accord.models.file import ModelFile
from accord.models.writing import write_model
from accord.settings import make_settings
from accord.tasks.labeller import (
    Labeller,
    LabellerConfig,
    LabellerModel,
    Masks,
    Problem,
    fit_temperature,
    number_labels,
    train_labeller,
)
from accord.tasks.labeller.costs import read_costs
from accord.tasks.labeller.model_file import native_settings

TEMPLATES = "[state]\nbias\nhere.form\nhere-1.form\nhere.suffix1\n[pair]\nbias\nhere.form\n[triple]\nbias\n"
LAYERS = (
    "[segment]\nhere.form\n[tag]\nhere.form\nhere+1.form\n[joint]\nbias\nhere.suffix1\n[segment_pair]\nhere.form\n"
    "[tag_pair]\nhere.suffix1\n[segment_clique]\nbias\n[tag_clique]\nbias\n"
)
WORDS = [["a", "dog", "runs"], ["the", "dogs", "run"], ["a", "run"], ["dogs", "and", "a", "cat", "sleep"], ["sleep"]]
TAGS = ["DET NOUN VERB", "DET NOUN VERB", "DET NOUN", "NOUN CCONJ DET NOUN VERB", "VERB"]


@pytest.fixture(scope="module")
def document() -> Document:
    return Document.from_sentences(
        Sentence.from_words(words, upos=tags.split()) for words, tags in zip(WORDS, TAGS, strict=True)
    )


def problem(document: Document) -> Problem:
    labels, numbers = number_labels(document.column("upos"))
    return Problem(_text.DocumentSequences(document.native), numbers, labels)


@pytest.mark.parametrize("order", [0, 1, 2, "layers"])
def test_the_gradient_of_the_log_likelihood_matches_finite_differences(document: Document, order: int | str) -> None:
    sequences = _text.DocumentSequences(document.native)
    rng = np.random.default_rng(1)
    if order == "layers":
        settings = native_settings(LabellerConfig(), 2, 3, LAYERS, Masks())
        gold = np.stack([rng.integers(0, 2, sequences.total()), rng.integers(0, 3, sequences.total())], axis=1)
    else:
        settings = native_settings(LabellerConfig(order=int(order)), 4, 0, TEMPLATES, Masks())
        gold = number_labels(document.column("upos"))[1]
    trainer = _tasks.BatchTrainer(
        settings,
        sequences,
        gold.astype(np.int32).reshape(-1),
        _text.ClusterLexicon(),
        l2=0.3,
        least_count=1,
        unseen=False,
        unseen_constant=True,
        threads=1,
    )
    weights = rng.normal(size=trainer.features)
    value, gradient = trainer.evaluate(weights)
    for feature in rng.choice(trainer.features, 25, replace=False):
        step = np.zeros_like(weights)
        step[feature] = 1e-5
        above, below = trainer.evaluate(weights + step)[0], trainer.evaluate(weights - step)[0]
        assert gradient[feature] == pytest.approx((above - below) / 2e-5, abs=1e-5)
    assert value > 0


@pytest.mark.parametrize("method", ["lbfgs", "crf", "softmax_margin", "perceptron", "mira", "svm", "m3n", "smo"])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_every_method_learns_a_toy_language(document: Document, tmp_path: Path, method: str, order: int) -> None:
    (tmp_path / "t.txt").write_text(TEMPLATES)
    values = {
        "method": method,
        "order": order,
        "templates": str(tmp_path / "t.txt"),
        "epochs": 30,
        "bits": 8,
        "l2": 0.01,
    }
    if method != "lbfgs":
        values["l2"] = 0.0
    toy = problem(document)
    model = train_labeller(toy, make_settings(LabellerConfig, values)).snapshot
    labeller = Labeller(model)
    answer = labeller.label(labeller.words(document), probabilities=True, threads=2)
    assert labeller.names(answer.numbers) == document.column("upos")
    assert np.all((answer.probability > 0) & (answer.probability <= 1)) and np.all(answer.log_probability <= 0)


def test_l1_leaves_few_weights(document: Document, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(TEMPLATES)

    def rows(l1: float) -> int:
        config = LabellerConfig(method="lbfgs", templates=str(tmp_path / "t.txt"), l1=l1, l2=0.1)
        table = train_labeller(problem(document), config).snapshot.tables["state"]
        return int(np.count_nonzero(table.fingerprints))

    assert rows(1.0) < rows(0.0)


@pytest.fixture(scope="module")
def model(document: Document, tmp_path_factory: pytest.TempPathFactory) -> LabellerModel:
    path = tmp_path_factory.mktemp("labeller") / "t.txt"
    path.write_text(TEMPLATES)
    return train_labeller(problem(document), LabellerConfig(method="lbfgs", templates=str(path), l2=0.5)).snapshot


def test_probabilities_and_ranks_agree_with_enumeration(document: Document, model: LabellerModel) -> None:
    labeller = Labeller(model)
    sequences = labeller.words(document)
    ranked = labeller.kbest(sequences, 1, 4**3)
    assert len(ranked) == 4**3
    assert len({tuple(one.value[:, 0].tolist()) for one in ranked}) == 4**3
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    shares = np.exp([one.log_probability for one in ranked])
    assert shares.sum() == pytest.approx(1)
    answer = labeller.label(sequences, label_probabilities=True, probabilities=True)
    first = sequences.first(1)
    for token, label in itertools.product(range(3), range(4)):
        wanted = sum(share for one, share in zip(ranked, shares, strict=True) if one.value[token, 0] == label)
        assert answer.label_probabilities[first + token, label] == pytest.approx(wanted)
    assert answer.log_probability[1] == pytest.approx(ranked[0].log_probability)
    assert answer.score[1] == pytest.approx(ranked[0].score)


def test_known_labels_are_kept_and_guide_the_others(document: Document, model: LabellerModel) -> None:
    labeller = Labeller(model)
    sequences = labeller.words(document)
    known = np.full(sequences.total(), -1, np.int32)
    verb = model.labels.index("VERB")
    known[0] = verb
    answer = labeller.label(sequences, known=known, probabilities=True)
    assert answer.numbers[0, 0] == verb and answer.probability[0, 0] == pytest.approx(1)
    best = next(one for one in labeller.kbest(sequences, 0, 64) if one.value[0, 0] == verb)
    assert np.array_equal(answer.numbers[:3], best.value)
    only = labeller.kbest(sequences, 0, 100, known=known[:3])
    assert len(only) == 16 and all(one.value[0, 0] == verb for one in only)
    with pytest.raises(ConfigError, match="known labels"):
        labeller.label(sequences, known=known[:2])
    with pytest.raises(ConfigError, match="out of range"):
        labeller.label(sequences, known=np.full(sequences.total(), 9, np.int32))


def test_masks_forbid_and_contradictions_are_told(document: Document, model: LabellerModel) -> None:
    follow = np.zeros((4, 4))
    det, noun = model.labels.index("DET"), model.labels.index("NOUN")
    follow[det, noun] = -np.inf
    masked = Labeller(dataclasses.replace(model, masks=Masks(follow=follow)))
    sequences = masked.words(document)
    answer = masked.label(sequences)
    numbers = answer.numbers[:, 0]
    for sequence in range(len(sequences)):
        own = numbers[sequences.first(sequence) :][: sequences.length(sequence)]
        assert not any(a == det and b == noun for a, b in itertools.pairwise(own))
    known = np.full(sequences.total(), -1, np.int32)
    known[:2] = det, noun
    assert masked.label(sequences, known=known).impossible.tolist() == [1, 0, 0, 0, 0]


def test_a_bonus_moves_labels(document: Document, model: LabellerModel) -> None:
    labeller = Labeller(model)
    sequences = labeller.words(document)
    bonus = np.zeros((sequences.total(), 4))
    bonus[4, model.labels.index("CCONJ")] = 100.0
    assert labeller.names(labeller.label(sequences, bonus=bonus).numbers)[4] == "CCONJ"


def test_temperature_flattens_and_is_fitted(document: Document, model: LabellerModel) -> None:
    hot = Labeller(dataclasses.replace(model, temperature=100.0))
    answer = hot.label(hot.words(document), label_probabilities=True)
    assert np.abs(answer.label_probabilities - 0.25).max() < 0.1
    gold = number_labels(document.column("upos"))[1]
    fitted = fit_temperature(dataclasses.replace(model, temperature=100.0), lambda one: one.words(document), gold)
    assert fitted.temperature < 1


def test_models_survive_files_and_refuse_foreign_ones(document: Document, model: LabellerModel, tmp_path: Path) -> None:
    write_model(tmp_path / "m.accord", *model.to_blocks())
    file = ModelFile(tmp_path / "m.accord")
    loaded = Labeller(LabellerModel.from_blocks(file.header, file.arrays, file.path))
    one, other = Labeller(model), loaded
    assert np.array_equal(one.label(one.words(document)).numbers, other.label(other.words(document)).numbers)
    with pytest.raises(ModelError, match="not a labeller"):
        LabellerModel.from_blocks({**file.header, "kind": "parser"}, file.arrays, "x")
    with pytest.raises(ModelError, match="understands"):
        LabellerModel.from_blocks({**file.header, "labels": None}, file.arrays, "x")
    with pytest.raises(ModelError, match="fit together"):
        Labeller(dataclasses.replace(model, labels=(*model.labels, "X")))


@pytest.mark.parametrize(("field", "kind"), [("values", np.int32), ("values", np.float64), ("fingerprints", np.int64)])
def test_tables_of_another_type_are_refused_instead_of_copied(model: LabellerModel, field: str, kind: type) -> None:
    """A labeller reads its tables where they lie, so a converted copy would be gone before the first sentence."""
    for name, table in model.tables.items():
        other = table._replace(**{field: getattr(table, field).astype(kind)})
        with pytest.raises(ModelError, match="of a weight table: an array of another type"):
            Labeller(dataclasses.replace(model, tables={**model.tables, name: other}))


def test_threads_change_nothing_in_training(document: Document, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(TEMPLATES)
    base = LabellerConfig(method="crf", templates=str(tmp_path / "t.txt"), epochs=3, bits=8, l2=0.0, batch=3)
    one, two = (
        train_labeller(problem(document), dataclasses.replace(base, threads=threads)).snapshot for threads in (1, 3)
    )
    for name, table in one.tables.items():
        assert np.array_equal(table.values, two.tables[name].values)


def test_mistakes_in_templates_and_labels_are_one_line(document: Document, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="neither a packaged set"):
        train_labeller(problem(document), LabellerConfig(templates="nothing"))
    (tmp_path / "bad.txt").write_text("[state]\nthere.form\n")
    with pytest.raises(ConfigError, match="line 2: unknown anchor"):
        train_labeller(problem(document), LabellerConfig(templates=str(tmp_path / "bad.txt")))
    toy = problem(document)
    with pytest.raises(ConfigError, match="one label for each token"):
        train_labeller(dataclasses.replace(toy, numbers=toy.numbers[:-1]), LabellerConfig(templates="tagger"))
    empty = _text.CharacterSequences([])
    with pytest.raises(ConfigError, match="nothing to train on"):
        train_labeller(dataclasses.replace(toy, sequences=empty, numbers=toy.numbers[:0]), LabellerConfig())


@pytest.mark.parametrize("method", ["m3n", "smo"])
def test_dual_methods_close_their_gap_and_heed_costs(document: Document, tmp_path: Path, method: str) -> None:
    (tmp_path / "t.txt").write_text(TEMPLATES)
    config = LabellerConfig(
        method=method,
        templates=str(tmp_path / "t.txt"),
        epochs=60,
        bits=10,
        dual_c=1.0,
        average=False,
        table="dictionary",
    )
    toy = problem(document)
    log = train_labeller(toy, config).log
    gaps = [line["figures"]["gap"] for line in log]
    duals = [line["figures"]["dual"] for line in log]
    assert all(gap > -1e-6 for gap in gaps) and gaps[-1] < 0.05 * gaps[0]
    assert all(later >= earlier - 1e-4 for earlier, later in itertools.pairwise(duals))
    costs = np.full((4, 4), 3.0)
    np.fill_diagonal(costs, 0.0)
    dearer = train_labeller(dataclasses.replace(toy, costs=(costs,)), config).log
    assert dearer[-1]["figures"]["primal"] > log[-1]["figures"]["primal"]


@pytest.mark.parametrize("method", ["m3n", "smo", "mira"])
def test_resumed_training_ends_with_the_same_model_and_the_same_gap(
    document: Document, tmp_path: Path, method: str
) -> None:
    (tmp_path / "t.txt").write_text(TEMPLATES)
    config = LabellerConfig(
        method=method, templates=str(tmp_path / "t.txt"), epochs=5, bits=10, table="dictionary", threads=1
    )
    toy = problem(document)
    whole = train_labeller(toy, config)
    for epochs in (2, 5):
        kept = Checkpoint.beside(tmp_path / "m.accord", "labeller", config, resume=epochs == 5, free=("epochs",))
        part = train_labeller(toy, dataclasses.replace(config, epochs=epochs), checkpoint=kept)
    assert part.log[-1]["figures"] == whole.log[-1]["figures"]
    for name, table in whole.model.tables.items():
        assert part.model.tables[name].values.tobytes() == table.values.tobytes()


def test_costs_come_from_a_file(document: Document, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(TEMPLATES)
    labels = problem(document).labels
    (tmp_path / "costs.txt").write_text("# dear\nVERB\t*\t5\n*\tDET\t0.5\nVERB\tNOUN\t2\n")
    (costs,) = read_costs(str(tmp_path / "costs.txt"), labels)
    verb, noun, det = (labels.index(name) for name in ("VERB", "NOUN", "DET"))
    assert costs[verb, noun] == 2 and costs[noun, det] == 0.5 and costs[noun, verb] == 1 and costs[verb, verb] == 0
    base = LabellerConfig(method="mira", templates=str(tmp_path / "t.txt"), epochs=2, bits=8)
    plain = train_labeller(problem(document), base).snapshot
    costly = train_labeller(problem(document), dataclasses.replace(base, costs=str(tmp_path / "costs.txt"))).snapshot
    assert not np.array_equal(plain.tables["state"].values, costly.tables["state"].values)
    (tmp_path / "bad.txt").write_text("VERB\tNOUN\t2\nVERB\tWALRUS\t2\n")
    with pytest.raises(FormatError, match=r"bad.txt:2: expected"):
        read_costs(str(tmp_path / "bad.txt"), labels)


def test_batch_training_goes_on_from_the_weights_of_a_checkpoint(document: Document, tmp_path: Path) -> None:
    config = LabellerConfig(method="lbfgs", templates="tagger", l2=0.1, tolerance=0.0, iterations=200, threads=1)
    whole = train_labeller(problem(document), config)

    def run(iterations: int, resume: bool) -> TrainingResult[LabellerModel]:
        settings = dataclasses.replace(config, iterations=iterations)
        checkpoint = Checkpoint(tmp_path / "c", "labeller", settings, resume=resume, free=("iterations",))
        return train_labeller(problem(document), settings, checkpoint=checkpoint)

    first = run(3, False)
    assert first.log[-1]["objective"] > whole.log[-1]["objective"] * 1.01
    second = run(200, True)
    assert second.best_epoch > 3
    assert second.log[-1]["objective"] == pytest.approx(whole.log[-1]["objective"], rel=1e-4)
    other = Checkpoint(tmp_path / "c", "labeller", config, resume=True, free=("iterations",))
    few = Document.from_sentences(document.sentences[:1])
    with pytest.raises(ConfigError, match="other training data"):
        train_labeller(problem(few), config, checkpoint=other)
