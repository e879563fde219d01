"""The tool that plants mutants: its edits, a mutant that is killed, and one that survives."""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from tools.mutants.__main__ import Campaign, summary
from tools.mutants.box import Box, NoBox
from tools.mutants.edits import EQUIVALENT, FILE, apply, brace_edits, masked, python_edits, read_equivalent
from tools.mutants.rooms import LEAST, ROOMS, Room, mutants_of, room_of, sample
from tools.mutants.trial import KILLED, SURVIVED, TIMEOUT, Baseline, Copy, builds, extension_of, stages, take_snapshot

ROOT = Path(__file__).parents[1]


def made(source: str) -> set[str]:
    """Return the texts after the edits of a Python function."""
    text = f"def f(a, b):\n{textwrap.indent(source, '    ')}\n".encode()
    changed = {apply(text, edit).decode() for edit in python_edits(text)}
    return {"\n".join(textwrap.dedent(each.partition("\n")[2]).split("\n")).rstrip() for each in changed}


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("return a < b", {"return a <= b", "return a >= b", "return None"}),
        ("return (a) == (b)", {"return (a) != (b)", "return None"}),
        ("if a is not b: g()", {"if a is b: g()", "if a is not b: pass"}),
        ("if not a in b: g()", {"if  a in b: g()", "if not a not in b: g()", "if not a in b: pass"}),
        ("if a and b: g()", {"if a or b: g()", "if not (a and b): g()", "if a and b: pass"}),
        ("a += 2", {"a -= 2", "a += 3", "pass"}),
        ("a = b - 1", {"a = b + 1", "a = b - 2"}),
        ("a.x = True", {"a.x = False", "pass"}),
        ("return a << 0x10", {"return a >> 0x10", "return a << 17", "return None"}),
        ("return [x for x in a if b]", {"return [x for x in a if not (b)]", "return None"}),
        ("raise ValueError(f'{a + 1}' + 'x')", {"pass"}),
        ("for a in b: break", {"for a in b: pass"}),
        ("for a in b: continue", {"for a in b: pass"}),
        ("x: list[1] = 2", {"x: list[1] = 3"}),
        ("g(a,\n  b)", {"pass"}),
    ],
)
def test_the_edits_of_a_python_line(line: str, changed: set[str]) -> None:
    assert made(line) == changed


def test_a_handler_catches_nothing_or_one_error_less() -> None:
    source = "try: g()\nexcept (KeyError, OSError): h()\nexcept ValueError as e: h(e)"
    assert made(source) >= {
        source.replace("(KeyError, OSError)", "()"),
        source.replace("(KeyError, OSError)", "(OSError)"),
        source.replace("ValueError", "()"),
    }


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("x = a & b;", {"x = a | b;", ";"}),
        ("x = &a;", {";"}),
        ("x |= ~a;", {"x &= ~a;", "x |= a;", ";"}),
        ("x = a << b | c;", {"x = a >> b | c;", "x = a << b & c;", ";"}),
        ("this.a[i].f(a, b);", {";"}),
        ("while (a) break;", {"while (a) ;", "while (!(a)) break;"}),
        ("int x = f(a);", set()),
        ("return f(a);", set()),
        ('throw new Error("1 < 2");', {";"}),
    ],
)
@pytest.mark.parametrize("script", [False, True])
def test_the_edits_of_bits_and_statements(line: str, changed: set[str], script: bool) -> None:
    head = "function f(a) {" if script else "int f(int a) {"
    source = f"{head} {line} }}".encode()
    found = {apply(source, edit).decode() for edit in brace_edits(source, script=script)}
    assert {each.removeprefix(head).removesuffix("}").strip() for each in found} == changed


def test_what_no_test_looks_at_is_left_alone() -> None:
    source = b'''"""Text: 1 < 2."""
LIMIT = 1 + 2
if TYPE_CHECKING:
    import x
@click.option("--n", default=1 + 2, help="1 < 2")
def f(a: int = 1 + 2) -> "list[1]":
    """Return 1 + 2."""
    if TYPE_CHECKING:
        g(1)
    return True
class C:
    size = 1 + 2
    def __repr__(self):
        return str(1 + 2)
'''
    assert [apply(source, edit).decode().split("\n")[9] for edit in python_edits(source)] == ["    return False"]


