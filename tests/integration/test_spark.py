# SPDX-License-Identifier: Apache-2.0
"""Columns of texts and corpus jobs on a real Spark with two executors. Needs Java and the extra ``spark``."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.engines import local
from accord.engines.job import Block, Job
from accord.models import model_path

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore")
TEXTS = ["They sleep.", "Nobody saw it. She waved!", None, "Good!", ""]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    import pyspark
    from pyspark.sql import SparkSession

    source = str(Path(accord.__file__).parents[1])
    path = os.pathsep.join([source, str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    home = str(Path(pyspark.__file__).parent)
    os.environ |= {
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": path,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_HOME": home,
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("accord tests")
    options = {
        "spark.ui.enabled": "false",
        "spark.executor.memory": "512m",
        "spark.executorEnv.PYTHONPATH": path,
        "spark.sql.shuffle.partitions": "2",
        "spark.task.maxFailures": "4",
        "spark.driver.host": "127.0.0.1",
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    yield spark
    spark.stop()


@pytest.fixture
def table(session: Any) -> Any:
    rows = list(enumerate(TEXTS))
    return session.createDataFrame(rows, "id int, text string").repartition(2)


def test_a_column_of_texts_becomes_sentences_with_words(table: Any, tmp_path: Path) -> None:
    from accord.spark import annotate

    shipped = tmp_path / "shipped.accord"
    shutil.copy(model_path("en"), shipped)  # a file, which Spark brings to its executors
    rows = annotate(table, "text", "id", model=shipped).orderBy("id").collect()
    nlp = accord.load("en")
    assert [row.conllu for row in rows] == [None if text is None else nlp(text).to_conllu() for text in TEXTS]
    assert [word.head for word in rows[0].sentences[0].words] == [2, 0, 2]
    assert rows[2].error == "not a text: None" and rows[2].sentences is None


def test_a_function_of_a_column_gives_conllu(table: Any) -> None:
    from accord.spark import parse_udf

    rows = table.select("id", parse_udf("en")("text").alias("trees")).orderBy("id").collect()
    assert rows[0].trees == accord.load("en")(TEXTS[0]).to_conllu() and rows[2].trees is None


def test_a_task_that_is_killed_is_done_again(session: Any, tmp_path: Path) -> None:
    from accord.engines import spark

    lines = [f"Number {n} sleeps. Nobody saw it." for n in range(40)]
    (tmp_path / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    alone = local.run(Job.of({"inputs": ["a.txt"], "output": "local.conllu", "block_bytes": 300}, tmp_path))
    job = Job.of({"inputs": ["a.txt"], "output": "spark.conllu", "block_bytes": 300}, tmp_path)
    session.sparkContext.parallelize(job.missing(), 2).map(killed_once(job)).collect()
    assert (tmp_path / "died").is_file()
    assert spark.run(job, session=session).checksum == alone.checksum
    assert (tmp_path / "spark.conllu").read_bytes() == (tmp_path / "local.conllu").read_bytes()


def killed_once(job: Job) -> Any:
    """The work of a block; the process of the second block kills itself the first time."""
    marker = str(Path(job.output).parent / "died")

    def work(block: Block) -> int:
        import os
        import signal
        from pathlib import Path

        from accord.engines.job import do_block

        if block.number == 1 and not Path(marker).is_file():
            Path(marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return do_block(job, block)

    return work
