"""Commands that fail in one line."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource


class OneLineErrors(click.Group):
    """A command group that reports what a user can get wrong as one line, ``Error: …``.

    expected: the exceptions, beside OSError, whose message is that line.
    """

    expected: tuple[type[Exception], ...] = ()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; raise ClickException for what is expected to go wrong."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise click.ClickException(f"{error.filename}: {error.strerror}") from None
        except self.expected as error:
            raise click.ClickException(str(error)) from None


class BadInput(click.ClickException):
    """Options or other input that make no sense; exits with 2."""

    exit_code = 2


def keep_unnamed(out: str | Path) -> None:
    """Raise BadInput where a command would write over a file that its ``--out`` names only by default.

    A command must not replace a shipped file unless the user has named it.
    """
    by_default = click.get_current_context().get_parameter_source("out") is ParameterSource.DEFAULT
    if by_default and Path(out).exists():
        raise BadInput(f"{out} exists already: give --out {out} to overwrite it, or name another file")
