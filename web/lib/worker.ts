// SPDX-License-Identifier: MIT
// The program of a worker, of a browser or of Node.
import type { Request } from "./remote.js";
import { Server } from "./serve.js";

if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
    const server = new Server((reply, transfer) => self.postMessage(reply, { transfer }));
    self.onmessage = event => void server.take(event.data as Request);
} else {
    const { parentPort } = await import("node:worker_threads");
    const server = new Server((reply, transfer) => parentPort!.postMessage(reply, transfer));
    parentPort!.on("message", (request: Request) => void server.take(request));
}
