#!/bin/sh
# SPDX-License-Identifier: MIT
# Every sample, with each way of light, as .glb and .gltf, and a map with props, through Khronos' validator: no error, no
# warning. The validator comes from NODE_PATH, or from npm into the build directory; without either
# the test is skipped.
. tests/cli/lib.sh

command -v node >/dev/null || { echo "SKIP: node is not there"; exit 77; }
if ! node -e 'require("gltf-validator")' 2>/dev/null; then
    tools=$BUILD/gltf-validator
    NODE_PATH=$tools/node_modules
    export NODE_PATH
    if ! node -e 'require("gltf-validator")' 2>/dev/null; then
        mkdir -p "$tools"
        npm install --prefix "$tools" --no-audit --no-fund gltf-validator >/dev/null 2>&1 ||
            { echo "SKIP: gltf-validator is not there, and npm cannot get it"; exit 77; }
    fi
fi

for map in samples/*/*.bsp; do
    name=$(echo "${map%.bsp}" | tr / _)
    for light in uv none baked vertex; do
        expect 0 '' export --no-props "$map" -o "$work/$name.$light.glb" --game "${map%/*}" --lightmaps "$light"
    done
    expect 0 '' export --no-props "$map" -o "$work/$name +%.gltf" --game "${map%/*}" --tools --sky --units game
    expect 0 '' export --no-props "$map" -o "$work/$name.solid.glb" --game "${map%/*}" --collision
done
python3 tests/cli/export_props.py "$work" || fail "exports with props"
node tests/tools/validate_gltf.js "$work"/*.glb "$work"/*.gltf >"$work/report" || {
    status=1
    fail "the validator finds fault"
    grep -v ": 0 errors and warnings" "$work/report" | head -n 20
}
[ "$(wc -l <"$work/report")" -ge 5 ] || fail "nothing was validated"
finish
