// SPDX-License-Identifier: MIT
// The boxes of the games' players: a row each. Sources: the engines' headers (QuakeC's VEC_HULL,
// pm_shared.c of Half-Life, p_client.c of Quake 2, bg_public.h of Quake 3, gamemovement of the SDK).
import type { Body } from './movement';

const around = (half: number, bottom: number, top: number) => ({
  mins: [-half, -half, bottom] as [number, number, number],
  maxs: [half, half, top] as [number, number, number],
});

const BODIES: Record<string, Body> = {
  quake: { ...around(16, -24, 32), crouchBottom: -24, crouchTop: 32, eye: 22, crouchEye: 22, speed: 320 },
  goldsrc: { ...around(16, -36, 36), crouchBottom: -18, crouchTop: 18, eye: 28, crouchEye: 12, speed: 320 },
  quake2: { ...around(16, -24, 32), crouchBottom: -24, crouchTop: 4, eye: 22, crouchEye: -2, speed: 300 },
  quake3: { ...around(15, -24, 32), crouchBottom: -24, crouchTop: 16, eye: 26, crouchEye: 12, speed: 320 },
  source: { ...around(16, 0, 72), crouchBottom: 0, crouchTop: 36, eye: 64, crouchEye: 28, speed: 250 },
};

/** The player's box of a family; of an unknown one that of Source, which later games have too. */
export function bodyOf(family: string): Body {
  return BODIES[family] ?? (BODIES.source as Body);
}
