# Every target installs what it needs, so `make demo` and `make test` work in a bare clone.
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := $(VENV)/.packages
KERNEL := $(VENV)/.kernel
WASM_VENV := .venv-wasm
WASM_COMPILER := $(WASM_VENV)/.packages
# pandas is in a separate environment: sqlite-utils imports pandas if it is installed, and every process would lose time.
DATA_VENV := .venv-data
DATA := $(DATA_VENV)/.packages

# The tests start Python several hundred times. Each start takes longer if Python cannot store compiled modules.
unexport PYTHONDONTWRITEBYTECODE

# Some tests wait for programs or a browser, so one process more than the number of cores keeps all cores busy.
PROCESSES ?= $(shell expr $$(nproc) + 1)
# One process runs all tests of a file, because these tests share the results of fixtures.
TEST := $(BIN)/python -m pytest -n $(PROCESSES) --dist loadfile -rs

# Install packages that have the hashes in a file of requirements/. Two installations into one environment at the same time
# would damage it, so the second one waits for the first.
INSTALL = flock $(VENV) $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r

# The option of mypy for the package that people install.
PEOPLES := -p little_go

.PHONY: setup demo cluster-demo class-demo slurm-demo fuzz soak scaling test test-python test-system test-slice test-long sanitize wasm explorer browser docs report release proof check-proof theorem lint lock clean

setup: $(KERNEL)

# The environment is made again if its Python is missing or finds no packages, as after an upgrade of the system.
$(PACKAGES): requirements/dev.txt $(shell $(BIN)/python -c 'import pip' 2>/dev/null || echo FORCE)
	@echo "Setting up $(VENV) ..."
	@sh tools/needs.sh $(VENV)
	$(INSTALL) requirements/dev.txt
	@touch $@

