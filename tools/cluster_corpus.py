# SPDX-License-Identifier: Apache-2.0
"""The text that the packaged English word clusters are made of, tokenised and lower-cased, a sentence a line.

    python tools/cluster_corpus.py RAW_TEXT_FOLDER TRAIN.conllu.xz --model en > corpus.txt
    accord cluster corpus.txt --to clusters.txt

Only texts that may be shared: film reviews and subjectivity sentences (CC BY 4.0), Wikipedia (CC BY-SA), addresses of
presidents (public domain), and the training part of English-EWT (CC BY-SA). Two of them are tokenised by a model.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterator
from pathlib import Path

import accord
from accord import data

TOKENISED = ("movie_reviews", "subjectivity", "wikitext2-valid", "wikitext2-test")
PLAIN = ("state_union", "inaugural")
MARKS = {" @-@ ": " - ", " @,@ ": ",", " @.@ ": "."}


def lines(folder: Path, treebank: Path, model: str) -> Iterator[str]:
    for name in TOKENISED:
        with lzma.open(folder / f"en_{name}.txt.xz", "rt", encoding="utf-8") as file:
            for line in file:
                for mark, plain in MARKS.items():
                    line = line.replace(mark, plain)
                yield " ".join(word for word in line.split() if word != "<unk>")
    tokenizer = accord.Tokenizer.load(model)
    for name in PLAIN:
        with lzma.open(folder / f"en_{name}.txt.xz", "rt", encoding="utf-8") as file:
            for document in tokenizer.stream(file):
                yield from (" ".join(sentence.forms) for sentence in document.sentences)
    yield from (" ".join(sentence.forms) for sentence in data.read(treebank).sentences)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("treebank", type=Path)
    options.add_argument("--model", default="en", help="whose tokeniser is used")
    arguments = options.parse_args()
    for line in lines(arguments.folder, arguments.treebank, arguments.model):
        print(line.lower())


if __name__ == "__main__":
    main()
