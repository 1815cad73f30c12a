# SPDX-License-Identifier: Apache-2.0
"""Calibration: hand-computed figures, and plain loops against the fast thing."""

from __future__ import annotations

import dataclasses
import importlib.util
import math
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.data import Document, read
from accord.data import Sentence as DataSentence
from accord.errors import ConfigError, FormatError
from accord.evaluation import attachment, calibration, plot_reliability, tree_calibration
from accord.evaluation.calibration import Binning
from tests.evaluation.small_treebank import Sentence, sentence

HAVE_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
SVG = "{http://www.w3.org/2000/svg}"

# Few different values, so that ties and edges of bins are met often.
confidences = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.75, 0.9999, 1.0]) | st.floats(0, 1)
answers = st.lists(st.tuples(confidences, st.booleans()), min_size=1, max_size=30)
kinds = st.sampled_from(["width", "count"])


def test_figures_by_hand() -> None:
    found = calibration([0.15, 0.25, 0.95, 0.85, 1.0], [0, 1, 1, 0, 1], bins=5)
    rows = [(part.low, part.high, part.count, part.accuracy) for part in found.bins]
    assert rows == [(0.0, 0.2, 1, 0.0), (0.2, 0.4, 1, 1.0), (0.8, 1.0, 3, pytest.approx(2 / 3))]
    assert [part.confidence for part in found.bins] == pytest.approx([0.15, 0.25, 2.8 / 3])
    assert [part.gap for part in found.bins] == pytest.approx([0.15, -0.75, 0.8 / 3])
    assert found.ece == pytest.approx((0.15 + 0.75 + 0.8) / 5)
    assert found.mce == pytest.approx(0.75)
    assert found.brier == pytest.approx((0.0225 + 0.5625 + 0.0025 + 0.7225) / 5)
    assert (found.count, found.confidence, found.accuracy) == (5, pytest.approx(0.64), 0.6)


def test_an_edge_belongs_to_the_upper_bin_and_one_to_the_last() -> None:
    for bins in (3, 7, 10, 100):
        for edge in range(bins):
            found = calibration([edge / bins, 1.0], [True, True], bins=bins)
            assert found.bins[0].low == edge / bins and found.bins[-1].high == 1.0
    # As decimals are read from a file: 0.29 * 100 is less than 29.
    assert calibration([0.29], [True], bins=100).bins[0].low == 0.29


def test_equal_counts_by_hand() -> None:
    values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    found = calibration(values, [0, 0, 1, 1, 1, 1, 1], bins=3, binning="count")
    assert [(part.low, part.high, part.count) for part in found.bins] == [(0.1, 0.2, 2), (0.3, 0.4, 2), (0.5, 0.7, 3)]
    # Six of seven are equal: they are one bin, whatever was asked for.
    ties = calibration([0.2, *[1.0] * 6], [1] * 7, bins=3, binning="count")
    assert [(part.low, part.high, part.count) for part in ties.bins] == [(0.2, 1.0, 7)]
    ties = calibration([0.2, 0.3, *[1.0] * 5], [1] * 7, bins=3, binning="count")
    assert [(part.low, part.high, part.count) for part in ties.bins] == [(0.2, 0.3, 2), (1.0, 1.0, 5)]


@given(answers, st.integers(1, 12))
def test_equal_widths_against_a_plain_loop(pairs: list[tuple[float, bool]], bins: int) -> None:
    expected = []
    for k in range(bins):
        low, high = k / bins, (k + 1) / bins
        inside = [(p, r) for p, r in pairs if low <= p < high or (p == 1 and k == bins - 1)]
        if inside:
            mean = math.fsum(p for p, _ in inside) / len(inside)
            expected.append((low, high, len(inside), mean, sum(r for _, r in inside) / len(inside)))
    found = calibration([p for p, _ in pairs], [r for _, r in pairs], bins=bins)
    rows = [dataclasses.astuple(part) for part in found.bins]
    assert [row[:3] for row in rows] == [row[:3] for row in expected]
    assert [row[3:] for row in rows] == [pytest.approx(row[3:]) for row in expected]
    assert found.ece == pytest.approx(math.fsum(n * abs(c - a) for _, _, n, c, a in expected) / len(pairs))
    assert found.brier == pytest.approx(math.fsum((p - r) ** 2 for p, r in pairs) / len(pairs))


