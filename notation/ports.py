"""Functions that ``texts.py`` needs in Python. The page has the same functions in ``explorer/page/ports.js``."""

import json
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, NoReturn

from little_go.notation.faults import NotationError, place_in, shown
from little_go.solver.position import SIZE

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Found = dict[str, Any]


@cache
def table() -> dict[str, Any]:
    """Return the content of ``forms.toml``, the table of forms, with the remedies inserted into its messages."""
    content = pkgutil.get_data("little_go.notation", "forms.toml")
    assert content is not None, "the package has it"
    forms = tomllib.loads(content.decode("utf-8"))
    refuse = {name: [fault, _with_remedies(text, forms)] for name, (fault, text) in forms["refuse"].items()}
    decides = [{**one, "remedy": _with_remedies(one["remedy"], forms)} for one in forms["decides"]]
    states = {name: {**one, "wanted": _with_remedies(one["wanted"], forms)} for name, one in forms["state"].items()}
    return {**forms, "refuse": refuse, "decides": decides, "state": states}


def _with_remedies(text: str, forms: Mapping[str, Any]) -> str:
    return re.sub("{([a-z]+)}", lambda match: str(forms["remedy"][match[1]]), text)


def form_names() -> str:
    """Return the names of all formats that can be read, separated by commas.

    >>> form_names()[:19]
    'moves, GTP commands'
    """
    return ", ".join(form["name"] for form in table()["form"])


def full_width() -> dict[str, str]:
    """Return a dictionary that maps capitals and full-width characters to ordinary lower-case characters."""
    wide = {chr(code): chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)}
    capitals = [*map(chr, (*range(65, 91), *range(0xC0, 0xD7), *range(0xD8, 0xDF), *range(0x410, 0x430))), "Ё"]
    return wide | {sign: sign.lower() for sign in capitals}


@cache
def _folding() -> dict[int, str]:
    signs = {ord(sign): to for to, of in table()["fold"].items() for sign in of}
    return {ord(sign): to for sign, to in full_width().items()} | signs


def patterns() -> dict[str, str]:
    """Return the regular expressions of the table, indexed by name. Their syntax is that of JavaScript, with macros."""
    forms = table()
    named = {f"line{number}": one["form"] for number, one in enumerate(forms["line"])}
    named |= {f"decides{number}": one["form"] for number, one in enumerate(forms["decides"])}
    row = forms["row"]
    named |= {f"row{number}": row["form"].replace("{p}", one["point"]) for number, one in enumerate(forms["rows"])}
    named |= {name: row[name] for name in ("blank", "head", "sensei", "mover", "part", "dashes", "shown", "piece")}
    log = {"log_move" if name == "move" else name: form for name, form in forms["log"].items()}
    named |= log | {"prefix": forms["prefix"]["line"], "name": forms["prefix"]["name"], "blanks": " *"}
    named |= {
        "hex": forms["json"]["hex"],
        "json_side": forms["json"]["side"],
        "json_token": forms["json"]["token"],
        "cell": forms["json"]["cell"],
    }
    named["token"] = "|".join(f"(?<k{number}>{one['form']})" for number, one in enumerate(forms["token"]))
    return named


def _filled(form: str) -> str:
    for _ in range(3):
        for name, part in table()["macros"].items():
            form = form.replace(f"<{name}>", part)
    return form


@cache
def _patterns() -> dict[str, str]:
    return patterns()


@cache
def _compiled(name: str) -> "re.Pattern[str]":
    form = re.sub(r"\(\?<(?=[a-z])", "(?P<", _filled(_patterns()[name]))
    return re.compile(_numbered(form))


def _numbered(form: str) -> str:
    """Rename groups of a regular expression, because Python does not allow two groups that have the same name."""
    seen: dict[str, int] = {}

    def renamed(match: "re.Match[str]") -> str:
        name = match[1]
        seen[name] = seen.get(name, 0) + 1
        return f"(?P<{name}{'_again' * (seen[name] - 1)}>"

    return re.sub(r"\(\?P<([a-z_0-9]+)>", renamed, form)


