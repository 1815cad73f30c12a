# SPDX-License-Identifier: Apache-2.0
"""Tests with other programs: Chromium, Spark, Ray. ``make integration`` runs them; ``make test`` leaves them out."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.app.service.serving import Client
    from tests.integration.pages import Page

collect_ignore_glob = [] if os.environ.get("ACCORD_INTEGRATION") else ["test_*.py"]

_FLAGS = ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "window-size=1000,760")


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    """A Chromium without a window. Needs selenium and Debian's chromium and chromium-driver."""
    webdriver = pytest.importorskip("selenium.webdriver")
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in programs:
        pytest.skip("there is no chromium with its driver")
    options = webdriver.ChromeOptions()
    for flag in _FLAGS:
        options.add_argument(f"--{flag}")
    options.binary_location = programs[0]
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(programs[1]))
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A service of packaged models and of two small ones, which also shows two files."""
    pytest.importorskip("uvicorn")
    import accord
    from accord.app.service.collection import Collection
    from accord.app.service.viewing import Browser
    from accord.tasks import registry
    from tests.app.service.serving import serving
    from tests.tasks.contract import trained

    models = []
    for name in ("spans", "constituents"):
        models.append(str(tmp_path_factory.mktemp("models") / f"{name}.accord"))
        trained(registry.task(name), tmp_path_factory.mktemp(name)).model.save(models[-1])
    gold = tmp_path_factory.mktemp("view") / "gold.conllu"
    changed = gold.with_name("parsed.conllu")
    text = accord.load("en")("Nobody slept. They saw the girl.").to_conllu()
    gold.write_text(text, encoding="utf-8")
    changed.write_text(text.replace("\tobj\t", "\tobl\t"), encoding="utf-8")
    browser = Browser.open([str(gold), str(changed)])
    with serving(collection=Collection.load(["en", "zh", *models]), browser=browser) as client:
        yield client


@pytest.fixture
def page(service: Client, driver: Any) -> Page:
    """The page with a tree."""
    pytest.importorskip("selenium")
    from tests.integration.pages import Page

    return Page(driver, service.port, "#tab=parse")
