# SPDX-License-Identifier: Apache-2.0
"""The table of languages that ``accord train all`` trains, and the treebanks that its rows name.

The table is data: ``languages.toml`` beside this file, or a file of the user in the same form. A row says on what a
language is trained, tuned and tested, under which licence its treebanks are, and with which settings.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord import data
from accord.data import Document
from accord.errors import ConfigError
from accord.settings import read_table

TABLE = Path(__file__).with_name("languages.toml")
FREE_LICENCES = re.compile(r"CC BY(-SA)? \d\.\d")
_PART = re.compile(r"(?P<name>[\w.-]+)(\[(?P<first>\d*):(?P<last>\d*)\])?")
_ENDINGS = (".conllu", ".conllu.xz", ".conllu.gz", ".conllu.bz2")


@dataclass(frozen=True)
class Language:
    """A row of the table.

    ``package``: its licence allows a package. ``start``: another row, whose network the training begins with.
    """

    code: str
    name: str
    language: str
    licence: str
    train: tuple[str, ...]
    dev: tuple[str, ...]
    test: tuple[str, ...] = ()
    package: bool = True
    start: str = ""
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def card(self, sizes: Mapping[str, int]) -> dict[str, Any]:
        """What the card of its model says of its data."""
        first, *others = self.train
        also = {"also": others} if others else {}
        about = {"name": self.name, "language": self.language, "licence": self.licence}
        besides = {"besides": f"the training began with the weights of `{self.start}`"} if self.start else {}
        return {**about, **besides, "data": first, **also, "dev": ", ".join(self.dev), **sizes}


def read_languages(table: Path = TABLE) -> dict[str, Language]:
    """The rows of a table, by their codes."""
    values = read_table(table)
    recipes, rows = values.get("recipes", {}), values.get("languages", {})
    if not isinstance(rows, Mapping) or not rows or not isinstance(recipes, Mapping):
        raise ConfigError(f"{table}: a table of languages has [languages.CODE] and perhaps [recipes.NAME]")
    return {code: _language(code, row, recipes, f"{table}: languages.{code}") for code, row in rows.items()}


def _language(code: str, row: Any, recipes: Mapping[str, Any], place: str) -> Language:
    if not isinstance(row, Mapping):
        raise ConfigError(f"{place}: not a table")
    texts: dict[str, Any] = {key: row.get(key) for key in ("name", "language", "licence")}
    parts: dict[str, Any] = {key: row.get(key, []) for key in ("train", "dev", "test")}
    recipe, own, package = row.get("recipe"), row.get("set", {}), row.get("package", True)
    start = row.get("start", "")
    unknown = set(row) - {*texts, *parts, "recipe", "set", "package", "start"}
    if unknown:
        raise ConfigError(f"{place}: nothing is called {', '.join(sorted(unknown))} here")
    for key, text in texts.items():
        if not isinstance(text, str):
            raise ConfigError(f"{place}: {key} must be a text")
    for key, names in parts.items():
        if not isinstance(names, list) or not all(isinstance(name, str) and _PART.fullmatch(name) for name in names):
            raise ConfigError(f"{place}: {key} must be a list of treebanks, e.g. sv_talbanken-ud-{key}")
    if not parts["train"] or not parts["dev"]:
        raise ConfigError(f"{place}: train and dev must name a treebank")
    if recipe is not None and recipe not in recipes:
        raise ConfigError(f"{place}: there is no recipe {recipe!r} ({', '.join(recipes) or 'none at all'})")
    if not isinstance(start, str):
        raise ConfigError(f"{place}: start must be another language")
    if not isinstance(own, Mapping) or not isinstance(package, bool):
        raise ConfigError(f"{place}: set must be a table of settings, and package true or false")
    settings = {**(recipes[recipe] if recipe is not None else {}), **own}
    named: dict[str, Any] = {key: tuple(names) for key, names in parts.items()}
    return Language(code, **texts, **named, package=package, start=start, settings=settings)


def treebank_file(folder: Path, name: str) -> Path:
    """The file of a treebank in a folder or in a folder of it, as a release of Universal Dependencies has them."""
    found = _PART.fullmatch(name)
    if found is None:
        raise ConfigError(f"{name!r}: not the name of a treebank")
    for ending in _ENDINGS:
        file = f"{found['name']}{ending}"
        for path in (folder / file, *sorted(folder.glob(f"*/{file}"))):
            if path.is_file():
                return path
    raise ConfigError(f"{folder}: no file {found['name']}.conllu, in it or in a folder of it")


def read_part(folder: Path, names: Iterable[str]) -> list[Document]:
    """The treebanks that a row names for training, tuning or testing."""
    documents = []
    for name in names:
        whole, found = data.read(treebank_file(folder, name)), _PART.fullmatch(name)
        if found is not None and found[2]:
            first, last = (int(found[key]) if found[key] else None for key in ("first", "last"))
            whole = Document.from_sentences(whole.sentences[first:last])
        documents.append(whole)
    return documents


def joined_part(documents: list[Document]) -> Document:
    """One document of all sentences."""
    if len(documents) == 1:
        return documents[0]
    return Document.from_sentences(sentence for document in documents for sentence in document.sentences)
