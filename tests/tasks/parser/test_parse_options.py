# SPDX-License-Identifier: Apache-2.0
"""One object says how to parse, whole or by name, to every function that parses."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import accord
from accord.app.commands.parse import parse as parse_command
from accord.errors import ConfigError
from accord.inference.rules import AtMostOne, Forbid
from accord.ranked import Ranked
from accord.tasks.parser import ParseOptions, Search, Tree
from accord.tasks.parser.options import parse_options


@pytest.fixture(scope="module")
def nlp() -> accord.Pipeline:
    return accord.load("en")


def test_options_by_name_change_those_of_the_object() -> None:
    base = ParseOptions(probabilities=True, search=Search(solver="ad3", nodes=5))
    changed = parse_options(
        base, {"threads": 2, "nodes": 7, "constraints": ["forbid 1 -> 2"], "rules": ["no-crossing"]}
    )
    assert (changed.probabilities, changed.threads, changed.search) == (True, 2, Search(solver="ad3", nodes=7))
    assert [str(rule) for rule in changed.parsed_rules] == ["no-crossing", "forbid 1 -> 2"]
    assert parse_options(base, {}) is base


def test_rules_are_rules_or_texts_in_any_iterable() -> None:
    rules = (rule for rule in (AtMostOne("nsubj"), "forbid 1 -> 2"))
    assert ParseOptions(rules=rules).rules == (AtMostOne("nsubj"), Forbid(1, 2))  # type: ignore[arg-type]
    assert ParseOptions(rules="forbid 1 -> 2").rules == (Forbid(1, 2),)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"k": 0}, "k = 0"),
        ({"threads": -1}, "threads = -1"),
        ({"tags": "maybe"}, "tags = 'maybe': expected one of auto, predict, keep"),
        ({"solver": "magic"}, "solver = 'magic': expected one of auto, chart"),
        ({"iterations": 0}, "iterations = 0"),
        ({"seconds": 0.0}, "a budget is more than 0"),
        ({"step_rule": "none"}, "step_rule"),
        ({"k": 2, "probabilities": True}, "k > 1"),
        ({"rules": ["fly"]}, "fly"),
    ],
)
def test_values_outside_their_bounds_are_refused(wrong: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        parse_options(None, wrong)


def test_an_option_that_is_none_is_named() -> None:
    with pytest.raises(TypeError, match="no option 'colour'"):
        parse_options(None, {"colour": "red"})


def test_every_function_that_parses_takes_them(nlp: accord.Pipeline) -> None:
    options = ParseOptions(probabilities=True, status=True, rules=["forbid 0 -> 2"])
    document = nlp.tokenize("They sleep.")
    whole = nlp("They sleep.", options).to_bytes()
    assert b"ArcConf" in whole and b"# accord_status" in whole and nlp.parse(document, options).to_bytes() == whole
    assert [one.to_bytes() for one in nlp.pipe(["They sleep."], options)] == [whole]
    assert [one.to_bytes() for one in nlp.stream(["They ", "sleep."], options)] == [whole]
    assert nlp.parse(document, options, probabilities=False).to_bytes() != whole
    assert nlp.parser is not None
    tagged = nlp.tag(document)
    assert nlp.parser.trees(tagged, options).heads.tolist() == nlp.parse(document, options).heads.tolist()


def test_a_list_of_trees_is_a_document_or_ranked_values(nlp: accord.Pipeline) -> None:
    document = nlp("They saw the girl with the telescope.")
    ranked = nlp.kbest(document.sentences[0], 3)
    assert all(isinstance(one, Ranked) and isinstance(one.value, Tree) for one in ranked)
    assert ranked[0].heads == ranked[0].value.heads == document.sentences[0].heads and ranked[0].probability is None
    listed = nlp.parse(document, k=3)
    assert [sentence.heads for sentence in listed.sentences] == [one.heads for one in ranked]
    assert [sentence.comment("nbest") for sentence in listed.sentences] == ["1", "2", "3"]


def test_old_names_work_with_a_warning(nlp: accord.Pipeline) -> None:
    with pytest.warns(DeprecationWarning, match="probabilities") as caught:
        old = nlp("They sleep.", marginals=True)
    assert caught[0].filename == __file__
    assert old.to_bytes() == nlp("They sleep.", probabilities=True).to_bytes()
    assert nlp.parser is not None
    with pytest.warns(DeprecationWarning, match="columns"):
        assert nlp.parser.tasks == nlp.parser.columns


def test_the_command_has_the_defaults_and_bounds_of_the_options() -> None:
    parameters = inspect.signature(parse_command).parameters
    defaults = ParseOptions()
    for name, value in (("nbest", defaults.k), ("tags", defaults.tags), ("threads", defaults.threads)):
        assert parameters[name].default == value
