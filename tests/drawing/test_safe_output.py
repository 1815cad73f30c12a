# SPDX-License-Identifier: Apache-2.0
"""Texts of strangers are data in every output: a parser of the format finds them as text, and nothing else.

Words, tags, labels, comments and names of files hold tags of HTML, ends of CDATA, attributes, terminal escapes and
marks that turn the direction of a line.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from accord.data import Document, Sentence

NASTY = (
    "<script>alert(1)</script>",
    "]]>",
    "x\"onload=alert(1)'",
    "&lt;b&gt;&amp;&#60;",
    "\u202eright-to-left\u202c",
    "\x1b[31mred\x1b[0m",
    "\x07bell",
    "--><svg/onload=x>",
    "{{7*7}}${x}",
    "javascript:alert(1)",
)
WORD_TAGS = frozenset({"html", "head", "body", "title", "meta", "style", "main", "section", "figure", "figcaption"})


def nasty_document() -> Document:
    forms = [form.replace("\t", " ") for form in NASTY]
    heads = [0, *[1] * (len(forms) - 1)]
    labels = ["root", *[f"<b>{number}\"'" for number in range(1, len(forms))]]
    sentence = Sentence.from_words(forms, upos=forms, heads=heads, deprels=labels)
    return Document.from_sentences([sentence])


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nasty") / "<img src=x>.conllu"
    path.write_text("# text = </title><script>1</script>\n" + nasty_document().to_conllu(), encoding="utf-8")
    return path


def shown(file: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "accord", "show", str(file), *arguments]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


class Elements(HTMLParser):
    """All elements, attributes and texts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def no_scripts(page: str) -> Elements:
    found = Elements()
    found.feed(page)
    assert "script" not in found.names and "img" not in found.names
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert not [value for _, value in found.attributes if value.strip().lower().startswith("javascript:")]
    return found


def no_controls(text: str) -> None:
    for character in text:
        assert character == "\n" or unicodedata.category(character) != "Cc", repr(character)
        assert unicodedata.bidirectional(character) not in ("RLO", "LRO", "RLE", "LRE", "PDF"), repr(character)


def test_svg(file: Path) -> None:
    picture = shown(file, "--output", "svg")
    root = ElementTree.fromstring(picture)
    names = {element.tag.rsplit("}")[-1] for element in root.iter()}
    assert "script" not in names and "foreignObject" not in names
    texts = {"".join(element.itertext()) for element in root.iter()}
    assert "<script>alert(1)</script>" in texts and "]]>" in texts
    no_scripts(picture)
    no_controls(picture)


def test_html_of_a_file(file: Path) -> None:
    page = shown(file, "--output", "html")
    assert "<script>alert(1)</script>" in no_scripts(page).texts
    no_controls(page)


def test_notebooks() -> None:
    no_scripts(nasty_document()._repr_html_())
    no_controls(nasty_document()._repr_html_())


def test_drawings_on_a_terminal(file: Path) -> None:
    no_controls(shown(file, "--output", "text"))


def test_json_keeps_every_character() -> None:
    line = nasty_document().to_json().splitlines()[0]
    assert [word["form"] for word in json.loads(line)["words"]] == list(NASTY)
    assert "\x1b" not in line and "\x07" not in line


@pytest.mark.parametrize(
    "verb", [("parse",), ("tag", "--model", "en"), ("tokenize",), ("convert",), ("show",), ("info",)]
)
def test_error_messages(verb: tuple[str, ...], tmp_path: Path) -> None:
    """What a message quotes cannot move the cursor of whoever reads the message."""
    files = {"\x1b]0;title\x07\u202e.conllu": b"1\t\x1b[2J\n\n", "[red]x[bold].conllu": b"1\tx\ty\n\n"}
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        command = [sys.executable, "-m", "accord", verb[0], str(path), *verb[1:]]
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)
        said = done.stderr.decode()
        assert "Traceback" not in said
        no_controls(said)
