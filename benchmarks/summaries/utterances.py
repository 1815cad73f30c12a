# SPDX-License-Identifier: Apache-2.0
"""Compression of spoken sentences with three references: labels, features and reranking (Wang, Qian & Liu 2012).

    python -m benchmarks utterances [--sentences 2000] [--cache FOLDER]

Clarke & Lapata's broadcast news. Accuracy and F1 of deleted words against the first annotator, BLEU against all three,
and the share of sentences whose answer is that of one of the three. Lengths are the systems' own, but for the last row.
The row of people takes one annotator of each sentence by lot and compares with the other two.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.evaluation import evaluate_compression
from accord.evaluation.bleu import Bleu
from accord.tasks.compressor import Compressor, CompressorConfig, CompressorModel
from accord.tasks.compressor.chain import ChainCompressor
from accord.tasks.compressor.pairs import Mask
from accord.tasks.compressor.preparing import Instance
from accord.tasks.compressor.training import ChainTraining, Corpus
from accord.tasks.pipeline import Pipeline
from benchmarks.summaries.compression_corpora import read_corpus, text


def spoken(sentences: int, pipeline: Pipeline, cache: Path | None) -> None:
    """The systems of Wang et al. (2012): labels, features, reranking with one reference and with three."""
    train = read_corpus("spoken_bn", "train", sentences, pipeline, cache)
    test = read_corpus("spoken_bn", "test", None, pipeline, cache)
    print(f"\nspoken_bn: {len(train.instances)} sentences to learn from, {len(test.instances)} to test on\n")
    print("| system | accuracy | F1 (deleted) | BLEU | rate | a reference |\n|---|---|---|---|---|---|")
    human(test)
    chains = {
        "basic features, binary": {"method": "crf", "features": "basic", "labels": "binary"},
        "basic features, BIO": {"method": "crf", "features": "basic"},
        "expanded features, BIO": {"method": "crf"},
    }
    for name, settings in chains.items():
        config = CompressorConfig(threads=1, **settings)
        chain = ChainTraining(train, config)
        model = CompressorModel(config, None, chain.train_all().model, chain.language_model)
        spoken_row(name, test, [free(Compressor(model, pipeline), one) for one in test.instances])
    assert model.chain is not None
    best = ChainCompressor(model.chain, "expanded", model.language_model)
    for references, name in (("first", "reranking, 1 reference"), ("all", "reranking, 3 references")):
        settled = dataclasses.replace(config, method="rerank", references=references)
        reranked = dataclasses.replace(model, config=settled, reranker=chain.reranker(references))
        masks = [free(Compressor(reranked, pipeline), one) for one in test.instances]
        spoken_row(name, test, masks)
    rate = sum(map(sum, masks)) / sum(map(len, masks))
    spoken_row(f"expanded features at rate {100 * rate:.1f}", test, at_rate(best, test, rate))
    lists = [best.nbest(one.analysis, 25) for one in test.instances]
    hits = [any(one.kept in pair.masks for one in ranked) for ranked, pair in zip(lists, test.pairs, strict=True)]
    print(f"\n{100 * np.mean(hits):.1f} % of the lists of the 25 best hold a reference.")


def free(compressor: Compressor, instance: Instance) -> Mask:
    return tuple(compressor.kept(instance.analysis).kept.tolist())


def at_rate(chain: ChainCompressor, test: Corpus, rate: float) -> list[Mask]:
    """The chain's answers with one addition to the scores of kept words that gives the corpus this rate."""
    low, high = -10.0, 10.0
    masks: list[Mask] = []
    for _ in range(12):
        middle = (low + high) / 2
        masks = [chain.nbest(one.analysis, 1, np.full(len(one.kept), middle))[0].kept for one in test.instances]
        low, high = (middle, high) if sum(map(sum, masks)) < rate * sum(map(len, masks)) else (low, middle)
    return masks


def human(test: Corpus) -> None:
    """One of the people drawn for each sentence, against the others."""
    draw = random.Random(1)
    chosen = [draw.randrange(len(pair.masks)) for pair in test.pairs]
    masks = [pair.masks[k] for pair, k in zip(test.pairs, chosen, strict=True)]
    others = [[m for j, m in enumerate(pair.masks) if j != k] for pair, k in zip(test.pairs, chosen, strict=True)]
    spoken_row("one of the people", test, masks, others)


def spoken_row(
    name: str, test: Corpus, masks: Sequence[Mask], references: Sequence[Sequence[Mask]] | None = None
) -> None:
    wanted = references or [pair.masks for pair in test.pairs]
    words = [pair.words for pair in test.pairs]
    first = [masks_[0] for masks_ in wanted]
    figures = evaluate_compression(first, masks)
    lines = [[text(one, mask) for mask in each] for one, each in zip(words, wanted, strict=True)]
    bleu = Bleu("none").corpus(lines, [text(one, mask) for one, mask in zip(words, masks, strict=True)]).bleu
    hits = 100 * np.mean([mask in each for mask, each in zip(masks, wanted, strict=True)])
    row = (figures.accuracy, figures.deleted.f1, bleu, figures.rate, hits)
    print(f"| {name} | {' | '.join(f'{value:.2f}' for value in row)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=2000, help="sentences to learn from at most")
    parser.add_argument("--cache", type=Path, help="folder for parsed corpora")
    given = parser.parse_args()
    spoken(given.sentences, Pipeline.load("en"), given.cache)


if __name__ == "__main__":
    main()
