# SPDX-License-Identifier: Apache-2.0
"""Templates with clusters that are generated from others, and words that are features only where they are frequent."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.data import Document
from accord.errors import ConfigError
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.hybrid_templates import cluster_templates, frequent_paths, parser_templates
from accord.tasks.parser.training import train_parser


def lines(text: str) -> set[frozenset[str]]:
    return {frozenset(line.split()) for line in text.splitlines() if line and line[0] not in "[w#"}


def test_one_unit_stays_or_one_unit_becomes_a_cluster() -> None:
    found = lines(cluster_templates("[arc]\nhead.form dependent.xpos\nhead.upos dependent.upos"))
    for bits in (4, 6):
        for wanted in (
            f"head.cluster dependent.cluster{bits}",
            f"head.form dependent.cluster{bits}",
            "head.cluster dependent.xpos",
            f"head.cluster{bits} dependent.cluster{bits}",
            f"head.cluster{bits} dependent.upos",
            f"head.upos dependent.cluster{bits}",
        ):
            assert frozenset(wanted.split()) in found
    assert len(found) == 2 * 5 + 1


def test_words_around_and_between_become_short_prefixes_all_at_once() -> None:
    found = lines(cluster_templates("[arc]\nbetween.upos head.upos dependent.upos\nhead+1.xpos dependent.xpos"))
    assert found == {
        frozenset(["between.cluster4", "head.cluster4", "dependent.cluster4"]),
        frozenset(["head+1.cluster4", "dependent.cluster4"]),
    }


def test_templates_of_a_word_and_two_others_have_no_variants_and_prefixes_stay() -> None:
    assert not lines(
        cluster_templates("[arc]\nhead.form head.xpos dependent.xpos\nbetween.form head.xpos dependent.xpos")
    )
    assert lines(cluster_templates("[arc]\nhead.prefix5 dependent.xpos")) == {
        frozenset(["head.prefix5", f"dependent.cluster{bits}"]) for bits in (4, 6)
    }
    assert len(lines(cluster_templates("[sibling]\nhead.xpos dependent.xpos sibling.xpos"))) == 2 * (1 + 3 + 3)


def test_sections_and_conjunctions_are_kept() -> None:
    text = "[arc]\nwith: - ; direction\nhead.xpos\n[sibling]\nwith: order\nhead.xpos sibling.xpos"
    made = cluster_templates(text).splitlines()
    assert [line for line in made if line[0] in "[w"] == ["[arc]", "with: - ; direction", "[sibling]", "with: order"]


def test_frequent_words_have_paths_of_their_own_and_share_their_prefixes() -> None:
    clusters = "010\tcat\t9\n010\tdog\t8\n11\tsees\t7\n"
    made = dict(reversed(line.split("\t")) for line in frequent_paths(clusters, ["cat", "cat", "new"], 2).splitlines())
    assert len(made["cat"]) == 40 and made["cat"].startswith("010") and made["cat"][:24] == made["dog"]
    assert made["sees"][:2] == "11" and len(made["new"]) == 40
    assert len(set(made.values())) == 4
    cluster_lexicon("".join(f"{path}\t{word}\n" for word, path in made.items()))
    assert frequent_paths(clusters, ["cat"], 0) == clusters
    odd = frequent_paths("01\ta\u2028b\t3\n1\t3\t2\n", ["a\u2028b"], 1).split("\n")
    assert [line.partition("\t")[2] for line in odd] == ["a\u2028b", "3", ""], "only line feeds end lines"
    assert not set(odd[1].partition("\t")[0]) - {"0", "1"} and odd[1].startswith("1")


def test_no_template_asks_for_a_word_where_only_frequent_ones_count() -> None:
    made = parser_templates(["mcdonald", "hybrid"], 800)
    assert ".form" not in made and ".lemma" not in made and ".cluster24" in made
    with pytest.raises(ConfigError, match="goes with the template set hybrid"):
        parser_templates(["mcdonald"], 800)


def test_a_parser_learns_from_generated_templates(toy_train: Document, toy_dev: Document, tmp_path: Path) -> None:
    clusters = tmp_path / "clusters.txt"
    forms = sorted(set(toy_train.column("form")))
    clusters.write_text("".join(f"{number % 8:03b}\t{form}\n" for number, form in enumerate(forms)))
    config = ParserConfig(
        templates="first_order+hybrid", clusters=str(clusters), frequent=20, epochs=2, threads=1, order=1
    )
    result = train_parser(toy_train, toy_dev, config)
    assert result.scores["UAS"] > 90 and len(result.model.clusters.split("\n")[0].split("\t")[0]) == 40
