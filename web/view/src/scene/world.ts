// SPDX-License-Identifier: MIT
// The triangles of a map in three: an object for each batch that is opaque, and one for all that is
// blended, whose pieces are sorted as the eye moves.
import * as THREE from 'three';

import { PictureKind, type LightRows, type Picture, type SceneData, type Vec3 } from '../protocol';
import { Blended } from './blended';
import {
  Flag,
  NONE,
  OWNER_PROP,
  VERTEX_BYTES,
  readBatches,
  readPieces,
  type Batch,
  type Piece,
} from './layout';
import { materialOf, newShared, setFog, type Shared } from './materials';
import {
  cubeTexture,
  pagesTexture,
  patternTexture,
  pictureTexture,
  standInOf,
  updatePages,
} from './pictures';

interface Attributes {
  [name: string]: THREE.BufferAttribute | THREE.InterleavedBufferAttribute;
}

/** For each vertex of what fades, the place whose distance counts. */
function fadePlaces(data: SceneData, batches: Batch[], pieces: Piece[]): THREE.BufferAttribute {
  const places = new Float32Array((3 * data.vertices.byteLength) / VERTEX_BYTES);
  for (const { batch, first, count, fadeAt } of pieces) {
    if (!batches[batch]?.fade) continue;
    for (let i = first; i < first + count; i++) places.set(fadeAt, 3 * (data.indices[i] ?? 0));
  }
  return new THREE.BufferAttribute(places, 3);
}

function attributesOf(data: SceneData): Attributes {
  const count = data.vertices.byteLength / VERTEX_BYTES;
  const floats = new THREE.InterleavedBuffer(new Float32Array(data.vertices), 8);
  const bytes = new Uint8Array(data.vertices);
  const colors = new Uint8Array(4 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 4; k++) colors[4 * i + k] = bytes[VERTEX_BYTES * i + 28 + k] ?? 255;
  }
  return {
    position: new THREE.InterleavedBufferAttribute(floats, 3, 0),
    uv: new THREE.InterleavedBufferAttribute(floats, 2, 3),
    lightUv: new THREE.InterleavedBufferAttribute(floats, 2, 5),
    color: new THREE.BufferAttribute(colors, 4, true),
  };
}

/** Whether an opaque batch becomes transparent before it is gone. */
function fadesSlowly({ flags, fade }: Batch): boolean {
  return fade !== null && fade[0] < fade[1] && !(flags & (Flag.Blended | Flag.Sky));
}

/** What a triangle is. */
export interface Owner {
  face: number | null;
  instance: number | null;
  prop: number | null;
  batch: Batch;
}

export interface RayHit {
  distance: number;
  triangle: number;
  owner: Owner;
}

export class World {
  /** What stands in the world, and what stands in the room of the sky. */
  readonly main = new THREE.Scene();
  readonly room = new THREE.Scene();
  readonly shared: Shared;
  readonly roomShared: Shared;
  readonly batches: Batch[];
  /** The batches, and those of them that fade once more, as they are drawn meanwhile. */
  private readonly looks: Batch[];
  /** A material for each look. */
  private readonly materials: THREE.RawShaderMaterial[];
  private readonly blended: Blended[] = [];
  private readonly attributes: Attributes;
  private readonly pages: THREE.DataArrayTexture;
  private readonly positions: Float32Array;
  private readonly textures = new Map<number, THREE.Texture>();
  private readonly geometries: THREE.BufferGeometry[] = [];
  private readonly sides = new Map<number, Picture[]>();
  private toolsShown = false;
  /** Counts changes of how it looks. */
  version = 0;
  /** Whether its textures move. */
  readonly moves: boolean;

