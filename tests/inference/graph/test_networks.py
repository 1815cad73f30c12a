# SPDX-License-Identifier: Apache-2.0
"""Variables with several values, tables over them, and the files that hold such networks."""

from __future__ import annotations

import gzip
import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from accord.errors import FormatError
from accord.inference.graph import FactorGraph, Network, read_network, read_uai, read_wcsp, write_uai
from accord.inference.graph.networks import SparseScores


def random_network(seed: int) -> Network:
    random = np.random.default_rng(seed)
    values = tuple(int(count) for count in random.integers(1, 5, 5))
    tables = []
    for _ in range(6):
        scope = tuple(int(v) for v in random.permutation(5)[: random.integers(1, 4)])
        shape = tuple(values[variable] for variable in scope)
        tables.append((scope, np.where(random.random(shape) < 0.1, -np.inf, random.normal(size=shape))))
    return Network(values, tuple(tables), float(random.normal()))


def settings_of(network: Network) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(count) for count in network.values)))


@pytest.mark.parametrize("solver", ["auto", "branch_and_bound"])
def test_the_best_setting_is_that_of_enumeration(solver: str) -> None:
    for seed in range(40):
        network = random_network(seed)
        best = max(network.score(setting) for setting in settings_of(network))
        if best == -np.inf:
            continue
        answer = network.graph.solve(solver)
        setting = network.setting(answer)
        assert setting is not None and answer.status == "optimal"
        assert network.score(setting) == pytest.approx(best) == pytest.approx(answer.value)


def test_forbidden_values_are_not_chosen_and_wrong_scores_are_refused() -> None:
    graph = FactorGraph()
    first, second = graph.categorical([[1.0, -np.inf], [0.0, 0.5, 2.0]])
    assert [first.tolist(), second.tolist()] == [[0, 1], [2, 3, 4]]
    answer = graph.solve("ad3")
    assert answer.assignment is not None and answer.assignment.tolist() == [True, False, False, False, True]
    for wrong in ([[np.nan]], [[np.inf]], [[]]):
        with pytest.raises(ValueError, match="NaN"):
            graph.categorical(wrong)
    with pytest.raises(ValueError, match="shape"):
        graph.categorical_table([first, second], np.zeros((3, 2)))


def test_networks_survive_their_way_through_a_file(tmp_path: Path) -> None:
    for seed in range(20):
        network = random_network(seed)
        write_uai(network, tmp_path / "n.uai")
        again = read_network(tmp_path / "n.uai")
        assert again.values == network.values
        for setting in settings_of(network)[:50]:
            first, second = network.score(setting), again.score(setting)
            assert first == second or first == pytest.approx(second)


def test_a_uai_file_is_read(tmp_path: Path) -> None:
    text = "MARKOV\n2\n2 3\n3\n1 0\n2 0 1\n0\n2\n 0.4 0.6\n6\n 1 2 3 4 0 6\n1\n 0.5\n"
    (tmp_path / "a.uai.gz").write_bytes(gzip.compress(text.encode()))
    network = read_uai(tmp_path / "a.uai.gz")
    assert network.values == (2, 3)
    assert network.score([1, 2]) == pytest.approx(math.log(0.6 * 6 * 0.5))
    assert network.score([1, 1]) == -np.inf
    assert network.setting(network.graph.solve("auto")) == [1, 2]


def test_a_wcsp_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.wcsp").write_text("toy 2 3 3 10\n2 3\n2 0 1 0 2\n0 0 5\n1 2 12\n1 0 1 1\n0 3\n0 2 0\n")
    network = read_wcsp(tmp_path / "a.wcsp")
    costs = {setting: -network.score(setting) for setting in settings_of(network)}
    assert costs == {(0, 0): 10, (0, 1): 5, (0, 2): 5, (1, 0): 3, (1, 1): 3, (1, 2): np.inf}
    answer = network.graph.solve("auto")
    assert answer.value == -3.0 and network.setting(answer) in ([1, 0], [1, 1])


def test_a_wide_cost_function_stays_a_list_of_tuples(tmp_path: Path) -> None:
    # Thirty variables of ten values must be all equal, or cost 5; one value is dear.
    equal = "\n".join(" ".join([str(value)] * 30) + f" {3 if value == 4 else 1}" for value in range(10))
    everything = " ".join(map(str, range(30)))
    single = "\n".join(f"1 {variable} 2 1\n4 0" for variable in range(30))
    text = f"wide 30 10 31 1000\n{' '.join(['10'] * 30)}\n30 {everything} 5 10\n{equal}\n{single}\n"
    (tmp_path / "wide.wcsp").write_text(text)
    network = read_wcsp(tmp_path / "wide.wcsp")
    assert len(network.sparse) == 1 and len(network.tables) == 30
    assert network.score([4] * 30) == -3.0 and network.score([4] * 29 + [5]) == -7.0
    answer = network.graph.solve("ad3")
    assert (answer.status, answer.value, network.setting(answer)) == ("optimal", -3.0, [4] * 30)


@pytest.mark.parametrize(
    ("name", "text", "line", "reason"),
    [
        ("a.uai", "GRAPH\n", 1, "MARKOV"),
        ("a.uai", "MARKOV\n1\n2\n1\n1 1\n", 5, "outside 0..0"),
        ("a.uai", "MARKOV\n1\n2\n1\n1 0\n3\n1 1 1\n", 6, "needs 2 entries"),
        ("a.uai", "MARKOV\n1\n2\n1\n1 0\n2\n1 x\n", 7, "not a number"),
        ("a.uai", "MARKOV\n1\n2\n1\n1 0\n2\n1 -1\n", 7, "no weight"),
        ("a.uai", "MARKOV\n2\n2 2\n1\n2 0 0\n", 5, "twice"),
        ("a.uai", "MARKOV\n1\n2\n1\n1 0\n2\n1\n", 7, "ends where an entry"),
        ("a.wcsp", "toy 1 2 1 10\n2\n1 0 -1 knapsack\n", 3, "by name"),
        ("a.wcsp", "toy 1 2 1 10\n2\n1 0 0 1\n2 1\n", 4, "a value is 2"),
        ("a.txt", "MARKOV\n", None, "ends in"),
    ],
)
def test_broken_files_are_refused_with_their_line(
    tmp_path: Path, name: str, text: str, line: int | None, reason: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=reason) as error:
        read_network(tmp_path / name)
    assert error.value.line == line


def test_listed_tables_are_written_out_where_they_are_not_too_large(tmp_path: Path) -> None:
    tuples = np.array([[0, 1, 2], [1, 1, 0]])
    network = Network((2, 2, 3), (), 0.0, (SparseScores((0, 1, 2), tuples, np.array([1.5, -0.5]), 0.25),))
    write_uai(network, tmp_path / "n.uai")
    again = read_uai(tmp_path / "n.uai")
    for setting in settings_of(network):
        assert again.score(setting) == pytest.approx(network.score(setting))
    wide = Network((100,) * 6, (), 0.0, (SparseScores(tuple(range(6)), np.zeros((1, 6), int), np.zeros(1), -1.0),))
    with pytest.raises(FormatError, match="too large"):
        write_uai(wide, tmp_path / "wide.uai")
    assert not (tmp_path / "wide.uai").exists()
