# SPDX-License-Identifier: Apache-2.0
"""Options that several verbs share, and the reading of files as those about input say."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer

from accord import data
from accord.app import console
from accord.data import Document
from accord.data.document import OnError
from accord.data.files import COMPRESSION_SUFFIXES, open_input, source_name, text_pieces
from accord.data.formats import format_of_name
from accord.errors import ConfigError, FormatError
from accord.tasks.network.config import DEVICES

if TYPE_CHECKING:
    from accord.data import files
    from accord.data.decoding import Rejected
    from accord.tasks.tokenizer.model import TokenWords

Choice = TypeVar("Choice", bound=str | None)

INPUTS = ("auto", "treebank", "text", "sentences", "tokens")
_SAMPLE = 1 << 16
_TEXT_SUFFIXES = (".txt", ".text", ".md")

TextFiles = Annotated[list[str], typer.Argument(help="Text or treebank files; - or nothing is standard input.")]
Input = Annotated[
    str,
    typer.Option(
        "--input",
        help="treebank; text; sentences: one in each line; tokens: one sentence in each line, with blanks; auto.",
    ),
]
Offsets = Annotated[
    bool, typer.Option("--offsets", help="Text: add TokenRange=begin:end, counted in characters, to MISC.")
]
Model = Annotated[str, typer.Option("--model", "-m", help="A packaged model or a model file.")]
ModelFile = Annotated[str, typer.Option("--model", "-m", help="A model file.")]
To = Annotated[str, typer.Option("--to", "-o", help="File to write; - is standard output.")]
NewModel = Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")]
Config = Annotated[Path | None, typer.Option("--config", help="Settings as a TOML file.")]
Card = Annotated[list[str], typer.Option("--card", help="key=value for the model card, e.g. licence.")]
Format = Annotated[
    str,
    typer.Option("--format", help="Format of the input: auto, conllu, conllx, conll2008, conll2009, json, brackets."),
]
KeepGoing = Annotated[
    bool,
    typer.Option(
        "--keep-going",
        help="Go on with a warning: copy unreadable sentences as they are, leave out unreadable lines of text.",
    ),
]
Encoding = Annotated[str, typer.Option("--encoding", help="Encoding of the input, e.g. latin-1, gb18030, utf-16.")]
Errors = Annotated[
    str,
    typer.Option(
        "--errors", help="Bytes that are wrong in the encoding: strict (stop), replace, ignore or backslashreplace."
    ),
]
RejectedFile = Annotated[
    str | None,
    typer.Option(
        "--rejected", help="JSON lines to write: file, line, reason and text of what could not be read (--keep-going)."
    ),
]
LeaveOut = Annotated[bool, typer.Option("--keep-going", help="Leave out unreadable sentences, instead of stopping.")]
Against = Annotated[
    str | None,
    typer.Option("--against", help="With --evaluate: another model; does it differ by more than chance (McNemar)?"),
]
Lexicon = Annotated[
    str | None,
    typer.Option(
        "--lexicon", help="A file with one word in each line: words that are to be tokens.", show_default=False
    ),
]
LexiconMode = Annotated[
    str, typer.Option("--lexicon-mode", help="prefer: words of the lexicon get a bonus; force: they are always words.")
]
Threads = Annotated[int, typer.Option("--threads", min=0, help="Threads; 0 means all cores. Never changes the output.")]
Set = Annotated[list[str], typer.Option("--set", help="A setting as key=value; may be repeated.", show_default=False)]
Resume = Annotated[bool, typer.Option("--resume", help="Continue from the checkpoint of an interrupted run.")]
TrainingReport = Annotated[
    Path | None,
    typer.Option("--report", help="HTML page to write: curves of scores and losses by epoch, final scores, data."),
]
KeepCheckpoint = Annotated[
    bool, typer.Option("--keep-checkpoint", help="Keep the checkpoint, to continue with more epochs later.")
]
Base = Annotated[
    str | None,
    typer.Option(
        "--base",
        help="Model whose lists are reranked; its settings are trained again on parts of the training data.",
        show_default=False,
    ),
]
Device = Annotated[
    str | None,
    typer.Option(
        "--device",
        help=f"{', '.join(DEVICES)}: where a neural scorer is trained; auto: on a GPU where there is one.",
        show_default=False,
    ),
]


def setting_option(kind: type[Any], name: str, *flags: str, show_default: bool = True) -> Any:
    """The option of a command for a setting, with the bounds and the text that its class declares."""
    field = next(field for field in dataclasses.fields(kind) if field.name == name)
    about = field.metadata
    shown = (show_default and field.default not in (None, ())) or name == "keep"
    return typer.Option(*flags, help=about["help"], min=about["low"], max=about["high"], show_default=shown)


def renamed(new: str) -> Any:
    """The callback of an option that had another name: the old one works for a release, with a note."""

    def note(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
        if value and not context.resilient_parsing:
            console.note_renamed(parameter.opts[0], new)
        return value

    return note


# The older name of --probabilities.
Marginals = Annotated[bool, typer.Option("--marginals", hidden=True, callback=renamed("--probabilities"))]


def check_choice(value: str | None, choices: Sequence[Choice], option: str) -> Choice:
    """The value of an option; raises unless it is one of the choices."""
    for choice in choices:
        if choice == value:
            return choice
    named = ", ".join(choice for choice in choices if choice is not None)
    raise typer.BadParameter(f"{value!r}: expected one of {named}", param_hint=option)


def check_against(against: str | None, evaluate: bool) -> None:
    """Raise where another model is named and nothing is evaluated."""
    if against is not None and not evaluate:
        raise typer.BadParameter("goes with --evaluate", param_hint="--against")


def token_words(lexicon: str | None, mode: str) -> TokenWords | None:
    """The words of the file that ``--lexicon`` names."""
    check_choice(mode, ("prefer", "force"), "--lexicon-mode")
    if lexicon is None:
        return None
    from accord.tasks.segmenter.words import WordList
    from accord.tasks.tokenizer.model import TokenWords

    return TokenWords(WordList.read(lexicon).words, mode)


def check_folder(output: Path) -> None:
    """Raise unless there is a folder to write a model to: before it is trained."""
    if not output.resolve().parent.is_dir():
        raise ConfigError(f"{output}: there is no folder {output.parent}")


def with_device(pairs: list[str], device: str | None, setting: str) -> list[str]:
    """The settings of a command line with what ``--device`` says, which counts more."""
    check_choice(device, (None, *DEVICES), "--device")
    return pairs if device is None else [*pairs, f"{setting}={device}"]


def check_device(device: str | None, scorer: str) -> None:
    if device == "cuda" and scorer == "linear":
        raise ConfigError("--device cuda: only neural scorers are trained on a GPU, and this one is linear")


class TextReader(Protocol):
    """What makes documents of running text, such as a tokeniser."""

    def stream(
        self, source: Iterable[str], *, mode: str, offsets: bool, newdoc: str | None, name: str, threads: int
    ) -> Iterator[Document]: ...


@dataclass(frozen=True)
class Reading:
    """How files are read.

    ``input`` "auto": files of a treebank suffix or with rows of columns are treebanks, all else is text. ``rejected``:
    the file that gets what could not be read, where ``keep_going`` reads on.
    """

    input: str
    format: str
    offsets: bool
    keep_going: bool
    threads: int
    encoding: str = "utf-8"
    errors: str = "strict"
    rejected: str | None = None

    def __post_init__(self) -> None:
        check_choice(self.input, INPUTS, "--input")
        if self.rejected is not None and not self.keep_going:
            raise typer.BadParameter("only --keep-going goes on after a row that is rejected", param_hint="--rejected")

    def documents(self, files: Sequence[str], tokenizer: TextReader | None) -> Iterator[Document]:
        """The sentences of files, block by block, as they are or as the tokeniser finds them."""
        if self.rejected is None:
            yield from self._all(files, tokenizer, None)
            return
        from accord.data.decoding import Rejected

        with Rejected.file(self.rejected) as rejected:
            yield from self._all(files, tokenizer, rejected)

    def _all(self, files: Sequence[str], tokenizer: TextReader | None, rejected: Rejected | None) -> Iterator[Document]:
        used: dict[str, int] = {}
        for file in files:
            name = source_name(file)
            used[name] = used.get(name, 0) + 1
            unique = name if used[name] == 1 else f"{name}#{used[name]}"  # the same file again: other sentence ids
            yield from self._documents(file, tokenizer, unique if len(files) > 1 else None, rejected)

    def _documents(
        self, file: str, tokenizer: TextReader | None, newdoc: str | None, rejected: Rejected | None
    ) -> Iterator[Document]:
        with open_input(file) as opened:
            source = opened
            if (self.encoding, self.errors) != ("utf-8", "strict"):
                from accord.data.decoding import recoded

                source = recoded(opened, self.encoding, self.errors)
            input = self.input
            if input == "auto":
                input = "treebank" if self.format != "auto" else _settle(file, source)
                _tell_tables(file, opened, input)
            if input == "treebank":
                on_error: OnError = "keep" if self.keep_going else "raise"
                for block in data.stream(source, format=self.format, on_error=on_error):
                    console.warn(block.problems)
                    if rejected is not None:
                        rejected.sentences(block)
                    yield block
                return
            name = source_name(file)
            if tokenizer is None:
                raise ConfigError(f"{name}: plain text, and this model has no tokeniser (--input treebank?)")
            yield from tokenizer.stream(
                _told_encoding(self._pieces(source, rejected), opened, self.encoding),
                mode=input,
                offsets=self.offsets,
                newdoc=newdoc,
                name=name,
                threads=self.threads,
            )

    def _pieces(self, source: files.Input, rejected: Rejected | None) -> Iterator[str]:
        if not self.keep_going:
            return text_pieces(source)
        from accord.data.decoding import good_lines

        def reject(problem: FormatError, row: bytes) -> None:
            console.warn([problem])
            if rejected is not None:
                rejected(problem, row)

        return good_lines(source, reject)


def _settle(file: str, source: files.Input) -> str:
    """Text or treebank: by the name, else by the first line."""
    plain = _plain_name(file)
    if plain.endswith(_TEXT_SUFFIXES):
        return "text"
    if file != "-" and format_of_name(file):
        return "treebank"
    return _kind(source.peek(_SAMPLE))


def _plain_name(file: str) -> str:
    """The name of a file in lower case, without what says that it is compressed."""
    plain = file.lower()
    for suffix in COMPRESSION_SUFFIXES:
        plain = plain.removesuffix(suffix)
    return plain


def _tell_tables(file: str, source: files.Input, input: str) -> None:
    """Tables are read row by row with --text-field alone: Parquet is refused without it, and CSV is read as text."""
    if source.peek(4)[:4] == b"PAR1":
        raise ConfigError(f"{source_name(file)}: a table of Parquet: --text-field names the field of its texts")
    if input != "text" or file == "-":
        return
    if _plain_name(file).endswith((".csv", ".tsv")):
        console.say(f"{file}: a table, read as one text: --text-field names the field of its texts")


def _told_encoding(pieces: Iterator[str], source: files.Input, encoding: str) -> Iterator[str]:
    """The pieces; where their bytes are not UTF-8, the message says how another encoding is named."""
    start = source.peek(2)[:2]
    try:
        yield from pieces
    except FormatError as error:
        if encoding != "utf-8" or not error.reason.startswith("not UTF-8"):
            raise
        utf_16 = start in (b"\xff\xfe", b"\xfe\xff")
        advice = "it begins like --encoding utf-16" if utf_16 else "--encoding names another, e.g. latin-1 or gb18030"
        raise FormatError(f"{error.reason}; {advice}", file=error.file, line=error.line) from None


def _kind(sample: bytes) -> str:
    for line in sample.removeprefix(b"\xef\xbb\xbf").splitlines():
        if not line.strip():
            continue
        if line.startswith((b"# sent_id", b"# text", b"# newdoc", b"# newpar", b"# global.columns")):
            return "treebank"
        columns = line.split(b"\t")
        row = len(columns) >= 8 or (len(columns) >= 3 and columns[0].isdigit())
        return "treebank" if row or line.lstrip().startswith(b"{") else "text"
    return "text"
