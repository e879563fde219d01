"""The pictures in docs/explanation/KERNEL.md. The program kernel_pictures.c prints them with the kernel's functions."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

_ROOT = Path(__file__).parents[2]

#: The document with the pictures; ``python -m tools.affected --accept`` writes them.
DOCUMENT = _ROOT / "docs" / "explanation" / "KERNEL.md"

_PICTURE = re.compile(r"(<!-- picture: (\w+) -->\n```text\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)


def printed_pictures() -> dict[str, str]:
    """Compile the program with gcc, and return its pictures by name."""
    with TemporaryDirectory() as directory:
        program = Path(directory) / "kernel_pictures"
        source = Path(__file__).with_suffix(".c")
        subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", source, "-o", program], check=True)
        output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    parts = (part.partition("\n") for part in output.split("== ")[1:])
    return {name: f"{text.rstrip()}\n" for name, _, text in parts}


def pictures_of(text: str) -> dict[str, str]:
    """Return the pictures in a document by name."""
    return {name: picture for _, name, picture in _PICTURE.findall(text)}


def with_pictures(text: str, pictures: Mapping[str, str]) -> str:
    """Return a document's text with these pictures. Raise KeyError if the document has a picture that is not given."""
    return _PICTURE.sub(lambda found: found[1] + pictures[found[2]], text)


def document_text() -> str:
    """Return the text of the document with the pictures that the program prints."""
    return with_pictures(DOCUMENT.read_text("utf-8"), printed_pictures())
