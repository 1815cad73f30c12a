"""Factor graphs over binary variables: build with numpy, solve with any of seven solvers, get a certificate.

>>> import numpy as np
>>> from accord.inference import FactorGraph
>>> g = FactorGraph()
>>> u = g.variables([1.0, 2.0, 1.5, -1.0])
>>> g.exactly_one(u[:3])
>>> g.implies(u[1], u[3])
>>> r = g.solve("ad3")
>>> r.status, r.value, r.assignment.tolist()
('optimal', 1.5, [False, False, True, False])

Variables are plain integers; ``~u[0]`` is the negation of ``u[0]`` and may stand wherever a variable may. Methods that
add a factor take one set of variables or many: a two-dimensional array adds a factor per row, in one native call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import graph as _core
from accord.errors import ConfigError, ConstraintError
from accord.inference import linear

Variables: TypeAlias = "int | np.integer[Any] | ArrayLike"
Rounding: TypeAlias = "Callable[[NDArray[np.float64]], ArrayLike | None]"

SOLVERS = ("ad3", "subgradient", "bp", "lp", "ilp", "branch_and_bound", "enumerate")
TRACE_COLUMNS = ("iteration", "seconds", "primal", "dual", "primal_residual", "dual_residual")


class CustomFactor(Protocol):
    """A factor of one's own. ``maximize`` is enough for ad3, subgradient, branch_and_bound and enumerate."""

    def maximize(self, scores: NDArray[np.float64]) -> tuple[Sequence[int], float]:
        """The configuration v that maximises own(v) + scores . v, and that maximum."""


