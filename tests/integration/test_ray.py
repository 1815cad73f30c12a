# SPDX-License-Identifier: Apache-2.0
"""Datasets of texts and corpus jobs on a real Ray: two nodes on this machine. Needs the extra ``ray``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.engines import local
from accord.engines.job import Job

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")
pytestmark = pytest.mark.filterwarnings("ignore")

TEXTS = ["They sleep.", "Nobody saw it. She waved!", None, "Good!", ""]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    source = str(Path(accord.__file__).parents[1])
    os.environ["PYTHONPATH"] = os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    nodes.add_node(num_cpus=2)
    ray.init(address=nodes.address, log_to_driver=False)
    yield nodes
    ray.shutdown()
    nodes.shutdown()


def test_a_dataset_of_texts_becomes_sentences_with_words(cluster: Any) -> None:
    import pyarrow as pa

    from accord.ray import annotate

    table = pa.table({"id": pa.array(range(5), pa.int64()), "text": pa.array(TEXTS, pa.string())})
    rows = sorted(annotate(ray.data.from_arrow(table), batch_size=2).take_all(), key=lambda row: row["id"])
    nlp = accord.load("en")
    assert [row["conllu"] for row in rows] == [None if text is None else nlp(text).to_conllu() for text in TEXTS]
    assert [word["head"] for word in rows[0]["sentences"][0]["words"]] == [2, 0, 2]
    assert rows[2]["error"] == "not a text: None"


def test_an_actor_that_is_killed_is_started_again(cluster: Any, tmp_path: Path) -> None:
    import pyarrow as pa

    from accord.ray import Annotator

    marker = tmp_path / "died"

    @ray.remote(max_restarts=-1, max_task_retries=-1)
    class Mortal(Annotator):
        def work(self, table: Any) -> Any:
            if not marker.is_file():
                marker.touch()
                os._exit(1)
            return self(table)

    table = pa.table({"id": ["a", "b"], "text": TEXTS[:2]})
    found = ray.get(Mortal.remote("en").work.remote(table))
    assert marker.is_file() and found.column("conllu").to_pylist()[0] == accord.load("en")(TEXTS[0]).to_conllu()


def test_a_job_writes_the_bytes_of_the_local_engine(cluster: Any, tmp_path: Path) -> None:
    from accord.engines import ray as engine

    lines = [f"Number {n} sleeps. Nobody saw it." for n in range(40)]
    (tmp_path / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    alone = local.run(Job.of({"inputs": ["a.txt"], "output": "local.conllu", "block_bytes": 300}, tmp_path))
    job = Job.of({"inputs": ["a.txt"], "output": "ray.conllu", "block_bytes": 300}, tmp_path)
    assert engine.run(job).checksum == alone.checksum
    assert (tmp_path / "ray.conllu").read_bytes() == (tmp_path / "local.conllu").read_bytes()
