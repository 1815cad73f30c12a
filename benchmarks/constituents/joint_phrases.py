# SPDX-License-Identifier: Apache-2.0
"""Words, tags and phrases of Chinese characters, decided together and one after the other.

    python -m benchmarks joint_phrases --train 8000 --epochs 3 [--corpus sinica|gsd] [--longest N] [--test N]

Data: the Sinica treebank sample (traditional characters), or the Chinese GSD treebank, whose phrases are made of its
dependencies: each word with dependents is a phrase, named after its part of speech. The joint parser and the pipeline
are the same three models and the same chart; the pipeline takes the best words, then the best tags, then the best
phrases. Dev data choose the weights, test data are read once. Words: F1 of words; tags: F1 of words with their tag;
brackets: F1 of phrases over characters, which count only if all boundaries of words inside are right. p: of a paired
bootstrap over sentences.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from accord import data
from accord.app.constituents import tree_change
from accord.data import Document
from accord.evaluation.bootstrap import paired_bootstrap
from accord.learning import Reporter, spread
from accord.learning import train as run_epochs
from accord.settings import make_settings, read_table
from accord.tasks.joint_constituents import JointConstituencyParser, JointConstituentsConfig, JointTree, Lattice
from accord.tasks.joint_constituents.model import Mixture
from accord.tasks.joint_constituents.scoring import Gold, Trees, gold_of, joint_scores
from accord.tasks.joint_constituents.training import DerivationTask, train_joint_constituents, train_tags
from accord.tasks.setting_files import read_template_sets
from benchmarks.inference.solver_tables import table
from benchmarks.places import DATA

FILES = {"sinica": "constituency/zh_sinica-{}.mrg.xz", "gsd": "ud/zh_gsd-ud-{}.conllu.xz"}
NAMES = {"sinica": "Sinica", "gsd": "GSD, phrases of dependencies"}
MEASURES = ("words", "tags", "brackets")
SAMPLES = 2000


class Notes(Reporter):
    def note(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


def read(corpus: str, part: str, most: int = 0, longest: int = 0) -> Document:
    """A part of the treebank, or so many of its sentences, from all over it: it stands in the order of its texts.

    ``longest``: words of a sentence; 0: any number.
    """
    document = data.read(DATA / FILES[corpus].format(part))
    if corpus == "gsd":
        document = tree_change(phrases="upos", left_out=[])(document)
    if longest:
        document = Document.from_sentences([one for one in document.sentences if len(one) <= longest])
    return Document.from_sentences(spread(document.sentences, most)) if most else document


def counts(gold: Gold, found: Sequence[JointTree]) -> dict[str, np.ndarray]:
    """By measure: right, gold and found ones of each sentence."""
    rows: dict[str, list[tuple[int, int, int]]] = {name: [] for name in MEASURES}
    for wanted, one in zip(gold, found, strict=True):
        scores = joint_scores([wanted], [one])
        for name in MEASURES:
            score = getattr(scores, name)
            rows[name].append((score.correct, score.gold_total, score.system_total))
    return {name: np.array(one) for name, one in rows.items()}


def f1(sums: np.ndarray) -> float:
    return 200 * float(sums[0]) / max(float(sums[1] + sums[2]), 1)


def phrases_alone(
    training: Document, dev: Document, config: JointConstituentsConfig, base: JointConstituencyParser
) -> float:
    """F1 of brackets on known words and tags after training of phrases alone."""
    trees, held = (Trees.of(one, functions=False) for one in (training, dev))

    tagger = train_tags(trees, None, config)

    def make(grammar, templates, clusters, tables):  # type: ignore[no-untyped-def]
        model = dataclasses.replace(base.model, config=config, tagger=tagger, grammar=grammar, templates=templates)
        return dataclasses.replace(model, clusters=clusters, tables={"phrases": tables[0]})

    task = DerivationTask(trees, held, config, make)
    return run_epochs(task, epochs=config.epochs, patience=config.epochs, seed=1).scores["F1"]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--corpus", default="sinica", choices=sorted(FILES))
    options.add_argument("--longest", type=int, default=0, help="words of the sentences that are read; 0: all")
    options.add_argument("--train", type=int, default=8000, help="sentences to train on")
    options.add_argument("--epochs", type=int, default=3, help="passes over them, of each of the three models")
    options.add_argument("--tuning", type=int, default=300, help="dev sentences that choose the weights")
    options.add_argument("--beam", type=int, default=12)
    options.add_argument("--small", type=int, default=1000, help="sentences of the comparison of grammars and features")
    options.add_argument("--dev", type=int, default=1000, help="dev sentences that are read")
    options.add_argument("--test", type=int, default=0, help="test sentences that are read; 0: all")
    options.add_argument("--brief", action="store_true", help="only joint parser and pipeline, without comparisons")
    options.add_argument("--parts", default="dev test", help="data that are parsed; trials leave test out")
    options.add_argument("--set", action="append", default=[], help="a setting of the joint parser as key=value")
    options.add_argument("--model", default="", help="where the model is kept")
    given = options.parse_args()
    load = partial(read, given.corpus, longest=given.longest)
    training, dev = load("train", given.train), load("dev", given.dev)
    steps = {"epochs": given.epochs, "segmenter.epochs": given.epochs, "tagger.epochs": given.epochs}
    values = {**steps, "tuning": given.tuning, "beam": given.beam, "training_beam": 12, **read_table(None, given.set)}
    begin = time.process_time()
    settings = make_settings(JointConstituentsConfig, values)
    model = train_joint_constituents(training, dev, settings, reporter=Notes()).model
    seconds = time.process_time() - begin
    if given.model:
        model.save(given.model)
    parser = JointConstituencyParser(model)
    rows = []
    for name in given.parts.split():
        gold = gold_of(dev if name == "dev" else load(name, given.test))
        texts = ["".join(words) for words, _ in gold]
        found = {}
        for way, pipeline in (("pipeline", True), ("joint", False)):
            begin = time.process_time()
            answers = parser.trees(texts, pipeline=pipeline, threads=settings.threads)
            speed = len(texts) / (time.process_time() - begin)
            found[way] = counts(gold, answers)
            rows.append((name, way, *(f"{f1(found[way][one].sum(axis=0)):.2f}" for one in MEASURES), f"{speed:.0f}"))
        tests = [paired_bootstrap(found["pipeline"][one], found["joint"][one], f1, samples=SAMPLES) for one in MEASURES]
        rows.append((name, "joint - pipeline (p)", *(f"{t.difference:+.2f} ({t.p_value:.3f})" for t in tests), ""))
    weights = ", ".join(f"{weight:g}" for weight in model.weights)
    print(f"{len(training)} sentences, {seconds:.0f} CPU seconds of training and tuning; weights, bonus {weights}.\n")
    table(f"{NAMES[given.corpus]}, from characters", ("data", "parser", *MEASURES, "sentences/s"), rows)
    if given.brief:
        return

    last = given.parts.split()[-1]
    gold = gold_of(dev if last == "dev" else load(last, given.test))
    words = [one for one, _ in gold]
    known = set(parser.tags)
    ways = {
        "tags by the tagger": ([Lattice.of_words(one) for one in words], {"pipeline": True}),
        "tags by the phrases alone": ([Lattice.of_words(one) for one in words], {"weights": Mixture(1.0, 1e-6, 1.0)}),
        "tags by both": ([Lattice.of_words(one) for one in words], {}),
        "known tags": (
            [Lattice.of_words(one, [tag if tag in known else None for tag in tree.tags]) for one, tree in gold],
            {},
        ),
    }
    rows = []
    for name, (lattices, how) in ways.items():
        scores = joint_scores(gold, parser.parse(lattices, threads=settings.threads, **how))  # type: ignore[arg-type]
        rows.append((name, f"{scores.tags.f1:.2f}", f"{scores.brackets.f1:.2f}"))
    table(f"{NAMES[given.corpus]} {last}, known words", ("", "tags", "brackets"), rows)

    few = gold_of(dev)[:100]
    texts = ["".join(one) for one, _ in few]
    rows = []
    for beam in (1, 2, 5, 10, 20, 40):
        begin = time.process_time()
        answers = parser.trees(texts, beam=beam, threads=settings.threads)
        took = 1000 * (time.process_time() - begin) / len(texts)
        scores = joint_scores(few, answers)
        whole = [one for one in answers if one.whole]
        mean = sum(one.score for one in whole) / max(len(whole), 1)
        rows.append((beam, len(whole), f"{mean:.2f}", f"{scores.brackets.f1:.2f}", f"{took:.1f}"))
    table("Beams, 100 dev sentences", ("beam", "with a root", "mean score of these", "brackets", "ms/sentence"), rows)

    rows = []
    longest = max(texts, key=len) * 8
    for length in (10, 20, 40, 80):
        begin = time.process_time()
        parser.trees([longest[:length]] * 3, threads=1)
        rows.append((length, f"{1000 * (time.process_time() - begin) / 3:.1f}"))
    table("Time by length", ("characters", "ms"), rows)

    small = load("train", given.small)
    plain = read_template_sets("accord.tasks.joint_constituents", ["phrases"]).splitlines()
    without = Path(tempfile.mkdtemp()) / "without_tags.txt"
    without.write_text("\n".join(line for line in plain if ".xpos" not in line) + "\n", encoding="utf-8")
    rows = []
    for name, more in (
        ("as above", {}),
        ("no tags in features", {"templates": str(without)}),
        ("parents in states", {"parents": True}),
        ("rules as seen", {"rules": "seen"}),
        ("helpers named after children", {"binarisation": "children"}),
    ):
        config = make_settings(JointConstituentsConfig, {**values, "epochs": 2, "tagger.epochs": 1, **more})
        rows.append((name, f"{phrases_alone(small, dev, config, parser):.2f}"))
    table(f"Phrases on known words and tags, dev, {given.small} sentences, 2 passes", ("", "brackets"), rows)


if __name__ == "__main__":
    main()
