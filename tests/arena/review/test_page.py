"""The page on reviewed games contains the facts of the summary, accepts any names, and makes no requests."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from little_go.arena.match.host import OPENING, judge
from little_go.arena.review.page import MOST_BOARDS, report_page
from little_go.arena.review.reading import from_record
from little_go.arena.review.review import Evaluator, Review, review
from little_go.arena.review.summary import AgentSummary, summarise
from little_go.runtime.terminal import printable
from little_go.solver.position import PASS, move_name
from tests.test_layout import ROOT

#: A name that contains a script, closes the elements around it, reverses the direction of text, and is not UTF-8.
HOSTILE = "</bdi></h2><script>alert(1)</script>\"' onload=x \u202e\x1b[31m\x00\ud800"
#: The same name after a game was read.
NAME = printable(HOSTILE)


@pytest.fixture(scope="module")
def reviews() -> list[Review]:
    evaluator, found = Evaluator([], 5_000), []
    for seed in range(3):
        rng, state = Random(seed), OPENING
        while state.result is None:
            state = judge(state, move_name(rng.choice(state.position.legal_moves()[:-1] or [PASS])))
        record = {
            "black": HOSTILE,
            "white": "other",
            "moves": list(state.moves),
            "winner": ("Black", "White")[seed % 2],
            "reason": "max",
        }
        clocks = {"black": [0.25] * 12, "white": [0.5] * 12}
        found.append(review(from_record(f"game {seed}", {**record, "cpu": clocks}), evaluator))
    return found


class Parsed(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("meta", "rect", "circle", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "circle", "line"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_page_is_whole_and_asks_nobody_whatever_the_names(reviews: list[Review]) -> None:
    text = report_page(summarise(reviews))
    assert text.encode("utf-8")
    page = Parsed(text)
    assert not page.open
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not {name for name in page.attributes if name.startswith("on")} | {"src"} & page.attributes
    assert "http:" not in text.replace('http-equiv="', "")
    assert "https:" not in text
    assert "<script>alert(1)</script>" in page.words
    assert "\x1b" not in text
    for board in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ElementTree.fromstring(board)


def test_the_stored_review_is_the_only_value_that_a_template_does_not_escape() -> None:
    marked = [
        (path.name, line.strip())
        for path in sorted((ROOT / "arena" / "templates").glob("*.html"))
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"\|\s*safe|autoescape", line)
    ]
    assert [(name, "review | safe" in line) for name, line in marked] == [("student.html", True)]


def test_the_page_has_the_summarys_figures(reviews: list[Review]) -> None:
    summaries = summarise(reviews)
    summary = summaries["other"]
    text = report_page({"other": summary})
    moves = summary.by_move()
    assert text.count("<svg") == min(MOST_BOARDS, len(moves)) > 3
    words = " ".join(Parsed(text).words.split())
    for alike in moves[:MOST_BOARDS]:
        if alike[0].reason:
            assert alike[0].reason.text in words
    cost = sum(mistake.cost for mistake in summary.mistakes)
    assert f"{len(summary.mistakes)} mistakes, {cost} points given away" in words
    assert words.count("0.50 s0.50 s") == 12


def test_the_boards_have_a_frame_around_each_point_that_the_reason_names(reviews: list[Review]) -> None:
    summary = summarise(reviews)["other"]
    boards = re.findall(r"<svg.*?</svg>", report_page({"other": summary}), re.DOTALL)
    framed = sorted(board.count('class="named"') for board in boards)
    reasons = [alike[0].reason for alike in summary.by_move()[:MOST_BOARDS]]
    named = [{*why.named["worse"], *why.named["better"]} if why else set() for why in reasons]
    assert framed == sorted(map(len, named))
    assert max(framed) > 1


def test_an_agent_without_games_has_a_page() -> None:
    assert "0 games" in Parsed(report_page({"nobody": AgentSummary()})).words


def test_games_are_counted_by_opponent_and_clocks_by_ply(reviews: list[Review]) -> None:
    summary = summarise(reviews)["other"]
    assert {name: (games.games[2], games.won[2]) for name, games in summary.against.items()} == {NAME: (3, 1)}
    assert summary.against[NAME].points == sum(mistake.cost for mistake in summary.mistakes)
    assert summary.cpu == {ply: [0.5] * 3 for ply in range(2, 25, 2)}
    record = summary.record()
    assert record["cpu"][0] == {"ply": 2, "mean": 0.5, "max": 0.5}
    assert record["against"][0]["white"] == {"games": 3, "wins": 1}


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_axe_finds_no_violation(
    reviews: list[Review], browser: Any, violations: Callable[[Any], list[str]], scheme: str
) -> None:
    context = browser.new_context(color_scheme=scheme, offline=True)
    page = context.new_page()
    page.set_content(report_page(summarise(reviews)))
    assert violations(page) == []
    context.close()
