"""Submissions are found in every form, and a fault in a submission affects only its student."""

import io
import re
import stat
import zipfile
from pathlib import Path

import pytest

from little_go.arena.classroom import places
from little_go.arena.classroom.exports import read_class
from little_go.arena.classroom.places import BadPlace, Zip
from little_go.arena.classroom.submissions import Submission, note_others, pack, unpack
from tests.arena.classroom.reading import read_here

AGENT = b"# 1234567890:Name\nopen('output.txt', 'w').write('PASS')\n"


def tree_of(top: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return top


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def submissions(path: Path, year: int = 2025) -> dict[str, Submission]:
    found = [read_here(each, year) for each in read_class(path).students]
    note_others(found)
    return {each.name: each for each in found}


def programs(path: Path, year: int = 2025) -> dict[str, dict[int, str]]:
    """Return the files of the programs, by student and stage."""
    return {
        name: {stage: program.file for stage, program in each.programs.items()}
        for name, each in submissions(path, year).items()
    }


BOTH = {1: "my_player3.py", 2: "my_player3.py"}
METADATA = b"""---
submission_11:
  :submitters:
  - :name: Jane Doe
    :sid: '0012'
    :email: jane@example.org
  :created_at: 2023-10-26 05:12:13.123456000 Z
submission_12:
  :submitters:
  - :name: Jane Doe
    :sid: '0013'
    :email: other@example.org
  - :name: John Roe
    :sid: '0014'
    :email: john@example.org
"""
GRADESCOPE = {
    "submission_metadata.yml": METADATA,
    "submission_11/my_player3.py": AGENT,
    "submission_12/hw/my_player.py": AGENT,
}
CANVAS = {
    "doejane_101_2001_my_player3-2.py": AGENT,
    "doejane_101_2002_values.json": b"{}",
    "roejohn_LATE_102_2003_hw2.zip": zipped({"hw2/my_player11.cpp": b"int main() {}", "__MACOSX/._x.cpp": b""}),
    "van_der_berg_103_2004_my_player3.py": AGENT,
}


def test_a_folder_or_a_zip_for_each_student(tmp_path: Path) -> None:
    zip_of_ben = zipped({"ben/my_player.java": b"class my_player {}"})
    tree_of(
        tmp_path,
        {"ann/my_player3.py": AGENT, "ben.zip": zip_of_ben, "notes.csv": b"", "cid/deep/er/my_player3.py": AGENT},
    )
    java = dict.fromkeys((1, 2), "my_player.java")
    assert programs(tmp_path) == {"ann": BOTH, "ben": java, "cid": BOTH}
    (tmp_path / "link").symlink_to("ann")
    (tmp_path / ".DS_Store").write_bytes(b"")
    assert sorted(each.path for each in read_class(tmp_path).dropped) == [".DS_Store", "link", "notes.csv"]


@pytest.mark.parametrize("wrapped", ["", "export/"])
@pytest.mark.parametrize("as_zip", [False, True])
def test_an_export_of_gradescope(tmp_path: Path, wrapped: str, as_zip: bool) -> None:
    files = {f"{wrapped}{name}": content for name, content in GRADESCOPE.items()}
    place = tree_of(tmp_path / "class", files)
    if as_zip:
        place = tmp_path / "class.zip"
        place.write_bytes(zipped(files))
    found = submissions(place)
    assert list(found) == ["Jane Doe 0012", "Jane Doe 0013", "John Roe"]
    assert found["John Roe"].number == "0014"
    assert found["John Roe"].email == "john@example.org"
    assert programs(place)["John Roe"] == {1: "my_player.py", 2: "my_player.py"}


@pytest.mark.parametrize("around", ["", "export/"])
def test_a_folder_that_gradescope_does_not_list_is_left_out_and_named(tmp_path: Path, around: str) -> None:
    files = {**GRADESCOPE, "submission_99/my_player3.py": AGENT}
    found = read_class(tree_of(tmp_path / "class", {around + path: content for path, content in files.items()}))
    assert [each.name for each in found.students] == ["Jane Doe 0012", "Jane Doe 0013", "John Roe"]
    assert (f"{around}submission_99", "not in the list") in [tuple(each) for each in found.dropped]


def test_an_export_of_canvas(tmp_path: Path) -> None:
    tree_of(tmp_path, CANVAS)
    found = submissions(tmp_path)
    assert list(found) == ["doejane", "roejohn", "van_der_berg"]
    assert programs(tmp_path)["doejane"] == BOTH
    assert programs(tmp_path)["roejohn"] == dict.fromkeys((1, 2), "my_player11.cpp")
    assert found["roejohn"].late
    assert "marked as late by the export" in found["roejohn"].notes
    assert not found["doejane"].late


@pytest.mark.parametrize("above", [True, False])
def test_folders_for_the_stages(tmp_path: Path, above: bool) -> None:
    other = AGENT + b"# another\n"
    files = {("stage1", "ann"): AGENT, ("stage2", "ann"): other, ("stage1", "ben"): AGENT}
    for (stage, student), content in files.items():
        folder = f"{stage}/{student}" if above else f"{student}/{stage}"
        tree_of(tmp_path, {f"{folder}/my_player3.py": content})
    assert programs(tmp_path) == {"ann": BOTH, "ben": {1: "my_player3.py"}}
    ann = submissions(tmp_path)["ann"]
    assert ann.programs[1].digest != ann.programs[2].digest
    ben = submissions(tmp_path)["ben"]
    assert (ben.notes, ben.staff_notes) == (["stage 2: not graded: nothing was handed in"], ["the same files as ann"])


def test_zips_below_stages(tmp_path: Path) -> None:
    agent = zipped({"my_player3.py": AGENT})
    tree_of(
        tmp_path,
        {"stage1/ann.zip": agent, "stage2/ann.zip": agent, "stage1/ben.zip": b"no zip", "stage2/ben.zip": agent},
    )
    assert programs(tmp_path) == {"ann": BOTH, "ben": {2: "my_player3.py"}}


def test_in_2020_the_second_stage_may_have_another_agent(tmp_path: Path) -> None:
    tree_of(tmp_path, {"stage1/ann/my_player3.py": AGENT, "stage1/ben/my_player3.py": AGENT})
    tree_of(tmp_path, {"stage2/ann/my_player3.py": AGENT + b"#\n"})
    assert programs(tmp_path, 2020) == {"ann": BOTH, "ben": BOTH}


@pytest.mark.parametrize(
    ("files", "note"),
    [
        ({"player.py": AGENT}, "not graded: no program with a name from the assignment"),
        ({"my_player3.py": b" \n"}, "not graded: my_player3.py is empty"),
        ({"my_player3.py": AGENT, "model.pkl": b"", "a.h": b""}, "omitted, because the course allows only"),
        ({"my_player3.py": AGENT, "my_player.cpp": b"x"}, "several programs, of which my_player3.py plays"),
        ({".DS_Store": b""}, "not graded: nothing was handed in"),
        ({"broken.zip": b"PK no zip"}, "not graded: broken.zip: not a zip file"),
        (
            {"a.zip": zipped({"../../my_player3.py": AGENT})},
            "not graded: all files were left out: ../../my_player3.py: it",
        ),
        ({"my_player3.py": b"print()"}, "the first line of my_player3.py has no number and name"),
    ],
)
def test_what_is_wrong_is_the_student_s_own_row(tmp_path: Path, files: dict[str, bytes], note: str) -> None:
    tree_of(tmp_path, {f"bad/{name}": content for name, content in files.items()})
    tree_of(tmp_path, {"good/my_player3.py": AGENT})
    found = submissions(tmp_path, 2020)
    assert any(each.startswith(note) for each in found["bad"].notes), found["bad"].notes
    assert found["good"].programs.keys() == {1, 2}
    assert not found["good"].notes


def test_first_line_only_matters_in_2020(tmp_path: Path) -> None:
    tree_of(tmp_path, {"a/my_player3.py": b"print()", "b/my_player.cpp": b"// 1234567890 : Li Wei\nint x;"})
    assert not submissions(tmp_path, 2025)["a"].notes
    assert not submissions(tmp_path, 2020)["b"].notes


def test_links_are_not_followed(tmp_path: Path) -> None:
    tree_of(tmp_path / "class", {"ann/my_player3.py": AGENT})
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "class" / "ann" / "data.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "class" / "ann" / "folder").symlink_to(tmp_path)
    ann = submissions(tmp_path / "class")["ann"]
    assert b"secret" not in ann.programs[1].archive
    assert "omitted, because a link is not a file: data.txt, folder" in ann.notes


def test_a_zip_cannot_lead_out_or_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("hw2/../../my_player3.py", AGENT)
    (tmp_path / "x").write_bytes(packed.getvalue())
    listed = Zip(tmp_path / "x", "x.zip")
    assert listed.below("")[0] == []
    assert [each.path for each in listed.dropped] == ["link.txt", "hw2/../../my_player3.py"]
    (tmp_path / "x").unlink()
    monkeypatch.setattr(places, "MOST_BYTES", 1000)
    tree_of(tmp_path, {"big.zip": zipped({"my_player3.py": b"#" * 1001}), "good/my_player3.py": AGENT})
    found = submissions(tmp_path)
    assert found["big"].notes == ["not graded: too large: at most 0 MiB in 10,000 files"]
    assert found["good"].programs


def test_two_with_the_same_files_are_named(tmp_path: Path) -> None:
    tree_of(tmp_path, {"a/my_player3.py": AGENT, "b/my_player3.py": AGENT, "c/my_player3.py": AGENT + b"#"})
    found = submissions(tmp_path)
    # The notes for a student contain no other student's name.
    assert [each.notes for each in found.values()] == [[], [], []]
    assert [each.staff_notes for each in found.values()] == [["the same files as b"], ["the same files as a"], []]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"my_player3.py": AGENT}, "is one submission"),
        ({"readme.md": b""}, "contains no submission"),
        ({"submission_metadata.yml": b"- a\n- b"}, "not as Gradescope writes it"),
        ({"submission_metadata.yml": b"a: [", "submission_1/my_player3.py": b""}, "not as Gradescope writes it"),
    ],
)
def test_what_is_no_class_is_one_line(tmp_path: Path, files: dict[str, bytes], words: str) -> None:
    with pytest.raises(BadPlace, match=words) as caught:
        read_class(tree_of(tmp_path, files))
    assert "\n" not in str(caught.value)


