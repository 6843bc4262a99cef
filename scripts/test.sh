#!/bin/sh
# SPDX-License-Identifier: MIT
# `make test`: all tests in a plain build with assertions, in some minutes. JUnit results and logs are in
# build/results/test. Exit status 1 if any failed. `make test-all` runs them again under the sanitizers.
set -u
cd "$(dirname "$0")/.."
. scripts/suite.sh

begin_suites test
run_suite dev
scripts/summary.sh "$results"
exit "$failed"
