#!/bin/sh
# SPDX-License-Identifier: MIT
# `make test`: all tests in a plain build, the programs and the command again under the address and
# undefined-behaviour sanitizers, and a short run of each fuzz target. JUnit results and logs are in
# build/results/test. Exit status 1 if any failed.
set -u
cd "$(dirname "$0")/.."
. scripts/suite.sh

begin_suites test
run_suite dev
run_suite asan
run_suite fuzz
scripts/summary.sh "$results"
exit "$failed"
