# SPDX-License-Identifier: Apache-2.0
"""Every language that has a package: its model loads by its code, and analyses a sentence of its own."""

from __future__ import annotations

import pytest

import accord
from accord.evaluation.ud_rules import RELATIONS, UPOS
from accord.models import model_path
from accord.models.installed import SEPARATE
from accord.tasks.pipeline.card import card_text
from accord.tasks.pipeline.languages import read_languages
from accord.tasks.pipeline.model import PipelineModel

MOST_BYTES = 8_000_000
OLDER = {"dobj", "nsubjpass", "csubjpass", "auxpass", "neg", "name", "mwe", "foreign", "remnant"}  # of UD 1
SENTENCES = {
    "sv": ("Hon läser en bok i parken.", ("Hon", "läser", "en", "bok", "i", "parken", "."), "läser"),
    "nl": ("De kinderen spelen in de tuin.", ("De", "kinderen", "spelen", "in", "de", "tuin", "."), "spelen"),
    "pt": ("A menina viu o cachorro.", ("A", "menina", "viu", "o", "cachorro", "."), "viu"),
    "ja": ("彼は本を読んだ。", ("彼", "は", "本", "を", "読ん", "だ", "。"), "読ん"),
    "es": ("La niña leyó un libro.", ("La", "niña", "leyó", "un", "libro", "."), "leyó"),
    "it": ("Il governo ha aumentato le tasse.", ("Il", "governo", "ha", "aumentato", "le", "tasse", "."), "aumentato"),
    "fr": ("il a acheté une maison.", ("il", "a", "acheté", "une", "maison", "."), "acheté"),
    "sl": ("Otroci se igrajo na vrtu.", ("Otroci", "se", "igrajo", "na", "vrtu", "."), "igrajo"),
}
CODES = [code for code in read_languages() if code in SEPARATE]


def test_all_separate_models_but_phrases_are_languages_of_the_table() -> None:
    assert {*CODES, "en-phrases"} == set(SEPARATE)
    assert all(read_languages()[code].package for code in CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_language_analyses_a_sentence_of_its_own(code: str) -> None:
    text, forms, root = SENTENCES[code]
    sentence = accord.load(code)(text).sentences[0]
    assert sentence.forms == forms
    assert [word.form for word in sentence.words if word.head == 0] == [root]
    older = OLDER if code == "sv" else set()
    assert {word.deprel.partition(":")[0] for word in sentence.words} <= RELATIONS | older
    assert {word.upos for word in sentence.words} <= UPOS | ({"CONJ"} if code == "sv" else set())
    assert sentence.words[-1].upos == "PUNCT" and sentence.words[-1].deprel == "punct"


@pytest.mark.parametrize("code", CODES)
def test_a_language_is_small_and_has_the_card_of_its_row(code: str) -> None:
    path, row = model_path(code), read_languages()[code]
    model = PipelineModel.load(path)
    assert path.stat().st_size <= MOST_BYTES
    assert path.with_suffix(".md").read_text(encoding="utf-8") == card_text(model, path.stat().st_size)
    assert (model.card["licence"], model.card["name"]) == (row.licence, row.name)
    assert (model.card["data"], *model.card.get("also", ())) == row.train
