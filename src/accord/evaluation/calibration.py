# SPDX-License-Identifier: Apache-2.0
"""Calibration: whether answers given with confidence p are right in a share p of the cases.

Answers are put into bins by their confidence. In bin b, with n_b of all n answers, the mean confidence c_b stands
against the accuracy a_b, the share of right answers:

- expected calibration error (ECE): sum over b of n_b / n * |c_b - a_b|;
- maximum calibration error (MCE): the largest |c_b - a_b|;
- Brier score: the mean of (p - r)^2 over answers, r being 1 where right and 0 where wrong; it needs no bins.

All are fractions, 0 is best. |c - a| of all answers together <= ECE <= MCE. Bins of equal ``width`` divide 0..1, each
with its lower end and without its upper one, 1 belonging to the last. Bins of equal ``count`` divide the sorted
answers; answers of the same confidence stay together, so the order of the answers never matters, and there may be fewer
bins than were asked for. Bins without answers are left out. Sorting, then linear.

Brier 1950, Verification of forecasts expressed in terms of probability. Naeini, Cooper & Hauskrecht 2015, Obtaining
well calibrated probabilities using Bayesian binning. Guo, Pleiss, Sun & Weinberger 2017, On calibration of modern
neural networks.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.errors import ConfigError

Binning = Literal["width", "count"]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of similar confidence: by ``width`` from ``low`` up to ``high``, by ``count`` their extremes."""

    low: float
    high: float
    count: int
    confidence: float  # mean
    accuracy: float

    @property
    def gap(self) -> float:
        """Positive where the answers are less often right than they claim."""
        return self.confidence - self.accuracy


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far confidences can be trusted; all figures are fractions."""

    count: int
    confidence: float  # mean
    accuracy: float
    brier: float
    bins: tuple[ReliabilityBin, ...]  # by rising confidence, none empty

    @property
    def ece(self) -> float:
        """Expected calibration error."""
        return sum(part.count * abs(part.gap) for part in self.bins) / self.count

    @property
    def mce(self) -> float:
        """Maximum calibration error."""
        return max(abs(part.gap) for part in self.bins)

    def to_json(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "mean_confidence": self.confidence,
            "accuracy": self.accuracy,
            "ECE": self.ece,
            "MCE": self.mce,
            "Brier": self.brier,
            "bins": [asdict(part) for part in self.bins],
        }

    def table(self) -> str:
        """The reliability table, for people."""
        lines = ["confidence      |   count | mean conf. | accuracy |     gap"]
        lines.append("----------------+---------+------------+----------+---------")
        lines += [
            f"{part.low:.4f} - {part.high:.4f} | {part.count:>7} | {part.confidence:>10.4f} | {part.accuracy:>8.4f} "
            f"| {part.gap:>+7.4f}"
            for part in self.bins
        ]
        return "\n".join(lines)


def calibration(confidences: ArrayLike, right: ArrayLike, *, bins: int = 10, binning: Binning = "width") -> Calibration:
    """Calibration of answers, each with its confidence in 0..1 and whether it is right.

    >>> found = calibration([0.9, 0.9, 0.6, 0.6], [True, True, True, False], bins=5)
    >>> [(part.low, part.high, part.count, part.accuracy) for part in found.bins]
    [(0.6, 0.8, 2, 0.5), (0.8, 1.0, 2, 1.0)]
    >>> round(found.ece, 4), round(found.mce, 4), round(found.brier, 4)
    (0.1, 0.1, 0.135)
    """
    if bins < 1:
        raise ConfigError(f"bins is {bins}; expected at least 1")
    if binning not in get_args(Binning):
        raise ConfigError(f"binning is {binning!r}; expected one of: {', '.join(get_args(Binning))}")
    p, r = _answers(confidences, right)
    order = np.lexsort((r, p))  # by both, so that not even rounding depends on the order given
    p, r = p[order], r[order]
    parts = _equal_widths(p, r, bins) if binning == "width" else _equal_counts(p, r, bins)
    return Calibration(p.size, float(p.mean()), float(r.mean()), float(np.square(p - r).mean()), tuple(parts))


def _answers(confidences: ArrayLike, right: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    p, r = np.asarray(confidences, dtype=np.float64), np.asarray(right)
    if p.ndim != 1 or p.shape != r.shape:
        raise ConfigError(f"confidences of shape {p.shape} and answers of shape {r.shape}: expected two equal lengths")
    if p.size == 0:
        raise ConfigError("there are no answers to judge")
    if not np.all((p >= 0) & (p <= 1)):  # false for NaN
        raise ConfigError("a confidence is not a number in 0..1")
    if not np.all((r == 0) | (r == 1)):
        raise ConfigError("an answer is right (1) or wrong (0), nothing else")
    return p, r.astype(np.bool_)


def _equal_widths(p: NDArray[np.float64], r: NDArray[np.bool_], bins: int) -> list[ReliabilityBin]:
    edges = np.arange(bins + 1) / bins  # correctly rounded, so that 0.3 as written is the edge 3/10
    cuts = [0, *np.searchsorted(p, edges[1:-1], side="left").tolist(), p.size]
    return [
        _bin(low, high, p[start:end], r[start:end])
        for low, high, start, end in zip(edges.tolist(), edges.tolist()[1:], cuts, cuts[1:], strict=False)
        if start < end
    ]


def _equal_counts(p: NDArray[np.float64], r: NDArray[np.bool_], bins: int) -> list[ReliabilityBin]:
    even = np.arange(1, bins + 1) * p.size // bins
    cuts = np.unique(np.searchsorted(p, p[even[even > 0] - 1], side="right")).tolist()  # never between equals
    return [
        _bin(float(p[start]), float(p[end - 1]), p[start:end], r[start:end])
        for start, end in zip([0, *cuts], cuts, strict=False)
    ]


def _bin(low: float, high: float, p: NDArray[np.float64], r: NDArray[np.bool_]) -> ReliabilityBin:
    return ReliabilityBin(low, high, p.size, float(p.mean()), float(r.mean()))
