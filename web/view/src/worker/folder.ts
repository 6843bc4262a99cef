// SPDX-License-Identifier: MIT
// The files that the page was given, as folders that the library reads: a file is read when it is
// needed, and an archive is never unpacked as a whole.
import type { GivenFile } from '../protocol';
import { NativeFault, type Native } from './native';

/** Where they stand: each folder below it has a number. */
const ROOT = '/game';

interface Node {
  contents: Blob;
}

interface Stream {
  node: Node;
}

/** A map, and what belongs to it by its name: its light, entities and lumps of their own, its navigation mesh. */
export interface FoundMap {
  path: string;
  bytes: Uint8Array;
  beside: { name: string; bytes: Uint8Array }[];
  nav: Uint8Array | null;
}

const ARCHIVE = /\.(pk3|pk4|pkz|pak|wad|vpk|zip|gma)$/i;
const PART = /_\d{3}\.vpk$/i;
const MAP = /\.bsp(\.gz|\.bz2)?$/i;
const GAME = /^(textures|materials|models|gfx|env|pics|scripts|sprites|progs|maps|gameinfo\.txt$)/i;
const BESIDE = /^(\.lit|_[^/]*\.ent|\.bsp\.[0-9a-f]{4}\.bsp_lump(\.client)?)$/i;
const IN = ':'; // between an archive and a file in it

const isArchive = (path: string): boolean => ARCHIVE.test(path) && !PART.test(path);
const lastOf = (path: string): string => path.split(/[/:]/).pop() ?? '';
const readFile = (file: GivenFile): Uint8Array => new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.data));

/** Lets the library map a file, as it does on a disk: WORKERFS itself can only read. */
function allowMapping(native: Native): void {
  const { module } = native;
  module.WORKERFS.stream_ops.mmap = (stream: Stream, first: number, length: number, position?: number) => {
    // Emscripten 3.1.6 passes an address before the length, later ones do not.
    const [size, from] = first === 0 && position !== undefined ? [length, position] : [first, length];
    const bytes = new FileReaderSync().readAsArrayBuffer(stream.node.contents.slice(from, from + size));
    return { ptr: native.give(new Uint8Array(bytes)), allocated: true };
  };
}

/** Folders that may be a game's: those of the first two levels that hold something of one. */
function gameFolders(files: GivenFile[]): string[] {
  const folders = new Set<string>(['']);
  for (const { path } of files) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= Math.min(2, parts.length); depth++) folders.add(parts.slice(0, depth).join('/'));
  }
  return [...folders].filter((folder) =>
    files.some(({ path }) => {
      const prefix = folder === '' ? '' : `${folder}/`;
      if (!path.startsWith(prefix)) return false;
      const rest = path.slice(prefix.length);
      return GAME.test(rest) || (!rest.includes('/') && isArchive(rest));
    }),
  );
}

export class Folder {
  private readonly root: string;
  /** What could not be read, as messages. */
  readonly faults: string[] = [];

  constructor(
    private readonly native: Native,
    private readonly files: GivenFile[],
    number: number,
  ) {
    this.root = `${ROOT}/${number}`;
    const { module } = native;
    allowMapping(native);
    module.FS.mkdirTree(this.root);
    module.FS.mount(module.WORKERFS, { blobs: files.map(({ path, data }) => ({ name: path, data })) }, this.root);
  }

  close(): void {
    this.native.module.FS.unmount(this.root);
  }

  private fault(): string {
    return this.native.fault().message.replaceAll(`${this.root}/`, '');
  }

  // --- maps ---------------------------------------------------------------------------------------

  /** All maps: files first, then those in archives, as "pak0.pk3:maps/q3dm1.bsp". */
  maps(): string[] {
    const loose = this.files.map(({ path }) => path).filter((path) => MAP.test(path));
    const archives = this.files.map(({ path }) => path).filter((path) => isArchive(path) && !/\.wad$/i.test(path));
    const packed = archives.flatMap((path) =>
      this.names(path)
        .filter((name) => MAP.test(name))
        .map((name) => `${path}${IN}${name}`),
    );
    const all = [...loose.sort(), ...packed.sort()];
    // A single file of another name may still be a map: the library tells by its bytes.
    const [only] = this.files;
    if (all.length === 0 && this.files.length === 1 && only && !ARCHIVE.test(only.path)) all.push(only.path);
    return all;
  }

  /** Why there is no map among the files. */
  noMap(): NativeFault {
    if (this.faults.length > 0) return new NativeFault(this.faults.join(' '));
    if (this.files.every(({ path }) => PART.test(path))) {
      return new NativeFault('This is a part of a VPK. Drop the file that ends in _dir.vpk together with its parts.');
    }
    return new NativeFault('There is no map (.bsp) among these files, nor in archives among them. Drop one with them.');
  }

  read(map: string): FoundMap {
    const file = this.files.find(({ path }) => path === map);
    if (file) {
      return this.together(map, this.files.map(({ path }) => path), (path) => {
        const one = this.files.find((other) => other.path === path);
        return one ? readFile(one) : new Uint8Array();
      });
    }
    const archive = this.files.find(({ path }) => map.startsWith(`${path}${IN}`));
    if (!archive) throw this.noMap();
    return this.inArchive(archive.path, (open, names) => {
      const member = map.slice(archive.path.length + IN.length);
      return { ...this.together(member, names, (name) => this.native.bytes('archive_read', open, name)), path: map };
    });
  }

  private together(map: string, names: string[], read: (name: string) => Uint8Array): FoundMap {
    const stem = map.replace(MAP, '').toLowerCase();
    const ends = (name: string): string => (name.toLowerCase().startsWith(stem) ? name.slice(stem.length) : '');
    const nav = names.find((name) => ends(name).toLowerCase() === '.nav');
    return {
      path: map,
      bytes: read(map),
      beside: names.filter((name) => BESIDE.test(ends(name))).map((name) => ({ name: lastOf(name), bytes: read(name) })),
      nav: nav === undefined ? null : read(nav),
    };
  }

  private inArchive<Value>(path: string, use: (open: number, names: string[]) => Value): Value {
    const open = this.native.call('archive_open', `${this.root}/${path}`);
    if (!open) throw new NativeFault(this.fault());
    try {
      return use(open, this.native.json<string[]>('archive_names', open));
    } finally {
      this.native.call('archive_close', open);
    }
  }

  private names(path: string): string[] {
    try {
      return this.inArchive(path, (_, names) => names);
    } catch (fault) {
      this.faults.push(`${lastOf(path)}: ${fault instanceof Error ? fault.message : String(fault)}.`);
      return [];
    }
  }

  // --- the game -----------------------------------------------------------------------------------

  /** Adds folders and archives to where a map finds its textures; what cannot be read is left out, and said. */
  addTo(map: number): void {
    const add = (call: string, path: string): void => {
      if (!this.native.call(call, map, path)) this.faults.push(this.fault());
    };
    for (const folder of gameFolders(this.files)) add('add_folder', folder === '' ? this.root : `${this.root}/${folder}`);
    for (const { path } of this.files) {
      // Archives that lie with the map; those of folders were taken in the order of the game.
      if (isArchive(path) && path.split('/').length > 3) add('add_archive', `${this.root}/${path}`);
    }
  }
}
