"""The names of options that many tests use. They come from the commands, so few tests depend on a name."""

from little_go.book.answers.live import LIVE_SECONDS
from little_go.book.commands.query import query_command

#: The option that limits the search for values that are not stored. Its default distinguishes it from other options.
(LIVE,) = (option.opts[0] for option in query_command.params if option.default == f"{LIVE_SECONDS:g}s")

#: Arguments with which ``query`` searches nothing.
NO_SEARCH = (LIVE, "0")
