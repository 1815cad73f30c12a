# SPDX-License-Identifier: Apache-2.0
"""Candidates under given scores, and the scores of their parts, against loops over the words."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import numpy as np  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from accord._core import tasks as tasks_core  # noqa: E402
from accord._core import trees as native  # noqa: E402
from accord.torch import part_argmax, part_log_partition, part_slots  # noqa: E402
from accord.torch import part_scores as module  # noqa: E402
from accord.torch.network import Scores  # noqa: E402
from accord.torch.part_scores import candidate_layouts, part_scores  # noqa: E402
from tests.inference.enumerated_trees import Space, all_trees  # noqa: E402
from tests.torch.loss_cases import candidates_of, make_batch, make_scores, part_words, tree_score  # noqa: E402

FAMILIES = [("sibling",), ("grandparent",), ("sibling", "grandparent")]
families_of = pytest.mark.parametrize("families", FAMILIES, ids="-".join)


def some_case(
    seed: int, families: tuple[str, ...], lengths: tuple[int, ...] = (3, 1, 4, 2), heads: int = 2
) -> tuple[Scores, list[native.PartLayout]]:
    unknown = [(-1,) * (words + 1) for words in lengths]
    batch = make_batch(unknown)
    scores = make_scores(batch, families, seed)
    gold = np.full(batch.heads.shape, -1, np.int32)
    return scores, candidate_layouts(scores.arcs, np.array(lengths), gold, families, heads=heads, threshold=0.0)


@families_of
def test_slots_score_the_words_that_lists_of_parts_name(families: tuple[str, ...]) -> None:
    for seed in range(5):
        scores, layouts = some_case(seed, families)
        found = part_scores(scores, layouts)
        start, nowhere = 0, scores.arcs.shape[1]
        for row, layout in enumerate(layouts):
            own = found[start : start + layout.size]
            slots, arcs = part_slots(layout)
            assert torch.equal(own[slots], scores.arcs[row, arcs[:, 0], arcs[:, 1]])
            placed = set(slots.tolist())
            for family in families:
                x = scores.parts[family][row]
                for slot, (head, dependent, third) in part_words(layout, family, nowhere).items():
                    value = (x[head, 0] * x[dependent, 1] * x[third, 2]).sum()
                    torch.testing.assert_close(own[slot], value)
                    placed.add(slot)
            # What lists leave out: START with END, once a side that may have modifiers; else a slot is no part.
            sides = {(head, dependent > head) for head, dependent in arcs.tolist()} if "sibling" in families else set()
            rest = own[[slot for slot in range(layout.size) if slot not in placed]]
            empty = [
                float((x[head, 0] * x[nowhere, 1] * x[nowhere, 2]).sum())
                for head, _ in sides
                for x in [scores.parts["sibling"][row]]
            ]
            np.testing.assert_allclose(sorted(rest[rest != 0].tolist()), sorted(empty))
            start += layout.size
        assert start == len(found)


@families_of
def test_the_slots_of_a_tree_sum_to_its_score_by_definition(families: tuple[str, ...]) -> None:
    scores, layouts = some_case(3, families, heads=99)
    found = part_scores(scores, layouts).split([layout.size for layout in layouts])
    for row, (layout, own) in enumerate(zip(layouts, found, strict=True)):
        words = int(part_slots(layout)[1][:, 1].max())
        for heads in all_trees(words, Space(False, False)):
            slots = layout.parts_of(native.PartModel.full, np.array(heads, np.int32))
            assert slots is not None
            assert float(own[slots].sum()) == pytest.approx(tree_score(scores, row, heads, candidates_of(layout)))


def test_some_sentences_of_a_batch_are_scored_alone() -> None:
    scores, layouts = some_case(1, ("sibling", "grandparent"))
    pieces = part_scores(scores, layouts).split([layout.size for layout in layouts])
    some = part_scores(scores, [layouts[2], layouts[0]], torch.tensor([2, 0]))
    assert torch.equal(some, torch.cat([pieces[2], pieces[0]]))
    assert len(part_scores(scores, [], torch.zeros(0, dtype=torch.long))) == 0


def test_gradients_reach_arcs_and_parts_in_any_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, layouts = some_case(2, ("sibling", "grandparent"), (2, 3))

    def flat(arcs: torch.Tensor, siblings: torch.Tensor, grandparents: torch.Tensor) -> torch.Tensor:
        parts = {"sibling": siblings, "grandparent": grandparents}
        return part_scores(Scores(arcs, arcs, arcs, {}, parts), layouts)

    inputs = [scores.arcs, scores.parts["sibling"], scores.parts["grandparent"]]
    whole = flat(*inputs)
    monkeypatch.setattr(module, "CHUNK", 7)
    assert torch.equal(flat(*inputs), whole)
    assert torch.autograd.gradcheck(flat, [one.requires_grad_() for one in inputs])


def test_scores_of_16_bits_are_summed_in_32() -> None:
    scores, layouts = some_case(1, ("sibling",))
    rounded = Scores(
        scores.arcs.bfloat16(), scores.arcs, scores.arcs, {}, {"sibling": scores.parts["sibling"].bfloat16()}
    )
    exact = Scores(rounded.arcs.float(), scores.arcs, scores.arcs, {}, {"sibling": rounded.parts["sibling"].float()})
    found = part_scores(rounded, layouts)
    assert found.dtype == torch.float32
    assert torch.equal(found, part_scores(exact, layouts))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), projective=st.booleans(), single_root=st.booleans(), known=st.floats(0, 1))
def test_candidates_have_the_gold_heads_and_a_tree(
    seed: int, projective: bool, single_root: bool, known: float
) -> None:
    random = np.random.default_rng(seed)
    lengths = random.integers(0, 6, size=3)
    batch = make_batch([(-1,) * int(words + 1) for words in lengths])
    scores = make_scores(batch, ("sibling",), seed)
    gold = np.full(batch.heads.shape, -1, np.int32)
    for row, words in enumerate(lengths):
        for word in range(1, words + 1):
            if random.random() < known:
                gold[row, word] = random.choice([head for head in range(words + 1) if head != word])
    layouts = [
        candidate_layouts(
            scores.arcs,
            lengths,
            gold,
            ("sibling",),
            heads=1,
            threshold=1.0,
            projective=projective,
            single_root=single_root,
            threads=threads,
        )
        for threads in (1, 3)
    ]
    for row, (layout, other) in enumerate(zip(*layouts, strict=True)):
        arcs = candidates_of(layout)
        assert arcs == candidates_of(other)
        assert {(int(head), word) for word, head in enumerate(gold[row]) if head >= 0} <= arcs
        assert len(arcs) <= 3 * lengths[row]  # the likeliest, that of the best tree, gold
    flat = part_scores(scores, layouts[0])
    part_argmax(flat, layouts[0], projective=projective, single_root=single_root)
    if projective:
        part_log_partition(flat, layouts[0], single_root=single_root)


def test_mistakes_are_named() -> None:
    arcs, words = torch.zeros(1, 3, 3), np.array([2])
    with pytest.raises(ValueError, match="sentence 0: the gold head of word 2 is no other word"):
        candidate_layouts(arcs, words, np.array([[-1, 0, 2]], np.int32), ("sibling",))
    with pytest.raises(ValueError, match="a gold head, or -1, for every word"):
        candidate_layouts(arcs, words, np.array([[-1, 0]], np.int32), ("sibling",))
    with pytest.raises(ValueError, match="at least one head a word"):
        candidate_layouts(arcs, words, np.array([[-1, 0, 0]], np.int32), ("sibling",), heads=0)
    (layout,) = candidate_layouts(arcs, words, np.array([[-1, 0, 1]], np.int32), ("sibling",), heads=1, threshold=1.0)
    with pytest.raises(ValueError, match="only arcs, siblings and grandparents"):
        tasks_core.part_positions([layout], native.Part.tri_sibling, 3, 1)
    with pytest.raises(ValueError, match="sentence 0: an arc of the tree is no candidate"):
        tasks_core.tree_slots([layout], np.array([[-1, 2, 2]], np.int32))
    with pytest.raises(ValueError, match="a head for every word"):
        tasks_core.tree_slots([layout], np.array([[-1, 2]], np.int32))
    with pytest.raises(ValueError, match="one tree a layout"):
        tasks_core.tree_slots([layout], np.zeros((2, 3), np.int32))
