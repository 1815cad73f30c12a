"""Drawings of trees: text for terminals, SVG and HTML for pages and notebooks."""

from accord.app.draw.text import draw_text

__all__ = ["draw_text"]
