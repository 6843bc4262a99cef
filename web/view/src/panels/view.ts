// SPDX-License-Identifier: MIT
// How the map is shown: cameras, looks, places to stand.
import type { App } from '../app';
import type { Mode } from '../camera/pose';
import type { EntityInfo, Hull, Vec3 } from '../protocol';
import { NONE } from '../scene/layout';
import { BRUSH, HULL, NAV, PORTAL } from '../scene/marks';
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

const LOOK_NUMBERS: Record<Look, number> = { game: 0, bright: 1, light: 2, material: 3, leaf: 3, area: 3, visible: 3, sound: 3, flags: 3 };
const OFTEN = 500; // milliseconds from one look at what is seen from here to the next

/** What is shown beside the map, as long as its box is checked. */
interface Extra {
  box: HTMLInputElement;
  /** Whether it is of the triangles, so that it is done again with others. */
  ofWorld: boolean;
  /** Whether it depends on where the eye is. */
  fromHere: boolean;
  run(on: boolean): void;
}

export class ViewPanel implements Panel {
  readonly title = 'View';
  readonly element: HTMLElement;
  private readonly places = h('select');
  private readonly modes: HTMLSelectElement;
  private readonly fov: HTMLInputElement;
  private readonly extras: Extra[] = [];
  private readonly hulls = h('select');
  private readonly hullField = field('Clip hull', this.hulls);
  private readonly styles = h('div');
  private look: Look = 'game';
  private cluster: number | null = null;

  constructor(private readonly app: App) {
    this.modes = select(MODES, app.mode, (mode) => void app.setMode(mode).then(() => this.sync()));
    const looks = select(LOOKS, 'game', (look) => {
      this.look = look;
      void this.showLook();
    });
    const speed = slider({ min: 50, max: 3000, step: 50, value: app.options.speed }, (value) => {
      app.options.speed = value;
    });
    this.fov = slider({ min: 30, max: 140, step: 1, value: app.pose.fov }, (value) => {
      app.pose.fov = value;
    });
    this.element = h(
      'div',
      {},
      field('Camera', this.modes),
      field('Look', looks),
      field('Field of view', this.fov),
      field('Speed', speed),
      field('Stand at', this.places),
      button('Go there', () => this.goToPlace()),
      button('Mouse turns the view (Escape ends)', () => app.lockMouse()),
      this.hullField,
      this.checks(),
      this.styles,
    );
    this.hulls.addEventListener('change', () => void this.hull());
    app.listen({ opened: () => this.opened(), shown: () => this.again(), aimed: () => this.sync() });
    setInterval(() => void this.follow(), OFTEN);
  }

  private checks(): HTMLElement {
    const { app } = this;
    return h(
      'fieldset',
      {},
      h('legend', { text: 'Also show' }),
      this.extra('Edges of triangles', (on) => app.stage.world?.setWire(on), { ofWorld: true }),
      this.extra('Luxels as squares', (on) => app.stage.world?.setSquares(on), { ofWorld: true }),
      this.extra('Triggers and tool textures', (on) => void this.tools(on), { ofWorld: true }),
      this.extra('Sliding doors open', (on) => void this.doors(on), { ofWorld: true }),
      this.extra('Clip brushes', (on) => void this.brushes('clip', on, ['playerclip', 'monsterclip'])),
      this.extra('All solid brushes', (on) => void this.brushes('solid', on, ['solid', 'window', 'grate'])),
      this.extra('Portals seen from here', (on) => void this.portals(on), { fromHere: true }),
      this.extra('Navigation mesh (.nav)', (on) => void this.nav(on)),
      this.extra('Lights', (on) => this.points('lights', on, LIGHT, 0xffff60)),
      this.extra('Entities', (on) => this.points('entities', on, /./, 0x60ff60)),
      checkbox('Moving light, water and sky', true, (on) => (app.options.animate = on)),
      checkbox('Buttons to move', false, (on) => document.body.classList.toggle('buttons', on)),
    );
  }

  private extra(label: string, run: (on: boolean) => void, { ofWorld = false, fromHere = false } = {}): HTMLElement {
    const element = checkbox(label, false, run);
    const box = element.querySelector('input');
    if (box) this.extras.push({ box, ofWorld, fromHere, run });
    return element;
  }

  /** Shows the camera that is used. */
  private sync(): void {
    this.modes.value = this.app.mode;
    this.fov.value = String(this.app.pose.fov);
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
    this.showStyles();
    this.listHulls();
    // Lines and points of the map before are taken away, too.
    for (const { box, ofWorld, run } of this.extras) if (!ofWorld) run(box.checked);
  }

