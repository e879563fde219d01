"""Kinds of submissions that are wrong or try to do harm. Each is written as the submission of one student.

A kind is a function that writes into a folder of the class and gets the student's name. A few kinds write a zip there
instead of a folder.
"""

import io
import os
import random
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

AGENT = b"# 1234567890:Name\nopen('output.txt', 'w').write('PASS')\n"

#: A function that writes a submission, given the folder of the class and the student's name.
Kind = Callable[[Path, str], None]

#: The contents of files, by path.
Files = dict[str, bytes]


def zipped(files: Iterable[tuple[str, bytes]], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip with entries in this order, whatever their names are."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", packing) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for name, content in files:
            member = zipfile.ZipInfo(name)
            member.compress_type = packing
            if name.startswith("link:"):
                member.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(member, content)
    return packed.getvalue()


def in_folder(files: Files) -> Kind:
    """Return a kind that writes these files into the student's folder."""

    def write(top: Path, name: str) -> None:
        (top / name).mkdir()
        for path, content in files.items():
            place = top / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)

    return write


def as_zip(make: Callable[[], bytes]) -> Kind:
    """Return a kind that writes the zip that a function makes."""

    def write(top: Path, name: str) -> None:
        (top / f"{name}.zip").write_bytes(make())

    return write


def _many_names(entries: int, length: int) -> bytes:
    """Return a zip in a zip, whose list has this many names: it is small while packed and large when read."""
    members, at = io.BytesIO(), 0
    name = b"n" * length
    for number in range(entries):
        each = b"%08d" % number + name[8:]
        members.write(
            struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, length, 0, 0, 0, 0, 0, 0) + each
        )
    listed = members.getvalue()
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, entries & 0xFFFF, entries & 0xFFFF, len(listed), at, 0)
    return zipped([("inner.zip", listed + end)])


def _nested(depth: int) -> bytes:
    content = zipped([("my_player3.py", AGENT)])
    for number in range(depth):
        content = zipped([(f"{number}.zip", content)], zipfile.ZIP_STORED)
    return content


