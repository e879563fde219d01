"""The installed release: its version, and the places of the files that come with it or that it makes."""

import re
from contextlib import suppress
from pathlib import Path

#: The root of the clone; in an installed package there are no such files, but copies of them beside this module.
_CLONE = Path(__file__).parents[1]
_COPIES = Path(__file__).with_name("shipped")


def version() -> str:
    """Return the version: that of the clone this runs from, or of the installed package.

    >>> version().count(".")
    2
    """
    with suppress(OSError):
        text = (_CLONE / "pyproject.toml").read_text("utf-8")
        if found := re.search(r'^name = "little-go"\nversion = "(.+)"$', text, re.MULTILINE):
            return found[1]
    # Not at the top: it takes a tenth of the time in which a command starts.
    from importlib import metadata

    return metadata.version("little-go")


def requirement(package: str) -> str:
    """Return which versions of an optional package are wanted, as pip takes it.

    >>> requirement("distributed").startswith("distributed")
    True
    """
    from importlib import metadata

    wanted = (line.partition(";")[0].strip() for line in metadata.requires("little-go") or [])
    return next((line for line in wanted if re.match(rf"{re.escape(package)}\b", line)), package)


def shipped(name: str) -> Path:
    """Return the path of a file that comes with the project.

    name: as in the clone. An installed package has those that setup.py lists.

    >>> shipped("data/atlas.csv.gz").is_file()
    True
    """
    return (_COPIES if _COPIES.is_dir() else _CLONE) / name


def here_or_shipped(name: str | Path) -> Path:
    """Return the path of a file that a user names or a command takes by default.

    That is ``name``, unless there is no such file and one of this name, as in the clone, comes with the project.
    """
    here, there = Path(name), shipped(str(name))
    return there if there.is_file() and not here.exists() else here


def in_clone() -> bool:
    """Return whether this runs from a clone, which has more than what is installed: sources, tests, documents."""
    return not _COPIES.is_dir()


def cache_path(name: str) -> Path:
    """Return where a file made once from the shipped files is kept, relative if that is in the working directory.

    That is the root of the clone; an installed package has a folder for its version in the user's cache directory.
    """
    if not in_clone():
        from platformdirs import user_cache_path

        return user_cache_path("little-go", appauthor=False, version=version()) / name
    return Path(name) if Path.cwd() == _CLONE else _CLONE / name
