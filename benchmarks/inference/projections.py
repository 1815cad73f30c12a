# SPDX-License-Identifier: Apache-2.0
"""Time of a projection by the number of items: on a budget, and on what subtrees leave of a forest.

    python -m benchmarks projections [--library build/release/core/libaccord_core.a]

AD3 projects on each factor in each round. A small program is compiled against the core's library as a build leaves it
(`make test`) and projects random points on a budget of random costs, and on a forest of trees of twenty nodes, five
million items for each figure. Nanoseconds of CPU time for an item.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

from benchmarks.places import ROOT

DRIVER = Path(__file__).with_name("projections.cpp")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--library", type=Path, default=ROOT / "build" / "release" / "core" / "libaccord_core.a")
    library = asked.parse_args().library
    if not library.is_file():
        raise SystemExit(f"{library}: no such library; build the core first, or name another by --library")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "projections"
        compiler = [os.environ.get("CXX", "c++"), "-std=c++20", "-O3", f"-I{ROOT}"]
        subprocess.run([*compiler, str(DRIVER), str(library), "-o", str(program), "-pthread"], check=True)
        lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    found = {(kind, int(items)): figure for kind, items, figure in map(str.split, lines)}
    print("| items | budget, ns an item | subtrees, ns an item |\n|--:|--:|--:|")
    for items in sorted({items for _, items in found}):
        print(f"| {items:,} | {found['budget', items]} | {found['subtree', items]} |")


if __name__ == "__main__":
    main()
