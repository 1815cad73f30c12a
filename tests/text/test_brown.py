# SPDX-License-Identifier: Apache-2.0
"""Brown clusters against a plain algorithm that computes all mutual information anew."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import ConfigError
from accord.learning.checkpoint import Checkpoint
from accord.tasks import cluster
from accord.tasks.cluster import ClusterConfig, brown_clusters, cluster_lines


def reference(lines: list[str], clusters: int) -> set[frozenset[str]]:
    """The clusters that are left when all words are in."""
    counts = Counter(word for line in lines for word in line.split())
    words = sorted(counts, key=lambda word: (-counts[word], word))
    pairs = Counter(pair for line in lines for pair in itertools.pairwise(line.split()))
    total = sum(pairs.values())
    out, into = Counter[str](), Counter[str]()
    for (a, b), count in pairs.items():
        out[a] += count
        into[b] += count

    def information(active: list[frozenset[str]]) -> float:
        value = 0.0
        for one, other in itertools.product(active, active):
            joint = sum(pairs[a, b] for a in one for b in other) / total
            if joint > 0:
                value += joint * math.log(
                    joint / (sum(out[a] for a in one) / total * sum(into[b] for b in other) / total)
                )
        return value

    active: list[frozenset[str]] = []
    for word in words:
        active.append(frozenset([word]))
        if len(active) > clusters:
            best = max(
                itertools.combinations(active, 2),
                key=lambda pair: information([c for c in active if c not in pair] + [pair[0] | pair[1]]),
            )
            active = [c for c in active if c not in best] + [best[0] | best[1]]
    return set(active)


@given(st.integers(0, 1 << 30), st.integers(2, 5))
def test_clusters_are_those_of_the_plain_algorithm(seed: int, clusters: int) -> None:
    """Counts are large and different, so that no two merges lose the same."""
    random, words = Random(seed), "abcdefg"
    lines = []
    for first, second in itertools.product(words, words):
        if random.random() < 0.7:
            lines += [f"{first} {second}"] * random.randint(1, 400)
    if len({word for line in lines for word in line.split()}) < 2:
        return
    found = brown_clusters(lines, clusters=clusters, least_count=1)
    groups: dict[str, set[str]] = {}
    for word, (path, _) in found.items():
        groups.setdefault(path, set()).add(word)
    assert {frozenset(group) for group in groups.values()} == reference(lines, clusters)


def test_paths_are_a_prefix_code_and_count_words() -> None:
    lines = ["the cat sleeps", "a dog sleeps", "the dog runs", "a cat runs", "rare"] * 3
    found = brown_clusters(lines, clusters=3, least_count=4)
    assert set(found) == {"the", "a", "cat", "dog", "sleeps", "runs"} or "rare" not in found
    paths = {path for path, _ in found.values()}
    assert not any(a != b and b.startswith(a) for a in paths for b in paths)
    assert found["sleeps"][1] == 6
    assert cluster_lines(found).count("\n") == len(found)


def test_case_and_mistakes() -> None:
    assert set(brown_clusters(["The Cat the cat"] * 2, clusters=2, least_count=1)) == {"the", "cat"}
    kept = brown_clusters(["The Cat the cat"] * 2, ClusterConfig(lower=False, clusters=2, least_count=1))
    assert set(kept) == {"The", "Cat", "the", "cat"}
    with pytest.raises(ConfigError, match="fewer than two"):
        brown_clusters(["one"], clusters=2, least_count=1)


def test_a_resumed_run_ends_with_the_same_clusters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(5)
    lines = [" ".join(f"w{int(random.expovariate(0.05))}" for _ in range(9)) for _ in range(900)]
    config = ClusterConfig(clusters=8, least_count=2)
    expected = brown_clusters(lines, config)
    monkeypatch.setattr(cluster, "STEP", 0.0)  # one word a step
    monkeypatch.setattr(cluster, "SAVE_EVERY", 0.0)

    def stop(done: int, total: int) -> None:
        if done == total // 2:
            raise KeyboardInterrupt

    first = Checkpoint(tmp_path / "checkpoint", "clusters", config)
    with pytest.raises(KeyboardInterrupt):
        brown_clusters(lines, config, report=stop, checkpoint=first)
    again = replace(first, resume=True)
    monkeypatch.setattr(cluster, "STEP", 0.2)
    assert brown_clusters(lines, config, checkpoint=again) == expected
    with pytest.raises(ConfigError, match="another text"):
        brown_clusters(lines[1:], config, checkpoint=again)
    with pytest.raises(ConfigError, match="another clusters"):
        other = ClusterConfig(clusters=9, least_count=2)
        brown_clusters(lines, other, checkpoint=replace(again, settings=other))
