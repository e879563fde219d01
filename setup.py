"""Build the native search kernel: ``python setup.py build_ext --inplace``."""

import hashlib
import os
import re
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

NATIVE = Path("solver/native")

# The kernel is one unit for the compiler: kernel.c includes the other files.
KERNEL = [NATIVE / "kernel.c", *sorted(NATIVE.glob("kernel*.h"))]

# Built into the kernel. A table that is kept in a file contains this digest, so no other kernel uses the table.
SOURCE = hashlib.sha256(b"".join(path.read_bytes() for path in KERNEL)).hexdigest()
NAMED = [("KERNEL_SOURCE", f'"{SOURCE}"')]

# By the limited API one build serves all later versions of Python. 3.10's lacks buffers. Only 3.11's own headers count
# the references to True and False, as 3.11 needs and later versions do not: a build by later ones ends 3.11.
IS_LIMITED = sys.version_info[:2] == (3, 11)
LIMITED = [("Py_LIMITED_API", "0x030B0000")] if IS_LIMITED else []

# Without what debuggers read: it is most of the file, and names the directory of the build. Nothing is exported but the
# functions by which Python starts the modules.
OPTIONS = {
    "include_dirs": [str(NATIVE)],
    "extra_compile_args": ["-O3", "-std=c11", "-g0", "-fvisibility=hidden"],
    "py_limited_api": IS_LIMITED,
}
BINDINGS = [
    Extension("little_go.solver.native.kernel", ["solver/native/kernel.pyx"], define_macros=NAMED + LIMITED, **OPTIONS),
    Extension("little_go.solver.native.lookahead", ["solver/native/lookahead.pyx"], define_macros=LIMITED, **OPTIONS),
    Extension("little_go.solver.native.explain", ["solver/native/explain.pyx"], define_macros=LIMITED, **OPTIONS),
    Extension(
        "little_go.solver.native.twin_search", ["solver/native/twin_search.pyx"], define_macros=LIMITED, **OPTIONS
    ),
]

# Cython writes the bindings' C to build/, because solver/ has files of the same names: the C that they bind. The other
# sources are added only now. Cython would copy them to build/ too, over the bindings' C.
BUILT = cythonize(BINDINGS, build_dir="build/cython", compiler_directives={"language_level": "3"}, quiet=True)
for binding in BUILT:
    module = binding.name.rpartition(".")[2]
    names = ("kernel", "kernel_v3", "cpu_builds") if module == "kernel" else (module,)
    binding.sources += [str(NATIVE / f"{name}.c") for name in names]
    binding.depends += map(str, {NATIVE / "kernel.c", *NATIVE.glob("*.h")})

#: Files outside the packages that commands read: runtime.release finds them, in the clone or beside itself.
SHIPPED = (
    *("book.json", "explorer.html", "my_player3.py"),
    *("data/*.*", "data/S*", "data/ply*/*.part", "proof/certificates/*.gz", "proof/certificates/S*"),
)

#: Of those, what only `import` reads, for SQL: it would be half of a wheel. The source distribution has it.
NOT_INSTALLED = (Path("data/atlas_ply6.csv.gz"),)


class Build(build):
    """Say in a line what is missing, before hundreds of files are copied and the compiler is called."""

    def run(self):
        """Build as ever, if there is a C compiler, and Python's headers."""
        words = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
        header = Path(sysconfig.get_path("include"), "Python.h")
        missing = None if shutil.which(words[0]) else f"no C compiler, {words[0]}"
        missing = missing or (None if header.is_file() else f"no {header}")
        if missing:
            raise SystemExit(
                f"error: Little-Go compiles its kernel, and there is {missing}: install gcc and Python's headers (on"
                " Debian, apt-get install gcc libc6-dev python3-dev), or a wheel, which needs neither: there is one for"
                " Linux (x86-64, arm64; glibc, musl), macOS (Intel, Apple silicon) and Windows (x86-64)"
            )
        super().run()


class BuildPackages(build_py):
    """Copy the packages' files, and what ships with them."""

    def run(self):
        """Build as ever, and for all but an editable installation copy what ships."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib, "little_go", "runtime", "shipped")
        shutil.rmtree(target, ignore_errors=True)
        for file in sorted({file for pattern in SHIPPED for file in Path().glob(pattern)} - {*NOT_INSTALLED}):
            (target / file.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target / file)


def description() -> str:
    """Return the README for a package index, where its links to other files of the repository lead nowhere."""
    text = Path("README.md").read_text("utf-8").partition("## Documents\n")[0]
    text = re.sub(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)\n*", "", text, flags=re.DOTALL)
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", text) + "The documents are in the source distribution.\n"


class SourceDistribution(sdist):
    """Contain each room once: under little_go/ there are links to the rooms, as in the clone."""

    def make_release_tree(self, base_dir, files):
        """Copy all files except those behind a link, and make the links."""
        links = [path for path in sorted(Path("little_go").iterdir()) if path.is_symlink()]
        super().make_release_tree(base_dir, [file for file in files if not {*links} & {*Path(file).parents}])
        for link in links:
            Path(base_dir, link).symlink_to(link.readlink())


setup(
    long_description=description(),
    long_description_content_type="text/markdown",
    ext_modules=BUILT,
    cmdclass={"build": Build, "build_py": BuildPackages, "sdist": SourceDistribution},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if IS_LIMITED else {},
)
