# codecalc. `make help` lists the targets. Everything is built out of tree, in $(B).
B       ?= build
PREFIX  ?= /usr/local
CC      := gcc
CXX     := g++
PYTHON  ?= python3

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

WARN    := -Wall -Wextra -Werror -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wno-format-nonliteral -Wno-missing-field-initializers
# Paths in messages are relative, so that two builds in two places give the same bytes.
CFLAGS  := -std=gnu17 -O2 -g $(WARN) -fstack-protector-strong -D_FORTIFY_SOURCE=3 -D_GNU_SOURCE \
           -ffunction-sections -fdata-sections -fno-plt -ffile-prefix-map=$(CURDIR)=.
LDFLAGS := -static -Wl,--gc-sections -Wl,--build-id=none

# ---- dependencies: built once a machine by scripts/deps.sh, which writes where they are ----
NO_DEPS := help clean format lint-format check-includes
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
SRC  := $(filter-out src/main.c,$(sort $(wildcard src/*/*.c src/tools/*/*.c)))
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

$(B)/%.o: %.c | $(B)/deps.mk
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CC) $(CFLAGS) $(INCLUDES) -MMD -MP -c $< -o $@

# ---- unit tests: one program a file ----
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/unit/%,$(wildcard tests/unit/test_*.c))

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(LIB) $(FLINT)
	@echo "  LINK $@"
	@$(CXX) $(LDFLAGS:-static=) -static-libstdc++ -no-pie -o $@ $< $(LIB) $(LIBS) $(LIB) -lcmocka

unit: $(UNIT) ## run the unit tests
	@fail=0; for t in $(UNIT); do timeout 120 $$t || fail=1; done; exit $$fail

clean: ## remove what was built here (the dependency cache stays)
	rm -rf $(B)

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | sort | while IFS='	' read -r n d; do printf '  make %-12s %s\n' "$$n" "$$d"; done

-include $(OBJ:.o=.d) $(B)/src/main.d $(UNIT:=.d)
.PHONY: all unit clean help
