"""The help texts of all options, and the example and the page with which each command's help text ends.

An option has the same text in every command, because ``OneLineErrors`` copies the text from here. Defaults that depend
on the command are added after the text.
"""

from typing import NamedTuple

#: The headings of the groups of options, in the order in which a help text shows them.
SUBJECT, RULES, LIMITS, OUTPUT = "What to work on", "Game and rules", "How to run", "Output"
GROUPS = (SUBJECT, RULES, LIMITS, OUTPUT)


class OptionText(NamedTuple):
    """The heading under which an option is listed, and the option's help text."""

    group: str
    text: str


class Ending(NamedTuple):
    """The end of a command's help text: an example that runs in a new clone, and the document to read next."""

    example: str
    page: str


OPTIONS = {
    "--again": OptionText(SUBJECT, "With --out, play stored games again if one of their agents has changed."),
    "--against": OptionText(SUBJECT, "Learn by games against this opponent; repeat the option for more opponents."),
    "--all": OptionText(SUBJECT, "Add every other proven position, not only the chosen moves."),
    "--alpha": OptionText(LIMITS, "Learning rate, 0 to 1: how far a new result moves an old estimate."),
    "--at-least": OptionText(SUBJECT, "Only decide whether the value is N points or more, which is faster."),
    "--black": OptionText(SUBJECT, "The agent that plays Black."),
    "--board": OptionText(SUBJECT, "Read the position from a file with five rows of . X O."),
    "--boards": OptionText(OUTPUT, "Draw the final board of each game."),
    "--book": OptionText(SUBJECT, "The book of openings to use."),
    "--browser": OptionText(OUTPUT, "Open the page in the browser."),
    "--budget": OptionText(LIMITS, "Stop after this time, such as 60s or 2h; the same command resumes."),
    "--canvas": OptionText(
        SUBJECT, "The gradebook that Canvas exported: the file to upload gets its headings and ids."
    ),
    "--check": OptionText(OUTPUT, "Write nothing; only report whether everything is in order."),
    "--claim": OptionText(
        SUBJECT,
        'What to prove: "black >= 3" (Black can end 3 or more ahead) or "black <= 2" (White can hold Black to 2).',
    ),
    "--colour": OptionText(SUBJECT, "The side whose moves are chosen or checked."),
    "--count-pass": OptionText(RULES, "Count PASS as a move, too."),
    "--course": OptionText(RULES, "A course file, whose packages, files and limits apply; class --new writes one."),
    "--course-files": OptionText(OUTPUT, "Write the course's modules and a player to start from into this directory."),
    "--cpu": OptionText(LIMITS, "Limit of the CPU time for one move, such as 0.5s."),
    "--csv": OptionText(OUTPUT, "Print CSV instead of text."),
    "--db": OptionText(SUBJECT, "The store, which is a database of proven positions."),
    "--depth": OptionText(SUBJECT, "Number of plies to follow."),
    "--divide": OptionText(OUTPUT, "Also print the board, and the count of the last depth after each first move."),
    "--engine": OptionText(SUBJECT, "The compiled kernel, or the player's own solver in Python."),
    "--episodes": OptionText(LIMITS, "Number of games to learn from."),
    "--epsilon": OptionText(LIMITS, "Share of moves, 0 to 1, that are chosen at random while learning."),
    "--every": OptionText(OUTPUT, "Number of games between two measurements."),
    "--fixtures": OptionText(OUTPUT, "Also write the positions into this directory, as a test for pytest."),
    "--form": OptionText(SUBJECT, "How the submissions are arranged in the folder or zip."),
    "--full": OptionText(OUTPUT, "Print every game or wrong answer in full, not only a few."),
    "--game": OptionText(SUBJECT, "Read the position from the end of a game in SGF."),
    "--games": OptionText(SUBJECT, "Number of games that two agents play with the same colours."),
    "--gamma": OptionText(LIMITS, "Discount for each move, 0 to 1: a smaller number prefers an early result."),
    "--html": OptionText(OUTPUT, "Write a page for a browser, which shows where the players go wrong."),
    "--input": OptionText(SUBJECT, "Read the position from the host's input.txt."),
    "--json": OptionText(OUTPUT, "Print JSON instead of text."),
    "--jsonl": OptionText(OUTPUT, "Write a line of JSON for each game or position to this file; - is standard output."),
    "--keep-nodes": OptionText(LIMITS, "Store only results that needed this many nodes or more."),
    "--kernel": OptionText(
        SUBJECT, "First copy two compiled kernels into explorer/: one without shared memory, one with it."
    ),
    "--key": OptionText(SUBJECT, "The position with this key, as in a database."),
    "--komi": OptionText(RULES, "White's points in addition to the stones, such as 0.5 or 2.5."),
    "--late": OptionText(SUBJECT, "A CSV file of days late, with the columns name and days."),
    "--left": OptionText(LIMITS, "Stop at positions with this number of plies left."),
    "--lines": OptionText(SUBJECT, "Read positions in any notation, one per line; - is standard input."),
    "--live": OptionText(LIMITS, "Time limit for searching values that are not stored; 0 searches none."),
    "--log": OptionText(OUTPUT, "Write the log to this file."),
    "--memory": OptionText(LIMITS, "Memory limit of a program in a sandbox, such as 512MiB."),
    "--moves": OptionText(SUBJECT, 'The position after these moves, such as "2,2 1,1 PASS".'),
    "--new": OptionText(OUTPUT, "Only write a course file with the terms of a year, which you can edit."),
    "--nodes": OptionText(LIMITS, "Limit of the search of each position, in nodes."),
    "--notes": OptionText(SUBJECT, "Record finished work in this file; the same command trusts the file and resumes."),
    "--only": OptionText(SUBJECT, "Use only this student or source; repeat the option for more."),
    "--out": OptionText(OUTPUT, "Where to write the result."),
    "--out-last": OptionText(OUTPUT, "Write the rows of the last ply to this file, and not to --out."),
    "--page": OptionText(SUBJECT, "The page to open."),
    "--paper": OptionText(SUBJECT, "The file that contains the exam's questions."),
    "--parts": OptionText(OUTPUT, "The directory of the parts, in which the new part is written."),
    "--plain": OptionText(LIMITS, "Check in Python only, without a compiled copy of the checker; this is slower."),
    "--player": OptionText(SUBJECT, "The player's script to check."),
    "--plies": OptionText(RULES, "The length of the game in plies, an even number."),
    "--ply": OptionText(
        SUBJECT, "Number of plies played, if the text does not contain it; for moves or a game, where to stop."
    ),
    "--port": OptionText(OUTPUT, "The port to serve the page on."),
    "--positions": OptionText(SUBJECT, "Number of positions to ask about."),
    "--prove": OptionText(LIMITS, "Also search N rows, drawn at random, again with an empty table, or all rows."),
    "--python": OptionText(RULES, "The Python that runs Python agents, by path or name."),
    "--recheck": OptionText(
        LIMITS, "Share of the results of a cluster's workers that is searched again on this machine."
    ),
    "--regrade": OptionText(SUBJECT, "A CSV file of points that the staff gives, with reasons."),
    "--review": OptionText(OUTPUT, "Review the games at the end, and write the reviews into --out."),
    "--sample": OptionText(LIMITS, "Check only this many lines, drawn at random."),
    "--sandbox": OptionText(LIMITS, "Run programs in a sandbox, without network and without your files."),
    "--scheduler": OptionText(LIMITS, "Use the workers of the dask.distributed scheduler at this address."),
    "--scheme": OptionText(RULES, "The year whose grading applies."),
    "--seed": OptionText(LIMITS, "Seed for everything that is drawn at random."),
    "--sgf": OptionText(OUTPUT, "Write SGF with the value of each move; several games need a directory."),
    "--solver-nodes": OptionText(
        LIMITS, "Node limit of the player's own solver, which needs no book for the moves that it finds."
    ),
    "--split-nodes": OptionText(
        LIMITS, "Search the positions after a position separately if it needs more nodes than this."
    ),
    "--stage": OptionText(RULES, "Play only this stage of the scheme."),
    "--strict": OptionText(RULES, "Refuse a move that is not written exactly as the assignment says."),
    "--submit": OptionText(RULES, "Play only the games that the submit button of that year played."),
    "--svg": OptionText(OUTPUT, "Draw the values as a picture; several games need a directory."),
    "--table": OptionText(LIMITS, "Memory for the transposition table: a power of two, such as 2GiB."),
    "--table-file": OptionText(LIMITS, "Keep the transposition table in this file for the next run, best in /dev/shm."),
    "--test-games": OptionText(LIMITS, "Number of games of one measurement."),
    "--theme": OptionText(SUBJECT, "Ask only about this theme."),
    "--values": OptionText(
        OUTPUT, "Write bounds and best moves without keys to this file, for programs and the explorer."
    ),
    "--verdict": OptionText(SUBJECT, "Find out only who wins, not by how much."),
    "--wall": OptionText(LIMITS, "Limit of the clock time for one move, such as 30s."),
    "--white": OptionText(SUBJECT, "The agent that plays White."),
    "--whole": OptionText(LIMITS, "Check all lines at the end instead of a sample."),
    "--why": OptionText(OUTPUT, "Explain why this move is worse than the best move."),
    "--worker": OptionText(SUBJECT, "The worker's name in the run, or its host."),
    "--workers": OptionText(LIMITS, "Number of threads or processes that work at the same time."),
}