def test_an_empty_folder_is_a_row(tmp_path: Path) -> None:
    tree_of(tmp_path / "class", {"ann/my_player3.py": AGENT})
    (tmp_path / "class" / "ben").mkdir()
    packed = tmp_path / "class.zip"
    packed.write_bytes(zipped({"ann/": b"", "ann/my_player3.py": AGENT, "ben/": b""}))
    for place in (tmp_path / "class", packed):
        assert programs(place) == {"ann": BOTH, "ben": {}}


def test_names_are_readable_and_no_two_alike(tmp_path: Path) -> None:
    tree_of(tmp_path, {"Ann/my_player3.py": AGENT, "ann/my_player3.py": AGENT, "x\x1b[31m/my_player3.py": AGENT})
    names = [each.name for each in read_class(tmp_path).students]
    assert len({name.casefold() for name in names}) == 3
    assert all(name.isprintable() for name in names)


def test_equal_files_make_equal_archives(tmp_path: Path) -> None:
    files = {"b/x.json": b"{}", "my_player3.py": AGENT}
    assert pack(files) == pack(dict(reversed(files.items())))
    unpack(pack(files), tmp_path / "there")
    assert (tmp_path / "there" / "b" / "x.json").read_bytes() == b"{}"
    assert not (tmp_path / "there.tmp").exists()


