// SPDX-License-Identifier: MIT
// In Node: files of a game, workers, edits that give files back, views, errors, and bad files.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { BspError, filesOf, load, maps, native, nativeWith, root, segments, startWorker, work, written } from "./lib.mjs";

const samples = path.join(root, "samples");
const read = name => new Uint8Array(fs.readFileSync(path.join(samples, name)));
const lib = await load();

test("textures come from the files of a game as from a folder of the disk", () => {
    for (const family of ["quake", "goldsrc", "quake2", "quake3", "source"]) {
        const game = lib.gameFiles();
        game.addGame(filesOf(path.join(samples, family)).filter(([name]) => !/\.bsp$/.test(name)));
        const map = lib.open(read(`${family}/lobby.bsp`), { name: "lobby.bsp", game });
        const theirs = written("lobby.glb", "export", path.join(samples, family, "lobby.bsp"), "--no-external",
                               "--game", path.join(samples, family));
        assert.ok(Buffer.from(map.glb()).equals(theirs), family);
        map.close();
        game.close();
    }
});

test("a folder of a game: gameinfo.txt, archives, lazy files", () => {
    const text = words => new TextEncoder().encode(words);
    const paths = [
        ["games/mod/gameinfo.txt", "GameInfo { FileSystem { SearchPaths { game |gameinfo_path|. game HL2 } } }"],
        ["games/mod/materials/a.vmt", "mod"], ["games/hl2/materials/a.vmt", "hl2"], ["games/hl2/materials/b.vmt", "b"],
    ];
    let reads = 0;
    const game = lib.gameFiles();
    game.addGame(paths.map(([name, words]) => [name, { size: words.length, read: () => (reads++, text(words)) }]));
    assert.deepEqual(game.list().map(file => file.name).sort(), ["gameinfo.txt", "materials/a.vmt", "materials/b.vmt"]);
    assert.equal(reads, 1); // gameinfo.txt
    assert.equal(new TextDecoder().decode(game.read("Materials/A.vmt")), "mod");
    assert.equal(new TextDecoder().decode(game.read("materials/b.vmt")), "b");
    assert.equal(reads, 3);
    assert.ok(!game.has("../secret") && !game.has("materials/c.vmt"));
    assert.throws(() => game.read("materials/c.vmt"), BspError);
    assert.throws(() => game.addArchive("x", text("x")), BspError);
    game.close();
    const broken = lib.gameFiles();
    broken.addGame([["a/x.txt", { size: 1, read: () => { throw new RangeError("gone"); } }]]);
    assert.throws(() => broken.read("x.txt"), RangeError);
    broken.close();
});

test("the folder of a game is found among paths", () => {
    const found = paths => {
        const game = lib.gameFiles();
        game.addGame(paths.map(name => [name, new TextEncoder().encode(name)]));
        const names = game.list().map(file => file.name).sort();
        game.close();
        return names;
    };
    assert.deepEqual(found(["Quake/id1/maps/a.bsp", "Quake/id1/x.cfg"]), ["maps/a.bsp", "x.cfg"]);
    assert.deepEqual(found(["gfx/a.lmp", "textures/b/c.tga"]), ["gfx/a.lmp", "textures/b/c.tga"]);
    assert.deepEqual(found(["x/y.tga", "x/z/w.tga"]), ["y.tga", "z/w.tga"]);
    assert.deepEqual(found(["./a/hl2/materials/b.vmt", "a/mod/GameInfo.txt", "a/mod/scripts/c.txt"]),
                     ["GameInfo.txt", "scripts/c.txt"]);
    assert.deepEqual(found([]), []);
});

