// SPDX-License-Identifier: MIT
// The library in a worker: every method of an open map as a promise. serve.ts is the other side.
import type * as api from "./api.js";
import { BspError } from "./memory.js";

/** What is sent to the worker: a method of an open map, or of the library (map 0). */
export interface Request {
    id: number;
    map: number;
    method: string;
    args: unknown[];
}

/** What comes back: a result, an error, or the call of a function that was among the arguments. */
export type Reply =
    | { id: number; result: unknown }
    | { id: number; error: { message: string; code: string | null; place: api.Place | null } }
    | { id: number; call: number; args: unknown[] };

/** A function among arguments, and an open map among them. */
export interface Stand { "bspkit:function"?: number; "bspkit:map"?: number }

/** What a browser's worker and one of Node have in common. */
interface Port {
    post(message: unknown, transfer?: ArrayBuffer[]): void;
    end(): void;
}

interface Pending {
    resolve(value: unknown): void;
    reject(error: unknown): void;
    functions: ((...args: unknown[]) => unknown)[];
}

const numbers = new WeakMap<object, number>();

/** Arguments with stands in the place of functions and maps. */
function prepare(value: unknown, functions: Pending["functions"]): unknown {
    if (typeof value === "function") return { "bspkit:function": functions.push(value as never) - 1 } satisfies Stand;
    if (typeof value !== "object" || value === null) return value;
    const map = numbers.get(value);
    if (map !== undefined) return { "bspkit:map": map } satisfies Stand;
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, prepare(of, functions)]));
}

class Connection {
    private readonly pending = new Map<number, Pending>();
    private last = 0;
    /** Why the worker answers no more. */
    private ended: unknown = null;
    constructor(private readonly port: Port) {}

    call(map: number, method: string, args: unknown[]): Promise<unknown> {
        return new Promise((resolve, reject) => {
            if (this.ended !== null) return reject(this.ended);
            const functions: Pending["functions"] = [];
            const request: Request = { id: ++this.last, map, method, args: args.map(arg => prepare(arg, functions)) };
            this.pending.set(request.id, { resolve, reject, functions });
            try {
                this.port.post(request);
            } catch (error) {
                this.pending.delete(request.id);
                reject(error);
            }
        });
    }

    take(reply: Reply): void {
        const pending = this.pending.get(reply.id);
        if (pending === undefined) return;
        if ("call" in reply) {
            try {
                pending.functions[reply.call]!(...reply.args);
            } catch (error) {
                this.pending.delete(reply.id);
                pending.reject(error);
            }
            return;
        }
        this.pending.delete(reply.id);
        if ("result" in reply) {
            pending.resolve(reply.result);
        } else {
            const { message, code, place } = reply.error;
            pending.reject(code === null ? new Error(message) : new BspError(message, code, place ?? undefined));
        }
    }

    fail(error: unknown): void {
        this.pending.forEach(pending => pending.reject(error));
        this.pending.clear();
    }

    end(error: unknown = new BspError("the worker was ended", "cancelled")): void {
        this.ended ??= error;
        this.port.end();
        this.fail(error);
    }
}

function remoteMap(connection: Connection, number: number, name: string): api.RemoteMap {
    const map = new Proxy({ name } as object, {
        get: (target, method) => {
            if (method === "name") return name;
            if (method === "then" || typeof method === "symbol") return Reflect.get(target, method);
            return (...args: unknown[]) => connection.call(number, method,
                method === "setGame" && args[0] != null ? [[...args[0] as Iterable<unknown>], args[1]] : args);
        },
    });
    numbers.set(map, number);
    return map as api.RemoteMap;
}

async function startNode(address: URL | string, take: (reply: Reply) => void, end: (error?: unknown) => void): Promise<Port> {
    const { Worker: NodeWorker } = await import("node:worker_threads");
    const worker = new NodeWorker(address instanceof URL ? address : new URL(address));
    worker.on("message", take);
    worker.on("error", end);
    worker.on("exit", () => end());
    return { post: (message, transfer) => worker.postMessage(message, transfer ?? []),
             end: () => void worker.terminate() };
}

function startBrowser(from: URL | string | Worker, take: (reply: Reply) => void, fail: (error: unknown) => void): Port {
    const worker = from instanceof Worker ? from : new Worker(from, { type: "module" });
    worker.onmessage = event => take(event.data as Reply);
    worker.onerror = event => fail(new BspError(event.message || "the worker cannot be started", "io"));
    return { post: (message, transfer) => worker.postMessage(message, transfer ?? []), end: () => worker.terminate() };
}

async function sendable(wasm: api.LoadOptions["wasm"]): Promise<unknown> {
    const source = await wasm;
    if (typeof Response !== "undefined" && source instanceof Response) return source.arrayBuffer();
    return source instanceof URL ? source.href : source;
}

/** Starts a worker that has the library. */
export async function startWorker(options: api.WorkerOptions = {}): Promise<api.WorkerLibrary> {
    const from = options.worker ?? new URL("./bspkit-worker.mjs", import.meta.url);
    let connection: Connection | null = null;
    const take = (reply: Reply) => connection?.take(reply);
    const fail = (error: unknown) => connection?.fail(error);
    const end = (error?: unknown) => connection?.end(error);
    const port = typeof Worker === "undefined" ? await startNode(from as URL | string, take, end)
        : startBrowser(from, take, fail);
    const made = connection = new Connection(port);
    const loaded: api.LoadOptions = { wasm: await sendable(options.wasm) as never, simd: options.simd };
    const facts = await made.call(0, "load", [loaded]).catch((error: unknown) => {
        made.end(error);
        throw error;
    }) as { version: string; simd: boolean };
    return {
        ...facts,
        open: async (bytes, how = {}) => {
            const beside = how.beside === undefined ? undefined : [...how.beside];
            const map = await made.call(0, "open", [bytes, { ...how, beside }]) as { number: number; name: string };
            return remoteMap(made, map.number, map.name);
        },
        decodePicture: (bytes, name) => made.call(0, "decodePicture", [bytes, name]) as Promise<api.Picture>,
        encodePng: picture => made.call(0, "encodePng", [picture]) as Promise<Uint8Array>,
        memory: () => made.call(0, "memory", []) as Promise<number>,
        close: () => made.end(),
    };
}
