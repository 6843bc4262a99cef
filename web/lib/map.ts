// SPDX-License-Identifier: MIT
// An open map: facts, arrays, queries and traces. Geometry and pictures are in geometry.ts, products and
// edits in products.ts.
import type * as api from "./api.js";
import type { GameFiles } from "./game.js";
import * as lib from "./generated.js";
import { BspError, NONE, Scope, decodeText, type Layout, type Memory } from "./memory.js";

const RAYS = 65536; // segments that are traced in one call, in memory of the library
const PLACES = ["directory", "game lump", "bspx", "ent file"] as const;

const COLUMNS: { [letter: string]: { new (buffer: ArrayBuffer): api.Column } } = {
    b: Int8Array, B: Uint8Array, "?": Uint8Array, h: Int16Array, H: Uint16Array, i: Int32Array, I: Uint32Array,
    f: Float32Array, d: Float64Array,
};

function orNull(index: number): number | null {
    return index >>> 0 === NONE ? null : index >>> 0;
}

/** What a map and its file are made of; closed together. */
export class MapHandles {
    readonly bytes: number;
    readonly file: number;
    private readonly scope: Scope[] = [];
    private loaded = 0;
    private index = 0;
    private found = 0; // bsp_textures
    private solid = 0; // bsp_solids
    private entityList: number | null = null;
    private closed = false;
    readonly name: string;
    game: GameFiles | null = null;

    constructor(readonly memory: Memory, bytes: Uint8Array, options: api.OpenOptions) {
        const m = memory;
        this.name = options.name ?? "map.bsp";
        this.bytes = m.put(bytes);
        try {
            this.file = m.with(scope => {
                const beside = [...(options.beside ?? [])].map(([name, data]) => ({ name, bytes: data }));
                const list = this.hold(lib.bsp_external.size * beside.length);
                beside.forEach((file, i) => m.write(lib.bsp_external, list + i * lib.bsp_external.size, file,
                                                   this.scope[0]!));
                const open = scope.struct(lib.bsp_open_options,
                                          { no_external: beside.length === 0, external: list,
                                            num_external: beside.length });
                const span = scope.alloc(8);
                m.view().setUint32(span, this.bytes, true);
                m.view().setUint32(span + 4, bytes.length, true);
                return m.checked(error => m.native._bsp_file_open_memory(span, open, error));
            });
        } catch (error) {
            this.release();
            throw error;
        }
    }

    /** Memory that lives as long as the map. */
    private hold(size: number): number {
        return (this.scope[0] ??= new Scope(this.memory)).alloc(size);
    }

    private release(): void {
        this.scope.forEach(scope => scope.free());
        this.memory.free(this.bytes);
    }

    private usable(): void {
        if (this.closed) throw new BspError("the map is closed", "argument");
    }

    /** The bsp_map. */
    get map(): number {
        this.usable();
        if (this.loaded === 0) {
            this.loaded = this.memory.checked(error => this.memory.native._bsp_map_load(this.file, 0, error));
        }
        return this.loaded;
    }

    get openFile(): number {
        this.usable();
        return this.file;
    }

    get traces(): number {
        if (this.index === 0) {
            const map = this.map;
            this.index = this.memory.checked(error => this.memory.native._bsp_trace_index_new(map, 0, error));
        }
        return this.index;
    }

    get textures(): number {
        if (this.found === 0) {
            const map = this.map;
            this.found = this.memory.checked(error =>
                this.memory.native._bsp_textures_open(this.game?.search ?? 0, map, 0, error));
        }
        return this.found;
    }

    /** World, entities and solid props for traces (bsp_solids). */
    get solids(): number {
        const { memory: m } = this;
        if (this.solid === 0) {
            const index = this.traces;
            const textures = this.textures;
            const scene = m.with(scope => {
                const o = scope.struct(lib.bsp_scene_options, { textures, props: true, props_alone: true });
                return m.checked(error => m.native._bsp_scene_build(this.map, o, error));
            });
            try {
                this.solid = m.checked(error => m.native._bsp_solids_new(scene, index, 0, error));
            } finally {
                m.native._bsp_scene_free(scene);
            }
        }
        return this.solid;
    }

