# SPDX-License-Identifier: Apache-2.0
"""Words, tags and phrases of raw characters, found together by one chart."""

from accord.tasks.joint_constituents.config import JointConstituentsConfig
from accord.tasks.joint_constituents.lattice import Lattice, LatticeWord
from accord.tasks.joint_constituents.model import JointConstituencyParser, JointConstituentsModel, JointTree

__all__ = [
    "JointConstituencyParser",
    "JointConstituentsConfig",
    "JointConstituentsModel",
    "JointTree",
    "Lattice",
    "LatticeWord",
]
