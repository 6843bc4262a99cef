// SPDX-License-Identifier: MIT
// Loads the module into this thread.
import type * as api from "./api.js";
import { GameFiles } from "./game.js";
import { copyPicture } from "./geometry.js";
import * as lib from "./generated.js";
import { BspError, Memory, type Module } from "./memory.js";
import { OpenMap } from "./products.js";
// @ts-ignore: emscripten's, made with the module
import instantiate from "./glue.js";

/** Whether this machine has SIMD in WebAssembly: a function that returns a vector of zeros is valid. */
export function hasSimd(): boolean {
    return WebAssembly.validate(new Uint8Array([
        0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]));
}

async function compile(options: api.LoadOptions, simd: boolean): Promise<WebAssembly.Module> {
    const source: unknown = await (options.wasm ?? new URL(simd ? "./bspkit.wasm" : "./bspkit-plain.wasm", import.meta.url));
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || source instanceof Uint8Array) {
        return WebAssembly.compile(source as ArrayBuffer);
    }
    if (source instanceof Response) return WebAssembly.compile(await source.arrayBuffer());
    const address = new URL(source as URL | string, import.meta.url);
    if (address.protocol === "file:") {
        const { readFile } = await import("node:fs/promises");
        return WebAssembly.compile(await readFile(address));
    }
    const response = await fetch(address);
    if (!response.ok) throw new BspError(`${address}: ${response.status} ${response.statusText}`, "not found");
    return WebAssembly.compile(await response.arrayBuffer());
}

class Library implements api.LibraryApi {
    readonly version = `${lib.BSP_VERSION_MAJOR}.${lib.BSP_VERSION_MINOR}.${lib.BSP_VERSION_PATCH}`;

    constructor(private readonly m: Memory, readonly simd: boolean) {}

    open(bytes: Uint8Array | ArrayBuffer, options: api.OpenOptions = {}): OpenMap {
        return new OpenMap(this.m, bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes), options);
    }

    gameFiles(): GameFiles {
        return new GameFiles(this.m);
    }

    decodePicture(bytes: Uint8Array, name = ""): api.Picture {
        const m = this.m;
        return m.with(scope => {
            const span = scope.span(bytes);
            const format = m.native._bsp_image_detect(span, scope.text(name));
            const out = scope.alloc(lib.bsp_image.size);
            m.checked(error => m.native._bsp_image_decode(span, format, 0, out, error) & 1);
            const picture = copyPicture(m, out);
            m.native._bsp_image_free(out);
            return picture!;
        });
    }

    encodePng(picture: api.Picture): Uint8Array {
        const m = this.m;
        if (picture.pixels.length < picture.width * picture.height * 4) {
            throw new BspError("a picture has four bytes for each pixel", "argument");
        }
        return m.with(scope => {
            const image = scope.struct(lib.bsp_image, { width: picture.width, height: picture.height,
                                                        pixels: picture.pixels });
            const out = scope.alloc(lib.bsp_blob.size);
            m.checked(error => m.native._bsp_image_write_png(image, 0, out, error) & 1);
            return m.take(out);
        });
    }

    get memory(): number {
        return this.m.buffer.byteLength;
    }
}

/** Loads the library into this thread. */
export async function load(options: api.LoadOptions = {}): Promise<api.LibraryApi> {
    const simd = options.simd ?? hasSimd();
    const compiled = await compile(options, simd);
    const module = await instantiate({
        locateFile: (name: string) => name,
        instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
            void WebAssembly.instantiate(compiled, imports).then(done);
            return {};
        },
    }) as Module;
    return new Library(new Memory(module), simd);
}
