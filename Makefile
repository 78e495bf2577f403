.PHONY: setup demo test check fix wheel docs browser cluster tables shipped shipped-prepared shipped-networks
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3

# torch is installed by its exact pin first: a looser range may bring gigabytes of GPU libraries.
$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[dev]"
	touch $@

setup: $(VENV)/.ready  ## virtual environment with pinned packages

demo: setup  ## verify two sample texts and write the report
	$(BIN)/adhominem verify demo/left.txt demo/right.txt
	$(BIN)/adhominem explain demo/left.txt demo/right.txt -o demo/report.html --force

test: setup  ## all tests
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile

check: setup  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fix: setup  ## repair what can be repaired by machine
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheel: setup  ## build the package
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .

docs: setup  ## write the generated parts of README.md and docs/
	$(BIN)/python docs/generate.py

shipped: setup  ## train the shipped model again and measure it: DATA=... GLOVE=... (needs a GPU)
	$(MAKE) --file experiments/shipped.mk

shipped-prepared: setup  ## the part of it that needs the data, but no GPU
	$(MAKE) --file experiments/shipped.mk prepared

shipped-networks:  ## the part of it that needs the GPU, but no data: BIN=... where torch is
	$(MAKE) --file experiments/shipped.mk networks

tables: setup  ## both tables of the paper again, from the stored scores of every pair
	for scores in results/*.parquet; do \
	  $(BIN)/adhominem compare $$scores --form json -o $${scores%.parquet}-table.json --force || exit 1; \
	done
	$(BIN)/python docs/generate.py

cluster: setup  ## build a corpus on a local Ray cluster of two workers, against the same on one machine
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[cluster]"
	$(BIN)/python benchmarks/cluster.py $(CORPUS_SOURCES) -o results/cluster.json

# Nothing is fetched where it is there already; without a browser its tests are skipped.
browser: setup  ## what the tests and checks of the workbench in a real browser need
	command -v chromium || command -v google-chrome || apt-get install --yes chromium || \
	  { echo "install chromium first (Debian: sudo apt install chromium)" >&2; exit 1; }
	test -f .local/axe/node_modules/axe-core/axe.min.js || npm install --prefix .local/axe axe-core puppeteer-core
