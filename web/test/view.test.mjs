// SPDX-License-Identifier: MIT
// The viewer in a headless Chromium: pages that `bspkit view` makes of the samples open
// without a fault; every panel and camera; files that are none or are made to do harm leave a message, and the page lives.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const viewer = path.join(root, "web/dist/index.html");
process.env.BSPKIT_PAGE ??= viewer;
process.env.BSPKIT_OUT ??= fs.mkdtempSync(path.join(os.tmpdir(), "bspkit-view-"));
const { closeBrowser, give, openPage, pagePath, statusOf } = await import("../view/test/browser.mjs");
const { inputs } = await import("./walk.mjs");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const command = process.env.BSPKIT ?? path.join(root, "build/bspkit");
const work = process.env.BSPKIT_OUT;
const skip = !fs.existsSync(chromium) ? `${chromium} is not there` : !fs.existsSync(pagePath) ? "the page is not built" : false;
// A walk of so many minutes as a player would take them, as fast as it is computed: 60 moves a second, and one picture.
const WALK_MINUTES = Number(process.env.WALK_MINUTES ?? 0.4);
const walkMap = process.env.WALK_MAP ?? path.join(root, "samples/quake3/lobby.bsp");
test.after(closeBrowser);

function bspkit(...words) {
    const done = spawnSync(command, words, { encoding: "utf8" });
    assert.ok(done.status < 2, `${words.join(" ")}: ${done.stderr}`);
}

const opened = page => page.waitForFunction(
    () => window.bspkitView.times.all > 0 || document.querySelector("#status.fault"), { timeout: 120_000 });

test("pages of the samples", { skip }, async t => {
    for (const family of ["quake", "goldsrc", "quake2", "quake3", "source"]) {
        await t.test(family, async () => {
            const game = path.join(root, "samples", family);
            const out = path.join(work, `${family}.html`);
            bspkit("view", "--page", pagePath, "--game", game, path.join(game, "lobby.bsp"), "-o", out);
            const { browser, page, faults } = await openPage({ width: 1000, height: 560, address: pathToFileURL(out).href });
            try {
                await opened(page);
                await page.waitForFunction(() => window.bspkitView.pending === 0, { timeout: 60_000 });
                await new Promise(done => setTimeout(done, 500));
                assert.match(await statusOf(page), /^lobby: .*faces\.$/);
                const [width, height] = await page.$eval("#picture", canvas => [canvas.width, canvas.height]);
                assert.ok(width > 200 && height > 200);
                assert.deepEqual(faults, []);
            } finally {
                await browser.close();
            }
        });
    }
});

test("every panel and camera", { skip }, async () => {
    const { browser, page, faults } = await openPage();
    try {
        await give(page, [path.join(root, "samples/source/lobby.bsp")]);
        for (const tab of await page.$$("[role=tab]")) {
            await tab.click();
            const panel = await page.$(`#${await tab.evaluate(node => node.getAttribute("aria-controls"))}`);
            assert.ok(await panel.evaluate(node => !node.hidden && node.textContent.length > 0));
        }
        for (const key of ["Digit1", "Digit2", "Digit3", "Digit4", "Digit1", "KeyW", "KeyA", "Enter"]) {
            await page.focus("#picture");
            await page.keyboard.press(key);
            await new Promise(done => setTimeout(done, 100));
        }
        await page.keyboard.press("?");
        assert.ok(await page.$eval("dialog", node => node.open));
        await page.keyboard.press("Escape");
        assert.deepEqual(faults, []);
    } finally {
        await browser.close();
    }
});

test("lines of portals and of a navigation mesh", { skip }, async () => {
    const { browser, page, faults } = await openPage();
    try {
        const game = path.join(root, "samples/source");
        await give(page, [path.join(game, "lobby.bsp"), path.join(game, "lobby.nav")]);
        const polygons = path.join(work, "portals.obj");
        bspkit("portals", path.join(game, "lobby.bsp"), "-o", polygons);
        const corners = fs.readFileSync(polygons, "utf8").split("\n").filter(line => line.startsWith("f "))
            .reduce((sum, line) => sum + line.trim().split(" ").length - 1, 0);
        const nav = JSON.parse(spawnSync(command, ["query", "nav", path.join(game, "lobby.bsp")], { encoding: "utf8" }).stdout);
        const counts = await page.evaluate(async () => {
            const { bspkit, pose } = window.bspkitView;
            const edges = async (name, ...words) => (await bspkit.call(name, ...words)).length / 6;
            return { all: await edges("portalLines", [0, 0, 100000]), here: await edges("portalLines", pose.eye), nav: await edges("navLines") };
        });
        assert.ok(corners > 100, `${corners} corners`);
        assert.equal(counts.all, corners);
        assert.ok(counts.here > 0 && counts.here <= counts.all, `${counts.here} of ${counts.all}`);
        assert.equal(counts.nav, 4 * nav.num_areas + nav.num_ladders);
        for (const name of ["Portals seen from here", "Navigation mesh (.nav)"]) {
            await page.evaluate(name => [...document.querySelectorAll("label")].find(label => label.textContent.includes(name)).click(), name);
        }
        await page.waitForFunction(() => window.bspkitView.stage.marks.children.length >= 2, { timeout: 10_000 });
        assert.deepEqual(faults, []);
    } finally {
        await browser.close();
    }
});

