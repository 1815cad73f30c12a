# SPDX-License-Identifier: Apache-2.0
"""Trees and tags for tokenised text by several networks together: silver data to train a smaller one on.

    python tools/annotate_text.py corpus.txt MODEL MODEL ... > silver.conllu

The models are parsers with neural scorers of one treebank and configuration, trained with different seeds. Heads are
chosen by the mean of their logarithms of the probabilities of heads, labels and tags likewise. Needs PyTorch; takes a
GPU where there is one. Sentences of fewer than three or more than --longest words are left out.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from accord.data import Document
from accord.data.files import open_input
from accord.inference.trees import argmax_batch
from accord.tasks.parser import ParserModel
from accord.torch.batches import Sentences
from accord.torch.export import network_of
from accord.torch.losses import arc_mask

TASKS = {"upos": "upos", "xpos": "xpos", "feats": "feats", "lemma": "lemmas"}


def sentences(path: Path, longest: int) -> Iterator[list[str]]:
    with open_input(path) as file:
        for line in file:
            words = line.decode(errors="replace").split()
            if 3 <= len(words) <= longest:
                yield words


def document_of(lines: list[list[str]]) -> Document:
    rows: list[str] = []
    for words in lines:
        rows.extend(f"{number}\t{word}\t_\t_\t_\t_\t_\t_\t_\t_" for number, word in enumerate(words, 1))
        rows.append("")
    return Document.from_conllu("\n".join(rows) + "\n")


@torch.no_grad()
def annotate(document: Document, models: list[ParserModel], device: torch.device) -> Document:
    first = models[0]
    stored = [model.network for model in models if model.network is not None]
    if len(stored) < len(models):
        raise SystemExit("a model has no neural scorer")
    networks = [network_of(one).to(device) for one in stored]
    vocabulary = stored[0].vocabulary
    data = Sentences(document, vocabulary.reader, device)
    total = int(data.lengths.sum())
    heads, labels = np.zeros(total, np.int64), np.zeros(total, np.int64)
    classes = {task: np.zeros(total, np.int64) for task in vocabulary.classes}
    for group in data.batches(np.arange(len(data)), 12000):
        batch = data.batch(group)
        flat = data.positions(group)
        scores = [network(batch) for network in networks]
        mask = arc_mask(batch)
        arcs = sum(torch.log_softmax(s.arcs.masked_fill(~mask, -1e9), 1) for s in scores)
        table: NDArray[np.float64] = arcs.masked_fill(~mask, float("-inf")).double().cpu().numpy()
        sizes = data.lengths[group].tolist()
        trees = argmax_batch([table[i, :size, :size] for i, size in enumerate(sizes)], single_root=first.single_root)
        chosen = np.concatenate([tree.heads for tree in trees])
        heads[flat] = chosen
        sentence, position = batch.mask.nonzero(as_tuple=True)
        head = torch.from_numpy(chosen.astype(np.int64)).to(device).clamp(min=0)
        found = sum(
            torch.log_softmax(
                network.score_labels(s.label_head[sentence, head], s.label_dependent[sentence, position]), 1
            )
            for network, s in zip(networks, scores, strict=True)
        )
        labels[flat] = found.argmax(1).cpu().numpy()
        for task, values in classes.items():
            values[flat] = sum(torch.log_softmax(s.tags[task], 1) for s in scores).argmax(1).cpu().numpy()
    words = data.words
    columns: dict[str, list[str]] = {"deprels": [first.labels[label] for label in labels[words].tolist()]}
    for task, values in classes.items():
        numbers = values[words]
        names = vocabulary.classes[task]
        columns[TASKS[task]] = (
            vocabulary.lemmas(document, numbers) if task == "lemma" else [names[number] for number in numbers.tolist()]
        )
    return document.replace(heads=heads[words], **columns)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("text", type=Path)
    options.add_argument("models", nargs="+")
    options.add_argument("--longest", type=int, default=60, help="words of a sentence")
    options.add_argument("--words", type=int, default=0, help="about so many words, taken at random; 0: all")
    arguments = options.parse_args()
    lines = list(sentences(arguments.text, arguments.longest))
    if arguments.words:
        random.Random(1).shuffle(lines)
        count, kept = 0, 0
        while kept < len(lines) and count < arguments.words:
            count += len(lines[kept])
            kept += 1
        lines = lines[:kept]
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    models = [ParserModel.load(name) for name in arguments.models]
    sys.stdout.buffer.write(annotate(document_of(lines), models, device).to_conllu().encode())


if __name__ == "__main__":
    main()
