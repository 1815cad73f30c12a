# SPDX-License-Identifier: Apache-2.0
"""Trees and tags for tokenised text by several networks together: silver data to train a smaller one on.

    python tools/annotate_text.py corpus.txt MODEL MODEL ... > silver.conllu

The models are parsers with networks that learnt from one treebank with different seeds (``accord.torch.ensemble``).
Needs PyTorch; takes a GPU where there is one. Sentences of fewer than three or more than --longest words are left out.
With ``accord train pipeline --distil`` all of this is one command; this tool is for several machines, or for text that
is tokenised already.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import torch

from accord.data.files import open_input
from accord.tasks.network.raw_text import document_of_words
from accord.tasks.parser import ParserModel
from accord.tasks.pipeline.silver import Variation, read_lemmas, vary
from accord.torch.ensemble import Ensemble

TOGETHER = 4000  # sentences


def sentences(path: Path, longest: int) -> list[list[str]]:
    with open_input(path) as file:
        lines = [line.decode(errors="replace").split() for line in file]
    return [words for words in lines if 3 <= len(words) <= longest]


def some(lines: list[list[str]], words: int) -> list[list[str]]:
    """About so many words of them."""
    random.Random(1).shuffle(lines)
    count = kept = 0
    while kept < len(lines) and count < words:
        count += len(lines[kept])
        kept += 1
    return lines[:kept]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("text", type=Path)
    options.add_argument("models", nargs="+")
    options.add_argument("--longest", type=int, default=60, help="words of a sentence")
    options.add_argument("--words", type=int, default=0, help="about so many words, taken at random; 0: all")
    options.add_argument("--vary", action="store_true", help="write a part in capitals, with curly quotes and the like")
    options.add_argument("--lemmas", type=Path, help="file of forms, UPOS and lemmas that corrects lemmas")
    arguments = options.parse_args()
    lines = sentences(arguments.text, arguments.longest)
    lines = some(lines, arguments.words) if arguments.words else lines
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    ensemble = Ensemble([ParserModel.load(name) for name in arguments.models], device)
    lemmas = read_lemmas(arguments.lemmas) if arguments.lemmas else None
    for begin in range(0, len(lines), TOGETHER):
        found = ensemble.annotate(document_of_words(lines[begin : begin + TOGETHER]))
        text = vary(found, Variation() if arguments.vary else None, lemmas, seed=begin)
        sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    main()