def test_a_student_without_files_has_a_row() -> None:
    assert read_here(Submission("nobody")).notes == ["not graded: nothing was handed in"]


#: Two students, who submit folders or zips.
TWO = {"anna/my_player3.py": AGENT, "ben/my_player3.py": AGENT + b"#"}
TWO_ZIPS = {"anna.zip": zipped({"my_player3.py": AGENT}), "ben.zip": zipped({"my_player3.py": AGENT + b"#"})}
STRAYS = {
    ".DS_Store": b"\0",
    "__MACOSX/._anna": b"",
    "Thumbs.db": b"",
    "desktop.ini": b"",
    "README.txt": b"",
    "README.md": b"",
    "late.csv": b"name,days\n",
}


def as_class(tmp_path: Path, files: dict[str, bytes], as_zip: bool) -> Path:
    """Write a class as a folder or as a zip."""
    if not as_zip:
        return tree_of(tmp_path / "class", files)
    (tmp_path / "class.zip").write_bytes(zipped(files))
    return tmp_path / "class.zip"


@pytest.mark.parametrize("as_zip", [False, True])
@pytest.mark.parametrize(
    ("around", "stray_at"),
    [
        ("", ""),
        ("subs/", ""),
        ("subs/", "subs/"),
        ("export/subs/", ""),
        ("export/subs/", "export/"),
        ("export/subs/", "export/subs/"),
    ],
)
@pytest.mark.parametrize(
    ("files", "form"),
    [
        (TWO, "plain"),
        (TWO_ZIPS, "plain"),
        ({f"stage{stage}/{path}": content for stage in "12" for path, content in TWO.items()}, "stages"),
        (
            {
                "submission_metadata.yml": b"submission_1: {submitters: [{name: anna}]}\n"
                b"submission_2: {submitters: [{name: ben}]}",
                "submission_1/my_player3.py": AGENT,
                "submission_2/my_player3.py": AGENT + b"#",
            },
            "gradescope",
        ),
        ({"anna_1_11_my_player3.py": AGENT, "ben_LATE_2_12_my_player3.py": AGENT + b"#"}, "canvas"),
    ],
)
def test_strays_and_folders_around_all_change_nothing(
    tmp_path: Path, files: dict[str, bytes], form: str, stray_at: str, around: str, as_zip: bool
) -> None:
    place = as_class(
        tmp_path,
        {around + path: content for path, content in files.items()}
        | {stray_at + path: content for path, content in STRAYS.items()},
        as_zip,
    )
    found = read_class(place)
    assert [each.name for each in found.students] == ["anna", "ben"]
    assert found.form == ("wrapped" if form == "plain" and around else form)
    assert programs(place) == {"anna": BOTH, "ben": BOTH}
    assert {stray_at + name.split("/")[0] for name in STRAYS} == {each.path for each in found.dropped}


