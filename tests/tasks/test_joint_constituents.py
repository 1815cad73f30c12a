# SPDX-License-Identifier: Apache-2.0
"""The joint parser of words, tags and phrases: round trips of trees, scores of words, limits, lattices, the measure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.data import Document, Sentence
from accord.data.constituents import Constituents, collapse_unaries, expand_unaries, plain
from accord.errors import ConfigError
from accord.evaluation.parseval import Bracketing, parseval
from accord.settings import make_settings
from accord.tasks.examples import tiny_constituents
from accord.tasks.joint_constituents import JointConstituencyParser, JointConstituentsConfig, Lattice, LatticeWord
from accord.tasks.joint_constituents.grammar import Binariser, PhraseGrammar
from accord.tasks.joint_constituents.model import JointTree, Mixture
from accord.tasks.joint_constituents.scoring import PLAIN, gold_of, joint_scores
from accord.tasks.joint_constituents.task import TASK
from accord.tasks.joint_constituents.training import train_joint_constituents
from accord.tasks.joint_constituents.tuning import tune_weights
from accord.tasks.labeller import Labeller
from accord.tasks.segmenter.labels import LabelSet, word_labels
from tests.app.test_cli import accord

SMALL: dict[str, Any] = {
    "epochs": 3,
    "bits": 14,
    "threads": 1,
    "tuning": 4,
    "segmenter.epochs": 3,
    "segmenter.bits": 12,
    "segmenter.jackknife": 2,
    "tagger.epochs": 3,
    "tagger.bits": 8,
}
TEXTS = ["".join(sentence.forms) for sentence in tiny_constituents(10, 38).sentences]


def settings(**more: Any) -> JointConstituentsConfig:
    return make_settings(JointConstituentsConfig, {**SMALL, **more})


@pytest.fixture(scope="module")
def parser() -> JointConstituencyParser:
    return JointConstituencyParser(
        train_joint_constituents(tiny_constituents(30), tiny_constituents(8, 30), settings()).model
    )


# Trees and derivations


@st.composite
def trees(draw: st.DrawFn) -> Constituents:
    """Small trees whose phrases have any number of children, and chains of phrases."""

    def phrase(depth: int) -> str:
        label = draw(st.sampled_from(["S", "NP", "VP"]))
        count = draw(st.integers(1, 4))
        leaf = depth == 0
        children = [f"({draw(st.sampled_from('NVD'))} w)" if leaf or draw(st.booleans()) else phrase(depth - 1)
                    for _ in range(count)]  # fmt: skip
        return f"({label} {' '.join(children)})"

    return Constituents.from_text(phrase(draw(st.integers(0, 3))))[0]


@pytest.mark.parametrize("binarisation", ["parent", "children"])
@pytest.mark.parametrize("parents", [False, True])
@given(tree=trees())
def test_a_tree_comes_back_from_its_derivation(tree: Constituents, binarisation: str, parents: bool) -> None:
    collapsed = collapse_unaries(tree)
    spans = Binariser(binarisation, parents).spans(collapsed)
    if len(collapsed.tags) < 2:
        return
    grammar = PhraseGrammar.of_derivations([spans])
    rows, _ = grammar.rows([spans])
    table = rows.reshape(-1, 5)
    tags = [int(row[3]) for row in table.tolist() if row[2] < 0]
    back = grammar.tree([(begin, end, bottom, top) for begin, end, _, bottom, top in table.tolist()], tags)
    # Chains that share top and bottom state are kept by the most frequent one: exact where they do not differ.
    chains = {(span.top, span.bottom): span.chain for span in spans}
    if all(chains[span.top, span.bottom] == span.chain for span in spans):
        assert back == expand_unaries(collapsed)
    assert back.words == tree.words and back.tags == tree.tags


def test_helper_states_are_named_after_their_phrase_or_their_children() -> None:
    tree = Constituents.from_text("(NP (NR a) (NN b) (NR c) (NN d))")[0]
    assert [span.bottom for span in Binariser("children").spans(tree) if span.split >= 0] == [
        "+NP",
        "|NN_NR",
        "|NR_NN",
    ]
    assert [span.bottom for span in Binariser("parent").spans(tree) if span.split >= 0] == ["+NP", "|NP", "|NP"]


def test_open_rules_hold_the_seen_ones_and_put_known_children_into_new_orders() -> None:
    tree = Constituents.from_text("(NP (D a) (A b) (N c))")[0]
    other = Constituents.from_text("(NP (A a) (D b) (N c))")[0]
    derivations = [Binariser().spans(tree)]
    seen = PhraseGrammar.of_derivations(derivations)
    wide = PhraseGrammar.of_derivations(derivations, rules="open")

    def named(grammar: PhraseGrammar) -> set[tuple[str, ...]]:
        return {tuple(grammar.states[state] for state in rule) for rule in grammar.binary.tolist()}

    wanted = named(PhraseGrammar.of_derivations([Binariser().spans(other)]))
    assert named(seen) < named(wide) and wanted <= named(wide) and not wanted <= named(seen)


# Words


def test_label_strings_and_word_lengths_are_the_same_thing() -> None:
    labels = LabelSet.named("BCDMES")
    strings = {length: word_labels(length, "BCDMES") for length in range(1, 12)}
    assert [strings[length] for length in range(1, 7)] == ["S", "BE", "BCE", "BCDE", "BCDME", "BCDMME"]
    assert len(set(strings.values())) == len(strings)
    assert all(labels.lengths(labels.numbers([length])) == [length] for length in strings)


def test_scores_of_words_add_up_to_the_score_of_the_chain(parser: JointConstituencyParser) -> None:
    """And the best path of words is the segmentation that the segmenter finds."""
    chain = parser.model.segmenter.chain
    labeller = Labeller(chain)
    for text in TEXTS:
        lattice = parser.lattice(text, margin=1e9)
        answer = labeller.label(labeller.characters([text]))
        best: dict[int, tuple[float, list[str]]] = {0: (0.0, [])}  # by place: score and words, the longest way round
        for word in sorted(lattice.words, key=lambda one: one.begin):
            score, words = best[word.begin]
            if word.end not in best or best[word.end][0] < score + word.score:
                best[word.end] = (score + word.score, [*words, word.form])
        assert best[len(text)][1] == parser.segmenter(text)
        assert best[len(text)][0] * chain.temperature == pytest.approx(float(answer.score[0]), abs=1e-6)


def test_illegal_labels_have_no_probability(parser: JointConstituencyParser) -> None:
    labeller = Labeller(parser.model.segmenter.chain)
    labels = LabelSet.named("BCDMES")
    wrong = np.array([[labels.labels.index(label)] for label in "ES"], np.int32)
    answer = labeller.label(labeller.characters(["ab"]), known=wrong)
    assert answer.impossible[0] == 1


def test_words_outside_the_margin_are_left_out(parser: JointConstituencyParser) -> None:
    wide, narrow = parser.lattice(TEXTS[0], margin=1e9), parser.lattice(TEXTS[0], margin=0.0)
    assert set(narrow.words) <= set(wide.words)
    assert [word.form for word in narrow.words] == parser.segmenter(TEXTS[0])


# Search


def test_where_words_outweigh_tags_and_tags_phrases_the_joint_parser_is_the_pipeline(
    parser: JointConstituencyParser,
) -> None:
    heavy = Mixture(1e6, 1e3, 1.0)
    joint = parser.trees(TEXTS, weights=heavy, beam=0)
    piped = parser.trees(TEXTS, weights=heavy, pipeline=True, beam=0)
    assert [(one.words, one.tags, one.tree) for one in joint] == [(one.words, one.tags, one.tree) for one in piped]


def test_a_wider_beam_scores_more_on_the_whole_and_no_beam_most(parser: JointConstituencyParser) -> None:
    exact = parser.trees(TEXTS, beam=0)
    last = -1e300
    for beam in (2, 8, 32):
        found = parser.trees(TEXTS, beam=beam)
        both = [(a.score, b.score) for a, b in zip(found, exact, strict=True) if a.whole]
        assert all(score <= best + 1e-9 for score, best in both)
        mean = sum(score if one.whole else -1e3 for one, score in zip(found, (f.score for f in found), strict=True))
        assert mean >= last - 1e-9
        last = mean
    piped = parser.trees(TEXTS, pipeline=True, beam=0)
    assert all(a.score >= b.score - 1e-9 for a, b in zip(exact, piped, strict=True) if b.whole)


def test_ranked_answers_fall_and_differ(parser: JointConstituencyParser) -> None:
    ranked = parser.kbest(TEXTS[0], 20)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert len({(one.value.words, one.value.tags, one.value.tree) for one in ranked}) == len(ranked) == 20
    assert ranked[0].value == parser.trees([TEXTS[0]])[0]


def test_untied_states_are_offered_more(parser: JointConstituencyParser) -> None:
    tied, untied = parser.trees(TEXTS, beam=0), parser.trees(TEXTS, beam=0, tied=False)
    assert all(b.score >= a.score - 1e-9 for a, b in zip(tied, untied, strict=True))


# Lattices


def test_a_lattice_of_alternatives_is_parsed_without_a_segmenter(parser: JointConstituencyParser) -> None:
    words = (LatticeWord(0, 1, "the"), LatticeWord(1, 3, "cat"), LatticeWord(1, 2, "ca", -9.0), LatticeWord(2, 3, "t"))
    more = (LatticeWord(3, 4, "saw"), LatticeWord(4, 5, "a"), LatticeWord(5, 6, "dog"), LatticeWord(6, 7, "."))
    found = parser.parse([Lattice(7, (*words, *more))])[0]
    assert found.words == ("the", "cat", "saw", "a", "dog", ".") and found.whole
    with pytest.raises(ConfigError, match="no words lead"):
        parser.parse([Lattice(2, (LatticeWord(0, 1, "the"),))])
    with pytest.raises(ConfigError, match="does not know the tag"):
        parser.parse([Lattice.of_words(["the"], ["nonsense"])])


def test_texts_of_any_length_have_a_tree(parser: JointConstituencyParser) -> None:
    assert parser.trees([""])[0].words == ()
    for text in ("x", "qqqq", TEXTS[0] * 30):
        found = parser.trees([text])[0]
        assert "".join(found.words) == text and found.sentence().constituents == found.tree


# The measure


def test_a_bracket_counts_only_with_the_right_words_inside() -> None:
    gold = [(["ab", "cde"], Constituents.from_text("(S (NP (N ab) (N cde)))")[0])]

    def found(text: str) -> JointTree:
        tree, words = Constituents.from_text(text)
        return JointTree(words, tree.tags, tree, 0.0)

    right = joint_scores(gold, [found("(S (NP (N ab) (N cde)))")])
    assert (right.brackets.f1, right.words.f1, right.tags.f1) == (100, 100, 100)
    wrong = joint_scores(gold, [found("(S (NP (N abc) (N de)))")])
    assert (wrong.brackets.f1, wrong.words.f1, wrong.tags.f1) == (0, 0, 0)
    tagged = joint_scores(gold, [found("(S (NP (V ab) (N cde)))")])
    assert (tagged.brackets.f1, tagged.words.f1, tagged.tags.f1) == (100, 100, 50)


def test_with_known_words_the_measure_is_that_of_words(parser: JointConstituencyParser) -> None:
    gold = gold_of(tiny_constituents(10, 38))
    found = parser.parse([Lattice.of_words(words) for words, _ in gold], weights=(1.0, 0.01, 0.01, 0.0))
    over_words = parseval(
        (Bracketing(tree, words) for words, tree in gold), (Bracketing(one.tree, one.words) for one in found), PLAIN
    )
    assert joint_scores(gold, found).brackets == over_words.brackets


# Training


def test_weights_are_tuned_on_dev_data(parser: JointConstituencyParser) -> None:
    dev = tiny_constituents(8, 30)
    model, scores = tune_weights(parser.model, dev)
    found = JointConstituencyParser(model).trees(["".join(words) for words, _ in gold_of(dev)[:4]])
    assert joint_scores(gold_of(dev)[:4], found).to_dict() == pytest.approx(scores)
    fixed = train_joint_constituents(
        tiny_constituents(10), dev, settings(epochs=1, word_weight=3.0, tag_weight=2.0, even=False)
    )
    assert fixed.model.weights == Mixture(3.0, 2.0, 1.0, 0.0)


@pytest.mark.parametrize("more", [{"method": "mira"}, {"method": "svm"}, {"binarisation": "children", "parents": True}])
def test_learners_and_grammars(more: dict[str, Any]) -> None:
    result = train_joint_constituents(tiny_constituents(30), None, settings(**more))
    scores = TASK.evaluate(JointConstituencyParser(result.model), tiny_constituents(8, 30))
    assert scores["words"] > 70 and scores["brackets"] > 50


def test_bad_settings_and_data_are_one_message(tmp_path: Path) -> None:
    templates = tmp_path / "own.txt"
    templates.write_text("[bottom]\nfirst+1.form\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="without offsets"):
        train_joint_constituents(tiny_constituents(4), None, settings(templates=str(templates)))
    with pytest.raises(ConfigError, match="has no constituents"):
        train_joint_constituents(Document.from_sentences([Sentence.from_words(["a"])]), None, settings())
    alone = Document.from_sentences([Sentence.from_words(["a"], xpos=["X"])])
    tree = Constituents.from_text("(S (X 1))")[0]
    with pytest.raises(ConfigError, match="no sentence of the training data has a phrase"):
        train_joint_constituents(alone.with_constituents([tree]), None, settings())


# The command line


def test_the_command_parses_characters_into_phrases(parser: JointConstituencyParser, tmp_path: Path) -> None:
    model, text = str(tmp_path / "joint.accord"), tmp_path / "text.txt"
    parser.model.save(model)
    text.write_text("\n".join(TEXTS[:3]) + "\n", encoding="utf-8")
    asked = ["parse", str(text), "--threads", "1", "--output", "brackets"]
    alike = [accord(*asked, *how) for how in (["--model", model], ["--constituents", model],
                                             ["--constituents", "--model", model])]  # fmt: skip
    assert [one.returncode for one in alike] == [0, 0, 0], alike[0].stderr
    assert alike[0].stdout == alike[1].stdout == alike[2].stdout
    lines = alike[0].stdout.decode().splitlines()
    assert [line.strip() for line in lines] == [
        f"( {one.brackets})" if line.startswith("( ") else one.brackets
        for line, one in zip(lines, parser.trees(TEXTS[:3]), strict=True)
    ]
    ranked = accord("parse", str(text), "--model", model, "--nbest", "2").stdout.decode()
    assert ranked.count("# nbest = 2") == 3 and ranked.count("# constituents") == 6
    given = tmp_path / "given.conllu"
    given.write_bytes(parser(TEXTS[:2]).to_bytes("conllu"))
    again = accord("parse", str(given), "--model", model, "--output", "brackets")
    assert again.stdout.decode().splitlines() == lines[:2]
    about = accord("info", model).stdout.decode()
    assert "joint-constituents" in about and "accord parse" in about
    wrong = accord("parse", str(text), "--constituents", "--model", "en")
    assert wrong.returncode == 2 and b"finds no phrases" in wrong.stderr
    nowhere = accord("parse", str(text), "--constituents", "--model", "zh-joint")
    assert nowhere.returncode == 1 and b"zh-joint: no such model file" in nowhere.stderr


def test_a_joint_model_of_a_package_is_found_by_its_name(
    parser: JointConstituencyParser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from accord.app.commands.parse import joint_model

    file = tmp_path / "model.accord"
    parser.model.save(file)
    monkeypatch.setattr("accord.models.installed.installed_model", lambda name: file if name == "zh-joint" else None)
    assert joint_model("zh-joint", "") == joint_model("zh-joint", None) == joint_model("en", "zh-joint") == "zh-joint"
    assert JointConstituencyParser.load("zh-joint").trees(TEXTS[:1]) == parser.trees(TEXTS[:1])
    assert joint_model("en", None) is None


def test_gold_trees_are_plain() -> None:
    document = tiny_constituents(2)
    for (words, tree), sentence in zip(gold_of(document), document.sentences, strict=True):
        assert sentence.constituents is not None
        assert tuple(words) == tuple(sentence.forms) and tree == plain(sentence.constituents)