    /** The map's entities (bsp_entities); 0 if it has none. */
    get entities(): number {
        const m = this.memory;
        this.usable();
        this.entityList ??= m.native._bsp_file_find_id(this.file, lib.BSP_ID_ENTITIES) >>> 0 === NONE ? 0
            : m.checked(error => m.native._bsp_file_entities(this.file, 0, error));
        return this.entityList;
    }

    setGame(game: GameFiles | null): void {
        this.usable();
        this.memory.native._bsp_solids_free(this.solid);
        this.memory.native._bsp_textures_close(this.found);
        this.found = this.solid = 0;
        this.game = game;
    }

    close(): void {
        if (this.closed) return;
        const native = this.memory.native;
        native._bsp_solids_free(this.solid);
        native._bsp_textures_close(this.found);
        native._bsp_trace_index_free(this.index);
        native._bsp_entities_free(this.entityList ?? 0);
        native._bsp_map_free(this.loaded);
        native._bsp_file_close(this.file);
        this.closed = true;
        this.release();
    }
}

/** Facts, arrays and queries of an open map. */
export class MapQueries {
    readonly handles: MapHandles;
    protected readonly memory: Memory;

    constructor(memory: Memory, bytes: Uint8Array, options: api.OpenOptions) {
        this.memory = memory;
        this.handles = new MapHandles(memory, bytes, options);
        this.handles.game = (options.game as GameFiles | undefined) ?? null;
    }

    get name(): string {
        return this.handles.name;
    }

    protected get native(): Memory["native"] {
        return this.memory.native;
    }

    protected get map(): number {
        return this.handles.map;
    }

    protected get file(): number {
        return this.handles.openFile;
    }

    protected member(name: string): number {
        return this.map + this.memory.offset(map_members, name);
    }

    // --- facts ----------------------------------------------------------------------------------

    info(): api.Info {
        const { memory: m, native, file } = this;
        const at = native._bsp_file_get_info(file) >>> 0;
        const info = m.read(lib.bsp_file_info, at);
        const branch = m.member(lib.bsp_detection, at + m.offset(lib.bsp_file_info, "detection"), "branch");
        const game = native._bsp_file_game(file) >>> 0;
        const entities = this.entityCount();
        const lumps = Array.from({ length: info.num_lumps }, (_, n) => this.lump(n));
        return {
            name: this.name, size: info.bytes.size,
            family: m.string(native._bsp_family_name(m.read(lib.bsp_branch, branch).family))!,
            branch: m.read(lib.bsp_branch, branch).name!, title: m.read(lib.bsp_branch, branch).title!,
            game: game === 0 ? null : m.read(lib.bsp_game, game).title,
            magic: info.detection.magic, version: info.detection.version,
            endian: info.detection.big_endian ? "big" : "little", revision: orNull(info.revision), lumps, entities,
            bounds: this.bounds(), limits: this.limits(game, branch, lumps, info.num_directory_lumps, entities),
            checksum: m.with(scope => {
                const sum = scope.alloc(4);
                return native._bsp_file_checksum(file, sum) & 1 ? m.pointer(sum) : null;
            }),
            reason: info.detection.reason, packed: info.packed_by, scrambled: info.scrambled,
        };
    }

    sha256(): string {
        return this.memory.with(scope => {
            const digest = scope.alloc(32);
            this.native._bsp_file_sha256(this.file, digest);
            return [...this.memory.bytes(digest, 32)].map(byte => byte.toString(16).padStart(2, "0")).join("");
        });
    }

    private entityCount(): number {
        const list = this.handles.entities;
        return list === 0 ? 0 : this.memory.read(lib.bsp_entities, list).count;
    }

    private lump(number: number): api.LumpInfo {
        const { memory: m, native, file } = this;
        const at = native._bsp_file_lump(file, number) >>> 0;
        const lump = m.read(lib.bsp_lump, at);
        return { number, name: lump.name, index: lump.index, place: PLACES[lump.place]!, offset: lump.offset,
                 size: lump.size, version: lump.version, compressed: lump.compressed,
                 unpacked: lump.unpacked_size, records: this.recordTable(number, table => table.count) };
    }

