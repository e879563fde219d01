"""Define exit codes, and command groups that report an error in one line, ``PLACE: WHAT: NEXT``.

A command that does not succeed has one of four exit codes. FOUND: the command examined something that is wrong or
incomplete. BELIEVED: the result is right if the notes of earlier work are right. INTERRUPTED: Ctrl-C ended the command.
CANNOT: the command failed for another reason.
"""

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click
from click.core import ParameterSource

from little_go.runtime.ctrl_c import INTERRUPTED, LINE, interruptible
from little_go.runtime.help_texts import ENDINGS, OPTIONS
from little_go.runtime.terminal import CANNOT, CommandContext, GuardedGroup

#: The exit codes of commands in addition to 0, CANNOT and INTERRUPTED.
FOUND, BELIEVED = 1, 3


def exit_interrupted(message: str = LINE) -> NoReturn:
    """Print a line on standard error, and exit with INTERRUPTED, even if Ctrl-C is pressed again."""
    # Python removes its signal handlers before it ends, so another Ctrl-C would change the exit code.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    click.echo(message, err=True)
    sys.exit(INTERRUPTED)


def error_text(error: OSError) -> str:
    """Return the text of an error, which begins with the file's name if the error contains a name."""
    what = error.strerror or str(error)
    return f"{error.filename}: {what}" if error.filename else what


#: The key under which click's context stores the words of the command line after the package's name.
_GIVEN = "little_go.runtime.errors.given"


def given_words() -> list[str]:
    """Return the running command and all its options as the user entered them."""
    words: list[str] = click.get_current_context().meta[_GIVEN]
    return words


class OneLineErrors(GuardedGroup):
    """A command group that reports errors in one line, ``Error: …``, and Ctrl-C in one line, too."""

    def __init__(
        self,
        *arguments: Any,
        room: str = "",
        expected: tuple[type[Exception], ...] = (),
        findings: tuple[type[Exception], ...] = (),
        **settings: Any,
    ) -> None:
        """Prepare the group as click.Group does.

        room: the package of the commands, which determines the ends of their help texts. expected: exceptions in
        addition to OSError whose message is printed, with the exit code CANNOT, because the work cannot be done.
        findings: exceptions whose message is printed, with the exit code FOUND, because something was examined and is
        wrong. An exception in both lists is a finding.
        """
        super().__init__(*arguments, **settings)
        self._room, self._expected = room, expected
        self._findings = findings

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, with the texts of its options and the end of its help text from runtime/help_texts.py."""
        cmd.context_class = CommandContext
        for option in cmd.params:
            if isinstance(option, click.Option) and option.help is None and option.opts[0] in OPTIONS:
                option.help = OPTIONS[option.opts[0]].text
        ending = ENDINGS.get(f"{self._room} {name or cmd.name}")
        if ending is not None:
            cmd.epilog = f"\b\nExample: {ending.example}\nRead next: {ending.page}"
        super().add_command(cmd, name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the group's own options, and store all words for given_words()."""
        ctx.meta.setdefault(_GIVEN, [*args])
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Convert expected exceptions to Finding or BadUsage. Exit with INTERRUPTED after Ctrl-C."""
        try:
            with interruptible():
                return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except self._findings as error:
            raise Finding(str(error)) from None
        except OSError as error:
            raise BadUsage(error_text(error)) from None
        except self._expected as error:
            raise BadUsage(str(error)) from None
        except KeyboardInterrupt:
            exit_interrupted()
        except _lost_workers() as error:
            raise BadUsage(str(error)) from None


def _lost_workers() -> tuple[type[Exception], ...]:
    """Return the exception for killed workers, or () if no workers were used, to avoid a slow import."""
    module = sys.modules.get("concurrent.futures")
    return () if module is None else (module.BrokenExecutor,)


class Finding(click.ClickException):
    """Raised if something that was examined is wrong or incomplete. The exit code is FOUND."""

    exit_code = FOUND


class BadUsage(click.ClickException):
    """Raised if a command cannot do all of its work. The exit code is CANNOT."""

    exit_code = CANNOT


@contextmanager
def writing(path: str | Path | None = None) -> Iterator[None]:
    """Convert an OSError in the block to BadUsage. path: the file to write, or None for the error's file."""
    try:
        yield
    except OSError as error:
        named = path or error.filename
        raise BadUsage(f"cannot write{f' {str(named)!r}' if named else ''}: {error.strerror or error}") from None


def keep_unnamed(out: str | Path) -> None:
    """Raise BadUsage if ``out`` exists and the user has not given ``--out``.

    A command must not replace a shipped file unless the user has entered its name.
    """
    by_default = click.get_current_context().get_parameter_source("out") is ParameterSource.DEFAULT
    if by_default and Path(out).exists():
        again = f"--out {shlex.quote(str(out))}"
        raise BadUsage(f"{out} exists already: give {again} to overwrite it, or name another file")
