# SPDX-License-Identifier: Apache-2.0
"""Words a CPU second of corpus jobs on each engine, beside ``accord parse``, and how many bytes a word takes.

The texts are the paragraphs of newspaper stories (Brown corpus), one a line. CPU time is that of the processes that do
the work; the model is loaded before the clock starts. Engines that are not installed are left out. All outputs are
compared byte by byte.

    python -m benchmarks corpora
    python -m benchmarks corpora --texts 500 --engines local
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import accord
from accord.data.files import open_input
from accord.engines.annotating import pipeline_of
from accord.engines.job import Block, Job, do_block, finish
from benchmarks.places import DATA, ROOT

TEXTS = DATA / "raw_text" / "en_brown.txt.xz"


def timed_block(job: Job, block: Block) -> tuple[int, float]:
    """Texts and CPU seconds of a block."""
    pipeline_of(job.model)("Loaded before the clock starts.")
    begin = time.process_time()
    return do_block(job, block), time.process_time() - begin


def on_local(job: Job) -> list[tuple[int, float]]:
    return [timed_block(job, block) for block in job.missing()]


def on_spark(job: Job) -> list[tuple[int, float]]:
    import pyspark
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_HOME": str(Path(pyspark.__file__).parent)}
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        blocks = job.missing()
        return list(
            session.sparkContext.parallelize(blocks, len(blocks)).map(lambda block: timed_block(job, block)).collect()
        )
    finally:
        session.stop()


def on_ray(job: Job) -> list[tuple[int, float]]:
    import ray

    ray.init(num_cpus=1, log_to_driver=False, include_dashboard=False)
    try:
        task = ray.remote(timed_block)
        return list(ray.get([task.remote(job, block) for block in job.missing()]))
    finally:
        ray.shutdown()


ENGINES: dict[str, Callable[[Job], list[tuple[int, float]]]] = {"local": on_local, "spark": on_spark, "ray": on_ray}


def parse_speed(lines: list[str], words: int) -> float:
    """Words a CPU second of the pipeline on the same texts as one stream."""
    nlp = accord.load("en")
    nlp("Loaded before the clock starts.")
    begin = time.process_time()
    for document in nlp.stream((line + "\n\n" for line in lines), threads=1):
        document.to_bytes()
    return words / (time.process_time() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--texts", type=int, default=4000)
    parser.add_argument("--engines", nargs="+", default=list(ENGINES))
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    with open_input(TEXTS) as source:
        lines = [line.strip() for line in source.read().decode().splitlines() if line.strip()][: options.texts]
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), lines, options.engines)


def measure(folder: Path, lines: list[str], engines: list[str]) -> None:
    (folder / "texts.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    outputs: dict[str, bytes] = {}
    rows: list[tuple[str, float]] = []
    for engine in engines:
        job = Job.of({"inputs": ["texts.txt"], "output": f"{engine}.conllu", "block_bytes": 1 << 18}, folder)
        try:
            done: list[tuple[int, float]] = ENGINES[engine](job)
        except ImportError as error:
            print(f"{engine}: not installed ({error})", file=sys.stderr)
            continue
        finish(job)
        outputs[engine] = (folder / f"{engine}.conllu").read_bytes()
        rows.append((engine, sum(seconds for _, seconds in done)))
    first = next(iter(outputs.values()))
    words = sum(line[:1].isdigit() and b"-" not in line.split(b"\t")[0] for line in first.splitlines())
    alone = parse_speed(lines, words)
    print("| engine | words per CPU second | beside one stream | output |")
    print("|---|---:|---:|---|")
    print(f"| one stream, no job | {alone:,.0f} | 1.00 | |")
    for engine, seconds in rows:
        same = "the same bytes" if outputs[engine] == first else "OTHER BYTES"
        print(f"| {engine} | {words / seconds:,.0f} | {words / seconds / alone:.2f} | {same} |")
    report_bytes(words, (folder / "texts.txt").read_bytes(), first)


def report_bytes(words: int, texts: Any, output: bytes) -> None:
    print("\n| | bytes a word | packed by gzip |")
    print("|---|---:|---:|")
    for name, data in (("text", texts), ("CoNLL-U", output)):
        print(f"| {name} | {len(data) / words:.1f} | {len(gzip.compress(data, 6)) / words:.1f} |")


if __name__ == "__main__":
    main()
