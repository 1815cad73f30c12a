# SPDX-License-Identifier: Apache-2.0
"""Cleaners of transcripts: edited words and fillers of telephone calls, and of questions that were made disfluent.

    python -m benchmarks disfluency [--tables methods settings costs curve lookahead questions parsing speed neural]
                                    [--folds 5] [--epochs 20] [--neural-epochs 12]

Training data: 28 calls of Switchboard (TalkBank), about 48,000 words, 1/18 of what Qian and Liu (2013) had. Test data:
four other calls of the same source (`calls`), and the 50 calls that the field tests on, with the tags of SwDA
(`standard`). Words are in lower case, without punctuation and words that were broken off; parts of written words are
put together. Tags are those of the model's own first level, unless a row says otherwise. F is that of edited words.

`methods` shares tags and fillers among all cells, so that only the levels of edits differ. `settings` takes one thing
after another away from the default model. `costs` and `curve` are measured on the development calls. `parsing` parses
the sentences of GUM that have a reparandum, with the packaged English model, which has seen none of them: as they were
said, without the edits that the model of calls finds, also without sounds (uh, um) or all fillers, and without what the
annotators call a reparandum or a filler; what counts are the heads and labels of all other words, and a word that was
taken away wrongly is wrong. GUM keeps words such as "well" and "you know" that calls mark as fillers. p-values are
McNemar's, word by word.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from accord import data, load
from accord.data import Document, Sentence
from accord.evaluation import mcnemar
from accord.tasks.cleaner import Cleaner, CleanerConfig, CleanerModel, Utterances
from accord.tasks.cleaner.cleaned import EDIT
from accord.tasks.cleaner.features import EDITS, TAGS
from accord.tasks.cleaner.gold import GoldTranscript, read_gold
from accord.tasks.cleaner.levels import stack_of
from accord.tasks.cleaner.scoring import word_scores
from accord.tasks.cleaner.sources import document_utterances
from accord.tasks.cleaner.training import gold_labels, train_cleaner
from accord.tasks.labeller.problem import number_labels
from accord.tasks.network.config import ChainNeuralConfig
from accord.tasks.stack import StackResult
from benchmarks.places import DATA

FOLDER = DATA / "disfluency"
GOAL = 83.8  # what Qian and Liu report on the standard test calls, corrected
METHODS = {
    "CRF": {"method": "lbfgs", "l2": 1.0},
    "perceptron": {"method": "perceptron", "epochs": 10},
    "PA": {"method": "mira", "aggressiveness": 1.0, "epochs": 10, "miss": 1.0},
    "M3N": {"method": "m3n", "miss": 1.0},
    "weighted M3N": {"method": "m3n"},
}
PAPER = {"wide": False, "copies": False}
SOUNDS = {"uh", "um", "er", "erm", "eh", "hm", "mm"}  # fillers among the words that are labelled as discourse
Flags = NDArray[np.bool_]


def read(name: str) -> GoldTranscript:
    (file,) = FOLDER.glob(f"{name}.*.xz")
    return read_gold([file])


class Trainer:
    """Cleaners of one training set; levels of tags and fillers are trained once for all that share their settings."""

    def __init__(self, training: GoldTranscript) -> None:
        self.training = training
        self.gold = gold_labels(training)
        self._lower: dict[CleanerConfig, StackResult] = {}
        self._whole: dict[CleanerConfig, StackResult] = {}  # with in-between features

    def train(self, config: CleanerConfig, lower: CleanerConfig | None = None) -> Cleaner:
        """A cleaner; ``lower``: the settings of the levels below edits."""
        utterances = self.training.utterances
        tags, numbers = number_labels(list(utterances.tags or ["_"] * len(utterances.words)))
        gold = {TAGS: numbers, **self.gold}
        base = lower or config
        key = CleanerConfig(folds=base.folds, epochs=base.epochs, tags=base.tags, dual_c=base.dual_c)
        stack = stack_of(config, tags)
        if key not in self._lower:
            whole = stack_of(dataclasses.replace(key, steps=1), tags)
            self._lower[key] = whole.train(utterances, utterances.lengths, gold)
            self._lower[key].models.pop(EDITS)
        given = self._lower[key]
        similar = dataclasses.replace(config, in_between=True, copies=True)
        if similar in self._whole:
            known = self._whole[similar]
            skipped = () if similar == config else (EDITS,)  # only the last level has in-between features
            models = {name: model for name, model in known.models.items() if name not in skipped}
            given = dataclasses.replace(known, models=models)
        result = stack.train(utterances, utterances.lengths, gold, given=given)
        if similar == config:
            self._whole[config] = result
        return Cleaner(CleanerModel(config, {level.name: result.models[level.name] for level in stack.levels}))


def edits(cleaner: Cleaner, gold: GoldTranscript, lookahead: int | None = None) -> Flags:
    return cleaner.label(gold.utterances, lookahead=lookahead, threads=1).edits


def row(name: str, *cells: object) -> None:
    print(
        "| " + " | ".join([name, *(f"{cell:.1f}" if isinstance(cell, float) else str(cell) for cell in cells)]) + " |"
    )


def heading(*cells: str) -> None:
    print("\n| " + " | ".join(cells) + " |\n|---|" + "--:|" * (len(cells) - 1))


def f1(gold: GoldTranscript, found: Flags) -> float:
    return word_scores(gold.edits, found)[2]


def methods(trainer: Trainer, tests: dict[str, GoldTranscript], base: CleanerConfig) -> None:
    """Table 5 of the paper: steps by learners, with the features of the paper."""
    found: dict[tuple[str, int], list[Flags]] = {}
    for method, change in METHODS.items():
        for steps in (1, 2, 3):
            config = dataclasses.replace(base, steps=steps, **{**PAPER, **change})  # type: ignore[arg-type]
            cleaner = trainer.train(config, lower=base)
            found[method, steps] = [edits(cleaner, gold) for gold in tests.values()]
    for place, (name, gold) in enumerate(tests.items()):
        heading(f"F, {name}", *METHODS, "p: weighted M3N, CRF")
        for steps, title in ((1, "baseline"), (2, "step 2"), (3, "step 3")):
            right = [found[method, steps][place] == gold.edits for method in ("weighted M3N", "CRF")]
            chance = mcnemar(right[0].tolist(), right[1].tolist()).exact
            row(title, *(f1(gold, found[method, steps][place]) for method in METHODS), f"{chance:.3f}")


def settings(trainer: Trainer, tests: dict[str, GoldTranscript], base: CleanerConfig) -> None:
    """Precision, recall and F of the default model, and without this and that."""
    variants: dict[str, dict[str, object]] = {
        "default": {},
        "features of the paper": PAPER,
        "features of the paper, no in-between": {**PAPER, "in_between": False},
        "features of the paper, in-between with the first copy": {**PAPER, "copies": True},
        "default, no in-between": {"in_between": False},
        "default, in-between without the first copy": {"copies": False},
        "default, tags of the data": {"tags": "given"},
        "default, no tags": {"tags": "none"},
    }
    titles = [f"{name} {score}" for name in tests for score in ("P", "R", "F")]
    heading("edited words", *titles)
    fillers = []
    for title, change in variants.items():
        cleaner = trainer.train(dataclasses.replace(base, **change))  # type: ignore[arg-type]
        row(title, *(score for gold in tests.values() for score in word_scores(gold.edits, edits(cleaner, gold))))
        if "tags" in change or not change:
            answers = {name: cleaner.label(gold.utterances, threads=1) for name, gold in tests.items()}
            fillers.append(
                (title, [s for name, gold in tests.items() for s in word_scores(gold.fillers, answers[name].fillers)])
            )
    heading("fillers", *titles)
    for title, scores in fillers:
        row(title, *scores)


def costs(trainer: Trainer, dev: dict[str, GoldTranscript], base: CleanerConfig) -> None:
    """What a missed edit costs, against precision and recall, in step 2."""
    heading("cost of a miss, step 2", *(f"{name} {score}" for name in dev for score in ("P", "R", "F")))
    for miss in (1.0, 1.5, 2.0, 2.5, 3.0, 4.0):
        cleaner = trainer.train(dataclasses.replace(base, miss=miss, steps=2))
        row(f"{miss}", *(score for gold in dev.values() for score in word_scores(gold.edits, edits(cleaner, gold))))


def part_of(gold: GoldTranscript, share: float) -> GoldTranscript:
    """The first utterances of a transcript."""
    count = round(share * len(gold))
    said, words = gold.utterances, int(gold.utterances.lengths[:count].sum())
    tags = None if said.tags is None else said.tags[:words]
    return GoldTranscript(
        Utterances(said.lengths[:count], said.words[:words], tags), gold.fillers[:words], gold.edits[:words], gold.name
    )


def curve(trainer: Trainer, dev: dict[str, GoldTranscript], base: CleanerConfig) -> None:
    """F by size of the training data, and where the line of the last sizes would meet the goal."""
    heading("words of training data", *dev)
    points = []
    for share in (1 / 8, 1 / 4, 1 / 2, 1.0):
        part = part_of(trainer.training, share)
        cleaner = (trainer if share == 1.0 else Trainer(part)).train(base)
        scores = [f1(gold, edits(cleaner, gold)) for gold in dev.values()]
        points.append((math.log(len(part.edits)), scores[-1]))
        row(f"{len(part.edits):,}", *scores)
    slope, constant = np.polyfit(*zip(*points[-3:], strict=True), 1)
    print(f"\nEach doubling of the last sizes adds {slope * math.log(2):.1f} F on {list(dev)[-1]}; ", end="")
    print(f"the line through them meets {GOAL} at {math.exp((GOAL - constant) / slope):,.0f} words.")


def lookahead(cleaner: Cleaner, tests: dict[str, GoldTranscript]) -> None:
    heading("words of look-ahead", *(f"{name} {score}" for name in tests for score in ("F", "lost")))
    whole = [f1(gold, edits(cleaner, gold)) for gold in tests.values()]
    for ahead in (0, 1, 2, 3, 5, None):
        scores = [f1(gold, edits(cleaner, gold, ahead)) for gold in tests.values()]
        title = "all" if ahead is None else str(ahead)
        row(title, *(cell for one, best in zip(scores, whole, strict=True) for cell in (one, best - one)))


def questions(base: CleanerConfig, other: Cleaner) -> None:
    """Disfl-QA, whose edits are long: trained on its own questions, and by the model of calls."""
    test = read("disfl_qa-test")
    config = dataclasses.replace(base, tags="none")
    own = Trainer(read("disfl_qa-train")).train(config)
    heading("questions (Disfl-QA)", "P", "R", "F", "questions all right")
    for title, cleaner in (("trained on calls", other), ("trained on questions", own)):
        answer = cleaner.label(test.utterances, threads=1)
        found = answer.edits if cleaner is own else answer.edits | answer.fillers
        firsts = np.cumsum(test.utterances.lengths) - test.utterances.lengths
        exact = np.add.reduceat((found != test.edits).astype(int), firsts) == 0
        row(title, *word_scores(test.edits, found), 100.0 * float(exact.mean()))


def fluent_words(sentence: Sentence) -> list[bool]:
    """Of each word, whether it is neither in a reparandum nor a filler."""
    words = sentence.words

    def taken_back(place: int) -> bool:
        steps = 0
        while steps <= len(words):
            if words[place].deprel.startswith("reparandum"):
                return True
            if words[place].head == 0:
                return False
            place, steps = words[place].head - 1, steps + 1
        return False

    filler = [word.deprel.startswith("discourse") and word.form.lower() in SOUNDS for word in words]
    return [not filler[place] and not taken_back(place) for place in range(len(words))]


def parsing(cleaner: Cleaner) -> None:
    files = sorted((DATA / "ud").glob("en_gum*-ud-*.conllu.xz"))
    sentences = [one for file in files for one in data.read(file).sentences]
    spoken = [one for one in sentences if any(word.deprel.startswith("reparandum") for word in one.words)]
    fluent = [fluent_words(one) for one in spoken]
    parser = load("en")

    def arcs(kept: Sequence[Sequence[bool]]) -> list[list[tuple[int, str] | None]]:
        """Head and label of each word by its place in the whole sentence; None of a word that is not parsed."""
        left = [
            [word.form for word, stays in zip(s.words, k, strict=True) if stays]
            for s, k in zip(spoken, kept, strict=True)
        ]
        parsed = parser.parse(Document.from_sentences([Sentence.from_words(words or ["."]) for words in left]))
        found: list[list[tuple[int, str] | None]] = []
        for stays, tree in zip(kept, parsed.sentences, strict=True):
            places = [0, *(place for place, stay in enumerate(stays, 1) if stay)]
            answers = iter(tree.words)
            row: list[tuple[int, str] | None] = []
            for stay in stays:
                word = next(answers) if stay else None
                row.append(None if word is None else (places[word.head], word.deprel))
            found.append(row)
        return found

    cleaned = cleaner(document_utterances(Document.from_sentences(spoken)), threads=1)
    systems = {
        "as it was said": [[True] * len(one.words) for one in spoken],
        "without edits": [[word.label != EDIT for word in one.words] for one in cleaned.utterances],
        "without edits and uh, um": [
            [word.label != EDIT and word.text.lower() not in SOUNDS for word in one.words] for one in cleaned.utterances
        ],
        "without edits and fillers": [[not word.label for word in one.words] for one in cleaned.utterances],
        "cleaned by annotators": fluent,
    }
    heading(f"parsing {len(spoken)} sentences with reparanda", "words parsed", "UAS", "LAS", "p against as said")
    reference: list[bool] = []
    for name, kept in systems.items():
        heads, labels = [], []
        for sentence, wanted, found in zip(spoken, fluent, arcs(kept), strict=True):
            for word, counts, arc in zip(sentence.words, wanted, found, strict=True):
                if counts and (word.head == 0 or wanted[word.head - 1]):
                    heads.append(arc is not None and arc[0] == word.head)
                    labels.append(heads[-1] and arc is not None and arc[1] == word.deprel)
        reference = reference or labels
        chance = "" if name == "as it was said" else f"{mcnemar(labels, reference).exact:.2g}"
        row(name, f"{sum(map(sum, kept)):,}", 100 * float(np.mean(heads)), 100 * float(np.mean(labels)), chance)


def neural(training: GoldTranscript, tests: dict[str, GoldTranscript], base: CleanerConfig, epochs: int) -> None:
    """Networks that score the chains, trained on the CPU with the default sizes, beside the default linear cleaner."""
    scorer = ChainNeuralConfig(epochs=epochs, patience=epochs, device="cpu")
    configs = {"network": CleanerConfig(scorer="neural", neural=scorer, threads=1, tags="none"), "linear": base}
    heading("found by", *(f"{name} {s}" for name in tests for s in ("P", "R", "F")), "training CPU s", "words a CPU s")
    for title, config in configs.items():
        started = time.process_time()
        cleaner = Cleaner(train_cleaner(training, None, config).model)
        seconds = time.process_time() - started
        started = time.process_time()
        found = {name: cleaner.label(gold.utterances, threads=1) for name, gold in tests.items()}
        rate = sum(len(gold.utterances.words) for gold in tests.values()) / (time.process_time() - started)
        cells = {
            "edits": [s for name, gold in tests.items() for s in word_scores(gold.edits, found[name].edits)],
            "fillers": [s for name, gold in tests.items() for s in word_scores(gold.fillers, found[name].fillers)],
        }
        for what, scores in cells.items():
            row(f"{what}, {title}", *scores, f"{seconds:.0f}", f"{rate:,.0f}")


def speed(cleaners: dict[str, Cleaner], gold: GoldTranscript) -> None:
    heading("words per second, one core", *cleaners)

    def measured(work: Callable[[Cleaner], object]) -> list[str]:
        found = []
        for cleaner in cleaners.values():
            work(cleaner)
            best = math.inf
            for _ in range(5):
                start = time.process_time()
                work(cleaner)
                best = min(best, time.process_time() - start)
            found.append(f"{len(gold.utterances.words) / best:,.0f}")
        return found

    row("words to labels", *measured(lambda cleaner: cleaner.label(gold.utterances, threads=1)))
    bounds = np.concatenate([[0], np.cumsum(gold.utterances.lengths)]).tolist()
    lines = [gold.utterances.words[a:b] for a, b in pairwise(bounds)]
    text = "\n".join(" ".join(line) for line in lines)
    row("text to clean text", *measured(lambda cleaner: cleaner(text, threads=1).text))


TABLES = ("methods", "settings", "costs", "curve", "lookahead", "questions", "parsing", "speed", "neural")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", nargs="+", default=list(TABLES), choices=TABLES)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--neural-epochs", type=int, default=12)
    given = parser.parse_args(arguments)
    base = CleanerConfig(folds=given.folds, epochs=given.epochs, threads=1)
    training = read("swbd_talkbank-train")
    tests = {"calls": read("swbd_talkbank-test"), "standard": read("swda_disf-test")}
    dev = {"calls dev": read("swbd_talkbank-dev"), "standard dev": read("swda_disf-dev")}
    trainer = Trainer(training)
    print(f"{len(training):,} utterances, {len(training.edits):,} words, {int(training.edits.sum()):,} edited.")
    if "methods" in given.tables:
        methods(trainer, tests, base)
    if "settings" in given.tables:
        settings(trainer, tests, base)
    if "costs" in given.tables:
        costs(trainer, dev, base)
    if "curve" in given.tables:
        curve(trainer, dev, base)
    if "neural" in given.tables:
        neural(training, tests, base, given.neural_epochs)
    if {"lookahead", "questions", "parsing", "speed"} & set(given.tables):
        default = trainer.train(base)
        if "lookahead" in given.tables:
            lookahead(default, tests)
        if "questions" in given.tables:
            questions(base, default)
        if "parsing" in given.tables:
            parsing(default)
        if "speed" in given.tables:
            paper = trainer.train(dataclasses.replace(base, **PAPER))  # type: ignore[arg-type]
            speed({"default": default, "features of the paper": paper}, tests["standard"])


if __name__ == "__main__":
    main()
