"""In forty exports each entry at the top is a student's row or a listed stray, or the user is asked for the form."""

import zipfile
from pathlib import Path

import pytest

from little_go.arena.classroom.exports import read_class
from little_go.arena.classroom.places import BadPlace
from tests.arena.classroom.kinds import zipped
from tests.arena.classroom.test_exports import tree_of

A = b"open('output.txt', 'w').write('PASS')\n"
P = "my_player3.py"
LIST = b"submission_1:\n  :submitters:\n  - :name: Ann\nsubmission_2:\n  :submitters:\n  - :name: Ben\n  - :name: Cy\n"
M = "_12_assignsubmission_file_"
ONE = zipped([(P, A)])
GRADESCOPE = {"submission_metadata.yml": LIST, f"submission_1/{P}": A, f"submission_2/{P}": A}
CANVAS = {f"doejane_12_1_{P}": A, f"roejohn_LATE_13_2_{P}": A}
MOODLE = {f"Jane Doe{M}/{P}": A, f"John Roe_13_assignsubmission_file_/{P}": A}


def inside(files: dict[str, bytes]) -> bytes:
    return zipped(files.items(), zipfile.ZIP_STORED)


#: For each export its files, and the expected rows and strays; after ``?`` words of the question that the user gets.
EXPORTS: dict[str, tuple[dict[str, bytes], str, str]] = {
    "folders": ({f"ann/{P}": A, f"ben/{P}": A}, "ann ben", ""),
    "zips": ({"ann.zip": ONE, "ben.ZIP": ONE}, "ann ben", ""),
    "folders and zips": ({f"ann/{P}": A, "ben.zip": ONE}, "ann ben", ""),
    "rar beside folders": ({f"ann/{P}": A, "eve.rar": b"Rar!"}, "ann eve", ""),
    "7z beside zips": ({"ann.zip": ONE, "mal.7z": b"7z"}, "ann mal", ""),
    "tar.gz beside folders": ({f"ann/{P}": A, "tim.tar.gz": b""}, "ann tim", ""),
    "tgz, tar, xz": ({"a.tgz": b"", "b.tar": b"", "c.tar.xz": b""}, "a b c", ""),
    "only rar": ({"eve.rar": b"", "mal.RAR": b""}, "eve mal", ""),
    "an empty folder": ({f"ann/{P}": A, "ben/.DS_Store": b""}, "ann ben", ""),
    "loose programs": ({f"ann/{P}": A, "ben.py": A}, "ann", "ben.py"),
    "loose document": ({f"ann/{P}": A, "essay.pdf": b""}, "ann", "essay.pdf"),
    "staff's table": ({f"ann/{P}": A, "late.csv": b""}, "ann", "late.csv"),
    "what systems leave": ({f"ann/{P}": A, "__MACOSX/x": b"", "Thumbs.db": b""}, "ann", "Thumbs.db __MACOSX"),
    "around all": ({f"class/ann/{P}": A, f"class/ben/{P}": A}, "ann ben", ""),
    "around all with rar": ({f"c/ann/{P}": A, f"c/ben/{P}": A, "c/eve.rar": b""}, "ann ben eve", ""),
    "twice around all": ({f"a/b/ann/{P}": A, f"a/b/ben/{P}": A}, "ann ben", ""),
    "may be one student": ({"hw/a/x.txt": b"", "hw/b/y.txt": b""}, "? give --form plain or --form wrapped", ""),
    "one submission": ({P: A, "read.py": b""}, "? is one submission", ""),
    "stages": ({f"stage1/ann/{P}": A, f"stage2/ann/{P}": A, f"stage1/ben/{P}": A}, "ann ben", ""),
    "stages with rar": ({f"stage1/ann/{P}": A, "stage2/eve.rar": b""}, "ann eve", ""),
    "stages with zips": ({"stage1/ann.zip": ONE, "stage2/ben.zip": ONE}, "ann ben", ""),
    "stages with strays": ({f"stage1/ann/{P}": A, "stage1/x.pdf": b"", "y.pdf": b""}, "ann", "stage1/x.pdf y.pdf"),
    "a student's own stages": ({f"ann/stage1/{P}": A, f"ann/stage2/{P}": A, f"ben/{P}": A}, "ann ben", ""),
    "gradescope": (GRADESCOPE, "Ann Ben Cy", ""),
    "gradescope around": ({f"export/{path}": each for path, each in GRADESCOPE.items()}, "Ann Ben Cy", ""),
    "gradescope unlisted": (GRADESCOPE | {f"submission_9/{P}": A}, "Ann Ben Cy", "submission_9"),
    "gradescope without a folder": ({"submission_metadata.yml": LIST, f"submission_1/{P}": A}, "Ann Ben Cy", ""),
    "gradescope's zip alone": ({"export.zip": inside(GRADESCOPE)}, "? has only", ""),
    "canvas": (CANVAS, "doejane roejohn", ""),
    "canvas with texts": (
        CANVAS | {"poemax_14_text.html": b"", "poeamy_LATE_15_text.html": b""},
        "doejane poeamy poemax roejohn",
        "",
    ),
    "canvas with a link": (CANVAS | {"poemax_14_link.html": b""}, "doejane poemax roejohn", ""),
    "canvas of texts": ({"poemax_14_text.html": b"", "poeamy_15_text.html": b""}, "poeamy poemax", ""),
    "canvas with rar": (CANVAS | {"eve_16_3_hw2.rar": b""}, "doejane eve roejohn", ""),
    "canvas with zips": ({"ann_1_2_hw.zip": ONE, "ben_3_4_hw.zip": ONE}, "ann ben", ""),
    "canvas and strays": (CANVAS | {"notes.pdf": b""}, "doejane roejohn", "notes.pdf"),
    "canvas's zip alone": ({"submissions.zip": inside(CANVAS)}, "? has only", ""),
    "canvas or folders": (CANVAS | {f"ann/{P}": A}, "? give --form canvas or --form plain", ""),
    "moodle": (MOODLE, "Jane Doe John Roe", ""),
    "moodle without folders": (
        {f"Jane Doe{M}{P}": A, f"John Roe_13_assignsubmission_file_{P}": A},
        "Jane Doe John Roe",
        "",
    ),
    "moodle with texts": (
        MOODLE
        | {
            "Jane Doe_12_assignsubmission_onlinetext_/onlinetext.html": b"",
            "Al Poe_14_assignsubmission_onlinetext_/o.html": b"",
        },
        "Al Poe Jane Doe John Roe",
        "",
    ),
    "moodle's zip alone": ({"course.zip": inside(MOODLE)}, "? has only", ""),
    "a class's zip alone": ({"all.zip": inside({f"ann/{P}": A, f"ben/{P}": A})}, "? has only", ""),
}


