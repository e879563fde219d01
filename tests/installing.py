"""Install the project as its users do: a source distribution, a wheel from it, and a new environment."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from tests.shell_blocks import ROOT, lay_out
from tools.check_c import STRICT


class Installed(NamedTuple):
    """The paths of an installation. source: the unpacked source distribution. programs: the folder of the environment's
    programs.
    """

    source: Path
    programs: Path


def install(place: Path) -> Installed:
    """Build the distributions and install the wheel, in an empty directory."""
    lay_out(place / "clone")
    sdist = build("sdist", place / "clone", place)
    with tarfile.open(sdist) as file:
        file.extractall(place / "unpacked", filter="data")
    (source,) = (place / "unpacked").iterdir()
    fresh_environment(place / "venv", build("wheel", source, place))
    return installed_in(place)


def installed_in(place: Path) -> Installed:
    """Return the installation that install() has made in a directory."""
    (source,) = (place / "unpacked").iterdir()
    return Installed(source, place / "venv" / "bin")


def build(kind: str, source: Path, out: Path) -> Path:
    """Build a distribution with the packages that are installed here, because the index may be unreachable."""
    program = f"from setuptools import build_meta as b; b.build_{kind}({str(out)!r})"
    # The flags are the defaults of newer compilers.
    environment = os.environ | {"CFLAGS": " ".join(STRICT)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob({"sdist": "*.tar.gz", "wheel": "*.whl"}[kind])
    return built


def fresh_environment(home: Path, wheel: Path) -> Path:
    """Create an environment with the wheel and the packages of requirements/run.txt, copied from here; return its
    programs.
    """
    venv.create(home, symlinks=True)
    (site,) = (home / "lib").glob("python*/site-packages")
    for name in re.findall(r"^([\w.-]+)==", (ROOT / "requirements/run.txt").read_text("utf-8"), re.MULTILINE):
        copy_distribution(name, site)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(home / "bin/python")]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)
    done = subprocess.run([*pip, "check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return home / "bin"


def copy_distribution(name: str, site: Path) -> None:
    try:
        distribution = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        # The requirement is for another Python or another system.
        return
    for file in distribution.files or []:
        target = site / file
        if ".." not in file.parts and "__pycache__" not in file.parts:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(str(distribution.locate_file(file))), target)