test("a lump, the entities and the zip of a map are changed and given back", () => {
    const file = path.join(samples, "source/lobby.bsp");
    const map = lib.open(read("source/lobby.bsp"), { name: "lobby.bsp" });
    const stored = map.editPak([{ name: "a/b.txt", data: new Uint8Array([1, 2, 3]) }]);
    fs.mkdirSync(path.join(work, "a"));
    fs.writeFileSync(path.join(work, "a/b.txt"), new Uint8Array([1, 2, 3]));
    const changed = lib.open(stored);
    assert.deepEqual([...changed.readPak("A/b.TXT")], [1, 2, 3]);
    assert.equal(changed.pak().length, map.pak().length + 1);
    const back = changed.editPak([{ name: "a/b.txt", data: null }]);
    const again = lib.open(back);
    assert.deepEqual(again.pak(), map.pak());
    const text = `{\n"classname" "worldspawn"\n"answer" "42"\n}\n`;
    const imported = map.importEntities(text);
    fs.writeFileSync(path.join(work, "new.ent"), text);
    assert.ok(Buffer.from(imported).equals(written("imported.bsp", "entities", "--import", path.join(work, "new.ent"),
                                                   "--force", file)));
    const planes = map.lumpBytes("PLANES");
    assert.ok(Buffer.from(map.replaceLump("PLANES", planes)).equals(Buffer.from(read("source/lobby.bsp"))));
    assert.ok(Buffer.from(map.compress(true)).equals(written("packed.bsp", "convert", "--compress", "lzma", file)));
    assert.throws(() => map.readPak("none"), error => error instanceof BspError && error.code === "not found");
    assert.throws(() => map.editEntities([{ action: "set", entity: 999, key: "a", value: "b" }]), BspError);
    for (const one of [map, changed, again]) one.close();
});

test("portals, visibility and what is stale are those of the command", () => {
    for (const family of ["quake", "quake2", "source"]) {
        const file = path.join(samples, family, "lobby.bsp");
        const map = lib.open(read(`${family}/lobby.bsp`), { name: "lobby.bsp" });
        assert.ok(Buffer.from(map.portals()).equals(written("lobby.prt", "portals", file)), family);
        assert.ok(Buffer.from(map.vis()).equals(written("seen.bsp", "vis", file)), family);
        const findings = map.stale();
        const theirs = JSON.parse(native("stale", "--json", file));
        assert.deepEqual(findings.map(one => one.text), theirs.parts.map(one => one.reason), family);
        map.close();
    }
});

test("arrays, columns and views agree", () => {
    const map = lib.open(read("quake3/lobby.bsp"));
    const faces = map.array("faces");
    assert.equal(faces.length, map.count("faces"));
    assert.deepEqual([...map.column("faces", "material")], faces.map(face => face.material));
    assert.deepEqual([...map.column("planes", "normal")], map.array("planes").flatMap(plane => plane.normal));
    map.arrayView("planes", view => {
        const at = new Map(view.members).get("dist");
        const data = new DataView(view.bytes.buffer, view.bytes.byteOffset, view.bytes.length);
        map.column("planes", "dist").forEach((dist, n) => assert.equal(data.getFloat32(n * view.size + at, true), dist));
    });
    const copy = map.mesh();
    map.meshView({}, view => {
        assert.deepEqual(view.vertices, copy.vertices);
        assert.notEqual(view.vertices.buffer, copy.vertices.buffer);
    });
    assert.ok(copy.indices.every(index => index < copy.vertices.length / 11));
    assert.throws(() => map.record("faces", faces.length), BspError);
    map.close();
});