def test_the_edits_of_a_c_function() -> None:
    source = b"""#include "a.h"  /* 1 < 2 */
static const int SIZES[] = { 1, 2 };
int f(int a) {  // 3 > 4
  if (a >= 0x0F && "1 < 2"[0] == '"') a->b--; /* 5 + 6 */
  return a;
}
"""
    changed = {apply(source, edit).decode().split("\n")[3].strip() for edit in brace_edits(source, script=False)}
    line = """if (a >= 0x0F && "1 < 2"[0] == '"') a->b--; /* 5 + 6 */"""
    assert changed == {
        line.replace(before, after, 1)
        for before, after in (
            (">=", ">"),
            (">=", "<"),
            ("0x0F", "16"),
            ("&&", "||"),
            ("[0]", "[1]"),
            ("==", "!="),
            ("--", "++"),
            ("""a >= 0x0F && "1 < 2"[0] == '"'""", """!(a >= 0x0F && "1 < 2"[0] == '"')"""),
        )
    }


def test_the_edits_of_a_script() -> None:
    source = b"""import { a } from "./b.js";
const WIDE = 1 + 2;
const even = (n) => n % 2 === 0;
export function f(text) { return `1 < ${text.length > 3 ? `${1}` : "4"} < 2` + text.match(/[/`]+1/g); }
"""
    changed = {apply(source, edit).decode() for edit in brace_edits(source, script=True)}
    lines = source.decode()
    assert changed == {
        lines.replace(before, after, 1)
        for before, after in (
            ("% 2", "% 3"),
            ("===", "!=="),
            ("=== 0", "=== 1"),
            ("length > 3", "length >= 3"),
            ("length > 3", "length <= 3"),
            ("> 3", "> 4"),
            ("${1}", "${2}"),
            ("` + text", "` - text"),
        )
    }


def test_masks_keep_every_place() -> None:
    for file in (*(ROOT / "explorer" / "page").glob("*.js"), *(ROOT / "solver" / "native").glob("*.c")):
        text = file.read_bytes().decode("latin-1")
        code = masked(text, script=file.suffix == ".js")
        assert all(kept in (" ", there) for kept, there in zip(code, text, strict=True))
        assert all(code.count(left) == code.count(right) for left, right in ("()", "[]", "{}")), file.name


@pytest.mark.parametrize("path", ["player/memory.py", "solver/native/lookahead.c", "explorer/page/rules.js"])
def test_no_line_moves(path: str) -> None:
    source = (ROOT / path).read_bytes()
    found = mutants_of(ROOT / path, ROOT)
    assert len(found) > 50
    assert len({mutant.key for mutant in found}) == len(found)
    for mutant in found:
        changed = apply(source, mutant.edit)
        lines = [number for number, pair in enumerate(zip(source.split(b"\n"), changed.split(b"\n"), strict=True), 1)
                 if pair[0] != pair[1]]  # fmt: skip
        assert lines[0] == mutant.line or source.split(b"\n")[mutant.line - 1].endswith(b"("), mutant


@pytest.mark.system
def test_a_sample_is_of_all_rooms() -> None:
    rooms = [ROOMS[name] for name in ("solver", "native", "player", "maker", "little_go")]
    found = sample(ROOT, rooms, 561, 40)
    names = [room.name for room, _ in found]
    assert len({mutant.key for _, mutant in found}) == 40
    assert names[:5] == [room.name for room in rooms]
    assert min(names.count(room.name) for room in rooms) >= LEAST
    assert names.count("native") > names.count("maker") + 5
    assert all(room.name in (room_of(mutant.path, ROOT).name, "native") for room, mutant in found)
    assert sample(ROOT, [ROOMS["maker"]], 561, 4) == [pair for pair in found if pair[0].name == "maker"][:4]
    assert sample(ROOT, [ROOMS["maker"]], 562, 4) != [pair for pair in found if pair[0].name == "maker"][:4]


