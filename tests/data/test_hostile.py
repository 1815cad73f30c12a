# SPDX-License-Identifier: Apache-2.0
"""Every reader takes a mutated file or refuses it with one line; ``python -m tools.fuzz readers`` runs more cases."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from accord.errors import AccordError
from tools.fuzz.input_files import READERS, mutated_input

CASES = int(os.environ.get("ACCORD_EXAMPLES", "60"))


@pytest.mark.parametrize("name", READERS)
def test_the_good_file_is_read(name: str, tmp_path: Path) -> None:
    seed, read = READERS[name]
    path = tmp_path / "good"
    path.write_bytes(seed)
    read(path)


@pytest.mark.parametrize("name", READERS)
def test_a_mutated_file_is_read_or_refused(name: str, tmp_path: Path) -> None:
    seed, read = READERS[name]
    path = tmp_path / "case"
    for case in range(CASES):
        path.write_bytes(mutated_input(seed, random.Random(case)))
        try:
            read(path)
        except AccordError as error:
            assert "\n" not in str(error)
