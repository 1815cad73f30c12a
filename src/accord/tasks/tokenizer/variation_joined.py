# SPDX-License-Identifier: Apache-2.0
"""Copies of a text without blanks between words as others would have typed it: quotes, marks, ends of sentences.

Chinese treebanks of one source have one kind of quotes and hardly a question. Each copy of a piece changes some of its
marks or puts some in, as tokens of their own; the words stay what they are (see variation.py, which does the same for
scripts with blanks). Chinese sentences may also get pronouns and particles of speech, which encyclopedias lack.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from accord.tasks.tokenizer.gold import GoldParagraph, GoldToken

QUOTES = (("“", "”"), ("‘", "’"), ("「", "」"), ("『", "』"), ('"', '"'), ("《", "》"), ("〈", "〉"), ("【", "】"))
BRACKETS = (("（", "）"), ("(", ")"), ("[", "]"), ("〔", "〕"))
OPENING = "".join(opening for opening, _ in (*QUOTES, *BRACKETS))
CLOSING = "".join(closing for _, closing in (*QUOTES, *BRACKETS))
FULL_WIDTH = dict(zip(",.?!;:()", "，。？！；：（）", strict=True))
HALF_WIDTH = {full: half for half, full in FULL_WIDTH.items()}
ENDS = ("。", ".", "！", "？", "!", "?")
OTHER_ENDS = ("！", "？", "！", "？", "……", "…", "!", "?", "~", "！！", "？！", "。")
BETWEEN = ("，", ",", "、", "；", ";", "：")
EMOJI = ("😀", "😂", "👍", "🎉", "🙏", "😭", "🔥", "❤️", "🤔", "✨")
REPLACED, REPLACED_LENGTH = 0.15, 2  # share of the words of so many characters
PRONOUNS = ("我", "你", "他", "她", "您", "我们", "我們", "你们", "你們", "他们", "他們", "大家")
BEFORE_VERBS = tuple("也都就还還再又先只真快别別想要能会會")
LAST_PARTICLES = tuple("吧吗嗎呢啊了呀嘛啦")

Sentence = tuple[GoldToken, ...]
Change = Callable[[Sentence, random.Random], Sentence]


def vary_joined(
    pieces: Sequence[GoldParagraph], share: float, seed: int, words: Sequence[str] = ()
) -> list[tuple[int, GoldParagraph]]:
    """Changed copies of so many of the pieces, each with the number of its original.

    ``words``, of two characters each, replace some of the words of that length: so a tokeniser learns to believe a
    dictionary where the treebank does not know a word.
    """
    source = random.Random(seed)
    copies = []
    for number, piece in enumerate(pieces):
        if source.random() < share:
            is_chinese = any(token.form == "的" for sentence in piece.sentences for token in sentence)
            changes = (*CHANGES, *SPEECH) if is_chinese else CHANGES
            sentences = tuple(_changed(sentence, changes, source) for sentence in piece.sentences)
            if words:
                sentences = tuple(other_words(sentence, words, source) for sentence in sentences)
            copies.append((number, GoldParagraph(sentences)))
    return copies


def _changed(sentence: Sentence, changes: Sequence[Change], source: random.Random) -> Sentence:
    for change in source.sample(changes, source.randint(1, 3)):
        sentence = change(sentence, source)
    return sentence


def _mark(form: str) -> GoldToken:
    return GoldToken(form, False, (form,))


def _is_mark(token: GoldToken) -> bool:
    return not any(character.isalnum() for character in token.form)


def _tight(token: GoldToken) -> GoldToken:
    return GoldToken(token.form, False, token.words)


def _enclosed(sentence: Sentence, begin: int, end: int, marks: tuple[str, str]) -> Sentence:
    """The tokens from ``begin`` to before ``end`` between two marks."""
    inside = sentence[begin:end]
    before = (*sentence[: begin - 1], _tight(sentence[begin - 1])) if begin else ()
    closing = GoldToken(marks[1], inside[-1].space_after, (marks[1],))
    return (*before, _mark(marks[0]), *inside[:-1], _tight(inside[-1]), closing, *sentence[end:])


def other_words(sentence: Sentence, words: Sequence[str], source: random.Random) -> Sentence:
    """Some words of two characters replaced by given ones."""
    found = []
    for token in sentence:
        if len(token.form) == REPLACED_LENGTH and token.form.isalpha() and source.random() < REPLACED:
            word = source.choice(words)
            token = GoldToken(word, token.space_after, (word,))
        found.append(token)
    return tuple(found)


def other_quotes(sentence: Sentence, source: random.Random) -> Sentence:
    """One kind of quotes for another."""
    opening, closing = source.choice(QUOTES[:5])
    names = {**dict.fromkeys("「“『", opening), **dict.fromkeys("」”』", closing)}
    return tuple(
        GoldToken(names[token.form], token.space_after, (names[token.form],)) if token.form in names else token
        for token in sentence
    )


def quoted_words(sentence: Sentence, source: random.Random) -> Sentence:
    """Some words, one to eight of them without marks between, in quotes or brackets, up to three times."""
    for _ in range(source.randint(1, 3)):
        begin = source.randrange(len(sentence))
        end = begin + source.choice((1, 1, 2, 2, 3, 4, 6, 8))
        if end < len(sentence) and not any(_is_mark(token) for token in sentence[begin:end]):
            sentence = _enclosed(sentence, begin, end, source.choice((*QUOTES[:6], *QUOTES, *BRACKETS[:2])))
    return sentence


def spoken(sentence: Sentence, source: random.Random) -> Sentence:
    """What follows the first comma as speech, its end inside of the quotes; or the whole sentence."""
    marks = source.choice(QUOTES[:5])
    if any(token.form in OPENING + CLOSING for token in sentence) or len(sentence) < 3:
        return sentence
    commas = [place for place, token in enumerate(sentence) if token.form in BETWEEN and 1 < place < len(sentence) - 2]
    if not commas or source.random() < 0.4:
        return _enclosed(sentence, 0, len(sentence), marks)
    at = source.choice(commas)
    changed = (*sentence[:at], _mark(source.choice(("：", "，", ":"))), *sentence[at + 1 :])
    if source.random() < 0.6:
        return _enclosed(changed, at + 1, len(changed), marks)
    return _enclosed(changed, 0, at + 1, marks)


def other_ends(sentence: Sentence, source: random.Random) -> Sentence:
    """Another mark at the end."""
    if sentence[-1].form not in ENDS:
        return sentence
    last = source.choice(OTHER_ENDS)
    return (*sentence[:-1], GoldToken(last, sentence[-1].space_after, (last,)))


def other_width(sentence: Sentence, source: random.Random) -> Sentence:
    """Marks of full width for those of half width, or the other way."""
    table = HALF_WIDTH if source.random() < 0.3 else FULL_WIDTH
    return tuple(
        GoldToken(table[token.form], token.space_after, (table[token.form],)) if token.form in table else token
        for token in sentence
    )


def dashes(sentence: Sentence, source: random.Random) -> Sentence:
    """A dash or an ellipsis for a mark between two parts."""
    changed = list(sentence)
    for place, token in enumerate(sentence[:-1]):
        if token.form in BETWEEN and source.random() < 0.3:
            mark = source.choice(("——", "—", "……", "--", "－", "…"))
            changed[place] = GoldToken(mark, token.space_after, (mark,))
    return tuple(changed)


def emoji(sentence: Sentence, source: random.Random) -> Sentence:
    """An emoji after the end, or in its place."""
    last, found = sentence[-1], source.choice(EMOJI)
    kept = sentence[:-1] if last.form in ENDS and source.random() < 0.5 else (*sentence[:-1], _tight(last))
    return (*kept, GoldToken(found, last.space_after, (found,)))


def pronouns(sentence: Sentence, source: random.Random) -> Sentence:
    """A pronoun at the beginning or after a comma, some with a word that stands before verbs."""
    places = [0, *(place + 1 for place, token in enumerate(sentence[:-1]) if token.form in BETWEEN)]
    at = source.choice(places)
    put = [_mark(source.choice(PRONOUNS))]
    if source.random() < 0.5:
        put.append(_mark(source.choice(BEFORE_VERBS)))
    return (*sentence[:at], *put, *sentence[at:])


def particles(sentence: Sentence, source: random.Random) -> Sentence:
    """A particle of mood before the end, which may become another mark."""
    if sentence[-1].form not in ENDS or len(sentence) < 2:
        return sentence
    put = (*sentence[:-2], _tight(sentence[-2]), _mark(source.choice(LAST_PARTICLES)), sentence[-1])
    return other_ends(put, source) if source.random() < 0.7 else put


SPEECH: tuple[Change, ...] = (pronouns, pronouns, particles, particles)
CHANGES: tuple[Change, ...] = (
    other_quotes, quoted_words, quoted_words, spoken, spoken, other_ends, other_ends, other_width, dashes, emoji,
)  # fmt: skip
