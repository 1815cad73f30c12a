# SPDX-License-Identifier: Apache-2.0
"""Settings of joint models of segments and their types. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import setting
from accord.tasks.joint.layers import SCHEMES
from accord.tasks.labeller.config import LabellerConfig, labeller_default


@dataclass(frozen=True)
class JointConfig(LabellerConfig):
    """Segments and types, or columns of labels, by one chain over layers of labels (Qian et al. 2010)."""

    scheme: str = setting("BMES", "places in a segment; BCDMES suits words of characters", choices=SCHEMES)
    columns: str = setting(
        "", "columns at the end of a file, decided together: tags, spans, with + between; empty: spans in the last"
    )
    consistency: str = setting(
        "hard", "hard: only labellings that are segments; soft: weights must learn it", choices=("hard", "soft")
    )

    order: int = setting(1, "pairs of neighbouring labels: there are no others", low=1, high=1)
    templates: str = labeller_default("templates", "joint_chunk")
    method: str = labeller_default("method", "lbfgs")
    iterations: int = labeller_default("iterations", 150)
    tolerance: float = labeller_default("tolerance", 1e-4)
    aggressiveness: float = labeller_default("aggressiveness", 0.05)
    epochs: int = labeller_default("epochs", 10)
    table: str = labeller_default("table", "dictionary")
    bits: int = labeller_default("bits", 14)
