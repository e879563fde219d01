"""tools.check_c: it refuses code that newer compilers refuse, and omits no C file."""

import shutil
from pathlib import Path

import pytest

from tools.check_c import ARM64, WASM, X86_64, compile_one, list_compilations, list_files
from tools.cross.building import ROOT


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc here to compile a file with")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void clear(char *at) { memset(at, 0, 4); }", "implicit declaration of function"),
        ("char *at(void) { return 1; }", "without a cast"),
        ("int twice(int *at) { return *at * 2; } int of(long *at) { return twice(at); }", "incompatible pointer"),
        ("int of(int n) { int last; for (int i = 0; i < n; i++) last = i * n; return last; }", "uninitialized"),
        ("int of(int unused) { return 1; }", "unused parameter"),
        ("int of(int wide) { return wide; }", ""),
    ],
)
def test_what_a_newer_compiler_refuses_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "planted.c"
    file.write_text(text + "\n")
    (compilation,) = list_compilations([str(file)], None)
    found = compile_one(compilation)
    assert message in found
    assert bool(found) == bool(message)


def test_every_file_is_compiled_for_every_system_that_has_it() -> None:
    files = list_files()
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "solver" / "native").glob("*.c")} <= set(files)
    calls = list(list_compilations(files, Path("zig")))
    assert {each.file for each in calls} == set(files)
    kernel = {each.compiler for each in calls if each.file == "solver/native/kernel.c"}
    by = ("gcc", *(f"clang {system}" for system in (X86_64, ARM64, WASM)))
    assert kernel == {f"{compiler} -DSIZE={size}" for compiler in by for size in (3, 4, 5)}
    assert [each.compiler for each in calls if each.file == "solver/native/wasm.c"] == [
        "clang wasm32-freestanding",
        "clang wasm32-freestanding -DSHARED -matomics -mbulk-memory",
    ]


def test_a_new_file_is_found_without_an_entry(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "new.c").touch()
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "theirs.c").touch()
    assert list_files(tmp_path) == ["room/new.c"]
