# SPDX-License-Identifier: Apache-2.0
"""Rules survive being written and read; mistakes are named with their place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError, FormatError
from accord.inference import rules as package
from accord.inference import rules as r
from accord.inference.rules import Rule, parse_rule, read_rules, rule_from_table, rules_from_toml
from accord.inference.rules.rule import RESERVED
from accord.inference.rules.text import KINDS, NAMES

names = st.text(st.characters(codec="utf-8", exclude_characters=","), min_size=1, max_size=6).filter(
    lambda name: name.split() == [name] and name not in RESERVED and name[0] != "@" and "->" not in name
)
patterns = st.lists(names | st.sampled_from([*NAMES, "5", "nsubj:pass", "*"]), min_size=1, max_size=3).map(",".join)
maybe = st.none() | patterns
weights = st.none() | st.floats(min_value=0, exclude_min=True, allow_infinity=False)
columns = st.sampled_from(["upos", "xpos", "lemma"])
numbers = st.integers(1, 10**6)
arcs = st.tuples(st.integers(0, 99), st.integers(1, 99)).filter(lambda arc: arc[0] != arc[1])
rules: st.SearchStrategy[Rule] = st.one_of(
    st.builds(lambda arc, label, weight: r.Require(arc[0], arc[1], label, weight=weight), arcs, maybe, weights),
    st.builds(lambda arc, label, weight: r.Forbid(arc[0], arc[1], label, weight=weight), arcs, maybe, weights),
    st.builds(r.RequireLabel, numbers, patterns, weight=weights),
    st.builds(r.ForbidLabel, patterns, st.none() | numbers, weight=weights),
    st.builds(r.AtMostOne, patterns, maybe, columns, weight=weights),
    st.builds(r.AtLeastOne, patterns, maybe, columns, weight=weights),
    st.builds(r.MaxDependents, numbers, maybe, columns, weight=weights),
    st.builds(lambda first, more, weight: r.Subtree(first, first + more, weight=weight), numbers, numbers, weights),
    st.builds(r.NoCrossing, weight=weights),
    st.builds(r.Agreement, patterns, maybe, maybe, maybe, patterns, columns, weight=weights),
)


@settings(max_examples=300, deadline=None)
@given(rule=rules)
def test_text_says_all(rule: Rule) -> None:
    assert parse_rule(str(rule)) == rule


@settings(max_examples=100, deadline=None)
@given(rule=rules)
def test_repr_is_python(rule: Rule) -> None:
    assert eval(repr(rule), vars(r)) == rule


@settings(max_examples=300, deadline=None)
@given(
    text=st.text(max_size=30)
    | st.lists(st.sampled_from([*NAMES, *RESERVED, "3", "->", "@", "x"]), max_size=6).map(" ".join)
)
def test_any_text_is_a_rule_or_a_config_error(text: str) -> None:
    try:
        rule = parse_rule(text)
    except ConfigError as error:
        assert str(error).startswith(f"rule {text!r}: ")
    else:
        assert parse_rule(str(rule)) == rule


def test_every_exported_rule_can_be_written_and_tabled() -> None:
    exported = [getattr(package, name) for name in package.__all__]
    concrete = {
        kind for kind in exported if isinstance(kind, type) and issubclass(kind, Rule) and hasattr(kind, "syntax")
    }
    assert concrete == set(KINDS) == set(NAMES.values())


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("at-most-one nsubj", r.AtMostOne("nsubj")),
        ("forbid 3 -> 5", r.Forbid(head=3, dependent=5)),
        ("  require   2->5  nsubj ", r.Require(head=2, dependent=5, label="nsubj")),
        ("require-label 4 obj,iobj", r.RequireLabel(4, "obj,iobj")),
        ("forbid-label dep", r.ForbidLabel("dep")),
        ("forbid-label 7 dep", r.ForbidLabel("dep", dependent=7)),
        ("at-least-one root of ROOT @ 3", r.AtLeastOne("root", of="ROOT", weight=3.0)),
        ("max-dependents 4 of PUNCT in xpos", r.MaxDependents(4, of="PUNCT", column="xpos")),
        ("subtree 3..7", r.Subtree(3, 7)),
        ("no-crossing @2.5", r.NoCrossing(weight=2.5)),
        ("nsubj head-not PUNCT", r.Agreement("nsubj", head_not="PUNCT")),
        ("* dependent-is VERB @ 1e-3", r.Agreement("*", dependent_is="VERB", weight=0.001)),
    ],
)
def test_the_grammar(text: str, rule: Rule) -> None:
    assert parse_rule(text) == rule


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        ("no-crosing", "did you mean no-crossing?"),
        ("at-most nsubj", "did you mean at-most-one LABEL [of OF] [in COLUMN]?"),
        ("colourless ideas", "there are: require HEAD -> DEPENDENT [LABEL]; "),
        ("require 2 -> x", "expected require HEAD -> DEPENDENT [LABEL]"),
        ("nsubj head-is", "expected LABEL [head-is HEAD-IS]"),
        ("require 2 -> 2", "word 2 cannot be its own head"),
        ("require 2 -> 0", "dependent is a whole number, 1 or more, not 0"),
        ("subtree 7..3", "a span's last word comes after its first"),
        ("at-most-one ,nsubj", "'' cannot be a name"),
        ("no-crossing @ heavy", "the weight after @ is not a number: 'heavy'"),
        ("no-crossing @ -1", "finite and positive, not -1.0"),
        ("no-crossing @ nan", "finite and positive"),
        ("no-crossing @", "the weight after @ is not a number: ''"),
    ],
)
def test_mistakes_are_explained(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(reason)):
        parse_rule(text)


def test_rules_made_in_python_are_checked_too() -> None:
    for make in (
        lambda: r.AtMostOne("of"),
        lambda: r.AtMostOne("two words"),
        lambda: r.Agreement("nsubj"),
        lambda: r.MaxDependents(True),
        lambda: r.Subtree(1, 2, weight="heavy"),  # type: ignore[arg-type]
        lambda: r.AtMostOne("nsubj", column="a column"),
    ):
        with pytest.raises(ConfigError):
            make()


class TestFiles:
    def test_texts_and_tables(self, tmp_path: Path) -> None:
        file = tmp_path / "rules.toml"
        file.write_text(
            'rules = [\n  "at-most-one nsubj",  # one a head\n  "no-crossing @ 2.5",\n]\n\n'
            '[[rule]]\nkind = "agreement"\nlabel = ["nsubj", "csubj"]\nhead_not = "PUNCT"\nweight = 1\n\n'
            '[[rule]]\nkind = "require"\nhead = 2\ndependent = 5\n'
        )
        assert read_rules(file) == (
            r.AtMostOne("nsubj"),
            r.NoCrossing(weight=2.5),
            r.Agreement("nsubj,csubj", head_not="PUNCT", weight=1),
            r.Require(2, 5),
        )

    @settings(max_examples=50, deadline=None)
    @given(listed=st.lists(rules, max_size=4))
    def test_every_rule_goes_through_a_file(self, listed: list[Rule]) -> None:
        quoted = ", ".join('"' + "".join(f"\\U{ord(c):08X}" for c in str(rule)) + '"' for rule in listed)
        assert rules_from_toml(f"rules = [{quoted}]") == tuple(listed)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('\nrules = [\n  "no-crossing",\n  "no-crosing",\n]', "f.toml:4: rule 'no-crosing': no rule begins so"),
            (
                '[[rule]]\nkind = "no-crossing"\n[[rule]]\nkind = "none"',
                "f.toml:3: kind = 'none': expected one of require,",
            ),
            ('[[rule]]\nkind = "subtree"\nfirst = 1', "f.toml:1: subtree needs the field 'last'"),
            ('[[rule]]\nkind = "subtree"\nform = 1', "f.toml:1: subtree has no field 'form'"),
            ('[[rule]]\nkind = "at-most-one"\nlabel = 3', "f.toml:1: label is a name"),
            ('rules = [\n "no-crossing"\n ?]', "f.toml:3: "),
            ('rules = [\n "no-crossing"\n', "f.toml:3: "),
            ("\nrules = 3", "f.toml:2: rules must be a list of texts"),
            ("rule = 3", "f.toml: rule must be an array of tables"),
            ("ruls = []", "f.toml: unknown key 'ruls'"),
        ],
    )
    def test_mistakes_have_a_place(self, text: str, message: str) -> None:
        with pytest.raises(FormatError) as error:
            rules_from_toml(text, name="f.toml")
        assert str(error.value).startswith(message)

    def test_unreadable_files(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match=r"nothing\.toml: No such file"):
            read_rules(tmp_path / "nothing.toml")
        (tmp_path / "latin.toml").write_bytes(b'rules = ["at-most-one \xe9"]')
        with pytest.raises(FormatError, match="not UTF-8"):
            read_rules(tmp_path / "latin.toml")

    def test_tables_name_what_they_lack(self) -> None:
        with pytest.raises(ConfigError, match="kind = None"):
            rule_from_table({"label": "nsubj"})
