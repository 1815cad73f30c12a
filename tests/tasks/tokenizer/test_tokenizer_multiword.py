# SPDX-License-Identifier: Apache-2.0
"""Words of multiword tokens: known forms, endings, case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord._core.tasks import MultiwordRules
from accord.tasks.tokenizer.gold import GoldToken
from accord.tasks.tokenizer.multiword import Edit, learn_multiword


def token(form: str, *words: str) -> GoldToken:
    return GoldToken(form, True, words or (form,))


ENGLISH = [
    *(token(form, form[:-3], "n't") for form in ("don't", "can't", "isn't", "doesn't", "didn't")),
    *(token(form, form[:-2], "'s") for form in ("Bush's", "it's", "China's")),
    *(token("its") for _ in range(3)),
    token("its", "it", "s"),
    token("gonna", "gon", "na"),
    *(token(form) for form in ("banana", "cats", "dogs", "I", "not")),
]


def test_known_forms_have_their_most_frequent_words() -> None:
    known = learn_multiword(ENGLISH)
    assert known.split("don't") == ["do", "n't"]
    assert known.split("gonna") == ["gon", "na"]
    assert known.split("its") == []
    assert known.split("banana") == []


def test_endings_split_what_was_never_seen_and_keep_its_case() -> None:
    known = learn_multiword(ENGLISH)
    assert known.split("Anna's") == ["Anna", "'s"]
    assert known.split("COULDN'T") == ["COULD", "N'T"]
    assert known.split("tulips") == []
    assert known.split("'s") == []


def test_words_that_are_not_cut_out_of_the_surface_form() -> None:
    portuguese = [
        *(token("do", "de", "o") for _ in range(3)),
        *(token("Do", "De", "o") for _ in range(3)),
        token("NA", "EM", "A"),
        *(token(form + "-lo", form[:-1] + "ar", "lo") for form in ("dá", "amá", "pará")),
    ]
    known = learn_multiword(portuguese)
    assert known.split("do") == ["de", "o"]
    assert known.split("Do") == ["De", "o"]
    assert known.split("DO") == ["DE", "O"]
    assert known.split("na") == ["em", "a"]
    assert known.split("falá-lo") == ["falar", "lo"]


def test_a_form_whose_case_is_not_restored_by_rule_is_known_as_it_is() -> None:
    known = learn_multiword([token("Do", "de", "o"), token("Do", "de", "o"), token("do", "de", "o")])
    assert known.split("Do") == ["de", "o"]
    assert known.split("DO") == ["DE", "O"]


def test_treebanks_without_multiword_tokens_teach_nothing() -> None:
    known = learn_multiword([token("a"), token("b")])
    assert known.text == ""
    assert known.split("ab's") == []


forms = st.text(st.sampled_from("abAB'"), min_size=1, max_size=6)
seen = st.lists(st.builds(token, forms) | st.builds(token, forms, forms, forms), max_size=30)


@given(seen)
def test_each_form_gets_its_most_frequent_words_back(tokens: list[GoldToken]) -> None:
    known = learn_multiword(tokens)
    for form in {token.form for token in tokens}:
        counts: dict[tuple[str, ...], int] = {}
        for one in tokens:
            if one.form == form:
                words = one.words if len(one.words) > 1 else ()
                counts[words] = counts.get(words, 0) + 1
        best = max(counts.values())
        if max(map(bool, counts)) or best > 1:  # a single word seen once may follow the other cases of its form
            assert counts.get(tuple(known.split(form))) == best


@given(seen, forms)
def test_rules_survive_their_text(tokens: list[GoldToken], form: str) -> None:
    known = learn_multiword(tokens)
    copy = MultiwordRules(known.text)
    assert copy.text == known.text
    assert copy.split(form) == known.split(form)


@given(forms, forms, forms)
def test_an_edit_makes_of_a_form_the_words_it_was_learnt_from(surface: str, first: str, second: str) -> None:
    surface = "a" + surface
    edit = Edit.between(surface, (first, second))
    made = MultiwordRules("\t".join(("ending", surface[-1], *edit.fields)) + "\n").by_ending(surface)
    assert made == ([first, second] if edit.cut < len(surface) else [])


def rules(*lines: str) -> MultiwordRules:
    return MultiwordRules("".join(line.replace(" ", "\t") + "\n" for line in lines))


def test_case_is_that_of_all_unicode() -> None:
    known = rules("form straßenzur straßen zu der", "form ǆa ǆ a", "form ᏸa ᏸ x", "ending ᾳs 1  s")
    assert known.split("STRASSENZUR") == []
    assert known.split("Straßenzur") == ["Straßen", "zu", "der"]
    assert known.split("STRAẞENZUR") == ["STRASSEN", "ZU", "DER"]
    assert known.split("Ǆa") == ["Ǆ", "a"]
    assert known.split("ᏰA") == ["Ᏸ", "X"]
    assert known.split("ΤΩᾼS") == ["ΤΩᾼ", "S"]


@pytest.mark.parametrize("line", ["nonsense", "form", "words a b", "ending s 1", "ending s x y z", "ending s -1 y z"])
def test_lines_that_are_no_rules_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a rule"):
        rules(line)
