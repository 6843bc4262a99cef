// SPDX-License-Identifier: MIT
// A view as the part of an address after "#": the same file shows the same picture on another machine.
import type { Mode, Pose } from './pose';

export interface Link {
  map: string;
  size: number;
  pose: Pose;
  mode: Mode;
}

const MODES: readonly Mode[] = ['fly', 'orbit', 'plan', 'walk'];
const round = (value: number): string => String(Math.round(value * 100) / 100);

export function writeLink({ map, size, pose, mode }: Link): string {
  const parts = new URLSearchParams({
    map,
    size: String(size),
    at: pose.eye.map(round).join(','),
    look: [pose.pitch, pose.yaw].map(round).join(','),
    fov: round(pose.fov),
    mode,
  });
  if (pose.plan) parts.set('plan', [pose.plan.units, pose.plan.cut].map(round).join(','));
  return `#${parts.toString().replaceAll('%2C', ',')}`;
}

function numbers(text: string | null, count: number): number[] | null {
  const list = (text ?? '').split(',').map(Number);
  return text !== null && list.length === count && list.every(Number.isFinite) ? list : null;
}

/** Reads an address; null if it says no view. */
export function readLink(hash: string): Link | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const at = numbers(parts.get('at'), 3);
  const look = numbers(parts.get('look'), 2);
  if (!at || !look) return null;
  const plan = numbers(parts.get('plan'), 2);
  const [fov = 90] = numbers(parts.get('fov'), 1) ?? [];
  return {
    map: parts.get('map') ?? '',
    size: Number(parts.get('size') ?? 0) || 0,
    mode: MODES.find((mode) => mode === parts.get('mode')) ?? 'fly',
    pose: {
      eye: [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0],
      pitch: look[0] ?? 0,
      yaw: look[1] ?? 0,
      fov: Math.min(150, Math.max(10, fov)),
      plan: plan ? { units: plan[0] ?? 1024, cut: plan[1] ?? 0 } : null,
    },
  };
}
