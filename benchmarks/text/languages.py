# SPDX-License-Identifier: Apache-2.0
"""The pipelines of the table of languages on their treebanks, beside what UDPipe's authors published.

    python -m benchmarks languages [--only sv,pt] [--models FOLDER] [--part dev]

Scores are CoNLL-18 F1 from raw text and from gold words, everything else predicted. Raw text has an empty line where a
treebank marks the beginning of a paragraph or document, as en and zh are measured; the column ``paragraphs`` says how
many such marks there are. A treebank that does not say where blanks stand has those of the row's ``spacing``. Models
are those of ``accord.load``, or of a folder that ``accord train all`` wrote.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import accord
from accord.errors import ModelError
from accord.models import model_path
from accord.settings import read_table
from accord.tasks.pipeline.languages import Language, read_languages, read_part
from accord.tasks.pipeline.training import StepConfigs, pipeline_scores
from accord.tasks.tokenizer.gold import read_gold, says_spacing
from benchmarks.places import DATA

PUBLISHED = read_table(Path(__file__).with_name("udpipe_published.toml"))["table"]
RAW = ("Words", "Sentences", "UPOS", "Lemmas", "UAS", "LAS")
GIVEN = ("UPOS", "UFeats", "Lemmas", "UAS", "LAS")


def model_of(code: str, folder: Path | None) -> Path | None:
    """The file of a language; None where there is none."""
    if folder is not None:
        path = folder / f"{code}.accord"
        return path if path.is_file() else None
    try:
        return model_path(code)
    except ModelError:
        return None


def shown(score: float | None) -> str:
    """A score; nothing where the treebank lacks the column."""
    return "" if score is None else f"{score:.2f}"


def rows_of(row: Language, path: Path, part: str) -> tuple[list[str], list[str], list[str]]:
    """A language's lines of the three tables."""
    pipeline = accord.load(str(path))
    card, spacing = pipeline.model.card, StepConfigs.read(row.settings).tokenizer.spacing
    names = getattr(row, part)
    facts = (f"{card['words']:,}", f"{card['training_cpu_seconds']} s", f"{path.stat().st_size / 1e6:.1f} MB")
    models = [f"| {row.code} | {row.name} | {row.licence} | " + " | ".join(facts) + " |"]
    scores, beside = [], []
    for name, gold in zip(names, read_part(DATA / "ud", names), strict=True):
        found = pipeline_scores(pipeline, gold, spacing=spacing)
        raw = [shown(found.get(f"raw {metric}")) for metric in RAW]
        given = [shown(found.get(f"words {metric}")) for metric in GIVEN]
        blanks = "marked" if says_spacing([gold]) else spacing
        marks = len(read_gold([gold], spacing=spacing)) - 1
        scores.append(f"| {row.code} | {name} | {blanks} | {marks} | " + " | ".join([*raw, *given]) + " |")
        told = [table["las"].get(name) for table in PUBLISHED] if part == "test" else []
        if any(told):
            own = f"{found['raw LAS']:.2f}, {found['words LAS']:.2f}"
            cells = ["" if pair is None else f"{pair[0]}, {pair[1]}" for pair in told]
            beside.append(f"| {row.code} | {name} | " + " | ".join([own, *cells]) + " |")
    return models, scores, beside


def table(*columns: str) -> str:
    return "| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="languages, with commas")
    parser.add_argument("--models", type=Path, help="folder of models; without it those of accord.load")
    parser.add_argument("--part", choices=["dev", "test"], default="test")
    given = parser.parse_args()
    only = [code for code in given.only.split(",") if code]
    found = [
        rows_of(row, path, given.part)
        for row in read_languages().values()
        if (not only or row.code in only) and (path := model_of(row.code, given.models)) is not None
    ]
    models, scores, beside = ([line for rows in found for line in rows[number]] for number in range(3))
    print(table("model", "treebanks", "licence", "training words", "training, CPU", "file"), *models, "", sep="\n")
    raw, words = [f"raw: {name}" for name in RAW], [f"gold words: {name}" for name in GIVEN]
    print(table("model", "treebank", "blanks", "paragraphs", *raw, *words), *scores, sep="\n")
    if beside:
        titles = [published["title"] for published in PUBLISHED]
        print("", table("model", "LAS, raw text and gold words", "Accord", *titles), *beside, "", sep="\n")
        print(*(f"{published['title']}: {published['source']}." for published in PUBLISHED), sep="\n")


if __name__ == "__main__":
    main()
