# SPDX-License-Identifier: Apache-2.0
"""Tests with other programs: Chromium, Spark, Ray. ``make integration`` runs them; ``make test`` leaves them out."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("ACCORD_INTEGRATION") else ["test_*.py"]
