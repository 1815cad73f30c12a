# SPDX-License-Identifier: Apache-2.0
"""The files of the page at the service's root: plain HTML, CSS and JavaScript, without a build step."""

from __future__ import annotations

from functools import cache
from importlib import resources

from accord.drawing.style import style_sheet

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_SCRIPTS = ("api", "conllu", "editing", "graph", "main", "ranked", "rules", "state", "tabs", "tree", "view")

# Paths of the page and their files; the style sheet of trees is that of all pictures.
PAGES: dict[str, str] = {
    "/": "index.html",
    "/docs": "docs.html",
    "/page/page.css": "page.css",
    "/page/tree.css": "",
    "/page/docs.js": "docs.js",
    "/favicon.ico": "icon.svg",
    **{f"/page/{name}.js": f"{name}.js" for name in _SCRIPTS},
}


@cache
def page_file(path: str) -> tuple[bytes, str]:
    """The bytes and the kind of a file of the page."""
    name = PAGES[path]
    if not name:
        return style_sheet().encode(), "text/css"
    return (resources.files(__name__) / name).read_bytes(), _KINDS[name.rpartition(".")[2]]
