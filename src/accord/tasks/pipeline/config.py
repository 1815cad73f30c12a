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
