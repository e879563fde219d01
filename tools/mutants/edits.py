"""Mutants: a mutant is one small change of one source file.

Edits of Python functions are found with ``ast``, and edits of C and JavaScript by tokens. equivalent.txt lists the
mutants that no test can kill.
"""

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Edit(NamedTuple):
    """A change of a source: the bytes from ``start`` to before ``end`` are replaced."""

    start: int
    end: int
    new: bytes


class Mutant(NamedTuple):
    """An edit of a file.

    path: the file's path, relative to the project. line: the number of the first edited line, from 1. before, after:
    the text of the edited lines, with single blanks. nth: the number of earlier mutants of the file with the same text.
    """

    path: str
    line: int
    before: str
    after: str
    nth: int
    edit: Edit

    @property
    def key(self) -> str:
        """Return a key of the mutant that stays the same if other lines of the file change."""
        return "\t".join((self.path, self.before, self.after, str(self.nth)))

    def rank(self, seed: int) -> str:
        """Return a sort key for the random sample of a seed. The key does not depend on other mutants."""
        return hashlib.sha256(f"{seed}\t{self.key}".encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.before}  ->  {self.after}"


def mutants_from(path: Path, root: Path, edits: list[Edit]) -> list[Mutant]:
    """Return a file's mutants in the order of its lines."""
    source, name = path.read_bytes(), path.relative_to(root).as_posix()
    counts: Counter[tuple[str, str]] = Counter()
    made = []
    for edit in sorted(set(edits)):
        first = source.rfind(b"\n", 0, edit.start) + 1
        last = source.find(b"\n", edit.end)
        lines = source[first : last if last >= 0 else None]
        before = _one_line(lines)
        after = _one_line(apply(lines, edit._replace(start=edit.start - first, end=edit.end - first)))
        line = source.count(b"\n", 0, edit.start) + 1
        made.append(Mutant(name, line, before, after, counts[before, after], edit))
        counts[before, after] += 1
    return made


def apply(source: bytes, edit: Edit) -> bytes:
    """Return the source after an edit. The line breaks of a removed text stay, so the line numbers do not change."""
    lost = source.count(b"\n", edit.start, edit.end) - edit.new.count(b"\n")
    return source[: edit.start] + edit.new + b"\n" * lost + source[edit.end :]


def _one_line(text: bytes) -> str:
    return " ".join(text.decode("utf-8").split())


EQUIVALENT = "equivalent"

FILE = Path("tools", "mutants", "equivalent.txt")


def read_equivalent(root: Path) -> dict[str, str]:
    """Return, by the key of each listed mutant, the reason why it is equivalent.

    Raise ValueError if an entry has no reason.
    """
    file = root / FILE
    entries = file.read_text("utf-8").split("\n\n") if file.exists() else []
    return dict(_parse(entry.strip()) for entry in entries if entry.strip() and not entry.startswith("#"))


def _parse(entry: str) -> tuple[str, str]:
    path, before, after, *reason = entry.splitlines()
    if not (before.startswith("- ") and after.startswith("+ ") and reason):
        raise ValueError(f"{FILE}: an entry is a file, a line after '- ', one after '+ ', and a reason: {entry}")
    name, _, number = path.partition(" #")
    return "\t".join((name, before[2:], after[2:], str(int(number or 1) - 1))), " ".join(reason)


#: The replacements of each comparison: ``<`` is replaced by ``<=`` and by its opposite ``>=``.
_COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[bytes, ...]]] = {
    ast.Lt: (r"<", (b"<=", b">=")),
    ast.LtE: (r"<=", (b"<", b">")),
    ast.Gt: (r">", (b">=", b"<=")),
    ast.GtE: (r">=", (b">", b"<")),
    ast.Eq: (r"==", (b"!=",)),
    ast.NotEq: (r"!=", (b"==",)),
    ast.Is: (r"\bis\b", (b"is not",)),
    ast.IsNot: (r"\bis\s+not\b", (b"is",)),
    ast.In: (r"\bin\b", (b"not in",)),
    ast.NotIn: (r"\bnot\s+in\b", (b"in",)),
}

_OPERATORS: dict[type[ast.operator], tuple[str, bytes]] = {
    ast.Add: (r"\+", b"-"),
    ast.Sub: (r"-", b"+"),
    ast.Mult: (r"\*", b"//"),
    ast.FloorDiv: (r"//", b"*"),
    ast.BitAnd: (r"&", b"|"),
    ast.BitOr: (r"\|", b"&"),
    ast.LShift: (r"<<", b">>"),
    ast.RShift: (r">>", b"<<"),
}

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

