# SPDX-License-Identifier: Apache-2.0
"""A corpus job on this machine: block after block, each on all cores."""

from __future__ import annotations

from collections.abc import Callable

from accord.engines.job import Done, Job, do_block, finish


def run(job: Job, *, threads: int = 0, tell: Callable[[str], None] = lambda message: None) -> Done:
    """Do what is missing, and merge."""
    missing = job.missing()
    for count, block in enumerate(missing, 1):
        texts = do_block(job, block, threads=threads)
        tell(f"block {count} of {len(missing)}: {texts} texts")
    return finish(job)
