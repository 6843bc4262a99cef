// SPDX-License-Identifier: MIT
// The module's memory: what stands in structs, read and written by the tables of generated.ts. Memory
// may grow in any call of the library; every view of it is then empty. So views are made anew each time,
// and none is kept over a call.
import type { Issue, Place } from "./api.js";
import type { Native } from "./generated.js";
import * as lib from "./generated.js";

/** Bytes of the library's memory: valid until the object they belong to is freed. */
export interface Span {
    address: number;
    size: number;
}

/** A member: name, offset, letter or struct, and lengths if it is an array. Letters: as in Python's struct;
 *  c characters up to a NUL, z the address of such, t a bsp_text, s a bsp_bytes, p another address. */
export type Member = [string, number, string | Layout<unknown>, number[]?];

/** A struct. The type says what it reads as. */
export interface Layout<T> {
    size: number;
    members: Member[];
    /** Only for the type. */
    of?: T;
}

/** An array of the map: where its address and its count stand, and what it holds. */
export interface MapArray {
    at: number;
    count: number;
    size: number;
    of: string | Layout<unknown>;
}

/** What emscripten's module offers. */
export interface Module {
    HEAPU8: Uint8Array;
    _malloc(size: number): number;
    _free(address: number): void;
    _web_function(number: number): number;
    _web_dump(file: number, lump: number, user: number, error: number): number;
    _web_records(table: number, first: number, count: number, user: number): number;
}

/** Numbers of web_function. */
export const enum Callback { Sink, Report, Beside, Pictures, Decals, Difference, Open, Close, Stale }

export const NONE = 0xffffffff;

/** A number of the library that may be none. */
export function orNull(index: number): number | null {
    return index >>> 0 === NONE ? null : index >>> 0;
}

const SIZES: { [letter: string]: number } =
    { "?": 1, b: 1, B: 1, c: 1, h: 2, H: 2, i: 4, I: 4, f: 4, z: 4, p: 4, q: 8, Q: 8, d: 8, t: 8, s: 8 };

const utf8 = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/** Text of a file: UTF-8 where it is that, else each byte that is none of it as Latin-1. */
export function decodeText(bytes: Uint8Array): string {
    try {
        return utf8.decode(bytes);
    } catch {
        return decodeMixed(bytes);
    }
}

function decodeMixed(bytes: Uint8Array): string {
    let out = "";
    for (let i = 0; i < bytes.length;) {
        const first = bytes[i]!;
        const size = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
        try {
            if (size === 0 || i + size > bytes.length) throw new RangeError();
            out += utf8.decode(bytes.subarray(i, i + size));
            i += size;
        } catch {
            out += String.fromCharCode(first);
            i++;
        }
    }
    return out;
}

/** Why a call of the library failed. */
export class BspError extends Error {
    override readonly name = "BspError";
    constructor(
        message: string,
        /** A word: "damaged", "not found", "argument", "limit" ... */
        readonly code: string,
        /** Where in the file; its text is "" if it is in none. */
        readonly place: Place = { text: "" },
    ) {
        super(message);
    }
}

export class Memory {
    readonly native: Module & Native;
    private readonly error: number;
    private functions = new Map<number, (...numbers: number[]) => boolean | void>();
    private lastFunction = 0;
    private thrown: { what: unknown } | null = null;
    private data = new DataView(new ArrayBuffer(0));

    constructor(module: Module) {
        this.native = module as Module & Native;
        (module as unknown as { ask: Memory["ask"] }).ask = this.ask;
        this.error = this.alloc(lib.bsp_error.size);
    }

    // --- views ----------------------------------------------------------------------------------

    get buffer(): ArrayBuffer {
        return this.native.HEAPU8.buffer as ArrayBuffer;
    }

    view(): DataView {
        if (this.data.buffer !== this.buffer) this.data = new DataView(this.buffer);
        return this.data;
    }

