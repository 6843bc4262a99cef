// SPDX-License-Identifier: MIT
// Pieces that are blended change places only where no line of sight meets both, and stand in fewer runs for it.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { root, work } from "./lib.mjs";

const bundle = path.join(work, "order.mjs");
await esbuild.build({ entryPoints: [path.join(root, "web/view/src/scene/order.ts")], outfile: bundle, bundle: true, format: "esm" });
const { inFewRuns } = await import(pathToFileURL(bundle).href);

let seed = 1;
function random(most) {
    seed = (seed * 48271) % 2147483647;
    return (most * seed) / 2147483647;
}
const runsOf = batches => batches.filter((batch, n) => batch !== batches[n - 1]).length;
const vector = most => [random(most), random(most), random(most)];

/** Whether a line from the eye through a point meets a box beyond the eye. */
function meets(eye, point, [low, high]) {
    let [from, to] = [0, Infinity];
    for (let i = 0; i < 3; i++) {
        const way = point[i] - eye[i];
        const [a, b] = [(low[i] - eye[i]) / way, (high[i] - eye[i]) / way];
        from = Math.max(from, Math.min(a, b));
        to = Math.min(to, Math.max(a, b));
    }
    return from <= to;
}

test("what changes places is apart in the picture", () => {
    let swapped = 0;
    for (let round = 0; round < 60; round++) {
        const eye = vector(1000);
        const pieces = Array.from({ length: 60 }, () => {
            const low = vector(1000);
            const size = vector(200);
            const middle = low.map((x, i) => x + size[i] / 2);
            const far = Math.hypot(...middle.map((x, i) => x - eye[i]));
            return { batch: Math.floor(random(4)), box: [low, low.map((x, i) => x + size[i])], mirrors: false, far };
        }).sort((a, b) => b.far - a.far);
        const order = inFewRuns(pieces, eye, 8);
        assert.deepEqual([...order].sort((a, b) => a - b), pieces.map((_, n) => n));
        assert.ok(runsOf(order.map(n => pieces[n].batch)) <= runsOf(pieces.map(({ batch }) => batch)));
        order.forEach((n, at) => order.slice(0, at).filter(before => before > n).forEach(before => {
            swapped++;
            for (let ray = 0; ray < 20; ray++) {
                const from = eye.map(x => x + random(9) - 4.5);
                const [low, high] = pieces[n].box;
                const point = low.map((x, i) => x + random(high[i] - x));
                assert.ok(!meets(from, point, pieces[before].box), `round ${round}: ${n} and ${before}`);
            }
        }));
    }
    assert.ok(swapped > 1000, `${swapped}`);
});

test("what is anywhere keeps its place, and what mirrors sees what was before it", () => {
    const at = x => [[x, 100, 0], [x + 10, 110, 10]];
    const list = (...rows) => rows.map(([batch, box, mirrors = false]) => ({ batch, box, mirrors }));
    const eye = [0, 0, 0];
    assert.deepEqual(inFewRuns(list([0, at(0)], [1, at(50)], [0, at(100)]), eye, 1), [0, 2, 1]);
    assert.deepEqual(inFewRuns(list([0, at(0)], [1, null], [0, at(100)]), eye, 1), [0, 1, 2]);
    assert.deepEqual(inFewRuns(list([0, at(0)], [1, at(2)], [0, at(1)]), eye, 1), [0, 1, 2]);
    assert.deepEqual(inFewRuns(list([0, at(0), true], [1, at(50)], [0, at(1), true]), eye, 1), [0, 1, 2]);
    assert.deepEqual(inFewRuns(list([0, at(0), true], [1, at(50)], [0, at(100), true]), eye, 1), [0, 2, 1]);
});
