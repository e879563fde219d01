"""Pictures as SVG, for light and for dark pages: the frame that all of them have."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from textwrap import indent

#: What XML has no way to write, such as a terminal's escape, and half of a character.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def picture(module: str, width: float, height: float, title: str, shapes: Iterable[str]) -> str:
    """Return shapes as a picture, in pixels; ``�`` stands for what XML cannot write.

    module: the ``__file__`` of the one that draws; its style is the file of that name in ``.css``.
    """
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>{escape(title, quote=False)}</title>'
    style = indent(Path(module).with_suffix(".css").read_text("utf-8"), "  ")
    return writable("\n".join([head, f"<style>\n{style}</style>", *shapes, "</svg>", ""]))


def writable(text: str) -> str:
    """Return a text with ``�`` for what XML cannot write."""
    return _NOT_XML.sub("\ufffd", text)
