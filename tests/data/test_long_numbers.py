# SPDX-License-Identifier: Apache-2.0
"""Numbers of five thousand digits, which Python refuses to read, and digits that are no numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.data.constituents.brackets import read_brackets
from accord.errors import ConfigError, FormatError
from accord.evaluation.bracket_parameters import BracketParameters
from accord.inference.rules import parse_rule, read_rules
from accord.tasks.cleaner.chat import chat_utterances

LONG = "9" * 5000


def test_rules(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        parse_rule(f"max-dependents {LONG} of PUNCT")
    file = tmp_path / "rules.toml"
    file.write_text(f'rules = ["require {LONG} -> 1"]\n')
    with pytest.raises(FormatError):
        read_rules(file)


def test_brackets() -> None:
    with pytest.raises(FormatError, match="is not the number of a word"):
        list(read_brackets(f"(S (X {LONG}))", numbered=True))
    with pytest.raises(FormatError, match="no parameter of brackets"):
        BracketParameters.parse(f"CUTOFF_LEN {LONG}\n")


def test_brackets_of_transcripts_take_time_in_proportion() -> None:
    """Each open bracket looked for its end to the end of the line: 10^12 steps here."""
    with pytest.raises(FormatError, match="a bracket is not closed"):
        list(chat_utterances("*CHI:\t" + "[" * 1_000_000 + "\n"))
    (one,) = chat_utterances("*CHI:\t<" + "a " * 100_000 + ">" + " [/]" * 100_000 + "\n")
    assert all(word.edit for word in one.words)


@pytest.mark.parametrize("time", [LONG, "²"])
def test_times_of_transcripts(time: str) -> None:
    (one,) = chat_utterances(f"@Begin\n*CHI:\tuh no . \x15{time}_{time}\x15\n@End\n")
    assert one.begin is None and one.end is None and len(one.words) == 2
