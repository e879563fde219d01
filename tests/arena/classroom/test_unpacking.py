"""The reading of one submission: for each kind of content the whole answer of the reading process."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from little_go.arena.classroom import unpacking
from little_go.arena.classroom.unpacking import (
    ORDER_FILE,
    OUT,
    READ_FILE,
    SEEN_FILE,
    _limit_files,
    names_text,
    read_submission,
    stage_of,
)
from little_go.arena.match.copying import ALLOWED, MOST_BYTES
from tests.arena.classroom.kinds import zipped

P = "my_player3.py"
A, B = b"# 1234567890:Name\nprint()\n", b"# 1234567890:Name\nprint(1)\n"
BOTH = {"1": [1, P], "2": [1, P]}
ONLY = f"omitted, because the course allows only {', '.join(ALLOWED)}: "
OUTSIDE = "omitted, because it is outside of the program's folder: "
NO_PROGRAM = (
    "no program with a name from the assignment"
    " (my_player3.py, my_player.py, my_player.cpp, my_player11.cpp, my_player.java)"
)


def answer(
    folder: Path,
    files: Mapping[str, bytes] | Sequence[tuple[str, bytes]],
    year: int = 2025,
    stages: Sequence[int] = (1, 2),
    packages: Sequence[str] | None = None,
    provided: Mapping[str, bytes] | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a submission, and return the contents of READ_FILE and of SEEN_FILE."""
    parts = list(files.items()) if isinstance(files, Mapping) else list(files)
    for number, (_, content) in enumerate(parts):
        (folder / str(number)).write_bytes(content)
    digests = None if provided is None else {name: sha256(each).hexdigest() for name, each in provided.items()}
    order = {
        "terms": [year, stages, ALLOWED, packages, digests],
        "parts": [(path, number) for number, (path, _) in enumerate(parts)],
    }
    (folder / ORDER_FILE).write_text(json.dumps(order))
    read_submission(folder)
    read, seen = (json.loads((folder / name).read_text()) for name in (READ_FILE, SEEN_FILE))
    return read, seen


def in_zips(files: Mapping[str, bytes], depth: int) -> dict[str, bytes]:
    for _ in range(depth):
        files = {"x.zip": zipped(files.items())}
    return dict(files)