// Every lamp of the text of entities, or of the page's field, as dim as can be.
const DIM = [/"(_?light|_ambient)" "[^"]*"/g, '"$1" "1 1 1 1"'];
const press = (page, begin) => page.evaluate(begin =>
    [...document.querySelectorAll("button")].find(one => one.textContent.startsWith(begin)).click(), begin);
const says = (page, pattern) => page.waitForFunction(pattern =>
    new RegExp(pattern).test(document.querySelector("#status").textContent), { timeout: 60_000 }, pattern.source);
const dim = page => page.evaluate(([pattern, to]) => {
    const text = document.querySelector("textarea");
    text.value = text.value.replaceAll(new RegExp(pattern, "g"), to);
}, [DIM[0].source, DIM[1]]);

test("light is made anew as the command makes it, and shown", { skip }, async () => {
    const { browser, page, faults } = await openPage();
    const shown = () => page.evaluate(() => {
        const { data } = window.bspkitView.stage.world.pages.image;
        return data.reduce((sum, value) => sum + value, 0) / data.length;
    });
    const folder = path.join(work, "light");
    fs.mkdirSync(folder);
    try {
        for (const family of ["quake", "goldsrc", "quake2", "quake3", "source"]) {
            const map = path.join(root, "samples", family, "lobby.bsp");
            const lit = path.join(folder, "lit.bsp");
            const beside = family === "quake" ? [path.join(folder, "lobby.lit")] : [];
            bspkit("light", "--preview", map, "-o", lit, ...beside.flatMap(file => ["--lit", file]));
            await give(page, [map, ...beside]);
            const made = await page.evaluate(async wanted => {
                const bytes = Uint8Array.from(atob(wanted), letter => letter.charCodeAt(0));
                const { map } = await window.bspkitView.bspkit.call("lightAgain", document.querySelector("textarea").value, null, null);
                return { size: map.length, others: map.filter((value, n) => value !== bytes[n]).length };
            }, fs.readFileSync(lit).toString("base64"));
            assert.deepEqual(made, { size: fs.statSync(lit).size, others: 0 }, family);
            const before = await shown();
            await dim(page);
            await page.evaluate(() => {
                window.bspkitView.pose.yaw = 33;
                return window.bspkitView.setMode("walk");
            });
            await press(page, "Light again");
            await says(page, /whole map was made anew/);
            assert.ok(await shown() < before - 1, `${family}: ${before} and ${await shown()}`);
            // One walks on.
            const [wish] = inputs(1, 1);
            assert.ok(await page.evaluate(wish => window.bspkitView.bspkit.call("walk", wish), wish));
            assert.deepEqual(await page.evaluate(() => [window.bspkitView.mode, window.bspkitView.pose.yaw]), ["walk", 33]);
        }
        // What is stopped leaves the map as it was, and so does a map that is opened before the light is there.
        const held = await page.evaluate(() => window.bspkitView.files.length);
        await page.evaluate(() => (window.before = window.bspkitView.stage.world));
        await press(page, "Light again");
        await press(page, "Stop");
        await says(page, /^Stopped/);
        await page.waitForFunction(() => ![...document.querySelectorAll("button")].some(one => one.textContent.startsWith("Light again") && one.disabled));
        assert.ok(await page.evaluate(async () => (await window.bspkitView.bspkit.call("entities")).length > 0));
        assert.deepEqual(await page.evaluate(() => [window.bspkitView.files.length, window.before === window.bspkitView.stage.world]), [held, true]);
        await press(page, "Light again");
        assert.match(await give(page, [path.join(root, "samples/quake2/lobby.bsp")]), /^lobby: Quake 2/);
        assert.equal(await page.$eval("#status", node => node.className), "");
        // Light that the map does not name is not made, and said.
        const bare = path.join(folder, "bare.bsp");
        const dark = path.join(folder, "dark.map");
        fs.writeFileSync(dark, '{ "classname" "worldspawn" }\n');
        bspkit("entities", "--import", dark, path.join(root, "samples/quake/lobby.bsp"), "-o", bare);
        await give(page, [bare]);
        await press(page, "Light again");
        await says(page, /names no light/);
        assert.deepEqual(faults, []);
    } finally {
        await browser.close();
    }
});

