# SPDX-License-Identifier: Apache-2.0
"""Losses of heads against all trees one by one, their gradients and what they fall back on."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from dataclasses import replace  # noqa: E402

import numpy as np  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from accord.errors import ConfigError  # noqa: E402
from accord.tasks.network.config import NeuralConfig  # noqa: E402
from accord.torch.losses import LOCAL_WEIGHT, Search, structured_loss  # noqa: E402
from accord.torch.network import Scores  # noqa: E402
from accord.torch.part_scores import candidate_layouts, part_scores  # noqa: E402
from accord.torch.tree_losses import part_margin_loss  # noqa: E402
from tests.inference.enumerated_trees import SPACES, Space, all_trees, has_crossing  # noqa: E402
from tests.torch.enumeration import sparse_projection, tree_vectors  # noqa: E402
from tests.torch.loss_cases import Heads, local_loss, make_batch, make_scores, tree_score  # noqa: E402

PARTS = [("sibling",), ("grandparent",), ("sibling", "grandparent")]
spaces = pytest.mark.parametrize("space", SPACES, ids=str)
parts_of = pytest.mark.parametrize("parts", PARTS, ids="-".join)


def search_in(space: Space) -> Search:
    return Search(space.projective, space.single_root, heads=99, threshold=0.0)  # every arc is a candidate


def some_trees(space: Space, seed: int, lengths: tuple[int, ...] = (3, 1, 4, 2)) -> list[Heads]:
    random = np.random.default_rng(seed)
    return [trees[random.integers(len(trees))] for words in lengths for trees in [all_trees(words, space)]]


def all_arcs(words: int) -> set[tuple[int, int]]:
    return {(head, word) for head in range(words + 1) for word in range(1, words + 1) if head != word}


def enumerated(scores: Scores, row: int, gold: Heads, space: Space, loss: str) -> float:
    """The loss of one sentence by its definition."""
    words = len(gold) - 1
    trees = all_trees(words, space)
    values = np.array([tree_score(scores, row, heads, all_arcs(words)) for heads in trees])
    own = values[trees.index(gold)]
    if loss == "crf":
        return float(np.logaddexp.reduce(values) - own)
    if loss == "margin":
        costs = [sum(a != b for a, b in zip(heads, gold, strict=True)) for heads in trees]
        return float((values + costs).max() - own)
    vectors = tree_vectors(words, space).flatten(1).numpy()
    arcs = scores.arcs[row, : words + 1, : words + 1].flatten().numpy()
    mixed = sparse_projection(vectors, arcs, np.zeros(len(vectors)))
    y = vectors[trees.index(gold)]
    return float(arcs @ (mixed - y) - mixed @ mixed / 2 + y @ y / 2)


@spaces
@pytest.mark.parametrize("loss", ["crf", "margin", "sparsemap"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_losses_over_arcs_are_those_of_enumeration(loss: str, space: Space, seed: int) -> None:
    trees = some_trees(space, seed, (2, 1, 3) if loss == "sparsemap" else (3, 1, 4, 2))
    batch = make_batch(trees)
    scores = make_scores(batch, seed=seed)
    found = structured_loss(scores, batch, NeuralConfig(loss=loss), search_in(space))
    wanted = [enumerated(scores, row, gold, space, loss) for row, gold in enumerate(trees)]
    assert min(wanted) >= -1e-9
    assert float(found) == pytest.approx(sum(wanted), abs=1e-8)


@parts_of
@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("loss", ["crf", "margin"])
def test_losses_over_parts_are_those_of_enumeration(loss: str, single_root: bool, parts: tuple[str, ...]) -> None:
    space = Space(True, single_root)
    for seed in range(5):
        trees = some_trees(space, seed)
        batch = make_batch(trees)
        scores = make_scores(batch, parts, seed)
        found = structured_loss(scores, batch, NeuralConfig(loss=loss), search_in(space))
        wanted = sum(enumerated(scores, row, gold, space, loss) for row, gold in enumerate(trees))
        local = sum(local_loss(scores.arcs[row], gold) for row, gold in enumerate(trees))
        assert float(found) == pytest.approx(wanted + LOCAL_WEIGHT * local, abs=1e-8)


@parts_of
def test_margins_over_crossing_trees_are_never_too_large_and_right_with_a_search(parts: tuple[str, ...]) -> None:
    space, crossing = Space(False, True), 0
    for seed in range(20):
        (gold,) = trees = some_trees(space, seed, (4,))
        batch = make_batch(trees)
        scores = make_scores(batch, parts, seed)
        wanted = enumerated(scores, 0, gold, space, "margin")
        crossing += wanted > enumerated(scores, 0, gold, Space(True, True), "margin") if not has_crossing(gold) else 1
        heads = batch.heads.clamp(min=-1)
        layouts = candidate_layouts(
            scores.arcs, np.array([4]), heads.numpy().astype(np.int32), parts, heads=99, threshold=0.0
        )
        flat = part_scores(scores, layouts)
        exact = part_margin_loss(
            flat, heads, layouts, projective=False, single_root=True, iterations=200, search_nodes=1000
        )
        assert float(exact) == pytest.approx(wanted, abs=1e-8)
        found = structured_loss(scores, batch, NeuralConfig(loss="margin"), search_in(space))
        local = LOCAL_WEIGHT * local_loss(scores.arcs[0], gold)
        assert local - 1e-8 <= float(found) <= wanted + local + 1e-8
    assert crossing > 5


@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize(
    ("loss", "parts"),
    [("crf", ()), ("margin", ()), ("sparsemap", ()), *(("crf", parts) for parts in PARTS), ("margin", PARTS[2])],
)
def test_autograd_checks_find_no_fault(loss: str, parts: tuple[str, ...], projective: bool) -> None:
    batch = make_batch(some_trees(Space(projective, True), 5, (3, 2)))
    drawn = make_scores(batch, parts, seed=5)

    def value(arcs: torch.Tensor, *vectors: torch.Tensor) -> torch.Tensor:
        scores = replace(drawn, arcs=arcs, parts=dict(zip(parts, vectors, strict=True)))
        return structured_loss(scores, batch, NeuralConfig(loss=loss), search_in(Space(projective, True)))

    inputs = [one.requires_grad_() for one in (drawn.arcs, *drawn.parts.values())]
    assert torch.autograd.gradcheck(value, inputs)


TREE: Heads = (-1, 2, 0, 2)
CROSSING: Heads = (-1, 3, 0, 2, 1)  # 1 <- 3 crosses 2 <- 0
FALLING_BACK: dict[str, Heads] = {
    "unknown": (-1, 2, -1, 2),
    "cycle": (-1, 2, 1, 0),
    "two roots": (-1, 0, 0, 2),
    "no words": (-1,),
}


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize(
    ("loss", "parts"), [("crf", ()), ("margin", ()), ("sparsemap", ()), ("crf", PARTS[2]), ("margin", PARTS[0])]
)
def test_what_is_no_tree_learns_locally(loss: str, parts: tuple[str, ...], smoothing: float) -> None:
    config, search = NeuralConfig(loss=loss, smoothing=smoothing), search_in(Space(True, True))
    local = NeuralConfig(smoothing=smoothing)
    for other in (*FALLING_BACK.values(), CROSSING):
        batch = make_batch([other, TREE])
        scores = make_scores(batch, parts, seed=3)

        def alone(row: int, heads: Heads, config: NeuralConfig, scores: Scores = scores) -> float:
            width = len(heads)
            vectors = {name: torch.cat([own[[row], :width], own[[row], -1:]], 1) for name, own in scores.parts.items()}
            own = replace(scores, arcs=scores.arcs[[row], :width, :width], parts=vectors)
            if config.loss == "local":
                own = replace(own, parts={})
            return float(structured_loss(own, make_batch([heads]), config, search))

        found = float(structured_loss(scores, batch, config, search))
        fallback = alone(0, other, local)
        assert found == pytest.approx(fallback + alone(1, TREE, config), abs=1e-9)
        if not smoothing:
            assert fallback == pytest.approx(local_loss(scores.arcs[0], other), abs=1e-9)


def test_trees_of_the_space_do_not_fall_back() -> None:
    for loss in ("crf", "margin", "sparsemap"):
        for heads, space in ((CROSSING, Space(False, True)), (FALLING_BACK["two roots"], Space(True, False))):
            batch = make_batch([heads])
            scores = make_scores(batch, seed=4)
            found = float(structured_loss(scores, batch, NeuralConfig(loss=loss), search_in(space)))
            assert found != pytest.approx(local_loss(scores.arcs[0], heads), abs=1e-3)
    batch = make_batch([CROSSING])  # charts have no crossing trees, the margin's search has
    scores = make_scores(batch, PARTS[2], seed=4)
    local = local_loss(scores.arcs[0], CROSSING)
    for loss, falls in (("crf", True), ("margin", False)):
        found = float(structured_loss(scores, batch, NeuralConfig(loss=loss), search_in(Space(False, True))))
        assert (found == pytest.approx(local, abs=1e-3)) == falls


@pytest.mark.parametrize("loss", ["local", "sparsemap"])
def test_parts_are_not_learnt_by_every_loss(loss: str) -> None:
    batch = make_batch([TREE])
    with pytest.raises(ConfigError, match=f"loss = '{loss}': parts are learnt with loss=crf or loss=margin"):
        structured_loss(make_scores(batch, ("sibling",)), batch, NeuralConfig(loss=loss), Search())


@pytest.mark.parametrize(
    ("loss", "parts"), [("crf", ()), ("margin", ()), ("sparsemap", ()), ("crf", PARTS[2]), ("margin", PARTS[2])]
)
def test_scores_of_16_bits_cost_what_they_do_in_32(loss: str, parts: tuple[str, ...]) -> None:
    batch, config = make_batch([TREE, CROSSING, FALLING_BACK["unknown"]]), NeuralConfig(loss=loss)
    drawn = make_scores(batch, parts, seed=6)
    short = replace(drawn, arcs=drawn.arcs.bfloat16(), parts={name: x.bfloat16() for name, x in drawn.parts.items()})
    single = replace(short, arcs=short.arcs.float(), parts={name: x.float() for name, x in short.parts.items()})
    with torch.autocast("cpu", torch.bfloat16):
        found = structured_loss(short, batch, config, Search())
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, structured_loss(single, batch, config, Search()))