$(KERNEL): $(PACKAGES) $(wildcard $(addprefix solver/native/*.,pyx c h)) setup.py pyproject.toml
	@PYTHON=$(BIN)/python sh tools/needs.sh
	@# Python 3.11 prefers a kernel that was built only for 3.11 to the kernel for all versions, so delete the former.
	@rm -rf solver/native/*.cpython-311-*.so solver/native/x86_64_v3
	@# The installation is editable, so that the command little-go, and Python in any directory, use the files of the clone.
	@# A change of pyproject.toml, such as a new package, installs again.
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

FORCE:

# Show the store in the browser, only on this machine, until Ctrl-C: http://127.0.0.1:8001/. PORT=8080 changes the port.
# DB=graded/class.db shows the database of a class.
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

# The store that the analyst's commands query, built from the shipped files. An existing store is not changed.
book.db: | setup
	$(BIN)/python -m book import --db $@

# The parts run at the same time, and the output of each part is printed in one piece.
LINT := lint-ruff lint-mypy lint-c page-types
.PHONY: $(LINT) lint-systems lint-darwin lint-win32
lint: setup
	@$(MAKE) --no-print-directory --output-sync=target -j$(shell nproc) $(LINT)

lint-ruff:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-mypy:
	$(BIN)/mypy

# Check the types of the packages that people install, for the other systems; tests and tools are only for Linux. Each system has
# a separate cache, because mypy drops the cache of another system.
lint-systems: lint-darwin lint-win32

lint-darwin lint-win32: lint-%:
	$(BIN)/mypy --cache-dir .mypy_cache/$* --platform $* $(PEOPLES)

lint-c: $(VENV)/.c-checked

# Compile every C file with all warnings as errors, with gcc, and with zig's clang if `make wasm` has installed it. This is
# repeated if a file or a compiler has changed.
$(VENV)/.c-checked: $(shell git ls-files '*.c' '*.h' 2>/dev/null) tools/check_c.py $(wildcard $(WASM_COMPILER)) | $(KERNEL)
	$(BIN)/python -m tools.check_c
	@touch $@

# Check the types of the page's modules with a pinned TypeScript, if npm is installed. The page contains nothing of TypeScript.
TSC := $(VENV)/page/node_modules/.bin/tsc
page-types: $(PACKAGES)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(TSC) && $(TSC) -p requirements/page/tsconfig.json; \
	else echo "no npm here: the page's types are not checked"; fi

$(TSC): requirements/page/package-lock.json
	@mkdir -p $(VENV)/page && cp requirements/page/package.json requirements/page/package-lock.json $(VENV)/page/
	npm ci --prefix $(VENV)/page --silent --no-audit --no-fund
	@touch $@

test: lint test-python

# Test the whole system in the ways in which people use it: in a browser, on a cluster, in sandboxes, installed, and with the
# commands of the documents. The aim is eight minutes on two cores; as a part of `.ci/run`, the tests take 11 minutes. The last lines
# of the output list the tests that only `make test-long` runs, and the tests that were skipped because a program is missing.
test-system: setup
	@$(MAKE) --no-print-directory --output-sync=target -j$(shell nproc) lint-systems
	$(TEST) --no-loadscope-reorder -m "system and not long" tests

# For each change: the long tests in an order that the commit determines, one at a time, until the seconds have passed.
SLICE ?= 90
test-slice: setup
	LITTLE_GO_SLICE="$$(git rev-parse --short HEAD) $(SLICE)" $(BIN)/python -m pytest -q -rs -m long tests

# Run the long tests, the tests with other versions of Python, and the tests on new machines, if such machines can be made (exit
# code 3 means that they cannot).
test-long: setup
	$(TEST) -m long
	LITTLE_GO_EXAMPLES=10000 $(TEST) tests/player/test_hostile.py
	$(MAKE) test-pythons
	$(FRESH_MACHINE) || [ $$? -eq 3 ]

# Run the Python tests of `make test` with every other version of Python that pyproject.toml lists and that is installed, each in
# a separate environment. PYTHONS="3.10 3.13" selects versions, and fails if one is not installed. TESTS=tests/book selects tests.
PYTHONS ?=
TESTS ?=
.PHONY: test-pythons
test-pythons: setup
	@found=$$($(BIN)/python -m tools.programs $(PYTHONS)) || exit 1; \
	echo "$$found" | while read -r version python; do \
		echo "--- Python $$version: $$python"; \
		$(MAKE) --no-print-directory test-python VENV=.venv-$$version PYTHON=$$python </dev/null || exit 1; done

test-python: setup
	$(TEST) -m "not long and not system" $(TESTS)

# Run the README's two commands on a new Debian 12, a new Debian 13 and the next Debian, each in a temporary folder, in several orders
# of the tests and under load. This needs root.
FRESH_MACHINE = $(BIN)/python -m tools.fresh_machine
.PHONY: fresh-machine
fresh-machine: setup
	@command -v debootstrap >/dev/null || sh tools/apt.sh debootstrap
	$(FRESH_MACHINE)

# Test the kernel with the compiler's sanitizers. `make test-system` contains a few of these tests.
sanitize: setup
	$(TEST) -m "long or not long" tests/solver/test_sanitize.py

# The kernel for browsers has the same bytes on every machine, so the compiler is pinned (400 MB) and its cache is new.
WASM := build/kernel.wasm
WASM_SHARED := build/kernel-shared.wasm
WASM_FLAGS := -target wasm32-freestanding -std=c11 -O2 -msimd128 -g0 -fno-vectorize -Wall -Wextra -Werror -nostdlib \
	-Wl,--strip-all -Wl,--no-entry -Wl,-z,stack-size=1048576

# The kernel for workers that share one memory. A browser allows this if a server isolates the page.
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

# Build explorer.html with a newly compiled kernel. If the C code is unchanged, `python -m explorer build` is enough.
explorer: setup $(WASM) $(WASM_SHARED)
	$(BIN)/python -m explorer build --kernel $(WASM) $(WASM_SHARED)

# Compile the kernel for other systems, and test each build that wine or qemu can run.
.PHONY: cross
cross: setup $(WASM_COMPILER)
	$(BIN)/python -m tools.cross

# Install all optional programs that tests use, on Debian and Ubuntu as root. Installed programs are not changed.
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

# Install Playwright (165 MB), which controls the browser in tests. The browser is Debian's `chromium-headless-shell`.
BROWSER := $(VENV)/.browser

browser: $(BROWSER)

$(BROWSER): $(PACKAGES) requirements/browser.txt
	$(INSTALL) requirements/browser.txt
	@touch $@

# Build a site in build/site with the documents, the help of every command, the Python API and the explorer.
DOCS := $(VENV)/.docs

docs: $(DOCS) setup
	@# With --quiet, --strict would ignore warnings.
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "build/site/index.html"

# Build the report "Little-Go is solved", build/report.pdf, with numbers from the shipped files.
report: $(DOCS) setup
	$(BIN)/python -m report build/report.pdf

# Make all published files, in dist/, from the last commit. docs/guides/RELEASING.md lists the manual steps.
RELEASE := $(VENV)/.release

release: $(RELEASE) $(DOCS) $(WASM_COMPILER) setup
	@$(BIN)/python -m tools.release

# Compile the modules for another system in two folders, and compare the files. The default is macOS, because its linker most
# often writes the path of the folder into a file.
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

# Make a book, and play a game as each colour with it.
demo: setup
	@$(BIN)/little-go demo --out demo

# Start a scheduler and two workers of dask.distributed on this machine, and let the workers find the winners after two plies.
# First solve the game on threads, because the facts of shorter games make the search shorter.
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

# Grade a class of 24 students with two workers of a cluster on this machine, and kill one of the workers in the middle.
class-demo: setup
	$(BIN)/python -m tools.class_demo

# Run the example of docs/guides/SCALING.md on a SLURM of one node. This installs SLURM, and so needs Debian and root.
slurm-demo: setup
	@command -v slurmctld slurmd munged >/dev/null || sh tools/apt.sh slurm-wlm munge
	$(INSTALL) requirements/slurm.txt
	$(BIN)/python -m tools.slurm_demo

# Try to break the promises of SECURITY.md, with random attempts from a seed. `make fuzz MINUTES=60` takes an hour.
MINUTES ?= 2
SEED ?= 561
fuzz: setup
	$(BIN)/python -m tools.fuzz --minutes $(MINUTES) --seed $(SEED)

# Plant small faults in copies of the sources, one at a time, and count the faults that the tests detect. You can stop and restart
# the command, because build/mutants/ keeps the results of a seed. IN=player,page selects rooms, and AT=player/main.py:80 selects
# all faults of a line.
COUNT ?= 100
IN ?=
AT ?=
.PHONY: mutants
mutants: setup
	$(BIN)/python -m tools.mutants --seed $(SEED) --count $(COUNT) $(if $(IN),--rooms $(IN)) $(addprefix --at ,$(AT))

# Kill the processes of a search at random instants.
soak: setup
	$(BIN)/python -m tools.soak

# Measure the figures of report/measured.toml again, store them, and write them into the documents. The machine must be idle.
# RUNS=solve selects a part.
.PHONY: measure
measure: setup
	$(BIN)/python -m tools.measure $(RUNS)

# Measure how much faster more workers are, on threads and on a cluster. The machine must be idle.
scaling: setup
	$(BIN)/python -m tools.scaling

# Make the course's game in course/, from its rules to a checked player, in up to half an hour on two cores. You can stop and
# restart the command.
proof: setup
	$(BIN)/little-go make --out course

# Check the shipped certificates from the rules alone. Nothing is generated. SAMPLE=200 checks 200 lines of each certificate, and
# OF=game checks only certificates whose names begin with "game".
SAMPLE ?=
OF ?=
check-proof: setup
	cd proof/certificates && sha256sum --check --quiet SHA256SUMS
	$(BIN)/python -m proof check $(if $(SAMPLE),--sample $(SAMPLE)) \
		$(foreach folder,certificates certificates/large,$(wildcard proof/$(folder)/$(OF)*.cert.gz))

# Make a shipped file again in build/reproduced/, with its command in data/datapackage.json, and compare the two files. Some files
# take hours. WHAT=ply7-4 SAMPLE=60 searches 60 values of the part ply7-4 again, which takes a minute.
WHAT ?= atlas-values
.PHONY: reproduce
reproduce: setup
	@$(BIN)/python -m tools.reproduce $(WHAT) $(if $(SAMPLE),--sample $(SAMPLE))

# Prove the checker in Coq, and run it on shipped certificates. You can stop and restart the command.
COQ_BUILD := lab/theorem/build
COQ_JOBS ?= 2
COQ := $(MAKE) -s -C lab/theorem -f coq.mk -j$(COQ_JOBS)

.PHONY: coq theorem-quick
coq: setup
	@command -v coqc >/dev/null || sh tools/apt.sh coq libcoq-stdlib
	@mkdir -p $(COQ_BUILD)

# Prove everything that comes before the lines of certificates, and test random games, the course's games and ten damaged
# certificates.
theorem-quick: coq
	$(BIN)/python -m lab theorem games --out $(COQ_BUILD)
	$(BIN)/python -m lab theorem damage --out $(COQ_BUILD)
	$(COQ) $(patsubst lab/theorem/%.v,%.vo,$(wildcard lab/theorem/coq/*.v)) $(addprefix build/,Games.vo CourseGames.vo Damage.vo)
	@echo "Coq has proved that the checker says yes only to what can be forced, has replayed the games," \
		"and has accepted the certificate and refused its ten damaged copies."

# The certificates that Coq checks. docs/explanation/THEOREM.md gives the reason why the other certificates are omitted.
THEOREMS := game-at-most-3 others-at-most-2 after-1-2-at-least-0 after-1-2-at-most-0 game-at-least-3

theorem: theorem-quick $(foreach name,$(THEOREMS),$(COQ_BUILD)/$(name).written)
	$(COQ) said

$(COQ_BUILD)/%.written: proof/certificates/%.cert.gz lab/theorem/leaves.py lab/theorem/source.py | coq
	$(BIN)/python -m lab theorem coq $< --out $(COQ_BUILD)
	@touch $@

# Pin the newest versions of the packages in pyproject.toml, with hashes, for every supported version of Python. If two groups
# share a package, requirements/dev.txt determines its version.
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
