// SPDX-License-Identifier: MIT
// In Node: what the package says of maps is what the native command says, to the byte.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { BspError, besideOf, dist, load, maps, native, nativeWith, segments, written } from "./lib.mjs";

const TRACES = 2000;
const each = Number(process.env.MAPS ?? 2);

function open(lib, file) {
    return lib.open(fs.readFileSync(file), { name: path.basename(file), beside: besideOf(file) });
}

function checkInfo(map, file) {
    const own = map.info();
    const theirs = JSON.parse(native("info", "--json", "--sha256", file));
    for (const key of ["size", "family", "branch", "game", "magic", "version", "endian", "revision", "entities"]) {
        assert.deepEqual(own[key], theirs[key], key);
    }
    // The text has the shortest decimal of a float.
    const rounded = corner => corner.map(Math.fround);
    assert.deepEqual(own.bounds, theirs.bounds && { mins: rounded(theirs.bounds.mins), maxs: rounded(theirs.bounds.maxs) });
    assert.equal(map.sha256(), theirs.sha256);
    assert.deepEqual(own.limits, theirs.limits);
    assert.equal(own.checksum === null ? null : own.checksum.toString(16).padStart(8, "0"), theirs.checksum);
    assert.equal(own.lumps.length, theirs.lumps.length);
    theirs.lumps.forEach((lump, n) => {
        for (const key of ["name", "index", "offset", "size", "version", "compressed"]) {
            assert.equal(own.lumps[n][key], lump[key], `${lump.name}.${key}`);
        }
    });
    return own;
}

function checkLumps(map, file, info) {
    for (const lump of info.lumps) {
        if (lump.size === 0 || lump.size > 1e6) continue;
        const theirs = native("dump", "--json", file, lump.place === "directory" ? String(lump.index) : lump.name);
        const own = map.dumpText(lump.number);
        assert.equal(`${own}\n`, theirs.toString("utf8"), lump.name);
        if (lump.records !== null && lump.records > 3) {
            assert.deepEqual(map.records(lump.number, lump.records - 3, 9), JSON.parse(own).slice(-3), lump.name);
        }
    }
}

function checkIssues(map, file) {
    const own = map.check();
    const theirs = JSON.parse(native("check", "--json", "--max", "100", file));
    for (const key of ["errors", "warnings", "notes"]) assert.equal(own[key], theirs[key], key);
    const words = issues => issues.map(issue => `${issue.severity} ${issue.id} ${issue.text}`).sort();
    assert.deepEqual(words(own.issues), words(theirs.issues));
}

function checkTraces(map, file, bounds) {
    const lines = segments(bounds, TRACES);
    let rows;
    try {
        rows = map.traces(lines, { model: 0 });
    } catch (error) {
        assert.ok(error instanceof BspError && error.code === "unsupported", error.message);
        return;
    }
    const text = Array.from({ length: TRACES }, (_, i) => [...lines.subarray(i * 6, i * 6 + 6)].join(" ")).join("\n");
    const theirs = nativeWith(`${text}\n`, "query", "trace", file).trimEnd().split("\n");
    assert.equal(theirs.length, TRACES);
    theirs.forEach((line, i) => {
        const own = [rows.fraction[i], ...rows.end.subarray(3 * i, 3 * i + 3), ...rows.normal.subarray(3 * i, 3 * i + 3),
                     rows.start_solid[i], rows.all_solid[i]];
        const words = line.split(/\s+/).slice(0, 9).map(word => Math.fround(Number(word)));
        assert.deepEqual(own.map(x => x + 0), words.map(x => x + 0), `segment ${i}: ${line}`);
    });
    const one = map.trace(lines.subarray(0, 3), lines.subarray(3, 6), { model: 0 });
    assert.equal(one.fraction, rows.fraction[0]);
}

function checkProducts(map, file, info) {
    const stem = path.basename(file).replace(/\.[^.]*$/, "");
    const glb = written(`${stem}.glb`, "export", file);
    assert.ok(Buffer.from(map.glb()).equals(glb), "glb");
    const own = map.decompile();
    const theirs = written(`${stem}.${own.extension}`, "decompile", file);
    assert.ok(Buffer.from(own.bytes).equals(theirs), "decompiled");
}

function checkEdits(lib, map, file) {
    const entities = map.entities();
    assert.deepEqual(entities, JSON.parse(native("entities", "--json", "--no-external", file)));
    const changed = map.editEntities([{ action: "set", entity: 0, key: "web_test", value: "1" }]);
    const theirs = written("edited.bsp", "entities", "--index", "0", "--set", "web_test=1", "--force",
                           "--no-external", file);
    assert.ok(Buffer.from(changed).equals(theirs), "edited entities");
    const again = lib.open(changed);
    assert.deepEqual(again.entities()[0].pairs.at(-1), ["web_test", "1"]);
    const found = map.diff(again);
    assert.deepEqual(found.map(one => one.part), ["entities"]);
    again.close();
}

for (const name of ["bspkit.wasm", "bspkit-plain.wasm"]) {
    const lib = await load({ wasm: fs.readFileSync(path.join(dist, name)), simd: name === "bspkit.wasm" });
    for (const file of maps(name === "bspkit.wasm" ? each : 1)) {
        test(`${name} ${file}`, () => {
            const map = open(lib, file);
            const info = checkInfo(map, file);
            checkLumps(map, file, info);
            checkIssues(map, file);
            if (info.bounds !== null) checkTraces(map, file, info.bounds);
            let loads = true;
            try {
                map.count("faces");
            } catch {
                loads = false; // opaque branches have no map
            }
            if (loads) checkProducts(map, file, info);
            if (info.entities !== 0) checkEdits(lib, map, file);
            map.close();
            assert.throws(() => map.info(), BspError);
        });
    }
}
