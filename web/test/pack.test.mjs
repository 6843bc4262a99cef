// SPDX-License-Identifier: MIT
// The packed archive, installed into an empty folder without a network: it loads in Node, its types hold, and
// it says whose code is linked in.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { root, work } from "./lib.mjs";

const builds = process.env.PACKED ?? path.join(root, "build/web");
const archive = fs.readdirSync(builds).filter(name => /^bspkit-.*\.tgz$/.test(name)).at(-1);

const PROGRAM = `
import { load, startWorker, BspError, BSP_LOAD_ALL } from "bspkit";
import { readFileSync } from "node:fs";
const bytes = readFileSync(process.argv[2]);
const library = await load();
const map = library.open(bytes);
const worker = await startWorker();
const other = await worker.open(bytes);
const same = (await other.mesh()).indices.length === map.mesh().indices.length;
worker.close();
let refused = false;
try { library.open(new Uint8Array(3)); } catch (error) { refused = error instanceof BspError; }
console.log(JSON.stringify({ branch: map.info().branch, same, refused, all: BSP_LOAD_ALL, simd: library.simd,
                             version: library.version }));
`;
const TYPED = `
import { load, type Issue, type BspFace } from "bspkit";
const library = await load();
const map = library.open(new Uint8Array(8));
const face: BspFace = map.record("faces", 0);
const issues: Issue[] = map.check().issues;
// @ts-expect-error: there is no such array
map.count("facets");
// @ts-expect-error: a number is no place
map.leaf(3);
console.log(face.material + issues.length);
`;

test("the packed archive works from an empty folder", () => {
    assert.ok(archive, "build/web has no archive: scripts/web.sh makes it");
    fs.writeFileSync(path.join(work, "package.json"), `{ "type": "module" }`);
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", path.join(builds, archive)],
                 { cwd: work, stdio: "pipe" });
    fs.writeFileSync(path.join(work, "program.mjs"), PROGRAM);
    const said = JSON.parse(execFileSync("node", ["program.mjs", path.join(root, "samples/quake2/lobby.bsp")],
                                         { cwd: work, encoding: "utf8" }));
    assert.deepEqual({ branch: said.branch, same: said.same, refused: said.refused, all: said.all },
                     { branch: "quake2", same: true, refused: true, all: 63 });
    const installed = path.join(work, "node_modules/bspkit");
    assert.equal(said.version, JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8")).version);
    const licences = fs.readFileSync(path.join(installed, "LICENCES"), "utf8");
    for (const name of ["liblzma", "libdeflate", "bzip2", "zlib", "libpng", "libjpeg-turbo"]) {
        assert.ok(licences.includes(`\n${name}\n`), name);
    }
    assert.ok(licences.includes("Jean-loup Gailly") && licences.includes("Independent JPEG Group"));
});

test("its types hold in a program", () => {
    fs.writeFileSync(path.join(work, "typed.mts"), TYPED);
    execFileSync(path.join(root, "web/node_modules/.bin/tsc"),
                 ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom", "--types", "",
                  "typed.mts"], { cwd: work, stdio: "inherit" });
});
