"""The player's memory file in a directory."""

import json
from pathlib import Path

from little_go.player.memory import MEMORY_FILE


def games_noted(folder: Path) -> dict[str, list[list[object]]]:
    """Return, by the colour's number, the notes of the running games."""
    found: dict[str, list[list[object]]] = json.loads((folder / MEMORY_FILE).read_text("ascii"))["games"]
    return found
