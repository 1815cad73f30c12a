# SPDX-License-Identifier: Apache-2.0
"""``accord parse``: trees for the sentences of files, streamed."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from accord.app import console, options
from accord.app.scripts import tell_script
from accord.data import Document, Sentence
from accord.data.files import open_output
from accord.data.jsonlines import sentence_to_json
from accord.errors import ConfigError, FormatError
from accord.models.file import model_path, packaged_models, read_header
from accord.tasks.network.config import PRECISIONS
from accord.tasks.parser import ParseOptions, Parser, Search, Trees
from accord.tasks.parser.options import STATUSES, TAGS
from accord.tasks.pipeline import Pipeline
from accord.tasks.registry import row

if TYPE_CHECKING:
    from accord.inference.rules import Rule
    from accord.tasks.constituents import ConstituencyParser
    from accord.tasks.reranker import Reranker

OUTPUTS = ("same", "conllu", "conllx", "json", "brackets", "text", "plain", "svg", "html")
KEEPS = ("nothing", "given")
BUDGET = STATUSES.index("budget")
DEFAULTS = ParseOptions()
_option = partial(options.setting_option, ParseOptions)
_search = partial(options.setting_option, Search)


def parse(
    files: options.TextFiles = ["-"],  # noqa: B006
    model: options.Model = "en",
    output: Annotated[
        str, typer.Option("--output", help=f"{', '.join(OUTPUTS)}; same: the format of the input; plain: the text.")
    ] = "same",
    input: options.Input = "auto",
    tags: Annotated[str, _option("tags", "--tags")] = DEFAULTS.tags,
    offsets: options.Offsets = False,
    to: options.To = "-",
    nbest: Annotated[int, _option("k", "--nbest")] = DEFAULTS.k,
    probabilities: Annotated[bool, _option("probabilities", "--probabilities")] = DEFAULTS.probabilities,
    marginals: options.Marginals = False,
    keep: Annotated[str, _option("keep", "--keep")] = "nothing",
    constraint: Annotated[list[str], _option("rules", "--constraint")] = [],  # noqa: B006
    constraints: Annotated[Path | None, typer.Option("--constraints", help="Rules as a TOML file.")] = None,
    solver: Annotated[str | None, _search("solver", "--solver")] = DEFAULTS.search.solver,
    exact: Annotated[
        bool, typer.Option("--exact", help="The provably best tree of the candidate arcs, by branch and bound.")
    ] = False,
    iterations: Annotated[int | None, _search("iterations", "--iterations")] = DEFAULTS.search.iterations,
    step_rule: Annotated[str | None, _search("step_rule", "--step-rule")] = DEFAULTS.search.step_rule,
    budget_ms: Annotated[float | None, _search("seconds", "--budget-ms", show_default=False)] = None,
    status: Annotated[bool, _option("status", "--status")] = DEFAULTS.status,
    enhance: Annotated[
        bool, typer.Option("--enhance", help="Make enhanced dependencies (DEPS) of the trees, by rules for English.")
    ] = False,
    constituents: Annotated[
        str | None,
        typer.Option(
            "--constituents",
            help="Also find phrases, by this model of constituents; alone: phrases by --model, which finds words too.",
            show_default=False,
        ),
    ] = None,
    agree: Annotated[
        bool,
        typer.Option("--agree", help="With --constituents: the best phrases and heads that agree with each other."),
    ] = False,
    tag_rules: Annotated[
        str | None,
        typer.Option(
            "--tag-rules",
            help="With --agree: tags take part, by these rules of phrases and tags: ud-english, or a file.",
            show_default=False,
        ),
    ] = None,
    reranker: Annotated[
        str | None,
        typer.Option("--reranker", help="Choose among the best trees by this reranker of lists.", show_default=False),
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option("--precision", help="float32 or int8: arithmetic of neural models.", show_default=False),
    ] = None,
    lexicon: options.Lexicon = None,
    lexicon_mode: options.LexiconMode = "prefer",
    threads: Annotated[int, _option("threads", "--threads")] = DEFAULTS.threads,
    format: options.Format = "auto",
    text_field: Annotated[
        str | None,
        typer.Option(
            "--text-field", help="Parse this field of each row of .jsonl, .csv, .tsv or .parquet.", show_default=False
        ),
    ] = None,
    id_field: Annotated[
        str | None, typer.Option("--id-field", help="The field with the row's id; else its line.", show_default=False)
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="--text-field: can be killed, and goes on where it was.")
    ] = False,
    encoding: options.Encoding = "utf-8",
    errors: options.Errors = "strict",
    keep_going: options.KeepGoing = False,
    rejected: options.RejectedFile = None,
) -> None:
    """Parse text or treebanks into dependency trees, and with --constituents into trees of phrases too.

    A joint model of words, tags and phrases gives phrases alone, of texts that stand one in each line.

    Example: accord parse letter.txt --model en --output text
    """
    options.check_choice(output, (*OUTPUTS, "parquet", "docbin"), "--output")
    if (id_field or resume or output in ("parquet", "docbin")) and text_field is None:
        raise typer.BadParameter("it goes with tables of texts: --text-field", param_hint="--text-field")
    reading = options.Reading(input, format, offsets, keep_going, threads, encoding, errors, rejected)
    options.check_choice(keep, KEEPS, "--keep")
    options.check_choice(precision, (None, *PRECISIONS), "--precision")
    probabilities = probabilities or marginals
    if nbest > 1 and probabilities:
        raise typer.BadParameter("--nbest and --probabilities exclude each other", param_hint="--probabilities")
    if exact and solver not in (None, "branch_and_bound"):
        raise typer.BadParameter("--exact chooses the solver", param_hint="--solver")
    if budget_ms is not None and not budget_ms > 0:
        raise typer.BadParameter("a budget is more than 0", param_hint="--budget-ms")
    if status and nbest > 1:
        raise typer.BadParameter("--nbest says itself which trees are proved, without --status", param_hint="--nbest")
    asked = ParseOptions(
        rules=_rules(constraint, constraints),
        search=Search(
            solver="branch_and_bound" if exact else solver,
            iterations=iterations,
            step_rule=step_rule,
            seconds=DEFAULTS.search.seconds if budget_ms is None else budget_ms / 1000,
        ),
        k=nbest,
        probabilities=probabilities,
        keep="given" if keep == "given" else None,
        tags=options.check_choice(tags, TAGS, "--tags"),
        status=status,
        threads=threads,
    )
    joint = joint_model(model, constituents)
    if joint is not None:
        if probabilities or asked.rules or enhance or reranker is not None or text_field is not None:
            raise typer.BadParameter("a joint model gives words, tags and phrases, and no more", param_hint="--model")
        from accord.app.joint_phrases import JointDocuments
        from accord.tasks.joint_constituents import JointConstituencyParser

        found = JointDocuments(JointConstituencyParser.load(joint), nbest=nbest, threads=threads)
        _write_all(found.of(reading, files), output, to, lists=nbest > 1)
        return
    if constituents is not None and nbest > 1:  # trees of phrases are ranked; of dependencies there is the best tree
        if agree or reranker is not None:
            raise typer.BadParameter("it goes without --agree and --reranker", param_hint="--nbest")
        asked = dataclasses.replace(asked, k=1)
    if agree and (constituents is None or reranker is not None or asked.rules or keep == "given"):
        raise typer.BadParameter("needs --constituents, and neither rules, --keep nor --reranker", param_hint="--agree")
    if tag_rules is not None and not agree:
        raise typer.BadParameter("it goes with --agree", param_hint="--tag-rules")
    better = None if reranker is None else load_reranker(reranker, constituents, asked)
    words = None if lexicon is None else options.token_words(lexicon, lexicon_mode)
    pipeline = Pipeline.load(model, precision=precision, words=words)
    if pipeline.parser is None:
        raise ConfigError(f"{model}: this model has no parser")
    if any(file != "-" and ("*" in file or os.path.isdir(file)) for file in files):  # noqa: PTH112
        from accord.app.corpora import expanded

        files = expanded(files, tables=text_field is not None)
    if text_field is not None:
        from accord.app.corpora import Job, parse_tables

        if constituents is not None or better is not None or input == "treebank":
            raise typer.BadParameter(
                "goes without --constituents, --reranker and --input treebank", param_hint="--text-field"
            )
        about = {"model": model, "lexicon": [lexicon, lexicon_mode], "precision": precision, "options": repr(asked)}
        chosen = "json" if output == "same" else output
        job = Job(files, text_field, id_field, chosen, to, resume, reading, enhance, about)
        parse_tables(pipeline, job, asked)
        return
    parsing = _Parsing(pipeline.parser, asked, better)
    blocks = tell_script(reading.documents(files, pipeline.tokenizer), pipeline.language, model)
    parsed: Iterator[Document]
    if agree:
        parsed = _agreeing(pipeline, parsing, blocks, str(constituents), tag_rules)
    else:
        parsed = (parsing.parse(pipeline, block) for block in blocks)
    if enhance:
        from accord.data.enhancing import enhance as enhanced

        parsed = (enhanced(document) for document in parsed)
    if constituents is not None and not agree:
        parsed = with_phrases(parsed, constituents, threads, better, nbest)
    _write_all(parsed, output, to, lists=nbest > 1)
    parsing.report()


def _agreeing(
    pipeline: Pipeline, parsing: _Parsing, blocks: Iterator[Document], phrases: str, rules: str | None
) -> Iterator[Document]:
    """Blocks with phrases and heads that agree, and with tags that do where there are rules about them."""
    from accord.tasks.constituents.agreeing import AgreeingParsers

    if rules is not None and (pipeline.tagger is None or parsing.options.tags == "keep"):
        raise typer.BadParameter("needs a tagger, and not --tags keep", param_hint="--tag-rules")
    both = AgreeingParsers.load(parsing.parser, phrases, tagger=pipeline.tagger, rules=rules)
    predicted = parsing.options.tags == "predict"
    for block in blocks:
        parsed = parsing.parse(pipeline, block)
        yield both(parsed, None if predicted else block)


def _rules(texts: list[str], file: Path | None) -> tuple[Rule, ...]:
    if not texts and file is None:
        return ()
    from accord.inference.rules import parse_rule, read_rules

    return (*map(parse_rule, texts), *(() if file is None else read_rules(file)))


def joint_model(model: str, constituents: str | None) -> str | None:
    """The joint model of words, tags and phrases that is asked for, by either option; None: another kind of parser."""

    def is_joint(name: str) -> bool:
        if name in packaged_models():  # none of them is, and headers take time to read
            return False
        return read_header(model_path(name)).get("kind") in row("joint-constituents").kinds

    if constituents and is_joint(constituents):
        if model != "en":
            raise typer.BadParameter("this model finds words itself, without --model", param_hint="--constituents")
        return constituents
    if is_joint(model):
        if constituents:
            raise typer.BadParameter(f"{model} finds phrases itself", param_hint="--constituents")
        return model
    if constituents == "":
        raise typer.BadParameter(f"{model} finds no phrases: name a model of constituents", param_hint="--constituents")
    return None


def _write_all(parsed: Iterator[Document], output: str, to: str, *, lists: bool) -> None:
    """What was parsed, as it comes; drawings of all of it. ``lists``: a sentence stands there once for each tree."""
    with open_output(to) as out:
        if output in ("svg", "html"):
            from accord.app.commands.show import single  # only those who draw wait for the brush
            from accord.drawing import draw_page, draw_sentence

            sentences = [s for document in parsed for s in document.sentences if len(s) > 0]
            page = output == "html"
            how = "draw conllu by accord show --sentence"
            drawing = draw_page(sentences, "accord parse") if page else draw_sentence(single(sentences, how), "svg")
            out.write(drawing.encode())
        else:
            for document in parsed:
                if lists and output == "json":
                    _write_lists(document, out)
                else:
                    _write(document, output, out)
                if to == "-":  # who waits for the answer gets it
                    out.flush()


def load_reranker(path: str, constituents: str | None, asked: ParseOptions) -> Reranker:
    """The reranker of a file, which must rank what is asked for."""
    from accord.tasks.reranker import Reranker  # only those who rerank wait for it

    found = Reranker.load(path)
    if found.kind == "phrases" and constituents is None:
        raise typer.BadParameter("it ranks phrases, which --constituents finds", param_hint="--reranker")
    if found.kind not in ("phrases", "dependencies"):
        raise ConfigError(f"{path}: this reranker ranks {found.kind}, and not trees")
    if found.kind == "dependencies" and (
        asked.k > 1 or asked.probabilities or asked.rules or asked.keep or asked.status
    ):
        raise typer.BadParameter(
            "it goes without --nbest, --probabilities, --constraint, --keep and --status", param_hint="--reranker"
        )
    return found


def with_phrases(
    documents: Iterator[Document], model: str, threads: int, reranker: Reranker | None = None, nbest: int = 1
) -> Iterator[Document]:
    """The documents with trees of phrases by a model of constituents; each sentence once for each of its best trees."""
    from accord.tasks.constituents import ConstituencyParser  # only those who ask for phrases wait for it

    parser = ConstituencyParser.load(model)
    if reranker is not None and reranker.kind == "phrases":
        return (reranker.parse(parser, document) for document in documents)
    if nbest > 1:
        return (_phrase_lists(parser, document, nbest) for document in documents)
    return (parser(document, threads=threads) for document in documents)


def _phrase_lists(parser: ConstituencyParser, document: Document, nbest: int) -> Document:
    found: list[Sentence] = []
    for sentence in document.sentences:
        if len(sentence) == 0:
            found.append(sentence)
            continue
        own = ("# nbest =", "# score =", "# log_probability =")
        kept = tuple(comment for comment in sentence.comments if not comment.startswith(own))
        ranked = parser.kbest(sentence, nbest)
        same = []
        for rank, one in enumerate(ranked, 1):
            chance = () if one.log_probability is None else (f"# log_probability = {one.log_probability:.6f}",)
            comments = (*kept, f"# nbest = {rank}", f"# score = {one.score:.6f}", *chance)
            same.append(dataclasses.replace(sentence, comments=comments))
        trees = [one.value for one in ranked]
        found.extend(Document.from_sentences(same).with_constituents(trees).sentences)
    return Document.from_sentences(found)


def _write(document: Document, output: str, out: BinaryIO) -> None:
    if output == "text":
        from accord.drawing import draw_sentence

        for sentence in document.sentences:
            if len(sentence) > 0:
                out.write((draw_sentence(sentence, "text") + "\n\n").encode())
    elif output == "plain":
        out.write(plain_text(document).encode())
    else:
        out.write(document.to_bytes(None if output == "same" else output))


def plain_text(document: Document) -> str:
    """The text that was parsed, character for character; of a treebank one sentence a line."""
    if document.from_text:
        return document.text
    return "".join(f"{sentence.text}\n" for sentence in document.sentences if len(sentence) > 0)


def _write_lists(document: Document, out: BinaryIO) -> None:
    """One line a sentence: the list of its trees."""
    trees: list[str] = []
    for sentence in document.sentences:
        if sentence.verbatim is not None:
            continue
        if trees and sentence.comment("nbest") in (None, "1"):
            out.write(f"[{','.join(trees)}]\n".encode())
            trees = []
        trees.append(sentence_to_json(sentence))
    if trees:
        out.write(f"[{','.join(trees)}]\n".encode())


class _Parsing:
    """A parser with its options; counts the sentences and those that the budget cut short."""

    def __init__(self, parser: Parser, options: ParseOptions, reranker: Reranker | None = None) -> None:
        self.parser = parser
        self.reranker = reranker if reranker is not None and reranker.kind == "dependencies" else None
        self.options = options
        self._longest = 0
        self._sentences = 0
        self._unproved = 0
        self._told_tags = False

    def parse(self, pipeline: Pipeline, block: Document) -> Document:
        """The block with its trees; with a list of trees, each sentence once per tree."""
        self._tell_tags(block)
        document = pipeline.ready_to_parse(block, self.options)
        self._longest = max(self._longest, int(document.lengths.max(initial=0)))
        self._sentences += len(document)
        if self.reranker is not None:
            return self.reranker.parse(self.parser, document)
        if self.options.k > 1:
            sentences = enumerate(document.sentences)
            return Document.from_sentences(
                tree for index, one in sentences for tree in self._ranked(document, index, one)
            )
        asked = self.options
        if asked.keep is not None:
            given = self.parser.given(document, threads=asked.threads)
            console.warn(given.problems)
            asked = dataclasses.replace(asked, keep=given)
        trees = self.parser.trees(document, asked)
        self._warn(document, trees)
        return self.parser.annotated(document, trees, asked)

    def _tell_tags(self, document: Document) -> None:
        """A word on tags that are given and not read, once."""
        if self._told_tags or self.parser.reads_tags or self.options.tags == "predict":
            return
        if len(document) and not document.has_gaps("upos"):
            self._told_tags = True
            console.say("the tags of the input are copied, and do not change the trees: this parser does not read tags")

    def _ranked(self, document: Document, index: int, sentence: Sentence) -> Iterator[Sentence]:
        if len(sentence) == 0:
            yield sentence
            return
        asked = self.options
        if asked.keep is not None:
            asked = dataclasses.replace(asked, keep=self.parser.given(Document.from_sentences([sentence])))
        ranked = self.parser.kbest(sentence, options=asked)
        for unkept in ranked[0].unkept if ranked else ():
            self._say(document, index, f"{unkept}; parsed without")
        from accord.tasks.parser.ranked import ranked_sentences

        yield from ranked_sentences(sentence, ranked)

    def _warn(self, document: Document, trees: Trees) -> None:
        for index, found in trees.unkept.items():
            for unkept in found:
                self._say(document, index, f"{unkept}; parsed without")
        cut_short = (trees.statuses == BUDGET).nonzero()[0].tolist()
        self._unproved += len(cut_short)
        if self.options.search.solver == "branch_and_bound":
            for index in cut_short:
                self._say(document, index, "the budget ran out before the tree was proved best")

    def _say(self, document: Document, index: int, message: str) -> None:
        sentence = document.sentences[index]
        name = f"sentence {sentence.sent_id}: " if sentence.sent_id else ""
        console.warn([FormatError(f"{name}{message}", file=document.name, line=document.native.line(index))])

    def report(self) -> None:
        """What is known at the end only."""
        if self.options.search.seconds < math.inf and self._unproved:
            console.say(f"the budget ran out for {self._unproved} of {self._sentences} sentences: best trees so far")
        for rule in self.options.parsed_rules:
            if rule.last_word > self._longest:
                console.say(f"rule '{rule}': no sentence has a word {rule.last_word}")
