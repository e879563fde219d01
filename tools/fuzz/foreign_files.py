"""Damage books, stores, certificates, notes and games, and check that each file is refused or has true content."""

import gzip
import hashlib
import json
import os
import sqlite3
import zlib
from base64 import b64decode, b64encode
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

from little_go.arena.review.reading import read_games
from little_go.book.files.games import GamesError
from little_go.book.files.reader import BookError, read_book
from little_go.book.files.shipped import BOOK_FILE
from little_go.book.store.facts import Fact, StoreError
from little_go.book.store.store import open_store
from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.proof import strategist
from little_go.proof.check import check, open_state
from little_go.proof.checker.certificate import BadCertificate, Start, read_certificate
from little_go.proof.fsck import FsckResult, fsck
from little_go.proof.strategist import Claim, write_certificate
from little_go.runtime.journal import JournalError
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, PASS, START, Position, move_name, parse_moves, play_all
from tools.fuzz import mutated, one_line

#: A game with ten plies left.
_PLAYED = "2,2 1,2 2,1 2,3 3,3 1,3 3,4 1,1 1,0 3,2 3,1 1,4 0,0 4,2"


@cache
def _kernel() -> Kernel:
    return Kernel(open_table(16))


def books(rng: Random, folder: Path) -> str:
    """Damage book.json, or damage its content and then correct its checksum.

    Check that BookError is raised, or that every move of the book is legal.
    """
    path, content = folder / "book.json", BOOK_FILE.read_bytes()
    if rng.random() < 0.5:
        record = json.loads(content)
        inner = mutated(rng, zlib.decompress(b64decode(record["data"])))
        record |= {"data": b64encode(zlib.compress(inner, 1)).decode(), "sha256": hashlib.sha256(inner).hexdigest()}
        record["positions"] = len(inner) // 9
        path.write_text(json.dumps(record))
    else:
        path.write_bytes(mutated(rng, content))
    try:
        book = read_book(str(path), game=COURSE)
    except BookError as error:
        one_line(error)
        return "refused"
    for position, entry in rng.sample(list(book.items()), min(50, len(book))):
        assert position.allows(entry.move), (position, entry)
    return "read"


@cache
def _small_store() -> tuple[tuple[Fact, ...], tuple[Position, ...]]:
    positions = [play_all(START, parse_moves(_PLAYED))]
    for position in positions[:1]:
        positions += [position.play(move) for move in position.legal_moves()]
    answers = [(position, _kernel().value(position)) for position in positions]
    facts = tuple(Fact(position, answer.lo, answer.hi, answer.best, answer.nodes) for position, answer in answers)
    return facts, tuple(positions)


def stores(rng: Random, folder: Path) -> str:
    """Damage a store.

    Check that the store is refused with one line, or that fsck reports the damage, or that all rows are true.
    """
    facts, positions = _small_store()
    path = folder / "book.db"
    with open_store(path, write=True, game=COURSE) as store:
        store.record(facts, store.start_run({"made": "for this"}))
    path.write_bytes(mutated(rng, path.read_bytes()))
    try:
        with open_store(path, game=COURSE) as store:
            told = list(fsck(store, FsckResult(), None, lambda: None))
            store.runs()
            found = [store.get(position) for position in positions]
            same = [entry and (entry.lo, entry.hi) for entry in found] == [(fact.lo, fact.hi) for fact in facts]
        with open_store(path, write=True, game=COURSE) as store:
            store.record(facts[:1], store.start_run({}))
    except StoreError as error:
        one_line(error)
        return "refused"
    return "told by fsck" if told else "the same rows" if same else "other rows, which only --prove finds"


@cache
def _certificate() -> bytes:
    position = play_all(START, parse_moves(_PLAYED))
    value = _kernel().value(position).value
    assert value is not None
    claim = Claim(True, value)
    with (
        patch.multiple(strategist, TABLE_MIB=16, LEAF_TABLE_MIB=16),
        strategist.Strategist(claim, 1, lambda ply, done, total: None) as planner,
    ):
        path = Path("certificate")
        write_certificate(claim, [f"start {_PLAYED}"], planner.strategy([position], 6), path, 6)
    return path.read_bytes()


def certificates(rng: Random, folder: Path) -> str:
    """Damage a certificate, mostly with an updated checksum.

    Check that the certificate is refused, or that its claim is true.
    """
    path = folder / "cert"
    head, _, body = mutated(rng, _certificate()).partition(b"\nsha256 ")
    body = body.partition(b"\n")[2]
    if rng.random() < 0.9:
        rows = [row for row in head.split(b"\n") if not row.startswith(b"lines ")]
        head = b"\n".join([*rows, b"lines %d" % body.count(b"\n")])
    path.write_bytes(head + b"\nsha256 %s\n" % hashlib.sha256(body).hexdigest().encode() + body)
    if rng.random() < 0.1:
        path = folder / "cert.gz"
        path.write_bytes(gzip.compress((folder / "cert").read_bytes()))
    try:
        read = read_certificate(path)
    except BadCertificate as error:
        one_line(error)
        return "refused"
    if read.fault or check(read).fault:
        return "a wrong line found"
    goal = read.claim.bound if read.claim.black else read.claim.bound + 1
    for start in read.starts:
        assert _kernel().decide(_position(start), goal).at_least(goal) is read.claim.black, start
    return "proved, and true"


