#!/bin/sh
# SPDX-License-Identifier: MIT
# Displacements that mix two textures: an export names the second one and has the file's alphas at
# the vertices, or mixes them itself when it bakes.
. "$(dirname "$0")/lib.sh"
map=samples/source/lobby.bsp

expect 0 '' export --no-props $map --lightmaps uv -o "$work/uv.gltf"
expect 0 '' export --no-props $map --lightmaps none -o "$work/none.gltf"
expect 0 '' export --no-props $map --lightmaps vertex -o "$work/vertex.gltf"
expect 0 '' export --no-props $map --lightmaps baked -o "$work/baked.gltf"
run dump --json $map DISP_VERTS
python3 - "$work" <<'END' || fail "the second texture"
import json, struct, sys
work = sys.argv[1]
alphas = [v["m_flAlpha"] for v in json.load(open(f"{work}/out"))]
wanted = [min(255, max(0, int(a + 0.5))) * 257 for a in alphas]
for how in ("uv", "none", "vertex", "baked"):
    gltf = json.load(open(f"{work}/{how}.gltf"))
    named = [n for n, m in enumerate(gltf["materials"]) if m["name"] == "LOBBY/HILL1"]
    assert named
    found = 0
    for mesh in gltf["meshes"]:
        for primitive in mesh["primitives"]:
            if primitive["material"] not in named:
                continue
            extras = gltf["materials"][primitive["material"]].get("extras", {})
            if how == "baked":
                assert "baseColorTexture2" not in extras
                assert "COLOR_0" not in primitive["attributes"]
                found += 1
                continue
            second = gltf["textures"][extras["baseColorTexture2"]["index"]]["source"]
            assert "stone1" in gltf["images"][second]["uri"].lower()
            accessor = gltf["accessors"][primitive["attributes"]["COLOR_0"]]
            view = gltf["bufferViews"][accessor["bufferView"]]
            data = open(f"{work}/{how}.bin", "rb").read()
            start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            colors = struct.unpack_from(f"<{4 * accessor['count']}H", data, start)
            assert list(colors[3::4]) == wanted
            white = all(c == 65535 for i, c in enumerate(colors) if i % 4 != 3)
            assert white == (how != "vertex")
            found += 1
    assert found == 1, found
END
finish
