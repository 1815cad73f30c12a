# SPDX-License-Identifier: Apache-2.0
"""How long compressions are when no length is asked for.

Scores of words are learned so that the right words stay, and nothing in this makes the number of kept words right. One
number is therefore added to the score of every kept word: the one at which all compressions of held-out sentences
together have as many words as those of people.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from accord.tasks.compressor.chain import ChainCompressor
from accord.tasks.compressor.decoding import decode
from accord.tasks.compressor.model import CompressorModel
from accord.tasks.compressor.preparing import Instance

_MOST = 500  # sentences that are looked at
_STEPS = 16
_LARGEST = 1e6


def calibrated(model: CompressorModel, instances: Sequence[Instance]) -> CompressorModel:
    """The model whose free compressions are as long as those of the instances."""
    seen = [one for one in instances if 0 < len(one.analysis) <= model.config.longest][:_MOST]
    wanted = sum(int(one.kept.sum()) for one in seen)
    if not seen or not 0 < wanted < sum(len(one.kept) for one in seen):
        return model
    kept = _kept_words(model, seen)
    if kept(0.0) == wanted:
        return model
    sign = 1.0 if kept(0.0) < wanted else -1.0
    near, far = 0.0, 1.0  # sizes of the addition at which too little has changed, and enough
    while sign * (kept(sign * far) - wanted) < 0 and far < _LARGEST:
        near, far = far, 2 * far
    for _ in range(_STEPS):
        middle = (near + far) / 2
        near, far = (middle, far) if sign * (kept(sign * middle) - wanted) < 0 else (near, middle)
    closest = min((sign * near, sign * far), key=lambda bonus: abs(kept(bonus) - wanted))
    return dataclasses.replace(model, length_bonus=closest)


def _kept_words(model: CompressorModel, instances: Sequence[Instance]) -> Callable[[float], int]:
    """The number of words that stay, by what is added to the score of each; features are counted once."""
    if model.linear is not None:
        method = model.config.method
        scored = [(one.analysis, model.linear.scores(one.analysis, method)) for one in instances]
        return lambda bonus: sum(
            int(decode(scores, analysis, method, additions=bonus).kept.sum()) for analysis, scores in scored
        )
    assert model.chain is not None
    chain = ChainCompressor(model.chain, model.config.features, model.language_model)
    known = [(one.analysis, chain.sequences(one.analysis)) for one in instances]

    def kept(bonus: float) -> int:
        best = (chain.nbest(one, 1, np.full(len(one), bonus), sequences=found)[0] for one, found in known)
        return sum(sum(one.kept) for one in best)

    return kept
