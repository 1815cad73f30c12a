# SPDX-License-Identifier: Apache-2.0
"""Compressors on written and spoken sentences: kept words, relations, rate and speed of all methods in one table.

    python -m benchmarks compression [--sentences 8000] [--corpora google written_bnc spoken_bn] [--cache FOLDER]

Written sentences (Google, Clarke & Lapata): every system keeps the same share of the words of each sentence, the mean
share of the test data. F1 of kept words over the corpus (micro) and as a mean over sentences (macro), and F1 of the
relations that the packaged English parser finds in the compressions (labelled, in places of the source). "not pruned"
is the share of compressions that deleting subtrees of the parse cannot give. Time is CPU time of features and decoding,
without parsing.

Spoken sentences (Clarke & Lapata, three annotators): accuracy and F1 of deleted words against the first annotator, BLEU
against all three. Lengths are the systems' own, but for the row at the rate of the reranker.

Every model is trained on the training part; the development part chooses the epoch. `--cache` keeps parsed corpora.
"""

from __future__ import annotations

import argparse
import pickle
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from accord.evaluation import evaluate_compression, mcnemar, paired_bootstrap
from accord.evaluation.bleu import Bleu
from accord.evaluation.compression import kept_counts
from accord.tasks.compressor import Compressor, CompressorConfig, read_pairs
from accord.tasks.compressor.budget import Budget
from accord.tasks.compressor.chain import ChainCompressor
from accord.tasks.compressor.pairs import Mask
from accord.tasks.compressor.preparing import Instance
from accord.tasks.compressor.relations import relations_of_masks
from accord.tasks.compressor.training import Corpus, prepared, train_compressor
from accord.tasks.pipeline import Pipeline
from benchmarks.places import DATA

SETTINGS = {
    "tree": {"aggressiveness": 0.01},
    "bigram": {"aggressiveness": 0.01},
    "joint": {"aggressiveness": 0.01},
    "crf": {"smoothing": 4.0},
}
NAMES = {
    "lead": "first words",
    "grammar": "grammar (no training)",
    "tree": "subtree deletion",
    "bigram": "bigrams",
    "crf": "chain (CRF)",
    "relaxed": "joint, relaxed",
    "joint": "joint, exact",
}
Answer = Callable[[Instance, float], Mask]


def read_corpus(name: str, part: str, sentences: int, pipeline: Pipeline, cache: Path | None) -> Corpus:
    """A part of a corpus, tagged and parsed."""
    kept = None if cache is None else cache / f"{name}-{part}-{sentences}.pickle"
    if kept is not None and kept.is_file():
        found: Corpus = pickle.loads(kept.read_bytes())
        return found
    pairs = read_pairs([DATA / "compression" / f"{name}-{part}.jsonl.xz"])[:sentences]
    corpus = prepared(pairs, CompressorConfig(threads=1), pipeline)
    if kept is not None:
        kept.write_bytes(pickle.dumps(corpus))
    return corpus


def of_model(compressor: Compressor) -> Answer:
    def answer(instance: Instance, rate: float) -> Mask:
        return tuple(compressor.kept(instance.analysis, Budget(rate=rate)).kept.tolist())

    return answer


def lead(instance: Instance, rate: float) -> Mask:
    """The first words of a sentence."""
    size = len(instance.kept)
    return tuple(place < max(1, int(rate * size + 0.5)) for place in range(size))


def is_pruned(instance: Instance, mask: Mask) -> bool:
    """Whether every kept word keeps its head in the parse of the source."""
    return all(
        not kept or head == 0 or mask[head - 1] for kept, head in zip(mask, instance.analysis.heads, strict=True)
    )


def written(name: str, sentences: int, pipeline: Pipeline, cache: Path | None) -> None:
    """One table: all compressors at the same rate."""
    train, dev = (read_corpus(name, part, sentences, pipeline, cache) for part in ("train", "dev"))
    test = read_corpus(name, "test", sentences, pipeline, cache)
    gold = [tuple(one.kept.tolist()) for one in test.instances]
    forms = [one.analysis.forms for one in test.instances]
    rate = sum(map(sum, gold)) / sum(map(len, gold))
    relations = relations_of_masks(forms, gold, pipeline)
    pruned = 100 * np.mean([not is_pruned(one, mask) for one, mask in zip(test.instances, gold, strict=True)])
    print(f"\n{name}: {len(train.instances)} sentences to learn from, {len(gold)} to test on, rate {rate:.3f};")
    print(f"{pruned:.1f} % of the compressions that people wrote are not pruned trees.\n")
    print("| system | rate | micro F1 | macro F1 | relation F1 | not pruned | ms a sentence |\n" + "|---" * 7 + "|")
    answers: dict[str, list[Mask]] = {}
    for method, system in systems(train, dev, pipeline).items():
        started = time.process_time()
        found = answers[method] = [system(one, rate) for one in test.instances]
        spent = 1000 * (time.process_time() - started) / len(found)
        trees = relations_of_masks(forms, found, pipeline)
        figures = evaluate_compression(gold, found, gold_relations=relations, system_relations=trees).figures()
        shares = 100 * np.mean([not is_pruned(one, mask) for one, mask in zip(test.instances, found, strict=True)])
        row = [figures[key] for key in ("rate", "micro_f1", "macro_f1", "relation_f1")]
        print(f"| {NAMES[method]} | {' | '.join(f'{x:.2f}' for x in row)} | {shares:.1f} | {spent:.2f} |", flush=True)
    print_tests(gold, answers)


