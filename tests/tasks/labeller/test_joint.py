# SPDX-License-Identifier: Apache-2.0
"""Joint models of segments and types: labels and masks against enumeration, then models on small data."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data import Document
from accord.errors import ConfigError, FormatError, ModelError
from accord.tasks.joint import (
    JointConfig,
    JointLabeller,
    JointModel,
    Layers,
    Segment,
    score_segments,
    segments_of_labels,
    segments_of_words,
    train_joint,
)
from accord.tasks.joint.segments import labels_of_segments

SCHEMES = ("BI", "BMES", "BCDMES")
TYPES = ("X", "Y")


def covers(length: int, outside: bool) -> list[tuple[Segment, ...]]:
    """All ways to cover elements by segments, some of them outside."""
    found: list[tuple[Segment, ...]] = []

    def go(start: int, so_far: tuple[Segment, ...]) -> None:
        if start == length:
            found.append(so_far)
            return
        if outside:
            go(start + 1, so_far)
        for end in range(start + 1, length + 1):
            for type_ in TYPES:
                go(end, (*so_far, Segment(start, end, type_)))

    go(0, ())
    return found


def allowed(layers: Layers, length: int) -> set[tuple[tuple[int, int], ...]]:
    """All labellings of both layers that the masks allow."""
    masks, width = layers.masks(), len(layers.types)
    pairs = list(itertools.product(range(len(layers.places)), range(width)))
    result = set()
    for labels in itertools.product(pairs, repeat=length):
        codes = [place * width + type_ for place, type_ in labels]
        good = masks.start[codes[0]] == 0 and masks.end[codes[-1]] == 0
        if good and all(masks.follow[a, b] == 0 for a, b in itertools.pairwise(codes)):
            result.add(labels)
    return result


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("outside", [False, True])
def test_masks_allow_the_labellings_of_covers_and_no_others(scheme: str, outside: bool) -> None:
    layers = Layers(scheme, TYPES, outside=outside)
    for length in (1, 2, 3):
        labellings = set()
        for cover in covers(length, outside):
            numbers = layers.encode(cover, length)
            assert layers.decode(numbers) == list(cover)
            labellings.add(tuple((int(place), int(type_)) for place, type_ in numbers))
        assert labellings == allowed(layers, length)


@given(st.lists(st.tuples(st.integers(1, 7), st.sampled_from((*TYPES, "O"))), max_size=8), st.sampled_from(SCHEMES))
def test_segments_survive_encoding(parts: list[tuple[int, str]], scheme: str) -> None:
    segments, start = [], 0
    for size, type_ in parts:
        if type_ != "O":
            segments.append(Segment(start, start + size, type_))
        start += size
    layers = Layers(scheme, TYPES, outside=True)
    assert layers.decode(layers.encode(segments, start)) == segments
    assert segments_of_labels(labels_of_segments(segments, start), [start]) == [segments]


def test_segments_that_do_not_fit_are_refused() -> None:
    layers = Layers("BMES", TYPES, outside=False)
    for wrong in ([Segment(0, 1, "X")], [Segment(0, 3, "X")], [Segment(0, 2, "Z")], [Segment(0, 1, "X")] * 2):
        with pytest.raises(FormatError):
            layers.encode(wrong, 2)
    with pytest.raises(ConfigError, match="scheme"):
        Layers("XYZ", TYPES, outside=False)


def words(count: int, seed: int) -> tuple[list[str], list[list[Segment]]]:
    """Texts of words that tell themselves: lower-case letters then a digit are a noun, upper-case ones a verb."""
    random = np.random.default_rng(seed)
    texts, segments = [], []
    for _ in range(count):
        sentence = []
        for _ in range(int(random.integers(1, 6))):
            upper = bool(random.integers(2))
            letters = "".join(random.choice(list("ABC" if upper else "abc"), size=int(random.integers(1, 5))))
            sentence.append((letters + str(random.integers(3)), "VERB" if upper else "NOUN"))
        texts.append("".join(word for word, _ in sentence))
        segments.append(segments_of_words(sentence))
    return texts, segments


@pytest.mark.parametrize(
    "config",
    [
        JointConfig(scheme="BCDMES", templates="joint_words", l2=0.1, iterations=40),
        JointConfig(scheme="BCDMES", templates="joint_words_wide", l2=0.1, iterations=40),
        JointConfig(scheme="BMES", templates="joint_words", consistency="soft", l2=0.1, iterations=60),
        JointConfig(scheme="BMES", templates="joint_words", method="mira", epochs=5, bits=10),
    ],
    ids=["hard", "wide", "soft", "mira"],
)
def test_a_joint_model_learns_words_and_tags(config: JointConfig, tmp_path: Path) -> None:
    model = train_joint(*words(150, 1), config).model
    texts, gold = words(60, 2)
    labeller = JointLabeller(model)
    found = labeller(texts, threads=1)
    assert score_segments(gold, found).f1 > 97
    labels = labeller.numbers(texts, threads=1)
    assert all(
        np.array_equal(labeller.layers.encode(one, len(text)), own)
        for text, one, own in zip(texts, found, labels, strict=True)
    )
    path = f"{tmp_path}/model.accord"
    model.save(path)
    assert JointLabeller.load(path)(texts, threads=2) == found


@settings(max_examples=10, deadline=None)
@given(st.text(alphabet="abcABC012", min_size=1, max_size=4))
def test_ranked_covers_are_all_covers(text: str) -> None:
    labeller = JointLabeller(MODEL)
    ranked = labeller.kbest([text], 0, 10_000)
    types = labeller.layers.types
    assert len({one.value for one in ranked}) == len(ranked) == _count(len(text), len(types))
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert sum(one.probability for one in ranked) == pytest.approx(1.0, abs=1e-9)
    assert list(ranked[0].value) == labeller([text])[0]


def _count(length: int, types: int) -> int:
    return types * (1 + types) ** (length - 1)


MODEL = train_joint(
    *words(30, 3), JointConfig(scheme="BCDMES", templates="joint_words", iterations=10, threads=1)
).model


def test_words_outside_segments() -> None:
    rows = ["1\tthe\t_\t_\tDT\t_\t_\t_\t_\t_", "2\tcat\t_\t_\tNN\t_\t_\t_\t_\t_", "3\tsat\t_\t_\tVB\t_\t_\t_\t_\t_"]
    document = Document(("\n".join(rows) + "\n\n").encode() * 5)
    gold = [[Segment(0, 2, "NP")] for _ in range(5)]
    model = train_joint(document, gold, JointConfig(l2=0.1, iterations=30)).model
    assert model.outside
    assert JointLabeller(model)(document) == gold
    with pytest.raises(ConfigError, match="words"):
        JointLabeller(model)(["text"])


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    path = f"{tmp_path}/model.accord"
    header, arrays = MODEL.to_blocks()
    with pytest.raises(ModelError, match="not a joint model"):
        JointModel.from_blocks({**header, "kind": "tagger"}, arrays, path)
    with pytest.raises(ModelError, match="understands"):
        JointModel.from_blocks({**header, "parts": {}}, arrays, path)


def test_nothing_to_learn_from() -> None:
    with pytest.raises(ConfigError):
        train_joint([], [])
