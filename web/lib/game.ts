// SPDX-License-Identifier: MIT
// Files of a game in memory: the search path in which textures and models are looked for. Folders are
// those of a bsp_disk: the library asks for the bytes of a file when it opens it.
import type * as api from "./api.js";
import * as lib from "./generated.js";
import { BspError, Callback, Scope, type Memory } from "./memory.js";

type Source = Uint8Array | api.FileSource;

const ARCHIVE = /\.(pak|pk3|pkz|pk4|wad)$|_dir\.vpk$/i;

function parent(path: string): string {
    return path.includes("/") ? path.replace(/\/[^/]*$/, "") : ".";
}

/** Folders that stand in the folder of a game, of any engine. */
const USUAL = new Set(["decals", "env", "gfx", "levelshots", "maps", "materials", "models", "pics", "progs", "scripts",
                       "sound", "sprites", "textures"]);

/** The folder of a game that a path speaks for; null if it says nothing. */
function gameOf(path: string): string | null {
    const parts = path.split("/");
    const usual = parts.slice(0, -1).findIndex(part => USUAL.has(part.toLowerCase()));
    if (usual >= 0) return parts.slice(0, usual).join("/") || ".";
    return ARCHIVE.test(path) ? parent(path) : null;
}

function depth(folder: string): number {
    return folder === "." ? 0 : folder.split("/").length;
}

/** The folder, or folders, of a game among paths: see GameFilesApi.addGame. */
export function findGame(paths: string[]): string[] {
    const stated = paths.filter(path => /(^|\/)gameinfo\.txt$/i.test(path)).map(parent);
    const found = stated.length !== 0 ? stated : paths.map(gameOf).filter(folder => folder !== null);
    if (found.length !== 0) {
        const least = found.reduce((most, folder) => Math.min(most, depth(folder)), Infinity);
        const nearest = [...new Set(found.filter(folder => depth(folder) === least))].sort();
        return stated.length !== 0 ? nearest.slice(0, 1) : nearest;
    }
    const first = paths[0]?.split("/") ?? [];
    const common = first.length > 1 && paths.every(path => path.startsWith(`${first[0]}/`));
    return [common ? first[0]! : "."];
}

export class GameFiles implements api.GameFilesApi {
    private readonly found: number; // bsp_issues
    private readonly files: [string, Source][] = [];
    private readonly folders: string[] = [];
    private readonly archives: [string, Uint8Array][] = [];
    private readonly scope: Scope; // what the search path borrows
    private readonly user: number;
    private made = 0;
    private games = 0;

    constructor(private readonly memory: Memory) {
        this.found = memory.native._bsp_issues_new(0, 0) >>> 0;
        this.scope = new Scope(memory);
        this.user = memory.keep((kind, number, at) => kind === 0 ? this.open(number!, at!) : memory.free(at!));
    }

    private open(number: number, bytes: number): boolean {
        const source = this.files[number]![1];
        const data = source instanceof Uint8Array ? source : source.read();
        const at = this.memory.put(data);
        const view = this.memory.view();
        view.setUint32(bytes, at, true);
        view.setUint32(bytes + 4, data.length, true);
        return true;
    }

    private mayAdd(): void {
        if (this.made !== 0) throw new BspError("files of a game are added before their first use", "argument");
    }

    addGame(files: Iterable<readonly [string, Source]>, folder?: string): void {
        this.mayAdd();
        const list = [...files].map(([path, source]): [string, Source] => [path.replace(/^(\.?\/)+/, ""), source]);
        const before = this.games++ === 0 ? "" : `${this.games}/`; // two games may have files of one path
        const paths = list.map(([path]) => path);
        for (const found of folder === undefined ? findGame(paths) : [folder]) {
            this.folders.push(before + found);
        }
        list.forEach(([path, source]) => this.files.push([before + path, source]));
    }

    addArchive(name: string, bytes: Uint8Array): void {
        this.mayAdd();
        this.archives.push([name, bytes]);
    }

    /** The bsp_search. */
    get search(): number {
        if (this.made !== 0) return this.made;
        const { memory: m, scope } = this;
        const rows = scope.alloc(this.files.length * lib.bsp_disk_file.size);
        this.files.forEach(([path, source], i) => m.write(lib.bsp_disk_file, rows + i * lib.bsp_disk_file.size,
            { path, size: source instanceof Uint8Array ? source.length : source.size }, scope));
        const disk = scope.struct(lib.bsp_disk, { files: rows, count: this.files.length, user: this.user,
                                                  open: m.function(Callback.Open), close: m.function(Callback.Close) });
        this.made = m.with(inner => {
            const o = inner.struct(lib.bsp_search_options, { issues: this.found, disk });
            return m.checked(error => m.native._bsp_search_new(o, error));
        });
        for (const folder of this.folders) {
            m.with(inner => m.checked(error =>
                m.native._bsp_search_add_game(this.made, inner.string(folder), error) & 1));
        }
        for (const [name, bytes] of this.archives) {
            const span = scope.span(bytes);
            m.with(inner => m.checked(error =>
                m.native._bsp_search_add_memory(this.made, inner.string(name), span, error) & 1));
        }
        return this.made;
    }

    list(): { name: string; source: string; size: number }[] {
        const m = this.memory;
        const search = this.search;
        return m.with(scope => {
            const count = scope.alloc(4);
            const first = m.native._bsp_search_list(search, count) >>> 0;
            return m.list(lib.bsp_asset, first, m.pointer(count));
        });
    }

    has(name: string): boolean {
        const search = this.search;
        return this.memory.with(scope => this.memory.native._bsp_search_find(search, scope.text(name)) !== 0);
    }

    read(name: string): Uint8Array {
        const m = this.memory;
        const search = this.search;
        return m.with(scope => {
            const blob = scope.alloc(lib.bsp_blob.size);
            m.checked(error => m.native._bsp_search_read(search, scope.text(name), blob, error) & 1);
            return m.take(blob);
        });
    }

    issues(): api.Issue[] {
        void this.search;
        return this.memory.issues(this.found);
    }

    close(): void {
        this.memory.native._bsp_search_free(this.made);
        this.memory.native._bsp_issues_free(this.found);
        this.memory.drop(this.user);
        this.scope.free();
        this.made = 0;
    }
}
