// SPDX-License-Identifier: MIT
// The sky: a box of pictures, layers of clouds, or both, by the direction of each pixel
// (render/sky.c has the same arithmetic).
import * as THREE from 'three';

import { PictureKind, type Picture, type SkyInfo } from '../protocol';
import { colorTexture } from './pictures';

const vertexShader = /* glsl */ `
precision highp float;
in vec3 position;
uniform mat4 projectionMatrix;
uniform mat4 viewMatrix;
out vec3 direction;
void main() {
  direction = position;
  vec4 place = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position = place.xyww;
}
`;

const fragmentShader = /* glsl */ `
precision highp float;
in vec3 direction;
uniform sampler2D sides[6];
uniform float halves[6]; // 2: a wall of half the height
uniform sampler2D layers[4];
uniform vec4 places[4]; // scale, and how far it has scrolled
uniform int alphas[4];
uniform int numLayers;
uniform bool dome;
uniform bool box;
uniform float cloudHeight;
uniform vec4 fog; // color, how much of it covers the sky
uniform bool known; // else a sky of one colour above and another below
uniform float height; // of the picture, in pixels
out vec4 result;

vec3 side(int n, vec2 st) {
  vec2 at = vec2((st.x + 1.0) / 2.0, (1.0 - st.y) / 2.0);
  if (n == 0) return texture(sides[0], at * vec2(1.0, halves[0])).rgb;
  if (n == 1) return texture(sides[1], at * vec2(1.0, halves[1])).rgb;
  if (n == 2) return texture(sides[2], at * vec2(1.0, halves[2])).rgb;
  if (n == 3) return texture(sides[3], at * vec2(1.0, halves[3])).rgb;
  if (n == 4) return texture(sides[4], at).rgb;
  return texture(sides[5], at).rgb;
}

vec3 boxColor(vec3 d) {
  vec3 a = abs(d);
  if (a.x > a.y && a.x > a.z) return side(d.x > 0.0 ? 0 : 1, vec2(d.x > 0.0 ? -d.y : d.y, d.z) / a.x);
  if (a.y >= a.x && a.y > a.z) return side(d.y > 0.0 ? 2 : 3, vec2(d.y > 0.0 ? d.x : -d.x, d.z) / a.y);
  return side(d.z > 0.0 ? 4 : 5, vec2(-d.y, d.z > 0.0 ? -d.x : d.x) / a.z);
}

vec3 add(vec3 color, vec4 texel, int alpha) {
  if (alpha == 3) return min(color + texel.rgb, 1.0);
  if (alpha == 4) return color * texel.rgb;
  if (alpha == 1 || alpha == 2) return mix(color, texel.rgb, texel.a);
  return texel.rgb;
}

void main() {
  vec3 d = normalize(direction);
  vec3 color = box ? boxColor(d) : vec3(0.0);
  vec2 uv;
  bool covered = numLayers > 0;
  if (dome) {
    uv = d.xy / sqrt(d.x * d.x + d.y * d.y + 9.0 * d.z * d.z) * 2.953125;
  } else {
    float up = d.z * 4096.0;
    float far = sqrt(up * up + 8192.0 * cloudHeight + cloudHeight * cloudHeight) - up;
    uv = acos(clamp(d.xy * far / (4096.0 + cloudHeight), -1.0, 1.0));
    covered = covered && d.z >= 0.0;
  }
  if (covered) {
    for (int i = 0; i < 4; i++) {
      if (i >= numLayers) break;
      vec2 at = uv * places[i].xy + places[i].zw;
      vec4 texel = i == 0 ? textureLod(layers[0], at, 0.0) : i == 1 ? textureLod(layers[1], at, 0.0)
                 : i == 2 ? textureLod(layers[2], at, 0.0) : textureLod(layers[3], at, 0.0);
      color = add(color, texel, alphas[i]);
    }
  }
  if (!known) color = mix(vec3(176.0, 190.0, 200.0), vec3(92.0, 128.0, 168.0), gl_FragCoord.y / height) / 255.0;
  result = vec4(mix(color, fog.rgb, fog.a), 1.0);
}
`;

export class Sky {
  readonly mesh: THREE.Mesh<THREE.BoxGeometry, THREE.RawShaderMaterial>;

  constructor(
    private readonly info: SkyInfo,
    pictures: Picture[],
  ) {
    const black = colorTexture(0, 0, 0);
    const find = (kind: PictureKind, number: number): Picture | undefined =>
      pictures.find((one) => one.kind === kind && one.number === number);
    const load = (picture: Picture | undefined, repeats: boolean): THREE.Texture => {
      if (!picture) return black;
      const texture = new THREE.DataTexture(
        picture.pixels as Uint8Array<ArrayBuffer>,
        picture.width,
        picture.height,
      );
      texture.magFilter = texture.minFilter = THREE.LinearFilter;
      if (repeats) texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
      texture.needsUpdate = true;
      return texture;
    };
    const sides = [0, 1, 2, 3, 4, 5].map((n) => find(PictureKind.SkySide, n));
    const layers = [0, 1, 2, 3].map((n) => load(find(PictureKind.SkyLayer, n), true));
    const material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader,
      fragmentShader,
      side: THREE.BackSide,
      depthTest: false,
      depthWrite: false,
      uniforms: {
        sides: { value: sides.map((one) => load(one, false)) },
        halves: { value: sides.map((one, n) => (one && n < 4 && one.width === 2 * one.height ? 2 : 1)) },
        layers: { value: layers },
        places: {
          value: [0, 1, 2, 3].map((n) => {
            const [x, y] = info.layers[n]?.scale ?? [1, 1];
            return new THREE.Vector4(x, y, 0, 0);
          }),
        },
        alphas: { value: [0, 1, 2, 3].map((n) => info.layers[n]?.alpha ?? 0) },
        numLayers: { value: info.layers.length },
        dome: { value: info.flat },
        box: { value: info.sides > 0 },
        cloudHeight: { value: info.cloudHeight },
        fog: { value: new THREE.Vector4(0, 0, 0, 0) },
        known: { value: info.sides + info.layers.length > 0 },
        height: { value: 1 },
      },
    });
    this.mesh = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), material);
    this.mesh.frustumCulled = false;
  }

  setFog(color: [number, number, number], amount: number): void {
    (this.mesh.material.uniforms.fog as THREE.IUniform<THREE.Vector4>).value.set(...color, amount);
  }

  /** Whether its clouds move. */
  get moves(): boolean {
    return this.info.layers.some(({ scroll }) => scroll[0] !== 0 || scroll[1] !== 0);
  }

  /** Prepares a picture that is so many pixels high, so many seconds after the map began. */
  prepare(height: number, seconds: number): void {
    const { uniforms } = this.mesh.material;
    (uniforms.height as THREE.IUniform<number>).value = height;
    const places = (uniforms.places as THREE.IUniform<THREE.Vector4[]>).value;
    this.info.layers.forEach(({ scroll }, n) => {
      const [x, y] = scroll.map((rate) => rate * seconds - Math.floor(rate * seconds));
      places[n]?.setZ(x ?? 0).setW(y ?? 0);
    });
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
