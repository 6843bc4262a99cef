// SPDX-License-Identifier: MIT
// Where the eye is, and the ways it moves: flying, around a point, over a plan.
import type { Vec3 } from '../protocol';

/** A view. Angles in degrees: yaw from +X against the clock, pitch down is positive. */
export interface Pose {
  eye: Vec3;
  yaw: number;
  pitch: number;
  /** Across the picture, degrees. */
  fov: number;
  /** From above, parallel: units down the picture, and the height at which the map is cut. */
  plan: { units: number; cut: number } | null;
}

export type Mode = 'fly' | 'orbit' | 'plan' | 'walk';

/** What hands want for one frame: -1..1 each; turns in degrees. */
export interface Motion {
  forward: number;
  side: number;
  up: number;
  yaw: number;
  pitch: number;
  zoom: number;
  jump: boolean;
  crouch: boolean;
  fast: boolean;
}

export const still = (): Motion => ({
  forward: 0,
  side: 0,
  up: 0,
  yaw: 0,
  pitch: 0,
  zoom: 0,
  jump: false,
  crouch: false,
  fast: false,
});

export function ahead(pose: Pose): Vec3 {
  const [pitch, yaw] = [(pose.pitch * Math.PI) / 180, (pose.yaw * Math.PI) / 180];
  return [Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), -Math.sin(pitch)];
}

export function turn(pose: Pose, motion: Motion): void {
  pose.yaw = (((pose.yaw + motion.yaw) % 360) + 360) % 360;
  pose.pitch = Math.min(89, Math.max(-89, pose.pitch + motion.pitch));
}

export function fly(pose: Pose, motion: Motion, speed: number, seconds: number): void {
  turn(pose, motion);
  const [x, y, z] = ahead(pose);
  const yaw = (pose.yaw * Math.PI) / 180;
  const way = speed * (motion.fast ? 4 : 1) * seconds;
  pose.eye = [
    pose.eye[0] + way * (motion.forward * x + motion.side * Math.sin(yaw)),
    pose.eye[1] + way * (motion.forward * y - motion.side * Math.cos(yaw)),
    pose.eye[2] + way * (motion.forward * z + motion.up),
  ];
}

/** Moves around a point, nearer and farther. */
export function orbit(pose: Pose, target: Vec3, motion: Motion, speed: number, seconds: number): void {
  const radius = Math.max(
    8,
    Math.hypot(...target.map((value, i) => value - (pose.eye[i] ?? 0))) *
      Math.exp(-motion.zoom * 0.1) -
      motion.forward * speed * seconds,
  );
  turn(pose, { ...motion, yaw: motion.yaw + motion.side * 90 * seconds, pitch: motion.pitch + motion.up * 60 * seconds });
  const direction = ahead(pose);
  pose.eye = target.map((value, i) => value - radius * (direction[i] ?? 0)) as Vec3;
}

export function overPlan(pose: Pose, motion: Motion, seconds: number): void {
  if (!pose.plan) return;
  pose.plan.units = Math.min(1 << 18, Math.max(32, pose.plan.units * Math.exp(-motion.zoom * 0.1)));
  const way = pose.plan.units * seconds * (motion.fast ? 2 : 0.5);
  const drag = pose.plan.units / 400;
  pose.eye = [
    pose.eye[0] + way * motion.side + motion.yaw * drag,
    pose.eye[1] + way * motion.forward + motion.pitch * drag,
    pose.eye[2],
  ];
  pose.plan.cut += motion.up * way;
}

/** The pose that looks at a place from a distance. */
export function lookAt(place: Vec3, distance: number, from: Pose): Pose {
  const direction = ahead({ ...from, pitch: 25 });
  return {
    ...from,
    pitch: 25,
    plan: null,
    eye: place.map((value, i) => value - distance * (direction[i] ?? 0)) as Vec3,
  };
}