test("queries of a point", () => {
    for (const family of ["quake", "quake2", "quake3", "source"]) {
        const file = path.join(samples, family, "lobby.bsp");
        const map = lib.open(read(`${family}/lobby.bsp`));
        const start = map.entities().map(entity => Object.fromEntries(entity.pairs))
            .find(keys => /^info_player/.test(keys.classname));
        const point = start.origin.split(" ").map(Number);
        const theirs = JSON.parse(native("query", "leaf", ...point.map(String), file));
        assert.equal(map.leaf(point), theirs.leaf, family);
        assert.equal(map.cluster(point), theirs.cluster, family);
        const seen = map.visibleLeaves(point);
        assert.ok(seen.includes(theirs.leaf));
        const row = map.visible(theirs.cluster);
        const clusters = JSON.parse(native("query", "vis", String(theirs.cluster), file));
        const own = [...row].flatMap((byte, n) => [0, 1, 2, 3, 4, 5, 6, 7].filter(bit => byte & (1 << bit)).map(bit => 8 * n + bit));
        assert.deepEqual(own, clusters.visible ?? clusters.clusters ?? clusters.pvs, family);
        assert.equal(map.trace(point, [point[0], point[1], point[2] - 4096]).fraction < 1, true);
        map.close();
    }
});

test("the files that a map needs are those that the command lists", () => {
    for (const family of ["quake", "goldsrc", "quake2", "quake3", "source"]) {
        const file = path.join(samples, family, "lobby.bsp");
        const game = lib.gameFiles();
        game.addGame(filesOf(path.join(samples, family)));
        const map = lib.open(read(`${family}/lobby.bsp`), { name: "lobby.bsp", game });
        const theirs = JSON.parse(native("assets", "--json", "--no-external", "--game", path.join(samples, family), file));
        const words = (kind, name, by, found) => `${kind} ${name} ${by} ${found}`;
        const own = map.needs();
        assert.deepEqual(own.files.map(use => words(use.kind, use.name, use.by, use.found)),
                         theirs.assets.map(use => words(use.kind, use.name, use.by, use.found !== null)), family);
        map.close();
        game.close();
    }
});

test("solid props stop traces as they stop those of the command", () => {
    // A crate of the samples stands for the urn that the map names.
    const model = ["mdl", "vvd", "dx90.vtx", "phy"].map(ending =>
        [`models/lobby/urn.${ending}`, path.join(samples, `models/source/models/props/crate.${ending}`)]);
    const folder = path.join(work, "game");
    fs.mkdirSync(path.join(folder, "models/lobby"), { recursive: true });
    model.forEach(([name, from]) => fs.copyFileSync(from, path.join(folder, name)));
    const game = lib.gameFiles();
    game.addGame(filesOf(folder), ".");
    const map = lib.open(read("source/lobby.bsp"), { name: "lobby.bsp", game });
    const lines = segments(map.info().bounds, 3000);
    const text = Array.from({ length: 3000 }, (_, i) => [...lines.subarray(i * 6, i * 6 + 6)].join(" ")).join("\n");
    const words = ["query", "trace", "--props", "--all", "--game", folder, path.join(samples, "source/lobby.bsp")];
    const theirs = nativeWith(`${text}\n`, ...words).trimEnd().split("\n").map(line => Math.fround(Number(line.split("\t")[0])));
    const rows = map.traces(lines, { props: true });
    assert.deepEqual([...rows.fraction], theirs);
    assert.ok(rows.prop.some(prop => prop !== 0xffffffff));
    const first = map.trace(lines.subarray(0, 3), lines.subarray(3, 6), { props: true });
    assert.equal(first.fraction, rows.fraction[0]);
    assert.equal(first.prop, rows.prop[0]);
    assert.equal(map.sight(lines, { props: true }).length, 3000);
    map.close();
    game.close();
});

