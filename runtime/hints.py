"""The command lines in messages, which users can copy. They call the program in the same way as the user did."""

import shlex
import sys

#: The names after ``little-go``, each with its package and command.
SHORT = {
    "play": ("arena", "play"),
    "review": ("arena", "review"),
    "puzzle": ("arena", "puzzle"),
    "doctor": ("arena", "doctor"),
    "exam": ("arena", "exam"),
    "tournament": ("arena", "tournament"),
    "grade": ("arena", "grade"),
    "class": ("arena", "class"),
    "train": ("arena", "train"),
    "tictactoe": ("arena", "tictactoe"),
    "gtp": ("arena", "gtp"),
    "query": ("book", "query"),
    "open": ("explorer", "open"),
    "import": ("book", "import"),
    "value": ("solver", "value"),
    "solve": ("generator", "solve"),
    "make": ("maker", "make"),
    "family": ("maker", "family"),
    "status": ("generator", "status"),
    "demo": ("generator", "demo"),
    "check": ("proof", "check"),
}

_NAMES = {called: name for name, called in SHORT.items()}


def command_line(called: str, *words: object) -> str:
    """Return the command line that calls a command.

    It begins with ``python -m`` if the process was started in this way, and otherwise with ``little-go``.

    called: package, command and further words, separated by blanks. words: further words, which may contain blanks. All
    words are quoted for a shell.

    >>> command_line("book import --db", "my games.db")
    "little-go import --db 'my games.db'"
    >>> command_line("generator run")
    'little-go generator run'
    """
    room, command, *options = [*called.split(), *map(str, words)]
    package = _package()
    begun = called_by_users(room, command) if package is None else f"python -m {package}{room} {command}"
    return " ".join([begun, *map(shlex.quote, options)])


def called_by_users(room: str, command: str) -> str:
    """Return the words by which users call a command of a package.

    >>> called_by_users("book", "import")
    'little-go import'
    """
    return f"little-go {_NAMES.get((room, command)) or f'{room} {command}'}"


def _package() -> str | None:
    """Return the text before the room's name if the process began with ``python -m`` and a room, otherwise None.

    In a clone, that is "" for ``python -m book``, and "little_go." for ``python -m little_go.book``.
    """
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    module = spec.name if spec else ""
    called = {f"{package}{room}.__main__": package for room, _ in SHORT.values() for package in ("", "little_go.")}
    return called.get(module)
