# SPDX-License-Identifier: Apache-2.0
"""``python -m tools.entity_data FOLDER OUTPUT``: the data of the packaged model ``en-entities``, as CoNLL-U.

FOLDER holds WNUT 2017 (CC BY 4.0) and the dev and test parts of Universal NER for English-EWT (CC BY-SA 4.0), which has
the three labels PER, LOC and ORG. Corporations and groups of WNUT become ORG; its products and creative works are left
out. The packaged ``en`` adds the tags, so that the model learns from tags as it will meet them.

    accord train spans OUTPUT/train.conllu --output en-entities.accord --set prune=0.05 --set epochs=8
    accord spans OUTPUT/test.conllu --model en-entities.accord --evaluate
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterator
from pathlib import Path

import accord
from accord.data import Document, Sentence

LABELS = {
    "person": "PER",
    "location": "LOC",
    "corporation": "ORG",
    "group": "ORG",
    "PER": "PER",
    "LOC": "LOC",
    "ORG": "ORG",
}
PARTS = {"train": ("wnut17-train.conll.xz", "wnut17-dev.conll.xz", "uner_en_ewt-dev.iob2.xz"),
         "test": ("uner_en_ewt-test.iob2.xz",)}  # fmt: skip


def read_tokens(path: Path) -> Iterator[list[tuple[str, str]]]:
    """Sentences of (token, label)."""
    form, label = (1, 2) if ".iob2" in path.name else (0, 1)
    found: list[tuple[str, str]] = []
    lines = lzma.decompress(path.read_bytes()).decode("utf-8").split("\n")
    for line in (*lines, ""):
        fields = line.rstrip("\n").split("\t")
        if len(fields) > label and not (line.startswith("# ") and form):
            found.append((fields[form].strip() or "_", mapped(fields[label].strip())))
        elif not line.strip() and found:
            yield found
            found = []


def mapped(label: str) -> str:
    place, _, kind = label.partition("-")
    return f"{place}-{LABELS[kind]}" if kind in LABELS else "O"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    nlp = accord.load("en")
    for part, files in PARTS.items():
        sentences = [
            Sentence.from_words([form for form, _ in one], misc=[f"NER={label}" for _, label in one])
            for file in files
            for one in read_tokens(given.folder / file)
        ]
        document = nlp.tag(Document.from_sentences(sentences))
        (given.output / f"{part}.conllu").write_bytes(document.to_bytes())


if __name__ == "__main__":
    main()