#: For each kind the files and the differences from the answer {"programs": BOTH} and nothing else.
KINDS: dict[str, tuple[dict[str, bytes], dict[str, Any]]] = {
    "a program": ({P: A, "b/x.json": b"{}"}, {}),
    "in a folder": ({f"a/b/{P}": A, "a/b/c/x.txt": b""}, {}),
    "strays": ({P: A, "__MACOSX/x": b"", ".DS_Store": b""}, {}),
    "a zip": (in_zips({P: A}, 1), {}),
    "a ZIP": ({"a.ZIP": zipped([(P, A)])}, {}),
    "three archives": (in_zips({P: A}, 3), {}),
    "four archives": (
        in_zips({P: A}, 4),
        {
            "absent": dict.fromkeys("12", "more than 3 nested archives: hand in one zip with the program"),
            "programs": {},
        },
    ),
    "beside the archive": (
        {"a.zip": zipped([(P, A)]), "x.txt": b""},
        {"dropped": [["x.txt", "it is next to the archive that contains the program"]]},
    ),
    "an archive beside the program": (
        {P: A, "a.zip": zipped([("x", b"")])},
        {"dropped": [["a.zip", "the course does not allow it"]], "notes": [f"{ONLY}a.zip"]},
    ),
    "an empty archive": (
        {"a.zip": zipped([]), "x.py": A},
        {
            "programs": {},
            "absent": dict.fromkeys("12", f"{NO_PROGRAM}; there is x.py"),
            "dropped": [["x.py", "it is next to the archive that contains the program"]],
        },
    ),
    "two archives": (
        {"a.zip": zipped([(P, A)]), "b.zip": b""},
        {
            "programs": {},
            "absent": dict.fromkeys("12", NO_PROGRAM),
            "notes": [f"{ONLY}a.zip, b.zip"],
            "dropped": [["a.zip", "the course does not allow it"], ["b.zip", "the course does not allow it"]],
        },
    ),
    "what is not allowed": (
        {f"a/{P}": A, "a/x.bin": b"", "a/go.hpp": b""},
        {
            "notes": [f"{ONLY}go.hpp, x.bin"],
            "dropped": [[f"a/{name}", "the course does not allow it"] for name in ("go.hpp", "x.bin")],
        },
    ),
    "headers of C++": (
        {"my_player.cpp": A, "go.hpp": b""},
        {"programs": {"1": [1, "my_player.cpp"], "2": [1, "my_player.cpp"]}},
    ),
    "outside": (
        {f"a/{P}": A, "x.txt": b"", f"a/b/{P}": B},
        {"notes": [f"{OUTSIDE}x.txt"], "dropped": [["x.txt", "it is outside of the program's folder"]]},
    ),
    "several programs": (
        {P: A, "my_player.java": A},
        {"notes": [f"several programs, of which {P} plays: {P}, my_player.java"]},
    ),
    "several folders": (
        {f"b/{P}": A, f"a/{P}": A, f"c/d/{P}": A},
        {"programs": {}, "absent": dict.fromkeys("12", "programs in several folders: a, b")},
    ),
    "another name": (
        {"b.py": A, "a.java": A, "x.json": b""},
        {"programs": {}, "absent": dict.fromkeys("12", f"{NO_PROGRAM}; there is a.java, b.py")},
    ),
    "an empty program": ({P: b" \n\n \n"}, {"programs": {}, "absent": dict.fromkeys("12", f"{P} is empty")}),
    "an empty first line": ({P: b"\nprint()\n"}, {}),
    "nothing": ({}, {"programs": {}, "absent": dict.fromkeys("12", "nothing was handed in")}),
    "only strays": ({".DS_Store": b""}, {"programs": {}, "absent": dict.fromkeys("12", "nothing was handed in")}),
    "all left out": (
        {"a.zip": zipped([(f"../{P}", A)])},
        {
            "programs": {},
            "absent": dict.fromkeys("12", f"all files were left out: ../{P}: it leads out of the submission"),
            "dropped": [[f"../{P}", "it leads out of the submission"]],
        },
    ),
    "a damaged archive": (
        {"a.zip": b"PK"},
        {"programs": {}, "absent": dict.fromkeys("12", "a.zip: not a zip file")},
    ),
    "the stages": ({f"stage1/{P}": A, f"stage2/{P}": B}, {"programs": {"1": [1, P], "2": [2, P]}}),
    "equal stages": ({f"a/hw2-stage_1/{P}": A, f"a/HW2-Stage 2/{P}": A}, {"programs": {"1": [1, P], "2": [2, P]}}),
    "stages in a zip": (
        in_zips({f"stage-1/{P}": A, f"stage-2/{P}": B}, 1),
        {"programs": {"1": [1, P], "2": [2, P]}},
    ),
    "one stage": (
        {f"stage2/{P}": A, "stage2/x.bin": b""},
        {
            "programs": {"2": [1, P]},
            "absent": {"1": "nothing was handed in"},
            "notes": [f"stage 2: {ONLY}x.bin"],
            "dropped": [["x.bin", "the course does not allow it"]],
        },
    ),
    "a note on equal stages": (
        {f"stage{stage}/{name}": A for stage in (1, 2) for name in (P, "x.bin")},
        {
            "programs": {"1": [1, P], "2": [2, P]},
            "notes": [f"{ONLY}x.bin"],
            "dropped": [["x.bin", "the course does not allow it"]],
        },
    ),
    "two folders are no stages": (
        {f"a/stage1/{P}": A, f"b/stage2/{P}": A},
        {"programs": {}, "absent": dict.fromkeys("12", "programs in several folders: a/stage1, b/stage2")},
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_answer(tmp_path: Path, kind: str) -> None:
    files, expected = KINDS[kind]
    read, seen = answer(tmp_path, files)
    nothing: dict[str, Any] = {"absent": {}, "given": [], "notes": [], "dropped": []}
    assert read == {"programs": BOTH, **nothing, **expected}
    assert seen.keys() == {str(number) for number, _ in read["programs"].values()}


def test_the_later_of_two_files_counts(tmp_path: Path) -> None:
    read, _ = answer(tmp_path, [(P, A), (P, B)])
    assert (read["programs"], read["notes"]) == (BOTH, [])
    assert read["dropped"] == [[P, "another file of this name was handed in later"]]
    assert (tmp_path / OUT / "1" / P).read_bytes() == B
    assert (tmp_path / OUT / "1" / P).stat().st_mode & 0o777 == 0o644
    assert not (tmp_path / OUT / "2").exists()


@pytest.mark.parametrize(
    ("first", "note"),
    [
        (b"# 1234567890:Name", False),
        (b"// 123456 \xef\xbc\x9a N", False),
        (b"# 12345: Name", True),
        (b"# 1234567890123: Name", True),
        (b"# 1234567890:", True),
        (b"\n# 1234567890:Name", True),
        (b" " * 4095 + b"1234567890:Name", True),
    ],
)
def test_the_first_line_of_2020(tmp_path: Path, first: bytes, note: bool) -> None:
    read, _ = answer(tmp_path, {P: first + b"\nx"}, year=2020)
    words = f"the first line of {P} has no number and name, as in 1234567890:Your Name"
    assert (read["programs"], read["notes"]) == (BOTH, [words] if note else [])


def test_one_program_plays_both_stages_only_in_2020(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    files = {f"stage1/{P}": b"x\n"}
    read, _ = answer(tmp_path / "a", files, year=2020)
    words = f"the first line of {P} has no number and name, as in 1234567890:Your Name"
    assert (read["programs"], read["absent"]) == (BOTH, {})
    assert read["notes"] == [f"stage 1: {words}", f"stage 2: {words}"]
    read, _ = answer(tmp_path / "b", files, year=2021, stages=(1,))
    assert (read["programs"], read["notes"]) == ({"1": [1, P]}, [])


def test_a_course_with_one_stage_names_no_stage(tmp_path: Path) -> None:
    read, _ = answer(tmp_path, {f"stage2/{P}": A, f"stage1/{P}": A, "stage1/x.bin": b""}, stages=(1,))
    assert (read["programs"], read["absent"], read["notes"]) == ({"1": [1, P]}, {}, [f"{ONLY}x.bin"])


@pytest.mark.parametrize(
    ("provided", "given", "dropped"),
    [
        ({"player.py": A}, [1], []),
        ({"host.py": B}, [], ["host.py"]),
        ({"read.py": B}, [], []),
        ({}, [], []),
        (None, [], []),
    ],
)
def test_files_that_the_course_provides(
    tmp_path: Path, provided: dict[str, bytes] | None, given: list[int], dropped: list[str]
) -> None:
    read, _ = answer(tmp_path, {f"a/{P}": A, "a/host.py": B}, provided=provided)
    assert (read["programs"], read["given"]) == (BOTH, given)
    assert read["dropped"] == [[f"a/{name}", "the course provides it"] for name in dropped]


@pytest.mark.parametrize("fits", [True, False])
def test_a_provided_file_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fits: bool) -> None:
    monkeypatch.setattr(unpacking, "MOST_PROVIDED", len(A) - (not fits))
    read, _ = answer(tmp_path, {P: A}, provided={P: A})
    assert read["given"] == ([1] if fits else [])


@pytest.mark.parametrize("fits", [True, False])
def test_an_archive_and_its_files_share_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fits: bool) -> None:
    packed = zipped([(P, A)])
    together = len(packed) + len(A)
    # The limit is two times this number.
    monkeypatch.setattr(unpacking, "MOST_BYTES", together // 2 if fits else together // 2 - 1)
    assert together % 2 == 0
    read, _ = answer(tmp_path, {"a.zip": packed})
    assert read["programs"] == (BOTH if fits else {})
    assert all(words.startswith("too large: at most ") for words in read["absent"].values())


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "its archive takes too much memory"),
        (KeyError("x"), "its files cannot be opened: KeyError"),
    ],
)
def test_a_fault_while_reading_concerns_all_stages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    """The fault is in the second stage, and the program of the first stage does not play either."""
    program_files = unpacking._Submission._program_files

    def faulty(self: Any, files: Any, clauses: list[str]) -> Any:
        if self.programs:
            raise error
        return program_files(self, files, clauses)

    monkeypatch.setattr(unpacking._Submission, "_program_files", faulty)
    read, seen = answer(tmp_path, {P: A})
    assert (read["programs"], read["absent"], seen) == ({}, {"1": words, "2": words}, {})


