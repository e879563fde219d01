"""Edits of C and JavaScript sources, found by regular expressions in what is neither comment nor text."""

import re
from collections.abc import Iterator

from tools.mutants.mutant import Edit

_OTHERS: dict[str, tuple[str, ...]] = {
    "===": ("!==",),
    "!==": ("===",),
    "==": ("!=",),
    "!=": ("==",),
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "&&": ("||",),
    "||": ("&&",),
    "+": ("-",),
    "-": ("+",),
    "++": ("--",),
    "--": ("++",),
    "+=": ("-=",),
    "-=": ("+=",),
    "true": ("false",),
    "false": ("true",),
}

#: Operators, those that stay as they are too, so that no part of one is taken for another; words; whole numbers.
_TOKEN = re.compile(
    r"===|!==|==|!=|<<=|>>>?=|<<|>>>?|<=|>=|=>|->|&&=?|\|\|=?|\+\+|--|\+=|-=|[<>+-]"
    r"|\b(?:true|false)\b|(?<![\w.])(?P<number>0[xX][0-9a-fA-F]+|\d+)(?P<suffix>[uUlLn]*)(?![\w.])"
)

#: Comments and texts, and where one of JavaScript's regular expressions can begin; preprocessor's lines for C.
_C_HIDDEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M
)
_JS_HIDDEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|(?:(?<=[=(,:;!&|?{}\[>+])|(?<=return))\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*",
    re.S,
)


def brace_edits(source: bytes, *, script: bool) -> list[Edit]:
    """Return all edits of the functions of a C source, or of a script's."""
    code = masked(source.decode("latin-1"), script=script)  # one character for each byte
    edits: list[Edit] = []
    for start, end in _functions(code):
        edits += _token_edits(code, start, end)
        edits += _negations(source, code, start, end)
    return edits


def masked(text: str, *, script: bool) -> str:
    """Return a source with blanks in the place of comments, texts and the preprocessor's lines."""
    if not script:
        return _C_HIDDEN.sub(_blanks, text)
    done: list[str] = []
    position, depths = 0, [0]  # of the braces, in each of the template literals around
    while position < len(text):
        if text[position] == "`" or (text[position] == "}" and depths[-1] == 0 and len(depths) > 1):
            if text[position] == "}":
                depths.pop()
            end = _end_of_template(text, position + 1)
            done.append(_blanked(text[position:end]))
            position = end
            if text.startswith("${", end - 2):
                depths.append(0)
            continue
        depths[-1] += {"{": 1, "}": -1}.get(text[position], 0)
        hidden = _JS_HIDDEN.match(text, position)
        end = hidden.end() if hidden else position + 1
        done.append(_blanked(text[position:end]) if hidden else text[position])
        position = end
    return "".join(done)


def _end_of_template(text: str, start: int) -> int:
    """Return where a template literal ends, or its next part that is code begins."""
    found = re.compile(r"(?:\\.|(?!`|\$\{).)*(?:`|\$\{|\Z)", re.S).match(text, start)
    return found.end() if found else len(text)


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _blanks(found: re.Match[str]) -> str:
    return _blanked(found[0])


def _functions(code: str) -> Iterator[tuple[int, int]]:
    """Yield where the outermost functions' bodies begin and end; the body of an arrow may be an expression."""
    position = 0
    start = re.compile(r"(?:\)|=>)\s*\{|=>(?!\s*\{)")
    while found := start.search(code, position):
        position = _end_of_body(code, found.end(), found[0].endswith("{"))
        yield found.end(), position


def _end_of_body(code: str, start: int, braces: bool) -> int:
    depth = 0
    for position in range(start, len(code)):
        if depth == 0 and (code[position] in ")]}" or (not braces and code[position] in ",;")):
            return position
        depth += (code[position] in "([{") - (code[position] in ")]}")
    return len(code)


def _token_edits(code: str, start: int, end: int) -> Iterator[Edit]:
    for found in _TOKEN.finditer(code, start, end):
        others = _OTHERS.get(found[0], ())
        if found["number"]:
            others = (f"{int(found['number'], 0) + 1}{found['suffix']}",)
        yield from (Edit(*found.span(), other.encode()) for other in others)


def _negations(source: bytes, code: str, start: int, end: int) -> Iterator[Edit]:
    for found in re.compile(r"\b(?:if|while)\s*\(").finditer(code, start, end):
        last = _end_of_body(code, found.end(), braces=True)
        yield Edit(found.end(), last, b"!(" + source[found.end() : last] + b")")
