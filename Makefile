# Every target sets up what it needs; `make demo` and `make test` work from a bare clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
KERNEL := $(VENV)/.kernel

.PHONY: setup demo test lint lock clean

setup: $(KERNEL)

$(STAMP): requirements/dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@

$(KERNEL): $(STAMP) solver/kernel.pyx setup.py
	$(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: setup lint
	$(BIN)/python -m pytest -q -n 2

demo: setup
	$(BIN)/python -m arena demo

# Pin the newest versions, with hashes, for every supported Python.
lock: $(STAMP)
	$(BIN)/python -m pip install --quiet uv
	for set in run dev; do $(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.10 \
		--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make lock' \
		requirements/$$set.in -o requirements/$$set.txt; done

clean:
	rm -rf $(VENV) build demo solver/*.so solver/kernel.c
