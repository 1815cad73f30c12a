# SPDX-License-Identifier: Apache-2.0
"""Words that say little about a topic: a list for English, and the words of many sentences for other languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

_LIST = """a about above after again against all also am an and any are aren't as at be because been before being below
between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each even few
for from further get got had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers herself
him himself his how how's i i'd i'll i'm i've if in into is isn't it it'd it'll it's its itself just let's like me
more most mustn't my myself n't no nor not of off on once only or other ought our ours ourselves out over own said
same shan't she she'd she'll she's should shouldn't so some such than that that's the their theirs them themselves
then there there's these they they'd they'll they're they've this those through to too under until up upon us very
was wasn't we we'd we'll we're we've were weren't what what's when when's where where's which while who who's whom
why why's will with won't would wouldn't yeah yes yet you you'd you'll you're you've your yours yourself yourselves
's 're 've 'd 'll 'm uh um hmm mm okay ok"""
ENGLISH = frozenset(_LIST.split())
_ENGLISH_SHARE = 0.25  # of the words of English text are in the list; of other languages far fewer are
_FOREIGN_SHARE = 0.15  # with fewer words in the list, a text is surely of another language
_ENOUGH = 10  # words, to tell languages apart
_MANY = 0.15  # of the sentences


def stop_words(sentences: Sequence[Sequence[str]], kind: str) -> frozenset[str]:
    """The stop words of a topic, given as the lower-cased words of its sentences."""
    if kind == "auto":
        kind = "en" if is_english([word for sentence in sentences for word in sentence]) else "frequent"
    if kind == "en":
        return ENGLISH
    counts = Counter(word for sentence in sentences for word in set(sentence))
    return frozenset(word for word, count in counts.items() if count > max(2, _MANY * len(sentences)))


def is_foreign(words: Sequence[str]) -> bool:
    """Whether so few of ten or more lower-cased words are in the list that the text can hardly be English."""
    return len(words) >= _ENOUGH and sum(word in ENGLISH for word in words) < _FOREIGN_SHARE * len(words)


def is_english(words: Sequence[str]) -> bool:
    """Whether so many of the lower-cased words are in the list that the text must be English."""
    return sum(word in ENGLISH for word in words) >= _ENGLISH_SHARE * len(words)
