"""The explorer's command: ``little-go explorer``."""

import sys
import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from runtime.errors import BadUsage, Finding, OneLineErrors
from runtime.files import MIB, read_text, write_whole
from runtime.hints import command_line
from runtime.options import FILE
from runtime.release import in_clone, shipped
from solver.family import COURSE
from solver.native import NoKernel, kernel_needed

ROOT = Path(__file__).parents[1]
PAGE = "explorer.html"


@click.group(cls=OneLineErrors, expected=(NoKernel,), invoke_without_command=True)
@click.pass_context
def main(context: click.Context) -> None:
    """Open the page that analyses any position, in the browser. Without a command it does what `open` does."""
    if context.invoked_subcommand is None:
        context.invoke(open_page)


@main.command("open")
@click.option("--page", type=FILE, default=shipped(PAGE), help=f"The page.  [{PAGE}]")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The port to serve it on.  [default: any free one]"
)
@click.option("--browser/--no-browser", default=True, help="Whether to open it in the browser.")
def open_page(page: Path, port: int, browser: bool) -> None:
    """Serve the page to this machine only, and open it; Ctrl-C ends it.

    The page needs no server: opening the file works as well.
    """
    if not page.is_file():
        out = () if page == shipped(PAGE) else ("--out", page)
        made = f": make it with {command_line('explorer build', *out)}" if in_clone() else ""
        raise BadUsage(f"{page} does not exist{made}")
    handler = partial(PageHandler, page=page)
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise BadUsage(f"port {port}: {error.strerror}") from None
    address = f"http://127.0.0.1:{server.server_port}/{page.name}"
    click.echo(f"{address} (Ctrl-C ends it)")
    if browser:
        webbrowser.open(address)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("")


@main.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if the page is out of date.")
@click.option("--out", type=FILE, default=shipped(PAGE), help=f"The page.  [{PAGE}]")
@click.option(
    "--kernel",
    "modules",
    nargs=2,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="First copy these compiled kernels, without and with shared memory, into explorer/, as `make explorer` does.",
)
def build(check: bool, out: Path, modules: tuple[Path, Path] | None) -> None:
    """Build the page from its sources, the compiled kernel, the book and the atlas.

    It needs a clone, but no compiler.
    """
    if not in_clone():
        raise BadUsage(
            "building needs a clone, which has the page's sources; open the installed page with "
            + command_line("explorer open")
        )
    with kernel_needed():
        # Imported here, because opening the page needs no kernel.
        from explorer import build as tools
    try:
        if check:
            tools.check_module(ROOT)
            if not out.is_file() or tools.built_from(read_text(out, 64 * MIB)) != tools.fingerprint(ROOT):
                click.echo(f"{out.name} is out of date: run {command_line('explorer build')}", err=True)
                sys.exit(1)
            return
        if modules:
            tools.take_modules(ROOT, *modules)
        page = tools.build_page(ROOT, COURSE)
        write_whole(out, page)
    except tools.PageError as error:
        raise Finding(str(error)) from None
    click.echo(f"{out.name}: {len(page.encode()) / 1000:.0f} kB")


class PageHandler(SimpleHTTPRequestHandler):
    """Serve one file alone."""

    def __init__(self, *args: Any, page: Path, **kwargs: Any) -> None:
        self._page = page
        super().__init__(*args, directory=str(page.parent), **kwargs)

    def translate_path(self, path: str) -> str:
        """Return the page's path for its own address and for /, else a path without a file."""
        wanted = path.partition("?")[0].partition("#")[0]
        return str(self._page if wanted in ("/", f"/{self._page.name}") else self._page / "nothing")

    def end_headers(self) -> None:
        """Isolate the page, so that its workers may share memory."""
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing of a request."""


if __name__ == "__main__":
    main(prog_name="python -m explorer")
