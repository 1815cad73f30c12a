# SPDX-License-Identifier: Apache-2.0
"""A Chinese treebank in traditional characters, converted to simplified ones by OpenCC.

    python tools/simplify_chinese.py train.conllu.xz simplified.conllu

needs the package `opencc`, nothing of Accord. Forms and lemmas are converted one by one (dictionary t2s); a form whose
number of characters would change is left as it is. Comments are converted as a whole. Punctuation marks that stand
alone in half width become the full-width marks of Chinese text (the treebank has the former, most text the latter).
"""

from __future__ import annotations

import argparse
import lzma
from pathlib import Path

import opencc

FULL_WIDTH = str.maketrans(",.?!;:()", "，。？！；：（）")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("source", type=Path)
    options.add_argument("target", type=Path)
    arguments = options.parse_args()
    converter = opencc.OpenCC("t2s")

    def simplified(text: str) -> str:
        converted = converter.convert(text)
        return converted if len(converted) == len(text) else text

    data = arguments.source.read_bytes()
    text = (lzma.decompress(data) if arguments.source.suffix == ".xz" else data).decode("utf-8")
    lines = []
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) == 10:
            fields[1], fields[2] = simplified(fields[1]), simplified(fields[2])
            if fields[3] == "PUNCT" and len(fields[1]) == 1:
                fields[1] = fields[1].translate(FULL_WIDTH)
            line = "\t".join(fields)
        elif line.startswith("#"):
            line = converter.convert(line)
        lines.append(line)
    arguments.target.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
