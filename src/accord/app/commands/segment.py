# SPDX-License-Identifier: Apache-2.0
"""``accord segment``: the words of texts, streamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise
from typing import Annotated

import typer

from accord.app import options
from accord.app.against import significance_table
from accord.data.characters import half_width
from accord.data.columns import decode_line
from accord.data.decoding import recoded
from accord.data.files import open_input, open_output, source_name
from accord.data.segmented import read_segmented
from accord.errors import ConfigError
from accord.evaluation.segmentation import SegmentationEvaluation, evaluate_segmentation
from accord.evaluation.significance import mcnemar
from accord.models import model_path
from accord.models.file import read_header
from accord.tasks.segmenter import Segmenter, WordList
from accord.tasks.segmenter.by_tokenizer import TokenizerSegmenter
from accord.tasks.segmenter.model import MODES
from accord.tasks.tokenizer import Tokenizer
from accord.tasks.tokenizer.model import TokenizerModel, TokenWords

_BLOCK = 2000  # lines at a time


def segment(
    model: options.ModelFile,
    files: Annotated[list[str], typer.Argument(help="One text in each line; - or nothing is standard input.")] = ["-"],  # noqa: B006
    lexicon: Annotated[str | None, typer.Option("--lexicon", help="A file with one word in each line.")] = None,
    lexicon_mode: Annotated[
        str,
        typer.Option(
            "--lexicon-mode",
            help="prefer: words of the lexicon get a bonus; force: they are always words; feature: as in training.",
        ),
    ] = "prefer",
    lexicon_bonus: Annotated[
        float, typer.Option("--lexicon-bonus", help="prefer: the bonus of each character, in units of log-probability.")
    ] = 2.0,
    nbest: Annotated[
        int, typer.Option("--nbest", min=1, help="The k best answers: rank, probability, words; tabs between.")
    ] = 1,
    hybrid: Annotated[
        bool | None,
        typer.Option(
            "--hybrid/--no-hybrid", help="Let a dictionary decide doubtful labels. Default: if this helped on dev data."
        ),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", help="Labels less probable than this are doubtful.", min=0.0)
    ] = None,
    evaluate: Annotated[
        bool,
        typer.Option("--evaluate", help="The input is segmented; print how well the answer agrees with the input."),
    ] = False,
    against: options.Against = None,
    to: options.To = "-",
    threads: options.Threads = 0,
    encoding: options.Encoding = "utf-8",
    errors: options.Errors = "strict",
) -> None:
    """Find the words of texts. A blank in the text always ends a word.

    Example: accord segment news.txt --model words.accord --lexicon names.txt --lexicon-mode force
    """
    options.check_choice(lexicon_mode, MODES, "--lexicon-mode")
    if nbest > 1 and (hybrid or evaluate):
        raise typer.BadParameter("--nbest goes with neither --hybrid nor --evaluate", param_hint="--nbest")
    options.check_against(against, evaluate)
    words = WordList.read(lexicon) if lexicon else None
    if read_header(model_path(model)).get("kind") in ("pipeline", "tokenizer"):
        if nbest > 1 or hybrid is not None or threshold is not None:
            raise ConfigError(f"{model}: its tokeniser has neither k best answers nor a dictionary")
        if lexicon_mode == "feature":
            raise ConfigError(f"{model}: lexicon modes of a tokeniser are prefer and force")
        given = None if words is None else TokenWords(words.words, lexicon_mode, lexicon_bonus)
        found_by = TokenizerSegmenter(Tokenizer(TokenizerModel.load(model), given))
        _by_tokenizer(found_by, files, evaluate, to, threads, (encoding, errors))
        return
    segmenter = Segmenter.load(model, words, mode=lexicon_mode, bonus=lexicon_bonus)
    other = Segmenter.load(against) if against is not None else None
    with open_output(to) as out:
        for file in files:
            if evaluate:
                gold = read_segmented(file)
                found = _found(segmenter, gold, hybrid, threshold, threads)
                out.write((score_table(_evaluated(segmenter, gold, found)) + "\n").encode())
                if other is not None:
                    test = mcnemar(_right(gold, found), _right(gold, _found(other, gold, None, None, threads)))
                    out.write((significance_table({"words": test}, str(against)) + "\n").encode())
                continue
            lines = _lines(file, encoding, errors)
            while block := list(islice(lines, _BLOCK)):
                if nbest > 1:
                    for text in block:
                        for rank, one in enumerate(segmenter.kbest(text, nbest), 1):
                            out.write(f"{rank}\t{one.probability:.6f}\t{' '.join(one.value)}\n".encode())
                else:
                    for answer in segmenter.segment(block, hybrid=hybrid, threshold=threshold, threads=threads):
                        out.write((" ".join(answer) + "\n").encode())


def _by_tokenizer(
    segmenter: TokenizerSegmenter, files: list[str], evaluate: bool, to: str, threads: int, encoding: tuple[str, str]
) -> None:
    with open_output(to) as out:
        for file in files:
            if evaluate:
                gold = read_segmented(file)
                found = segmenter.segment(["".join(words) for words in gold], threads=threads)
                out.write((score_table(evaluate_segmentation(gold, found, {})) + "\n").encode())
                continue
            lines = _lines(file, *encoding)
            while block := list(islice(lines, _BLOCK)):
                for words in segmenter.segment(block, threads=threads):
                    out.write((" ".join(words) + "\n").encode())


def score_table(result: SegmentationEvaluation) -> str:
    """Precision, recall, F1 and the recalls of unseen and seen words."""
    unseen, seen, rate = result.recall_unseen or 0.0, result.recall_seen or 0.0, result.unseen_rate or 0.0
    words = result.words
    return (
        f"words {words.gold_total}  precision {words.precision:.2f}  recall {words.recall:.2f}  F1 {words.f1:.2f}  "
        f"R_oov {unseen:.2f}  R_iv {seen:.2f}  unseen {rate:.2f}%"
    )


Words = Sequence[Sequence[str]]


def _found(
    segmenter: Segmenter, gold: Words, hybrid: bool | None, threshold: float | None, threads: int
) -> list[list[str]]:
    texts = ["".join(words) for words in gold]
    return segmenter.segment(texts, hybrid=hybrid, threshold=threshold, threads=threads)


def _evaluated(segmenter: Segmenter, gold: Words, found: Words) -> SegmentationEvaluation:
    if segmenter.model.config.width:  # the vocabulary is half-width then
        gold, found = ([[half_width(word) for word in words] for words in each] for each in (gold, found))
    return evaluate_segmentation(gold, found, segmenter.model.counts)


def _right(gold: Words, found: Words) -> list[bool]:
    """Of each gold word, whether it was found."""

    def places(words: Sequence[str]) -> list[tuple[int, int]]:
        return list(pairwise(accumulate((len(word) for word in words), initial=0)))

    right = []
    for wanted, given in zip(gold, found, strict=True):
        known = set(places(given))
        right += [place in known for place in places(wanted)]
    return right


def _lines(file: str, encoding: str, errors: str) -> Iterator[str]:
    name = source_name(file)
    with open_input(file) as opened:
        source = opened if (encoding, errors) == ("utf-8", "strict") else recoded(opened, encoding, errors)
        for number, line in enumerate(source, start=1):
            yield decode_line(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, name, number)
