"""Blocks of commands are read, run and compared as described in tests/shell_blocks.py."""

from pathlib import Path

import pytest

from tests.shell_blocks import Step, blocks_of, fits, must_fail, run_document

TEXT = """
```console
$ echo one; \\
  echo two
one
two
$ false   # 3 min, two cores
never
```

<!-- not run: 2 h, a cluster -->
```console
$ false
```

```python
x = 1
```
"""


def test_blocks_are_read() -> None:
    first, second, third = blocks_of(TEXT)
    assert first.steps[0] == Step("console", 3, "echo one; \\\n  echo two", "one\ntwo", "")
    assert first.steps[1] == Step("console", 7, "false   # 3 min, two cores", "never", "# 3 min")
    assert [step.why for step in second.steps] == ["2 h, a cluster"]
    assert third.steps == [Step("python", 17, "x = 1\n", "", "")]


@pytest.mark.parametrize(
    "comment",
    [
        "4 min, 2 GiB",
        "2 h",
        "minutes",
        "hours",
        "until Ctrl-C",
        "asks for moves",
        "needs gnugo",
        "10 s, needs 4 GiB",
        "on each machine",
    ],
)
def test_a_comment_that_says_why_keeps_a_command_from_running(comment: str) -> None:
    ((step,),) = (block.steps for block in blocks_of(f"```console\n$ false   # {comment}\n```\n"))
    assert step.why


@pytest.mark.parametrize("comment", ["3 s", "60 seconds at most", "the minimum", "1 hit"])
def test_other_comments_do_not(comment: str) -> None:
    ((step,),) = (block.steps for block in blocks_of(f"```console\n$ false   # {comment}\n```\n"))
    assert not step.why


@pytest.mark.parametrize(("comment", "long"), [("20 s", True), ("6 s, two cores", True), ("soon", False)])
def test_a_comment_with_seconds_is_for_the_long_tests(comment: str, long: bool, tmp_path: Path) -> None:
    blocks = blocks_of(f"```console\n$ false   # {comment}\n```\n")
    assert blocks[0].steps[0].long is long
    assert bool(run_document(blocks, tmp_path)) is not long
    assert run_document(blocks, tmp_path, long=True)


def test_output_without_a_command_is_an_error() -> None:
    with pytest.raises(ValueError, match="line 2"):
        blocks_of("```console\nhello\n```\n")


@pytest.mark.parametrize(
    ("shown", "output", "fit"),
    [
        ("", "anything\n", True),
        ("a  b\nc", "a b\nc\n\n", True),
        ("a b", "a b\nc\n", False),
        ("a b", "ab\n", False),
        ("…\nc", "a\nb\nc\n", True),
        ("a\n…\nc", "a\nc\n", True),
        ("a\n…", "a\n", True),
        ("a\n…\nc", "a\nb\n", False),
        ("port … open", "port 8080 open", True),
        ("took 0.11 s, 3 nodes", "took 1 min 2 s, 3 nodes", True),
        ("took 0.11 s, 3 nodes", "took 12.5 ms, 4 nodes", False),
        ("3 stones", "4 stones", False),
        ("a.b", "acb", False),
    ],
)
def test_output_fits(shown: str, output: str, fit: bool) -> None:
    assert fits(shown, output) is fit


def run(text: str, directory: Path) -> list[str]:
    return run_document(blocks_of(text), directory)


def test_a_document_that_keeps_its_word(tmp_path: Path) -> None:
    text = "```console\n$ cd /tmp && X=1\n$ pwd; echo $X\n/tmp\n1\n$ printf 'Error: no\\n' >&2; false\nError: no\n```\n"
    python = "```python\ny = 5\n```\n```python\n>>> y, 'abc'\n(5, …)\n```\n```console\n$ test ! -e /tmp/not-here\n```\n"
    assert run(text + python, tmp_path) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```console\n$ echo two\none\n```\n", "line 2: echo two\n--- shown:\none\n--- now:\ntwo\n"),
        ("```console\n$ false\n```\n", "line 2: false\nexit code 1:\n"),
        ("```console\n$ echo Error: no\nError: no\n```\n", "line 2: echo Error: no\nexit code 0:\n"),
        ("```console\n$ exit 3\n$ true\n```\n", "line 2: exit 3\nended the shell"),
        ("```python\n1 / 0\n```\n", "ZeroDivisionError"),
        ("```python\n>>> 1 + 1\n3\n```\n", "not as shown"),
        ("```python\nimport os; os._exit(1)\n```\n", "the interpreter ended"),
    ],
)
def test_a_document_that_does_not(text: str, said: str, tmp_path: Path) -> None:
    (wrong,) = run(text, tmp_path)
    assert said in wrong


def test_errors_are_told_by_their_first_words() -> None:
    assert must_fail(Step("console", 1, "x", "…\nError: no", ""))
    assert not must_fail(Step("console", 1, "x", "no Error: here", ""))
