// SPDX-License-Identifier: MIT
// What the test's page does in the browser.
import { BspError, hasSimd, load, startWorker } from "/dist/bspkit.mjs";

const hex = async bytes => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
    .map(byte => byte.toString(16).padStart(2, "0")).join("");
const get = async url => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** Digests of what is made of a map. */
async function digests(map, segments) {
    const out = { info: await map.info() };
    const mesh = await map.mesh();
    out.vertices = await hex(mesh.vertices);
    out.indices = await hex(mesh.indices);
    out.light = mesh.light === null ? [] : await Promise.all(mesh.light.pages.map(page => hex(page.pixels)));
    out.glb = await hex(await map.glb());
    out.source = await hex((await map.decompile()).bytes);
    out.fractions = await hex((await map.traces(segments, { model: 0 })).fraction);
    return out;
}

async function open(library, name, segments) {
    const bytes = await get(`/maps/${name}`);
    const started = performance.now();
    const map = await library.open(bytes, { name: name.split("/").at(-1) });
    await map.count("faces");
    const opened = performance.now();
    await map.mesh();
    const meshed = performance.now();
    const out = await digests(map, Float32Array.from(segments));
    await map.close();
    return { ...out, milliseconds: [opened - started, meshed - opened] };
}

window.run = async (kind, names) => {
    const wasm = kind === "plain" ? "/dist/bspkit-plain.wasm" : undefined;
    const library = kind === "worker" ? await startWorker() : await load({ wasm, simd: kind !== "plain" });
    const out = [];
    for (const [name, segments] of names) out.push(await open(library, name, segments));
    library.close?.();
    return { simd: library.simd, out };
};

/** A worker from a Blob, as a page has it that was opened from a disk. */
window.runBlob = async name => {
    const text = await (await fetch("/dist/bspkit-worker.mjs")).text();
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = await startWorker({ worker: address, wasm: await get("/dist/bspkit.wasm") });
    const map = await worker.open(await get(`/maps/${name}`));
    const files = [["game/maps/x.txt", new Blob(["lazy"])]];
    await map.setGame(files);
    const info = await map.info();
    const texture = await map.textureNamed("none");
    worker.close();
    return { family: info.family, found: texture.found };
};

window.bad = async () => {
    const library = await load();
    try {
        library.open(new Uint8Array([1, 2, 3, 4]));
    } catch (error) {
        return { known: error instanceof BspError, message: error.message, simd: hasSimd() };
    }
    return null;
};
window.ready = true;
