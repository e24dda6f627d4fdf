# make demo: the main job, with no hardware. make test: everything that must pass.
.PHONY: setup demo test soak model voice

setup:
	@.ci/setup

test: setup
	cargo fmt --check
	cargo clippy --all-targets --quiet -- -D warnings
	cargo clippy --all-targets --no-default-features --quiet -- -D warnings
	cargo test --quiet

demo: setup
	cargo build --release --quiet
	./target/release/annexd demo

model:
	assets/model-de/train/run

soak: setup
	cargo test --release -- --ignored

# The clips of what annexd says in German; after a change of grammar/de.
voice:
	cargo build --quiet
	assets/voice/make de target/debug/annexd
