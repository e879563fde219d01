"""The check of a wheel before its publication finds the faults."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.shell_blocks import ROOT
from tools.cross.building import MODULES, TARGETS
from tools.programs import ToolError, read_zip, write_zip
from tools.wheels import check_wheel, module_faults, platform_of, retagged

_INFO = "lg-1.dist-info"
_LINUX, _MACOS, _WINDOWS = "POSIX :: Linux", "MacOS", "Microsoft :: Windows"


def wheel_files(tag: str = "musllinux_1_2_x86_64") -> dict[str, bytes]:
    """Return the files of a small wheel that retagged() makes from a wheel for all systems."""
    systems = "".join(f"Classifier: Operating System :: {name}\n" for name in (_MACOS, _WINDOWS, _LINUX))
    files = {
        "lg/a.py": b"a = 1\n",
        f"{_INFO}/METADATA": f"Name: lg\nClassifier: Topic :: B\n{systems}\nText\n".encode(),
        f"{_INFO}/WHEEL": b"Wheel-Version: 1.0\nTag: cp311-cp311-linux_x86_64\n",
        f"{_INFO}/RECORD": b"old",
    }
    # As in a release, the wheel for this machine is made first, and the wheels for the other systems from it.
    return retagged(retagged(files, "cp311", "abi3", ["manylinux_2_17_x86_64"]), "cp311", "abi3", [tag])


def written(files: dict[str, bytes], folder: Path, tag: str = "musllinux_1_2_x86_64") -> Path:
    path = folder / f"lg-1-cp311-abi3-{tag}.whl"
    write_zip(path, files, 1_700_000_000)
    return path


@pytest.mark.parametrize(
    ("tag", "system"),
    [
        ("manylinux_2_17_aarch64", _LINUX),
        ("musllinux_1_2_x86_64", _LINUX),
        ("macosx_11_0_arm64", _MACOS),
        ("win_amd64", _WINDOWS),
    ],
)
def test_a_wheel_names_its_own_system_alone(tag: str, system: str, tmp_path: Path) -> None:
    wheel = written(wheel_files(tag), tmp_path, tag)
    check_wheel(wheel, [], [tmp_path])
    lines = read_zip(wheel)[f"{_INFO}/METADATA"].decode().splitlines()
    assert lines == ["Name: lg", "Classifier: Topic :: B", f"Classifier: Operating System :: {system}", "", "Text"]


def test_every_target_has_a_platform() -> None:
    machines = {tag: platform_of(tag)[1:3] for target in TARGETS for tag in target.tags}
    assert len(set(machines.values())) == 5
    with pytest.raises(ToolError, match="tag win32"):
        platform_of("win32")


def _edit(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    return lambda files: files | {name: files[name].replace(old, new)}


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (_edit("lg/a.py", b"1", b"2"), "lg/a.py differs from its entry in RECORD"),
        (lambda files: files | {"lg/b.py": b""}, "lg/b.py is not both in the wheel and in its RECORD"),
        (lambda files: {n: c for n, c in files.items() if n != "lg/a.py"}, "lg/a.py is not both in the wheel and in"),
        (lambda files: {n: c for n, c in files.items() if "RECORD" not in n}, "there are 0 RECORDs"),
        (
            _edit(f"{_INFO}/WHEEL", b"musllinux", b"manylinux"),
            "WHEEL has the tags cp311-abi3-manylinux_1_2_x86_64, not",
        ),
        (_edit(f"{_INFO}/METADATA", b"POSIX :: Linux", b"MacOS"), "METADATA has Operating System :: MacOS, not"),
        (_edit("lg/a.py", b"a = 1", b"/some/place/of/mine"), "lg/a.py names /some/place"),
        (lambda files: files | {"little_go/kernel.abi3.so": b""}, "its modules are little_go/kernel.abi3.so"),
    ],
)
def test_a_fault_in_a_wheel_is_found(
    spoil: Callable[[dict[str, bytes]], dict[str, bytes]], fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.wheels.module_faults", lambda *_: [])
    wheel = written(spoil(wheel_files()), tmp_path)
    with pytest.raises(ToolError) as caught:
        check_wheel(wheel, [], [Path("/some/place")])
    assert fault in caught.value.output


def test_the_modules_of_this_machine_are_what_they_are_taken_for() -> None:
    pytest.importorskip("lief", reason="no lief here: `make release` installs it")
    linux, arm, windows = (platform_of(tag) for tag in ("manylinux1_x86_64", "manylinux2014_aarch64", "win_amd64"))
    for name in MODULES:
        content = (ROOT / "solver" / "native" / f"{name}.abi3.so").read_bytes()
        assert list(module_faults(f"{name}.abi3.so", content, linux)) == []
        assert list(module_faults(f"{name}.abi3.so", content, arm)) == ["is ELF for X86_64, not ELF for ARM64"]
        assert list(module_faults(f"{name}.pyd", content, windows)) == ["is ELF for X86_64, not PE for X86_64"]
        assert list(module_faults("a.so", content, linux)) == [f"exports PyInit_{name}, not PyInit_a alone"]
    assert list(module_faults("a.so", b"text", linux)) == ["is not a module of a known format"]
