# SPDX-License-Identifier: Apache-2.0
"""The two-dimensional trie as Python sees it: equal to string look-up for all templates, corpora and layouts."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.trie._trie import (
    BatchOutput,
    ByteTrieIndex,
    FeatureTrie,
    PartBatch,
    StringHashIndex,
    TemplateTree,
    TrieLayout,
    extract_batch,
    measure_presence,
)
from hypothesis import given, settings
from hypothesis import strategies as st

UNITS = 6
LABELS = 3
LAYOUTS = [TrieLayout.hash, TrieLayout.double_array]
SPEC_TEMPLATES = Path(__file__).parents[1] / "spec17.txt"

Part = tuple[int, ...]

template_sets = st.lists(
    st.frozensets(st.integers(0, UNITS - 1), min_size=1, max_size=4).map(sorted),
    min_size=1,
    max_size=12,
    unique_by=tuple,
)
# -1 is an unknown word or a place outside the sentence; 40 makes rows long enough to interleave.
parts = st.tuples(*[st.sampled_from([-1, 0, 1, 2, 40])] * UNITS)
corpora = st.lists(st.tuples(parts, st.integers(0, LABELS - 1)), max_size=15)


def tokens_of(part: Part) -> npt.NDArray[np.int32]:
    return np.array(part, dtype=np.int32)


def strings_of(templates: list[list[int]], part: Part) -> list[str]:
    """The naive way: one string for each template that fires."""
    return [
        f"{number}:" + "+".join(str(part[unit]) for unit in template)
        for number, template in enumerate(templates)
        if all(part[unit] >= 0 for unit in template)
    ]


class StringTable:
    """Features by their strings: the reference for what fires and how it scores."""

    def __init__(self, templates: list[list[int]]) -> None:
        self.templates = templates
        self.features: dict[str, dict[int, int]] = {}

    def fired(self, part: Part) -> list[tuple[int, int]]:
        """(label, feature) of each stored feature that fires."""
        rows = [self.features.get(string, {}) for string in strings_of(self.templates, part)]
        return [entry for row in rows for entry in row.items()]


def build(templates: list[list[int]], corpus: list[tuple[Part, int]]) -> tuple[FeatureTrie, StringTable]:
    trie, table = FeatureTrie(TemplateTree(templates, UNITS), LABELS), StringTable(templates)
    for part, label in corpus:
        for number, template in enumerate(templates):
            feature = trie.insert(number, tokens_of(part), label)
            fires = all(part[unit] >= 0 for unit in template)
            assert (feature >= 0) == fires
            if fires:
                string = f"{number}:" + "+".join(str(part[unit]) for unit in template)
                assert table.features.setdefault(string, {}).setdefault(label, feature) == feature
    return trie, table


@given(templates=template_sets, corpus=corpora, queries=st.lists(parts, min_size=1, max_size=8), data=st.data())
@settings(max_examples=150, deadline=None)
def test_fires_what_string_lookup_fires(
    templates: list[list[int]], corpus: list[tuple[Part, int]], queries: list[Part], data: st.DataObject
) -> None:
    trie, table = build(templates, corpus)
    count = trie.feature_count
    weights = data.draw(st.lists(st.sampled_from([0.0, 0.5, -1.25, 3.0]), min_size=count, max_size=count))
    trie.set_weights(np.array(weights, dtype=np.float32))
    frozen = [trie.freeze(layout) for layout in LAYOUTS]
    for part in [*queries, *(part for part, _ in corpus)]:
        fired = table.fired(part)
        assert sorted(trie.features(tokens_of(part))) == sorted(feature for _, feature in fired)
        kept = [(label, feature) for label, feature in fired if weights[feature] != 0]
        scores = np.zeros(LABELS)
        for label, feature in kept:
            scores[label] += weights[feature]
        for layout in frozen:
            assert sorted(layout.features(tokens_of(part))) == sorted(feature for _, feature in kept)
            assert np.array_equal(layout.scores(tokens_of(part)), scores)


@given(templates=template_sets, corpus=corpora)
@settings(max_examples=80, deadline=None)
def test_inserting_a_part_is_inserting_every_template(
    templates: list[list[int]], corpus: list[tuple[Part, int]]
) -> None:
    one_by_one, table = build(templates, corpus)
    whole = FeatureTrie(TemplateTree(templates, UNITS), LABELS)
    for part, label in corpus:
        assert len(whole.insert_part(tokens_of(part), label)) == len(strings_of(templates, part))
    assert (whole.feature_count, whole.node_count) == (one_by_one.feature_count, one_by_one.node_count)
    for part, _ in corpus:
        assert len(whole.features(tokens_of(part))) == len(table.fired(part))


@given(templates=template_sets, corpus=corpora, seed=st.integers(0, 99))
@settings(max_examples=80, deadline=None)
def test_a_walk_visits_the_vertices_whose_prefix_is_present(
    templates: list[list[int]], corpus: list[tuple[Part, int]], seed: int
) -> None:
    trie, _ = build(templates, corpus)
    order = [[trie.tree.vertices[vertex].unit for vertex in trie.tree.path(index)] for index in range(len(trie.tree))]
    trie.set_weights(np.ones(trie.feature_count, dtype=np.float32))
    frozen = trie.freeze(TrieLayout.double_array)
    # Every path of (unit, token) that leads to a stored feature.
    paths: set[tuple[tuple[int, int], ...]] = set()
    for part, _ in corpus:
        for number, template in enumerate(templates):
            if all(part[unit] >= 0 for unit in template):
                path = tuple((unit, part[unit]) for unit in order[trie.tree.vertex_of(number)])
                paths.update(path[:length] for length in range(len(path) + 1))
    part = tuple(int(token) for token in np.random.default_rng(seed).choice([-1, 0, 1, 2, 40], UNITS))
    visits = 0
    for units in order:
        above = tuple((unit, part[unit]) for unit in units[:-1])
        row_in_use = any(path[:-1] == above and path[-1][0] == units[-1] for path in paths if path)
        visits += part[units[-1]] >= 0 and above in paths and row_in_use
    assert frozen.visits(tokens_of(part)) == visits


@given(templates=template_sets, corpus=corpora, layout=st.sampled_from(LAYOUTS))
@settings(max_examples=60, deadline=None)
def test_bytes_go_round_and_are_always_the_same(
    templates: list[list[int]], corpus: list[tuple[Part, int]], layout: TrieLayout
) -> None:
    def frozen() -> FeatureTrie:
        trie, _ = build(templates, corpus)
        trie.set_weights(np.arange(trie.feature_count, dtype=np.float32))
        return trie.freeze(layout)

    saved = frozen().save()
    assert saved == frozen().save()
    loaded = FeatureTrie.load(saved)
    assert loaded.save() == saved and loaded.layout == layout and loaded.frozen
    for part, _ in corpus:
        assert loaded.features(tokens_of(part)) == frozen().features(tokens_of(part))
        assert np.array_equal(loaded.scores(tokens_of(part)), frozen().scores(tokens_of(part)))


def test_damaged_bytes_are_refused() -> None:
    trie, _ = build([[0], [0, 1]], [((1, 2, 0, 0, 0, 0), 1)])
    trie.set_weights(np.ones(2, dtype=np.float32))
    saved = trie.freeze().save()
    damaged = bytes([*saved[:40], saved[40] ^ 1, *saved[41:]])
    for wrong in (b"", b"PK\x03\x04", saved[:-1], saved + b"\0", damaged):
        with pytest.raises(ValueError, match="not a saved trie"):
            FeatureTrie.load(wrong)


def test_a_frozen_trie_takes_nothing_and_a_growing_one_is_not_saved() -> None:
    trie, _ = build([[0]], [((1, 0, 0, 0, 0, 0), 0)])
    with pytest.raises(ValueError, match="freeze"):
        trie.save()
    with pytest.raises(ValueError, match="expected 1 weights"):
        trie.set_weights(np.ones(2, dtype=np.float32))
    with pytest.raises(ValueError, match="one token per unit"):
        trie.features(np.zeros(UNITS + 1, dtype=np.int32))
    with pytest.raises(ValueError, match="label 3"):
        trie.insert(0, np.zeros(UNITS, dtype=np.int32), 3)
    with pytest.raises(ValueError, match="frozen"):
        trie.freeze().insert(0, np.zeros(UNITS, dtype=np.int32), 0)


@pytest.mark.parametrize(
    ("templates", "reason"),
    [
        ([[]], "no unit"),
        ([[0, 0]], "repeats a unit"),
        ([[6]], "outside 0..5"),
        ([[0, 1], [1, 0]], "repeats an earlier"),
    ],
)
def test_wrong_templates_are_refused(templates: list[list[int]], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        TemplateTree(templates, UNITS)


def spec_templates(last_id: int) -> tuple[list[list[int]], int]:
    numbers: dict[str, int] = {}
    templates: list[list[int]] = []
    for line in SPEC_TEMPLATES.read_text(encoding="utf-8").splitlines():
        if line.startswith("id ") and int(line[3:]) > last_id:
            break
        if line and not line.startswith(("#", "id ")):
            templates.append([numbers.setdefault(unit, len(numbers)) for unit in line.split(" + ")])
    return templates, len(numbers)


@pytest.mark.parametrize(("last_id", "count", "vertices"), [(2, 72, 93), (3, 128, 158), (4, 240, 279), (5, 336, 375)])
def test_template_groups_of_the_paper(last_id: int, count: int, vertices: int) -> None:
    templates, unit_count = spec_templates(last_id)
    tree = TemplateTree(templates, unit_count)
    assert (len(templates), len(tree)) == (count, vertices)
    # The paper has 91, 155, 275 and, for a list four templates shorter, 367 vertices.
    paper = {72: 91, 128: 155, 240: 275, 336: 367 + 4}[count]
    assert abs(len(tree) - paper) <= 4
    for number, template in enumerate(templates):
        path = [tree.vertices[vertex].unit for vertex in tree.path(tree.vertex_of(number))]
        assert sorted(path) == sorted(template) and len(set(path)) == len(path)


def test_virtual_vertices_are_few() -> None:
    assert [TemplateTree(*spec_templates(last_id)).virtual_count for last_id in (4, 5)] == [39, 39]
    assert 0.08 < 39 / 336 < 0.12


def pair_batch(words: list[Part]) -> PartBatch:
    """All pairs of words: units 0-1 of the head, 2-3 of the child, 4 the direction that both know, 5 the distance."""
    heads = [[word[0], word[1], direction] for word in words for direction in (0, 1)]
    children = [[word[2], word[3], direction] for word in words for direction in (0, 1)]
    pairs = [(a, b) for a, b in product(range(-1, len(words)), range(len(words))) if a != b]
    return PartBatch(
        contexts=[([0, 1, 4], np.array(heads, dtype=np.int32)), ([2, 3, 4], np.array(children, dtype=np.int32))],
        own_units=[5],
        fillings=np.array([[-1 if a < 0 else 2 * a + (a < b), 2 * b + (a < b)] for a, b in pairs], dtype=np.int32),
        own_tokens=np.array([[min(abs(a - b), 2)] for a, b in pairs], dtype=np.int32),
        sentences=np.array([0, len(pairs)], dtype=np.int64),
    )


@given(
    templates=template_sets,
    corpus=corpora,
    words=st.lists(parts, min_size=2, max_size=5),
    layout=st.sampled_from(LAYOUTS),
    output=st.sampled_from([BatchOutput.retrieve, BatchOutput.best_label, BatchOutput.features]),
)
@settings(max_examples=100, deadline=None)
def test_sharing_and_strings_change_nothing_but_the_cost(
    templates: list[list[int]],
    corpus: list[tuple[Part, int]],
    words: list[Part],
    layout: TrieLayout,
    output: BatchOutput,
) -> None:
    trie, _ = build(templates, corpus)
    batch = pair_batch(words)
    trie.insert_batch(batch, np.zeros(batch.part_count, dtype=np.int32))
    trie.set_weights(np.resize(np.array([1, 0, -0.5, 2], dtype=np.float32), trie.feature_count))
    frozen = trie.freeze(layout)
    alone = extract_batch(frozen, batch, output)
    spelling = [[str(token) for token in range(41)]], [0] * UNITS
    for other in (
        extract_batch(frozen, batch, output, share=True),
        StringHashIndex(frozen, *spelling).extract_batch(frozen, batch, output),
        ByteTrieIndex(frozen, *spelling).extract_batch(frozen, batch, output),
    ):
        assert (other.label_rows, other.checksum) == (alone.label_rows, alone.checksum)
        assert (other.best_labels, other.best_scores) == (alone.best_labels, alone.best_scores)
        assert other.feature_begin == alone.feature_begin
        for begin, end in zip(alone.feature_begin, alone.feature_begin[1:], strict=False):
            assert sorted(other.features[begin:end]) == sorted(alone.features[begin:end])


def test_sharing_walks_what_one_word_decides_once() -> None:
    # Four words, one template of the head alone: twelve pairs, and a walk for each head and direction in use.
    trie = FeatureTrie(TemplateTree([[0]], UNITS), 1)
    words: list[Part] = [(word, 0, 0, 0, 0, 0) for word in range(4)]
    batch = pair_batch(words)
    trie.insert_batch(batch, np.zeros(batch.part_count, dtype=np.int32))
    trie.set_weights(np.ones(4, dtype=np.float32))
    frozen = trie.freeze()
    assert extract_batch(frozen, batch, BatchOutput.retrieve).visits == 12
    assert extract_batch(frozen, batch, BatchOutput.retrieve, share=True).visits == 6


def test_wrong_batches_are_refused() -> None:
    trie = FeatureTrie(TemplateTree([[0]], UNITS), 1)
    table = np.zeros((1, 1), dtype=np.int32)
    offsets = np.array([0, 1], dtype=np.int64)
    good: dict[str, Any] = {
        "contexts": [([0], table)],
        "own_units": [1],
        "fillings": table,
        "own_tokens": table,
        "sentences": offsets,
    }
    assert extract_batch(trie, PartBatch(**good), BatchOutput.retrieve).label_rows == 0
    for wrong in (
        {"contexts": [([UNITS], table)]},
        {"own_units": [0]},
        {"fillings": np.ones((1, 1), dtype=np.int32)},
        {"fillings": np.zeros((0, 1), dtype=np.int32)},
        {"sentences": np.array([0, 2], dtype=np.int64)},
    ):
        with pytest.raises(ValueError, match="wrong batch"):
            extract_batch(trie, PartBatch(**{**good, **wrong}), BatchOutput.retrieve)


def test_presence_is_the_share_of_parts_that_fire() -> None:
    # Four words; the template of the head fires for words 0 and 1 alone, each the head of three of the sixteen pairs.
    trie = FeatureTrie(TemplateTree([[0], [2]], UNITS), 1)
    for word in (0, 1):
        trie.insert(0, tokens_of((word, 0, 0, 0, 0, 0)), 0)
    trie.set_weights(np.ones(2, dtype=np.float32))
    batch = pair_batch([(word, 0, 0, 0, 0, 0) for word in range(4)])
    assert batch.part_count == 16
    assert measure_presence(trie.freeze(), batch) == pytest.approx([6 / 16, 0])