test("light of a room is made anew, and stays as it was elsewhere", { skip }, async () => {
    const { browser, page, faults } = await openPage();
    const folder = path.join(work, "room");
    fs.mkdirSync(folder);
    const [map, text, changed, room, whole, made] = ["lobby.bsp", "dim.txt", "dim.bsp", "room.bsp", "whole.bsp", "made.bsp"]
        .map(name => path.join(folder, name));
    const eye = [128, 32, 48];
    const near = [128, 192, 112];
    const far = [640, 96, 64]; // in the other room
    const query = (verb, at, file) => JSON.parse(spawnSync(command, ["query", verb, ...at.map(String), file], { encoding: "utf8" }).stdout);
    const light = (file, at) => query("light", at, file).ambient;
    const lightFrom = async at => {
        await page.evaluate(at => {
            window.bspkitView.pose.eye = at;
            document.querySelector("option[value=room]").selected = true;
        }, at);
        await press(page, "Light again");
        await says(page, /made anew/);
        const bytes = await page.evaluate(async () => {
            const { files, path } = window.bspkitView;
            return [...new Uint8Array(await files.find(file => file.path === path).data.arrayBuffer())];
        });
        fs.writeFileSync(made, Buffer.from(bytes));
        return page.$eval("#status", node => node.textContent);
    };
    try {
        for (const family of ["quake", "goldsrc", "quake2", "quake3", "source"]) {
            fs.copyFileSync(path.join(root, "samples", family, "lobby.bsp"), map);
            const { stdout } = spawnSync(command, ["entities", map], { encoding: "utf8" });
            fs.writeFileSync(text, stdout.replaceAll(...DIM));
            bspkit("entities", "--import", text, map, "-o", changed);
            const { mins, maxs } = query("leaf", eye, map);
            const how = ["light", "--preview", "--force", "--lights", text, changed, "-o"];
            bspkit(...how, room, "--region", [...mins, ...maxs].join());
            bspkit(...how, whole);
            await give(page, [map]);
            await dim(page);
            assert.match(await lightFrom(eye), /^The light of this room and of what may see into it was made anew/);
            assert.ok(fs.readFileSync(made).equals(fs.readFileSync(room)), family);
            assert.deepEqual(light(made, near), light(whole, near), family);
            assert.notDeepEqual(light(made, near), light(map, near), family);
            if (["goldsrc", "quake2", "quake3"].includes(family)) { // where the lamps of that room are dimmed too
                assert.deepEqual(light(made, far), light(map, far), family);
                assert.notDeepEqual(light(made, far), light(whole, far), family);
            }
            // In a wall the eye is in no room. Light of which most is still the compiler's is not refused.
            assert.match(await lightFrom([-8, 32, 48]), /^The eye is in no room\. The light of the whole map/);
            assert.deepEqual(light(made, far), light(whole, far), family);
        }
        assert.deepEqual(faults, []);
    } finally {
        await browser.close();
    }
});

test("a long walk leaves the memory as it was", { skip }, async () => {
    const { browser, page } = await openPage({ width: 400, height: 240 });
    try {
        await give(page, [walkMap]);
        const session = await page.createCDPSession();
        const walk = (seed, steps) => page.evaluate(async list => {
            const view = window.bspkitView;
            for (const [n, wish] of list.entries()) {
                const { eye } = await view.bspkit.call("walk", wish);
                Object.assign(view.pose, { eye, yaw: wish.yaw, pitch: wish.pitch });
                if (n % 60 === 0) view.stage.draw(view.pose, n / 60);
            }
        }, inputs(seed, steps));
        const held = async () => {
            await session.send("HeapProfiler.collectGarbage");
            const { JSHeapUsedSize: heap, Nodes: nodes, JSEventListeners: listeners } = await page.metrics();
            const card = await page.evaluate(async () => {
                const { geometries, textures } = window.bspkitView.stage.renderer.info.memory;
                return { geometries, textures, library: await window.bspkitView.bspkit.call("memory") };
            });
            return { heap, nodes, listeners, ...card };
        };
        await page.evaluate(() => window.bspkitView.bspkit.call("walkFrom", window.bspkitView.pose.eye));
        await walk(1, 600); // what is made once is there then
        const steps = WALK_MINUTES * 3600;
        await walk(3, steps / 6); // and more that is, in a walk of 30 minutes
        const before = await held();
        for (let done = 0; done < steps; done += 3600) {
            await walk(2 + done, Math.min(3600, steps - done));
            if (WALK_MINUTES > 1) console.log(`minute ${done / 3600 + 1}: ${JSON.stringify(await held())}`);
        }
        const after = await held();
        // What was not in sight before comes to the card when it is: each batch once.
        const batches = await page.evaluate(() => window.bspkitView.stage.world.batches.length);
        const most = { heap: 1 << 18, nodes: 16, listeners: 0, geometries: batches - before.geometries + 2, textures: 2 * batches - before.textures + 2, library: 0 };
        for (const [name, more] of Object.entries(most)) {
            assert.ok(after[name] - before[name] <= more, `${name}: ${before[name]} before, ${after[name]} after`);
        }
    } finally {
        await browser.close();
    }
});

