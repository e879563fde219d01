"""Messages of the readers that many tests expect, from ``notation/forms.toml``."""

from little_go.notation.ports import refusal, table


def off_board(word: str) -> str:
    """Return the message about a move that the board does not have, without its place."""
    return refusal("off-board", word).wanted


def with_remedies(text: str) -> str:
    """Return a text with the remedies of the table instead of their names in braces, such as ``{move}``."""
    for name, remedy in table()["remedy"].items():
        text = text.replace(f"{{{name}}}", remedy)
    return text
