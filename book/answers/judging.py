"""The judgement of a move, the record of a mistake, and the kinds of mistakes to learn first.

``tools.reading_js`` translates this module into the page's ``judging.js``. A pair of bounds is a list, [lo, hi], from
Black's side.
"""

from typing import Any

Found = dict[str, Any]

#: The maximum number of kinds of mistakes in a notebook.
MOST_KINDS = 3


def judged(is_black: bool, before: list[int], after: list[int], least: int) -> Found:
    """Return the cost of a move in points, whether the cost is exact, and whether the move changed the winner.

    before, after: bounds on the values of the positions before and after the move. least: the least value with which
    Black wins. A cost that is not exact is a proven lower bound.
    """
    return {
        "cost": before[0] - after[1] if is_black else after[0] - before[1],
        "exact": before[0] == before[1] and after[0] == after[1],
        "decisive": winner_of(before, least) + winner_of(after, least) == 3,
    }


def winner_of(bounds: list[int], least: int) -> int:
    """Return the winner that bounds prove: 1 is Black, 2 is White, and 0 means that the bounds prove no winner."""
    return 1 if bounds[0] >= least else 2 if bounds[1] < least else 0


def turning_point(mistakes: list[Found]) -> int:
    """Return the index of the last mistake that changed the winner, or -1."""
    found = -1
    for index in range(len(mistakes)):
        if mistakes[index]["decisive"]:
            found = index
    return found


def worst_of(mistakes: list[Found]) -> int:
    """Return the index of the turning point, or else of the first mistake with the highest cost, or -1."""
    worst = turning_point(mistakes)
    if worst >= 0:
        return worst
    for index in range(len(mistakes)):
        if worst < 0 or mistakes[index]["cost"] > mistakes[worst]["cost"]:
            worst = index
    return worst


def kind_of(move: str, kind: str) -> str:
    """Return the kind of a mistake. kind: the kind of the mistake's reason, or "other" if there is no reason."""
    return "passes" if move == "PASS" else kind


def mistake_record(made: Found, why: Any) -> Found:
    """Return the JSON fields that describe a mistake.

    made: a record with the keys ply, mover, move, cost, exact and decisive. why: a record with the keys theme and kind,
    worse and better for the two sentences, and answer and instead for the two lines; None if no reason is known.
    """
    unknown: Found = {"theme": None, "worse": "", "better": "", "answer": [], "instead": [], "kind": "other"}
    told = unknown if why is None else why
    return {
        "ply": made["ply"],
        "mover": made["mover"],
        "move": made["move"],
        "cost": made["cost"],
        "exact": made["exact"],
        "decisive": made["decisive"],
        "kind": kind_of(made["move"], told["kind"]),
        "best_move": told["instead"][0] if len(told["instead"]) > 0 else None,
        "pv": told["instead"],
        "answer": told["answer"],
        "theme": told["theme"],
        "why": None if why is None else f"{told['worse']} {told['better']}",
        "named": None if why is None else points_named(told["worse"], told["better"]),
    }


def kinds_to_learn(mistakes: list[Found]) -> list[Found]:
    """Return the MOST_KINDS kinds of mistakes that cost the most points.

    If two kinds have the same cost, the more frequent kind comes first. Mistakes of the kind "other" are omitted. The
    fields of a kind are the number of its mistakes, the number of its decisive mistakes, the total cost, and ``worst``,
    the index of the mistake that shows the kind best.
    """
    kinds = of_kinds(mistakes)
    found: list[Found] = []
    while len(found) < MOST_KINDS and len(found) < len(kinds):
        first = -1
        for index in range(len(kinds)):
            if kinds[index] not in found and (first < 0 or comes_before(kinds[index], kinds[first])):
                first = index
        found.append(kinds[first])
    return found


def of_kinds(mistakes: list[Found]) -> list[Found]:
    """Return the kinds of mistakes with their counts, in the order in which they first occur."""
    found: list[Found] = []
    for index in range(len(mistakes)):
        mistake = mistakes[index]
        at = 0
        while at < len(found) and found[at]["kind"] != mistake["kind"]:
            at += 1
        if mistake["kind"] != "other":
            if at == len(found):
                found.append({"kind": mistake["kind"], "mistakes": 0, "decisive": 0, "cost": 0, "worst": index})
            found[at]["mistakes"] += 1
            found[at]["cost"] += mistake["cost"]
            if mistake["decisive"]:
                found[at]["decisive"] += 1
            if shows_better(mistake, mistakes[found[at]["worst"]]):
                found[at]["worst"] = index
    return found


def comes_before(one: Found, other: Found) -> bool:
    """Return whether one kind should be learnt before another kind."""
    if one["cost"] != other["cost"]:
        return bool(one["cost"] > other["cost"])
    if one["mistakes"] != other["mistakes"]:
        return bool(one["mistakes"] > other["mistakes"])
    return bool(one["kind"] < other["kind"])


def shows_better(one: Found, other: Found) -> bool:
    """Return whether ``one`` shows its kind of mistake better than ``other``: by a lost win, by its cost, or by its
    ply.
    """
    if one["decisive"] != other["decisive"]:
        return bool(one["decisive"])
    if one["cost"] != other["cost"]:
        return bool(one["cost"] > other["cost"])
    return bool(one["ply"] > other["ply"])


def points_named(worse: str, better: str) -> dict[str, list[str]]:
    """Return, for each sentence of a reason, the points in the sentence without repetitions."""
    return {"worse": points_in(worse), "better": points_in(better)}


def points_in(sentence: str) -> list[str]:
    """Return the points in a sentence, without repetitions.

    >>> points_in("After 0,3 Black's 10,1 and 4,4 fall at ply 3,5, and 0,3 stays.")
    ['0,3', '4,4']
    """
    found: list[str] = []
    for at in range(len(sentence) - 2):
        point = sentence[at : at + 3]
        is_point = is_within(point, 0, "0", "4") and point[1] == "," and is_within(point, 2, "0", "4")
        is_inner = is_part_of_number(sentence, at - 1, ".") or is_part_of_number(sentence, at + 3, ",")
        if is_point and not is_inner and point not in found:
            found.append(point)
    return found


def is_within(text: str, at: int, first: str, last: str) -> bool:
    """Return whether the character of ``text`` at the index ``at`` is between ``first`` and ``last``."""
    return at >= 0 and at < len(text) and text[at] >= first and text[at] <= last


def is_part_of_number(text: str, at: int, sign: str) -> bool:
    """Return whether the character of ``text`` at the index ``at`` is a digit, a comma or ``sign``."""
    return is_within(text, at, "0", "9") or is_within(text, at, ",", ",") or is_within(text, at, sign, sign)
