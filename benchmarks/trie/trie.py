# SPDX-License-Identifier: Apache-2.0
"""How fast features are found: the two-dimensional trie against features as strings.

Stores the features of the gold arcs of a training file, then finds the stored features of every candidate arc of a
development file, for the four cumulative template groups of `templates/spec17.txt`. Each index reads the same batch in
one native call; times are CPU seconds of that call on one core, the best of a few runs. All indexes must find the same
features, or the benchmark fails. Memory is that of the index alone, without the label rows that all of them share.

    python -m benchmarks trie TRAIN.conllu.xz DEV.conllu.xz [--train-sentences 3000] [--output retrieve|best_label]
"""

from __future__ import annotations

import argparse
import lzma
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.trie._trie import (
    BatchOutput,
    BatchResult,
    ByteTrieIndex,
    FeatureTrie,
    PartBatch,
    StringHashIndex,
    TemplateTree,
    TrieLayout,
    extract_batch,
    measure_presence,
)

TEMPLATES = Path(__file__).parent / "spec17.txt"
GROUPS = {1: (1, 2), 2: (1, 2, 3), 3: (1, 2, 3, 4), 4: (1, 2, 3, 4, 5)}
PAIR_UNITS = ("distance", "direction")
WINDOW = 2  # the farthest neighbour a unit looks at
LONGEST = 5  # word lengths are capped here
SAMPLE_SENTENCES = 100  # from which the presence of templates is measured

Integers = npt.NDArray[np.int32]


