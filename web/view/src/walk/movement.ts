// SPDX-License-Identifier: MIT
// How a player moves: the ground moves of id's engines, which all games here grew out of (pmove.c of
// QuakeWorld, bg_pmove.c of Quake 3, gamemovement.cpp of the Source SDK): friction, acceleration,
// sliding along what is hit, steps, water, ladders. Pure: the world is two questions.
import type { Vec3 } from '../protocol';

export interface Hit {
  fraction: number;
  end: Vec3;
  normal: Vec3;
  startSolid: boolean;
  allSolid: boolean;
}

/** What a mover asks of the world. */
export interface World {
  /** Moves a box, and says what stops it. */
  trace(from: Vec3, to: Vec3, mins: Vec3, maxs: Vec3): Hit;
  /** What a point is in: PLACE bits. */
  place(at: Vec3): number;
}

export const PLACE = { solid: 1, liquid: 2, ladder: 4 } as const;

/** The body of a game's player. */
export interface Body {
  mins: Vec3;
  maxs: Vec3;
  /** Top of the box when it crouches. */
  crouchTop: number;
  /** Bottom of the box when it crouches: boxes around the middle shrink at both ends. */
  crouchBottom: number;
  eye: number;
  crouchEye: number;
  /** Most units a second on the ground. */
  speed: number;
}

export interface Mover {
  origin: Vec3;
  velocity: Vec3;
  grounded: boolean;
  crouched: boolean;
  swims: boolean;
  climbs: boolean;
  /** The jump key must be let go before the next jump. */
  jumpHeld: boolean;
}

export interface Wish {
  /** -1..1 along where it looks, and to the right. */
  forward: number;
  side: number;
  /** -1..1, in water. */
  up: number;
  jump: boolean;
  crouch: boolean;
  /** Degrees: yaw from +X against the clock, pitch down is positive. */
  yaw: number;
  pitch: number;
}

const GRAVITY = 800; // units a second squared, sv_gravity
const FRICTION = 5; // between QuakeWorld's 4 and Quake 3's 6
const STOP_SPEED = 100;
const ACCELERATE = 10;
const AIR_ACCELERATE = 10;
const AIR_SPEED = 30; // the most that air control adds along a direction (PM_AirAccelerate)
const WATER_ACCELERATE = 4;
const WATER_FRICTION = 1;
const JUMP = 268.3281573; // sqrt(2 * 800 * 45): 45 units high
const STEP = 18;
const GROUND_NORMAL = 0.7; // steeper ground is none
const CROUCH_SPEED = 1 / 3;
const CLIMB_SPEED = 200;
const OVERCLIP = 1.001;
const BUMPS = 4;
const LONGEST = 0.05; // seconds of one step

const NUDGE = 1 / 16;
/** Small ways along the axes and between them, the shortest first. */
const NUDGES: Vec3[] = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z): Vec3 => [x * NUDGE, y * NUDGE, z * NUDGE])))
  .sort((a, b) => Math.hypot(...a) - Math.hypot(...b))
  .slice(1);

const scale = (a: Vec3, by: number): Vec3 => [a[0] * by, a[1] * by, a[2] * by];
const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Takes out of a velocity what goes into a plane. */
export function clip(velocity: Vec3, normal: Vec3): Vec3 {
  const into = dot(velocity, normal);
  const back = into < 0 ? into * OVERCLIP : into / OVERCLIP;
  return add(velocity, scale(normal, -back));
}

export function newMover(origin: Vec3): Mover {
  return {
    origin,
    velocity: [0, 0, 0],
    grounded: false,
    crouched: false,
    swims: false,
    climbs: false,
    jumpHeld: false,
  };
}

export function boxOf(body: Body, crouched: boolean): { mins: Vec3; maxs: Vec3 } {
  return crouched
    ? {
        mins: [body.mins[0], body.mins[1], body.crouchBottom],
        maxs: [body.maxs[0], body.maxs[1], body.crouchTop],
      }
    : body;
}

