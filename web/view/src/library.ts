// SPDX-License-Identifier: MIT
// The page's end of the worker: each call is a promise.
import type { CallName, Calls, Picture, Reply, Request } from './protocol';

interface Waiting {
  resolve(value: unknown): void;
  reject(fault: Error): void;
}

export class Library {
  onPicture: (picture: Picture) => void = () => undefined;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  constructor(
    private readonly source: string,
    private readonly wasm: ArrayBuffer,
  ) {
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => this.take(data);
    this.worker.onerror = (event) => {
      this.failAll(`The library stopped: ${event.message}. Load the page again.`);
    };
    this.send({ kind: 'start', wasm });
  }

  /** Another worker, with no map: for what takes long. close() ends it. */
  another(): Library {
    return new Library(this.source, this.wasm);
  }

  /** Ends the worker. What it was asked for fails. */
  close(): void {
    this.worker.terminate();
    this.failAll('The library was stopped.');
  }

  call<Name extends CallName>(
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.send({ kind: 'call', id, name, args });
    });
  }

  private send(request: Request): void {
    this.worker.postMessage(request);
  }

  private take(reply: Reply): void {
    if (reply.kind === 'picture') this.onPicture(reply.picture);
    if (reply.kind !== 'result' && reply.kind !== 'fault') return;
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (reply.kind === 'result') waiting?.resolve(reply.value);
    else waiting?.reject(new Error(reply.message));
  }

  private failAll(message: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }
}
