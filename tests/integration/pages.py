# SPDX-License-Identifier: Apache-2.0
"""The page of the service as a person uses it in a browser.

``ACCORD_INTEGRATION=1 ACCORD_SCREENSHOTS=docs/screenshots`` writes the pictures of the documentation.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.common.exceptions import StaleElementReferenceException

SHOTS = os.environ.get("ACCORD_SCREENSHOTS")
ATTACHED_TO_SAW = [2, 0, 4, 2, 7, 7, 2, 2]
ATTACHED_TO_GIRL = [2, 0, 4, 2, 7, 7, 4, 2]
HEADS = """
const arcs = [...document.querySelectorAll('#trees svg g[tabindex]')].map(g => [+g.dataset.dependent, +g.dataset.head]);
return arcs.sort((a, b) => a[0] - b[0]).map(pair => pair[1]);
"""


def _seen(happened: Callable[[], Any]) -> Any:
    try:
        return happened()
    except StaleElementReferenceException:  # the tree was drawn anew meanwhile
        return None


class Page:
    """The page as a person uses it."""

    def __init__(self, driver: Any, port: int, link: str = "") -> None:
        self.driver = driver
        driver.get("about:blank")
        driver.get(f"http://127.0.0.1:{port}/{link}")
        self.wait(lambda: driver.execute_script("return document.body.dataset.ready === 'yes'"))

    def wait(self, happened: Callable[[], Any], seconds: float = 15) -> Any:
        end = time.monotonic() + seconds
        while not (found := _seen(happened)):
            assert time.monotonic() < end, self.by("error").text
            time.sleep(0.05)
        return found

    def by(self, name: str) -> Any:
        return self.driver.find_element("id", name)

    def write(self, name: str, text: str) -> None:
        field = self.by(name)
        field.clear()
        field.send_keys(text)

    def heads(self) -> list[int]:
        found: list[int] = self.driver.execute_script(HEADS)
        return found

    def wait_heads(self, heads: list[int]) -> None:
        self.wait(lambda: self.heads() == heads)

    def arc(self, dependent: int) -> Any:
        return self.driver.find_element("css selector", f"#trees g[tabindex][data-dependent='{dependent}']")

    def word(self, number: int) -> Any:
        return self.driver.find_element("css selector", f"#trees [data-word='{number}']")

    def shot(self, name: str) -> None:
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(f"{SHOTS}/{name}.png")
