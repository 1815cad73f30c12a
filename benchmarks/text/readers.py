# SPDX-License-Identifier: Apache-2.0
"""What other libraries read in the same treebanks: `python -m benchmarks readers --peer-python PYTHON [--most 300]`.

The interpreter has the packages conllu, pyconll, udapi and spacy. The first sentences of each shared treebank are read
by Accord, and what it writes by each library. A difference is a word or a sentence of which the two say something else:

    conllu    forms, lemmas, tags, features, heads and labels of words; the rows that are written back, byte for byte
    pyconll   ids and texts of sentences; forms, tags, features, heads and labels of words
    udapi     forms, lemmas, tags, heads, labels and children of words
    spacy     the document that comes back from a `Doc`, byte for byte

The table counts files, sentences, words and differences.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LIBRARIES = ("conllu", "pyconll", "udapi", "spacy")
ROOT = Path(__file__).resolve().parents[2]


def sets(features: Any) -> dict[str, list[str]]:
    """Features whose values are sets in some libraries, and in some without an order."""
    return {
        key: sorted(str(value).split(",") if isinstance(value, str) else map(str, value))
        for key, value in dict(features or {}).items()
    }


def known(value: Any) -> str:
    """A column as the file has it."""
    return "_" if value is None or value == "" else str(value)


def rows(text: str) -> list[str]:
    """The lines that are no comments; conllu leaves out comments without "="."""
    return [line for line in text.split("\n") if not line.startswith("#")]


def by_conllu(document: Any) -> Iterator[str]:
    import conllu  # type: ignore[import-not-found]

    text = document.to_conllu()
    theirs = conllu.parse(text)
    for sentence, ours in zip(theirs, document, strict=True):
        words = [word for word in sentence if isinstance(word["id"], int)]
        for word, own in zip(words, ours.words, strict=True):
            columns = [known(word[name]) for name in ("form", "lemma", "upos", "xpos", "head", "deprel")]
            if columns != [own.form, own.lemma, own.upos, own.xpos, known(own.head), own.deprel]:
                yield f"{columns} {own}"
            if sets(word["feats"]) != sets(own.feats.mapping):
                yield f"{word['feats']} {own.feats}"
    written = "".join(sentence.serialize() for sentence in theirs)
    yield from (f"{a!r} {b!r}" for a, b in zip(rows(written), rows(text), strict=True) if a != b)


def by_pyconll(document: Any) -> Iterator[str]:
    import pyconll  # type: ignore[import-not-found]

    for sentence, ours in zip(pyconll.load_from_string(document.to_conllu()), document, strict=True):
        if sentence.id != ours.sent_id or sentence.text != ours.comment("text"):
            yield f"{sentence.id} {ours}"
        words = [word for word in sentence if not word.is_multiword() and not word.is_empty_node()]
        for word, own in zip(words, ours.words, strict=True):
            columns = [known(one) for one in (word.form, word.upos, word.xpos, word.head, word.deprel)]
            if columns != [own.form, own.upos, own.xpos, known(own.head), own.deprel]:
                yield f"{columns} {own}"
            if sets(word.feats) != sets(own.feats.mapping):
                yield f"{word.feats} {own.feats}"


def by_udapi(document: Any) -> Iterator[str]:
    from udapi.core.document import Document  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "treebank.conllu"
        path.write_text(document.to_conllu(), encoding="utf-8")
        theirs = Document(str(path))
    for bundle, ours in zip(theirs.bundles, document, strict=True):
        for node, own in zip(bundle.get_tree().descendants, ours.words, strict=True):
            columns = [
                known(one) for one in (node.form, node.lemma, node.upos, node.xpos, node.parent.ord, node.deprel)
            ]
            if columns != [own.form, own.lemma, own.upos, own.xpos, known(own.head), own.deprel]:
                yield f"{columns} {own}"
            if [child.ord for child in node.children] != [child.id for child in own.children]:
                yield f"children of {own}"


def by_spacy(document: Any) -> Iterator[str]:
    from accord.data import Document

    back = Document.from_spacy(document.to_spacy()).to_conllu().split("\n")
    yield from (f"{a!r} {b!r}" for a, b in zip(back, document.to_conllu().split("\n"), strict=True) if a != b)


BY: dict[str, Callable[[Any], Iterator[str]]] = {
    "conllu": by_conllu,
    "pyconll": by_pyconll,
    "udapi": by_udapi,
    "spacy": by_spacy,
}


def compare(library: str, files: list[Path], most: int) -> dict[str, Any]:
    """What is counted, and the first difference of each file."""
    from accord.data import read

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    counts: dict[str, Any] = {"files": 0, "sentences": 0, "words": 0, "differences": 0, "first": {}}
    for file in files:
        document = read(file)[:most]
        found = list(BY[library](document))
        counts["files"] += 1
        counts["sentences"] += len(document)
        counts["words"] += int(document.lengths.sum())
        counts["differences"] += len(found)
        if found:
            counts["first"][file.name] = found[0]
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="treebanks; all shared ones where none is named")
    parser.add_argument("--most", type=int, default=300, help="sentences of each file")
    parser.add_argument("--peer-python", default=sys.executable, help="an interpreter with the libraries, and numpy")
    parser.add_argument("--library", choices=LIBRARIES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.library:
        print(json.dumps(compare(given.library, given.files, given.most)))
        return
    from benchmarks.places import DATA

    files = [str(file) for file in given.files or sorted((DATA / "ud").glob("*.conllu.xz"))]
    print("| library | files | sentences | words | differences |\n|---|---:|---:|---:|---:|")
    for library in LIBRARIES:
        command = [given.peer_python, __file__, *files, "--library", library, "--most", str(given.most)]
        environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            sys.exit(f"{library}: {done.stderr.strip().splitlines()[-1]}")
        counts = json.loads(done.stdout)
        cells = [f"{counts[name]:,}" for name in ("files", "sentences", "words", "differences")]
        print(f"| {library} | {' | '.join(cells)} |", flush=True)
        for file, first in counts["first"].items():
            print(f"{library}: {file}: {first[:300]}", file=sys.stderr)


if __name__ == "__main__":
    main()
