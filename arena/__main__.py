"""The arena's front door: ``python -m arena``."""

import click

from arena.commands.agreement import agreement
from arena.commands.grade import grade
from arena.commands.play import play
from arena.commands.replay import replay
from arena.commands.tictactoe import tictactoe
from arena.commands.tournament import tournament


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Play games of Little-Go, judged as by the course's host."""


for command in (agreement, grade, play, replay, tictactoe, tournament):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m arena")
