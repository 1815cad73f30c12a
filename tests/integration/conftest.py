# SPDX-License-Identifier: Apache-2.0
"""Tests with other programs: Chromium, Spark, Ray. ``make integration`` runs them; ``make test`` leaves them out."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

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
