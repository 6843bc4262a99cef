// SPDX-License-Identifier: MIT
// The package: load gives the library in this thread; startWorker in a worker, with promises.
export { BspError } from "./memory.js";
export type * from "./api.js";
export type { OpenMap } from "./products.js";
export * from "./generated.js";
export { hasSimd, load } from "./load.js";
export { startWorker } from "./remote.js";
