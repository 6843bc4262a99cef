# SPDX-License-Identifier: MIT
# A thin front: everything is done by CMake (presets in CMakePresets.json) and scripts/.
#
#   make           the optimised command and library: build/bspkit, build/libbspkit.a
#   make demo      install what is missing, build, run the command over samples/
#   make test      install what is missing, run the whole suite in a plain build
#   make test-all  the suite under the sanitizers, fuzzing, and the long proofs: mutated maps, killed
#                  and concurrent edits, threads
#   make manual    install what is missing, build the manual: build/manual/index.html
#   make bindings  what bindings need to know of the library: build/bindings/bspkit.json, bspkit_cdef.h
#   make symbols   the list of what the library exports: tests/house/symbols.txt
#   make install   PREFIX=/usr/local, DESTDIR=
#   make dev|asan|asan-gcc|tsan|fuzz|coverage|clang   build in build/NAME and run its tests

PREFIX ?= /usr/local
SOURCES = $(shell find include src tests fuzz bench examples tools -name '*.[ch]')

.PHONY: bindings symbols all demo test test-all install dependencies format docs manual clean dev asan asan-gcc tsan fuzz \
        coverage clang

all:
	@command -v cmake ninja >/dev/null || { echo "make: cmake and ninja are needed: scripts/dependencies.sh installs them" >&2; exit 1; }
	cmake --preset release
	cmake --build --preset release

dependencies:
	scripts/dependencies.sh

demo: dependencies
	$(MAKE) --no-print-directory all
	scripts/demo.sh build/bspkit build/demo

test: dependencies
	scripts/test.sh

test-all: dependencies
	scripts/test-all.sh

install: all
	cmake --install build --prefix $(PREFIX)

dev asan asan-gcc tsan fuzz clang:
	cmake --preset $@
	cmake --build --preset $@
	ctest --preset $@

coverage:
	scripts/dependencies.sh coverage
	cmake --preset $@
	cmake --build --preset $@
	ctest --preset $@ -LE house
	gcovr --root . --filter src/ build/coverage --print-summary

format:
	clang-format -i $(SOURCES)

docs: all
	scripts/docs.sh build/bspkit

manual:
	scripts/dependencies.sh manual
	$(MAKE) --no-print-directory all
	python3 scripts/manual.py build/bspkit build/manual

bindings:
	python3 scripts/bindings.py build/bindings --cc "$(CC)"

symbols: all
	nm -D --defined-only build/libbspkit.so | awk '{ print $$3 }' | LC_ALL=C sort >tests/house/symbols.txt

clean:
	rm -rf build
