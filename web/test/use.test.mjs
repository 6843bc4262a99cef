// SPDX-License-Identifier: MIT
// The viewer as it is used: maps in archives and in folders, what is made of a map, what stays as it was chosen, points
// of entities, comparing, links, and frames that are drawn only when something changes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import test from "node:test";
import { filesOf, native, root, work, written } from "./lib.mjs";

process.env.BSPKIT_PAGE ??= path.join(root, "web/dist/index.html");
const { closeBrowser, give, giveFiles, openPage, pagePath, statusOf } = await import("../view/test/browser.mjs");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const skip = !fs.existsSync(chromium) ? `${chromium} is not there` : !fs.existsSync(pagePath) ? "the page is not built" : false;
const samples = path.join(root, "samples");
const families = ["quake", "goldsrc", "quake2", "quake3", "source"];
test.after(closeBrowser);

/** Runs `use` with a page, in which no script may fail. */
async function withPage(use, options) {
    const { browser, page, faults } = await openPage(options);
    try {
        await use(page);
        assert.deepEqual(faults, []);
    } finally {
        await browser.close();
    }
}

const click = (page, text) => page.evaluate(text => [...document.querySelectorAll("button, label")]
    .find(node => node.checkVisibility() && node.textContent.startsWith(text)).click(), text);

test("maps in archives and folders are listed and opened", { skip }, () => withPage(async page => {
    const archive = path.join(work, "two.pk3");
    const list = ["quake3/lobby.bsp:maps/a.bsp", "quake2/lobby.bsp:maps/b.bsp", "source/lobby.nav:maps/b.nav"];
    const made = spawnSync("python3", ["-c", `import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    for one in sys.argv[2:]: z.write(*one.split(":"))`, archive, ...list], { cwd: samples, encoding: "utf8" });
    assert.equal(made.status, 0, made.stderr);
    assert.match(await give(page, [archive]), /^a: Quake 3/);
    const names = () => page.$$eval("#maps option", nodes => nodes.map(node => node.value));
    assert.deepEqual(await names(), ["two.pk3:maps/a.bsp", "two.pk3:maps/b.bsp"]);
    await page.evaluate(() => { window.bspkitView.times.all = 0; });
    await page.select("#maps", "two.pk3:maps/b.bsp");
    await page.waitForFunction(() => window.bspkitView.times.all > 0);
    assert.match(await statusOf(page), /^b: Quake 2/);
    assert.equal(await page.$eval("#maps", node => node.value), "two.pk3:maps/b.bsp");
    assert.ok(await page.evaluate(async () => (await window.bspkitView.bspkit.call("navLines")).length > 0));
    // The folder of a game: its map and its textures.
    const files = filesOf(path.join(samples, "source")).map(([name, bytes]) => [`game/${name}`, bytes]);
    assert.match(await giveFiles(page, files), /^garden: Source/);
    assert.deepEqual(await names(), files.map(([name]) => name).filter(name => name.endsWith(".bsp")).sort());
    // What has no map says so, and the map stays.
    const empty = path.join(work, "empty.zip");
    fs.writeFileSync(empty, Buffer.from("504b0506000000000000000000000000000000000000", "hex"));
    assert.match(await give(page, [empty]), /no map/);
    fs.writeFileSync(path.join(work, "broken.pk3"), "PK broken");
    assert.match(await give(page, [path.join(work, "broken.pk3")]), /broken\.pk3/);
    assert.match(await giveFiles(page, [["pak01_000.vpk", new Uint8Array(8)]]), /_dir\.vpk/);
    assert.equal(await page.evaluate(() => window.bspkitView.info.name), "garden");
}));

test("a .glb and a map document are those of the command", { skip }, () => withPage(async page => {
    for (const family of families) {
        const game = path.join(samples, family);
        const map = path.join(game, "lobby.bsp");
        await giveFiles(page, filesOf(game).filter(([name]) => name === "lobby.bsp" || !/\.bsp$/.test(name)));
        const bytesOf = async name => Buffer.from(await page.evaluate(async name => {
            const made = await window.bspkitView.bspkit.call(name);
            const reader = new FileReader();
            reader.readAsDataURL(new Blob([made.text ?? made]));
            await new Promise(done => { reader.onload = done; });
            return reader.result.split(",")[1];
        }, name), "base64");
        const glb = await bytesOf("glb");
        assert.ok(glb.equals(written("lobby.glb", "export", "--game", game, map)), family);
        const document = await bytesOf("decompile");
        const ending = family === "source" ? "vmf" : "map";
        assert.ok(document.equals(written(`lobby.${ending}`, "decompile", "--game", game, map)), family);
    }
}));

