"""The kept files of a class may be damaged: the run continues, no good game is lost, and no student gets less."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.arena.classroom.scripted import PROGRAM, WON_BY_BLACK, WON_BY_WHITE, ScriptedClass

QUICK = ("--games", "1")
FILES = ("starts.jsonl", "games.jsonl", "class.json")

#: A function that changes the bytes of a file, given its content and a random generator.
Mutation = Callable[[bytes, Random], bytes]


def _at(content: bytes, chance: Random) -> int:
    return chance.randrange(len(content))


def a_digit(content: bytes, chance: Random) -> bytes:
    digits = [place for place, byte in enumerate(content) if chr(byte) in "0123456789abcdef"]
    place = chance.choice(digits)
    return content[:place] + bytes([chance.choice(b"0123456789abcdef")]) + content[place + 1 :]


def a_byte(content: bytes, chance: Random) -> bytes:
    place = _at(content, chance)
    return content[:place] + chance.randbytes(1) + content[place + 1 :]


def a_byte_less(content: bytes, chance: Random) -> bytes:
    place = _at(content, chance)
    return content[:place] + content[place + 1 :]


def a_byte_more(content: bytes, chance: Random) -> bytes:
    place = _at(content, chance)
    return content[:place] + chance.randbytes(1) + content[place:]


def no_newline(content: bytes, chance: Random) -> bytes:
    ends = [place for place, byte in enumerate(content) if byte == 10]
    place = chance.choice(ends)
    return content[:place] + chance.choice([b"", b" ", b"x", b"\0"]) + content[place + 1 :]


def a_block(content: bytes, chance: Random) -> bytes:
    place, length = _at(content, chance), 1 << chance.randrange(9)
    filling = chance.choice([bytes(length), chance.randbytes(length)])
    return content[:place] + filling + content[place + length :]


def cut(content: bytes, chance: Random) -> bytes:
    return content[: _at(content, chance)]


def nested(content: bytes, chance: Random) -> bytes:
    return b"[" * 20_000 + content[_at(content, chance) :]


def _of_lines(change: Callable[[list[bytes], Random], object]) -> Mutation:
    def mutation(content: bytes, chance: Random) -> bytes:
        lines = content.splitlines(keepends=True)
        change(lines, chance)
        return b"".join(lines)

    return mutation


MUTATIONS: dict[str, Mutation] = {
    **{each.__name__: each for each in (a_digit, a_byte, a_byte_less, a_byte_more, no_newline, a_block, cut, nested)},
    "a line less": _of_lines(lambda lines, chance: lines.pop(chance.randrange(len(lines)))),
    "a line twice": _of_lines(lambda lines, chance: lines.append(chance.choice(lines))),
    "lines in another order": _of_lines(lambda lines, chance: chance.shuffle(lines)),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> ScriptedClass:
    """A graded class of three students, one of whose programs fails at its start."""
    names = {"ann": PROGRAM, "ben": "1/0\n", "cid": PROGRAM}
    programs = {f"{name}/my_player3.py": text.format(name=name) for name, text in names.items()}
    found = ScriptedClass(
        tmp_path_factory.mktemp("class"), lambda fixture: WON_BY_BLACK if fixture.number % 2 else WON_BY_WHITE, programs
    )
    done = found.grade(2025, *QUICK)
    assert done.exit_code == 0, done.stderr
    return found


def key_of(line: bytes) -> Any:
    record = json.loads(line)
    return record["black"], record["white"], record["number"]


def check_resumed(graded: ScriptedClass, folder: Path, name: str, mutate: Mutation, chance: Random) -> str:
    """Resume a class after one of its files was damaged, check the results, and return the printed text."""
    again = graded.copied(folder)
    path = again.out / name
    before = path.read_bytes()
    path.write_bytes(mutate(before, chance))
    games = (again.out / "games.jsonl").read_bytes()
    good = {key_of(line) for line in (graded.out / "games.jsonl").read_bytes().splitlines() if line in games}
    done = again.grade(2025, *QUICK)
    assert done.exit_code == 0, done.stderr
    assert good.isdisjoint(fixture.key for fixture in again.played)
    for file in ("gradebook.csv", "students/ann.html", "students/ben.html"):
        assert (again.out / file).read_text("utf-8") == (graded.out / file).read_text("utf-8")
    later = again.grade(2025, *QUICK)
    assert (later.exit_code, again.played) == (0, []), later.stderr
    return done.stderr


def check_seed(graded: ScriptedClass, folder: Path, seed: int) -> None:
    chance = Random(seed)
    name, kind = chance.choice(FILES), chance.choice(list(MUTATIONS))
    check_resumed(graded, folder, name, MUTATIONS[kind], chance)


# Seed 558 removes the end of the last game.
@pytest.mark.parametrize("seed", [*range(12), 558])
def test_a_damaged_class_is_resumed(graded: ScriptedClass, tmp_path: Path, seed: int) -> None:
    check_seed(graded, tmp_path, seed)


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(10))
def test_classes_with_a_thousand_damages_are_resumed(graded: ScriptedClass, tmp_path: Path, hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        check_seed(graded, tmp_path / str(seed), seed)


def sealed(value: list[Any]) -> bytes:
    digest = sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
    return json.dumps([*value, digest]).encode() + b"\n"


def of_another_environment(content: bytes, chance: Random) -> bytes:
    """Return starts whose digests do not belong to the programs, although each row is whole."""
    head, *rows = content.splitlines(keepends=True)
    values = [json.loads(row) for row in rows]
    return head + b"".join(sealed([digest, identity[::-1], notes]) for digest, identity, notes, _ in values)


def test_a_start_is_trusted_only_if_a_game_confirms_it(graded: ScriptedClass, tmp_path: Path) -> None:
    said = check_resumed(graded, tmp_path, "starts.jsonl", of_another_environment, Random(0))
    assert "changed" not in said


def other_head(content: bytes, chance: Random) -> bytes:
    head, *rows = content.splitlines(keepends=True)
    return json.dumps({**json.loads(head), "environment": "another"}).encode() + b"\n" + b"".join(rows)


def test_starts_of_another_environment_are_made_again(graded: ScriptedClass, tmp_path: Path) -> None:
    check_resumed(graded, tmp_path, "starts.jsonl", other_head, Random(0))


def test_damage_is_told_in_a_line(graded: ScriptedClass, tmp_path: Path) -> None:
    def identity(content: bytes, chance: Random) -> bytes:
        of = json.loads(content.splitlines()[1])[1]
        return content.replace(of.encode(), f"{int(of[0] == '0')}{of[1:]}".encode())

    said = check_resumed(graded, tmp_path / "1", "starts.jsonl", identity, Random(0))
    path = tmp_path / "1" / "out" / "starts.jsonl"
    assert f"{path}: 1 damaged line: the lost work is done again" in said.splitlines()
    said = check_resumed(graded, tmp_path / "2", "class.json", lambda *_: b"{", Random(0))
    assert f"{tmp_path / '2' / 'out' / 'class.json'}: damaged: written again" in said.splitlines()


def test_a_program_that_was_changed_in_the_class_folder_is_unpacked_again(
    graded: ScriptedClass, tmp_path: Path
) -> None:
    again = graded.copied(tmp_path)
    for place in (again.out / "programs").iterdir():
        (place / "my_player3.py").write_text("raise SystemExit\n")
    done = again.grade(2025, *QUICK)
    assert (done.exit_code, again.played) == (0, []), done.stderr
    texts = [(place / "my_player3.py").read_text() for place in (again.out / "programs").iterdir()]
    assert not any("SystemExit" in text for text in texts)
