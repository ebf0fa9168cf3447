# codecalc. `make help` lists the targets. Everything is built out of tree, in $(B).
B       ?= build
PREFIX  ?= /usr/local
CC      := gcc
CXX     := g++
PYTHON  ?= python3

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules -j$(shell nproc)

# `make start` and the targets that test first install what is missing, before anything below asks the compiler a question.
SETUP   := $(if $(filter start,$(MAKECMDGOALS)),build) $(if $(filter test,$(MAKECMDGOALS)),test) $(if $(filter lint,$(MAKECMDGOALS)),lint) \
           $(if $(filter bench,$(MAKECMDGOALS)),bench)
ifndef MAKE_RESTARTS
$(foreach what,$(SETUP),$(shell scripts/setup.sh $(what) $(B)/testenv >&2)$(if $(filter 0,$(.SHELLSTATUS)),,$(error set-up failed)))
endif

WARN    := -Wall -Wextra -Werror -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wno-format-nonliteral -Wno-missing-field-initializers
# Paths in messages are relative, so that two builds in two places give the same bytes.
CFLAGS  := -std=gnu17 -O2 -g $(WARN) -fstack-protector-strong -D_FORTIFY_SOURCE=3 -D_GNU_SOURCE \
           -ffunction-sections -fdata-sections -fno-plt -ffile-prefix-map=$(CURDIR)=.
LDFLAGS := -static -Wl,--gc-sections -Wl,--build-id=none

# ---- dependencies: built once a machine by scripts/deps.sh, which writes where they are ----
NO_DEPS := help clean format lint-format check-includes check-repro
ifneq ($(filter-out $(NO_DEPS),$(or $(MAKECMDGOALS),all)),)
include $(B)/deps.mk
endif
$(B)/deps.mk: scripts/deps.sh scripts/deps/crates.toml scripts/deps/crates.sha256 scripts/deps/z3_format.h
	@mkdir -p $(B)
	@scripts/deps.sh $@

INCLUDES := -Iinclude -Isrc -I$(B)/gen -isystem $(CC_DEPS_YYJSON) -isystem $(CC_DEPS_FLINT)/include -isystem $(CC_DEPS_Z3)/include \
            -isystem $(CC_DEPS_TREESITTER)/include
# libuv is called uv_a before 1.46 and uv after.
LIBUV    := $(shell $(CC) -print-file-name=libuv_a.a | grep / || $(CC) -print-file-name=libuv.a)
# FLINT's quadratic sieve keeps a temporary file, which a sealed job may not have: src/math/flint_files.c keeps it in memory.
FLINT    := $(B)/libflint.a
LIBS     := $(CC_DEPS_Z3)/libz3.a $(FLINT) $(CC_DEPS_GRAMMARS)/libgrammars.a $(CC_DEPS_TREESITTER)/libtree-sitter.a \
            $(CC_DEPS_YYJSON)/libyyjson.a $(LIBUV) -lseccomp -lmpfr -lgmp -lm -lpthread -lstdc++

