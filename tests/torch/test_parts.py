# SPDX-License-Identifier: Apache-2.0
"""Layers over trees with larger parts: against the charts of inference, enumeration, and autograd's own checks."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import numpy as np  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from accord._core import trees as native  # noqa: E402
from accord.errors import ConfigError, ConstraintError  # noqa: E402
from accord.inference.charts import FAMILIES, HigherOrder  # noqa: E402
from accord.torch import part_argmax, part_layout, part_log_partition, part_marginals, part_slots  # noqa: E402
from tests.inference.enumerated_trees import Space, all_trees  # noqa: E402

MANY = [[], ["sibling"], ["sibling", "grandparent"], list(FAMILIES)]
families_of = pytest.mark.parametrize("families", MANY, ids="-".join)


def random_layouts(seed: int, families: list[str], longest: int = 4) -> list[native.PartLayout]:
    """Sentences of one to four words with some of the arcs; the chain 0 -> 1 -> 2 ... is always there."""
    random = np.random.default_rng(seed)
    layouts = []
    for words in random.permutation(np.arange(1, longest + 1)):
        mask = random.random((words + 1, words + 1)) < 0.7
        mask[np.arange(words), np.arange(1, words + 1)] = True
        layouts.append(part_layout(torch.from_numpy(mask), families))
    return layouts


def random_scores(layouts: list[native.PartLayout], seed: int) -> torch.Tensor:
    slots = sum(layout.size for layout in layouts)
    return torch.randn(slots, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def enumerated(layout: native.PartLayout, space: Space) -> tuple[list[tuple[int, ...]], torch.Tensor]:
    """The trees made of a layout's arcs, and the slots of each as a row of zeros and ones."""
    words = int(part_slots(layout)[1][:, 1].max())
    trees, rows = [], []
    for heads in all_trees(words, space):
        slots = layout.parts_of(native.PartModel.full, np.array(heads, dtype=np.int32))
        if slots is None:
            continue
        row = torch.zeros(layout.size, dtype=torch.float64)
        row[torch.from_numpy(slots)] = 1.0
        trees.append(heads)
        rows.append(row)
    return trees, torch.stack(rows)


@families_of
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), single_root=st.booleans())
def test_sums_and_gradients_are_those_of_enumeration(families: list[str], seed: int, single_root: bool) -> None:
    layouts = random_layouts(seed, families)
    scores = random_scores(layouts, seed).requires_grad_()
    values = part_log_partition(scores, layouts, single_root=single_root)
    pieces = scores.split([layout.size for layout in layouts])
    expected = torch.stack(
        [
            (enumerated(layout, Space(True, single_root))[1] @ piece).logsumexp(0)
            for layout, piece in zip(layouts, pieces, strict=True)
        ]
    )
    torch.testing.assert_close(values, expected, rtol=1e-10, atol=1e-10)
    weights = torch.arange(1.0, len(layouts) + 1, dtype=torch.float64)
    (gradient,) = torch.autograd.grad((weights * values).sum(), scores, create_graph=True)
    (wanted,) = torch.autograd.grad((weights * expected).sum(), scores, create_graph=True)
    torch.testing.assert_close(gradient, wanted, rtol=1e-9, atol=1e-9)
    direction = random_scores(layouts, seed + 1)
    (product,) = torch.autograd.grad((gradient * direction).sum(), scores)
    (curvature,) = torch.autograd.grad((wanted * direction).sum(), scores)
    torch.testing.assert_close(product, curvature, rtol=1e-9, atol=1e-9)


@families_of
def test_autograd_checks_find_no_fault(families: list[str]) -> None:
    layouts = random_layouts(2, families, longest=2 if len(families) > 2 else 3)
    scores = random_scores(layouts, 3).requires_grad_()
    assert torch.autograd.gradcheck(lambda s: part_log_partition(s, layouts), (scores,))
    assert torch.autograd.gradgradcheck(lambda s: part_log_partition(s, layouts), (scores,))
    assert torch.autograd.gradcheck(lambda s: part_marginals(s, layouts), (scores,))


@pytest.mark.parametrize("model", ["full", "model0", "model1", "model2", "carreras"])
def test_every_model_is_that_of_the_charts(model: str) -> None:
    words = 5
    layout = part_layout(torch.ones(words + 1, words + 1, dtype=torch.bool), list(FAMILIES))
    drawn = random_scores([layout], 5)
    scores = torch.zeros_like(drawn)  # the charts give no score to sides without modifiers
    given = {}
    for family in ("arc", *FAMILIES):
        slots, tuples = part_slots(layout, family)
        scores[slots] = drawn[slots]
        given[family] = (tuples.numpy(), scores[slots].numpy())
    arcs = np.full((words + 1, words + 1), -np.inf)
    tuples, values = given.pop("arc")
    arcs[tuple(tuples.T)] = values
    chart = HigherOrder(arcs, **given, single_root=True, model=model)  # type: ignore[arg-type]
    value = part_log_partition(scores, [layout], model=model)  # type: ignore[arg-type]
    assert value.item() == pytest.approx(chart.log_partition(), abs=1e-10)
    marginals = part_marginals(scores, [layout], model=model)  # type: ignore[arg-type]
    slots = part_slots(layout)[0]
    np.testing.assert_allclose(marginals[slots], chart.marginals().arcs[tuple(tuples.T)], atol=1e-12)


