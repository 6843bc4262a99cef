// SPDX-License-Identifier: MIT
// The walk of the viewer (web/view/src/walk) in Node, in worlds of the library or of plain boxes.
import path from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { root, work } from "./lib.mjs";

const bundle = path.join(work, "walk.mjs");
await esbuild.build({
    stdin: { contents: "export * from './movement'; export * from './bodies';", resolveDir: path.join(root, "web/view/src/walk"), loader: "ts" },
    outfile: bundle, bundle: true, format: "esm", logLevel: "error",
});
export const { PLACE, Walker, bodyOf, boxOf, eyeOf, newMover } = await import(pathToFileURL(bundle).href);

const STOPS = new Set(["solid", "playerclip", "window", "grate", "moveable"]);
const LIQUIDS = ["water", "slime", "lava"];

/** A map as the walker's world, through the package's traces. */
export function worldOf(map) {
    const { family } = map.info();
    const numbers = family === "quake" || family === "goldsrc";
    let mask = 0;
    for (let bit = 0; bit < 32 && !numbers; bit++) {
        if (map.contentsNames(1 << bit).some(name => STOPS.has(name))) mask |= 1 << bit;
    }
    return {
        family,
        trace(from, to, mins, maxs) {
            const hit = map.trace(from, to, { mins, maxs, mask });
            return { fraction: hit.fraction, end: [...hit.end], normal: [...hit.normal], startSolid: Boolean(hit.start_solid), allSolid: Boolean(hit.all_solid) };
        },
        place(at) {
            const names = map.contentsNames(map.contents(at));
            return (names.includes("solid") ? PLACE.solid : 0) | (LIQUIDS.some(name => names.includes(name)) ? PLACE.liquid : 0) |
                (names.includes("ladder") ? PLACE.ladder : 0);
        },
    };
}

/** Inputs of a player who does not know where to go, the same for a seed: so many frames at 60 a second. */
export function inputs(seed, frames) {
    let state = seed >>> 0;
    const random = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296;
    };
    const out = [];
    let wish = null;
    let yaw = random() * 360;
    let turn = 0;
    while (out.length < frames) {
        if (wish === null || random() < 0.04) {
            turn = (random() - 0.5) * 6;
            wish = { forward: random() < 0.85 ? 1 : -1, side: Math.round(random() * 2 - 1), up: 0, jump: random() < 0.3, crouch: random() < 0.1 };
        }
        yaw += turn;
        out.push({ ...wish, jump: wish.jump && random() < 0.5, yaw, pitch: (random() - 0.5) * 40, seconds: 1 / 60 });
    }
    return out;
}
