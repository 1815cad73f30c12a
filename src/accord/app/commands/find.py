# SPDX-License-Identifier: Apache-2.0
"""``accord find``: sentences and words that match a tree pattern, streamed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import typer

from accord import data
from accord.app import console, options
from accord.data.features import Feats
from accord.data.files import open_output
from accord.data.search import Match, Pattern
from accord.data.search.syntax import column_named
from accord.errors import ConfigError

OUTPUTS = ("conllu", "table", "text", "svg", "html", "count")


def find(
    pattern: Annotated[str, typer.Argument(help="For example 'V >nsubj S; !V >obj O'; conditions stand in brackets.")],
    files: Annotated[list[str], typer.Argument(help="Treebank files; - or nothing is standard input.")] = ["-"],  # noqa: B006
    output: Annotated[str, typer.Option("--output", help=f"{', '.join(OUTPUTS)}; table: one line a match.")] = "table",
    by: Annotated[
        list[str],
        typer.Option(
            "--by", help="Count matches by a column of a word, e.g. V.lemma; may be repeated.", show_default=False
        ),
    ] = [],  # noqa: B006
    limit: Annotated[int, typer.Option("--limit", min=0, help="Most sentences with matches; 0 means all.")] = 0,
    to: options.To = "-",
    format: options.Format = "auto",
    keep_going: options.LeaveOut = False,
) -> None:
    """Find words, arcs and paths in treebanks.

    Nodes are names, with conditions in brackets behind them; > and < are arcs (>nsubj with a label), >> and << paths,
    . and .. order; ! negates. See docs/library.md.

    Example: accord find 'V >nsubj S; !V >obj O' treebank.conllu --by V.lemma
    """
    options.check_choice(output, OUTPUTS, "--output")
    wanted = Pattern(pattern)
    keys = [_key(one, wanted) for one in by]
    for doubt in wanted.doubts:
        console.tell(f"note: {doubt}")
    matches = _limited(_matches(wanted, files, format, keep_going), limit)
    with open_output(to) as out:
        if by or output == "count":
            for line in _counted(matches, keys):
                out.write(line.encode())
        elif output == "table":
            names = wanted.names or tuple(wanted._wanted.nodes)[:1]
            out.write(("\t".join(["file", "sentence", *names, "text"]) + "\n").encode())
            for match in matches:
                out.write((_row(match, names) + "\n").encode())
        elif output == "conllu":
            for group in _by_sentence(matches):
                out.write(_marked(group))
        else:
            _draw(matches, output, pattern, out)


def _matches(wanted: Pattern, files: list[str], format: str, keep_going: bool) -> Iterator[Match]:
    sentences, found = 0, False
    for file in files:
        for block in data.stream(file, format=format, on_error="keep" if keep_going else "raise"):
            console.warn(block.problems)
            sentences += len(block)
            for match in wanted.search(block):
                found = True
                yield match
    if not found:
        console.tell(f"note: no match in {sentences:,} sentence{'' if sentences == 1 else 's'}")


def _limited(matches: Iterator[Match], limit: int) -> Iterator[Match]:
    """The matches of the first ``limit`` sentences that have some."""
    seen, last = 0, None
    for match in matches:
        place = (id(match.document), match.index)
        if place != last:
            seen, last = seen + 1, place
        if limit and seen > limit:
            return
        yield match


def _by_sentence(matches: Iterator[Match]) -> Iterator[list[Match]]:
    group: list[Match] = []
    for match in matches:
        if group and (group[0].document is not match.document or group[0].index != match.index):
            yield group
            group = []
        group.append(match)
    if group:
        yield group


def _name(match: Match) -> str:
    sentence = match.sentence
    return sentence.sent_id or str(sentence.line or match.index + 1)


def _row(match: Match, names: tuple[str, ...]) -> str:
    sentence = match.sentence
    words = [f"{number}:{sentence.words[number - 1].form}" for number in (match.words[name] for name in names)]
    return "\t".join([match.document.name, _name(match), *words, sentence.text])


def _marked(group: list[Match]) -> bytes:
    """The sentence as it is, with a comment for each match: ``# match = V:2 S:1``."""
    comments = [
        "# match = " + " ".join(f"{name}:{number}" for name, number in match.words.items() if name[0] != "_")
        for match in group
    ]
    text = bytes(group[0].document.native.text(group[0].index))
    return "".join(f"{comment.rstrip(' =')}\n" for comment in comments).encode() + text + b"\n"


def _key(text: str, wanted: Pattern) -> tuple[str, str]:
    name, _, column = text.partition(".")
    if name not in wanted.names or not column:
        known = ", ".join(wanted.names) or "those of the pattern, which names none"
        raise ConfigError(f"--by {text!r}: expected NAME.column, NAME one of {known}")
    return name, column_named(column, f"--by {text!r}")


def _value(match: Match, name: str, column: str) -> str:
    word = match.sentence.words[match.words[name] - 1]
    kind, _, key = column.partition(".")
    return str(getattr(word, kind)) if not key else Feats(getattr(word, kind)).mapping.get(key) or "_"


def _counted(matches: Iterator[Match], keys: list[tuple[str, str]]) -> Iterator[str]:
    counts = Counter(tuple(_value(match, *key) for key in keys) for match in matches)
    for values, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield "\t".join([str(count), *values]) + "\n"
    if not counts and not keys:
        yield "0\n"


def _draw(matches: Iterator[Match], output: str, pattern: str, out: object) -> None:
    from accord.app.commands.show import single
    from accord.drawing import draw_page, draw_sentence

    sentences = [group[0].sentence for group in _by_sentence(matches)]
    if output == "html":
        drawn = draw_page(sentences, pattern)
    elif output == "svg":
        drawn = draw_sentence(single(sentences, "take the first with --limit 1"), "svg")
    else:
        drawn = "".join(draw_sentence(sentence, "text") + "\n\n" for sentence in sentences)
    out.write(drawn.encode())  # type: ignore[attr-defined]
