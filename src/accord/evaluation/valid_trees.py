# SPDX-License-Identifier: Apache-2.0
"""Level 3 of the checks of treebanks: what trees of any language may look like.

Each check takes a sentence whose heads are a tree, and yields what is wrong: the name of the test, one line, and the
number of the word.
"""

from __future__ import annotations

from collections.abc import Iterator

from accord.data import Sentence, Word
from accord.data.word import EmptyNode, enhanced_arcs, misc_value
from accord.evaluation import ud_rules

Finding = tuple[str, str, int]


def universal(label: str) -> str:
    """A relation without its subtype.

    >>> universal("nsubj:pass")
    'nsubj'
    """
    return label.partition(":")[0]


def nodes_of(sentence: Sentence) -> list[Word | EmptyNode]:
    """The words, then the empty nodes."""
    return [*sentence.words, *sentence.empty_nodes]


def tree_findings(sentence: Sentence) -> Iterator[Finding]:
    """All checks of one sentence."""
    yield from _graph_roots(sentence)
    for word in sentence.words:
        base = universal(word.deprel)
        if (word.head == 0) != (base == "root"):
            yield "root-is-not-0" if word.head else "0-is-not-root", f"HEAD {word.head} with {word.deprel}", word.id
        if base in ud_rules.LEFT_TO_RIGHT and word.head and word.head > word.id:
            yield f"right-to-left-{base}", f"{base} goes from left to right", word.id
        yield from _part_of_speech(word, base)
        yield from _arguments(word)
        yield from _oblique(word, base)
        yield from _leaf(sentence, word, base)
        yield from _split_word(sentence, word, base)
        if base == "punct":
            yield from _punctuation(sentence, word)


def _graph_roots(sentence: Sentence) -> Iterator[Finding]:
    for row in nodes_of(sentence):
        number = row.id if isinstance(row, Word) else 0
        for head, label in enhanced_arcs(row.deps):
            if (head == "0") != (universal(label) == "root"):
                test = "enhanced-0-is-not-root" if head == "0" else "enhanced-root-is-not-0"
                yield test, f"DEPS {head}:{label}", number


def _part_of_speech(word: Word, base: str) -> Iterator[Finding]:
    upos = word.feats.get("ExtPos") or word.upos
    below = {universal(child.deprel) for child in word.children}
    wanted = ud_rules.UPOS_OF_RELATION.get(base)
    wrong = wanted is not None and upos not in wanted and not (base == "advmod" and "goeswith" in below)
    if wrong or upos in ud_rules.REFUSED_UPOS.get(base, ()):
        yield f"rel-upos-{base}", f"{base} of {word.form!r}, which is {upos}", word.id
    if upos == "PUNCT" and base not in ("punct", "root"):
        yield "upos-rel-punct", f"PUNCT with the relation {base}", word.id
    if upos == "PROPN" and (base == "fixed" or "fixed" in below):
        yield "rel-upos-fixed", f"{word.form!r}, a PROPN, is part of a fixed expression", word.id


def _arguments(word: Word) -> Iterator[Finding]:
    subjects = [child for child in word.children if "subj" in universal(child.deprel) and not _outer(child)]
    objects = [child for child in word.children if universal(child.deprel) == "obj"]
    if len(subjects) > 1:
        yield "too-many-subjects", f"{word.form!r} has {len(subjects)}", word.id
    if len(objects) > 1:
        yield "too-many-objects", f"{word.form!r} has {len(objects)}", word.id


def _outer(word: Word) -> bool:
    """The subject of a predicate that is a clause itself."""
    return word.deprel in ("nsubj:outer", "csubj:outer") or misc_value(word.misc, "Subject") == "Outer"


def _oblique(word: Word, base: str) -> Iterator[Finding]:
    head = word.head_word
    if base != "obl" or head is None or head.upos not in ("NOUN", "PROPN", "PRON"):
        return
    clause = any(universal(child.deprel) in ("cop", "nsubj", "csubj") for child in head.children)
    if universal(head.deprel) in ud_rules.NOMINAL_RELATIONS and not clause:
        yield "obl-should-be-nmod", f"obl of {head.form!r}, which is a nominal", word.id


def _leaf(sentence: Sentence, word: Word, base: str) -> Iterator[Finding]:
    if base not in ud_rules.LEAVES or not word.children:
        return
    test, allowed = ud_rules.LEAVES[base]
    if base == "det" and word.feats.get("Poss") == "Yes":
        allowed = allowed | ud_rules.BELOW_POSSESSIVES
    crossed = bool(_gap(sentence, word))
    for child in word.children:
        below = universal(child.deprel)
        negation = below == "advmod" and child.upos in ("PART", "ADV") and child.feats.get("Polarity") == "Neg"
        if below in allowed or (negation and base != "punct") or (crossed and below == "punct"):
            continue
        yield test, f"{base} has a dependent, {child.form!r} ({below})", child.id


def _gap(sentence: Sentence, word: Word) -> list[int]:
    """The words between a word and its head that the head does not dominate."""
    if not word.head:
        return []
    low, high = sorted((word.id, word.head))
    between = range(low + 1, high)
    below = {one.id for one in sentence.words[word.head - 1].subtree} if between else set()
    return [number for number in between if number not in below]


def _split_word(sentence: Sentence, word: Word, base: str) -> Iterator[Finding]:
    """Parts of a word that a mistake split stand side by side with blanks between, and the first has the annotation."""
    parts = [word, *(child for child in word.children if universal(child.deprel) == "goeswith")]
    if len(parts) > 1:
        if max(part.id for part in parts) - min(part.id for part in parts) >= len(parts):
            yield "goeswith-gap", f"{word.form!r} and its parts have a gap", word.id
        if any(misc_value(part.misc, "SpaceAfter") == "No" for part in parts[:-1]):
            yield "goeswith-nospace", f"no blank between parts of {word.form!r}", word.id
    if base == "goeswith":
        for name, wrong in (
            ("lemma", word.lemma != "_"),
            ("upos", word.upos != "X"),
            ("feats", str(word.feats) != "_"),
        ):
            if wrong:
                yield f"goeswith-{name}", f"{name.upper()} belongs to the first part of a word", word.id
        if word.deps not in ("_", f"{word.head}:{word.deprel}"):
            yield "goeswith-edeps", f"DEPS {word.deps} of a part of a word", word.id


def _punctuation(sentence: Sentence, word: Word) -> Iterator[Finding]:
    """Punctuation neither hangs over a gap nor makes one."""
    if not word.head:
        return
    if _gap(sentence, word):
        yield "punct-is-nonproj", "punctuation is attached over a gap", word.id
    above = {one.id for one in word.ancestors} | {0}
    place, head = word.id, word.head
    for other in sentence.words:
        if other.head is None or other.head in above:
            continue
        if head < place:
            crossing = (head < other.id < place < other.head) or (head < other.head < place < other.id)
        else:
            crossing = (other.id < place < other.head < head) or (other.head < place < other.id < head)
        if crossing:
            yield "punct-causes-nonproj", "punctuation makes a gap", word.id
            return
