# SPDX-License-Identifier: Apache-2.0
"""Pattern parts: they see what no single arc shows, every solver agrees on them, and a model carries its patterns."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord import Document, Parser, Sentence
from accord.errors import ConfigError, ModelError
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig, Search
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.parser.training import parser_task, train_parser
from tests.app.test_cli import accord

BITS = {"arc_bits": 14, "part_bits": 14, "pruner_bits": 14, "second_pruner_bits": 14}
SMALL = {**BITS, "epochs": 3, "labels": "none", "threads": 1, "pruner_threshold": 0.0}
# `than` hangs below the word that comes again after it, whatever word that is.
TEXT = "again: a -> than -> b; than.form = than, a.form = b.form; a < than <1 b\nfar: go -> a -> than -> b; go < b\n"


def than_sentence(source: random.Random) -> Sentence:
    """Three new words, and one of them again."""
    forms = ["".join(source.choices("bcdfghklmn", k=5)) for _ in range(3)]
    again = source.randrange(3)
    heads = [0, 1, 1, 1, 2 + again, 5]
    return Sentence.from_words(["go", *forms, "than", forms[again]], upos=["VERB", *["X"] * 5], heads=heads)


def than_document(sentences: int, seed: int) -> Document:
    source = random.Random(seed)
    return Document.from_sentences([than_sentence(source) for _ in range(sentences)])


@pytest.fixture(scope="module")
def treebank() -> Document:
    return than_document(120, 1)


@pytest.fixture(scope="module")
def held_out() -> Document:
    return than_document(30, 2)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("patterns") / "mine.txt"
    path.write_text(TEXT)
    return path


def trained(treebank: Document, patterns: Path | str, **values: Any) -> Parser:
    config = make_settings(ParserConfig, {**SMALL, "patterns": str(patterns), **values})
    return Parser(train_parser(treebank, None, config).snapshot)


def accuracy(parser: Parser, document: Document) -> float:
    """Of the heads of `than`."""
    heads = parser.trees(document, threads=1).heads
    than = np.array(document.column("form")) == "than"
    return float((heads[than] == document.heads[than]).mean())


def test_a_pattern_sees_what_features_of_words_do_not(treebank: Document, held_out: Document, file: Path) -> None:
    assert accuracy(trained(treebank, file), held_out) == 1.0
    assert accuracy(trained(treebank, "", parts="sibling,grandparent"), held_out) < 0.8


@pytest.mark.parametrize("projective", [True, False])
def test_all_exact_solvers_find_the_same_trees(file: Path, *, projective: bool) -> None:
    pytest.importorskip("highspy")
    held_out = than_document(6, 2)
    parser = trained(than_document(30, 1), file, parts="sibling", projective=projective, rule="perceptron")
    solvers = ["branch_and_bound", "ilp", *(["nonlocal"] if projective else [])]
    found = [parser.trees(held_out, search=Search(solver=solver), threads=1) for solver in solvers]
    for trees in found:
        assert (trees.statuses == 0).all()
        np.testing.assert_allclose(trees.scores, found[0].scores, rtol=1e-6, atol=1e-6)
    short = held_out.sentences[0]
    ranked = parser.kbest(short, 3, search=Search(solver="branch_and_bound"))
    assert all(tree.certified for tree in ranked) and ranked[0].score == pytest.approx(found[0].scores[0])


def test_matches_are_factors_and_other_sentences_have_none(treebank: Document, file: Path) -> None:
    parser = trained(treebank, file, projective=True)
    source = random.Random(3)
    with_match, plain = than_sentence(source), Sentence.from_words(["go", "go"], upos=["VERB", "X"], heads=[0, 1])
    sizes = {len(factor.variables) for factor in parser.part_graph(with_match).graph.factors() if factor.kind != "tree"}
    assert sizes == {2, 3}
    assert [factor.kind for factor in parser.part_graph(plain).graph.factors()] == ["tree"]
    trees = parser.trees(
        Document.from_sentences([plain]), threads=1, probabilities=True
    )  # by the chart: sums are exact
    assert trees.iterations[0] == 0 and trees.arc_probability.max() <= 1.0


def test_a_model_carries_its_patterns(treebank: Document, held_out: Document, file: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text(TEXT)
    parser = trained(treebank, own)
    parser.model.save(tmp_path / "m.accord")
    own.unlink()
    loaded = Parser.load(tmp_path / "m.accord")
    assert loaded.model.patterns == TEXT
    before, after = (one.trees(held_out, threads=1) for one in (parser, loaded))
    np.testing.assert_array_equal(before.heads, after.heads)
    np.testing.assert_array_equal(before.scores, after.scores)
    again = trained(treebank, file)
    np.testing.assert_array_equal(again.trees(held_out, threads=1).scores, after.scores)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# mine\np: a -> b", "line 2: a pattern has 2 to 8 arcs, not 1"),
        ("p: a -> b, c -> b", "line 1: the word 'b' has two heads"),
        ("# nothing yet\n", "there are none in it"),
    ],
)
def test_bad_patterns_are_refused_with_file_line_and_reason(
    treebank: Document, tmp_path: Path, text: str, reason: str
) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        ParserTask(treebank, None, make_settings(ParserConfig, {**SMALL, "patterns": str(file)}))
    assert str(caught.value) == f"patterns = {str(file)!r}: {reason}"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"patterns": "nowhere.txt"}, "patterns = 'nowhere.txt': neither a packaged set nor a readable file"),
        ({"parts": "sibling,pattern"}, "pattern parts need `patterns`"),
        ({"patterns": "english_patterns", "solver": "chart", "projective": True}, "no pattern parts"),
        ({"patterns": "english_patterns", "answers": "heads"}, "'pattern' parts are not of one side"),
    ],
)
def test_settings_that_do_not_fit_are_refused(treebank: Document, values: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        ParserTask(treebank, None, make_settings(ParserConfig, {**SMALL, **values}))


def test_networks_have_no_patterns(treebank: Document, file: Path) -> None:
    pytest.importorskip("torch")
    config = make_settings(ParserConfig, {**SMALL, "patterns": str(file), "scorer": "neural"})
    with pytest.raises(ConfigError, match="neural scorers have siblings and grandparents"):
        parser_task(treebank, None, config)


def test_a_model_with_broken_patterns_is_refused(treebank: Document, file: Path) -> None:
    model = trained(treebank, file).model
    with pytest.raises(ModelError, match="line 1"):
        Parser(dataclasses.replace(model, patterns="p: a"))


@pytest.mark.filterwarnings("ignore::accord.errors.AccordWarning")
def test_packaged_patterns_match_their_constructions() -> None:
    """One tree a pattern, in which its arcs are factors."""
    examples = [
        ("I would walk rather than wait", "PRON AUX VERB ADV ADP VERB", [3, 3, 0, 6, 4, 3]),
        ("as cold as ice", "ADV ADJ ADP NOUN", [2, 0, 4, 2]),
        ("either now or never", "CCONJ ADV CCONJ ADV", [2, 0, 4, 2]),
        ("open from nine to five", "ADJ ADP NUM ADP NUM", [0, 3, 1, 5, 1]),
        ("games such as chess", "NOUN ADJ ADP NOUN", [0, 4, 2, 1]),
        ("If it rains , we read", "SCONJ PRON VERB PUNCT PRON VERB", [3, 3, 6, 3, 6, 0]),
        ("In time , we read", "ADP NOUN PUNCT PRON VERB", [2, 5, 2, 5, 0]),
        ("red , green and blue", "ADJ PUNCT ADJ CCONJ ADJ", [0, 3, 1, 5, 1]),
        ("red , green , blue", "ADJ PUNCT ADJ PUNCT ADJ", [0, 3, 1, 5, 1]),
        ('say " no "', "VERB PUNCT INTJ PUNCT", [0, 3, 1, 3]),
        ("see ( here )", "VERB PUNCT ADV PUNCT", [0, 3, 1, 3]),
        ("too cold to swim", "ADV ADJ PART VERB", [2, 0, 4, 2]),
        ("so cold that it hurts", "ADV ADJ SCONJ PRON VERB", [2, 0, 5, 5, 2]),
    ]
    sentences = [Sentence.from_words(t.split(), upos=u.split(), heads=heads) for t, u, heads in examples]
    parser = trained(Document.from_sentences(sentences), "english_patterns", pruner_heads=2, pruner_folds=0)
    for sentence in sentences:
        graph = parser.part_graph(sentence)
        arcs = [(int(h), int(d)) for h, d in zip(graph.heads, graph.dependents, strict=True)]
        gold = set(zip(sentence.heads, range(1, len(sentence) + 1), strict=True))
        sets = [{arcs[v] for v in factor.variables} for factor in graph.graph.factors() if factor.kind != "tree"]
        assert any(found <= gold for found in sets), sentence


def test_the_command_line_trains_and_parses_with_patterns(
    treebank: Document, held_out: Document, file: Path, tmp_path: Path
) -> None:
    train, dev, model, bad = (str(tmp_path / name) for name in ("train.conllu", "dev.conllu", "m.accord", "bad.txt"))
    treebank.write(train)
    held_out.write(dev)
    Path(bad).write_text("one: a b\n")
    settings = [word for name, value in SMALL.items() for word in ("--set", f"{name}={value}")]
    refused = accord("train", "parser", train, "--output", model, *settings, "--set", f"patterns={bad}")
    assert refused.returncode == 1 and not Path(model).exists()
    assert f"patterns = {bad!r}: line 1: expected '->', '<' or '.' after 'a'" in refused.stderr.decode()
    done = accord("train", "parser", train, "--output", model, *settings, "--set", f"patterns={file}")
    assert done.returncode == 0, done.stderr.decode()
    parsed = accord("parse", dev, "--model", model, "--exact")
    assert parsed.returncode == 0, parsed.stderr.decode()
    np.testing.assert_array_equal(Document.from_conllu(parsed.stdout).heads, held_out.heads)
