# SPDX-License-Identifier: Apache-2.0
"""Compressors on written sentences: kept words, relations, rate and speed of all methods in one table.

    python -m benchmarks compression [--sentences 8000] [--epochs 4] [--corpora google written_bnc] [--untrained]

Corpora: Google's news sentences, and the written part of Clarke & Lapata's. Every system keeps the same share of the
words of each sentence, the mean share of the test data. F1 of kept words over the corpus (micro) and as a mean over
sentences (macro), and F1 of the relations that the packaged English parser finds in the compressions (labelled, in
places of the source). "not pruned" is the share of compressions that deleting subtrees of the parse cannot give. Time
is CPU time of features and decoding, without parsing.

Every model is trained on the training part; the development part chooses the epoch. `--cache` keeps parsed corpora, and
`--untrained` leaves out what learns.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from accord.evaluation import evaluate_compression, mcnemar, paired_bootstrap
from accord.evaluation.compression import kept_counts
from accord.tasks.compressor import Compressor, CompressorConfig
from accord.tasks.compressor.budget import Budget
from accord.tasks.compressor.pairs import Mask
from accord.tasks.compressor.preparing import Instance
from accord.tasks.compressor.relations import relations_of_masks
from accord.tasks.compressor.training import Corpus, train_compressor
from accord.tasks.pipeline import Pipeline
from benchmarks.summaries.compression_corpora import read_corpus

SETTINGS = {"crf": {"smoothing": 4.0}}  # what differs from the defaults
NAMES = {
    "lead": "first words",
    "grammar": "grammar (no training)",
    "trimmer": "trimmed phrases (no training)",
    "tree": "subtree deletion",
    "bigram": "bigrams",
    "status": "statuses",
    "status_bigram": "statuses and bigrams",
    "crf": "chain (CRF)",
    "relaxed": "joint, relaxed",
    "joint": "joint, exact",
}
TRAINED = ("tree", "bigram", "status", "status_bigram", "crf", "joint")
Answer = Callable[[Instance, float], Mask]


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


def compare(
    name: str, sentences: int, epochs: int, pipeline: Pipeline, cache: Path | None, methods: Sequence[str]
) -> None:
    """One table: all compressors at the same rate."""
    train = read_corpus(name, "train", sentences, pipeline, cache)
    dev, test = (read_corpus(name, part, None, pipeline, cache) for part in ("dev", "test"))
    gold = [tuple(one.kept.tolist()) for one in test.instances]
    forms = [one.analysis.forms for one in test.instances]
    rate = sum(map(sum, gold)) / sum(map(len, gold))
    relations = relations_of_masks(forms, gold, pipeline)
    pruned = 100 * np.mean([not is_pruned(one, mask) for one, mask in zip(test.instances, gold, strict=True)])
    print(f"\n{name}: {len(train.instances)} sentences to learn from, {len(gold)} to test on, rate {rate:.3f};")
    print(f"{pruned:.1f} % of the compressions that people wrote are not pruned trees.\n")
    print("| system | rate | micro F1 | macro F1 | relation F1 | not pruned | ms a sentence |\n" + "|---" * 7 + "|")
    answers: dict[str, list[Mask]] = {}
    for method, system in systems(train, dev, epochs, pipeline, methods).items():
        started = time.process_time()
        found = answers[method] = [system(one, rate) for one in test.instances]
        spent = 1000 * (time.process_time() - started) / len(found)
        trees = relations_of_masks(forms, found, pipeline)
        figures = evaluate_compression(gold, found, gold_relations=relations, system_relations=trees).figures()
        shares = 100 * np.mean([not is_pruned(one, mask) for one, mask in zip(test.instances, found, strict=True)])
        row = [figures[key] for key in ("rate", "micro_f1", "macro_f1", "relation_f1")]
        print(f"| {NAMES[method]} | {' | '.join(f'{x:.2f}' for x in row)} | {shares:.1f} | {spent:.2f} |", flush=True)
    for reference in [one for one in ("joint", "status_bigram") if one in answers]:
        print_tests(gold, answers, reference)


def systems(train: Corpus, dev: Corpus, epochs: int, pipeline: Pipeline, methods: Sequence[str]) -> dict[str, Answer]:
    """All systems, those of the methods trained one after another; both ways to decode jointly share their weights."""
    found: dict[str, Answer] = {"lead": lead, "grammar": of_model(Compressor(pipeline=pipeline))}
    found["trimmer"] = of_model(Compressor(CompressorConfig(method="trimmer"), pipeline))
    for method in methods:
        trained = "relaxed" if method == "joint" else method
        config = CompressorConfig(method=trained, epochs=epochs, threads=1, **SETTINGS.get(method, {}))
        model = train_compressor(train, dev, config).model
        found["relaxed" if method == "joint" else method] = of_model(Compressor(model, pipeline))
        if method == "joint":
            exact = dataclasses.replace(model, config=dataclasses.replace(config, method="joint"))
            found["joint"] = of_model(Compressor(exact, pipeline))
    return found


def print_tests(gold: Sequence[Mask], answers: dict[str, list[Mask]], reference: str) -> None:
    """Whether a model differs from the others by more than chance."""
    columns = "words right in one alone | McNemar p | difference of micro F1 | bootstrap p"
    print(f"\n| {NAMES[reference]}, against | {columns} |")
    print("|---|---|---|---|---|")
    ours = answers[reference]
    for method, theirs in answers.items():
        if method == reference:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=8000, help="sentences to learn from at most")
    parser.add_argument("--epochs", type=int, default=4, help="passes over the training data")
    parser.add_argument("--corpora", nargs="*", default=["google", "written_bnc"])
    parser.add_argument("--untrained", action="store_true", help="leave out systems that learn")
    parser.add_argument("--cache", type=Path, help="folder for parsed corpora")
    given = parser.parse_args()
    pipeline = Pipeline.load("en")
    for name in given.corpora:
        sentences, methods = (1, ()) if given.untrained else (given.sentences, TRAINED)
        compare(name, sentences, given.epochs, pipeline, given.cache, methods)


if __name__ == "__main__":
    main()
