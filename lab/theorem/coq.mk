# What coqc compiles, in the order that the sources ask for: `make -C lab/theorem -f coq.mk FILE.vo ...`; the Makefile above calls it.
COQ_FLAGS := -R coq LittleGo -R results Run -R build Run
# The theorems need all certificates written.
SOURCES := $(wildcard coq/*.v build/*.v) $(if $(wildcard build/game_at_least_3.v),results/Theorems.v)
COQC ?= coqc

.DELETE_ON_ERROR:

%.vo: %.v
	@echo "Coq: $<"
	@$(COQC) $(COQ_FLAGS) $<

# The theorems, and what they assume.
.PHONY: said
said: results/Theorems.vo
	@$(COQC) $(COQ_FLAGS) -o build/Said.vo results/Said.v

# What a source states it needs; the lines of certificates are arrays, in which coqdep finds nothing.
build/needs.mk: $(SOURCES)
	@coqdep $(COQ_FLAGS) $(SOURCES) >$@

include build/needs.mk
