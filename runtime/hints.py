"""Make command lines for messages, which users can copy, and which call the program as the user called it."""

import shlex
import sys

#: Maps a name that can follow ``little-go`` to a package and a command of the package.
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
    """Return the command line with which a user can call a command.

    The line begins with ``python -m`` if the user started this process with ``python -m``, and otherwise with
    ``little-go``.

    called: package, command and additional words, separated by blanks. words: additional words, which can contain
    blanks. All words are quoted for a shell.

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
    """Return the words with which users call a command of a package.

    >>> called_by_users("book", "import")
    'little-go import'
    """
    return f"little-go {_NAMES.get((room, command)) or f'{room} {command}'}"


def _package() -> str | None:
    """Return the prefix of the package's name if ``python -m`` started the process, or else None.

    The prefix is "" for ``python -m book``, and "little_go." for ``python -m little_go.book``.
    """
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    module = spec.name if spec else ""
    called = {f"{package}{room}.__main__": package for room, _ in SHORT.values() for package in ("", "little_go.")}
    return called.get(module)
