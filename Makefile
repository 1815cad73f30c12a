# SPDX-License-Identifier: Apache-2.0
# Two commands for a fresh clone: `make demo` parses and draws, `make test` builds and runs every test. `make help` lists the others.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto# processes of pytest
BUILD := build/release
DEVELOP := build/develop
SANITIZE := build/sanitize
SANITIZED := build/sanitized
SANITIZED_FLAGS := -O1 -g1# -O0 compiles in a third of the time and runs five times as long
UNDER_SANITIZERS = PYTHONPATH=$(SANITIZED)/package:. LD_PRELOAD="$$($(or $(CXX),c++) -print-file-name=libasan.so) $$($(or $(CXX),c++) -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0
SOURCES := $(shell find core bindings src -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.py' -o -name '*.pyi' -o -name '*.txt' -o -name '*.accord' -o -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.svg' -o -name py.typed \) -not -path '*/__pycache__/*') CMakeLists.txt core/CMakeLists.txt pyproject.toml
CPP_FILES = $(shell find core bindings tests/core benchmarks -name '*.cpp' -o -name '*.hpp')

# One compiled core serves the package and the core's tests: pip builds in $(BUILD) with the tools of the virtual environment.
# `make test WERROR=ON` takes warnings as errors.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
BUILD_TOOLS := 'pip>=22.1' 'scikit-build-core>=0.10' 'nanobind>=2.4' 'cmake>=3.18,<4' ninja
INSTALL := $(PIP) --no-build-isolation --config-settings=build-dir=$(BUILD) $(if $(WERROR),--config-settings=cmake.define.ACCORD_WERROR=ON)
CONFIGURE = $(BIN)/cmake -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja

.PHONY: docs help demo test install check neural-test format tidy dev stubs reference core-test sanitize sanitize-changed trie wheel wheel-test sources-test nightly fuzz fuzz-core sanitized fuzz-sanitized integration sbom clean

.DEFAULT_GOAL := demo

help:  ## what each target does
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */\1\t/' | expand -t 20

demo: $(VENV)/.installed  ## build, then parse and draw two short texts
	$(BIN)/accord parse examples/english.txt --output text
	$(BIN)/accord parse examples/chinese.txt --model zh --output text

test: $(VENV)/.tools core-test  ## build and run every test
	$(BIN)/python -W error -m pytest -n $(JOBS) tests docs README.md --pyargs accord

install: $(VENV)/.installed  ## the package in .venv

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Accord needs Python 3.10 or newer" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "no virtual environment could be made; on Debian: apt-get install python3-venv" >&2; rm -rf $(VENV); exit 1; }

$(VENV)/.build-tools: $(BIN)/python
	$(PIP) $(BUILD_TOOLS)
	@touch $@

$(VENV)/.installed: $(VENV)/.build-tools $(SOURCES)
	$(INSTALL) .
	@touch $@

# The same, with the tools of the tests. The compiler's work is kept in $(BUILD), so a second installation is short.
$(VENV)/.tools: $(VENV)/.build-tools $(SOURCES)
	$(INSTALL) '.[test]'
	@touch $(VENV)/.installed $@

# PyTorch is large, so what needs it is not part of `make test`. TORCH says which one is installed: a build for CPUs is enough.
TORCH ?= torch>=2.2
neural-test: $(VENV)/.tools  ## the tests of the training of networks: `make neural-test TORCH=torch==2.13.0`
	$(PIP) '$(TORCH)'
	$(BIN)/python -W error -m pytest -n $(JOBS) tests/torch tests/tasks

core-test: $(VENV)/.tools  ## the tests of the C++ core, without Python
	$(BIN)/cmake --build $(BUILD) --target core_tests
	$(BIN)/ctest --test-dir $(BUILD) --output-on-failure --parallel 2

$(SANITIZE)/build.ninja: core/CMakeLists.txt | $(VENV)/.tools
	$(CONFIGURE) -S core -B $(SANITIZE) -DACCORD_WERROR=ON -DACCORD_SANITIZE=ON -DACCORD_UNITY=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" > /dev/null

