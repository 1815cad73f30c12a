# SPDX-License-Identifier: Apache-2.0
"""Texts and files that several tests read."""

from __future__ import annotations

from pathlib import Path

SHARED = Path(__file__).parents[2] / "../shared/data"
TREEBANKS = sorted(
    [*SHARED.glob("ud/*.conllu.xz"), *SHARED.glob("conllx/*.conll.xz"), *SHARED.glob("ptb_sample/*.conll.xz")]
)

SAMPLE = """\
# sent_id = weather-1
# text = Vámonos al mar.
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t1\tpunct\t1:punct\t_

# sent_id = weather-2
0.1\t_\t_\tVERB\t_\t_\t_\t_\t0:root\tCopyOf=2
1\tAnd\tand\tCCONJ\tCC\t_\t2\tcc\t0.1:cc\t_
2\tyou\tyou\tPRON\tPRP\t_\t0\troot\t0.1:nsubj\tSpaceAfter=No|Gloss=a b
2.1\t_\t_\tVERB\t_\t_\t_\t_\t_\t_
2.2\t_\t_\tVERB\t_\t_\t_\t_\t_\t_
3\t?\t?\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def row(id: str = "1", head: str = "0", form: str = "x", columns: int = 10) -> str:
    """One line of a file, without its end."""
    values = [id, form, "_", "_", "_", "_", head, "_", *["_"] * 8]
    return "\t".join(values[:columns])


def block(*lines: str) -> str:
    """A sentence, with its blank line."""
    return "".join(line + "\n" for line in lines) + "\n"
