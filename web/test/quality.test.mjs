// SPDX-License-Identifier: MIT
// How many pixels the viewer draws: fewer where frames are slow, all where they are fast, and no going to and fro.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { root, work } from "./lib.mjs";

const bundle = path.join(work, "quality.mjs");
await esbuild.build({ entryPoints: [path.join(root, "web/view/src/scene/quality.ts")], outfile: bundle, bundle: true, format: "esm" });
const { Quality } = await import(pathToFileURL(bundle).href);

test("slow frames have fewer pixels, down to an eighth on each axis", () => {
    const quality = new Quality();
    quality.begin(1000);
    assert.equal(quality.scale, 1);
    for (let i = 0; i < 100; i++) quality.frame(2000);
    assert.equal(quality.scale, 1 / 8);
    for (let i = 0; i < 100; i++) quality.frame(60);
    assert.equal(quality.scale, 1 / 8, "with four times the pixels they may be slow again");
    for (let i = 0; i < 9; i++) quality.frame(10);
    assert.equal(quality.scale, 1, "and have more when they are fast");
    quality.begin(1000);
    assert.equal(quality.scale, 1);
    for (let i = 0; i < 100; i++) quality.frame(i % 3 === 0 ? 2000 : 16);
    assert.equal(quality.scale, 1, "single slow frames mean nothing");
});

test("many triangles begin with few pixels, and soon have all on a fast card", () => {
    const quality = new Quality();
    quality.begin(1_300_000);
    assert.equal(quality.scale, 1 / 8);
    for (let i = 0; i < 9; i++) quality.frame(16);
    assert.equal(quality.scale, 1);
    quality.begin(1_300_000);
    for (let i = 0; i < 50; i++) quality.frame(200);
    assert.equal(quality.scale, 1 / 8);
});

test("a picture at rest gets more pixels where its last frame was fast", () => {
    const quality = new Quality();
    quality.begin(1_300_000);
    quality.rest(2000);
    assert.equal(quality.scale, 1 / 8, "no frame was measured yet");
    for (const scale of [1 / 4, 1 / 2, 1]) {
        quality.frame(16);
        quality.rest(100);
        quality.rest(600);
        assert.equal(quality.scale, scale);
        quality.rest(700);
        assert.equal(quality.scale, scale, "once for each frame");
    }
    quality.frame(16);
    quality.rest(600);
    assert.equal(quality.scale, 1);
});
