# SPDX-License-Identifier: Apache-2.0
"""What parts of the word segmenter are worth: label sets, lexicon features, jackknifing, the dictionary in doubt.

    python -m benchmarks segmentation [--sentences 10000] [--epochs 4]
    python -m benchmarks segmentation_batch --batch [--sentences 4000] [--test]

Trains on the first sentences of People's Daily 1998 (pd98-train) and scores on pd98-dev, which also chooses the pass
and the threshold, so that differences count and not heights. For each system: the chain alone, the dictionary alone
(MPS), and the dictionary where the chain is in doubt, at the best threshold of all that were tried. `--batch`: the rows
of Xu et al. (2008) by L-BFGS. `--test`: scores are of pd98-test, with the threshold that pd98-dev chose.
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
# Xu et al. (2008) to the letter: all by L-BFGS, whose optimum does not depend on an order or a number of passes.
XU = {"labels": "BIO", "method": "lbfgs", "l2": 1.0, "tolerance": 1e-4, "templates": "segment"}
BATCH_SYSTEMS = {
    "Xu et al. (2008): BIO, lists": {**XU, "jackknife": 0},
    "... lists by ten folds": XU,
    "... without lists": {**XU, "templates": "segment_characters", "lexicon": False},
    "... lists, values seen once left out": {**XU, "jackknife": 0, "least_count": 2},
    "... lists by ten folds, values seen once left out": {**XU, "least_count": 2},
    "... without lists, values seen once left out": {
        **XU,
        "templates": "segment_characters",
        "lexicon": False,
        "least_count": 2,
    },
    "... lists by ten folds, six labels": {**XU, "labels": "BCDMES"},
    "... lists and matches by ten folds, six labels": {
        **XU,
        "labels": "BCDMES",
        "templates": "segment+segment_matches",
    },
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sentences", type=int, default=10000)
    arguments.add_argument("--epochs", type=int, default=4)
    arguments.add_argument("--batch", action="store_true", help="the rows of Xu et al. (2008) by L-BFGS")
    arguments.add_argument("--test", action="store_true", help="score on pd98-test, once for each row")
    options = arguments.parse_args()
    training = read_segmented(CORPUS / "pd98-train.seg.xz")[: options.sentences]
    dev = [[half_width(word) for word in words] for words in read_segmented(CORPUS / "pd98-dev.seg.xz")]
    scored = dev
    if options.test:
        scored = [[half_width(word) for word in words] for words in read_segmented(CORPUS / "pd98-test.seg.xz")]
    texts = ["".join(words) for words in scored]
    vocabulary = {half_width(word) for words in training for word in words}
    titles = ("system", "chain F1", "R_oov", "R_iv", "dictionary F1", "back-off F1", "threshold", "features", "CPU")
    print(f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|", flush=True)
    for name, changes in (BATCH_SYSTEMS if options.batch else SYSTEMS).items():
        config = dataclasses.replace(SegmenterConfig(threads=1, epochs=options.epochs), **changes)
        started = time.process_time()
        result = train_segmenter(training, dev, config)
        seconds = time.process_time() - started
        model = result.model
        f1 = tune_threshold(model, dev).f1
        best = max((threshold for threshold in f1 if 0 < threshold <= 1), key=lambda threshold: f1[threshold])
        segmenter = Segmenter(model)
        chain = evaluate_segmentation(scored, segmenter.segment(texts, hybrid=False, threads=1), vocabulary)
        doubt, alone = (
            evaluate_segmentation(
                scored, segmenter.segment(texts, hybrid=True, threshold=threshold, threads=1)
            ).words.f1
            for threshold in (best, 2.0)
        )
        features = result.log[-1]["figures"].get("features")
        print(
            f"| {name} | {chain.words.f1:.2f} | {chain.recall_unseen:.2f} | {chain.recall_seen:.2f} | {alone:.2f} "
            f"| {doubt:.2f} | {best:.2f} | {'' if features is None else f'{features:,.0f}'} | {seconds:.0f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
