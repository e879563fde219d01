"""Build the native search kernel: ``python setup.py build_ext --inplace``."""

import hashlib
import platform
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

# Built into the kernel. A table kept in a file names it, so that no other kernel uses the table.
NATIVE = Path("solver/native")
SOURCE = hashlib.sha256(b"".join((NATIVE / name).read_bytes() for name in ("kernel.c", "kernel.h"))).hexdigest()
NAMED = [("KERNEL_SOURCE", f'"{SOURCE}"')]

# Without what debuggers read: it is most of the file, and names the directory of the build.
FLAGS = ["-O3", "-std=c11", "-g0"]
OPTIONS = {"include_dirs": [str(NATIVE)], "extra_compile_args": FLAGS}
BINDINGS = [
    Extension("solver.native.kernel", ["solver/native/kernel.pyx"], define_macros=NAMED, **OPTIONS),
    Extension("solver.native.lookahead", ["solver/native/lookahead.pyx"], **OPTIONS),
]

# Cython writes the bindings' C to build/, because solver/ has files of the same names: the C that they bind. The other
# sources are added only now. Cython would copy them to build/ too, over the bindings' C.
BUILT = cythonize(BINDINGS, build_dir="build/cython", compiler_directives={"language_level": "3"}, quiet=True)
for binding in BUILT:
    name = binding.name.replace(".", "/")
    binding.sources.append(f"{name}.c")
    binding.depends += [f"{name}.h", "solver/native/kernel.c", "solver/native/kernel.h"]

# The kernel is compiled twice: for any machine of the kind, and for those with AVX2, as most have had it since 2013.
# solver/native/__init__.py picks one where it runs.
if platform.machine() == "x86_64":
    KERNEL = BUILT[0]
    modern = {"include_dirs": KERNEL.include_dirs, "extra_compile_args": [*FLAGS, "-march=x86-64-v3"]}
    BUILT.append(
        Extension(
            "solver.native.x86_64_v3.kernel", KERNEL.sources, depends=KERNEL.depends, define_macros=NAMED, **modern
        )
    )
    NATIVE.joinpath("x86_64_v3").mkdir(exist_ok=True)

#: Files outside the packages that commands read: runtime.release finds them, in the clone or beside itself.
SHIPPED = ("book.json", "explorer.html", "my_player3.py", "data/*", "proof/certificates/*.gz", "proof/certificates/S*")


class BuildPackages(build_py):
    """Copy the packages' files, and what ships with them."""

    def run(self):
        """Build as ever, and for all but an editable installation copy what ships."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib, "runtime", "shipped")
        shutil.rmtree(target, ignore_errors=True)
        for file in sorted(file for pattern in SHIPPED for file in Path().glob(pattern)):
            (target / file.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target / file)


setup(ext_modules=BUILT, cmdclass={"build_py": BuildPackages})
