# The binary under the name that is asked for, for those who build engines with make (OpenBench among them):
# make EXE=name. CC and the like are passed over.

EXE ?= texam
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe,)
FLAGS ?= -C target-cpu=native

PREFIX ?= /usr/local

.PHONY: all pgo install check clean dbf_all

all:
	RUSTFLAGS="$(FLAGS)" cargo build --release --locked --bin texam
	cp "$(or $(CARGO_TARGET_DIR),target)/release/texam$(SUFFIX)" "$(EXE)"

# The same, optimised with a profile of its own search.
pgo:
	FLAGS="$(FLAGS)" scripts/pgo.sh "$(EXE)"

# The program with its manual pages and the completions of three shells, under PREFIX (and DESTDIR, for packages).
install: all
	install -D -m 755 "$(EXE)" "$(DESTDIR)$(PREFIX)/bin/texam"
	"./$(EXE)" man --overwrite --out "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	"./$(EXE)" completions bash > "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/texam"
	"./$(EXE)" completions zsh > "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_texam"
	"./$(EXE)" completions fish > "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/texam.fish"

# The database that the program of 1988 was started with, `texam dbf_all`: the games with their trees.
dbf_all: all
	"./$(EXE)" presearch games/gm1988.pgn --preset 1988 --overwrite -o dbf_all

# The quick check while you work: no browser, no MPI. `.ci/run` is the whole one.
check:
	cargo fmt --check
	cargo clippy --release --all-targets --locked -- -D warnings
	cargo test --release --locked --package texam-fit --package texam --lib --test all

clean:
	cargo clean
