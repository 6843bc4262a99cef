// SPDX-License-Identifier: MIT
// Pieces from back to front in few runs of one batch: a piece joins an earlier run of its batch if nothing that was
// drawn since lies over it or under it, as seen from the eye.
import type { Vec3 } from '../protocol';

/** The low and the high corner. */
export type Box = readonly [Vec3, Vec3];

/** What is put into order. */
export interface Piece {
  batch: number;
  /** null: it may be anywhere in the picture. */
  box: Box | null;
  /** It shows what was drawn before its run. */
  mirrors: boolean;
}

const TURN = 4; // of the whole circle, in the measure of angleOf
const ROUNDING = 1e-4; // of such an angle
const MOST_LOOKS = 64; // at pieces drawn since, for one piece

/** A measure of a direction in a plane that grows with its angle, 0 to 4; opposite ones differ by 2. */
function angleOf(x: number, y: number): number {
  const part = y / (Math.abs(x) + Math.abs(y));
  return x < 0 ? 2 - part : part < 0 ? 4 + part : part;
}

/** From -2 to 2: by how much one angle is beyond another. */
function beyond(angle: number, from: number): number {
  const way = angle - from;
  return way > TURN / 2 ? way - TURN : way < -TURN / 2 ? way + TURN : way;
}

/** The angles in which a box is seen around each axis: where they begin, and how far they go; -1: all around. */
type Angles = Float64Array;

function anglesOf([low, high]: Box, eye: Vec3, margin: number, out: Angles): void {
  for (let axis = 0; axis < 3; axis++) {
    const [i, j] = [(axis + 1) % 3, (axis + 2) % 3] as const;
    const x0 = (low[i] ?? 0) - (eye[i] ?? 0) - margin;
    const x1 = (high[i] ?? 0) - (eye[i] ?? 0) + margin;
    const y0 = (low[j] ?? 0) - (eye[j] ?? 0) - margin;
    const y1 = (high[j] ?? 0) - (eye[j] ?? 0) + margin;
    if (x0 <= 0 && x1 >= 0 && y0 <= 0 && y1 >= 0) {
      out[2 * axis + 1] = -1;
      continue;
    }
    const middle = angleOf(x0 + x1, y0 + y1);
    let least = 0;
    let most = 0;
    for (let corner = 0; corner < 4; corner++) {
      const way = beyond(angleOf(corner & 1 ? x1 : x0, corner & 2 ? y1 : y0), middle);
      least = Math.min(least, way);
      most = Math.max(most, way);
    }
    out[2 * axis] = middle + least - ROUNDING;
    out[2 * axis + 1] = most - least + 2 * ROUNDING;
  }
}

/** Whether two boxes are apart in the picture: around some axis no direction is common to both. */
function apart(a: Angles, b: Angles): boolean {
  for (let at = 0; at < 6; at += 2) {
    const [length, other] = [a[at + 1] ?? -1, b[at + 1] ?? -1];
    if (length < 0 || other < 0) continue;
    const from = ((((b[at] ?? 0) - (a[at] ?? 0)) % TURN) + TURN) % TURN; // where b begins, counted from a's beginning
    if (from > length && from + other < TURN) return true;
  }
  return false;
}

interface Run {
  batch: number;
  members: number[];
}

/**
 * Returns the numbers of `pieces`, which are sorted from back to front, in an order that makes the same picture from
 * the eye and from all places less than `margin` from it.
 */
export function inFewRuns(pieces: readonly Piece[], eye: Vec3, margin: number): number[] {
  const angles = pieces.map(({ box }) => {
    const out = new Float64Array([0, -1, 0, -1, 0, -1]);
    if (box) anglesOf(box, eye, margin, out);
    return out;
  });
  const runs: Run[] = [];
  const last = new Map<number, number>(); // for each batch its last run
  pieces.forEach(({ batch, mirrors }, n) => {
    const mine = angles[n] as Angles;
    const clear = (members: number[]): boolean => members.every((member) => apart(mine, angles[member] as Angles));
    const wanted = last.get(batch) ?? -1;
    let looks = MOST_LOOKS;
    let at = runs.length - 1;
    for (; at > wanted && wanted >= 0; at--) {
      const { members } = runs[at] as Run;
      looks -= members.length;
      if (looks < 0 || !clear(members)) break;
    }
    const run = at === wanted ? runs[wanted] : undefined;
    if (run && (wanted === runs.length - 1 || !mirrors || clear(run.members))) {
      run.members.push(n);
    } else {
      last.set(batch, runs.length);
      runs.push({ batch, members: [n] });
    }
  });
  return runs.flatMap(({ members }) => members);
}
