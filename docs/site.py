"""Add pages to the site of `make docs`: README, help of all commands, database schema, API and explorer."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from os.path import relpath
from pathlib import Path

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from little_go.__main__ import PACKAGES, group_of
from little_go.book.store.views import schema_markdown
from little_go.runtime.hints import called_by_users

ROOT = Path(__file__).parents[1]

#: The pages of the site whose files are outside docs/, with the paths of these files.
PAGES = {
    "index.md": "README.md",
    "data.md": "data/README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
    "LICENSE.md": "LICENSE",
}

#: The packages whose public names are the API; the packages that most readers need come first.
API = (
    "little_go",
    *(f"little_go.{room}" for room in ("book", "solver", "proof", "generator", "player", "arena", "explorer")),
)

#: The maximum number of characters of a line of help.
WIDTH = 80


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents outside docs/ and the generated pages to the files of the site."""
    texts = {page: _moved(source, (ROOT / source).read_text("utf-8")) for page, source in PAGES.items()}
    for file in list(files):
        if file.src_uri.endswith(".md"):
            files.remove(file)
            texts[file.src_uri] = _moved(f"docs/{file.src_uri}", file.content_string)
    texts |= {"COMMANDS.md": commands_page(), "SCHEMA.md": schema_page(), "API.md": api_page()}
    for page, text in texts.items():
        files.append(File.generated(config, page, content=text))
    files.append(File.generated(config, "explorer.html", abs_src_path=str(ROOT / "explorer.html")))
    return files


def _moved(source: str, text: str) -> str:
    """Return a document's text with links to the pages of the site. source: the path of the document in the clone."""
    if source == "LICENSE":
        return f"# Licence\n\n```text\n{text}```\n"
    places = {file: page for page, file in PAGES.items()} | {"explorer.html": "explorer.html"}
    page = places.get(source, source.removeprefix("docs/"))

    def target(found: re.Match[str]) -> str:
        path, hash_, anchor = found[1].partition("#")
        if not path or ":" in path:
            return found[0]
        file = (ROOT / source).parent.joinpath(path).resolve().relative_to(ROOT).as_posix()
        return f"]({_from(page, places.get(file, file.removeprefix('docs/')))}{hash_}{anchor})"

    return re.sub(r"\]\(([^)\s]+)\)", target, text)


def _from(page: str, other: str) -> str:
    """Return the relative address with which a page links to another page."""
    return relpath(other, Path(page).parent).replace("\\", "/")


def commands_page() -> str:
    """Return the text of the page with the help of every command."""
    parts = [
        "# Commands",
        "The output of `--help`. `little-go PACKAGE COMMAND` works for commands with short names too.",
    ]
    for package in PACKAGES:
        group = group_of(package)
        parts += [f"## {package}", group.help]
        for name, command in sorted(group.commands.items()):
            line = called_by_users(package, name)
            with command.context_class(
                command, info_name=line, terminal_width=WIDTH, max_content_width=WIDTH
            ) as context:
                parts += [f"### {line.partition(' ')[2]}", f"```console\n{command.get_help(context)}\n```"]
    return "\n\n".join(parts) + "\n"


def schema_page() -> str:
    """Return the text of the page with all tables, views and columns of the database."""
    about = "The tables and views of the store, and all their columns. `little-go book schema` prints the same."
    return f"# Tables and columns\n\n{about}\n\n{schema_markdown()}\n"


def api_page() -> str:
    """Return the text of the page with all public names, in which mkdocstrings inserts their docstrings."""
    parts = [
        "# From Python",
        "The public names of each package. `from little_go import open_book` has what most people need.",
    ]
    for name in API:
        package = import_module(name)
        if hasattr(package, "__all__"):
            parts += [f"## {name}", as_markdown(inspect.getdoc(package) or ""), *_public(name)]
    return "\n\n".join(parts) + "\n"


def as_markdown(docstring: str) -> str:
    """Return a docstring as Markdown, with examples as code blocks and each parameter on a separate line."""
    # In Markdown, two blanks at the end of a line make a line break. A backslash would be printed if a continuation
    # line follows.
    text = re.sub(r"\n(?=(?:[a-z_]\w*(?:, [a-z_]\w*)*: |Raises? ))(?<!\n\n)", "  \n", docstring)
    return re.sub(r"^(>>> .*?)(?=\n\n|\Z)", r"``` pycon\n\1\n```", text, flags=re.MULTILINE | re.DOTALL)


class Docstrings(griffe.Extension):
    """An extension with which mkdocstrings shows the results of as_markdown() instead of the docstrings."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Convert the docstring of an object to Markdown."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)


def _rank(found: object) -> int:
    """Return 0 for a function, 1 for a class, 2 for an exception, 3 for anything else."""
    if inspect.isclass(found):
        return 2 if issubclass(found, Exception) else 1
    return 0 if inspect.isfunction(found) else 3


def _public(package: str) -> Iterator[str]:
    """Yield mkdocstrings' directive for each public function and class, and then a table of the constants."""
    constants = []
    module = import_module(package)
    for name in sorted(module.__all__, key=lambda name: (_rank(getattr(module, name)), name)):
        found = getattr(module, name)
        if inspect.isclass(found) or inspect.isfunction(found):
            yield f"::: {found.__module__}.{name}"
        elif not inspect.ismodule(found):
            constants.append(f"| `{name}` | `{found!r:.80}` |")
    if constants:
        yield "\n".join(["| constant | value |", "|---|---|", *constants])
