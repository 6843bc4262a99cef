// SPDX-License-Identifier: MIT
// How the map is shown: cameras, looks, places to stand.
import type { App } from '../app';
import type { Mode } from '../camera/pose';
import { BuildFlags, type EntityInfo, type Vec3 } from '../protocol';
import { NONE } from '../scene/layout';
import { BRUSH, NAV, PORTAL } from '../scene/marks';
import type { Owner } from '../scene/world';
import { button, checkbox, field, h, select, slider } from '../ui/dom';
import type { Panel } from '../ui/tabs';

type Look = 'game' | 'bright' | 'light' | 'material' | 'leaf' | 'area' | 'visible' | 'sound' | 'flags';

const LOOKS: readonly (readonly [Look, string])[] = [
  ['game', 'As in the game'],
  ['bright', 'Full bright'],
  ['light', 'Light only'],
  ['material', 'By material'],
  ['leaf', 'By leaf'],
  ['area', 'By area'],
  ['visible', 'Visible from here'],
  ['sound', 'By sound level (Quake, GoldSrc)'],
  ['flags', 'By leaf flags (Source)'],
];

const MODES: readonly (readonly [Mode, string])[] = [
  ['fly', 'Fly'],
  ['walk', 'Walk'],
  ['orbit', 'Around a point'],
  ['plan', 'Plan from above'],
];

/** A colour for a number: neighbours differ. */
function colorOf(number: number): number {
  const hue = (number * 0.618034) % 1;
  const channel = (shift: number): number =>
    Math.round(255 * (0.35 + 0.65 * Math.min(1, Math.max(0, Math.abs(((hue + shift) % 1) * 6 - 3) - 1))));
  return (channel(0) << 16) | (channel(1 / 3) << 8) | channel(2 / 3);
}

/** Grey where nothing is heard, brighter red with the level, 0 to 255. */
function loudness(level: number): number {
  return level === 0 ? 0x606060 : ((96 + Math.round(level * 0.62)) << 16) | 0x3030;
}

const SEEN = 0x60d060;
const UNSEEN = 0x803030;
const START = /^(info_player|info_coop|info_spawnpoint|info_vip)/i;
const CAMERA = /camera|info_intermission|sky_camera/i;
const LIGHT = /^light/i;

export function valueOf(entity: EntityInfo, key: string): string | undefined {
  return entity.pairs.find(([name]) => name.toLowerCase() === key)?.[1];
}

export class ViewPanel implements Panel {
  readonly title = 'View';
  readonly element: HTMLElement;
  private readonly places = h('select');
  private readonly modes: HTMLSelectElement;

  constructor(private readonly app: App) {
    this.modes = select(MODES, app.mode, (mode) => void app.setMode(mode).then(() => this.sync()));
    const looks = select(LOOKS, 'game', (look) => void this.look(look));
    const speed = slider({ min: 50, max: 3000, step: 50, value: app.options.speed }, (value) => {
      app.options.speed = value;
    });
    const fov = slider({ min: 30, max: 140, step: 1, value: app.pose.fov }, (value) => {
      app.pose.fov = value;
    });
    this.element = h(
      'div',
      {},
      field('Camera', this.modes),
      field('Look', looks),
      field('Field of view', fov),
      field('Speed', speed),
      field('Stand at', this.places),
      button('Go there', () => this.goToPlace()),
      button('Mouse turns the view (Escape ends)', () => document.querySelector('canvas')?.requestPointerLock()),
      this.checks(),
    );
    app.listen({ opened: () => this.opened() });
  }

  private checks(): HTMLElement {
    const { app } = this;
    return h(
      'fieldset',
      {},
      h('legend', { text: 'Also show' }),
      checkbox('Edges of triangles', false, (on) => app.stage.world?.setWire(on)),
      checkbox('Triggers and tool textures', false, (on) => void this.tools(on)),
      checkbox('Clip brushes', false, (on) => void this.brushes(on, ['playerclip', 'monsterclip'])),
      checkbox('All solid brushes (hulls)', false, (on) => void this.brushes(on, ['solid', 'window', 'grate'])),
      checkbox('Portals seen from here', false, (on) => void this.portals(on)),
      checkbox('Navigation mesh (.nav)', false, (on) => void this.nav(on)),
      checkbox('Lights', false, (on) => this.points('lights', on, LIGHT, 0xffff60)),
      checkbox('Entities', false, (on) => this.points('entities', on, /./, 0x60ff60)),
      checkbox('Moving light and water', true, (on) => (app.options.animate = on)),
    );
  }