@given(answers, st.integers(1, 12))
def test_equal_counts_keep_equals_together_and_are_otherwise_even(pairs: list[tuple[float, bool]], bins: int) -> None:
    values = [p for p, _ in pairs]
    found = calibration(values, [r for _, r in pairs], bins=bins, binning="count")
    assert all(left.high < right.low for left, right in zip(found.bins, found.bins[1:], strict=False))
    for part in found.bins:
        assert part.count == sum(part.low <= p <= part.high for p in values)
    if len(set(values)) == len(values):
        counts = [part.count for part in found.bins]
        assert len(counts) == min(bins, len(values)) and max(counts) - min(counts) <= 1


@given(answers, st.integers(1, 12), kinds, st.randoms(use_true_random=False))
def test_what_holds_of_every_calibration(pairs: list[tuple[float, bool]], bins: int, kind: Binning, random) -> None:  # type: ignore[no-untyped-def]
    found = calibration([p for p, _ in pairs], [r for _, r in pairs], bins=bins, binning=kind)
    assert len(found.bins) <= bins and sum(part.count for part in found.bins) == len(pairs)
    assert sum(part.count * part.accuracy for part in found.bins) == pytest.approx(sum(r for _, r in pairs))
    tolerance = 1e-12
    assert abs(found.confidence - found.accuracy) <= found.ece + tolerance
    assert found.ece <= found.mce + tolerance and found.mce <= 1 + tolerance
    # Jensen within each bin: squares of the gaps are no more than the mean square.
    assert sum(part.count * part.gap**2 for part in found.bins) <= len(pairs) * found.brier + 1e-9
    shuffled = random.sample(pairs, len(pairs))
    assert calibration([p for p, _ in shuffled], [r for _, r in shuffled], bins=bins, binning=kind) == found


@given(answers)
def test_one_bin_compares_the_means(pairs: list[tuple[float, bool]]) -> None:
    found = calibration([p for p, _ in pairs], [r for _, r in pairs], bins=1)
    assert [found.ece, found.mce] == pytest.approx([abs(found.confidence - found.accuracy)] * 2)


