# SPDX-License-Identifier: Apache-2.0
"""The tokeniser of a pipeline as a segmenter: the words of one text in each line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.tasks.tokenizer import Tokenizer


class TokenizerSegmenter:
    """Cuts texts into the tokens that a tokeniser finds in them."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer

    def segment(self, texts: Sequence[str], *, threads: int = 0) -> list[list[str]]:
        """The words of each text."""
        lines = [" ".join(text.split()) for text in texts]
        whole = "\n".join(lines)
        spans = self.tokenizer.spans(whole, mode="sentences", threads=threads)
        starts = np.concatenate([[0], np.cumsum([len(line) + 1 for line in lines])])
        found: list[list[str]] = [[] for _ in texts]
        numbers = np.searchsorted(starts, spans.begin, side="right") - 1
        for number, begin, end in zip(numbers.tolist(), spans.begin.tolist(), spans.end.tolist(), strict=True):
            found[number].append(whole[begin:end])
        return found
