# SPDX-License-Identifier: Apache-2.0
"""Entities and chunks: schemes, given labels, exact probabilities, lists, formats."""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.data import Document, Sentence
from accord.errors import ConfigError, ConstraintError, ModelError
from accord.evaluation.spans import LabelledSpan, evaluate_spans, spans_of_labels
from accord.tasks.spans import (
    LabelledFile,
    SpanLabeller,
    SpansConfig,
    SpansModel,
    read_labelled,
    tag_column,
    train_spans,
)
from accord.tasks.spans.labels import FILE_SCHEMES, LabelTable, detect_scheme, label_spans
from accord.tasks.spans.lists import character_lists, word_lists

CONFIG = SpansConfig(method="mira", epochs=4, threads=1)
NAMES = {"PER": ["Ana", "Ana Ruiz", "Bo"], "LOC": ["Rio", "Rio Bravo", "New York City"]}
OTHER = ["saw", "the", "in", "and", "went", "to"]


def made(count: int, seed: int, scheme: str = "BIO") -> LabelledFile:
    """Sentences of names and other words."""
    random = np.random.default_rng(seed)
    sentences, labels, lengths = [], [], []
    for _ in range(count):
        words: list[str] = []
        spans = []
        for _ in range(int(random.integers(2, 6))):
            kind = ("PER", "LOC", "", "")[int(random.integers(0, 4))]
            if kind:
                name = NAMES[kind][int(random.integers(0, 3))].split()
                spans.append(LabelledSpan(len(words), len(words) + len(name), kind))
                words += name
            else:
                words.append(OTHER[int(random.integers(0, len(OTHER)))])
        sentences.append(Sentence.from_words(words))
        lengths.append(len(words))
        labels += label_spans(spans, len(words), scheme, [len(words)])
    return LabelledFile(Document.from_sentences(sentences), labels)


@pytest.fixture(scope="module", params=["BIOES", "BIO"])
def labeller(request: pytest.FixtureRequest) -> SpanLabeller:
    return SpanLabeller(train_spans(made(150, 1), made(30, 2), dataclasses.replace(CONFIG, scheme=request.param)).model)


SPANS = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from(["X", "Y"])), max_size=4)


@given(drawn=SPANS, scheme=st.sampled_from(FILE_SCHEMES))
def test_spans_come_back_from_their_labels_in_every_scheme(drawn: list[tuple[int, int, str]], scheme: str) -> None:
    at, spans = 0, []
    for gap, size, kind in drawn:
        spans.append(LabelledSpan(at + gap, at + gap + size, kind))
        at += gap + size
    labels = label_spans(spans, at + 1, scheme, [at + 1])
    assert spans_of_labels(labels) == spans
    if len(spans) > 3 and any(span.end - span.start == 1 for span in spans) and scheme != "BIO":
        found = detect_scheme(labels, [len(labels)])
        assert found == scheme or spans_of_labels(label_spans(spans, at + 1, found, [at + 1])) == spans


def test_a_sentence_end_parts_spans_in_iob1() -> None:
    spans = [LabelledSpan(0, 1, "X"), LabelledSpan(1, 2, "X"), LabelledSpan(2, 3, "X")]
    assert label_spans(spans, 3, "IOB1", [1, 2]) == ["I-X", "I-X", "B-X"]


@pytest.mark.parametrize("inside", ["BIOES", "BIO"])
@pytest.mark.parametrize("scheme", FILE_SCHEMES)
def test_given_labels_allow_exactly_the_labellings_that_have_them(inside: str, scheme: str) -> None:
    table = LabelTable.of_types(inside, ["X", "Y"])
    file_table = sorted({"O", *(f"{p}-X" for p in {"BIO": "BI", "IOB1": "BI"}.get(scheme, scheme.replace("O", "")))})
    legal = [
        path
        for path in itertools.product(range(len(table.labels)), repeat=3)
        if table.masks.start[path[0]] == 0
        and table.masks.end[path[-1]] == 0
        and all(table.masks.follow[pair] == 0 for pair in itertools.pairwise(path))
    ]
    for place, label in itertools.product(range(3), file_table):
        given = ["_"] * 3
        given[place] = label
        allowed = table.allowed(given, [3], scheme)
        for path in legal:
            spans = spans_of_labels([table.labels[number] for number in path])
            written = label_spans(spans, 3, scheme, [3])[place]
            if scheme == "IOB1" and label == "I-X":
                continue  # a B inside IOB1 depends on the span before; any X is let through
            assert allowed[np.arange(3), path].all() == (
                written == label
                or (
                    scheme == "IOB1"
                    and label == "B-X"
                    and any(span.start == place and span.type == "X" for span in spans)
                )
            ), (given, path)


def test_it_learns_and_its_labels_are_of_the_training_scheme(labeller: SpanLabeller) -> None:
    test = made(40, 3)
    answer = labeller.label(test.document)
    assert evaluate_spans(test.labels, answer.labels, test.lengths).spans.f1 > 95
    assert set(answer.labels) <= {"O", "B-PER", "I-PER", "B-LOC", "I-LOC"}
    assert labeller.types == ["LOC", "PER"]
    assert answer.spans == spans_of_labels(answer.labels, test.lengths)


def test_probabilities_of_spans_sum_over_all_labellings_that_have_them(labeller: SpanLabeller) -> None:
    words = ["Ana", "Rio", "to"]
    document = Document.from_sentences([Sentence.from_words(["the"]), Sentence.from_words(words)])
    given = ["_", "B-PER", "_", "_"]
    for known in (None, given):
        answer = labeller.label(document, given=known, probabilities=True)
        ranked = labeller.kbest(document.sentences[1], 10000, given=None if known is None else known[1:])
        assert sum(one.probability for one in ranked) == pytest.approx(1.0, abs=1e-9)
        assert len(answer.spans) == len(answer.span_probability) > 0
        for span, probability in zip(answer.spans, answer.span_probability, strict=True):
            moved = LabelledSpan(span.start - 1, span.end - 1, span.type)
            assert probability == pytest.approx(sum(o.probability for o in ranked if moved in o.value.spans), abs=1e-9)
        assert ((answer.probability > 0) & (answer.probability <= 1)).all()
    assert list(ranked[0].value.labels) == answer.labels[1:]


