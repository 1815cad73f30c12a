# SPDX-License-Identifier: Apache-2.0
"""Every benchmark has a script, and what the runner records keeps table and command together."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks import record  # noqa: E402
from benchmarks.catalogue import BENCHMARKS, script_of  # noqa: E402

TABLE = "words: 3\n\n| words | seconds |\n|---|---|\n| 10 | 0.5 |\n| 20 | 1.5 |\n"


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_name_of_the_catalogue_has_a_script(name: str) -> None:
    assert script_of(name).is_file()


def test_no_folder_of_benchmarks_has_more_than_thirty_files() -> None:
    folders = [path for path in (ROOT / "benchmarks").rglob("*") if path.is_dir()] + [ROOT / "benchmarks"]
    assert all(sum(child.is_file() for child in folder.iterdir()) <= 30 for folder in folders)


def test_tables_are_read_from_what_a_benchmark_prints() -> None:
    assert record.tables_of(TABLE) == [[["words", "seconds"], ["10", "0.5"], ["20", "1.5"]]]


def test_a_page_shows_the_command_commit_and_table_of_the_last_run_alone(tmp_path: Path) -> None:
    (tmp_path / "trees.md").write_text("# Trees\n\nProse stays.\n", encoding="utf-8")
    for commit, output in (("aaaa", TABLE), ("bbbb", TABLE.replace("0.5", "0.4"))):
        run = record.describe("trees", ["--seconds", "1"], commit, 2.0, output)
        record.write(run, tmp_path, "trees")
    page = (tmp_path / "trees.md").read_text(encoding="utf-8")
    assert page.startswith("# Trees\n\nProse stays.\n")
    assert page.count("python -m benchmarks trees --seconds 1") == 1
    assert "Commit bbbb" in page and "aaaa" not in page and "| 10 | 0.4 |" in page
    stored = json.loads((tmp_path / "trees.json").read_text(encoding="utf-8"))
    assert (stored["commit"], stored["tables"][0][1]) == ("bbbb", ["10", "0.4"])


def test_a_record_needs_a_checkout_without_changes(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    (tmp_path / "file").write_text("one")
    git("add", "file")
    git("commit", "-m", "one")
    assert len(record.commit_of(tmp_path)) == 12
    (tmp_path / "file").write_text("two")
    with pytest.raises(ValueError, match="commit them first"):
        record.commit_of(tmp_path)


def test_an_unknown_name_is_one_line_on_standard_error() -> None:
    done = subprocess.run([sys.executable, "-m", "benchmarks", "no"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "no benchmark is called 'no'; `python -m benchmarks` lists them\n"


def test_an_old_command_outside_a_source_tree_says_where_it_went(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "accord", "bench", "trees"]
    folders = [str(Path(folder).resolve()) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    assert "python -m benchmarks trees" in done.stderr and "Traceback" not in done.stderr
