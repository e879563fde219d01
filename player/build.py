"""Build ``my_player3.py``, the single file that a student uploads, from the modules of the player."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from little_go.runtime.files import MIB, read_text
from little_go.solver.family import COURSE, Variant

ENTRY = "player.main"

#: The line of the module ENTRY that sets the game.
_COURSE_LINE = "GAME = COURSE"
SCRIPT = "my_player3.py"

_HEADER = '''#!/usr/bin/env python3
"""Little-Go: a player for the course's host. Python 3.7 or newer, standard library only.

Reads input.txt, writes output.txt, keeps little_go_memory.json, and uses book.json if there is one.
Game: {game}

Built by `python -m player build`; change the sources instead:
{sources}
"""
import sys

# Python first looks for modules in the script's directory, which may contain any file, such as a json.py. Remove this
# directory from the path. With -I or -P, Python does not add the directory.
if __name__ == "__main__" and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    sys.path[:] = [place for place in sys.path if place not in ("", sys.path[0])]

'''


#: The beginning of the script, which is the same in every version, and a pattern for the line that contains the game.
SCRIPT_HEAD = _HEADER.partition("{")[0].partition("\n\n")[0].encode()
_GAME_LINE = re.compile(rb"^Game: (\d{1,2}) plies, komi (-?\d{1,2}\.5)$", re.MULTILINE)

#: The number of bytes at the beginning of a script within which the line with the game must be.
_HEAD_BYTES = 1000


class BuildError(ValueError):
    """Raised if modules cannot be combined into one file. The message contains the modules and the reason."""


class Module(NamedTuple):
    """The parts of a source module.

    - ``needs``: the project's modules that the module imports.
    - ``imports``: the modules x of all statements ``import x`` in the module.
    - ``names``: the pairs (x, y) of all statements ``from x import y`` for the standard library.
    - ``body``: the source code without the docstring and the imports.
    - ``defines``: the names that are defined at the top level of the module.
    """

    name: str
    needs: list[str]
    imports: set[str]
    names: set[tuple[str, str]]
    body: str
    defines: set[str]


def build_script(root: Path, game: Variant) -> str:
    """Return the text of a game's script, built from the sources under ``root``.

    Raise BuildError if the modules cannot be combined into one file.
    """
    modules = list(_in_order(root, ENTRY, {}, []))
    _check_names(modules)
    sources = "\n".join(f"    {module.name.replace('.', '/')}.py" for module in modules)
    imports = sorted({f"import {name}" for module in modules for name in module.imports - {"sys"}})
    wanted: dict[str, set[str]] = {}
    for source, name in {pair for module in modules for pair in module.names}:
        wanted.setdefault(source, set()).add(name)
    imports += [f"from {source} import {', '.join(sorted(wanted[source]))}" for source in sorted(wanted)]
    parts = [_HEADER.format(sources=sources, game=game), "\n".join(imports) + "\n"]
    if game != COURSE:
        modules[-1] = _with_game(modules[-1], game)
    parts += [f"\n\n# --- {module.name.replace('.', '/')}.py ---\n\n{module.body}\n" for module in modules]
    script = "".join(parts)
    try:
        compile(script, SCRIPT, "exec")
    except SyntaxError as error:
        raise BuildError(f"the modules cannot be one file: {error}") from None
    return script


def named_game(script: bytes) -> Variant | None:
    """Return the game in the header of a built script, or None if the file has no such header."""
    named = _GAME_LINE.search(script[:_HEAD_BYTES]) if script.startswith(SCRIPT_HEAD) else None
    return None if named is None else Variant(int(named[1]), float(named[2]))


def _with_game(entry: Module, game: Variant) -> Module:
    """Return the module ENTRY with another game in place of the course's game."""
    if entry.body.count(_COURSE_LINE) != 1:
        raise BuildError(f"{entry.name} has no line {_COURSE_LINE}")
    return entry._replace(body=entry.body.replace(_COURSE_LINE, f"GAME = Variant({game.plies}, {game.komi})"))


def _in_order(root: Path, name: str, done: dict[str, None], trail: list[str]) -> Iterator[Module]:
    if name in trail:
        raise BuildError(f"{' -> '.join([*trail, name])}: the modules import each other")
    if name in done:
        return
    module = _take_apart(root, name)
    for need in module.needs:
        yield from _in_order(root, need, done, [*trail, name])
    done[name] = None
    yield module


def _take_apart(root: Path, name: str) -> Module:
    path = root.joinpath(*name.split(".")).with_suffix(".py")
    try:
        source = read_text(path, 16 * MIB)
        tree = ast.parse(source)
    except (OSError, SyntaxError) as error:
        raise BuildError(f"{path.relative_to(root)}: {error}") from None
    module = Module(name, [], set(), set(), "", set())
    dropped: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            _note_import(module, node)
            dropped.append(node)
        elif node is tree.body[0] and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            dropped.append(node)
        else:
            module.defines.update(_defined(node))
    for inner in (inner for node in tree.body if node not in dropped for inner in ast.walk(node)):
        if isinstance(inner, ast.Import | ast.ImportFrom):
            raise BuildError(f"{name}, line {inner.lineno}: an import inside a function: move it to the top level")
    return module._replace(needs=sorted(set(module.needs)), body=_without(source, dropped))


def _note_import(module: Module, node: ast.Import | ast.ImportFrom) -> None:
    where = f"{module.name}, line {node.lineno}"
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname or _is_ours(alias.name):
                raise BuildError(f"{where}: an import of a module as a whole: write 'from {alias.name} import ...'")
            module.imports.add(alias.name)
        return
    source = node.module or ""
    if node.level or any(alias.asname or alias.name == "*" for alias in node.names):
        raise BuildError(f"{where}: a relative import, or one with 'as' or '*': import names by absolute imports")
    if _is_ours(source):
        module.needs.append(source.removeprefix("little_go."))
    else:
        module.names.update((source, alias.name) for alias in node.names)


def _is_ours(module: str) -> bool:
    """Return whether a module belongs to the project, which is true if it is not in the standard library."""
    return module.partition(".")[0] not in sys.stdlib_module_names


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield the names that a top-level statement binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id
    elif not isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda):
        # Names that comprehensions and lambdas bind are local to the comprehension or the lambda.
        for part in ast.iter_child_nodes(node):
            yield from _defined(part)


def _without(source: str, dropped: list[ast.stmt]) -> str:
    lines = source.splitlines()
    for node in reversed(dropped):
        del lines[node.lineno - 1 : node.end_lineno]
    return "\n".join(lines).strip("\n")


def _check_names(modules: list[Module]) -> None:
    """Raise BuildError if two modules define the same name, or if a module defines a name that another one imports."""
    owners: dict[str, str] = {}
    for module in modules:
        for name in sorted(module.defines):
            if name in owners:
                raise BuildError(f"{owners[name]} and {module.name} both define {name}")
            owners[name] = module.name
    imported = {name for module in modules for name in module.imports}
    imported_from: dict[str, str] = {}
    for source, name in sorted(pair for module in modules for pair in module.names):
        if name in owners or name in imported or imported_from.setdefault(name, source) != source:
            raise BuildError(f"{name} of {source} is also the name of something else")
    for name in sorted(imported & owners.keys()):
        raise BuildError(f"{owners[name]} defines {name}, which is also an imported module")
