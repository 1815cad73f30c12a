# SPDX-License-Identifier: Apache-2.0
"""Probabilities of a tree's arcs and labels, conditioned on rules.

Distribution: that of the model over labelled trees, log p = sum over arcs of A(h, m) + log q(label | h, m) and larger
parts over the temperature, where A and q are such that without rules it is the plain one; hard rules take the trees
that break them away, a soft rule costs its weight over the temperature each time.

    rules on arcs and labels   folded into the scores: exact where plain marginals are (order 1, projective charts)
    tree rules                 belief propagation over the graph of the rules: an estimate; larger parts are replaced by
                               scores of arcs that give all arcs the same probabilities
    tree_labels                labels given the tree by the tree labeller; trees weighed by rules on labels as if each
                               arc chose its label: an estimate where rules speak of labels
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document
from accord.inference import trees
from accord.inference.rules import Rule
from accord.inference.rules.beliefs import tree_beliefs
from accord.inference.rules.problem import LabelledTree, TreeProblem
from accord.inference.rules.sums import log_sum
from accord.tasks.parser.config import CHART_PARTS
from accord.tasks.parser.ruled import RuledParser
from accord.tasks.parser.sentence_parts import Parts

NEGLIGIBLE = 1e-5  # probability of an arc that rules on trees are not asked of
LEAST = 1e-9  # probability of an arc that is thought impossible
MATCHING_ROUNDS, MATCHING_STEP, NEAR = 40, 0.5, 1e-3  # of the search for scores that give certain probabilities


@dataclass(frozen=True)
class Temperatures:
    """What scores of trees, and of labels given trees, are divided by."""

    trees: float
    labels: float


@dataclass(frozen=True, eq=False)
class RuledProbabilities:
    """Of words 1..n: probabilities of the tree's arcs, and of arcs with labels; of the tree with its labels."""

    arcs: NDArray[np.float64]
    labels: NDArray[np.float64]
    tree_log_probability: float
    exact: bool


def ruled_probabilities(
    ruled: RuledParser,
    temperatures: Temperatures,
    document: Document,
    index: int,
    rules: tuple[Rule, ...],
    tree: LabelledTree,
) -> RuledProbabilities:
    """For a tree that keeps the hard rules; labels that are -1 count as certain."""
    free, native = _problem(ruled, temperatures, document, index, rules, tree)
    problem = dataclasses.replace(free, rules=tuple(_scaled(rule, temperatures.trees) for rule in rules))
    scores = problem.arc_scores
    arc_scores = log_sum(scores, axis=2)
    arcs_alone, log_partition = _arc_marginals(problem, arc_scores, native, 1 / temperatures.trees)
    marginals = _shared(arcs_alone, scores, arc_scores)
    charted = not problem.crossing_allowed and set(ruled.config.part_names()) <= set(CHART_PARTS)
    exact = not problem.tree_rules and (charted or problem.parts is None)
    if problem.tree_rules:
        likely = arcs_alone > NEGLIGIBLE
        likely[tree.heads[1:], np.arange(1, problem.domain.words + 1)] = True
        whole = problem if problem.parts is None else _without_parts(problem, marginals)
        beliefs = tree_beliefs(whole.restricted(likely))
        marginals, log_partition = beliefs.labelled, log_partition + beliefs.log_share
    words = np.arange(1, problem.domain.words + 1)
    heads, known = tree.heads[1:], tree.labels[1:] >= 0
    labels = np.where(known, tree.labels[1:], 0)
    arcs = marginals[heads, words].sum(axis=1)
    if ruled.tree_labels:
        penalties = np.zeros((len(words) + 1, scores.shape[2]))
        penalties[1:] = scores[heads, words] - free.scores[heads, words]
        chosen = np.concatenate([[-1], labels]).astype(np.int32)
        logs = _tasks.label_logs(ruled.native, document.native, index, tree.heads, chosen, penalties.reshape(-1))
        labelled, labels_log = arcs * np.exp(logs[1:]), float(logs[0])
        tree_score = float(arc_scores[heads, words].sum()) + labels_log
        exact = exact and not _tells_labels_apart(scores - np.where(np.isfinite(free.scores), free.scores, 0.0))
    else:
        labelled = marginals[heads, words, labels]
        tree_score = float(np.where(known, scores[heads, words, labels], arc_scores[heads, words]).sum())
    broken = problem.times_broken(tree).items()
    costs = sum((rule.weight or 0.0) * times for rule, times in broken if rule in problem.tree_rules)
    larger = 0.0 if problem.parts is None else problem.parts.score(tree.heads)
    log_probability = tree_score + larger - costs - log_partition
    return RuledProbabilities(
        np.clip(arcs, 0.0, 1.0),
        np.clip(np.where(known, labelled, arcs), 0.0, 1.0),
        min(0.0, log_probability),
        exact,
    )


