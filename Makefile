# weft: `make run` shows it at work, `make check` tests quickly, `make test` checks everything,
# `make help` lists the rest.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/weft.stamp
CHECKS := $(VENV)/checks.stamp
CRATE := $(VENV)/crate/weft.stamp
SERVICE := $(VENV)/service.stamp
CARGO := cargo
MANIFEST := --manifest-path simulators/Cargo.toml
SIMULATORS := weft-flow weft-packet weft-rdma weft-anet weft-model
LOCK = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	--no-emit-index-url --no-emit-find-links --no-header --no-annotate
# Below build/ are copies of programs, which weft has compiled.
C_FILES = $(shell find hardware programs applications -name build -prune -o -name '*.[ch]' -print) \
	tests/*/*.c tests/service/programs/*.c workflow/weft/engines/simgrid/source/*
EXPERIMENT := quickstart
REPORT = reports/$(EXPERIMENT).html

# Tests of the simulators leave files in the temporary folder: they get one that goes with them.
CARGO_TEST = scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	TMPDIR="$$scratch" $(CARGO) test --quiet --release --locked $(MANIFEST)
PYTEST = $(BIN)/python -m pytest
# Several files of tests at a time; tests marked `alone` measure this machine and have it to themselves.
BESIDE = -n auto --dist loadfile --no-loadscope-reorder -m "not alone$(1)"
# What took longest, for whoever adds a test.
SLOWEST = --durations=15 --durations-min=1
# Builds and checks that need nothing of each other, each printed as a whole.
TOGETHER = $(MAKE) --no-print-directory --jobs=2 --output-sync=target

# Snakemake's jobs find the MPI of the environment here; nothing else is taken from outside.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PYTHONPATH :=

.PHONY: help env build run serve check test test-stale test-long doctor lint lint-python \
	lint-workflow lint-rust lint-c lint-words docs fmt catalogue schema lock link release clean
.DEFAULT_GOAL := help

help:  ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

env: $(STAMP)  ## Make the locked Python environment in .venv

$(STAMP): envs/requirements.txt envs/weft_first.pth pyproject.toml
# What only checks need stays out of a user's environment, which is ready sooner for it.
$(CHECKS): $(STAMP) envs/checks.txt
# Only the server of `make serve` needs these.
$(SERVICE): $(STAMP) envs/service.txt
# What checks archives needs an older `rich` than Snakemake has.
$(CRATE): $(STAMP) envs/crate.txt

# One `make` at a time puts packages into an environment. A second one waits, and then looks again what is left
# to do. The stamp comes last: without it nothing counts as installed.
ifndef ALONE
$(STAMP) $(CHECKS) $(SERVICE) $(CRATE):
	@python=$$(envs/check_tools python) && \
		"$$python" envs/fill.py $(@D) $(MAKE) --no-print-directory ALONE=1 $@
else
VENV_WITH_PIP = $(@D)/bin/python -c 'from importlib.metadata import version; version("pip")' 2>/dev/null || \
	{ python=$$(envs/check_tools python) && "$$python" -m venv $(@D); }
INSTALL = $(@D)/bin/python -m pip install --quiet

$(STAMP):
	@$(VENV_WITH_PIP)
	$(INSTALL) --require-hashes -r envs/requirements.txt
	$(INSTALL) --no-deps --no-build-isolation -e .
	@cp envs/weft_first.pth $(@D)/lib/python3.*/site-packages/
	@command -v which >/dev/null || cp envs/which $(@D)/bin/
	@# For those who may not write bytecode: a second user of the clone, PYTHONDONTWRITEBYTECODE.
	$(BIN)/python -m compileall -q workflow
	@touch $@

$(CHECKS):
	$(INSTALL) --require-hashes -r envs/checks.txt
	@touch $@

$(SERVICE):
	$(INSTALL) --require-hashes -r envs/service.txt
	@touch $@

$(CRATE):
	@$(VENV_WITH_PIP)
	$(INSTALL) --require-hashes -r envs/crate.txt
	@touch $@
endif

