"""Take the documents' pictures of the page again: ``python -m tools.pictures``. The command needs pngquant."""

import subprocess
from typing import Any

from tools.browsing import ROOT, Explorer, open_browser

#: The moves to a position in which all moves except two throw the win away.
TRAP = "2,2 1,1 2,1 1,2 2,3 1,3 3,2 0,0 2,4 2,0 3,0 1,4"

#: For each picture's file name, the moves, the row under the mouse pointer or None, and the browser's settings.
PICTURES: dict[str, tuple[str, int | None, dict[str, Any]]] = {
    "light": ("", None, {"viewport": {"width": 1200, "height": 760}, "color_scheme": "light"}),
    "dark": (TRAP, 1, {"viewport": {"width": 1200, "height": 860}, "color_scheme": "dark"}),
    "phone": ("2,2", None, {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2}),
}


def take(browser: Any, name: str) -> str:
    """Take a picture, reduce its colours, and return its path."""
    moves, row, settings = PICTURES[name]
    explorer = Explorer(browser.new_context(offline=True, **settings), f"#moves={moves.replace(' ', '.')}")
    explorer.exact()
    explorer.settle()
    if row is not None:
        explorer.page.locator(".moves li").nth(row).locator("button").hover()
        explorer.until("explorer.app.shownLine()?.whole")
        explorer.settle()
    path = str(ROOT / "docs" / f"explorer-{name}.png")
    explorer.page.screenshot(path=path)
    subprocess.run(["pngquant", "--force", "--strip", "--output", path, path], check=True)
    return path


def main() -> None:
    """Take all pictures."""
    with open_browser() as browser:
        for name in PICTURES:
            print(take(browser, name))


if __name__ == "__main__":
    main()
