# SPDX-License-Identifier: Apache-2.0
"""The page of the service in a real Chromium. Needs selenium and Debian's chromium and chromium-driver."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.app.service.serving import Client

pytest.importorskip("uvicorn")
pytest.importorskip("selenium")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.integration.pages import ATTACHED_TO_GIRL, ATTACHED_TO_SAW, Page


def test_a_tree_is_drawn_while_a_text_is_typed(page: Page) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    assert "proved best of all trees" in page.by("trees").text
    assert page.driver.find_elements("css selector", "#trees .sure5 .label")
    page.shot("tree")
    page.write("text", "Nobody slept.")
    page.wait_heads([2, 0, 2])


def test_a_label_that_is_dragged_to_a_word_fixes_its_head(page: Page) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    label = page.arc(7).find_element("css selector", ".pill")
    ActionChains(page.driver).move_to_element(label).click_and_hold().move_to_element(page.word(4)).release().perform()
    page.wait_heads(ATTACHED_TO_GIRL)
    assert "fixed" in page.arc(7).get_attribute("class")
    assert "proved best of all trees with what is given" in page.by("trees").text
    page.shot("fixed")
    page.by("unfix").click()
    page.wait_heads(ATTACHED_TO_SAW)


def test_a_label_that_is_clicked_can_be_changed(page: Page) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    page.arc(4).find_element("css selector", ".label").click()
    page.wait(lambda: page.by("label-dialog").is_displayed())
    page.by("label-input").send_keys("iobj", Keys.ENTER)
    page.wait(lambda: "iobj" in page.arc(4).text)


def test_arcs_are_moved_with_the_keyboard_alone(page: Page) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    page.arc(7).send_keys(
        Keys.ARROW_RIGHT,
    )
    page.wait(lambda: page.heads()[6] == 3)
    page.wait(lambda: page.driver.switch_to.active_element.get_attribute("data-dependent") == "7")
    page.driver.switch_to.active_element.send_keys(Keys.DELETE)
    page.wait_heads(ATTACHED_TO_SAW)


def test_rules_hold_and_are_certified(page: Page) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    page.driver.execute_script("document.getElementById('rule-box').open = true")
    page.by("rules").send_keys("require 4 -> 7")
    page.wait_heads(ATTACHED_TO_GIRL)
    assert "proved best of all trees with your rules" in page.by("trees").text
    page.shot("rules")


def test_the_best_trees_stand_side_by_side_with_what_differs(page: Page) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    page.write("k", "2")
    page.wait(lambda: len(page.driver.find_elements("css selector", "#trees figure.ranked")) == 2)
    marked = page.driver.find_elements("css selector", "#trees figure.ranked:nth-child(2) g.differs[tabindex]")
    assert [one.get_attribute("data-dependent") for one in marked] == ["7"]
    page.shot("best")


def test_a_link_restores_everything(page: Page, service: Client) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    page.arc(7).send_keys(
        Keys.ARROW_RIGHT,
    )
    page.wait(lambda: page.heads()[6] == 3)
    heads, link = page.heads(), page.driver.current_url
    again = Page(page.driver, service.port, link[link.index("#") :])
    again.wait_heads(heads)
    page.write("text", "Nobody slept.")
    page.wait(lambda: "Nobody" in page.driver.current_url)


@pytest.mark.parametrize(
    ("tab", "seen"),
    [
        ("entities", "Ana"),
        ("constituents", "telescope"),
        ("compress", "bought"),
        ("summarize", "battery"),
        ("segment", "北京"),
        ("graph", "proved best"),
    ],
)
def test_every_tab_answers(page: Page, tab: str, seen: str) -> None:
    page.by(f"tab-{tab}").click()
    page.wait(lambda: seen in page.by(f"{tab}-answer").text)
    page.shot(tab)


def test_answers_have_the_blanks_of_their_text(page: Page) -> None:
    page.by("tab-compress").click()
    page.wait(lambda: "The old man, who lived" in page.by("compress-answer").text)
    page.by("tab-entities").click()
    page.by("entities-model").send_keys("en")
    page.write("entities-text", "It didn't hurt Ana (42).  She left.")
    page.wait(
        lambda: "It didn't hurt" in page.by("entities-answer").text and "(42)." in page.by("entities-answer").text
    )


def test_the_length_slider_changes_the_compression(page: Page) -> None:
    page.by("tab-compress").click()
    page.wait(lambda: page.by("compress-answer").text)
    before = page.by("compress-answer").text
    page.by("compress-rate").send_keys(*[Keys.ARROW_LEFT] * 6)
    page.wait(lambda: page.by("compress-answer").text != before)
    assert page.by("compress-shown").text == "30 %"


def test_a_file_is_searched_and_compared(page: Page) -> None:
    page.by("tab-view").click()
    page.wait(lambda: page.driver.find_elements("css selector", "#view-answer svg"))
    everything = page.by("view-place").text
    page.write("view-first", "2")
    page.wait(lambda: len(page.driver.find_elements("css selector", "#view-answer figure")) == 1)
    page.write("view-first", "9")  # beyond the end: the last page
    page.wait(lambda: page.by("view-first").get_attribute("value") == "1")
    page.by("view-differs").click()
    page.wait(lambda: page.by("view-place").text == "to 1 of 1" != everything)
    assert page.driver.find_elements("css selector", "#view-answer .gold")
    page.shot("view")
    page.by("view-search").send_keys("no such word")
    page.wait(lambda: page.by("view-place").text == "nothing found")
    page.write("view-search", "V >obj O")
    page.wait(lambda: [one.text for one in page.driver.find_elements("css selector", ".target")] == ["saw", "girl"])


def test_the_page_fits_a_phone_in_the_dark(page: Page) -> None:
    devtools = page.driver.execute_cdp_cmd
    devtools(
        "Emulation.setDeviceMetricsOverride", {"width": 380, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    )
    devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    try:
        page.wait_heads(ATTACHED_TO_SAW)
        assert page.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        page.by("rule-box").find_element("css selector", "summary").click()
        page.wait(lambda: page.by("rule-menu").is_displayed())
        assert page.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        page.by("tab-graph").click()
        page.wait(
            lambda: page.driver.execute_script(
                "return document.getElementById('tab-graph').getBoundingClientRect().right <= innerWidth"
            )
        )
        page.by("tab-parse").click()
        page.by("rule-box").find_element("css selector", "summary").click()
        assert page.driver.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 29)"
        page.shot("phone")
    finally:
        devtools("Emulation.clearDeviceMetricsOverride", {})
        devtools("Emulation.setEmulatedMedia", {"features": []})


def test_downloads_are_complete_files(page: Page, tmp_path: Path) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    page.by("save-conllu").click()
    conllu = tmp_path / "accord.conllu"
    page.wait(conllu.is_file)
    assert [row.split("\t")[6] for row in conllu.read_text().splitlines() if row[:1].isdigit()] == [
        str(head) for head in ATTACHED_TO_SAW
    ]
    page.by("save-svg").click()
    svg = tmp_path / "accord.svg"
    page.wait(svg.is_file)
    page.wait(lambda: svg.read_text().rstrip().endswith("</svg>"))
    assert "<style" in svg.read_text()
    svg.unlink()
    page.write("text", "They left. She stayed.")
    page.wait(lambda: len(page.driver.find_elements("css selector", "#trees svg")) == 2)
    page.by("save-svg").click()
    page.wait(svg.is_file)
    page.wait(lambda: svg.read_text().count("<svg") == 3)


def test_the_page_of_the_api_lists_the_paths(service: Client, driver: Any) -> None:
    driver.get(f"http://127.0.0.1:{service.port}/docs")
    end = time.monotonic() + 30
    while "POST /parse" not in driver.page_source:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_no_script_complained_and_nothing_came_from_elsewhere(page: Page, service: Client) -> None:
    page.wait_heads(ATTACHED_TO_SAW)
    asked = page.driver.execute_script("return performance.getEntriesByType('resource').map(one => one.name)")
    assert asked and all(name.startswith(f"http://127.0.0.1:{service.port}/") for name in asked)
    assert [entry for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE"] == []
