// SPDX-License-Identifier: MIT
// Queries and traces of an open map. Geometry and pictures are in geometry.ts, products and edits in products.ts.
import type * as api from "./api.js";
import { MapFacts } from "./facts.js";
import * as lib from "./generated.js";
import { BspError, NONE, orNull, type Memory, type Scope } from "./memory.js";

const RAYS = 65536; // segments that are traced in one call, in memory of the library

/** Queries of an open map. */
export class MapQueries extends MapFacts {
    // --- points ---------------------------------------------------------------------------------

    leaf(point: api.Vector): number | null {
        return this.memory.with(scope => orNull(this.native._bsp_query_leaf(this.map, scope.vector(point))));
    }

    cluster(point: api.Vector): number | null {
        return this.memory.with(scope => orNull(this.native._bsp_query_cluster(this.map, scope.vector(point))));
    }

    contents(point: api.Vector, model = 0): number {
        return this.memory.with(scope => this.native._bsp_query_contents(this.map, model, scope.vector(point)) | 0);
    }

    contentsNames(contents: number): string[] {
        const m = this.memory;
        const branch = m.pointer(this.member("branch"));
        const bits = Array.from({ length: 32 }, (_, n) => 2 ** n).filter(bit => (contents & bit) !== 0);
        return bits.map(bit => m.string(this.native._bsp_query_flag_name(branch, bit) >>> 0) ?? `0x${bit.toString(16)}`);
    }

    light(point: api.Vector): lib.BspLight {
        return this.memory.with(scope => {
            const out = scope.alloc(lib.bsp_light.size);
            this.native._bsp_query_light(out, this.map, this.file, scope.vector(point));
            return this.memory.read(lib.bsp_light, out);
        });
    }

    water(point: api.Vector): lib.BspWater | null {
        return this.memory.with(scope => {
            const out = scope.alloc(lib.bsp_water.size);
            const wet = this.native._bsp_query_water(this.map, scope.vector(point), out) & 1;
            return wet ? this.memory.read(lib.bsp_water, out) : null;
        });
    }

    fog(point: api.Vector): lib.BspFogHere | null {
        return this.memory.with(scope => {
            const out = scope.alloc(lib.bsp_fog_here.size);
            const some = this.native._bsp_query_fog(this.map, scope.vector(point), out) & 1;
            return some ? this.memory.read(lib.bsp_fog_here, out) : null;
        });
    }

    // --- visibility -----------------------------------------------------------------------------

    private get visibility(): lib.BspVisibility {
        return this.memory.read(lib.bsp_visibility, this.member("visibility"));
    }

    visible(cluster: number, heard = false): Uint8Array {
        const size = this.visibility.row_bytes;
        return this.memory.with(scope => {
            const row = scope.alloc(size);
            this.native._bsp_map_visible(this.map, cluster, heard, row);
            return this.memory.copy(row, size);
        });
    }

    visibleLeaves(point: api.Vector): Uint32Array {
        return this.memory.with(scope => {
            const row = scope.alloc(this.visibility.row_bytes);
            const room = this.count("leaves");
            const leaves = scope.alloc(4 * room);
            const count = this.native._bsp_query_visible_leaves(this.map, scope.vector(point), row, leaves, room) >>> 0;
            return this.memory.words(leaves, Math.min(count, room)).slice();
        });
    }

    visibleFaces(point: api.Vector): Uint8Array {
        return this.memory.with(scope => {
            const row = scope.alloc(this.visibility.row_bytes);
            const size = (this.count("faces") + 7) >> 3;
            const faces = scope.alloc(size);
            this.native._bsp_query_visible_faces(this.map, scope.vector(point), row, faces);
            return this.memory.copy(faces, size);
        });
    }

    boxLeaves(mins: api.Vector, maxs: api.Vector, model = 0): Uint32Array {
        return this.memory.with(scope => {
            const room = this.count("leaves");
            const leaves = scope.alloc(4 * room);
            const count = this.native._bsp_query_box_leaves(this.map, model, scope.vector(mins), scope.vector(maxs),
                                                            leaves, room) >>> 0;
            return this.memory.words(leaves, Math.min(count, room)).slice();
        });
    }

    areas(): { groups: Uint32Array; links: lib.BspAreaLink[] } {
        const { memory: m, native, map } = this;
        const links = m.checked(error => native._bsp_area_links_find(map, 0, error));
        const facts = m.read(lib.bsp_area_links, links);
        const list = m.list(lib.bsp_area_link, m.member(lib.bsp_area_links, links, "list"), facts.count);
        const groups = m.with(scope => {
            const out = scope.alloc(4 * facts.num_areas);
            native._bsp_area_links_flood(links, 0, out);
            return m.words(out, facts.num_areas).slice();
        });
        native._bsp_area_links_free(links);
        return { groups, links: list };
    }

    // --- entities -------------------------------------------------------------------------------

    private entityAt(entity: number): number {
        const list = this.memory.pointer(this.member("entities"));
        const count = list === 0 ? 0 : this.memory.read(lib.bsp_entities, list).count;
        if (!(entity >= 0 && entity < count)) throw new BspError(`there is no entity ${entity}`, "argument");
        return this.memory.member(lib.bsp_entities, list, "list") + entity * lib.bsp_entity.size;
    }

    entityModels(): Uint32Array {
        const count = this.entityCount();
        return Uint32Array.from({ length: count }, (_, n) =>
            this.native._bsp_entity_model(this.map, this.entityAt(n)) >>> 0);
    }

    placement(entity: number): lib.BspPlacement {
        return this.memory.with(scope => {
            const out = scope.alloc(lib.bsp_placement.size);
            this.native._bsp_entity_placement(out, this.map, this.entityAt(entity));
            return this.memory.read(lib.bsp_placement, out);
        });
    }

