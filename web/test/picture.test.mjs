// SPDX-License-Identifier: MIT
// What the page draws is what `bspkit render` draws: from the same eye, of pixels that are more than three from an
// edge, 97 of 100 differ by 8 of 255 at most. The samples; with PICTURES=FOLDER also maps of the corpus, and each pair
// is put into that folder beside what differs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { command, native, root, work } from "./lib.mjs";
import { compareWithRender } from "./picture.mjs";

process.env.BSPKIT_PAGE ??= path.join(root, "web/dist/index.html");
const { closeBrowser, openPage, pagePath } = await import("../view/test/browser.mjs");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const skip = !fs.existsSync(chromium) ? `${chromium} is not there` : !fs.existsSync(pagePath) ? "the page is not built" : false;
test.after(closeBrowser);
const folder = process.env.PICTURES;

const LEAST = 0.97;
const corpus = path.join(root, "../shared/corpus");
// The samples, and a second eye where the first sees no sky, no liquid, or no prop.
const SAMPLES = ["quake", "goldsrc", "quake2", "quake3", "source"].map(family => {
    const game = path.join(root, "samples", family);
    return { name: family, map: path.join(game, "lobby.bsp"), game: ["--game", game] };
});
// Grass and ropes.
SAMPLES.push({ ...SAMPLES.at(-1), name: "garden", map: path.join(root, "samples/source/garden.bsp") });
// A pane that mirrors, in front of and behind what it is blended with: the sample's own does not.
const panes = path.join(work, "panes");
fs.mkdirSync(path.join(panes, "materials/lobby"), { recursive: true });
fs.writeFileSync(path.join(panes, "materials/lobby/glass1.vmt"), `"LightmappedGeneric" { "$basetexture" "lobby/glass1"
    "$translucent" "1" "$envmap" "env_cubemap" "$envmaptint" "[.8 .9 1]" }`);
const lobby = path.join(root, "samples/source/lobby.bsp");
const source = ["--game", path.join(root, "samples/source")];
/** A map made of the sample, and the eyes from which its pictures are compared: place, pitch and yaw. */
function made(name, eyes, ...words) {
    const map = path.join(work, `${name}.bsp`);
    native(...words, "-o", map);
    SAMPLES.push({ name, map, game: source, eyes });
}
made("panes", [[640, 300, -24, 4, -90], [600, 150, -24, -5, 60]], "pak", "replace", "--root", panes, lobby, "materials/lobby/glass1.vmt");
// Steps with a normal map.
SAMPLES.push({ name: "steps", map: lobby, game: source, eyes: [[540, 80, -10, 20, 190], [470, 20, 0, 40, 150]] });
// Models and grass that fade: half gone, whole, and gone.
const fades = path.join(work, "fades.ent");
fs.writeFileSync(fades, `{ "classname" "env_detail_controller" "fademindist" "64" "fademaxdist" "220" }
    ${[90, 128, 166].map(x => `{ "classname" "prop_dynamic" "model" "models/lobby/urn.mdl" "origin" "${x} 90 40"
        "fademindist" "${x - 70}" "fademaxdist" "${x + 10}" }`).join("\n")}`);
made("faded", [[128, 24, 65, 10, 90], [128, 60, 50, 0, 80], [60, 240, 60, 10, -60]],
    "entities", "--add", fades, path.join(root, "samples/source/garden.bsp"));
const named = (map, ...game) => ({ name: path.basename(map, ".bsp"), map: path.join(corpus, "named", map), game });
const CORPUS = [
    named("bevy_trenchbroom__assets__maps__librequake__lq_e0m2.bsp"), named("slipgate__maps__e1m2@e291c4b2.bsp"),
    named("c0a0d.bsp"), named("cs-source__maps__hns_vertigo.bsp"), named("ww_ravine.bsp"),
    named("mission64__maps__u1m2.bsp", "--game", path.join(corpus, "assets/quake2")), named("oa_dm2.bsp"), named("oa_thor.bsp"),
    named("oacmpctf3.bsp"), named("onsreborn.bsp"), named("he_dustwar.bsp"), named("od_background01.bsp"), named("pcollab_26.bsp"),
    named("cs-source__maps__de_rats_kitchen.bsp"),
].filter(({ map }) => folder && fs.existsSync(map));

test("pictures are those of bspkit render", { skip }, async t => {
    for (const { name, map, game, eyes } of [...SAMPLES, ...CORPUS]) {
        await t.test(name, async () => {
            const address = path.join(work, `${name}.html`);
            const done = spawnSync(command, ["view", "--page", pagePath, ...game, map, "-o", address], { encoding: "utf8" });
            assert.ok(done.status < 2, done.stderr);
            const { browser, page, faults } = await openPage({ width: 900, height: 500, address: pathToFileURL(address).href });
            try {
                await page.waitForFunction(() => window.bspkitView.times.all > 0 || document.querySelector("#status.fault"), { timeout: 120_000 });
                for (const at of eyes ?? [0, 135]) {
                    await page.evaluate(at => {
                        const { pose } = window.bspkitView;
                        if (typeof at === "number") pose.yaw += at;
                        else Object.assign(pose, { eye: at.slice(0, 3), pitch: at[3], yaw: at[4] });
                    }, at);
                    const turn = typeof at === "number" ? at : eyes.indexOf(at);
                    const out = folder && path.join(folder, `${name}-${turn}.png`);
                    const { good, clear, eye } = await compareWithRender(page, command, [...game, map], { out, work });
                    if (folder) console.log(`${name} ${turn}: ${(100 * good).toFixed(2)} % of ${(100 * clear).toFixed(1)} %`);
                    assert.ok(clear > 0.2, `${name} ${eye}: only ${clear} of the picture is no edge`);
                    assert.ok(good >= LEAST, `${name} ${eye}: only ${good} of the pixels are alike`);
                }
                assert.deepEqual(faults, []);
            } finally {
                await browser.close();
                fs.rmSync(address, { force: true });
            }
        });
    }
});
