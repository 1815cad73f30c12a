# SPDX-License-Identifier: Apache-2.0
"""accord.sequence.CRF beside CRFsuite: CoNLL-2000 chunks from the same lists of attributes, made in Python.

    python -m benchmarks crf_estimator --peer-python PYTHON [--iterations 30] [--sentences 4000] [--rounds 3]

PYTHON is an interpreter in which python-crfsuite is installed. Both get the attributes of sequence_peer as lists of
strings, minimise the same objective (c2 = 1) for so many iterations of L-BFGS on one thread, and tag the test part.
Times are CPU seconds from lists of strings to weights, and from lists of strings to labels. Both take turns, so that
other work on the machine meets both; training is the best of all turns, tagging the best of five passes in each turn.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the peer runs this file as a script

from benchmarks.chains.sequence_peer import CORPUS, attributes, read_sentences


def best_of_five(work: Callable[[], Any]) -> tuple[Any, float]:
    """What the work gives, and the least CPU seconds that it took."""
    times = []
    for _ in range(5):
        started = time.process_time()
        found = work()
        times.append(time.process_time() - started)
    return found, min(times)


def run_peer(request: dict[str, Any]) -> dict[str, Any]:
    import pycrfsuite

    rows = [attributes(sentence) for sentence in request["train"]]
    test = [attributes(sentence) for sentence in request["test"]]
    started = time.process_time()
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": 1.0, "max_iterations": request["iterations"], "epsilon": 0.0, "delta": 0.0})
    for row, sentence in zip(rows, request["train"], strict=True):
        trainer.append(row, [label for _, _, label in sentence])
    trainer.train(request["model"])
    train_seconds = time.process_time() - started
    tagger = pycrfsuite.Tagger()
    tagger.open(request["model"])
    labels, tag_seconds = best_of_five(lambda: [tagger.tag(row) for row in test])
    return {"labels": labels, "train_seconds": train_seconds, "tag_seconds": tag_seconds,
            "objective": trainer.logparser.iterations[-1]["loss"]}  # fmt: skip


def run_accord(request: dict[str, Any]) -> dict[str, Any]:
    from accord.sequence import CRF

    rows = [attributes(sentence) for sentence in request["train"]]
    test = [attributes(sentence) for sentence in request["test"]]
    started = time.process_time()
    crf = CRF(c2=1.0, max_iterations=request["iterations"], epsilon=0.0, delta=0.0, threads=1)
    crf.fit(rows, [[label for _, _, label in sentence] for sentence in request["train"]])
    train_seconds = time.process_time() - started
    labels, tag_seconds = best_of_five(lambda: crf.predict(test))
    return {"labels": labels, "train_seconds": train_seconds, "tag_seconds": tag_seconds,
            "objective": crf.objective_}  # fmt: skip


def ask_peer(python: str, request: dict[str, Any]) -> dict[str, Any] | None:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("request.json", "answer.json")]
        files[0].write_text(json.dumps({**request, "model": f"{folder}/model"}), encoding="utf-8")
        done = subprocess.run([python, __file__, "--peer", *map(str, files)], check=False)
        return None if done.returncode else dict(json.loads(files[1].read_text(encoding="utf-8")))


def better(one: dict[str, Any] | None, other: dict[str, Any] | None) -> dict[str, Any] | None:
    """The same answer with the smaller times."""
    if one is None or other is None:
        return one or other
    return {**one, **{name: min(one[name], other[name]) for name in ("train_seconds", "tag_seconds")}}


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--peer-python", default="", help="interpreter that has python-crfsuite")
    arguments.add_argument("--iterations", type=int, default=30, help="iterations of both")
    arguments.add_argument("--sentences", type=int, default=4000, help="training sentences")
    arguments.add_argument("--rounds", type=int, default=3, help="turns of each")
    arguments.add_argument("--peer", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.peer:
        request, answer = options.peer
        answer.write_text(json.dumps(run_peer(json.loads(request.read_text("utf-8")))), encoding="utf-8")
        return 0
    train, test = (read_sentences(CORPUS / f"conll2000-{part}.txt.xz") for part in ("train", "test"))
    asked = {"train": train[: options.sentences], "test": test, "iterations": options.iterations}
    words = sum(map(len, test))
    answers: dict[str, dict[str, Any] | None] = {"CRFsuite": None, "accord.sequence.CRF": None}
    for _ in range(options.rounds):
        if options.peer_python:
            answers["CRFsuite"] = better(answers["CRFsuite"], ask_peer(options.peer_python, asked))
        answers["accord.sequence.CRF"] = better(answers["accord.sequence.CRF"], run_accord(asked))
    print("| system | objective | training CPU s | words/s | accuracy |\n|---|---|---|---|---|")
    for name, found in answers.items():
        if found is not None:
            gold = [[label for _, _, label in sentence] for sentence in test]
            pairs = zip(gold, found["labels"], strict=True)
            right = sum(a == b for one, two in pairs for a, b in zip(one, two, strict=True))
            speed = f"{words / found['tag_seconds']:,.0f}"
            figures = f"{found['objective']:.1f} | {found['train_seconds']:.1f} | {speed}"
            print(f"| {name} | {figures} | {100 * right / words:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
