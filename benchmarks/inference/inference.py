# SPDX-License-Identifier: Apache-2.0
"""The inference engine against its peers, on seeded instances.

    python -m benchmarks inference [--peer-python PATH] [--peer-source FOLDER] [--only potts,parses,...]

potts     grids of 20 x 20 and 50 x 50 sites with 5 labels, as exactly-one and pair factors
parses    tree + consecutive-sibling automata, 10 to 40 words
programs  the same parses as flow LP and ILP, through HiGHS
overlap   AD3 and subgradients on thousands of overlapping factors
scale     building 100,000 factors; 100,000 overlapping ones; a million variables with two million pairs

CPU time of one core, one run of everything, solving only: graphs are built before the clock starts, on both sides, and
ours is called through Python. Where the ``ad3`` package can be imported by the peer's interpreter, it runs on the same
grids, on the same machine, in its own process: these are the ratios that count. Its Python has no trees or sibling
automata; with its source folder, its C++ examples are compiled (``ad3_peer``) and run on the same parses. Recorded
figures of AD3 2.3 from another day, two to five times slower than the same program here, stand beside them for
reference only.

The peer has two settings: T = residuals of 1e-3, D = residuals of 1e-6. Ours solves to residuals of 1e-6, or to a
certificate, and is compared with D. On grids `reaches T` is the time after which our bound and our assignment were both
at least as good as those that T was recorded to end with; it is compared with T. A peer that ends with another value
has solved another problem, and gets no ratio.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.inference.solve_many import overlap, scale
from benchmarks.inference.solve_parses import parses, programs
from benchmarks.inference.solve_potts import potts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", default=sys.executable, help="interpreter in which ad3 is installed")
    parser.add_argument("--peer-source", type=Path, help="source folder of ad3, for the parses; see ad3_peer.py")
    parser.add_argument("--only", help="some of: potts,parses,programs,overlap,scale")
    options = parser.parse_args()
    parts: dict[str, Callable[[], None]] = {
        "potts": lambda: potts(options.peer_python),
        "parses": lambda: parses(options.peer_source),
        "programs": programs,
        "overlap": overlap,
        "scale": scale,
    }
    for name in options.only.split(",") if options.only else parts:
        if name not in parts:
            parser.error(f"{name}: no such part; there are {', '.join(parts)}")
        parts[name]()


if __name__ == "__main__":
    main()
