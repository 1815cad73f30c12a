# SPDX-License-Identifier: Apache-2.0
"""Random rules for a sentence with the labels and tags of :mod:`tests.inference.rules.obeyed_rules`."""

from __future__ import annotations

from hypothesis import strategies as st

from accord.inference import rules as r
from accord.inference.rules import Rule

weights = st.sampled_from([None, 0.5, 1.0, 2.5])
labels = st.sampled_from(["nsubj", "obj", "nsubj*", "nsubj,obj", "*"])
tags = st.sampled_from(["VERB", "NOUN,PUNCT", "PUNCT", "ROOT", "VERB,ROOT", "N*"])
optional_tags = st.none() | tags


@st.composite
def some_rules(draw: st.DrawFn, words: int) -> list[Rule]:
    word = st.integers(1, words)
    span = st.tuples(word, word).map(lambda pair: r.Subtree(min(pair), max(pair)))
    kinds: list[st.SearchStrategy[Rule]] = [
        st.builds(r.AtMostOne, labels, optional_tags, weight=weights),
        st.builds(r.AtLeastOne, labels, optional_tags, weight=weights),
        st.builds(r.MaxDependents, st.integers(0, 2), optional_tags, weight=weights),
        st.builds(r.ForbidLabel, st.sampled_from(["nsubj", "obj"]), st.none() | word, weight=weights),
        st.builds(r.RequireLabel, word, labels, weight=weights),
        st.builds(
            r.Agreement, labels, head_is=optional_tags, head_not=optional_tags, dependent_is=tags, weight=weights
        ),
        st.builds(r.NoCrossing, weight=weights),
        st.builds(lambda span, weight: r.Subtree(span.first, span.last, weight=weight), span, weights),
    ]
    if words > 1:
        arcs = st.tuples(st.integers(0, words), word).filter(lambda arc: arc[0] != arc[1])
        for kind in (r.Require, r.Forbid):
            kinds.append(
                st.builds(
                    lambda arc, label, weight, kind=kind: kind(*arc, label, weight=weight),
                    arcs,
                    st.none() | labels,
                    weights,
                )
            )
    return draw(st.lists(st.one_of(kinds), max_size=5, unique=True))
