"""Grade a class of 24 students with a cluster of two workers on this machine, and kill a worker in the middle."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from tools.loopback import Loopback, children

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "demo" / "class"

#: The code that all students' programs share: it reads input.txt and finds the legal moves.
COMMON = """# 1234567890:{name}
import random
lines = open("input.txt").read().split("\\n")
me, before, board = int(lines[0]), lines[1:6], [list(map(int, line)) for line in lines[6:11]]
def group(b, i, j):
    todo, seen, free = [(i, j)], {{(i, j)}}, set()
    while todo:
        x, y = todo.pop()
        for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= u < 5 and 0 <= v < 5:
                if b[u][v] == 0: free.add((u, v))
                elif b[u][v] == b[i][j] and (u, v) not in seen: seen.add((u, v)); todo.append((u, v))
    return seen, free
def play(i, j, who):
    if board[i][j]: return None
    b = [row[:] for row in board]; b[i][j] = who; taken = 0
    for u, v in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
        if 0 <= u < 5 and 0 <= v < 5 and b[u][v] == 3 - who:
            seen, free = group(b, u, v)
            if not free:
                taken += len(seen)
                for x, y in seen: b[x][y] = 0
    if not group(b, i, j)[1] or ["".join(map(str, row)) for row in b] == before: return None
    return taken, len(group(b, i, j)[1]), b
moves = {{(i, j): play(i, j, me) for i in range(5) for j in range(5)}}
moves = {{move: found for move, found in moves.items() if found}}
def answer(move): open("output.txt", "w").write("%d,%d" % move if move else "PASS")
chance = random.Random(str(board) + "{name}")
"""

#: The different ways in which the programs choose a move.
KINDS = {
    "random": "answer(chance.choice(sorted(moves)) if moves else None)",
    "greedy": "answer(max(sorted(moves), key=lambda move: moves[move][0]) if moves else None)",
    "liberties": "answer(max(sorted(moves), key=lambda move: moves[move][:2]) if moves else None)",
    "centre": "answer(min(sorted(moves), key=lambda m: (-moves[m][0], abs(m[0]-2) + abs(m[1]-2))) if moves else None)",
    "crash": "answer(sorted(moves)[0]) if len(moves) > 12 else 1 / 0",
    "illegal": "answer((2, 2))",
    "prints": "print('thinking'); answer(None)",
}

#: Submissions that are not Python files, or whose file names are not the expected ones.
OTHERS = {
    "my_player.cpp": '#include <fstream>\nint main() { std::ofstream("output.txt") << "PASS"; }\n',
    "my_player.java": "public class my_player { public static void main(String[] a) throws Exception {\n"
    'java.nio.file.Files.write(java.nio.file.Paths.get("output.txt"), "PASS".getBytes()); } }\n',
    "agent.py": "",
}


def write_class(folder: Path, students: int) -> None:
    """Write the submissions of a number of students, of all kinds, into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    kinds = [*KINDS.items(), ("ours", ""), *OTHERS.items()]
    for number in range(students):
        kind, text = kinds[number % len(kinds)]
        name = f"student {number + 1:02}"
        place = folder / name
        place.mkdir(parents=True)
        if kind == "ours":
            for file in ("my_player3.py", "book.json"):
                shutil.copy(ROOT / file, place)
        elif kind in OTHERS:
            # A submission that needs a missing compiler is omitted.
            if shutil.which({"my_player.cpp": "g++", "my_player.java": "javac"}.get(kind, "sh")):
                (place / kind).write_text(text, "utf-8")
        else:
            (place / "my_player3.py").write_text(f"{COMMON.format(name=name)}{text}\n", "utf-8")


def main() -> None:
    """Grade the class, kill a worker after a quarter of the games, and print the result."""
    FOLDER.parent.mkdir(exist_ok=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    write_class(FOLDER / "submissions", 24)
    out = FOLDER / "graded"
    cluster = Loopback(FOLDER, 2)
    try:
        words = [
            "class",
            str(FOLDER / "submissions"),
            # The scheme of 2020 has the fastest opponents, and a second stage.
            "--scheme",
            "2020",
            "--out",
            str(out),
            "--games",
            "1",
            "--scheduler",
            cluster.address,
        ]
        run = subprocess.Popen([sys.executable, "-m", "little_go", *words], cwd=ROOT)
        games = out / "games.jsonl"
        while run.poll() is None and (not games.exists() or games.read_bytes().count(b"\n") < 60):
            time.sleep(0.2)
        if run.poll() is None:
            done = games.read_bytes().count(b"\n")
            print(f"--- Killing a worker after {done} games", flush=True)
            for pid in children(cluster.workers[0].pid):
                os.kill(pid, signal.SIGKILL)
        if run.wait():
            sys.exit(run.returncode)
    except KeyboardInterrupt:
        run.send_signal(signal.SIGINT)
        run.wait()
    finally:
        cluster.close()
    print(f"{out / 'index.html'}: the class, with a page for each student")


if __name__ == "__main__":
    main()