#: Methods that are only for debugging.
_UNTESTED = ("__repr__",)


def python_edits(source: bytes) -> list[Edit]:
    """Return all edits of a module's functions. Raise SyntaxError if the source is not valid."""
    return list(_Finder(source).edits_in(ast.parse(source), None))


class _Finder:
    def __init__(self, source: bytes) -> None:
        self._source = source
        self._lines = [0, *(match.end() for match in re.finditer(rb"\n", source))]

    def edits_in(self, node: ast.AST, names: Counter[str] | None) -> Iterator[Edit]:
        """Yield the edits of a node and of its children.

        names: the number of times that the function assigns each name, or None outside functions.
        """
        if isinstance(node, _FUNCTIONS):
            names = Counter(
                each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            )
        elif names is not None and not _is_for_types(node):
            yield from self._edits_of(node, names)
        for child in _children(node):
            yield from self.edits_in(child, names)

    def _edits_of(self, node: ast.AST, names: Counter[str]) -> Iterator[Edit]:
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
                pattern, others = _COMPARISONS[type(operator)]
                yield from (self._between(left, right, pattern, other) for other in others)
            return
        if isinstance(node, ast.BoolOp):
            pattern, other = (r"\band\b", b"or") if isinstance(node.op, ast.And) else (r"\bor\b", b"and")
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield self._between(left, right, pattern, other)
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS and not _has_text(node):
            yield self._between(node.left, node.right, *_OPERATORS[type(node.op)])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield Edit(self._start(node), self._start(node) + len(b"not"), b"")
        elif isinstance(node, ast.Constant):
            yield from self._edits_of_constant(node)
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield from self._negated(node.test)
        elif isinstance(node, ast.comprehension):
            yield from (edit for test in node.ifs for edit in self._negated(test))
        elif isinstance(node, ast.ExceptHandler):
            yield from self._edits_of_handler(node)
        elif isinstance(node, ast.stmt):
            yield from self._edits_of_statement(node, names)

    def _edits_of_constant(self, node: ast.Constant) -> Iterator[Edit]:
        if isinstance(node.value, bool):
            yield Edit(self._start(node), self._end(node), str(not node.value).encode())
        elif isinstance(node.value, int | float):
            yield Edit(self._start(node), self._end(node), str(node.value + 1).encode())

    def _edits_of_statement(self, node: ast.stmt, names: Counter[str]) -> Iterator[Edit]:
        if isinstance(node, ast.AugAssign) and type(node.op) in _OPERATORS:
            pattern, other = _OPERATORS[type(node.op)]
            yield self._between(node.target, node.value, f"{pattern}(?==)", other)
        if isinstance(node, ast.Return) and node.value and not isinstance(node.value, ast.Constant):
            yield Edit(self._start(node.value), self._end(node.value), b"None")
        elif _can_go(node, names):
            yield Edit(self._start(node), self._end(node), b"pass")

    def _edits_of_handler(self, node: ast.ExceptHandler) -> Iterator[Edit]:
        """Yield edits of a handler: the handler catches nothing, or does not catch the first of several exceptions."""
        if node.type is not None:
            start, end = self._start(node.type), self._end(node.type)
            yield Edit(start, end, b"()")
            if isinstance(node.type, ast.Tuple) and len(node.type.elts) > 1:
                yield Edit(start, self._start(node.type.elts[1]), b"(")

    def _negated(self, test: ast.expr) -> Iterator[Edit]:
        """Yield the negation of a condition, unless an edit of the condition's operator has the same effect."""
        if not isinstance(test, ast.Compare | ast.Constant) and not (
            isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        ):
            start, end = self._start(test), self._end(test)
            yield Edit(start, end, b"not (" + self._source[start:end] + b")")

    def _between(self, left: ast.expr, right: ast.expr, pattern: str, new: bytes) -> Edit:
        """Return the edit that replaces the operator between two operands.

        Blanks and brackets can surround the operator.
        """
        found = re.compile(pattern.encode()).search(self._source, self._end(left), self._start(right))
        assert found is not None, ast.unparse(left)
        return Edit(found.start(), found.end(), new)

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the executed children of a node, without annotations, decorators, defaults, docstrings and f-strings."""
    if isinstance(node, _FUNCTIONS):
        if node.name not in _UNTESTED:
            yield from node.body[1:] if ast.get_docstring(node) is not None else node.body
    elif isinstance(node, ast.ClassDef):
        yield from node.body
    elif isinstance(node, ast.Lambda):
        yield node.body
    elif isinstance(node, ast.AnnAssign):
        yield from [node.value] if node.value else []
    elif _is_for_types(node):
        return
    elif not isinstance(node, ast.JoinedStr):  # Python 3.10 and 3.11 give wrong positions in f-strings.
        yield from ast.iter_child_nodes(node)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _has_text(node: ast.BinOp) -> bool:
    """Return whether an operand is a string. Another operator would raise TypeError, which tests need not detect."""
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )


def _can_go(node: ast.stmt, names: Counter[str]) -> bool:
    """Return whether a statement can be deleted: every name that it assigns is also assigned by another statement."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    if isinstance(node, ast.AugAssign | ast.Raise | ast.Break | ast.Continue):
        return True
    if isinstance(node, ast.Assign):
        return all(
            isinstance(target, ast.Attribute | ast.Subscript) or (isinstance(target, ast.Name) and names[target.id] > 1)
            for target in node.targets
        )
    return False


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
    "&=": ("|=",),
    "|=": ("&=",),
    "<<=": (">>=",),
    ">>=": ("<<=",),
    "<<": (">>",),
    ">>": ("<<",),
    ">>>": ("<<",),
    " & ": (" | ",),
    " | ": (" & ",),
    "~": ("",),
    "break;": (";",),
    "continue;": (";",),
    "true": ("false",),
    "false": ("true",),
}

