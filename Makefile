# The binary under the name that is asked for, for those who build engines with make (OpenBench among them):
# make EXE=name. CC and the like are passed over.

EXE ?= texam
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe,)
FLAGS ?= -C target-cpu=native

# For one user; of packages, which set DESTDIR, for all.
PREFIX ?= $(if $(DESTDIR),/usr/local,$(or $(HOME),$(error expected a folder in PREFIX, since there is no HOME))/.local)
TARGET = $(or $(CARGO_TARGET_DIR),target)

.PHONY: all pgo install uninstall web dist book book-pdf check clean dbf_all

# Without the tables of lines, which are three quarters of the file.
all:
	RUSTFLAGS="$(FLAGS)" cargo rustc --release --locked --bin texam -- -C strip=debuginfo
	cp "$(TARGET)/release/texam$(SUFFIX)" "$(EXE)"

# The same, optimised with a profile of its own search.
pgo:
	FLAGS="$(FLAGS)" scripts/pgo.sh "$(EXE)"

# The program with its manual pages and the completions of three shells, under PREFIX (and DESTDIR, for packages). It is built as by
# `cargo install` and `cargo run --release`, so what these have built is not built again.
TO = $(DESTDIR)$(PREFIX)
COMPLETIONS = bash-completion/completions/texam zsh/site-functions/_texam fish/vendor_completions.d/texam.fish
install:
	cargo build --release --locked
	install -d "$(TO)/bin" $(foreach file,$(COMPLETIONS),"$(TO)/share/$(dir $(file))")
	install -m 755 "$(TARGET)/release/texam$(SUFFIX)" "$(TO)/bin"
	"$(TO)/bin/texam" man --overwrite --out "$(TO)/share/man/man1" >/dev/null
	for file in $(COMPLETIONS); do "$(TO)/bin/texam" completions "$${file%%[-/]*}" >"$(TO)/share/$$file" || exit; done
	@echo 'installed $(TO)/bin/texam, with manual pages and completions in $(TO)/share'
	$(if $(DESTDIR),,@case ":$$PATH:" in (*:'$(PREFIX)/bin':*) ;; (*) echo 'for the shell to find it, add to ~/.profile: export PATH="$(PREFIX)/bin:$$PATH"' ;; esac)

# Removes what `install` has written.
uninstall:
	rm -f "$(TO)/bin/texam$(SUFFIX)"
	cd "$(TO)/share" && rm -f man/man1/texam.1 man/man1/texam-*.1 $(COMPLETIONS)

# The page in a browser, in target/page: any web server can serve the folder. BOOK, SOURCE and NOTICES are addresses that it links to.
# Needs the target, by `rustup target add wasm32-unknown-unknown`.
SOURCE ?= $(filter https://%,$(shell git remote get-url origin 2>/dev/null))
web:
	cargo build --profile web --locked --package texam-web --target wasm32-unknown-unknown
	install -d "$(TARGET)/page"
	install -m 644 web/page.css web/texam.js web/page.js "$(TARGET)/page"
	install -m 644 LICENSE "$(TARGET)/page/LICENSE.txt"
	gzip --best --no-name --stdout "$(TARGET)/wasm32-unknown-unknown/web/texam_web.wasm" >"$(TARGET)/page/texam.wasm.gz"
	sed "$(if $(BOOK),s|@BOOK@|$(BOOK)|,/@BOOK@/d); $(if $(SOURCE),s|@SOURCE@|$(SOURCE)|,/@SOURCE@/d); $(if $(NOTICES),s|@NOTICES@|$(NOTICES)|,/@NOTICES@/d); s/@SIZE@/$$(du --block-size=100000 "$(TARGET)/page/texam.wasm.gz" | sed 's/\(.\)\s.*/.\1/')/" web/index.html >"$(TARGET)/page/index.html"

# What a release offers, in target/dist: archives for Linux and Windows, which it unpacks and runs, the page, and wheels of the Python package.
# docs/RELEASING.md says what it needs.
dist:
	scripts/dist.py

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
