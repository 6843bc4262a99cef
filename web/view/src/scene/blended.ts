// SPDX-License-Identifier: MIT
// What is blended or fades: its pieces are sorted as the eye moves, into one index.
import * as THREE from 'three';

import type { Vec3 } from '../protocol';
import { NONE, type Batch, type Piece } from './layout';
import { inFewRuns, type Box } from './order';

const SORT_STEP = 8; // units that the eye moves before pieces are sorted again
const MOST_SORTED = 3 * 1024; // corners of a model that fades, whose triangles are sorted
const COPIES = 16; // of the picture so far in a frame, for what is blended and mirrors

function squareOf(a: Vec3, b: Vec3): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

/** Where a piece is: the box and the ball around it. */
interface Room {
  box: Box;
  ball: THREE.Sphere;
}

/** Triangles that are drawn together, the square of how far they are, and where they are; null: anywhere. */
interface Run {
  batch: number;
  first: number;
  count: number;
  far: number;
  room: Room | null;
}

/** Pieces that are blended or fade, sorted from back to front into one index. */
export class Blended {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.RawShaderMaterial[]>;
  private readonly index: THREE.BufferAttribute;
  private last: Vec3 | null = null;
  private flat = false;
  /** From back to front, and those of them that were in sight. */
  private runs: Run[] = [];
  private drawn: Run[] = [];
  private readonly rooms: (Room | null)[];
  /** Groups that mirror, by their first index. */
  private mirrors: number[] = [];

  constructor(
    private readonly pieces: Piece[],
    private readonly batches: Batch[],
    private readonly indices: Uint32Array,
    private readonly positions: Float32Array,
    geometry: THREE.BufferGeometry,
    materials: THREE.RawShaderMaterial[],
    copy: (renderer: THREE.WebGLRenderer) => void,
  ) {
    const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
    this.rooms = pieces.map((piece) => this.roomOf(piece));
    this.index = new THREE.BufferAttribute(new Uint32Array(count), 1);
    this.index.setUsage(THREE.DynamicDrawUsage);
    geometry.setIndex(this.index);
    this.mesh = new THREE.Mesh(geometry, materials);
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = (renderer, _scene, _camera, _geometry, _material, group) => {
      const { start } = (group as unknown as { start: number } | null) ?? { start: -1 };
      // Far ones share what was behind the first of them.
      const near = this.mirrors[Math.max(0, this.mirrors.length - COPIES)] ?? 0;
      if (start === this.mirrors[0] || (start >= near && this.mirrors.includes(start))) copy(renderer);
    };
  }

  /** Sorts for an eye; `flat`: what is drawn is a plan, in which no direction is that from the eye. */
  sort(eye: Vec3, flat: boolean): void {
    const { last, pieces } = this;
    if (pieces.length === 0) return;
    const near = last && Math.hypot(eye[0] - last[0], eye[1] - last[1], eye[2] - last[2]) < SORT_STEP;
    if (near && flat === this.flat) return;
    this.last = [...eye];
    this.flat = flat;
    const runs = pieces.flatMap((piece, n) => this.runsOf(piece, this.rooms[n] ?? null, eye)).sort((a, b) => b.far - a.far);
    this.runs = flat ? runs : this.inFew(runs, eye);
    this.fill(this.runs);
  }

  /** Each change from one batch to another is a call of the card. */
  private inFew(runs: Run[], eye: Vec3): Run[] {
    const list = runs.map(({ batch, room }) => ({
      batch,
      box: room?.box ?? null,
      mirrors: this.batches[batch]?.cube !== NONE,
    }));
    return inFewRuns(list, eye, SORT_STEP).map((n) => runs[n] as Run);
  }

  /** Leaves out what is not in sight. */
  cull(sight: THREE.Frustum): void {
    const drawn = this.runs.filter(({ room }) => room === null || sight.intersectsSphere(room.ball));
    const same = drawn.length === this.drawn.length && drawn.every((run, n) => run === this.drawn[n]);
    if (!same) this.fill(drawn);
  }

  /** What only fades is left out when it does not before the pieces are sorted again. */
  private runsOf(piece: Piece, room: Room | null, eye: Vec3): Run[] {
    const { batch, first, count } = piece;
    const { fade, fading } = this.batches[batch] as Batch;
    if (!fade || !fading) return [{ batch, first, count, room, far: squareOf(eye, piece.middle) }];
    const far = squareOf(eye, piece.fadeAt);
    if (far < Math.max(0, fade[0] - SORT_STEP) ** 2 || far > (fade[1] + SORT_STEP) ** 2) return [];
    if (count > MOST_SORTED) return [{ batch, first, count, room, far }];
    // Triangles of a model that fades do not hide each other.
    return Array.from({ length: count / 3 }, (_, n) => {
      const start = first + 3 * n;
      return { batch, first: start, count: 3, room, far: squareOf(eye, this.middleOf(start)) };
    });
  }

  /** Sprites that turn are where their origin is, and larger from afar if they glow: they are always drawn. */
  private roomOf({ batch, first, count, middle }: Piece): Room | null {
    if (this.batches[batch]?.turn) return null;
    const [low, high]: [Vec3, Vec3] = [[...middle], [...middle]];
    let most = 0;
    for (let i = first; i < first + count; i++) {
      const at = 8 * (this.indices[i] ?? 0);
      const corner: Vec3 = [this.positions[at] ?? 0, this.positions[at + 1] ?? 0, this.positions[at + 2] ?? 0];
      most = Math.max(most, squareOf(middle, corner));
      corner.forEach((x, axis) => {
        low[axis] = Math.min(low[axis] ?? x, x);
        high[axis] = Math.max(high[axis] ?? x, x);
      });
    }
    return { box: [low, high], ball: new THREE.Sphere(new THREE.Vector3(...middle), Math.sqrt(most)) };
  }

  private middleOf(start: number): Vec3 {
    const { indices, positions } = this;
    const along = (axis: number): number =>
      [0, 1, 2].reduce((sum, k) => sum + (positions[8 * (indices[start + k] ?? 0) + axis] ?? 0) / 3, 0);
    return [along(0), along(1), along(2)];
  }

  private fill(runs: Run[]): void {
    this.drawn = runs;
    const { geometry } = this.mesh;
    const to = this.index.array as Uint32Array;
    let at = 0;
    let start = 0;
    let current = -1;
    geometry.clearGroups();
    this.mirrors = [];
    for (const { batch, first, count } of runs) {
      if (batch !== current) {
        if (at > start) geometry.addGroup(start, at - start, current);
        start = at;
        if (this.batches[batch]?.cube !== NONE) this.mirrors.push(start);
        current = batch;
      }
      to.set(this.indices.subarray(first, first + count), at);
      at += count;
    }
    if (at > start) geometry.addGroup(start, at - start, current);
    this.index.needsUpdate = true;
  }
}
