# SPDX-License-Identifier: Apache-2.0
"""Released treebanks are valid, and each kind of mistake is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.data import Document, read
from accord.evaluation.validation import Validator

UD = Path(__file__).parents[3] / "shared" / "data" / "ud"
GOOD = """# sent_id = 1
# text = She doesn't sleep.
1\tShe\tshe\tPRON\t_\tCase=Nom|Number=Sing\t4\tnsubj\t4:nsubj\t_
2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdoes\tdo\tAUX\t_\t_\t4\taux\t4:aux\t_
3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t4:advmod\t_
4\tsleep\tsleep\tVERB\t_\t_\t0\troot\t0:root\tSpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t4:punct\t_

"""


def verdicts(text: str, level: int = 3) -> set[str]:
    return {problem.test for problem in Validator(level).problems(Document.from_conllu(text, on_error="keep"))}


def test_a_good_sentence_is_valid() -> None:
    assert verdicts(GOOD) == set()


@pytest.mark.parametrize(
    ("old", "new", "test"),
    [
        ("# sent_id = 1\n", "", "missing-sent-id"),
        ("# text = She", "# text = He", "text-form-mismatch"),
        ("# text = She doesn't sleep.\n", "", "missing-text"),
        ("\tVERB\t", "\tVB\t", "unknown-upos"),
        ("Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "unsorted-features"),
        ("Case=Nom", "Case=nom", "invalid-feature"),
        ("4\tnsubj\t", "4\tNSUBJ\t", "invalid-deprel"),
        ("4\tnsubj\t", "4\tsubject\t", "unknown-udeprel"),
        ("0\troot\t", "0\tobj\t", "0-is-not-root"),
        ("4\taux\t", "5\taux\t", "leaf-punct"),
        ("do\tAUX", "do\tVERB", "rel-upos-aux"),
        ("4\tnsubj\t", "4\tconj\t", "right-to-left-conj"),
        ("4\tadvmod\t", "4\tnsubj\t", "too-many-subjects"),
        ("4:nsubj", "9:nsubj", "unknown-ehead"),
        ("4:nsubj", "4:obj|4:nsubj", "unsorted-deps-2"),
        ("4:nsubj", "1:nsubj", "deps-self-loop"),
        ("4:nsubj", "4:root", "enhanced-root-is-not-0"),
        ("Case=Nom", "Case=Nom,Acc", "unsorted-feature-values"),
        ("SpaceAfter=No", "SpaceAfter=Yes", "spaceafter-value"),
        ("# sent_id = 1", "# sent_id = one two", "invalid-sent-id"),
        ("4\tadvmod\t", "2\tnsubj\t", "leaf-aux-cop"),
        ("4\tadvmod\t", "2\tgoeswith\t", "goeswith-upos"),
        ("4\tnsubj\t", "1\tnsubj\t", "head-self-loop"),
        ("PUNCT\t_\t_\t4\tpunct", "PUNCT\t_\t_\t4\tdep", "upos-rel-punct"),
        ("She\tshe", "She\u0301\tshe", ""),
        ("4\tsleep\tsleep", "4\tsleepe\u0301\tsleep", "unicode-normalization"),
        ("4\tpunct\t4:", "9\tpunct\t4:", "format"),
    ],
)
def test_mistakes_are_found(old: str, new: str, test: str) -> None:
    assert old in GOOD
    found = verdicts(GOOD.replace(old, new))
    assert test in found if test else found


def test_ids_are_unique_across_sentences() -> None:
    assert verdicts(GOOD * 2) == {"non-unique-sent-id"}
    assert verdicts(GOOD * 2, level=1) == set()


@pytest.mark.skipif(not UD.is_dir(), reason="needs shared data")
@pytest.mark.parametrize("name", ["en_ewt-ud-dev", "bg_btb-ud-dev", "fr_rhapsodie-ud-dev", "cs_fictree-ud-dev"])
def test_released_treebanks_are_valid(name: str) -> None:
    problems = list(Validator().problems(read(UD / f"{name}.conllu.xz", on_error="keep")[:400]))
    assert problems == []
