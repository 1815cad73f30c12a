# SPDX-License-Identifier: Apache-2.0
"""Raw text to trees: an Accord pipeline beside UDPipe 1, on the same text in one run; CoNLL-18 metrics and speed.

    python -m benchmarks pipeline --model en --split test --peer-python PYTHON --peer-model udpipe.model

PYTHON is an interpreter that has `ufal.udpipe`; `udpipe_peer` makes its model. Without a peer only ours is
measured. Two settings: from raw text (paragraphs apart, as the treebank marks them), and gold words, predicted tags.
Time is CPU time on one core from text in memory to CoNLL-U in memory, model loading left out, the best of three runs.
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

from benchmarks.places import DATA

SHARED = DATA / "ud"
METRICS = (
    *("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"),
    *("UAS", "LAS", "CLAS", "MLAS", "BLEX"),
)


def timed(work: Callable[[], str]) -> tuple[str, float]:
    best, answer = float("inf"), ""
    for _ in range(3):
        started = time.process_time()
        answer = work()
        best = min(best, time.process_time() - started)
    return answer, best


def peer(model: str, text_file: Path, words_file: Path, answers: Path) -> None:
    """Runs in the peer's interpreter."""
    from ufal.udpipe import Model, Pipeline, ProcessingError

    loaded = Model.load(model)
    if loaded is None:
        raise SystemExit(f"{model}: no model of UDPipe")

    def run(reader: str, text: str) -> str:
        error = ProcessingError()
        pipeline = Pipeline(loaded, reader, Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
        answer = pipeline.process(text, error)
        if error.occurred():
            raise SystemExit(error.message)
        return str(answer)

    raw = timed(lambda: run("tokenizer=ranges", text_file.read_text(encoding="utf-8")))
    words = timed(lambda: run("conllu", words_file.read_text(encoding="utf-8")))
    answers.write_text(json.dumps({"raw": raw, "words": words}), encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", default="en")
    options.add_argument("--treebank", default="en_ewt")
    options.add_argument("--split", default="dev", choices=("dev", "test"))
    options.add_argument("--peer-python")
    options.add_argument("--peer-model", type=Path)
    options.add_argument("--peer", nargs=4, help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.peer:
        model, *files = arguments.peer
        peer(model, *(Path(file) for file in files))
        return
    compare(arguments)


def compare(arguments: argparse.Namespace) -> None:
    import accord
    from accord import data, evaluation
    from accord.data import Document
    from accord.tasks.pipeline.training import raw_text

    gold = data.read(SHARED / f"{arguments.treebank}-ud-{arguments.split}.conllu.xz")
    text = raw_text(gold) + "\n"
    count = int(gold.heads.size)
    nothing = ["_"] * count
    bare = gold.replace(
        heads=[None] * count, deprels=nothing, lemmas=nothing, upos=nothing, xpos=nothing, feats=nothing
    )
    nlp = accord.load(arguments.model)
    systems = {
        "accord": {
            "raw": timed(lambda: nlp(text, threads=1).to_conllu()),
            "words": timed(lambda: nlp(Document(bare.to_bytes()), threads=1).to_conllu()),
        }
    }
    if arguments.peer_python:
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("text.txt", "words.conllu", "answers.json")]
            files[0].write_text(text, encoding="utf-8")
            files[1].write_bytes(bare.to_bytes())
            command = [arguments.peer_python, __file__, "--peer", str(arguments.peer_model), *map(str, files)]
            subprocess.run(command, check=True)
            systems["udpipe"] = json.loads(files[2].read_text(encoding="utf-8"))
    columns = [(name, setting) for setting in ("raw", "words") for name in systems]
    print(f"{arguments.treebank} {arguments.split}: {count:,} words")
    print("| metric | " + " | ".join(f"{name}, {setting}" for name, setting in columns) + " |")
    print("|---|" + "---|" * len(columns))
    scores = {
        (name, setting): evaluation.evaluate(gold, Document.from_conllu(systems[name][setting][0]))
        for name, setting in columns
    }
    for metric in METRICS:
        print(f"| {metric} | " + " | ".join(f"{scores[column][metric].f1:.2f}" for column in columns) + " |")
    speeds = [count / systems[name][setting][1] for name, setting in columns]
    print("| words per CPU second | " + " | ".join(f"{speed:,.0f}" for speed in speeds) + " |")
    if len(systems) == 2:
        for setting in ("raw", "words"):
            ratio = systems["udpipe"][setting][1] / systems["accord"][setting][1]
            print(f"{setting}: accord is {ratio:.1f} times as fast", file=sys.stderr)


if __name__ == "__main__":
    main()
