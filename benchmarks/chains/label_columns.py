# SPDX-License-Identifier: Apache-2.0
"""Tags and entities of Dutch decided together, as three layers of one chain, and each on its own.

    python -m benchmarks joint_columns [--sentences 1000] [--test 1000] [--iterations 50]

CoNLL-2002: the models read words alone, and find tags (a layer) and entities (place and type, two layers). They
maximise log-likelihood by L-BFGS with l2 = 1. Scores are of the first sentences of the dev part (testa). "Both right":
words whose tag and entity label are right. The models that decide one column each are put together in the second row.
McNemar's test compares words with both right. The last line has the mean of the probabilities that the model of three
layers gives its tags, which is to be near the share that is right.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from accord.data import Document
from accord.evaluation import mcnemar
from accord.tasks.joint import JointConfig, JointLabeller, score_columns, train_columns
from accord.tasks.joint.files import read_label_columns
from accord.tasks.joint.training import right_words
from benchmarks.places import DATA

KINDS = ("tags", "spans")


def read(part: str, count: int) -> tuple[Document, list[list[str]]]:
    """The first sentences of a part, and their tags and labels of entities."""
    corpus = read_label_columns(DATA / "chunk_ner" / f"conll2002-ned.{part}.txt.xz", 2)
    assert isinstance(corpus.elements, Document)
    document = Document.from_sentences(corpus.elements.sentences[:count])
    return document, [labels[: int(document.lengths.sum())] for labels in corpus.columns]


def trained(kinds: tuple[str, ...], document: Document, columns: list[list[str]], iterations: int) -> JointLabeller:
    config = JointConfig(columns="+".join(kinds), templates="joint_columns", l2=1.0, iterations=iterations, threads=1)
    return JointLabeller(train_columns(document, columns, config).model)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sentences", type=int, default=1000)
    arguments.add_argument("--test", type=int, default=1000)
    arguments.add_argument("--iterations", type=int, default=50)
    options = arguments.parse_args()
    training, gold = read("train", options.sentences)
    test, wanted = read("testa", options.test)
    lengths = test.lengths.tolist()
    started = time.process_time()
    joint = trained(KINDS, training, gold, options.iterations)
    seconds = [time.process_time() - started]
    sure = joint.sure_columns(test, threads=1)
    together = [column.labels for column in sure]
    started = time.process_time()
    alone = []
    for kind, labels in zip(KINDS, gold, strict=True):
        alone += trained((kind,), training, [labels], options.iterations).columns(test, threads=1)
    seconds.append(time.process_time() - started)
    right = [right_words(KINDS, wanted, found, lengths) for found in (together, alone)]
    print(f"{int(training.lengths.sum()):,} words to learn from, {sum(lengths):,} to test on.\n")
    print("| model | layers | both right | tags | entities F1 | CPU s | p |\n|---|--:|--:|--:|--:|--:|--:|")
    chance = f"{mcnemar(*right).exact:.2g}"
    for name, layers, found, cpu, p in (
        ("together", "3", together, seconds[0], ""),
        ("each alone", "1 and 2", alone, seconds[1], chance),
    ):
        scores = list(score_columns(KINDS, wanted, found, lengths).values())
        print(f"| {name} | {layers} | {' | '.join(f'{one:.2f}' for one in scores)} | {cpu:.0f} | {p} |")
    agree = 100 * float(np.mean([a == b for a, b in zip(together[0], wanted[0], strict=True)]))
    print(f"\nTags of the model of three layers: {agree:.1f} % right, mean probability {sure[0].figures.mean():.3f}.")


if __name__ == "__main__":
    main()
