"""Small changes of a text that leave its meaning, or make it unreadable: it means the same, or must be refused."""

# ruff: noqa: RUF001

import re
from collections.abc import Callable
from random import Random

_WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
_WIDE_DIGITS = str.maketrans("0123456789", "０１２３４５６７８９")
_CYRILLIC = str.maketrans("ABCEHKMOPTXaceopxy", "АВСЕНКМОРТХасеорху")
_WORD = re.compile(r"[A-Za-z]{4,}")
#: Letters that are stones or points, whose order is the position.
_STONES = re.compile(r"[xobwXOBW_]+|[a-eA-E]+")


def _each_line(mark: str) -> Callable[[Random, str], str]:
    return lambda rng, text: "\n".join(f"{mark}{line}" for line in text.split("\n"))


def _around(before: str, after: str) -> Callable[[Random, str], str]:
    return lambda rng, text: f"{before}{text}{after}"


def _replaced(old: str, new: str) -> Callable[[Random, str], str]:
    return lambda rng, text: text.replace(old, new)


def typo(rng: Random, text: str) -> str:
    """Swap two letters of a word that is no row of stones."""
    words = [match for match in _WORD.finditer(text) if not _STONES.fullmatch(match[0])]
    if not words:
        return text
    word = rng.choice(words)
    at = word.start() + rng.randrange(len(word[0]) - 1)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def lost_letter(rng: Random, text: str) -> str:
    """Leave out a letter of a word that is no row of stones."""
    words = [match for match in _WORD.finditer(text) if not _STONES.fullmatch(match[0])]
    if not words:
        return text
    word = rng.choice(words)
    at = word.start() + rng.randrange(len(word[0]))
    return text[:at] + text[at + 1 :]


def doubled_comma(rng: Random, text: str) -> str:
    commas = [at for at, sign in enumerate(text) if sign == ","]
    if not commas:
        return text
    at = rng.choice(commas)
    return text[:at] + "," + text[at:]


def greeting(rng: Random, text: str) -> str:
    before = rng.choice(
        [
            "Hi Bob,",
            "Hello everybody,",
            "From: ann@example.org",
            "Mon, 4 May 2024 10:30",
            "Bob wrote:",
            "Problem",
            "My game",
            "Question:",
            "Hallo,",
        ]
    )
    return f"{before}\n\n{text}"


def farewell(rng: Random, text: str) -> str:
    after = rng.choice(
        ["Thanks, Ann", "Best, Ann", "-- ", "Sent from my phone", "What is best here?", "Danke!", "cheers :-)"]
    )
    return f"{text}\n\n{after}"


MUTATIONS: dict[str, Callable[[Random, str], str]] = {
    "upper case": lambda rng, text: text.upper(),
    "lower case": lambda rng, text: text.lower(),
    "swapped case": lambda rng, text: text.swapcase(),
    "no-break blanks": _replaced(" ", "\u00a0"),
    "wide blanks": _replaced(" ", "\u3000"),
    "double blanks": _replaced(" ", "  "),
    "tabs": _replaced(" ", "\t"),
    "blanks at the ends": lambda rng, text: "\n".join(f"  {line}  " for line in text.split("\n")),
    "CR LF": lambda rng, text: text.replace("\r", "").replace("\n", "\r\n"),
    "CR": lambda rng, text: text.replace("\r", "").replace("\n", "\r"),
    "blank lines": lambda rng, text: text.replace("\r", "").replace("\n", "\n\n"),
    "line separators": _replaced("\n", "\u2028"),
    "next lines": _replaced("\n", "\u0085"),
    "byte order mark": _around("\ufeff", ""),
    "zero width blank": _around("\u200b", "\u200b"),
    "comma at the end": _around("", ","),
    "stop at the end": _around("", "."),
    "quotation": _each_line("> "),
    "bars": _each_line("| "),
    "comment lines": _each_line("# "),
    "bullets": _each_line("* "),
    "fence": _around("```\n", "\n```"),
    "bold": _around("**", "**"),
    "quotes": _around('"', '"'),
    "curly quotes": _around("“", "”"),
    "brackets": _around("(", ")"),
    "square brackets": _around("[", "]"),
    "html": _around("<p>", "</p>"),
    "pre": _around("<pre>\n", "\n</pre>"),
    "greeting": greeting,
    "farewell": farewell,
    "typo": typo,
    "second typo": typo,
    "lost letter": lost_letter,
    "doubled comma": doubled_comma,
    "full width": lambda rng, text: text.translate(_WIDE),
    "full width digits": lambda rng, text: text.translate(_WIDE_DIGITS),
    "Cyrillic letters": lambda rng, text: text.translate(_CYRILLIC),
    "letters for zeros": _replaced("0", "O"),
    "zeros for letters": _replaced("O", "0"),
    "letters for ones": _replaced("1", "l"),
    "sharp s": _replaced("ß", "ss"),
}
