# SPDX-License-Identifier: Apache-2.0
"""Rules about deletions: what they say of a sentence, and that every compressor obeys them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError, ConstraintError, FormatError
from accord.inference.compression import (
    CONSERVATIVE,
    GRAMMATICAL,
    CompressionProblem,
    Length,
    compress,
    conditions,
    parse_deletion_rule,
    read_deletion_rules,
)
from tests.inference.compression import enumerated_compressions as listed

FORMS = ["He", "did", "not", "come", ",", "according", "to", "her"]
COLUMNS = {
    "form": FORMS,
    "upos": ["PRON", "AUX", "PART", "VERB", "PUNCT", "VERB", "ADP", "PRON"],
    "deprel": ["nsubj", "aux", "advmod", "root", "punct", "case", "fixed", "obl"],
}
HEADS = [-1, 4, 4, 4, 0, 4, 8, 6, 4]


@pytest.mark.parametrize(
    ("rule", "keep", "drop", "pairs"),
    [
        ("keep not,never in form", [3], [], []),
        ("keep VERB", [4, 6], [], []),
        ("drop PUNCT", [], [5], []),
        ("needs-head advmod,obl", [], [], [(3, 4), (8, 4)]),
        ("never-cut n*", [], [], [(4, 1)]),
        ("never-cut case,aux of VERB", [], [], [(4, 2)]),
        ("cut-only ADP,PART,PUNCT", [], [], [(4, 1), (4, 2), (8, 6), (4, 8)]),
        ("cut-only ADP,PART,PUNCT across ,_;", [], [], [(4, 1), (4, 2), (8, 6)]),
        ("together according_to,so_far", [], [], [(6, 7), (7, 6)]),
    ],
)
def test_rules_say_what_they_mean(rule: str, keep: list[int], drop: list[int], pairs: list[tuple[int, int]]) -> None:
    found = conditions([rule], COLUMNS, HEADS)
    assert (np.flatnonzero(found.keep) + 1).tolist() == keep
    assert (np.flatnonzero(found.drop) + 1).tolist() == drop
    assert sorted(found.rules) == sorted(pairs)
    assert str(parse_deletion_rule(rule)) == rule


@pytest.mark.parametrize("rules", [GRAMMATICAL, CONSERVATIVE], ids=["grammatical", "conservative"])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32 - 1), method=st.sampled_from(["exact", "relaxed"]))
def test_every_compressor_obeys_the_ready_lists(rules: tuple[str, ...], seed: int, method: str) -> None:
    random = np.random.default_rng(seed)
    chosen = conditions(rules, COLUMNS, HEADS)
    n = len(FORMS)
    square = random.normal(size=(n + 1, n + 1))
    for parts in ({"heads": HEADS}, {"bigrams": square}, {"bigrams": square, "heads": HEADS}):
        problem = CompressionProblem(random.normal(size=n), **parts, **chosen.arguments())  # type: ignore[arg-type]
        found = compress(problem, method=method)
        assert found.status == "optimal" and problem.allows(found.kept)
        assert abs(found.score - listed.best(problem)) <= 1e-10
        try:
            short = compress(problem, Length.at_most(4), method)
        except ConstraintError:
            assert listed.best(problem, 0, 4) == -np.inf
        else:
            assert abs(short.score - listed.best(problem, 0, 4)) <= 1e-10
    joint = CompressionProblem(random.normal(size=n), arcs=square, **chosen.arguments())
    answers = [compress(joint, method=method) for method in ("exact", "relaxed")]
    assert all(joint.allows(found.kept) and found.status == "optimal" for found in answers)
    assert abs(answers[0].score - answers[1].score) <= 1e-9


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("keep", "no rule about deletions has this form"),
        ("keep-all VERB", "there are: keep VALUES"),
        ("keep x in lemma", "no column lemma"),
    ],
)
def test_wrong_rules_are_refused_with_a_reason(rule: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        conditions([rule], COLUMNS, HEADS)


def test_columns_must_fit_the_sentence() -> None:
    with pytest.raises(ConfigError, match="column form has 8 values for 2 words"):
        conditions([], COLUMNS, [-1, 0, 1])


def test_rules_are_read_from_a_file_and_mistakes_are_named_by_line(tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    file.write_text("# grammar\nnever-cut nsubj\n\n  keep PROPN\n")
    assert [str(rule) for rule in read_deletion_rules(file)] == ["never-cut nsubj", "keep PROPN"]
    file.write_text("keep PROPN\nkeep\n")
    with pytest.raises(FormatError, match=r"rules.txt:2: rule 'keep'"):
        read_deletion_rules(file)
    file.write_bytes(b"\xff")
    with pytest.raises(FormatError, match="not UTF-8"):
        read_deletion_rules(file)
    with pytest.raises(ConfigError, match="No such file"):
        read_deletion_rules(tmp_path / "none.txt")