test("a worker does the same, with promises", async () => {
    const worker = await startWorker();
    const map = await worker.open(read("quake3/lobby.bsp"), { name: "lobby.bsp" });
    assert.equal(map.name, "lobby.bsp");
    const here = lib.open(read("quake3/lobby.bsp"), { name: "lobby.bsp" });
    assert.deepEqual(await map.info(), here.info());
    assert.deepEqual(await map.mesh(), here.mesh());
    const lines = segments(here.info().bounds, 500);
    assert.deepEqual(await map.traces(lines), here.traces(lines));
    await map.setGame(filesOf(path.join(samples, "quake3")));
    const game = lib.gameFiles();
    game.addGame(filesOf(path.join(samples, "quake3")));
    here.setGame(game);
    assert.ok(Buffer.from(await map.glb()).equals(Buffer.from(here.glb())));
    const stages = new Set();
    const pictures = new Map();
    const scene = await map.scene({ pictures: (n, picture) => pictures.set(n, picture),
                                    progress: stage => void stages.add(stage) });
    const same = new Map();
    const own = here.scene({ pictures: (n, picture) => same.set(n, picture) });
    assert.deepEqual(scene, own);
    assert.deepEqual(pictures, same);
    assert.ok(stages.size > 0 && pictures.size > 0);
    const other = await worker.open(await map.editEntities([{ action: "remove", entity: 2 }]));
    assert.equal((await map.diff(other)).length > 0, true);
    await assert.rejects(map.dump("NONE"), error => error instanceof BspError && error.code === "argument");
    await assert.rejects(worker.open(new Uint8Array([1, 2, 3])), BspError);
    const thrown = new Error("enough");
    await assert.rejects(map.vis({ progress: () => { throw thrown; } }), error => error === thrown);
    await map.close();
    await assert.rejects(map.info(), BspError);
    const last = worker.memory();
    worker.close();
    for (const call of [last, worker.memory(), other.info(), worker.open(new Uint8Array(4))]) {
        await assert.rejects(call, error => error instanceof BspError && error.code === "cancelled");
    }
    here.close();
    game.close();
});

test("bad files are refused with a reason, and the library lives", () => {
    const bad = path.join(root, "../shared/hostile");
    const files = [...(fs.existsSync(bad) ? filesOf(bad) : []), ["empty", new Uint8Array(0)], ["text", read("README.md")],
                   ["cut", read("quake3/lobby.bsp").subarray(0, 20000)]];
    for (const [name, bytes] of files) {
        try {
            const map = lib.open(bytes, { name });
            for (const call of [() => map.check(), () => map.mesh(), () => map.scene({ props: true }),
                                () => map.traces(new Float32Array(60)), () => map.decompile()]) {
                try {
                    call();
                } catch (error) {
                    assert.ok(error instanceof BspError, `${name}: ${error.stack}`);
                }
            }
            map.close();
        } catch (error) {
            assert.ok(error instanceof BspError && error.message.length > 5, `${name}: ${error.stack}`);
        }
    }
    const map = lib.open(read("quake/lobby.bsp"));
    assert.ok(map.mesh().indices.length > 0);
    map.close();
});

test("a place tells where", () => {
    const bytes = read("quake3/lobby.bsp").slice();
    new DataView(bytes.buffer).setUint32(8 + 8 * 13 + 4, 103, true); // FACES: no multiple of a record
    const map = lib.open(bytes);
    const found = map.check().issues.find(issue => issue.place.lump !== undefined);
    assert.ok(found.summary.length > 5 && found.place.text.length > 0);
    map.close();
});

test("memory does not grow with each map", () => {
    const bytes = read("source/lobby.bsp");
    const once = () => {
        const map = lib.open(bytes);
        map.mesh();
        map.scene();
        map.traces(new Float32Array(600));
        map.close();
    };
    for (let i = 0; i < 5; i++) once();
    const before = lib.memory;
    for (let i = 0; i < 60; i++) once();
    assert.equal(lib.memory, before);
});

test("pictures are written and read again", () => {
    const picture = { width: 3, height: 2, pixels: Uint8Array.from({ length: 24 }, (_, i) => i * 10) };
    assert.deepEqual(lib.decodePicture(lib.encodePng(picture)), picture);
    assert.throws(() => lib.encodePng({ width: 9, height: 9, pixels: new Uint8Array(3) }), BspError);
    assert.throws(() => lib.decodePicture(new Uint8Array([1, 2, 3])), BspError);
});

void maps;
