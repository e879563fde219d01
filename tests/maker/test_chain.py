"""Single steps of a game, with the work of other rooms replaced, for results that no short game has."""

import multiprocessing
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from little_go.book.files.writer import write_book
from little_go.explorer.build import PageError
from little_go.maker import chain
from little_go.maker.chain import StepContext, StepError
from little_go.maker.folder import Folder, open_folder
from little_go.proof.strategist import Claim, name_of, write_certificate
from little_go.proof.verify import Ply, Script, Walk, WalkFailure
from little_go.solver.family import Variant
from little_go.solver.position import PASS, START, Position

TWO = Variant(2, 0.5)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    with open_folder(tmp_path, TWO) as folder:
        yield folder


@pytest.mark.parametrize(
    ("winner", "game", "claim", "leaf"),
    [
        ("Black", Variant(24, 2.5), Claim(True, 3), 12),
        ("White", Variant(24, 3.5), Claim(False, 3), 13),
        ("Black", Variant(20, 0.5), Claim(True, 1), 12),
        # The leaves of a short game are at its first ply or, if White keeps the claim, at its second ply.
        ("Black", Variant(12, 0.5), Claim(True, 1), 12),
        ("Black", Variant(10, 0.5), Claim(True, 1), 10),
        ("White", Variant(14, 0.5), Claim(False, 0), 13),
        ("White", Variant(12, 1.5), Claim(False, 1), 11),
        ("White", Variant(2, 0.5), Claim(False, 0), 1),
    ],
)
def test_the_certificate_claims_the_bound_that_the_winner_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, winner: str, game: Variant, claim: Claim, leaf: int
) -> None:
    class Strategist:
        def __init__(self, claim: Claim, *_: object) -> None:
            self.claim = claim

        def __enter__(self) -> "Strategist":
            return self

        def __exit__(self, *_: object) -> None: ...

        def strategy(self, starts: list[Position], leaf: int) -> list[object]:
            return [self.claim, starts, leaf]

    def write(claim: Claim, heads: list[str], strategy: list[object], path: Path, leaf: int) -> int:
        written.extend((claim, heads, leaf, path, strategy))
        return 7

    written: list[object] = []
    monkeypatch.setattr(chain, "Strategist", Strategist)
    monkeypatch.setattr(chain, "write_certificate", write)
    with open_folder(tmp_path, game) as folder:
        folder.finish("solve", 0.0, {"winner": winner, "value": None}, ())
        figures = chain.STEPS["certificate"][0](StepContext(folder, 1, 16))
    assert figures == {"claim": str(claim), "lines": 7}
    head = "start empty" if game.start == START else f"position {name_of(game.start)}"
    assert written == [claim, [head], leaf, tmp_path / chain.CERTIFICATE, [claim, [game.start], leaf]]


PLACE = name_of(TWO.start)
AFTER = name_of(TWO.start.play(0))


@pytest.mark.parametrize(
    ("heads", "strategy", "line", "why"),
    [
        # The header is wrong, because a line is missing.
        ([f"position {PLACE}"], [], 4, "the reply 0,0 leads to"),
        # White's only move ends the game, but Black has a stone more.
        ([f"position {AFTER}"], [(TWO.start.play(0), PASS)], 8, "PASS ends the game at +1"),
    ],
)
def test_a_wrong_certificate_ends_the_run(
    folder: Folder, heads: list[str], strategy: list[tuple[Position, int]], line: int, why: str
) -> None:
    path = folder.file(chain.CERTIFICATE)
    write_certificate(Claim(False, 0), heads, strategy, path, 1)
    folder.finish("certificate", 0.0, {"lines": 6}, (chain.CERTIFICATE,))
    with pytest.raises(StepError, match=re.escape(f"{path}: line {line}: {why}")):
        chain.STEPS["check"][0](StepContext(folder, 1, 16))


def test_a_search_that_refutes_the_result_ends_the_run(folder: Folder) -> None:
    folder.finish("solve", 0.0, {"winner": "Black", "value": None}, ())
    says = f"{folder.file(chain.STORE)}: Black wins, but another search refutes black >= 1"
    with pytest.raises(StepError, match=f"^{re.escape(says)}$"):
        chain.STEPS["certificate"][0](StepContext(folder, 1, 16))
    assert not folder.file(chain.CERTIFICATE).exists()


@pytest.mark.parametrize("colour", ["black", "white"])
def test_a_win_that_the_player_gives_up_ends_the_run(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, colour: str
) -> None:
    walk_plies = Walk.plies

    def plies(walk: Walk, start: Position, last_ply: int) -> Iterator[Ply]:
        yield next(iter(walk_plies(walk, start, last_ply)))
        assert multiprocessing.active_children()
        raise WalkFailure("ply 3: a position that should be won is not")

    context = StepContext(folder, 1, 16)
    for step in ("solve", "book", "player"):
        chain.STEPS[step][0](context)
    monkeypatch.setattr(Walk, "plies", plies)
    with pytest.raises(StepError, match=f"^{colour}: ply 3: a position that should be won is not$") as error:
        chain.STEPS[f"walk {colour}"][0](context)
    # The workers have ended, although the traceback still contains them.
    assert error.tb is not None
    assert multiprocessing.active_children() == []
    assert not folder.file(f"walked-{colour}.lock").exists()


def test_a_page_that_cannot_be_built_ends_the_run(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(root: Path, game: Variant, book: Path) -> str:
        raise PageError("main.js: the modules import each other")

    monkeypatch.setattr(chain, "build_page", build)
    with pytest.raises(StepError, match=r"^main\.js: the modules import each other$"):
        chain.STEPS["page"][0](StepContext(folder, 1, 16))
    assert not folder.file(chain.PAGE).exists()


def test_an_installed_package_makes_no_page(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(chain, "in_clone", lambda: False)
    assert chain.STEPS["page"][0](StepContext(folder, 1, 16)) == {"bytes": 0}
    assert capsys.readouterr().out == "no page, because its sources are only in a clone\n"
    assert not folder.file(chain.PAGE).exists()


@pytest.mark.parametrize(
    ("last", "reaches"),
    [
        # Without a book, the walk reaches the ply after the first.
        (-1, 1),
        (0, 1),
        (1, 1),
        (9, 9),
        (10, 10),
        # After the last ply of the closures, the book has only single positions.
        (11, 10),
        (23, 10),
    ],
)
def test_a_walk_reaches_the_last_ply_of_the_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: int, reaches: int
) -> None:
    def plies(_: Walk, start: Position, last_ply: int) -> Sequence[Ply]:
        reached.append(last_ply)
        return []

    reached: list[int] = []
    with open_folder(tmp_path, Variant(24, 2.5)) as folder:
        context = StepContext(folder, 1, 16)
        write_book([], folder.file(chain.BOOK), folder.game)
        chain.STEPS["player"][0](context)
        monkeypatch.setattr(Walk, "plies", plies)
        monkeypatch.setattr(Script, "last_ply", lambda *_: last)
        chain.STEPS["walk white"][0](context)
    assert reached == [reaches]