    /** A view: valid until the next call of the library. */
    bytes(address: number, size: number): Uint8Array {
        return new Uint8Array(this.buffer, size ? address >>> 0 : 0, size);
    }

    copy(address: number, size: number): Uint8Array {
        return this.bytes(address, size).slice();
    }

    floats(address: number, count: number): Float32Array {
        return new Float32Array(this.buffer, count ? address >>> 0 : 0, count);
    }

    words(address: number, count: number): Uint32Array {
        return new Uint32Array(this.buffer, count ? address >>> 0 : 0, count);
    }

    // --- memory of the caller -------------------------------------------------------------------

    alloc(size: number): number {
        const address = this.native._malloc(size || 1) >>> 0;
        if (address === 0) throw new BspError(`no memory for ${size} bytes`, "memory");
        return address;
    }

    free(address: number): void {
        this.native._free(address);
    }

    put(bytes: Uint8Array): number {
        const address = this.alloc(bytes.length);
        this.native.HEAPU8.set(bytes, address);
        return address;
    }

    /** Calls `use` with memory that lives until it returns. */
    with<T>(use: (scope: Scope) => T): T {
        const scope = new Scope(this);
        try {
            return use(scope);
        } finally {
            scope.free();
        }
    }

    // --- reading --------------------------------------------------------------------------------

    pointer(address: number): number {
        return this.view().getUint32(address, true);
    }

    /** A text that ends in a NUL. */
    string(address: number): string | null {
        if (address === 0) return null;
        const heap = this.native.HEAPU8;
        let end = address >>> 0;
        while (heap[end] !== 0) end++;
        return decodeText(heap.subarray(address >>> 0, end));
    }

    text(address: number): string {
        return decodeText(this.bytes(this.pointer(address), this.pointer(address + 4)));
    }

    read<T>(layout: Layout<T>, address: number): T {
        const out: { [name: string]: unknown } = {};
        for (const [name, offset, type, lengths] of layout.members) {
            if (type === "p") continue;
            out[name] = lengths === undefined ? this.value(type, address + offset)
                : this.array(type, address + offset, lengths, 0);
        }
        return out as T;
    }

    list<T>(layout: Layout<T>, address: number, count: number): T[] {
        return Array.from({ length: count }, (_, i) => this.read(layout, address + i * layout.size));
    }

    /** The address that a member of a struct has, such as the start of an array. */
    member(layout: Layout<unknown>, address: number, name: string): number {
        return this.pointer(address + this.offset(layout, name));
    }

    offset(layout: Layout<unknown>, name: string): number {
        const member = layout.members.find(row => row[0] === name);
        if (member === undefined) throw new TypeError(`no member ${name}`);
        return member[1];
    }

    private array(type: Member[2], address: number, lengths: number[], depth: number): unknown {
        const length = lengths[depth]!;
        if (type === "c" && depth === lengths.length - 1) {
            const bytes = this.bytes(address, length);
            const end = bytes.indexOf(0);
            return decodeText(end < 0 ? bytes : bytes.subarray(0, end));
        }
        const step = lengths.slice(depth + 1).reduce((a, b) => a * b, sizeOf(type));
        return Array.from({ length }, (_, i) => depth + 1 === lengths.length
            ? this.value(type, address + i * step) : this.array(type, address + i * step, lengths, depth + 1));
    }

    value(type: Member[2], address: number): unknown {
        if (typeof type !== "string") return this.read(type, address);
        const view = this.view();
        switch (type) {
            case "?": return view.getUint8(address) !== 0;
            case "b": case "c": return view.getInt8(address);
            case "B": return view.getUint8(address);
            case "h": return view.getInt16(address, true);
            case "H": return view.getUint16(address, true);
            case "i": return view.getInt32(address, true);
            case "I": case "p": return view.getUint32(address, true);
            case "f": return view.getFloat32(address, true);
            case "d": return view.getFloat64(address, true);
            case "q": return Number(view.getBigInt64(address, true));
            case "Q": return Number(view.getBigUint64(address, true));
            case "z": return this.string(view.getUint32(address, true));
            case "t": return this.text(address);
            case "s": return { address: view.getUint32(address, true), size: view.getUint32(address + 4, true) };
        }
        throw new TypeError(type);
    }

