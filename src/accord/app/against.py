# SPDX-License-Identifier: Apache-2.0
"""What ``accord evaluate --against OTHER`` says: do two systems differ by more than chance?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.data import Document
from accord.evaluation import McNemar, PairedBootstrap, mcnemar, paired_bootstrap
from accord.evaluation.attachment import scored_sentences


def tree_tests(gold: Document, first: Document, second: Document, samples: int) -> dict[str, McNemar | PairedBootstrap]:
    """McNemar over words, and paired bootstraps over sentences, of two systems' trees of the same words."""
    sentences = [list(scored_sentences(gold, system)) for system in (first, second)]
    tests: dict[str, McNemar | PairedBootstrap] = {}
    for name, part in (("UAS", "correct_head"), ("LAS", "correct_arc")):
        right = [[[bool(getattr(word, part)) for word in words] for words in each] for each in sentences]
        one, two = (np.array([(sum(words), len(words)) for words in each]).reshape(-1, 2) for each in right)
        tests[f"{name}, words"] = mcnemar(*([one for words in each for one in words] for each in right))
        tests[name] = paired_bootstrap(one, two, _percent, samples=samples)
    return tests


def _percent(sums: Any) -> float:
    return 100 * float(sums[0]) / float(sums[1]) if sums[1] else 0.0


def share_shown(value: float, samples: int) -> str:
    """The p-value of a bootstrap, a share of samples: none of 1000 is less than 0.001, and no proof.

    >>> share_shown(0.25, 1000), share_shown(0.0, 1000)
    ('0.25', '<0.001')
    """
    return f"{value:.4g}" if value else f"<{1 / samples:.4g}"


def significance_json(tests: Mapping[str, McNemar | PairedBootstrap]) -> dict[str, object]:
    """The tests by name, as a JSON object."""
    return {name: test.to_json() for name, test in tests.items()}


def significance_table(tests: Mapping[str, McNemar | PairedBootstrap], other: str) -> str:
    """A line for each test; "first" is the system, "second" the other one."""
    lines = [f"against {other}"]
    for name, test in tests.items():
        if isinstance(test, McNemar):
            counts = f"right in the system alone {test.only_first}, in the other alone {test.only_second}"
            lines.append(f"  {name:<12} {counts}; McNemar p = {test.exact:.4g}")
        else:
            interval = f"95 % of samples in [{test.low:+.2f}, {test.high:+.2f}]"
            scores = f"{test.first:.2f} and {test.second:.2f}, difference {test.difference:+.2f}"
            lines.append(f"  {name:<12} {scores}; {interval}; bootstrap p = {share_shown(test.p_value, test.samples)}")
    return "\n".join(lines)
