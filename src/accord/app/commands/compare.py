# SPDX-License-Identifier: Apache-2.0
"""``accord compare``: two systems on the same gold trees, with tests, tables and a page of drawings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from accord import data
from accord.app import options
from accord.app.against import share_shown
from accord.data.files import open_output
from accord.errors import ConfigError
from accord.evaluation.bootstrap import PairedBootstrap, Permutation, paired_bootstrap, permutation_test
from accord.evaluation.comparison import Comparison
from accord.evaluation.significance import McNemar, mcnemar


def compare(
    gold: Annotated[str, typer.Argument(help="The gold treebank.")],
    first: Annotated[str, typer.Argument(metavar="A", help="Trees of the first system.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Trees of the second system.")],
    samples: Annotated[int, typer.Option("--samples", min=1, help="Samples of the two tests.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the samples.")] = 0,
    most: Annotated[int, typer.Option("--most", min=1, help="Rows of each table, and sentences of the list.")] = 15,
    report: Annotated[
        Path | None, typer.Option("--report", help="HTML page to write, with plots and drawings of what differs.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    format: options.Format = "auto",
) -> None:
    """Compare two systems: tests of significance, confusions, breakdowns, and the sentences where they differ.

    Example: accord compare gold.conllu old.conllu new.conllu --report differences.html
    """
    documents = [data.read(file, format=format) for file in (gold, first, second)]
    found = Comparison(*documents)
    if not len(found.gold):
        raise ConfigError(f"{gold}: there are no sentences to compare")
    result = _result(found, samples, seed, most)
    if report is not None:
        from accord.app.comparison_page import page

        with open_output(report) as out:
            out.write(page(found, result, (gold, first, second), most).encode())
    typer.echo(json.dumps(result, indent=1, ensure_ascii=False) if as_json else _table(result, first, second, most))


def _result(found: Comparison, samples: int, seed: int, most: int) -> dict[str, Any]:
    tests: dict[str, dict[str, McNemar | PairedBootstrap | Permutation]] = {}
    for name, part in (("UAS", "correct_head"), ("LAS", "correct_arc")):
        one, two = found.counts(part)
        tests[name] = {
            "bootstrap": paired_bootstrap(one, two, _percent, samples=samples, seed=seed),
            "permutation": permutation_test(one, two, _percent, samples=samples, seed=seed),
            "McNemar": mcnemar(*found.right(part)),
        }
    differences = found.differences()
    return {
        "sentences": len(found.gold),
        "words": int(found.gold.lengths.sum()),
        "tests": {name: {kind: test.to_json() for kind, test in each.items()} for name, each in tests.items()},
        "breakdowns": {
            name: {key: {"A": a, "B": b, "words": n} for key, (a, b, n) in rows.items()}
            for name, rows in found.breakdowns().items()
        },
        "confusions": {name: found.confusions(system, most) for system, name in enumerate("AB")},
        "different_sentences": len(differences),
        "differences": [
            {
                "sentence": found.gold.sentences[one.index].sent_id or one.index + 1,
                "index": one.index,
                "A": one.first,
                "B": one.second,
                "words": one.words,
                "text": found.gold.sentences[one.index].text,
            }
            for one in (*differences[:most], *differences[most:][-most:])
        ],
    }


def _percent(sums: Any) -> float:
    return 100 * float(sums[0]) / float(sums[1]) if sums[1] else 0.0


def _table(result: dict[str, Any], first: str, second: str, most: int) -> str:
    lines = [f"A {first}", f"B {second}", f"{result['sentences']} sentences, {result['words']} words", ""]
    for name, tests in result["tests"].items():
        boot, swap, mc = tests["bootstrap"], tests["permutation"], tests["McNemar"]
        lines.append(
            f"{name}  A {boot['first']:.2f}  B {boot['second']:.2f}  difference {boot['difference']:+.2f} "
            f"[{boot['low']:+.2f}, {boot['high']:+.2f}]  p: bootstrap {share_shown(boot['p_value'], boot['samples'])}, "
            f"permutation {swap['p_value']:.4g}, McNemar {mc['exact']:.4g}"
        )
    for name, rows in result["breakdowns"].items():
        lines += ["", f"LAS by {name}"]
        lines += [
            f"{key:<16} A {row['A']:6.2f}  B {row['B']:6.2f}  {row['B'] - row['A']:+6.2f}  words {row['words']}"
            for key, row in list(rows.items())[:most]
        ]
        if len(rows) > most:
            lines.append(f"{len(rows) - most} more: --most {len(rows)}, or --json")
    for name, rows in result["confusions"].items():
        lines += ["", f"labels that {name} confuses (gold, answer)"]
        lines += [f"{count:>6}  {wanted:<14} {got}" for wanted, got, count in rows]
    lines += ["", f"{result['different_sentences']} sentences differ; right words of A and B:"]
    lines += [
        f"{row['A']:>3} {row['B']:>3} of {row['words']:<3} {row['sentence']}  {row['text'][:80]}"
        for row in result["differences"]
    ]
    return "\n".join(lines)
