"""The pages that `make docs` generates. `.ci/run` builds the site, and a bad link makes the build fail."""

import importlib.util
import os
import re
from pathlib import Path
from types import ModuleType

import pytest

from little_go.__main__ import PACKAGES, group_of
from little_go.book.store.views import TABLES
from little_go.runtime.hints import called_by_users
from tests.test_layout import ROOT


@pytest.fixture(scope="module")
def site() -> ModuleType:
    pytest.importorskip("mkdocs", reason="no MkDocs here: `make docs` installs it")
    spec = importlib.util.spec_from_file_location("site_hooks", ROOT / "docs" / "site.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_help_of_every_command_is_there(site: ModuleType) -> None:
    page = site.commands_page()
    for package in PACKAGES:
        for command in group_of(package).commands:
            called = called_by_users(package, command)
            assert f"\n### {called.partition(' ')[2]}\n\n```console\nUsage: {called} " in page


def test_every_column_of_the_database_is_there(site: ModuleType) -> None:
    page = site.schema_page()
    for name, (text, columns) in TABLES.items():
        assert f"\n## `{name}`\n\n{text}\n" in page
        assert all(f"\n| `{column}` | {words} |\n" in page for column, words in columns.items())


def test_the_public_names_are_there(site: ModuleType) -> None:
    page = site.api_page()
    assert "\n::: little_go.book.library.open_book\n" in page
    assert "| `START` | `Position(" in page


def test_links_lead_to_the_pages_of_the_site(site: ModuleType) -> None:
    text = "[a](docs/guides/GTP.md#gnu-go) [b](data/README.md) [c](LICENSE) [d](https://x.org/y) [e](#here)"
    moved = "[a](guides/GTP.md#gnu-go) [b](data.md) [c](LICENSE.md) [d](https://x.org/y) [e](#here)"
    assert site._moved("README.md", text) == moved
    assert site._moved("data/README.md", "[a](../docs/a.svg) [b](../README.md)") == "[a](a.svg) [b](index.md)"
    below = "[a](../a.svg) [b](GTP.md) [c](../reference/HOST.md) [d](../../data/README.md)"
    assert (
        site._moved("docs/guides/B.md", below) == "[a](../a.svg) [b](GTP.md) [c](../reference/HOST.md) [d](../data.md)"
    )


def test_every_file_that_a_document_links_to_is_on_the_site(site: ModuleType) -> None:
    """A link to a file that is not a page, such as a file of data/, would stop `make docs`."""
    for document in [*site.PAGES.values(), *(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md"))]:
        page = Path("docs", next((key for key, value in site.PAGES.items() if value == document), document[5:]))
        text = re.sub(r"```.*?```|`[^`]*`", "", site._moved(document, (ROOT / document).read_text("utf-8")), flags=re.S)
        for link in re.findall(r"\]\(([^)\s#]+)[)#]", text):
            if ":" not in link:
                target = os.path.normpath(page.parent / link)
                made = {f"docs/{name}" for name in (*site.PAGES, "explorer.html", "COMMANDS.md", "SCHEMA.md", "API.md")}
                assert target in made or ((ROOT / target).is_file() and target.startswith("docs/")), (document, link)


def test_examples_become_blocks_and_parameters_lines(site: ModuleType) -> None:
    docstring = "Add.\n\na, b: numbers\n    of any size.\nc: no.\nRaise E.\n\n>>> 1 + 1\n2\n\nIt is: so."
    assert site.as_markdown(docstring) == (
        "Add.\n\na, b: numbers\n    of any size.  \nc: no.  \nRaise E.\n\n``` pycon\n>>> 1 + 1\n2\n```\n\nIt is: so."
    )
