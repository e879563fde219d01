"""Find the version of the installed release, and the paths of its files."""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path

#: The root of the clone, and the folder of an installed package that contains copies of some files of the clone.
_CLONE = Path(__file__).resolve().parents[1]
_COPIES = Path(__file__).with_name("shipped")


@cache
def version() -> str:
    """Return the version of the clone, or of the installed package.

    >>> version().count(".")
    2
    """
    with suppress(OSError):
        text = (_CLONE / "pyproject.toml").read_text("utf-8")
        if found := re.search(r'^name = "little-go"\nversion = "(.+)"$', text, re.MULTILINE):
            return found[1]
    # Import metadata only here, because the import takes a tenth of a command's start.
    from importlib import metadata

    return metadata.version("little-go")


def requirement(package: str) -> str:
    """Return the requirement for an optional package, with the allowed versions, in pip's format.

    >>> requirement("distributed").startswith("distributed")
    True
    """
    from importlib import metadata

    wanted = (line.partition(";")[0].strip() for line in metadata.requires("little-go") or [])
    return next((line for line in wanted if re.match(rf"{re.escape(package)}\b", line)), package)


def shipped(name: str) -> Path:
    """Return the path of a file of the project.

    name: the path of the file in the clone. An installed package contains only the files that setup.py lists.

    >>> shipped("data/atlas.csv.gz").is_file()
    True
    """
    return (_COPIES if _COPIES.is_dir() else _CLONE) / name


def here_or_shipped(name: str | Path) -> Path:
    """Return the path of a file that a user or a default names.

    The path is ``name`` if this file exists, or if the project has no file of this name. Otherwise the result is the
    path of the project's file.
    """
    here, there = Path(name), shipped(str(name))
    return there if there.is_file() and not here.exists() else here


def in_clone() -> bool:
    """Return whether the program runs from a clone, which also contains tests and documents."""
    return not _COPIES.is_dir()


def cache_path(name: str) -> Path:
    """Return the path for a file that is made once from the shipped files.

    In a clone the file is in the root, and its path is relative if the root is the working directory. An installed
    package uses a folder for its version in the user's cache directory.
    """
    if not in_clone():
        from platformdirs import user_cache_path

        return user_cache_path("little-go", appauthor=False, version=version()) / name
    try:
        return Path(name) if Path.cwd() == _CLONE else _CLONE / name
    except FileNotFoundError:
        # The working directory does not exist any more.
        return _CLONE / name
