// SPDX-License-Identifier: MIT
// What the tests share: the package as it was built, the native command, and the maps.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const dist = process.env.DIST ?? path.join(root, "web/dist");
export const command = process.env.BSPKIT ?? path.join(root, "build/bspkit");
export const work = fs.mkdtempSync(path.join(os.tmpdir(), "bspkit-web-"));
process.on("exit", () => fs.rmSync(work, { recursive: true, force: true }));

export const { load, startWorker, BspError } = await import(pathToFileURL(path.join(dist, "bspkit.mjs")).href);

/** What the command prints; it may end with status 1 ("problems were found"). */
export function native(...words) {
    const done = spawnSync(command, words, { maxBuffer: 1 << 30 });
    if (done.status > 1 || done.status === null) throw new Error(`${words.join(" ")}: ${done.stderr}`);
    return done.stdout;
}

export function nativeWith(input, ...words) {
    const done = spawnSync(command, words, { maxBuffer: 1 << 30, input });
    if (done.status > 1 || done.status === null) throw new Error(`${words.join(" ")}: ${done.stderr}`);
    return done.stdout.toString("latin1");
}

/** What the command writes to -o. */
export function written(name, ...words) {
    const file = path.join(work, name);
    native(...words, "-o", file);
    const bytes = fs.readFileSync(file);
    fs.rmSync(file);
    return bytes;
}

function below(folder) {
    if (!fs.existsSync(folder)) return [];
    return fs.readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter(entry => entry.isFile() && /\.bsp$/i.test(entry.name))
        .map(entry => path.join(entry.parentPath, entry.name)).sort();
}

const MOST = 12e6; // bytes of a map: the tests take seconds, not minutes

/** The samples, and `each` maps of each family of the corpus, evenly chosen. */
export function maps(each) {
    const corpus = ["quake", "goldsrc", "quake2", "quake3", "source"].flatMap(family => {
        const all = below(path.join(root, "../shared/corpus", family)).filter(file => fs.statSync(file).size < MOST);
        const step = Math.max(1, all.length / each);
        return Array.from({ length: Math.min(each, all.length) }, (_, i) => all[Math.floor(i * step)]);
    });
    return [...below(path.join(root, "samples")), ...corpus];
}

/** Files of a folder by their paths. */
export function filesOf(folder) {
    return fs.readdirSync(folder, { withFileTypes: true, recursive: true }).filter(entry => entry.isFile())
        .map(entry => path.join(entry.parentPath, entry.name)).sort()
        .map(file => [path.relative(folder, file), new Uint8Array(fs.readFileSync(file))]);
}

/** The files beside a map that belong to it. */
export function besideOf(file) {
    const stem = path.basename(file).replace(/\.bsp$/i, "");
    return fs.readdirSync(path.dirname(file))
        .filter(name => name !== path.basename(file) && name.startsWith(stem) && /\.(lit|ent|lmp)$/i.test(name))
        .map(name => [name, new Uint8Array(fs.readFileSync(path.join(path.dirname(file), name)))]);
}

/** Random segments through the bounds: the same everywhere. */
export function segments(bounds, count) {
    let state = 12345;
    const random = () => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return (state >>> 8) / 16777216;
    };
    return Float32Array.from({ length: count * 6 },
        (_, i) => bounds.mins[i % 3] + (bounds.maxs[i % 3] - bounds.mins[i % 3]) * random());
}
