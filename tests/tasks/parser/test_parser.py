# SPDX-License-Identifier: Apache-2.0
"""The first-order parser: every rule learns, every option is obeyed, nothing depends on threads."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord import Document, ModelError, Parser, Sentence
from accord.errors import ConfigError, FormatError
from accord.inference import trees
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig, ParserModel
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.parser.temperature import fit_temperature
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores
from tests.conftest import toy_document

SMALL = {"arc_bits": 14, "label_bits": 10, "epochs": 5, "threads": 1}


ALL_PARTS = "sibling,grandparent,grand_sibling,tri_sibling,head_bigram,any_sibling,valency"


def small_config(**values: Any) -> ParserConfig:
    return make_settings(ParserConfig, {**SMALL, **values})


@pytest.fixture(scope="module")
def model(toy_train: Document, toy_dev: Document) -> ParserModel:
    return train_parser(toy_train, toy_dev, small_config()).snapshot


def las(model: ParserModel, document: Document) -> float:
    parsed = Parser(model).parse(document, threads=1)
    return attachment_scores(document, parsed.heads, parsed.column("deprel")).las


@pytest.mark.parametrize("rule", ["perceptron", "mira", "svm", "crf", "softmax_margin"])
@pytest.mark.parametrize("labels", ["joint", "separate"])
def test_every_online_rule_learns_the_toy_language(
    toy_train: Document, toy_dev: Document, rule: str, labels: str
) -> None:
    result = train_parser(toy_train, toy_dev, small_config(rule=rule, labels=labels, rate=0.1))
    assert las(result.snapshot, toy_dev) > 97


@pytest.mark.parametrize("rule", ["crf", "softmax_margin"])
def test_steps_may_be_as_long_as_a_loss_asks_for(toy_train: Document, toy_dev: Document, rule: str) -> None:
    automatic = small_config(rule=rule, step="automatic", aggressiveness=0.05)
    found = train_parser(toy_train, toy_dev, automatic).snapshot
    assert las(found, toy_dev) > 97
    longer = train_parser(toy_train, toy_dev, dataclasses.replace(automatic, rate=0.5)).snapshot
    assert (found.tables["arcs"].values == longer.tables["arcs"].values).all()  # there is no rate
    with pytest.raises(ConfigError, match="step = automatic"):
        train_parser(toy_train, toy_dev, small_config(rule="mira", step="automatic"))


@pytest.mark.parametrize("rule", ["eg_margin", "eg_crf"])
@pytest.mark.parametrize("projective", [True, False])
def test_dual_rules_learn_and_close_the_gap(
    toy_train: Document, toy_dev: Document, rule: str, projective: bool
) -> None:
    config = small_config(rule=rule, labels="separate", dual_c=0.1, epochs=8, patience=8, projective=projective)
    result = train_parser(toy_train, toy_dev, config)
    figures = [line["figures"] for line in result.log]
    assert all(f["gap"] >= -1e-3 * abs(f["primal"]) for f in figures), "the dual is a lower bound"
    assert figures[-1]["gap"] < 0.5 * figures[0]["gap"]
    assert figures[-1]["dual"] > figures[0]["dual"]
    assert las(result.snapshot, toy_dev) > 95


def test_dual_rules_refuse_joint_labels(toy_train: Document) -> None:
    with pytest.raises(ConfigError, match="separate"):
        ParserTask(toy_train, None, small_config(rule="eg_crf", labels="joint"))


@pytest.mark.parametrize("table", ["hash", "dictionary"])
def test_both_kinds_of_table_work_through_a_file(
    toy_train: Document, toy_dev: Document, table: str, tmp_path: Path
) -> None:
    result = train_parser(toy_train, toy_dev, small_config(table=table))
    result.snapshot.save(tmp_path / "m.accord")
    loaded = Parser.load(tmp_path / "m.accord")
    assert loaded.model.config == result.snapshot.config
    assert loaded.parse(toy_dev).to_bytes() == Parser(result.snapshot).parse(toy_dev).to_bytes()
    assert las(loaded.model, toy_dev) > 97


def test_training_is_deterministic_and_does_not_depend_on_threads(toy_train: Document, toy_dev: Document) -> None:
    first, again, threaded = (
        train_parser(toy_train, toy_dev, small_config(threads=threads, batch=4, rule="crf", epochs=2)).snapshot
        for threads in (1, 1, 3)
    )
    for other in (again, threaded):
        np.testing.assert_array_equal(first.tables["arcs"].values, other.tables["arcs"].values)
        np.testing.assert_array_equal(first.tables["labels"].values, other.tables["labels"].values)
    different = train_parser(toy_train, toy_dev, small_config(batch=4, rule="crf", epochs=2, seed=9)).snapshot
    assert not np.array_equal(first.tables["arcs"].values, different.tables["arcs"].values)


def test_output_does_not_depend_on_threads_or_batches(model: ParserModel) -> None:
    document = toy_document(40, 5)
    parser = Parser(model)
    whole = parser.parse(document, threads=1).to_bytes()
    assert parser.parse(document, threads=4).to_bytes() == whole
    pieces = [Document.from_sentences([s]) for s in document.sentences]
    assert b"".join(piece.to_bytes() for piece in parser.pipe(pieces)) == whole


def test_only_head_and_deprel_change_and_old_deps_go(model: ParserModel) -> None:
    text = (
        "# sent_id = 1\n# text = them the cat saw.\n"
        "1-2\tthemthe\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "1\tthe\tthe\tDET\tDET\tA=b\t2\tdep\t2:dep\t_\n2\tcat\tcat\tNOUN\tNOUN\t_\t_\t_\t_\tX=y\n"
        "2.1\tgap\t_\t_\t_\t_\t_\t_\t3:x\t_\n3\tsaw\tsaw\tVERB\tVERB\t_\t0\troot\t_\t_\n\n"
    )
    parsed = Parser(model).parse(Document.from_conllu(text))
    before = [line for line in text.splitlines() if not line.startswith("2.1")]  # part of the graph that DEPS had
    after = parsed.to_conllu().splitlines()
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        o, n = old.split("\t"), new.split("\t")
        if len(o) == 10 and o[0].isdigit():
            assert (o[:6], "_", o[9]) == (n[:6], n[8], n[9]) and n[6].isdigit()
        else:
            assert old == new
    assert parsed.sentences[0].problem() is None


def test_projective_and_single_root_are_obeyed(toy_train: Document) -> None:
    noise = toy_document(30, 9)
    for projective in (True, False):
        for single_root in ("true", "false"):
            config = small_config(projective=projective, single_root=single_root, epochs=1)
            parsed = Parser(train_parser(toy_train, None, config).snapshot).parse(noise)
            for sentence in parsed.sentences:
                heads = np.array([-1, *sentence.heads], np.int32)
                assert trees.is_tree(heads, single_root=single_root == "true")
                assert not projective or trees.is_projective(heads)


def test_scores_marginals_and_kbest_agree_with_the_tree_library(model: ParserModel) -> None:
    parser = Parser(model)
    sentence = toy_document(1, 11).sentences[0]
    document = Document.from_sentences([sentence])
    found = parser.trees(document, probabilities=True)
    space = trees.NonProjective(parser.arc_scores(sentence), single_root=True)
    assert found.scores[0] == pytest.approx(space.argmax().score)
    best = parser.kbest(sentence, 5)
    assert [tree.score for tree in best] == pytest.approx([tree.score for tree in space.kbest(5)])
    assert list(best[0].heads) == found.heads.tolist()
    assert len({tree.heads for tree in best}) == 5
    assert np.all((found.label_probability <= found.arc_probability + 1e-9) & (found.arc_probability <= 1 + 1e-9))
    # The tree's probability is at most that of each of its labelled arcs.
    assert found.tree_log_probability[0] <= np.log(found.label_probability.min()) + 1e-6


def test_marginals_are_written_to_misc_and_temperature_changes_them(model: ParserModel, toy_dev: Document) -> None:
    def confidences(temperature: float) -> list[float]:
        parsed = Parser(dataclasses.replace(model, temperature=temperature)).parse(toy_dev, probabilities=True)
        return [float(m.split("ArcConf=")[1].split("|")[0]) for m in parsed.column("misc")]

    assert np.mean(confidences(0.1)) > np.mean(confidences(10.0))
    fitted = fit_temperature(model, toy_dev, threads=1)
    best = Parser(fitted).gold_log_likelihood(toy_dev)
    for other in (0.5, 2.0):
        tried = dataclasses.replace(fitted, temperature=fitted.temperature * other)
        assert Parser(tried).gold_log_likelihood(toy_dev) <= best


def test_sentences_without_a_tree_are_left_out_and_counted(toy_train: Document) -> None:
    cycle = Sentence.from_words(["a", "b"], heads=[2, 1], deprels=["x", "y"])
    unknown = Sentence.from_words(["a", "b"], heads=[None, None], deprels=["x", "y"])
    mixed = Document.from_sentences([*toy_train.sentences, cycle, unknown])
    task = ParserTask(mixed, None, small_config(single_root="true"))
    assert task.left_out == 2 and len(task) == len(toy_train)
    with pytest.raises(FormatError, match="no sentence with a tree"):
        ParserTask(Document.from_sentences([cycle]), None, small_config())


def test_single_root_is_found_out_from_the_data(toy_train: Document) -> None:
    two_roots = Sentence.from_words(["a", "b"], heads=[0, 0], deprels=["root", "root"])
    assert ParserTask(toy_train, None, small_config()).single_root
    assert not ParserTask(Document.from_sentences([*toy_train.sentences, two_roots]), None, small_config()).single_root


def test_heads_only_mode_leaves_labels_alone(toy_train: Document, toy_dev: Document) -> None:
    result = train_parser(toy_train, toy_dev, small_config(labels="none"))
    parsed = Parser(result.snapshot).parse(toy_dev)
    assert parsed.column("deprel") == toy_dev.column("deprel")
    assert attachment_scores(toy_dev, parsed.heads, None).uas > 97


def test_templates_and_clusters_come_from_files(toy_train: Document, toy_dev: Document, tmp_path: Path) -> None:
    templates = tmp_path / "mine.txt"
    templates.write_text(
        "[arc]\nwith: direction distance\nhead.cluster2 dependent.cluster2\n[label]\ndependent.cluster\n"
    )
    clusters = tmp_path / "paths"
    words = sorted(set(toy_train.column("form")))
    tag_of = dict(zip(toy_train.column("form"), toy_train.column("upos"), strict=True))
    tags = sorted(set(tag_of.values()))
    clusters.write_text("".join(f"{tags.index(tag_of[w]):03b}\t{w}\t1\n" for w in words))
    config = small_config(templates=str(templates), clusters=str(clusters))
    assert las(train_parser(toy_train, toy_dev, config).snapshot, toy_dev) > 60
    templates.write_text("[arc]\nhead.colour\n[label]\ndependent.form\n")
    with pytest.raises(ConfigError, match="line 2: unknown attribute 'colour'"):
        ParserTask(toy_train, None, config)
    with pytest.raises(ConfigError, match="neither a packaged set nor a readable file"):
        ParserTask(toy_train, None, small_config(templates="nowhere"))


@pytest.mark.parametrize(("templates", "order"), [("mcdonald", 1), ("mcdonald+koo_collins", 3)])
def test_published_templates_learn_the_toy_language(
    toy_train: Document, toy_dev: Document, templates: str, order: int
) -> None:
    parts = "auto" if order == 1 else ALL_PARTS
    config = small_config(templates=templates, order=order, arc_bits=18, part_bits=18, pruner_bits=14, parts=parts)
    assert las(train_parser(toy_train, toy_dev, config).snapshot, toy_dev) > 95


def test_clusters_bring_their_templates() -> None:
    assert "clusters" not in small_config(order=2).template_names()
    assert small_config(order=2, clusters="paths").template_names()[-1] == "clusters"
    assert small_config(clusters="paths", templates="first_order").template_names() == ["first_order"]


def test_a_model_whose_parts_do_not_fit_is_refused(model: ParserModel, tmp_path: Path) -> None:
    arcs = model.tables["arcs"]
    wrong = {**model.tables, "arcs": arcs._replace(bits=arcs.bits + 1)}
    with pytest.raises(ModelError, match="fit together"):
        Parser(dataclasses.replace(model, tables=wrong))
    with pytest.raises(ModelError):
        Parser.load(tmp_path / "absent.accord")


def test_raw_text_is_refused_with_advice(model: ParserModel) -> None:
    with pytest.raises(ConfigError, match="tagged sentences"):
        Parser(model)("They sleep.")


def test_a_notebook_draws_a_document(model: ParserModel, toy_dev: Document) -> None:
    page = Parser(model).parse(toy_dev)._repr_html_()
    assert page.count("<svg ") == min(10, len(toy_dev))  # the others are left out: a notebook stays small


def test_a_very_long_sentence_parses(model: ParserModel) -> None:
    words = 1500
    sentence = Sentence.from_words(["cat"] * words, upos=["NOUN"] * words, xpos=["NOUN"] * words)
    parsed = Parser(model)(sentence)
    assert parsed.sentences[0].problem() is None
