"""Build the native search kernel: ``python setup.py build_ext --inplace``."""

import hashlib
import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# `make setup` asks for this machine's own instructions; what is built to be carried elsewhere does without.
MACHINE = ["-march=native"] if os.environ.get("LITTLE_GO_NATIVE") else []

# So that a table kept in a file is used by the kernel that filled it, and by no other.
SOURCE = hashlib.sha256(b"".join(Path("solver", name).read_bytes() for name in ("kernel.c", "kernel.h"))).hexdigest()

BINDING = Extension(
    "solver.kernel",
    ["solver/kernel.pyx"],
    depends=["solver/kernel.h"],
    define_macros=[("KERNEL_SOURCE", f'"{SOURCE}"')],
    include_dirs=["solver"],
    extra_compile_args=["-O3", "-std=c11", *MACHINE],
)

# The binding's C goes to build/, as solver/kernel.c is the kernel itself; so that joins after the translation.
(KERNEL,) = cythonize([BINDING], build_dir="build/cython", compiler_directives={"language_level": "3"}, quiet=True)
KERNEL.sources.append("solver/kernel.c")

setup(ext_modules=[KERNEL])
