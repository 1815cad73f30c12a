# SPDX-License-Identifier: Apache-2.0
"""Networks of variables with several values, and the files in which others keep them.

UAI files (``MARKOV`` or ``BAYES``) hold tables of probabilities, WCSP files costs of tuples. A :class:`Network` holds
scores: logarithms of the former, and the latter with their sign changed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.data.files import open_input, open_output
from accord.errors import FormatError
from accord.inference.graph.factor_graph import FactorGraph
from accord.inference.graph.solution import Solution

LARGEST_TABLE = 2**24  # entries
SMALL_TABLE = 2**20  # entries; larger tables of tuples stay lists


@dataclass(frozen=True, eq=False)
class SparseScores:
    """Scores of some joint settings of a few variables, and one score for all others."""

    scope: tuple[int, ...]
    tuples: NDArray[np.int64]  # a row for each listed setting
    scores: NDArray[np.float64]
    otherwise: float

    @cached_property
    def listed(self) -> dict[tuple[int, ...], float]:
        rows = map(tuple, self.tuples.tolist())
        return dict(zip(rows, self.scores.tolist(), strict=True))


@dataclass(frozen=True)
class Network:
    """Variables with so many ``values`` each, and tables of scores over some of them."""

    values: tuple[int, ...]
    tables: tuple[tuple[tuple[int, ...], NDArray[np.float64]], ...]  # variables, and a score for each joint setting
    constant: float = 0.0
    sparse: tuple[SparseScores, ...] = ()  # tables with too many settings to list them all

    @cached_property
    def variables(self) -> list[NDArray[np.int64]]:
        """The binary variables of the values in :attr:`graph`, one array a variable."""
        ends = np.cumsum([0, *self.values])
        return [np.arange(start, end) for start, end in itertools.pairwise(ends.tolist())]

    @cached_property
    def graph(self) -> FactorGraph:
        """The network as a factor graph. Tables over one variable become scores of its values."""
        alone = [np.zeros(count) for count in self.values]
        for scope, table in self.tables:
            if len(scope) == 1:
                alone[scope[0]] = alone[scope[0]] + table
        graph = FactorGraph()
        graph.categorical(alone)
        for scope, table in self.tables:
            if len(scope) > 1:
                graph.categorical_table([self.variables[variable] for variable in scope], table)
        for listed in self.sparse:
            variables = [self.variables[variable] for variable in listed.scope]
            graph.sparse_table(variables, listed.tuples, listed.scores, listed.otherwise)
        graph.add_constant(self.constant)
        return graph

    def score(self, setting: Sequence[int]) -> float:
        """The total score of one value a variable."""
        total = self.constant + sum(float(table[tuple(setting[v] for v in scope)]) for scope, table in self.tables)
        for each in self.sparse:
            total += each.listed.get(tuple(setting[v] for v in each.scope), each.otherwise)
        return total

    def setting(self, solution: Solution) -> list[int] | None:
        """The value of each variable in a solution of the graph; None when it has no assignment."""
        if solution.assignment is None:
            return None
        return solution.setting(self.variables)

    def marginals(self, solution: Solution) -> list[NDArray[np.float64]]:
        """The posteriors of each variable's values."""
        return solution.marginals(self.variables)


