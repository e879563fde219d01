"""The release: the files have the same bytes for everyone, and work for their users."""

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
from click.testing import CliRunner

from little_go.runtime.release import version
from tests.shell_blocks import ROOT
from tools import release
from tools.browsing import PATIENCE
from tools.cross.building import MODULES, TARGETS, ZIG, build_modules
from tools.programs import ToolError, error_line, find_python, read_zip, run_program, write_tar
from tools.release import SUMS, Commit, check_target, data, export, make_release, page, player, unlinked

#: A time in 2023.
EPOCH = 1_700_000_000
SOURCE = Commit(ROOT, EPOCH, version())


def written(write: Callable[[Commit, Path], None], out: Path, mask: int = 0o22) -> Path:
    """Return the only file that is written into a new folder, with a umask."""
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
    # The command is from the instructions, with another interpreter.
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


def test_what_fails_leaves_the_last_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "interpreters", lambda: [("3.11", sys.executable)])
    dist = tmp_path / "dist"
    dist.mkdir()
    (dist / "old").touch()
    with pytest.raises(ToolError, match="a release is made in a clone"):
        make_release(tmp_path, dist, lambda _: None)
    assert [path.name for path in tmp_path.rglob("*")] == ["dist", "old"]


def test_a_step_that_fails_costs_its_own_files_and_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = TARGETS[3]
    told: list[str] = []
    compiler = "a.c:1:2: error: planted"

    def wheel(interpreter: str, source: Commit, unpacked: Path, out: Path, draft: Path) -> Path:
        (out / "lg-1-cp311-abi3-linux.whl").touch()
        return out / "lg-1-cp311-abi3-linux.whl"

    def foreign_wheel(target: Any, this: Path, source: Commit, unpacked: Path, out: Path, draft: Path) -> None:
        if target == planted:
            run_program([sys.executable, "-c", f"raise SystemExit('first\\n{compiler}\\nlast')"], tmp_path, {})
        (out / f"{target.zig}.whl").touch()

    def no_report(source: Commit, out: Path) -> None:
        raise ToolError("no typst here")

    monkeypatch.setattr(release, "interpreters", lambda: [("3.11", sys.executable), ("3.10", None)])
    monkeypatch.setattr(release, "export", lambda clone, place: SOURCE)
    monkeypatch.setattr(release, "sdist", lambda source, out, draft: draft)
    for replaced in (wheel, foreign_wheel):
        monkeypatch.setattr(release, replaced.__name__, replaced)
    monkeypatch.setattr(release, "place_kernel", lambda this, source: None)
    monkeypatch.setattr(release, "site", lambda source, out, draft: (out / "site.zip").touch())
    monkeypatch.setattr(release, "report", no_report)
    monkeypatch.setattr(release, "materials", lambda source, out: (out / "materials.json").touch())
    failed = make_release(tmp_path, tmp_path / "dist", told.append)

    assert failed == ["wheel for Python 3.10", f"wheel for {planted.zig}", "report"]
    log = tmp_path / "dist.log"
    assert [line for line in told if "FAILED" in line] == [
        "wheel for Python 3.10 FAILED: there is no Python 3.10 here",
        f"wheel for {planted.zig} FAILED: {compiler}; all of it: {log}",
        "report FAILED: no typst here",
    ]
    assert f"first\n{compiler}\nlast" in log.read_text("utf-8")
    made = {path.name for path in (tmp_path / "dist").iterdir()} - {SUMS}
    assert {f"{target.zig}.whl" for target in TARGETS if target != planted} < made
    assert {"site.zip", "materials.json", "explorer.html", "little-go-player.zip"} < made
    assert {line.split()[1] for line in (tmp_path / "dist" / SUMS).read_text("ascii").splitlines()} == made


def test_what_needs_a_failed_step_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> Path:
        raise ToolError("planted")

    monkeypatch.setattr(release, "sdist", fails)
    told: list[str] = []
    steps = release.Steps(tmp_path / "log", told.append)
    release.make_wheels(steps, [("3.11", sys.executable)], SOURCE, tmp_path, tmp_path)
    assert len(steps.failed) == 2 + len(TARGETS)
    assert "wheel for Python 3.11 FAILED: it needs the source distribution" in told
    assert (
        f"wheel for {TARGETS[0].zig} FAILED: it needs this machine's wheel, which it shares all but the modules with"
        in told
    )


