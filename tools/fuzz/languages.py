# SPDX-License-Identifier: Apache-2.0
"""Mutated texts of the small languages that people type: queries, rules, templates, patterns, lexicons, networks.

A mutation works on the words and signs of a language: they are left out, said twice, swapped, or taken from another
text of the same language. So most cases get far into the reader, and what is read is also used: a query searches, a
rule parses, a template makes features, a network is solved.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from accord.data import Document
from accord.data.constituents.brackets import single_tree
from accord.data.constituents.dependencies import LabelRules, dependencies
from accord.data.constituents.head_rules import HeadRules
from accord.data.constituents.tree import Constituents
from accord.data.search.pattern import Pattern
from accord.data.search.rewriting import Rewriter
from accord.engines.job import Job
from accord.errors import AccordError
from accord.inference.compression.deletion_rules import conditions
from accord.inference.graph.networks import read_network
from accord.inference.rules.text import parse_rule
from accord.settings import make_settings, read_settings, read_table
from accord.tasks import registry
from accord.tasks.compressor.templates import compile_templates
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.training import train_parser
from accord.tasks.segmenter.model import Segmenter, SegmenterModel
from accord.tasks.segmenter.words import WordList
from tests.tasks.contract import trained
from tools.fuzz.input_files import CONLLU, UAI, WCSP

Use = Callable[[str, Path], Any]  # a text, and a folder to work in
_LEXEME = re.compile(r"\w+|\s+|[^\w\s]")
_ODD = (
    *("", " ", "\n", "\t", "\0", "-1", "0", "99999999999999999999", "1e999", "nan", "é", "猫", "\u202e"),
    *("*|=![]()<>.;:@#~\\", "->", "(?:", "a" * 3000, "( " * 3000),
    *"*|=![]()<>.;:@#~\\",
)
_BITS = ("arc_bits", "label_bits", "part_bits", "tree_label_bits", "pair_bits", "pruner_bits", "second_pruner_bits")
_SMALL = {"epochs": 1, "pruner_epochs": 1, **dict.fromkeys(_BITS, 9)}  # of parsers that are trained on one sentence


@cache
def _document() -> Document:
    return Document.from_conllu(CONLLU)


@cache
def _sentence() -> Document:
    return Document.from_conllu(CONLLU.replace("4.1\tagain\tagain\tADV\tRB\t_\t_\t_\t4:advmod\t_\n", ""))


def _query(text: str, folder: Path) -> None:
    for match, _ in zip(Pattern(text).search(_document()), range(100), strict=False):
        _ = match.sentence, match.words


def _rewrite(text: str, folder: Path) -> None:
    Rewriter([text])(_document())[0].to_conllu()


@cache
def _parser() -> Parser:
    """A parser that knows the labels of the rules below."""
    labels = {"nsubj": "csubj", "advmod": "dep"}
    other = re.sub("nsubj|advmod", lambda found: labels[found[0]], _sentence().to_conllu())
    treebank = Document.from_conllu(_sentence().to_conllu() + other)
    return Parser(train_parser(treebank, None, make_settings(ParserConfig, _SMALL)).model)


def _rule(text: str, folder: Path) -> None:
    parse_rule(text)
    _parser().parse(_sentence(), rules=[text])


def _deletions(text: str, folder: Path) -> None:
    columns = {"form": ["it", "did", "rain"], "lemma": ["it", "do", "rain"]}
    columns |= {"upos": ["PRON", "AUX", "VERB"], "deprel": ["nsubj", "aux", "root"]}
    conditions(text.split("\n"), columns, heads=[-1, 3, 3, 0])


def _trained(setting: str) -> Use:
    """Trains a parser of one sentence whose templates or patterns are the text."""

    def use(text: str, folder: Path) -> None:
        file = folder / "language.txt"
        file.write_text(text, encoding="utf-8", errors="replace")
        train_parser(_sentence(), None, make_settings(ParserConfig, {**_SMALL, setting: str(file)}))

    return use


def _compression_templates(text: str, folder: Path) -> None:
    compile_templates(text)


TREE = "(S (NP-SBJ (DT The) (NN cat)) (VP (VBZ sees) (NP (PRP it))) (. .))"


def _heads(text: str, folder: Path) -> None:
    rules = HeadRules.parse(text)
    tree, forms = Constituents.from_text(TREE)
    dependencies(tree, forms, rules)


def _labels(text: str, folder: Path) -> None:
    tree, forms = Constituents.from_text(TREE)
    dependencies(tree, forms, HeadRules.load("collins"), LabelRules.parse(text))


def _brackets(text: str, folder: Path) -> None:
    single_tree(text)


def _network(suffix: str) -> Use:
    def use(text: str, folder: Path) -> None:
        file = folder / f"network{suffix}"
        file.write_text(text, encoding="utf-8", errors="replace")
        network = read_network(file)
        if sum(network.values) < 300:
            network.graph.solve("auto", seconds=0.2)

    return use


@cache
def _segmenter(folder: Path) -> SegmenterModel:
    return trained(registry.task("segmenter"), folder).model


def _lexicon(text: str, folder: Path) -> None:
    file = folder / "words.txt"
    file.write_text(text, encoding="utf-8", errors="replace")
    Segmenter(_segmenter(folder), WordList.read(str(file)))("我昨天去了北京大学。")


def _settings(text: str, folder: Path) -> None:
    read_settings(ParserConfig, None, text.split("\n"))


def _job(text: str, folder: Path) -> None:
    (folder / "in.txt").write_text("It rains.\n")
    file = folder / "job.toml"
    file.write_text(text, encoding="utf-8", errors="replace")
    read_table(file)
    Job.read(file)


QUERIES = (
    "V[upos=VERB] >nsubj S[Number=Sing]; ! V >obj []",
    "A > B; A .. B; [form~^r, lemma=rain|snow]",
    "X[!Tense, deprel=aux|advmod] < Y; Y >> Z\n[id=1]",
    "[misc.SpaceAfter=No] . P[upos!=VERB] <punct R",
)
RULES = (
    "require 3 -> 1 nsubj @ 1.5",
    "at-most-one nsubj,csubj of VERB",
    "max-dependents 0 of PUNCT in upos",
    "nsubj* head-not PUNCT",
    "subtree 1..3",
    "no-crossing @ 2",
    "forbid-label dep",
    "at-least-one root of ROOT",
)
TEMPLATES = (
    "[arc]\nbias\nhead.form dependent.form\nhead.upos distance\nwith: head.lemma ; -\n[label]\nhead.upos\n",
    "[arc]\nhead-1.upos head.upos dependent.upos dependent+1.upos\nbetween.upos\n[label]\ndependent.suffix3\n",
)
LANGUAGES: dict[str, tuple[Sequence[str], Use]] = {
    "query": (QUERIES, _query),
    "rewriting": (("V >nsubj S => S.deprel=nsubj:pass; S.Case=", "X[form~^r] => X.lemma=X.form; X.misc.A=b"), _rewrite),
    "rule": (RULES, _rule),
    "deletions": (
        ("keep not,never in lemma\ndrop INTJ", "needs-head *\nnever-cut nsubj*,obj of VERB\ncut-only ADP across ,_;"),
        _deletions,
    ),
    "templates": (TEMPLATES, _trained("templates")),
    "patterns": (("x: a -> b -> c; b.form = rather, c.upos = ADV; a < b <1 c\n", "y: a -> b, a -> c; a.upos = VERB\n"),
                 _trained("patterns")),
    "shorter": (("[word]\nbias\nhere.lower\nhere-1.xpos here.xpos\n[bigram]\nbias\nleft.lower right.lower\n",),
                _compression_templates),
    "heads": (("@default left\n@never , .\nS left VP NP; right-any NP\nNP last NN; right\n",), _heads),
    "labels": (("nsubj dependent=NP-SBJ\nobj parent=VP side=right\npunct tag=,|. word=.\n",), _labels),
    "brackets": ((TREE, "( (S (X (Y y) (-NONE- *T*-1))) )"), _brackets),
    "uai": ((UAI,), _network(".uai")),
    "wcsp": ((WCSP,), _network(".wcsp")),
    "lexicon": (("北京\t10\tns\n大学\n昨天 3\n", "北京大学\n"), _lexicon),
    "settings": (("order=2\nneural.layers=3\nepochs=4", 'parts="sibling"\nl2=1e-3\nthreads=2'), _settings),
    "job": (('inputs = ["in.txt"]\noutput = "out"\nmodel = "en"\nformat = "json"\nblock_bytes = 100\n'
             "[options]\nprobabilities = true\n",), _job),
}  # fmt: skip


def mutated_text(texts: Sequence[str], chance: random.Random) -> str:
    """One of the texts, with up to five changes of its words and signs."""
    lexemes = _LEXEME.findall(chance.choice(texts))
    pool = [*_LEXEME.findall("\n".join(texts)), *_ODD]
    for _ in range(chance.choice((0, 1, 1, 2, 3, 5))):
        at = chance.randrange(len(lexemes) + 1)
        how = chance.random()
        if how < 0.3:
            lexemes[at:at] = [chance.choice(pool)]
        elif how < 0.5:
            lexemes[at : at + chance.choice((1, 1, 2, 5))] = []
        elif how < 0.75:
            lexemes[at : at + 1] = [chance.choice(pool)]
        elif how < 0.9:
            piece = lexemes[at : at + chance.choice((1, 3, 8))]
            place = chance.randrange(len(lexemes) + 1)
            lexemes[place:place] = piece
        else:
            other = _LEXEME.findall(chance.choice(texts))
            lexemes = lexemes[:at] + other[chance.randrange(len(other) + 1) :]
    return "".join(lexemes)


class LanguageCases:
    """Mutated texts of all small languages, or of those that are named."""

    names = tuple(LANGUAGES)

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder = folder
        self._languages = [(name, *LANGUAGES[name]) for name in names or LANGUAGES]

    def look(self, case: int) -> str:
        name, texts, use = self._languages[case % len(self._languages)]
        try:
            use(mutated_text(texts, random.Random(case)), self._folder)
        except AccordError as error:
            if "\n" in str(error):
                raise
            return f"{name}: refused"
        return f"{name}: used"
