"""The table of forms, and the page's reader that is made from it."""

import re
from typing import Any

import click
import pytest
from click.testing import CliRunner

from little_go.__main__ import group_of, main
from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.notation.ports import Ports, form_names, patterns, refusal, table
from little_go.notation.texts import form_of
from little_go.solver.family import COURSE
from little_go.solver.position import START, parse_moves, play_all
from tests.explorer.vectors import PageModules
from tests.notation.ways.outcomes import Answer, asked_of_page, asked_of_python
from tests.options import FROM_BOARD, FROM_GAME, FROM_INPUT, FROM_LINES
from tools.reading_js import ROOT, TARGET, TranslationError, module, translated


def test_the_pages_reader_is_made_of_the_present_one() -> None:
    assert (ROOT / TARGET).read_text("utf-8") == module()


#: Parts of regular expressions that Python and JavaScript read differently, or that need a flag.
_OUTSIDE = {
    "a class with an escape": r"\\[sdwbBSDWAZ]",
    "an anchor or a dot": r"(?<!\\)[\^$.]",
    "Python's alone": r"\(\?P|\(\?[aiLmsux]|\(\?>|[*+?}]\+",
    "JavaScript's alone": r"\\u\{|\\p\{|\\k<",
    "a repeat within a repeat": r"\([^()]*[*+][^()]*\)[*+]",
}


@pytest.mark.parametrize("name", patterns())
def test_forms_are_of_the_common_subset_and_linear(name: str) -> None:
    form = patterns()[name]
    plain = re.sub(r"<[A-Z]+>", "", re.sub(r"\[(?:\\.|[^\]\\])*\]", "[]", form))
    assert [what for what, pattern in _OUTSIDE.items() if re.search(pattern, plain)] == []
    classes = "".join(re.findall(r"\[(?:\\.|[^\]\\])*\]", form))
    assert re.search(r"\\[sdwbSDWB]", classes) is None
    # Texts are case-folded before they are matched.
    assert re.search(r"[A-Z]", re.sub(r"<[A-Z]+>|\\u[0-9a-f]{4}|\[eE\]", "", form)) is None


@pytest.mark.parametrize("form", table()["form"], ids=lambda form: form["name"])
def test_both_readers_read_each_example_of_a_form(form: dict[str, Any], page_modules: PageModules) -> None:
    by_python = [asked_of_python(text) for text in form["examples"]]
    assert [text for text, answer in zip(form["examples"], by_python, strict=True) if answer.position is None] == []
    assert [answer.said for answer in by_python if "not read" in answer.said] == []
    by_page = asked_of_page(page_modules, form["examples"])
    assert [answer.position for answer in by_page] == [answer.position for answer in by_python]


def test_the_help_text_lists_the_forms() -> None:
    shown = " ".join(CliRunner().invoke(main, ["query", "--help"]).output.split())
    assert len(form_names().split(", ")) == len(table()["form"])
    assert f"one of these forms: {form_names()}." in shown


@pytest.mark.parametrize("number", range(len(table()["line"])))
def test_each_form_reads_its_example(number: int) -> None:
    one = table()["line"][number]
    ports = Ports(one["example"])
    assert ports.match(f"line{number}", ports.fold(one["example"])) is not None


def test_each_line_that_we_print_is_of_one_form() -> None:
    lines = [
        (
            "2 of 24 plies played, black (x) to move, after a pass; komi 0.5.",
            {"ply": "2", "plies": "24", "komi": "0.5"},
        ),
        ("ply 3 of 24; x 1 : o 1 + 2.5", {"next": "3", "on_black": "1", "on_white": "1", "komi": "2.5"}),
    ]
    for line, facts in lines:
        found: Any = form_of(Ports(line), line, "board")
        assert {name: found[name] for name in facts} == facts


