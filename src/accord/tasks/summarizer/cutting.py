# SPDX-License-Identifier: Apache-2.0
"""Which words of a parsed sentence may be cut: the sentence as pieces, each of which requires another.

Words hang together as in the dependency tree: what depends on a word goes with it. A word may be cut off its head only
where the label of the arc says so, and where the cut looks safe: a comma, colon or semicolon lies between word and
head, or the word comes with a preposition, a subordinator or a relative word (Qian & Liu 2013). A subtree with a
negation stays. Words that must not be cut off one another are one piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.data import Sentence, Word
from accord.tasks.summarizer.mending import Stretch

# Labels of Universal Dependencies whose words may be cut, and whether only where the cut looks safe.
CUTS = {
    "acl": True,
    "acl:relcl": True,
    "advcl": True,
    "advmod": False,
    "appos": True,
    "discourse": False,
    "dislocated": True,
    "nmod": True,
    "nmod:tmod": False,
    "nmod:unmarked": False,
    "obl": True,
    "obl:tmod": False,
    "obl:unmarked": False,
    "parataxis": True,
    "vocative": False,
}
NEGATIONS = frozenset(
    ("not", "n't", "no", "never", "neither", "nor", "none", "nobody", "nothing", "nowhere", "hardly", "without")
)
_BOUND_ADVERBS = frozenset(
    ("how", "so", "too", "as", "more", "most", "less", "least", "very", "only", "even", "up", "down", "out", "off")
)
_PAUSES = frozenset(",;:–—()")
_LINKS = ("case", "mark")


@dataclass(frozen=True)
class Pieces:
    """The tokens of a sentence in pieces that are kept or cut as a whole.

    ``stretches`` are the tokens in the text of the sentence; piece k requires ``parents[k]``, or nothing where that is
    -1; pieces are numbered so that parents come first. ``tops``: the word of each piece that hangs on another piece,
    from 0.
    """

    stretches: tuple[Stretch, ...]
    piece_of: tuple[int, ...]
    parents: tuple[int, ...]
    tops: tuple[int, ...] = ()


def pieces_of(sentence: Sentence, *, safe: bool = True) -> Pieces | None:
    """The pieces of a parsed sentence; nothing where its words have no heads or are not found in its text.

    Without ``safe``, a word may be cut wherever the label of its arc says so.
    """
    text = " ".join(sentence.text.split())
    stretches = stretches_of(text, [token.form for token in sentence.tokens])
    words = sentence.words
    if stretches is None or not words or any(word.head is None for word in words):
        return None
    token_of: dict[int, int] = {}
    for k, token in enumerate(sentence.tokens):
        for number in token.words:
            token_of[number] = k
    heads = [word.head or 0 for word in words]
    forms = [word.form.lower() for word in words]
    negated = [form in NEGATIONS for form in forms]
    for k in _leaves_first(heads):
        if heads[k] and negated[k]:
            negated[heads[k] - 1] = True
    leader = list(range(len(sentence.tokens)))

    def first(token: int) -> int:
        while leader[token] != token:
            token = leader[token]
        return token

    linked = [False] * len(words)
    for word in words:
        if word.head and (word.deprel.split(":")[0] in _LINKS or "PronType=Rel" in word.feats):
            linked[word.head - 1] = True
    for k, word in enumerate(words):
        if word.head and not _may_go(word, words[word.head - 1], forms, linked[k] or not safe, negated[k]):
            one, other = sorted((first(token_of[word.id]), first(token_of[word.head])))
            leader[other] = one
    return _numbered(stretches, [first(k) for k in range(len(leader))], heads, token_of)


def _may_go(word: Word, head: Word, forms: Sequence[str], anywhere: bool, negated: bool) -> bool:
    """Whether a word may be cut off its head: ``anywhere``, or beside a pause alone where its label asks for one."""
    strict = CUTS.get(word.deprel)
    if strict is None or negated or head.upos == "NUM":
        return False
    if word.deprel.startswith("advmod") and (forms[word.id - 1] in _BOUND_ADVERBS or word.id == head.id + 1):
        return False
    if not strict or anywhere:
        return True
    low, high = sorted((word.id, head.id))
    return any(forms[i - 1] in _PAUSES for i in range(low + 1, high))


def _leaves_first(heads: Sequence[int]) -> list[int]:
    """The words of a tree with dependents before heads; words on a circle are left out."""
    below = [0] * (len(heads) + 1)
    for head in heads:
        below[head] += 1
    order = [k for k in range(len(heads)) if not below[k + 1]]
    for k in order:
        below[heads[k]] -= 1
        if heads[k] and not below[heads[k]]:
            order.append(heads[k] - 1)
    return order


def _numbered(
    stretches: tuple[Stretch, ...], leaders: list[int], heads: Sequence[int], token_of: dict[int, int]
) -> Pieces | None:
    """Pieces with parents first; of several roots all but the first require the first."""
    parent: dict[int, int] = dict.fromkeys(leaders, -1)
    top: dict[int, int] = dict.fromkeys(leaders, 0)
    for k, head in enumerate(heads):
        mine = leaders[token_of[k + 1]]
        if head and leaders[token_of[head]] != mine:
            parent[mine] = leaders[token_of[head]]
            top[mine] = k
    order: list[int] = [leader for leader in parent if parent[leader] < 0]
    for leader in order:
        order += [one for one in parent if parent[one] == leader]
    if len(order) != len(parent):
        return None
    number = {leader: k for k, leader in enumerate(order)}
    return Pieces(
        stretches,
        tuple(number[leader] for leader in leaders),
        tuple(number[parent[leader]] if parent[leader] >= 0 else min(k - 1, 0) for k, leader in enumerate(order)),
        tuple(top[leader] for leader in order),
    )


def stretches_of(text: str, forms: Sequence[str]) -> tuple[Stretch, ...] | None:
    """Where tokens stand in the text, one after the other."""
    out, at = [], 0
    for form in forms:
        begin = text.find(form, at)
        if begin < 0 or text[at:begin].strip():
            return None
        at = begin + len(form)
        out.append((begin, at))
    return tuple(out)
