# Every task of the project; the work itself is in scripts/. `make help` lists the targets.

.DEFAULT_GOAL := help
.PHONY: help setup run sheet test lint pure bench fuzz sanitize docs testdata clean

# Seconds of `make fuzz`.
SECONDS ?= 60

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## install the Debian packages that are missing; nothing when none is
	@scripts/setup

run: setup ## build, then facts, small pictures and the tray of testdata/camera-roll
	@scripts/run

# What `make sheet` looks at.
DIR ?= ../shared/corpus

sheet: setup ## one picture of all small pictures of DIR=../shared/corpus, to .build/sheet.png
	@scripts/sheet "$(DIR)"

test: setup ## every test
	@scripts/test

lint: ## formatting and the house rules that a script can check
	@scripts/lint

pure: ## build the rules alone, with no C library to be found
	@scripts/pure

bench: setup ## the speed table: ours beside Debian's tools, measured in one run
	@scripts/bench

fuzz: setup ## look for inputs that crash or hang, SECONDS=60
	@scripts/fuzz $(SECONDS)

sanitize: setup ## every test under AddressSanitizer, then under ThreadSanitizer
	@scripts/sanitize address
	@scripts/sanitize thread

docs: setup ## reference documentation of the libraries, to .build-docs/
	@scripts/docs

testdata: setup ## make testdata/ again from its scripts
	@testdata/generate

clean: ## remove everything that was built; caches of the benchmark too
	rm -rf .build .build-* Benchmarks/.build Fuzz/.build
