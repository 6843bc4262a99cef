// SPDX-License-Identifier: MIT
// What emscripten makes of native/*.c.
declare module 'bspkit-view-module' {
  export interface NativeModule {
    HEAPU8: Uint8Array;
    FS: {
      mkdirTree(path: string): void;
      mount(type: unknown, options: unknown, path: string): void;
      unmount(path: string): void;
    };
    WORKERFS: { stream_ops: Record<string, unknown> };
    _malloc(size: number): number;
    _free(at: number): void;
    stackSave(): number;
    stackRestore(at: number): void;
    stackAlloc(size: number): number;
    UTF8ToString(at: number): string;
    onPicture?: (kind: number, number: number, at: number, width: number, height: number) => void;
    [call: `_bv_${string}`]: unknown;
  }
  export default function create(options: {
    wasmBinary: ArrayBuffer;
    locateFile: (name: string) => string;
  }): Promise<NativeModule>;
}

/** Only workers have it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