test("what was chosen stays with other triangles and another map", { skip }, () => withPage(async page => {
    await give(page, [path.join(samples, "quake2/lobby.bsp")]);
    for (const name of ["Edges of triangles", "Triggers and tool", "Entities", "Clip brushes"]) await click(page, name);
    await page.select("#panel-view select:nth-of-type(1)", "orbit");
    await page.evaluate(() => {
        const looks = [...document.querySelectorAll("select")].find(list => [...list.options].some(({ value }) => value === "bright"));
        looks.value = "bright";
        looks.dispatchEvent(new Event("change"));
    });
    const state = () => page.evaluate(() => {
        const { stage, marks, mode } = window.bspkitView;
        const { world } = stage;
        const tools = world.main.children.filter(({ userData }) => userData.batch && userData.batch.flags & 4096);
        return { wire: world.materials.every(one => one.wireframe), look: world.shared.look.value, mode,
                 hidden: tools.filter(({ visible }) => !visible).length, points: marks.parts.has("entities") };
    });
    const chosen = { wire: true, look: 1, hidden: 0, points: true };
    await page.waitForFunction(() => window.bspkitView.stage.world.shared.look.value === 1 && window.bspkitView.marks.parts.has("entities"));
    const { mode, ...now } = await state();
    assert.deepEqual(now, chosen);
    assert.equal(mode, "orbit");
    await give(page, [path.join(samples, "quake3/lobby.bsp")]);
    await page.waitForFunction(() => window.bspkitView.stage.world.shared.look.value === 1 && window.bspkitView.marks.parts.has("entities"));
    const { mode: after, ...then } = await state();
    assert.deepEqual(then, chosen);
    assert.equal(after, "fly"); // another map begins at its start
    assert.equal(await page.$eval("#panel-view select", node => node.value), "fly");
}));

