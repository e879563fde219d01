"""The files of a submission in a folder or a zip: which files are found, which are dropped, and the limits."""

import os
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from little_go.arena.classroom import places
from little_go.arena.classroom.places import (
    FREE_BYTES,
    LINK,
    MOST_NAME,
    MOST_PATH,
    MOST_RATIO,
    BadPlace,
    Directory,
    Dropped,
    SubmittedFile,
    Unreadable,
    Zip,
    check_ratio,
    check_size,
    copy_file,
    name_fault,
)
from little_go.arena.match.copying import MOST_BYTES, MOST_DEPTH, MOST_FILES


def zip_of(path: Path, *files: tuple[str, bytes], packing: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return path


def content_of(file: SubmittedFile) -> bytes:
    with file.stream() as stream:
        return stream.read()


@pytest.mark.parametrize(
    ("names", "found", "dropped"),
    [
        (["a", "b/c"], {"a": b"0", "b/c": b"1"}, []),
        (["a", "a/c"], {"a/c": b"1"}, [("a", "it is also a folder")]),
        (["b/a/c", "b/a"], {"b/a/c": b"0"}, [("b/a", "it is also a folder")]),
        (["a/", "a"], {}, [("a", "it is also a folder")]),
        (["a", "a"], {"a": b"1"}, [("a", "the zip contains two such files, and the last one counts")]),
        (["../a", "b"], {"b": b"1"}, [("../a", "it leads out of the submission")]),
        (["./", "b"], {"b": b"1"}, []),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_files_of_a_zip(
    tmp_path: Path, names: list[str], found: dict[str, bytes], dropped: list[tuple[str, str]]
) -> None:
    files = [(name, b"" if name.endswith("/") else str(number).encode()) for number, name in enumerate(names)]
    place = Zip(zip_of(tmp_path / "a.zip", *files), "a.zip")
    below, lost = place.below("")
    assert {file.path: content_of(file) for file in below} == found
    assert lost == place.dropped == [Dropped(*each) for each in dropped]
    assert {name for name in found if "/" not in name} == {*place.level("").files}
    assert place.level("none/") == ([], [], [])


def test_a_link_in_a_zip_is_dropped(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert Zip(tmp_path / "a.zip", "a.zip").below("") == ([], [Dropped("link", LINK)])


def patched(path: Path, old: bytes, new: bytes) -> Path:
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))
    return path


def test_a_file_that_cannot_be_unpacked_is_named(tmp_path: Path) -> None:
    locked = zip_of(tmp_path / "locked.zip", ("b", b"x"))
    # The flags of an entry follow the versions in the list of files.
    head = locked.read_bytes().index(b"PK\x01\x02")
    content = bytearray(locked.read_bytes())
    content[head + 8] |= 1
    locked.write_bytes(content)
    damaged = patched(zip_of(tmp_path / "damaged.zip", ("b", b"x")), b"PK\x03\x04", b"PK\x03\x05")
    packed = zip_of(tmp_path / "packed.zip", ("b", b"x"), packing=zipfile.ZIP_LZMA)
    for path, why in (
        (locked, "hw.zip needs a password: hand it in without one"),
        (damaged, "hw.zip: b cannot be unpacked: "),
        (packed, "hw.zip: b is packed in a way that only some programs can unpack"),
    ):
        place = Zip(path, "hw.zip")
        for file in (place.file("b"), *place.below("")[0]):
            with pytest.raises(Unreadable, match=f"^{why}"):
                file.stream()
    assert content_of(Zip(packed, "hw.zip", plain=False).file("b")) == b"x"
    deflated = zip_of(tmp_path / "deflated.zip", ("b", b"x"), packing=zipfile.ZIP_DEFLATED)
    assert content_of(Zip(deflated, "hw.zip").file("b")) == b"x"


def test_the_list_of_a_zip_has_a_limit(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "a.zip", *((f"{number}", b"") for number in range(100)))
    content = path.read_bytes()
    # The end record has 22 bytes.
    size = len(content) - 22 - content.index(b"PK\x01\x02")
    assert len(Zip(path, "a.zip", size).below("")[0]) == 100
    with pytest.raises(BadPlace, match=rf"^a\.zip: the list of its files has more than {size - 1:,} bytes$"):
        Zip(path, "a.zip", size - 1)
    path.write_bytes(b"PK")
    with pytest.raises(BadPlace, match=r"^a\.zip: not a zip file$"):
        Zip(path, "a.zip")


def test_the_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b").write_bytes(b"bb")
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "link").symlink_to("a")
    os.mkfifo(tmp_path / "pipe")
    place = Directory(tmp_path)
    assert place.level("") == (["deep"], ["a"], ["link", "pipe"])
    found, dropped = place.below("")
    assert [(file.path, file.size, content_of(file)) for file in found] == [("a", 1, b"a"), ("deep/b", 2, b"bb")]
    assert dropped == [Dropped("link", LINK), Dropped("pipe", "not a plain file")]
    assert [file.path for file in place.below("deep/")[0]] == ["b"]
    assert place.file("deep/b").path == "b"
    (tmp_path / "a").unlink()
    with pytest.raises(Unreadable, match=r"^a: cannot be read: No such file or directory$"):
        found[0].stream()
    with pytest.raises(Unreadable, match=r"^none: cannot be read: No such file or directory$"):
        place.level("none")


def test_a_folder_of_a_class_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "_MOST_LEVEL", 3)
    for number in range(3):
        (tmp_path / str(number)).touch()
    assert Directory(tmp_path).level("").files == ["0", "1", "2"]
    (tmp_path / "3").touch()
    with pytest.raises(BadPlace, match="more than 3 files and folders"):
        Directory(tmp_path).level("")


