# SPDX-License-Identifier: Apache-2.0
"""Drawings of trees: text for terminals, SVG and HTML for pages and notebooks."""

from accord.app.draw.html import TreeColumns, draw_html
from accord.app.draw.svg import draw_svg
from accord.app.draw.text import draw_text

__all__ = ["TreeColumns", "draw_html", "draw_svg", "draw_text"]
