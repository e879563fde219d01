"""Messages of the readers that many tests expect, from ``notation/forms.toml``."""

from little_go.notation.ports import refusal, table


def off_board(word: str) -> str:
    """Return the message about a move that the board does not have, without its place."""
    return refusal("off-board", word, table()["state"]["S"]["wanted"]).wanted
