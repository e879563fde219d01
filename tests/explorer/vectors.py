"""Vectors that Python has written, and what the page's modules make of them in Node.js."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest


def differences(script: str, vectors: str) -> list[tuple[str, str]]:
    """Return the lines of which a script beside this file prints another outcome than they have, with what it prints.

    vectors: lines of JSON, each with the expected outcome under ``is``. Skips the test without Node.js.
    """
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here: the page's modules run in it")
    command = [node, str(Path(__file__).with_name(script))]
    done = subprocess.run(command, input=vectors, capture_output=True, text=True, check=True)
    pairs = zip(vectors.splitlines(), done.stdout.splitlines(), strict=True)
    return [(line, found) for line, found in pairs if json.loads(line)["is"] != json.loads(found)]
