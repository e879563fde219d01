"""Output for a terminal: text without foreign control sequences, and short help texts.

A help text lists the options in groups, with short names for their values. It contains no ranges, because error
messages contain them, and no line about --help.
"""

import codecs
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from little_go.runtime.ctrl_c import ending_at_once
from little_go.runtime.help_texts import GROUPS, OPTIONS

#: click's heading over all options.
_ALL_OPTIONS = "Options"

_OPTION = re.compile(r"--[\w-]+")
_NUMBERS = re.compile(r"(?:INTEGER|FLOAT)(?: RANGE)?")
_RANGE = re.compile(r"(?:-?[\d.]+<=?)?x(?:[<>]=?-?[\d.]+)?(?=\])")


class HelpFormatter(click.HelpFormatter):
    """A formatter that writes help texts like click's, but shorter."""

    _in_options = False

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Write a heading, and indent the text inside the block. The options get a heading for each group."""
        if name == _ALL_OPTIONS and not self._in_options:
            self._in_options = True
            yield
            self._in_options = False
            return
        with super().section(name):
            yield

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names with their meanings next to them, and options in groups."""
        short = [(_NUMBERS.sub("N", name), without_range(meaning)) for name, meaning in rows if "--help" not in name]
        if not self._in_options:
            super().write_dl(short, col_max, col_spacing)
            return
        for group in (*GROUPS, _ALL_OPTIONS):
            its = [row for row in short if _group_of(row[0]) == group]
            if its:
                with self.section(group):
                    super().write_dl(its, col_max, col_spacing)


def _group_of(names: str) -> str:
    """Return the heading of an option, given its names as a help text shows them."""
    found = _OPTION.search(names)
    option = OPTIONS.get(found[0]) if found else None
    return option.group if option else _ALL_OPTIONS


def without_range(meaning: str) -> str:
    """Return an option's help text without the range that click adds.

    >>> without_range("Lines.  [default: 3; 1<=x<=9]"), without_range("Lines.  [x>=1]")
    ('Lines.  [default: 3]', 'Lines.')
    """
    bare = re.sub(r"(?:; |\s*\[)\]", lambda found: "]" if found[0][0] == ";" else "", _RANGE.sub("", meaning))
    # click puts a default in words into brackets of its own.
    return re.sub(r"\[default: \((.*)\)", r"[default: \1", bare)


class Context(click.Context):
    """A context with ``-h`` and ``--help``."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        """Prepare the context as click.Context does.

        A command keeps the help options of its first context, so all its contexts must have the same names.
        """
        settings.setdefault("help_option_names", ["-h", "--help"])
        super().__init__(*arguments, **settings)


class CommandContext(Context):
    """A context of a command, whose help text is written by HelpFormatter."""

    formatter_class = HelpFormatter


def printable(text: str) -> str:
    r"""Return text for a terminal, with escapes in Python's notation instead of invisible characters.

    These are control characters except the tab and the line end, marks that change the direction of writing, and lone
    surrogates.

    >>> printable("\x1b[2Ja\0\u202eb\ud800\n")
    '\\x1b[2Ja\\x00\\u202eb\\ud800\n'
    """
    return "\n".join(line if line.isprintable() else "".join(map(_seen, line)) for line in text.split("\n"))


def _seen(character: str) -> str:
    if character.isprintable() or character == "\t" or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode("ascii")


class PrintableStream:
    """A stream that makes text printable and writes it to another stream. It has all attributes of this stream."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    @property
    def encoding(self) -> str:
        """The encoding. The stream above a bar has no encoding, and without one click would bypass this stream."""
        return getattr(self.stream, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        """Write text after making it printable, and return its length."""
        self.stream.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterator[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.stream)


def unguarded(stream: Any) -> Any:
    """Return the underlying stream, for code that draws on the terminal and makes its own texts printable."""
    return stream.stream if isinstance(stream, PrintableStream) else stream


@contextmanager
def guarded() -> Iterator[None]:
    """Make all output inside the block printable, and replace characters that the terminal's encoding lacks."""
    before = {name: getattr(sys, name) for name in ("stdout", "stderr")}
    guards = {name: _guard(stream) for name, stream in before.items()}
    vars(sys).update(guards)
    try:
        yield
    finally:
        # click may have replaced a stream whose other end was closed.
        vars(sys).update({name: before[name] for name in guards if getattr(sys, name) is guards[name]})


#: Replacements for characters that a terminal's encoding lacks; all other characters are escaped.
_IN_ASCII = {"≥": ">=", "≤": "<=", "…": "...", "±": "+-"}


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement for characters that an encoding lacks, and the index after them, for register_error."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    shown = (_IN_ASCII.get(one) or one.encode("ascii", "backslashreplace").decode("ascii") for one in lacking)
    return "".join(shown), error.end


codecs.register_error("little-go", _in_ascii)


def _guard(stream: Any) -> Any:
    if stream is None or isinstance(stream, PrintableStream):
        return stream
    if hasattr(stream, "reconfigure"):
        # click assumes that the locale of an ASCII terminal is not set.
        ascii_only = (stream.encoding or "").lower() in ("ascii", "us-ascii", "ansi_x3.4-1968", "646")
        stream.reconfigure(encoding="utf-8" if ascii_only else None, errors="little-go")
    return PrintableStream(stream)


#: The exit code of a call that cannot be carried out.
CANNOT = 2


class BadCall(click.ClickException):
    """Raised for a command line that click refuses.

    The process prints one line with the help command, and exits with CANNOT.
    """

    exit_code = CANNOT


@contextmanager
def _one_line() -> Iterator[None]:
    """Raise BadCall for a command line that click refuses, because click's own message has four lines."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        what = " ".join(error.format_message().split()).rstrip(".")
        help_text = f": see {error.ctx.command_path} --help" if error.ctx else ""
        raise BadCall(re.sub(r"^Invalid value for '([^']+)'", r"\1", what) + help_text) from None


class GuardedGroup(click.Group):
    """A command group whose output is printable, and which a Ctrl-C ends immediately if no command runs yet.

    It reports a wrong command line in one line.
    """

    context_class = Context

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Read the command line as click does; raises BadCall."""
        with _one_line():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command as click does; raises BadCall."""
        with _one_line():
            return super().invoke(ctx)

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run the command as click does."""
        with guarded(), ending_at_once():
            return super().main(*arguments, **settings)
