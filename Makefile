# The binary under the name that is asked for, for those who build engines with make (OpenBench among them):
# make EXE=name. CC and the like are passed over.

EXE ?= texam
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe,)
FLAGS ?= -C target-cpu=native

PREFIX ?= /usr/local

.PHONY: all pgo install web book book-pdf check clean dbf_all

# Without the tables of lines, which are three quarters of the file.
all:
	RUSTFLAGS="$(FLAGS)" cargo rustc --release --locked --bin texam -- -C strip=debuginfo
	cp "$(or $(CARGO_TARGET_DIR),target)/release/texam$(SUFFIX)" "$(EXE)"

# The same, optimised with a profile of its own search.
pgo:
	FLAGS="$(FLAGS)" scripts/pgo.sh "$(EXE)"

# The program with its manual pages and the completions of three shells, under PREFIX (and DESTDIR, for packages).
install: all
	install -D -m 755 "$(EXE)" "$(DESTDIR)$(PREFIX)/bin/texam"
	"$(abspath $(EXE))" man --overwrite --out "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	"$(abspath $(EXE))" completions bash > "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/texam"
	"$(abspath $(EXE))" completions zsh > "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_texam"
	"$(abspath $(EXE))" completions fish > "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/texam.fish"

# The screen as a page in a browser, in target/page: any web server can serve the folder. Needs the target, by
# `rustup target add wasm32-unknown-unknown`.
TARGET = $(or $(CARGO_TARGET_DIR),target)
web:
	cargo build --profile web --locked --package texam-web --target wasm32-unknown-unknown
	install -d "$(TARGET)/page"
	install -m 644 web/index.html web/texam.js "$(TARGET)/page"
	install -m 644 "$(TARGET)/wasm32-unknown-unknown/web/texam_web.wasm" "$(TARGET)/page/texam.wasm"

# The book, in target/book, beside the page so that its links to positions lead there; and the whole of it as target/book.pdf. Need mdbook and
# mdbook-katex (CONTRIBUTING.md), and for the second a browser.
book:
	mdbook build docs

BROWSER ?= $(firstword $(shell command -v chromium chromium-browser google-chrome google-chrome-stable))
book-pdf: book
	@test -n "$(BROWSER)" || { echo 'book-pdf: expected Chromium or Chrome on the PATH, or its path in BROWSER' >&2; exit 1; }
	"$(BROWSER)" --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf=target/book.pdf "file://$(CURDIR)/target/book/print.html"

# The database that the program of 1988 was started with, `texam dbf_all`: the games with their trees.
dbf_all: all
	"$(abspath $(EXE))" presearch games/gm1988.pgn --preset 1988 --overwrite -o dbf_all

# The quick check while you work: no browser, no MPI. `.ci/run` is the whole one.
check:
	cargo fmt --check
	cargo clippy --release --all-targets --locked -- -D warnings
	cargo test --release --locked --package texam-fit --package texam --lib --test all

clean:
	cargo clean
