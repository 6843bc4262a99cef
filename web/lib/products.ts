// SPDX-License-Identifier: MIT
// What is made of an open map: exports, map documents, differences, and changed files.
import type * as api from "./api.js";
import * as lib from "./generated.js";
import { MapBake } from "./bake.js";
import { progressOptions } from "./geometry.js";
import { BspError, Callback, NONE, join, type Layout, type Scope } from "./memory.js";

const LIGHT = { uv: lib.BSP_EXPORT_LIGHT_UV, none: lib.BSP_EXPORT_LIGHT_NONE, baked: lib.BSP_EXPORT_LIGHT_BAKED,
                vertex: lib.BSP_EXPORT_LIGHT_VERTEX };
const LIGHTS = { watts: lib.BSP_EXPORT_LIGHTS_WATTS, plain: lib.BSP_EXPORT_LIGHTS_PLAIN,
                 none: lib.BSP_EXPORT_LIGHTS_NONE };
const METHODS = { store: lib.BSP_PAK_STORED, deflate: lib.BSP_PAK_DEFLATE, lzma: lib.BSP_PAK_LZMA };
const ACTIONS = { set: lib.BSP_ENTITY_SET, unset: lib.BSP_ENTITY_UNSET, rename: lib.BSP_ENTITY_RENAME,
                  remove: lib.BSP_ENTITY_REMOVE, add: lib.BSP_ENTITY_ADD };

function word<T>(table: { [name: string]: T }, name: string, what: string): T {
    const value = Object.hasOwn(table, name) ? table[name] : undefined;
    if (value === undefined) throw new BspError(`${what} is one of ${Object.keys(table).join(", ")}`, "argument");
    return value;
}

type ExportCall = "_bsp_export_glb" | "_bsp_export_gltf" | "_bsp_export_obj";

/** Files that arrive in pieces, all of one in a row. */
class Pieces {
    private readonly pieces: [string, Uint8Array[]][] = [];

    add(name: string, data: Uint8Array): void {
        const last = this.pieces.at(-1);
        if (last?.[0] === name) last[1].push(data);
        else this.pieces.push([name, [data]]);
    }

    files(): [string, Uint8Array][] {
        return this.pieces.map(([name, parts]) => [name, join(parts)]);
    }
}

/** An open map with all that the library does. */
export class OpenMap extends MapBake implements api.OpenMapApi {
    // --- exports --------------------------------------------------------------------------------