    /** The world's bounds, as the first record of its models has them. */
    private bounds(): api.Info["bounds"] {
        const { memory: m, native, file } = this;
        return m.with(scope => {
            const parts = scope.alloc(lib.bsp_parts.size);
            const table = scope.alloc(lib.bsp_table.size);
            if (!(native._bsp_file_table(file, lib.BSP_ID_MODELS, parts, table) & 1)) return null;
            const layout = m.member(lib.bsp_table, table, "layout");
            const corners = ["mins", "maxs"].map(name => {
                const field = native._bsp_layout_find_field(layout, scope.text(name)) >>> 0;
                return m.read(lib.bsp_table, table).count === 0 || field === NONE ? null
                    : [0, 1, 2].map(axis => native._bsp_table_float(table, 0, field, axis));
            });
            native._bsp_parts_free(parts);
            return corners[0] && corners[1] ? { mins: corners[0], maxs: corners[1] } : null;
        });
    }

    private limits(game: number, branch: number, lumps: api.LumpInfo[], directory: number,
                   entities: number): api.Info["limits"] {
        const { memory: m, native, file } = this;
        const out: api.Info["limits"] = [];
        m.with(scope => {
            const limit = scope.alloc(lib.bsp_limit.size);
            for (const lump of lumps.slice(0, directory)) {
                const at = native._bsp_file_lump(file, lump.number) >>> 0;
                const def = m.member(lib.bsp_lump, at, "def");
                if (def === 0) continue;
                native._bsp_game_lump_limit(limit, game, def);
                const { max, in_bytes } = m.read(lib.bsp_limit, limit);
                if (max === 0) continue;
                const id = m.read(lib.bsp_lump, at).id;
                out.push({ name: lump.name, max,
                           used: in_bytes ? lump.unpacked : native._bsp_file_count(file, id) >>> 0 });
            }
        });
        const most = native._bsp_game_max_entities(game, branch) >>> 0;
        if (most !== 0) out.push({ name: "entities", used: entities, max: most });
        return out;
    }

    check(): api.CheckResult {
        const { memory: m, native, file } = this;
        const issues = native._bsp_issues_new(0, 0) >>> 0;
        try {
            m.checked(error => native._bsp_check(file, issues, error) & 1);
            const [all, worse, errors] = [0, 1, 2].map(n => Number(native._bsp_issues_count(issues, n)));
            return { issues: m.issues(issues), errors: errors!, warnings: worse! - errors!, notes: all! - worse! };
        } finally {
            native._bsp_issues_free(issues);
        }
    }

    entities(): api.Entity[] {
        const m = this.memory;
        const list = this.handles.entities;
        if (list === 0) return [];
        const at = m.member(lib.bsp_entities, list, "list");
        return Array.from({ length: m.read(lib.bsp_entities, list).count }, (_, index) => {
            const entity = at + index * lib.bsp_entity.size;
            const pairs = m.member(lib.bsp_entity, entity, "pairs");
            const count = m.read(lib.bsp_entity, entity).num_pairs;
            return { index, pairs: Array.from({ length: count }, (_unused, i): [string, string] =>
                [m.text(pairs + i * 16), m.text(pairs + i * 16 + 8)]) };
        });
    }

    entityText(): string {
        const list = this.handles.entities;
        return list === 0 ? "" : this.memory.read(lib.bsp_entities, list).text;
    }

    // --- lumps ----------------------------------------------------------------------------------

    /** The number of a lump; throws if there is none. */
    lumpNumber(lump: string | number): number {
        const number = typeof lump === "number" ? lump
            : this.memory.with(scope => this.native._bsp_file_find(this.file, scope.text(lump)) >>> 0);
        const count = this.memory.read(lib.bsp_file_info, this.native._bsp_file_get_info(this.file) >>> 0).num_lumps;
        if (!(number >= 0 && number < count)) throw new BspError(`there is no lump ${lump}`, "argument");
        return number;
    }

    dumpText(lump: string | number): string {
        const m = this.memory;
        const number = this.lumpNumber(lump);
        return decodeText(m.collect(user =>
            m.checked(error => this.native._web_dump(this.file, number, user, error) & 1)));
    }

    dump(lump: string | number): api.Value {
        return JSON.parse(this.dumpText(lump)) as api.Value;
    }