@dataclass(frozen=True)
class Solution:
    """What a solver found.

    ``status`` is ``optimal`` (``value`` provably equals the best), ``fractional`` (the relaxation is solved, its
    solution is not integral; ``assignment`` is a rounding), ``budget`` (iterations or time ran out) or ``estimate``
    (beliefs). No assignment has a value above ``bound``.
    """

    status: str
    assignment: NDArray[np.bool_] | None
    value: float
    bound: float
    posteriors: NDArray[np.float64]
    iterations: int
    seconds: float
    log_partition: float = float("nan")  # bp and enumerate: of exp(score), summed over assignments
    entropy: float = float("nan")  # bp (Bethe's) and enumerate
    trace: dict[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class FactorView:
    """A factor as it stands in a graph; negated variables appear as ``~variable``."""

    kind: str
    variables: NDArray[np.int64]
    name: str | None = None


class FactorGraph:
    """Maximise the sum of scores of the variables that are on and of the factors' own scores."""

    def __init__(self) -> None:
        self._native = _core.Problem()
        self._evidence: NDArray[np.int8] = np.zeros(0, np.int8)
        self._names: dict[int, str] = {}

    # ---- building

    def variables(self, scores: ArrayLike) -> NDArray[np.int64]:
        """New variables with these scores (any shape); returns their numbers in the same shape."""
        array = np.asarray(scores, dtype=np.float64)
        first = self._native.add_variables(np.ascontiguousarray(array.reshape(-1)))
        self._evidence = np.concatenate([self._evidence, np.full(array.size, -1, np.int8)])
        return np.arange(first, first + array.size, dtype=np.int64).reshape(array.shape)

    def variable(self, score: float = 0.0) -> int:
        """One new variable."""
        return int(self.variables([score])[0])

    def exactly_one(self, variables: Variables, name: str | None = None) -> None:
        """Exactly one is on (XOR)."""
        self._logic("exactly_one", variables, name)

    def at_most_one(self, variables: Variables, name: str | None = None) -> None:
        self._logic("at_most_one", variables, name)

    def at_least_one(self, variables: Variables, name: str | None = None) -> None:
        """One or more are on (OR)."""
        self._logic("at_least_one", variables, name)

    def implies(self, premises: Variables, conclusion: Variables, name: str | None = None) -> None:
        """If all premises are on, so is the conclusion. Arrays of equal length add one factor per pair."""
        self._logic("implies", self._joined(premises, conclusion), name)

    def or_output(self, inputs: Variables, output: Variables, name: str | None = None) -> None:
        """The output is on exactly when some input is."""
        self._logic("or_output", self._joined(inputs, output), name)

    def and_output(self, inputs: Variables, output: Variables, name: str | None = None) -> None:
        """The output is on exactly when all inputs are."""
        self._logic("and_output", self._joined(inputs, output), name)

    def xor_output(self, inputs: Variables, output: Variables, name: str | None = None) -> None:
        """The output is on exactly when exactly one input is; otherwise no input is."""
        self._logic("xor_output", self._joined(inputs, output), name)

    def pair(self, first: Variables, second: Variables, scores: ArrayLike) -> None:
        """Scores for two variables both being on; arrays add one factor per entry."""
        a, b, s = np.broadcast_arrays(np.asarray(first), np.asarray(second), np.asarray(scores, np.float64))
        plain, negated = self._decoded(np.stack([a.reshape(-1), b.reshape(-1)], axis=1))
        self._add(lambda: self._native.add_pairs(plain, _finite(s.reshape(-1), "scores"), negated))

    def table(self, variables: Variables, scores: ArrayLike, name: str | None = None) -> None:
        """A score for every joint setting of k variables: an array of shape (2,) * k; -inf forbids a setting."""
        plain, negated = self._decoded(variables)
        array = np.asarray(scores, np.float64)
        if array.shape != (2,) * plain.size:
            raise ValueError(f"scores must have shape {(2,) * plain.size}, not {array.shape}")
        # The core counts settings with the first variable in the lowest bit.
        flat = np.ascontiguousarray(array.transpose(tuple(reversed(range(plain.size)))).reshape(-1))
        if np.isnan(flat).any() or (flat == np.inf).any():
            raise ValueError("scores must not be NaN or +infinity")
        self._add(lambda: self._native.add_table(plain, flat, negated), name)

    def cardinality(self, variables: Variables, scores: ArrayLike, name: str | None = None) -> None:
        """A score for each number of variables that are on, 0..n; -inf forbids a number."""
        plain, negated = self._decoded(variables)
        array = np.ascontiguousarray(scores, dtype=np.float64)
        if array.shape != (plain.size + 1,):
            raise ValueError(f"scores must have one entry for each count 0..{plain.size}, not shape {array.shape}")
        if np.isnan(array).any() or (array == np.inf).any():
            raise ValueError("scores must not be NaN or +infinity")
        self._add(lambda: self._native.add_cardinality(plain, array, negated), name)

    def at_most(self, count: int, variables: Variables, name: str | None = None) -> None:
        self._count(variables, 0, count, name)

    def at_least(self, count: int, variables: Variables, name: str | None = None) -> None:
        self._count(variables, count, np.size(variables), name)

    def exactly(self, count: int, variables: Variables, name: str | None = None) -> None:
        self._count(variables, count, count, name)

    def budget(self, variables: Variables, costs: ArrayLike, limit: float, name: str | None = None) -> None:
        """The costs of the variables that are on sum to at most the limit."""
        plain, negated = self._decoded(variables)
        prices = np.broadcast_to(np.asarray(costs, np.float64), plain.shape)
        self._add(
            lambda: self._native.add_budget(plain, _finite(prices, "costs"), float(limit), negated),
            name,
        )

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

    def sibling_automaton(self, modifiers: Variables, scores: ArrayLike, name: str | None = None) -> None:
        """Scores for consecutive modifiers of a head on one side, given in the order outwards from the head.

        ``scores[i, j]``, shape (N+1, N+2), is earned when position j follows position i: 0 is the start, 1..N are the
        modifiers, N+1 is the end; entries with j <= i are ignored and -inf forbids.
        """
        plain, negated = self._decoded(modifiers)
        table = _table(scores, (plain.size + 1, plain.size + 2), "scores")
        self._add(lambda: self._native.add_sibling_automaton(plain, table, negated), name)

    def tri_sibling_automaton(self, modifiers: Variables, scores: ArrayLike, name: str | None = None) -> None:
        """The same for three in a row: ``scores[i, j, k]``, shape (N+1, N+1, N+2); no modifier scores 0."""
        plain, negated = self._decoded(modifiers)
        table = _table(scores, (plain.size + 1, plain.size + 1, plain.size + 2), "scores")
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
            _table(siblings, shape, "siblings"),
            _table(grandparents, (incoming, outgoing + 2), "grandparents"),
            np.zeros(0) if grand_siblings is None else _table(grand_siblings, (incoming, *shape), "grand_siblings"),
        ]
        plain, negated = self._decoded(_row(heads, modifiers))
        self._add(
            lambda: self._native.add_grand_sibling_automaton(plain, incoming, tables[0], tables[1], tables[2], negated),
            name,
        )

    def grandparent_automaton(
        self, heads: Variables, modifiers: Variables, scores: ArrayLike, name: str | None = None
    ) -> None:
        """Exactly one of G incoming arcs and any of N outgoing ones: ``scores[g, j]``, shape (G, N+2), as above."""
        incoming = np.size(heads)
        table = _table(scores, (incoming, np.size(modifiers) + 2), "scores")
        plain, negated = self._decoded(_row(heads, modifiers))
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
            _table(table, (before.size, after.size), f"transitions[{place}]")
            for place, (table, before, after) in enumerate(zip(transitions, rows[:-1], rows[1:], strict=True))
        ]
        plain, negated = self._decoded(_row(*rows))
        sizes = np.array([row.size for row in rows], np.int64)
        self._add(lambda: self._native.add_chain(plain, sizes, _row(*tables, kind=np.float64), negated), name)

    def factor(self, custom: CustomFactor, variables: Variables, name: str | None = None) -> None:
        """A factor written in Python; see :class:`CustomFactor`."""
        plain, negated = self._decoded(variables)
        if not callable(getattr(custom, "maximize", None)):
            raise TypeError("a custom factor needs a method maximize(scores) -> (configuration, value)")
        self._add(lambda: self._native.add_custom(custom, plain, negated), name)

    def add_natively(self, add: Callable[[Any], object], name: str | None = None) -> None:
        """Let code of the core add factors to its own graph."""
        self._add(lambda: add(self._native), name)

    # ---- changing and asking

    @property
    def scores(self) -> NDArray[np.float64]:
        """A copy of the variables' scores."""
        return np.asarray(self._native.scores, np.float64)

    @property
    def evidence(self) -> NDArray[np.int8]:
        """A copy of the evidence: -1 free, else 0 or 1."""
        return self._evidence.copy()

    def factors(self) -> Iterator[FactorView]:
        """The factors, in the order in which they were added."""
        for index in range(len(self)):
            plain = np.asarray(self._native.variables_of(index), np.int64)
            negated = np.asarray(self._native.negated_of(index), bool)
            yield FactorView(self._native.kind(index), np.where(negated, ~plain, plain), self._names.get(index))

    def set_scores(self, scores: ArrayLike) -> None:
        """New scores for all variables; the next solve with ``warm=True`` starts from the last solution."""
        self._native.set_scores(np.ascontiguousarray(scores, dtype=np.float64))

    def fix(self, variables: Variables, values: ArrayLike = True) -> None:
        """Evidence: these variables have these values."""
        plain, negated = self._decoded(variables)
        wanted = np.broadcast_to(np.asarray(values, bool).reshape(-1), plain.shape)
        if negated.size:
            wanted = wanted != negated.astype(bool)
        self._evidence[self._existing(plain)] = wanted
        self._native.set_evidence(self._evidence)

    def release(self, variables: Variables | None = None) -> None:
        """Take evidence back, from these variables or from all."""
        if variables is None:
            self._evidence[:] = -1
        else:
            self._evidence[self._existing(self._decoded(variables)[0])] = -1
        self._native.set_evidence(self._evidence)

    def value(self, assignment: ArrayLike) -> float:
        """The total score of an assignment; -inf when a factor forbids it."""
        bits = np.ascontiguousarray(np.asarray(assignment, bool).reshape(-1).astype(np.uint8))
        if bits.size != self._native.variables:
            raise ValueError(f"an assignment has {self._native.variables} values, not {bits.size}")
        return float(self._native.value(bits))

    def __len__(self) -> int:
        return int(self._native.factors)

    def __repr__(self) -> str:
        kinds: dict[str, int] = {}
        for index in range(min(len(self), 10_000)):
            kind = self._native.kind(index)
            kinds[kind] = kinds.get(kind, 0) + 1
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "no factors"
        more = ", ..." if len(self) > 10_000 else ""
        return f"FactorGraph({self._native.variables} variables, {listed}{more})"

    # ---- solving

    def solve(self, solver: str = "ad3", **settings: Any) -> Solution:
        """Solve with ``ad3``, ``subgradient``, ``bp``, ``lp``, ``ilp``, ``branch_and_bound`` or ``enumerate``.

        Raises :class:`~accord.errors.ConstraintError` when no assignment satisfies all factors and the evidence.
        Settings by solver (with their defaults): see :data:`SETTINGS`.
        """
        if solver not in SOLVERS:
            raise ConfigError(f"unknown solver {solver!r}; there are: {', '.join(SOLVERS)}")
        unknown = set(settings) - set(SETTINGS[solver])
        if unknown:
            raise ConfigError(f"{solver} has no setting {sorted(unknown)[0]!r}; it has: {', '.join(SETTINGS[solver])}")
        values = {**SETTINGS[solver], **settings}
        if solver in ("lp", "ilp"):
            solution = self._linear(solver == "ilp", **values)
        else:
            name = {"bp": "belief_propagation"}.get(solver, solver)
            try:
                solution = _solution(getattr(self._native, name)(**values))
            except ValueError as error:
                raise ConfigError(f"{solver}: {error}") from None
        if solution.status == "infeasible":
            raise ConstraintError(self._conflict())
        return solution

    def _linear(self, integral: bool, seconds: float, gap: float) -> Solution:
        started = time.perf_counter()
        try:
            program = self._native.program()
        except ValueError as error:
            raise ConfigError(f"{'ilp' if integral else 'lp'}: {error}") from None
        limit = None if seconds == _INFINITE else seconds
        found = linear.solve(program, integral, time_limit=limit, gap=gap)
        posteriors = found.columns[: self._native.variables]
        assignment: NDArray[np.bool_] | None = None
        value = -_INFINITE
        if posteriors.size and np.all(np.minimum(posteriors, 1 - posteriors) < 1e-6):
            assignment = posteriors > 0.5
            value = self.value(assignment)
        return Solution(
            status=found.status,
            assignment=assignment if value > -_INFINITE else None,
            value=value,
            bound=found.bound,
            posteriors=posteriors,
            iterations=found.nodes,
            seconds=time.perf_counter() - started,
        )

    def _conflict(self) -> str:
        """What contradicts what, if a small set is easily found."""
        reason = "no assignment satisfies all factors and the evidence"
        culprits = self._native.conflict()
        if not culprits:
            return reason
        return f"{reason}; these contradict each other: " + "; ".join(self._described(index) for index in culprits)

    def _described(self, index: int) -> str:
        variables = ", ".join(map(str, self._native.variables_of(index).tolist()))
        name = f" {self._names[index]!r}" if index in self._names else ""
        return f"{self._native.kind(index)}{name} over variables {variables}"

    # ---- helpers

    def _logic(self, kind: str, variables: Variables | list[NDArray[np.int64]], name: str | None) -> None:
        rows: list[NDArray[np.int64]]
        if isinstance(variables, (list, tuple)) and variables and np.ndim(variables[0]) > 0:
            rows = [np.atleast_1d(_whole(row)) for row in variables]
        else:
            array = np.atleast_1d(_whole(variables))
            if array.ndim > 2:
                raise ValueError("variables must be one set, a table with a set per row, or a list of sets")
            if array.ndim == 2:
                starts = np.arange(0, array.size + 1, array.shape[1], dtype=np.int64)
                plain, negated = self._decoded(array)
                self._add(lambda: self._native.add_logic(kind, starts, plain, negated), name)
                return
            rows = [array]
        starts = np.cumsum([0, *(row.size for row in rows)], dtype=np.int64)
        plain, negated = self._decoded(np.concatenate(rows) if rows else np.zeros(0, np.int64))
        self._add(lambda: self._native.add_logic(kind, starts, plain, negated), name)

    def _joined(self, inputs: Variables, output: Variables) -> NDArray[np.int64]:
        """Inputs followed by their output: one set, or one per row."""
        a, b = _whole(inputs), _whole(output)
        if b.ndim == 0:
            return np.concatenate([np.atleast_1d(a), [b]])
        return np.concatenate([a.reshape(b.size, -1), b.reshape(-1, 1)], axis=1)

    def _count(self, variables: Variables, low: int, high: int, name: str | None) -> None:
        size = int(np.size(variables))
        if not 0 <= low <= size or high < low:
            raise ConstraintError(f"between {low} and {high} of {size} variables cannot be on")
        counts = np.arange(size + 1)
        self.cardinality(variables, np.where((counts >= low) & (counts <= high), 0.0, -np.inf), name)

    def _decoded(self, variables: Variables) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Plain numbers, and which of them are negated (empty when none is)."""
        flat = np.ascontiguousarray(_whole(variables).reshape(-1))
        negated = flat < 0
        if not negated.any():
            return flat, np.zeros(0, np.uint8)
        return np.where(negated, ~flat, flat), negated.astype(np.uint8)

    def _existing(self, plain: NDArray[np.int64]) -> NDArray[np.int64]:
        if plain.size and plain.max() >= self._evidence.size:
            raise ValueError(f"there is no such variable as {plain.max()}")
        return plain

    def _add(self, add: Callable[[], object], name: str | None = None) -> None:
        first = self._native.factors
        add()
        if name is not None:
            self._names.update((index, name) for index in range(first, self._native.factors))


_INFINITE = float("inf")
SETTINGS: dict[str, dict[str, Any]] = {
    "ad3": {
        "iterations": 1000,  # rounds at most
        "seconds": _INFINITE,  # time at most
        "penalty": 0.5,  # initial penalty, in units of the mean absolute score
        "relaxation": 1.5,  # over-relaxation, 1 to 1.618
        "residual": 1e-6,  # root mean square residuals of a solved relaxation
        "gap": 1e-6,  # relative gap of a certificate
        "adapt_until": 150,  # rounds during which the penalty adapts
        "inner_steps": 2,  # maximisations per quadratic step without closed form
        "check_every": 10,  # rounds between bounds and roundings
        "cache": True,  # do not solve factors again whose inputs did not move
        "trace": False,  # record every round
        "warm": False,  # start from the last solution
        "round": None,  # posteriors -> assignment or None
    },
    "subgradient": {
        "iterations": 1000,
        "seconds": _INFINITE,
        "step": 0.0,  # 0: chosen from the first dual value
        "tolerance": 1e-8,
        "lazy": True,
        "trace": False,
        "warm": False,
        "round": None,
    },
    "bp": {
        "maximum": False,  # max-product instead of sum-product
        "iterations": 200,
        "damping": 0.0,  # share of the old message that is kept
        "tolerance": 1e-8,
        "temperature": 1.0,
        "trace": False,
        "warm": False,
    },
    "lp": {"seconds": _INFINITE, "gap": 1e-6},
    "ilp": {"seconds": _INFINITE, "gap": 1e-6},
    "branch_and_bound": {
        "nodes": 10_000,
        "seconds": _INFINITE,
        "gap": 1e-6,
        "iterations": 200,  # of ad3, per node
        "trace": False,
        "round": None,
    },
    "enumerate": {"limit": 25},  # free variables at most
}


def _whole(variables: Variables) -> NDArray[np.int64]:
    array = np.asarray(variables)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"variables are integers, not {array.dtype}")
    return array.astype(np.int64)


def _finite(values: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    array = np.ascontiguousarray(values)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def _table(values: ArrayLike, shape: tuple[int, ...], name: str) -> NDArray[np.float64]:
    """Scores of a structured factor, flat; the core refuses NaN and +infinity."""
    array = np.asarray(values, np.float64)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {array.shape}")
    return np.ascontiguousarray(array).reshape(-1)


def _row(*arrays: ArrayLike, kind: type = np.int64) -> NDArray[Any]:
    """All entries one after the other; variables that are no integers stay what they are, to be refused as such."""
    flat = [np.asarray(array).reshape(-1) for array in arrays]
    return np.concatenate([row for row in flat if row.size] or [np.zeros(0, kind)])


def _solution(native: Iterable[Any]) -> Solution:
    status, assignment, value, bound, posteriors, log_partition, entropy, iterations, seconds, trace = native
    return Solution(
        status=status,
        assignment=assignment.astype(bool) if value > -_INFINITE else None,
        value=value,
        bound=bound,
        posteriors=posteriors,
        iterations=iterations,
        seconds=seconds,
        log_partition=log_partition,
        entropy=entropy,
        trace={name: trace[:, column] for column, name in enumerate(TRACE_COLUMNS)} if len(trace) else {},
    )