def systems(train: Corpus, dev: Corpus, pipeline: Pipeline) -> dict[str, Answer]:
    """All systems, trained one after another; both ways to decode jointly share their weights."""
    found: dict[str, Answer] = {"lead": lead, "grammar": of_model(Compressor(pipeline=pipeline))}
    for method in ("tree", "bigram", "crf", "joint"):
        config = CompressorConfig(method="relaxed" if method == "joint" else method, threads=1, **SETTINGS[method])
        model = train_compressor(train, dev, config).model
        found["relaxed" if method == "joint" else method] = of_model(Compressor(model, pipeline))
        if method == "joint":
            import dataclasses

            exact = dataclasses.replace(model, config=dataclasses.replace(config, method="joint"))
            found["joint"] = of_model(Compressor(exact, pipeline))
    return found


def print_tests(gold: Sequence[Mask], answers: dict[str, list[Mask]]) -> None:
    """Whether the joint model differs from the others by more than chance."""
    print("\n| joint, exact, against | words right in one alone | McNemar p | difference of micro F1 | bootstrap p |")
    print("|---|---|---|---|---|")
    ours = answers["joint"]
    for method, theirs in answers.items():
        if method == "joint":
            continue
        right = [
            [a == b for mask, own in zip(gold, one, strict=True) for a, b in zip(mask, own, strict=True)]
            for one in (ours, theirs)
        ]
        test = mcnemar(right[0], right[1])
        counts = [kept_counts(gold, one) for one in (theirs, ours)]
        boot = paired_bootstrap(counts[0], counts[1], lambda sums: 200 * sums[0] / (sums[1] + sums[2]))
        alone = f"{test.only_first} and {test.only_second}"
        print(
            f"| {NAMES[method]} | {alone} | {test.exact:.2g} | {boot.difference:+.2f} | {boot.p_value:.3f} |",
            flush=True,
        )


def text(words: Sequence[str], mask: Mask) -> str:
    return " ".join(word for word, kept in zip(words, mask, strict=True) if kept)


def spoken(sentences: int, pipeline: Pipeline, cache: Path | None) -> None:
    """The systems of Wang et al. (2012): labels, features, reranking with one reference and with three."""
    train, test = (read_corpus("spoken_bn", part, sentences, pipeline, cache) for part in ("train", "test"))
    print(f"\nspoken_bn: {len(train.instances)} sentences to learn from, {len(test.instances)} to test on\n")
    print("| system | accuracy | F1 (deleted) | BLEU | rate | a reference |\n|---|---|---|---|---|---|")
    human(test)
    chains = {
        "basic features, binary": {"method": "crf", "features": "basic", "labels": "binary"},
        "basic features, BIO": {"method": "crf", "features": "basic"},
        "expanded features, BIO": {"method": "crf"},
    }
    for name, settings in chains.items():
        model = train_compressor(train, None, CompressorConfig(threads=1, **settings)).model
        spoken_row(name, test, [free(Compressor(model, pipeline), one) for one in test.instances])
    best = ChainCompressor(model.chain, "expanded", model.language_model)
    for references, name in (("first", "reranking, 1 reference"), ("all", "reranking, 3 references")):
        config = CompressorConfig(method="rerank", references=references, rerank_l2=10.0, threads=1)
        reranked = Compressor(train_compressor(train, None, config).model, pipeline)
        masks = [free(reranked, one) for one in test.instances]
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
    parser.add_argument("--sentences", type=int, default=8000, help="sentences of each part at most")
    parser.add_argument("--corpora", nargs="*", default=["google", "written_bnc", "spoken_bn"])
    parser.add_argument("--cache", type=Path, help="folder for parsed corpora")
    given = parser.parse_args()
    pipeline = Pipeline.load("en")
    for name in given.corpora:
        if name == "spoken_bn":
            spoken(given.sentences, pipeline, given.cache)
        else:
            written(name, given.sentences, pipeline, given.cache)


if __name__ == "__main__":
    main()