    /** Calls `use` with the records of a lump; null if it has no records of its own. */
    private recordTable<T>(number: number, use: (table: { at: number; count: number }) => T): T | null {
        const { memory: m, native, file } = this;
        return m.with(scope => {
            const parts = scope.alloc(lib.bsp_parts.size);
            try {
                m.checked(error => native._bsp_file_parts(file, number, 0, parts, error) & 1);
            } catch {
                return null; // damaged: dump says why
            }
            try {
                const first = m.member(lib.bsp_parts, parts, "parts");
                if (m.read(lib.bsp_parts, parts).count === 0) return null;
                if (m.read(lib.bsp_part, first).kind !== lib.BSP_PART_TABLE) return null;
                const table = scope.alloc(lib.bsp_table.size);
                native._bsp_parts_table(table, parts, 0);
                return use({ at: table, count: m.read(lib.bsp_table, table).count });
            } finally {
                native._bsp_parts_free(parts);
            }
        });
    }

    records(lump: string | number, first: number, count: number): api.Value[] | null {
        return this.recordTable(this.lumpNumber(lump), table => JSON.parse(decodeText(
            this.memory.collect(user => this.native._web_records(table.at, first, count, user)))) as api.Value[]);
    }

    lumpBytes(lump: string | number): Uint8Array {
        const m = this.memory;
        const number = this.lumpNumber(lump);
        return m.with(scope => {
            const span = scope.alloc(8);
            m.checked(error => this.native._bsp_file_data(this.file, number, span, error) & 1);
            return m.copy(m.pointer(span), m.pointer(span + 4));
        });
    }

    // --- arrays ---------------------------------------------------------------------------------

    private arrayAt(array: lib.MapArrayName): { address: number; count: number; size: number; of: string | Layout<unknown> } {
        const row = lib.mapArrays[array];
        if (row === undefined) throw new BspError(`there is no array ${array}`, "argument");
        const map = this.map;
        return { address: this.memory.pointer(map + row.at), count: this.memory.pointer(map + row.count),
                 size: row.size, of: row.of };
    }

    count(array: lib.MapArrayName): number {
        return this.arrayAt(array).count;
    }

    record<K extends lib.MapArrayName>(array: K, n: number): lib.MapArrays[K] {
        const { address, count, size, of } = this.arrayAt(array);
        if (!(n >= 0 && n < count)) throw new BspError(`${array}[${n}]: there are ${count}`, "argument");
        return this.memory.value(of, address + n * size) as lib.MapArrays[K];
    }

    array<K extends lib.MapArrayName>(array: K, first = 0, most = Infinity): lib.MapArrays[K][] {
        const { address, count, size, of } = this.arrayAt(array);
        const length = Math.max(0, Math.min(most, count - first));
        return Array.from({ length }, (_, i) =>
            this.memory.value(of, address + (first + i) * size) as lib.MapArrays[K]);
    }

    column(array: lib.MapArrayName, name: string): api.Column {
        const { address, count, size, of } = this.arrayAt(array);
        if (typeof of === "string") throw new BspError(`${array} has no members`, "argument");
        const row = of.members.find(member => member[0] === name);
        const type = row?.[2];
        const made = typeof type === "string" ? COLUMNS[type] : undefined;
        if (row === undefined || made === undefined) {
            throw new BspError(`${array} has no column ${name} of numbers`, "argument");
        }
        const width = new made(new ArrayBuffer(0)).BYTES_PER_ELEMENT * (row[3] ?? []).reduce((a, b) => a * b, 1);
        const from = this.memory.bytes(address, count * size);
        const out = new Uint8Array(count * width);
        for (let i = 0; i < count; i++) {
            out.set(from.subarray(i * size + row[1], i * size + row[1] + width), i * width);
        }
        return new made(out.buffer);
    }

    arrayView<T>(array: lib.MapArrayName,
                 use: (view: { bytes: Uint8Array; count: number; size: number; members: [string, number][] }) => T): T {
        const { address, count, size, of } = this.arrayAt(array);
        const members = typeof of === "string" ? [] : of.members.map(([name, at]): [string, number] => [name, at]);
        return use({ bytes: this.memory.bytes(address, count * size), count, size, members });
    }

    spanBytes(span: { address: number; size: number }): Uint8Array {
        if (span.address + span.size > this.memory.buffer.byteLength) throw new BspError("no such bytes", "argument");
        return this.memory.copy(span.address, span.size);
    }

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

    close(): void {
        this.handles.close();
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

/** Members of bsp_map that are no arrays. */
const map_members: Layout<unknown> = lib.bsp_map;
