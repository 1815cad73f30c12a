# SPDX-License-Identifier: Apache-2.0
"""Entities and chunks: span F1 on the test sets of CoNLL-2000, CoNLL-2002, WNUT 2017, Weibo and Resume.

    python -m benchmarks entities [names ...]

Default settings, one thread. Dev data (CoNLL-2000: the last tenth of the training sentences) choose the pass; test data
are labelled once.
"""

from __future__ import annotations

import argparse
import dataclasses
import time

from accord.data import Document
from accord.evaluation.spans import evaluate_spans
from accord.tasks.spans import LabelledFile, SpanLabeller, SpansConfig, read_labelled, tag_column, train_spans
from benchmarks.places import DATA

SETS: dict[str, tuple[tuple[str, str, str], dict[str, object]]] = {
    "CoNLL-2002 Spanish": (
        (
            "chunk_ner/conll2002-esp.train.txt.xz",
            "chunk_ner/conll2002-esp.testa.txt.xz",
            "chunk_ner/conll2002-esp.testb.txt.xz",
        ),
        {},
    ),
    "CoNLL-2002 Dutch": (
        (
            "chunk_ner/conll2002-ned.train.txt.xz",
            "chunk_ner/conll2002-ned.testa.txt.xz",
            "chunk_ner/conll2002-ned.testb.txt.xz",
        ),
        {},
    ),
    "WNUT 2017": (
        ("chunk_ner/wnut17-train.conll.xz", "chunk_ner/wnut17-dev.conll.xz", "chunk_ner/wnut17-test.conll.xz"),
        {},
    ),
    "Resume": (
        (
            "chinese_seg/resume_ner-train.bmes.xz",
            "chinese_seg/resume_ner-dev.bmes.xz",
            "chinese_seg/resume_ner-test.bmes.xz",
        ),
        {},
    ),
    "Resume without lists": (
        (
            "chinese_seg/resume_ner-train.bmes.xz",
            "chinese_seg/resume_ner-dev.bmes.xz",
            "chinese_seg/resume_ner-test.bmes.xz",
        ),
        {"lists": False},
    ),
    "Weibo": (
        (
            "chinese_seg/weibo_ner-train.conll.xz",
            "chinese_seg/weibo_ner-dev.conll.xz",
            "chinese_seg/weibo_ner-test.conll.xz",
        ),
        {"positions": True},
    ),
    "Weibo without lists": (
        (
            "chinese_seg/weibo_ner-train.conll.xz",
            "chinese_seg/weibo_ner-dev.conll.xz",
            "chinese_seg/weibo_ner-test.conll.xz",
        ),
        {"positions": True, "lists": False},
    ),
    "CoNLL-2000 chunks": (
        ("chunk_ner/conll2000-train.txt.xz", "", "chunk_ner/conll2000-test.txt.xz"),
        {"templates": "chunk", "lists": False},
    ),
}


def held_out_tenth(file: LabelledFile) -> tuple[LabelledFile, LabelledFile]:
    count = len(file.lengths) * 9 // 10
    tokens = sum(file.lengths[:count])
    sentences = file.document.sentences
    return (
        LabelledFile(Document.from_sentences(sentences[:count]), file.labels[:tokens]),
        LabelledFile(Document.from_sentences(sentences[count:]), file.labels[tokens:]),
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="*", default=list(SETS), help=", ".join(SETS))
    options = arguments.parse_args()
    print("| data | dev F1 | test precision | test recall | test F1 | training CPU | tokens per CPU second | model |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in options.names:
        files, changes = SETS[name]
        paths = [DATA / file if file else None for file in files]
        assert paths[0] is not None and paths[2] is not None
        config = dataclasses.replace(SpansConfig(threads=1), **changes)
        config = dataclasses.replace(config, tag=tag_column(paths[0], config))
        training, test = read_labelled(paths[0], config), read_labelled(paths[2], config)
        if paths[1] is None:
            training, dev = held_out_tenth(training)
        else:
            dev = read_labelled(paths[1], config)
        started = time.process_time()
        model = train_spans(training, dev, config).model
        seconds = time.process_time() - started
        labeller = SpanLabeller(model)
        at_dev = evaluate_spans(dev.labels, labeller.label(dev.document, threads=1).labels, dev.lengths).spans
        started = time.process_time()
        found = labeller.label(test.document, threads=1).labels
        speed = len(found) / (time.process_time() - started)
        at_test = evaluate_spans(test.labels, found, test.lengths).spans
        _, arrays = model.to_blocks()
        size = sum(array.nbytes for array in arrays.values()) / 1e6
        print(
            f"| {name} | {at_dev.f1:.2f} | {at_test.precision:.2f} | {at_test.recall:.2f} | {at_test.f1:.2f} "
            f"| {seconds:.0f} s | {speed:,.0f} | {size:.1f} MB |",
            flush=True,
        )


if __name__ == "__main__":
    main()
