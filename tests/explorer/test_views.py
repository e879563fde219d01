"""Every view at the widths of a zoomed page and of a phone, in two browsers and two themes: nothing is cut off."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tools.browsing import DESK, Explorer, NoBrowser, open_firefox

pytestmark = pytest.mark.early

#: The sizes of a page of 1280 by 1024 that is zoomed to 400 % and to 200 %, and of the narrowest phone.
VIEWPORTS = {
    "400": {"width": 320, "height": 256},
    "200": {"width": 640, "height": 512},
    "phone": {"width": 320, "height": 568},
}

#: A game that is almost over and contains mistakes.
GAME = "#moves=2,2.1,1.2,1.1,2.1,3.0,3.2,3.3,2.3,1.4,2.0,2.4,1.3,3.0,1.0,0"

GAMES = """{"moves": ["2,2", "1,1"], "winner": 1, "reason": "resigned"}
{"moves": ["1,1", "2,2"], "winner": 2, "reason": "max"}"""

#: Find elements that extend beyond the window or scroll inside the page. Text areas, lists and dialogs can scroll.
HIDDEN = """() => {
    const width = document.documentElement.clientWidth;
    const isSeen = (each) => each.checkVisibility() && !each.closest(".hidden, .skip, select *");
    const seen = [...document.querySelectorAll("body *")].filter(isSeen);
    const name = (each) => each.id || each.className || each.tagName;
    const over = seen.filter((each) => {
        const { left, right } = each.getBoundingClientRect();
        return right > left && (left < -0.5 || right > width + 0.5);
    });
    const scrolls = (each) =>
        each.scrollHeight > each.clientHeight + 2 && ["auto", "scroll"].includes(getComputedStyle(each).overflowY);
    const boxes = seen.filter((each) => scrolls(each) && !each.matches("textarea, dialog, select"));
    const short = document.documentElement.scrollWidth > width ? ["the page scrolls sideways"] : [];
    return [...short, ...over.map((each) => `${name(each)} is cut`), ...boxes.map((each) => `${name(each)} scrolls`)];
}"""

CLOSE = "document.querySelector('dialog[open]').close()"


@contextmanager
def explorer_in(browser: Any, program: str, viewport: dict[str, int], scheme: str) -> Iterator[Explorer]:
    """Yield the page in one of two browsers."""
    if program == "chromium":
        context = browser.new_context(viewport=viewport, offline=True, color_scheme=scheme)
        yield Explorer(context)
        context.close()
        return
    try:
        with open_firefox(scheme) as firefox:
            firefox.size = viewport
            yield Explorer(firefox)
    except NoBrowser as problem:
        pytest.skip(str(problem))


def views(explorer: Explorer) -> Iterator[str]:
    """Open the views one after the other, and yield the name of each."""
    page = explorer.page
    yield "first screen"
    explorer.go(GAME)
    explorer.settle()
    yield "explore"
    for tab in ("play", "review", "tour", "puzzles"):
        page.click(f"#tab-{tab}")
        if tab == "review":
            # Explaining all mistakes takes long. The worst one is explained first.
            explorer.until("!document.querySelector('#mistake-show').disabled")
        else:
            explorer.settle()
        yield tab
        if tab == "review":
            page.click("#mistake-show")
            explorer.until("!document.querySelector('#mistake-better').disabled")
            yield "a mistake"
            page.click("#mistake-better")
            yield "a line"
            page.click("#mistake-home")
            page.click("#try-mistakes")
            yield "a mistake tried again"
            page.click("#try-stop")
    page.click("#puzzle-answer")
    yield "an answer"
    page.click("#tab-tour")
    page.click("#tour-rules")
    yield "learn"
    for button in ("open", "share", "help"):
        page.click(f"#{button}-button")
        yield button
        explorer.do(CLOSE)
    explorer.go(GAME)
    page.click("#back")
    explorer.play("4,4")
    page.click("#beside-keep")
    page.click("#to-start")
    page.click("#variations summary")
    page.click("[data-tool=letter]")
    explorer.play("0,4")
    page.fill("#note", "A comment")
    explorer.settle()
    yield "a branch"
    page.click("#open-button")
    page.fill("#open-text", GAMES)
    page.click("#open-dialog [value=open]")
    yield "games"
    page.click("#edit")
    yield "edit"


#: The views that are tested for each change. The other views are long tests.
SOONER = {("chromium", "400", "dark"), ("chromium", "phone", "light")}


def all_views() -> Iterator[Any]:
    """Yield the combinations of browser, size and theme."""
    for program in ("chromium", "firefox"):
        for size, scheme in (("400", "dark"), ("200", "light"), ("phone", "light"), ("phone", "dark")):
            is_long = (program, size, scheme) not in SOONER
            yield pytest.param(program, size, scheme, marks=[pytest.mark.long] if is_long else [])


@pytest.mark.parametrize(("program", "size", "scheme"), list(all_views()))
def test_nothing_is_cut_or_scrolls_inside_the_page(browser: Any, program: str, size: str, scheme: str) -> None:
    found = {}
    with explorer_in(browser, program, VIEWPORTS[size], scheme) as explorer:
        for view in views(explorer):
            explorer.until("!explorer.app.scheduled")
            found[view] = explorer.do(HIDDEN)
        assert explorer.complaints == []
    assert {view: faults for view, faults in found.items() if faults} == {}
    assert len(found) == 17


@pytest.mark.parametrize("size", VIEWPORTS)
def test_back_to_my_line_is_a_target_for_a_finger(browser: Any, size: str) -> None:
    with explorer_in(browser, "chromium", VIEWPORTS[size], "light") as explorer:
        explorer.play("2,2")
        for tab in ("tour", "puzzles"):
            explorer.page.click(f"#tab-{tab}")
            explorer.page.wait_for_selector("#mine")
            box = explorer.page.locator("#mine").bounding_box()
            assert box["width"] >= 44, tab
            assert box["height"] >= 44, tab
            assert explorer.do(
                "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('#mine'))"
            )


def luminance(colour: str) -> float:
    """Return the luminance of a colour such as ``rgb(20, 19, 15)``, as defined in WCAG."""
    parts = [int(part) / 255 for part in colour.strip("rgb()").split(",")]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("program", "scheme"),
    [
        ("chromium", "light"),
        pytest.param("chromium", "dark", marks=pytest.mark.long),
        pytest.param("firefox", "light", marks=pytest.mark.long),
        ("firefox", "dark"),
    ],
)
def test_a_stone_in_a_list_is_full_in_both_themes(browser: Any, program: str, scheme: str) -> None:
    """In a list, a stone is drawn on wood. Black's stone is darker than the wood, and White's is lighter."""
    with explorer_in(browser, program, DESK, scheme) as explorer:
        explorer.play("2,2 1,1")
        explorer.until("document.querySelectorAll('#line i').length === 2")
        shown = explorer.do("""() => [...document.querySelectorAll("#line i")].map((stone) =>
            getComputedStyle(stone).backgroundImage.match(/rgb\\([^)]*\\)/g))""")
        (black, wood), (white, _) = shown
        assert luminance(black) < luminance(wood) < luminance(white)
        # The light theme has light wood, so a line around White's stone separates the two.
        assert contrast(black, wood) > 4.5
        assert contrast(white, wood) > 1.5
        assert contrast(black, white) > 12


def test_a_mark_hides_no_result(explorer: Explorer) -> None:
    explorer.go(GAME)
    explorer.settle()
    results = "[...document.querySelectorAll('.drawing svg > g > text')].map((text) => text.textContent)"
    before = explorer.do(results)
    assert before
    explorer.page.click("#variations summary")
    explorer.page.click("[data-tool=letter]")
    explorer.play("0,4")
    explorer.page.click("[data-tool=triangle]")
    explorer.play("4,4 0,2")
    explorer.page.click("[data-tool=arrow]")
    explorer.play("4,4 1,4")
    # Move the mouse away, because the page draws the line of the point under the mouse.
    explorer.page.mouse.move(0, 0)
    explorer.until("document.querySelectorAll('.drawing g[transform]').length === 3")
    assert explorer.do(results)[: len(before)] == before
    # The discs of the marks do not cover the results, and the arrow is drawn below them.
    beside = """() => {
        const all = (selector) => [...document.querySelectorAll(selector)];
        const boxes = (selector) => all(selector).map((each) => each.getBoundingClientRect());
        const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const texts = boxes(".drawing svg > g:not([transform]) > text");
        return boxes(".drawing g[transform] circle").filter((plate) => texts.some((text) => meet(plate, text))).length;
    }"""
    assert explorer.do(beside) == 0
    order = explorer.do(
        "[...document.querySelectorAll('.drawing svg > g')].map((each) => each.getAttribute('opacity'))"
    )
    assert order[0] == ".85"


YOURS: dict[str, str] = {
    "who-black": "You are Black: your turn.",
    "who-white": "You are White: your turn.",
    "who-both": "Black's turn.",
}


@pytest.mark.parametrize("who", YOURS)
def test_it_is_written_whose_turn_it_is(opened: Callable[..., Explorer], who: str) -> None:
    explorer = opened("#mode=play&against=greedy", viewport=VIEWPORTS["phone"])
    explorer.page.check(f"#{who}")
    explorer.page.click("#start-game")
    explorer.until(f"document.querySelector('#you').textContent === {json.dumps(YOURS[who])}")
    box = explorer.page.locator("#you").bounding_box()
    assert box["y"] + box["height"] <= explorer.page.locator("#board").bounding_box()["y"]
