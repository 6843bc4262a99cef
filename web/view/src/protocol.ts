// SPDX-License-Identifier: MIT
// What page and worker say to each other. The worker has the library and the map; the page draws.

export type Vec3 = [number, number, number];

/** A file that the page hands over: dropped, picked, or inside the page. */
export interface GivenFile {
  /** With folders: "baseq2/textures/e1u1/floor.wal". */
  path: string;
  data: Blob;
}

export interface Lump {
  number: number;
  name: string;
  offset: number;
  size: number;
  version: number;
  compressed: boolean;
}

export interface Hull {
  mins: Vec3;
  maxs: Vec3;
}

export interface MapInfo {
  name: string;
  size: number;
  branch: string;
  title: string;
  family: string;
  version: number;
  entities: number;
  faces: number;
  brushes: number;
  leaves: number;
  clusters: number;
  models: number;
  eyeHeight: number;
  contentsNumbers: boolean;
  from: Vec3;
  angles: Vec3;
  hulls: Hull[];
  lumps: Lump[];
}

export interface Fog {
  /** 0 linear, 1 exponential of the square. */
  curve: number;
  color: Vec3;
  start: number;
  end: number;
  density: number;
  most: number;
  onSky: number;
}

export interface FogVolume {
  known: boolean;
  color: Vec3;
  distance: number;
  bounded: boolean;
  normal: Vec3;
  dist: number;
}

export interface MaterialInfo {
  name: string;
  used: boolean;
  found: boolean;
  width: number;
  height: number;
  noDraw: boolean;
  color?: Vec3;
  mirror?: MirrorInfo;
  /** How a normal map lights it: 0 not, 1 by its normals, 2 by its channels ($ssbump). */
  bump: number;
}

/** How a material mirrors a cube: bsp_reflection. */
export interface MirrorInfo {
  tint: Vec3;
  contrast: number;
  saturation: number;
  fresnel: number;
  masked: boolean;
}

export interface InstanceInfo {
  entity: number | null;
  model: number;
  shown: boolean;
  origin: Vec3;
}

export interface PropInfo {
  /** 0 of an entity, 1 static, 2 detail. */
  kind: number;
  number: number;
  model: string;
  origin: Vec3;
}

export interface SceneInfo {
  mins: Vec3;
  maxs: Vec3;
  pages: number;
  /** Styles of light that flicker or can be switched. */
  styles: number[];
  fog: Fog | null;
  room: { origin: Vec3; scale: number; fog: Fog | null } | null;
  volumes: FogVolume[];
  materials: MaterialInfo[];
  instances: InstanceInfo[];
  props: PropInfo[];
  missing: { name: string; props: number }[];
  /** What is odd about textures: a missing palette, a broken script. */
  notes: string[];
}

export interface LightPage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** A scene as native/session.h lays it out. */
export interface SceneData {
  info: SceneInfo;
  vertices: ArrayBuffer;
  indices: Uint32Array;
  batches: ArrayBuffer;
  pieces: ArrayBuffer;
  faces: Uint32Array;
  owners: Uint32Array;
  pages: LightPage[];
  /** Milliseconds that the library took. */
  took: number;
}

export interface SkyInfo {
  sides: number;
  flat: boolean;
  cloudHeight: number;
  layers: { alpha: number; scale: [number, number]; scroll: [number, number] }[];
}

/** Whose picture it is. */
export enum PictureKind {
  Material = 0,
  Second = 1,
  Decal = 2,
  SkySide = 3,
  SkyLayer = 4,
  /** Side `number` % 6 of cube `number` / 6: +x, -x, +y, -y, +z, -z. */
  CubeSide = 5,
  /** How much of each colour a material mirrors. */
  Mask = 6,
  /** A material's normal map. */
  Bump = 7,
}

export interface Picture {
  kind: PictureKind;
  number: number;
  width: number;
  height: number;
  pixels: Uint8Array;
}

export interface EntityInfo {
  model: number | null;
  at: Vec3 | null;
  angles: Vec3;
  pairs: [string, string][];
}

export interface Problem {
  severity: 'note' | 'warning' | 'error';
  id: string;
  lump: string;
  record: number | null;
  field: string | null;
  text: string;
}

export interface Part {
  kind: 'table' | 'record' | 'text' | 'strings' | 'bytes' | 'group' | 'list';
  name: string | null;
  count: number;
  offset: number;
  size: number;
  fields: string[];
}