def test_forty_exports_are_tried() -> None:
    assert len(EXPORTS) >= 40


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("name", EXPORTS)
def test_rows_are_people_or_named_strays(name: str, packed: bool, tmp_path: Path) -> None:
    files, rows, strays = EXPORTS[name]
    place = tmp_path / "class"
    if packed:
        place = tmp_path / "class.zip"
        place.write_bytes(inside(files))
    else:
        tree_of(place, files)
    if rows.startswith("?"):
        with pytest.raises(BadPlace, match=rows.removeprefix("? ")):
            read_class(place)
        return
    found = read_class(place)
    assert " ".join(each.name for each in found.students) == rows
    dropped = {each.path.split("/")[0] if "stage" not in each.path else each.path for each in found.dropped}
    assert " ".join(sorted(dropped)) == strays
    # A student who has no file to read has a cause.
    for each in found.students:
        if not each.parts and each.cause is None:
            assert not files.get(f"{each.name}/{P}")


@pytest.mark.parametrize("files", [{P: A}, {f"hw2/{P}": A}, {f"stage1/{P}": A, f"stage2/{P}": A}, {f"a/b/{P}": A}])
def test_one_student_s_zip_alone_in_a_folder_is_that_student_s(files: dict[str, bytes], tmp_path: Path) -> None:
    tree_of(tmp_path, {"ann.zip": inside(files)})
    assert [each.name for each in read_class(tmp_path).students] == ["ann"]


def test_the_question_about_an_export_names_it(tmp_path: Path) -> None:
    tree_of(tmp_path, {"export.zip": inside(MOODLE)})
    with pytest.raises(BadPlace) as caught:
        read_class(tmp_path)
    export = str(tmp_path / "export.zip")
    assert str(caught.value) == (
        f"{str(tmp_path)!r} has only 'export.zip', which looks like an export of Moodle: give {export!r},"
        " or --form plain if that is one student's"
    )
    assert [each.number for each in read_class(tmp_path / "export.zip").students] == ["12", "13"]
