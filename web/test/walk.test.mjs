// SPDX-License-Identifier: MIT
// The viewer's walk: in plain worlds what heights it climbs, how high it jumps, water and ladders; in maps, by the
// library's traces, that no input brings it into anything solid.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { load, root } from "./lib.mjs";
import { PLACE, Walker, bodyOf, boxOf, eyeOf, inputs, newMover, worldOf } from "./walk.mjs";

const FRAME = 1 / 60;
const STILL = { forward: 0, side: 0, up: 0, jump: false, crouch: false, yaw: 0, pitch: 0 };
const AHEAD = { ...STILL, forward: 1 };

// --- plain worlds -------------------------------------------------------------------------------

/** A world of boxes [mins, maxs], by the slabs of their sums with the moving box; and of places. */
function boxes(solids, places = []) {
    const into = (low, high, from, way) => {
        let enter = -Infinity, leave = Infinity, axis = 0;
        for (let i = 0; i < 3; i++) {
            if (way[i] === 0) {
                if (from[i] <= low[i] || from[i] >= high[i]) return null;
                continue;
            }
            const [a, b] = [(low[i] - from[i]) / way[i], (high[i] - from[i]) / way[i]].sort((x, y) => x - y);
            if (a > enter) [enter, axis] = [a, i];
            leave = Math.min(leave, b);
        }
        return enter < leave && leave > 0 && enter < 1 ? { enter, leave, axis } : null;
    };
    return {
        trace(from, to, mins, maxs) {
            const way = to.map((v, i) => v - from[i]);
            const out = { fraction: 1, end: to, normal: [0, 0, 0], startSolid: false, allSolid: false };
            for (const [low, high] of solids) {
                const [sumLow, sumHigh] = [low.map((v, i) => v - maxs[i]), high.map((v, i) => v - mins[i])];
                const inside = from.every((v, i) => v > sumLow[i] && v < sumHigh[i]);
                if (inside) {
                    out.startSolid = true;
                    out.allSolid = to.every((v, i) => v > sumLow[i] && v < sumHigh[i]);
                    if (out.allSolid) return { ...out, fraction: 0, end: from };
                    continue;
                }
                const hit = into(sumLow, sumHigh, from, way);
                if (!hit || hit.enter < -1e-9) continue;
                // 1/32 before the surface, as the engines stop.
                const fraction = Math.max(0, hit.enter - 0.03125 / Math.abs(way[hit.axis]));
                if (fraction >= out.fraction) continue;
                out.fraction = fraction;
                out.normal = [0, 0, 0];
                out.normal[hit.axis] = way[hit.axis] > 0 ? -1 : 1;
            }
            return { ...out, end: from.map((v, i) => v + way[i] * out.fraction) };
        },
        place: at => places.reduce((sum, [bits, low, high]) => sum | (at.every((v, i) => v > low[i] && v < high[i]) ? bits : 0), 0),
    };
}

const FLOOR = [[-4000, -4000, -100], [4000, 4000, 0]];

function walker(world, origin, family = "quake3") {
    const out = new Walker(world, bodyOf(family), newMover(origin));
    for (let i = 0; i < 60; i++) out.move(STILL, FRAME);
    return out;
}

test("steps of 18 units are climbed, higher ones are not", () => {
    for (const family of ["quake", "goldsrc", "quake2", "quake3", "source"]) {
        const feet = -bodyOf(family).mins[2];
        for (const [height, climbs] of [[8, true], [16, true], [17.9, true], [18.2, false], [24, false], [64, false]]) {
            const one = walker(boxes([FLOOR, [[100, -4000, -10], [4000, 4000, height]]]), [0, 0, feet + 1], family);
            for (let i = 0; i < 120; i++) one.move(AHEAD, FRAME);
            const { origin } = one.mover;
            assert.equal(origin[0] > 120, climbs, `${family} ${height}: ${origin}`);
            assert.ok(Math.abs(origin[2] - feet - (climbs ? height : 0)) < 0.2, `${family} ${height}: ${origin}`);
        }
    }
});

test("a jump is 45 units high, one for each press", () => {
    const one = walker(boxes([FLOOR]), [0, 0, 25]);
    const ground = one.mover.origin[2];
    let top = ground, landings = 0;
    for (let i = 0; i < 240; i++) {
        const before = one.mover.grounded;
        one.move({ ...STILL, jump: true }, FRAME);
        landings += !before && one.mover.grounded;
        top = Math.max(top, one.mover.origin[2]);
    }
    assert.ok(Math.abs(top - ground - 45) < 0.5, `${top - ground}`);
    assert.equal(landings, 1);
    assert.ok(one.mover.grounded);
});

test("the speed on the ground is the game's, at any length of a frame", () => {
    for (const frame of [1 / 240, 1 / 60, 1 / 20]) {
        const one = walker(boxes([FLOOR]), [-2000, 0, 25]);
        for (let time = 0; time < 2; time += frame) one.move(AHEAD, frame);
        assert.ok(Math.abs(Math.hypot(...one.mover.velocity) - 320) < 2, `${frame}: ${one.mover.velocity}`);
    }
});

test("crouching goes under what standing does not, and stays down there", () => {
    const world = boxes([FLOOR, [[100, -4000, 45], [300, 4000, 400]]]);
    const one = walker(world, [0, 0, 25]);
    for (let i = 0; i < 120; i++) one.move(AHEAD, FRAME);
    assert.ok(one.mover.origin[0] < 100);
    for (let i = 0; i < 60; i++) one.move({ ...AHEAD, crouch: true }, FRAME);
    one.move(STILL, FRAME);
    assert.ok(one.mover.crouched && one.mover.origin[0] > 100, "there is no room to stand up");
    for (let i = 0; i < 240; i++) one.move({ ...AHEAD, crouch: true }, FRAME);
    for (let i = 0; i < 5; i++) one.move(STILL, FRAME);
    assert.ok(!one.mover.crouched && one.mover.origin[0] > 300);
});

