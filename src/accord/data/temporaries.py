# SPDX-License-Identifier: Apache-2.0
"""Files that are being written, beside the file whose place they will take.

The name of a temporary file says whose place it will take, and its writer holds a lock on it. A process that is killed
leaves its temporary file behind without a lock; whoever writes the same target next removes it.
"""

from __future__ import annotations

import hashlib
import io
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: what a killed process leaves there stays
    fcntl = None  # type: ignore[assignment]

being_written: set[Path] = set()  # by this process, for those who end it


@contextmanager
def temporary_beside(target: Path) -> Iterator[tuple[Path, io.FileIO]]:
    """A new empty file beside ``target``, to be moved or removed inside; leftovers of killed writers are removed."""
    stem = f".accord-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}"
    _remove_leftovers(target.parent, stem)
    path = target.with_name(f"{stem}-{secrets.token_hex(8)}.tmp")
    file = io.FileIO(path, "x")
    being_written.add(path)
    held = os.dup(file.fileno())  # the lock stays when the writer closes the file
    try:
        _locks(held)
        yield path, file
    finally:
        file.close()
        os.close(held)
        path.unlink(missing_ok=True)
        being_written.discard(path)


def _remove_leftovers(folder: Path, stem: str) -> None:
    for path in folder.glob(f"{stem}-*.tmp"):
        try:
            with path.open("rb") as file:
                if _locks(file.fileno()):
                    path.unlink()
        except OSError:  # gone, or not ours to remove
            continue


def _locks(descriptor: int) -> bool:
    """Whether the lock was free and is held now; False where locks are unknown."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