    // --- traces ---------------------------------------------------------------------------------

    private input(scope: Scope, options: api.TraceOptions): number {
        const model = options.model === undefined || options.model === null ? NONE : options.model;
        if (model !== NONE && !(model >= 0 && model < this.count("models"))) {
            throw new BspError(`there is no model ${model}`, "argument");
        }
        return scope.struct(lib.bsp_trace_input, { mins: options.mins ?? [0, 0, 0], maxs: options.maxs ?? [0, 0, 0],
                                                   mask: options.mask ?? 0, model, hull: options.hull ?? 0 });
    }

    trace(start: api.Vector, end: api.Vector, options: api.TraceOptions = {}): api.TraceHit {
        const { memory: m, native } = this;
        const how = options.props ? this.handles.solids : this.handles.traces;
        return m.with(scope => {
            const input = this.input(scope, options);
            const result = scope.alloc(lib.bsp_solids_result.size); // begins with a bsp_trace_result
            m.floats(input, 6).set([start[0]!, start[1]!, start[2]!, end[0]!, end[1]!, end[2]!]);
            if (!options.props) {
                native._bsp_trace(how, input, result);
                return m.read(lib.bsp_trace_result, result);
            }
            native._bsp_solids_trace(how, input, result);
            const { trace, prop, hull } = m.read(lib.bsp_solids_result, result);
            return { ...trace, prop, hull };
        });
    }

    traces(segments: Float32Array, options: api.TraceOptions = {}): api.TraceRows {
        const { solids, traces } = options.props ? { solids: this.handles.solids, traces: 0 }
            : { solids: 0, traces: this.handles.traces };
        const size = (options.props ? lib.bsp_solids_result : lib.bsp_trace_result).size;
        const count = Math.floor(segments.length / 6);
        const rows = newRows(count, options.props ?? false);
        this.memory.with(scope => {
            const most = Math.min(count, RAYS);
            const words = lib.bsp_trace_input.size / 4;
            const one = this.memory.copy(this.input(scope, options), lib.bsp_trace_input.size);
            const inputs = scope.alloc(most * one.length);
            const results = scope.alloc(most * size);
            for (let i = 0; i < most; i++) this.native.HEAPU8.set(one, inputs + i * one.length);
            for (let first = 0; first < count; first += most) {
                const now = Math.min(most, count - first);
                const to = this.memory.floats(inputs, now * words);
                for (let i = 0; i < now; i++) {
                    for (let k = 0; k < 6; k++) to[i * words + k] = segments[(first + i) * 6 + k]!;
                }
                if (options.props) this.native._bsp_solids_trace_batch(solids, inputs, results, now);
                else this.native._bsp_trace_batch(traces, inputs, results, now);
                takeRows(this.memory, results, size, now, rows, first);
            }
        });
        return rows;
    }

    sight(lines: Float32Array, options: api.SightOptions = {}): Uint8Array {
        const how = options.props ? this.handles.solids : this.handles.traces;
        const ask = options.props ? "_bsp_solids_sight_batch" : "_bsp_sight_batch";
        const count = Math.floor(lines.length / 6);
        return this.memory.with(scope => {
            const from = scope.alloc(count * 24);
            const seen = scope.alloc(count);
            this.memory.floats(from, count * 6).set(lines.subarray(0, count * 6));
            this.native[ask](how, options.mask ?? 0, options.model ?? NONE, from, seen, count);
            return this.memory.copy(seen, count);
        });
    }

    hitMaterial(hit: lib.BspTraceResult): string {
        return this.memory.with(scope => {
            const text = scope.alloc(8);
            this.native._bsp_trace_material(text, this.map, scope.struct(lib.bsp_trace_result, { ...hit }));
            return this.memory.text(text);
        });
    }
}

function newRows(count: number, props: boolean): api.TraceRows {
    return {
        count, fraction: new Float32Array(count), end: new Float32Array(3 * count),
        normal: new Float32Array(3 * count), contents: new Int32Array(count), surface_flags: new Uint32Array(count),
        brush: new Uint32Array(count), side: new Uint32Array(count), face: new Uint32Array(count),
        entity: new Uint32Array(count), plane: new Uint32Array(count), start_solid: new Uint8Array(count),
        all_solid: new Uint8Array(count), prop: props ? new Uint32Array(count) : null,
    };
}

const WORDS = ["fraction", "contents", "surface_flags", "brush", "side", "face", "entity", "plane"] as const;

/** Takes results apart: a column a member. */
function takeRows(m: Memory, results: number, size: number, count: number, rows: api.TraceRows, first: number): void {
    const floats = m.floats(results, count * size / 4);
    const words = m.words(results, count * size / 4);
    const bytes = m.bytes(results, count * size);
    const at = (name: string) => m.offset(lib.bsp_trace_result, name);
    for (const name of WORDS) {
        const column = rows[name];
        const from = name === "fraction" ? floats : words;
        for (let i = 0, p = at(name) / 4; i < count; i++, p += size / 4) column[first + i] = from[p]!;
    }
    if (rows.prop !== null) {
        for (let i = 0, p = m.offset(lib.bsp_solids_result, "prop") / 4; i < count; i++, p += size / 4) {
            rows.prop[first + i] = words[p]!;
        }
    }
    for (const name of ["end", "normal"] as const) {
        for (let i = 0, p = at(name) / 4; i < count; i++, p += size / 4) {
            rows[name].set(floats.subarray(p, p + 3), 3 * (first + i));
        }
    }
    for (const name of ["start_solid", "all_solid"] as const) {
        for (let i = 0, p = at(name); i < count; i++, p += size) rows[name][first + i] = bytes[p]!;
    }
}