def test_files_and_folders_count_for_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST_FILES", 3)
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").touch()
    assert len(Directory(tmp_path).below("")[0]) == 1
    (tmp_path / "d").mkdir()
    with pytest.raises(BadPlace, match="too large: at most"):
        Directory(tmp_path).below("")


FULL = "/".join(["a" * 159] * 5)


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("a/b", ""),
        ("/a", "it leads out of the submission"),
        ("a/../b", "it leads out of the submission"),
        ("..a", ""),
        ("a//b", "its name is not the name of a file"),
        ("a/./b", "its name is not the name of a file"),
        ("a\0", "its name is not the name of a file"),
        ("", "its name is not the name of a file"),
        ("\ud800", "its name is not UTF-8"),
        ("a" * MOST_NAME, ""),
        ("ä" * (MOST_NAME // 2), ""),
        ("a" * (MOST_NAME + 1), "its name has more than 200 bytes, or its path more than 800"),
        ("ä" * (MOST_NAME // 2) + "a", "its name has more than 200 bytes, or its path more than 800"),
        (f"{FULL}a", ""),
        (f"{FULL}aa", "its name has more than 200 bytes, or its path more than 800"),
        ("/".join(["a"] * MOST_DEPTH), ""),
        ("/".join(["a"] * (MOST_DEPTH + 1)), f"more than {MOST_DEPTH} nested folders"),
    ],
)
def test_which_names_can_be_used(path: str, fault: str) -> None:
    assert len(FULL) == MOST_PATH - 1
    assert name_fault(path) == fault


@pytest.mark.parametrize(
    ("files", "size", "fits"),
    [(MOST_FILES, MOST_BYTES, True), (MOST_FILES + 1, 0, False), (0, MOST_BYTES + 1, False)],
)
def test_the_limits_of_a_submission(files: int, size: int, fits: bool) -> None:
    if fits:
        check_size(files, size)
        return
    with pytest.raises(BadPlace, match=f"^too large: at most {MOST_BYTES >> 20} MiB in {MOST_FILES:,} files$"):
        check_size(files, size)


@pytest.mark.parametrize(
    ("size", "packed", "fits"),
    [
        (FREE_BYTES, 0, True),
        (FREE_BYTES + 1, 0, False),
        (MOST_RATIO * FREE_BYTES, FREE_BYTES, True),
        (MOST_RATIO * FREE_BYTES + 1, FREE_BYTES, False),
    ],
)
def test_the_limit_of_unpacking(size: int, packed: int, fits: bool) -> None:
    if fits:
        check_ratio(size, packed)
        return
    with pytest.raises(
        BadPlace, match=f"^too large: {size:,} bytes, packed into {packed:,}: at most 200 times as many"
    ):
        check_ratio(size, packed)


@pytest.mark.parametrize(("most", "fits"), [(3, True), (2, False)])
def test_a_file_is_copied_up_to_the_limit(tmp_path: Path, most: int, fits: bool) -> None:
    file = SubmittedFile("a", 1, lambda: BytesIO(b"abc"))
    if fits:
        assert copy_file(file, tmp_path / "copy", most) == 3
        assert (tmp_path / "copy").read_bytes() == b"abc"
        return
    with pytest.raises(BadPlace, match=r"^too large"):
        copy_file(file, tmp_path / "copy", most)


@pytest.mark.parametrize("size", [None, -1, 3, 4, 1 << 40])
def test_one_read_of_an_archive_has_a_limit(tmp_path: Path, size: int | None) -> None:
    (tmp_path / "three").write_bytes(b"abc")
    with places._Archive(tmp_path / "three", 3) as archive:
        assert archive.read(size) == b"abc"
        archive.seek(0)
        assert (archive.read(0), archive.read(2)) == (b"", b"ab")
    with (
        places._Archive(tmp_path / "three", 2) as archive,
        pytest.raises(BadPlace, match="the list of its files has more than 2 bytes"),
    ):
        archive.read(size)


def test_only_a_class_whose_list_is_too_long_should_be_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("ann/my_player3.py", "pass\n")
    monkeypatch.setattr(places, "MOST_CLASS_LIST", 10)
    with pytest.raises(BadPlace, match=r" has more than 10 bytes; unpack it, and name the folder$"):
        places.open_place(path)
    path.write_bytes(b"no zip")
    with pytest.raises(BadPlace, match=r"class\.zip: not a zip file$"):
        places.open_place(path)
