"""The committed page is up to date and makes no request, and the builder refuses wrong sources."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import webbrowser
import zlib
from base64 import b64decode, b64encode
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from little_go.book.exchange.claims import CertificateError
from little_go.book.files.puzzles import PUZZLES, read_puzzles
from little_go.book.files.reader import BOOK_LOSS, read_book
from little_go.book.files.values import VALUES_FORMAT, read_values
from little_go.book.files.writer import write_book
from little_go.explorer import __main__ as command
from little_go.explorer.__main__ import PAGE, built_from, main
from little_go.explorer.build import (
    CERTIFICATES,
    DATA,
    ENTRIES,
    KERNEL_SOURCES,
    MAKERS,
    MODULE,
    SHARED_MODULE,
    SOURCES,
    STAMP,
    PageError,
    build_page,
    bundle,
    check_module,
    fingerprint,
    take_modules,
)
from little_go.explorer.packing import certified, pack_no_atlas, pack_proved
from little_go.explorer.packs import pack_level
from little_go.notation.sgf import RULES
from little_go.solver.answer import Bounds
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import GAME_PLIES, KOMI, START, Position
from little_go.solver.symmetry import canonical_key, key_of
from tools.browsing import ROOT


def test_the_page_is_fresh() -> None:
    check_module(ROOT)
    message = "run 'python -m explorer build' (`make explorer` when the kernel changed) and commit the result"
    assert built_from((ROOT / PAGE).read_text("utf-8")) == fingerprint(ROOT), message


def test_the_page_holds_what_the_project_knows() -> None:
    text = (ROOT / PAGE).read_text("utf-8")
    assert zlib.decompress(b64decode(embedded(text, "kernel"))) == (ROOT / MODULE).read_bytes()
    assert b64decode(embedded(text, "atlas")) == (ROOT / "data" / "atlas.values").read_bytes()
    book = sorted(key_of(position) for position, _ in read_book(str(ROOT / "book.json"), game=COURSE).items())
    assert keys_of(embedded(text, "book"), 10) == book
    lost = {
        key_of(position)
        for position, entry in read_book(str(ROOT / "book.json"), game=COURSE).items()
        if entry.verdict == BOOK_LOSS
    }
    assert {*keys_of(embedded(text, "traps"), 19)} == lost
    puzzles = json.loads(zlib.decompress(b64decode(embedded(text, "puzzles"))))
    assert [puzzle["answers"] for puzzle in puzzles] == [[*puzzle.answers] for puzzle in read_puzzles(PUZZLES)]


def embedded(page: str, name: str) -> str:
    match = re.search(rf'<script type="application/octet-stream" id="{name}">([^<]*)</script>', page)
    assert match
    return match[1]


def keys_of(pack: str, width: int) -> list[int]:
    """Return the keys of a pack whose rows have ``width`` bytes."""
    content = zlib.decompress(b64decode(pack))
    rows = len(content) // width
    return [int.from_bytes(content[row : 8 * rows : rows], "little") for row in range(rows)]


def test_the_page_forbids_itself_requests() -> None:
    text = (ROOT / PAGE).read_text("utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    assert policy[1].startswith("default-src 'none'; ")
    # Only the page's own style and script are allowed.
    for name, element in (("style", "<style>"), ("script", '<script type="module">')):
        inline = text.split(element)[1].partition(f"</{name}>")[0]
        digest = b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy[1]
    assert "connect-src" not in policy[1]
    assert re.findall(r"https?://[^\s\"'<)]*", text.replace("http://www.w3.org/2000/svg", "")) == []
    assert re.findall(r'\b(?:src|href)="(?!#|data:)[^"]*"', text) == []


def bounds_of(proved: list[tuple[Position, Bounds]], position: Position) -> tuple[int, int]:
    key = canonical_key(position)
    known = [bounds for each, bounds in proved if canonical_key(each) == key]
    return max(lo for lo, _ in known), min(hi for _, hi in known)


def test_what_is_proved_of_the_first_moves() -> None:
    proved = list(certified(ROOT / name for name in CERTIFICATES))
    bounds = {move: bounds_of(proved, START.play(move)) for move in (0, 1, 2, 6, 7, 12)}
    assert bounds == {0: (-24, -3), 1: (-24, -2), 2: (-24, -3), 6: (-24, -2), 7: (0, 0), 12: (3, 3)}
    assert bounds_of(proved, START) == (3, 3)
    assert keys_of(pack_proved(proved), 10) == sorted({canonical_key(position) for position, *_ in proved})


def test_a_page_without_an_atlas_has_a_file_of_values_without_a_position(tmp_path: Path) -> None:
    (tmp_path / "none.values").write_bytes(b64decode(pack_no_atlas()))
    assert len(read_values(tmp_path / "none.values")) == 0


def write_certificate(path: Path, claim: str, start: str, leaf: int, lines: list[str]) -> None:
    """Write a file in the form of a certificate. Whether its lines are correct does not matter here."""
    body = "".join(f"{line}\n" for line in lines).encode()
    header = ["little-go certificate 2", "rules 5x5 stones-only komi 2.5 plies 24", f"claim {claim}", f"start {start}"]
    header += [f"leaf {leaf}", f"lines {len(lines)}", f"sha256 {hashlib.sha256(body).hexdigest()}"]
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in header).encode() + body))


def test_certificates_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.book.exchange.claims.CERTIFICATES", tmp_path)
    line = "24 ......................... - - 2,2"
    write_certificate(tmp_path / "a.cert.gz", "black >= 3", "empty", 15, [line])
    write_certificate(tmp_path / "b.cert.gz", "black <= 3", "2,2", 15, ["23 ............X............ - - 1,1"])
    files = sorted(tmp_path.iterdir())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (tmp_path / "SHA256SUMS").write_text("".join(sums))
    proved = list(certified(files))
    assert proved.count((START, Bounds(3, 24))) == 2
    assert proved.count((START.play(12), Bounds(3, 24))) == 1
    assert proved.count((START.play(12), Bounds(-24, 3))) == 2
    (tmp_path / "c.cert.gz").write_bytes(b"nothing")
    with pytest.raises(CertificateError):
        list(certified([tmp_path / "c.cert.gz"]))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of all files from which the page is built."""
    for name in (*DATA, *MAKERS, *KERNEL_SOURCES, MODULE, SHARED_MODULE, STAMP):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / SOURCES, tmp_path / SOURCES)
    return tmp_path