@cache
def _roles(kind: str) -> Mapping[str, str]:
    return {name: role for role, names in table()[kind].items() for name in names}


def refusal(name: str, *values: Any, place: tuple[Any, ...] = ()) -> NotationError:
    """Return the NotationError with this name in the table, after inserting the values into its text.

    The parameter ``place`` consists of a line and a column.
    """
    fault, text = table()["refuse"][name]
    for number, value in enumerate(values):
        text = text.replace(f"<{number}>", shown(str(value))).replace(f"{{{number}}}", str(value))
    return NotationError(fault, text, *place)


class Ports:
    """The functions that ``texts.py`` calls while it reads a text."""

    def __init__(self, text: str) -> None:
        self.text = self._outer = text
        self.table = table()

    def match(self, name: str, text: str) -> Found | None:
        """Return the groups of the match if a form matches the whole text. Return None otherwise."""
        match = _compiled(name).fullmatch(text)
        if match is None:
            return None
        found: Found = {}
        for group, value in match.groupdict().items():
            plain = group.replace("_again", "")
            if value is not None or plain not in found:
                found[plain] = value
        if name.startswith("row"):
            found["end"] = match.end("number2") if found["number2"] is not None else match.end("points")
        return {group: value for group, value in found.items() if value is not None}

    def begins(self, name: str, text: str) -> int:
        """Return the length of the match if a form matches the beginning of a text, and otherwise 0."""
        match = _compiled(name).match(text)
        return match.end() if match else 0

    def search(self, name: str, text: str) -> int:
        match = _compiled(name).search(text)
        return match.start() if match else -1

    def pieces(self, text: str) -> list[list[Any]]:
        return [[match.start(), match[0]] for match in _compiled("piece").finditer(text)]

    def token(self, text: str, at: int) -> list[str]:
        match = _compiled("token").match(text, at)
        assert match is not None, "every sign begins a token"
        return [self.table["token"][int(str(match.lastgroup)[1:])]["kind"], match[0]]

    def json_tokens(self, text: str) -> list[list[Any]]:
        return [[_JSON_KINDS.get(m[0][0], "word"), m[0], m.start()] for m in _compiled("json_token").finditer(text)]

    def tuples(self, text: str) -> list[list[list[int]]]:
        """Return the tuples of three numbers in a text, or [] if the text contains anything else.

        Each number is a list of its value and its offset. Each tuple must be in brackets or on a separate line.
        """
        if re.fullmatch(r"[0-9,;()\[\] \n]{1,2000}", text) is None:
            return []
        inner = r"(?<=[(\[])[^()\[\]]*(?=[)\]])"
        groups = re.finditer(inner if re.search(inner, text) else r"[^\n]+", text)
        number = re.compile("[0-9]{1,3}")
        rows = [
            [[int(found[0]), found.start()] for found in number.finditer(text, *group.span())]
            for group in groups
            if group[0].strip()
        ]
        return rows if all(len(row) == 3 for row in rows) else []

    def cells(self, line: str) -> list[str]:
        return [cell.strip(" \"'") for cell in _compiled("cell").findall(line)]

    def signs(self, points: str, scheme: int) -> str:
        """Return the five characters of a row of a board, without the digits that may follow stones."""
        return re.sub("[ |()\"',.]" if scheme == 3 else "[ |()\"',]|(?<=[^0-9 |(\"',])[1-3]", "", points)

    def signs_used(self, rows: Iterable[str], of: str) -> list[str]:
        signs = (sign for row in rows for sign in row if self.fold(sign) in of and sign not in "0123456789")
        return list(dict.fromkeys(signs))

    def fold(self, text: str) -> str:
        return text.translate(_folding())

    def simple(self, name: str) -> str:
        return re.sub("[_ -]", "", self.fold(name))

    def role(self, kind: str, name: str) -> str:
        return _roles(kind).get(name, "")

    def names(self, facts: Found) -> list[str]:
        return [*facts]

    def holds(self, part: str, text: str) -> bool:
        return part != "" and part in text

    def any_of(self, signs: str, text: str) -> bool:
        return any(sign in text for sign in signs)

    def index_of(self, items: list[str], item: str) -> int:
        return items.index(item)

    def in_order(self, spans: list[list[int]]) -> list[list[int]]:
        return sorted(spans)

    def digits(self, text: str) -> str:
        return re.sub("[^0-9]", "", text)

    def number(self, word: str) -> int:
        return int(re.sub("[^0-9+-]", "", word))

    def number_of(self, word: str) -> int:
        """Return the value of a whole number in JSON. If the number is far too large, its last digits are ignored."""
        if word.startswith("0x"):
            return int(word, 16)
        return int(float(word)) if "." in word or "e" in word.lower() else int(word[:18])

    def is_whole(self, word: str) -> bool:
        """Return whether a number in JSON is whole and exact, such as 2.0. A float above 2**53 is not exact."""
        if re.fullmatch("-?[0-9]+", word):
            return True
        return bool(re.fullmatch("-?[0-9]{1,15}[.]0{1,9}", word))

    def is_rounded(self, word: str) -> bool:
        """Return whether a whole number may result from a float above 2**53, which has lost the last digits."""
        return len(word) >= 16 and float(word) > 2**53 and f"{Decimal(repr(float(word))):f}" == word

    def decimal(self, word: str) -> float:
        return float(word)

    def count(self, stones: int) -> int:
        return stones.bit_count()

    def trim(self, text: str) -> str:
        return text.strip(" ")

    def trim_end(self, text: str) -> str:
        return text.rstrip(" ")

    def blanks(self, count: int) -> str:
        return " " * count

    def is_blank(self, text: str, begin: int, end: int) -> bool:
        return not text[begin:end].strip(" \t\r\n\ufeff")

    def before(self, text: str, at: int) -> str:
        return text[max(0, at - 40) : at].rstrip(" \n")[-1:]

    def single_blanks(self, text: str) -> str:
        return re.sub(" +", " ", text)

    def is_between(self, text: str, begin: int, end: int) -> bool:
        """Return whether an opening bracket or quote precedes a piece, and a closing bracket or quote follows it."""
        behind = text[end : end + 40].lstrip(" \n")[:1]
        before = self.before(text, begin)
        return before != "" and behind != "" and before in "([{\"'" and behind in ")]}\"'"

    def unquoted(self, word: str, at: int) -> str:
        try:
            text: str = json.loads(word)
        except ValueError:
            self.refuse("json-text", at, [word])
        return text

    def shown(self, text: str) -> str:
        return shown(text)

    def side_name(self, side: int) -> str:
        return ("Black", "White")[side]

    def original(self, at: int, length: int) -> str:
        return self.text[at : at + length]

    def within(self, text: str) -> None:
        """Continue with an inner text, which is a part of the whole text. If the inner text is empty, continue with the
        whole text.

        An error in an inner text has no place.
        """
        self.text = text or self._outer

    def outcome(self, reader: Callable[..., list[Found]], *given: Any) -> Found:
        """Return the items that a reader returns and the fault "", or no items and the fault for which it refuses."""
        try:
            return {"items": reader(self, *given), "fault": ""}
        except NotationError as error:
            return {"items": [], "fault": error.fault}

    def point(self, row: int, column: int, at: int) -> int:
        if 0 <= row < SIZE and 0 <= column < SIZE:
            return SIZE * row + column
        self.refuse("off-board", at, [self._word(at)])

    def _word(self, at: int) -> str:
        match = re.compile("[0-9+-]+ *, *[0-9+-]+|[^ ,;]*").match(self.text, at)
        return match[0] if match else ""

    def drop(self, facts: Found, name: str) -> None:
        facts.pop(name, None)

    def refuse(self, name: str, at: int, values: Sequence[Any]) -> NoReturn:
        """Raise the NotationError with this name, for the offset ``at`` in the text or, if it is -1, the whole text."""
        known = 0 <= at <= len(self.text) and self.text is self._outer
        raise refusal(name, *values, place=place_in(self.text, at) if known else ())


_JSON_KINDS = {'"': "text", "{": "{", "}": "}", "[": "[", "]": "]", ",": ",", ":": ":"} | dict.fromkeys(
    "-0123456789", "number"
)
