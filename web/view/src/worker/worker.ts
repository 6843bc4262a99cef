// SPDX-License-Identifier: MIT
// The worker: takes calls one after the other and answers each.
import type { Reply, Request } from '../protocol';
import { Native, NativeFault } from './native';
import { Session, buffersOf } from './session';

interface WorkerScope {
  postMessage(message: Reply, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}

const scope = self as unknown as WorkerScope;
let session: Promise<Session> | null = null;
let binary: ArrayBuffer | null = null;

function post(reply: Reply, transfer: Transferable[] = []): void {
  scope.postMessage(reply, transfer);
}

async function start(wasm: ArrayBuffer): Promise<Session> {
  binary = wasm;
  const native = await Native.start(wasm, (picture) => {
    post({ kind: 'picture', picture }, [picture.pixels.buffer as ArrayBuffer]);
  });
  post({ kind: 'ready' });
  return new Session(native);
}

function messageOf(fault: unknown): string {
  if (fault instanceof NativeFault) return fault.message;
  if (fault instanceof Error && /memory|OOM|allocation/i.test(fault.message)) {
    return 'There is not enough memory for this. Close other tabs, or open a smaller map.';
  }
  return `The library failed: ${String(fault)}. Open the map again, and please report this.`;
}

/** After a fault of the library itself its memory is not what it should be: a new one takes its place, without a map. */
function replaceAfter(fault: unknown): void {
  if (fault instanceof WebAssembly.RuntimeError && binary) session = start(binary);
}

async function answer(request: Extract<Request, { kind: 'call' }>): Promise<void> {
  try {
    const calls = await (session ?? Promise.reject(new Error('the library was not loaded')));
    const run = calls[request.name] as (...args: unknown[]) => unknown;
    const value = run.apply(calls, request.args);
    post({ kind: 'result', id: request.id, value }, [...new Set(buffersOf(value))]);
  } catch (fault) {
    post({ kind: 'fault', id: request.id, message: messageOf(fault) });
    replaceAfter(fault);
  }
}

scope.onmessage = ({ data }) => {
  if (data.kind === 'start') session = start(data.wasm);
  else void answer(data);
};