  constructor(
    readonly data: SceneData,
    private readonly smooth: boolean,
  ) {
    this.batches = readBatches(data.batches);
    this.moves = this.batches.some(({ flags, scroll }) => flags & (Flag.Warps | Flag.Flows) || scroll[0] !== 0 || scroll[1] !== 0);
    this.positions = new Float32Array(data.vertices);
    this.pages = pagesTexture(data.pages);
    this.shared = newShared(this.pages);
    this.roomShared = newShared(this.pages);
    setFog(this.shared, data.info.fog);
    setFog(this.roomShared, data.info.room?.fog ?? null);
    const pieces = readPieces(data.pieces);
    this.attributes = attributesOf(data);
    if (this.batches.some((batch) => batch.fade)) this.attributes.fadeAt = fadePlaces(data, this.batches, pieces);
    const fading = this.batches.filter(fadesSlowly);
    this.looks = [
      ...this.batches,
      ...fading.map((batch) => ({ ...batch, flags: batch.flags | Flag.Blended, fading: true })),
    ];
    const pattern = patternTexture();
    this.materials = this.looks.map((batch) => {
      const stand = batch.flags & Flag.Decal ? null : data.info.materials[batch.material];
      const map = stand && stand.found ? standInOf(stand) : pattern;
      return materialOf(batch, data.info, batch.flags & Flag.Room ? this.roomShared : this.shared, map, map);
    });
    this.addOpaque();
    const lookOf = new Map(fading.map((batch, n) => [this.batches.indexOf(batch), this.batches.length + n]));
    this.addBlended(pieces.map((piece) => ({ ...piece, batch: lookOf.get(piece.batch) ?? piece.batch })));
  }

  // --- objects ------------------------------------------------------------------------------------

