"""Print the outcomes of random texts by way of writing: ``python -m tests.notation.ways --seed 7 --count 2000``."""

import argparse
from collections import Counter, defaultdict

from tests.explorer.vectors import open_modules
from tests.notation.ways.outcomes import (
    OUTCOMES,
    RIGHT,
    Answer,
    Case,
    asked_of_page,
    asked_of_python,
    cases,
    is_wrong,
    outcome,
)
from tests.notation.ways.registry import WAYS

READERS = ("python", "page")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.notation.ways", description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--examples", type=int, default=2, help="texts to print for each way that is read wrong")
    parser.add_argument("--way", default="", help="only ways whose name contains this")
    parser.add_argument("--reader", choices=(*READERS, "both"), default="both")
    parser.add_argument("--refused", action="store_true", help="print texts with a position that are refused as well")
    options = parser.parse_args()
    drawn = [case for case in cases(options.seed, options.count) if options.way in case.way]
    answers = answers_of(drawn, READERS if options.reader == "both" else (options.reader,))
    for reader, found in answers.items():
        show(reader, drawn, found, options.examples, options.refused)
    if len(answers) == 2:
        show_differences(drawn, answers["python"], answers["page"], options.examples)


def answers_of(drawn: list[Case], readers: tuple[str, ...]) -> dict[str, list[Answer]]:
    texts = [case.told.text for case in drawn]
    found = {}
    if "python" in readers:
        found["python"] = [asked_of_python(text) for text in texts]
    if "page" in readers:
        with open_modules() as page:
            found["page"] = asked_of_page(page, texts)
    return found


def show(reader: str, drawn: list[Case], answers: list[Answer], count: int, with_refused: bool) -> None:
    """Print a table by way, and examples of wrong answers."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for case, answer in zip(drawn, answers, strict=True):
        table[case.way][outcome(case.told, answer)] += 1
    print(f"\n=== {reader}: {len(drawn)} texts in {len(table)} ways of {len(WAYS)}\n")
    print(f"{'way':46}" + "".join(f"{name[:14]:>15}" for name in OUTCOMES))
    for way in sorted(table, key=lambda way: -sum(table[way][name] for name in OUTCOMES[2:])):
        print(f"{way:46}" + "".join(f"{table[way][name] or '':>15}" for name in OUTCOMES))
    total: Counter[str] = sum(table.values(), Counter())
    print(f"{'all':46}" + "".join(f"{total[name]:>15}" for name in OUTCOMES))
    pairs = [*zip(drawn, answers, strict=True)]
    print_share("texts with a position, unchanged and no trap", [pair for pair in pairs if pair[0].is_counted])
    print_share("all texts with a position", [pair for pair in pairs if pair[0].told.meant])
    print()
    shown: Counter[str] = Counter()
    for case, answer in pairs:
        name = outcome(case.told, answer)
        if (is_wrong(name) or (with_refused and case.told.meant and name != RIGHT)) and shown[case.way] < count:
            shown[case.way] += 1
            print(example(reader, case, answer))


def print_share(title: str, pairs: list[tuple[Case, Answer]]) -> None:
    count = sum(outcome(case.told, answer) == RIGHT for case, answer in pairs)
    print(f"{title}: {count} of {len(pairs)} read, {100 * count // max(1, len(pairs))} %")


def example(reader: str, case: Case, answer: Answer) -> str:
    """Return a text, its meaning and the answer, in a few lines."""
    change = f" ({case.change})" if case.change else ""
    meant = " or ".join(map(brief, case.told.meant)) or "refuse"
    got = (
        f"refused: {answer.said}"
        if answer.position is None
        else f"{brief(answer.position)}{f' [{answer.said}]' if answer.said else ''}"
    )
    head = f"{reader}, {case.way}{change}: {outcome(case.told, answer)}"
    return f"{head}\n  {case.told.text!r:.400}\n  meant {meant}\n  got   {got:.400}\n"


def brief(position: tuple[int, int, int | None, int, bool]) -> str:
    black, white, ko, ply, passed = position
    rows = "/".join(
        "".join("X" if black >> p & 1 else "O" if white >> p & 1 else "." for p in range(at, at + 5))
        for at in range(0, 25, 5)
    )
    return f"{rows} ply {ply}{f' ko {ko}' if ko is not None else ''}{' passed' if passed else ''}"


def show_differences(drawn: list[Case], python: list[Answer], page: list[Answer], count: int) -> None:
    """Print the number of texts that the two readers read differently, and examples."""
    differ = [triple for triple in zip(drawn, python, page, strict=True) if triple[1].position != triple[2].position]
    print(f"=== {len(differ)} of {len(drawn)} texts are not read alike\n")
    shown: Counter[str] = Counter()
    for case, one, other in differ:
        if shown[case.way] < count:
            shown[case.way] += 1
            print(example("python", case, one) + example("page", case, other))


if __name__ == "__main__":
    main()
