"""The check of a Python program's source: each import, each file that the source names, and each limit."""

from collections.abc import Collection
from pathlib import Path

import pytest

from little_go.arena.match import python_source
from little_go.arena.match.python_source import (
    NOT_CHECKED,
    check_source,
    foreign_imports,
    lacking_modules,
    modules_beside,
)

UNLISTED = "a package that no course file lists (--course FILE, under packages)"
ADVICE = ": add it there, or do without it"


def written(folder: Path, files: dict[str, str]) -> Path:
    """Write files, and return the path of the program."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    return folder / "a.py"


def checked(
    program: Path,
    *,
    whole: bool = True,
    packages: Collection[str] | None = None,
    provided: Collection[str] | None = None,
) -> list[tuple[bool | None, str, str]]:
    """Return the results of the check without the sources that can be read."""
    found = check_source(program, program.parent if whole else None, packages, provided)
    return [
        (right, path.relative_to(program.parent).as_posix(), words)
        for right, path, words in found
        if words != "Python 3.7 can read it"
    ]


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("import os.path, sys\nfrom random import choice\nimport distutils, asyncore\n", None),
        ("from . import other\nfrom .deep import other\n", None),
        ("import numpy.linalg\n", (False, f"imports numpy (line 1), {UNLISTED}{ADVICE}")),
        ("\nfrom numpy.linalg import norm\n", (False, f"imports numpy (line 2), {UNLISTED}{ADVICE}")),
        ("def f():\n    import numpy\n", (False, f"imports numpy (line 2), {UNLISTED}{ADVICE}")),
        ("import zoneinfo\n", (False, "imports zoneinfo (line 1), which Python 3.7 does not have")),
        *(
            (f"try:\n    import numpy\nexcept {kind}:\n    pass\n", (None, f"plays without numpy (line 2), {UNLISTED}"))
            for kind in ("ImportError", "ModuleNotFoundError", "Exception", "BaseException", "(OSError, ImportError)")
        ),
        ("try:\n    import numpy\nexcept:\n    pass\n", (None, f"plays without numpy (line 2), {UNLISTED}")),
        (
            "try:\n    if True:\n        import numpy\nexcept OSError:\n    pass\nexcept ImportError:\n    pass\n",
            (None, f"plays without numpy (line 3), {UNLISTED}"),
        ),
        *(
            (source, (False, f"imports numpy (line {line}), {UNLISTED}{ADVICE}"))
            for line, source in (
                (2, "try:\n    import numpy\nexcept OSError:\n    pass\n"),
                (2, "try:\n    import numpy\nexcept errors.ImportError:\n    pass\n"),
                (4, "try:\n    pass\nexcept ImportError:\n    import numpy\n"),
                (6, "try:\n    pass\nexcept ImportError:\n    pass\nelse:\n    import numpy\n"),
                (2, "try:\n    import numpy\nfinally:\n    pass\n"),
            )
        ),
        (
            "try:\n    import tomllib\nexcept ImportError:\n    pass\n",
            (None, "plays without tomllib (line 2), which Py"),
        ),
        ("if (x := 1): pass", (False, "Python 3.7 cannot read it: ")),
        ("x = '\0'", (False, "Python 3.7 cannot read it: ")),
        ("open('/abs/x')", (False, "reads /abs/x (line 1), which is not copied with the agent")),
        ("open('/dev/null')\nopen('/proc/no/stat')", (None, "reads /proc/no/stat (line 2), which is not here")),
        ("open('notes.txt')", (None, "reads notes.txt (line 1), which is not here")),
        ("\nopen('notes.txt', 'rb')", (None, "reads notes.txt (line 2), which is not here")),
        ("open('notes.txt', mode='r')", (None, "reads notes.txt (line 1), which is not here")),
        ("open('notes.txt', encoding='ascii')", (None, "reads notes.txt (line 1), which is not here")),
        ("open('notes.txt', 'w')\nopen('notes.txt')", None),
        ("open('notes.txt', mode='a')\nopen('notes.txt')", None),
        ("open('notes.txt', how)\nopen('notes.txt')", None),
        ("open('notes.txt', mode=how)\nopen('notes.txt')", (None, "reads notes.txt (line 1), which is not here")),
        ("open(name)\nopen()\nother.open('x')\nread('x')\nopen(7)", None),
        ("open('input.txt')\nopen('output.txt')\nopen('a.py')", None),
    ],
)
def test_a_line_of_a_source(tmp_path: Path, source: str, result: tuple[bool | None, str] | None) -> None:
    found = checked(written(tmp_path, {"a.py": source}))
    if result is None:
        assert found == []
    else:
        assert [found[0][:2], found[0][2][: len(result[1])]] == [(result[0], "a.py"), result[1]]
        assert found[0][2] == result[1] or result[1].endswith((": ", "Py"))


@pytest.mark.parametrize(
    ("packages", "words"),
    [
        (None, f", {UNLISTED}{ADVICE}"),
        ([], f", and the course file lists no packages (under packages){ADVICE}"),
        (["torch", "scipy"], f", and the course file lists only scipy, torch (under packages){ADVICE}"),
        (["numpy"], ""),
    ],
)
def test_the_packages_of_a_course(tmp_path: Path, packages: list[str] | None, words: str) -> None:
    program = written(tmp_path, {"a.py": "import numpy\n"})
    expected = [(False, "a.py", f"imports numpy (line 1){words}")] if words else []
    assert checked(program, packages=packages) == expected


OWN = {
    "a.py": "import b, pack.deep\nx = 'run'\nname = 'table.json'\nother = 'deep/data.bin'\nopen('input.txt')\n",
    "b.py": "import numpy\nimport a\n",
    "pack/deep.py": "import c\n",
    "c.py": "(((\n",
    "run.py": "import scipy\n",
    "unused.py": "import torch\n",
    "table.json": "{}",
    "deep/data.bin": "",
    "input.txt": "",
}


def test_a_program_s_own_modules_and_files(tmp_path: Path) -> None:
    program = written(tmp_path, OWN)
    assert modules_beside(program) == ("b.py", "pack", "run.py", "c.py")
    numpy = (False, "b.py", f"imports numpy (line 1), {UNLISTED}{ADVICE}")
    # The check follows imports, and not the files that a program runs.
    broken = (False, "c.py", next(words for _, path, words in checked(program) if path == "c.py"))
    assert broken[2].startswith("Python 3.7 cannot read it: '")
    assert checked(program) == [
        broken,
        numpy,
        (True, "a.py", "the files that it reads are copied with it: deep/data.bin, table.json"),
    ]
    assert checked(program, whole=False) == [
        (False, "a.py", "reads deep/data.bin, which is not copied with it: give the directory instead"),
        (False, "a.py", "reads table.json, which is not copied with it: give the directory instead"),
        broken,
        numpy,
        (True, "a.py", "its own modules are copied with it; upload them, too: b.py, pack, run.py, c.py"),
    ]


def test_a_module_with_the_name_of_a_standard_module(tmp_path: Path) -> None:
    program = written(tmp_path, {"a.py": "import random\n", "random.py": "import numpy\n"})
    assert modules_beside(program) == ()
    assert checked(program) == [(False, "random.py", f"imports numpy (line 1), {UNLISTED}{ADVICE}")]
    words = "imports random, which is not copied with it: give the directory instead"
    assert checked(program, whole=False) == [(False, "a.py", words)]


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("table.json", True),
        ("a.b", True),
        ("ab", False),
        ("", False),
        ("module.py", False),
        ("plain", False),
        ("absent.json", False),
        ("book.json", False),
        ("two\nlines.txt", False),
        ("d/" * 98 + "a.bi", False),
        ("d/" * 98 + "a.b", True),
    ],
)
def test_which_strings_are_files(tmp_path: Path, text: str, is_read: bool) -> None:
    if text not in ("absent.json", ""):
        written(tmp_path, {text: ""})
    found = checked(written(tmp_path, {"a.py": f"x = {text!r}\n"}))
    assert found == ([(True, "a.py", f"the files that it reads are copied with it: {text}")] if is_read else [])


@pytest.mark.parametrize(
    ("files", "foreign", "lacks"),
    [
        ({"a.py": "import host, read, os\n"}, ["host", "read"], ["host", "read"]),
        ({"a.py": "import host\n", "host.py": "import write\n"}, [], ["write"]),
        ({"a.py": "import b, numpy\n", "b.py": "from read import x\n"}, ["numpy"], ["read"]),
        ({"a.py": "import b\n", "b/c.py": "from read import x\n", "d.py": "import read"}, [], ["read"]),
        ({"a.py": "try:\n    import read\nexcept ImportError:\n    pass\n"}, ["read"], []),
        ({"a.py": "f = lambda: __import__('x')\ndef f():\n    import read\n"}, ["read"], []),
        ({"a.py": "async def f():\n    import read\nclass C:\n    import write\n"}, ["read", "write"], ["write"]),
        ({"a.py": "(\nimport read\n"}, [], []),
        ({"a.py": "import b\nimport read\n", "b.py": "(\n"}, ["read"], ["read"]),
        ({"a.py": "import read\n", "folder.py/x": ""}, ["read"], ["read"]),
        ({"a.py": "import numpy\n", "unused.py": "import read\n"}, ["numpy"], []),
    ],
)
def test_the_modules_that_a_program_lacks(
    tmp_path: Path, files: dict[str, str], foreign: list[str], lacks: list[str]
) -> None:
    program = written(tmp_path, files)
    assert (foreign_imports(program), lacking_modules(program)) == (foreign, lacks)


@pytest.mark.parametrize(("provided", "lacks"), [(None, True), ([], True), (["read.py"], False)])
def test_the_modules_that_a_course_provides(tmp_path: Path, provided: list[str] | None, lacks: bool) -> None:
    found = checked(written(tmp_path, {"a.py": "import read\n"}), provided=provided)
    assert [(right, "the course file does not provide" in words) for right, _, words in found] == (
        [(False, provided is not None)] if lacks else []
    )
    assert checked(written(tmp_path, {"read.py": ""}), provided=provided) == []


@pytest.mark.parametrize("fits", [True, False])
def test_the_largest_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fits: bool) -> None:
    monkeypatch.setattr(python_source, "_MOST_SOURCE", 20)
    program = written(tmp_path, {"a.py": "import numpy".ljust(20 if fits else 21, "\n"), "numpy.py": ""})
    assert checked(program) == ([] if fits else [(None, "a.py", f"{NOT_CHECKED}: 21 bytes are more than 20")])
    assert modules_beside(program) == (("numpy.py",) if fits else ())
    (tmp_path / "numpy.py").unlink()
    assert foreign_imports(program) == (["numpy"] if fits else [])