sanitize: $(SANITIZE)/build.ninja  ## the core's tests under the address and undefined-behaviour sanitizers
	$(BIN)/cmake --build $(SANITIZE) --target core_tests
	$(BIN)/ctest --test-dir $(SANITIZE) --output-on-failure

sanitize-changed: $(SANITIZE)/build.ninja  ## the same for the tests that this branch can break, five minutes at most
	$(BIN)/python tools/changed_core_tests.py --build $(SANITIZE) --cmake $(BIN)/cmake --seconds 300

# The two-dimensional trie of benchmarks/trie, which the package does not use: built beside its script and tested.
trie: $(VENV)/.tools  ## build and test the 2D trie of benchmarks/
	$(CONFIGURE) -S benchmarks/trie -B build/trie -DPython_EXECUTABLE=$(abspath $(BIN))/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) > /dev/null
	$(BIN)/cmake --build build/trie
	cp build/trie/_trie*.so benchmarks/trie/
	$(BIN)/ctest --test-dir build/trie --output-on-failure
	$(BIN)/python -W error -m pytest benchmarks/trie/tests

# The core's tests under the sanitizers, then the contract of all solvers on ten thousand random graphs for each kind of factor: about
# half an hour of one core.
nightly: $(VENV)/.tools neural-test sanitize fuzz-sanitized trie  ## networks, sanitizers, fuzzers, the 2D trie and ten thousand random graphs a factor
	ACCORD_EXAMPLES=10000 $(BIN)/python -W error -m pytest -vv tests/inference/test_factor_contract.py tests/inference/test_graph_contract.py tests/app/service/test_any_request.py

# Mutated model files, inputs and texts, each case in a process that may die: `make fuzz SECONDS=3600`.
SECONDS_OF_FUZZ := $(or $(SECONDS),60)
FUZZED := models variants readers languages
fuzz: $(VENV)/.tools  ## mutated files of every kind of model and of every reader, mutated texts of every small language
	for what in $(FUZZED); do $(BIN)/python -W ignore -m tools.fuzz $$what --seconds $(SECONDS_OF_FUZZ) || exit 1; done

# The extension under the address and undefined-behaviour sanitizers, as a package of its own in $(SANITIZED)/package. The interpreter
# knows nothing of the sanitizers, so their library comes first, then the standard library whose exceptions they watch; what an
# interpreter leaves at its end is no finding.
sanitized: $(VENV)/.build-tools  ## the package with a core under the sanitizers, in build/sanitized
	$(PIP) --no-build-isolation --no-deps --upgrade --target $(SANITIZED)/package --config-settings=build-dir=$(SANITIZED)/cmake --config-settings=cmake.build-type=RelWithDebInfo --config-settings=cmake.define.ACCORD_SANITIZE=ON '--config-settings=cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO=$(SANITIZED_FLAGS)' .

fuzz-sanitized: sanitized  ## the fuzzers on that package: `make fuzz-sanitized SECONDS=600`
	$(PIP) numpy typer rich pytest
	for what in $(FUZZED); do $(UNDER_SANITIZERS) $(BIN)/python -W ignore -m tools.fuzz $$what --seconds $(SECONDS_OF_FUZZ) || exit 1; done

# Chromium and Spark are no Python packages: on Debian `apt-get install chromium chromium-driver default-jre-headless`. What is not there
# is skipped. Spark, Ray and a browser are large, so these tests are not part of `make test`.
integration: $(VENV)/.tools  ## the page in Chromium, and corpora on Spark and Ray
	$(PIP) selenium pyspark 'ray[data]' pyarrow
	ACCORD_INTEGRATION=1 $(BIN)/python -W error -m pytest tests/integration

