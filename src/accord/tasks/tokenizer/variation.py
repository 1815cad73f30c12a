# SPDX-License-Identifier: Apache-2.0
"""Copies of the training text as others would have typed it: curly quotes, dashes, emoji, prices, abbreviations, case.

A treebank has the typography of its sources, and a tokeniser learns no other. Each copy of a paragraph takes a few of
the changes below, which keep its tokens and sentences known: a change of a mark changes the character, and what is put
in is a token of its own. Contractions keep their words ("They’re" is "They" and "’re", as "They're" is).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

from accord.tasks.tokenizer.gold import GoldParagraph, GoldToken


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


EMOJI = _listed("😀 😂 ❤️ 👍 🎉 🙏 😭 🔥 😉 🤔 👍🏽 ☕ 🚀 ✨ ⚽ ☀️ 🌍 💪 🥳")
CURRENCIES = ("€", "£", "¥", "₹", "$")
BEFORE_NUMBERS = _listed("approx. vol. Vol. no. No. pp. p. Fig. fig. ca. Sec. ch. max. min.")
AFTER_NUMBERS = _listed("tsp. tbsp. oz. lb. lbs. ft. sq. min. hrs. cm. mi.")
TITLES = _listed("Prof. Dr. Mr. Mrs. Ms. Gen. Sen. Rep. Gov. Capt. Lt. Col. Rev. St. Hon.")
AFTER_NAMES = _listed(
    "Ave. Blvd. Rd. St. Jr. Sr. Inc. Corp. Co. Ltd. Bros. Yahoo! Jan. Feb. Sept. Oct. Dept. Univ. vs."
)
INSIDE = _listed("e.g. i.e. etc. vs. cf. a.m. p.m. U.S. U.K. Ph.D. al. est. incl. esp.")
VERSIONS = ("2.0.1", "1.4.2", "10.3", "v2.1", "3.11.0", "0.9.8", "192.168.0.1")
ENDS = (".", "!", "?")
_DASHED = (",", "-", "--", ";", ":")  # what a dash may stand for

Sentence = tuple[GoldToken, ...]
Change = Callable[[Sentence, random.Random], Sentence]


def vary(paragraphs: Sequence[GoldParagraph], share: float, seed: int) -> list[GoldParagraph]:
    """Changed copies of so many of the paragraphs."""
    source = random.Random(seed)
    copies = []
    for paragraph in paragraphs:
        if source.random() < share:
            changes = source.sample(CHANGES, source.randint(2, 5))
            copies.append(GoldParagraph(tuple(_changed(sentence, changes, source) for sentence in paragraph.sentences)))
    return copies


def _changed(sentence: Sentence, changes: Sequence[Change], source: random.Random) -> Sentence:
    for change in changes:
        sentence = change(sentence, source)
    return sentence


def _token(form: str, space_after: bool) -> GoldToken:
    return GoldToken(form, space_after, (form,))


def _as(token: GoldToken, change: Callable[[str], str]) -> GoldToken:
    """The token with its characters changed one by one."""
    return GoldToken(change(token.form), token.space_after, tuple(change(word) for word in token.words))


def curly(token: GoldToken) -> GoldToken:
    """The token with curly apostrophes."""
    return _as(token, lambda text: text.replace("'", "’"))


def _spaced(token: GoldToken, space_after: bool) -> GoldToken:
    return GoldToken(token.form, space_after, token.words)


def _places(sentence: Sentence, fits: Callable[[int], bool]) -> list[int]:
    """Places between the first and the last token."""
    return [place for place in range(1, len(sentence) - 1) if fits(place)]


def curly_marks(sentence: Sentence, source: random.Random) -> Sentence:
    """Curly quotes and apostrophes for straight ones."""
    changed, opened = [], False
    for token in sentence:
        if token.form in ('"', "``", "''"):
            opened = not opened
            changed.append(_token("“" if opened else "”", token.space_after))
        elif token.form == "'":
            changed.append(_token("‘" if token.space_after is False and not opened else "’", token.space_after))
        else:
            changed.append(curly(token))
    return tuple(changed)


def quoted(sentence: Sentence, source: random.Random) -> Sentence:
    """The whole sentence in quotes, which stand at its words without a blank."""
    if source.random() < 0.4 or len(sentence) < 2:
        return sentence
    opening, closing = source.choice((("“", "”"), ('"', '"'), ("‘", "’"), ("«", "»")))
    last = sentence[-1]
    return (_token(opening, False), *sentence[:-1], _spaced(last, False), _token(closing, last.space_after))


def dashes(sentence: Sentence, source: random.Random) -> Sentence:
    """A dash, mostly without blanks, for a comma or a hyphen between words."""
    changed = list(sentence)
    for place in _places(sentence, lambda at: sentence[at].form in _DASHED and sentence[at].space_after):
        if source.random() < 0.6:
            tight, mark = source.random() < 0.7, source.choice("——–")
            changed[place - 1] = _spaced(changed[place - 1], not tight)
            changed[place] = _token(mark, not tight)
    return tuple(changed)


def emoji(sentence: Sentence, source: random.Random) -> Sentence:
    """Emoji before the mark that ends the sentence, or after it."""
    if source.random() < 0.3 or not sentence:
        return sentence
    found, last = source.choice(EMOJI), sentence[-1]
    tight = source.random() < 0.7
    if last.form in ENDS and len(sentence) > 1 and source.random() < 0.6:
        return (*sentence[:-2], _spaced(sentence[-2], not tight), _token(found, False), last)
    if last.form in ENDS and len(sentence) > 1 and source.random() < 0.4:
        return (*sentence[:-2], _spaced(sentence[-2], not tight), _token(found, last.space_after))
    return (*sentence[:-1], _spaced(last, not tight), _token(found, last.space_after))


def prices(sentence: Sentence, source: random.Random) -> Sentence:
    """Other currencies, a currency before a number or a percent sign after it."""
    changed: list[GoldToken] = []
    for place, token in enumerate(sentence):
        before = sentence[place - 1].form if place else ""
        after = sentence[place + 1].form if place + 1 < len(sentence) else ""
        if token.form == "$":
            changed.append(_token(source.choice(CURRENCIES), token.space_after))
        elif _number(token.form) and before not in CURRENCIES and after != "%" and source.random() < 0.6:
            if source.random() < 0.5:
                changed += [_token(source.choice(CURRENCIES), False), token]
            else:
                changed += [_spaced(token, False), _token(source.choice("%%%%%‰°"), token.space_after)]
        else:
            changed.append(token)
    return tuple(changed)


def _amount(source: random.Random) -> str:
    return source.choice((f"{source.randint(1, 100)}", f"{source.random() * 20:.1f}", f"{source.randint(1, 9)},000"))


def last_amounts(sentence: Sentence, source: random.Random) -> Sentence:
    """A share or a price in the place of the last word, before the mark that ends the sentence."""
    if len(sentence) < 4 or sentence[-1].form not in (*ENDS, ",") or not sentence[-2].form.isalpha():
        return sentence
    amount, currency = _amount(source), source.choice(CURRENCIES)
    put = [_token(amount, False), _token("%", False)]
    if source.random() < 0.4:
        put = [_token(currency, False), _token(amount, False)]
    return (*sentence[:-2], *put, sentence[-1])


def brackets(sentence: Sentence, source: random.Random) -> Sentence:
    """A word, a price or a share in brackets or quotes."""
    places = _places(sentence, lambda at: sentence[at].form[0].isalnum() and sentence[at].space_after)
    places = [place for place in places if sentence[place - 1].space_after]
    if not places:
        return sentence
    at = source.choice(places)
    opening, closing = source.choice((("(", ")"), ("(", ")"), ("[", "]"), ("“", "”"), ("‘", "’")))
    inside = [_spaced(sentence[at], False)]
    if source.random() < 0.5:
        inside = [_token(source.choice(CURRENCIES), False), _token(_amount(source), False)]
    elif source.random() < 0.4:
        inside = [_token(_amount(source), False), _token("%", False)]
    return (*sentence[:at], _token(opening, False), *inside, _token(closing, True), *sentence[at + 1 :])


def versions(sentence: Sentence, source: random.Random) -> Sentence:
    """Numbers with several points."""
    return tuple(
        _token(source.choice(VERSIONS), token.space_after) if _number(token.form) and source.random() < 0.5 else token
        for token in sentence
    )


def abbreviations(sentence: Sentence, source: random.Random) -> Sentence:
    """Abbreviations and names that end in a mark, inside of the sentence."""
    changed = list(sentence[:1])
    for before, token in pairwise(sentence):
        put: tuple[str, ...] = ()
        if before.space_after and token.form[0].isalnum():
            if _number(token.form):
                put = BEFORE_NUMBERS
            elif _number(before.form):
                put = AFTER_NUMBERS
            elif token.form.istitle() and len(token.form) > 2:
                put = TITLES
            elif before.form.istitle() and len(before.form) > 2:
                put = AFTER_NAMES
            elif source.random() < 0.08:
                put = INSIDE
        if put and source.random() < 0.4:
            changed.append(_token(source.choice(put), True))
        changed.append(token)
    return tuple(changed)


def other_case(sentence: Sentence, source: random.Random) -> Sentence:
    """Capitals throughout, small letters throughout, or each word with a capital."""
    change: Callable[[str], str] = source.choice((str.upper, str.lower, str.capitalize))
    changed = tuple(_as(token, change) for token in sentence)
    same = all(len(new.form) == len(old.form) for new, old in zip(changed, sentence, strict=True))
    return changed if same and source.random() < 0.7 else sentence


def ellipses(sentence: Sentence, source: random.Random) -> Sentence:
    """One character for three full stops, and three full stops at the end of some sentences."""
    changed = [_token("…", token.space_after) if token.form == "..." else token for token in sentence]
    if changed and changed[-1].form == "." and source.random() < 0.3:
        changed[-1] = _token(source.choice(("…", "...", "?!", "!!")), changed[-1].space_after)
    return tuple(changed)


def _number(form: str) -> bool:
    return form[0].isdigit() and form.replace(",", "").replace(".", "").isdigit()


CHANGES: tuple[Change, ...] = (
    curly_marks, curly_marks, quoted, dashes, emoji, prices, last_amounts, versions, abbreviations, abbreviations,
    brackets, other_case, ellipses,
)  # fmt: skip
