"""The help texts of all options, in groups, and the example and the page with which a command's help text ends.

An option has one text: ``OneLineErrors`` gives it to every command that has the option. A default that depends on the
command follows it.
"""

from typing import NamedTuple

#: The headings, in the order of a help text.
SUBJECT, RULES, LIMITS, OUTPUT = "What to work on", "Game and rules", "Limits", "Output"
GROUPS = (SUBJECT, RULES, LIMITS, OUTPUT)


class OptionText(NamedTuple):
    """The heading and the text of an option."""

    group: str
    text: str


class Ending(NamedTuple):
    """A command line that runs in a new clone, and the document to read next."""

    example: str
    page: str


OPTIONS = {
    "--again": OptionText(SUBJECT, "Play the games in --out again if an agent has changed since."),
    "--against": OptionText(SUBJECT, "Learn by games against this opponent, with both colours."),
    "--all": OptionText(SUBJECT, "Add every other proven position, not only the chosen moves."),
    "--alpha": OptionText(LIMITS, "Learning rate: how far a new result moves an old estimate."),
    "--at-least": OptionText(SUBJECT, "Only decide whether the value is N or more, which is faster."),
    "--black": OptionText(SUBJECT, "The agent that plays Black."),
    "--board": OptionText(SUBJECT, "Read the position from a file with five rows of . X O."),
    "--boards": OptionText(OUTPUT, "Draw the final board of each game."),
    "--book": OptionText(SUBJECT, "The book of openings to use."),
    "--browser": OptionText(OUTPUT, "Open the page in the browser."),
    "--budget": OptionText(LIMITS, "Stop after this time, such as 60s or 2h; the same command resumes."),
    "--canvas": OptionText(SUBJECT, "Canvas's export of the gradebook; the upload gets its headings and ids."),
    "--check": OptionText(OUTPUT, "Write nothing; only report what there is, or whether a file is up to date."),
    "--claim": OptionText(
        SUBJECT,
        'What to prove: "black >= 3" (Black can end 3 or more ahead) or "black <= 2" (White can hold Black to 2).',
    ),
    "--colour": OptionText(SUBJECT, "The side whose moves are chosen or checked."),
    "--count-pass": OptionText(RULES, "Count PASS as a move."),
    "--course": OptionText(RULES, "The course file, whose packages, files and limits apply."),
    "--course-files": OptionText(OUTPUT, "Write the course's modules and a player to start from into this directory."),
    "--cpu": OptionText(LIMITS, "CPU time for one move."),
    "--csv": OptionText(OUTPUT, "Print CSV instead of text."),
    "--db": OptionText(SUBJECT, "The database of proven positions."),
    "--depth": OptionText(SUBJECT, "How many plies to follow."),
    "--divide": OptionText(OUTPUT, "Show the position, and the last count for each move."),
    "--engine": OptionText(SUBJECT, "The native kernel, or the solver that is built into the player."),
    "--episodes": OptionText(LIMITS, "Number of games to learn from."),
    "--epsilon": OptionText(LIMITS, "Share of moves that are chosen at random while learning."),
    "--every": OptionText(OUTPUT, "Number of games between two measurements."),
    "--fixtures": OptionText(OUTPUT, "Write the positions as a test for pytest into this directory."),
    "--form": OptionText(SUBJECT, "How the submissions lie in the folder or zip."),
    "--full": OptionText(OUTPUT, "Print every game or wrong answer in full, however many there are."),
    "--game": OptionText(SUBJECT, "Read the position from the end of a game in SGF."),
    "--games": OptionText(SUBJECT, "How many games two agents play with the same colours."),
    "--gamma": OptionText(LIMITS, "Discount for each move: a smaller number prefers an early result."),
    "--html": OptionText(OUTPUT, "Write a page for a browser, which shows where agents go wrong."),
    "--input": OptionText(SUBJECT, "Read the position from the host's input.txt."),
    "--json": OptionText(OUTPUT, "Print JSON instead of text."),
    "--jsonl": OptionText(OUTPUT, "Write a line of JSON for each game or position; - is standard output."),
    "--keep-nodes": OptionText(LIMITS, "Store only results that cost this many nodes or more."),
    "--kernel": OptionText(
        SUBJECT, "First copy these compiled kernels, without and with shared memory, into explorer/."
    ),
    "--key": OptionText(SUBJECT, "The position with this key, as in a database."),
    "--komi": OptionText(RULES, "White's points in addition to the stones, a half such as 2.5."),
    "--late": OptionText(SUBJECT, "A table of days late, with the columns name and days."),
    "--left": OptionText(LIMITS, "Go down to this number of plies left."),
    "--lines": OptionText(SUBJECT, "Read positions in any form, one per line; - is standard input."),
    "--live": OptionText(LIMITS, "How long to search unsolved moves."),
    "--log": OptionText(OUTPUT, "The file of the log."),
    "--memory": OptionText(LIMITS, "Memory of a program in a sandbox."),
    "--moves": OptionText(SUBJECT, 'The position after these moves, such as "2,2 1,1 PASS".'),
    "--new": OptionText(OUTPUT, "Write a course file with the terms of a year, to edit."),
    "--nodes": OptionText(LIMITS, "Nodes to search for one position."),
    "--notes": OptionText(SUBJECT, "A file that notes what is done; the same command trusts it and resumes."),
    "--only": OptionText(SUBJECT, "Use only the one named; you may give the option again."),
    "--out": OptionText(OUTPUT, "The file or directory to write."),
    "--out-last": OptionText(OUTPUT, "Write the last ply to this file instead."),
    "--page": OptionText(SUBJECT, "The page to open."),
    "--paper": OptionText(SUBJECT, "The file of the exam's questions."),
    "--parts": OptionText(OUTPUT, "The directory of the parts."),
    "--plain": OptionText(LIMITS, "Check by the interpreter only; compile nothing."),
    "--player": OptionText(SUBJECT, "The script to check."),
    "--plies": OptionText(RULES, "The length of the game in plies, an even number."),
    "--ply": OptionText(SUBJECT, "Plies played so far; of moves or a game, where to stop."),
    "--port": OptionText(OUTPUT, "The port to serve the page on."),
    "--positions": OptionText(SUBJECT, "How many positions to ask."),
    "--prove": OptionText(LIMITS, "Also search N rows at random again with an empty table, or all rows."),
    "--python": OptionText(RULES, "The Python that runs Python agents, by path or name."),
    "--recheck": OptionText(LIMITS, "Share of the results of a cluster's workers that is searched again here."),
    "--regrade": OptionText(SUBJECT, "A table of points that the staff gives, with reasons."),
    "--review": OptionText(OUTPUT, "Review the games at the end; the reviews are written into --out."),
    "--sample": OptionText(LIMITS, "Check only this many lines, drawn at random."),
    "--sandbox": OptionText(LIMITS, "Run programs in a sandbox, without network and without your files."),
    "--scheduler": OptionText(LIMITS, "Use the workers of this dask.distributed scheduler."),
    "--scheme": OptionText(RULES, "The year whose grading applies."),
    "--seed": OptionText(LIMITS, "Seed of everything that is drawn at random."),
    "--sgf": OptionText(OUTPUT, "Write SGF with the value of each move: a file, or a directory for several games."),
    "--solver-nodes": OptionText(LIMITS, "Nodes that the player's own solver may search."),
    "--split-nodes": OptionText(LIMITS, "Split a position that costs more nodes than this."),
    "--stage": OptionText(RULES, "Play only this stage."),
    "--strict": OptionText(RULES, "Accept only moves to the letter of the assignment."),
    "--submit": OptionText(RULES, "Play only what the submit button of that year played."),
    "--svg": OptionText(OUTPUT, "Draw the values as a picture: a file, or a directory for several games."),
    "--table": OptionText(LIMITS, "Memory for the transposition table, such as 2GiB."),
    "--table-file": OptionText(LIMITS, "Keep the transposition table in a file, best in /dev/shm."),
    "--test-games": OptionText(LIMITS, "Number of games of one measurement."),
    "--theme": OptionText(SUBJECT, "Ask only questions of this theme, such as endgames."),
    "--values": OptionText(OUTPUT, "Write bounds and moves without keys, for programs and the explorer."),
    "--verdict": OptionText(SUBJECT, "Find out only who wins, not by how much."),
    "--wall": OptionText(LIMITS, "Clock time for one move."),
    "--white": OptionText(SUBJECT, "The agent that plays White."),
    "--whole": OptionText(LIMITS, "Check all lines at the end, and not only a sample."),
    "--why": OptionText(OUTPUT, "Explain why this move is worse than the best one."),
    "--worker": OptionText(SUBJECT, "The worker, as the run named it, or its host."),
    "--workers": OptionText(LIMITS, "How many threads or processes work at the same time."),
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
