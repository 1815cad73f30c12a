# SPDX-License-Identifier: Apache-2.0
"""Values of JSON that nobody expects, and lines of JSON with one of them in a place of theirs."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 7, 31, 63, 64, 65, 127, 1000, 70_000, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**64),
    *(
        10**40,
        -(2**63),
        0.5,
        1e-320,
        1e308,
        -1e308,
        float("nan"),
        float("inf"),
        "",
        "x",
        "a\tb",
        "a\nb",
        "\0",
        "\ud800",
        "\u202e",
    ),
    *([], {}, [1], ["x"], [[]], {"x": 1}, "x" * 100_000),
)


def places(node: Any) -> list[tuple[Any, Any]]:
    """All containers of a JSON value with one key or index each."""
    found: list[tuple[Any, Any]] = []
    waiting = [node]
    while waiting:
        at = waiting.pop()
        keys = list(at) if isinstance(at, dict) else range(len(at)) if isinstance(at, list) else ()
        for key in keys:
            found.append((at, key))
            waiting.append(at[key])
    return found


def lines_of_json(content: bytes) -> list[Any] | None:
    """The values of a file of JSON lines; None for another file."""
    try:
        return [json.loads(line) for line in content.splitlines() if line.strip()] or None
    except ValueError:
        return None


def mutated_lines(values: list[Any], chance: random.Random) -> bytes:
    """The lines with one to three changes: a member is left out, said again, or another value."""
    values = copy.deepcopy(values)
    for _ in range(chance.choice((1, 1, 2, 3))):
        container, key = chance.choice(places(values) or [([None], 0)])
        how = chance.random()
        if how < 0.15:
            del container[key]
        elif how < 0.3 and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        else:
            container[key] = copy.deepcopy(chance.choice(ODD))
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()