def test_a_student_s_files_decide_nothing(tmp_path: Path) -> None:
    mal = {"submission_metadata.yml": b"submission_1: {}", "submission_1/x.py": b"", "sub/y": b"", "a_1_2_b.txt": b""}
    found = read_class(tree_of(tmp_path, {**TWO, **{f"mal/{path}": content for path, content in mal.items()}}))
    assert (found.form, [each.name for each in found.students]) == ("plain", ["anna", "ben", "mal"])


@pytest.mark.parametrize(
    ("files", "forms"),
    [
        ({**TWO, "submission_metadata.yml": b""}, ["gradescope", "plain"]),
        ({**TWO, "doe_1_2_my_player3.py": AGENT}, ["canvas", "plain"]),
        ({**TWO, "stage1/cid/my_player3.py": AGENT}, ["stages", "plain"]),
        ({"ann/src/my_player3.py": AGENT, "ann/data/x.json": b"{}"}, ["plain", "wrapped"]),
        ({"submission_metadata.yml": b"", "submission_1/x": b"", "doe_1_2_x.py": b""}, ["gradescope", "canvas"]),
    ],
)
def test_a_tree_that_may_be_two_things_is_refused(tmp_path: Path, files: dict[str, bytes], forms: list[str]) -> None:
    tree_of(tmp_path, files)
    with pytest.raises(BadPlace) as caught:
        read_class(tmp_path)
    message = str(caught.value)
    assert "\n" not in message
    assert " or ".join(f"--form {form}" for form in forms) in message
    given = [read_class(tmp_path, form).students for form in forms if form != "gradescope"]
    assert len({tuple(each.name for each in students) for students in given}) == len(given)


