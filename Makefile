# Every task of the project; the work itself is in scripts/. `make help` lists the targets.

.DEFAULT_GOAL := help
.PHONY: help setup run serve sheet test test-page test-engines lint audit api messages pure mails bench fuzz sanitize docs testdata install clean

# Seconds of `make fuzz`.
SECONDS ?= 60
# The folder that `make sheet` shows.
DIR ?= testdata/camera-roll
# Where `make audit` writes the SBOM, if not to .build-audit/mediatool.spdx.json.
SBOM ?=
# Where `make install` puts the programs.
PREFIX ?= /usr/local

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## install missing Debian packages for building and running
	@scripts/setup

run: setup ## build, then show facts, thumbnails and the tray of testdata/camera-roll
	@scripts/run

serve: setup ## build, then serve the user's library on http://127.0.0.1:8080
	@scripts/build
	@.build/release/mediatool serve

sheet: ## make a contact sheet of the thumbnails of DIR=testdata/camera-roll, in .build/sheet.png
	@scripts/setup test
	@scripts/sheet "$(DIR)"

test: ## run every test; installs the tools that tests compare with
	@scripts/setup test
	@scripts/test

test-page: ## test the page of the service in Chromium; screenshots go to .build/page/
	@scripts/setup test
	@scripts/test-page

test-engines: ## test the Python package and examples/ on pyspark, ray and daft; installs 1.2 GB into .build/python-engines
	@scripts/setup engines
	@scripts/test-engines

lint: ## check formatting and the house rules
	@scripts/lint

audit: setup ## list the packages that are built in or linked, with licenses, and write an SBOM
	@scripts/build
	@scripts/audit release $(SBOM)

api: ## list the public types of each library
	@scripts/public-types

messages: ## list every text that users read, as file:line: text
	@scripts/messages

pure: ## build the pure Swift targets without the C libraries
	@scripts/pure

mails: ## compare Mail with other e-mail parsers: CPython, GMime, mailparse and Dovecot
	@scripts/setup test
	@scripts/build
	@scripts/mail-peers .build/release/mediatool $(wildcard .build/mails)

bench: ## print the benchmark table: mediatool and Debian's tools, measured in one run
	@scripts/setup test
	@scripts/bench

fuzz: ## search for inputs that crash or hang, SECONDS=60
	@scripts/setup test
	@scripts/fuzz $(SECONDS)

sanitize: ## run every test under AddressSanitizer, then under ThreadSanitizer
	@scripts/setup test
	@scripts/sanitize address
	@scripts/sanitize thread

docs: setup ## build the API reference of the libraries in .build-docs/
	@scripts/docs

testdata: ## generate testdata/ again from its scripts
	@scripts/setup test
	@testdata/generate

install: setup ## build and install programs, manual pages and completions to PREFIX=/usr/local
	@scripts/install "$(PREFIX)"

clean: ## remove everything that was built, and the benchmark's files
	rm -rf .build .build-* Benchmarks/.build Fuzz/.build
