# SPDX-License-Identifier: Apache-2.0
# Two commands for a fresh clone: `make demo` parses and draws, `make test` builds and runs every test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find core bindings src -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.py' -o -name '*.pyi' -o -name '*.txt' -o -name '*.accord' -o -name py.typed \) -not -path '*/__pycache__/*') CMakeLists.txt core/CMakeLists.txt pyproject.toml

.PHONY: demo test install check dev stubs reference core-test sanitize wheel nightly clean

demo: $(VENV)/.installed
	$(BIN)/accord parse examples/english.txt --output text
	$(BIN)/accord parse examples/chinese.txt --model zh --output text

test: $(VENV)/.tools core-test
	$(BIN)/python -W error -m pytest tests docs README.md --pyargs accord

install: $(VENV)/.installed

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Accord needs Python 3.10 or newer" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "no virtual environment could be made; on Debian: apt-get install python3-venv" >&2; rm -rf $(VENV); exit 1; }

$(VENV)/.installed: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

# The same, with the tools of the tests. The compiler's work is kept in build/, so a second installation is short.
$(VENV)/.tools: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[test]'
	@touch $(VENV)/.installed $@

# The core alone: built with warnings as errors and tested without Python.
core-test: $(VENV)/.tools
	$(BIN)/cmake -S core -B build/core -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DACCORD_WERROR=ON > /dev/null
	$(BIN)/cmake --build build/core
	$(BIN)/ctest --test-dir build/core --output-on-failure

sanitize: $(VENV)/.tools
	$(BIN)/cmake -S core -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DACCORD_WERROR=ON -DACCORD_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" > /dev/null
	$(BIN)/cmake --build build/sanitize
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure

# The core's tests under the sanitizers, then the contract of all solvers on ten thousand random graphs for each kind of factor: about
# half an hour of one core.
nightly: $(VENV)/.tools sanitize
	ACCORD_EXAMPLES=10000 $(BIN)/python -W error -m pytest -vv tests/inference/test_factor_contract.py tests/inference/test_graph_contract.py

check: $(VENV)/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# For work on the code: an extension beside the sources, rebuilt incrementally; use with PYTHONPATH=src.
DEVELOP := build/develop
dev:
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check nanobind cmake ninja
	$(BIN)/cmake -S . -B $(DEVELOP) -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE=$(abspath $(BIN))/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) > /dev/null
	$(BIN)/cmake --build $(DEVELOP)
	cp $(DEVELOP)/_core*.so src/accord/

stubs: dev
	PYTHONPATH=src $(BIN)/python -m nanobind.stubgen -q -r -m accord._core -O src/accord

# A wheel for this platform in dist/; from Python 3.12 on it serves all later versions (stable ABI).
wheel: $(BIN)/python
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

clean:
	rm -rf build dist $(VENV) src/accord/_core*.so

reference: dev  # the pages of docs/reference, from the registry of tasks
	PYTHONPATH=src $(BIN)/python -m accord.app.reference docs/reference
