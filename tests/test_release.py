"""What is released: the same bytes for everyone, and each file as its user needs it."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runtime.release import version
from tests.shell_blocks import ROOT
from tools.browsing import PATIENCE
from tools.cross.building import MODULES, TARGETS
from tools.interpreters import find_python
from tools.release import SUMS, Commit, ReleaseError, data, make_release, page, player, read_zip, unlinked, write_tar

#: Of 2023.
EPOCH = 1_700_000_000
SOURCE = Commit(ROOT, EPOCH, version())


def written(write: Callable[[Commit, Path], None], out: Path, mask: int = 0o22) -> Path:
    """Return the one file that is written into a new folder, under a mask of permissions."""
    out.mkdir()
    before = os.umask(mask)
    try:
        write(SOURCE, out)
    finally:
        os.umask(before)
    (file,) = out.iterdir()
    return file


@pytest.mark.parametrize("write", [player, data, page])
def test_the_same_bytes_twice(write: Callable[[Commit, Path], None], tmp_path: Path) -> None:
    first, second = written(write, tmp_path / "first"), written(write, tmp_path / "second", 0o77)
    assert (first.name, first.read_bytes()) == (second.name, second.read_bytes())


def test_the_players_zip_plays(python: str, tmp_path: Path) -> None:
    for name, content in read_zip(written(player, tmp_path / "out")).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    folder = tmp_path / "little-go-player"
    assert {path.name for path in folder.iterdir()} == {"my_player3.py", "book.json", "README.txt", "LICENSE.txt"}
    page = (folder / "README.txt").read_text("ascii")
    assert len(page.splitlines()) <= 60
    # As the page says, but for the interpreter.
    commands = "\n".join(re.findall(r"^    (printf .*|python3 .*|cat .*)$", page, re.MULTILINE)[-3:])
    done = subprocess.run(
        ["bash", "-ec", commands.replace("python3", python)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("2,2", "", 0)


def test_the_data_are_whole_and_say_what_they_are(tmp_path: Path) -> None:
    files = {
        name.removeprefix("little-go-data/"): content
        for name, content in read_zip(written(data, tmp_path / "o")).items()
    }
    package = json.loads(files["datapackage.json"])
    assert package["version"] == version()
    assert {resource["path"] for resource in package["resources"]} <= set(files)
    for under in ("", "certificates/"):
        for line in files[f"{under}{SUMS}"].decode().splitlines():
            digest, name = line.split()
            assert hashlib.sha256(files.pop(under + name)).hexdigest() == digest
    assert not [name for name in files if name.endswith(".gz")], "all have their sums"
    assert not [name for name in files if name.endswith(".md") and re.search(rb"\]\((?!https?:)", files[name])]


def test_links_to_what_is_not_there_are_words() -> None:
    text = "[a](../docs/B.md#c) ![d](e.svg) [f](https://g.org)"
    assert unlinked(text) == "a d [f](https://g.org)"


def test_a_tar_tells_nothing_of_its_maker(tmp_path: Path) -> None:
    packed = []
    for number, mode in enumerate((0o600, 0o664)):
        folder = tmp_path / str(number)
        for name in ("b", "a")[:: 1 - 2 * number]:
            folder.mkdir(exist_ok=True)
            (folder / name).write_text(name)
            (folder / name).chmod(mode)
            os.utime(folder / name, (number, number))
        with tarfile.open(tmp_path / f"{number}.tar.gz", "w:gz") as file:
            file.add(folder, "top")
        write_tar(tmp_path / f"{number}.out", tmp_path / f"{number}.tar.gz", EPOCH)
        packed.append((tmp_path / f"{number}.out").read_bytes())
    assert packed[0] == packed[1]
    with tarfile.open(tmp_path / "0.out") as file:
        assert [(each.name, each.mtime, each.uid, each.mode & 0o777) for each in file] == [
            ("top", EPOCH, 0, 0o755),
            ("top/a", EPOCH, 0, 0o644),
            ("top/b", EPOCH, 0, 0o644),
        ]


def test_what_fails_leaves_the_last_release(tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    dist.mkdir()
    (dist / "old").touch()
    with pytest.raises(ReleaseError, match="a release is made in a clone"):
        make_release(tmp_path, dist, lambda _: None)
    assert [path.name for path in tmp_path.rglob("*")] == ["dist", "old"]


def test_the_site_has_the_explorers_colours() -> None:
    style = (ROOT / "explorer" / "page" / "style.css").read_text("utf-8")
    colours = re.findall("#[0-9a-f]{6}", (ROOT / "docs" / "palette.css").read_text("utf-8"))
    assert len(colours) >= 6
    assert [colour for colour in colours if colour not in style] == []


# The whole of it, twice


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make release` makes, after it was made twice, in two places by two people, and compared."""
    for name in ("auditwheel", "cyclonedx_py", "mkdocs", "typst"):
        pytest.importorskip(name, reason=f"no {name} here: `make release` installs it")
    if not (ROOT / ".git").exists():
        pytest.skip("not in a clone")
    # Both are of one commit, even if there is another one meanwhile.
    clones = [tmp_path_factory.mktemp(name) / name for name in ("one", "another")]
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clones[0])], check=True)
    subprocess.run(["git", "clone", "--quiet", str(clones[0]), str(clones[1])], check=True)
    for clone, mask, zone in zip(clones, ("022", "077"), ("UTC", "Asia/Tokyo"), strict=True):
        command = f"umask {mask}; exec {sys.executable} -m tools.release"
        environment = os.environ | {"TZ": zone, "CFLAGS": "-DONLY_HERE", "PYTHONHASHSEED": "random"}
        done = subprocess.run(["bash", "-c", command], cwd=clone, env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
    sums = [(clone / "dist" / SUMS).read_text("ascii") for clone in clones]
    assert sums[0] == sums[1]
    return clones[0] / "dist"


@pytest.mark.long
def test_all_is_there_and_tells_nothing_of_the_machine(released: Path) -> None:
    lines = (released / SUMS).read_text("ascii").splitlines()
    sums = {name: digest for digest, name in (line.split() for line in lines)}
    assert {path.name for path in released.iterdir()} == {*sums, SUMS}
    expected = {
        "explorer.html",
        "little-go-player.zip",
        "little-go-data.zip",
        "little-go-site.zip",
        "little-go-report.pdf",
    }
    assert expected | {"little-go.cdx.json", f"little_go-{version()}.tar.gz"} <= set(sums)
    for path in released.iterdir():
        files = read_zip(path) if path.suffix in (".zip", ".whl") else {path.name: path.read_bytes()}
        assert not [name for name in files if name.endswith(".pyc")]
        for place in (ROOT, released.parent, sys.base_prefix):
            assert not any(str(place).encode() in content for content in files.values()), path
    materials = json.loads((released / "little-go.cdx.json").read_text("utf-8"))
    assert materials["metadata"]["component"]["version"] == version()


@pytest.mark.long
def test_a_wheel_for_every_python_that_is_here_solves_without_a_compiler(released: Path, tmp_path: Path) -> None:
    solve = (
        "from solver.native.kernel import Kernel; from solver.native.table import open_table; "
        "from solver.position import Position; print(Kernel(open_table(16)).value(Position(ply=14)).value)"
    )
    for minor in range(10, 14):
        python = find_python(f"3.{minor}")
        wheels = list(released.glob(f"*-{'cp310-cp310' if minor == 10 else 'cp311-abi3'}-*manylinux_2_28_x86_64.whl"))
        if python:
            assert len(wheels) == 1
            home = tmp_path / str(minor)
            subprocess.run([python, "-m", "venv", str(home)], check=True)
            pip = [
                str(home / "bin" / "pip"),
                "--disable-pip-version-check",
                "install",
                "--quiet",
                "--no-index",
                "--no-deps",
            ]
            subprocess.run([*pip, str(wheels[0])], check=True)
            command = [str(home / "bin" / "python"), "-c", solve]
            done = subprocess.run(command, cwd=tmp_path, env={"PATH": ""}, capture_output=True, text=True, check=False)
            assert re.fullmatch(r"[+-]?\d+\n", done.stdout), done.stderr


@pytest.mark.long
def test_a_wheel_for_every_other_system_has_its_modules_alone(released: Path) -> None:
    for target in TARGETS:
        (wheel,) = released.glob(f"*-cp311-abi3-{'.'.join(target.tags)}.whl")
        files = read_zip(wheel)
        assert {name for name in files if name.startswith("solver/native/") and name.endswith((".so", ".pyd"))} == {
            f"solver/native/{module}{target.suffix}" for module in MODULES
        }
        (record,) = (content.decode() for name, content in files.items() if name.endswith("/RECORD"))
        assert {line.split(",")[0] for line in record.splitlines()} == set(files)
        home = released.parent / "installed" / target.zig
        for tag in target.tags:
            where = [
                "--target",
                str(home / tag),
                "--platform",
                tag,
                "--python-version",
                "3.12",
                "--only-binary",
                ":all:",
            ]
            pip = [
                sys.executable,
                "-m",
                "pip",
                "--disable-pip-version-check",
                "install",
                "--quiet",
                "--no-index",
                "--no-deps",
            ]
            subprocess.run([*pip, *where, str(wheel)], check=True)


@pytest.mark.long
def test_the_sites_search_works_from_disk_and_without_a_network(released: Path, browser: Any, tmp_path: Path) -> None:
    for name, content in read_zip(released / "little-go-site.zip").items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    page = browser.new_context(offline=True).new_page()
    page.set_default_timeout(PATIENCE * 1000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "little-go-site" / "index.html").as_uri())
    page.locator(".md-search__input").click()
    # Letter by letter: the search listens to keys.
    page.keyboard.type("certificate")
    page.locator(".md-search-result__item", has_text="Certificates").first.wait_for()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
