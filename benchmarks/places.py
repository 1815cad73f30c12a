# SPDX-License-Identifier: Apache-2.0
"""Where benchmarks find things."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"  # treebanks and corpora, beside the checkout
