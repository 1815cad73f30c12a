# SPDX-License-Identifier: Apache-2.0
"""``accord view``: the page of the service on a treebank, or on two to compare."""

from __future__ import annotations

from typing import Annotated

import typer

from accord.app.commands.serve import LOOPBACK, check_installed


def view(
    files: Annotated[list[str], typer.Argument(help="A treebank; two are compared sentence by sentence.")],
    model: Annotated[
        list[str],
        typer.Option("--model", "-m", help="A model for the other tabs; may be repeated.", show_default=False),
    ] = [],  # noqa: B006
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 means any that is free.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Look at the trees of a file in the browser: search, page by page, differences of two parsers.

    Example: accord view gold.conllu parsed.conllu
    """
    check_installed()
    from accord.app.service.running import run
    from accord.app.service.service import Settings
    from accord.app.service.viewing import Browser

    run(model, Settings(), host=LOOPBACK, port=port, browser=Browser.open(files), open_page=browser)
