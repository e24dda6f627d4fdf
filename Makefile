# make demo: the main job, with no hardware. make test: everything that must pass.
# make install PREFIX=/usr/local: for all users of this machine.
.PHONY: setup build practice demo test soak model voice install

PREFIX ?= /usr/local
SHARE = $(DESTDIR)$(PREFIX)/share/annexd
# What users may read; tests/documents.rs holds that no page links to anything else.
PAGES = README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md $(wildcard docs/*.md docs/*.png docs/de/*.md) \
	tests/reconcile/README.md tests/games/README.md
# Where cargo puts what it builds: usually target, but users may have chosen another folder.
TARGET = $(shell cargo metadata --no-deps --format-version 1 | \
	sed 's/.*"target_directory":"\([^"]*\)".*/\1/')

setup:
	@.ci/setup

build: setup
	@echo "build: some minutes the first time"
	cargo build --release

# The program that may reach the network; the one that plays rated games does without it.
practice: setup
	cargo build --release --package annexd-practice

demo: build
	$(TARGET)/release/annexd demo

test:
	@.ci/setup test
	cargo fmt --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	cargo clippy --all-targets --no-default-features --quiet -- -D warnings
	@.ci/tests

soak: build
	@.ci/soak

# The model that hears and the clips that speak are in the project; these make them anew.
model:
	assets/model-de/train/run

voice:
	@.ci/setup test
	assets/voice/make

install: build practice
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/annexd $(SHARE)/assets
	install -m 755 $(TARGET)/release/annexd $(DESTDIR)$(PREFIX)/bin/annexd
	install -m 755 $(TARGET)/release/annexd-practice $(DESTDIR)$(PREFIX)/bin/annexd-practice
	install -m 755 .deps/lib/libvosk.so $(DESTDIR)$(PREFIX)/lib/annexd/libvosk.so
	cp -r grammar $(SHARE)/
	cp -r assets/. $(SHARE)/assets/
	rm -rf $(SHARE)/assets/model-*/train $(SHARE)/assets/voice/make
	for page in LICENSE $(PAGES); do install -D -m 644 $$page $(SHARE)/$$page; done
	@echo "install: done; try $(PREFIX)/bin/annexd check"
