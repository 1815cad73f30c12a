# SPDX-License-Identifier: Apache-2.0
"""Brackets counted by Accord and by evalb itself, sentence by sentence.

    python -m benchmarks evalb --program EVALB [--parameters COLLINS.prm]

The trees of the packaged `en-phrases`, with the tags of the packaged pipeline, are compared with gold trees: on English
as a parser's trees are, on other languages as a test of odd trees. Both programs read the same parameter file. evalb
refuses a sentence if one side deletes a word and the other does not, so words that are punctuation by gold or by the
system keep their gold tag. Outer brackets without a label are called TOP, because evalb counts a bracket without label.
*Other counts* are sentences where one of length, matched, gold, system and crossing brackets, words or right tags
differs.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import accord
from accord.data.constituents import Constituents
from accord.evaluation.bracket_parameters import BracketParameters
from accord.evaluation.parseval import Bracketing, SentenceBrackets, parseval
from benchmarks.constituents.parsers import trees
from benchmarks.inference.solver_tables import table

ENGLISH = ("ptb_sample/wsj-dev", "constituency/en_gumfree-dev", "constituency/en_gentle-test")
OTHERS = (
    "constituency/is_icepahc-dev",
    "constituency/es_cess-dev",
    "constituency/pt_floresta-dev",
    "constituency/zh_sinica-dev",
)
COLUMNS = 12  # of evalb's table of sentences


def retagged(tree: Constituents, forms: tuple[str, ...], gold: Constituents, deleted: frozenset[str]) -> str:
    """Brackets of a tree; words that one of both trees calls punctuation have the gold tag."""
    told = zip((tag for tag in gold.tags if tag != "-NONE-"), tree.tags, strict=True)
    tags = iter([one if {one, other} & deleted else other for one, other in told])
    return re.sub(r"\(([^\s()]+) ([^\s()]+)\)", lambda found: f"({next(tags)} {found[2]})", tree.brackets(forms))


def without_outer(tree: Constituents, forms: tuple[str, ...]) -> str:
    text = tree.brackets(forms)
    return text if tree.root.label else text[1:-1].strip()


def counts_of_evalb(program: Path, parameters: Path, gold: list[str], system: list[str]) -> Iterator[tuple[int, ...]]:
    """Length, matched, gold, system, crossing, words and right tags of each sentence, as evalb prints them."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in (("gold", gold), ("system", system)):
            files.append(Path(folder) / name)
            files[-1].write_text("".join(f"(TOP {line})\n" for line in lines), encoding="utf-8")
        command = [str(program), "-e", str(len(gold)), "-p", str(parameters), *map(str, files)]
        printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    for line in printed.splitlines():
        fields = line.split()
        if len(fields) == COLUMNS and fields[0].isdecimal():
            yield (int(fields[1]), *(int(field) for field in fields[5:11]))


def counts_of_accord(one: SentenceBrackets) -> tuple[int, ...]:
    return one.length, one.correct, one.gold, one.system, one.crossing, one.words, one.tags


def f1(rows: list[tuple[int, ...]]) -> float:
    return 200 * sum(row[1] for row in rows) / max(sum(row[2] + row[3] for row in rows), 1)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--program", type=Path, required=True, help="evalb, compiled")
    asked.add_argument("--parameters", type=Path, help="a parameter file; COLLINS.prm beside the program")
    given = asked.parse_args()
    file = given.parameters or given.program.parent / "COLLINS.prm"
    parameters = BracketParameters.load(file)
    parser, pipeline = accord.load("en-phrases"), accord.load("en")
    rows = []
    for name in (*ENGLISH, *OTHERS):
        document = trees(name)
        tagged = pipeline(document.replace(xpos=["_"] * int(document.heads.size)))
        gold = [sentence.constituents for sentence in document.sentences]
        forms = [sentence.forms for sentence in document.sentences]
        found = [one.tree for one in parser.trees(tagged, threads=1)]
        system = [retagged(*one, parameters.delete) for one in zip(found, forms, gold, strict=True)]
        written = [without_outer(*one) for one in zip(gold, forms, strict=True)]
        begin = time.process_time()
        score = parseval(
            (Bracketing(tree, words) for tree, words in zip(gold, forms, strict=True)),
            (Bracketing(Constituents.from_text(text)[0], words) for text, words in zip(system, forms, strict=True)),
            parameters,
        )
        seconds = time.process_time() - begin
        ours = [counts_of_accord(one) for one in score.sentences]
        theirs = list(counts_of_evalb(given.program, file, written, system))
        other = sum(one != peer for one, peer in zip(ours, theirs, strict=True))
        figures = (f"{f1(ours):.4f}", f"{f1(theirs):.4f}", f"{len(ours) / seconds:,.0f}")
        rows.append((name.split("/")[1], len(ours), other, *figures))
    table(
        f"Brackets, parameters {file.name}",
        ("trees", "sentences", "other counts", "F1 Accord", "F1 evalb", "sentences/s Accord"),
        rows,
    )


if __name__ == "__main__":
    main()
