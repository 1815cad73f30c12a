# SPDX-License-Identifier: Apache-2.0
"""A Chinese treebank with the labels of UD 1, as zh_gsd has them, converted to UD 2 by rules.

    python tools/convert_chinese.py zh_gsd-ud-train.conllu.xz traditional.conllu
    python tools/convert_chinese.py zh_gsd-ud-train.conllu.xz simplified.conllu --simplified
    python tools/convert_chinese.py zh_gsd-ud-dev.conllu.xz dev.conllu --check zh_gsdsimp-ud-dev.conllu.xz

needs nothing of Accord; ``--simplified`` needs the package ``opencc`` (or opencc-python-reimplemented). ``--check``
says how many tags, heads and labelled heads are those of a treebank in UD 2: zh_gsdsimp has the sentences of the dev
and test parts of zh_gsd, and its dev part is where the rules come from (97.72 % of its labelled heads, 99.92 % of its
UPOS). The rules, in their order:

names       the first of several names is their head, the others are flat:name
apposition  a noun before the name that it describes is the head of the name
phrases     a preposition before a noun with its phrase is case, the head of its phrase depends on the noun
copulas     a verb that was called a copula governs its predicate, which is xcomp
measures    a measure word with a numeral is clf of it, and the numeral nummod of the noun; with a determiner clf of the
            noun
marks       what depends on a mark depends on its head
objects     the object before its verb is obl:patient, 把 and 將 are its case
clauses     the first of several main clauses is the root, the others are parataxis
others      one label for another, by tag, by the tag of the head, and by the side of the head
punctuation the last mark depends on the root, marks between two phrases on the lower one

Lemmas are the forms. Marks that stand alone in half width become those of Chinese text, and no blank stands between
words (SpaceAfter=No). Sentences whose heads are no tree after the rules are left out.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

FULL_WIDTH = str.maketrans(",.?!;:()", "，。？！；：（）")
CURLY = str.maketrans("「」『』", "“”‘’")
OPENING, CLOSING = '「『《〈【（([“‘"', '」』》〉】）)]”’"'
NOUNS = ("NOUN", "PART", "PROPN", "PRON", "NUM", "X", "DET", "SYM")
PLAIN = {
    "dobj": "obj", "case:suff": "compound", "case:dec": "case", "case:aspect": "aux", "case:pref": "case",
    "auxpass": "aux:pass", "foreign": "flat:foreign", "neg": "advmod", "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass", "aux:caus": "case", "remnant": "orphan",
}  # fmt: skip
NOT = ("不", "沒", "未", "無", "非", "沒有", "勿", "别", "別")


@dataclass
class Word:
    """A word of a sentence; ``head`` is a number from 1, 0 the root."""

    form: str
    upos: str
    xpos: str
    feats: str
    head: int
    label: str
    old: str = ""  # the label of UD 1

    def __post_init__(self) -> None:
        self.old = self.label


Sentence = list[Word]


def read(path: Path) -> Iterator[Sentence]:
    data = path.read_bytes()
    text = (lzma.decompress(data) if path.suffix == ".xz" else data).decode("utf-8")
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
        words = [Word(r[1], r[3], r[4], r[5], int(r[6]), r[7]) for r in rows if r[0].isdigit()]
        if words:
            yield words


def _move(words: Sentence, source: int, target: int, only: Callable[[int], bool] = lambda _: True) -> None:
    """What depends on one word depends on another."""
    for number, word in enumerate(words, 1):
        if word.head == source and number != target and only(number):
            word.head = target


def _children(words: Sentence, head: int) -> list[int]:
    return [number for number, word in enumerate(words, 1) if word.head == head]


def _names(words: Sentence) -> None:
    for last, word in enumerate(words, 1):
        if word.upos != "PROPN":
            continue
        parts = [n for n in _children(words, last) if n < last and words[n - 1].upos == "PROPN"]
        parts = [n for n in parts if words[n - 1].label == "nmod"]
        if not parts:
            continue
        first = words[parts[0] - 1]
        first.head, first.label = word.head, word.label
        for number in (*parts[1:], last):
            words[number - 1].head, words[number - 1].label = parts[0], "flat:name"
        start = parts[0]
        _move(words, last, start, lambda n, low=start, high=last: not (low < n < high and words[n - 1].upos == "PUNCT"))


def _appositions(words: Sentence) -> None:
    for number, word in enumerate(words, 1):
        if word.label == "appos" and number < word.head:
            name = words[word.head - 1]
            described = word.head
            word.head, word.label, name.head, name.label = name.head, name.label, number, "appos"
            _move(words, described, number, lambda n, low=number: n < low)


def _phrases(words: Sentence) -> None:
    for number, word in enumerate(words, 1):
        if word.upos == "ADP" and word.label == "det":
            _move(words, number, word.head)
            word.label = "case"


def _measures(words: Sentence) -> None:
    for number, word in enumerate(words, 1):
        if word.xpos != "NNB" or word.label != "nmod" or words[word.head - 1].upos != "NOUN":
            continue
        own = _children(words, number)
        numerals = [n for n in own if words[n - 1].label == "nummod" and n < number]
        if numerals:
            numeral = words[numerals[-1] - 1]
            numeral.head, word.head, word.label = word.head, numerals[-1], "clf"
        elif any(words[n - 1].label == "det" for n in own):
            word.label = "clf"


def _copulas(words: Sentence) -> None:
    """A verb that stood as a copula governs what it stood with, and what stands before."""
    for number, word in enumerate(words, 1):
        if word.label != "cop" or (word.xpos == "VC" and word.form not in ("即", "而非", "非")):
            continue
        governed, predicate = word.head, words[word.head - 1]
        word.head, word.label, predicate.head, predicate.label = predicate.head, predicate.label, number, "xcomp"
        _move(words, governed, number, lambda n, low=number: n < low or words[n - 1].label in ("mark", "conj", "dep"))


def _marks(words: Sentence) -> None:
    for number, word in enumerate(words, 1):
        if word.label == "mark" and word.xpos != "RB":
            _move(words, number, word.head)
        if word.xpos == "DEV":
            if word.form == "得":
                word.label = "compound:ext"
            elif number > 1:
                word.label, word.head = "mark:adv", number - 1


def _objects(words: Sentence) -> None:
    for number, word in enumerate(words, 1):
        if word.label == "dobj" and number < word.head:
            word.label = "obl:patient"
            for other in words[: number - 1]:
                if other.label == "aux:caus" and other.head == word.head:
                    other.head = number


def _clauses(words: Sentence) -> None:
    root = next((number for number, word in enumerate(words, 1) if word.head == 0), 0)
    main = [n for n in _children(words, root) if words[n - 1].label == "dep" and n < root] if root else []
    if main:
        first = main[0]
        words[first - 1].head, words[first - 1].label = 0, "root"
        for number in (*main[1:], root):
            words[number - 1].head, words[number - 1].label = first, "parataxis"
        _move(words, root, first, lambda n: n < first)
    for number, word in enumerate(words, 1):
        if word.label == "dep":
            word.label = "advcl" if number < word.head else "parataxis"


def _one_label(word: Word, head: Word | None) -> str:
    """The label of UD 2 for a label of UD 1 that the other rules have left."""
    label, of_noun = word.label, head is not None and head.upos in NOUNS
    if label == "nmod" and head is not None and head.upos == "VERB":
        return "obl"
    if label == "acl" and word.upos == "ADP" and of_noun:
        return "case"
    if label == "acl" and not of_noun:
        return "advcl"
    if label == "acl:relcl" and word.xpos == "DEC":
        return "mark:rel"
    if label == "det":
        return {"DET": "det", "PRON": "det", "ADJ": "amod", "NUM": "nummod", "VERB": "det", "X": "det"}.get(
            word.upos, "nmod"
        )
    if label == "advmod":
        return {"NOUN": "obl", "NUM": "obl", "PROPN": "obl", "VERB": "advcl"}.get(word.upos, "advmod")
    return PLAIN.get(label, label)


def _conjunctions(words: Sentence) -> None:
    for number, word in enumerate(words, 1):
        if word.label == "cc":
            later = [n for n in _children(words, word.head) if n > number and words[n - 1].label == "conj"]
            word.head = later[0] if later else word.head


def _tags(word: Word) -> None:
    label, old, xpos = word.label, word.old, word.xpos
    if word.upos == "CONJ":
        word.upos = "CCONJ"
    elif (xpos == "RB" and label == "mark") or (xpos == "DEC" and label == "mark:rel") or label == "mark:adv":
        word.upos = "SCONJ"
    elif (xpos == "VC" and label == "cop") or xpos == "AS" or (xpos == "BB" and label == "aux:pass"):
        word.upos = "AUX"
    elif xpos == "BB" and old == "aux:caus":
        word.upos = "ADP"
    elif xpos == "UH":
        word.upos = "PART"
    elif word.upos == "SYM" and label == "punct" and word.form != "$":
        word.upos = "PUNCT"
    feats = set(word.feats.split("|")) - {"_", "Case=Rel", "Case=Comp", "Case=Advb", "Mood=Inter"}
    if xpos == "BB" and word.upos == "ADP":
        feats -= {"Voice=Cau"}
    if word.upos == "NUM":
        feats.add("NumType=Ord" if word.form.startswith("第") or word.form.startswith("首") else "NumType=Card")
    if word.form in NOT and word.upos == "ADV":
        feats.add("Polarity=Neg")
    word.feats = "|".join(sorted(feats)) or "_"


def _climb(words: Sentence, number: int, inside: Callable[[int], bool]) -> int:
    """The highest word that a word hangs on through words of one side of a mark."""
    while words[number - 1].head and inside(words[number - 1].head):
        number = words[number - 1].head
    return number


def _punctuation(words: Sentence) -> None:
    root = next((number for number, word in enumerate(words, 1) if word.head == 0), 1)
    marks = {number for number, word in enumerate(words, 1) if word.label == "punct"}
    for number in sorted(marks):
        word = words[number - 1]
        before = next((n for n in range(number - 1, 0, -1) if n not in marks), None)
        after = next((n for n in range(number + 1, len(words) + 1) if n not in marks), None)
        if word.form in OPENING and after is not None:
            word.head = _climb_pair(words, number, after)
        elif word.form in CLOSING and before is not None:
            word.head = _climb_back(words, number, before)
        elif after is None or before is None:
            word.head = root
        else:
            left = _climb(words, before, lambda n, at=number: n < at)
            right = _climb(words, after, lambda n, at=number: n > at)
            lower_left = words[left - 1].head > number
            word.head = right if 0 < words[right - 1].head < number and not lower_left else left


def _climb_pair(words: Sentence, opening: int, after: int) -> int:
    """The head of what stands between an opening mark and its closing one."""
    partner = CLOSING[OPENING.index(words[opening - 1].form)]
    end = next((n for n in range(opening + 1, len(words) + 1) if words[n - 1].form == partner), len(words))
    return _climb(words, after, lambda n: opening < n < end)


def _climb_back(words: Sentence, closing: int, before: int) -> int:
    partner = OPENING[CLOSING.index(words[closing - 1].form)]
    start = next((n for n in range(closing - 1, 0, -1) if words[n - 1].form == partner), 0)
    return _climb(words, before, lambda n: start < n < closing)


def convert(words: Sentence) -> None:
    """Everything but the script, in place."""
    for rule in (_names, _appositions, _phrases, _measures, _copulas, _marks, _objects, _clauses):
        rule(words)
    for word in words:
        word.label = _one_label(word, words[word.head - 1] if word.head else None)
    _conjunctions(words)
    for word in words:
        _tags(word)
    _punctuation(words)


def chinese(character: str) -> bool:
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or "\uff00" <= character <= "\uffef"


def written(words: Sentence, script: Callable[[str], str], *, simplified: bool) -> str:
    forms = [script(word.form) for word in words]
    for place, word in enumerate(words):
        if word.upos == "PUNCT" and len(forms[place]) == 1:
            forms[place] = forms[place].translate(FULL_WIDTH)
            if simplified:
                forms[place] = forms[place].translate(CURLY)
    lines = [f"# text = {''.join(forms)}"]
    for number, (form, word) in enumerate(zip(forms, words, strict=True), 1):
        fields = [str(number), form, form, word.upos, word.xpos, word.feats, str(word.head), word.label, "_"]
        lines.append("\t".join([*fields, "SpaceAfter=No"]))
    return "\n".join(lines) + "\n\n"


def is_tree(words: Sentence) -> bool:
    """Whether every word hangs on the root."""
    for start in range(1, len(words) + 1):
        number, steps = start, 0
        while number and steps <= len(words):
            number, steps = words[number - 1].head, steps + 1
        if number:
            return False
    return True


def check(words: list[Sentence], gold: list[Sentence]) -> str:
    pairs = [(a, b) for one, other in zip(words, gold, strict=True) for a, b in zip(one, other, strict=True)]
    shares = {
        "UPOS": sum(a.upos == b.upos for a, b in pairs),
        "FEATS": sum(a.feats == b.feats for a, b in pairs),
        "heads": sum(a.head == b.head for a, b in pairs),
        "labelled heads": sum(a.head == b.head and a.label == b.label for a, b in pairs),
    }
    return ", ".join(f"{name} {100 * right / len(pairs):.2f} %" for name, right in shares.items())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("source", type=Path)
    options.add_argument("target", type=Path)
    options.add_argument("--simplified", action="store_true")
    options.add_argument("--check", type=Path, help="the same sentences in UD 2")
    arguments = options.parse_args()
    script: Callable[[str], str] = str
    if arguments.simplified:
        import opencc

        converter = opencc.OpenCC("t2s")

        def script(text: str) -> str:
            found: str = converter.convert(text)
            return found if len(found) == len(text) else text

    sentences = list(read(arguments.source))
    for words in sentences:
        convert(words)
    if arguments.check is not None:
        print(check(sentences, list(read(arguments.check))))
    trees = [words for words in sentences if is_tree(words)]
    if len(trees) < len(sentences):
        print(f"{len(sentences) - len(trees)} sentences left out: their heads are no tree after the rules")
    with arguments.target.open("w", encoding="utf-8") as out:
        out.writelines(written(words, script, simplified=arguments.simplified) for words in trees)


if __name__ == "__main__":
    main()
