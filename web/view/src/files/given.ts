// SPDX-License-Identifier: MIT
// Files as they come: dropped with their folders, picked, inside the page, or of the page's own origin.
import type { GivenFile } from '../protocol';

const MOST_FILES = 200_000;

function readEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

async function walk(entry: FileSystemEntry, out: GivenFile[]): Promise<void> {
  if (out.length >= MOST_FILES) return;
  if (entry.isFile) {
    const data = await fileOf(entry as FileSystemFileEntry);
    out.push({ path: entry.fullPath.replace(/^\//, ''), data });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (let some = await readEntries(reader); some.length > 0; some = await readEntries(reader)) {
    for (const child of some) await walk(child, out);
  }
}

/** All files of a drop, those in folders too. */
export async function dropped(transfer: DataTransfer): Promise<GivenFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  const out: GivenFile[] = [];
  for (const entry of entries) await walk(entry, out);
  return out.length > 0 ? out : listed(transfer.files);
}

function listed(list: FileList | null): GivenFile[] {
  return [...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, data: file }));
}

/** Files that were chosen in an <input>, which then takes the same ones again. */
export function picked(input: HTMLInputElement): GivenFile[] {
  const files = listed(input.files);
  input.value = '';
  return files;
}

async function unpack(bytes: Uint8Array<ArrayBuffer>, packing: string): Promise<Blob> {
  if (packing === '') return new Blob([bytes]);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).blob();
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
}

/** Files that `bspkit view` put into the page. */
export async function inlined(): Promise<GivenFile[]> {
  const nodes = [...document.querySelectorAll<HTMLScriptElement>('script[data-file]')];
  return Promise.all(
    nodes.map(async (node) => {
      const data = await unpack(fromBase64(node.textContent ?? ''), node.dataset.packing ?? '');
      const path = decodeURIComponent(node.dataset.file ?? 'map.bsp');
      node.remove();
      return { path, data };
    }),
  );
}

/** The file of `?map=`, which must be of the page's own origin. */
export async function named(search: string): Promise<GivenFile[]> {
  const name = new URLSearchParams(search).get('map');
  if (!name) return [];
  const address = new URL(name, location.href);
  if (address.origin !== location.origin || location.protocol === 'file:') {
    throw new Error(`${name} is not of this site. Save the map, and drop the file here.`);
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${name} could not be had: the server says ${answer.status}.`);
  return [{ path: address.pathname.split('/').pop() || 'map.bsp', data: await answer.blob() }];
}
