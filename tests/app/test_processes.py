# SPDX-License-Identifier: Apache-2.0
"""One model in many threads and processes: forked, spawned, left behind at the end, or in another interpreter."""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import accord

TEXT = "They saw the girl, who didn't wave at them. Nobody slept that night."


def parsed(nlp: accord.Pipeline | str) -> str:
    pipeline = accord.load(nlp) if isinstance(nlp, str) else nlp
    return pipeline(TEXT).to_conllu()


@pytest.fixture(scope="module")
def nlp() -> accord.Pipeline:
    pipeline: accord.Pipeline = accord.load("en")
    return pipeline


def test_a_forked_process_answers_alike(nlp: accord.Pipeline) -> None:
    wanted = parsed(nlp)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:  # nothing but the answer may leave this process
        os.close(reading)
        try:
            os.write(writing, parsed(nlp).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        assert answer.read().decode() == wanted
    assert os.waitpid(child, 0)[1] == 0


def test_a_spawned_process_takes_a_pickled_pipeline(nlp: accord.Pipeline) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(parsed, (nlp,)) == parsed(nlp)


def test_eight_threads_on_one_model(nlp: accord.Pipeline) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(parsed, [nlp] * 64)) == {parsed(nlp)}


@pytest.mark.parametrize("verb", ["parse", "tokenizer", "rules"])
def test_the_interpreter_may_end_in_mid_parse(verb: str) -> None:
    calls = {
        "parse": "nlp(text)",
        "tokenizer": "nlp.tokenizer(text)",
        "rules": "nlp('It rains a lot today.', rules=['at-most-one nsubj'])",
    }
    script = f"""if True:
        import threading, time, accord
        nlp, text = accord.load("en"), {TEXT!r} * 200
        def work():
            while True:
                {calls[verb]}
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=120, check=False)
    assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr.decode()


def test_another_interpreter_is_refused_and_not_harmed() -> None:
    script = """if True:
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        import accord
        other = interpreters.create()
        try:
            problem = interpreters.run_string(other, "import accord; accord.load('en')('It rains.')")
        except Exception as error:
            problem = error
        print("refused" if problem is not None else "answered")
        interpreters.destroy(other)
        accord.load("en")("It rains.")
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=120, check=False)
    if b"ModuleNotFoundError" in done.stderr:
        pytest.skip("this Python has no other interpreters")
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.split() in ([b"refused"], [b"answered"])


def test_the_script_of_the_guide_runs(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "coming-from-nlp-libraries.md").read_text(encoding="utf-8")
    scripts = re.findall(r"^```python\n(from concurrent.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    assert len(scripts) == 1
    (tmp_path / "script.py").write_text(scripts[0], encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, check=True)
    assert done.stdout == "4 texts\n"
