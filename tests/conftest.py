# SPDX-License-Identifier: Apache-2.0
"""Small data written for the tests: a toy language with real ambiguities, and where the shared treebanks stand.

Hypothesis draws the same examples in every run, so that a run can be repeated; with ``ACCORD_EXAMPLES`` set, as in
``make nightly``, it draws new ones each time.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import settings

from accord.data import Document, Sentence

settings.register_profile("repeatable", derandomize=True)
if "ACCORD_EXAMPLES" not in os.environ:
    settings.load_profile("repeatable")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The evaluation data beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("the shared data are not here")
    return SHARED


def toy_sentence(random: random.Random) -> Sentence:
    """Det? Adj? Noun Verb Det? Noun Prep Noun '.', with right trees; 'yesterday' may cross arcs."""
    forms: list[str] = []
    tags: list[str] = []
    heads: list[int] = []
    labels: list[str] = []

    def add(form: str, tag: str, label: str) -> int:
        forms.append(form)
        tags.append(tag)
        labels.append(label)
        heads.append(-1)
        return len(forms)

    def noun_phrase(label: str) -> int:
        children = []
        if random.random() < 0.6:
            children.append(add(random.choice(["the", "a"]), "DET", "det"))
        if random.random() < 0.4:
            children.append(add(random.choice(["old", "red", "big"]), "ADJ", "amod"))
        noun = add(random.choice(["cat", "dog", "man", "tree", "girl"]), "NOUN", label)
        for child in children:
            heads[child - 1] = noun
        return noun

    subject = noun_phrase("nsubj")
    verb = add(random.choice(["saw", "liked", "found"]), "VERB", "root")
    heads[subject - 1], heads[verb - 1] = verb, 0
    thing = noun_phrase("obj")
    heads[thing - 1] = verb
    if random.random() < 0.5:
        adverb = add("yesterday", "ADV", "advmod")
        heads[adverb - 1] = verb
    if random.random() < 0.5:
        preposition = add(random.choice(["of", "with"]), "ADP", "case")
        inner = noun_phrase("nmod" if forms[preposition - 1] == "of" else "obl")
        heads[preposition - 1] = inner
        heads[inner - 1] = thing if forms[preposition - 1] == "of" else verb
    stop = add(".", "PUNCT", "punct")
    heads[stop - 1] = verb
    return Sentence.from_words(forms, lemmas=forms, upos=tags, xpos=tags, heads=heads, deprels=labels)


def toy_document(sentences: int, seed: int) -> Document:
    source = random.Random(seed)
    return Document.from_sentences([toy_sentence(source) for _ in range(sentences)], name=f"toy-{seed}")


@pytest.fixture(scope="session")
def toy_train() -> Document:
    return toy_document(200, 1)


@pytest.fixture(scope="session")
def toy_dev() -> Document:
    return toy_document(60, 2)
