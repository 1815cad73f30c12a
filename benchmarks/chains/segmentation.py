# SPDX-License-Identifier: Apache-2.0
"""What parts of the word segmenter are worth: label sets, lexicon features, jackknifing, the dictionary in doubt.

    python -m benchmarks segmentation [--sentences 10000] [--epochs 4]

Trains on the first sentences of People's Daily 1998 (pd98-train) and scores on pd98-dev, which also chooses the pass
and the threshold, so that differences count and not heights. For each system: the chain alone, the dictionary alone
(MPS), and the dictionary where the chain is in doubt, at the best threshold of all that were tried.
"""

from __future__ import annotations

import argparse
import dataclasses
import time

from accord.data.characters import half_width
from accord.data.segmented import read_segmented
from accord.evaluation.segmentation import evaluate_segmentation
from accord.tasks.segmenter import Segmenter, SegmenterConfig, train_segmenter
from accord.tasks.segmenter.training import tune_threshold
from benchmarks.places import DATA

CORPUS = DATA / "chinese_seg"
SYSTEMS = {
    "six labels, lists, matches": {},
    "... without jackknifing": {"jackknife": 0},
    "... without matches": {"templates": "segment"},
    "... without lists": {"templates": "segment_characters", "lexicon": False},
    "BIES": {"labels": "BIES"},
    "BI": {"labels": "BI"},
    "Xu et al.: BIO, lists, log-likelihood": {"labels": "BIO", "templates": "segment", "jackknife": 0, "method": "crf"},
    "BIO, characters, log-likelihood": {"labels": "BIO", "templates": "segment_characters", "method": "crf"},
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sentences", type=int, default=10000)
    arguments.add_argument("--epochs", type=int, default=4)
    options = arguments.parse_args()
    training = read_segmented(CORPUS / "pd98-train.seg.xz")[: options.sentences]
    dev = [[half_width(word) for word in words] for words in read_segmented(CORPUS / "pd98-dev.seg.xz")]
    texts = ["".join(words) for words in dev]
    vocabulary = {half_width(word) for words in training for word in words}
    print("| system | chain F1 | R_oov | R_iv | MPS F1 | in doubt F1 | threshold | training CPU |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name, changes in SYSTEMS.items():
        config = dataclasses.replace(SegmenterConfig(threads=1, epochs=options.epochs), **changes)
        started = time.process_time()
        model = train_segmenter(training, dev, config).model
        seconds = time.process_time() - started
        chain = evaluate_segmentation(dev, Segmenter(model).segment(texts, hybrid=False, threads=1), vocabulary)
        f1 = tune_threshold(model, dev).f1
        best = max((threshold for threshold in f1 if 0 < threshold <= 1), key=lambda threshold: f1[threshold])
        print(
            f"| {name} | {chain.words.f1:.2f} | {chain.recall_unseen:.2f} | {chain.recall_seen:.2f} | {f1[2.0]:.2f} "
            f"| {f1[best]:.2f} | {best:.2f} | {seconds:.0f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
