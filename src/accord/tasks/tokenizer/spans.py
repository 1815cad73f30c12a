# SPDX-License-Identifier: Apache-2.0
"""Tokens and sentences as stretches of a text, in code points, from labels of its characters.

``core/tasks/tokenizer/squeezed_text.hpp`` says how labels make tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Spans:
    """Tokens ``begin[k]:end[k]`` of a text, in order."""

    begin: Places
    end: Places
    last: NDArray[np.bool_]  # the last token of its sentence
    paragraph: NDArray[np.bool_]  # the first token of a paragraph

    def sentences(self) -> list[tuple[int, int]]:
        """Begin and end of the sentences."""
        ends = np.flatnonzero(self.last)
        starts = np.concatenate(([0], ends[:-1] + 1))[: len(ends)].astype(np.int64)
        return list(zip(self.begin[starts].tolist(), self.end[ends].tolist(), strict=True))


def spans_of(squeezed: _tasks.SqueezedText, labels: NDArray[np.int32]) -> Spans:
    """Stretches of the text that was squeezed."""
    return Spans(*squeezed.spans(labels))
