"""The command ``little-go``; ``python -m little_go`` is the same."""

from importlib import import_module

import click

from runtime.release import version

#: The packages and what each is for, told without importing it. ``little-go PACKAGE COMMAND`` is ``python -m PACKAGE
#: COMMAND``.
PACKAGES = {
    "arena": "Play games, tournaments and gradings, review games, and act as a GTP engine.",
    "book": "Ask what a position is worth; write and read stores, books and atlases.",
    "explorer": "Open the page that knows any position.",
    "generator": "Solve the game, in parallel, and keep what is proved.",
    "player": "Build my_player3.py, the program to upload.",
    "proof": "Write and check certificates, and look for contradictions.",
    "solver": "Value positions with the kernel, count positions, measure speed.",
    "theorem": "Write what the proof assistant Coq checks.",
}

#: Short names: the package, and its command.
SHORT = {
    "query": ("book", "query"),
    "play": ("arena", "play"),
    "review": ("arena", "review"),
    "puzzle": ("arena", "puzzle"),
    "doctor": ("arena", "doctor"),
    "gtp": ("arena", "gtp"),
    "open": ("explorer", "open"),
    "check": ("proof", "check"),
    "solve": ("generator", "solve"),
    "value": ("solver", "value"),
}


class Lazy(click.Group):
    """A group that imports a package when one of its commands is called, and no other."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names: the short ones, then the packages."""
        return [*SHORT, *PACKAGES]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments call; a short name is put in full, so errors name its package."""
        return super().resolve_command(ctx, [*SHORT.get(args[0], args[:1]), *args[1:]])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a package's group, or a short name's command; None for another name. Raises ClickException."""
        if cmd_name in SHORT:
            package, command = SHORT[cmd_name]
            return _group(package).commands[command]
        return _group(cmd_name) if cmd_name in PACKAGES else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names with their help, and import nothing for it."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, f"The same as {package} {command}.") for name, (package, command) in SHORT.items()]
            )
        with formatter.section("Packages, each with its own commands"):
            formatter.write_dl(list(PACKAGES.items()))


def _group(package: str) -> click.Group:
    """Import a package's commands; raise ClickException where a part of the installation is missing."""
    try:
        group: click.Group = import_module(f"{package}.__main__").main
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"little-go {package} needs the Python module {error.name}, which is not here; "
            "in a clone run make setup, elsewhere install little-go again"
        ) from None
    return group


@click.command(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), prog_name="little-go")
def main() -> None:
    """Little-Go: Go on 5x5 with 24 plies, solved.

    Every command explains itself with --help.
    """


if __name__ == "__main__":
    main(prog_name="python -m little_go")
