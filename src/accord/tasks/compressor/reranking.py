# SPDX-License-Identifier: Apache-2.0
"""Chains that answer, and lists of their best compressions reranked by features of the whole (Wang et al. 2012).

Features of a candidate: pairs and triples of its words and of its tags; pairs and triples of the source with what is
deleted of them (``so I/10``); the log-likelihood of a language model; how far its rate is from that of the first
candidate; the logarithm of the chain's probability; its rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.errors import ConfigError, ConstraintError
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.chain import ChainCompressor, RankedCompression
from accord.tasks.compressor.choosing import ChoiceWeights, split_by_references
from accord.tasks.compressor.engines import Answer, Engine, Question
from accord.tasks.compressor.language_model import LanguageModel
from accord.tasks.compressor.pairs import Mask

_BISECTIONS = 30


def candidate_features(
    analysis: Analysis, candidates: Sequence[RankedCompression], model: LanguageModel | None
) -> list[dict[str, float]]:
    """The features of each candidate of a list."""
    words, tags = [form.lower() for form in analysis.forms], analysis.xpos
    first = candidates[0].kept
    base = sum(first) / max(len(first), 1)
    found = []
    for rank, one in enumerate(candidates, start=1):
        features: dict[str, float] = {}
        for name in _names(words, tags, one.kept):
            features[name] = features.get(name, 0.0) + 1.0
        kept = [word for word, stays in zip(words, one.kept, strict=True) if stays]
        if model is not None:
            features["likelihood"] = model.sentence_log10(kept) / 10
            features["likelihood of a word"] = model.sentence_log10(kept) / (len(kept) + 1)
        features["rate"] = abs(sum(one.kept) / max(len(one.kept), 1) - base)
        features["log probability"] = one.log_probability
        features["one by rank"] = 1 / rank
        features[f"rank {rank}"] = 1.0
        found.append(features)
    return found


def _names(words: Sequence[str], tags: Sequence[str], kept: Sequence[bool]) -> Iterator[str]:
    left = [place for place, stays in enumerate(kept) if stays]
    for kind, values in (("w", words), ("t", tags)):
        line = ["<s>", *(values[place] for place in left), "</s>"]
        for size in (2, 3):
            for k in range(len(line) - size + 1):
                yield f"{kind} " + " ".join(line[k : k + size])
            for k in range(len(values) - size + 1):
                pattern = "".join("0" if stays else "1" for stays in kept[k : k + size])
                if "1" in pattern:
                    yield f"{kind} " + " ".join(values[k : k + size]) + "/" + pattern


def training_lists(
    candidates: Sequence[Sequence[RankedCompression]], references: Sequence[Sequence[Mask]]
) -> Iterator[tuple[int, list[int], int]]:
    """Samples to learn from: the sentence, the numbers of candidates, and which of them is right.

    A list with several references gives a group for each that is on it; a list with none keeps together, and the
    candidate nearest to a reference is right.
    """
    for number, (ranked, wanted) in enumerate(zip(candidates, references, strict=True)):
        masks = [one.kept for one in ranked]
        groups = split_by_references(masks, wanted)
        for members, positive in groups:
            yield number, members, positive
        if not groups and masks:
            nearest = min(range(len(masks)), key=lambda k: (_distance(masks[k], wanted), k))
            yield number, list(range(len(masks))), nearest


def _distance(mask: Mask, references: Sequence[Mask]) -> tuple[int, int]:
    """Words that differ from the nearest reference, then the difference in length."""
    return min(
        (sum(a != b for a, b in zip(mask, wanted, strict=True)), abs(sum(mask) - sum(wanted))) for wanted in references
    )


def chain_engine(
    chain: ChainCompressor, reranker: ChoiceWeights | None, count: int, length_bonus: float = 0.0
) -> Engine:
    """The engine of a chain. A budget is met by a price on kept words; what it leaves over is filled by probability.

    ``length_bonus``: added to the score of each kept word where there is no budget.
    """

    def engine(asked: Question) -> Answer:
        if asked.rules:
            raise ConfigError("rules between words need one of the methods joint, relaxed, bigram, tree, grammar")
        sequences = chain.sequences(asked.analysis)
        if asked.window is None:
            additions = np.full(len(asked.analysis), length_bonus)
        else:
            additions = _additions(asked, _price(chain, asked, sequences))
        many = count if reranker is not None else 1
        ranked = chain.nbest(asked.analysis, many, additions, _fates(asked), sequences)
        if asked.window is not None:
            within = [one for one in ranked if _cost(one, asked) <= asked.window[1]]
            ranked = within or ranked[-1:]
        features = [] if reranker is None else candidate_features(asked.analysis, ranked, chain.language_model)
        chosen = ranked[0 if reranker is None else reranker.best(features)]
        kept = np.array(chosen.kept, np.bool_)
        if not kept.any() or asked.window is not None:
            kept = _filled(chain, asked, kept, sequences)
        return Answer(kept, chosen.log_probability, None, "optimal" if asked.window is None else "heuristic")

    return engine


def _fates(asked: Question) -> list[int]:
    """1 for words that must stay, -1 for words that must go."""
    fates: list[int] = (asked.keep.astype(np.intp) - asked.drop).tolist()
    return fates


def _additions(asked: Question, price: float) -> NDArray[np.float64]:
    return -price * asked.costs.astype(np.float64)


def _cost(one: RankedCompression, asked: Question) -> int:
    return int(asked.costs[np.array(one.kept, np.bool_)].sum())


def _price(chain: ChainCompressor, asked: Question, sequences: _text.Sequences) -> float:
    """The least price of a unit of cost at which the best compression is within the budget."""
    assert asked.window is not None
    limit, fates = asked.window[1], _fates(asked)

    def cost(price: float) -> int:
        return _cost(chain.nbest(asked.analysis, 1, _additions(asked, price), fates, sequences)[0], asked)

    low, high = -20.0, 20.0
    if cost(low) <= limit:
        return low
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        found = cost(middle)
        if found == limit:
            return middle
        low, high = (middle, high) if found > limit else (low, middle)
    return high


def _filled(
    chain: ChainCompressor, asked: Question, kept: NDArray[np.bool_], sequences: _text.Sequences
) -> NDArray[np.bool_]:
    """With the likeliest words taken out or added until the budget is met."""
    costs, keep, drop = asked.costs, asked.keep, asked.drop
    low, high = asked.window if asked.window is not None else (1, int(costs.sum()))
    probable = chain.keep_probabilities(asked.analysis, sequences)
    order = np.argsort(-probable, kind="stable")
    kept = (kept | keep) & ~drop
    for place in order[::-1]:
        if int(costs[kept].sum()) > high and kept[place] and not keep[place]:
            kept[place] = False
    for place in order:
        total = int(costs[kept].sum())
        if (total < low or not kept.any()) and not kept[place] and not drop[place] and total + costs[place] <= high:
            kept[place] = True
    if not kept.any():
        raise ConstraintError("no word fits the budget")
    return kept
