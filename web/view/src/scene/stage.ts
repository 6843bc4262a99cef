// SPDX-License-Identifier: MIT
// The picture: passes from back to front, and the loop that draws them.
import * as THREE from 'three';

import type { Vec3 } from '../protocol';
import type { Pose } from '../camera/pose';
import type { Sky } from './sky';
import type { World } from './world';

/** What a frame cost. */
export interface FrameStats {
  calls: number;
  triangles: number;
  /** Milliseconds of JavaScript, the last frames on average. */
  script: number;
  frames: number;
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  /** Markers, lines and boxes over the world. */
  readonly marks = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(90, 1, 1, 1 << 17);
  readonly plan = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1 << 18);
  world: World | null = null;
  sky: Sky | null = null;
  readonly stats: FrameStats = { calls: 0, triangles: 0, script: 0, frames: 0 };
  private readonly skyScene = new THREE.Scene();
  private changes = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false;
    this.camera.matrixAutoUpdate = this.plan.matrixAutoUpdate = false;
  }

  /** Another one for each change of the world and the sky. */
  get version(): string {
    return `${this.changes} ${this.world?.version ?? 0}`;
  }

  /** Whether the picture changes with the time alone. */
  get moves(): boolean {
    return (this.world?.moves ?? false) || (this.sky?.moves ?? false);
  }

  setWorld(world: World | null): void {
    this.world?.dispose();
    this.world = world;
    this.changes++;
  }

  setSky(sky: Sky | null): void {
    this.sky?.dispose();
    this.skyScene.clear();
    this.sky = sky;
    this.changes++;
    if (sky) this.skyScene.add(sky.mesh);
  }

  resize(width: number, height: number, ratio: number): void {
    this.changes++;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  /** Draws one frame from a pose. */
  draw(pose: Pose, seconds: number): void {
    const start = performance.now();
    const { renderer } = this;
    const size = renderer.getDrawingBufferSize(new THREE.Vector2());
    const camera = this.aim(pose, size.x / Math.max(1, size.y));
    renderer.info.reset();
    renderer.clear();
    this.world?.update(pose.eye, this.roomEye(pose), seconds, pose.plan !== null);
    if (!pose.plan) this.drawFar(pose, seconds);
    this.world?.cull(this.world.main, camera);
    if (this.world) renderer.render(this.world.main, camera);
    renderer.render(this.marks, camera);
    this.count(performance.now() - start);
  }

  /** Sky, and the room that is seen in its place. */
  private drawFar(pose: Pose, seconds: number): void {
    if (this.sky) {
      this.sky.prepare(this.renderer.getDrawingBufferSize(new THREE.Vector2()).y, seconds);
      this.renderer.render(this.skyScene, this.camera);
    }
    const eye = this.roomEye(pose);
    if (!eye || !this.world) return;
    const position = this.camera.matrix.clone();
    this.camera.matrix.setPosition(...eye);
    this.camera.updateMatrixWorld(true);
    this.world.cull(this.world.room, this.camera);
    this.renderer.render(this.world.room, this.camera);
    this.renderer.clearDepth();
    this.camera.matrix.copy(position);
    this.camera.updateMatrixWorld(true);
  }

  private roomEye(pose: Pose): Vec3 | null {
    const room = this.world?.data.info.room;
    if (!room) return null;
    const factor = room.scale > 0 ? 1 / room.scale : 0;
    return [0, 1, 2].map((i) => (room.origin[i] ?? 0) + (pose.eye[i] ?? 0) * factor) as Vec3;
  }

  private aim(pose: Pose, aspect: number): THREE.Camera {
    if (pose.plan) {
      const half = pose.plan.units / 2;
      this.plan.left = -half * aspect;
      this.plan.right = half * aspect;
      this.plan.top = half;
      this.plan.bottom = -half;
      this.plan.updateProjectionMatrix();
      this.plan.matrix.makeTranslation(pose.eye[0], pose.eye[1], pose.plan.cut);
      this.plan.updateMatrixWorld(true);
      return this.plan;
    }
    // The angle is that across the picture, as games state it.
    const across = Math.tan((pose.fov * Math.PI) / 360);
    this.camera.fov = (Math.atan(across / aspect) * 360) / Math.PI;
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    this.camera.matrix.copy(matrixOf(pose));
    this.camera.updateMatrixWorld(true);
    return this.camera;
  }

  private count(milliseconds: number): void {
    const { render } = this.renderer.info;
    this.stats.calls = render.calls;
    this.stats.triangles = render.triangles;
    this.stats.script += (milliseconds - this.stats.script) * 0.1;
    this.stats.frames++;
  }
}

/** Where a camera of three stands: it looks along -z with y up; the map's z is up. */
export function matrixOf(pose: Pose): THREE.Matrix4 {
  const [pitch, yaw] = [pose.pitch, pose.yaw].map((angle) => (angle * Math.PI) / 180) as [number, number];
  const [sp, cp, sy, cy] = [Math.sin(pitch), Math.cos(pitch), Math.sin(yaw), Math.cos(yaw)];
  const right = new THREE.Vector3(sy, -cy, 0);
  const up = new THREE.Vector3(sp * cy, sp * sy, cp);
  const back = new THREE.Vector3(-cp * cy, -cp * sy, sp);
  return new THREE.Matrix4().makeBasis(right, up, back).setPosition(...pose.eye);
}