def _lzma_window() -> bytes:
    """Return a zip whose entry needs a window of 4 GiB to be unpacked."""
    content = bytearray(zipped([("my_player3.py", AGENT)], zipfile.ZIP_LZMA))
    at = 30 + len("my_player3.py")
    # An LZMA entry begins with the version, the length of the properties, lc/lp/pb, and then the window.
    content[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    return bytes(content)


def _locked() -> bytes:
    content = bytearray(zipped([("my_player3.py", AGENT)]))
    content[6] |= 1
    at = content.rindex(b"PK\1\2")
    content[at + 8] |= 1
    return bytes(content)


def _overlapping() -> bytes:
    """Return a zip whose 2,000 entries share the same bytes, and unpack to 1 MB each."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = squeeze.compress(bytes(1 << 20)) + squeeze.flush()
    check = zlib.crc32(bytes(1 << 20))
    head = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, check, len(packed), 1 << 20, 5, 0) + b"00000"
    listed = b""
    for number in range(2000):
        entry = (b"PK\1\2", 20, 20, 0, 8, 0, 0, check, len(packed), 1 << 20, 5, 0, 0, 0, 0, 0, 0)
        listed += struct.pack("<4s6H3L5H2L", *entry) + b"%05d" % number
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 2000, 2000, len(listed), len(head) + len(packed), 0)
    return head + packed + listed + end


def _understated() -> bytes:
    """Return a zip whose entry unpacks to 300 MiB but states 10 bytes."""
    content = bytearray(zipped([("my_player3.py", bytes(300 << 20))]))
    for signature, at in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        place = content.index(signature)
        content[place + at : place + at + 4] = struct.pack("<L", 10)
    return bytes(content)


def _latin_1(top: Path, name: str) -> None:
    in_folder({"my_player3.py": AGENT})(top, name)
    Path(os.fsdecode(os.fsencode(top / name) + b"/caf\xe9.txt")).write_bytes(b"")


def _links(top: Path, name: str) -> None:
    in_folder({"my_player3.py": AGENT})(top, name)
    (top / name / "passwd.txt").symlink_to("/etc/passwd")
    (top / name / "up").symlink_to("..")


def _fifo(top: Path, name: str) -> None:
    in_folder({"my_player3.py": AGENT})(top, name)
    os.mkfifo(top / name / "pipe.txt")


def _deep(top: Path, name: str) -> None:
    place = top / name
    for _ in range(200):
        place /= "d"
    place.mkdir(parents=True)
    (place / "my_player3.py").write_bytes(AGENT)


def _unreadable_name(top: Path, name: str) -> None:
    Path(os.fsdecode(os.fsencode(top / name) + b"\xe9\x1b[31m")).mkdir()


_ELIF = b"x = 1\nif x == 0:\n    pass\n" + b"".join(b"elif x == %d:\n    pass\n" % number for number in range(1000))
_PY = "my_player3.py"

#: The kinds whose agent is graded nevertheless, and the kinds whose agent is not graded.
GRADED: dict[str, Kind] = {
    "sound": in_folder({_PY: AGENT}),
    "zip": as_zip(lambda: zipped([(_PY, AGENT)])),
    "zip in a folder": in_folder({"hw2.zip": zipped([("hw2/" + _PY, AGENT)])}),
    "zip with readme beside": in_folder({"hw2.zip": zipped([(_PY, AGENT)]), "README.md": b""}),
    "readme beside folder": in_folder({"README.md": b"", f"hw2/{_PY}": AGENT}),
    "two folders deep": in_folder({f"a/b/{_PY}": AGENT}),
    "metadata of gradescope": in_folder({"submission_metadata.yml": b"submission_1: {}", "sub/x.txt": b"", _PY: AGENT}),
    "names of canvas": in_folder({"doe_1_2_x.txt": b"", _PY: AGENT}),
    "finder": in_folder({_PY: AGENT, ".DS_Store": b"\0", "__MACOSX/._x": b""}),
    "windows": in_folder({_PY: AGENT, "Thumbs.db": b"", "desktop.ini": b""}),
    "late.csv of its own": in_folder({_PY: AGENT, "late.csv": b"name,days\nsound,5\n"}),
    "c++ with header": in_folder({"my_player.cpp": b'#include "go.hpp"\nint main() {}', "go.hpp": b"// 1\n"}),
    "java": in_folder({"my_player.java": b"class my_player { public static void main(String[] a) {} }"}),
    "latin-1 name": _latin_1,
    "links": _links,
    "pipe": _fifo,
    "file and folder of one name": as_zip(lambda: zipped([("a.txt", b""), ("a.txt/b.txt", b""), (_PY, AGENT)])),
    "member of 300 characters": as_zip(lambda: zipped([("x" * 300 + ".txt", b""), (_PY, AGENT)])),
    "member that leaves": as_zip(lambda: zipped([("../../evil.txt", b""), (_PY, AGENT)])),
    "absolute member": as_zip(lambda: zipped([("/etc/evil.txt", b""), (_PY, AGENT)])),
    "link in a zip": as_zip(lambda: zipped([("link:x.txt", b"/etc/passwd"), (_PY, AGENT)])),
    "backslashes": as_zip(lambda: zipped([("hw2\\" + _PY, AGENT)])),
    "bzip2": as_zip(lambda: zipped([(_PY, AGENT)], zipfile.ZIP_BZIP2)),
    "lzma": as_zip(lambda: zipped([(_PY, AGENT)], zipfile.ZIP_LZMA)),
    "twice the same member": as_zip(lambda: zipped([(_PY, b"x"), (_PY, AGENT)])),
    "1,000 elif": in_folder({_PY: AGENT + _ELIF}),
    "1 MB of x=1": in_folder({_PY: AGENT + b"x=1\n" * 250_000}),
    "20 MB of x=1 in a zip": as_zip(lambda: zipped([(_PY, AGENT + b"x=1\n" * 5_000_000)])),
    "200 brackets": in_folder({_PY: AGENT + b"x = " + b"[" * 200 + b"]" * 200 + b"\n"}),
    "5,000 minus signs": in_folder({_PY: AGENT + b"x = " + b"-" * 5_000 + b"1\n"}),
    "bytes that are no text": in_folder({_PY: AGENT + b"# \xff\xfe\n"}),
    "zero byte": in_folder({_PY: AGENT + b"\0"}),
    "imports numpy": in_folder({_PY: AGENT + b"import numpy\n"}),
    "imports itself": in_folder({_PY: AGENT + b"import my_player3\n"}),
    "two programs": in_folder({_PY: AGENT, "my_player.cpp": b"int main() {}"}),
    "three archives in each other": in_folder({"x.zip": _nested(2)}),
    "9,000 empty files": as_zip(lambda: zipped([(_PY, AGENT), *((f"{number}.txt", b"") for number in range(9_000))])),
    "newline in a name": in_folder({_PY: AGENT, "a\nb.txt": b""}),
    "escapes in a name": in_folder({_PY: AGENT, "a\x1b[31mb.txt": b""}),
    "folder called as a program": in_folder({"x/" + _PY: AGENT, "my_player.java/x.txt": b""}),
}
NOT_GRADED: dict[str, Kind] = {
    "empty folder": in_folder({}),
    "empty file": in_folder({_PY: b" \n"}),
    "no bytes": in_folder({_PY: b""}),
    "other name": in_folder({"player.py": AGENT}),
    "only strays": in_folder({".DS_Store": b""}),
    "no zip": as_zip(lambda: b"PK no zip"),
    "empty zip": as_zip(lambda: zipped([])),
    "cut zip": as_zip(lambda: zipped([(_PY, AGENT)])[:-30]),
    "locked zip": as_zip(lambda: _locked()),
    "zip of nothing at all": as_zip(lambda: b""),
    "12,000 archives in each other": as_zip(lambda: _nested(60)),
    "list of 25 MB": as_zip(lambda: _many_names(100_000, 200)),
    "list of 5 million": as_zip(lambda: _many_names(1_000_000, 12)),
    "ratio": as_zip(lambda: zipped([(_PY, AGENT), ("x.txt", bytes(200 << 20))])),
    "300 MiB": as_zip(lambda: zipped([(_PY, bytes(300 << 20))])),
    "understated": as_zip(lambda: _understated()),
    "overlapping": as_zip(lambda: _overlapping()),
    "window of 4 GiB": as_zip(lambda: _lzma_window()),
    "20,000 files": as_zip(lambda: zipped([(_PY, AGENT), *((f"{number}.txt", b"") for number in range(20_000))])),
    "200 folders deep": _deep,
    "programs in two folders": in_folder({f"a/{_PY}": AGENT, f"b/{_PY}": AGENT}),
    "name that is no text": _unreadable_name,
    "two zips": in_folder({"a.zip": zipped([(_PY, AGENT)]), "b.zip": zipped([(_PY, AGENT)])}),
    "rar": in_folder({"hw2.rar": b"Rar!"}),
    "folder for the program": in_folder({f"{_PY}/x.txt": b""}),
}


def damaged(seed: int) -> tuple[str, Kind]:
    """Return a random kind: a sound zip with bytes that are changed, cut or repeated, or with odd names."""
    rng = random.Random(seed)
    odd = ["a", "..", ".", "", "x" * rng.randrange(1, 400), "ä", "\x1b[2J", "__MACOSX", "stage1", _PY, "my_player.java"]
    names = ["/".join(rng.choices(odd, k=rng.randrange(1, 5))) for _ in range(rng.randrange(6))]
    content = bytearray(zipped([*((name or "x", rng.randbytes(rng.randrange(50))) for name in names), (_PY, AGENT)]))
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(content))
        change = rng.randrange(3)
        if change == 0:
            content[at] = rng.randrange(256)
        elif change == 1:
            del content[at : at + rng.randrange(20)]
        else:
            content[at:at] = content[at : at + rng.randrange(60)]
    if rng.random() < 0.3:
        return f"damaged {seed}", in_folder({"hw2.zip": bytes(content)})
    return f"damaged {seed}", as_zip(lambda: bytes(content))
