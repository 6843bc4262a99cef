// SPDX-License-Identifier: MIT
// Facts of an open map: what its file says, record by record, and the map's arrays. Queries are in map.ts.
import type * as api from "./api.js";
import type { GameFiles } from "./game.js";
import * as lib from "./generated.js";
import { MapHandles } from "./handles.js";
import { BspError, NONE, decodeText, orNull, type Layout, type Memory } from "./memory.js";

const PLACES = ["directory", "game lump", "bspx", "ent file"] as const;

const COLUMNS: { [letter: string]: { new (buffer: ArrayBuffer): api.Column } } = {
    b: Int8Array, B: Uint8Array, "?": Uint8Array, h: Int16Array, H: Uint16Array, i: Int32Array, I: Uint32Array,
    f: Float32Array, d: Float64Array,
};

/** Facts and arrays of an open map. */
export class MapFacts {
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
        return this.map + this.memory.offset(lib.bsp_map, name);
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

    protected entityCount(): number {
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

    close(): void {
        this.handles.close();
    }
}