@families_of
@pytest.mark.parametrize("projective", [False, True])
def test_the_best_trees_are_those_of_enumeration(families: list[str], projective: bool) -> None:
    for seed in range(5):
        layouts = random_layouts(seed, families)
        scores = random_scores(layouts, seed)
        found = part_argmax(scores, layouts, projective=projective, solver="auto", iterations=200, search_nodes=1000)
        assert found.proved.all()
        assert found.heads.shape == (4, 5)
        start = 0
        for sentence, layout in enumerate(layouts):
            own = scores[start : start + layout.size]
            trees, rows = enumerated(layout, Space(projective, True))
            best = int((rows @ own).argmax())
            width = len(trees[best])
            assert tuple(found.heads[sentence, :width].tolist()) == trees[best]
            assert (found.heads[sentence, width:] == -1).all()
            assert torch.equal(found.slots[start : start + layout.size], rows[best])
            assert found.values[sentence].item() == pytest.approx(float(rows[best] @ own))
            start += layout.size


def test_a_margin_loss_has_the_difference_of_two_trees_as_its_gradient() -> None:
    layouts = random_layouts(1, ["sibling", "grandparent"])
    scores = random_scores(layouts, 1).requires_grad_()
    found = part_argmax(scores, layouts, solver="ad3")
    gold = torch.zeros_like(scores)
    loss = (scores * (found.slots - gold)).sum()
    loss.backward()
    assert scores.grad is not None
    assert torch.equal(scores.grad, found.slots)
    torch.testing.assert_close(loss.detach(), found.values.sum())


def test_forbidden_arcs_are_not_used_and_get_no_gradient() -> None:
    layouts = [part_layout(torch.ones(4, 4, dtype=torch.bool), ["sibling"])]
    scores = random_scores(layouts, 9)
    slots, tuples = part_slots(layouts[0])
    (forbidden,) = slots[(tuples == torch.tensor([0, 2])).all(dim=1)]
    scores[forbidden] = -torch.inf
    free = scores.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(part_log_partition(free, layouts).sum(), free, create_graph=True)
    assert gradient[forbidden] == 0
    (second,) = torch.autograd.grad(gradient.square().sum(), free)
    assert second[forbidden] == 0
    assert torch.isfinite(second).all()
    for projective in (False, True):
        assert part_argmax(scores, layouts, projective=projective).heads[0, 2] != 0


def test_threads_and_precision() -> None:
    layouts = random_layouts(3, ["sibling", "grandparent"])
    scores = random_scores(layouts, 3)
    assert torch.equal(part_marginals(scores, layouts, threads=1), part_marginals(scores, layouts, threads=3))
    for one, three in zip(
        part_argmax(scores, layouts, threads=1), part_argmax(scores, layouts, threads=3), strict=True
    ):
        assert torch.equal(one, three)
    single = scores.float().requires_grad_()
    value = part_log_partition(single, layouts)
    value.sum().backward()
    assert value.dtype == torch.float32
    assert single.grad is not None and single.grad.dtype == torch.float32
    torch.testing.assert_close(value.detach().double(), part_log_partition(scores, layouts), rtol=1e-5, atol=1e-5)


def test_an_empty_batch() -> None:
    scores = torch.zeros(0, requires_grad=True)
    value = part_log_partition(scores, [])
    assert value.shape == (0,)
    value.sum().backward()
    assert scores.grad is not None
    assert scores.grad.shape == (0,)
    assert part_argmax(scores, []).heads.shape == (0, 1)


def test_a_layout_without_a_tree_is_named() -> None:
    whole = part_layout(torch.ones(3, 3, dtype=torch.bool), ["sibling"])
    mask = torch.zeros(3, 3, dtype=torch.bool)
    mask[1, 2] = mask[2, 1] = True  # no arc from the root
    for empty in (part_layout(mask, ["sibling"]), part_layout(torch.zeros(3, 3, dtype=torch.bool), ["sibling"])):
        scores = torch.zeros(whole.size + empty.size)
        for layer in (part_log_partition, part_marginals, part_argmax):
            with pytest.raises(ConstraintError, match="sentence 1 of the batch: no tree"):
                layer(scores, [whole, empty])


def test_mistakes_are_named() -> None:
    layout = part_layout(torch.ones(3, 3, dtype=torch.bool), ["sibling"])
    scores = torch.zeros(layout.size)
    with pytest.raises(ValueError, match=f"the layouts have {2 * layout.size} slots"):
        part_log_partition(scores, [layout, layout])
    with pytest.raises(ValueError, match="model must be one of"):
        part_log_partition(scores, [layout], model="model9")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="family must be one of"):
        part_layout(torch.ones(3, 3, dtype=torch.bool), ["cousin"])
    with pytest.raises(ValueError, match="boolean"):
        part_layout(torch.ones(3, 3))
    with pytest.raises(ConfigError, match="unknown solver 'magic'"):
        part_argmax(scores, [layout], solver="magic")
    with pytest.raises(ConfigError, match="solver 'chart' is for projective models"):
        part_argmax(scores, [layout], solver="chart")
    scores[0] = torch.nan
    with pytest.raises(ValueError, match="slot 0 is NaN"):
        part_log_partition(scores, [layout])


def test_slots_cover_every_part_of_every_tree() -> None:
    families = [
        family for family in FAMILIES if family != "sibling"
    ]  # these have a slot for sides without modifiers too
    layout = part_layout(torch.ones(5, 5, dtype=torch.bool), families)
    listed = {int(slot) for family in ("arc", *families) for slot in part_slots(layout, family)[0]}
    met = {int(slot) for slot in torch.nonzero(enumerated(layout, Space(False, False))[1].sum(dim=0)).flatten()}
    assert met <= listed
    assert len(met) > 100
