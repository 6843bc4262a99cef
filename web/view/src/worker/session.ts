// SPDX-License-Identifier: MIT
// The worker's calls: one map that is open, and what is asked of it.
import type {
  Calls,
  GivenFile,
  LightPage,
  LightRows,
  MapInfo,
  SceneData,
  Vec3,
  WalkState,
} from '../protocol';
import { bodyOf } from '../walk/bodies';
import { Walker, eyeOf, newMover, type Hit, type World } from '../walk/movement';
import { ROOT, filesBeside, gameFolders, isArchive, isMap, mountFiles, navBeside, unmountFiles } from './folder';
import { NativeFault, type Native } from './native';

const NONE = 0xffffffff;

function read(file: GivenFile): Uint8Array {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.data));
}

/** The buffers of a value, so that they are moved to the page and not copied. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  if (value instanceof ArrayBuffer) return [value];
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  if (Array.isArray(value)) {
    return typeof value[0] === 'object' ? value.flatMap(buffersOf) : [];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap((member) =>
    ArrayBuffer.isView(member) || member instanceof ArrayBuffer || Array.isArray(member)
      ? buffersOf(member)
      : [],
  );
}

export class Session implements Calls {
  private map = 0;
  private info: MapInfo | null = null;
  private mounted = false;
  private walker: Walker | null = null;
  private nav: GivenFile | null = null;
  private scratch: number;

  constructor(private readonly native: Native) {
    this.scratch = native.give(new Uint8Array(128));
  }

  // --- files --------------------------------------------------------------------------------------

  open(files: GivenFile[], map: string | null): { info: MapInfo; maps: string[]; faults: string[] } {
    const maps = files.filter((file) => isMap(file.path)).map((file) => file.path);
    // A single file of another name may still be a map: the library tells by its bytes.
    if (maps.length === 0 && files.length === 1) maps.push(files[0]?.path ?? '');
    const path = map ?? maps[0];
    const file = files.find((one) => one.path === path);
    if (!file) {
      throw new NativeFault(
        'There is no map (.bsp) among these files. Drop one, or a folder or archive together with one.',
      );
    }
    const bytes = read(file);
    for (const one of filesBeside(files, file.path)) this.addBeside(one);
    const next = this.native.call('open', this.native.give(bytes), bytes.length, file.path);
    if (!next) throw this.native.fault();
    this.close();
    this.map = next;
    this.nav = navBeside(files, file.path) ?? null;
    const faults = this.look(files);
    this.info = this.native.json<MapInfo>('info', next);
    return { info: this.info, maps, faults };
  }

  private addBeside(file: GivenFile): void {
    const name = new TextEncoder().encode(`${file.path.split('/').pop() ?? ''}\0`);
    const bytes = read(file);
    this.native.call('add_beside', this.native.give(bytes), bytes.length, this.native.give(name));
  }

  /** Adds folders and archives; what cannot be read is left out, and said. */
  private look(files: GivenFile[]): string[] {
    const faults: string[] = [];
    const add = (call: string, path: string): void => {
      if (this.native.call(call, this.map, path)) return;
      faults.push(this.native.fault().message.replaceAll(`${ROOT}/`, ''));
    };
    mountFiles(this.native, files);
    this.mounted = true;
    for (const folder of gameFolders(files)) add('add_folder', folder === '' ? ROOT : `${ROOT}/${folder}`);
    for (const { path } of files) {
      // Archives that lie with the map; those of folders were taken in the order of the game.
      if (isArchive(path) && path.split('/').length > 3) add('add_archive', `${ROOT}/${path}`);
    }
    return faults;
  }

  private close(): void {
    if (this.map) this.native.call('close', this.map);
    if (this.mounted) unmountFiles(this.native);
    this.map = 0;
    this.mounted = false;
    this.walker = null;
  }

  private need(): number {
    if (!this.map) throw new NativeFault('No map is open.');
    return this.map;
  }

  // --- what is drawn ------------------------------------------------------------------------------

  scene(flags: number, time: number): SceneData {
    const start = performance.now();
    const map = this.need();
    if (!this.buildAt(map, flags, time)) throw this.native.fault();
    const took = performance.now() - start;
    return {
      info: this.native.json('scene', map),
      vertices: this.array(0, 32).buffer,
      indices: new Uint32Array(this.array(1, 4).buffer),
      batches: this.array(2, 68).buffer,
      pieces: this.array(3, 36).buffer,
      faces: new Uint32Array(this.array(4, 4).buffer),
      owners: new Uint32Array(this.array(5, 4).buffer),
      pages: this.pages(),
      took,
    };
  }

  private buildAt(map: number, flags: number, time: number): boolean {
    return this.native.call('build', map, flags, time) !== 0;
  }

  private array(what: number, size: number): Uint8Array<ArrayBuffer> {
    const at = this.native.call('array', this.map, what, this.scratch);
    const [count = 0] = this.native.words(this.scratch, 1);
    return this.native.module.HEAPU8.slice(at, at + count * size) as Uint8Array<ArrayBuffer>;
  }

  private page(number: number): { at: number; width: number; height: number } | null {
    const at = this.native.call('page', this.map, number, this.scratch);
    const [width = 0, height = 0] = this.native.words(this.scratch, 2);
    return at ? { at, width, height } : null;
  }

  private pages(): LightPage[] {
    const pages: LightPage[] = [];
    for (let page = this.page(0); page; page = this.page(pages.length)) {
      const { at, width, height } = page;
      pages.push({ width, height, pixels: this.native.module.HEAPU8.slice(at, at + width * height * 4) });
    }
    return pages;
  }

  sky() {
    return this.native.json<ReturnType<Calls['sky']>>('sky', this.need());
  }

  light(time: number): LightRows[] {
    const rows = this.native.json<[number, number, number][]>('light_at', this.need(), time);
    return rows.flatMap(([page, row, count]) => {
      const from = this.page(page);
      if (!from) return [];
      const at = from.at + row * from.width * 4;
      const pixels = this.native.module.HEAPU8.slice(at, at + count * from.width * 4);
      return [{ page, row, rows: count, width: from.width, pixels }];
    });
  }

  // --- what the file says -------------------------------------------------------------------------

  entities() {
    return this.native.json<ReturnType<Calls['entities']>>('entities', this.need());
  }

  check() {
    return this.native.json<ReturnType<Calls['check']>>('check', this.need());
  }

  parts(lump: number) {
    return this.native.json<ReturnType<Calls['parts']>>('parts', this.need(), lump);
  }

  records(lump: number, part: number, first: number, count: number) {
    return this.native.json<ReturnType<Calls['records']>>('records', this.need(), lump, part, first, count);
  }

  bytes(lump: number, first: number, count: number) {
    return this.native.bytes('bytes', this.need(), lump, first, count);
  }

  face(number: number) {
    return this.native.json<ReturnType<Calls['face']>>('face', this.need(), number);
  }

  brush(number: number) {
    return this.native.json<Record<string, unknown>>('brush', this.need(), number);
  }

  // --- places -------------------------------------------------------------------------------------

  place(at: Vec3) {
    return this.native.json<ReturnType<Calls['place']>>('place_info', this.need(), at);
  }

  visible(at: Vec3) {
    return this.native.bytes('visible_faces', this.need(), at);
  }

  faceLeaves() {
    return new Uint32Array(this.native.bytes('face_leaves', this.need()).buffer);
  }

  brushLines(names: string[]): Float32Array {
    const map = this.need();
    const mask = names.reduce((sum, name) => (sum | this.native.call('flag', map, name)) >>> 0, 0);
    return new Float32Array(this.native.bytes('brush_lines', map, mask).buffer);
  }

  portalLines(at: Vec3): Float32Array {
    return new Float32Array(this.native.bytes('portal_lines', this.need(), at).buffer);
  }

  navLines(): Float32Array {
    this.need();
    if (!this.nav) {
      const name = this.info?.name ?? 'NAME';
      throw new NativeFault(`No navigation mesh came with the map: drop ${name}.nav together with it.`);
    }
    const bytes = read(this.nav);
    const at = this.native.give(bytes);
    try {
      return new Float32Array(this.native.bytes('nav_lines', at, bytes.length).buffer);
    } finally {
      this.native.module._free(at);
    }
  }

  private move(from: Vec3, to: Vec3, mins: Vec3, maxs: Vec3, mask: number): Hit & { brush: number; entity: number } {
    const done = this.native.call('trace', this.need(), [...from, ...to, ...mins, ...maxs], mask, this.scratch);
    if (!done) throw this.native.fault();
    const words = this.native.words(this.scratch, 14);
    const floats = new Float32Array(words.buffer);
    const vector = (at: number): Vec3 => [floats[at] ?? 0, floats[at + 1] ?? 0, floats[at + 2] ?? 0];
    return {
      fraction: floats[0] ?? 1,
      end: vector(1),
      normal: vector(4),
      startSolid: words[7] !== 0,
      allSolid: words[8] !== 0,
      brush: words[11] ?? NONE,
      entity: words[12] ?? NONE,
    };
  }

  trace(from: Vec3, to: Vec3) {
    const hit = this.move(from, to, [0, 0, 0], [0, 0, 0], 0);
    const known = (value: number): number | null => (value === NONE ? null : value);
    return { fraction: hit.fraction, brush: known(hit.brush), entity: known(hit.entity) };
  }

  sight(from: Vec3, to: Vec3): boolean {
    return this.native.call('sight', this.need(), [...from, ...to]) !== 0;
  }

  // --- files that are made ------------------------------------------------------------------------

  glb() {
    return this.native.bytes('export_glb', this.need());
  }

  decompile() {
    const text = this.native.bytes('decompile', this.need());
    return { text, ending: this.native.text(this.native.call('document_ending', this.map)) };
  }

  private withText<T>(text: string, run: (at: number) => T): T {
    const at = this.native.give(new TextEncoder().encode(`${text}\0`));
    try {
      return run(at);
    } finally {
      this.native.module._free(at);
    }
  }

  withEntities(text: string): Uint8Array {
    const map = this.need();
    return this.withText(text, (at) => this.native.bytes('with_entities', map, at));
  }

  lightAgain(text: string) {
    const open = this.need();
    const map = this.withText(text, (at) => this.native.bytes('light_again', open, at));
    return { map, lit: this.native.bytes('light_file') };
  }

  compare(file: GivenFile) {
    const map = this.need();
    const bytes = read(file);
    const other = this.native.call('open', this.native.give(bytes), bytes.length, file.path);
    if (!other) throw this.native.fault();
    try {
      return this.native.json<ReturnType<Calls['compare']>>('diff', map, other);
    } finally {
      this.native.call('close', other);
    }
  }

  // --- walking ------------------------------------------------------------------------------------

  walkFrom(eye: Vec3): WalkState {
    const map = this.need();
    const body = bodyOf(this.info?.family ?? '');
    const mask = this.native.call('player_mask', map);
    const world: World = {
      trace: (from, to, mins, maxs) => this.move(from, to, mins, maxs, mask),
      place: (at) => this.native.call('place_at', map, at),
    };
    this.walker = new Walker(world, body, newMover([eye[0], eye[1], eye[2] - body.eye]));
    return this.walkState(this.walker);
  }

  walk(input: Parameters<Calls['walk']>[0]): WalkState {
    if (!this.walker) throw new NativeFault('Nobody walks yet.');
    this.walker.move(input, input.seconds);
    return this.walkState(this.walker);
  }

  private walkState(walker: Walker): WalkState {
    const { mover, body } = walker;
    return {
      eye: eyeOf(body, mover),
      speed: Math.hypot(mover.velocity[0], mover.velocity[1]),
      grounded: mover.grounded,
      swims: mover.swims,
      climbs: mover.climbs,
      crouched: mover.crouched,
    };
  }

  memory(): number {
    return this.native.module.HEAPU8.length;
  }
}