  /** Shows the camera that is used. */
  sync(): void {
    this.modes.value = this.app.mode;
  }

  private opened(): void {
    this.sync();
    const list = this.app.entities.flatMap((entity, n) => {
      const name = valueOf(entity, 'classname') ?? '';
      return entity.at && (START.test(name) || CAMERA.test(name)) ? [{ n, name }] : [];
    });
    this.places.replaceChildren(
      h('option', { value: '', text: 'where the map begins' }),
      ...list.map(({ n, name }) => h('option', { value: n, text: `${name} (entity ${n})` })),
    );
  }

  private goToPlace(): void {
    const { app } = this;
    const entity = this.places.value === '' ? undefined : app.entities[Number(this.places.value)];
    if (entity?.at) {
      const at: Vec3 = [entity.at[0], entity.at[1], entity.at[2] + (app.info?.eyeHeight ?? 0)];
      app.stand(at, entity.angles);
    } else if (app.info) {
      app.stand(app.info.from, app.info.angles);
    }
    this.sync();
  }

  private async look(look: Look): Promise<void> {
    const world = this.app.stage.world;
    if (!world) return;
    const number = { game: 0, bright: 1, light: 2, material: 3, leaf: 3, area: 3, visible: 3, sound: 3, flags: 3 }[look];
    const colors = await this.app.attempt(() => this.colors(look));
    world.tint(colors ?? null);
    world.shared.look.value = world.roomShared.look.value = number;
  }

  private async colors(look: Look): Promise<((owner: Owner) => number | null) | null> {
    const { bspkit, pose } = this.app;
    if (look === 'material') return ({ batch }) => colorOf(batch.material);
    const part = ['leaf', 'area', 'sound', 'flags'].indexOf(look);
    if (part >= 0) {
      const words = await bspkit.call('faceLeaves');
      return ({ face }) => {
        const known = face !== null && (words[4 * face] ?? NONE) !== NONE;
        const number = known ? (words[4 * face + part] ?? 0) : 0;
        return !known ? null : look === 'sound' ? loudness(number) : colorOf(number);
      };
    }
    if (look === 'visible') {
      const seen = await bspkit.call('visible', pose.eye);
      return ({ face }) => (face === null ? null : seen[face] ? SEEN : UNSEEN);
    }
    return null;
  }

  private async tools(on: boolean): Promise<void> {
    if (on) await this.app.attempt(() => this.app.refresh(BuildFlags.Hidden));
    this.app.stage.world?.showTools(on);
  }

  private async brushes(on: boolean, names: string[]): Promise<void> {
    const lines = on ? await this.app.attempt(() => this.app.bspkit.call('brushLines', names)) : null;
    if (lines?.length === 0) this.app.say(`This map has no brushes of this kind (${names.join(', ')}).`);
    this.app.marks.lines('brushes', lines, BRUSH);
  }

  private async portals(on: boolean): Promise<void> {
    const { bspkit, pose, marks } = this.app;
    const lines = on ? await this.app.attempt(() => bspkit.call('portalLines', pose.eye)) : null;
    if (lines?.length === 0) this.app.say('No portal is seen from here.');
    marks.lines('portals', lines, PORTAL);
  }

  private async nav(on: boolean): Promise<void> {
    const { bspkit, marks } = this.app;
    marks.lines('nav', on ? await this.app.attempt(() => bspkit.call('navLines')) : null, NAV);
  }

  private points(name: string, on: boolean, classes: RegExp, color: number): void {
    const places = this.app.entities.flatMap((entity) =>
      on && entity.at && classes.test(valueOf(entity, 'classname') ?? '') ? [entity.at] : [],
    );
    this.app.marks.points(name, places, color);
  }
}
