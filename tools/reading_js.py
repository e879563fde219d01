"""Translate the modules that Python and the page share into JavaScript: ``python -m tools.reading_js``.

The modules are ``notation/texts.py``, which parses positions, and ``book/answers/judging.py``, which judges moves in a
review. Both modules are written in a subset of Python: functions, ``if``, ``while``, ``for`` over a list or ``range``,
assignments, calls, comparisons, slices with indexes from the front, f-strings, and list comprehensions with one
``for``. For anything else, and for a name that is reserved in JavaScript, the translation raises TranslationError.
"""

import ast
import json
import re
import sys
from pathlib import Path
from string import ascii_lowercase

from little_go.notation.ports import patterns, table
from little_go.runtime.files import read_text, write_whole

ROOT = Path(__file__).parents[1]
SOURCE, FORMS, TARGET = "notation/texts.py", "notation/forms.toml", "explorer/page/reading.js"
JUDGING, JUDGING_TARGET = "book/answers/judging.py", "explorer/page/judging.js"

#: The files that this tool translates into modules of the page. FORMS becomes a table in one of these modules.
SOURCES = (SOURCE, FORMS, JUDGING)

_HEAD = """// Made of {} by `python -m tools.reading_js`.
// @ts-nocheck mypy checks the types of the source.

"""
_PRELUDE = """const among = (all, one) => (Array.isArray(all) ? all.includes(one) : Object.hasOwn(all, one));
"""
_BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARE = {
    ast.Eq: "===",
    ast.NotEq: "!==",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "===",
    ast.IsNot: "!==",
}
_BINARY[ast.Mod] = "%"
_METHODS = {"append": "push", "find": "indexOf", "split": "split", "endswith": "endsWith"}
_CALLS = {"bool": "Boolean", "str": "String", "min": "Math.min", "max": "Math.max"}
_TAKEN = {
    "as", "do", "if", "in", "is", "of",
    "arguments", "await", "case", "catch", "const", "default", "delete", "enum", "export", "extends", "function",
    "instanceof", "let", "new", "null", "super", "switch", "this", "throw", "typeof", "var", "void",
}  # fmt: skip


#: The new, short names of the local variables of the function that is being translated. The name ``p`` and the names of
#: the module stay the same.
_short: dict[str, str] = {}
_LETTERS = [first + second for first in ("", *ascii_lowercase) for second in ascii_lowercase if first + second != "p"]


class TranslationError(ValueError):
    """Raised if Python code is not in the subset. The message contains the number of the line."""


def translated(source: str) -> str:
    """Return a module's functions and constants in JavaScript. Raise TranslationError if a part cannot be translated.

    >>> print(translated("def f(a: int) -> bool:\\n    return a == 1").strip())
    function f(a) {
      return a === 1;
    }
    """
    return "\n".join(text for node in ast.parse(source).body if (text := _top(node)))


def _top(node: ast.stmt) -> str:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
            return ""
        case ast.Assign([ast.Name(name)], ast.Constant() as value):
            return f"const {name} = {_value(value)};"
        case ast.Assign([ast.Name()], ast.Subscript()):
            return ""  # The assignment of a type alias has no translation.
        case ast.FunctionDef():
            return _function(node)
    raise _outside(node)


