"""Plain English: words that must not return, few long sentences, and a maximum number of words of the README."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.test_layout import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("data/*.md")])
FOLDERS = ("arena", "book", "explorer", "generator", "lab", "little_go", "maker", "notation", "player", "proof")
SOURCES = sorted(
    [
        path
        for folder in (*FOLDERS, "report", "crew", "runtime", "solver", "tools")
        for path in (ROOT / folder).rglob("*.py")
    ]
)

#: By pattern of a phrase that must not return, the replacement.
WORDS = {
    r"by lot": "at random",
    r"anew": "again",
    r"(?:too|so|how) dear|dear (?:results?|ones?|lea(?:f|ves))|dearest": "expensive",
    r"goes on where it was": "resumes",
    r"reckon(?:s|ed|ing)?": "estimate",
    r"beside other work|(?:with|had|did) other work": "under load",
    r"from cold": "with an empty table",
    r"(?:its|eight|their) images|images (?:count|of each other|of one)": "symmetric copies",
    r"three (?:games|positions) of four": "three in four",
    r"as far as there is time": "as time allows",
    r"whoever says so|who says so": "its source",
    r"(?:the )?kernel says it": "rest on the solver",
    r"is the luck of|not a law": "do not expect this elsewhere",
    r"says whether yours|says whether all": "checks, verifies",
    r"no file knows|what no file|knows nothing": "unsolved moves; shares nothing",
    r"what the files leave": "unsolved moves",
    r"where that is known from": "its source",
    r"what can be handed in": "notation",
    r"reads an? \w+ a line": "one per line",
    r"not what ships|from what ships|than what ships|all that ships": "the shipped files",
    r"least best": "first best",
    r"to go on after a stop": "to resume after a stop",
}
NEVER = re.compile(rf"\b(?:{'|'.join(WORDS)})\b", re.IGNORECASE)

#: The number of words of a long sentence, and the share of sentences that may be long.
LONG, SHARE = 35, 0.05


def texts_of(path: Path) -> Iterator[str]:
    """Yield the docstrings, comments and other texts of a module, if one of them may contain such a phrase."""
    source = path.read_text("utf-8")
    if not NEVER.search(" ".join(re.sub(r"\b[bfru]{0,2}[\"']|[\"'#]", " ", source).split())):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def found_in(texts: Iterator[str]) -> list[str]:
    """Return the phrases that must not return, in texts whose lines may break inside a phrase."""
    return [match[0] for text in texts for match in NEVER.finditer(" ".join(text.split()))]


def sentences(text: str) -> list[str]:
    """Return the sentences of a document's prose: paragraphs and items of lists, without code, tables and headings."""
    text = re.sub(r"^(?:<!--[^\n]*-->\n)?```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^(?:\||#|!\[|<).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:- |\d+\. ))", text)
    found = [each for part in parts for each in re.split(r"(?<=[.!?])[*)\"]*\s+", " ".join(part.split()))]
    return [each for each in found if re.search(r"\w", each)]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_old_words_do_not_come_back_to_a_document(path: Path) -> None:
    assert found_in(iter([path.read_text("utf-8")])) == []


def test_old_words_do_not_come_back_to_helps_messages_docstrings_and_comments() -> None:
    found = {path: found_in(texts_of(path)) for path in SOURCES}
    assert {str(path.relative_to(ROOT)): words for path, words in found.items() if words} == {}


def test_few_sentences_are_long() -> None:
    every = [each for path in DOCUMENTS for each in sentences(path.read_text("utf-8"))]
    long = [each for each in every if len(each.split()) > LONG]
    assert len(every) > 1_000
    assert len(long) / len(every) < SHARE, "\n".join(long)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_sentence_that_is_cut_out_leaves_no_blanks(path: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert re.findall(r"^(?!\||    )(?: \S.*|.*(?:\S  +\S.*| ))$", prose, re.MULTILINE) == []


#: The number of columns below which a line is ragged if the next word, or the next whole link, would fit.
_NARROW = 100
_NEXT = re.compile(r"\s*(\[[^\]]*\]\([^)]*\)\S*|\S+)")


def scars(text: str) -> list[str]:
    """Return traces of deletions in a document: double blank lines, lists split by a blank line, ragged paragraphs."""
    prose = re.sub(r"^```.*?^```$", "```", text, flags=re.DOTALL | re.MULTILINE)
    blanks = re.findall(r".*\n\n\n.*", prose)
    split = re.findall(r"^- .*\n(?:  +\S.*\n)*\n- .*", prose, re.MULTILINE)
    ragged = []
    for line, after in pairwise(prose.split("\n")):
        is_prose = line.strip() and after.strip() and not re.match(r"[|#<`!]|    |---", line)
        if is_prose and not re.match(r"\s*(?:[|#<`!]|- |\d+\. |---)", after):
            following = _NEXT.match(after)
            if following and len(line) + 1 + len(following[1]) < _NARROW:
                ragged.append(line)
    return [*blanks, *split, *ragged]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_has_no_scars(path: Path) -> None:
    assert scars(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One.\n\nTwo.\n", 0),
        ("One.\n\n\nTwo.\n", 1),
        ("- One\n- Two\n", 0),
        ("- One\n\n- Two\n", 1),
        ("A short line that was cut\nand has another behind it.\n", 1),
        ("```text\na\n\n\nb\n```\n", 0),
    ],
)
def test_a_scar_is_found(text: str, count: int) -> None:
    assert len(scars(text)) == count


def words_of(text: str) -> list[str]:
    """Return the words of a document, without comments."""
    return re.findall(r"\S*\w\S*", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))


def test_the_readme_is_short_enough() -> None:
    assert len(words_of((ROOT / "README.md").read_text("utf-8"))) <= 700


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ties are decided\nby lot", ["by lot"]),
        ("A dear friend.", []),
        ("It is too dear.", ["too dear"]),
        ("the eight images of a board", ["eight images"]),
        ("two images of the page", []),
    ],
)
def test_an_old_word_is_found(text: str, found: list[str]) -> None:
    assert found_in(iter([text])) == found


def test_sentences_are_told_from_code_and_tables() -> None:
    text = "# Head\n\nOne `a. b` here. Two\nthere.\n\n- Three\n- Four\n\n| a | b |\n\n```\nno. no.\n```\n"
    assert sentences(text) == ["One code here.", "Two there.", "- Three", "- Four"]
