"""Submissions are found in whatever form they come, and what is wrong with one is its own."""

import io
import stat
import zipfile
from pathlib import Path

import pytest

from arena.classroom import places
from arena.classroom.exports import HandedIn, read_class
from arena.classroom.places import BadPlace, Zip
from arena.classroom.submissions import Submission, check_handed_in, note_alike, pack, unpack

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
    found = [check_handed_in(each, year, (1, 2)) for each in read_class(path).students]
    note_alike(found)
    return {each.name: each for each in found}


def programs(path: Path, year: int = 2025) -> dict[str, dict[int, str]]:
    """Return by student and stage the program's file."""
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
    assert read_class(tmp_path).ignored == [".DS_Store", "link", "notes.csv"]


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
    assert submissions(tmp_path)["ben"].notes == ["stage 2: not graded: nothing was handed in", "the same files as ann"]


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
        ({"player.py": AGENT}, "not graded: no program of the text's names"),
        ({"my_player3.py": b" \n"}, "not graded: my_player3.py is empty"),
        ({"my_player3.py": AGENT, "model.pkl": b"", "a.h": b""}, "left out, as the text allows only"),
        ({"my_player3.py": AGENT, "my_player.cpp": b"x"}, "several programs, of which my_player3.py plays"),
        ({".DS_Store": b""}, "not graded: nothing was handed in"),
        ({"broken.zip": b"PK no zip"}, "not graded: broken.zip: no zip that can be read"),
        ({"a.zip": zipped({"../../my_player3.py": AGENT})}, "not graded: nothing was handed in"),
        ({"my_player3.py": b"print()"}, "the first line of my_player3.py has no number and name"),
    ],
)
def test_what_is_wrong_is_the_student_s_own_row(tmp_path: Path, files: dict[str, bytes], note: str) -> None:
    tree_of(tmp_path, {f"bad/{name}": content for name, content in files.items()})
    tree_of(tmp_path, {"good/my_player3.py": AGENT})
    found = submissions(tmp_path, 2020)
    assert any(each.startswith(note) for each in found["bad"].notes), found["bad"].notes
    assert found["good"].programs.keys() == {1, 2}
    assert not [each for each in found["good"].notes if "same files" not in each]


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
    assert "left out, as a link is no file: ann/data.txt, ann/folder" in ann.notes


def test_a_zip_cannot_lead_out_or_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("/my_player3.py", AGENT)
    assert Zip(packed.getvalue(), "x.zip").paths == []
    monkeypatch.setattr(places, "MOST_BYTES", 1000)
    tree_of(tmp_path, {"big.zip": zipped({"my_player3.py": b"#" * 1001}), "good/my_player3.py": AGENT})
    found = submissions(tmp_path)
    assert found["big"].notes == ["not graded: too large: at most 0 MiB in 10,000 files"]
    assert found["good"].programs


def test_two_with_the_same_files_are_named(tmp_path: Path) -> None:
    tree_of(tmp_path, {"a/my_player3.py": AGENT, "b/my_player3.py": AGENT, "c/my_player3.py": AGENT + b"#"})
    found = submissions(tmp_path)
    assert [each.notes for each in found.values()] == [["the same files as b"], ["the same files as a"], []]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"my_player3.py": AGENT}, "is one submission"),
        ({"readme.md": b""}, "has no submission"),
        ({"submission_metadata.yml": b"- a\n- b"}, "not as Gradescope writes it"),
        ({"submission_metadata.yml": b"a: [", "x/my_player3.py": b""}, "not as Gradescope writes it"),
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
    assert check_handed_in(HandedIn("nobody"), 2025, (1, 2)).notes == ["not graded: nothing was handed in"]