test("points of entities are picked, and changed", { skip }, () => withPage(async page => {
    await give(page, [path.join(samples, "quake3/lobby.bsp")]);
    await click(page, "Entities");
    const wanted = await page.evaluate(() => {
        const view = window.bspkitView;
        const number = view.entities.findIndex(({ at, model, pairs }) => at && model === null && pairs.some(([, value]) => value === "light"));
        const [x, y, z] = view.entities[number].at;
        Object.assign(view.pose, { eye: [x - 40, y, z], yaw: 0, pitch: 0 });
        view.stage.draw(view.pose, 0);
        view.pickAt(0, 0);
        return number;
    });
    assert.ok(wanted > 0);
    assert.match(await page.$eval("#panel-pick", node => node.textContent), new RegExp(`^Entity ${wanted}: light`));
    await click(page, "Change it");
    const selected = await page.evaluate(() => {
        const text = document.activeElement;
        return text.value.slice(text.selectionStart, text.selectionEnd);
    });
    assert.match(selected, /^\{\n"classname" "light"|^\{\n[^{}]*"light"\n[^{}]*\}\n$/);
    // Found by a click, shown, and flown to.
    await page.click("#panel-find-tab");
    await page.type("#panel-find input", "info_player_deathmatch");
    await page.waitForFunction(() => document.querySelector("#panel-find .rows [role=row]"));
    await page.click("#panel-find .rows [role=row]");
    assert.match(await page.$eval("#panel-pick", node => node.textContent), /^Entity \d+: info_player_deathmatch/);
}));

test("two maps are compared", { skip }, () => withPage(async page => {
    const map = path.join(samples, "source/lobby.bsp");
    const other = path.join(work, "other.bsp");
    native("entities", "--set", "wait=3", "--where", "classname=func_button", map, "-o", other);
    await page.click("#panel-compare-tab");
    const input = await page.$("#panel-compare input[type=file]");
    await input.uploadFile(other);
    await page.waitForFunction(() => /Open a map first/.test(document.querySelector("#status").textContent));
    await give(page, [map]);
    await input.uploadFile(other);
    await page.waitForSelector("#panel-compare .rows [role=row].changed");
    assert.match(await page.$eval("#panel-compare", node => node.textContent), /\d+ changed, 0 added, 0 removed/);
    assert.ok(await page.evaluate(() => window.bspkitView.marks.parts.has("compared")));
    await page.evaluate(() => [...document.querySelectorAll("#panel-compare .rows [role=row]")].find(row => /entities/i.test(row.textContent)).click());
    assert.match(await page.$eval("#panel-pick", node => node.textContent), /^Entity \d+: func_button/);
}));

test("the address says the view", { skip }, () => withPage(async page => {
    const map = path.join(samples, "quake/lobby.bsp");
    await give(page, [map]);
    await page.evaluate(() => { Object.assign(window.bspkitView.pose, { eye: [10, 20, 30], yaw: 40, pitch: 5, fov: 70 }); });
    const link = await page.evaluate(() => window.bspkitView.link());
    const pose = () => page.evaluate(() => window.bspkitView.pose);
    const wanted = await pose();
    await page.evaluate(() => { Object.assign(window.bspkitView.pose, { eye: [0, 0, 0], yaw: 0, fov: 90 }); });
    await page.evaluate(link => { location.hash = link; }, link);
    await page.waitForFunction(() => window.bspkitView.pose.fov === 70);
    assert.deepEqual(await pose(), wanted);
    await page.evaluate(() => { window.bspkitView.pose.eye = [0, 0, 0]; });
    assert.ok(!/another file/.test(await give(page, [map])));
    assert.deepEqual(await pose(), wanted);
    const other = path.join(work, "lobby.bsp");
    native("entities", "--set", "message=other", "--index", "0", map, "-o", other);
    assert.match(await give(page, [other]), /another file of this name/);
}));

test("frames are drawn when something changes", { skip }, () => withPage(async page => {
    await give(page, [path.join(samples, "goldsrc/lobby.bsp")]);
    await page.evaluate(() => { window.bspkitView.options.animate = false; });
    const frames = () => page.evaluate(() => window.bspkitView.stage.stats.frames);
    /** Whether no frame is drawn any more for two seconds: one that gives more pixels to a picture at rest comes sooner. */
    const settles = async () => {
        for (let tries = 0; tries < 30; tries++) {
            const before = await frames();
            await new Promise(done => setTimeout(done, 2000));
            if (await frames() === before) return true;
        }
        return false;
    };
    assert.ok(await settles());
    const before = await frames();
    await page.evaluate(() => { window.bspkitView.pose.yaw += 10; });
    await page.waitForFunction(before => window.bspkitView.stage.stats.frames > before, {}, before);
    assert.ok(await settles());
    // The picture that is saved has another size: that of the screen is drawn again.
    const after = await frames();
    await page.evaluate(() => window.bspkitView.stage.resize(64, 64, 1));
    await page.waitForFunction(after => window.bspkitView.stage.stats.frames > after, {}, after);
    assert.ok(await page.evaluate(() => window.bspkitView.canvas.width > 64));
}));

test("keys, mouse, fingers, a gamepad and buttons move the eye", { skip }, () => withPage(async page => {
    await give(page, [path.join(samples, "quake2/lobby.bsp")]);
    const pose = () => page.evaluate(() => structuredClone(window.bspkitView.pose));
    /** Whether what `act` does changes the place or the direction. */
    const moves = async (act, wanted) => {
        const before = await pose();
        await act();
        await page.waitForFunction((before, wanted) => {
            const { eye, yaw } = window.bspkitView.pose;
            return wanted === "eye" ? eye.some((value, n) => value !== before.eye[n]) : yaw !== before.yaw;
        }, { timeout: 20_000 }, before, wanted);
    };
    await page.focus("#picture");
    await moves(() => page.keyboard.down("w"), "eye");
    await page.keyboard.up("w");
    await moves(() => page.keyboard.down("ArrowLeft"), "yaw");
    await page.keyboard.up("ArrowLeft");
    const { x, y, width, height } = await page.$eval("#picture", node => node.getBoundingClientRect().toJSON());
    const [cx, cy] = [x + width / 2, y + height / 2];
    await page.mouse.move(cx, cy);
    await page.mouse.down();
    await moves(() => page.mouse.move(cx + 60, cy + 5, { steps: 3 }), "yaw");
    await page.mouse.up();
    await moves(() => page.mouse.wheel({ deltaY: -300 }), "eye");
    await page.touchscreen.touchStart(cx, cy);
    await moves(() => page.touchscreen.touchMove(cx - 60, cy), "yaw");
    await page.touchscreen.touchEnd();
    await click(page, "Buttons to move");
    const forward = await page.$("#buttons [aria-label=Forward]");
    await forward.hover();
    await moves(() => page.mouse.down(), "eye");
    await page.mouse.up();
    await moves(() => forward.press("Enter"), "eye");
    const pad = buttons => page.evaluate(buttons => {
        const axes = buttons ? [0, -1, 0, 0] : [0, 0, 0, 0];
        navigator.getGamepads = () => [{ connected: true, axes, buttons: [] }];
    }, buttons);
    await moves(() => pad(true), "eye");
    await pad(false);
}));

test("a player falls into no dead end", { skip }, () => withPage(async page => {
    await give(page, [path.join(samples, "quake3/lobby.bsp")]);
    // Place and mode are set at once: the answer to a step that is on its way would put him back.
    const walk = (place = "eye") => page.evaluate(place => {
        const { pose, stage: { world: { data: { info } } } } = window.bspkitView;
        if (place === "floor") pose.eye = [pose.eye[0], pose.eye[1], pose.eye[2] - 20];
        if (place === "void") pose.eye = [info.maxs[0] + 500, info.maxs[1] + 500, info.mins[2] - 900];
        return window.bspkitView.setMode("walk");
    }, place);
    await walk();
    assert.equal(await page.evaluate(() => window.bspkitView.mode), "walk");
    // In the floor there is room a little higher; in the void he falls, and flies on.
    await walk("floor");
    assert.equal(await page.evaluate(() => window.bspkitView.mode), "walk");
    await walk("void");
    await page.waitForFunction(() => window.bspkitView.mode === "fly", { timeout: 120_000 });
    assert.match(await statusOf(page), /fell out of the map/);
}));

test("?map= opens a map of the page's own site, and of no other", { skip }, async () => {
    const files = { "/index.html": pagePath, "/maps/lobby.bsp": path.join(samples, "quake/lobby.bsp") };
    const server = http.createServer((request, answer) => {
        const file = files[new URL(request.url, "http://localhost").pathname];
        answer.writeHead(file ? 200 : 404, { "content-type": file?.endsWith("html") ? "text/html" : "application/octet-stream" });
        answer.end(file ? fs.readFileSync(file) : "");
    });
    await new Promise(done => server.listen(0, "127.0.0.1", done));
    const site = `http://127.0.0.1:${server.address().port}`;
    try {
        for (const [name, says] of [["maps/lobby.bsp", /^lobby: Quake/], [`${site.replace("127.0.0.1", "localhost")}/maps/lobby.bsp`, /not of this site/],
                                    ["maps/none.bsp", /the server says 404/]]) {
            const { browser, page } = await openPage({ address: `${site}/index.html?map=${encodeURIComponent(name)}` });
            await page.waitForFunction(() => window.bspkitView.times.all > 0 || document.querySelector("#status.fault"), { timeout: 60_000 });
            assert.match(await statusOf(page), says);
            await browser.close();
        }
    } finally {
        server.close();
    }
});

test("styles of light are switched, and luxels are squares", { skip }, () => withPage(async page => {
    await give(page, [path.join(samples, "quake/lobby.bsp")]);
    await page.evaluate(() => { window.bspkitView.options.animate = false; });
    const light = () => page.evaluate(() => {
        const { data } = window.bspkitView.stage.world.pages.image;
        return data.reduce((sum, value) => sum + value, 0);
    });
    const styles = await page.evaluate(() => window.bspkitView.stage.world.data.info.styles);
    assert.ok(styles.length > 0, "the sample has styles of light");
    const set = value => page.evaluate((style, value) => window.bspkitView.setStyle(style, value), styles[0], value);
    await set(1);
    const on = await light();
    await set(0);
    const off = await light();
    assert.ok(off < on, `${off} and ${on}`);
    await set(1);
    assert.equal(await light(), on);
    await set(null);
    await click(page, "Luxels as squares");
    assert.equal(await page.evaluate(() => window.bspkitView.stage.world.pages.magFilter), 1003); // THREE.NearestFilter
}));

test("clip hulls are shown where there are any, and sliding doors open", { skip }, () => withPage(async page => {
    await give(page, [path.join(samples, "quake/lobby.bsp")]);
    const hulls = () => page.evaluate(() => {
        const list = [...document.querySelectorAll("#panel-view select")].find(one => /of a body of/.test(one.textContent));
        return { list: list?.id, shown: list ? list.checkVisibility() : false };
    });
    const { list, shown } = await hulls();
    assert.ok(shown);
    await page.select(`#${list}`, "1");
    await page.waitForFunction(() => window.bspkitView.marks.parts.has("hull"));
    const { triangles, edges } = await page.evaluate(async () => {
        const hull = await window.bspkitView.bspkit.call("hull", 1);
        return { triangles: hull.triangles.length / 9, edges: hull.edges.length / 6 };
    });
    assert.ok(triangles > 50 && edges > triangles, `${triangles} ${edges}`);
    await page.select(`#${list}`, "0");
    await page.waitForFunction(() => !window.bspkitView.marks.parts.has("hull"));
    const places = () => page.evaluate(() => window.bspkitView.stage.world.positions.reduce((sum, x, n) => (n % 8 < 3 ? sum + x * (1 + n % 7) : sum), 0));
    const shut = await places();
    await click(page, "Sliding doors open");
    await page.waitForFunction(shut => window.bspkitView.stage.world.positions.reduce((sum, x, n) => (n % 8 < 3 ? sum + x * (1 + n % 7) : sum), 0) !== shut, {}, shut);
    await give(page, [path.join(samples, "quake3/lobby.bsp")]);
    assert.equal(await page.evaluate(id => document.getElementById(id).checkVisibility(), list), false);
}));
