"""The README of a game that was made: what came out, what lies there, and what it took."""

from collections.abc import Iterator, Mapping
from typing import Any

from solver.answer import Bounds
from solver.bounds import bounds_text
from solver.family import Variant

_FILES = """| file | what it is |
|---|---|
| `my_player3.py`, `book.json` | the player: one file of Python 3.7, and its book; `player.zip` has both |
| `proof.db` | what was proved on the way, in SQLite |
| `walked-black`, `walked-white` | the script's move in every position that it can be led into, with what it searched |
| `made.jsonl` | which steps are done, and what each took |
"""

_CERTIFICATE_ROW = "| `winner.cert.gz` | the winner's whole strategy, for `little-go check winner.cert.gz` |"
_PAGE_ROW = "| `explorer.html` | the page that shows what any position of this game is worth: open it in a browser |"


def _rows(noted: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the rows of the files that not every game has."""
    if noted["check"]["lines"]:
        yield _CERTIFICATE_ROW
    if noted["page"].get("bytes"):
        yield _PAGE_ROW


def _times(noted: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield a row for each step that is done."""
    for name, step in noted.items():
        if "seconds" in step:
            yield f"| {name} | {step['seconds']:,}{' since it resumed' if step.get('resumed') else ''} |"


def readme_of(game: Variant, noted: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the README: a screen of text.

    noted: by step, its figures and seconds.
    """
    solved, book = noted["solve"], noted["book"]
    verdict = f"{solved['winner']} wins."
    if game.komi < 0:
        verdict = "Black wins at once: his PASS on the first ply ends the game, and White's komi is below zero."
    elif solved["value"] is not None:
        margin = bounds_text(Bounds(solved["value"], solved["value"]))
        verdict = f"{solved['winner']} wins: in best play Black - White is {margin}, and the komi is {game.komi:g}."
    walks = [noted[f"walk {colour}"] for colour in ("black", "white")]
    checked = f"A certificate of {noted['check']['lines']:,} lines was checked from the rules alone."
    positions = sum(walk["positions"] for walk in walks)
    nodes, cpu = (max(walk[name] for walk in walks) for name in ("most_nodes", "most_seconds"))
    lines = [
        f"# Little-Go, {game}",
        f"{verdict}",
        f"The script was walked through {positions:,} positions, against every reply, as either colour: as far as its "
        f"book of {book['positions']:,} positions reaches, and one move on. It never gives up a won game there; what "
        "follows, it searches to the end itself. "
        f"The longest search of a won position took {nodes:,} nodes and {cpu:.2f} s of CPU. "
        f"{checked if noted['check']['lines'] else ''}".rstrip(),
        "\n".join([_FILES.rstrip(), *_rows(noted)]),
        "\n".join(["| step | seconds |\n|---|---|", *_times(noted)]),
        f"Made by `little-go make --plies {game.plies} --komi {game.komi:g} --out .`, "
        "which does what is missing when you run it again.",
    ]
    return "\n\n".join(lines) + "\n"