def test_a_full_disk_is_not_the_student_s_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(unpacking, "copy_file", full)
    with pytest.raises(OSError, match="No space"):
        answer(tmp_path, {P: A})


@pytest.mark.parametrize(
    ("source", "provided", "seen"),
    [
        (b"import numpy, host\n", None, (["host", "numpy"], ["host"], ["numpy"])),
        (b"import numpy, host\n", {"host.py": b""}, (["numpy"], [], ["numpy"])),
        (b"try:\n    import numpy\nexcept ImportError:\n    pass\n", None, (["numpy"], [], [])),
        (b"(\n", None, ([], [], ["Python 3.7 cannot read it"])),
        (b"x=1\n" * 140_000, None, ([], [], ["its source was not checked"])),
    ],
    ids=["imports", "provided", "caught", "syntax", "large"],
)
def test_the_source_is_checked(
    tmp_path: Path, source: bytes, provided: dict[str, bytes] | None, seen: tuple[list[str], list[str], list[str]]
) -> None:
    found = answer(tmp_path, {P: source}, provided=provided)[1]["1"]
    imports, lacking, notes = seen
    assert (found["imports"], found["lacking"], len(found["notes"])) == (imports, lacking, len(notes))
    assert all(note.startswith(f"{P}: ") and word in note for note, word in zip(found["notes"], notes, strict=True))