# clang++ with libFuzzer: on Debian `apt-get install clang-14 libclang-rt-14-dev` and `make fuzz-core FUZZ_CXX=clang++-14`. What is new to
# a fuzzer is kept in build/fuzz, and an input that breaks a claim too: `build/fuzz/documents_fuzz FILE` runs it again.
FUZZ_CXX ?= clang++
RUNS ?= 100000
fuzz-core: $(VENV)/.build-tools  ## coverage-guided fuzzers of the core's readers under the sanitizers: `make fuzz-core RUNS=1000000`
	$(CONFIGURE) -S tests/core/fuzz -B build/fuzz -DCMAKE_CXX_COMPILER=$(FUZZ_CXX) > /dev/null
	$(BIN)/cmake --build build/fuzz
	for what in documents templates patterns lexicons; do mkdir -p build/fuzz/$$what; build/fuzz/$${what}_fuzz -runs=$(RUNS) -max_len=2000 -timeout=20 -rss_limit_mb=4000 -verbosity=0 -print_final_stats=1 -artifact_prefix=build/fuzz/$$what- build/fuzz/$$what tests/core/fuzz/seeds/$$what || exit 1; done

sbom: $(VENV)/.installed  ## what is installed, with versions and licences, as CycloneDX JSON
	$(PIP) cyclonedx-bom
	@mkdir -p build
	$(BIN)/cyclonedx-py environment --output-format JSON --output-file build/accord.cdx.json

check: $(VENV)/.tools  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/clang-format --dry-run -Werror $(CPP_FILES)

format: $(VENV)/.tools  ## bring every file into the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(CPP_FILES)

# For work on the code: an extension beside the sources, rebuilt file by file; use with PYTHONPATH=src.
dev: $(BIN)/python  ## an extension beside the sources, rebuilt incrementally
	@$(PIP) $(BUILD_TOOLS)
	$(CONFIGURE) -S . -B $(DEVELOP) -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DPython_EXECUTABLE=$(abspath $(BIN))/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) > /dev/null
	$(BIN)/cmake --build $(DEVELOP)
	cp --remove-destination $(DEVELOP)/_core*.so src/accord/

# The checks of .clang-tidy on the core; `make tidy FILES=core/trees/shape.cpp` looks at one file.
FILES ?= $(shell find core -name '*.cpp')
tidy: dev  ## clang-tidy on the core
	@$(PIP) clang-tidy==23.1.4
	$(BIN)/clang-tidy --quiet -p $(DEVELOP) $(FILES)

stubs: dev  ## rewrite the type stubs of the extension
	PYTHONPATH=src $(BIN)/python -m nanobind.stubgen -q -r -m accord._core -O src/accord

# Wheels of all supported versions of Python that are installed here; from 3.12 on one wheel serves all later versions (stable ABI).
wheel: $(BIN)/python  ## wheels, packages of further models and the archive of the sources, in dist/
	$(BIN)/python tools/wheels.py build

wheel-test: $(BIN)/python  ## the wheels of dist/ in bare environments of every supported Python
	$(BIN)/python tools/wheels.py test

sources-test: $(BIN)/python  ## a wheel from the archive of dist/, without network
	$(BIN)/python tools/wheels.py sources

reference: dev  ## rewrite the pages of docs/reference from the registry of tasks
	PYTHONPATH=src $(BIN)/python -m accord.app.reference docs/reference

# Links are checked by tests/test_docs.py and, in the site, by mkdocs.
PAGES := build/pages
docs: $(BIN)/python  ## the documentation as a site in build/site, with a reference of all public classes
	$(PIP) 'mkdocs-material>=9.5'
	rm -rf $(PAGES) && mkdir -p $(PAGES)/benchmarks/trie
	cp -r docs README.md CHANGELOG.md CONTRIBUTING.md $(PAGES)
	cp benchmarks/trie/README.md $(PAGES)/benchmarks/trie
	$(BIN)/python tools/reference_pages.py $(PAGES)/docs/reference/python
	$(BIN)/mkdocs build --strict --quiet

clean:  ## remove everything that was built
	rm -rf build dist $(VENV) src/accord/_core*.so benchmarks/trie/_trie*.so
