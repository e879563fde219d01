"""The version, the shipped files, and the citation."""

import json
from importlib import metadata
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from little_go.runtime import release
from little_go.runtime.release import cache_path, here_or_shipped, in_clone, requirement, shipped, version
from tests.test_layout import ROOT


def test_a_clone_has_its_own_version_and_files() -> None:
    assert in_clone()
    assert f'version = "{version()}"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert shipped("book.json") == ROOT / "book.json"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[project]\nname = "little-go"\nversion = "7.8.9"\n', "7.8.9"),
        ('[project]\nname = "another"\nversion = "7.8.9"\n', "installed"),
        (None, "installed"),
    ],
    ids=["the clone", "another project", "no file"],
)
def test_the_clone_s_version_comes_before_the_installed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, expected: str
) -> None:
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    monkeypatch.setattr(release, "_CLONE", tmp_path)
    monkeypatch.setattr(metadata, "version", lambda name: "installed" if name == "little-go" else "")
    assert version.__wrapped__() == expected


@pytest.mark.parametrize(
    ("package", "wanted"),
    [("rich", "rich<16,>=15"), ("distributed", "distributed<2,>=1"), ("dist", "dist")],
)
def test_a_requirement_has_the_allowed_versions_but_not_the_name_of_the_extra(
    package: str, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    required = ["rich<16,>=15", 'distributed<2,>=1 ; extra == "cluster"']
    monkeypatch.setattr(metadata, "requires", lambda name: required if name == "little-go" else None)
    assert requirement(package) == wanted


def test_an_installed_package_has_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "_COPIES", tmp_path)
    assert not in_clone()
    assert shipped("data/atlas.csv.gz") == tmp_path / "data" / "atlas.csv.gz"


def test_what_is_made_once_is_kept_in_the_clone_or_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert cache_path("book.db") == Path("book.db")
    monkeypatch.chdir(tmp_path)
    assert cache_path("book.db") == ROOT / "book.db"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(release, "in_clone", lambda: False)
    assert cache_path("book.db") == tmp_path / "little-go" / version() / "book.db"


def test_a_file_here_comes_before_one_that_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert here_or_shipped("book.json") == ROOT / "book.json"
    Path("book.json").touch()
    assert here_or_shipped("book.json") == Path("book.json")


def test_a_name_of_nothing_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert here_or_shipped("nothing.json") == Path("nothing.json")
    # A folder of the project is not a shipped file.
    assert here_or_shipped("data") == Path("data")


def test_what_tells_a_version_tells_this_one() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["version"] == version()
    data = json.loads((ROOT / "data" / "datapackage.json").read_text("utf-8"))
    assert (data["version"], data["licenses"][0]["name"]) == (version(), citation["license"])
    assert f"\n## {version()}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert (ROOT / "LICENSE").read_text("utf-8").startswith(f"{citation['license']} License\n")