build: env  ## Build the simulators
	@envs/check_tools cargo
	@envs/check_tools cc
	@envs/check_tools own
	@envs/drop_altered_simulators
	$(CARGO) build --quiet --release --locked $(MANIFEST) $(SIMULATORS:%=--bin %)
	@cd simulators/target/release && sha256sum $(SIMULATORS) > SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS
	@$(MAKE) --no-print-directory link

# Also where a release has brought the simulators.
link:
	@ln -sf $(SIMULATORS:%=../../simulators/target/release/%) $(BIN)

run: build  ## Run an experiment (EXPERIMENT=quickstart) and print the path of its report
	@$(BIN)/python -m weft.launch --quiet rules --cores all $(REPORT) || envs/say_killed $$?

serve: build $(SERVICE)  ## Serve weft to browsers at http://127.0.0.1:8000, with one worker
	@$(BIN)/python -m weft.service.serve

check: $(CHECKS) $(SERVICE)  ## Check style, types and what is quick to test (minutes)
	@$(TOGETHER) build lint
	$(PYTEST) $(SLOWEST) $(call BESIDE, and not slow and not long)

test: $(CHECKS) $(CRATE) $(SERVICE)  ## Check everything that .ci/run checks
	@$(TOGETHER) build lint
	$(CARGO_TEST)
	$(PYTEST) -m alone
	@# Last, because its last lines say what was skipped for want of what.
	$(PYTEST) $(SLOWEST) --long=brief $(call BESIDE)

test-stale: build $(CHECKS) $(CRATE) $(SERVICE)  ## Run what is stale of the long tier, and record it
	$(PYTEST) $(SLOWEST) --long=stale $(call BESIDE, and long)

test-long: build $(CHECKS) $(CRATE) $(SERVICE)  ## Run and record the whole long tier
	$(PYTEST) --long=all $(call BESIDE, and long)

doctor: env  ## Print what this machine can do, and how to get what is missing
	@$(BIN)/snakemake --quiet all --cores 1 doctor

lint: lint-python lint-workflow lint-rust lint-c lint-words docs  ## Check style, types, spelling, documents

lint-python: $(CHECKS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lint-workflow: $(CHECKS)
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/snakemake --lint
	$(BIN)/yamllint --strict .

lint-rust:
	@envs/check_tools cargo
	$(CARGO) fmt $(MANIFEST) --all --check
	$(CARGO) clippy --quiet --release --locked $(MANIFEST) --workspace --all-targets -- -D warnings

lint-c: $(CHECKS)
	$(BIN)/clang-format --dry-run -Werror $(C_FILES)

lint-words: $(CHECKS)
	$(BIN)/codespell

docs: $(CHECKS)  ## Build the documents as a site with a search: site/index.html
	$(BIN)/sphinx-build -q -W --keep-going -n -b html docs site

fmt: $(CHECKS)  ## Apply every formatter
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow/rules
	$(CARGO) fmt $(MANIFEST) --all
	$(BIN)/clang-format -i $(C_FILES)

catalogue:  ## Write configs/catalogue.json anew, which the simulators print
	@envs/check_tools cargo
	$(CARGO) run --quiet --locked $(MANIFEST) --package catalogue > configs/catalogue.json.new
	mv configs/catalogue.json.new configs/catalogue.json

schema: env  ## Write the schemas of the configuration and the reference pages anew
	$(BIN)/python -m weft.config.generate.schema configs/schema
	$(BIN)/python -m weft.config.generate.reference docs/experiment-file.md
	$(BIN)/python -m weft.report.data.metrics docs/metrics.md

lock:  ## Lock envs/*.in anew (needs uv)
	@command -v uv >/dev/null || { echo "weft: needs uv to lock: pip install uv" >&2; exit 1; }
	$(LOCK) envs/requirements.in --output-file envs/requirements.txt
	$(LOCK) envs/checks.in --output-file envs/checks.txt
	$(LOCK) envs/report.in --output-file envs/report.txt
	$(LOCK) envs/crate.in --output-file envs/crate.txt
	$(LOCK) envs/service.in --output-file envs/service.txt
	$(LOCK) envs/build.in --output-file envs/build.txt

release: build  ## Put together what a site without the internet needs: release/weft-<version>/
	@$(BIN)/python -m weft.release.make

clean:  ## Remove what was built; results and reports stay
	rm -rf $(VENV) simulators/target hardware/build .snakemake
