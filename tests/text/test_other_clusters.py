# SPDX-License-Identifier: Apache-2.0
"""Clusters by exchange and of vectors: the same map as Brown's, from other methods."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from accord.app.cli import make_app
from accord.errors import ConfigError, FormatError
from accord.tasks.cluster import ClusterConfig, brown_clusters, cluster_lexicon, cluster_lines, exchange_clusters
from accord.tasks.vector_clusters import read_word_vectors, vector_clusters

NOUNS, VERBS = [f"n{k}" for k in range(8)], [f"v{k}" for k in range(8)]


def lines(count: int = 300) -> list[str]:
    random = np.random.default_rng(1)
    return [f"the {random.choice(NOUNS)} {random.choice(VERBS)} a {random.choice(NOUNS)}" for _ in range(count)]


def groups(clusters: dict[str, tuple[str, int]]) -> set[frozenset[str]]:
    paths = {path for path, _ in clusters.values()}
    return {frozenset(word for word, (path, _) in clusters.items() if path == one) for one in paths}


def test_words_of_one_kind_share_a_cluster_by_every_method() -> None:
    for method in (brown_clusters, exchange_clusters):
        found = groups(method(lines(), ClusterConfig(clusters=5, least_count=1)))
        assert all(one <= set(VERBS) or not one & set(VERBS) for one in found)
    wanted = {frozenset(NOUNS), frozenset(VERBS), frozenset(["the"]), frozenset(["a"])}
    centres = np.repeat(np.eye(4), [8, 8, 1, 1], axis=0) + np.random.default_rng(2).normal(0, 0.05, (18, 4))
    assert groups(vector_clusters([*NOUNS, *VERBS, "the", "a"], centres.astype(np.float32), 4)) == wanted


@pytest.mark.parametrize("method", [brown_clusters, exchange_clusters])
def test_threads_change_nothing(method: object) -> None:
    config = ClusterConfig(clusters=5, least_count=1, threads=1)
    many = ClusterConfig(clusters=5, least_count=1, threads=3)
    assert method(lines(), config) == method(lines(), many)  # type: ignore[operator]


def test_paths_of_vectors_are_the_leaves_of_a_tree() -> None:
    vectors = np.random.default_rng(5).normal(size=(60, 7)).astype(np.float32)
    found = vector_clusters([f"w{k}" for k in range(60)], vectors, 12)
    paths = sorted({path for path, _ in found.values()})
    assert len(paths) == 12 and len(found) == 60
    assert not any(other.startswith(one) for one, other in pairwise(paths))
    cluster_lexicon(cluster_lines(found))  # taggers and parsers can read it


def test_equal_vectors_are_one_cluster() -> None:
    found = vector_clusters(["a", "b", "c"], np.ones((3, 2), np.float32), 3)
    assert len({path for path, _ in found.values()}) == 1


def test_files_of_vectors(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("3 2\na 1 0\nb 0 1\na 5 5\nc 0 2\n")
    words, vectors = read_word_vectors(str(file))
    assert words == ["a", "b", "c"] and vectors.tolist() == [[1, 0], [0, 1], [0, 2]]
    file.write_text("a 1 0\nb 1\n")
    with pytest.raises(FormatError, match=r"vectors.txt.*2.*1 numbers, 2 before"):
        read_word_vectors(str(file))
    file.write_text("a 1 x\n")
    with pytest.raises(FormatError, match="expected a word and numbers"):
        read_word_vectors(str(file))
    with pytest.raises(ConfigError, match="no such file"):
        read_word_vectors(str(tmp_path / "none.txt"))


def test_the_command_has_all_methods(tmp_path: Path) -> None:
    text, vectors = tmp_path / "text.txt", tmp_path / "vectors.txt"
    text.write_text("\n".join(lines()) + "\n")
    vectors.write_text("".join(f"w{k} {k % 3} {k % 2}\n" for k in range(12)))
    for method, file in (("brown", text), ("exchange", text), ("kmeans", vectors)):
        words = ["cluster", str(file), "--method", method, "--set", "clusters=4", "--to", str(tmp_path / method)]
        assert CliRunner().invoke(make_app(words), words).exit_code == 0
        rows = [line.split("\t") for line in (tmp_path / method).read_text().splitlines()]
        assert rows and all(len(row) == 3 and set(row[0]) <= {"0", "1"} for row in rows)
    words = ["cluster", str(text), "--method", "exchange", "--resume", "--to", str(tmp_path / "x")]
    assert CliRunner().invoke(make_app(words), words).exit_code == 2
