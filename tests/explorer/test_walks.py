"""Random walks: after any action of the user, state, address, board and undo agree, and the page reports no error."""

import json
import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from little_go.solver.position import POINTS, move_name
from tools.browsing import PHONE, Explorer

#: The number of actions of a walk. `make test-long` runs the long walks, with more seeds.
SHORT, WHOLE = 60, int(os.environ.get("LITTLE_GO_WALK", "2000"))

#: Compare the page with its state. Return a list of differences, or null if a change is not drawn yet.
AGREES = """() => {
    const { app } = explorer;
    if (app.scheduled) return null;
    const { state, line } = app;
    const shown = state.visit ?? state.game;
    const wrong = [];
    const same = (name, one, other) => {
        const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
        if (a !== b) wrong.push(`${name}: ${a} and ${b}`);
    };
    same("moves", line.moves, shown.moves);
    same("at", line.at, shown.at);
    let position = shown.start;
    let node = shown.root;
    for (const [index, move] of shown.moves.entries()) {
        same(`positions ${index}`, line.positions[index], position);
        if (app.rules.illegal(position, move)) wrong.push(`move ${index} is illegal`);
        position = app.rules.play(position, move);
        node = node.children.find((child) => child.move === move);
        if (!node) wrong.push(`move ${index} is not in the tree`);
    }
    same("address", location.hash.slice(1), explorer.address());
    same("tab", document.querySelector('[data-mode][aria-selected="true"]')?.dataset.mode ?? state.mode, state.mode);
    same("undo", document.querySelector("#undo").disabled, app.past.before.length === 0);
    same("redo", document.querySelector("#redo").disabled, app.past.after.length === 0);
    const drawn = state.mode === "edit" ? app.modes.edit.draft : line.position;
    for (const button of document.querySelectorAll("[data-point]")) {
        const [i, j] = button.dataset.point.split(",").map(Number);
        const has = Boolean(((drawn.black | drawn.white) >> (5 * i + j)) & 1);
        if (button.classList.contains("stone") !== has) wrong.push(`${button.dataset.point} is not drawn as it is`);
    }
    const { trying, game } = state;
    const isThere = game.at === trying?.index && game.at < game.moves.length;
    if (trying && (state.mode !== "review" || state.visit || !isThere))
        wrong.push("a mistake is tried of another place than the one that is shown");
    const said = document.querySelector("main").innerText.match(/NaN|undefined|null|\\[object|Infinity/);
    if (said) wrong.push(`the page says ${said[0]}`);
    const isShown = (job) => !document.querySelector(`[data-job=${job}]`).parentElement.hidden;
    if (app.truths && app.computing && !isShown("values")) wrong.push("values are computed without a sign");
    const { review } = app.modes;
    if (app.truths && state.mode === "review" && review.search.isRunning && !isShown("curve"))
        wrong.push("a review is made without a sign");
    if (review.search.isRunning && state.mode !== "review") wrong.push("a review is made that nobody sees");
    return wrong;
}"""

#: Click on a point. Return whether nothing happened in a mode in which every click has an effect.
CLICK = """name => {
    const { app } = explorer;
    const before = app.state;
    app.say("");
    document.querySelector(`[data-point='${name}']`).click();
    const isQuiet = ["explore", "play", "review"].includes(before.mode) && app.state === before && !app.note;
    // A quiet click is right with a tool, because equal ends make no arrow, and while a tried move is searched.
    return isQuiet && before.tool === null && before.trying === null;
}"""

#: Press a button if it is visible. Return whether nothing happened: state and page are the same two frames later.
PRESS = """async (id) => {
    const { app } = explorer;
    const button = document.querySelector(id);
    if (!button.checkVisibility() || button.disabled) return false;
    const seen = () => [document.body.innerHTML, document.querySelector("#take-area").value, document.activeElement.id];
    const [state, playing, before] = [app.state, app.playing, seen()];
    button.click();
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    return app.state === state && app.playing === playing && seen().every((each, index) => each === before[index]);
}"""

#: Choose one of several open games, or change a filter of the list.
CHOOSE = """n => {
    const lists = [...document.querySelectorAll("#games select")].filter((one) => one.checkVisibility() && one.length);
    const list = lists[Math.floor(n * lists.length)];
    if (!list) return;
    list.selectedIndex = Math.floor((n * 997) % 1 * list.length);
    for (const type of ["input", "change"]) list.dispatchEvent(new Event(type, { bubbles: true }));
}"""

PASTES = [
    "2,2 1,1 2,1",
    "(;SZ[5];B[cc](;W[bb]C[why])(;W[cb]LB[aa:A]))",
    "nonsense",
    "0,0",
    "explorer.html#moves=2,2.1,2&at=1",
    "explorer.html#moves=%E0%A4%A",
    json.dumps({"moves": ["2,2", "1,1"], "winner": 1, "reason": "resigned"}),
    "2,2 1,1 1,2 3,1 2,1 3,2 3,0 1,0 0,1 2,0 0,0 2,3 4,4 4,3 4,1 PASS 0,4",
    "1,1 1,2 2,3 3,1 2,2 0,0",
    "\n".join(json.dumps({"moves": moves.split()}) for moves in ("1,1 2,2 3,3", "2,2 1,1 PASS 4,4", "0,0 1,1")),
]

