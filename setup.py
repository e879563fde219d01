"""Build the native search kernel: ``python setup.py build_ext --inplace``."""

import hashlib
import os
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

# `make setup` asks for this machine's own instructions; what is built to be carried elsewhere does without.
MACHINE = ["-march=native"] if os.environ.get("LITTLE_GO_NATIVE") else []

# Built into the kernel. A table kept in a file names it, so that no other kernel uses the table.
NATIVE = Path("solver/native")
SOURCE = hashlib.sha256(b"".join((NATIVE / name).read_bytes() for name in ("kernel.c", "kernel.h"))).hexdigest()
NAMED = [("KERNEL_SOURCE", f'"{SOURCE}"')]

OPTIONS = {"include_dirs": [str(NATIVE)], "extra_compile_args": ["-O3", "-std=c11", *MACHINE]}
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

#: Files outside the packages that commands read: runtime.release finds them, in the clone or beside itself.
SHIPPED = ("book.json", "explorer.html", "my_player3.py", "data/*", "proof/certificates/*")


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