def test_given_labels_stay_and_move_those_around_them(labeller: SpanLabeller) -> None:
    document = Document.from_sentences([Sentence.from_words(["Rio", "Bravo", "saw", "Bo"])])
    assert labeller.label(document).labels == ["B-LOC", "I-LOC", "O", "B-PER"]
    assert labeller.label(document, given=["B-PER", "_", "_", "O"]).labels[:1] == ["B-PER"]
    assert labeller.label(document, given=["_", "_", "I-PER", "_"]).labels[1:3] in (
        ["B-PER", "I-PER"],
        ["I-PER", "I-PER"],
    )
    with pytest.raises(ConstraintError, match="sentence 1: the given labels contradict"):
        labeller.label(document, given=["O", "I-PER", "_", "_"])
    with pytest.raises(ConstraintError):
        labeller.kbest(document.sentences[0], 2, given=["O", "I-PER", "_", "_"])
    with pytest.raises(ConfigError, match="knows no label"):
        labeller.label(document, given=["B-DOG", "_", "_", "_"])
    with pytest.raises(ConfigError, match="3 given labels for 4"):
        labeller.label(document, given=["_"] * 3)


def test_labels_go_to_misc(labeller: SpanLabeller) -> None:
    found = labeller(Sentence.from_words(["Ana", "saw"]))
    assert found.column("misc") == ["NER=B-PER", "NER=O"]


@pytest.mark.parametrize("scheme", FILE_SCHEMES)
def test_every_scheme_of_files_is_learnt_and_written(scheme: str) -> None:
    training = made(150, 1, scheme)
    model = train_spans(training, None, CONFIG).model
    test = made(30, 3, scheme)
    found = SpanLabeller(model).label(test.document).labels
    assert model.scheme == scheme
    assert evaluate_spans(test.labels, found, test.lengths).spans.f1 > 95
    assert set(found) <= set(training.labels)


def test_characters_use_lists_of_names(tmp_path: Path) -> None:
    file = tmp_path / "names.bmes"
    people = ["王小明", "李红", "王红", "张大明"]
    lines = []
    for first, second in itertools.product(people, repeat=2):
        for text, labelled in ((first, True), ("去了", False), (second, True), ("家。", False)):
            letters = "BE" if len(text) == 2 else "BME"
            lines += [f"{c}\t{letters[i] + '-PER' if labelled else 'O'}" for i, c in enumerate(text)]
        lines.append("")
    file.write_text("\n".join(lines) + "\n")
    training = read_labelled(file, CONFIG)
    model = train_spans(training, None, CONFIG).model
    assert model.characters
    assert model.config.templates == "ner_characters"
    assert "王小明\tPER" in model.chain.lexicon.names
    document = Document.from_sentences([Sentence.from_words(list("张红去了王明家"))])
    assert SpanLabeller(model).label(document).labels[:2] == ["B-PER", "E-PER"]


def test_lists_say_what_spans_of_the_training_data_hold() -> None:
    words = word_lists([(["Ana", "saw"], ["B-PER", "O"]), (["Ana"], ["O"])])
    assert words.words == "Ana\tO|PER\nsaw\tO"
    lists = character_lists([("见到王小明", ["O", "O", "B-PER", "M-PER", "E-PER"])])
    assert lists.names == "王小明\tPER"
    assert lists.words.split("\n") == ["小明\tPER:last", "明\tPER:last", "王\tPER:first", "见到\tPER:before"]
    assert "见到" not in character_lists([("见到王小明", ["O", "O", "B-PER", "M-PER", "E-PER"])], 2).words


def test_models_come_back_from_files(labeller: SpanLabeller, tmp_path: Path) -> None:
    labeller.model.save(tmp_path / "names.accord")
    again = SpanLabeller.load(tmp_path / "names.accord")
    test = made(20, 5)
    assert again.label(test.document).labels == labeller.label(test.document).labels
    assert again.model.config == labeller.model.config
    with pytest.raises(ModelError, match="not a labeller of spans"):
        SpansModel.from_blocks({"kind": "parser"}, {}, "x")


def test_columns_are_found(tmp_path: Path) -> None:
    two, three = tmp_path / "two.txt", tmp_path / "three.txt"
    two.write_text("Ana\tB-PER\n")
    three.write_text("Ana NNP B-PER\n")
    assert tag_column(two, CONFIG) == -2
    assert tag_column(three, CONFIG) == 1
    assert tag_column(three, dataclasses.replace(CONFIG, tag=-2)) == -2
    read = read_labelled(three, dataclasses.replace(CONFIG, tag=1))
    assert read.document.column("xpos") == ["NNP"]
    assert read.to_bytes([["B-LOC"]], ["NER"]) == b"Ana NNP B-PER B-LOC\n"


def test_mistakes_are_named() -> None:
    nothing = LabelledFile(Document.from_sentences([Sentence.from_words(["a"])]), ["O"])
    with pytest.raises(ConfigError, match="no token is in a span"):
        train_spans(nothing, None, CONFIG)
    with pytest.raises(ConfigError, match="some tokens have no label"):
        train_spans(dataclasses.replace(nothing, labels=["_"]), None, CONFIG)
    with pytest.raises(ConfigError, match="expected one of auto"):
        read_labelled("x", CONFIG, format="xml")
