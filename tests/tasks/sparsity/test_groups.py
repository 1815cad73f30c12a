# SPDX-License-Identifier: Apache-2.0
"""Orders of templates from coarse to fine, and the groups that are made of them."""

from __future__ import annotations

from itertools import product

import pytest

from accord.tasks.sparsity.groups import Cell, cell_groups, finer
from accord.tasks.sparsity.selection import chosen_templates

TEMPLATES = (
    "here.upos",
    "here.form",
    "here-1.upos",
    "here-1.upos here.upos",
    "here-1.upos here.form",
    "here-1.form here.form",
    "here.suffix2",
    "here.suffix3",
    "here.shape",
    "head.upos dependent.upos distance",
    "head.form dependent.upos distance",
    "head.upos dependent.upos",
)
CELLS = [Cell("state", text, False) for text in TEMPLATES] + [Cell("state", "bias", True)]


@pytest.mark.parametrize(
    ("fine", "coarse", "holds"),
    [
        ("here.form", "here.upos", True),
        ("here.upos", "here.form", False),
        ("here-1.upos here.form", "here.upos", True),
        ("here-1.upos here.form", "here-1.form", False),
        ("here.suffix3", "here.suffix2", True),
        ("here.suffix2", "here.suffix3", False),
        ("head.upos dependent.upos distance", "head.upos dependent.upos", True),
        ("here.upos", "here.upos", True),
    ],
)
def test_a_template_is_finer_where_it_says_more_at_each_place(fine: str, coarse: str, holds: bool) -> None:
    assert finer(fine, coarse) == holds


def test_the_order_is_one() -> None:
    for a, b, c in product(TEMPLATES, repeat=3):
        assert finer(a, a)
        assert not (finer(a, b) and finer(b, c)) or finer(a, c)
        assert a == b or not (finer(a, b) and finer(b, a))


def test_a_group_from_coarse_to_fine_holds_the_groups_of_its_finer_templates() -> None:
    groups = [set(members) for members in cell_groups(CELLS, "coarse_to_fine")]
    for coarse, fine in product(range(len(TEMPLATES)), repeat=2):
        assert (groups[fine] <= groups[coarse]) == finer(TEMPLATES[fine], TEMPLATES[coarse])


@pytest.mark.parametrize("kind", ["templates", "kinds", "coarse_to_fine"])
def test_every_template_that_looks_at_words_is_in_a_group_and_no_other_is(kind: str) -> None:
    members = {cell for group in cell_groups(CELLS, kind) for cell in group}
    assert members == set(range(len(TEMPLATES)))


def test_kinds_hold_the_templates_of_the_same_attributes() -> None:
    groups = cell_groups(CELLS, "kinds")
    assert [0, 2, 3, 9, 11] in groups
    assert all([number] in groups for number in range(len(TEMPLATES)))


def test_templates_that_go_leave_other_sections_as_they_were() -> None:
    text = "# words\n[state]\nwith: - ; here.upos\nhere.form\n[other]\n# kept\nwith: - ; direction\nhead.form\n"
    cells = [Cell("state", "here.form", False), Cell("state", "here.form here.upos", False)]
    left = chosen_templates(text, cells, [False, True])
    assert "[other]\n# kept\nwith: - ; direction\nhead.form\n" in left
    assert left.endswith("[state]\nhere.form here.upos\n")
