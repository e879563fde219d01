"""Build ``explorer.html``, one file that makes no request, from the page's sources and the project's results."""

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path

from little_go.book.exchange.claims import CertificateError
from little_go.book.files.atlas import AtlasError
from little_go.book.files.puzzles import PuzzlesError, read_puzzles
from little_go.book.files.reader import BookError, read_book
from little_go.book.files.shipped import certificates
from little_go.explorer.packing import (
    certified,
    pack_atlas,
    pack_book,
    pack_lines,
    pack_no_atlas,
    pack_proved,
    pack_puzzles,
    pack_traps,
    trap_replies,
)
from little_go.explorer.packs import pack, pack_level
from little_go.generator.opponents.features import FEATURE_NAMES
from little_go.generator.opponents.models import OpponentsError, open_opponents
from little_go.runtime.files import MIB, read_file, read_text, sha256_of, write_whole
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import LEAST_MIB, open_table

#: The maximum size, in bytes, of a file from which the page is built.
_MOST = 64 * MIB

SOURCES = "explorer/page"
MODULE = "explorer/kernel.wasm"

#: The compiled kernel for workers that share one memory.
SHARED_MODULE = "explorer/kernel-shared.wasm"
STAMP = "explorer/kernel.json"

_ROOT = Path(__file__).resolve().parents[1]
_PATTERNS = ("wasm.c", "kernel.c", "kernel*.h", "explain.[ch]", "sentences.h")

#: The files from which the kernel is compiled, as paths under the root.
KERNEL_SOURCES = (
    *(f"solver/native/{file.name}" for each in _PATTERNS for file in sorted((_ROOT / "solver" / "native").glob(each))),
    "requirements/wasm.txt",
)

#: The certificates. The checker has verified every certificate completely (docs/explanation/SOLUTION.md).
CERTIFICATES = tuple(f"proof/certificates/{path.name}" for path in certificates())

BOOK = "book.json"

#: The file with the values of ply 6.
SIXTH = "data/ply6/001.part"

#: The data files of the page, and the Python files that build the page.
DATA = (BOOK, "data/atlas.values", SIXTH, "data/puzzles.csv", "generator/opponents/models.json", *CERTIFICATES)
MAKERS = (
    "explorer/build.py",
    "explorer/packing.py",
    "explorer/packs.py",
    "book/files/shipped.py",
    "book/files/puzzles.py",
)

#: The entry modules of the two scripts, one for the page and one for its workers.
ENTRIES = {"PAGE": "main.js", "WORKER": "worker.js"}

#: The module with the length and komi of the game, which the build writes.
GAME = "game.js"

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)
_DEFINES = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) +(\w+)", re.MULTILINE)
#: A pattern of comments, blank lines and indentation. All of these can also be removed from string literals of several
#: lines, because such literals are lists of words.
_COMMENTS = re.compile(r"^ *//.*\n|^ */[*].*[*]/\n|^\n|^ +", re.MULTILINE)
#: A pattern of the blanks that a style sheet does not need.
_AROUND = re.compile(r"\s*([{};,])\s*")
#: A pattern of punctuation with the blanks around it. A line of a script does not need these blanks, unless it contains
#: a string literal, a regular expression or a comment.
_BETWEEN = re.compile(r" *([{}()\[\];,:?=<>*%&|!]) *")
_TEXTS = re.compile(r"[\"'`/\\]")
_MODULE_WORDS = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class PageError(ValueError):
    """Raised if no page can be built from the sources. The message is one line that names the file and the reason."""


def build_page(root: Path, game: Variant, book: Path | None = None) -> str:
    """Return the text of a game's page, built from the files under ``root``.

    Raise PageError or OSError if the page cannot be built.

    This function is the only place where the game's length and komi enter the page. Only the course's game has traps,
    puzzles and lessons. Values do not depend on the komi, so each game of 24 plies has the atlas, lines of best play
    and certificates. A shorter game has only its book.

    book: the file of the game's book; None for the book under ``root``.
    """
    check_module(root)
    given = {GAME: game_module(game)}
    scripts = {name: bundle(root / SOURCES, entry, given) for name, entry in ENTRIES.items()}
    style = _AROUND.sub(r"\1", _COMMENTS.sub("", read_text(root / SOURCES / "style.css", _MOST)))
    parts = {
        "STYLE": style,
        **scripts,
        "KERNEL": pack(read_file(root / MODULE, _MOST)),
        "SHARED_KERNEL": pack(read_file(root / SHARED_MODULE, _MOST)),
        **_packs(root, game, root / BOOK if book is None else book),
        "PLIES": str(game.plies),
        "KOMI": f"{game.komi:g}",
        "STONES_AHEAD": str(game.least),
        "ABOUT": "solved" if game == COURSE else str(game),
        "SOURCES": fingerprint(root),
        "STYLE_HASH": _csp_hash(style),
        "PAGE_HASH": _csp_hash(scripts["PAGE"]),
    }
    text = _COMMENTS.sub("", read_text(root / SOURCES / "explorer.html", _MOST))
    found = set(re.findall(r"\{\{(\w+)\}\}", text))
    if found != set(parts):
        raise PageError(f"explorer.html and the build differ in {', '.join(sorted(found ^ set(parts)))}")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], text)