#: The buttons that a walk presses if they are visible.
BUTTONS = [
    "#back",
    "#forward",
    "#to-start",
    "#to-end",
    "#pass",
    "#new",
    "#undo",
    "#redo",
    "#edit",
    "#mine",
    "#play-line",
    "#start-game",
    "#play-on",
    "#take-back",
    "#hint",
    "#tour-next",
    "#tour-back",
    "#tour-again",
    "#learn-next",
    "#learn-back",
    "#puzzle-next",
    "#puzzle-again",
    "#puzzle-hint",
    "#puzzle-answer",
    "#puzzle-explore",
    "#try-mistakes",
    "#try-stop",
    "#mistake-show",
    "#mistake-back",
    "#mistake-next",
    "#mistake-worse",
    "#mistake-better",
    "#mistake-home",
    "#door-explore",
    "#door-puzzles",
    "#try-show",
    "#try-next",
    "#edit-done",
    "#edit-clear",
    "#edit-cancel",
    "#beside-keep",
    "#beside-swap",
    "#beside-close",
    "#door-learn",
    "#door-play",
    "#door-look",
    "#moves-csv",
    "#review-game",
    "#reason-worse",
    "#reason-better",
    "#tour-rules",
    "#puzzle-play",
    "#learn-again",
    "[data-job=values]",
    "[data-job=line]",
    "[data-job=reason]",
    "[data-job=curve]",
    "#play-truths",
]
KEYS = [
    "ArrowLeft",
    "ArrowRight",
    "Home",
    "End",
    "Control+z",
    "Control+y",
    "n",
    "e",
    "p",
    "1",
    "2",
    "3",
    "4",
    "5",
    "Backspace",
    "h",
    "Space",
]
MODES = ("explore", "play", "review", "tour", "puzzles")


#: The parts of the state that a reload keeps: the board, the places of lessons and puzzles, and settings.
KEPT = """() => {
    const { mode, game, visit, puzzles, tour, learn, play, draft, beside } = explorer.app.state;
    const board = (game) => game && [game.moves, game.at, game.root];
    const { who, opponent, shows, hint } = play;
    const lessons = [puzzles, tour, learn];
    return JSON.stringify([mode, board(game), board(visit), lessons, [who, opponent, shows, hint], draft, beside]);
}"""


def reload(explorer: Explorer) -> None:
    """Reload the page, and check that it shows the same. In a game, the opponent can move meanwhile."""
    # Wait for the explanation of a puzzle's move, because it changes the state when it arrives.
    explorer.until("!explorer.app.modes.puzzles.search.isRunning")
    before = explorer.do(KEPT)
    is_playing = explorer.do("explorer.app.state.mode === 'play'")
    explorer.page.reload()
    explorer.page.wait_for_selector("html[data-ready]")
    assert is_playing or explorer.do(KEPT) == before


def act(explorer: Explorer, rng: random.Random) -> str:
    """Perform a random action, and return its description."""
    page = explorer.page
    kind = rng.choices(
        ["click", "button", "key", "tab", "paste", "back", "forward", "reload", "tree", "who", "row", "try", "game"],
        [40, 25, 15, 6, 4, 4, 2, 1, 4, 2, 4, 4, 4],
    )[0]
    what: Any = None
    if kind == "click":
        what = move_name(rng.randrange(POINTS))
        assert not explorer.do(CLICK, what), f"nothing comes of a click on {what}"
    elif kind == "button":
        what = rng.choice(BUTTONS)
        assert not explorer.do(PRESS, what), f"nothing comes of {what}"
    elif kind == "key":
        what = rng.choice(KEYS)
        page.keyboard.press(what)
    elif kind == "tab":
        what = rng.choice(MODES)
        explorer.do("name => document.querySelector(`#tab-${name}`).click()", what)
    elif kind == "paste":
        what = rng.choice(PASTES)
        script = """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text", text);
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
        }"""
        explorer.do(script, what)
    elif kind in ("back", "forward"):
        explorer.do("n => void setTimeout(() => history.go(n))", -1 if kind == "back" else 1)
        page.wait_for_timeout(60)
    elif kind == "reload":
        reload(explorer)
    elif kind in ("tree", "row"):
        what = rng.random()
        script = """([list, n]) => {
            const all = [...document.querySelectorAll(`${list} button`)].filter((button) => button.checkVisibility());
            all[Math.floor(n * all.length)]?.click();
        }"""
        explorer.do(script, ["#tree" if kind == "tree" else "#mistakes", what])
    elif kind == "game":
        what = rng.random()
        explorer.do(CHOOSE, what)
    elif kind == "try":
        # The script also presses the button, because it is not always there.
        script = """() => {
            explorer.app.setMode("review");
            explorer.app.modes.review.mistakes.length && document.querySelector("#try-mistakes").click();
        }"""
        explorer.do(script)
    else:
        what = rng.choice(("who-black", "who-white", "who-both", "who-none"))
        explorer.do("id => document.getElementById(id).checkVisibility() && document.getElementById(id).click()", what)
    return f"{kind} {what}"


def walk(explorer: Explorer, seed: int, actions: int) -> None:
    rng = random.Random(seed)
    done: list[str] = []
    for _ in range(actions):
        done.append(act(explorer, rng))
        page = explorer.page
        if not page.url.startswith("file:"):
            page.go_forward()
        page.wait_for_selector("html[data-ready]")
        while (wrong := explorer.do(AGREES)) is None:
            explorer.until("!explorer.app.scheduled")
        assert wrong == [], (seed, len(done), done[-12:])
        assert explorer.complaints == [], (seed, len(done), done[-12:])


@pytest.mark.parametrize("seed", [1, 2])
def test_a_short_walk(explorer: Explorer, seed: int) -> None:
    walk(explorer, seed, SHORT)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 7))
def test_a_long_walk(explorer: Explorer, seed: int) -> None:
    walk(explorer, seed, WHOLE)


@pytest.mark.long
def test_a_long_walk_on_a_phone(opened: Callable[..., Explorer]) -> None:
    walk(opened(viewport=PHONE, has_touch=True, is_mobile=True), 7, WHOLE)
