// SPDX-License-Identifier: MIT
// The worker's side of remote.ts: calls methods of open maps as they are asked for.
import type * as api from "./api.js";
import { load } from "./load.js";
import { BspError } from "./memory.js";
import type { OpenMap } from "./products.js";
import type { Reply, Request, Stand } from "./remote.js";

type Post = (reply: Reply, transfer: ArrayBuffer[]) => void;

/** All buffers in a value: they are given away, as everything that the library hands out is a copy. */
function buffers(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
    if (ArrayBuffer.isView(value)) {
        found.add(value.buffer as ArrayBuffer);
    } else if (Array.isArray(value)) {
        // Long lists of numbers have no buffers.
        if (typeof value[0] === "object") value.forEach(of => buffers(of, found));
    } else if (typeof value === "object" && value !== null) {
        Object.values(value).forEach(of => buffers(of, found));
    }
    return found;
}

/** A file of the browser, read when it is needed: a worker may wait for it. */
function source(data: Uint8Array | Blob): Uint8Array | api.FileSource {
    if (data instanceof Uint8Array) return data;
    return { size: data.size, read: () => new Uint8Array(new FileReaderSync().readAsArrayBuffer(data)) };
}

export class Server {
    private bspkit: api.LibraryApi | null = null;
    private readonly maps = new Map<number, OpenMap>();
    private last = 0;
    constructor(private readonly post: Post) {}

    async take(request: Request): Promise<void> {
        try {
            const args = request.args.map(arg => this.restore(arg, request.id));
            const result = request.map === 0 ? await this.ofLibrary(request.method, args)
                : this.ofMap(request.map, request.method, args);
            this.post({ id: request.id, result }, [...buffers(result)]);
        } catch (error) {
            const known = error instanceof BspError;
            this.post({ id: request.id, error: { message: error instanceof Error ? error.message : String(error),
                                                 code: known ? error.code : null, place: known ? error.place : null } }, []);
        }
    }

    private restore(value: unknown, id: number): unknown {
        if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
        const stand = value as Stand;
        const map = stand["bspkit:map"];
        const call = stand["bspkit:function"];
        if (map !== undefined) return this.maps.get(map);
        if (call !== undefined) {
            return (...args: unknown[]) => void this.post({ id, call, args }, [...buffers(args)]);
        }
        return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, this.restore(of, id)]));
    }

    private async ofLibrary(method: string, args: unknown[]): Promise<unknown> {
        if (method === "load") {
            this.bspkit = await load(args[0] as api.LoadOptions);
            return { version: this.bspkit.version, simd: this.bspkit.simd };
        }
        const library = this.bspkit!;
        switch (method) {
            case "open": {
                const map = library.open(args[0] as Uint8Array, args[1] as api.OpenOptions) as OpenMap;
                this.maps.set(++this.last, map);
                return { number: this.last, name: map.name };
            }
            case "decodePicture": return library.decodePicture(args[0] as Uint8Array, args[1] as string | undefined);
            case "encodePng": return library.encodePng(args[0] as api.Picture);
            case "memory": return library.memory;
        }
        throw new BspError(`the library has no method ${method}`, "argument");
    }

    private ofMap(number: number, method: string, args: unknown[]): unknown {
        const map = this.maps.get(number);
        if (map === undefined) throw new BspError("the map is closed", "argument");
        if (method === "setGame") return this.setGame(map, args[0] as [string, Uint8Array | Blob][] | null, args[1] as string);
        const f: unknown = Reflect.get(map, method);
        if (typeof f !== "function" || method === "constructor") {
            throw new BspError(`a map has no method ${method}`, "argument");
        }
        const result = f.apply(map, args) as unknown;
        if (method === "close") {
            this.maps.delete(number);
            map.handles.game?.close();
        }
        return result;
    }

    private setGame(map: OpenMap, files: [string, Uint8Array | Blob][] | null, folder: string | undefined): void {
        const old = map.handles.game;
        map.setGame(null);
        old?.close();
        if (files === null) return;
        const game = this.bspkit!.gameFiles();
        game.addGame(files.map(([path, data]) => [path, source(data)] as const), folder);
        map.setGame(game);
    }
}