  /** A switch for each style of light, with the names of the lights that have it. */
  private showStyles(): void {
    const { app } = this;
    const numbers = app.stage.world?.data.info.styles ?? [];
    const nameOf = (style: number): string => {
      const mine = app.entities.filter((entity) => LIGHT.test(valueOf(entity, 'classname') ?? '') && Number(valueOf(entity, 'style')) === style);
      const names = [...new Set(mine.flatMap((entity) => valueOf(entity, 'targetname') ?? []))];
      return `Style ${style}${names.length > 0 ? `: ${names.slice(0, 3).join(', ')}` : ''}`;
    };
    const choices = [['map', 'as in the game'], ['1', 'on'], ['0', 'off']] as const;
    const fields = numbers.map((style) =>
      field(nameOf(style), select(choices, 'map', (value) => void app.setStyle(style, value === 'map' ? null : Number(value)))),
    );
    this.styles.replaceChildren(...(fields.length > 0 ? [h('details', {}, h('summary', { text: 'Styles of light' }), ...fields)] : []));
  }

  /** Other triangles look as those before. */
  private again(): void {
    const { world } = this.app.stage;
    const [wire, squares, tools] = this.extras.filter(({ ofWorld }) => ofWorld);
    if (wire?.box.checked) world?.setWire(true);
    if (squares?.box.checked) world?.setSquares(true);
    if (tools?.box.checked) world?.showTools(true);
    if (this.look !== 'game') void this.showLook();
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
  }

  /** What is seen from here is another when the eye comes to another cluster. */
  private async follow(): Promise<void> {
    const { app } = this;
    const extras = this.extras.filter(({ fromHere, box }) => fromHere && box.checked);
    if (!app.info || (extras.length === 0 && this.look !== 'visible')) return;
    const place = await app.bspkit.call('place', app.pose.eye).catch(() => null);
    if (!place || place.cluster === this.cluster) return;
    this.cluster = place.cluster;
    for (const { run } of extras) run(true);
    if (this.look === 'visible') void this.showLook();
  }

  private async showLook(): Promise<void> {
    const { look } = this;
    const world = this.app.stage.world;
    if (!world) return;
    const colors = await this.app.attempt(() => this.colors(look));
    if (look !== this.look) return;
    world.tint(colors ?? null);
    world.setLook(LOOK_NUMBERS[look]);
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
    this.app.options.hidden = on;
    if (on && this.app.info) await this.app.attempt(() => this.app.refresh());
    this.app.stage.world?.showTools(on);
  }

  private async doors(on: boolean): Promise<void> {
    this.app.options.open = on;
    if (this.app.info) await this.app.attempt(() => this.app.refresh());
  }

  private async brushes(name: string, on: boolean, contents: string[]): Promise<void> {
    const lines = on && this.app.info ? await this.app.attempt(() => this.app.bspkit.call('brushLines', contents)) : null;
    if (lines?.length === 0) {
      const keeps = this.app.info?.contentsNumbers ? 'Maps of this game keep no brushes, but a tree of planes for each size of a body: see Clip hull.' : '';
      this.app.say(`${keeps} There are no brushes of this kind (${contents.join(', ')}).`.trim());
    }
    this.app.marks.lines(`${name} brushes`, lines, BRUSH);
  }

  /** The hulls of a game whose maps have a tree of planes for each size of a body. */
  private listHulls(): void {
    const hulls = this.app.info?.hulls ?? [];
    const size = ({ mins, maxs }: Hull): string => mins.map((low, i) => (maxs[i] ?? 0) - low).join(' × ');
    this.hullField.hidden = hulls.length < 2;
    this.hulls.replaceChildren(
      h('option', { value: 0, text: 'none' }),
      ...hulls.slice(1).map((hull, n) => h('option', { value: n + 1, text: `${n + 1}: of a body of ${size(hull)}` })),
    );
    void this.hull();
  }

  /** Shows where the middle of a body of this size cannot be. */
  private async hull(): Promise<void> {
    const number = Number(this.hulls.value);
    const hull = number > 0 ? await this.app.attempt(() => this.app.bspkit.call('hull', number)) : null;
    if (hull?.triangles.length === 0) this.app.say(`The map was compiled without hull ${number}.`);
    if (number === Number(this.hulls.value)) this.app.marks.surface('hull', hull?.triangles ?? null, hull?.edges ?? null, HULL);
  }

  private async portals(on: boolean): Promise<void> {
    const { bspkit, pose, marks, info } = this.app;
    const lines = on && info ? await this.app.attempt(() => bspkit.call('portalLines', pose.eye)) : null;
    if (lines?.length === 0) this.app.say('No portal is seen from here.');
    marks.lines('portals', lines, PORTAL);
  }

  private async nav(on: boolean): Promise<void> {
    const { bspkit, marks, info } = this.app;
    marks.lines('nav', on && info ? await this.app.attempt(() => bspkit.call('navLines')) : null, NAV);
  }

  private points(name: string, on: boolean, classes: RegExp, color: number): void {
    const places = this.app.entities.flatMap((entity, number) =>
      on && entity.at && classes.test(valueOf(entity, 'classname') ?? '') ? [{ number, at: entity.at }] : [],
    );
    this.app.marks.points(name, places, color);
  }
}
