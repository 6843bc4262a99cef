// SPDX-License-Identifier: MIT
// What an open map has in the library's memory: its file, the map, and what is made of it when it is first asked for.
import type * as api from "./api.js";
import type { GameFiles } from "./game.js";
import * as lib from "./generated.js";
import { BspError, NONE, Scope, type Memory } from "./memory.js";

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
