.PHONY: setup demo test test-machines fuzz faults mutation sbom check lint-js fix wheel docs screenshots validation house browser cluster tables shipped shipped-prepared shipped-networks
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
INSTALL := $(BIN)/pip install --quiet --constraint constraints.txt

# One environment in two steps: the base, which is all that a demo needs, then everything else.
# hatchling is installed by its pin first, because an isolated build would take any version of it.
$(VENV)/.base: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) hatchling
	$(INSTALL) --no-build-isolation --editable .
	touch $@

# torch is installed by its exact pin first: a looser range may bring gigabytes of GPU libraries.
$(VENV)/.ready: $(VENV)/.base
	$(INSTALL) torch
	$(INSTALL) --no-build-isolation --editable ".[dev]"
	touch $@

setup: $(VENV)/.ready  ## virtual environment with pinned packages

demo: $(VENV)/.base  ## verify two sample texts and write the report, with the base installation
	$(BIN)/adhominem verify demo/left.txt demo/right.txt --genre hotels
	$(BIN)/adhominem explain demo/left.txt demo/right.txt --genre hotels -o demo/report.html --force

# The order of the files counts: the wheel is tested first, because it takes longest.
test: check  ## style, types and all tests, that of the built package among them
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder -rs

test-machines: setup  ## the sensitive tests under six settings of processor, threads, language, home
	$(BIN)/python benchmarks/machines.py -o results/machines.json

fuzz: setup  ## generated texts, damaged and hostile files, odd requests (half an hour; goes on)
	$(BIN)/python benchmarks/fuzz.py -o results/fuzz.json

faults: setup  ## kills, full disks and flipped bits (minutes; goes on)
	$(BIN)/python benchmarks/faults.py -o results/faults.json

mutation: setup  ## planted faults in the rooms text, evidence and views, and the tests that notice them
	$(BIN)/python benchmarks/mutation.py -o results/mutation.json

sbom: setup  ## what the package and its dependencies are, in CycloneDX: dist/sbom.json
	$(BIN)/python docs/sbom.py -o dist/sbom.json

check: setup lint-js  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lint-js:  ## style of the page's scripts, where npm is installed
	@if ! command -v npm > /dev/null; then echo "lint-js: skipped, npm is not installed"; \
	elif [ ! -f package.json ]; then echo "lint-js: skipped, there is no package.json"; \
	elif ! { [ -d node_modules ] || npm install --silent --no-save --no-audit --no-fund; }; then \
	  echo "lint-js: skipped, npm cannot install the packages of package.json"; \
	else npm run --silent check; fi

fix: setup  ## repair what can be repaired by machine
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheel: setup  ## build the package
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

docs: setup  ## write the generated parts of README.md and docs/, results/index.json, and build/site
	$(BIN)/python docs/results_index.py
	$(BIN)/python docs/generate.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

screenshots: setup  ## all pictures of answers in docs/images, with the shipped model (chromium, pdftoppm)
	$(BIN)/python docs/screenshots.py

validation: setup  ## the sample validation reports in docs/samples: PAIRS=folder of prepared test pairs
	$(BIN)/python docs/validation.py $(or $(PAIRS),runs/kinds/prepared/test)

house: setup  ## measure the code and a base installation
	$(BIN)/python benchmarks/house.py -o results/house.json

shipped: setup  ## train the shipped model again and measure it: DATA=... GLOVE=... (needs a GPU)
	$(MAKE) --file experiments/shipped.mk

shipped-prepared: setup  ## the part of it that needs the data, but no GPU
	$(MAKE) --file experiments/shipped.mk prepared

shipped-networks:  ## the part of it that needs the GPU, but no data: BIN=... where torch is
	$(MAKE) --file experiments/shipped.mk networks

tables: setup  ## both tables of the paper again, from the stored scores of every pair
	for scores in results/*.parquet; do \
	  $(BIN)/adhominem bench compare $$scores --form json -o $${scores%.parquet}-table.json --force || exit 1; \
	done
	$(BIN)/python experiments/networks.py -o results/networks.json
	$(BIN)/python docs/results_index.py
	$(BIN)/python docs/generate.py

cluster: setup  ## build a corpus on a local Ray cluster of two workers, against the same on one machine
	$(INSTALL) --no-build-isolation --editable ".[cluster]"
	$(BIN)/python benchmarks/cluster.py $(CORPUS_SOURCES) -o results/cluster.json

# Nothing is fetched that is installed already; without a browser its tests are skipped.
browser: setup  ## what the tests and checks of the workbench in a real browser need
	command -v chromium || command -v google-chrome || apt-get install --yes chromium || \
	  { echo "install chromium first (Debian: sudo apt install chromium)" >&2; exit 1; }
	test -f .local/axe/node_modules/axe-core/axe.min.js || npm install --prefix .local/axe axe-core puppeteer-core
