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
import { Walker, eyeOf, findRoom, newMover, type Hit, type World } from '../walk/movement';
import { Folder, type FoundMap } from './folder';
import { NativeFault, type Native } from './native';

const NONE = 0xffffffff;

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

/** The map that is open. */
interface Open {
  map: number;
  info: MapInfo;
  folder: Folder;
  nav: Uint8Array | null;
}

export class Session implements Calls {
  private current: Open | null = null;
  private walker: Walker | null = null;
  private readonly scratch: number;
  /** How many times files were given. */
  private opened = 0;

  constructor(private readonly native: Native) {
    this.scratch = native.give(new Uint8Array(128));
  }

  // --- files --------------------------------------------------------------------------------------

  open(files: GivenFile[], map: string | null): { info: MapInfo; path: string; maps: string[]; faults: string[] } {
    const folder = new Folder(this.native, files, ++this.opened);
    try {
      const maps = map === null ? folder.maps() : [];
      const path = map ?? maps[0];
      if (path === undefined) throw folder.noMap();
      const found = folder.read(path);
      this.take(found, folder);
      return { info: this.need().info, path, maps, faults: [...new Set(folder.faults)] };
    } catch (fault) {
      if (this.current?.folder !== folder) folder.close();
      throw fault;
    }
  }

  /** Opens a map in the place of the one before, which stays if it cannot be opened. */
  private take(found: FoundMap, folder: Folder): void {
    const next = this.openBytes(found);
    this.close();
    folder.addTo(next);
    this.current = { map: next, folder, nav: found.nav, info: this.native.json<MapInfo>('info', next) };
  }

  private openBytes({ path, bytes, beside }: FoundMap): number {
    const { native } = this;
    for (const one of beside) {
      const name = new TextEncoder().encode(`${one.name}\0`);
      native.call('add_beside', native.give(one.bytes), one.bytes.length, native.give(name));
    }
    const next = native.call('open', native.give(bytes), bytes.length, path);
    if (!next) throw native.fault();
    return next;
  }

  private close(): void {
    if (!this.current) return;
    this.native.call('close', this.current.map);
    this.current.folder.close();
    this.current = null;
    this.walker = null;
  }

  private need(): Open {
    if (!this.current) throw new NativeFault('No map is open.');
    return this.current;
  }

  private get map(): number {
    return this.need().map;
  }

  // --- what is drawn ------------------------------------------------------------------------------

  scene(flags: number, time: number): SceneData {
    const start = performance.now();
    const map = this.map;
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
    return this.native.json<ReturnType<Calls['sky']>>('sky', this.map);
  }

  light(time: number): LightRows[] {
    const rows = this.native.json<[number, number, number][]>('light_at', this.map, time);
    return rows.flatMap(([page, row, count]) => {
      const from = this.page(page);
      if (!from) return [];
      const at = from.at + row * from.width * 4;
      const pixels = this.native.module.HEAPU8.slice(at, at + count * from.width * 4);
      return [{ page, row, rows: count, width: from.width, pixels }];
    });
  }

  style(number: number, value: number | null): void {
    this.native.call('style', this.map, number, value ?? -1);
  }

  // --- what the file says -------------------------------------------------------------------------

  entities() {
    return this.native.json<ReturnType<Calls['entities']>>('entities', this.map);
  }

  check() {
    return this.native.json<ReturnType<Calls['check']>>('check', this.map);
  }

  parts(lump: number) {
    return this.native.json<ReturnType<Calls['parts']>>('parts', this.map, lump);
  }

  records(lump: number, part: number, first: number, count: number) {
    return this.native.json<ReturnType<Calls['records']>>('records', this.map, lump, part, first, count);
  }

  bytes(lump: number, first: number, count: number) {
    return this.native.bytes('bytes', this.map, lump, first, count);
  }

  face(number: number) {
    return this.native.json<ReturnType<Calls['face']>>('face', this.map, number);
  }

  brush(number: number) {
    return this.native.json<Record<string, unknown>>('brush', this.map, number);
  }

  // --- places -------------------------------------------------------------------------------------