export function eyeOf(body: Body, mover: Mover): Vec3 {
  return add(mover.origin, [0, 0, mover.crouched ? body.crouchEye : body.eye]);
}

const ROOM_STEPS = [0, 8, 16, 24, 32, 48, 64];

/** The nearest place around a point at which a player has room to stand: above it first, then beside it; null if there is none. */
export function findRoom(world: World, body: Body, at: Vec3): Vec3 | null {
  const sides = ROOM_STEPS.slice(0, 5).flatMap((way): Vec3[] =>
    way === 0 ? [[0, 0, 0]] : [[way, 0, 0], [-way, 0, 0], [0, way, 0], [0, -way, 0]],
  );
  for (const side of sides) {
    for (const up of ROOM_STEPS) {
      const place = add(at, [side[0], side[1], up]);
      if (!world.trace(place, place, body.mins, body.maxs).startSolid) return place;
    }
  }
  return null;
}

/** One player in one world. */
export class Walker {
  constructor(
    private readonly world: World,
    readonly body: Body,
    readonly mover: Mover,
  ) {}

  /** Moves for some seconds, in steps that are short enough for the rules to hold. */
  move(wish: Wish, seconds: number): void {
    let left = Math.min(seconds, 0.25);
    while (left > 0) {
      const step = Math.min(left, LONGEST);
      this.step(wish, step);
      left -= step;
    }
  }

  private step(wish: Wish, seconds: number): void {
    const { mover } = this;
    this.crouch(wish.crouch);
    const before = mover.origin;
    this.look(wish);
    if (!wish.jump) mover.jumpHeld = false;
    if (mover.climbs) {
      this.climb(wish, seconds);
    } else if (mover.swims) {
      this.swim(wish, seconds);
    } else {
      this.findGround();
      this.jump(wish);
      if (mover.grounded) this.walk(wish, seconds);
      else this.fall(wish, seconds);
    }
    this.settle(before);
    this.findGround();
  }

  /**
   * Leaves what is solid. In the traces of Quake 2, as in the engine, a box that is nearer to a wall than the traces'
   * margin may move into it by less than that: the engine looks for a free place nearby too (PM_SnapPosition).
   */
  private settle(before: Vec3): void {
    const { mover } = this;
    const inSolid = (at: Vec3): boolean => this.trace(at, at).startSolid;
    if (!inSolid(mover.origin) || inSolid(before)) return;
    for (const nudge of NUDGES) {
      const at = add(mover.origin, nudge);
      if (inSolid(at)) continue;
      mover.origin = at;
      return;
    }
    mover.origin = before;
    mover.velocity = [0, 0, 0];
  }

  private trace(from: Vec3, to: Vec3): Hit {
    const { mins, maxs } = boxOf(this.body, this.mover.crouched);
    return this.world.trace(from, to, mins, maxs);
  }

  /** Says whether it stands in water to the waist, or at a ladder. */
  private look(wish: Wish): void {
    const { mover, body } = this;
    const middle: Vec3 = add(mover.origin, [0, 0, (body.mins[2] + body.maxs[2]) / 2]);
    mover.swims = (this.world.place(middle) & PLACE.liquid) !== 0;
    const yaw = (wish.yaw * Math.PI) / 180;
    const reach = body.maxs[0] + 2;
    const ahead: Vec3 = add(middle, [Math.cos(yaw) * reach, Math.sin(yaw) * reach, 0]);
    mover.climbs = ((this.world.place(middle) | this.world.place(ahead)) & PLACE.ladder) !== 0;
  }

