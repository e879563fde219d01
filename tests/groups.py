"""The command groups of all packages, including packages that are not installed."""

from importlib import import_module

import click

from little_go import __main__ as installed


def group_of(room: str) -> click.Group:
    """Return the command group of a package."""
    if room in installed.PACKAGES:
        return installed.group_of(room)
    group: click.Group = import_module(f"{room}.__main__").main
    return group
