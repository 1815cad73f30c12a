# SPDX-License-Identifier: Apache-2.0
"""The reference of Python: every public name has a heading and says what it is."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from importlib.util import find_spec

import pytest

from tools.reference_pages import pages, public_modules, public_names

PAGES = pages()
OPTIONAL = {"accord.torch": "torch", "accord.spark": "pyspark", "accord.ray": "ray"}


@pytest.mark.parametrize("module", public_modules())
def test_every_public_name_has_a_heading_and_a_text(module: str) -> None:
    sections = re.split(r"^## (.+)$", PAGES[f"{module}.md"], flags=re.MULTILINE)[1:]
    texts = dict(zip(sections[::2], sections[1::2], strict=True))
    assert sorted(texts) == sorted(public_names(module))
    needed = OPTIONAL.get(module)
    if needed is None or find_spec(needed):
        found = import_module(module)
        told = {
            name for name in texts if inspect.getdoc(getattr(found, name)) and inspect.isclass(getattr(found, name))
        }
        bare = [
            name
            for name in told
            if not re.sub(r"```.*?```|^#.*?$", "", texts[name], flags=re.DOTALL | re.MULTILINE).strip()
        ]
        assert bare == []


def test_the_index_names_every_page_and_fences_are_closed() -> None:
    for name, text in PAGES.items():
        assert name == "README.md" or f"({name})" in PAGES["README.md"]
        assert text.count("\n```") % 2 == 0 and "accord._core" not in text


def test_methods_properties_and_inherited_ones_are_there() -> None:
    page = PAGES["accord.md"]
    for heading in ("Document.entities", "Document.from_conllu", "Pipeline.pipe", "Parser.load", "Sentence.edited"):
        assert f"\n### {heading}\n" in page
    assert "Property → `list[Entity]`" in page and "pipe(\n    texts: Iterable[Any],\n" in page
