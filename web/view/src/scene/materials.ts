// SPDX-License-Identifier: MIT
// A material of three for each batch: few programs, and what all share set once.
import * as THREE from 'three';

import type { Fog, SceneInfo } from '../protocol';
import { Alpha, Flag, NONE, type Batch } from './layout';
import { fragmentShader, vertexShader } from './shader';

/** Uniforms that all materials of a pass share. */
export interface Shared {
  [name: string]: THREE.IUniform<unknown>;
  time: THREE.IUniform<number>;
  look: THREE.IUniform<number>;
  eye: THREE.IUniform<THREE.Vector3>;
  pages: THREE.IUniform<THREE.Texture | null>;
  /** The picture so far: what is blended and mirrors reads it. */
  behind: THREE.IUniform<THREE.Texture | null>;
  fogRange: THREE.IUniform<THREE.Vector4>;
  fogColor: THREE.IUniform<THREE.Vector3>;
}

export function newShared(pages: THREE.Texture | null): Shared {
  return {
    time: { value: 0 },
    look: { value: 0 },
    eye: { value: new THREE.Vector3() },
    pages: { value: pages },
    behind: { value: null },
    fogRange: { value: new THREE.Vector4(0, 0, 0, 0) },
    fogColor: { value: new THREE.Vector3() },
  };
}

export function setFog(shared: Shared, fog: Fog | null): void {
  const { fogRange, fogColor } = shared;
  if (!fog) {
    fogRange.value.set(0, 0, 0, 0);
    return;
  }
  fogColor.value.set(...fog.color);
  if (fog.curve === 0) fogRange.value.set(fog.start, fog.end, fog.most, 1);
  else fogRange.value.set(0, fog.density, fog.most, 2);
}

const DEFINES: readonly [number, string][] = [
  [Flag.PageLit, 'PAGE_LIT'],
  [Flag.VertexLit, 'VERTEX_LIT'],
  [Flag.Warps, 'WARPS'],
  [Flag.Mixed, 'MIXED'],
  [Flag.Flows, 'FLOWS'],
  [Flag.Plain, 'PLAIN'],
  [Flag.Glows, 'GLOWS'],
];

function definesOf(batch: Batch, info: SceneInfo): Record<string, string> {
  const blended = (batch.flags & Flag.Blended) !== 0;
  const entityAdds = blended && (batch.flags & Flag.Add) !== 0;
  const names = DEFINES.filter(([flag]) => batch.flags & flag).map(([, name]) => name);
  if (batch.alpha === Alpha.Test && !(batch.flags & Flag.Plain)) names.push('ALPHA_TEST');
  if (entityAdds) names.push('ENTITY_ADDS');
  const bump = batch.flags & (Flag.Mixed | Flag.Plain | Flag.Decal) ? 0 : (info.materials[batch.material]?.bump ?? 0);
  if (bump !== 0 && batch.flags & Flag.PageLit) names.push('BUMPED');
  if (bump === 2) names.push('SELF_SHADOWED');
  if (batch.turn) names.push('TURNS');
  if (batch.fade) names.push('FADES');
  if (batch.fading) names.push('FADING');
  if (batch.cube !== NONE) names.push('MIRRORS');
  if (blended) names.push('BLENDED');
  if (blended && batch.alpha === Alpha.Blend) names.push('OWN_ALPHA');
  if (entityAdds || (blended && batch.alpha === Alpha.Add)) names.push('ADDS');
  else if (blended && batch.alpha === Alpha.Filter) names.push('FILTERS');
  return Object.fromEntries(names.map((name) => [name, '']));
}

function setBlending(material: THREE.RawShaderMaterial, batch: Batch): void {
  material.transparent = true;
  material.depthWrite = false;
  material.polygonOffset = true;
  material.polygonOffsetFactor = -1;
  material.polygonOffsetUnits = -2;
  material.blending = THREE.CustomBlending;
  material.blendEquation = THREE.AddEquation;
  // What mirrors has its opacity in its colour: the light of the mirror is added in full.
  material.blendSrc = batch.cube === NONE ? THREE.SrcAlphaFactor : THREE.OneFactor;
  material.blendDst = THREE.OneMinusSrcAlphaFactor;
  material.blendSrcAlpha = THREE.ZeroFactor;
  material.blendDstAlpha = THREE.OneFactor;
  if (batch.flags & Flag.Add || batch.alpha === Alpha.Add) {
    material.blendSrc = THREE.OneFactor;
    material.blendDst = THREE.OneFactor;
  } else if (batch.alpha === Alpha.Filter) {
    material.blendSrc = THREE.DstColorFactor;
    material.blendDst = THREE.ZeroFactor;
  }
}

function volumeOf(batch: Batch, info: SceneInfo): { plane: THREE.Vector4; fog: THREE.Vector4; bounded: number } {
  const volume = batch.volume === NONE ? undefined : info.volumes[batch.volume];
  if (!volume?.known) return { plane: new THREE.Vector4(0, 0, 0, 0), fog: new THREE.Vector4(0, 0, 0, 0), bounded: 0 };
  return {
    plane: new THREE.Vector4(...volume.normal, volume.dist),
    fog: new THREE.Vector4(...volume.color, volume.distance),
    bounded: volume.bounded ? 1 : 0,
  };
}

/** Black: stands for every cube until it is there. Without sides it takes no memory of the card. */
const noCube = new THREE.CubeTexture();

const noBump = new THREE.Texture();

/** Makes the material of a batch. `map` and `second` stand for its pictures until these arrive. */
export function materialOf(
  batch: Batch,
  info: SceneInfo,
  shared: Shared,
  map: THREE.Texture,
  second: THREE.Texture,
): THREE.RawShaderMaterial {
  const volume = volumeOf(batch, info);
  const size = info.materials[batch.material];
  const mirror = size?.mirror;
  const material = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader,
    fragmentShader,
    defines: definesOf(batch, info),
    side: batch.flags & Flag.TwoSided ? THREE.DoubleSide : THREE.FrontSide,
    uniforms: {
      ...shared,
      map: { value: map },
      second: { value: second },
      scroll: { value: new THREE.Vector2(...batch.scroll) },
      texels: { value: new THREE.Vector2(size?.width || 64, size?.height || 64) },
      opacity: { value: batch.opacity },
      cut: { value: batch.cut },
      plain: { value: new THREE.Vector3(...batch.color) },
      fade: { value: new THREE.Vector2(...(batch.fade ?? [0, 0])) },
      facing: { value: batch.turn - 1 },
      cube: { value: noCube },
      mirrored: { value: 0 },
      bump: { value: noBump },
      bumped: { value: 0 },
      mask: { value: map },
      masked: { value: 0 },
      mirrorTint: { value: new THREE.Vector3(...(mirror?.tint ?? [0, 0, 0])) },
      mirrorLook: {
        value: new THREE.Vector3(mirror?.contrast ?? 0, mirror?.saturation ?? 1, mirror?.fresnel ?? 1),
      },
      volumePlane: { value: volume.plane },
      volumeFog: { value: volume.fog },
      volumeBounded: { value: volume.bounded },
    },
  });
  if (batch.flags & Flag.Sky) {
    // The sky was drawn before: its surfaces only hide what is beyond them.
    material.colorWrite = false;
  } else if (batch.flags & Flag.Blended) {
    setBlending(material, batch);
  }
  return material;
}
