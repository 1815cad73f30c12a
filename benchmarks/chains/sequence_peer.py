# SPDX-License-Identifier: Apache-2.0
"""A linear-chain CRF beside CRFsuite: CoNLL-2000 chunks, the same features, the same objective.

    python -m benchmarks sequence_peer --peer-python PYTHON [--iterations 100]

PYTHON is an interpreter in which python-crfsuite is installed; without it only Accord is measured. Both maximise the
log-likelihood of the training labels with a penalty of |w|^2 (CRFsuite: c2=1; Accord: l2=2) over the features and
transitions that occur in training. The peer runs first, for so many iterations of L-BFGS; Accord then runs until its
objective is as low as the peer's last. Attributes are those of templates/chunk_peer.txt, the example of CRFsuite, with
the same marks beyond the ends of a sentence, so that both objectives are one function. Times are CPU seconds on one
thread. Training counts what each does between attributes (the peer) or words (Accord, features included) and weights;
the peer's attributes, made in Python, are timed apart. Tagging counts everything from words to labels.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.places import DATA

CORPUS = DATA / "chunk_ner"
TEMPLATES = Path(__file__).resolve().parent / "chunk_peer.txt"
Sentence = list[tuple[str, str, str]]

# --- the peer: this part runs in its interpreter and knows nothing of Accord


def attributes(sentence: Sentence) -> list[list[str]]:
    """The values of the templates at each word, as strings."""
    edges = [("<before>",) * 2, ("<root>",) * 2, *((word, tag) for word, tag, _ in sentence), *[("<after>",) * 2] * 2]
    words, tags = [word for word, _ in edges], [tag for _, tag in edges]
    rows = []
    for i in range(2, len(sentence) + 2):
        a, b, c, d, e = words[i - 2 : i + 3]
        p, q, r, s, t = tags[i - 2 : i + 3]
        rows.append(
            [
                f"w-2={a}", f"w-1={b}", f"w0={c}", f"w+1={d}", f"w+2={e}", f"w-1w0={b}|{c}", f"w0w+1={c}|{d}",
                f"p-2={p}", f"p-1={q}", f"p0={r}", f"p+1={s}", f"p+2={t}",
                f"p-2p-1={p}|{q}", f"p-1p0={q}|{r}", f"p0p+1={r}|{s}", f"p+1p+2={s}|{t}",
                f"p-2p-1p0={p}|{q}|{r}", f"p-1p0p+1={q}|{r}|{s}", f"p0p+1p+2={r}|{s}|{t}",
            ]
        )  # fmt: skip
    return rows


def run_peer(request: dict[str, Any]) -> dict[str, Any]:
    import pycrfsuite

    started = time.process_time()
    rows = [attributes(sentence) for sentence in request["train"]]
    feature_seconds = time.process_time() - started
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": 1.0, "max_iterations": request["iterations"], "epsilon": 0.0, "delta": 0.0})
    started = time.process_time()
    for row, sentence in zip(rows, request["train"], strict=True):
        trainer.append(row, [label for _, _, label in sentence])
    append_seconds = time.process_time() - started
    started = time.process_time()
    trainer.train(request["model"])
    train_seconds = time.process_time() - started
    last = trainer.logparser.iterations[-1]
    tagger = pycrfsuite.Tagger()
    tagger.open(request["model"])
    started = time.process_time()
    labels = [tagger.tag(attributes(sentence)) for sentence in request["test"]]
    tag_seconds = time.process_time() - started
    return {
        "labels": [label for sentence in labels for label in sentence],
        "train_seconds": train_seconds,
        "with_features": train_seconds + append_seconds + feature_seconds,
        "tag_seconds": tag_seconds,
        "objective": last["loss"],
        "iterations": last["num"],
        "features": trainer.logparser.featgen_num_features,
    }


# --- Accord


def read_sentences(path: Path) -> list[Sentence]:
    from accord.data.columns import read_columns

    read = read_columns(path, tag=1)
    words, tags = read.document.column("form"), read.document.column("xpos")
    rows, sentences = iter(zip(words, tags, read.labels, strict=True)), []
    for length in read.document.lengths.tolist():
        sentences.append([next(rows) for _ in range(length)])
    return sentences


def run_accord(iterations: int, goal: float) -> dict[str, Any]:
    from accord._core import text
    from accord.data.columns import read_columns
    from accord.tasks.labeller import Labeller, LabellerConfig, Problem, number_labels, train_labeller

    train = read_columns(CORPUS / "conll2000-train.txt.xz", tag=1)
    test = read_columns(CORPUS / "conll2000-test.txt.xz", tag=1)
    config = LabellerConfig(
        method="lbfgs", templates=str(TEMPLATES), l2=2.0, iterations=iterations, tolerance=0.0,
        unseen_transitions=False, threads=1,
    )  # fmt: skip
    started = time.process_time()
    labels, numbers = number_labels(train.labels)
    problem = Problem(text.DocumentSequences(train.document.native), numbers, labels)
    result = train_labeller(problem, config, goal=goal)
    train_seconds = time.process_time() - started
    labeller = Labeller(result.snapshot)
    rounds = []
    for _ in range(5):
        started = time.process_time()
        found = labeller.names(labeller.label(labeller.words(test.document), threads=1).numbers)
        rounds.append(time.process_time() - started)
    return {
        "labels": found,
        "train_seconds": train_seconds,
        "with_features": train_seconds,
        "tag_seconds": min(rounds),
        "objective": result.log[-1]["objective"],
        "iterations": result.best_epoch,
        "features": int(result.log[-1]["figures"]["features"]),
    }


def ask_peer(python: str, iterations: int) -> dict[str, Any] | None:
    train, test = (read_sentences(CORPUS / f"conll2000-{part}.txt.xz") for part in ("train", "test"))
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("request.json", "answer.json")]
        request = {"train": train, "test": test, "iterations": iterations, "model": f"{folder}/model"}
        files[0].write_text(json.dumps(request), encoding="utf-8")
        done = subprocess.run([python, __file__, "--peer", *map(str, files)], check=False)
        return None if done.returncode else dict(json.loads(files[1].read_text(encoding="utf-8")))


def report(name: str, answer: dict[str, Any]) -> str:
    from accord.data.columns import read_columns
    from accord.evaluation.spans import evaluate_spans

    test = read_columns(CORPUS / "conll2000-test.txt.xz", tag=1)
    score = evaluate_spans(test.labels, answer["labels"], test.document.lengths.tolist()).spans
    return (
        f"| {name} | {answer['features']:,} | {answer['iterations']} | {answer['objective']:.1f} | "
        f"{answer['train_seconds']:.1f} ({answer['with_features']:.1f}) | "
        f"{len(test.labels) / answer['tag_seconds']:,.0f} | {score.f1:.2f} |"
    )


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--peer-python", default="", help="interpreter that has python-crfsuite")
    arguments.add_argument("--iterations", type=int, default=100, help="iterations of the peer")
    arguments.add_argument("--peer", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.peer:
        request, answer = options.peer
        answer.write_text(json.dumps(run_peer(json.loads(request.read_text("utf-8")))), encoding="utf-8")
        return 0
    print("| system | features | iterations | objective | training CPU s (with features) | words/s | F1 |")
    print("|---|---|---|---|---|---|---|", flush=True)
    peer = ask_peer(options.peer_python, options.iterations) if options.peer_python else None
    if peer:
        print(report("CRFsuite", peer), flush=True)
    ours = run_accord(
        options.iterations if peer is None else 10 * options.iterations, peer["objective"] if peer else -1e300
    )
    print(report("Accord", ours))
    if peer:
        ratio, quick = peer["train_seconds"] / ours["train_seconds"], peer["tag_seconds"] / ours["tag_seconds"]
        print(f"\nAccord trains {ratio:.2f} times and tags {quick:.1f} times as fast.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
