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

# The digest of the kernel's sources, which is compiled into the kernel. A table in a file contains this digest, so no
# other kernel uses the table.
SOURCE = hashlib.sha256(b"".join(path.read_bytes() for path in KERNEL)).hexdigest()
NAMED = [("KERNEL_SOURCE", f'"{SOURCE}"')]

# With Python's limited API, one build works with all later versions of Python. The limited API of Python 3.10 lacks
# buffers, so the build uses 3.11. Newer headers cannot be used: they do not count references to True and False, so such
# a build would crash Python 3.11.
IS_LIMITED = sys.version_info[:2] == (3, 11)
LIMITED = [("Py_LIMITED_API", "0x030B0000")] if IS_LIMITED else []

# The modules contain no debugging information, which would be most of the file and would contain the path of the build.
# The modules export only the functions with which Python loads a module.
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

# Cython writes the C code of the bindings to build/, because solver/native/ has C files of the same names. These C
# files are added after cythonize(), which would copy them to build/ and overwrite the C code of the bindings.
BUILT = cythonize(BINDINGS, build_dir="build/cython", compiler_directives={"language_level": "3"}, quiet=True)
for binding in BUILT:
    module = binding.name.rpartition(".")[2]
    names = ("kernel", "kernel_v3", "cpu_builds") if module == "kernel" else (module,)
    binding.sources += [str(NATIVE / f"{name}.c") for name in names]
    binding.depends += map(str, {NATIVE / "kernel.c", *NATIVE.glob("*.h")})

#: The shipped files that commands read and that are in no package. runtime.release finds these files in the clone or in
#: the installed package.
SHIPPED = (
    *("book.json", "explorer.html", "my_player3.py"),
    *("data/*.*", "data/S*", "data/ply*/*.part", "proof/certificates/*.gz", "proof/certificates/S*"),
)

#: The shipped files that wheels omit. Only `little-go import` reads this file, which would be half of a wheel. The
#: source distribution contains this file.
NOT_INSTALLED = (Path("data/atlas_ply6.csv.gz"),)


class Build(build):
    """Check that the compiler and Python's headers exist before any file is copied."""

    def run(self):
        """Build, or exit with one line if the C compiler or Python's headers are missing."""
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
    """Copy the files of the packages and the shipped files."""

    def run(self):
        """Copy the packages. Copy the shipped files too, unless the installation is editable."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib, "little_go", "runtime", "shipped")
        shutil.rmtree(target, ignore_errors=True)
        for file in sorted({file for pattern in SHIPPED for file in Path().glob(pattern)} - {*NOT_INSTALLED}):
            (target / file.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target / file)


def description() -> str:
    """Return the README for a package index, without links to other files of the repository."""
    text = Path("README.md").read_text("utf-8").partition("## Documents\n")[0]
    text = re.sub(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)\n*", "", text, flags=re.DOTALL)
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", text) + "The documents are in the source distribution.\n"


class SourceDistribution(sdist):
    """Write a source distribution that contains each package once, because little_go/ has links to packages."""

    def make_release_tree(self, base_dir, files):
        """Copy all files except the files that a link leads to, and make the links."""
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