  private crouch(wanted: boolean): void {
    const { mover, body } = this;
    if (wanted === mover.crouched) return;
    if (wanted) {
      mover.crouched = true;
      // On the ground the feet stay where they are.
      if (mover.grounded) mover.origin = add(mover.origin, [0, 0, body.mins[2] - body.crouchBottom]);
      return;
    }
    const up = body.crouchBottom - body.mins[2];
    const stand: Vec3 = add(mover.origin, [0, 0, mover.grounded ? up : 0]);
    const room = this.world.trace(stand, stand, body.mins, body.maxs);
    if (!room.startSolid) {
      mover.crouched = false;
      mover.origin = stand;
    }
  }

  private findGround(): void {
    const { mover } = this;
    if (mover.velocity[2] > 180) {
      mover.grounded = false;
      return;
    }
    const hit = this.trace(mover.origin, add(mover.origin, [0, 0, -1]));
    mover.grounded = hit.fraction < 1 && hit.normal[2] >= GROUND_NORMAL;
    if (mover.grounded && !hit.startSolid) mover.origin = hit.end;
  }

  private jump(wish: Wish): void {
    const { mover } = this;
    if (!wish.jump || mover.jumpHeld || !mover.grounded) return;
    mover.jumpHeld = true;
    mover.grounded = false;
    mover.velocity = [mover.velocity[0], mover.velocity[1], Math.max(JUMP, mover.velocity[2] + JUMP)];
  }

  private friction(rate: number, seconds: number): void {
    const { mover } = this;
    const speed = Math.hypot(...mover.velocity);
    if (speed < 1) {
      mover.velocity = [0, 0, 0];
      return;
    }
    const control = Math.max(speed, STOP_SPEED);
    mover.velocity = scale(mover.velocity, Math.max(0, speed - control * rate * seconds) / speed);
  }

  private accelerate(direction: Vec3, most: number, rate: number, cap: number, seconds: number): void {
    const { mover } = this;
    const missing = Math.min(most, cap) - dot(mover.velocity, direction);
    if (missing > 0) {
      const gain = Math.min(rate * most * seconds, missing);
      mover.velocity = add(mover.velocity, scale(direction, gain));
    }
  }

  /** The wished direction of unit length and the wished speed. */
  private wished(wish: Wish, flat: boolean): { direction: Vec3; speed: number } {
    const yaw = (wish.yaw * Math.PI) / 180;
    const pitch = flat ? 0 : (wish.pitch * Math.PI) / 180;
    const ahead: Vec3 = [
      Math.cos(pitch) * Math.cos(yaw),
      Math.cos(pitch) * Math.sin(yaw),
      -Math.sin(pitch),
    ];
    const right: Vec3 = [Math.sin(yaw), -Math.cos(yaw), 0];
    const sum = add(scale(ahead, wish.forward), scale(right, wish.side));
    const all = flat ? sum : add(sum, [0, 0, wish.up]);
    const size = Math.hypot(...all);
    const slow = this.mover.crouched && this.mover.grounded ? CROUCH_SPEED : 1;
    return {
      direction: size > 0 ? scale(all, 1 / size) : [0, 0, 0],
      speed: Math.min(1, size) * this.body.speed * slow,
    };
  }

  private walk(wish: Wish, seconds: number): void {
    const { mover } = this;
    this.friction(FRICTION, seconds);
    const { direction, speed } = this.wished(wish, true);
    this.accelerate(direction, speed, ACCELERATE, Infinity, seconds);
    mover.velocity = [mover.velocity[0], mover.velocity[1], 0];
    if (mover.velocity[0] !== 0 || mover.velocity[1] !== 0) this.stepSlide(seconds);
  }

  private fall(wish: Wish, seconds: number): void {
    const { mover } = this;
    const { direction, speed } = this.wished(wish, true);
    this.accelerate(direction, speed, AIR_ACCELERATE, AIR_SPEED, seconds);
    // Half of gravity before and half after: the way is then that of a parabola at any step.
    mover.velocity[2] -= (GRAVITY * seconds) / 2;
    this.stepSlide(seconds);
    mover.velocity[2] -= (GRAVITY * seconds) / 2;
  }

