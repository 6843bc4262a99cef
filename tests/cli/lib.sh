# SPDX-License-Identifier: MIT
# Read by the tests of the command. `run ARGUMENTS` runs it; then $status, $work/out, $work/err.
set -u
cd "$SOURCE" || exit 1
work=$(mktemp -d)
trap 'chmod -R u+rw "$work"; rm -rf "$work"' EXIT
map=samples/quake/lobby.bsp
failed=0

fail() {
    echo "FAILED: $*"
    echo "  status $status"
    sed 's/^/  out: /' "$work/out" | head -n 5
    sed 's/^/  err: /' "$work/err" | head -n 5
    failed=1
}

run() {
    status=0
    "$BSPKIT" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# expect STATUS MESSAGE ARGUMENTS...: one line on standard error that holds MESSAGE ('' for none).
expect() {
    want=$1
    message=$2
    shift 2
    run "$@"
    check "$want" "$message" "$*"
}

check() {
    [ "$status" -eq "$1" ] || fail "bspkit $3: status should be $1"
    if [ -z "$2" ]; then
        [ ! -s "$work/err" ] || fail "bspkit $3: should say nothing on standard error"
    else
        [ "$(wc -l <"$work/err")" -eq 1 ] || fail "bspkit $3: should say one line"
        grep -q "^bspkit: " "$work/err" || fail "bspkit $3: should begin with bspkit:"
        grep -Fq -- "$2" "$work/err" || fail "bspkit $3: should say '$2'"
    fi
}

finish() {
    exit "$failed"
}
