"""The values of options, and their list in a help text."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import little_go.runtime.options
from little_go.runtime.errors import BadUsage, OneLineErrors
from little_go.runtime.options import (
    OUTPUT,
    SOME_TIME,
    Duration,
    Size,
    cores,
    gathered,
    json_option,
    seed_option,
    setting,
    table_option,
    workers_option,
)
from little_go.runtime.terminal import HelpFormatter


@pytest.mark.parametrize(
    ("size", "text", "mib"),
    [
        (Size(), "1MiB", 1),
        (Size(), "2GiB", 2048),
        (Size(), "1.5GiB", 1536),
        (Size(), 64, 64),
        (Size(16), "16MiB", 16),
        (Size(16, power=True), "0.5GiB", 512),
    ],
)
def test_a_size_is_in_mib(size: Size, text: str, mib: int) -> None:
    assert size.convert(text, None, None) == mib


@pytest.mark.parametrize(
    ("size", "text", "message"),
    [
        (Size(), "64", "give a size such as"),
        (Size(), "64mb", "give a size such as"),
        (Size(), "1.5MiB", "in whole MiB"),
        (Size(), "0MiB", "give 1MiB or more"),
        (Size(16), "15MiB", "give 16MiB or more"),
        (Size(power=True), "96MiB", "a power of two"),
    ],
)
def test_another_size_is_refused(size: Size, text: str, message: str) -> None:
    with pytest.raises(BadUsage, match=message):
        size.convert(text, click.Option(["--table"]), None)


@pytest.mark.parametrize(("text", "seconds"), [("5", 5), ("0.5s", 0.5), ("5m", 300), ("2h", 7200), (3.5, 3.5)])
def test_a_time_is_in_seconds(text: object, seconds: float) -> None:
    assert Duration(min=0).convert(text, None, None) == seconds


@pytest.mark.parametrize("text", ["", "s", "5d", "5 m", "1e3", ".5"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(BadUsage) as refused:
        SOME_TIME.convert(text, click.Option(["--budget"]), None)
    assert refused.value.message == f"--budget is {text!r}: give a time such as 5, 60s, 5m or 2h"


def test_a_time_that_is_too_short_is_refused() -> None:
    for text in ("0", "-5m"):
        with pytest.raises(click.BadParameter):
            SOME_TIME.convert(text, None, None)


def test_the_sections_of_a_help_begin_at_the_left() -> None:
    formatter = HelpFormatter(width=80)
    for name in ("Options", "Commands"):
        with formatter.section(name):
            formatter.write_dl([("--plies INTEGER", "Plies.  [default: 3; 1<=x<=9]"), ("--help", "Show this.")])
    lines = ["  --plies N  Plies.  [default: 3]"]
    assert formatter.getvalue().splitlines() == ["Game and rules:", *lines, "", "Commands:", *lines]


def test_h_prints_the_help_of_a_command_whatever_context_was_made_before() -> None:
    group = OneLineErrors("group")

    @group.command()
    def play() -> None:
        """Play."""

    assert play.get_help(play.context_class(play, info_name="play"))
    for words in ("-h", "play -h", "play --help"):
        assert CliRunner().invoke(group, words).exit_code == 0


def test_a_seed_is_0_where_none_is_given() -> None:
    @click.command()
    @seed_option()
    def draw(seed: int) -> None:
        click.echo(seed)

    assert CliRunner().invoke(draw).output == "0\n"
    assert "[default: 0;" in CliRunner().invoke(draw, ["--help"]).output


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["max 100000"], 64),
        (["200000 100000"], 2),
        (["150000 100000"], 2),
        (["10000 100000"], 1),
        (["6500000 100000"], 64),
        (["-1", "100000"], 64),
        (["300000", "100000"], 3),
        (["0 0"], 64),
        (["100000 0"], 64),
        (["1 100000"], 1),
        (["0 100000"], 64),
        (["damaged"], 64),
        ([], 64),
    ],
)
def test_a_container_s_quota_limits_the_cores(
    texts: list[str], expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / str(number) for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(f"{text}\n")
    monkeypatch.setattr(little_go.runtime.options, "_QUOTA_FILES", [files or [tmp_path / "none"]])
    monkeypatch.setattr(os, "sched_getaffinity", {0: range(64)}.__getitem__, raising=False)
    assert cores() == expected


@pytest.mark.parametrize(("count", "expected"), [(6, 6), (None, 1)])
def test_without_affinity_every_core_that_the_system_reports_is_ours(
    count: int | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(little_go.runtime.options, "_QUOTA_FILES", [])
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert cores() == expected


@pytest.mark.parametrize(
    ("option", "value", "shown"),
    [
        (workers_option(), {"workers": cores()}, "[default: (one per core); x>=1]"),
        (workers_option(3), {"workers": 3}, "[default: 3; x>=1]"),
        (table_option(None), {"table_mib": None}, "[default: (by free memory)]"),
        (table_option(None, "by the game"), {"table_mib": None}, "[default: (by the game)]"),
        (table_option("64MiB"), {"table_mib": 64}, "[default: 64MiB]"),
        (json_option(), {"as_json": False}, "--json\n"),
    ],
)
def test_a_command_has_the_default_that_its_help_shows(
    option: Callable[[Any], Any], value: dict[str, int | None], shown: str
) -> None:
    @click.command()
    @option
    def command(**values: int | None) -> None:
        click.echo(values)

    assert CliRunner().invoke(command, []).output == f"{value}\n"
    assert shown in CliRunner().invoke(command, ["--help"]).output


def test_the_help_of_a_setting_shows_its_default_and_its_meaning() -> None:
    @click.command()
    @setting("--plies", click.IntRange(1), 7, "the number of plies")
    def command(plies: int) -> None:
        click.echo(plies)

    shown = CliRunner().invoke(command, ["--help"]).output
    assert "the number of plies" in shown
    assert "[default: 7; x>=1]" in shown
    assert CliRunner().invoke(command, []).output == "7\n"


def test_gathered_options_are_one_value_for_the_command() -> None:
    def interval(low: int, high: int) -> range:
        return range(low, high)

    @click.command()
    @gathered("numbers", interval, click.option("--low", default=1), click.option("--high", default=3))
    @click.option("--name", default="a")
    def command(numbers: range, name: str) -> None:
        click.echo(f"{[*numbers]} {name}")

    assert CliRunner().invoke(command, []).output == "[1, 2] a\n"
    assert CliRunner().invoke(command, ["--low", "0", "--name", "b"]).output == "[0, 1, 2] b\n"
    assert [option.opts[0] for option in command.params] == ["--low", "--high", "--name"]


def test_a_file_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    assert OUTPUT.convert(str(tmp_path / "new"), None, None) == tmp_path / "new"
    assert list(tmp_path.iterdir()) == []
    missing = tmp_path / "none" / "new"
    with pytest.raises(BadUsage) as refused:
        OUTPUT.convert(str(missing), None, None)
    assert refused.value.message == f"cannot write '{missing}': No such file or directory"
