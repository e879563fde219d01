"""Below the commands, no parameter defaults to the course's game; functions receive their game."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from little_go.__main__ import PACKAGES
from tests.test_layout import MAKERS

ROOT = Path(__file__).parents[1]

#: The names of the course's game, its length and its komi.
_COURSES = {"COURSE", "KOMI", "GAME_PLIES", "BLACK_WINS"}

#: The functions that return the course's game if they are called without arguments.
_MAKERS_OF_GAMES = {"Variant"}


def is_courses(default: ast.expr | None) -> bool:
    """Return whether an expression contains the course's game."""
    return default is not None and any(
        (isinstance(node, ast.Name) and node.id in _COURSES)
        or (isinstance(node, ast.Attribute) and node.attr in _COURSES)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MAKERS_OF_GAMES)
        for node in ast.walk(default)
    )


def defaults(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the parameters of functions, and the fields of classes, that default to the course's game."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            given = node.args
            named = [*given.posonlyargs, *given.args]
            pairs: list[tuple[ast.arg, ast.expr | None]] = [
                *zip(named[len(named) - len(given.defaults) :], given.defaults, strict=True)
            ]
            pairs += [each for each in zip(given.kwonlyargs, given.kw_defaults, strict=True) if each[1]]
            yield from ((name.lineno, name.arg) for name, default in pairs if is_courses(default))
        elif isinstance(node, ast.ClassDef):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_courses(field.value):
                    yield field.lineno, f"{node.name}.{field.target.id}"


def below_commands() -> list[Path]:
    """Return the modules of all packages, except the commands."""
    rooms = ["notation", *PACKAGES, *MAKERS]
    modules = [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]
    return [path for path in modules if path.name != "__main__.py" and "commands" not in path.parts]


def test_no_parameter_below_the_commands_has_the_course_s_game_for_a_default() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in below_commands()
        for line, name in defaults(ast.parse(path.read_text("utf-8")))
    ]
    assert not found, "\n".join(found)


def judged_by_the_course_s_komi(tree: ast.Module) -> Iterator[int]:
    """Yield the lines within functions that use the course's komi instead of a game's komi."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from (node.lineno for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == "KOMI")


def test_no_function_judges_by_the_course_s_komi() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in below_commands()
        for line in judged_by_the_course_s_komi(ast.parse(path.read_text("utf-8")))
    ]
    assert not found, "\n".join(found)
    assert [*judged_by_the_course_s_komi(ast.parse("def f(margin):\n    return margin > KOMI"))] == [2]


@pytest.mark.parametrize(
    "source",
    [
        "def f(a, game=COURSE): ...",
        "def f(*, komi: float = COURSE.komi): ...",
        "class A:\n    game: Variant = COURSE",
        "class A(NamedTuple):\n    plies: int = solver.position.GAME_PLIES",
        "f = lambda game=Variant(): 1",
        "async def f(least: int | None = KOMI + 1, /): ...",
    ],
)
def test_a_default_is_found_in_every_form(source: str) -> None:
    assert len([*defaults(ast.parse(source))]) == 1


def test_what_is_no_default_is_not_found() -> None:
    source = "GAME = COURSE\ndef f(game, other=None):\n    return f(COURSE)\nclass A:\n    game: Variant"
    assert not [*defaults(ast.parse(source))]