def test_the_command_fails_where_a_step_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "made").touch()
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "DIST", tmp_path / "dist")
    for failed, code, last in (([], 0, "dist/made"), (["site"], 1, "Error: dist/ is not whole: site")):
        monkeypatch.setattr(release, "make_release", lambda *_, failed=failed: failed)
        done = CliRunner().invoke(release.main, [])
        assert (done.exit_code, done.output.strip().endswith(last)) == (code, True), done.output


@pytest.mark.parametrize(
    ("printed", "line"),
    [
        ("In file a.c:\na.c:1:2: error: no b\n1 error generated.\nerror: gcc failed\n", "a.c:1:2: error: no b"),
        ("a.c:1:2: fatal error: no b\n", "a.c:1:2: fatal error: no b"),
        ("error: no compiler\n", "error: no compiler"),
        ("Traceback:\n  a: b\nValueError: no c\n\n", "ValueError: no c"),
        ("", ""),
    ],
)
def test_the_line_that_names_an_error(printed: str, line: str) -> None:
    assert error_line(printed) == line


def test_a_program_that_is_missing_or_silent_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"^nothing-of-this-name: No such file or directory$"):
        run_program(["nothing-of-this-name"], tmp_path, {})
    with pytest.raises(ToolError, match=r"^python[\d.]* ended with 3$"):
        run_program([sys.executable, "-c", "raise SystemExit(3)"], tmp_path, {})


def test_modules_that_depend_on_the_folder_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "module_faults", lambda *_: [])
    monkeypatch.setattr(release, "_modules_alone", lambda clone, target, folder: {"a.so": b"same"})
    same = hashlib.sha256(b"same").hexdigest()
    assert check_target(tmp_path, TARGETS[0], tmp_path / "place") == {"a.so": same}
    monkeypatch.setattr(release, "_modules_alone", lambda clone, target, folder: {"a.so": str(folder).encode()})
    with pytest.raises(ToolError, match=r"a\.so depends on the folder of the build; a\.so names "):
        check_target(tmp_path, TARGETS[0], tmp_path / "place")


@pytest.mark.system
@pytest.mark.skipif(not ZIG.exists(), reason="no zig here: `make wasm` installs it")
def test_a_compilers_message_is_the_line(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not in a clone")
    source = export(ROOT, tmp_path / "source").files
    subprocess.run([sys.executable, "setup.py", "-q", "--version"], cwd=source, check=True, capture_output=True)
    kernel = source / "solver" / "native" / "kernel.c"
    kernel.write_text(f"#error planted\n{kernel.read_text('utf-8')}", "utf-8")
    with pytest.raises(ToolError, match=r"^solver/native/kernel\.c:1:2: error: planted$") as caught:
        build_modules(TARGETS[4], source, tmp_path)
    assert "ended with 1" in caught.value.output


def test_the_site_has_the_explorers_colours() -> None:
    style = (ROOT / "explorer" / "page" / "style.css").read_text("utf-8")
    colours = re.findall("#[0-9a-f]{6}", (ROOT / "docs" / "palette.css").read_text("utf-8"))
    assert len(colours) >= 6
    assert [colour for colour in colours if colour not in style] == []


# The whole release, made twice


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of `make release`, after it was run in two folders by two users and the results were compared."""
    for name in ("auditwheel", "cyclonedx_py", "lief", "mkdocs", "typst"):
        pytest.importorskip(name, reason=f"no {name} here: `make release` installs it")
    if not (ROOT / ".git").exists():
        pytest.skip("not in a clone")
    # Both releases are of one commit, even if there is a new commit at the same time.
    clones = [tmp_path_factory.mktemp(name) / name for name in ("one", "another")]
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clones[0])], check=True)
    subprocess.run(["git", "clone", "--quiet", str(clones[0]), str(clones[1])], check=True)
    if not ZIG.exists():
        pytest.skip("no zig here: `make wasm` installs it")
    for clone in clones:
        (clone / ZIG.parents[1].name).symlink_to(ZIG.parents[1])
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
        # The test installs only the wheel, so it cannot call open_table(), which needs psutil.
        "import mmap; from little_go.solver.position import Position; "
        "from little_go.solver.native.kernel import Kernel; "
        "kernel = Kernel(mmap.mmap(-1, 16 << 20)); print(kernel.value(Position(ply=14)).value)"
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
        assert {
            name for name in files if name.startswith("little_go/solver/native/") and name.endswith((".so", ".pyd"))
        } == {f"little_go/solver/native/{module}{target.suffix}" for module in MODULES}
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
    # The text is typed letter by letter, because the search reacts to keys.
    page.keyboard.type("certificate")
    page.locator(".md-search-result__item", has_text="Certificates").first.wait_for()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
