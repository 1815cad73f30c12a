# SPDX-License-Identifier: Apache-2.0
"""Settings of the run that chooses features before a linear model is trained on them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.errors import ConfigError
from accord.settings import setting

GROUPS = ("none", "templates", "kinds", "coarse_to_fine", "labels", "features")


@dataclass(frozen=True)
class SparsityConfig:
    """Which weights are kept or dropped together, and how many groups may stay."""

    groups: str = setting(
        "none",
        "what is kept or dropped as a whole: templates; kinds of templates, and templates; coarse_to_fine: a template "
        "with all finer ones; labels: the weights of one feature for all labels; features: single weights (lasso)",
        choices=GROUPS,
    )
    budget: int = setting(
        0, "most templates (labels: features; features: weights) that stay; 0: as many as the penalty leaves", low=0
    )
    strength: float = setting(
        0.0, "without a budget: weight of the penalty against the sum of all losses (1 / C of the lasso)", low=0.0
    )
    lasso: float = setting(0.0, "the same for single weights inside groups of templates (sparse group lasso)", low=0.0)
    refit: str = setting(
        "features",
        "with lasso, what the training run takes: single features that were left, or all features of the templates "
        "that were left",
        choices=("features", "templates"),
    )
    loss: str = setting(
        "perceptron",
        "updates of the choosing run; the training run after it has its own",
        choices=("perceptron", "svm", "crf"),
    )
    epochs: int = setting(5, "passes of the choosing run over the training data", low=1)
    interval: int = setting(
        200, "instances between two proximal steps; more leave larger templates and need more memory", low=1
    )
    size_power: float = setting(
        1.0,
        "how much more the norm of a large group must be to stay: in units of this power of the logarithm of its size; "
        "0: no more than that of a small one",
        low=0.0,
        high=1.0,
    )
    rate: float = setting(
        1.0, "first step size of the choosing run; perceptron with a budget: changes nothing", low=1e-9
    )

    @property
    def active(self) -> bool:
        return self.groups != "none"

    @property
    def by_feature(self) -> bool:
        """Whether single features are dropped, and not only whole templates."""
        return self.groups in ("labels", "features") or (self.lasso > 0 and self.refit == "features")

    def check(self) -> None:
        """Raise ConfigError where the settings do not make sense together."""
        if not self.active:
            given = [name for name in ("budget", "strength", "lasso") if getattr(self, name)]
            if given:
                raise ConfigError(f"sparsity.{given[0]} needs sparsity.groups, for example templates")
            return
        if self.budget == 0 and self.strength == 0 and self.lasso == 0:
            raise ConfigError(f"sparsity.groups = {self.groups!r} needs sparsity.budget or sparsity.strength")
        if self.lasso > 0 and self.groups in ("labels", "features"):
            raise ConfigError(f"sparsity.lasso is for groups of templates, not for {self.groups!r}")
