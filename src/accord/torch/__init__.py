# SPDX-License-Identifier: Apache-2.0
"""Differentiable layers over structures, for an encoder of your own; with the extra ``neural``.

Scores are tensors of float32 or float64 on any device; sums, maxima and projections are computed in double precision by
the core, on the CPU and on several threads, and come back on the device and in the precision of the scores.

>>> import torch
>>> scores = torch.zeros(1, 3, 3, requires_grad=True)  # a sentence of two words, by [head, dependent]
>>> log_z = tree_log_partition(scores, projective=True)
>>> round(log_z.exp().item())  # two trees with one root
2
>>> log_z.sum().backward()
>>> scores.grad[0, 0]  # how likely each word depends on the root
tensor([0.0000, 0.5000, 0.5000])

========================  =============================================================================================
trees over arcs           :func:`tree_log_partition`, :func:`tree_marginals`, :func:`tree_entropy`, :func:`tree_argmax`
trees with larger parts   :func:`part_log_partition`, :func:`part_marginals`, :func:`part_argmax`
sparse mixtures           :func:`sparsemap_tree`, :func:`sparsemap`
label sequences           :func:`chain_log_partition`, :func:`chain_marginals`
batches of networks       :class:`NetworkBatch`
========================  =============================================================================================
"""

from importlib import import_module

from accord.errors import MissingDependencyError

try:
    import_module("torch")
except ImportError:
    raise MissingDependencyError("accord.torch needs PyTorch: pip install 'accord[neural]'") from None

from accord.torch.chains import ChainMarginals, chain_log_partition, chain_marginals
from accord.torch.networks import BestSettings, NetworkBatch, NetworkScores
from accord.torch.parts import PartTrees, part_argmax, part_layout, part_log_partition, part_marginals, part_slots
from accord.torch.sparse import sparsemap, sparsemap_tree
from accord.torch.trees import tree_argmax, tree_entropy, tree_log_partition, tree_marginals

__all__ = [
    "BestSettings",
    "ChainMarginals",
    "NetworkBatch",
    "NetworkScores",
    "PartTrees",
    "chain_log_partition",
    "chain_marginals",
    "part_argmax",
    "part_layout",
    "part_log_partition",
    "part_marginals",
    "part_slots",
    "sparsemap",
    "sparsemap_tree",
    "tree_argmax",
    "tree_entropy",
    "tree_log_partition",
    "tree_marginals",
]
