# SPDX-License-Identifier: Apache-2.0
"""Factor graphs over binary variables: build with numpy, solve with any of nine solvers, get a certificate.

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

from accord.inference.graph.building import CustomFactor
from accord.inference.graph.factor_graph import FactorGraph, FactorView
from accord.inference.graph.mixture import Mixture
from accord.inference.graph.networks import Network, SparseScores, read_network, read_uai, read_wcsp, write_uai
from accord.inference.graph.ranking import Samples
from accord.inference.graph.solution import TRACE_COLUMNS, OnProgress, Progress, Rounding, Solution, Stage
from accord.inference.graph.solvers import SETTINGS, SOLVERS
from accord.inference.graph.uai_results import read_evidence
from accord.inference.graph.variables import Variables

__all__ = [
    "SETTINGS",
    "SOLVERS",
    "TRACE_COLUMNS",
    "CustomFactor",
    "FactorGraph",
    "FactorView",
    "Mixture",
    "Network",
    "OnProgress",
    "Progress",
    "Rounding",
    "Samples",
    "Solution",
    "SparseScores",
    "Stage",
    "Variables",
    "read_evidence",
    "read_network",
    "read_uai",
    "read_wcsp",
    "write_uai",
]