class Words:
    """The words of a file, each with its line for messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with open_input(path) as file:
                lines = file.read().decode("utf-8").splitlines()
        except UnicodeDecodeError:
            raise FormatError("not a text file", file=str(path)) from None
        self._words: Iterator[tuple[int, str]] = (
            (number, word) for number, line in enumerate(lines, start=1) for word in line.split()
        )
        self.line = 0

    def next(self, what: str) -> str:
        following = next(self._words, None)
        if following is None:
            raise FormatError(f"the file ends where {what} should stand", file=str(self.path), line=self.line or None)
        self.line, word = following
        return word

    def optional_whole(self, what: str) -> int | None:
        """The next number, or None at the end of the file."""
        following = next(self._words, None)
        if following is None:
            return None
        self._words = itertools.chain([following], self._words)
        return self.whole(what, 0)

    def fail(self, reason: str) -> FormatError:
        return FormatError(reason, file=str(self.path), line=self.line)

    def whole(self, what: str, low: int, high: int = 2**31 - 1) -> int:
        word = self.next(what)
        try:
            number = int(word)
        except ValueError:
            raise self.fail(f"{what} is {word!r}, not a whole number") from None
        if not low <= number <= high:
            raise self.fail(f"{what} is {number}, outside {low}..{high}")
        return number

    def number(self, what: str) -> float:
        word = self.next(what)
        try:
            return float(word)
        except ValueError:
            raise self.fail(f"{what} is {word!r}, not a number") from None

    def scope(self, arity: int, variables: int) -> tuple[int, ...]:
        scope = tuple(self.whole("a variable", 0, variables - 1) for _ in range(arity))
        if len(set(scope)) < arity:
            raise self.fail("a variable stands twice in one table")
        return scope

    def shape(self, scope: tuple[int, ...], values: Sequence[int]) -> tuple[int, ...]:
        shape = tuple(values[variable] for variable in scope)
        if float(np.prod([float(count) for count in shape])) > LARGEST_TABLE:
            raise self.fail(f"a table over {len(scope)} variables has too many entries")
        return shape


def read_uai(path: str | Path, *, logarithms: bool = False) -> Network:
    """A network from a UAI file: scores are the logarithms of its tables.

    Files whose name ends in ``.LG`` hold logarithms already. FormatError names the line where the file is not what the
    format promises.
    """
    words = Words(Path(path))
    logarithms = logarithms or _ending(path) == ".lg"
    kind = words.next("MARKOV or BAYES")
    if kind not in ("MARKOV", "BAYES"):
        raise words.fail(f"the file begins with {kind!r}, not with MARKOV or BAYES")
    values = [words.whole("a number of values", 1) for _ in range(words.whole("the number of variables", 0))]
    scopes = []
    for _ in range(words.whole("the number of tables", 0)):
        scopes.append(words.scope(words.whole("the size of a table", 0, len(values)), len(values)))
    constant, tables = 0.0, []
    for scope in scopes:
        shape = words.shape(scope, values)
        size = int(np.prod(shape, dtype=np.int64))
        if words.whole("the number of entries", 0) != size:
            raise words.fail(f"the table needs {size} entries")
        scores = np.array([_score(words, logarithms) for _ in range(size)]).reshape(shape)
        if scope:
            tables.append((scope, scores))
        else:
            constant += float(scores)
    if not np.isfinite(constant):
        raise words.fail("a table without variables holds 0: nothing is possible")
    return Network(tuple(values), tuple(tables), constant)


def _score(words: Words, logarithm: bool) -> float:
    number = words.number("an entry")
    if logarithm and number < np.inf:
        return number
    if logarithm or not 0 <= number < np.inf:
        raise words.fail(f"an entry is {number}, which is no weight")
    return math.log(number) if number > 0 else -math.inf


def write_uai(network: Network, path: str | Path) -> None:
    """The network as a UAI file; entries are exponentials of scores, and are refused where these are too large."""
    scopes: list[tuple[tuple[int, ...], NDArray[np.float64]]] = list(network.tables)
    scopes += [(listed.scope, _written_out(listed, network.values, path)) for listed in network.sparse]
    if network.constant:
        scopes.append(((), np.array(network.constant)))
    lines = ["MARKOV", str(len(network.values)), " ".join(map(str, network.values)), str(len(scopes))]
    lines += [" ".join(map(str, (len(scope), *scope))) for scope, _ in scopes]
    for _, table in scopes:
        with np.errstate(over="ignore"):
            entries = np.exp(table).reshape(-1)
        if np.isinf(entries).any():
            raise FormatError(f"a score of {table.max()} has no exponential in a UAI file", file=str(path))
        lines += ["", str(entries.size), " ".join(repr(float(entry)) for entry in entries)]
    with open_output(path) as file:
        file.write(("\n".join(lines) + "\n").encode())


def _written_out(listed: SparseScores, values: tuple[int, ...], path: str | Path) -> NDArray[np.float64]:
    """All entries of a table that lists some of them."""
    shape = tuple(values[variable] for variable in listed.scope)
    if math.prod(shape) > LARGEST_TABLE:
        raise FormatError(f"a table of {math.prod(shape)} entries is too large for a UAI file", file=str(path))
    table = np.full(shape, listed.otherwise)
    table[tuple(listed.tuples.T)] = listed.scores
    return table


def read_wcsp(path: str | Path) -> Network:
    """A network from a WCSP file: scores are its costs with their sign changed; the upper bound forbids.

    A table with more than a million settings stays a list of tuples. Cost functions by name (global constraints) and
    shared ones are refused.
    """
    words = Words(Path(path))
    words.next("the name")
    count = words.whole("the number of variables", 0)
    words.whole("the largest number of values", 0)
    functions = words.whole("the number of cost functions", 0)
    top = words.number("the upper bound")
    values = [words.whole("a number of values", 1) for _ in range(count)]
    constant, tables, sparse = 0.0, [], []
    for _ in range(functions):
        scope = words.scope(words.whole("the size of a cost function", 0, count), count)
        each = _cost_function(words, scope, values, top)
        if isinstance(each, SparseScores):
            sparse.append(each)
        elif scope:
            tables.append((scope, each))
        else:
            constant += float(each)
    if not np.isfinite(constant):
        raise words.fail("a cost without variables is the upper bound: nothing is possible")
    return Network(tuple(values), tuple(tables), constant, tuple(sparse))


def _cost_function(
    words: Words, scope: tuple[int, ...], values: Sequence[int], top: float
) -> NDArray[np.float64] | SparseScores:
    """A default cost, and tuples with costs of their own; where a tuple stands twice, the last cost counts."""
    otherwise = _cost(words, top)
    listed: dict[tuple[int, ...], float] = {}
    for _ in range(words.whole("the number of tuples", 0)):
        place = tuple(words.whole("a value", 0, values[variable] - 1) for variable in scope)
        listed[place] = _cost(words, top)
    shape = tuple(values[variable] for variable in scope)
    if math.prod(shape) > SMALL_TABLE:
        tuples = np.array(list(listed), np.int64).reshape(-1, len(scope))
        return SparseScores(scope, tuples, -np.array(list(listed.values()), np.float64), -otherwise)
    table = np.full(shape, otherwise)
    for place, cost in listed.items():
        table[place] = cost
    return -table


def _cost(words: Words, top: float) -> float:
    cost = words.number("a cost")
    if not cost >= 0:
        raise words.fail(f"a cost is {cost:g}: negative costs and cost functions by name are not read")
    return cost if cost < top else np.inf


def _ending(path: str | Path) -> str:
    """Of a file's name, in small letters, without that of its compression."""
    endings = [ending.lower() for ending in Path(path).suffixes]
    return next((ending for ending in reversed(endings) if ending not in (".gz", ".xz", ".bz2", ".zst")), "")


def read_network(path: str | Path) -> Network:
    """A network from a file, by the ending of its name: ``.uai``, ``.LG`` or ``.wcsp``."""
    ending = _ending(path)
    if ending not in (".uai", ".lg", ".wcsp"):
        raise FormatError("the name of a network's file ends in .uai, .LG or .wcsp", file=str(path))
    return read_wcsp(path) if ending == ".wcsp" else read_uai(path)
