// SPDX-License-Identifier: MIT
// The state of the page: the map that is open, the eye, and what the panels may ask for.
import * as THREE from 'three';

import { readLink, writeLink } from './camera/link';
import { fly, lookAt, orbit, overPlan, turn, type Mode, type Motion, type Pose } from './camera/pose';
import { Hands } from './input/hands';
import type { Library } from './library';
import {
  BuildFlags,
  type EntityInfo,
  type GivenFile,
  type MapInfo,
  type Picture,
  type Vec3,
  type WalkState,
} from './protocol';
import { Marks } from './scene/marks';
import { Pacing } from './scene/pacing';
import { Quality } from './scene/quality';
import { Sky } from './scene/sky';
import { Stage } from './scene/stage';
import { World, type RayHit } from './scene/world';

const LIGHT_STEP = 0.1; // seconds: light styles have ten steps a second
const PICTURES_A_FRAME = 4; // milliseconds for textures
const DEEP = 1024; // units below the map: nothing stops a fall there
const POINTED = 8; // pixels from an entity's point that still mean it

export interface Options {
  speed: number;
  smooth: boolean;
  animate: boolean;
  scale: number;
  /** Also what the game never draws. */
  hidden: boolean;
  /** Sliding doors stand open. */
  open: boolean;
}

/** What happens, for the panels. */
export interface AppEvents {
  /** A map is asked for. */
  opening(): void;
  opened(): void;
  /** Other triangles are shown now, of the same map or of another. */
  shown(world: World): void;
  /** The camera is another one, or stands elsewhere without having moved. */
  aimed(): void;
  picked(hit: RayHit, at: Vec3): void;
  pickedEntity(number: number): void;
  said(message: string, fault: boolean): void;
}

export class App {
  readonly stage: Stage;
  readonly marks: Marks;
  readonly options: Options = { speed: 400, smooth: true, animate: true, scale: 1, hidden: false, open: false };
  info: MapInfo | null = null;
  entities: EntityInfo[] = [];
  files: GivenFile[] = [];
  /** Of all maps among the files, and of the one that is open. */
  maps: string[] = [];
  path = '';
  pose: Pose = { eye: [0, 0, 0], yaw: 0, pitch: 0, fov: 90, plan: null };
  mode: Mode = 'fly';
  walking: WalkState | null = null;
  /** Milliseconds from the files to the first picture, and to all textures. */
  readonly times = { first: 0, all: 0 };
  readonly quality = new Quality();
  private readonly pacing: Pacing;
  readonly hands: Hands;
  private readonly listeners: Partial<AppEvents>[] = [];
  /** Pictures of a scene or a sky that is being built: the world that is shown must not take them. */
  private arriving: Picture[] = [];
  private waiting: Picture[] = [];
  private target: Vec3 = [0, 0, 0];
  private busy = false;
  private stepping = false;
  private began = 0;
  private lit = 0;
  private last = 0;
  private turnNumber = 0;

  constructor(
    readonly bspkit: Library,
    readonly canvas: HTMLCanvasElement,
  ) {
    this.stage = new Stage(canvas);
    this.marks = new Marks(this.stage.marks);
    this.pacing = new Pacing(this.stage.renderer.getContext() as WebGL2RenderingContext, this.quality);
    this.hands = new Hands(canvas, { point: (x, y) => this.point(x, y) });
    canvas.addEventListener('webglcontextlost', () => {
      this.pacing.forget();
      this.say('The graphics card gave up. The picture comes back by itself, or when you load the page again.', true);
    });
    canvas.addEventListener('webglcontextrestored', () => this.say('The picture is back.'));
    bspkit.onPicture = (picture) => this.arriving.push(picture);
    requestAnimationFrame((now) => this.frame(now));
  }

  listen(listener: Partial<AppEvents>): void {
    this.listeners.push(listener);
  }

  say(message: string, fault = false): void {
    for (const listener of this.listeners) listener.said?.(message, fault);
  }

  /** Runs what may fail; the fault becomes a message. */
  async attempt<Value>(work: () => Promise<Value>): Promise<Value | null> {
    try {
      return await work();
    } catch (fault) {
      this.say(fault instanceof Error ? fault.message : String(fault), true);
      return null;
    }
  }

  // --- opening ------------------------------------------------------------------------------------

