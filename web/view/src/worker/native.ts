// SPDX-License-Identifier: MIT
// The library as WebAssembly: numbers and bytes across the border, and nothing else.
import createModule, { type NativeModule } from 'bspkit-view-module';

import type { Picture } from '../protocol';

/** A fault that the library reported; its message is for people. */
export class NativeFault extends Error {}

type Argument = number | string | ArrayLike<number>;

export class Native {
  private constructor(readonly module: NativeModule) {}

  static async start(wasm: ArrayBuffer, onPicture: (picture: Picture) => void): Promise<Native> {
    const module = await createModule({ wasmBinary: wasm, locateFile: (name: string) => name });
    module.onPicture = (kind, number, pixels, width, height) => {
      const copy = module.HEAPU8.slice(pixels, pixels + width * height * 4);
      onPicture({ kind, number, width, height, pixels: copy });
    };
    return new Native(module);
  }

  /** Calls bv_NAME. Texts (or their bytes) and lists of floats are put on the stack for the call. */
  call(name: string, ...args: Argument[]): number {
    const { module } = this;
    const run = module[`_bv_${name}`] as ((...numbers: number[]) => number) | undefined;
    if (!run) throw new NativeFault(`the library has no call ${name}`);
    const stack = module.stackSave();
    try {
      return run(...args.map((value) => this.pass(value))) >>> 0;
    } finally {
      module.stackRestore(stack);
    }
  }

  /** Makes a call that answers with bytes, and returns a copy of them. */
  bytes(name: string, ...args: Argument[]): Uint8Array<ArrayBuffer> {
    if (!this.call(name, ...args)) throw this.fault();
    const start = this.call('answer_data');
    const copy = this.module.HEAPU8.slice(start, start + this.call('answer_size'));
    // Large answers are files: their memory is given back.
    if (copy.length > 1 << 20) this.call('answer_free');
    return copy as Uint8Array<ArrayBuffer>;
  }

  /** Makes a call that answers with JSON. Bytes that are no UTF-8 are shown as they can be. */
  json<T>(name: string, ...args: Argument[]): T {
    return JSON.parse(new TextDecoder().decode(this.bytes(name, ...args))) as T;
  }

  /** Copies bytes to memory that the library is given. */
  give(bytes: Uint8Array): number {
    const at = this.module._malloc(Math.max(1, bytes.length));
    if (!at) throw new NativeFault(`there is no memory for a file of ${bytes.length} bytes`);
    this.module.HEAPU8.set(bytes, at);
    return at;
  }

  text(at: number): string {
    return this.module.UTF8ToString(at);
  }

  words(at: number, count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.module.HEAPU8.slice(at, at + 4 * count).buffer as ArrayBuffer);
  }

  fault(): NativeFault {
    return new NativeFault(this.text(this.call('error')) || 'the library has no memory left');
  }

  private pass(value: Argument): number {
    if (typeof value === 'number') return value;
    const { module } = this;
    if (typeof value === 'string' || value instanceof Uint8Array) {
      const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
      const at = module.stackAlloc(bytes.length + 1);
      module.HEAPU8.set(bytes, at);
      module.HEAPU8[at + bytes.length] = 0;
      return at;
    }
    const at = module.stackAlloc(4 * value.length);
    new Float32Array(module.HEAPU8.buffer, at, value.length).set(value);
    return at;
  }
}