  private swim(wish: Wish, seconds: number): void {
    this.friction(WATER_FRICTION, seconds);
    const up = wish.jump ? 1 : wish.crouch ? -1 : wish.up;
    const { direction, speed } = this.wished({ ...wish, up }, false);
    this.accelerate(direction, speed * 0.7, WATER_ACCELERATE, Infinity, seconds);
    if (wish.forward === 0 && wish.side === 0 && up === 0) this.mover.velocity[2] -= 60 * seconds;
    this.stepSlide(seconds);
  }

  private climb(wish: Wish, seconds: number): void {
    const { mover } = this;
    if (wish.jump) {
      const yaw = (wish.yaw * Math.PI) / 180;
      mover.velocity = [-Math.cos(yaw) * 270, -Math.sin(yaw) * 270, 0];
      this.slide(seconds);
      return;
    }
    const { direction } = this.wished(wish, true);
    // Forward is up, unless it looks far down.
    const up = wish.pitch > 30 ? -wish.forward : wish.forward;
    mover.velocity = [
      direction[0] * CLIMB_SPEED * 0.5,
      direction[1] * CLIMB_SPEED * 0.5,
      up * CLIMB_SPEED,
    ];
    this.slide(seconds);
  }

  /** Slides; where something is in the way, tries it from a step higher, and takes what is further. */
  private stepSlide(seconds: number): void {
    const { mover } = this;
    const from = mover.origin;
    const velocity = mover.velocity;
    const free = this.slide(seconds);
    if (free) return;
    const low = { origin: mover.origin, velocity: mover.velocity };
    const raised = this.trace(from, add(from, [0, 0, STEP]));
    if (raised.allSolid) return;
    mover.origin = raised.end;
    mover.velocity = [...velocity];
    this.slide(seconds);
    const dropped = this.trace(mover.origin, add(mover.origin, [0, 0, from[2] - raised.end[2]]));
    if (!dropped.allSolid) mover.origin = dropped.end;
    const steep = dropped.fraction < 1 && dropped.normal[2] < GROUND_NORMAL;
    const far = (to: Vec3): number => Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (steep || far(low.origin) >= far(mover.origin)) {
      mover.origin = low.origin;
      mover.velocity = low.velocity;
    } else {
      mover.velocity = [mover.velocity[0], mover.velocity[1], low.velocity[2]];
    }
  }

  /** Moves along the velocity, and along what it hits. Returns true if nothing was hit. */
  private slide(seconds: number): boolean {
    const { mover } = this;
    const planes: Vec3[] = [];
    const start: Vec3 = [...mover.velocity];
    let left = seconds;
    for (let bump = 0; bump < BUMPS; bump++) {
      const hit = this.trace(mover.origin, add(mover.origin, scale(mover.velocity, left)));
      if (hit.allSolid) {
        mover.velocity = [0, 0, 0];
        return false;
      }
      if (hit.fraction > 0) mover.origin = hit.end;
      if (hit.fraction === 1) return bump === 0;
      left -= left * hit.fraction;
      planes.push(hit.normal);
      mover.velocity = this.along(start, planes);
      if (dot(mover.velocity, start) <= 0) {
        mover.velocity = [0, 0, 0];
        return false;
      }
    }
    return false;
  }

  /** The part of a velocity that goes into none of some planes. */
  private along(velocity: Vec3, planes: Vec3[]): Vec3 {
    for (const plane of planes) {
      const clipped = clip(velocity, plane);
      if (planes.every((other) => other === plane || dot(clipped, other) >= 0)) return clipped;
    }
    const [first, second] = planes;
    if (planes.length !== 2 || !first || !second) return [0, 0, 0];
    const crease = cross(first, second);
    const size = Math.hypot(...crease);
    if (size === 0) return [0, 0, 0];
    const unit = scale(crease, 1 / size);
    return scale(unit, dot(unit, velocity));
  }
}