# ---- the program ----
SRC  := $(filter-out src/main.c,$(sort $(wildcard src/*/*.c src/*/*/*.c)))
OBJ  := $(SRC:%.c=$(B)/%.o)
LIB  := $(B)/libcodecalc.a
BIN  := $(B)/codecalc

all: $(BIN) ## build the program: build/codecalc

$(BIN): $(B)/src/main.o $(LIB) $(FLINT)
	@echo "  LINK $@"
	@$(CXX) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS) $(LIB)

$(FLINT): $(B)/deps.mk
	@objcopy $(foreach f,mkstemp fdopen fopen remove,--redefine-sym $f=cc_flint_$f) $(CC_DEPS_FLINT)/lib/libflint.a $@

$(LIB): $(OBJ)
	@rm -f $@
	@ar rcsD $@ $(OBJ)

# Embedded by the assembler, which names no dependencies.
$(B)/src/cli/skill.o $(B)/asan/src/cli/skill.o $(B)/fuzz/src/cli/skill.o: SKILL.md
$(B)/src/run/harness.o $(B)/asan/src/run/harness.o $(B)/fuzz/src/run/harness.o: $(wildcard src/harness/*)

# Which languages the tests execute, for list_languages.
$(B)/gen/tested_languages.h: tests/cases/languages.jsonl scripts/tested_languages.py
	@mkdir -p $(@D)
	@$(PYTHON) scripts/tested_languages.py $< >$@
$(B)/src/run/languages.o $(B)/asan/src/run/languages.o $(B)/fuzz/src/run/languages.o: $(B)/gen/tested_languages.h

$(B)/%.o: %.c | $(B)/deps.mk
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CC) $(CFLAGS) $(INCLUDES) -MMD -MP -c $< -o $@

# ---- unit tests: one program a file ----
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/unit/%,$(wildcard tests/unit/test_*.c))

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(LIB) $(FLINT)
	@echo "  LINK $@"
	@$(CXX) $(LDFLAGS:-static=) -static-libstdc++ -no-pie -o $@ $< $(LIB) $(LIBS) $(LIB) -lcmocka

# run_unit PROGRAMS: all of them, failing when one does.
run_unit = fail=0; for t in $(1); do timeout 120 $$t || { echo "failed: $$t" >&2; fail=1; }; done; exit $$fail

# Tests write no record of their runs into the home of who makes them.
unit e2e abuse asan test bench suites: export CODECALC_AUDIT_LOG =
unit: $(UNIT) ## run the unit tests
	@$(call run_unit,$(UNIT))

# ---- end-to-end tests: pytest drives the program (E2E='-k cancel' picks some) ----
E2E     ?=
PYTEST  := PYTHONDONTWRITEBYTECODE=1 $(B)/testenv/venv/bin/python -m pytest -q -p no:cacheprovider tests/e2e

$(B)/testenv: tests/e2e/requirements.txt tests/e2e/ts/package-lock.json
	@scripts/setup.sh test $@

# A small program beside them, which pytest drives.
$(B)/tests/e2e/%: $(B)/tests/e2e/%.o $(LIB) $(FLINT)
	@$(CXX) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS) $(LIB)

e2e: $(BIN) $(B)/tests/e2e/json_echo | $(B)/testenv ## run the end-to-end tests and the cases
	@CODECALC_BIN=$(BIN) $(PYTEST) $(E2E)

ABUSE   := $(PYTEST:tests/e2e=tests/abuse)
abuse: $(BIN) | $(B)/testenv ## run hostile programs at every level of isolation, as root (when root) and as a user
	@CODECALC_BIN=$(BIN) $(ABUSE) $(E2E)

# ---- the same with the address and undefined-behaviour sanitizers: our objects checked, the libraries as they are ----
A        := $(B)/asan
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
ASAN_CFLAGS  = $(filter-out -O2 -D_FORTIFY_SOURCE=3,$(CFLAGS)) -O1 -fno-omit-frame-pointer -DCC_ASAN $(SANITIZE)
ASAN_LINK    = $(CXX) $(filter-out -static,$(LDFLAGS)) -no-pie $(SANITIZE)
ASAN_UNIT   := $(UNIT:$(B)/%=$(A)/%)
ASAN_OPTIONS := abort_on_error=1:detect_leaks=1:detect_stack_use_after_return=0

$(A)/%.o: %.c | $(B)/deps.mk
	@mkdir -p $(@D)
	@echo "  CC   $< (asan)"
	@$(CC) $(ASAN_CFLAGS) $(INCLUDES) -MMD -MP -c $< -o $@

$(A)/libcodecalc.a: $(OBJ:$(B)/%=$(A)/%)
	@rm -f $@
	@ar rcsD $@ $^

$(A)/codecalc: $(A)/src/main.o $(A)/libcodecalc.a $(FLINT)
	@echo "  LINK $@"
	@$(ASAN_LINK) -o $@ $< $(A)/libcodecalc.a $(LIBS) $(A)/libcodecalc.a

$(A)/tests/unit/%: $(A)/tests/unit/%.o $(A)/libcodecalc.a $(FLINT)
	@echo "  LINK $@"
	@$(ASAN_LINK) -o $@ $< $(A)/libcodecalc.a $(LIBS) $(A)/libcodecalc.a -lcmocka

$(A)/tests/e2e/%: $(A)/tests/e2e/%.o $(A)/libcodecalc.a $(FLINT)
	@$(ASAN_LINK) -o $@ $< $(A)/libcodecalc.a $(LIBS) $(A)/libcodecalc.a

run_asan_unit = export ASAN_OPTIONS=$(ASAN_OPTIONS) UBSAN_OPTIONS=print_stacktrace=1; $(call run_unit,$(ASAN_UNIT))
# Without the suite of languages: what differs between them is data, and the other tests take the same paths.
run_asan_e2e  = ASAN_OPTIONS=$(ASAN_OPTIONS) UBSAN_OPTIONS=print_stacktrace=1 CODECALC_BIN=$(A)/codecalc CODECALC_SLOW=1 $(PYTEST) --ignore tests/e2e/test_languages.py $(E2E)

asan: $(ASAN_UNIT) $(A)/codecalc $(A)/tests/e2e/json_echo | $(B)/testenv ## run unit and end-to-end tests on a build with ASan and UBSan
	@$(run_asan_unit)
	@$(run_asan_e2e)

# ---- fuzzing: one libFuzzer program a file ----
F            := $(B)/fuzz
FUZZ_SECONDS ?= 60
FUZZERS      := $(patsubst tests/fuzz/%.c,$(F)/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CFLAGS   = -std=gnu17 -Wno-unknown-warning-option -O1 -g -fno-omit-frame-pointer -D_GNU_SOURCE -DCC_ASAN -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all

$(F)/%.o: %.c | $(B)/deps.mk
	@mkdir -p $(@D)
	@echo "  CC   $< (fuzz)"
	@clang $(FUZZ_CFLAGS) $(INCLUDES) -MMD -MP -c $< -o $@

$(F)/libcodecalc.a: $(OBJ:$(B)/%=$(F)/%)
	@rm -f $@
	@ar rcsD $@ $^

$(FUZZERS): $(F)/%: $(F)/tests/fuzz/%.o $(F)/libcodecalc.a $(FLINT)
	@echo "  LINK $@"
	@clang++ -fsanitize=fuzzer,address,undefined -no-pie -Wl,--gc-sections -o $@ $< $(F)/libcodecalc.a $(LIBS) $(F)/libcodecalc.a

fuzz: $(FUZZERS) ## run every fuzz target for FUZZ_SECONDS (60)
	@scripts/fuzz.sh $(FUZZ_SECONDS) $(FUZZERS)

# ---- checks of the text ----
C_FILES = $(shell git ls-files '*.c' '*.h')
HEADERS = $(shell git ls-files 'include/*.h' 'src/*.h')

lint-format: | $(B)/testenv ## check the formatting
	@$(B)/testenv/venv/bin/clang-format --dry-run -Werror $(C_FILES)

format: | $(B)/testenv ## format the C files in place
	@$(B)/testenv/venv/bin/clang-format -i $(C_FILES)

check-includes: ## check that includes only go down the ranks of the folders
	@$(PYTHON) scripts/check_includes.py

check-headers: $(B)/deps.mk ## check that every header compiles alone
	@fail=0; for h in $(HEADERS); do $(CC) $(CFLAGS) $(INCLUDES) -fsyntax-only -Wno-unused-function -x c $$h || fail=1; done; exit $$fail

check-repro: ## build twice, in two folders, and compare the bytes
	@scripts/check_repro.sh

lint: lint-format check-includes check-headers ## all checks of the text: format, includes, headers, cppcheck, clang-tidy, shellcheck
	@shellcheck scripts/*.sh .ci/run
	@cppcheck -q -j $(shell nproc) --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --suppress=missingIncludeSystem --suppress=unknownMacro \
	    --suppress=uninitvar:src/cli/userfile.c -D_GNU_SOURCE -D__x86_64__ -Iinclude -Isrc src include
	@printf '%s\0' $(SRC) src/main.c | xargs -0 -n 4 -P $(shell nproc) sh -c 'clang-tidy --quiet "$$@" -- -std=gnu17 -D_GNU_SOURCE $(INCLUDES)' sh

# ---- what a person or CI calls ----
start: $(BIN) ## set up this machine, build, run doctor, and make one real call of each kind
	@$(BIN) doctor
	@$(PYTHON) scripts/first_calls.py $(BIN)

# The last lines are those of the test runners.
test: lint-format check-includes check-headers $(BIN) $(B)/tests/e2e/json_echo $(UNIT) \
      $(ASAN_UNIT) $(A)/codecalc $(A)/tests/e2e/json_echo $(FUZZERS) ## install what the tests need and run them all
	@scripts/fuzz.sh $(FUZZ_SECONDS) $(FUZZERS)
	@$(run_asan_unit)
	@$(run_asan_e2e)
	@$(call run_unit,$(UNIT))
	@CODECALC_BIN=$(BIN) CODECALC_ABUSE=quick $(ABUSE)
	@CODECALC_BIN=$(BIN) $(PYTEST)

bench: $(BIN) $(B)/bench/true $(B)/bench/sandbox | $(B)/testenv ## measure speed and size beside bubblewrap, firejail and the peer, and write docs/results.md
	@$(B)/testenv/venv/bin/python tests/bench/bench.py $(BIN) $(B)/bench $(B)/peer docs/results

suites: $(BIN) | $(B)/testenv ## ask every case kept beside the repository, check each answer, and write the outcome into docs/results.md
	@PYTHONDONTWRITEBYTECODE=1 $(B)/testenv/venv/bin/python tests/suites/run.py --bin=$(BIN)

$(B)/bench/true: tests/bench/true.c
	@mkdir -p $(@D)
	@$(CC) -O2 -static -o $@ $<

$(B)/bench/sandbox: $(B)/tests/bench/sandbox.o $(LIB) $(FLINT)
	@mkdir -p $(@D)
	@$(CXX) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS) $(LIB)

contract: $(BIN) ## write the reference pages and schemas in docs from the declarations
	@$(PYTHON) scripts/contract.py $(BIN)

languages: $(BIN) ## write the table of docs/languages.md, with the times of this machine
	@$(PYTHON) scripts/languages.py $(BIN)

install: $(BIN) ## install under PREFIX (/usr/local), inside DESTDIR when that is set
	install -Dm755 $(BIN) $(DESTDIR)$(PREFIX)/bin/codecalc
	install -Dm644 docs/codecalc.1 $(DESTDIR)$(PREFIX)/share/man/man1/codecalc.1
	install -Dm644 -t $(DESTDIR)$(PREFIX)/share/doc/codecalc LICENSE NOTICE.md README.md
	install -Dm644 SKILL.md $(DESTDIR)$(PREFIX)/share/codecalc/SKILL.md
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BIN) completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/codecalc
	$(BIN) completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_codecalc
	$(BIN) completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/codecalc.fish

clean: ## remove what was built here (the dependency cache stays)
	rm -rf $(B)

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## (.*)/\1\t\2/' | sort | while IFS='	' read -r n d; do printf '  make %-12s %s\n' "$$n" "$$d"; done

DEPFILES := $(OBJ:.o=.d) $(B)/src/main.d $(UNIT:=.d)
-include $(DEPFILES) $(DEPFILES:$(B)/%=$(A)/%) $(DEPFILES:$(B)/%=$(F)/%) $(FUZZERS:$(F)/%=$(F)/tests/fuzz/%.d)
.PHONY: all languages unit e2e abuse asan fuzz lint lint-format format check-includes check-headers check-repro start test bench suites contract install clean help
.SECONDARY:
