// SPDX-License-Identifier: MIT
// Pictures as textures of the graphics card: a stand-in at once, the picture itself when it is there.
import * as THREE from 'three';

import type { LightPage, LightRows, MaterialInfo, Picture } from '../protocol';

function textureOf(pixels: Uint8Array<ArrayBuffer>, width: number, height: number): THREE.DataTexture {
  const texture = new THREE.DataTexture(pixels, width, height, THREE.RGBAFormat);
  texture.magFilter = THREE.LinearFilter;
  texture.colorSpace = THREE.NoColorSpace;
  texture.needsUpdate = true;
  return texture;
}

/** One texel of a colour, 0..255 each. */
export function colorTexture(red: number, green: number, blue: number): THREE.DataTexture {
  return textureOf(new Uint8Array([red, green, blue, 255]), 1, 1);
}

/** A quiet pattern: what has no texture shows its light, and no colour. */
export function patternTexture(): THREE.DataTexture {
  const pixels = new Uint8Array(32 * 32 * 4);
  for (let i = 0; i < 32 * 32; i++) {
    const light = ((((i % 32) >> 3) + (i >> 8)) & 1) === 0;
    pixels.fill(light ? 152 : 136, 4 * i, 4 * i + 3);
    pixels[4 * i + 3] = 255;
  }
  const texture = textureOf(pixels, 32, 32);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.generateMipmaps = true;
  texture.minFilter = THREE.LinearMipmapNearestFilter;
  return texture;
}

/** The average colour that the map states, as displayed; else grey. */
export function standInOf(info: MaterialInfo | undefined): THREE.DataTexture {
  const [red, green, blue] = info?.color ?? [0.31, 0.31, 0.31];
  const shown = (value: number): number => Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, value))));
  return colorTexture(shown(red), shown(green), shown(blue));
}

/** A picture that repeats or not, with mips. */
export function pictureTexture(picture: Picture, clamp: boolean, smooth: boolean): THREE.DataTexture {
  const texture = textureOf(picture.pixels as Uint8Array<ArrayBuffer>, picture.width, picture.height);
  texture.wrapS = texture.wrapT = clamp ? THREE.ClampToEdgeWrapping : THREE.RepeatWrapping;
  texture.generateMipmaps = true;
  texture.minFilter = smooth ? THREE.LinearMipmapLinearFilter : THREE.LinearMipmapNearestFilter;
  texture.anisotropy = smooth ? 4 : 1;
  return texture;
}

/** A cube of six sides, +x, -x, +y, -y, +z, -z. */
export function cubeTexture(sides: Picture[]): THREE.CubeTexture {
  const images = sides.map(({ pixels, width, height }) =>
    textureOf(pixels as Uint8Array<ArrayBuffer>, width, height),
  );
  const texture = new THREE.CubeTexture(images as unknown as HTMLImageElement[]);
  texture.format = THREE.RGBAFormat;
  texture.magFilter = texture.minFilter = THREE.LinearFilter;
  texture.colorSpace = THREE.NoColorSpace;
  texture.needsUpdate = true;
  return texture;
}

/** All pages of light in one array: a batch may lie on any of them. */
export function pagesTexture(pages: LightPage[]): THREE.DataArrayTexture {
  const width = Math.max(1, ...pages.map((page) => page.width));
  const height = Math.max(1, ...pages.map((page) => page.height));
  const data = new Uint8Array(width * height * 4 * Math.max(1, pages.length));
  pages.forEach((page, layer) => {
    for (let row = 0; row < page.height; row++) {
      const from = row * page.width * 4;
      data.set(page.pixels.subarray(from, from + page.width * 4), ((layer * height + row) * width) * 4);
    }
  });
  const texture = new THREE.DataArrayTexture(data, width, height, Math.max(1, pages.length));
  texture.format = THREE.RGBAFormat;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.colorSpace = THREE.NoColorSpace;
  texture.needsUpdate = true;
  return texture;
}

/** Puts rows of light in the place of those before; only the pages that changed go to the card. */
export function updatePages(texture: THREE.DataArrayTexture, changes: LightRows[]): void {
  const { data, width, height } = texture.image as { data: Uint8Array; width: number; height: number };
  for (const change of changes) {
    for (let row = 0; row < change.rows; row++) {
      const from = row * change.width * 4;
      const to = ((change.page * height + change.row + row) * width) * 4;
      data.set(change.pixels.subarray(from, from + change.width * 4), to);
    }
    texture.addLayerUpdate(change.page);
  }
  if (changes.length > 0) texture.needsUpdate = true;
}
