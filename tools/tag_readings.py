# SPDX-License-Identifier: Apache-2.0
"""Write the combinations of UPOS, XPOS and FEATS of treebanks, for src/accord/tasks/tagger/readings.

Example: python tools/tag_readings.py TREEBANK... > src/accord/tasks/tagger/readings/en.txt
"""

from __future__ import annotations

import sys
from collections import Counter

from accord import data


def main(files: list[str]) -> None:
    seen: Counter[tuple[str, str, str]] = Counter()
    for file in files:
        document = data.read(file)
        seen.update(zip(*(document.column(name) for name in ("upos", "xpos", "feats")), strict=True))
    print("# UPOS, XPOS and FEATS that occur together in UD treebanks (CC BY-SA 4.0), frequent ones first.")
    print("# Written by tools/tag_readings.py from " + ", ".join(file.rpartition("/")[2] for file in files))
    for (upos, xpos, feats), count in sorted(seen.items(), key=lambda item: (-item[1], item[0])):
        if count > 1 or len(files) == 1:
            print(f"{upos}\t{xpos}\t{feats}")


if __name__ == "__main__":
    main(sys.argv[1:])
