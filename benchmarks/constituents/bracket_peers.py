# SPDX-License-Identifier: Apache-2.0
"""Brackets counted by Accord and by PYEVALB, a version of evalb in Python, sentence by sentence.

    python -m benchmarks bracket_peers [--peer-python PYTHON]

The trees of the packaged `en-phrases` are compared with gold trees. PYEVALB knows no parameter files. Both programs
therefore get the same trees: for `plain` without empty elements, function tags and outer brackets; for `collins`
without punctuation as well, and with PRT called ADVP. Accord reads the trees as they were, with its parameters. PYEVALB
counts equal brackets (an NP over an NP of the same words) once, and evalb counts each of them; such sentences are a row
of their own. `other counts`: sentences where one of matched, gold and system brackets, crossing brackets or right tags
differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import accord
from accord.data.constituents import Constituents, plain
from accord.data.constituents.tree import Constituent
from accord.evaluation.bracket_parameters import BracketParameters
from accord.evaluation.parseval import Bracketing, parseval
from benchmarks.constituents.parsers import trees
from benchmarks.inference.solver_tables import table

SETS = ("ptb_sample/wsj-dev", "constituency/en_gumfree-dev", "constituency/en_gentle-test")
PEER = """
import json, sys, time
from PYEVALB import parser, scorer
pairs = json.load(open(sys.argv[1]))
begin = time.process_time()
rows = []
for gold, system in pairs:
    one = scorer.Scorer().score_trees(*map(parser.create_from_bracket_string, (gold, system)))
    rows.append([one.matched_brackets, one.gold_brackets, one.test_brackets, one.cross_brackets, one.correct_tags])
json.dump([rows, time.process_time() - begin], open(sys.argv[2], "w"))
"""


def written(node: Constituent, kept: Sequence[bool], parameters: BracketParameters) -> str:
    """Brackets of a node over the words that are kept, which are called by their numbers; empty without any."""
    if not node.children:
        return f"({node.label} w{node.begin})" if kept[node.begin] else ""
    inside = "".join(filter(None, (written(child, kept, parameters) for child in node.children)))
    return f"({parameters.canonical(node.label)} {inside})" if inside else ""


def bracket_pair(gold: Constituents, system: Constituents, parameters: BracketParameters) -> tuple[str, str]:
    kept = [tag not in parameters.delete for tag in gold.tags]
    return written(gold.root, kept, parameters), written(system.root, kept, parameters)


def peer_counts(python: str, pairs: Sequence[tuple[str, str]]) -> tuple[list[list[int]], float]:
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "pairs.json", Path(folder) / "counts.json"
        given.write_text(json.dumps(pairs))
        subprocess.run([python, "-c", PEER, str(given), str(found)], check=True)
        rows, seconds = json.loads(found.read_text())
        return rows, float(seconds)


def has_twins(pair: tuple[str, str]) -> bool:
    """Is a bracket of one of the trees there twice?"""
    for text in pair:
        tree, _ = Constituents.from_text(text)
        brackets = [(one.label, one.begin, one.end) for one in tree.phrases]
        if len(set(brackets)) < len(brackets):
            return True
    return False


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--peer-python", default=sys.executable, help="interpreter in which PYEVALB is installed")
    given = asked.parse_args()
    parser = accord.load("en-phrases")
    rows = []
    for name in SETS:
        document = trees(name)
        gold = [plain(sentence.constituents) for sentence in document.sentences]
        found = [one.tree for one in parser.trees(document, threads=1)]
        for parameters in (BracketParameters.load("plain"), BracketParameters.load("collins")):
            begin = time.process_time()
            forms = [sentence.forms for sentence in document.sentences]
            score = parseval(
                (Bracketing(s.constituents, s.forms) for s in document.sentences),
                (Bracketing(tree, words) for tree, words in zip(found, forms, strict=True)),
                parameters,
            )
            seconds = time.process_time() - begin
            both = [bracket_pair(one, other, parameters) for one, other in zip(gold, found, strict=True)]
            ours = [(s.correct, s.gold, s.system, s.crossing, s.tags) for s in score.sentences]
            told = [place for place, pair in enumerate(both) if all(pair)]  # without sentences of punctuation alone
            peer, spent = peer_counts(given.peer_python, [both[place] for place in told])
            twins = [has_twins(both[place]) for place in told]
            for kind in (False, True):
                chosen = [
                    (list(ours[place]), counts)
                    for place, counts, one in zip(told, peer, twins, strict=True)
                    if one is kind
                ]
                other = sum(mine != theirs for mine, theirs in chosen)
                f1 = [
                    200 * sum(row[0] for row in side) / max(sum(row[1] + row[2] for row in side), 1)
                    for side in zip(*chosen, strict=True)
                ] or [0.0, 0.0]
                label = "brackets twice" if kind else "others"
                speeds = ("", "") if kind else (f"{len(ours) / seconds:,.0f}", f"{len(told) / spent:,.0f}")
                figures = (f"{f1[0]:.4f}", f"{f1[1]:.4f}")
                rows.append((name.split("/")[1], parameters.name, label, len(chosen), other, *figures, *speeds))
    heads = ("trees", "parameters", "sentences", "number", "other counts", "F1 Accord", "F1 PYEVALB")
    table("Brackets", (*heads, "sentences/s Accord", "sentences/s PYEVALB"), rows)


if __name__ == "__main__":
    main()