    // --- writing --------------------------------------------------------------------------------

    write(layout: Layout<unknown>, address: number, values: { [name: string]: unknown }, scope: Scope): void {
        for (const [name, value] of Object.entries(values)) {
            const row = layout.members.find(member => member[0] === name);
            if (row === undefined) throw new TypeError(`no member ${name}`);
            if (value === undefined) continue;
            const [, offset, type, lengths] = row;
            if (lengths === undefined) {
                this.set(type, address + offset, value, scope);
            } else {
                const step = lengths.slice(1).reduce((a, b) => a * b, sizeOf(type));
                for (let i = 0; i < lengths[0]!; i++) {
                    this.set(type, address + offset + i * step, (value as ArrayLike<unknown>)[i], scope);
                }
            }
        }
    }

    private set(type: Member[2], address: number, value: unknown, scope: Scope): void {
        if (typeof type !== "string") {
            this.write(type, address, value as { [name: string]: unknown }, scope);
            return;
        }
        // Space for texts is made first: memory may grow.
        const bytes = typeof value === "string" ? encoder.encode(value) : value;
        const at = bytes instanceof Uint8Array ? scope.put(bytes, true) : 0;
        const view = this.view();
        switch (type) {
            case "?": view.setUint8(address, value ? 1 : 0); break;
            case "b": case "B": view.setUint8(address, value as number); break;
            case "h": case "H": view.setUint16(address, value as number, true); break;
            case "i": case "I": case "p": case "z":
                view.setUint32(address, (bytes instanceof Uint8Array ? at : value as number) >>> 0, true); break;
            case "f": view.setFloat32(address, value as number, true); break;
            case "d": view.setFloat64(address, value as number, true); break;
            case "q": case "Q": view.setBigUint64(address, BigInt(value as number), true); break;
            case "t": case "s":
                view.setUint32(address, at, true);
                view.setUint32(address + 4, (bytes as Uint8Array).length, true);
                break;
            default: throw new TypeError(type);
        }
    }

    // --- calls ----------------------------------------------------------------------------------

    /** What the C side calls. What a function throws is thrown by the call that led to it. */
    private readonly ask = (user: number, ...numbers: number[]): number => {
        if (this.thrown !== null) return 0;
        try {
            return this.functions.get(user)!(...numbers) === false ? 0 : 1;
        } catch (what) {
            this.thrown = { what };
            return 0;
        }
    };

    /** Calls `use` with the number by which C calls a function. */
    calling<T>(f: (...numbers: number[]) => boolean | void, use: (user: number) => T): T {
        const user = this.keep(f);
        try {
            return use(user);
        } finally {
            this.functions.delete(user);
        }
    }

    keep(f: (...numbers: number[]) => boolean | void): number {
        const user = ++this.lastFunction;
        this.functions.set(user, f);
        return user;
    }

    drop(user: number): void {
        this.functions.delete(user);
    }

    /** Calls `call` with the address of an error, and throws what it says if the result is 0. */
    checked(call: (error: number) => number): number {
        this.bytes(this.error, lib.bsp_error.size).fill(0);
        const result = call(this.error) >>> 0;
        this.rethrow();
        if (result === 0) throw this.lastError();
        return result;
    }

    /** Throws what a function threw that C called. */
    rethrow(): void {
        const thrown = this.thrown;
        this.thrown = null;
        if (thrown !== null) throw thrown.what;
    }

    private lastError(): BspError {
        const error = this.read(lib.bsp_error, this.error);
        const code = this.string(this.native._bsp_code_name(error.code) >>> 0) ?? "unknown";
        const place = this.place(this.error + this.offset(lib.bsp_error, "place"));
        return new BspError(error.message || code, code, place);
    }

