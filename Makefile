# SPDX-License-Identifier: MIT
# A thin front: everything is done by CMake (presets in CMakePresets.json) and scripts/.
#
#   make           the optimised command and library: build/bspkit, build/libbspkit.a
#   make demo      install what is missing, build, run the command over samples/
#   make test      install what is missing, run the whole suite in a plain build
#   make test-all  the suite under the sanitizers, fuzzing, and the long proofs: mutated maps, killed
#                  and concurrent edits, threads
#   make manual    install what is missing, build the manual: build/manual/index.html
#   make web       install what is missing, build the npm package and the viewer's page: web/dist
#   make test-web  its tests, in Node and in a headless Chromium
#   make windows   install what is missing, build the command for Windows: build-windows/bspkit.exe
#   make test-windows  its tests: those of the command, under Wine
#   make static    install what is missing, build one that needs no libraries: build-static/bspkit
#   make cross ARCH=s390x|arm64|i386|musl
#                  install what is missing, run the unit tests as another machine under qemu
#   make deb       install what is missing, build the packages of Debian: build/dist/*.deb; make test-deb
#                  installs and uses them in a root with nothing but Debian's base
#   make dist      all of these, the wheel and the sources, with their checksums: build/dist; make test-dist uses
#                  them in a root with nothing but Debian's base
#   make view-demo the samples as pages for a browser: build/view/demo
#   make bindings  what bindings need to know of the library: build/bindings/bspkit.json, bspkit_cdef.h
#   make python    install what is missing, build the wheel of the Python package: build/python/
#   make blender   install what is missing, build the add-on for Blender: build/blender/io_import_bsp.zip
#   make symbols   the list of what the library exports: tests/house/symbols.txt
#   make install   PREFIX=/usr/local, DESTDIR=
#   make dev|asan|asan-gcc|tsan|fuzz|coverage|clang   build in build/NAME and run its tests

PREFIX ?= /usr/local
SOURCES = $(shell find include src tests fuzz bench examples tools -name '*.[ch]')

.PHONY: blender windows test-windows static cross deb test-deb dist test-dist web view-demo test-web bindings python symbols all demo test test-all install dependencies format docs manual clean dev asan asan-gcc tsan fuzz \
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
	@clang-format -i $(SOURCES)

docs: all
	scripts/docs.sh build/bspkit

manual:
	scripts/dependencies.sh manual
	$(MAKE) --no-print-directory all
	python3 scripts/manual.py build/bspkit build/manual

web:
	scripts/dependencies.sh web
	scripts/web.sh

test-web: web all
	scripts/test-web.sh

windows:
	scripts/dependencies.sh windows
	scripts/cross.sh mingw build-windows

test-windows: windows
	scripts/test-windows.sh

static:
	scripts/dependencies.sh static
	scripts/cross.sh musl build-static

cross:
	scripts/dependencies.sh cross
	scripts/cross-test.sh $(ARCH)

deb:
	scripts/dependencies.sh deb
	scripts/deb.sh

test-deb: deb
	scripts/test-deb.sh

dist:
	scripts/dependencies.sh windows
	scripts/dependencies.sh static
	scripts/dependencies.sh python
	scripts/dependencies.sh deb
	scripts/dist.sh

test-dist: dist
	scripts/test-dist.sh

view-demo: web all
	scripts/view-demo.sh build/bspkit build/view/demo

bindings:
	python3 scripts/bindings.py build/bindings --cc "$(CC)"

python:
	scripts/dependencies.sh python
	$(MAKE) --no-print-directory all
	scripts/python.sh

blender:
	scripts/dependencies.sh windows || true
	scripts/blender.sh

symbols: all
	nm -D --defined-only build/libbspkit.so | awk '{ print $$3 }' | LC_ALL=C sort >tests/house/symbols.txt

clean:
	rm -rf build
