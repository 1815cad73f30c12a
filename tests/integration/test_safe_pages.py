# SPDX-License-Identifier: Apache-2.0
"""Texts of strangers in a real Chromium: every page and picture shows them, and none of them runs.

Words, tags, labels, comments and entities try to run a script that leaves a mark on the window; a page where the mark
is found, where a message box opens or where an element of a stranger appears has been taken over.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accord.data import Document, Sentence
from tests.app.service.serving import Client, serving

pytest.importorskip("uvicorn")
pytest.importorskip("selenium")

from accord.app.service.collection import Collection
from accord.app.service.viewing import Browser

MARK = "window.taken=1"
NASTY = (
    f"<script>{MARK}</script>",
    f"<img src=x onerror={MARK}>",
    f'"onload={MARK}//',
    f"'><svg/onload={MARK}>",
    f"]]><script>{MARK}</script>",
    f"</title><script>{MARK}</script>",
    f"--></style><script>{MARK}</script>",
    f"javascript:{MARK}",
    f"${{{MARK}}}",
    "&lt;b&gt;&#60;script&#62;",
    "\u202eturned\u202c",
)
TAKEN = """
const strangers = [...document.querySelectorAll('img, iframe, object, embed, base, foreignObject')];
const on = [...document.querySelectorAll('*')].filter(e => e.getAttributeNames().some(name => name.startsWith('on')));
const links = [...document.querySelectorAll('[href]')].filter(e => /^\\s*javascript:/i.test(e.getAttribute('href')));
return [window.taken === undefined ? 0 : 1, strangers.length, on.length, links.length];
"""


def nasty_document(label: str = "") -> Document:
    heads = [0, *[1] * (len(NASTY) - 1)]
    labels = ["root", *[f"{form}{label}" for form in NASTY[1:]]]
    sentence = Sentence.from_words(NASTY, lemmas=NASTY, upos=NASTY, xpos=NASTY, heads=heads, deprels=labels)
    return Document.from_sentences([sentence])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("nasty")
    for name, label in (("gold", ""), ("first", "1"), ("second", "2")):
        text = f"# sent_id = {NASTY[0]}\n# text = {NASTY[5]}\n" + nasty_document(label).to_conllu()
        (here / f"{name}.conllu").write_text(text, encoding="utf-8")
    (here / f"{NASTY[1]}.conllu").write_text(text, encoding="utf-8")
    (here / "text.txt").write_text(" ".join(NASTY) + " He met Anna Smith in Berlin.\n", encoding="utf-8")
    return here


def made(folder: Path, *arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "accord", *arguments], cwd=folder, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()


def untouched(driver: Any, shown: str = NASTY[0]) -> None:
    """Nothing of a stranger ran, and the text is on the page as text."""
    assert driver.execute_script(TAKEN) == [0, 0, 0, 0]
    assert shown in driver.execute_script("return document.documentElement.textContent")


def test_a_page_that_is_taken_over_is_noticed(folder: Path, driver: Any) -> None:
    (folder / "taken.html").write_text(f"<!doctype html><p>{NASTY[0]}{NASTY[1]}", encoding="utf-8")
    driver.get((folder / "taken.html").as_uri())
    assert driver.execute_script(TAKEN) == [1, 1, 1, 0]


PAGES = {
    "show.svg": ("show", "gold.conllu", "--output", "svg", "--to", "show.svg"),
    "show.html": ("show", "gold.conllu", "--output", "html", "--to", "show.html"),
    "gold.html": ("show", "first.conllu", "--gold", "gold.conllu", "--output", "html", "--to", "gold.html"),
    "report.html": ("compare", "gold.conllu", "first.conllu", "second.conllu", "--report", "report.html"),
    "find.html": ("find", "[]", "gold.conllu", "--output", "html", "--to", "find.html"),
    "summary.html": ("summarize", "text.txt", "--words", "200", "--output", "html", "--to", "summary.html"),
    "short.html": ("compress", "text.txt", "--rate", "0.9", "--output", "html", "--to", "short.html"),
    "parsed.html": ("parse", "text.txt", "--output", "html", "--to", "parsed.html"),
    "training.html": (
        *("train", "tagger", f"{NASTY[1]}.conllu", "--dev", "gold.conllu", "--output", "out.accord"),
        *("--set", "epochs=1", "--report", "training.html"),
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_files(name: str, folder: Path, driver: Any) -> None:
    made(folder, *PAGES[name])
    driver.get((folder / name).as_uri())
    time.sleep(0.3)  # for what a stranger would load
    untouched(driver, "onerror" if name == "training.html" else "script")


def test_notebooks(folder: Path, driver: Any) -> None:
    (folder / "cell.html").write_text(
        f"<!doctype html><meta charset=utf-8>{nasty_document()._repr_html_()}", encoding="utf-8"
    )
    driver.get((folder / "cell.html").as_uri())
    time.sleep(0.3)
    untouched(driver)


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Client]:
    browser = Browser.open([str(folder / "gold.conllu"), str(folder / "first.conllu")])
    with serving(collection=Collection.load(["en"]), browser=browser) as client:
        yield client


@pytest.mark.parametrize("tab", ["parse", "entities", "compress", "summarize", "view"])
def test_the_page(tab: str, service: Client, driver: Any) -> None:
    driver.get("about:blank")
    driver.get(f"http://127.0.0.1:{service.port}/#tab={tab}")
    end = time.monotonic() + 30
    while driver.execute_script("return document.body.dataset.ready") != "yes":
        assert time.monotonic() < end
        time.sleep(0.05)
    if tab == "view":
        while "script" not in driver.execute_script("return document.body.textContent"):
            assert time.monotonic() < end
            time.sleep(0.05)
    else:
        for field in driver.find_elements("css selector", "textarea"):
            if field.is_displayed():
                field.clear()
                field.send_keys(" ".join(NASTY[:7]))
    time.sleep(2)  # an answer is drawn while the text is typed
    assert driver.execute_script(TAKEN)[0] == 0
    assert not driver.find_elements("css selector", "img[src='x'], svg[onload]")
