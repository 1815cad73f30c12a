# SPDX-License-Identifier: Apache-2.0
"""Every small language takes a mutated text or refuses it in one line; ``python -m tools.fuzz languages`` runs more."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from accord.errors import AccordError
from tools.fuzz.languages import LANGUAGES, mutated_text

CASES = int(os.environ.get("ACCORD_EXAMPLES", "25"))


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_good_texts_are_used(name: str, tmp_path: Path) -> None:
    texts, use = LANGUAGES[name]
    for text in texts:
        use(text, tmp_path)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_mutated_text_is_used_or_refused(name: str, tmp_path: Path) -> None:
    texts, use = LANGUAGES[name]
    for case in range(CASES):
        try:
            use(mutated_text(texts, random.Random(case)), tmp_path)
        except AccordError as error:
            assert "\n" not in str(error)
