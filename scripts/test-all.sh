#!/bin/sh
# SPDX-License-Identifier: MIT
# `make test-all`: what `make test` leaves out. All of what it tries a part of; the suite again under the
# address and undefined-behaviour sanitizers of clang; under these mutated maps, killed and concurrent
# edits; a short run of each fuzz target; the tests in which threads run, under the thread sanitizer; the
# suite but for the corpus under the sanitizers of gcc; and the manual, for which it installs what is
# missing. JUnit results and logs are in build/results/test-all. Exit status 1 if any failed.
set -u
cd "$(dirname "$0")/.."
. scripts/suite.sh

begin_suites test-all
run_suite dev thorough
run_suite asan
run_suite asan long
run_suite fuzz
run_suite tsan
run_suite asan-gcc
scripts/dependencies.sh manual || echo "the manual's packages cannot be had: its test is skipped"
run_suite dev manual
scripts/summary.sh "$results"
exit "$failed"
