"""The commands ``theorem`` and ``small`` of ``python -m lab``: the theorem in Coq, and games on smaller boards."""

import csv
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

import little_go.solver.native.needed  # noqa: F401 - first, because without a kernel it prints one line, not a traceback
from lab.theorem.leaves import Strategy, read_strategy, take_apart
from lab.theorem.source import NoNode, course_games_source, damage_source, games_source, write_coq, write_source
from little_go.book.files.games import STAFF_GAMES, GamesError
from little_go.runtime.errors import BadUsage, OneLineErrors
from little_go.runtime.options import COUNT, DIRECTORY, FILE, seed_option, setting

CERTIFICATES = Path("proof/certificates")
BUILD = Path("lab/theorem/build")

_build = setting("--out", DIRECTORY, BUILD)


@click.group(cls=OneLineErrors, expected=(NoNode, GamesError))
def theorem() -> None:
    """Write the sources that Coq checks. `make theorem` runs all steps; see docs/explanation/THEOREM.md."""


def _read(path: Path) -> Strategy:
    try:
        return read_strategy(path)
    except FileNotFoundError:
        raise BadUsage(f"{path} does not exist: run this in a clone, or name a certificate") from None
    except ValueError as error:
        raise BadUsage(str(error)) from None


@theorem.command("coq")
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True, type=FILE)
@setting("--piece", click.IntRange(1, 4_000_000), 20_000, "Lines in a piece.")
@_build
def coq_command(certificates: tuple[Path, ...], piece: int, out: Path) -> None:
    """Write certificates as Coq sources: pieces of each certificate to check, and the certificate's theorem.

    The command replaces leaves that are too expensive for Coq by nodes and cheaper leaves, which takes minutes.
    """
    for path in certificates:
        strategy = _read(path)
        opened = take_apart(strategy)
        counts = write_coq(opened, out, piece)
        click.echo(f"{path.name}: {len(strategy.lines):,} lines, {len(opened.lines):,} for Coq, {len(counts)} pieces")


@theorem.command("games")
@setting("--positions", COUNT, 100_000)
@seed_option()
@_build
def games_command(positions: int, seed: int, out: Path) -> None:
    """Write games for Coq to replay: random games by the project's rules, and games that the course's code judged."""
    out.mkdir(parents=True, exist_ok=True)
    source, count, games = games_source(positions, seed)
    write_source(out / "Games.v", source)
    click.echo(f"{out / 'Games.v'}: {count:,} plies of {games:,} games")
    source, games = course_games_source(STAFF_GAMES)
    write_source(out / "CourseGames.v", source)
    click.echo(f"{out / 'CourseGames.v'}: {games:,} games that the course's code judged")


@theorem.command("damage")
@_build
def damage_command(out: Path) -> None:
    """Write a piece of a certificate that Coq must accept, and ten damaged copies that it must refuse."""
    out.mkdir(parents=True, exist_ok=True)
    source, wrong = damage_source(_read(CERTIFICATES / "game-at-least-3.cert.gz"))
    write_source(out / "Damage.v", source)
    click.echo(f"{out / 'Damage.v'}: " + "; ".join(wrong))


SIZES = (3, 4)

#: The columns of the table of small boards.
COLUMNS = ("size", "plies", "value", "nodes", "best")

_SOURCE = Path(__file__).parents[1] / "games" / "small_boards.c"
_NATIVE = Path(__file__).parents[2] / "solver" / "native"


def small_values(size: int, compiler: str) -> Iterator[list[str]]:
    """Yield a row of COLUMNS for each length of the game on a board of ``size`` rows.

    compiler: the command of a C compiler. Raise subprocess.CalledProcessError if the compilation fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "small_boards"
        flags = ["-std=c11", "-O2", f"-DSIZE={size}", f"-I{_NATIVE}"]
        subprocess.run([compiler, *flags, str(_SOURCE), str(_NATIVE / "kernel.c"), "-o", str(program)], check=True)
        done = subprocess.run([program], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        yield [str(size), *line.split(",", 3)]


@click.command()
def small() -> None:
    """List the game's values on 3x3 and 4x4 at every length, with the first moves that keep the value, in CSV.

    The command compiles the kernel for these boards, which takes a few seconds.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise BadUsage("no C compiler here: Debian's package gcc has one")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for size in SIZES:
        writer.writerows(small_values(size, compiler))