  place(at: Vec3) {
    return this.native.json<ReturnType<Calls['place']>>('place_info', this.map, at);
  }

  visible(at: Vec3) {
    return this.native.bytes('visible_faces', this.map, at);
  }

  faceLeaves() {
    return new Uint32Array(this.native.bytes('face_leaves', this.map).buffer);
  }

  brushLines(names: string[]): Float32Array {
    const map = this.map;
    const mask = names.reduce((sum, name) => (sum | this.native.call('flag', map, name)) >>> 0, 0);
    return new Float32Array(this.native.bytes('brush_lines', map, mask).buffer);
  }

  hull(number: number) {
    const part = (edges: number): Float32Array => new Float32Array(this.native.bytes('hull', this.map, number, edges).buffer);
    return { triangles: part(0), edges: part(1) };
  }

  portalLines(at: Vec3): Float32Array {
    return new Float32Array(this.native.bytes('portal_lines', this.map, at).buffer);
  }

  navLines(): Float32Array {
    const { nav, info } = this.need();
    if (!nav) throw new NativeFault(`No navigation mesh came with the map: drop ${info.name}.nav together with it.`);
    const at = this.native.give(nav);
    try {
      return new Float32Array(this.native.bytes('nav_lines', at, nav.length).buffer);
    } finally {
      this.native.module._free(at);
    }
  }

  private move(from: Vec3, to: Vec3, mins: Vec3, maxs: Vec3, mask: number): Hit & { brush: number; entity: number } {
    const done = this.native.call('trace', this.map, [...from, ...to, ...mins, ...maxs], mask, this.scratch);
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
    return this.native.call('sight', this.map, [...from, ...to]) !== 0;
  }

  // --- files that are made ------------------------------------------------------------------------

  glb() {
    return this.native.bytes('export_glb', this.map);
  }

  decompile() {
    const text = this.native.bytes('decompile', this.map);
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
    const map = this.map;
    return this.withText(text, (at) => this.native.bytes('with_entities', map, at));
  }

  /** The corners of the leaf that the eye is in, if it has any. */
  private room(eye: Vec3): Float32Array | null {
    if (!this.native.call('room', this.map, eye, this.scratch)) return null;
    return new Float32Array(this.native.words(this.scratch, 6).buffer);
  }

  lightAgain(text: string, eye: Vec3 | null, texlights: Uint8Array | null) {
    const open = this.map;
    const room = eye && this.room(eye);
    const map = this.withText(text, (at) => this.native.bytes('light_again', open, at, room ?? 0, texlights ?? 0));
    const lit = this.native.bytes('light_file', 0);
    const gave = this.native.bytes('light_file', 1);
    return { map, lit, texlights: texlights ?? gave, room: room !== null };
  }

  compare(file: GivenFile) {
    const map = this.map;
    const folder = new Folder(this.native, [file], ++this.opened);
    try {
      const path = folder.maps()[0];
      if (path === undefined) throw folder.noMap();
      const other = this.openBytes(folder.read(path));
      try {
        return this.native.json<ReturnType<Calls['compare']>>('diff', map, other);
      } finally {
        this.native.call('close', other);
      }
    } finally {
      folder.close();
    }
  }

  // --- walking ------------------------------------------------------------------------------------

  walkFrom(eye: Vec3): WalkState {
    const map = this.map;
    const body = bodyOf(this.need().info.family);
    const mask = this.native.call('player_mask', map);
    const world: World = {
      trace: (from, to, mins, maxs) => this.move(from, to, mins, maxs, mask),
      place: (at) => this.native.call('place_at', map, at),
    };
    const room = findRoom(world, body, [eye[0], eye[1], eye[2] - body.eye]);
    if (!room) throw new NativeFault('A player has no room here. Fly to where there is room, and walk from there.');
    this.walker = new Walker(world, body, newMover(room));
    return this.walkState(this.walker);
  }

  walk(input: Parameters<Calls['walk']>[0]): WalkState {
    if (!this.walker) throw new NativeFault('No player walks yet.');
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
