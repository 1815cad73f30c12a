# SPDX-License-Identifier: Apache-2.0
"""The characters that lines are made of, in Unicode and in ASCII."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One character for each place a line can turn, end or meet another."""

    horizontal: str
    vertical: str
    crossing: str  # two lines that have nothing to do with each other
    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    branch_right: str  # a line that leaves a vertical one to the right
    branch_left: str
    node: str  # a word on the line of its dependents
    down: str  # the tip of an arc that arrives from above
    right: str  # the tip of an arc that arrives from the left
    from_head: str  # "dependent of", in a text


BOX = Glyphs(
    horizontal="─",
    vertical="│",
    crossing="┼",
    top_left="┌",
    top_right="┐",
    bottom_left="└",
    bottom_right="┘",
    branch_right="├",
    branch_left="┤",
    node="●",
    down="▼",
    right="►",
    from_head="←",
)

# ASCII has no tees: a line that ends at a "|" branches from it, one that crosses it goes through a "+".
ASCII = Glyphs(
    horizontal="-",
    vertical="|",
    crossing="+",
    top_left=".",
    top_right=".",
    bottom_left="`",
    bottom_right="'",
    branch_right="|",
    branch_left="|",
    node="o",
    down="v",
    right=">",
    from_head="<-",
)
