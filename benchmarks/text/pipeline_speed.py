# SPDX-License-Identifier: Apache-2.0
"""Speed and memory of the packaged pipelines: steps apart, threads, load time, start-up of the command on one sentence.

    python -m benchmarks pipeline_speed

The text is that of a treebank's dev part, several times. Words per second of wall time for each number of threads (the
best of three), words per CPU second of each step on one thread, peak memory of a process that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks.places import DATA

SHARED = DATA / "ud"
TREEBANKS = {"en": "en_ewt", "zh": "zh_gsd"}
SENTENCES = {"en": "They saw the girl with the telescope.", "zh": "我们在公园里看见了一只白色的小狗。"}


def fastest(work: Callable[[], object], clock: Callable[[], float]) -> float:
    best = float("inf")
    for _ in range(3):
        started = clock()
        work()
        best = min(best, clock() - started)
    return best


def measure(name: str, threads: list[int]) -> dict[str, object]:
    """In a process of its own, so that its peak memory is the pipeline's."""
    import resource

    started = time.perf_counter()
    import accord

    imported = time.perf_counter() - started
    started = time.perf_counter()
    nlp = accord.load(name)
    loaded = time.perf_counter() - started
    from accord import data
    from accord.tasks.pipeline.training import raw_text

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    text = raw_text(data.read(SHARED / f"{TREEBANKS[name]}-ud-dev.conllu.xz"))
    tokens = nlp.tokenize(text, threads=1)
    words = int(tokens.heads.size)
    tagged = nlp.tag(tokens, tags="predict", threads=1)
    assert nlp.parser is not None
    parser = nlp.parser
    steps = {
        "tokenise": words / fastest(lambda: nlp.tokenize(text, threads=1), time.process_time),
        "tag": words / fastest(lambda: nlp.tag(tokens, tags="predict", threads=1), time.process_time),
        "parse": words / fastest(lambda: parser.parse(tagged, threads=1), time.process_time),
        "all": words / fastest(lambda: nlp(text, threads=1), time.process_time),
    }
    wall = {str(n): words / fastest(lambda n=n: nlp(text, threads=n), time.perf_counter) for n in threads}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = accord.models.model_path(name).stat().st_size / 1e6
    return {
        "words": words, "steps": steps, "wall": wall, "load_ms": 1000 * loaded, "import_ms": 1000 * imported,
        "peak_mb": peak, "before_mb": before, "size_mb": size,
    }  # fmt: skip


def start_up(name: str) -> float:
    begin = "from accord_command import main; main()"  # what the script of an installation does
    command = [sys.executable, "-c", begin, "parse", "--model", name]
    text = SENTENCES[name].encode()
    return fastest(lambda: subprocess.run(command, input=text, capture_output=True, check=True), time.perf_counter)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--threads", type=int, nargs="*", default=[1, os.cpu_count() or 1])
    options.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure, arguments.threads)))
        return
    print("| model | size | load | peak memory | tokenise | tag | parse | all | start-up, one sentence |")
    print("|---|---|---|---|---|---|---|---|---|")
    rows = {}
    for name in TREEBANKS:
        command = [sys.executable, __file__, "--measure", name, "--threads", *map(str, arguments.threads)]
        rows[name] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        row = rows[name]
        steps = " | ".join(f"{row['steps'][step]:,.0f}" for step in ("tokenise", "tag", "parse", "all"))
        print(
            f"| {name} | {row['size_mb']:.1f} MB | {row['load_ms']:.0f} ms | {row['peak_mb']:.0f} MB | {steps} "
            f"| {start_up(name):.2f} s |",
            flush=True,
        )
    for name, row in rows.items():
        cells = ", ".join(f"{threads} threads {speed:,.0f}" for threads, speed in row["wall"].items())
        print(f"{name}, words per second of wall time: {cells}")


if __name__ == "__main__":
    main()