def _function(node: ast.FunctionDef) -> str:
    given = [argument.arg for argument in node.args.args]
    own = {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
    inner = {
        name.id
        for one in ast.walk(node)
        if isinstance(one, ast.comprehension)
        for name in [one.target]
        if isinstance(name, ast.Name)
    }
    if bad := (own | {*given}) & _TAKEN:
        raise TranslationError(f"line {node.lineno}: {min(bad)} is a word of JavaScript")
    every = [*given, *sorted(own - {*given})]
    letters = (letters for letters in _LETTERS if letters not in _TAKEN)
    _short.clear()
    _short.update({name: name if name == "p" else next(letters) for name in every})
    names = [_short[name] for name in sorted(own - inner - {*given} | (own & inner & _stored(node)))]
    lines = [f"let {','.join(names)};"] if names else []
    lines += [line for one in node.body for line in _statement(one)]
    return "\n".join(
        [f"function {node.name}({','.join(_short[name] for name in given)}) {{", *(f"  {line}" for line in lines), "}"]
    )


def _stored(node: ast.FunctionDef) -> set[str]:
    """Return the names that a function assigns, except in list comprehensions."""
    targets: list[ast.expr] = []
    for one in ast.walk(node):
        if isinstance(one, ast.Assign):
            targets += one.targets
        elif isinstance(one, (ast.AnnAssign, ast.AugAssign, ast.For)):
            targets.append(one.target)
    return {one.id for one in targets if isinstance(one, ast.Name)}


def _block(statements: list[ast.stmt]) -> list[str]:
    return [f"  {line}" for one in statements for line in _statement(one)]


def _statement(node: ast.stmt) -> list[str]:
    match node:
        case ast.Expr(ast.Constant()):
            return []
        case ast.Expr(value):
            return [f"{_value(value)};"]
        case ast.Assign([target], value):
            return [f"{_target(target)}={_value(value)};"]
        case ast.AnnAssign(target, _, value) if value is not None:
            return [f"{_target(target)}={_value(value)};"]
        case ast.AugAssign(target, ast.Add() | ast.Sub() as sign, value):
            return [f"{_target(target)} {_BINARY[type(sign)]}= {_value(value)};"]
        case ast.Return(value):
            return ["return;" if value is None else f"return {_value(value)};"]
        case ast.Continue():
            return ["continue;"]
        case ast.If(test, body, orelse):
            lines = [f"if ({_value(test)}) {{", *_block(body)]
            if len(orelse) == 1 and isinstance(orelse[0], ast.If):
                first, *rest = _statement(orelse[0])
                return [*lines, f"}} else {first}", *rest]
            return [*lines, *(["} else {", *_block(orelse)] if orelse else []), "}"]
        case ast.While(test, body, []):
            return [f"while ({_value(test)}) {{", *_block(body), "}"]
        case ast.For(ast.Name(name), ast.Call(ast.Name("range"), limits), body, []) if len(limits) <= 2:
            begin, end = ["0", *map(_value, limits)][-2:]
            return [f"for ({_short[name]}={begin};{_short[name]}<{end};{_short[name]}++) {{", *_block(body), "}"]
        case ast.For(ast.Name(name), over, body, []):
            return [f"for ({_short[name]} of {_value(over)}) {{", *_block(body), "}"]
    raise _outside(node)


def _target(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript) and _is_negative(node.slice):
        raise _outside(node)
    return _value(node)


def _value(node: ast.expr) -> str:
    match node:
        case ast.Constant(value):
            return json.dumps(value, ensure_ascii=False)
        case ast.Name(name):
            return _short.get(name, name)
        case ast.JoinedStr(parts):
            return f"`{''.join(map(_template, parts))}`"
        case ast.List(items):
            return f"[{','.join(map(_value, items))}]"
        case ast.Dict(keys, values):
            pairs = zip(map(_name, keys), map(_value, values), strict=True)
            return f"{{{','.join(f'{name}: {value}' for name, value in pairs)}}}"
        case ast.ListComp(made, [ast.comprehension(ast.Name(name), over, tests)]):
            chosen = "".join(f".filter(({_short[name]})=>{_value(test)})" for test in tests)
            is_same = isinstance(made, ast.Name) and made.id == name
            return _value(over) + chosen + ("" if is_same else f".map(({_short[name]})=>{_value(made)})")
        case ast.IfExp(test, body, orelse):
            return f"({_value(test)}?{_value(body)}:{_value(orelse)})"
        case ast.BoolOp(sign, values):
            between = "&&" if isinstance(sign, ast.And) else "||"
            return between.join(f"({_value(one)})" if isinstance(one, ast.BoolOp) else _value(one) for one in values)
        case ast.UnaryOp(ast.Not(), value):
            return f"!({_value(value)})"
        case ast.UnaryOp(ast.USub(), ast.Constant(value)):
            return f"-{value!r}"
        case ast.BinOp(left, ast.FloorDiv(), right):
            return f"Math.floor({_value(left)} / {_value(right)})"
        case ast.BinOp(left, sign, right) if type(sign) in _BINARY:
            return f"({_value(left)}{_BINARY[type(sign)]}{_value(right)})"
        case ast.Compare(left, [ast.In() | ast.NotIn() as sign], [right]):
            return f"{'!' * isinstance(sign, ast.NotIn)}among({_value(right)}, {_value(left)})"
        case ast.Compare(left, [sign], [right]) if type(sign) in _COMPARE:
            return f"{_operand(left)}{_COMPARE[type(sign)]}{_operand(right)}"
        case ast.Subscript(value, ast.Slice(lower, upper, None)):
            limits = ["0" if lower is None else _value(lower), *([] if upper is None else [_value(upper)])]
            return f"{_value(value)}.slice({','.join(limits)})"
        case ast.Subscript(value, ast.Constant(str(name))) if name.isidentifier():
            return f"{_value(value)}.{name}"
        case ast.Subscript(value, place):
            return (
                f"{_value(value)}.at({_value(place)})" if _is_negative(place) else f"{_value(value)}[{_value(place)}]"
            )
        case ast.Call(ast.Name("len"), [value]):
            return f"{_value(value)}.length"
        case ast.Call(ast.Attribute(ast.Constant(between), "join"), [value]):
            return f"{_value(value)}.join({json.dumps(between)})"
        case ast.Call(ast.Attribute(value, name), given, []) if name in _METHODS or (
            isinstance(value, ast.Name) and value.id == "p"
        ):
            return f"{_value(value)}.{_METHODS.get(name, name)}({','.join(map(_value, given))})"
        case ast.Call(ast.Name(name), given, []):
            return f"{_CALLS.get(name, _short.get(name, name))}({','.join(map(_value, given))})"
        case ast.Attribute(ast.Name("p"), name):
            return f"p.{name}"
    raise _outside(node)


def _name(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise TranslationError("want texts as a dictionary's keys") if node is None else _outside(node)


def _operand(node: ast.expr) -> str:
    return f"({_value(node)})" if isinstance(node, (ast.Compare, ast.BoolOp)) else _value(node)


def _template(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return (
            json.dumps(node.value, ensure_ascii=False)[1:-1]
            .replace('\\"', '"')
            .replace("`", "\\`")
            .replace("${", "\\${")
        )
    if isinstance(node, ast.FormattedValue) and node.format_spec is None and node.conversion == -1:
        return f"${{{_value(node.value)}}}"
    raise _outside(node)


def _is_negative(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _outside(node: ast.AST) -> TranslationError:
    return TranslationError(f"line {getattr(node, 'lineno', '?')}: {ast.unparse(node)[:60]} is outside of the subset")


def module(root: Path = ROOT) -> str:
    """Return the text of the page's module ``reading.js``."""
    forms = table()
    data = {name: forms[name] for name in ("most", "fold", "parts", "rows", "state", "columns", "keys", "refuse")}
    data["form"] = [one["name"] for one in forms["form"]]
    data["line"] = [{name: one[name] for name in one if name == "where"} for one in forms["line"]]
    data["decides"] = [{name: one[name] for name in one if name != "form"} for one in forms["decides"]]
    data["token"] = [{"kind": one["kind"]} for one in forms["token"]]
    data |= {"patterns": patterns(), "macros": forms["macros"]}
    text = (
        json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
        .replace("`", "\\u0060")
    )
    head = _HEAD.format(f"{SOURCE} and {FORMS}")
    return f"{head}export const FORMS = {text};\n\n" + _exported(root / SOURCE, "reading", r"read_\w+|items_of")


def judging_module(root: Path = ROOT) -> str:
    """Return the text of the page's module ``judging.js``."""
    wanted = "judged|turning_point|worst_of|mistake_record|kinds_to_learn|points_named"
    return _HEAD.format(JUDGING) + _exported(root / JUDGING, "judging", wanted)


def _exported(source: Path, name: str, wanted: str) -> str:
    """Return a JavaScript object ``name`` with the translated functions whose names match the pattern ``wanted``."""
    text = read_text(source, 1 << 20)
    names = re.findall(rf"^def ({wanted})\(", text, re.MULTILINE)
    inner = f"{_indented(_PRELUDE + translated(text))}\n  return {{ {','.join(names)} }};"
    return f"export const {name} = (() => {{\n{inner}\n}})();\n"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def main() -> int:
    """Write the two JavaScript modules."""
    write_whole(ROOT / TARGET, module())
    write_whole(ROOT / JUDGING_TARGET, judging_module())
    return 0


if __name__ == "__main__":
    sys.exit(main())
