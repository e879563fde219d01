"""The command ``little-go``; ``python -m little_go`` is the same."""

import copy
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module

import click

from little_go.runtime.errors import BadUsage
from little_go.runtime.hints import SHORT
from little_go.runtime.release import in_clone, version
from little_go.runtime.terminal import Context, GuardedGroup

#: The packages whose commands ``little-go PACKAGE COMMAND`` calls.
PACKAGES = ("arena", "book", "explorer", "generator", "maker", "player", "proof", "solver")

#: The modules with the commands of packages that may not import everything that their commands need.
_ELSEWHERE = {"solver": "little_go.book.commands.solver"}

#: The descriptions of the commands with short names, which are printed without importing the commands.
SECTIONS = {
    "Play and be graded": {
        "play": "Play a game, or let programs and agents play.",
        "review": "See which moves of a game were mistakes, and why.",
        "puzzle": "Find the one move that wins.",
        "doctor": "Check an agent before you upload it.",
        "exam": "Test an agent on positions by theme, and see why it goes wrong.",
        "tournament": "Let agents play a round robin.",
        "grade": "Score an agent by the course's rules; class scores a class.",
        "train": "Learn by Q-learning; tictactoe is the assignment's example.",
        "gtp": "Be an engine for Sabaki, GoGui and other Go programs.",
    },
    "Ask": {
        "query": "Ask what a position is worth; value answers only by search.",
        "open": "Open the page for any position, in the browser.",
        "import": "Make a database of the shipped files, or add files to it.",
    },
    "Solve and prove": {
        "solve": "Solve the game; make and family are for other lengths.",
        "status": "See what a database holds, and which command comes next.",
        "check": "Check a certificate from the rules alone.",
        "demo": "See all steps: solve the game, make a player, and play.",
    },
}


class _Unnamed(Context):
    """A context of a package that omits the package's name in usage lines."""

    @property
    def command_path(self) -> str:
        """The path of the parent command."""
        return self.parent.command_path if self.parent else ""


class Lazy(GuardedGroup):
    """A group that imports a package only when one of its commands is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names: first the short names of commands, then the names of packages."""
        return [*SHORT, *PACKAGES]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the called command. The package of a command with a short name calls it, and reports its errors."""
        if args[0] not in SHORT:
            if args[0] not in PACKAGES and not args[0].startswith("-"):
                raise BadUsage(f"no command {args[0]!r}{_meant(args[0])}")
            return super().resolve_command(ctx, args)
        package, command = SHORT[args[0]]
        group = copy.copy(group_of(package))
        group.context_class = _Unnamed
        return args[0], group, [command, *args[1:]]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the group of a package, or the command of a short name. Return None for any other name."""
        if cmd_name in SHORT:
            package, command = SHORT[cmd_name]
            return group_of(package).commands[command]
        return group_of(cmd_name) if cmd_name in PACKAGES else None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and descriptions of the commands without importing the commands."""
        for section, commands in SECTIONS.items():
            formatter.write(f"{section}:\n")
            formatter.indent()
            formatter.write_dl([(f"{name:10}", about) for name, about in commands.items()])
            formatter.dedent()
        formatter.write(f"More: {ctx.command_path} {', '.join(PACKAGES[:-1])} or {PACKAGES[-1]}\n")


def _meant(word: str) -> str:
    """Return the hint for a word that is not a command, such as ": try little-go query"."""
    if word == "help":
        return ": try little-go --help"
    # If a package cannot be imported, recommend none of its commands.
    for package in PACKAGES:
        with suppress(BadUsage):
            if word in group_of(package).commands:
                return f": try little-go {package} {word}"
    close = get_close_matches(word, [*SHORT, *PACKAGES], 1)
    return f": try little-go {close[0]}" if close else ": see little-go --help"


def group_of(package: str) -> click.Group:
    """Return the imported commands of a package. Raise BadUsage if a part of the installation is missing."""
    try:
        group: click.Group = import_module(_ELSEWHERE.get(package, f"little_go.{package}.__main__")).main
    except ModuleNotFoundError as error:
        again = "run make setup" if in_clone() else "install little-go again"
        raise BadUsage(
            f"little-go {package} needs the Python module {error.name}, which is not here: {again}"
        ) from None
    return group


@click.command(
    cls=Lazy,
    options_metavar="[--version]",
    subcommand_metavar="COMMAND [--help] ...",
)
@click.version_option(version(), prog_name="little-go")
def main() -> None:
    """Little-Go: Go on 5x5 with 24 plies, solved. Every COMMAND has --help."""


if __name__ == "__main__":
    main(prog_name=f"python -m {__package__}")