def test_packages_of_the_course_file_have_no_note(tmp_path: Path) -> None:
    _, seen = answer(tmp_path, {P: b"import numpy\n", "my_player.java": b"x"}, packages=["numpy"])
    assert seen == {"1": {"imports": ["numpy"], "lacking": [], "notes": []}}
    (tmp_path / "java").mkdir()
    _, seen = answer(tmp_path / "java", {"my_player.java": b"import numpy"})
    assert seen == {"1": {"imports": [], "lacking": [], "notes": []}}


@pytest.mark.parametrize(
    ("path", "stage"),
    [
        ("stage1/x", 1),
        ("Stage_2/", 2),
        ("hw2-stage 1/a/b", 1),
        ("stage1", None),
        ("stage3/x", None),
        ("a/stage1/", None),
    ],
)
def test_the_folders_of_stages(path: str, stage: int | None) -> None:
    assert stage_of(path) == stage


def test_at_most_three_names_are_shown() -> None:
    assert [names_text("abcde"[:count]) for count in range(6)] == [
        "",
        "a",
        "a, b",
        "a, b, c",
        "a, b, c and 1 more",
        "a, b, c and 2 more",
    ]


def test_the_process_lowers_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    hard = {resource.RLIMIT_NOFILE: 50, resource.RLIMIT_FSIZE: resource.RLIM_INFINITY, resource.RLIMIT_CORE: 7}
    found: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1, hard[kind]))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: found.__setitem__(kind, limits))
    _limit_files()
    most = MOST_BYTES
    assert found == {
        resource.RLIMIT_NOFILE: (50, 50),
        resource.RLIMIT_FSIZE: (most, most),
        resource.RLIMIT_CORE: (0, 0),
    }
    hard[resource.RLIMIT_NOFILE] = 1000
    _limit_files()
    assert found[resource.RLIMIT_NOFILE] == (64, 64)
