"""The parts of a page that a reader sees: tables, other texts in their order, and the targets of links."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

_TEXTS = ("h1", "h2", "h3", "h4", "p", "li")
_SKIPPED = ("head", "svg")


@dataclass
class PageText(HTMLParser):
    """A page. ``tables``: rows of cells. ``texts``: headings, paragraphs and items. ``links``: targets."""

    html: str
    tables: list[list[list[str]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._skipped: list[str] = []
        self._open: list[str] = []
        self.feed(self.html)
        # The item of a list that contains a card has no text of its own, so it is dropped.
        self.texts = [" ".join(text.split()) for text in self.texts if text.strip()]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element whose text is read; skip pictures."""
        if tag in _SKIPPED:
            self._skipped.append(tag)
        elif self._skipped:
            return
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self._open.append(tag)
        elif tag in _TEXTS:
            self.texts.append("")
            self._open.append(tag)
        elif tag == "a":
            self.links += [value or "" for name, value in attrs if name == "href"]

    def handle_endtag(self, tag: str) -> None:
        """End the element."""
        if self._skipped and tag == self._skipped[-1]:
            self._skipped.pop()
        elif self._open and tag == self._open[-1]:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        """Add text to the current element."""
        if self._skipped or not self._open:
            return
        if self._open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data
        else:
            self.texts[-1] += data
