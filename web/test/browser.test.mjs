// SPDX-License-Identifier: MIT
// In a headless Chromium, from a page whose policy allows no address but its own: what the package makes
// of maps is what it makes in Node, which native.test.mjs compares with the native command.
import assert from "node:assert/strict";
import crypto from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import test from "node:test";
import puppeteer from "puppeteer-core";
import { dist, load, maps, root, segments } from "./lib.mjs";

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self' blob:";
const TYPES = { ".mjs": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const PAGE = `<!doctype html><title>test</title><script type="module" src="/test/page.mjs"></script>`;
const files = maps(1);

function answer(request, response) {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const [, folder, rest] = /^\/(dist|test|maps)\/(.*)$/.exec(name) ?? [];
    const file = folder === "maps" ? files[Number(rest.split("/")[0])]
        : folder === undefined ? null : path.join(folder === "dist" ? dist : path.join(root, "web/test"), rest);
    response.setHeader("Content-Security-Policy", POLICY);
    if (name === "/") {
        response.setHeader("Content-Type", TYPES[".html"]);
        response.end(PAGE);
    } else if (file && fs.existsSync(file)) {
        response.setHeader("Content-Type", TYPES[path.extname(file)] ?? "application/octet-stream");
        fs.createReadStream(file).pipe(response);
    } else {
        response.statusCode = 404;
        response.end();
    }
}

const hex = bytes => crypto.createHash("sha256").update(bytes).digest("hex");

function expected(lib, file, lines) {
    const map = lib.open(fs.readFileSync(file), { name: path.basename(file) });
    const mesh = map.mesh();
    const out = {
        info: map.info(), vertices: hex(mesh.bytes),
        indices: hex(new Uint8Array(mesh.indices.buffer)),
        light: mesh.light === null ? [] : mesh.light.pages.map(page => hex(page.pixels)),
        glb: hex(map.glb()), source: hex(map.decompile().bytes),
        fractions: hex(new Uint8Array(map.traces(lines, { model: 0 }).fraction.buffer)),
    };
    map.close();
    return out;
}

test("the package in Chromium", { skip: fs.existsSync(chromium) ? false : `${chromium} is not there` }, async t => {
    const server = http.createServer(answer).listen(0, "127.0.0.1");
    await new Promise(done => server.once("listening", done));
    const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", error => problems.push(error.message));
    page.on("console", message => message.type() === "error" && problems.push(message.text()));
    page.setDefaultTimeout(300000);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction("window.ready === true");

    const lib = await load();
    const asked = [];
    const wanted = [];
    for (const [n, file] of files.entries()) {
        const map = lib.open(fs.readFileSync(file));
        const lines = segments(map.info().bounds ?? { mins: [0, 0, 0], maxs: [1, 1, 1] }, 1000);
        try {
            map.traces(lines.subarray(0, 6));
            map.decompile();
        } catch {
            continue; // a branch without a map or traces
        } finally {
            map.close();
        }
        asked.push([`${n}/${path.basename(file)}`, [...lines]]);
        wanted.push(expected(lib, file, lines));
    }
    for (const kind of ["simd", "plain", "worker"]) {
        await t.test(kind, async () => {
            const found = await page.evaluate((how, names) => window.run(how, names), kind, asked);
            assert.equal(found.simd, kind !== "plain");
            found.out.forEach((own, n) => {
                const { milliseconds, ...rest } = own;
                assert.deepEqual(rest, wanted[n], asked[n][0]);
                t.diagnostic(`${kind} ${asked[n][0]}: open ${milliseconds[0].toFixed(1)} ms, mesh ${milliseconds[1].toFixed(1)} ms`);
            });
        });
    }
    await t.test("a worker from a Blob", async () => {
        assert.deepEqual(await page.evaluate(name => window.runBlob(name), asked[0][0]),
                         { family: wanted[0].info.family, found: false });
    });
    await t.test("errors", async () => {
        const found = await page.evaluate(() => window.bad());
        assert.equal(found.known, true);
        assert.ok(found.message.length > 5);
    });
    assert.deepEqual(problems, []);
    await browser.close();
    server.close();
});
