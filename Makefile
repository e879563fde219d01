# Every target sets up what it needs; `make demo` and `make test` work from a bare clone.
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := $(VENV)/.packages
KERNEL := $(VENV)/.kernel
WASM_VENV := .venv-wasm
WASM_COMPILER := $(WASM_VENV)/.packages
# pandas in an environment of its own: sqlite-utils imports it where it is, which costs every process more than its work.
DATA_VENV := .venv-data
DATA := $(DATA_VENV)/.packages

# The tests start Python several hundred times. Without what was compiled earlier each start takes longer.
unexport PYTHONDONTWRITEBYTECODE

# Some tests wait for programs or a browser: one process more than there are cores keeps the cores busy.
PROCESSES ?= $(shell expr $$(nproc) + 1)
TEST := $(BIN)/python -m pytest -n $(PROCESSES) -rs

# Packages with the hashes of a file in requirements/. Two installations into one environment would break each other, so one
# waits for the other.
INSTALL = flock $(VENV) $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r

# The package that people install.
PEOPLES := -p little_go

.PHONY: setup demo cluster-demo class-demo slurm-demo fuzz soak scaling test test-python test-system test-slice test-long sanitize wasm explorer browser docs report release proof check-proof theorem lint lock clean

setup: $(KERNEL)

# Made again where its Python is gone or finds no packages, as after an upgrade of the system.
$(PACKAGES): requirements/dev.txt $(shell $(BIN)/python -c 'import pip' 2>/dev/null || echo FORCE)
	@echo "Setting up $(VENV) ..."
	@sh tools/needs.sh $(VENV)
	$(INSTALL) requirements/dev.txt
	@touch $@

