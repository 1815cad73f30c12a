# SPDX-License-Identifier: Apache-2.0
"""``/parse``: a request becomes options and a document, and trees become an answer with their certificates.

Texts that arrive together with the same options are parsed as one document, see
:mod:`accord.app.service.batching`. A time budget is one of the whole request. It limits the search for trees, and
sentences whose search was cut short have the best tree so far and the status ``budget``.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.app.service.bodies import chosen
from accord.app.service.limits import Limits, RefusalError
from accord.app.service.sentences import answer_of_sentence, finite, picture
from accord.data import Document, Sentence
from accord.errors import ConfigError
from accord.tasks.parser import ParseOptions, RankedTree, Search, Trees
from accord.tasks.parser.ranked import ranked_sentences
from accord.tasks.parser.ruled import Unkept
from accord.tasks.pipeline import Pipeline
from accord.tasks.pipeline.batches import joined
from accord.tasks.tokenizer.model import MODES

FIELDS: dict[str, tuple[type, ...]] = {
    "model": (str,),
    "text": (str,),
    "conllu": (str,),
    "input": (str,),
    "rules": (list,),
    "k": (int,),
    "probabilities": (bool,),
    "keep": (str,),
    "tags": (str,),
    "solver": (str,),
    "iterations": (int,),
    "budget_ms": (int, float),
    "output": (str,),
    "draw": (bool,),
    "offsets": (bool,),
    "id": (str, int, float),
}
OUTPUTS = ("json", "conllu")
BLOCK = 200  # sentences between two looks at the clock
LEAST = 1e-3  # seconds that a search gets when the time is over


@dataclass(frozen=True)
class ParseRequest:
    """What a client asks for, checked. ``options`` have no time yet: what is left is known when the work begins."""

    model: str | None
    text: str | None
    document: Document | None
    options: ParseOptions
    output: str
    draw: bool
    input: str
    offsets: bool
    seconds: float
    id: Any = None

    @staticmethod
    def read(request: Mapping[str, Any], limits: Limits) -> ParseRequest:
        given = chosen(request, FIELDS)
        if ("text" in given) == ("conllu" in given):
            raise RefusalError(400, "request: expected either a string 'text' or a string 'conllu'")
        output = _choice(given, "output", OUTPUTS)
        input = _choice(given, "input", MODES)
        conllu = given.get("conllu")
        return ParseRequest(
            given.get("model"),
            given.get("text"),
            None if conllu is None else Document.from_conllu(conllu, name="request"),
            _options(given, limits),
            output,
            given.get("draw", False),
            input,
            given.get("offsets", False),
            _seconds(given, limits),
            given.get("id"),
        )

    @property
    def key(self) -> Any:
        """What requests that are parsed together have in common; None: this one is parsed alone."""
        if self.text is None or self.options.k > 1 or self.options.keep is not None:
            return None
        return "parse", self.model, self.input, self.offsets, self.seconds, self.options


def _choice(given: Mapping[str, Any], name: str, choices: Sequence[str]) -> str:
    value: str = given.get(name, choices[0])
    if value not in choices:
        raise RefusalError(400, f"request: expected one of {', '.join(choices)} as {name!r}")
    return value


def _seconds(given: Mapping[str, Any], limits: Limits) -> float:
    asked = given.get("budget_ms")
    if asked is not None and not asked > 0:
        raise RefusalError(400, "request: a budget is more than 0")
    return limits.seconds if asked is None else min(asked / 1000, limits.seconds)


def _options(given: Mapping[str, Any], limits: Limits) -> ParseOptions:
    rules = given.get("rules", [])
    if not all(isinstance(rule, str) for rule in rules):
        raise RefusalError(400, "request: expected a list of strings as 'rules'")
    if len(rules) > limits.rules:
        raise RefusalError(413, f"a request may have {limits.rules} rules")
    if given.get("k", 1) > limits.k:
        raise RefusalError(413, f"a request may ask for {limits.k} trees")
    if given.get("keep", "given") not in ("given", "nothing"):
        raise RefusalError(400, "request: expected given or nothing as 'keep'")
    if not given.get("iterations", 0) < 1 << 31:
        raise RefusalError(400, "request: too large a number 'iterations'")
    return ParseOptions(
        rules=rules,
        search=Search(solver=given.get("solver"), iterations=given.get("iterations")),
        k=given.get("k", 1),
        probabilities=given.get("probabilities", False),
        keep="given" if given.get("keep") == "given" else None,
        tags=given.get("tags", "auto"),
        threads=1,
    )


@dataclass(frozen=True)
class Timed:
    """A request and the moment at which its time is over."""

    request: ParseRequest
    deadline: float

    @staticmethod
    def now(request: ParseRequest) -> Timed:
        return Timed(request, time.monotonic() + request.seconds)


class ParseWork:
    """Answers parse requests with one pipeline, for :class:`~accord.app.service.batching.WorkQueue`."""

    def __init__(self, name: str, pipeline: Pipeline, limits: Limits) -> None:
        self._name, self._pipeline, self._limits = name, pipeline, limits

    def __call__(self, asked: Sequence[Timed]) -> list[dict[str, Any]]:
        documents = [self._document(one.request) for one in asked]
        for document in documents:
            check_lengths(document, self._limits)
        if asked[0].request.options.k > 1:
            return [self._ranked(one, document) for one, document in zip(asked, documents, strict=True)]
        whole = documents[0] if len(documents) == 1 else joined(documents)
        deadline = min(one.deadline for one in asked)
        parts = list(self._parsed(whole, asked[0].request.options, deadline))
        sentences = [sentence for part in parts for sentence in part]
        answers, first = [], 0
        for one, document in zip(asked, documents, strict=True):
            answers.append(self._answer(one.request, sentences[first : first + len(document)]))
            first += len(document)
        return answers

    def _document(self, request: ParseRequest) -> Document:
        if request.document is not None:
            return request.document
        assert request.text is not None
        return self._pipeline.tokenize(request.text, input=request.input, offsets=request.offsets, threads=1)

    def _parsed(self, document: Document, options: ParseOptions, deadline: float) -> Iterator[list[_Parsed]]:
        """The sentences of a document in blocks, each with what the search says of it."""
        parser = self._pipeline.parser
        if parser is None:
            raise ConfigError("this model has no parser")
        for block in blocks_of(document):
            ready = self._pipeline.ready_to_parse(block, options)
            asked, problems = _within(options, deadline), list[str]()
            if asked.keep is not None:
                given = parser.given(ready, threads=1)
                asked, problems = dataclasses.replace(asked, keep=given), [str(one) for one in given.problems]
            trees = parser.trees(ready, asked)
            done = parser.annotated(ready, trees, asked)
            texts = (done.native.text(index) + b"\n" for index in range(len(done)))
            yield [
                _Parsed(sentence, text, trees, index, tuple(problems) if index == 0 else ())
                for index, (sentence, text) in enumerate(zip(done.sentences, texts, strict=True))
            ]

    def _answer(self, request: ParseRequest, parsed: Sequence[_Parsed]) -> dict[str, Any]:
        answer = self._head(request, [problem for one in parsed for problem in one.problems])
        cut_short = sum(one.status == "budget" for one in parsed)
        if cut_short:
            answer["flags"] = ["budget"]
        if request.output == "conllu":
            answer["conllu"] = b"".join(one.text for one in parsed).decode()
            return answer
        asked = bool(request.options.rules), request.options.keep is not None
        conditions = " and ".join(name for name, has in zip(("your rules", "what is given"), asked, strict=True) if has)
        pruned = self._pipeline.parser is not None and bool(self._pipeline.parser.config.part_names())
        answer["sentences"] = [one.to_json(request.draw, conditions, pruned) for one in parsed]
        return answer

    def _ranked(self, one: Timed, document: Document) -> dict[str, Any]:
        """The answer with the k best trees of each sentence."""
        request, parser = one.request, self._pipeline.parser
        if parser is None:
            raise ConfigError("this model has no parser")
        ready = self._pipeline.ready_to_parse(document, request.options)
        sentences: list[dict[str, Any]] = []
        lists, problems = [], []
        for sentence in ready.sentences:
            asked = _within(request.options, one.deadline)
            if asked.keep is not None and len(sentence):
                given = parser.given(Document.from_sentences([sentence]))
                asked = dataclasses.replace(asked, keep=given)
                problems += [str(problem) for problem in given.problems]
            trees = parser.kbest(sentence, options=asked) if len(sentence) else []
            found = list(ranked_sentences(sentence, trees))
            lists += found or [sentence]
            sentences.append(_ranked_answer(sentence, trees, found, request.draw))
        answer = self._head(request, problems)
        if request.output == "conllu":
            return {**answer, "conllu": Document.from_sentences(lists).to_conllu()}
        return {**answer, "sentences": sentences}

    def _head(self, request: ParseRequest, problems: Sequence[str]) -> dict[str, Any]:
        answer: dict[str, Any] = {"model": self._name}
        if request.id is not None:
            answer["id"] = request.id
        if problems:
            answer["problems"] = list(problems)
        return answer


@dataclass(frozen=True)
class _Parsed:
    """A sentence with its tree, and its place among the trees of its block."""

    sentence: Sentence
    text: bytes
    trees: Trees
    index: int
    problems: tuple[str, ...]

    @property
    def unkept(self) -> tuple[Unkept, ...]:
        """Hard rules that the tree does not keep."""
        return self.trees.unkept.get(self.index, ())

    @property
    def status(self) -> str:
        """How the search ended; the tree of a sentence whose rules found no tree in time is one without them."""
        out_of_time = any(one.reason.endswith("within the budget") for one in self.unkept)
        return "budget" if out_of_time else self.trees.status[self.index]

    def to_json(self, draw: bool, conditions: str, pruned: bool) -> dict[str, Any]:
        trees, index = self.trees, self.index
        answer = answer_of_sentence(self.sentence, draw)
        answer["certificate"] = {
            "status": self.status,
            "proved": self.status == "optimal" and not self.unkept,
            "score": finite(trees.scores[index]),
            "bound": finite(trees.bounds[index]),
            "says": _says(self.status, conditions, pruned, bool(self.unkept)),
        }
        if broken := trees.broken.get(index):
            answer["broken"] = {str(rule): count for rule, count in broken.items()}
        if self.unkept:
            answer["unkept"] = [str(one) for one in self.unkept]
        if index in trees.ruled_probabilities:
            answer["probabilities"] = trees.ruled_probabilities[index]
        return answer


def _says(status: str, conditions: str, pruned: bool, unkept: bool) -> str:
    """The certificate as a sentence."""
    if unkept and status != "budget":
        return "no tree keeps all of your rules: parsed without those that contradict each other"
    which = f"all trees with {conditions}" if conditions else "all trees"
    among = " over the arcs that the pruner leaves" if pruned else ""
    if status == "optimal":
        return f"proved best of {which}{among}"
    if status == "budget":
        return "best so far: the budget ran out before a proof"
    return f"not proved: the search ended with status {status}"


def _ranked_answer(
    sentence: Sentence, trees: Sequence[RankedTree], found: Sequence[Sentence], draw: bool
) -> dict[str, Any]:
    answer = answer_of_sentence(found[0] if found else sentence, draw)
    answer["trees"] = [
        {
            "heads": list(tree.heads),
            "deprels": list(tree.deprels),
            "score": finite(tree.score),
            "certified": tree.certified,
            **({"svg": picture(drawn)} if draw else {}),
        }
        for tree, drawn in zip(trees, found, strict=True)
    ]
    if trees and trees[0].unkept:
        answer["unkept"] = [str(one) for one in trees[0].unkept]
    return answer


def _within(options: ParseOptions, deadline: float) -> ParseOptions:
    """The options with the time that is left."""
    left = max(deadline - time.monotonic(), LEAST)
    return dataclasses.replace(options, search=dataclasses.replace(options.search, seconds=left))


def blocks_of(document: Document) -> Iterator[Document]:
    """The document in blocks of sentences."""
    if len(document) <= BLOCK:
        yield document
        return
    for first in range(0, len(document), BLOCK):
        last = min(first + BLOCK, len(document))
        texts = (document.native.text(index) + b"\n" for index in range(first, last))
        yield Document(b"".join(texts), name=document.name)


def check_lengths(document: Document, limits: Limits) -> None:
    """Refuse a document with a sentence that is too long."""
    lengths = document.lengths
    if lengths.max(initial=0) > limits.words:
        number = int((lengths > limits.words).argmax())
        reason = f"sentence {number + 1} has {lengths[number]} words; a sentence may have {limits.words}"
        raise RefusalError(413, reason)