def _arc_marginals(
    problem: TreeProblem, arc_scores: NDArray[np.float64], native: _tasks.SentenceParts, inverse_temperature: float
) -> tuple[NDArray[np.float64], float]:
    """Probabilities of arcs where no tree rule is asked, and log Z."""
    if problem.parts is None:
        kind = trees.NonProjective if problem.crossing_allowed else trees.Projective
        space = kind(arc_scores, single_root=problem.single_root)
        return space.marginals(), space.log_partition()
    where = native.heads, native.dependents
    flat = np.ascontiguousarray(arc_scores[where])
    found, log_partition = native.sums(flat, inverse_temperature, not problem.crossing_allowed, problem.single_root)
    dense = np.zeros_like(arc_scores)
    dense[where] = found
    dense[:, 1:] /= np.maximum(dense[:, 1:].sum(axis=0), LEAST)
    return dense, log_partition


def _without_parts(problem: TreeProblem, marginals: NDArray[np.float64]) -> TreeProblem:
    """Trees of single arcs with the same probabilities of arcs; scores hold what rules say of arcs."""
    scores, arcs = problem.arc_scores, marginals.sum(axis=2)
    possible = scores.max(axis=2) > -np.inf
    shares = np.full_like(scores, -np.inf)
    shares[possible] = scores[possible] - log_sum(scores[possible], axis=1)[:, None]
    matched = np.full_like(arcs, -np.inf)
    matched[possible] = np.log(np.maximum(arcs[possible], LEAST))
    matched = _matched(problem, matched, possible)
    projective, rules = not problem.crossing_allowed, tuple(problem.tree_rules)
    return dataclasses.replace(
        problem, scores=matched[:, :, None] + shares, rules=rules, parts=None, projective=projective
    )


def _matched(problem: TreeProblem, wanted: NDArray[np.float64], possible: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Scores of single arcs that give nearly these log-probabilities: the nearest of some rounds of scaling."""
    kind = trees.NonProjective if problem.crossing_allowed else trees.Projective
    scores, best, least = wanted.copy(), wanted, np.inf
    for _ in range(MATCHING_ROUNDS):
        now = kind(scores, single_root=problem.single_root).marginals()[possible]
        distance = float(np.abs(now - np.exp(wanted[possible])).max())
        if distance < least:
            best, least = scores.copy(), distance
        if least < NEAR:
            break
        scores[possible] += MATCHING_STEP * (wanted[possible] - np.log(np.maximum(now, LEAST)))
    return best


def _problem(
    ruled: RuledParser,
    temperatures: Temperatures,
    document: Document,
    index: int,
    rules: tuple[Rule, ...],
    tree: LabelledTree,
) -> tuple[TreeProblem, _tasks.SentenceParts]:
    """The sentence without rules, in logarithms of probabilities, over candidates that the tree is one of."""
    bare, native = ruled.candidates(document, index, rules)
    candidates = set(zip(native.heads.tolist(), native.dependents.tolist(), strict=True))
    if any((head, word) not in candidates for word, head in enumerate(tree.heads.tolist()) if word):
        bare, native = ruled.candidates(document, index, rules, prune=False)
    mode = ruled.config.label_mode()
    arcs = native.arc_scores / temperatures.trees
    if mode == "none":
        labels = np.zeros((len(arcs), 1))
    else:
        labels = native.label_scores.astype(np.float64) / temperatures.labels
        total = log_sum(labels, axis=1)
        if mode == "joint":
            share = temperatures.labels / temperatures.trees
            arcs = arcs + share * (labels.max(axis=1) if ruled.tree_labels else total)
        labels = labels - total[:, None]
    scores = np.full(bare.domain.shape, -np.inf)
    scores[native.heads, native.dependents] = arcs[:, None] + labels
    parts = None
    if ruled.config.part_names():
        parts = Parts(native, ruled.search.decoder(ruled.config), scale=1 / temperatures.trees)
    return dataclasses.replace(bare, rules=(), scores=scores, parts=parts), native


def _scaled(rule: Rule, temperature: float) -> Rule:
    return rule if rule.weight is None else dataclasses.replace(rule, weight=rule.weight / temperature)


def _shared(
    arcs: NDArray[np.float64], scores: NDArray[np.float64], arc_scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Probabilities of arcs shared among their labels."""
    shares = np.exp(scores - np.where(np.isfinite(arc_scores), arc_scores, 0.0)[:, :, None])
    shared: NDArray[np.float64] = arcs[:, :, None] * shares
    return shared


def _tells_labels_apart(changes: NDArray[np.float64]) -> bool:
    """Whether rules say different things of the labels of some arc."""
    different = changes.max(axis=2) - changes.min(axis=2, where=np.isfinite(changes), initial=np.inf) > 1e-12
    some_forbidden = np.isneginf(changes).any(axis=2) & ~np.isneginf(changes).all(axis=2)
    return bool((different | some_forbidden).any())