export type Cell = number | string | (number | string)[];

export interface PlaceInfo {
  leaf: number | null;
  cluster: number | null;
  contents: number;
  area: number | null;
  sound: number[];
  light: Vec3;
  visibleLeaves: number;
}

export interface FaceInfo {
  face: number;
  lump: string;
  material: string;
  [key: string]: unknown;
}

export interface Difference {
  kind: 'added' | 'removed' | 'changed';
  part: string;
  lump: string;
  record: number | null;
  field: string | null;
  name: string;
  before: string;
  after: string;
}

/** A change of light: rows of a page. */
export interface LightRows {
  page: number;
  row: number;
  rows: number;
  width: number;
  pixels: Uint8Array;
}

/** What a walker is told and says: see walk/movement.ts. */
export interface WalkInput {
  forward: number;
  side: number;
  up: number;
  jump: boolean;
  crouch: boolean;
  yaw: number;
  pitch: number;
  seconds: number;
}

export interface WalkState {
  eye: Vec3;
  speed: number;
  grounded: boolean;
  swims: boolean;
  climbs: boolean;
  crouched: boolean;
}

/** A map whose light was made anew. */
export interface Relit {
  map: Uint8Array;
  lit: Uint8Array;
  texlights: Uint8Array;
  room: boolean;
}

/** The worker's calls. */
export interface Calls {
  /** Opens a map of the files, as it is named in `maps`; null: the first. `maps`: all of them, those in archives too
   *  (empty if one was named). `faults`: files that could not be read. */
  open(files: GivenFile[], map: string | null): { info: MapInfo; path: string; maps: string[]; faults: string[] };
  scene(flags: number, time: number): SceneData;
  sky(): SkyInfo;
  /** What is other than in the light that was shown before. */
  light(time: number): LightRows[];
  /** Sets how bright a style of light is: 1 as the compiler left it, null as the map has it. `light` shows it. */
  style(number: number, value: number | null): void;
  entities(): EntityInfo[];
  check(): Problem[];
  parts(lump: number): Part[];
  records(lump: number, part: number, first: number, count: number): Cell[][];
  bytes(lump: number, first: number, count: number): Uint8Array;
  place(at: Vec3): PlaceInfo;
  visible(at: Vec3): Uint8Array;
  /** For each face four words: its leaf, and of that the area, the loudest sound and the flags. */
  faceLeaves(): Uint32Array;
  face(number: number): FaceInfo;
  brush(number: number): Record<string, unknown>;
  brushLines(names: string[]): Float32Array;
  /** The surface of a clip hull (Quake, GoldSrc), three points a triangle, and its edges, two points each. */
  hull(number: number): { triangles: Float32Array; edges: Float32Array };
  /** Edges of the portals that may be seen from a place; of all from solid. */
  portalLines(at: Vec3): Float32Array;
  /** Edges of the navigation mesh that came with the map; a fault without one. */
  navLines(): Float32Array;
  trace(from: Vec3, to: Vec3): { fraction: number; brush: number | null; entity: number | null };
  sight(from: Vec3, to: Vec3): boolean;
  glb(): Uint8Array;
  decompile(): { text: Uint8Array; ending: string };
  withEntities(text: string): Uint8Array;
  /** The map with other entities and the light that they make, as a preview; and its file of light, which may be empty.
   *  `eye`: only what may see into the room there gets other light, and `room` says whether there is one; null, or
   *  without one: the whole map. `texlights`: what the call that made the map's light said that textures gave; null:
   *  the light is the compiler's. */
  lightAgain(text: string, eye: Vec3 | null, texlights: Uint8Array | null): Relit;
  compare(file: GivenFile): Difference[];
  walkFrom(eye: Vec3): WalkState;
  walk(input: WalkInput): WalkState;
  memory(): number;
}

export type CallName = keyof Calls;

/** From the page to the worker. */
export type Request =
  | { kind: 'start'; wasm: ArrayBuffer }
  | { kind: 'call'; id: number; name: CallName; args: unknown[] };

/** From the worker to the page. */
export type Reply =
  | { kind: 'ready' }
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'fault'; id: number; message: string }
  | { kind: 'picture'; picture: Picture };

/** Bits of the calls' `flags`: bv_build_flags of native/session.h. */
export const BuildFlags = { Textures: 1, Hidden: 2, OpenDoors: 4 } as const;
