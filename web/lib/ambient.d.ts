// SPDX-License-Identifier: MIT
// What a worker of a browser has and a page has not.
declare class FileReaderSync {
    readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
declare const WorkerGlobalScope: { new (): object; prototype: object };
