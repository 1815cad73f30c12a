# SPDX-License-Identifier: Apache-2.0
"""Mutated inputs of every reader: a good file of each format, changed in a few places."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from accord import data
from accord.data import Document
from accord.errors import AccordError
from accord.evaluation.bracket_parameters import BracketParameters
from accord.evaluation.enhanced import enhanced_scores
from accord.evaluation.validation import Validator
from accord.inference.compression.deletion_rules import read_deletion_rules
from accord.inference.graph.networks import read_network
from accord.inference.graph.uai_results import read_evidence
from accord.inference.rules.files import read_rules
from accord.learning.checkpoint import Checkpoint
from accord.settings import read_settings
from accord.tasks import registry
from accord.tasks.cleaner.sources import read_utterances
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.compressor.pairs import read_pairs
from accord.tasks.labeller.costs import read_costs
from accord.tasks.labeller.problem import read_templates
from accord.tasks.network.vectors import read_vectors
from accord.tasks.parser.config import ParserConfig
from accord.tasks.segmenter.words import WordList
from accord.tasks.setting_files import read_patterns, read_setting_file
from tests.tasks.contract import trained
from tools.fuzz import task_inputs
from tools.fuzz.json_values import lines_of_json, mutated_lines
from tools.fuzz.task_inputs import array_bytes

CONLLU = """# sent_id = 1
# text = It doesn't rain.
1\tIt\tit\tPRON\tPRP\tCase=Nom|Number=Sing\t4\tnsubj\t4:nsubj\t_
2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdoes\tdo\tAUX\tVBZ\tTense=Pres\t4\taux\t4:aux\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t4:advmod\t_
4\train\train\tVERB\tVB\tVerbForm=Inf\t0\troot\t0:root\tSpaceAfter=No
4.1\tagain\tagain\tADV\tRB\t_\t_\t_\t4:advmod\t_
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t4:punct\t_

"""
UAI = "MARKOV\n3\n2 3 2\n2\n2 0 1\n2 1 2\n\n6\n.1 .2 .3 .4 .5 .6\n\n6\n1 2 3 4 5 6\n"
WCSP = "small 2 3 2 10\n3 2\n2 0 1 0 3\n0 0 1\n1 1 4\n2 0 10\n1 0 2 1\n1 5\n"
CHAT = (
    "@Begin\n@Participants:\tCHI Child\n*CHI:\tuh &-um I I [/] want a <the cat> [//] dog .\n%mor:\tx\n"
    "*MOT:\tno . \x15100_2300\x15\n@End\n"
)

Reader = Callable[[Path], Any]
_ODD = (
    *(b"\t", b"\n", b"\r\n", b" ", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\xcc\x81" * 50),
    *(b"-1", b"0", b"1", b"18446744073709551616", b"9" * 5000, b"1e999", b"nan", b"1.5", b"1-1", b"3-2", b"1.0"),
    *(b"_", b"#", b"=", b"|", b":", b"{", b"}", b"[", b"]", b'"', b"\\", b"'''", b"x" * 70_000),
    *(b"[" * 50_000, b'{"a":' * 50_000, b"999999999999"),
)


def _network_with_evidence(path: Path) -> None:
    network = path.with_suffix(".uai")
    network.write_text(UAI)
    read_evidence(path, read_network(network))


def _network(suffix: str) -> Reader:
    def read(path: Path) -> None:
        named = path.with_suffix(suffix)
        named.write_bytes(path.read_bytes())
        read_network(named)

    return read


def _vectors(suffix: str) -> Reader:
    words = Document.from_conllu(CONLLU)

    def read(path: Path) -> None:
        named = path.with_suffix(suffix)
        named.write_bytes(path.read_bytes())
        named.with_suffix(".txt").write_text("It\nrain\n")
        read_vectors(str(named), words, 10)

    return read


def _whole(format: str) -> Reader:
    """Reads, walks and writes a document."""

    def read(path: Path) -> None:
        document = data.read(str(path), format)
        for sentence in document.sentences:
            _ = [word.form for word in sentence.words]
        _ = document.to_conllu(), document.to_json()

    return read


def _judged(path: Path) -> None:
    """Validates a treebank and compares it with itself."""
    document = data.read(str(path), "conllu")
    _ = list(Validator().problems(document))
    enhanced_scores(document, document)


def _clusters(path: Path) -> None:
    cluster_lexicon(read_setting_file("clusters", str(path)))


@cache
def _small_pipeline(folder: Path) -> Any:
    return trained(registry.task("pipeline"), folder).worker


def _raw_text(path: Path) -> None:
    text = path.read_bytes()[:300].decode(errors="replace")
    _small_pipeline(path.parent)(text).to_conllu()


def _checkpoint(path: Path) -> None:
    Checkpoint(path, resume=True).load()


RULES = b"""rules = ["at-most-one nsubj", "max-dependents 0 of PUNCT @ 2"]

