# SPDX-License-Identifier: Apache-2.0
"""The recipe "add a task", carried out: one module with a row gets everything that the other tasks have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import accord
from accord.app.cli import make_app
from accord.app.reference import reference_page
from accord.app.service.routes import make_routes
from accord.errors import ConfigError, ModelError
from accord.tasks import registry
from tests.tasks.contract import CLAIMS, Trained, trained
from tests.tasks.toy_task import TASK, Truecaser


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    registry.register(TASK)
    yield
    registry.unregister(TASK.name)


def run(*arguments: object, input: str | None = None) -> Result:
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(make_app(words), words, input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy")
    text, dev, model = folder / "text.txt", folder / "dev.txt", folder / "case.accord"
    text.write_text("Ana saw Rio\nBo saw the IBM\n")
    dev.write_text("Bo saw Ana\n")
    done = run("train", "truecaser", text, "--dev", dev, "--output", model, "--set", "least_count=1", "--card", "by=me")
    assert "epoch 1" in done.stderr and "words 100.00" in done.stderr
    return model


def test_the_toy_is_small() -> None:
    lines = Path(__file__).with_name("toy_task.py").read_text().splitlines()
    assert len(lines) < 100


def test_it_gets_its_commands(model: Path) -> None:
    assert run("truecase", "--model", model, input="ana saw the ibm\nbo\n").stdout == "Ana saw the IBM\nBo\n"
    assert "truecase" in run("--help").stdout
    assert "truecaser" in run("train", "--help").stdout
    assert "--resume" in run("train", "truecaser", "--help").stdout


def test_its_command_refuses_models_of_other_tasks() -> None:
    with pytest.raises(ModelError, match="not a truecaser"):
        run("truecase", "--model", "en", input="x")


def test_load_gives_its_worker(model: Path) -> None:
    worker = accord.load(model)
    assert isinstance(worker, Truecaser) and worker("rio") == "Rio"


def test_info_tells_of_it(model: Path) -> None:
    told = run("info", model).stdout
    for words in ("truecaser", "accord truecase", "config.least_count", "100.00"):
        assert words in told
    header = json.loads(run("info", model, "--json").stdout)
    assert header["card"]["by"] == "me" and header["card"]["data"] == "text.txt"


def test_it_gets_a_route_in_the_service(model: Path) -> None:
    route = make_routes({"truecaser": str(model)})["/truecase"]
    assert route({"text": "ana"}) == {"text": "Ana"}
    with pytest.raises(ConfigError, match="request"):
        route({"texts": 1})


def test_it_gets_a_reference_page() -> None:
    page = reference_page(TASK)
    for words in ("# Truecaser", "`least_count`", "rarer words stay as they are", "accord truecase", "POST /truecase"):
        assert words in page
    assert page == run("info", "--task", "truecaser").stdout


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    return trained(TASK, tmp_path_factory.mktemp("contract"))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_it_keeps_the_contract(one: Trained, claim: Callable[[Trained], None]) -> None:
    claim(one)


def test_what_is_taken_is_refused() -> None:
    with pytest.raises(ConfigError, match="already"):
        registry.register(TASK)
    with pytest.raises(ConfigError, match="built in"):
        registry.unregister("parser")