def fingerprint(root: Path) -> str:
    """Return the SHA-256 of the names and bytes of all files of the page."""
    digest = hashlib.sha256()
    sources = (file for file in (root / SOURCES).iterdir() if file.suffix in (".js", ".css", ".html"))
    for name in sorted([*DATA, *MAKERS, MODULE, SHARED_MODULE, *(f"{SOURCES}/{file.name}" for file in sources)]):
        content = read_file(root / name, _MOST)
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def take_modules(root: Path, module: Path, shared: Path) -> None:
    """Copy the compiled kernels to the page's folder, and store the hashes of the kernels and of their sources."""
    contents = {MODULE: read_file(module, _MOST), SHARED_MODULE: read_file(shared, _MOST)}
    digests = [hashlib.sha256(content).hexdigest() for content in contents.values()]
    stamp = {"module": digests[0], "shared": digests[1], "sources": _kernel_sources(root)}
    for name, content in contents.items():
        write_whole(root / name, content)
    write_whole(root / STAMP, json.dumps(stamp, indent=1) + "\n")


def check_module(root: Path) -> None:
    """Raise PageError if the kernels were not compiled from the present sources."""
    stamp = json.loads(read_text(root / STAMP, _MOST))
    if stamp["sources"] != _kernel_sources(root):
        raise PageError(f"{MODULE} is older than the kernel: run `make explorer`, which compiles it")
    for name, digest in ((MODULE, stamp["module"]), (SHARED_MODULE, stamp["shared"])):
        if digest != sha256_of(root / name, _MOST):
            raise PageError(f"{name} is not the one that {STAMP} names: run `make explorer`")


def bundle(folder: Path, entry: str, given: Mapping[str, str] | None = None) -> str:
    """Return one script with a module and all modules that it imports. Raise PageError if the modules cannot be joined.

    In the script, each module follows the modules that it imports. Top-level names must differ between modules, and
    imports must have the form ``import { a, b } from "./module.js";``. The script contains no comments, no empty lines,
    no indentation and no blanks that it does not need.

    given: by module name, the text to use instead of the module's file.
    """
    defined: dict[str, str] = {}
    parts = []
    for name, text in _in_order(folder, entry, {}, [], given or {}):
        for defines in _DEFINES.findall(text):
            if defines in defined:
                raise PageError(f"{defined[defines]} and {name} both define {defines}")
            defined[defines] = name
        body = _COMMENTS.sub("", _EXPORT.sub("", _IMPORT.sub("", text)))
        if wrong := _MODULE_WORDS.search(body):
            raise PageError(f'{name}: want import {{ a, b }} from "./module.js"; and export in place, not {wrong[0]!r}')
        parts.append(f"// {name}\n{body}")
    script = '"use strict";\n' + _tight("".join(parts))
    if "</script" in script.lower() or "<!--" in script:
        raise PageError(f"{entry}: </script and <!-- would end the script in the page")
    return script


def _tight(script: str) -> str:
    """Return a script without blanks around punctuation. Lines with parts of string literals stay unchanged."""
    lines, is_text = [], False
    for line in script.split("\n"):
        lines.append(line if is_text or _TEXTS.search(line) else _BETWEEN.sub(r"\1", line))
        is_text ^= line.count("`") % 2 == 1
    return "\n".join(lines)


def _in_order(
    folder: Path, name: str, done: dict[str, str], trail: list[str], given: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of a module and its imports, in the order in which the script needs them."""
    if name in trail:
        raise PageError(f"{' -> '.join([*trail, name])}: the modules import each other")
    if name in done:
        return
    text = given[name] if name in given else read_text(folder / name, _MOST)
    for names, needed in _IMPORT.findall(text):
        yield from _in_order(folder, needed, done, [*trail, name], given)
        exported = set(
            re.findall(r"^export (?:async )?(?:function\*?|class|const|let) +(\w+)", done[needed], re.MULTILINE)
        )
        wanted = set(names.replace(",", " ").split())
        if missing := wanted - exported:
            raise PageError(f"{name}: {needed} does not export {', '.join(sorted(missing))}")
    done[name] = text
    yield name, text


def game_module(game: Variant) -> str:
    """Return the text of the module with the length and komi of the game."""
    lessons = "true" if game == COURSE else "false"
    return (
        f"export const GAME_PLIES = {game.plies};\nexport const KOMI = {game.komi:g};\n"
        f"export const HAS_LESSONS = {lessons};\n"
    )


def _packs(root: Path, game: Variant, path: Path) -> dict[str, str]:
    try:
        book = read_book(str(path), game)
        opponents = open_opponents(root / "generator/opponents/models.json")
        models = {"features": FEATURE_NAMES, "weights": opponents.weights}
        shared = {"BOOK": pack_book(book), "MODELS": json.dumps(models, separators=(",", ":"))}
        lessons = {"TRAPS": pack_traps([]), "PUZZLES": pack_puzzles([])}
        if game == COURSE:
            replies = trap_replies(book, Kernel(open_table(LEAST_MIB)), opponents)
            puzzles = read_puzzles(root / "data/puzzles.csv")
            lessons = {"TRAPS": pack_traps(replies), "PUZZLES": pack_puzzles(puzzles)}
        values = {"ATLAS": pack_no_atlas(), "PLY6": "", "LINES": "[]", "PROVED": pack_proved([])}
        if game.plies == COURSE.plies:
            values = {
                "ATLAS": pack_atlas(root / "data/atlas.values"),
                "PLY6": pack_level((root / SIXTH).parent),
                "LINES": pack_lines(),
                "PROVED": pack_proved(certified(root / name for name in CERTIFICATES)),
            }
        return {**shared, **values, **lessons}
    except (BookError, AtlasError, OpponentsError, CertificateError, PuzzlesError) as error:
        raise PageError(str(error)) from None


def _kernel_sources(root: Path) -> str:
    digest = hashlib.sha256()
    for name in KERNEL_SOURCES:
        digest.update(read_file(root / name, _MOST))
    return digest.hexdigest()


def _csp_hash(text: str) -> str:
    """Return the hash of an inline element, for the content security policy that allows the element."""
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