try:
    with tempfile.TemporaryDirectory() as _place:
        os.chmod(_place, 0o711)
        Box(Path(_place)).check()
    WHY = ""
except NoBox as error:
    WHY = f"no sandbox here: {error}"

needs_box = pytest.mark.skipif(bool(WHY), reason=WHY)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that every user can access, unlike pytest's folders."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o711)
        yield Path(name)


@pytest.fixture
def tiny(tmp_path: Path) -> tuple[Path, Room]:
    """Create a project of one room. Its test calls both functions, and checks the result of one."""
    root = tmp_path / "project"
    for name, text in {
        "tiny/sums.py": "def twice(n):\n    return n + n\n\n\ndef half(n):\n    return n // 2\n",
        "tiny/waits.py": (
            "import time\n\n\ndef wait(n):\n    while n > 0:\n        n -= 1\n        time.sleep(0.01)\n    return n\n"
        ),
        "tests/tiny/test_sums.py": "from tiny.sums import half, twice\n\n\ndef test_sums():\n    half(4)\n"
        "    assert twice(3) == 6\n",
        "tests/tiny/test_waits.py": "import subprocess\n\nfrom tiny.waits import wait\n\n\ndef test_wait():\n"
        "    subprocess.Popen(['sleep', '543'], start_new_session=True)\n    assert wait(1) == 0\n",
        "tests/tiny/test_red.py": "def test_red():\n    assert False\n",
        "pytest.ini": "[pytest]\npythonpath = .\naddopts = --import-mode=importlib\nmarkers =\n    long\n    system\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root, Room("tiny", ("tiny/*.py",), ("tests/tiny",))


def campaign(tiny: tuple[Path, Room], folder: Path, after: tuple[str, ...]) -> Campaign:
    """Return a campaign that tries the mutants with given texts."""
    root, room = tiny
    found = [(room, mutant) for mutant in mutants_of(root / "tiny/sums.py", root) if mutant.after in after]
    assert len(found) == len(after)
    take_snapshot(root, folder / "snapshot")
    return Campaign(folder / "snapshot", folder, root / "build" / "1.jsonl", found)


def copy_of(root: Path, folder: Path) -> Copy:
    take_snapshot(root, folder / "snapshot")
    return Copy(folder / "snapshot", folder)


def statuses(campaign: Campaign) -> dict[str, tuple[str, str]]:
    campaign.run(1)
    return {key.split("\t")[2]: (result["status"], result["by"]) for key, result in campaign.results.items()}


@needs_box
@pytest.mark.system
@pytest.mark.long
def test_a_mutant_is_killed_and_another_survives(
    tiny: tuple[Path, Room], shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tiny[0]
    before = {file: file.read_bytes() for file in root.rglob("*.py")}
    after = ("return n - n", "return n * 2")
    first = campaign(tiny, shared / "1", after)
    found = statuses(first)
    assert found == {"return n - n": (KILLED, "tests/tiny/test_sums.py::test_sums"), "return n * 2": (SURVIVED, "")}
    assert "fails without a mutant, and is omitted: tests/tiny/test_red.py::test_red" in capsys.readouterr().out
    assert {file: file.read_bytes() for file in root.rglob("*.py")} == before

    # Another run has no mutant to try, and makes no copy.
    again = campaign(tiny, shared / "2", after)
    assert statuses(again) == found
    assert [each.name for each in (shared / "2").iterdir()] == ["snapshot"]
    assert summary(again.planted, again.results) == 1
    assert "survived: tiny/sums.py:6  return n // 2  ->  return n * 2" in capsys.readouterr().out

    # After a new test, the surviving mutant is tried again, and the killed one is not.
    (root / "tests/tiny/test_half.py").write_text(
        "from tiny.sums import half\n\n\ndef test_half():\n    assert half(4) == 2\n"
    )
    killed = campaign(tiny, shared / "3", after)
    assert statuses(killed) == {**found, "return n * 2": (KILLED, "tests/tiny/test_half.py::test_half")}
    assert len((root / "build" / "1.jsonl").read_text().splitlines()) == 3
    assert summary(killed.planted, killed.results) == 0


@needs_box
def test_what_hangs_is_stopped_with_all_that_it_started(tiny: tuple[Path, Room], shared: Path) -> None:
    root, room = tiny
    copy = copy_of(root, shared / "copy")
    [mutant] = [each for each in mutants_of(root / "tiny/waits.py", root) if each.after == "n += 1"]
    outcome = copy.try_out(mutant, room, Baseline(0.4, {}, 0, ()))
    assert (outcome.status, outcome.by) == (TIMEOUT, "tests/tiny/test_waits.py")
    assert not [each for each in psutil.process_iter(["cmdline"]) if each.info["cmdline"] == ["sleep", "543"]]
    assert (copy.root / "tiny/waits.py").read_bytes() == (root / "tiny/waits.py").read_bytes()


def test_a_judged_mutant_counts_while_its_line_stays(tiny: tuple[Path, Room], tmp_path: Path) -> None:
    root = tiny[0]
    file = root / FILE
    file.parent.mkdir(parents=True)
    file.write_text("tiny/sums.py\n- return n // 2\n+ return n * 2\nIt serves\nas an example.\n", "utf-8")
    judged = campaign(tiny, tmp_path / "1", ("return n * 2",))
    assert statuses(judged) == {"return n * 2": (EQUIVALENT, "It serves as an example.")}
    assert summary(judged.planted, judged.results) == 0
    sums = root / "tiny/sums.py"
    sums.write_text(sums.read_text("utf-8").replace("n // 2", "n // 4"), "utf-8")
    assert not {mutant.key for mutant in mutants_of(sums, root)} & read_equivalent(root).keys()


def test_every_judged_mutant_exists() -> None:
    for key in read_equivalent(ROOT):
        assert key in {mutant.key for mutant in mutants_of(ROOT / key.split("\t")[0], ROOT)}, f"{FILE}: no such mutant"


def test_the_nearest_tests_come_first() -> None:
    assert stages("arena/exam/marking.py", ROOMS["arena"], ROOT) == [
        ["tests/arena/exam/test_marking.py"],
        ["tests/arena/exam", "--ignore=tests/arena/exam/test_marking.py"],
        ["tests/arena", "little_go/arena", "--ignore=tests/arena/exam/test_marking.py", "--ignore=tests/arena/exam"],
    ]
    assert stages("explorer/page/rules.js", ROOMS["page"], ROOT) == [list(ROOMS["page"].tests)]


def test_what_is_built_of_a_source() -> None:
    assert builds("player/main.py", ROOT) == [["-m", "player", "build"]]
    assert builds("player/build.py", ROOT) == []
    assert builds("notation/texts.py", ROOT) == [["-m", "tools.reading_js"], ["-m", "explorer", "build"]]
    assert builds("explorer/packing.py", ROOT) == [["-m", "explorer", "build"]]
    assert builds("explorer/page/rules.js", ROOT) == [["-m", "explorer", "build"]]
    assert builds("solver/native/kernel.c", ROOT) == [["setup.py", "-q", "build_ext", "--inplace"]]


def test_every_c_source_belongs_to_a_module() -> None:
    found = {file.name: extension_of(file.as_posix()) for file in ROOMS["native"].files(ROOT)}
    assert found["kernel_order.h"] == "kernel"
    modules = {file.stem for file in (ROOT / "solver" / "native").glob("*.pyx")}
    assert set(found.values()) <= modules


@needs_box
def test_a_copy_imports_itself(tiny: tuple[Path, Room], shared: Path) -> None:
    copy = copy_of(tiny[0], shared / "copy")
    python = copy.root / ".venv" / "bin" / "python"
    shown = "import tiny.sums, importlib.util, pytest; print(tiny.sums.__file__, importlib.util.find_spec('little_go'))"
    done = subprocess.run([python, "-c", shown], cwd="/", env={"PATH": os.defpath}, capture_output=True, text=True)
    assert done.stdout.split() == [str(copy.root / "tiny/sums.py"), "None"], done.stderr


def test_every_room_has_its_tests() -> None:
    for room in ROOMS.values():
        assert room.files(ROOT), room.name
        assert all((ROOT / name).exists() for name in room.tests), room.name
    with_page = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.glob("tests/notation/test_*.py")
        if re.search(r"\b(page_modules|READERS)\b", path.read_text("utf-8"))
    ]
    assert set(with_page) <= set(ROOMS["page"].tests)


#: A program that tries to kill all processes and to delete given files, if it is in a box.
RAGE = """
import os, shutil, signal, sys
if os.getpid() > 9:
    sys.exit("no box")
bystanders, files = [eval(word) for word in sys.argv[1:]]
for pid in (-1, *bystanders):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError as error:
        print("kill", error.strerror, file=sys.stderr)
for pid in bystanders:
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
for path in files:
    for remove in (lambda path: open(path, "w"), os.unlink, os.rmdir, shutil.rmtree):
        try:
            remove(path)
        except OSError:
            pass
print("done", os.geteuid(), [name for name in os.listdir("/proc") if name.isdigit()])
"""


@needs_box
def test_what_runs_in_a_box_kills_and_deletes_nothing_outside(shared: Path) -> None:
    """There are 20 processes and 20 files, half of them of the box's user, and the project's files."""
    user = 65534 if os.geteuid() == 0 else None
    folder = shared / "box"
    folder.mkdir()
    (ROOT / "build").mkdir(exist_ok=True)
    with ExitStack() as stack:
        # One of the folders is empty in the box, and the other is visible.
        others = [Path(stack.enter_context(tempfile.TemporaryDirectory(dir=place))) for place in (None, ROOT / "build")]
        files = [others[number // 10] / str(number) for number in range(20)]
        bystanders = []
        for place in others:
            place.chmod(0o777)
        for number, file in enumerate(files):
            file.write_text("mine")
            file.chmod(0o666)
            owner = user if number % 2 else None
            if owner is not None:
                os.chown(file, owner, owner)
            bystanders.append(subprocess.Popen(["sleep", "600"], user=owner, start_new_session=True))
            stack.callback(bystanders[-1].wait)
            stack.callback(bystanders[-1].kill)
        targets = [str(place) for place in (*files, *others)]
        pids = [process.pid for process in bystanders]
        with tempfile.TemporaryFile() as output:
            code = Box(folder).run([sys.executable, "-c", RAGE, repr(pids), repr(targets)], folder, {}, output, 100)
            output.seek(0)
            said = output.read().decode()
        assert code == 0, said
        assert said.count("kill No such process") == 21, "the first attempt is of all processes: there is none"
        assert f"done {os.geteuid() or user} ['1', '2']" in said
        assert [process.poll() for process in bystanders] == [None] * 20
        assert [file.read_text() for file in files] == ["mine"] * 20


@needs_box
def test_a_link_in_place_of_a_folder_costs_no_file_elsewhere(tiny: tuple[Path, Room], shared: Path) -> None:
    root = tiny[0]
    copy = copy_of(root, shared / "copy")
    elsewhere = shared / "elsewhere"
    elsewhere.mkdir()
    for name in ("sums.py", "waits.py"):
        (elsewhere / name).write_text("mine")
    (copy.root / "tiny").rename(copy.root / "moved")
    (copy.root / "tiny").symlink_to(elsewhere)
    copy._repair()
    assert {file.read_text() for file in elsewhere.iterdir()} == {"mine"}
    assert (copy.root / "tiny/sums.py").read_bytes() == (root / "tiny/sums.py").read_bytes()


def test_without_a_box_no_mutant_is_tried(
    tiny: tuple[Path, Room], shared: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoBox, match="bubblewrap is not installed"):
        Box(shared).check()
