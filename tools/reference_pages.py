# SPDX-License-Identifier: Apache-2.0
"""Reference pages of all public names, made from docstrings; `make docs` puts them into the site.

    python tools/reference_pages.py build/pages/docs/reference/python

A page for each package that says what is public (`__all__`), with its classes, their public methods, and its functions.
The sources are read, not imported, so that optional packages need not be there.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src"
Definition = ast.ClassDef | ast.FunctionDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True)
class Found:
    """A definition, and the module that it stands in."""

    module: str
    node: Definition


@cache
def tree_of(module: str) -> ast.Module | None:
    """The parsed source of a module; None where there is none."""
    path = SOURCES.joinpath(*module.split("."))
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return ast.parse(file.read_text(encoding="utf-8"))
    return None


def public_names(module: str) -> list[str]:
    """What `__all__` lists."""
    tree = tree_of(module)
    for node in tree.body if tree else []:
        if isinstance(node, ast.Assign) and [ast.unparse(one) for one in node.targets] == ["__all__"]:
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def public_modules() -> list[str]:
    """Packages that say what is public, and the modules beside them at the top."""
    files = [*SOURCES.glob("accord/**/__init__.py"), *SOURCES.glob("accord/*.py")]
    names = {".".join(file.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__") for file in files}
    return sorted(name for name in names if public_names(name))


def find(module: str, name: str) -> Found | None:
    """Where a name of a module is defined, through imports."""
    tree = tree_of(module)
    for node in tree.body if tree else []:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return Found(module, node)
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if name in map(ast.unparse, targets):
            assert isinstance(node, ast.Assign | ast.AnnAssign)
            return Found(module, node)
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)) if tree else ()
    for one in imports:
        if one.module and one.module.startswith("accord") and one.module != module:
            for alias in one.names:
                if (alias.asname or alias.name) == name:
                    return find(one.module, alias.name)
    return None


def page(module: str) -> str:
    tree = tree_of(module)
    assert tree is not None
    lines = [f"# {module}", "", *prose(ast.get_docstring(tree)), ""]
    for name in sorted(public_names(module), key=str.lower):
        found = find(module, name)
        if found is not None:
            lines += [f"## {name}", "", *described(found), ""]
        elif tree_of(f"{module}.{name}") is not None:
            lines += [f"## {name}", "", f"The package [{module}.{name}]({module}.{name}.md).", ""]
        else:
            raise SystemExit(f"{module}.{name}: its definition was not found")
    return "\n".join(lines).rstrip() + "\n"


def described(found: Found) -> Iterator[str]:
    """Signature, docstring and methods."""
    node = found.node
    if isinstance(node, ast.Assign | ast.AnnAssign):
        yield from fenced(ast.unparse(node))
        return
    if isinstance(node, ast.FunctionDef):
        yield from fenced(signature(node))
        yield from prose(ast.get_docstring(node))
        return
    yield from fenced(class_signature(found))
    yield from prose(ast.get_docstring(node))
    for name, method in sorted(methods(found).items()):
        decorators = [ast.unparse(one) for one in method.decorator_list]
        is_property = any(one.endswith("property") for one in decorators)
        yield from ("", f"### {node.name}.{name}", "")
        if is_property:
            kind = f" → `{ast.unparse(method.returns)}`" if method.returns else ""
            yield from (f"Property{kind}", "")
        else:
            yield from fenced(signature(method, first_left_out="staticmethod" not in decorators))
        yield from prose(ast.get_docstring(method))


def methods(found: Found) -> dict[str, ast.FunctionDef]:
    """Public methods and properties, also those of bases of this package; the docstring may be that of a base."""
    known: dict[str, ast.FunctionDef] = {}
    assert isinstance(found.node, ast.ClassDef)
    for base in found.node.bases:
        name = ast.unparse(base).partition("[")[0]
        inherited = find(found.module, name)
        if inherited is not None and isinstance(inherited.node, ast.ClassDef) and inherited.node is not found.node:
            known |= methods(inherited)
    for node in found.node.body:
        if not isinstance(node, ast.FunctionDef) or (node.name.startswith("_") and node.name != "__call__"):
            continue
        if any(ast.unparse(one) == "overload" or ast.unparse(one).endswith(".setter") for one in node.decorator_list):
            continue
        if ast.get_docstring(node) is None and node.name in known and ast.get_docstring(known[node.name]) is not None:
            continue
        known[node.name] = node
    return known


def class_signature(found: Found) -> str:
    node = found.node
    assert isinstance(node, ast.ClassDef)
    makers = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    if makers:
        return f"class {node.name}({arguments(makers[0], first_left_out=True)})"
    fields = [
        one for one in node.body if isinstance(one, ast.AnnAssign) and "ClassVar" not in ast.unparse(one.annotation)
    ]
    if fields and any("dataclass" in ast.unparse(one) for one in node.decorator_list):
        return f"class {node.name}({', '.join(map(field, fields))})"
    bases = ", ".join(map(ast.unparse, node.bases))
    return f"class {node.name}({bases})" if bases else f"class {node.name}"


def field(node: ast.AnnAssign) -> str:
    default = "" if node.value is None else " = ..."
    if node.value is not None and not isinstance(node.value, ast.Call):
        default = f" = {ast.unparse(node.value)}"
    return f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}{default}"


def signature(node: ast.FunctionDef, first_left_out: bool = False) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments(node, first_left_out)}){returns}"


def arguments(node: ast.FunctionDef, first_left_out: bool) -> str:
    text = ast.unparse(node.args)
    return re.sub(r"^(self|cls)(, )?", "", text) if first_left_out else text


def fenced(code: str) -> Iterator[str]:
    yield from ("```python", wrapped(code), "```", "")


def wrapped(code: str, width: int = 110) -> str:
    """A long signature with an argument on each line."""
    head, bracket, rest = code.partition("(")
    if len(code) <= width or not bracket or ("=" in head and ":" not in head):
        return code
    inside, depth, parts = "", 1, []
    for place, letter in enumerate(rest):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            tail = rest[place:]
            break
        inside += letter
        if letter == "," and depth == 1:
            parts.append(inside.strip())
            inside = ""
    else:
        return code
    return "\n".join([f"{head}(", *(f"    {part}" for part in [*parts, inside.strip()] if part), tail])


def prose(docstring: str | None) -> Iterator[str]:
    """A docstring as Markdown: names in one backtick, examples in fences, headings in bold."""
    if not docstring:
        return
    text = re.sub(r":\w+:`~?\.?([^`]*)`", lambda found: f"`{found[1]}`", inspect.cleandoc(docstring))
    text = re.sub(r"``([^`]*)``", r"`\1`", text)
    text = re.sub(r"^(\w[\w ]*)\n-{3,}$", r"**\1**\n", text, flags=re.MULTILINE)
    inside = False
    for line in text.split("\n"):
        begins = line.lstrip().startswith(">>>")
        if begins and not inside:
            yield "```python"
            inside = True
        if inside and not line.strip():
            yield "```"
            inside = False
        yield line if inside else line.replace("](", "] (")
    if inside:
        yield "```"
    yield ""


def index(modules: list[str]) -> str:
    lines = [
        "# Python reference",
        "",
        "Each page has the public names of a package, written from their docstrings by `make docs`.",
        "",
    ]
    for module in modules:
        tree = tree_of(module)
        first = next(prose(ast.get_docstring(tree)), "") if tree else ""
        lines.append(f"- [{module}]({module}.md): {first}")
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """All pages by their file names."""
    modules = public_modules()
    return {"README.md": index(modules), **{f"{module}.md": page(module) for module in modules}}


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
