"""The commands of every room, those that are not installed too."""

from importlib import import_module

import click

from little_go import __main__ as installed


def group_of(room: str) -> click.Group:
    """Import a room's commands."""
    if room in installed.PACKAGES:
        return installed.group_of(room)
    group: click.Group = import_module(f"{room}.__main__").main
    return group