  /** Opens a map; `from` is where the eye stands then, instead of at the map's start. */
  async open(files: GivenFile[], map: string | null = null, from: Pose | null = null): Promise<boolean> {
    if (files.length === 0) {
      this.say('There are no files in what was dropped. Drop a .bsp, or a folder with one.', true);
      return false;
    }
    const number = ++this.turnNumber;
    for (const listener of this.listeners) listener.opening?.();
    this.say(`Opening ${map ?? files[0]?.path ?? ''} …`);
    const start = performance.now();
    const done = await this.attempt(async () => {
      const { info, path, maps, faults } = await this.bspkit.call('open', files, map);
      if (number !== this.turnNumber) return false;
      this.info = info;
      this.path = path;
      if (maps.length > 0) this.maps = maps;
      else if (!this.maps.includes(path)) this.maps = [...this.maps, path];
      this.files = files;
      this.waiting = [];
      this.arriving = [];
      await this.load(start, number, faults, from);
      return true;
    });
    return done ?? false;
  }

  private async load(start: number, number: number, faults: string[], from: Pose | null): Promise<void> {
    const info = this.info as MapInfo;
    if (from && this.mode === 'walk') await this.setMode('walk'); // the walker was the other map's
    // First the triangles with their light alone; then again with textures, props and decals.
    const bare = await this.bspkit.call('scene', 0, 0);
    if (number !== this.turnNumber) return;
    this.stage.setSky(null);
    this.show(new World(bare, this.options.smooth));
    if (!from) this.startView(info);
    this.times.first = performance.now() - start;
    this.entities = await this.bspkit.call('entities');
    for (const listener of this.listeners) listener.opened?.();
    await this.refresh();
    if (number !== this.turnNumber) return;
    await this.loadSky();
    this.times.all = performance.now() - start;
    this.sayWhatIsThere(info, faults);
  }

