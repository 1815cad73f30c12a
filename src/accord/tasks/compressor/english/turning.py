# SPDX-License-Identifier: Apache-2.0
"""Trees turned round so that what a sentence says is at the top: sayings and labels before a colon hang on it.

*..., officials said* has the verb of saying at its top, and *Ana: We could use wood* the name. A rule that deletes what
hangs on something else could keep nothing but the saying or the name.
"""

from __future__ import annotations

import dataclasses

from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.commas import COMMAS

_SAYING = frozenset(
    ["said", "says", "say", "told", "tells", "announced", "reported", "reports", "claimed", "claims", "added", "adds"]
)
_LONGEST_LABEL = 5  # words


def without_saying(analysis: Analysis) -> Analysis:
    """The tree with what is said at its top, where a verb of saying is the root and what is said stands before it."""
    roots = [word for word, head in enumerate(analysis.heads) if head == 0]
    if len(roots) != 1 or analysis.forms[roots[0]].lower() not in _SAYING:
        return analysis
    root = roots[0]
    said = [
        word
        for word, (head, label) in enumerate(zip(analysis.heads, analysis.deprels, strict=True))
        if head == root + 1 and label in ("ccomp", "parataxis") and word < root
    ]
    if not said:
        return analysis
    heads, labels = list(analysis.heads), list(analysis.deprels)
    heads[said[0]], labels[said[0]] = 0, "root"
    heads[root], labels[root] = said[0] + 1, "parataxis"
    for word in range(said[0] + 1, root):  # the comma before the saying goes with it
        if analysis.forms[word] in COMMAS and heads[word] == said[0] + 1:
            heads[word] = root + 1
    last = len(heads) - 1
    if labels[last] == "punct" and heads[last] == root + 1:
        heads[last] = said[0] + 1
    return dataclasses.replace(analysis, heads=tuple(heads), deprels=tuple(labels))


def without_label(analysis: Analysis) -> Analysis:
    """The tree with what follows a colon at its top, where the sentence begins with a label (*Note: ...*)."""
    colon = analysis.forms.index(":") if ":" in analysis.forms[: _LONGEST_LABEL + 1] else 0
    tops = [word for word in range(colon) if not 0 < analysis.heads[word] <= colon]
    if len(tops) != 1 or {"VERB", "AUX"}.intersection(analysis.upos[:colon]):
        return analysis
    heads, labels = list(analysis.heads), list(analysis.deprels)
    top = tops[0] + 1
    heads[colon], labels[colon] = top, "punct"
    below = [word for word in range(colon + 1, len(heads)) if heads[word] == top]
    said = [word for word in below if labels[word] != "punct"]
    if heads[top - 1] == 0 and said:
        for word in below:
            heads[word] = said[0] + 1
        heads[said[0]], labels[said[0]] = 0, "root"
        heads[top - 1], labels[top - 1] = said[0] + 1, "vocative"
    return dataclasses.replace(analysis, heads=tuple(heads), deprels=tuple(labels))
