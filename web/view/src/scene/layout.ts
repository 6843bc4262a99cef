// SPDX-License-Identifier: MIT
// The structs of native/session.h, read from bytes.
import type { Vec3 } from '../protocol';

export const NONE = 0xffffffff;
export const OWNER_PROP = 0x80000000;
export const VERTEX_BYTES = 32;
const BATCH_WORDS = 17;
const PIECE_WORDS = 9;

/** bv_batch_flags. */
export const Flag = {
  PageLit: 1,
  VertexLit: 2,
  Sky: 4,
  Blended: 8,
  Add: 16,
  Warps: 32,
  Mixed: 64,
  Room: 128,
  Flows: 256,
  TwoSided: 512,
  Decal: 1024,
  Plain: 2048,
  Tool: 4096,
  Clamp: 8192,
  Glows: 32768,
} as const;

/** bsp_alpha. */
export const Alpha = { Opaque: 0, Test: 1, Blend: 2, Add: 3, Filter: 4 } as const;

/** bv_batch. */
export interface Batch {
  first: number;
  count: number;
  material: number;
  flags: number;
  alpha: number;
  cut: number;
  opacity: number;
  color: Vec3;
  volume: number;
  /** Repeats a second by which its texture moves. */
  scroll: [number, number];
  /** Distances from the eye at which it begins to fade, and is gone. */
  fade: [number, number] | null;
  /** It is drawn only while it fades. */
  fading?: boolean;
  /** 0, or 1 more than the bsp_sprite_facing of its sprites. */
  turn: number;
  /** The cube that it mirrors, or NONE. */
  cube: number;
}

/** bv_piece. */
export interface Piece {
  batch: number;
  first: number;
  count: number;
  middle: Vec3;
  fadeAt: Vec3;
}

export function readBatches(buffer: ArrayBuffer): Batch[] {
  const words = new Uint32Array(buffer);
  const floats = new Float32Array(buffer);
  const word = (at: number): number => words[at] ?? 0;
  const float = (at: number): number => floats[at] ?? 0;
  return Array.from({ length: words.length / BATCH_WORDS }, (_, n) => {
    const at = BATCH_WORDS * n;
    return {
      first: word(at),
      count: word(at + 1),
      material: word(at + 2),
      flags: word(at + 3),
      alpha: word(at + 4),
      cut: float(at + 5),
      opacity: float(at + 6),
      color: [float(at + 7), float(at + 8), float(at + 9)],
      volume: word(at + 10),
      scroll: [float(at + 11), float(at + 12)],
      fade: float(at + 13) > 0 ? [float(at + 16), float(at + 13)] : null,
      turn: word(at + 14),
      cube: word(at + 15),
    };
  });
}

export function readPieces(buffer: ArrayBuffer): Piece[] {
  const words = new Uint32Array(buffer);
  const floats = new Float32Array(buffer);
  return Array.from({ length: words.length / PIECE_WORDS }, (_, n) => {
    const at = PIECE_WORDS * n;
    return {
      batch: words[at] ?? 0,
      first: words[at + 1] ?? 0,
      count: words[at + 2] ?? 0,
      middle: [floats[at + 3] ?? 0, floats[at + 4] ?? 0, floats[at + 5] ?? 0],
      fadeAt: [floats[at + 6] ?? 0, floats[at + 7] ?? 0, floats[at + 8] ?? 0],
    };
  });
}
