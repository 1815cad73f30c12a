# SPDX-License-Identifier: Apache-2.0
"""The plan of the house holds: arrows between rooms point down, no room is overfull, headers stay light."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = {".py", ".cpp", ".hpp"}

# What the files of each room of the core may include, besides those of their own room and of core/ itself.
CORE_ARROWS = {
    "text": set(),
    "hypergraph": set(),
    "chains": {"hypergraph", "text"},
    "trees": {"hypergraph"},
    "compressions": {"chains", "hypergraph", "trees"},
    "constituents": {"hypergraph"},
    "graph": {"trees"},
    "learn": {"text"},
    "neural": {"text"},
    "parses": {"hypergraph", "graph", "trees"},
    "tasks": {
        "chains",
        "compressions",
        "constituents",
        "graph",
        "hypergraph",
        "learn",
        "neural",
        "parses",
        "text",
        "trees",
    },
}

# What the modules of each room of the package may import. Single modules (errors, settings, ...) are below all rooms.
PACKAGE_ARROWS = {
    "data": {"drawing"},  # a notebook asks a document for its picture
    "drawing": {"data"},
    "inference": {"data"},
    "learning": {"data", "models"},  # checkpoints are model files
    "evaluation": {"data", "inference"},
    "models": {"data"},
    "tasks": {"data", "drawing", "evaluation", "inference", "learning", "models", "torch"},
    "torch": {"data", "evaluation", "inference", "learning", "models", "tasks"},
    "engines": {"data", "inference", "models", "tasks"},
    "app": {"data", "drawing", "engines", "evaluation", "inference", "learning", "models", "tasks", "torch"},
}


def core_includes(file: Path) -> list[str]:
    return re.findall(r'#include "(core/[^"]+)"', file.read_text(encoding="utf-8"))


def core_room(path: str) -> str:
    """The room of a file named from the root: core/ROOM/..., or nothing for the files of core/ itself."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def package_imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def header_closure(header: str) -> set[str]:
    """All headers of the core that a header includes, itself counted."""
    found: set[str] = set()
    waiting = [header]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += core_includes(ROOT / name)
    return found


@pytest.mark.parametrize("room", sorted(CORE_ARROWS))
def test_rooms_of_the_core_include_only_what_is_below_them(room: str) -> None:
    folder = ROOT / "core" / room
    assert folder.is_dir()
    wrong = [
        f"{file.relative_to(ROOT)} includes {included}"
        for file in sorted(folder.rglob("*.[ch]pp"))
        for included in core_includes(file)
        if core_room(included) not in {"", room, *CORE_ARROWS[room]}
    ]
    assert not wrong


def test_every_room_of_the_core_is_in_the_plan() -> None:
    assert {folder.name for folder in (ROOT / "core").iterdir() if folder.is_dir()} <= set(CORE_ARROWS)


@pytest.mark.parametrize("room", sorted(PACKAGE_ARROWS))
def test_rooms_of_the_package_import_only_what_is_below_them(room: str) -> None:
    package = ROOT / "src" / "accord"
    rooms = {folder.name for folder in package.iterdir() if (folder / "__init__.py").is_file()}
    wrong = []
    for file in sorted((package / room).rglob("*.py")):
        for name in package_imports(file):
            parts = name.split(".")
            if parts[0] == "accord" and len(parts) > 1 and parts[1] in rooms - {room, *PACKAGE_ARROWS[room]}:
                wrong.append(f"{file.relative_to(ROOT)} imports {name}")
    assert not wrong


def test_no_folder_holds_more_than_thirty_source_files() -> None:
    counts: Counter[str] = Counter()
    for top in ("core", "bindings", "src", "tests", "benchmarks", "tools"):
        for file in (ROOT / top).rglob("*"):
            if file.suffix in SOURCES and "__pycache__" not in file.parts:
                counts[str(file.parent.relative_to(ROOT))] += 1
    assert {folder: count for folder, count in counts.items() if count > 30} == {}


def test_no_two_headers_define_a_class_of_the_same_name_in_one_namespace() -> None:
    """A linker keeps one of the two without a word, and objects of the other get its functions."""
    defined: defaultdict[str, set[str]] = defaultdict(set)
    for header in sorted((ROOT / "core").rglob("*.hpp")):
        text = header.read_text()
        for namespace in re.findall(r"^namespace ([\w:]+) \{", text, re.MULTILINE):
            for name in re.findall(r"^(?:class|struct|enum class) (\w+)\b[^;]*?\{", text, re.MULTILINE):
                defined[f"{namespace}::{name}"].add(str(header.relative_to(ROOT)))
    assert {name: files for name, files in defined.items() if len(files) > 1} == {}


def test_the_header_of_the_parser_is_light() -> None:
    assert len(header_closure("core/tasks/parser/model.hpp")) <= 29