  /** What was opened, and what is not as it should be: files that could not be read, textures that are missing. */
  private sayWhatIsThere(info: MapInfo, faults: string[]): void {
    const scene = this.stage.world?.data.info;
    const missing = scene?.materials.filter((one) => one.used && !one.found).length ?? 0;
    const more = missing > 0 ? [`${missing} textures are not in the map: drop the game's folder or archives with it.`] : [];
    const list = [...faults, ...(scene?.notes ?? [])];
    const shown = list.slice(0, 3).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`));
    if (list.length > 3) shown.push(`And ${list.length - 3} more.`);
    // The title of a branch may list its games.
    const what = `${info.name}: ${info.title.split(':', 1)[0]}, ${info.faces.toLocaleString('en')} faces.`;
    this.say([what, ...this.linkNote(info), ...more, ...shown].join(' '));
  }

  /** Builds the scene again with its textures. */
  async refresh(): Promise<void> {
    const number = this.turnNumber;
    const { hidden, open } = this.options;
    const flags = BuildFlags.Textures | (hidden ? BuildFlags.Hidden : 0) | (open ? BuildFlags.OpenDoors : 0);
    const full = await this.bspkit.call('scene', flags, 0);
    if (number !== this.turnNumber) return;
    this.began = performance.now() / 1000;
    this.lit = 0;
    this.show(new World(full, this.options.smooth));
    this.waiting = this.arriving;
    this.arriving = [];
  }

  private show(world: World): void {
    this.stage.setWorld(world);
    this.quality.begin(world.data.faces.length);
    for (const listener of this.listeners) listener.shown?.(world);
  }

  private async loadSky(): Promise<void> {
    const sky = await this.bspkit.call('sky');
    const mine = this.arriving;
    this.arriving = [];
    const made = new Sky(sky, mine);
    const fog = this.stage.world?.data.info.fog;
    if (fog) made.setFog(fog.color, fog.onSky);
    this.stage.setSky(made);
  }

  private startView(info: MapInfo): void {
    if (this.followLink()) return;
    this.pose = { eye: info.from, yaw: info.angles[1], pitch: info.angles[0], fov: this.pose.fov, plan: null };
    void this.setMode('fly');
  }

  /** Takes the view that the page's address says, if it is one of this map. */
  followLink(): boolean {
    const link = readLink(location.hash);
    if (!this.info || !link || (link.map !== '' && link.map !== this.info.name)) return false;
    this.pose = link.pose;
    // Who walks may fall: the picture is the same only while the eye stays.
    void this.setMode(link.mode === 'walk' ? 'fly' : link.mode);
    return true;
  }

  /** What to say of a link that was made with another file of the same name. */
  private linkNote(info: MapInfo): string[] {
    const link = readLink(location.hash);
    const other = link && link.map === info.name && link.size > 0 && link.size !== info.size;
    return other ? [`The link was made with another file of this name, of ${link.size.toLocaleString('en')} bytes.`] : [];
  }

  // --- the eye ------------------------------------------------------------------------------------

  async setMode(mode: Mode): Promise<void> {
    const world = this.stage.world;
    if (mode === 'walk') {
      const state = await this.attempt(() => this.bspkit.call('walkFrom', this.pose.eye));
      if (!state) return this.aimed();
      this.walking = state;
    }
    if (mode === 'plan' && world && !this.pose.plan) {
      const { mins, maxs } = world.data.info;
      this.pose.plan = { units: Math.max(maxs[0] - mins[0], maxs[1] - mins[1], 64), cut: maxs[2] + 1 };
    } else if (mode !== 'plan') {
      this.pose.plan = null;
    }
    if (mode === 'orbit' && world) {
      const hit = world.pick(new THREE.Vector3(...this.pose.eye), this.rayAt(0, 0));
      const { mins, maxs } = world.data.info;
      this.target = hit
        ? (this.pose.eye.map((v, i) => v + this.rayAt(0, 0).getComponent(i) * hit.distance) as Vec3)
        : (mins.map((v, i) => (v + (maxs[i] ?? 0)) / 2) as Vec3);
    }
    this.mode = mode;
    this.aimed();
  }

  private aimed(): void {
    for (const listener of this.listeners) listener.aimed?.();
  }

  flyTo(place: Vec3, distance = 160): void {
    this.pose = lookAt(place, distance, this.pose);
    this.target = place;
    if (this.mode !== 'orbit') void this.setMode('fly');
    else this.aimed();
    this.marks.select(place);
  }

  stand(eye: Vec3, angles: Vec3): void {
    this.pose = { ...this.pose, eye, pitch: angles[0], yaw: angles[1], plan: null };
    void this.setMode(this.mode === 'walk' ? 'walk' : 'fly');
  }

  link(): string {
    const { name = '', size = 0 } = this.info ?? {};
    return writeLink({ map: name, size, pose: this.pose, mode: this.mode });
  }

  /** The direction through a point of the picture, -1..1 from its middle. */
  rayAt(x: number, y: number): THREE.Vector3 {
    const point = new THREE.Vector3(x, y, 0.5).unproject(this.stage.camera);
    return point.sub(new THREE.Vector3(...this.pose.eye)).normalize();
  }

  // --- pointing -----------------------------------------------------------------------------------

  private point(x: number, y: number): void {
    const { width, height } = this.canvas.getBoundingClientRect();
    this.pickAt((2 * x) / width - 1, 1 - (2 * y) / height);
  }

  pickAt(x: number, y: number): void {
    const world = this.stage.world;
    if (!world) return;
    const plan = this.pose.plan;
    const aspect = this.stage.camera.aspect;
    const from = plan
      ? new THREE.Vector3(
          this.pose.eye[0] + (x * plan.units * aspect) / 2,
          this.pose.eye[1] + (y * plan.units) / 2,
          plan.cut,
        )
      : new THREE.Vector3(...this.pose.eye);
    const direction = plan ? new THREE.Vector3(0, 0, -1) : this.rayAt(x, y);
    const hit = world.pick(from, direction);
    const point = this.marks.entityAt(new THREE.Ray(from, direction), this.reach(), hit?.distance ?? Infinity);
    if (point !== null) {
      for (const listener of this.listeners) listener.pickedEntity?.(point);
      return;
    }
    if (!hit) {
      this.say('Nothing is drawn there.');
      return;
    }
    const at = from.addScaledVector(direction, hit.distance).toArray() as Vec3;
    for (const listener of this.listeners) listener.picked?.(hit, at);
  }

  /** How far from a ray a point may lie that is meant: units, and units for each unit of distance. */
  private reach(): { near: number; slope: number } {
    const across = Math.max(1, this.canvas.clientWidth);
    const { plan, fov } = this.pose;
    if (plan) return { near: (POINTED * plan.units) / Math.max(1, this.canvas.clientHeight), slope: 0 };
    return { near: 0, slope: (POINTED * 2 * Math.tan((fov * Math.PI) / 360)) / across };
  }

  // --- the loop -----------------------------------------------------------------------------------

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const seconds = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    this.fit();
    this.takePictures();
    const motion = this.hands.read(seconds);
    this.moveEye(motion, seconds);
    this.animateLight();
    const time = this.options.animate ? this.time() : 0;
    if (!this.stage.world || !this.pacing.wants(this.key(time), now)) return;
    this.stage.draw(this.pose, time);
    this.pacing.drawn(now);
  }

  /** All that a frame shows depends on. */
  private key(time: number): string {
    const { stage, marks, canvas, pose } = this;
    return [stage.version, marks.version, stage.moves ? time : 0, canvas.width, canvas.height, JSON.stringify(pose)].join();
  }

  /** Mouse moves turn the view until Escape. */
  lockMouse(): void {
    void this.attempt(() => this.hands.lock());
  }

  time(): number {
    return performance.now() / 1000 - this.began;
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = devicePixelRatio * this.options.scale * this.quality.scale;
    if (
      this.canvas.width !== Math.floor(clientWidth * ratio) ||
      this.canvas.height !== Math.floor(clientHeight * ratio)
    ) {
      this.stage.resize(clientWidth, clientHeight, ratio);
    }
  }

  private takePictures(): void {
    const { world } = this.stage;
    const end = performance.now() + PICTURES_A_FRAME;
    while (world && this.waiting.length > 0 && performance.now() < end) {
      const picture = this.waiting.shift() as Picture;
      world.take(picture);
    }
  }

  /** How many pictures have not been taken yet. */
  get pending(): number {
    return this.waiting.length;
  }

  private moveEye(motion: Motion, seconds: number): void {
    if (this.mode === 'walk') this.step(motion, seconds);
    else if (this.mode === 'orbit') orbit(this.pose, this.target, motion, this.options.speed, seconds);
    else if (this.mode === 'plan') overPlan(this.pose, motion, seconds);
    else fly(this.pose, motion, this.options.speed, seconds);
  }

  /** One step at a time is with the worker; what passes meanwhile is in the next one. */
  private owed = 0;

  private step(motion: Motion, seconds: number): void {
    turn(this.pose, motion);
    this.owed += seconds;
    if (this.stepping) return;
    const { forward, side, up, jump, crouch } = motion;
    const clamp = (value: number): number => Math.max(-1, Math.min(1, value));
    const input = {
      forward: clamp(forward),
      side: clamp(side),
      up: clamp(up),
      jump,
      crouch,
      yaw: this.pose.yaw,
      pitch: this.pose.pitch,
      seconds: this.owed,
    };
    this.owed = 0;
    this.stepping = true;
    void this.attempt(() => this.bspkit.call('walk', input)).then((state) => {
      this.stepping = false;
      if (!state || this.mode !== 'walk') return;
      this.walking = state;
      this.pose.eye = state.eye;
      this.catchFall();
    });
  }

  /** Who left the map through a hole flies on. */
  private catchFall(): void {
    const lowest = this.stage.world?.data.info.mins[2] ?? -Infinity;
    if (this.pose.eye[2] > lowest - DEEP) return;
    this.say('You fell out of the map, and fly now. Go back to a place to stand at in the panel View.');
    void this.setMode('fly');
  }

  private animateLight(): void {
    const world = this.stage.world;
    if (!world || world.data.info.styles.length === 0 || !this.options.animate || this.busy) return;
    const now = Math.floor(this.time() / LIGHT_STEP) * LIGHT_STEP;
    if (now === this.lit) return;
    this.lit = now;
    this.busy = true;
    void this.showLight(world, now)
      .catch(() => (this.options.animate = false))
      .finally(() => (this.busy = false));
  }

  private async showLight(world: World, time: number): Promise<void> {
    const rows = await this.bspkit.call('light', time);
    if (world === this.stage.world) world.relight(rows);
  }

  /** Sets how bright a style of light is; null: as the map has it. */
  async setStyle(number: number, value: number | null): Promise<void> {
    const { world } = this.stage;
    await this.attempt(async () => {
      await this.bspkit.call('style', number, value);
      if (world) await this.showLight(world, this.options.animate ? this.time() : 0);
    });
  }
}
