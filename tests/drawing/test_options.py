# SPDX-License-Identifier: Apache-2.0
"""Drawings of multiword tokens, enhanced graphs, scripts from right to left, tall pictures, and what notebooks show."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from accord.app.cli import make_app
from accord.data import Document, Sentence
from accord.drawing import DrawnTree, Look, draw_sentence, draw_svg, tree_of
from accord.errors import ConfigError, FormatError

ROWS = """# text = She doesn't eat or drink.
1\tShe\t_\tPRON\t_\t_\t4\tnsubj\t4:nsubj|6:nsubj\t_
2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdoes\t_\tAUX\t_\t_\t4\taux\t4:aux\t_
3\tn't\t_\tPART\t_\t_\t4\tadvmod\t4:advmod\t_
4\teat\t_\tVERB\t_\t_\t0\troot\t0:root\t_
5\tor\t_\tCCONJ\t_\t_\t6\tcc\t6:cc\t_
6\tdrink\t_\tVERB\t_\t_\t4\tconj\t4:conj:or\tSpaceAfter=No
6.1\tit\t_\tPRON\t_\t_\t_\t_\t6:obj\t_
7\t.\t_\tPUNCT\t_\t_\t4\tpunct\t4:punct\t_

"""
SENTENCE = Document.from_conllu(ROWS)[0]


def places(picture: str, kind: str) -> dict[str, float]:
    """The x of each text of a class."""
    found = re.findall(rf'<text class="{kind}" x="([\d.]+)"[^>]*>([^<]*)<', picture)
    return {text: float(x) for x, text in found}


def test_multiword_tokens_stand_below_their_words() -> None:
    assert "└doesn't─┘" in draw_sentence(SENTENCE, "text", width=100).splitlines()[-1]
    assert "[doesn't]" in draw_sentence(SENTENCE, "text", width=20)
    picture = draw_sentence(SENTENCE, "svg")
    assert places(picture, "word")["does"] < places(picture, "token")["doesn't"] < places(picture, "word")["n't"]


def test_enhanced_graphs_are_drawn_with_their_empty_nodes() -> None:
    tree = tree_of(SENTENCE, enhanced=True)
    assert tree.forms[6] == "it" and tree.empty == {7}
    assert set(tree.more_arcs) == {(6, 1, "nsubj"), (4, 6, "conj:or"), (6, 7, "obj")}
    picture = draw_sentence(SENTENCE, "svg", enhanced=True)
    ElementTree.fromstring(picture)
    assert "enhanced: drink (6) → obj → it (6.1)" in picture and 'class="word empty"' in picture
    assert "nsubj ← 6 drink" in draw_sentence(SENTENCE, "text", enhanced=True)


def test_words_behind_empty_nodes_keep_their_numbers() -> None:
    tree = DrawnTree("abcde", [None, 0, None, None, 2], [""] * 5, empty=frozenset({1, 3, 4}))
    assert [tree.number(word) for word in range(1, 6)] == ["0.1", "1", "1.1", "1.2", "2"]
    drawn = draw_sentence(SENTENCE, "text", enhanced=True)
    assert re.findall(r"([\d.]+)  (?:drink|it|\.) ", drawn) == ["6", "6.1", "7"]


def test_scripts_from_right_to_left_run_so() -> None:
    words, hebrew = ["The", "king", "sleeps"], ["המלך", "ישן", "היום"]
    for forms, left_to_right in ((words, True), (hebrew, False)):
        found = places(draw_svg(DrawnTree(forms, [2, 0, 2], ["a", "b", "c"])), "word")
        xs = [found[form] for form in forms]
        assert xs == sorted(xs, reverse=not left_to_right)
    forced = places(draw_svg(DrawnTree(words, [2, 0, 2], ["a", "b", "c"]), Look(direction="rtl")), "word")
    assert forced["The"] > forced["sleeps"]


def test_long_sentences_may_be_tall() -> None:
    long = Sentence.from_words([f"word{i}" for i in range(60)], heads=[0, *range(1, 60)], deprels=["dep"] * 60)
    size = {
        name: ElementTree.fromstring(draw_sentence(long, "svg", look=look)).attrib
        for name, look in (("wide", Look()), ("tall", Look(vertical=True)), ("fits", Look(widest=900)))
    }
    assert float(size["wide"]["width"]) > 2000 > 1500 > float(size["tall"]["width"])
    assert size["tall"] == size["fits"]
    assert draw_sentence(long, "svg", look=Look(widest=100_000)) == draw_sentence(long, "svg")


def test_colours_and_distances_are_options() -> None:
    tree = tree_of(SENTENCE)
    plain = places(draw_svg(tree), "word")
    spread = places(draw_svg(tree, Look(distance=90, colours=(("arc", "#ff0000"),))), "word")
    assert spread["drink"] > plain["drink"]
    assert "stroke:#ff0000!important" in draw_svg(tree, Look(colours=(("arc", "#ff0000"),)))
    for wrong in (
        {"direction": "up"},
        {"distance": -1},
        {"colours": (("sky", "blue"),)},
        {"colours": (("arc", "x;y"),)},
    ):
        with pytest.raises(ConfigError):
            Look(**wrong)  # type: ignore[arg-type]


def test_gold_is_drawn_beside_the_tree(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(ROWS, encoding="utf-8")
    system.write_text(ROWS.replace("4\tnsubj\t", "6\tnsubj\t"), encoding="utf-8")
    for output, wanted in (
        ("text", "gold: nsubj ← 4 eat"),
        ("svg", "gold: eat (4) → nsubj"),
        ("html", "gold: eat (4)"),
    ):
        words = ["show", str(system), "--gold", str(gold), "--output", output]
        result = CliRunner().invoke(make_app(words), words, catch_exceptions=False)
        assert result.exit_code == 0 and wanted in result.output
    with pytest.raises(FormatError, match="words of gold differ"):
        tree_of(SENTENCE, gold=Sentence.from_words(["other"]))


def test_notebooks_get_a_part_that_restyles_nothing_else() -> None:
    document = Document.from_conllu(ROWS * 300)
    shown = document._repr_html_()
    assert shown.count("<svg ") == 10 and "290 more sentences" in shown and len(shown) < 200_000
    assert "<body" not in shown and "<html" not in shown
    (style,) = re.findall(r"<style>(.*?)</style>", shown)
    rules = re.sub(r"@media[^{]*\{", "", style)
    assert all(one.strip().startswith((".accord", "}")) for one in re.findall(r"(?:^|\})([^{}]+)\{", rules))
    assert "She doesn&apos;t eat or drink." in shown or "She doesn't eat or drink." in shown
