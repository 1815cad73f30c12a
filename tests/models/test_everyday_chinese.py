# SPDX-License-Identifier: Apache-2.0
"""The packaged Chinese model on everyday sentences, on quotes, and its labels."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from accord.evaluation import evaluate_segmentation

FILE = Path(__file__).with_name("everyday_chinese.txt")
MARKS = "“”‘’《》「」『』"


def sentences() -> list[list[str]]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [line.split(" ") for line in lines if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def chinese() -> accord.Pipeline:
    pipeline = accord.load("zh")
    assert isinstance(pipeline, accord.Pipeline)
    return pipeline


def words_of(pipeline: accord.Pipeline, text: str) -> list[str]:
    return [form for sentence in pipeline(text).sentences for form in sentence.forms]


def test_most_words_are_found(chinese: accord.Pipeline) -> None:
    gold = sentences()
    assert len(gold) == 200
    found = [words_of(chinese, "".join(words)) for words in gold]
    assert evaluate_segmentation(gold, found).words.f1 > 92


@pytest.mark.parametrize(
    "phrase",
    [
        "我 昨天 去 北京 了 。",
        "央行 下调 存款 利率 。",
        "立法 院 通过 了 法案 。",
        "我 的 号码 是 多少 ？",
        "明天 记得 来 。",
    ],
)
def test_phrases_that_users_tried(chinese: accord.Pipeline, phrase: str) -> None:
    assert words_of(chinese, phrase.replace(" ", "")) == phrase.split(" ")


def test_quotes_are_words_of_their_own_and_never_a_sentence(chinese: accord.Pipeline) -> None:
    plain = [words for words in sentences() if not any(mark in words for mark in MARKS)]
    for opening, closing in zip(MARKS[::2], MARKS[1::2], strict=True):
        for words in plain:
            document = chinese(f"{opening}{''.join(words)}{closing}他说{opening}{words[0]}{closing}。")
            glued = [form for form in document.column("form") if len(form) > 1 and set(form) & set(MARKS)]
            assert not glued, words
            assert not any(set("".join(sentence.forms)) <= set(MARKS) for sentence in document.sentences), words


def test_labels_are_those_of_universal_dependencies_2(chinese: accord.Pipeline) -> None:
    document = chinese("他昨天买了三本书。這本書被他賣掉了。")
    labels = set(document.column("deprel"))
    assert {"obj", "nsubj", "root"} <= labels and not labels & {"dobj", "nsubjpass", "auxpass", "neg"}
    assert document.column("lemma") == document.column("form")