@pytest.mark.parametrize("name", [*DATA, *MAKERS, MODULE, SHARED_MODULE, f"{SOURCES}/main.js", f"{SOURCES}/style.css"])
def test_any_change_makes_the_page_stale(copy: Path, name: str) -> None:
    before = fingerprint(copy)
    assert before == fingerprint(ROOT)
    with (copy / name).open("ab") as file:
        file.write(b"\n")
    assert fingerprint(copy) != before


@pytest.mark.parametrize("name", DATA)
def test_a_damaged_file_of_data_is_named(copy: Path, name: str) -> None:
    (copy / name).write_bytes(b"damaged")
    with pytest.raises(PageError, match=re.escape(Path(name).name)):
        build_page(copy, game=COURSE)


@pytest.mark.parametrize(("old", "new"), [("{{STYLE}}", ""), ("{{STYLE}}", "{{STYLE}}{{STILE}}")])
def test_a_page_with_other_places_than_the_build_fills_is_refused(copy: Path, old: str, new: str) -> None:
    game = Variant(8, -1.5)
    write_book([], copy / "small.json", game)
    html = copy / SOURCES / "explorer.html"
    html.write_text(html.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(PageError, match=f"^explorer.html and the build differ in {'STILE' if new else 'STYLE'}$"):
        build_page(copy, game, copy / "small.json")


def included(file: Path) -> set[Path]:
    """Return a C file and all files that it includes, directly or indirectly."""
    found: set[Path] = set()
    open_ = [file]
    while open_:
        each = open_.pop()
        if each not in found:
            found.add(each)
            names = re.findall(r'^#include "([\w.]+)"', each.read_text("utf-8"), re.MULTILINE)
            open_ += [each.parent / name for name in names]
    return found


def test_the_kernels_sources_are_the_files_that_it_includes() -> None:
    native = ROOT / "solver" / "native"
    assert {ROOT / name for name in KERNEL_SOURCES if name.endswith((".c", ".h"))} == included(native / "wasm.c")
    # setup.py and tools/cross find these files by this pattern, and compute the digest that a table's file contains.
    assert {native / "kernel.c", *native.glob("kernel*.h")} == included(native / "kernel.c")


def test_a_kernel_of_other_sources_is_refused(copy: Path) -> None:
    check_module(copy)
    # The same kernels do not change the committed file.
    take_modules(copy, copy / MODULE, copy / SHARED_MODULE)
    assert (copy / STAMP).read_bytes() == (ROOT / STAMP).read_bytes()
    source = copy / "solver" / "native" / "kernel.c"
    source.write_text(source.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(PageError, match="older than the kernel: run `make explorer`"):
        build_page(copy, game=COURSE)
    take_modules(copy, copy / MODULE, copy / SHARED_MODULE)
    check_module(copy)
    (copy / MODULE).write_bytes(b"no kernel")
    with pytest.raises(PageError, match="is not the one"):
        check_module(copy)
    shutil.copy(ROOT / MODULE, copy / MODULE)
    (copy / SHARED_MODULE).write_bytes(b"no kernel")
    with pytest.raises(PageError, match=r"kernel-shared\.wasm is not the one"):
        check_module(copy)


@pytest.mark.parametrize(
    ("main_js", "other_js", "complaint"),
    [
        ('import { a } from "./other.js";\nconst a = 1;\n', "export const a = 2;\n", "both define a"),
        ('import { b } from "./other.js";\n', "export const a = 2;\n", "does not export b"),
        ('import * as b from "./other.js";\n', "", "want import"),
        ('import b from "./other.js";\n', "", "want import"),
        ("const a = 1;\nexport { a };\n", "", "want import"),
        (
            'import { b } from "./other.js";\n',
            'import { c } from "./main.js";\nexport const b = 1;\n',
            "import each other",
        ),
        ('const a = "</script>";\n', "", "would end the script"),
    ],
)
def test_the_bundler_refuses(tmp_path: Path, main_js: str, other_js: str, complaint: str) -> None:
    (tmp_path / "main.js").write_text(main_js)
    (tmp_path / "other.js").write_text(other_js)
    with pytest.raises(PageError, match=complaint):
        bundle(tmp_path, "main.js")


def test_a_text_of_several_lines_keeps_its_blanks(tmp_path: Path) -> None:
    text = "`one\na , b ( c )\nd = e`"
    (tmp_path / "main.js").write_text(f"const a = [ {text} , 1 ];\nconst b = 2;\n")
    script = bundle(tmp_path, "main.js")
    assert text in script
    assert script.endswith("const b=2;\n")


def test_modules_come_after_what_they_need(tmp_path: Path) -> None:
    (tmp_path / "main.js").write_text('import { b } from "./other.js";\nexport function a() {\n  return b;\n}\n')
    (tmp_path / "other.js").write_text("export const b = 1;\n")
    script = bundle(tmp_path, "main.js")
    assert script.index("const b=1;") < script.index("function a()")
    assert "import" not in script
    assert "export" not in script


#: Words, operators of several characters, and other characters.
_TOKENS = re.compile(
    r"\w+|=>|[=!]==?|(?:<<|>>>?|\*\*|&&|\|\||\?\?|[-+*/%&|^<>])=|<<|>>>?|\*\*|&&|\|\||\?[?.]|\+\+|--|\.\.\.|[^\w\s]"
)


@pytest.mark.parametrize("entry", ENTRIES.values())
def test_blanks_that_go_change_no_sign_and_no_text(entry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    short = bundle(ROOT / SOURCES, entry)
    monkeypatch.setattr("little_go.explorer.build._tight", lambda script: script)
    whole = bundle(ROOT / SOURCES, entry)
    assert 0.9 * len(whole) < len(short) < 0.96 * len(whole)
    is_text = False
    for one, other in zip(short.split("\n"), whole.split("\n"), strict=True):
        assert one == other or not is_text
        assert one == other or not {*other} & {*"'\"`/\\"}
        assert _TOKENS.findall(one) == _TOKENS.findall(other)
        is_text ^= other.count("`") % 2 == 1


def test_a_build_is_whole_and_another_is_the_same(tmp_path: Path) -> None:
    out = tmp_path / PAGE
    runner = CliRunner()
    stale = runner.invoke(main, ["build", "--check", "--out", str(out)])
    assert stale.exit_code == 1
    assert stale.stdout == ""
    assert "is out of date" in stale.stderr
    assert runner.invoke(main, ["build", "--out", str(out)]).exit_code == 0
    assert list(tmp_path.iterdir()) == [out]
    assert out.read_text("utf-8") == build_page(ROOT, game=COURSE)
    assert runner.invoke(main, ["build", "--check", "--out", str(out)]).exit_code == 0


@pytest.mark.parametrize(("option", "code"), [("--check", 1), ("", 2)])
def test_a_page_that_cannot_be_built_is_a_finding_of_a_check(
    copy: Path, monkeypatch: pytest.MonkeyPatch, option: str, code: int
) -> None:
    monkeypatch.setattr(command, "ROOT", copy)
    (copy / MODULE).write_bytes(b"no kernel")
    done = CliRunner().invoke(main, ["build", "--out", str(copy / PAGE), *filter(None, [option])])
    assert done.exit_code == code, done.output
    assert "is not the one" in done.stderr
    assert not (copy / PAGE).exists()


def test_a_page_that_is_not_there_is_not_opened(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["open", "--page", str(tmp_path / PAGE), "--no-browser"])
    assert done.exit_code == 2
    assert "make it with little-go explorer build --out" in done.output


@pytest.mark.parametrize("option", ["--browser", "--no-browser"])
def test_a_browser_opens_the_page_unless_it_is_not_wanted(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def serve(server: ThreadingHTTPServer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadingHTTPServer, "serve_forever", serve)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    done = CliRunner().invoke(main, ["open", option])
    assert done.exit_code == 0, done.output
    # The prompt of the shell is on a new line after ^C.
    address, end = done.stdout.split(" ", 1)
    assert end == "(Ctrl-C ends it)\n\n"
    assert opened == ([address] if option == "--browser" else [])


def test_the_page_is_served_and_nothing_else() -> None:
    command = [sys.executable, "-u", "-m", "little_go.explorer", "open", "--no-browser"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            address = server.stdout.readline().split()[0]
            with urlopen(address) as answer:
                assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
                assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"
                content = answer.read()
                assert answer.headers["Content-Length"] == str(len(content))
                served = content.decode()
            page = (ROOT / PAGE).read_text("utf-8")
            assert served == page.replace('id="ply7">', f'id="ply7">{pack_level(ROOT / "data/ply7")}') != page
            for other in ("README.md", "../README.md", "book.json", "tests/"):
                with pytest.raises(HTTPError, match="404") as refused:
                    urlopen(address.replace(PAGE, other)).close()
                refused.value.close()
        finally:
            server.terminate()


def test_what_the_page_repeats_is_what_python_says() -> None:
    pages = {
        name: (ROOT / "explorer" / "page" / name).read_text("utf-8")
        for name in ("facts.js", "formats.js", "rules.js", "game.js")
    }
    assert f"const VALUES_FORMAT = {VALUES_FORMAT};" in pages["facts.js"]
    assert f"RU[{RULES.replace(str(GAME_PLIES), '${PLIES}')}]" in pages["formats.js"]
    # game.js has the course's length and komi.
    assert f"export const GAME_PLIES = {GAME_PLIES};\nexport const KOMI = {KOMI};\n" in pages["game.js"]


def test_another_game_of_the_family_enters_at_one_place(tmp_path: Path) -> None:
    game = Variant(20, 4.5)
    write_book([], tmp_path / "book.json", game)
    course, other = build_page(ROOT, game=COURSE), build_page(ROOT, game, tmp_path / "book.json")
    assert "export" not in other.partition("// --- game.js ---")[2].partition("// ---")[0]
    differ = [line for one, line in zip(course.splitlines(), other.splitlines(), strict=True) if one != line]
    told = [line.strip() for line in differ if not re.search("Content-Security-Policy|<script type=", line)]
    assert told.pop(0).endswith("board, 20 plies, komi 4.5</p>")
    assert told[0].startswith("<li>A game has 20 plies,")
    assert "White gets 4.5 points more" in told[0]
    assert "Black needs 5 stones more. A game has 20 plies" in told[1]
    # These lines are in both scripts, the page's and the workers'.
    assert told[2:] == ["const GAME_PLIES=20;", "const KOMI=4.5;", "const HAS_LESSONS=false;"] * 2


def test_the_page_is_small() -> None:
    assert (ROOT / PAGE).stat().st_size <= 1_000_000


@pytest.mark.parametrize("words", [["build"], ["build", "--check"]])
def test_an_installed_page_is_not_built_but_opened(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "in_clone", lambda: False)
    out = tmp_path / "explorer.html"
    done = CliRunner().invoke(main, [*words, "--out", str(out)])
    assert done.exit_code == 2
    assert done.stderr.startswith(
        "Error: building needs a clone, which has the page's sources; open the installed page"
    )
    assert done.stderr.endswith("page with little-go open\n")
    assert not out.exists()
