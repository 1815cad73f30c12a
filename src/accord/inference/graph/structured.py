# SPDX-License-Identifier: Apache-2.0
"""Building, continued: factors over whole structures (trees, head automata, chains) with score tables of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from accord.errors import ConstraintError
from accord.inference.graph.building import Building
from accord.inference.graph.variables import Variables, decoded, in_a_row, score_table


class StructuredBuilding(Building):
    """A graph under construction, with structures too."""

    def tree(
        self,
        arcs: ArrayLike,
        *,
        projective: bool = False,
        single_root: bool = False,
        name: str | None = None,
    ) -> None:
        """The arcs that are on form a dependency tree.

        ``arcs[h, m]`` is the variable of the arc from head h to dependent m, shape (n+1, n+1) with row 0 the root; -1
        marks arcs that do not exist (column 0 and the diagonal are never read).
        """
        table = np.asarray(arcs, dtype=np.int64)
        if table.ndim != 2 or table.shape[0] != table.shape[1]:
            raise ValueError(f"arcs must be (n+1, n+1), not {table.shape}")
        words = table.shape[0] - 1
        exists = table >= 0
        exists[:, 0] = False
        np.fill_diagonal(exists, False)
        heads, dependents = (axis.astype(np.int64) for axis in np.nonzero(exists))
        variables = np.ascontiguousarray(table[heads, dependents])
        self._add(
            lambda: self._native.add_tree(variables, words, heads, dependents, projective, single_root),
            name,
        )

    def subtree(
        self,
        parents: ArrayLike,
        variables: Variables,
        *,
        tied: ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        """What is left of a given tree when whole subtrees are deleted: a variable that is on has its parent on.

        ``parents[i]`` is the place of the parent of ``variables[i]`` among the variables, or -1 for a root; there may
        be several roots. ``tied[i]`` says that a variable is on exactly when its parent is: this arc is never cut.

        >>> from accord.inference import FactorGraph
        >>> graph = FactorGraph()
        >>> words = graph.variables([-1.0, 3.0, -2.0, 1.5])
        >>> graph.subtree([-1, 0, 0, 2], words)
        >>> graph.solve("ad3").assignment.tolist()
        [True, True, False, False]
        """
        plain, negated = decoded(variables)
        above = np.asarray(parents)
        bits = np.zeros(plain.size, np.bool_) if tied is None else np.asarray(tied, np.bool_)
        if above.shape != plain.shape or bits.shape != plain.shape:
            raise ValueError(f"parents and tied must have one entry for each of {plain.size} variables")
        if above.size and not np.issubdtype(above.dtype, np.integer):
            raise TypeError(f"parents are integers, not {above.dtype}")
        if above.size and not -1 <= above.min() <= above.max() < plain.size:
            raise ConstraintError(f"parents must be places -1 to {plain.size - 1}")
        places = np.ascontiguousarray(above, dtype=np.int64)
        self._add(lambda: self._native.add_subtree(plain, places, bits.astype(np.uint8), negated), name)

    def sibling_automaton(self, modifiers: Variables, scores: ArrayLike, name: str | None = None) -> None:
        """Scores for consecutive modifiers of a head on one side, given in the order outwards from the head.

        ``scores[i, j]``, shape (N+1, N+2), is earned when position j follows position i: 0 is the start, 1..N are the
        modifiers, N+1 is the end; entries with j <= i are ignored and -inf forbids.
        """
        plain, negated = decoded(modifiers)
        table = score_table(scores, (plain.size + 1, plain.size + 2), "scores")
        self._add(lambda: self._native.add_sibling_automaton(plain, table, negated), name)

    def tri_sibling_automaton(self, modifiers: Variables, scores: ArrayLike, name: str | None = None) -> None:
        """The same for three in a row: ``scores[i, j, k]``, shape (N+1, N+1, N+2); no modifier scores 0."""
        plain, negated = decoded(modifiers)
        table = score_table(scores, (plain.size + 1, plain.size + 1, plain.size + 2), "scores")
        self._add(lambda: self._native.add_tri_sibling_automaton(plain, table, negated), name)

    def grand_sibling_automaton(
        self,
        heads: Variables,
        modifiers: Variables,
        siblings: ArrayLike,
        grandparents: ArrayLike,
        grand_siblings: ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        """Exactly one of G incoming arcs and any of N outgoing ones: scores for what follows what under which head.

        ``siblings`` (N+1, N+2) as in :meth:`sibling_automaton`; ``grandparents[g, j]`` (G, N+2);
        ``grand_siblings[g, i, j]`` (G, N+1, N+2). Without heads it is the artificial root's.
        """
        incoming, outgoing = np.size(heads), np.size(modifiers)
        shape = (outgoing + 1, outgoing + 2)
        tables = [
            score_table(siblings, shape, "siblings"),
            score_table(grandparents, (incoming, outgoing + 2), "grandparents"),
            np.zeros(0)
            if grand_siblings is None
            else score_table(grand_siblings, (incoming, *shape), "grand_siblings"),
        ]
        plain, negated = decoded(in_a_row(heads, modifiers))
        self._add(
            lambda: self._native.add_grand_sibling_automaton(plain, incoming, tables[0], tables[1], tables[2], negated),
            name,
        )

    def grandparent_automaton(
        self, heads: Variables, modifiers: Variables, scores: ArrayLike, name: str | None = None
    ) -> None:
        """Exactly one of G incoming arcs and any of N outgoing ones: ``scores[g, j]``, shape (G, N+2), as above."""
        incoming = np.size(heads)
        table = score_table(scores, (incoming, np.size(modifiers) + 2), "scores")
        plain, negated = decoded(in_a_row(heads, modifiers))
        self._add(lambda: self._native.add_grandparent_automaton(plain, incoming, table, negated), name)

    def chain(self, states: Sequence[ArrayLike], transitions: Sequence[ArrayLike], name: str | None = None) -> None:
        """One state at each position, and a score for each pair of neighbouring states.

        ``states[p]`` are the variables of position p; ``transitions[p][a, b]`` is earned by state a at p and b at p+1.
        """
        rows = [np.atleast_1d(np.asarray(row)) for row in states]
        if len(transitions) != max(0, len(rows) - 1):
            raise ValueError(
                f"{len(rows)} positions have {max(0, len(rows) - 1)} tables between them, not {len(transitions)}"
            )
        tables = [
            score_table(table, (before.size, after.size), f"transitions[{place}]")
            for place, (table, before, after) in enumerate(zip(transitions, rows[:-1], rows[1:], strict=True))
        ]
        plain, negated = decoded(in_a_row(*rows))
        sizes = np.array([row.size for row in rows], np.int64)
        self._add(lambda: self._native.add_chain(plain, sizes, in_a_row(*tables, kind=np.float64), negated), name)