def notes(rng: Random, folder: Path) -> str:
    """Damage the notes of a check.

    Check that the notes are refused and stay unchanged, or that each line counts once.
    """
    certificate, path = folder / "cert", folder / "cert.checked"
    certificate.write_bytes(_certificate())
    read = read_certificate(certificate)
    check(read, state=open_state(path, read))
    damaged = mutated(rng, path.read_bytes())
    path.write_bytes(damaged)
    try:
        outcome = check(read, state=open_state(path, read))
    except JournalError as error:
        one_line(error)
        assert path.read_bytes() == damaged
        return "refused"
    assert outcome.fault is None
    assert outcome.tally.lines == len(read.lines)
    return "believed" if outcome.earlier else "checked again"


def _position(start: Start) -> Position:
    left, black, white, ko, passed = start.place
    return Position(black, white, ko.bit_length() - 1 if ko else None, GAME_PLIES - left, passed)


def games(rng: Random, folder: Path) -> str:
    """Damage a game in SGF or in a line of JSON. Check that an error is raised, or that the result is a legal game."""
    moves = _PLAYED.split()
    if rng.random() < 0.5:
        path = folder / "game.sgf"
        points = [parse_moves(move)[0] for move in moves]
        nodes = [f";{'BW'[ply % 2]}[{'abcde'[at % 5]}{'abcde'[at // 5]}]" for ply, at in enumerate(points)]
        content = f"(;FF[4]GM[1]SZ[5]KM[2.5]PB[a]PW[b]DT[2020-01-01]{''.join(nodes)})"
    else:
        path = folder / "games.jsonl"
        content = json.dumps({"black": "a", "white": "b", "moves": moves}) + "\n"
    path.write_bytes(mutated(rng, content.encode()))
    try:
        played = list(read_games([str(path)]))
        if path.suffix == ".sgf":
            read(path.read_bytes(), COURSE)
    except (GamesError, NotationError) as error:
        one_line(error)
        return "refused"
    for game in played:
        legal = [move for move in game.state.moves[:-1] if move != move_name(PASS)]
        play_all(START, parse_moves(" ".join(game.state.moves[: len(legal)]))) if legal else None
    return "read"


_KINDS = ("trigger", "view", "table", "index", "")
_NAMES = ("own", "sqlite_own", "sqlite_stat1", "sqlite_autoindex_runs_1", "openings", "runs", "positions")
_ON = ("runs", "positions", "_sqlite_migrations", "makers")
_MAKES = (
    "CREATE TRIGGER {name} AFTER INSERT ON {on} BEGIN UPDATE positions SET lo = -24; END",
    "CREATE VIEW {name} AS SELECT * FROM runs",
    "CREATE TABLE {name} (a)",
    "CREATE INDEX {name} ON positions (lo)",
)


def planted(rng: Random, folder: Path) -> str:
    """Add entries to a store's schema, and pipes next to the store.

    Check that no trigger runs and that no bound is overwritten.
    """
    path = folder / "book.db"
    with open_store(path, write=True, game=COURSE) as store:
        store.record([Fact(START, 3, 24)], store.start_run({}))
    with closing(sqlite3.connect(path)) as db, suppress(sqlite3.Error), db:
        db.execute("PRAGMA writable_schema = ON")
        for _ in range(rng.randint(1, 3)):
            name, on = rng.choice(_NAMES), rng.choice(_ON)
            row = (rng.choice(_KINDS), name, rng.choice([name, on]), 0, rng.choice(_MAKES).format(name=name, on=on))
            db.execute("INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)", row)
        if rng.random() < 0.3:
            db.execute("DELETE FROM _sqlite_migrations WHERE name > 'm007'")
    if rng.random() < 0.2:
        pipe = folder / f"book.db{rng.choice(['-journal', '-wal', '-shm'])}"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
    outcome = "written to"
    try:
        with open_store(path, write=True, game=COURSE) as store:
            store.start_run({})
    except StoreError as error:
        one_line(error)
        outcome = "refused"
    for beside in folder.glob("book.db-*"):
        if beside.is_fifo():
            beside.unlink()
    with closing(sqlite3.connect(path)) as db, suppress(sqlite3.Error):
        db.execute("PRAGMA writable_schema = ON")
        for (bound,) in db.execute("SELECT lo FROM positions"):
            assert bound == 3, "a trigger has fired"
    return outcome