def test_a_refusal_quotes_its_values_and_names_the_way_out() -> None:
    says = table()["refuse"]
    assert len(says) >= 60
    for name, (fault, text) in says.items():
        values = re.findall(r"[<{](\d)[>}]", text)
        assert sorted(set(values)) == [str(number) for number in range(len(set(values)))], name
        assert "<" not in str(refusal(name, *["a"] * len(values)))
        assert refusal(name, *["a"] * len(values)).fault == fault
    # A message without a remedy is about a text for which no remedy is known.
    imperatives = re.compile("delete|give|keep|list|number|say|state|use|write|only")
    without = {name for name, (_, text) in says.items() if not imperatives.search(text)}
    assert without <= {"json-early", "json-deep", "json-comma", "json-text", "json-sign", "komi-twice"} | {
        "table-columns", "table-row", "both-colours", "integer", "ko-number", "passed-value", "missing", "plies-komi",
        "many-words", "many-games", "word", "no-word", "text-ends", "decides",
    }  # fmt: skip


def test_roles_and_states_are_whole() -> None:
    forms = table()
    for kind in ("keys", "columns"):
        every = [name for each in forms[kind].values() for name in each]
        assert len(every) == len(set(every)), kind
    # The readers compare a key of JSON in small letters and without _ and -.
    assert [key for keys in forms["keys"].values() for key in keys if not re.fullmatch("[a-z0-9]+", key)] == []
    kinds = {one["kind"] for one in forms["token"]}
    for state in forms["state"].values():
        assert state["next"].keys() <= kinds
        assert set(state["next"].values()) <= forms["state"].keys()


#: The options of ``query`` and ``review`` that select the position, the game, or the book and the store.
SELECTING = {"--moves", "--key", "--ply", "--plies", "--komi", "--db", "--book"}
SELECTING |= {FROM_INPUT, FROM_BOARD, FROM_GAME, FROM_LINES}


def test_a_pasted_command_may_have_every_option_that_keeps_the_position(page_modules: PageModules) -> None:
    texts = []
    for room, name in (("book", "query"), ("arena", "review")):
        for option in group_of(room).commands[name].params:
            if isinstance(option, click.Option) and option.opts[0] not in SELECTING:
                words = f"{option.opts[0]} 2" * (not option.is_flag) or option.opts[0]
                texts += [
                    f'little-go {name} {words} "2,2 1,1"',
                    f"little-go {name} --moves='2,2 1,1' --komi 2.5 {words}",
                ]
    assert len(texts) > 20
    wanted = Answer(play_all(START, parse_moves("2,2 1,1")), "")
    assert {text: answer for text in texts if (answer := asked_of_python(text)) != wanted} == {}
    assert asked_of_page(page_modules, texts) == [wanted] * len(texts)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(a):\n    try:\n        pass\n    except ValueError:\n        pass", 2),
        ("def f(a):\n    a[-1] = 2", 2),
        ("def f(default):\n    return default", 1),
        ("def f(a):\n    return {1: a}", 2),
        ("x = [1]", 1),
    ],
)
def test_python_outside_of_the_subset_is_refused(source: str, line: int) -> None:
    with pytest.raises(TranslationError, match=f"line {line}:"):
        translated(source)


def test_translated_functions_answer_as_python_does(page_modules: PageModules) -> None:
    """Both readers report the same fault for each hostile text."""
    signs = [
        "[",
        "(",
        "{",
        '"',
        "'",
        "0",
        "1",
        "x",
        "#",
        ",",
        ".",
        "|",
        "/",
        " ",
        "\n",
        "-",
        ">",
        ":",
        "+",
        '{"',
        "[[",
        "B ",
    ]
    texts = [f"{sign * count}{end}" for sign in signs for count in (3, 300) for end in ("", "x", "2,2", "\n.....")]
    answers = page_modules.ask("readers", [text.encode().hex() for text in texts])
    for text, answer in zip(texts, answers, strict=True):
        try:
            fault = None
            read(text.encode(), COURSE)
        except NotationError as error:
            fault = error.fault
        assert answer["fault"] == fault, text[:20]