ENDINGS = {
    "arena doctor": Ending("little-go doctor my_player3.py", "docs/tutorials/FIRST_AGENT.md"),
    "arena exam": Ending("little-go exam greedy --positions 20", "docs/guides/EXAM.md"),
    "arena grade": Ending("little-go grade my_player3.py --scheme 2020 --submit", "docs/guides/GRADING.md"),
    "arena class": Ending("little-go class --new course.toml", "docs/guides/CLASS.md"),
    "arena gtp": Ending("little-go gtp --cpu 1s", "docs/guides/GTP.md"),
    "arena play": Ending("little-go play --black my_player3.py --white greedy", "docs/guides/TERMINAL.md"),
    "arena puzzle": Ending("little-go puzzle 1", "docs/guides/TERMINAL.md"),
    "arena review": Ending("little-go review 2,2 1,1 3,3", "docs/guides/REVIEW.md"),
    "arena tictactoe": Ending("little-go tictactoe --episodes 2000", "docs/explanation/OPPONENTS.md"),
    "arena tournament": Ending("little-go tournament greedy aggressive --games 2", "docs/reference/AGENTS.md"),
    "arena train": Ending("little-go train --episodes 2000 --out table.json", "docs/explanation/OPPONENTS.md"),
    "book compress": Ending("little-go book compress --out new.json", "docs/guides/BUILDER.md"),
    "book import": Ending("little-go import --db my.db", "docs/guides/ASKING.md"),
    "book moves": Ending("little-go book moves", "docs/reference/DATABASE.md"),
    "book schema": Ending("little-go book schema moves_view", "docs/reference/DATABASE.md"),
    "book atlas": Ending("little-go book atlas data/atlas.csv.gz", "data/README.md"),
    "book query": Ending("little-go query 2,2 1,1", "docs/guides/ASKING.md"),
    "book drop": Ending("little-go book drop --worker tcp://192.0.2.7:40001 --db book.db", "docs/guides/SCALING.md"),
    "book tree": Ending("little-go book tree --out tree.svg", "docs/guides/BUILDER.md"),
    "book sgf": Ending("little-go book sgf --depth 2 --out tree.sgf", "docs/guides/GTP.md"),
    "explorer open": Ending("little-go open", "docs/guides/EXPLORER.md"),
    "explorer build": Ending("little-go explorer build --check", "docs/guides/EXPLORER.md"),
    "generator run": Ending("little-go generator run --plies 10 --db ten.db", "docs/guides/BUILDER.md"),
    "generator solve": Ending("little-go solve --plies 10 --db ten.db", "docs/guides/BUILDER.md"),
    "generator atlas": Ending("little-go generator atlas --plies 8 --depth 2 --db eight.db", "docs/guides/BUILDER.md"),
    "generator level": Ending("little-go generator level --plies 8 --depth 2 --out l8", "docs/guides/BUILDER.md"),
    "generator pack": Ending(
        "little-go generator pack --plies 8 --depth 2 --out l8 --parts p8", "docs/guides/BUILDER.md"
    ),
    "generator closure": Ending("little-go generator closure --plies 10 --db ten.db", "docs/guides/BUILDER.md"),
    "generator status": Ending("little-go status --db ten.db", "docs/guides/BUILDER.md"),
    "generator demo": Ending("little-go demo", "README.md"),
    "maker make": Ending("little-go make --plies 8 --komi 0.5 --out eight", "docs/tutorials/EIGHT_PLIES.md"),
    "maker family": Ending("little-go family --plies 8", "docs/explanation/SOLUTION.md"),
    "player build": Ending("little-go player build --check", "docs/explanation/PLAYER.md"),
    "proof check": Ending("little-go check game-at-least-3 --sample 200", "docs/guides/VERIFY.md"),
    "proof certificate": Ending(
        "little-go proof certificate --claim 'black >= 3' --out new.cert.gz", "docs/guides/VERIFY.md"
    ),
    "proof fsck": Ending("little-go proof fsck", "docs/guides/VERIFY.md"),
    "proof verify": Ending("little-go proof verify --colour black", "docs/guides/VERIFY.md"),
    "solver perft": Ending("little-go solver perft 4 2,2 1,1", "docs/reference/NOTATION.md"),
    "solver value": Ending("little-go value 2,2 1,1 1,2 2,1 3,1 3,2 1,3 0,2 2,3 3,3", "docs/guides/ASKING.md"),
}
