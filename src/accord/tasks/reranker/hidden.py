# SPDX-License-Identifier: Apache-2.0
"""Rerankers with hidden values: training, storage and scores; the sums over values are core/tasks/reranker.

A feature is joined with the values of its word, or with pairs of values: it is a block of weights. The name of the
domain is part of the feature, so that values belong to a word form, a tag or a label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.learning import epoch_order
from accord.tasks.reranker.config import HiddenConfig, RerankerConfig
from accord.tasks.reranker.dataset import Dataset, Keys
from accord.tasks.reranker.features import Extractor, Floats
from accord.tasks.reranker.hidden_graphs import TREE_PLACES, UNIT_PLACES, Domain, Domains, Graph, GraphMaker, Node
from accord.tasks.reranker.lists import CandidateList
from accord.tasks.reranker.templates import Templates, feature_key


def hidden_maker(
    extractor: Extractor, text: str, domain: str, edges: str, config: HiddenConfig, categories: Any
) -> GraphMaker:
    """What makes graphs for a domain and a kind of edges."""
    places = TREE_PLACES if extractor.kind.view == "tree" else UNIT_PLACES
    templates = Templates(text, places, file=config.templates)
    return GraphMaker(extractor, templates, Domains(domain, config.values, config.word_values, categories), edges)


def _node_blocks(node: Node) -> list[tuple[int, int, int]]:
    """Key, first value and number of values of each block of a word."""
    found, begin = [], 0
    for name, count in node.domain:
        found += [(feature_key(f"{name}\t{feature}"), begin, count) for feature in node.features]
        begin += count
    return found


def _edge_blocks(above: Domain, own: Domain, features: Sequence[str]) -> list[tuple[int, int, int, int, int]]:
    found, row = [], 0
    for upper, rows in above:
        column = 0
        for lower, columns in own:
            names = (f"{upper}\t{lower}\t{feature}" for feature in features)
            found += [(feature_key(name), row, rows, column, columns) for name in names]
            column += columns
        row += rows
    return found


class _Rows:
    """The words and edges of lists, each different one of a list once, as the core takes them."""

    def __init__(self) -> None:
        self.lists, self.node_rows, self.edge_rows, self.words = [0], [0], [0], [0]
        self.nodes: list[list[tuple[int, int, int]]] = []
        self.edges: list[list[tuple[int, int, int, int, int]]] = []
        self.counts: list[int] = []
        self.node_of: list[int] = []
        self.parent_of: list[int] = []
        self.edge_of: list[int] = []

    def add(self, graphs: Sequence[Graph]) -> None:
        nodes: dict[Node, int] = {}
        edges: dict[tuple[Domain, Domain, tuple[str, ...]], int] = {}
        for graph in graphs:
            for node in graph.nodes:
                if node not in nodes:
                    nodes[node] = len(self.nodes)
                    self.nodes.append(_node_blocks(node))
                    self.counts.append(sum(count for _, count in node.domain))
            for node, parent, features in zip(graph.nodes, graph.parents, graph.edges, strict=True):
                self.node_of.append(nodes[node])
                self.parent_of.append(parent)
                if parent < 0:
                    self.edge_of.append(-1)
                    continue
                key = graph.nodes[parent].domain, node.domain, features
                if key not in edges:
                    edges[key] = len(self.edges)
                    self.edges.append(_edge_blocks(*key))
                self.edge_of.append(edges[key])
            self.words.append(len(self.node_of))
        self.lists.append(len(self.words) - 1)
        self.node_rows.append(len(self.nodes))
        self.edge_rows.append(len(self.edges))

    def counted(self, least: int) -> tuple[Keys, NDArray[np.int32]]:
        """The features of at least so many lists, sorted, and the sizes of their blocks."""
        counts: Counter[int] = Counter()
        sizes: dict[int, int] = {}
        for number in range(len(self.lists) - 1):
            seen = {}
            for row in self.nodes[self.node_rows[number] : self.node_rows[number + 1]]:
                seen.update({block[0]: block[2] for block in row})
            for other in self.edges[self.edge_rows[number] : self.edge_rows[number + 1]]:
                seen.update({block[0]: block[2] * block[4] for block in other})
            counts.update(seen.keys())
            sizes.update(seen)
        kept = sorted(key for key, count in counts.items() if count >= least)
        return np.array(kept, np.uint64), np.array([sizes[key] for key in kept], np.int32)

    def native(
        self, keys: Keys, offsets: NDArray[np.int64], costs: Floats, scores: Floats, weights: Floats
    ) -> _tasks.HiddenReranker:
        places = {key: int(offset) for key, offset in zip(keys.tolist(), offsets.tolist(), strict=True)}
        node_starts, node_entries = _entries(self.nodes, places)
        edge_starts, edge_entries = _entries(self.edges, places)
        return _tasks.HiddenReranker(
            lists=np.array(self.lists, np.int64),
            node_rows=np.array(self.node_rows, np.int64),
            edge_rows=np.array(self.edge_rows, np.int64),
            node_counts=np.array(self.counts, np.int32),
            node_starts=node_starts,
            node_entries=node_entries,
            edge_starts=edge_starts,
            edge_entries=edge_entries,
            words=np.array(self.words, np.int64),
            nodes=np.array(self.node_of, np.int32),
            parents=np.array(self.parent_of, np.int32),
            edges=np.array(self.edge_of, np.int32),
            costs=costs,
            offsets=scores,
            weights=weights,
        )


def _entries(
    rows: Sequence[Sequence[tuple[int, ...]]], places: dict[int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    starts, flat, total = [0], [], 0
    for row in rows:
        for key, *rest in row:
            offset = places.get(key)
            if offset is not None:
                flat += [offset, *rest]
                total += 1
        starts.append(total)
    return np.array(starts, np.int64), np.array(flat, np.int32)


@dataclass(frozen=True)
class HiddenModel:
    """Weights of blocks: those of feature ``keys[f]`` stand from ``offsets[f]`` to ``offsets[f + 1]``."""

    name: str
    domain: str
    edges: str
    keys: Keys
    offsets: NDArray[np.int64]
    weights: NDArray[np.float32]
    figures: dict[str, Any] = field(default_factory=dict, compare=False)

    def scores(self, maker: GraphMaker, lists: Sequence[CandidateList[Any]], threads: int = 1) -> Floats:
        """Of each candidate the log of the sum over hidden values."""
        return np.asarray(self._native(maker, lists).scores(threads))

    def best_values(self, maker: GraphMaker, one: CandidateList[Any], candidate: int = 0) -> list[int]:
        """The best hidden values of the words of a candidate."""
        found: list[int] = self._native(maker, [one]).best_values(candidate).tolist()
        return found

    def _native(self, maker: GraphMaker, lists: Sequence[CandidateList[Any]]) -> _tasks.HiddenReranker:
        rows = _Rows()
        for one in lists:
            rows.add(maker(one))
        zeros = np.zeros(rows.lists[-1])
        return rows.native(self.keys, self.offsets[:-1], zeros, zeros, self.weights.astype(np.float64))


def train_hidden(
    name: str,
    maker: GraphMaker,
    training: Sequence[CandidateList[Any]],
    data: Dataset,
    dev_lists: Sequence[CandidateList[Any]],
    dev: Dataset | None,
    config: RerankerConfig,
) -> HiddenModel:
    """By AdaGrad on the likelihood of the best candidates; dev lists choose the epoch, with the base score added."""
    asked = config.hidden
    rows, dev_rows = _Rows(), _Rows()
    for one in training:
        rows.add(maker(one))
    keys, sizes = rows.counted(config.least_count)
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    draw = np.random.default_rng(config.seed)
    weights = draw.normal(0, asked.spread, int(offsets[-1])) if asked.spread else np.zeros(int(offsets[-1]))
    base = data.numbers[:, 0]
    native = rows.native(keys, offsets[:-1], data.costs, base if asked.with_score else np.zeros(len(base)), weights)
    if dev is not None:
        for one in dev_lists:
            dev_rows.add(maker(one))
        zeros = np.zeros(dev_rows.lists[-1])
        dev_native = dev_rows.native(keys, offsets[:-1], zeros, zeros, weights)
    best, best_score, log = weights, -1.0, []
    for epoch in range(asked.epochs):
        loss = native.run(epoch_order(len(data), config.seed, epoch), asked.rate, asked.l2)
        line = {"epoch": epoch + 1, "loss": loss}
        if dev is not None:
            dev_native.set_weights(native.weights())
            found = dev_native.scores(config.threads)
            line["dev"] = dev.score(found + dev.numbers[:, 0]).chosen
        log.append(line)
        if dev is None or line["dev"] > best_score:
            best, best_score = native.weights(), line.get("dev", 0.0)
    _, domain, edges = name.split("/")
    return HiddenModel(name, domain, edges, keys, offsets, best.astype(np.float32), {"log": log})
