# SPDX-License-Identifier: Apache-2.0
"""Arcs under a mouse and under a finger, several trees side by side, and rules from the menu, in a real Chromium."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.app.service.serving import Client

pytest.importorskip("uvicorn")
pytest.importorskip("selenium")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import Select

from tests.integration.pages import ATTACHED_TO_GIRL, ATTACHED_TO_SAW, Page

LONG = "The committee, which had met twice since the beginning of the year to discuss the rules, decided to wait."
MIDDLE = "const box = arguments[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2];"
SCROLLED = "return [document.querySelector('.scroll').scrollLeft, window.scrollY];"


@pytest.fixture
def phone(page: Page) -> Iterator[Page]:
    devtools = page.driver.execute_cdp_cmd
    screen = {"width": 380, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    devtools("Emulation.setDeviceMetricsOverride", screen)
    devtools("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        page.wait_heads(ATTACHED_TO_SAW)
        page.driver.execute_script("document.getElementById('trees').scrollIntoView()")
        yield page
    finally:
        devtools("Emulation.setTouchEmulationEnabled", {"enabled": False})
        devtools("Emulation.clearDeviceMetricsOverride", {})


def swipe(page: Page, element: Any, right: float, down: float) -> None:
    """A finger that is put on the middle of an element and moved."""
    x, y = page.driver.execute_script(MIDDLE, element)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": one, "y": other} for one, other in points]
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", (x, y))
    for step in range(1, 13):
        touch("touchMove", (x + right * step / 12, y + down * step / 12))
        time.sleep(0.02)
    touch("touchEnd")
    time.sleep(0.5)


def label(page: Page, dependent: int) -> Any:
    return page.arc(dependent).find_element("css selector", ".label")


def test_a_finger_drags_a_label_to_a_word(phone: Page) -> None:
    there = (
        phone.driver.execute_script(MIDDLE, phone.word(2))[0] - phone.driver.execute_script(MIDDLE, label(phone, 3))[0]
    )
    swipe(phone, label(phone, 3), there, 0)
    phone.wait(lambda: phone.heads()[2] == 2)
    assert "fixed" in phone.arc(3).get_attribute("class")


def test_a_finger_on_words_moves_the_picture_and_no_arc(phone: Page) -> None:
    swipe(phone, phone.word(4), -100, 0)
    assert phone.driver.execute_script(SCROLLED)[0] > 20
    before = phone.driver.execute_script(SCROLLED)[1]
    swipe(phone, phone.word(4), 0, 100)
    assert phone.driver.execute_script(SCROLLED)[1] < before
    assert phone.heads() == ATTACHED_TO_SAW and not phone.by("unfix").is_displayed()


def test_a_line_is_dragged_with_the_mouse(page: Page) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    tip = page.driver.find_element("css selector", "#trees g[data-dependent='7'] .tip")
    ActionChains(page.driver).move_to_element(tip).click_and_hold().move_to_element(page.word(4)).release().perform()
    page.wait_heads(ATTACHED_TO_GIRL)


def test_what_differs_is_said_and_scrolled_into_view(page: Page, service: Client) -> None:
    page.write("text", LONG)
    page.write("k", "3")
    frames = page.wait(
        lambda: (
            page.driver.find_elements("css selector", "#trees figure.ranked .scroll")[2:]
            and page.driver.find_elements("css selector", "#trees figure.ranked .scroll")
        )
    )
    said = [one.text for one in page.driver.find_elements("css selector", "#trees .ranked figcaption p")]
    assert said[0] == "the best tree" and all(" of " in one and ", not " in one for one in said[1:])
    left = "return arguments[0].map(frame => frame.scrollLeft);"
    page.wait(lambda: len(set(page.driver.execute_script(left, frames))) == 1)
    assert page.driver.execute_script(left, frames)[0] > 0
    page.driver.execute_script("arguments[0].scrollLeft = 33;", frames[1])
    page.wait(lambda: page.driver.execute_script(left, frames) == [33, 33, 33])
    assert not page.by("probabilities").is_enabled()


def test_a_rule_of_the_menu_counts_when_its_blanks_are_filled(page: Page) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    page.driver.execute_script("document.getElementById('rule-box').open = true")
    Select(page.by("rule-menu")).select_by_index(1)
    page.wait(lambda: page.by("rule-blanks").is_displayed())
    assert page.by("rules").get_attribute("value") == "require HEAD -> DEPENDENT"
    assert page.heads() == ATTACHED_TO_SAW and not page.by("error").is_displayed()
    page.driver.switch_to.active_element.send_keys("4")  # HEAD is selected
    assert page.by("rules").get_attribute("value") == "require 4 -> DEPENDENT"
    page.write("rules", "require 4 -> 7")
    page.wait_heads(ATTACHED_TO_GIRL)
    assert not page.by("rule-blanks").is_displayed()


def test_a_text_of_another_script_is_noticed(page: Page) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    assert not page.by("other-script").is_displayed()
    page.write("text", "Мы видели девушку.")
    page.wait(lambda: "one of English" in page.by("other-script").text)
    page.by("model").send_keys("zh")
    page.write("text", "我爱北京天安门。")
    page.wait(lambda: not page.by("other-script").is_displayed())


def test_the_graph_says_how_probable_its_variables_are(page: Page) -> None:
    page.by("tab-graph").click()
    page.wait(lambda: "also say how probable" in page.by("graph-answer").text)
    Select(page.by("graph-solver")).select_by_value("junction_tree")
    page.driver.execute_script("document.getElementById('graph').dispatchEvent(new Event('input'))")
    page.wait(lambda: "posterior" in page.by("graph-answer").text and "0.81" in page.by("graph-answer").text)
