# SPDX-License-Identifier: Apache-2.0
"""A pipeline of an older file with honest probabilities of tags and of whole trees.

    python tools/fit_temperatures.py en dev.conllu.xz en.accord

fits the temperatures of whole trees, and of the tags that the pipeline's network predicts
(``accord.tasks.parser.temperature``), on dev data, and writes the pipeline. Weights, tags and trees stay as they are.
New parsers have these temperatures from the end of their training.
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import accord
from accord import data
from accord.tasks.parser.temperature import fit_confidences, fit_tag_temperatures


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model", help="packaged name or file of a pipeline")
    options.add_argument("dev", type=Path)
    options.add_argument("target", type=Path)
    arguments = options.parse_args()
    pipeline = accord.load(arguments.model)
    dev = data.read(arguments.dev)
    parser = fit_confidences(fit_tag_temperatures(pipeline.parser.model, dev), dev)
    print("temperatures:", ", ".join(f"{one:.3f}" for one in parser.tag_temperatures), parser.whole_temperature)
    dataclasses.replace(pipeline.model, parser=parser).save(arguments.target)


if __name__ == "__main__":
    main()
