// SPDX-License-Identifier: MIT
// What the materials of a map's batches share.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { root, work } from "./lib.mjs";

const bundle = path.join(work, "materials.mjs");
await esbuild.build({
    entryPoints: [path.join(root, "web/view/src/scene/materials.ts")], outfile: bundle, bundle: true, format: "esm",
});
const { materialOf, newShared } = await import(pathToFileURL(bundle).href);

const NONE = 0xffffffff;
const batch = {
    first: 0, count: 3, material: 0, flags: 0, alpha: 0, cut: 0, opacity: 1, color: [1, 1, 1], volume: NONE,
    shift: [0, 0], scroll: [0, 0], fade: null, turn: 0, cube: 0,
};
const info = { materials: [{ width: 64, height: 64 }], volumes: [] };
const make = () => materialOf(batch, info, newShared(null), null, null);

test("one empty cube stands for all that have not come, and each material takes its own", () => {
    const [a, b] = [make(), make()];
    const empty = a.uniforms.cube.value;
    assert.ok(empty.isCubeTexture);
    assert.equal(empty.version, 0, "nothing of it goes to the card");
    assert.equal(b.uniforms.cube.value, empty);
    a.uniforms.cube.value = null;
    assert.equal(b.uniforms.cube.value, empty, "the cube of one material is not that of another");
});