$(KERNEL): $(PACKAGES) $(wildcard $(addprefix solver/native/*.,pyx c h)) setup.py pyproject.toml
	@PYTHON=$(BIN)/python sh tools/needs.sh
	@# Python 3.11 takes a kernel that was built for it alone before the one that serves all versions.
	@rm -rf solver/native/*.cpython-311-*.so solver/native/x86_64_v3
	@# In place, so that the command little-go, and Python in any directory, run what is here. A new room comes with
	@# pyproject.toml.
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

FORCE:

# The store in the browser, to this machine alone, until Ctrl-C: http://127.0.0.1:8001/, or PORT=8080; DB=graded/class.db for
# a class's.
DB ?= book.db
DATASETTE := $(VENV)/.datasette

.PHONY: datasette datasette-packages
datasette: datasette-packages $(DB)
	$(BIN)/python -m datasette $(DB) --metadata book/datasette/datasette.yaml --plugins-dir book/datasette \
		--setting sql_time_limit_ms 10000 --setting default_page_size 25 --setting suggest_facets off --port $(or $(PORT),8001)

datasette-packages: $(DATASETTE)

$(DATASETTE): $(PACKAGES) requirements/datasette.txt
	$(INSTALL) requirements/datasette.txt
	@touch $@

# The store that the analyst's commands ask, built from the shipped files. One that is there is left as it is.
book.db: | setup
	$(BIN)/python -m book import --db $@

# The parts at the same time, each with its output in one piece.
LINT := lint-ruff lint-mypy lint-c page-types
.PHONY: $(LINT) lint-systems lint-darwin lint-win32
lint: setup
	@$(MAKE) --no-print-directory --output-sync=target -j$(shell nproc) $(LINT)

lint-ruff:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-mypy:
	$(BIN)/mypy

# The packages that people install, on the other systems; tests and tools are for Linux. Each with a cache of its own, as
# mypy drops what it has cached for another system.
lint-systems: lint-darwin lint-win32

lint-darwin lint-win32: lint-%:
	$(BIN)/mypy --cache-dir .mypy_cache/$* --platform $* $(PEOPLES)

lint-c: $(VENV)/.c-checked

# Every C file, with all warnings as errors, by gcc and by zig's clang where `make wasm` has installed that; again when a
# file or a compiler has changed.
$(VENV)/.c-checked: $(shell git ls-files '*.c' '*.h' 2>/dev/null) tools/check_c.py $(wildcard $(WASM_COMPILER)) | $(KERNEL)
	$(BIN)/python -m tools.check_c
	@touch $@

# The types of the page's modules, where npm is: a pinned TypeScript checks them, and nothing of it is in the page.
TSC := $(VENV)/page/node_modules/.bin/tsc
page-types: $(PACKAGES)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(TSC) && $(TSC) -p requirements/page/tsconfig.json; \
	else echo "no npm here: the page's types are not checked"; fi

$(TSC): requirements/page/package-lock.json
	@mkdir -p $(VENV)/page && cp requirements/page/package.json requirements/page/package-lock.json $(VENV)/page/
	npm ci --prefix $(VENV)/page --silent --no-audit --no-fund
	@touch $@

test: lint test-python

# The whole as its users have it: in a browser, on a cluster, in sandboxes, installed, and as the documents show it. The
# budget is eight minutes on two cores. The last lines list the tests that are left to `make test-long`, and those that were skipped
# because a program is missing.
test-system: setup
	@$(MAKE) --no-print-directory --output-sync=target -j$(shell nproc) lint-systems
	$(TEST) --dist loadgroup -m "system and not long" tests

# For each change: the long tests in an order that the commit determines, one at a time, until the seconds have passed.
SLICE ?= 90
test-slice: setup
	LITTLE_GO_SLICE="$$(git rev-parse --short HEAD) $(SLICE)" $(BIN)/python -m pytest -q -rs -m long tests

# What asks more of the same, other Pythons, and new machines where they can be made (exit code 3: they cannot).
test-long: setup
	$(TEST) -m long
	LITTLE_GO_EXAMPLES=10000 $(TEST) tests/player/test_hostile.py
	$(MAKE) test-pythons
	$(FRESH_MACHINE) || [ $$? -eq 3 ]

# What `make test` tests, on every other Python that pyproject.toml names and that is found here, each in an environment of
# its own. PYTHONS="3.10 3.13" takes these, and fails without one of them; TESTS=tests/book a part of the tests.
PYTHONS ?=
TESTS ?=
.PHONY: test-pythons
test-pythons: setup
	@found=$$($(BIN)/python -m tools.programs $(PYTHONS)) || exit 1; \
	echo "$$found" | while read -r version python; do \
		echo "--- Python $$version: $$python"; \
		$(MAKE) --no-print-directory test-python VENV=.venv-$$version PYTHON=$$python </dev/null || exit 1; done

# A file's tests share what its fixtures make: one process runs them all.
test-python: setup
	$(TEST) --dist loadfile -m "not long and not system" $(TESTS)

# As root: the README's two commands on a new Debian 12 and 13, each made in a temporary folder.
FRESH_MACHINE = $(BIN)/python -m tools.fresh_machine
.PHONY: fresh-machine
fresh-machine: setup
	@command -v debootstrap >/dev/null || sh tools/apt.sh debootstrap
	$(FRESH_MACHINE)

# The kernel under the compiler's sanitizers. `make test-system` asks a little of it.
sanitize: setup
	$(TEST) -m "long or not long" tests/solver/test_sanitize.py

# The kernel for browsers, the same bytes everywhere: hence a pinned compiler (400 MB), and no cache of an earlier one's.
WASM := build/kernel.wasm
WASM_SHARED := build/kernel-shared.wasm
WASM_FLAGS := -target wasm32-freestanding -std=c11 -O2 -msimd128 -g0 -fno-vectorize -Wall -Wextra -Werror -nostdlib \
	-Wl,--strip-all -Wl,--no-entry -Wl,-z,stack-size=1048576

# The same with one memory for all workers, which a browser allows to a page that a server isolates.
WASM_SHARED_FLAGS := -mcpu=generic+atomics+bulk_memory+mutable_globals -DSHARED -Wl,--shared-memory -Wl,--import-memory \
	-Wl,--max-memory=1073741824 -Wl,--export=__stack_pointer -Wl,--export=__wasm_init_tls -Wl,--export=__tls_size \
	-Wl,--export=__heap_base

wasm: $(WASM)

$(WASM_COMPILER): $(PACKAGES) requirements/wasm.txt
	$(BIN)/python -m venv --clear $(WASM_VENV)
	$(WASM_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/wasm.txt
	@touch $@

$(WASM): $(WASM_COMPILER) $(wildcard $(addprefix solver/native/,wasm.c kernel.c kernel*.h explain.[ch] sentences.h))
	@rm -rf build/zig && mkdir -p build/zig
	ZIG_GLOBAL_CACHE_DIR="$(CURDIR)/build/zig" ZIG_LOCAL_CACHE_DIR="$(CURDIR)/build/zig" \
		$(WASM_VENV)/bin/python -m ziglang cc $(WASM_FLAGS) solver/native/wasm.c -o $@

$(WASM_SHARED): $(WASM)
	ZIG_GLOBAL_CACHE_DIR="$(CURDIR)/build/zig" ZIG_LOCAL_CACHE_DIR="$(CURDIR)/build/zig" \
		$(WASM_VENV)/bin/python -m ziglang cc $(WASM_FLAGS) $(WASM_SHARED_FLAGS) solver/native/wasm.c -o $@

# explorer.html with a kernel compiled now. Where only its sources or data changed, `python -m explorer build` is enough.
explorer: setup $(WASM) $(WASM_SHARED)
	$(BIN)/python -m explorer build --kernel $(WASM) $(WASM_SHARED)

# The kernel compiled for other systems, and tried where wine or qemu runs it.
.PHONY: cross
cross: setup $(WASM_COMPILER)
	$(BIN)/python -m tools.cross

# All optional programs that tests use, on Debian and Ubuntu as root: what is there is left as it is.
PROGRAMS := gnugo:gnugo bwrap:bubblewrap g++:g++ javac:default-jdk-headless \
	chromium-headless-shell:chromium-headless-shell firefox-esr:firefox-esr node:nodejs npm:npm Rscript:r-base-core
.PHONY: programs
programs: setup
	@missing=$$(for each in $(PROGRAMS); do command -v $${each%%:*} >/dev/null || \
		[ -x /usr/games/$${each%%:*} ] || echo $${each##*:}; done); [ -z "$$missing" ] || sh tools/apt.sh $$missing
	@$(MAKE) --no-print-directory --output-sync=target -j$(shell nproc) $(DATA) wasm $(DATASETTE) $(BROWSER) $(DOCS) $(RELEASE)

$(DATA): $(PACKAGES) requirements/data.txt
	$(BIN)/python -m venv --clear $(DATA_VENV)
	$(DATA_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/data.txt
	@touch $@

# What drives a browser in tests, 165 MB; the browser is Debian's `chromium-headless-shell`.
BROWSER := $(VENV)/.browser

browser: $(BROWSER)

$(BROWSER): $(PACKAGES) requirements/browser.txt
	$(INSTALL) requirements/browser.txt
	@touch $@

# The documents, the help of every command, the Python API and the explorer, as a site in build/site.
DOCS := $(VENV)/.docs

docs: $(DOCS) setup
	@# Not --quiet: then --strict would pass over warnings.
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "build/site/index.html"

# "Little-Go is solved", build/report.pdf. Its numbers are read from the shipped files, now.
report: $(DOCS) setup
	$(BIN)/python -m report build/report.pdf

# All that is published, in dist/, from the last commit. docs/guides/RELEASING.md says what a person does besides.
RELEASE := $(VENV)/.release

release: $(RELEASE) $(DOCS) $(WASM_COMPILER) setup
	@$(BIN)/python -m tools.release

# One other system's modules, compiled in two folders and compared. Apple's linker names the folder most.
SYSTEM ?= aarch64-macos.11.0
.PHONY: release-check
release-check: $(RELEASE) $(WASM_COMPILER)
	@$(BIN)/python -m tools.release --check $(SYSTEM)

$(RELEASE): $(PACKAGES) requirements/release.txt
	$(INSTALL) requirements/release.txt
	@touch $@

$(DOCS): $(PACKAGES) requirements/docs.txt
	$(INSTALL) requirements/docs.txt
	@touch $@

# A real book, made now, and a game as each colour with it.
demo: setup
	@$(BIN)/little-go demo --out demo

# A scheduler and two workers of dask.distributed on this machine, and the first plies' verdicts by them. First the
# shorter games, by threads, as their facts show the way.
CLUSTER := tcp://127.0.0.1:$(or $(PORT),8786)
CLUSTER_DB := demo/cluster.db
cluster-demo: setup
	@mkdir -p demo && rm -f $(CLUSTER_DB) $(CLUSTER_DB)-* demo/cluster.log
	@echo "--- Solving the game, by threads"
	@$(BIN)/python -m generator run --db $(CLUSTER_DB) --table 256MiB
	@echo "--- Who wins after two plies, by a cluster"
	@$(BIN)/python -m distributed.cli.dask_scheduler --host 127.0.0.1 --port $(lastword $(subst :, ,$(CLUSTER))) \
		--no-dashboard >demo/scheduler.txt 2>&1 & scheduler=$$!; \
	$(BIN)/python -m distributed.cli.dask_worker $(CLUSTER) --nworkers 2 --nthreads 1 --memory-limit 0 \
		--local-directory demo --no-dashboard >demo/workers.txt 2>&1 & workers=$$!; \
	trap 'kill $$workers $$scheduler' EXIT; \
	$(BIN)/python -m generator atlas --depth 2 --verdict --db $(CLUSTER_DB) --table 256MiB --scheduler $(CLUSTER)
	@$(BIN)/python -m generator status --db $(CLUSTER_DB)

# A class of 24 graded by two workers of a cluster on this machine, one of which is killed in the middle.
class-demo: setup
	$(BIN)/python -m tools.class_demo

# The example of docs/guides/SCALING.md on a SLURM of one node, which this installs (Debian, as root).
slurm-demo: setup
	@command -v slurmctld slurmd munged >/dev/null || sh tools/apt.sh slurm-wlm munge
	$(INSTALL) requirements/slurm.txt
	$(BIN)/python -m tools.slurm_demo

# Tries to break what SECURITY.md promises, by a seed; for an hour: make fuzz MINUTES=60.
MINUTES ?= 2
SEED ?= 561
fuzz: setup
	$(BIN)/python -m tools.fuzz --minutes $(MINUTES) --seed $(SEED)

# Small faults planted in copies of the sources, one at a time. Stop it when you like, and
# start it again: a seed's results are kept in build/mutants/. IN=player,page draws from some rooms alone, and
# AT=player/main.py:80 takes all of a line.
COUNT ?= 100
IN ?=
AT ?=
.PHONY: mutants
mutants: setup
	$(BIN)/python -m tools.mutants --seed $(SEED) --count $(COUNT) $(if $(IN),--rooms $(IN)) $(addprefix --at ,$(AT))

# The processes of a search killed at random instants.
soak: setup
	$(BIN)/python -m tools.soak

# On an idle machine: the figures of report/measured.toml, measured again, stored, and put into the documents. RUNS=solve
# measures a part.
.PHONY: measure
measure: setup
	$(BIN)/python -m tools.measure $(RUNS)

# On an idle machine: what more workers bring, on threads and on a cluster.
scaling: setup
	$(BIN)/python -m tools.scaling

# Up to half an hour on two cores: the course's game from nothing to a checked player, in course/. Stop it when you like,
# and start it again.
proof: setup
	$(BIN)/little-go make --out course

# What ships as a proof, checked from the rules alone; nothing is generated. SAMPLE=200 checks so many lines of each,
# OF=game only the certificates whose names begin so.
SAMPLE ?=
OF ?=
check-proof: setup
	cd proof/certificates && sha256sum --check --quiet SHA256SUMS
	$(BIN)/python -m proof check $(if $(SAMPLE),--sample $(SAMPLE)) \
		$(foreach folder,certificates certificates/large,$(wildcard proof/$(folder)/$(OF)*.cert.gz))

# A shipped file made again in build/reproduced/, by its command in data/datapackage.json, and compared; some take hours.
# WHAT=ply7-4 SAMPLE=60 searches 60 values of this part again, which takes a minute.
WHAT ?= atlas-values
.PHONY: reproduce
reproduce: setup
	@$(BIN)/python -m tools.reproduce $(WHAT) $(if $(SAMPLE),--sample $(SAMPLE))

# The checker itself proved, in Coq, and run on certificates that ship. Stop it when you like, and start it again.
COQ_BUILD := lab/theorem/build
COQ_JOBS ?= 2
COQ := $(MAKE) -s -C lab/theorem -f coq.mk -j$(COQ_JOBS)

.PHONY: coq theorem-quick
coq: setup
	@command -v coqc >/dev/null || sh tools/apt.sh coq libcoq-stdlib
	@mkdir -p $(COQ_BUILD)

# All that is proved before a line is checked; random games and the course's own; ten damaged certificates.
theorem-quick: coq
	$(BIN)/python -m lab theorem games --out $(COQ_BUILD)
	$(BIN)/python -m lab theorem damage --out $(COQ_BUILD)
	$(COQ) $(patsubst lab/theorem/%.v,%.vo,$(wildcard lab/theorem/coq/*.v)) $(addprefix build/,Games.vo CourseGames.vo Damage.vo)
	@echo "Coq has proved that the checker says yes only to what can be forced, has replayed the games," \
		"and has accepted the certificate and refused its ten damaged copies."

# What Coq is given; docs/explanation/THEOREM.md says why not the other certificates.
THEOREMS := game-at-most-3 others-at-most-2 after-1-2-at-least-0 after-1-2-at-most-0 game-at-least-3

theorem: theorem-quick $(foreach name,$(THEOREMS),$(COQ_BUILD)/$(name).written)
	$(COQ) said

$(COQ_BUILD)/%.written: proof/certificates/%.cert.gz lab/theorem/leaves.py lab/theorem/source.py | coq
	$(BIN)/python -m lab theorem coq $< --out $(COQ_BUILD)
	@touch $@

# Pin the newest versions of what pyproject.toml names, with hashes, for every supported Python. The site's packages share
# some with dev, which says which version.
PIN = $(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.10 --generate-hashes --no-emit-index-url \
	--no-annotate --custom-compile-command 'make lock'
lock: $(PACKAGES)
	$(INSTALL) requirements/lock.txt
	$(PIN) pyproject.toml -o requirements/run.txt
	$(PIN) pyproject.toml --extra cluster -o requirements/cluster.txt
	$(PIN) pyproject.toml --extra cluster --group dev -o requirements/dev.txt
	$(PIN) --group docs -c requirements/dev.txt -o requirements/docs.txt
	$(PIN) --group release -c requirements/dev.txt -o requirements/release.txt
	$(PIN) pyproject.toml --extra cluster --group slurm -c requirements/dev.txt -o requirements/slurm.txt
	$(PIN) --group data -c requirements/dev.txt -o requirements/data.txt
	for group in wasm browser datasette lock; do $(PIN) --group $$group -o requirements/$$group.txt || exit 1; done

clean:
	rm -rf $(VENV) $(VENV)-* build demo dist dist.tmp dist.log solver/native/*.so
