# make demo: the main job, with no hardware. make test: everything that must pass.
# make install PREFIX=/usr/local: for all users of this machine. make uninstall: takes it away again.
# make deb, make tarball: packages for other computers, in target/packages. make pi: the same for a
# 64-bit Raspberry Pi. make windows: for Windows. make release: all of them, tried in fresh systems.
.PHONY: setup build practice demo test soak model voice install files uninstall
.PHONY: deb tarball pi windows release

PREFIX ?= /usr/local
# What belongs to the program: apart from the games, which a user may have in share/annexd.
HOUSE = $(DESTDIR)$(PREFIX)/lib/annexd
SHARE = $(DESTDIR)$(PREFIX)/share
RULES = $(DESTDIR)$(PREFIX)/lib/udev/rules.d
# What users may read; tests/documents.rs holds that no page links to anything else.
PAGES = README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md $(wildcard docs/*.md docs/*.png docs/*.brf docs/de/*.md docs/de/*.brf) \
	tests/reconcile/README.md tests/games/README.md
# Where cargo puts what it builds: usually target, but users may have chosen another folder.
TARGET = $(shell cargo metadata --no-deps --format-version 1 | \
	sed 's/.*"target_directory":"\([^"]*\)".*/\1/')

# The program says of which commit it is. Only what is installed does: else every commit would
# have the tests built anew.
install: export ANNEXD_COMMIT ?= $(shell git describe --always --dirty --abbrev=12 2>/dev/null)

setup:
	@.ci/setup

build: setup
	@echo "build: some minutes the first time"
	cargo build --release --package annexd --package annexd-demo

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

soak:
	@.ci/setup test
	@.ci/soak

# The model that hears and the clips that speak are in the project; these make them anew.
model:
	assets/hearing-training/run

voice:
	@.ci/setup test
	assets/voice/make

# What was built where, and the recogniser for it.
BUILT = $(TARGET)/release
LIBVOSK = .deps/lib/libvosk.so

install: build practice files
	@echo "install: done; try $(PREFIX)/bin/annexd check"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) \
	echo "install: to start it by its name, add $(PREFIX)/bin to PATH, or log in again" ;; esac

files:
	install -d $(DESTDIR)$(PREFIX)/bin $(HOUSE)/assets
	install -m 755 $(BUILT)/annexd$(EXE) $(DESTDIR)$(PREFIX)/bin/annexd$(EXE)
	for other in practice demo; do \
	install -m 755 $(BUILT)/annexd-$$other$(EXE) $(DESTDIR)$(PREFIX)/bin/annexd-$$other$(EXE); done
	install -m 755 $(LIBVOSK) $(HOUSE)/libvosk.so
	cp -r grammar $(HOUSE)/
	cp -r assets/. $(HOUSE)/assets/
	rm -rf $(HOUSE)/assets/model-*/train $(HOUSE)/assets/model-*/.gitignore
	rm -rf $(HOUSE)/assets/hearing-training
	@# A model without its network is of no use to anybody.
	for model in $(HOUSE)/assets/model-*; do [ -e $$model/SHA256SUMS ] || rm -r $$model; done
	rm -rf $(HOUSE)/assets/voice/make $(HOUSE)/assets/package
	for page in LICENSE $(PAGES); do install -D -m 644 $$page $(HOUSE)/$$page; done
	cargo run --release --quiet --example help-files -- $(SHARE)
	cd assets/package && install -D -m 644 --target-directory=$(SHARE)/applications annexd.desktop
	cd assets/package && install -D -m 644 --target-directory=$(SHARE)/metainfo annexd.metainfo.xml
	cd assets/package && install -D -m 644 --target-directory=$(RULES) 60-annexd.rules

# Games and settings stay: they are the users'.
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/annexd $(DESTDIR)$(PREFIX)/bin/annexd-practice $(DESTDIR)$(PREFIX)/bin/annexd-demo
	rm -rf $(HOUSE) $(SHARE)/doc/annexd
	rm -f $(SHARE)/man/man1/annexd.1 $(SHARE)/man/man1/annexd-*.1
	rm -f $(SHARE)/bash-completion/completions/annexd $(SHARE)/zsh/site-functions/_annexd
	rm -f $(SHARE)/fish/vendor_completions.d/annexd.fish $(RULES)/60-annexd.rules
	rm -f $(SHARE)/applications/annexd.desktop $(SHARE)/metainfo/annexd.metainfo.xml
	@echo "uninstall: done; games and settings stay where they are"

deb:
	@.ci/setup package
	@assets/package/make deb

tarball:
	@.ci/setup package
	@assets/package/make tarball

pi:
	@.ci/setup package arm64
	@ARCH=arm64 assets/package/make deb
	@ARCH=arm64 assets/package/make tarball

windows:
	@.ci/setup package windows
	@assets/package/windows/make

release:
	@.ci/setup package arm64 windows release
	@assets/package/release
