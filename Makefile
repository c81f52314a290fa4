# The binary under the name that is asked for, for those who build engines with make (OpenBench among them):
# make EXE=name. CC and the like are passed over.

EXE ?= texam
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe,)
FLAGS ?= -C target-cpu=native

.PHONY: all clean

all:
	RUSTFLAGS="$(FLAGS)" cargo build --release --locked --bin texam
	cp $(or $(CARGO_TARGET_DIR),target)/release/texam$(SUFFIX) $(EXE)

clean:
	cargo clean
