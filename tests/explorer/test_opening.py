"""Opening the page: long texts, old browsers, and the text that a page from a file offers instead of a link."""

import json
from typing import Any

from little_go.notation.ports import form_names
from tests.explorer.test_review import PASTE
from tools.browsing import ADDRESS, Explorer, serve

#: Measure the longest time between two frames.
WATCH = """() => {
    window.longest = 0;
    let last = performance.now();
    const look = (now) => {
        window.longest = Math.max(window.longest, now - last);
        last = now;
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""

#: In milliseconds. If the page does nothing for this long, it is frozen, even on a busy machine.
FROZEN = 2000


def test_a_long_text_is_read_while_the_page_goes_on(explorer: Explorer) -> None:
    game = json.dumps({"moves": ["2,2", "1,1", "1,2", "3,1", "2,1", "3,2", "3,0", "1,0", "0,1", "2,0", "0,0", "2,3"]})
    explorer.do(WATCH)
    explorer.do(PASTE, f"{game}\n" * 4000)
    assert explorer.do("explorer.app.note") == "Reading …"
    explorer.until("explorer.app.state.mode === 'review'")
    assert explorer.do("document.querySelector('#games-list').options.length") == 4000
    assert (
        explorer.do("explorer.app.line.start === explorer.app.state.game.start && explorer.app.line.moves.length") == 12
    )
    explorer.page.click("#to-start")
    assert "from=" not in explorer.do("location.hash")
    assert explorer.do("window.longest") < FROZEN


def test_a_long_text_that_is_no_game_is_refused(explorer: Explorer) -> None:
    explorer.do(WATCH)
    explorer.do(PASTE, "00000\n" * 20_000)
    explorer.until("explorer.app.note.startsWith('Cannot open this: ')")
    assert explorer.do("document.querySelector('#message').classList.contains('bad')")
    assert explorer.do("window.longest") < FROZEN


def test_a_text_that_is_pasted_into_the_dialog_is_opened_at_once(explorer: Explorer) -> None:
    explorer.page.click("#door-review")
    assert explorer.page.inner_text("#open-forms") == form_names()
    explorer.do("""() => {
        const area = document.querySelector("#open-text");
        area.dispatchEvent(new ClipboardEvent("paste", { bubbles: true }));
        area.value = "2,2 1,1 3,3";
    }""")
    explorer.until("explorer.app.state.mode === 'review'")
    assert explorer.do("explorer.app.line.moves") == [12, 6, 18]
    assert not explorer.is_visible("#open-dialog")


def test_a_browser_without_throw_if_aborted_finds_values(browser: Any) -> None:
    context = browser.new_context(offline=True)
    context.add_init_script("delete AbortSignal.prototype.throwIfAborted")
    explorer = Explorer(context, "#moves=2,2.1,1.1,2.3,1.2,1.3,2.3,0.1,0.0,1.2,0.0,0.2,3.0,2.1,3.0,3")
    explorer.settle()
    assert explorer.exact() == 3
    explorer.check()
    context.close()


def test_without_scripts_the_page_says_what_it_needs(browser: Any) -> None:
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(ADDRESS)
    assert "needs JavaScript" in page.inner_text("noscript") + page.inner_text("body")
    context.close()


def test_a_file_offers_a_text_to_paste_and_a_server_a_link(explorer: Explorer, browser: Any) -> None:
    explorer.play("2,2 1,1")
    explorer.page.click("#share-button")
    text = explorer.page.input_value("#share-link")
    assert text == "explorer.html#moves=2,2.1,1"
    assert "only on this machine" in explorer.text("#shares")
    explorer.page.click("#share-dialog button.primary")
    explorer.do("explorer.app.load({ start: explorer.app.line.start, moves: [] })")
    explorer.do(PASTE, text)
    explorer.until("explorer.app.line.moves.length === 2")
    context = browser.new_context()
    with serve() as address:
        served = Explorer(context, "#moves=2,2.1,1", address)
        served.page.click("#share-button")
        assert served.page.input_value("#share-link") == f"{address}#moves=2,2.1,1"
    context.close()
