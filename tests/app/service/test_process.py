# SPDX-License-Identifier: Apache-2.0
"""``accord serve`` and ``accord view`` as processes: where they listen, and how they end."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from accord.app.commands.serve import serve
from accord.app.commands.view import view
from accord.errors import ConfigError, ModelError

TEXT = "They saw the girl with the telescope. " * 300


@contextmanager
def started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process of the command and the address that it tells."""
    command = [sys.executable, "-m", "accord", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        told = process.stderr.readline()
        address = re.search(r"http://\S+/", told)
        assert address, told + process.stderr.read()
        try:
            yield process, address[0]
        finally:
            if process.poll() is None:
                process.terminate()


def ask(address: str, path: str, request: object = None) -> dict[str, object]:
    body = None if request is None else json.dumps(request).encode()
    with urllib.request.urlopen(address + path, body, timeout=60) as answer:
        found: dict[str, object] = json.loads(answer.read())
        return found


def test_it_listens_on_the_loopback_interface_and_finishes_what_it_began() -> None:
    with started("serve", "--model", "en", "--port", "0", "--threads", "1") as (process, address):
        assert address.startswith("http://127.0.0.1:")
        assert ask(address, "health")["models"] == ["en"]
        answers: list[dict[str, object]] = []
        asked = threading.Thread(target=lambda: answers.append(ask(address, "parse", {"text": TEXT})))
        asked.start()
        while _running(address) == 0 and asked.is_alive():
            pass
        process.send_signal(signal.SIGTERM)
        asked.join(60)
        assert len(answers[0]["sentences"]) == 300  # type: ignore[arg-type]
        assert process.wait(30) in (0, 128 + signal.SIGTERM)
        assert process.stderr is not None and "Traceback" not in process.stderr.read()


def test_several_processes_listen_on_one_port() -> None:
    with started("serve", "--model", "en", "--port", "0", "--workers", "2", "--token", "t") as (process, address):
        for _ in range(200):
            try:
                assert ask(address, "health")["status"] == "ok"
                break
            except OSError:
                time.sleep(0.1)
        with pytest.raises(urllib.error.HTTPError, match="401"):
            ask(address, "models")
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def _running(address: str) -> float:
    with urllib.request.urlopen(address + "metrics", timeout=60) as answer:
        found = re.search(r"^accord_running (\S+)$", answer.read().decode(), re.MULTILINE)
    assert found
    return float(found[1])


def test_a_file_is_shown_read_only(tmp_path: Path) -> None:
    file = tmp_path / "a.conllu"
    file.write_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\tStop\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    with started("view", str(file), "--no-browser") as (_, address):
        found = ask(address, "view?search=stop")
        assert (found["files"], found["found"]) == (["a.conllu"], 1)
        assert str(tmp_path) not in json.dumps([found, ask(address, "about")])


def test_what_is_wrong_is_said_before_anything_listens() -> None:
    with pytest.raises(ModelError, match="nobody: no such model file"):
        serve(model=["nobody"], port=0)
    with pytest.raises(ConfigError, match="there are two of this name"):
        serve(model=["en", "en"], port=0)
    with pytest.raises(OSError, match="Cannot assign") as failed:
        serve(model=["en"], host="192.0.2.1", port=0)
    assert failed.value.filename == "192.0.2.1:0"
    with pytest.raises(ConfigError, match="one file or compares two"):
        view(["a", "b", "c"], browser=False)