  private geometry(): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    for (const [name, attribute] of Object.entries(this.attributes)) geometry.setAttribute(name, attribute);
    this.geometries.push(geometry);
    return geometry;
  }

  private addOpaque(): void {
    const index = new THREE.BufferAttribute(this.data.indices, 1);
    this.batches.forEach((batch, n) => {
      if (batch.flags & Flag.Blended || batch.count === 0) return;
      const geometry = this.geometry();
      geometry.setIndex(index);
      geometry.setDrawRange(batch.first, batch.count);
      geometry.boundingSphere = this.sphereOf(batch);
      const mesh = new THREE.Mesh(geometry, this.materials[n]);
      mesh.visible = !(batch.flags & Flag.Tool);
      mesh.frustumCulled = batch.turn === 0;
      mesh.userData.batch = batch;
      // The sky's surfaces first: what is beyond them is then never drawn.
      mesh.renderOrder = batch.flags & Flag.Sky ? -1 : 0;
      (batch.flags & Flag.Room ? this.room : this.main).add(mesh);
    });
  }

  private addBlended(all: Piece[]): void {
    const flagsOf = (piece: Piece): number => this.looks[piece.batch]?.flags ?? 0;
    const pieces = all.filter((piece) => flagsOf(piece) & Flag.Blended && !(flagsOf(piece) & Flag.Tool));
    const inRoom = (piece: Piece): boolean => (flagsOf(piece) & Flag.Room) !== 0;
    for (const [scene, of] of [
      [this.main, pieces.filter((piece) => !inRoom(piece))],
      [this.room, pieces.filter(inRoom)],
    ] as const) {
      if (of.length === 0) continue;
      const blended = new Blended(
        of,
        this.looks,
        this.data.indices,
        this.positions,
        this.geometry(),
        this.materials,
        (renderer) => this.copy(renderer),
      );
      blended.mesh.renderOrder = 1;
      scene.add(blended.mesh);
      this.blended.push(blended);
    }
  }

  /** Keeps the picture so far for what mirrors and is blended over it. */
  private copy(renderer: THREE.WebGLRenderer): void {
    const { x, y } = renderer.getDrawingBufferSize(new THREE.Vector2());
    const old = this.shared.behind.value as THREE.FramebufferTexture | null;
    if (!old || old.image.width !== x || old.image.height !== y) {
      old?.dispose();
      this.shared.behind.value = this.roomShared.behind.value = new THREE.FramebufferTexture(x, y);
    }
    renderer.copyFramebufferToTexture(this.shared.behind.value as THREE.FramebufferTexture);
  }

  private sphereOf(batch: Batch): THREE.Sphere {
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (let i = batch.first; i < batch.first + batch.count; i++) {
      box.expandByPoint(this.corner(i, point));
    }
    return box.getBoundingSphere(new THREE.Sphere());
  }

  private corner(index: number, out: THREE.Vector3): THREE.Vector3 {
    const at = 8 * (this.data.indices[index] ?? 0);
    return out.set(this.positions[at] ?? 0, this.positions[at + 1] ?? 0, this.positions[at + 2] ?? 0);
  }

  // --- pictures and light -------------------------------------------------------------------------

  /** Puts a picture in the place of its stand-in. */
  take(picture: Picture): void {
    this.version++;
    if (picture.kind === PictureKind.CubeSide) this.takeSide(picture);
    else if (picture.kind === PictureKind.Mask) this.takeBeside(picture, 'mask', 'masked');
    else if (picture.kind === PictureKind.Bump) this.takeBeside(picture, 'bump', 'bumped');
    else this.takeColors(picture);
  }

  /** A cube is drawn when all its sides are there. */
  private takeSide(picture: Picture): void {
    const number = Math.floor(picture.number / 6);
    const sides = this.sides.get(number) ?? [];
    sides[picture.number % 6] = picture;
    this.sides.set(number, sides);
    if (sides.filter(Boolean).length < 6) return;
    this.sides.delete(number);
    const texture = cubeTexture(sides);
    this.textures.set(picture.kind * 0x1000000 + number, texture);
    this.looks.forEach((batch, n) => {
      if (batch.cube === number) this.set(n, { cube: texture, mirrored: 1 });
    });
  }

  /** A picture that a material has beside its texture: `there` says that it has come. */
  private takeBeside(picture: Picture, name: string, there: string): void {
    const mine = this.looks.flatMap((batch, n) =>
      batch.material === picture.number && !(batch.flags & Flag.Decal) ? [n] : [],
    );
    const clamp = name === 'bump' && mine.some((n) => (this.looks[n]?.flags ?? 0) & Flag.Clamp);
    const texture = pictureTexture(picture, clamp, this.smooth);
    this.textures.set(picture.kind * 0x1000000 + picture.number, texture);
    for (const n of mine) this.set(n, { [name]: texture, [there]: 1 });
  }

  private set(batch: number, values: Record<string, unknown>): void {
    const uniforms = this.materials[batch]?.uniforms;
    for (const [name, value] of Object.entries(values)) {
      const uniform = uniforms?.[name];
      if (uniform) uniform.value = value;
    }
  }

  private takeColors(picture: Picture): void {
    const decal = picture.kind === PictureKind.Decal;
    const name = picture.kind === PictureKind.Second ? 'second' : 'map';
    const mine = this.looks.flatMap((batch, n) =>
      batch.material === picture.number && ((batch.flags & Flag.Decal) !== 0) === decal ? [n] : [],
    );
    if (mine.length === 0) return;
    const clamp = ((this.batches[mine[0] ?? 0]?.flags ?? 0) & Flag.Clamp) !== 0;
    const texture = pictureTexture(picture, clamp, this.smooth);
    this.textures.set(picture.kind * 0x1000000 + picture.number, texture);
    for (const n of mine) {
      const uniforms = this.materials[n]?.uniforms;
      if (!uniforms) continue;
      (uniforms[name] as THREE.IUniform<THREE.Texture>).value = texture;
      if (name === 'map') {
        (uniforms.texels as THREE.IUniform<THREE.Vector2>).value.set(picture.width, picture.height);
      }
    }
  }

  relight(rows: LightRows[]): void {
    if (rows.length > 0) this.version++;
    updatePages(this.pages, rows);
  }

  // --- looks --------------------------------------------------------------------------------------

  /** 0 as in the game, 1 full bright, 2 light alone, 3 by the colours of `tint`. */
  setLook(look: number): void {
    this.shared.look.value = this.roomShared.look.value = look;
    this.version++;
  }

  /** Colours each face by a number of its own; null: as in the game. */
  tint(colorOf: ((owner: Owner) => number | null) | null): void {
    const count = this.data.vertices.byteLength / VERTEX_BYTES;
    this.version++;
    if (!colorOf) {
      for (const geometry of this.geometries) geometry.deleteAttribute('tint');
      return;
    }
    const tints = new Uint8Array(4 * count).fill(255);
    for (let t = 0; t < this.data.faces.length; t++) {
      const color = colorOf(this.ownerOf(t));
      if (color === null) continue;
      for (let k = 0; k < 3; k++) {
        const at = 4 * (this.data.indices[3 * t + k] ?? 0);
        tints[at] = color >> 16;
        tints[at + 1] = color >> 8;
        tints[at + 2] = color;
      }
    }
    const attribute = new THREE.BufferAttribute(tints, 4, true);
    for (const geometry of this.geometries) geometry.setAttribute('tint', attribute);
  }

  setWire(wire: boolean): void {
    this.version++;
    for (const material of this.materials) material.wireframe = wire;
  }

  /** Shows each luxel as a square. */
  setSquares(squares: boolean): void {
    this.version++;
    this.pages.magFilter = squares ? THREE.NearestFilter : THREE.LinearFilter;
    this.pages.needsUpdate = true;
  }

  /** Shows what the game does not draw: triggers, clip brushes, tool textures. */
  showTools(shown: boolean): void {
    this.toolsShown = shown;
    this.version++;
    for (const child of this.main.children) {
      const batch = child.userData.batch as Batch | undefined;
      if (batch && batch.flags & Flag.Tool) child.visible = shown;
    }
  }

  /** Prepares a frame. `flat`: it is a plan. */
  update(eye: Vec3, roomEye: Vec3 | null, seconds: number, flat: boolean): void {
    this.shared.time.value = this.roomShared.time.value = seconds;
    this.shared.eye.value.set(...eye);
    this.roomShared.eye.value.set(...(roomEye ?? eye));
    for (const blended of this.blended) blended.sort(blended.mesh.parent === this.room && roomEye ? roomEye : eye, flat);
  }

  /** Leaves out of a scene what a camera does not see. */
  cull(scene: THREE.Scene, camera: THREE.Camera): void {
    const sight = new THREE.Frustum().setFromProjectionMatrix(
      new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    for (const blended of this.blended) if (blended.mesh.parent === scene) blended.cull(sight);
  }

  // --- rays ---------------------------------------------------------------------------------------

  ownerOf(triangle: number): Owner {
    const face = this.data.faces[triangle] ?? NONE;
    const owner = this.data.owners[triangle] ?? NONE;
    const prop = owner !== NONE && owner >= OWNER_PROP;
    return {
      face: face === NONE ? null : face,
      instance: owner === NONE || prop ? null : owner,
      prop: prop ? owner - OWNER_PROP : null,
      batch: this.batchOf(3 * triangle),
    };
  }

  private batchOf(index: number): Batch {
    let low = 0;
    let high = this.batches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.batches[middle]?.first ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return this.batches[low] as Batch;
  }

  /** The nearest triangle that is drawn along a ray. */
  pick(from: THREE.Vector3, direction: THREE.Vector3): RayHit | null {
    const ray = new THREE.Ray(from, direction);
    const [a, b, c, at] = [0, 1, 2, 3].map(() => new THREE.Vector3()) as [
      THREE.Vector3,
      THREE.Vector3,
      THREE.Vector3,
      THREE.Vector3,
    ];
    let best: RayHit | null = null;
    for (const batch of this.batches) {
      if (batch.flags & Flag.Room || (batch.flags & Flag.Tool && !this.toolsShown)) continue;
      const culled = !(batch.flags & Flag.TwoSided);
      for (let i = batch.first; i < batch.first + batch.count; i += 3) {
        this.corner(i, a);
        this.corner(i + 1, b);
        this.corner(i + 2, c);
        if (!(batch.turn ? this.hitsSprite(ray, i, at) : ray.intersectTriangle(a, b, c, culled, at))) continue;
        const distance = at.distanceTo(from);
        if (!best || distance < best.distance) {
          best = { distance, triangle: i / 3, owner: this.ownerOf(i / 3) };
        }
      }
    }
    return best;
  }

  /** Whether a ray meets the ball in a sprite that turns; `at` is then its middle. */
  private hitsSprite(ray: THREE.Ray, index: number, at: THREE.Vector3): boolean {
    const word = 8 * (this.data.indices[index] ?? 0);
    const radius = Math.hypot(this.positions[word + 5] ?? 0, this.positions[word + 6] ?? 0) * Math.SQRT1_2;
    this.corner(index, at);
    return ray.direction.dot(at.clone().sub(ray.origin)) > 0 && ray.distanceToPoint(at) < radius;
  }

  /** The corners of all triangles that a test wants: a list of points, three a triangle. */
  triangles(wanted: (owner: Owner) => boolean): Float32Array {
    const points: number[] = [];
    const point = new THREE.Vector3();
    for (let t = 0; t < this.data.faces.length; t++) {
      if (!wanted(this.ownerOf(t))) continue;
      for (let k = 0; k < 3; k++) {
        this.corner(3 * t + k, point);
        points.push(point.x, point.y, point.z);
      }
    }
    return new Float32Array(points);
  }

  dispose(): void {
    for (const geometry of this.geometries) geometry.dispose();
    for (const material of this.materials) {
      (material.uniforms.map as THREE.IUniform<THREE.Texture>).value.dispose();
      material.dispose();
    }
    for (const texture of this.textures.values()) texture.dispose();
    this.pages.dispose();
    this.shared.behind.value?.dispose();
  }
}
