// SPDX-License-Identifier: MIT
// What is drawn over the map: the chosen thing, arrows between entities, a measured line, brushes.
import * as THREE from 'three';

import type { Vec3 } from '../protocol';

const CHOSEN = 0xffc020;
const LINK = 0x40c0ff;
const NEAR = 8; // units beyond a surface at which an entity's point is still meant
export const BRUSH = 0xff60c0;
export const HULL = 0xd08040;
export const PORTAL = 0x40ffc0;
export const NAV = 0xffa040;

/** A colour as it is displayed: the picture is not converted. */
function shown(color: number): THREE.Color {
  return new THREE.Color().setHex(color, THREE.LinearSRGBColorSpace);
}

function lines(points: ArrayLike<number>, color: number, through = true): THREE.LineSegments {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(points), 3));
  const material = new THREE.LineBasicMaterial({ color: shown(color), depthTest: !through });
  const mesh = new THREE.LineSegments(geometry, material);
  mesh.frustumCulled = false;
  return mesh;
}

/** For each corner of triangles a grey by where its triangle faces: up is light. */
function shades(points: Float32Array): Uint8Array {
  const out = new Uint8Array(points.length);
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  const triangle = new THREE.Triangle(a, b, c);
  const normal = new THREE.Vector3();
  for (let i = 0; i < points.length; i += 9) {
    [a, b, c].forEach((corner, k) => corner.fromArray(points, i + 3 * k));
    triangle.getNormal(normal);
    out.fill(150 + 70 * normal.z + 20 * normal.x + 15 * normal.y, i, i + 9);
  }
  return out;
}

export class Marks {
  private readonly parts = new Map<string, THREE.Object3D>();
  /** Entities that are shown as points, by the names of these. */
  private readonly entities = new Map<string, { number: number; at: Vec3 }[]>();
  /** Counts changes. */
  version = 0;

  constructor(private readonly scene: THREE.Scene) {}

  private put(name: string, object: THREE.Object3D | null): void {
    this.version++;
    const old = this.parts.get(name);
    if (old) {
      this.scene.remove(old);
      old.traverse((child) => {
        if (child instanceof THREE.LineSegments || child instanceof THREE.Mesh || child instanceof THREE.Points) {
          child.geometry.dispose();
          for (const material of [child.material].flat() as THREE.Material[]) material.dispose();
        }
      });
    }
    this.parts.delete(name);
    if (object) {
      this.scene.add(object);
      this.parts.set(name, object);
    }
  }

  /** A cross at a place. */
  select(place: Vec3 | null): void {
    if (!place) return this.put('place', null);
    const [x, y, z] = place;
    const d = 12;
    this.put(
      'place',
      lines([x - d, y, z, x + d, y, z, x, y - d, z, x, y + d, z, x, y, z - d, x, y, z + d], CHOSEN),
    );
  }

  /** The triangles of what is chosen, three points each. */
  chosen(points: Float32Array | null): void {
    if (!points || points.length === 0) return this.put('chosen', null);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
    const material = new THREE.MeshBasicMaterial({
      color: shown(CHOSEN),
      transparent: true,
      opacity: 0.35,
      side: THREE.DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -4,
      depthWrite: false,
    });
    this.put('chosen', new THREE.Mesh(geometry, material));
  }

  /** Arrows from one place to others. */
  arrows(pairs: [Vec3, Vec3][]): void {
    const group = new THREE.Group();
    for (const [from, to] of pairs) {
      const start = new THREE.Vector3(...from);
      const way = new THREE.Vector3(...to).sub(start);
      const length = Math.max(1, way.length());
      const arrow = new THREE.ArrowHelper(way.normalize(), start, length, LINK, Math.min(32, length / 3), 10);
      arrow.line.frustumCulled = arrow.cone.frustumCulled = false;
      group.add(arrow);
    }
    this.put('arrows', pairs.length > 0 ? group : null);
  }

  measure(from: Vec3 | null, to: Vec3 | null, seen = true): void {
    this.put('measure', from && to ? lines([...from, ...to], seen ? 0x60ff60 : 0xff4040) : null);
  }

  /** Lines with a colour each, two points a line: brushes, portals. */
  lines(name: string, points: Float32Array | null, color: number): void {
    this.put(name, points && points.length > 0 ? lines(points, color, false) : null);
  }

  /** A surface with its edges: each triangle lighter or darker by where it faces. */
  surface(name: string, points: Float32Array | null, edges: Float32Array | null, color: number): void {
    if (!points || !edges || points.length === 0) return this.put(name, null);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(shades(points), 3, true));
    const material = new THREE.MeshBasicMaterial({ color: shown(color), vertexColors: true, transparent: true, opacity: 0.5 });
    const group = new THREE.Group();
    group.add(new THREE.Mesh(geometry, material), lines(edges, color, false));
    this.put(name, group);
  }

  /** Points where entities are, of one colour. */
  points(name: string, entities: { number: number; at: Vec3 }[], color: number): void {
    this.entities.set(name, entities);
    if (entities.length === 0) return this.put(name, null);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(entities.flatMap(({ at }) => at)), 3));
    const material = new THREE.PointsMaterial({ color: shown(color), size: 7, sizeAttenuation: false });
    const points = new THREE.Points(geometry, material);
    points.frustumCulled = false;
    this.put(name, points);
  }

  /** The nearest entity among the points that a ray passes, no farther than `most`; null if there is none. */
  entityAt(ray: THREE.Ray, { near, slope }: { near: number; slope: number }, most: number): number | null {
    let best: { number: number; along: number } | null = null;
    for (const { number, at } of [...this.entities.values()].flat()) {
      const point = new THREE.Vector3(...at);
      const along = point.clone().sub(ray.origin).dot(ray.direction);
      const shown = along > 0 && along < Math.min(most + NEAR, best?.along ?? Infinity);
      if (shown && ray.distanceToPoint(point) <= near + slope * along) best = { number, along };
    }
    return best?.number ?? null;
  }

  /** Takes away what was chosen and measured. */
  forget(): void {
    for (const name of ['place', 'chosen', 'arrows', 'measure']) this.put(name, null);
  }
}
