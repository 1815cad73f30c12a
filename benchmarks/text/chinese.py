# SPDX-License-Identifier: Apache-2.0
"""Chinese pipelines on treebanks in UD 2, on everyday sentences and on quotes, and how fast they cut text into words.

    python -m benchmarks chinese zh [MODEL ...] [--part dev] [--peer-python PYTHON]

Scores are CoNLL-18 F1 of zh_gsdsimp (of whose training part a converted copy is trained on), and of zh_pud and zh_hk,
which nothing is trained on. Everyday sentences are those of tests/models/everyday_chinese.txt, whose words were written
down before any program saw them. Quotes: everyday sentences without quotes are put between each kind of them; a quote
is glued where it is part of a longer word. ``--peer-python`` names a Python that has jieba, which is then measured on
the same sentences; it follows other conventions, so a second figure counts only words that cross a gold word.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Sequence

import accord
from accord import data
from accord.evaluation import evaluate_segmentation
from accord.tasks.pipeline.training import pipeline_scores, raw_text
from accord.tasks.segmenter.by_tokenizer import TokenizerSegmenter
from benchmarks.places import DATA, ROOT

TREEBANKS = {"dev": ("zh_gsdsimp-ud-dev",), "test": ("zh_gsdsimp-ud-test", "zh_pud-ud-test", "zh_hk-ud-test")}
COLUMNS = ("Words", "Sentences", "UPOS", "UAS", "LAS")
QUOTES = ("“”", "‘’", "《》", "「」", "『』")
PEER = "import jieba,json,sys;jieba.setLogLevel(60);print(json.dumps([jieba.lcut(x) for x in json.load(sys.stdin)]))"
Words = Sequence[Sequence[str]]


def everyday() -> list[list[str]]:
    lines = (ROOT / "tests" / "models" / "everyday_chinese.txt").read_text(encoding="utf-8").splitlines()
    return [line.split(" ") for line in lines if line and not line.startswith("#")]


def ends(words: Sequence[str]) -> list[tuple[int, int]]:
    spans, begin = [], 0
    for word in words:
        spans.append((begin, begin + len(word)))
        begin += len(word)
    return spans


def crossing(gold: Words, found: Words) -> int:
    """Words that overlap a gold word without lying inside of it or around it."""
    return sum(
        any(a < c < b < d or c < a < d < b for c, d in ends(right))
        for right, words in zip(gold, found, strict=True)
        for a, b in ends(words)
    )


def everyday_row(name: str, gold: Words, found: Words) -> str:
    score = evaluate_segmentation(gold, found).words.f1
    same = sum(list(a) == list(b) for a, b in zip(gold, found, strict=True))
    return f"| {name} | {score:.2f} | {same} of {len(gold)} | {crossing(gold, found)} |"


def glued(pipeline: accord.Pipeline, gold: Words) -> tuple[int, int, int]:
    """Quotes that are part of a longer word, of how many; and sentences of quotes alone."""
    wrong = total = alone = 0
    plain = [words for words in gold if not set("".join(words)) & set("".join(QUOTES))]
    for marks in QUOTES:
        texts = [f"{marks[0]}{''.join(words)}{marks[1]}他说{marks[0]}{words[0]}{marks[1]}。" for words in plain]
        document = pipeline("\n\n".join(texts))
        for sentence in document.sentences:
            counts = [sum(character in marks for character in form) for form in sentence.forms]
            total += sum(counts)
            wrong += sum(count for count, form in zip(counts, sentence.forms, strict=True) if len(form) > 1)
            alone += set("".join(sentence.forms)) <= set(marks)
    return wrong, total, alone


def words_per_second(pipeline: accord.Pipeline, texts: list[str]) -> float:
    assert pipeline.tokenizer is not None
    segmenter = TokenizerSegmenter(pipeline.tokenizer)
    best = 0.0
    for _ in range(3):
        started = time.process_time()
        found = segmenter.segment(texts, threads=1)
        best = max(best, sum(map(len, found)) / (time.process_time() - started))
    return best


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="+", metavar="model", help="packaged pipelines or files")
    options.add_argument("--part", choices=sorted(TREEBANKS), default="dev")
    options.add_argument("--peer-python", help="a Python that has jieba")
    arguments = options.parse_args()
    pipelines = {name: accord.load(name) for name in arguments.models}
    heads = "| treebank | model | from |" + "".join(f" {column} |" for column in COLUMNS)
    print(f"{heads}\n{'|---' * (3 + len(COLUMNS))}|", flush=True)
    texts: list[str] = []
    for treebank in TREEBANKS[arguments.part]:
        gold = data.read(DATA / "ud" / f"{treebank}.conllu.xz")
        texts += raw_text(gold).splitlines()
        for name, pipeline in pipelines.items():
            scores = pipeline_scores(pipeline, gold, threads=1)
            for kind, told in (("raw", "raw text"), ("words", "gold words")):
                figures = " | ".join(f"{scores[f'{kind} {column}']:.2f}" for column in COLUMNS)
                print(f"| {treebank} | {name} | {told} | {figures} |", flush=True)
    sentences = everyday()
    joined = ["".join(words) for words in sentences]
    print("\n| everyday sentences | F1 of words | all words right | words that cross a gold word |\n|---|---|---|---|")
    for name, pipeline in pipelines.items():
        assert pipeline.tokenizer is not None
        print(everyday_row(name, sentences, TokenizerSegmenter(pipeline.tokenizer).segment(joined, threads=1)))
    if arguments.peer_python:
        command = [arguments.peer_python, "-c", PEER]
        answer = subprocess.run(command, input=json.dumps(joined), capture_output=True, text=True, check=True)
        print(everyday_row("jieba", sentences, json.loads(answer.stdout)))
    print("\n| quotes | glued to words | sentences of a quote alone | words per CPU second, cutting alone |")
    print("|---|---|---|---|")
    for name, pipeline in pipelines.items():
        wrong, total, alone = glued(pipeline, sentences)
        print(f"| {name} | {wrong} of {total} | {alone} | {words_per_second(pipeline, texts):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