def read_templates(path: Path) -> dict[int, list[list[str]]]:
    """The templates of each ID, in the order of the file."""
    templates: dict[int, list[list[str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("id "):
            current = templates.setdefault(int(line.removeprefix("id ")), [])
        elif line and not line.startswith("#"):
            current.append(line.split(" + "))
    return templates


@dataclass
class Sentence:
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)


def read_conllu(path: Path) -> Iterator[Sentence]:
    sentence = Sentence()
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            columns = line.rstrip("\n").split("\t")
            if len(columns) == 10 and columns[0].isdigit():
                sentence.words.append(columns[1])
                sentence.tags.append(columns[3])
                sentence.heads.append(int(columns[6]))
                sentence.labels.append(columns[7])
            elif len(columns) == 1 and not columns[0] and len(sentence):
                yield sentence
                sentence = Sentence()


class Alphabet:
    """Numbers for strings: 0 is outside the sentence; once closed, a new string has no number (-1)."""

    def __init__(self) -> None:
        self.strings = ["<none>"]
        self.numbers: dict[str, int] = {}
        self.closed = False

    def number(self, string: str) -> int:
        if string not in self.numbers and not self.closed:
            self.numbers[string] = len(self.strings)
            self.strings.append(string)
        return self.numbers.get(string, -1)


def distance_bin(distance: int) -> str:
    """1, 2, 3, 4, 5, 6-10 and more."""
    return str(distance) if distance <= 5 else "6" if distance <= 10 else "11"


class Anchors:
    """Turns sentences into parts: which units exist, and the tokens of each word's neighbourhood."""

    def __init__(self, templates: dict[int, list[list[str]]]) -> None:
        names = dict.fromkeys(unit for group in templates.values() for template in group for unit in template)
        self.units = {unit: number for number, unit in enumerate(names)}
        self.alphabets = {name: Alphabet() for name in ("word", "pos", "length", *PAIR_UNITS)}
        self.labels = Alphabet()
        # Units by anchor (p, c, r) as (offset, attribute, unit number).
        self.places: dict[str, list[tuple[int, str, int]]] = {"p": [], "c": [], "r": []}
        for unit, number in self.units.items():
            if unit not in PAIR_UNITS:
                place, attribute = unit.split(".")
                self.places[place[0]].append((int(place[1:]), attribute, number))

    def alphabet_of_unit(self) -> list[int]:
        names = list(self.alphabets)
        return [names.index(unit.split(".")[-1]) for unit in self.units]

    def templates(self, group: list[list[str]]) -> list[list[int]]:
        return [[self.units[unit] for unit in template] for template in group]

    def neighbourhoods(self, sentence: Sentence) -> dict[str, list[list[int]]]:
        """The tokens of every word's units, by anchor: word number, then unit."""
        values = {
            "word": [self.alphabets["word"].number(word) for word in sentence.words],
            "pos": [self.alphabets["pos"].number(tag) for tag in sentence.tags],
            "length": [self.alphabets["length"].number(str(min(len(word), LONGEST))) for word in sentence.words],
        }
        padded = {attribute: [0] * WINDOW + tokens + [0] * WINDOW for attribute, tokens in values.items()}
        return {
            anchor: [
                [padded[attribute][WINDOW + position + offset] for offset, attribute, _ in places]
                for position in range(len(sentence))
            ]
            for anchor, places in self.places.items()
        }


@dataclass
class BatchBuilder:
    """Collects parts. Head and child have a filling per direction, as the direction stands above them in the tree."""

    anchors: Anchors
    tokens: dict[str, list[list[int]]] = field(default_factory=lambda: {"p": [], "c": [], "r": []})
    fillings: list[tuple[int, int, int]] = field(default_factory=list)
    distances: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=lambda: [0])
    labels: list[int] = field(default_factory=list)

    def add(self, sentence: Sentence, arcs: list[tuple[int, int]]) -> None:
        """Adds arcs (head, child), words from 1; head 0 is the artificial root, an arc with r units and no p units."""
        neighbourhoods = self.anchors.neighbourhoods(sentence)
        direction = [self.anchors.alphabets["direction"].number(name) for name in ("left", "right")]
        first = {anchor: len(rows) for anchor, rows in self.tokens.items()}
        for anchor in ("p", "c"):
            self.tokens[anchor] += [[*row, token] for row in neighbourhoods[anchor] for token in direction]
        self.tokens["r"] += neighbourhoods["r"]
        distances = self.anchors.alphabets["distance"]
        for head, child in arcs:
            side = int(head < child)
            self.fillings.append(
                (
                    first["p"] + 2 * (head - 1) + side if head else -1,
                    first["c"] + 2 * (child - 1) + side,
                    -1 if head else first["r"] + child - 1,
                )
            )
            self.distances.append(distances.number(distance_bin(abs(head - child))))
            self.labels.append(max(0, self.anchors.labels.number(sentence.labels[child - 1]) - 1))
        self.sentences.append(len(self.fillings))

    def batch(self) -> PartBatch:
        direction = self.anchors.units["direction"]
        contexts = [
            (
                [unit for _, _, unit in self.anchors.places[anchor]] + ([direction] if anchor != "r" else []),
                np.array(self.tokens[anchor], dtype=np.int32),
            )
            for anchor in ("p", "c", "r")
        ]
        return PartBatch(
            contexts=contexts,
            own_units=[self.anchors.units["distance"]],
            fillings=np.array(self.fillings, dtype=np.int32),
            own_tokens=np.array(self.distances, dtype=np.int32)[:, None],
            sentences=np.array(self.sentences, dtype=np.int64),
        )


def gold_arcs(sentence: Sentence) -> list[tuple[int, int]]:
    return [(head, child + 1) for child, head in enumerate(sentence.heads)]


def all_arcs(sentence: Sentence) -> list[tuple[int, int]]:
    words = range(1, len(sentence) + 1)
    return [(head, child) for head in range(len(sentence) + 1) for child in words if head != child]


def best_time(call: Callable[[], BatchResult], runs: int) -> tuple[float, BatchResult]:
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        result = call()
        best = min(best, time.process_time() - start)
    return best, result


@dataclass
class Row:
    name: str
    seconds: float
    memory: int
    result: BatchResult


@dataclass
class Corpus:
    train: BatchBuilder  # gold arcs, whose features are stored
    sample: PartBatch  # candidate arcs of other training sentences: they tell rare prefixes from common ones
    dev: PartBatch  # candidate arcs, whose features are found


def read_corpus(anchors: Anchors, arguments: argparse.Namespace) -> Corpus:
    train, sample, dev = (BatchBuilder(anchors) for _ in range(3))
    sentences = read_conllu(arguments.train)
    for sentence in islice(sentences, arguments.train_sentences):
        train.add(sentence, gold_arcs(sentence))
    for alphabet in (*anchors.alphabets.values(), anchors.labels):
        alphabet.closed = True
    for sentence in islice(sentences, SAMPLE_SENTENCES):
        sample.add(sentence, all_arcs(sentence))
    for sentence in islice(read_conllu(arguments.dev), arguments.dev_sentences):
        dev.add(sentence, all_arcs(sentence))
    return Corpus(train, sample.batch(), dev.batch())


def grown(anchors: Anchors, templates: list[list[str]], train: BatchBuilder, presence: list[float]) -> FeatureTrie:
    """A trie of the features of the training parts, with random weights."""
    trie = FeatureTrie(
        TemplateTree(anchors.templates(templates), len(anchors.units), presence), len(anchors.labels.strings) - 1
    )
    trie.insert_batch(train.batch(), np.array(train.labels, dtype=np.int32))
    trie.set_weights(np.random.default_rng(0).normal(size=trie.feature_count).astype(np.float32))
    return trie


def measure_strings(
    anchors: Anchors, trie: FeatureTrie, dev: PartBatch, output: BatchOutput, runs: int
) -> Iterator[Row]:
    alphabets = [alphabet.strings for alphabet in anchors.alphabets.values()]
    for name, baseline in (("strings, hash map", StringHashIndex), ("strings, byte trie", ByteTrieIndex)):
        index: StringHashIndex | ByteTrieIndex = baseline(trie, alphabets, anchors.alphabet_of_unit())
        seconds, result = best_time(partial(index.extract_batch, trie, dev, output), runs)
        yield Row(name, seconds, index.memory_bytes, result)


def measure_trie(name: str, trie: FeatureTrie, dev: PartBatch, output: BatchOutput, runs: int) -> Iterator[Row]:
    for share in (False, True):
        seconds, result = best_time(partial(extract_batch, trie, dev, output, share), runs)
        memory = trie.memory_bytes - trie.label_memory_bytes
        yield Row(f"2D trie, {name}{', shared walks' if share else ''}", seconds, memory, result)


def measure_group(
    anchors: Anchors, templates: list[list[str]], corpus: Corpus, output: BatchOutput, runs: int
) -> list[Row]:
    train, dev = corpus.train, corpus.dev
    start = time.process_time()
    growing = grown(anchors, templates, train, [])
    inserted = time.process_time()
    frozen = growing.freeze(TrieLayout.double_array)
    print(
        f"\n{len(templates)} templates, {len(frozen.tree)} vertices ({frozen.tree.virtual_count} virtual), "
        f"{growing.feature_count:,} features; inserted in {inserted - start:.1f} s, "
        f"frozen in {time.process_time() - inserted:.1f} s"
    )
    rows = list(measure_strings(anchors, frozen, dev, output, runs))
    rows += measure_trie("hash", growing.freeze(TrieLayout.hash), dev, output, runs)
    rows += measure_trie("double array", frozen, dev, output, runs)
    if len({row.result.checksum for row in rows}) > 1:
        raise SystemExit("the indexes find different features")
    presence = measure_presence(frozen, corpus.sample)
    rarest = grown(anchors, templates, train, presence).freeze(TrieLayout.double_array)
    rows += measure_trie("rarest fathers", rarest, dev, output, runs)
    return rows


def print_rows(rows: list[Row], part_count: int) -> None:
    print(f"{'index':<40}{'us/part':>9}{'speed-up':>10}{'visits':>9}{'found':>8}{'MB':>8}")
    for row in rows:
        visits, found = row.result.visits / part_count, row.result.label_rows / part_count
        print(
            f"{row.name:<40}{1e6 * row.seconds / part_count:>9.2f}{rows[0].seconds / row.seconds:>9.1f}x"
            f"{visits:>9.1f}{found:>8.1f}{row.memory / 2**20:>8.0f}"
        )
        if row.result.label_rows != rows[0].result.label_rows:
            raise SystemExit(f"{row.name} finds other features than {rows[0].name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    parser.add_argument("--train-sentences", type=int, default=3000)
    parser.add_argument("--dev-sentences", type=int, default=500)
    parser.add_argument("--groups", type=int, nargs="+", default=list(GROUPS), choices=list(GROUPS))
    parser.add_argument("--output", choices=("retrieve", "best_label"), default="retrieve")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()

    templates = read_templates(TEMPLATES)
    anchors = Anchors(templates)
    corpus = read_corpus(anchors, arguments)
    part_count = corpus.dev.part_count
    print(f"{len(corpus.train.labels):,} gold arcs stored; {part_count:,} candidate arcs read, {arguments.output}")
    for group in arguments.groups:
        chosen = [template for identifier in GROUPS[group] for template in templates[identifier]]
        rows = measure_group(anchors, chosen, corpus, getattr(BatchOutput, arguments.output), arguments.runs)
        print_rows(rows, part_count)


if __name__ == "__main__":
    main()
