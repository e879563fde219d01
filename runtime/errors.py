"""Commands that fail in one line."""

from typing import Any

import click


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