[[rule]]
kind = "agreement"
label = ["nsubj", "csubj"]
head_not = "PUNCT"
"""
BRACKETS = b"( (S (NP-SBJ (PRP It)) (VP (VBZ rains) (NP (-NONE- *T*-1))) (. .)) )\n(S (X (Y y)))\n"
TEMPLATES = b"# words\n[state]\nbias\nhere.form\nwith: here.suffix2 ; -\nhere.lower prev.form\n[pair]\nbias\n"
PATTERNS = b"x: a -> b -> c; b.form = rather, c.upos = ADV; a < b <1 c\n"
PARAMETERS = b"LABELED 1\nDELETE_LABEL TOP\nDELETE_LABEL_FOR_LENGTH -NONE-\nEQ_LABEL ADVP PRT\nCUTOFF_LEN 40\n"
PAIRS = b'{"tokens": ["It", "rains", "today"], "mask": [1, 1, 0]}\n'
CONLLX = b"1\tIt\tit\tP\tPRP\t_\t2\tSBJ\t_\t_\n2\train\train\tV\tVB\t_\t0\tROOT\t_\t_\n\n"

READERS: dict[str, tuple[bytes, Reader]] = {
    "conllu": (CONLLU.encode(), _whole("conllu")),
    "guessed": (CONLLU.encode(), _whole("auto")),
    "judged": (CONLLU.encode(), _judged),
    "parameters": (PARAMETERS, lambda path: BracketParameters.load(path)),
    "conllx": (CONLLX, _whole("conllx")),
    "brackets": (BRACKETS, _whole("brackets")),
    "json": ((Document.from_conllu(CONLLU).to_json() + "\n").encode(), _whole("json")),
    "columns": (b"It PRP B-NP\nrains VBZ B-VP\n\nNo DT O\n", lambda path: data.read_columns(str(path))),
    "segmented": ("我 昨天 去 了 。\n他 来\n".encode(), lambda path: data.read_segmented(str(path))),
    "rules": (RULES, read_rules),
    "deletions": (b"# rules\nkeep root\n", read_deletion_rules),
    "settings": (b"order = 1\nepochs = 3\n[neural]\nlayers = 2\n", lambda path: read_settings(ParserConfig, path)),
    "uai": (UAI.encode(), _network(".uai")),
    "wcsp": (WCSP.encode(), _network(".wcsp")),
    "evidence": (b"2 0 1 2 1\n", _network_with_evidence),
    "clusters": (b"0010\tthe\t10\n01\tcat\t3\n", _clusters),
    "templates": (TEMPLATES, lambda path: read_templates(str(path))),
    "patterns": (PATTERNS, lambda path: read_patterns("accord.tasks.parser", str(path))),
    "words": ("北京\t10\tns\n大学\n".encode(), lambda path: WordList.read(str(path))),
    "costs": (b"# costs\nB\tO\t2.5\n*\tB\t1\n", lambda path: read_costs(str(path), ["B", "O"])),
    "vectors": (b"2 3\nIt 1 2 3\nrain .5 -1 0\n", _vectors(".vec")),
    "arrays": (array_bytes(np.arange(8, dtype=np.float32).reshape(2, 4)), _vectors(".npy")),
    "pairs": (PAIRS, lambda path: read_pairs([str(path)])),
    "speech": (b"uh I mean it rains\nyes yes it does\n", lambda path: list(read_utterances(str(path)))),
    "chat": (CHAT.encode(), lambda path: list(read_utterances(str(path), "chat"))),
    "text": ("It doesn’t rain. “No!” 我去。 \u0301x\n\nNew".encode(), _raw_text),
    **task_inputs.READERS,
}


def mutated_input(seed: bytes, chance: random.Random) -> bytes:
    """A file with one to five changes. Lines of JSON remain such in half of the cases, with other values."""
    values = lines_of_json(seed) if seed[:1] in (b"{", b"[") else None
    if values is not None and chance.random() < 0.5:
        return mutated_lines(values, chance)
    found = bytearray(seed)
    for _ in range(chance.choice((1, 1, 2, 3, 5))):
        at = chance.randrange(len(found) + 1)
        how = chance.random()
        if how < 0.3:
            found[at:at] = chance.choice(_ODD)
        elif how < 0.5 and found:
            found[at : at + chance.choice((1, 1, 2, 8, 64))] = b""
        elif how < 0.65 and found:
            found[min(at, len(found) - 1)] ^= 1 << chance.randrange(8)
        elif how < 0.8:
            _change_line(found, chance)
        else:
            _change_field(found, chance)
    return bytes(found)


def _change_line(found: bytearray, chance: random.Random) -> None:
    """A line is left out, said again or moved."""
    lines = bytes(found).splitlines(keepends=True)
    if not lines:
        return
    line = chance.choice(lines)
    if chance.random() < 0.6:
        lines.remove(line)
    if chance.random() < 0.7:
        lines.insert(chance.randrange(len(lines) + 1), line)
    found[:] = b"".join(lines)


def _change_field(found: bytearray, chance: random.Random) -> None:
    """A word or number becomes another one."""
    parts = bytes(found).replace(b"\t", b" ").split(b" ")
    old = chance.choice(parts).split(b"\n")[0]
    if old:
        at = bytes(found).find(old)
        found[at : at + len(old)] = chance.choice((*_ODD, *parts))


class InputCases:
    """Mutated inputs of all readers, or of those that are named."""

    names = tuple(READERS)

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder = folder
        self._readers = [(name, *READERS[name]) for name in names or READERS]

    def look(self, case: int) -> str:
        name, seed, read = self._readers[case % len(self._readers)]
        path = self._folder / "case.txt"
        path.write_bytes(mutated_input(seed, random.Random(case)))
        try:
            read(path)
        except AccordError as error:
            if "\n" in str(error):
                raise
            return f"{name}: refused"
        return f"{name}: read"