test("a ladder is climbed, and let go by a jump", () => {
    const wall = [[100, -4000, 0], [200, 4000, 300]];
    const world = boxes([FLOOR, wall], [[PLACE.ladder, [98, -32, 0], [102, 32, 300]]]);
    const one = walker(world, [0, 0, 25]);
    for (let i = 0; i < 240 && !(one.mover.grounded && one.mover.origin[2] > 300); i++) one.move(AHEAD, FRAME);
    assert.ok(one.mover.grounded && one.mover.origin[0] > 84, `${one.mover.origin}`);
    const other = walker(world, [0, 0, 25]);
    for (let i = 0; i < 60; i++) other.move(AHEAD, FRAME);
    assert.ok(other.mover.climbs && other.mover.origin[2] > 40);
    other.move({ ...STILL, jump: true }, FRAME);
    for (let i = 0; i < 120; i++) other.move(STILL, FRAME);
    assert.ok(other.mover.grounded && other.mover.origin[0] < 80 && other.mover.origin[2] < 25);
});

test("in water it swims where it looks, sinks when it rests, and rises by the jump key", () => {
    const world = boxes([FLOOR], [[PLACE.liquid, [-4000, -4000, 0], [4000, 4000, 500]]]);
    const one = walker(world, [0, 0, 300]);
    const rest = one.mover.origin[2];
    assert.ok(one.mover.swims && rest < 300 && rest > 200);
    for (let i = 0; i < 60; i++) one.move({ ...AHEAD, pitch: -45 }, FRAME);
    assert.ok(one.mover.origin[2] > rest + 50 && one.mover.origin[0] > 50);
    const high = one.mover.origin[2];
    for (let i = 0; i < 30; i++) one.move({ ...STILL, jump: true }, FRAME);
    assert.ok(one.mover.origin[2] > high + 30);
});

// --- maps ---------------------------------------------------------------------------------------

const TOLERANCE = 0.01;
const RISE = 18 + 6; // a step, and a slope for a frame

/** Starts of players in a map, and places near them. */
function starts(map, world, body) {
    const out = map.entities().flatMap(({ pairs }) => {
        const values = Object.fromEntries(pairs);
        if (!/^info_player|^info_spawn/.test(values.classname ?? "") || !values.origin) return [];
        const [x, y, z] = values.origin.split(" ").map(Number);
        return [[x, y, z + 1], [x, y, z + 25]];
    });
    return out.filter(at => at.every(Number.isFinite) && !world.trace(at, at, body.mins, body.maxs).startSolid);
}

/** Walks; returns how far it came. */
function roam(map, world, start, seed, frames) {
    const body = bodyOf(world.family);
    const one = new Walker(world, body, newMover(start));
    let far = 0;
    inputs(seed, frames).forEach((wish, n) => {
        const before = { ...one.mover };
        one.move(wish, wish.seconds);
        const { mover } = one;
        const what = `frame ${n}: ${before.origin} to ${mover.origin}`;
        assert.ok(mover.origin.every(Number.isFinite) && mover.velocity.every(Number.isFinite), what);
        const { mins, maxs } = boxOf(body, mover.crouched);
        assert.ok(!world.trace(mover.origin, mover.origin, mins, maxs).startSolid, `${what}: in something solid`);
        if (before.grounded && mover.grounded && before.crouched === mover.crouched && !mover.swims && !mover.climbs) {
            assert.ok(mover.origin[2] - before.origin[2] < RISE, `${what}: rises too high`);
        }
        const middle = (origin, crouched) => {
            const box = boxOf(body, crouched);
            return [origin[0], origin[1], origin[2] + (box.mins[2] + box.maxs[2]) / 2];
        };
        const [from, to] = [middle(before.origin, mover.crouched), middle(mover.origin, mover.crouched)];
        if (before.crouched === mover.crouched) {
            const through = world.trace(from, to, [0, 0, 0], [0, 0, 0]);
            assert.ok(through.startSolid || through.fraction > 1 - TOLERANCE, `${what}: went through something`);
        }
        far += Math.hypot(...to.map((v, i) => v - from[i]));
    });
    return far;
}

const corpus = path.join(root, "../shared/corpus/named");
const MAPS = ["quake", "goldsrc", "quake2", "quake3", "source"].map(family => path.join(root, "samples", family, "lobby.bsp"))
    .concat(["slipgate__maps__e1m2@e291c4b2.bsp", "c0a0d.bsp", "u2m1.bsp", "oa_dm2.bsp", "he_dustwar.bsp"].map(name => path.join(corpus, name)));

test("no input brings the walk into anything solid", async t => {
    const library = await load();
    for (const file of MAPS) {
        await t.test(path.basename(path.dirname(file)) + "/" + path.basename(file), { skip: !fs.existsSync(file) && "the map is not there" }, () => {
            const map = library.open(new Uint8Array(fs.readFileSync(file)), { name: path.basename(file) });
            const world = worldOf(map);
            const from = starts(map, world, bodyOf(world.family)).slice(0, 3);
            assert.ok(from.length > 0, "no start is free");
            let far = 0;
            for (const [n, start] of from.entries()) far += roam(map, world, start, 100 + n, 400);
            assert.ok(far > 300, `came ${far} units far`);
            map.close();
        });
    }
});