    private get stem(): string {
        return this.name.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "") || "map";
    }

    private exported(call: ExportCall, name: string, options: api.GlbOptions): api.Exported {
        const { memory: m, native, map, file } = this;
        const besides = new Pieces();
        const textures = options.textures === false ? 0 : this.handles.textures;
        const external = textures === 0 ? 0 : m.with(scope => m.checked(error =>
            native._bsp_external_light_load(textures, scope.text(this.stem), error)));
        const usual = call === "_bsp_export_obj" ? "none" : "baked";
        const report = m.with(scope => {
            const out = scope.alloc(lib.bsp_export_report.size);
            const main = m.calling((at, data, size) => besides.add(m.string(at!)!, m.copy(data!, size!)), user =>
                progressOptions(m, options.progress, progress => {
                    const o = scope.struct(lib.bsp_export_options, {
                        file, textures, external, light: word(LIGHT, options.light ?? usual, "light"),
                        lights: word(LIGHTS, options.lights ?? "watts", "lights"), scale: options.scale ?? 0,
                        hidden: options.hidden ?? false, sky: options.sky ?? false,
                        props: options.props ?? textures !== 0,
                        patch_tolerance: options.patchTolerance ?? 0, bake_density: options.bakeDensity ?? 0,
                        stem: this.stem, files: m.function(Callback.Beside), user, progress });
                    return m.collect(to => m.checked(error =>
                        native[call](map, o, m.function(Callback.Sink), to, out, error) & 1));
                }));
            return { main, report: m.read(lib.bsp_export_report, out) };
        });
        native._bsp_external_light_free(external);
        return { files: [[name, report.main], ...besides.files()], report: report.report };
    }

    glb(options: api.GlbOptions = {}): Uint8Array {
        return this.exported("_bsp_export_glb", `${this.stem}.glb`, options).files[0]![1];
    }

    gltf(options: api.GlbOptions = {}): api.Exported {
        return this.exported("_bsp_export_gltf", `${this.stem}.gltf`, options);
    }

    obj(options: api.GlbOptions = {}): api.Exported {
        return this.exported("_bsp_export_obj", `${this.stem}.obj`, options);
    }

    // --- map documents --------------------------------------------------------------------------

    decompile(options: api.DecompileOptions = {}): api.Decompiled {
        const { memory: m, native, map, file } = this;
        const textures = this.handles.textures;
        const issues = native._bsp_issues_new(0, 0) >>> 0;
        try {
            return m.with(scope => {
                const report = scope.alloc(lib.bsp_decompile_report.size);
                const document = progressOptions(m, options.progress, progress => {
                    const o = scope.struct(lib.bsp_decompile_options, {
                        file, textures, issues, progress, world_only: options.worldOnly ?? false,
                        no_guesses: options.noGuesses ?? false, no_merge: options.noMerge ?? false });
                    return m.checked(error => native._bsp_decompile(map, o, report, error));
                });
                try {
                    const dialect = this.dialect(document, options.dialect);
                    return { bytes: this.document(document, dialect), report: m.read(lib.bsp_decompile_report, report),
                             extension: dialect === lib.BSP_DIALECT_VMF ? "vmf" as const : "map" as const,
                             issues: m.issues(issues) };
                } finally {
                    native._bsp_mapdoc_free(document);
                }
            });
        } finally {
            native._bsp_issues_free(issues);
        }
    }

    private get traits(): number {
        return this.memory.pointer(this.member("traits"));
    }

    /** The dialect that was asked for; else the game's own, or a wider one where that loses mappings. */
    private dialect(document: number, name: string | undefined): number {
        const { memory: m, native } = this;
        if (name !== undefined) {
            return m.with(scope => {
                const out = scope.alloc(4);
                if (!(native._bsp_dialect_find(scope.text(name), out) & 1)) {
                    throw new BspError(`there is no dialect ${name}`, "argument");
                }
                return m.pointer(out);
            });
        }
        return native._bsp_mapdoc_best_dialect(document, m.read(lib.bsp_traits, this.traits).dialect);
    }

    private document(document: number, dialect: number): Uint8Array {
        const { memory: m, native } = this;
        return m.with(scope => {
            const o = scope.struct(lib.bsp_mapdoc_write_options,
                                   { game: m.member(lib.bsp_traits, this.traits, "map_game") });
            return m.collect(user => m.checked(error =>
                native._bsp_mapdoc_write(document, dialect, o, m.function(Callback.Sink), user, 0, error) & 1));
        });
    }

    // --- needs ----------------------------------------------------------------------------------

    needs(): { files: api.Needed[]; unused: string[] } {
        const { memory: m, native, map } = this;
        const list = m.with(scope => {
            const o = scope.struct(lib.bsp_assets_options, { map_name: this.stem });
            return m.checked(error => native._bsp_assets_find(map, this.handles.game?.search ?? 0, o, error));
        });
        const facts = m.read(lib.bsp_asset_list, list);
        const unused = m.member(lib.bsp_asset_list, list, "unused");
        const out = {
            files: m.list(lib.bsp_asset_use, m.member(lib.bsp_asset_list, list, "list"), facts.count).map(use => ({
                ...use, kind: m.string(native._bsp_asset_kind_name(use.kind) >>> 0)! })),
            unused: Array.from({ length: facts.num_unused }, (_, n) => m.text(unused + 8 * n)),
        };
        native._bsp_assets_free(list);
        return out;
    }

    // --- differences ----------------------------------------------------------------------------

    diff(other: api.OpenMapApi): api.Difference[] {
        const { memory: m, native, file } = this;
        const out: api.Difference[] = [];
        const b = (other as OpenMap).handles.openFile;
        m.calling(at => {
            const found = m.read(lib.bsp_difference, at!);
            out.push({ kind: (["added", "removed", "changed"] as const)[found.kind]!, part: found.part!,
                       place: m.place(at! + m.offset(lib.bsp_difference, "place")), name: found.name,
                       before: found.before, after: found.after });
        }, user => m.checked(error =>
            native._bsp_file_diff(file, b, m.function(Callback.Difference), user, 0, error) & 1));
        return out;
    }

    // --- edits ----------------------------------------------------------------------------------

    /** An array of structs for a call. */
    private structs(scope: Scope, layout: Layout<unknown>, rows: { [name: string]: unknown }[]): number {
        const list = scope.alloc(rows.length * layout.size);
        rows.forEach((row, i) => this.memory.write(layout, list + i * layout.size, row, scope));
        return list;
    }

    /** The file with other bytes for a lump. `bytes` is the address of a bsp_bytes. */
    private withLump(scope: Scope, lump: number, bytes: number): Uint8Array {
        const { memory: m, native, file } = this;
        const change = scope.alloc(lib.bsp_lump_change.size);
        const packed = scope.alloc(lib.bsp_blob.size);
        m.checked(error => native._bsp_lump_change_make(file, lump, bytes, 0, packed, change, error) & 1);
        try {
            return this.withChanges(scope, change, 1);
        } finally {
            native._bsp_blob_free(packed);
        }
    }

    /** The lump of a kind of table; throws where the map has none. */
    private lumpOf(id: number, what: string): number {
        const lump = this.native._bsp_file_find_id(this.file, id) >>> 0;
        if (lump === NONE) throw new BspError(`a map of this branch has no ${what}`, "unsupported");
        return lump;
    }

    editEntities(changes: api.EntityChange[]): Uint8Array {
        const { memory: m, native, file } = this;
        const lump = this.lumpOf(lib.BSP_ID_ENTITIES, "entities");
        const list = m.checked(error => native._bsp_lump_entities(file, lump, 0, error));
        try {
            return m.with(scope => {
                const rows = changes.map(change => ({
                    action: word(ACTIONS, change.action, "action"), entity: "entity" in change ? change.entity : 0,
                    key: "key" in change ? change.key : "",
                    value: change.action === "add" ? change.text : "value" in change ? change.value : "" }));
                const blob = scope.alloc(lib.bsp_blob.size);
                const from = this.structs(scope, lib.bsp_entity_change, rows);
                m.checked(error => native._bsp_entities_change(list, from, rows.length, 0, blob, error) & 1);
                try {
                    return this.withLump(scope, lump, blob); // a blob begins as a bsp_bytes does
                } finally {
                    native._bsp_blob_free(blob);
                }
            });
        } finally {
            native._bsp_entities_free(list);
        }
    }

    importEntities(text: string): Uint8Array {
        const { memory: m, native, file } = this;
        const lump = this.lumpOf(lib.BSP_ID_ENTITIES, "entities");
        const list = m.checked(error => native._bsp_lump_entities(file, lump, 0, error));
        try {
            return m.with(scope => {
                const edit = m.checked(error => native._bsp_entities_import(list, scope.text(text), 0, 0, error));
                try {
                    const made = m.member(lib.bsp_entity_edit, edit, "entities");
                    return this.withLump(scope, lump, made + m.offset(lib.bsp_entities, "text"));
                } finally {
                    native._bsp_entity_edit_free(edit);
                }
            });
        } finally {
            native._bsp_entities_free(list);
        }
    }

    private withPak<T>(use: (pak: number) => T): T {
        const pak = this.memory.checked(error => this.native._bsp_file_pak(this.file, 0, error));
        try {
            return use(pak);
        } finally {
            this.native._bsp_pak_close(pak);
        }
    }

    private entries(pak: number): lib.BspPakEntry[] {
        const m = this.memory;
        return m.list(lib.bsp_pak_entry, m.member(lib.bsp_pak, pak, "entries"), m.read(lib.bsp_pak, pak).count);
    }

    pak(): api.PakEntry[] {
        return this.withPak(pak => this.entries(pak).map(entry => ({
            name: entry.name, method: entry.method, crc: entry.crc, packed: entry.packed_size, size: entry.size })));
    }

    readPak(name: string): Uint8Array {
        const { memory: m, native } = this;
        return this.withPak(pak => {
            const number = this.entries(pak).findIndex(entry => entry.name.toLowerCase() === name.toLowerCase());
            if (number < 0) throw new BspError(`the zip has no file ${name}`, "not found");
            return m.with(scope => {
                const blob = scope.alloc(lib.bsp_blob.size);
                m.checked(error => native._bsp_pak_read(pak, number, 0, blob, error) & 1);
                return m.take(blob);
            });
        });
    }

    editPak(changes: api.PakChange[]): Uint8Array {
        const { memory: m, native } = this;
        const lump = this.lumpOf(lib.BSP_ID_PAK, "embedded zip");
        return this.withPak(pak => m.with(scope => {
            const rows = changes.map(change => ({ name: change.name, remove: change.data === null,
                data: change.data ?? new Uint8Array(0), method: word(METHODS, change.method ?? "store", "method") }));
            const list = this.structs(scope, lib.bsp_pak_change, rows);
            const blob = scope.alloc(lib.bsp_blob.size);
            const plan = m.checked(error => native._bsp_pak_plan(pak, list, rows.length, 0, error));
            try {
                m.checked(error => native._bsp_plan_make(plan, 0, blob, error) & 1);
                return this.withLump(scope, lump, blob);
            } finally {
                native._bsp_plan_free(plan);
                native._bsp_blob_free(blob);
            }
        }));
    }

    replaceLump(lump: string | number, bytes: Uint8Array): Uint8Array {
        const number = this.lumpNumber(lump);
        return this.memory.with(scope => this.withLump(scope, number, scope.span(bytes)));
    }

    compress(lzma: boolean): Uint8Array {
        const { memory: m, native, file } = this;
        return m.with(scope => {
            const out = scope.alloc(lib.bsp_blob.size);
            m.checked(error => native._bsp_file_compress(file, lzma, 0, out, error) & 1);
            return m.take(out);
        });
    }
}