test("a map takes 64 MiB and 8 times its file at most", { skip }, async t => {
    const folder = process.env.MEMORY; // maps beside the samples, a folder of them
    const maps = ["quake", "goldsrc", "quake2", "quake3", "source"].map(family => path.join(root, "samples", family, "lobby.bsp"))
        .concat(folder ? fs.readdirSync(folder).filter(name => name.endsWith(".bsp")).sort().map(name => path.join(folder, name)) : []);
    for (const map of maps) {
        const { browser, page } = await openPage({ width: 400, height: 240 });
        try {
            await give(page, [map]);
            const session = await page.createCDPSession();
            await session.send("HeapProfiler.collectGarbage");
            const { JSHeapUsedSize: heap } = await page.metrics();
            const library = await page.evaluate(() => window.bspkitView.bspkit.call("memory"));
            const { size } = fs.statSync(map);
            const most = 64 * 1048576 + 8 * size;
            t.diagnostic(`${path.basename(map)}: file ${size}, library ${library}, page's heap ${heap}, of ${most}`);
            assert.ok(library + heap <= most, `${map}: ${library} + ${heap} bytes of ${most}`);
        } finally {
            await browser.close();
        }
    }
});

test("a page that is served shows the map that is compiled again", { skip }, async () => {
    const map = path.join(work, "served.bsp");
    fs.copyFileSync(path.join(root, "samples/quake/lobby.bsp"), map);
    const server = spawn(command, ["view", "--serve", "--page", pagePath, map], { stdio: ["ignore", "pipe", "pipe"] });
    try {
        const address = await new Promise((done, fail) => {
            server.stdout.once("data", text => done(String(text).trim()));
            server.once("exit", () => fail(new Error(String(server.stderr.read()))));
        });
        const { browser, page, faults } = await openPage({ address });
        try {
            await opened(page);
            assert.match(await statusOf(page), /^served: Quake, 297 faces/);
            // The place stays over the reload.
            await page.evaluate(() => { window.bspkitView.pose.eye = [1, 2, 3]; window.before = true; });
            fs.writeFileSync(map, "not finished");
            const says = text => page.waitForFunction(text => document.querySelector("#status").textContent.includes(text),
                { timeout: 60_000 }, text);
            await says("cannot be shown");
            assert.ok(await page.evaluate(() => window.before));
            fs.copyFileSync(path.join(root, "samples/quake2/lobby.bsp"), map);
            await page.waitForFunction(() => !window.before && window.bspkitView?.times.all > 0, { timeout: 60_000 });
            assert.match(await statusOf(page), /^served: Quake 2 and /);
            assert.deepEqual(await page.evaluate(() => window.bspkitView.pose.eye), [1, 2, 3]);
            server.kill("SIGINT");
            await says("The server has ended");
            assert.deepEqual(faults.filter(fault => !/ERR_CONNECTION_REFUSED|Failed to load resource/.test(fault)), []);
        } finally {
            await browser.close();
        }
    } finally {
        server.kill("SIGKILL");
    }
});

test("files that are no maps, and maps that are made to do harm", { skip }, async () => {
    const { browser, page } = await openPage();
    try {
        const text = path.join(work, "text.bsp");
        fs.writeFileSync(text, "no map at all");
        assert.match(await give(page, [text]), /not a BSP/);
        const picture = path.join(work, "picture.png");
        fs.writeFileSync(picture, Buffer.from("89504e470d0a1a0a", "hex"));
        assert.ok((await give(page, [picture])).length > 0);
        const hostile = path.join(root, "../shared/hostile");
        const kept = path.join(root, "tests/kept");
        const foreign = path.join(root, "../shared/corpus/foreign/foreign");
        const files = [hostile, kept, foreign].flatMap(folder => fs.existsSync(folder)
            ? fs.readdirSync(folder).filter(name => name.endsWith(".bsp")).map(name => path.join(folder, name)) : []);
        assert.ok(files.length > 10);
        for (const file of files) {
            assert.ok((await give(page, [file]).catch(fault => assert.fail(`${file}: ${fault}`))).length > 0, file);
        }
        assert.match(await give(page, [path.join(root, "samples/quake/lobby.bsp")]), /^lobby: Quake, 297 faces\./);
    } finally {
        await browser.close();
    }
});
