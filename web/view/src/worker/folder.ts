// SPDX-License-Identifier: MIT
// The files that the page was given, as folders that the library reads: a file is read when it is
// needed, and an archive is never unpacked as a whole.
import type { GivenFile } from '../protocol';
import type { Native } from './native';

/** Where they stand. */
export const ROOT = '/game';

interface Node {
  contents: Blob;
}

interface Stream {
  node: Node;
}

const ARCHIVE = /\.(pk3|pk4|pkz|pak|wad|vpk|zip|gma)$/i;
const PART = /_\d{3}\.vpk$/i;

/** Lets the library map a file, as it does on a disk: WORKERFS itself can only read. */
function allowMapping(native: Native): void {
  const { module } = native;
  module.WORKERFS.stream_ops.mmap = (
    stream: Stream,
    first: number,
    length: number,
    position?: number,
  ) => {
    // Emscripten 3.1.6 passes an address before the length, later ones do not.
    const [size, from] = first === 0 && position !== undefined ? [length, position] : [first, length];
    const bytes = new FileReaderSync().readAsArrayBuffer(
      stream.node.contents.slice(from, from + size),
    );
    return { ptr: native.give(new Uint8Array(bytes)), allocated: true };
  };
}

/** Mounts files and returns what the library shall look into, the folder of the map's game first. */
export function mountFiles(native: Native, files: GivenFile[]): void {
  const { module } = native;
  allowMapping(native);
  module.FS.mkdirTree(ROOT);
  const blobs = files.map((file) => ({ name: file.path, data: file.data }));
  module.FS.mount(module.WORKERFS, { blobs }, ROOT);
}

export function unmountFiles(native: Native): void {
  native.module.FS.unmount(ROOT);
}

/** Folders that may be a game's: those of the first two levels that hold something of one. */
export function gameFolders(files: GivenFile[]): string[] {
  const folders = new Set<string>(['']);
  for (const { path } of files) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= Math.min(2, parts.length); depth++) {
      folders.add(parts.slice(0, depth).join('/'));
    }
  }
  const marks = /^(textures|materials|models|gfx|env|pics|scripts|sprites|progs|maps|gameinfo\.txt$)/i;
  return [...folders].filter((folder) =>
    files.some(({ path }) => {
      const prefix = folder === '' ? '' : `${folder}/`;
      if (!path.startsWith(prefix)) return false;
      const rest = path.slice(prefix.length);
      return marks.test(rest) || (!rest.includes('/') && ARCHIVE.test(rest) && !PART.test(rest));
    }),
  );
}

/** Files that belong to a map by their names: its coloured light (NAME.lit), its lumps and entities of their own. */
export function filesBeside(files: GivenFile[], map: string): GivenFile[] {
  const stem = map.replace(/\.bsp(\.gz|\.bz2)?$/i, '').toLowerCase();
  const ends = /^(\.lit|_[^/]*\.ent|\.bsp\.[0-9a-f]{4}\.bsp_lump(\.client)?)$/i;
  return files.filter(({ path }) => path.toLowerCase().startsWith(stem) && ends.test(path.slice(stem.length)));
}

/** The navigation mesh of a map, NAME.nav beside it. */
export function navBeside(files: GivenFile[], map: string): GivenFile | undefined {
  const name = `${map.replace(/\.bsp(\.gz|\.bz2)?$/i, '')}.nav`.toLowerCase();
  return files.find(({ path }) => path.toLowerCase() === name);
}

export function isArchive(path: string): boolean {
  return ARCHIVE.test(path) && !PART.test(path);
}

export function isMap(path: string): boolean {
  return /\.bsp(\.gz|\.bz2)?$/i.test(path);
}
