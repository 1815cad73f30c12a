# SPDX-License-Identifier: Apache-2.0
"""Drawings of trees: text for terminals, SVG and HTML for pages and notebooks."""

from accord.drawing.html import draw_html
from accord.drawing.sentences import draw_page, draw_sentence, tree_of
from accord.drawing.style import Look
from accord.drawing.svg import draw_svg
from accord.drawing.text import draw_text
from accord.drawing.tree import DrawnTree

__all__ = ["DrawnTree", "Look", "draw_html", "draw_page", "draw_sentence", "draw_svg", "draw_text", "tree_of"]