#: A pattern of tokens: words, integers and operators. The pattern contains all operators, so that no part of an
#: operator is matched as another operator. ``&`` is an operator with two operands only if blanks surround it; otherwise
#: it is C's address operator.
_TOKEN = re.compile(
    r"===|!==|==|!=|<<=|>>>?=|<<|>>>?|<=|>=|=>|->|&&=?|\|\|=?|\+\+|--|\+=|-=|&=|\|=| [&|] |[<>+~-]"
    r"|\b(?:true|false|(?:break|continue);)|(?<![\w.])(?P<number>0[xX][0-9a-fA-F]+|\d+)(?P<suffix>[uUlLn]*)(?![\w.])"
)

#: Patterns of the parts of a source without edits: comments and string literals, lines of C's preprocessor, and regular
#: expressions of JavaScript.
_C_HIDDEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M
)
_JS_HIDDEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|(?:(?<=[=(,:;!&|?{}\[>+])|(?<=return))\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*",
    re.S,
)


#: A pattern of statements that can be deleted: a call, an assignment to a declared variable, or a ``throw``.
_STATEMENT = re.compile(
    r"(?<=[;{})])\s*(?!return\b|if\b|for\b|while\b|switch\b|do\b|else\b|case\b|typedef\b)"
    r"(?P<statement>(?:throw\s[^;{}]*|\*?(?:await\s)?[A-Za-z_$][\w.$]*(?:(?:->|\.)\w+|\[[^;{}\[\]]*\])*"
    r"(?:\([^;{}]*\)|\s*(?:[-+*/%&|^]|<<|>>>?)?=(?!=)[^;{}]*));)"
)


def brace_edits(source: bytes, *, script: bool) -> list[Edit]:
    """Return all edits of the functions of a C source or of a script."""
    code = masked(source.decode("latin-1"), script=script)  # Latin-1 has one character for each byte.
    edits: list[Edit] = []
    for start, end in _functions(code):
        edits += _token_edits(code, start, end)
        edits += _negations(source, code, start, end)
        edits += [Edit(*found.span("statement"), b";") for found in _STATEMENT.finditer(code, start, end)]
    return edits


def masked(text: str, *, script: bool) -> str:
    """Return a source with blanks in place of comments, string literals and lines of the preprocessor."""
    if not script:
        return _C_HIDDEN.sub(_blanks, text)
    done: list[str] = []
    position, depths = 0, [0]  # depths: the depth of braces in each enclosing template literal
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
    """Return the offset at which a template literal ends, or at which its next code part begins."""
    found = re.compile(r"(?:\\.|(?!`|\$\{).)*(?:`|\$\{|\Z)", re.S).match(text, start)
    return found.end() if found else len(text)


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _blanks(found: re.Match[str]) -> str:
    return _blanked(found[0])


def _functions(code: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of the body of each outermost function.

    The body of an arrow function can be an expression.
    """
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