@pytest.mark.parametrize(
    ("values", "right", "options", "message"),
    [
        ([], [], {}, "no answers"),
        ([0.5], [True, False], {}, "two equal lengths"),
        ([[0.5]], [[True]], {}, "two equal lengths"),
        ([1.5], [True], {}, r"0\.\.1"),
        ([math.nan], [True], {}, r"0\.\.1"),
        ([0.5], [2], {}, "right"),
        ([0.5], [True], {"bins": 0}, "bins is 0"),
        ([0.5], [True], {"binning": "depth"}, "width, count"),
    ],
)
def test_bad_arguments_are_refused(
    values: list[float], right: list[int], options: dict[str, int], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        calibration(values, right, **options)  # type: ignore[arg-type]


# ---- trees

GOLD = [sentence("It 2 nsubj PRON", "rains 0 root VERB", ". 2 punct PUNCT"), sentence("No 0 root INTJ")]
ANSWERS = [sentence("It 2 obj PRON", "rains 0 root VERB", ". 1 punct PUNCT"), sentence("No 0 root INTJ")]


def with_misc(sentences: list[Sentence], entries: list[str]) -> list[Sentence]:
    supply = iter(entries)
    return [
        dataclasses.replace(one, words=tuple(dataclasses.replace(word, misc=next(supply)) for word in one.words))
        for one in sentences
    ]


SURE = ["ArcConf=0.9|LabelConf=0.5", "SpaceAfter=No|ArcConf=1.0|LabelConf=0.9", "ArcConf=0.6|LabelConf=0.6"]
SYSTEM = with_misc(ANSWERS, [*SURE, "ArcConf=0.5000|LabelConf=0.25|X=_"])


def test_heads_and_labelled_arcs_of_trees() -> None:
    found = tree_calibration(GOLD, iter(SYSTEM), bins=4)
    assert list(found) == ["heads", "labelled arcs"]
    heads, arcs = found["heads"], found["labelled arcs"]
    assert heads == calibration([0.9, 1.0, 0.6, 0.5], [1, 1, 0, 1], bins=4)
    assert arcs == calibration([0.5, 0.9, 0.6, 0.25], [0, 1, 0, 1], bins=4)
    score = attachment(GOLD, SYSTEM)
    assert (100 * heads.accuracy, 100 * arcs.accuracy) == (score.uas, score.las)
    without = tree_calibration(GOLD, SYSTEM, punctuation="exclude", binning="count")
    assert without["heads"] == calibration([0.9, 1.0, 0.5], [1, 1, 1], binning="count")


def test_a_parser_of_heads_alone_has_no_labelled_arcs() -> None:
    found = tree_calibration(GOLD, with_misc(ANSWERS, ["ArcConf=0.5"] * 4))
    assert list(found) == ["heads"] and found["heads"].confidence == 0.5


@pytest.mark.parametrize(
    ("misc", "message"),
    [
        (
            ["_"] * 4,
            "b.conllu: no confidences: no word has ArcConf in MISC; write it with accord parse --probabilities",
        ),
        (["LabelConf=1"] * 4, "b.conllu: no confidences"),
        ([*SURE, "_"], r"b.conllu: sentence 2: word 1 \('No'\) has no ArcConf in MISC, while other words have"),
        ([*SURE, "ArcConf=1"], r"b.conllu: sentence 2: word 1 \('No'\) has no LabelConf"),
        ([*SURE[:2], "ArcConf=high", "_"], r"b.conllu: sentence 1: word 3 \('.'\): ArcConf=high is not a probability"),
        ([*SURE[:2], "ArcConf=nan", "_"], "ArcConf=nan is not a probability"),
        ([*SURE[:2], "ArcConf=1.01", "_"], "ArcConf=1.01 is not a probability"),
    ],
)
def test_missing_confidences_are_told_with_file_and_reason(misc: list[str], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        tree_calibration(GOLD, with_misc(ANSWERS, misc), gold_name="a.conllu", system_name="b.conllu")


def test_other_words_are_told_with_the_file() -> None:
    with pytest.raises(FormatError, match=r"b.conllu: sentence 1: 1 words where gold has 3"):
        tree_calibration(GOLD, SYSTEM[1:], gold_name="a.conllu", system_name="b.conllu")
    with pytest.raises(FormatError, match=r"a.conllu: there is no sentence 2"):
        tree_calibration(GOLD[:1], SYSTEM, gold_name="a.conllu", system_name="b.conllu")
    with pytest.raises(FormatError, match=r"b.conllu: there are no words to judge"):
        tree_calibration([], [], system_name="b.conllu")


def test_documents_without_misc_have_no_confidences() -> None:
    document = Document.from_conllu("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(FormatError, match="no confidences"):
        tree_calibration(document, document)


def test_json_lines_carry_the_same_confidences(tmp_path: Path) -> None:
    words = {"forms": ["a", "b", "."], "deprels": ["x", "root", "punct"]}
    misc = ["ArcConf=0.3", "SpaceAfter=No|ArcConf=0.8", "ArcConf=0.7"]
    system = Document.from_sentences([DataSentence.from_words(**words, heads=[2, 0, 1], misc=misc)])
    gold = system.replace(heads=[2, 0, 2])
    system.write(tmp_path / "system.json")
    assert tree_calibration(gold, read(tmp_path / "system.json")) == tree_calibration(gold, system)
    assert tree_calibration(gold, system)["heads"] == calibration([0.3, 0.8, 0.7], [1, 1, 0])


# ---- pictures


@pytest.mark.skipif(not HAVE_MATPLOTLIB, reason="matplotlib is not installed")
def test_the_picture_shows_the_bins(tmp_path: Path) -> None:
    found = tree_calibration(GOLD, SYSTEM)
    figure = plot_reliability(found, tmp_path / "reliability.svg")
    assert ElementTree.parse(tmp_path / "reliability.svg").getroot().tag == SVG + "svg"
    for axis, part in zip(figure.axes[:2], found.values(), strict=True):
        line = next(line for line in axis.get_lines() if line.get_label() == "bins")
        assert list(line.get_xdata()) == [one.confidence for one in part.bins]
        assert list(line.get_ydata()) == [one.accuracy for one in part.bins]
    assert [axis.get_title().split("\n")[0] for axis in figure.axes[:2]] == list(found)
    assert [bar.get_height() for bar in figure.axes[2].patches] == [one.count for one in found["heads"].bins]
    plot_reliability(found, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "reliability.svg").read_bytes()
    plot_reliability(found["heads"], tmp_path / "one.png")
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


def test_pictures_that_cannot_be_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no calibration"):
        plot_reliability({})
    found = calibration([0.5], [True])
    if HAVE_MATPLOTLIB:
        with pytest.raises(ConfigError, match=r"picture.doc: a figure is written to a file that ends in .svg, .png"):
            plot_reliability(found, tmp_path / "picture.doc")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ConfigError, match=r"accord\[plot\]"):
        plot_reliability(found)
    assert list(tmp_path.iterdir()) == []
