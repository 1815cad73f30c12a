# SPDX-License-Identifier: Apache-2.0
"""Settings of a pipeline: which steps it has, and how its parser gets its tags in training."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import setting

STEPS = ("tokenize", "tag", "parse")


@dataclass(frozen=True)
class PipelineConfig:
    """What ``accord train pipeline`` trains. Settings of a step are named ``tokenizer.bits``, ``tagger.order``, ..."""

    steps: str = setting("tokenize,tag,parse", f"what the pipeline does, with commas: {', '.join(STEPS)}")
    folds: int = setting(
        5, "train the parser on tags of so many taggers, each of which did not see what it tags; 0: on gold tags", low=0
    )
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    distil: str = setting(
        "", "raw text, a paragraph in each line, that teachers annotate for the parser to learn from; empty: none"
    )
    teachers: str = setting("3", "so many networks are trained as teachers, or files of parsers, with commas between")
    distil_words: int = setting(0, "about so many words of that text, taken at random; 0: all", low=0)
    distil_longest: int = setting(60, "longer sentences of that text are left out", low=3)
    distil_times: int = setting(5, "the treebank counts so many times beside that text", low=1)
    distil_vary: bool = setting(
        False, "write a part of that text in capitals, as headlines, in lower case and with curly quotes"
    )
    distil_lemmas: str = setting(
        "", "file of forms, UPOS and lemmas, tabs between, that corrects the lemmas of teachers; empty: none"
    )