    place(address: number): Place {
        const place = this.read(lib.bsp_place, address);
        const out: Place = { text: this.with(scope => {
            const room = scope.alloc(lib.BSP_PLACE_TEXT);
            this.native._bsp_format_place(room, address);
            return this.string(room) ?? "";
        }) };
        if (place.lump !== "") out.lump = place.lump;
        if (place.field !== null) out.field = place.field;
        if (place.record !== NONE) out.record = place.record;
        if (place.element !== NONE) out.element = place.element;
        if (place.offset < 2 ** 63) out.offset = place.offset;
        return out;
    }

    /** The bytes of a blob, which is freed. */
    take(blob: number): Uint8Array {
        const out = this.copy(this.pointer(blob), this.pointer(blob + 4));
        this.native._bsp_blob_free(blob);
        return out;
    }

    /** Collects what a call sends to a sink. */
    collect(call: (user: number) => void): Uint8Array {
        const parts: Uint8Array[] = [];
        this.calling((data, size) => void parts.push(this.copy(data!, size!)), call);
        return join(parts);
    }

    function(number: Callback): number {
        return this.native._web_function(number);
    }

    issues(list: number): Issue[] {
        return this.with(scope => {
            const count = scope.alloc(4);
            const first = this.native._bsp_issues_list(list, count) >>> 0;
            return Array.from({ length: this.pointer(count) }, (_, i) => this.issue(first + i * lib.bsp_issue.size));
        });
    }

    issue(address: number): Issue {
        const kind = this.read(lib.bsp_issue_kind, this.member(lib.bsp_issue, address, "kind"));
        return {
            id: kind.id!, severity: (["note", "warning", "error"] as const)[kind.severity]!,
            place: this.place(address + this.offset(lib.bsp_issue, "place")),
            text: this.read(lib.bsp_issue, address).text, summary: kind.summary!, explanation: kind.explanation!,
        };
    }
}

export function join(parts: Uint8Array[]): Uint8Array {
    if (parts.length === 1) return parts[0]!;
    const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        out.set(part, at);
        at += part.length;
    }
    return out;
}

function sizeOf(type: Member[2]): number {
    return typeof type === "string" ? SIZES[type]! : type.size;
}

/** Memory that is freed at once. */
export class Scope {
    private held: number[] = [];
    constructor(private readonly memory: Memory) {}

    alloc(size: number): number {
        const address = this.memory.alloc(size);
        this.held.push(address);
        this.memory.bytes(address, size).fill(0);
        return address;
    }

    /** Bytes, with a NUL after them if `terminated`. */
    put(bytes: Uint8Array, terminated = false): number {
        const address = this.alloc(bytes.length + (terminated ? 1 : 0));
        this.memory.native.HEAPU8.set(bytes, address);
        return address;
    }

    string(text: string): number {
        return this.put(encoder.encode(text), true);
    }

    /** A bsp_text. */
    text(text: string): number {
        return this.struct(lib_text, { text });
    }

    /** A bsp_bytes. */
    span(bytes: Uint8Array): number {
        return this.struct(lib_span, { bytes });
    }

    vector(point: ArrayLike<number>): number {
        const address = this.alloc(12);
        this.memory.floats(address, 3).set([point[0]!, point[1]!, point[2]!]);
        return address;
    }

    struct(layout: Layout<unknown>, values: { [name: string]: unknown } = {}): number {
        const address = this.alloc(layout.size);
        this.memory.write(layout, address, values, this);
        return address;
    }

    free(): void {
        for (const address of this.held) this.memory.free(address);
        this.held = [];
    }
}

const lib_text: Layout<unknown> = { size: 8, members: [["text", 0, "t"]] };
const lib_span: Layout<unknown> = { size: 8, members: [["bytes", 0, "s"]] };