def test_a_form_that_is_not_there_is_refused(tmp_path: Path) -> None:
    tree_of(tmp_path, TWO)
    for form in ("stages", "gradescope", "canvas"):
        with pytest.raises(BadPlace, match="is not "):
            read_class(tmp_path, form)
    assert len(read_class(tmp_path, "plain").students) == len(read_class(tmp_path, "wrapped").students) == 2


def test_no_two_students_have_one_name(tmp_path: Path) -> None:
    names = ["alice", "Alice", "alice (2)", "random", "random (student)", "x (stage 2)", "u\u0308", "\u00fc", "a\u0301"]
    tree_of(tmp_path, {f"{name}/my_player3.py": AGENT for name in names})
    alice = next(each for each in read_class(tmp_path).students if re.fullmatch("alice [0-9a-f]{8}", each.name))
    # A student who submits under the name that another student would get gets another name.
    tree_of(tmp_path, {f"{alice.name}/my_player3.py": AGENT})
    found = read_class(tmp_path).students
    assert len(found) == len({each.name.casefold() for each in found}) == len({each.key for each in found}) == 10
    assert {"alice (2)", "random (student)", "\u00e1"} <= {each.name for each in found}
    assert not {"alice", "random", "x (stage 2)", "\u00fc"} & {each.name for each in found}
    assert len(read_class(tmp_path).students) == 10


def test_partners_are_not_copies(tmp_path: Path) -> None:
    metadata = b"""submission_1:
  submitters: [{name: Ann}, {name: Ben}]
submission_2:
  submitters: [{name: Cid}]
"""
    files = {f"submission_{number}/my_player3.py": AGENT for number in (1, 2)}
    found = submissions(tree_of(tmp_path, {"submission_metadata.yml": metadata, **files}))
    assert not any(each.notes for each in found.values())
    assert found["Ann"].staff_notes == ["the same files as Cid", "handed in together with Ben"]
    assert found["Ben"].staff_notes == ["the same files as Cid", "handed in together with Ann"]
    assert found["Cid"].staff_notes == ["the same files as Ann, Ben"]


def test_aliases_in_gradescope_s_list_stay_small(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    lines += ["submission_1: {submitters: [{name: *a11}], created_at: *a11}"]
    tree_of(tmp_path, {"submission_metadata.yml": "\n".join(lines).encode(), "submission_1/my_player3.py": AGENT})
    with pytest.raises(BadPlace, match="not as Gradescope writes it"):
        read_class(tmp_path)
    content = "\n".join(f"submission_{n}: {{x: {line[line.index('&') :]}}}" for n, line in enumerate(lines[:-1], 2))
    content += "\nsubmission_1: {submitters: [{name: *a11}], created_at: *a11}"
    (tmp_path / "submission_metadata.yml").write_text(content)
    (student,) = read_class(tmp_path).students
    assert (student.name, student.submitted) == ("no name", "")


def test_names_of_any_alphabet_are_a_first_line(tmp_path: Path) -> None:
    lines = {
        "a": "# 1234567890:\u674e\u4f1f",
        "b": "\ufeff#1234567890 \uff1a \u0418\u0432",
        "c": "# \u674e",
    }
    tree_of(tmp_path, {f"{name}/my_player3.py": f"{line}\n".encode() for name, line in lines.items()})
    assert [name for name, each in submissions(tmp_path, 2020).items() if each.notes] == ["c"]


def test_headers_stay_with_a_c_program_alone(tmp_path: Path) -> None:
    tree_of(tmp_path, {"a/my_player.cpp": b"x", "a/go.hpp": b"", "b/my_player3.py": AGENT, "b/go.hpp": b""})
    found = submissions(tmp_path)
    assert (found["a"].programs[1].place / "go.hpp").is_file()
    assert not (found["b"].programs[1].place / "go.hpp").exists()
    assert any("go.hpp" in note for note in found["b"].notes)
