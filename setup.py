"""Build the native search kernel: ``python setup.py build_ext --inplace``."""

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNEL = Extension(
    "solver.kernel",
    ["solver/kernel.pyx"],
    extra_compile_args=["-O3", "-march=native", "-fno-strict-aliasing"],
)

setup(ext_modules=cythonize([KERNEL], compiler_directives={"language_level": "3"}, quiet=True))
