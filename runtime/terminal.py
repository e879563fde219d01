"""Write output for a terminal: text whose control sequences are escaped, and short help texts.

A help text lists the options in groups, with short names for their values. The help text omits ranges, because error
messages show the ranges, and the line about --help.
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

#: The heading that click writes over all options.
_ALL_OPTIONS = "Options"

_OPTION = re.compile(r"--[\w-]+")
_NUMBERS = re.compile(r"(?:INTEGER|FLOAT)(?: RANGE)?")
_RANGE = re.compile(r"(?:-?[\d.]+<=?)?x(?:[<>]=?-?[\d.]+)?(?=\])")


class HelpFormatter(click.HelpFormatter):
    """A formatter that writes help texts like click's, but shorter."""

    _in_options = False

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Write a heading, and indent the text in the block. In the section of options, each group has a heading."""
        if name == _ALL_OPTIONS and not self._in_options:
            self._in_options = True
            yield
            self._in_options = False
            return
        with super().section(name):
            yield

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write each name with its meaning next to it. Write options in groups."""
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
    found = _OPTION.search(names)
    option = OPTIONS.get(found[0]) if found else None
    return option.group if option else _ALL_OPTIONS


def without_range(meaning: str) -> str:
    """Remove the range that click adds to an option's help text.

    >>> without_range("Lines.  [default: 3; 1<=x<=9]"), without_range("Lines.  [x>=1]")
    ('Lines.  [default: 3]', 'Lines.')
    """
    bare = re.sub(r"(?:; |\s*\[)\]", lambda found: "]" if found[0][0] == ";" else "", _RANGE.sub("", meaning))
    # If a default is described by words, click puts additional brackets around it.
    return re.sub(r"\[default: \((.*)\)", r"[default: \1", bare)


class Context(click.Context):
    """A click context whose help options are ``-h`` and ``--help``."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        """Prepare the context as click.Context does.

        A command stores the help options of its first context, so all contexts must have the same help options.
        """
        settings.setdefault("help_option_names", ["-h", "--help"])
        super().__init__(*arguments, **settings)


class CommandContext(Context):
    """The context of a command, whose help text HelpFormatter writes."""

    formatter_class = HelpFormatter


def printable(text: str) -> str:
    r"""Return a text in which escapes in Python's notation replace invisible characters.

    Invisible characters are control characters except the tab and the line end, marks that change the direction of
    writing, and lone surrogates.

    >>> printable("\x1b[2Ja\0\u202eb\ud800\n")
    '\\x1b[2Ja\\x00\\u202eb\\ud800\n'
    """
    return "\n".join(line if line.isprintable() else "".join(map(_seen, line)) for line in text.split("\n"))


def _seen(character: str) -> str:
    if character.isprintable() or character == "\t" or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode("ascii")


class PrintableStream:
    """A stream that makes text printable, and writes the text to another stream, whose attributes it shares."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    @property
    def encoding(self) -> str:
        """The stream's encoding, never None, because click bypasses a stream that has no encoding."""
        return getattr(self.stream, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        """Make a text printable and write it. Return the length of the original text."""
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
    """Return the stream under a PrintableStream, for code that draws on the terminal and makes its texts printable."""
    return stream.stream if isinstance(stream, PrintableStream) else stream


@contextmanager
def guarded() -> Iterator[None]:
    """Make all output in the block printable, and replace characters that the terminal's encoding does not contain."""
    before = {name: getattr(sys, name) for name in ("stdout", "stderr")}
    guards = {name: _guard(stream) for name, stream in before.items()}
    vars(sys).update(guards)
    try:
        yield
    finally:
        # Do not restore a stream that click has replaced because its other end was closed.
        vars(sys).update({name: before[name] for name in guards if getattr(sys, name) is guards[name]})


#: Replacements for characters that a terminal's encoding does not contain. Characters without a replacement are
#: escaped.
_IN_ASCII = {"≥": ">=", "≤": "<=", "…": "...", "±": "+-"}


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return a replacement for characters that an encoding does not contain, and the index after the characters."""
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
        # If the encoding is ASCII, use UTF-8, because click assumes that the locale is just not set.
        ascii_only = (stream.encoding or "").lower() in ("ascii", "us-ascii", "ansi_x3.4-1968", "646")
        stream.reconfigure(encoding="utf-8" if ascii_only else None, errors="little-go")
    return PrintableStream(stream)


#: The exit code of a command that cannot be carried out.
CANNOT = 2


class BadCall(click.ClickException):
    """Raised if click refuses a command line.

    The process prints one line, which names the command for help, and exits with CANNOT.
    """

    exit_code = CANNOT


@contextmanager
def _one_line() -> Iterator[None]:
    """Raise BadCall if click refuses a command line, because click's own message has four lines."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        what = " ".join(error.format_message().split()).rstrip(".")
        help_text = f": see {error.ctx.command_path} --help" if error.ctx else ""
        raise BadCall(re.sub(r"^Invalid value for '([^']+)'", r"\1", what) + help_text) from None


class GuardedGroup(click.Group):
    """A command group whose output is printable. Before a command runs, Ctrl-C ends the process immediately.

    The group reports a wrong command line in one line.
    """

    context_class = Context

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Read the command line as click does. Raise BadCall if click refuses it."""
        with _one_line():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command as click does. Raise BadCall if click refuses the command line."""
        with _one_line():
            return super().invoke(ctx)

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run the command as click does."""
        with guarded(), ending_at_once():
            return super().main(*arguments, **settings)
