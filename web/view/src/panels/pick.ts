// SPDX-License-Identifier: MIT
// What was pointed at: the face, the brush, the entity or the prop, with all that the records say.
import type { App } from '../app';
import type { EntityInfo, Vec3 } from '../protocol';
import type { RayHit } from '../scene/world';
import { button, facts, h } from '../ui/dom';
import type { Panel } from '../ui/tabs';
import { valueOf } from './view';

const TARGETS = /^(target\d*|killtarget|pathtarget|combattarget|parentname|master|message_target)$/i;

/** The names that an entity's keys and outputs mean. */
export function targetsOf(entity: EntityInfo): string[] {
  return entity.pairs.flatMap(([key, value]) => {
    if (TARGETS.test(key)) return [value];
    // Outputs of Source: target, input, parameter, delay, times, with commas or ESC between them.
    const parts = value.split(/[,\u001b]/);
    return /^on[a-z]/i.test(key) && parts.length >= 5 ? [parts[0] ?? ''] : [];
  });
}

export function namesOf(entity: EntityInfo): string[] {
  return entity.pairs.flatMap(([key, value]) => (/^(targetname|name)$/i.test(key) ? [value] : []));
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? value.join(' ') : value === null ? 'none' : String(value);

export class PickPanel implements Panel {
  readonly title = 'Pick';
  readonly element = h('div', {}, h('p', { text: 'Click something in the picture, or press Enter to take what is in its middle.' }));
  private first: Vec3 | null = null;
  private measuring = false;

  constructor(
    private readonly app: App,
    private readonly toRecord: (lump: string, record: number) => void,
    private readonly show: () => void,
    private readonly edit: (entity: number) => void,
  ) {
    app.listen({
      picked: (hit, at) => void this.take(hit, at),
      pickedEntity: (number) => this.takeEntity(number),
      opened: () => this.clear(),
    });
  }

  private clear(): void {
    this.app.marks.forget();
    this.element.replaceChildren(h('p', { text: 'Click something in the picture.' }), this.measureButton());
  }

  private measureButton(): HTMLElement {
    return button(this.measuring ? 'Now click the second place' : 'Measure from here', () => {
      this.measuring = true;
      this.app.say('Click the place to measure to.');
    });
  }

  private async take(hit: RayHit, at: Vec3): Promise<void> {
    const { app } = this;
    if (this.measuring && this.first) return this.measure(this.first, at);
    this.first = at;
    app.marks.select(at);
    const world = app.stage.world;
    if (!world) return;
    const { face, instance, prop } = hit.owner;
    const same = prop !== null ? world.triangles((one) => one.prop === prop) : world.triangles((one) => one.face === face && one.instance === instance);
    app.marks.chosen(same);
    const sections = await app.attempt(() => this.describe(hit, at));
    if (!sections) return;
    this.element.replaceChildren(...sections, this.measureButton());
    this.show();
  }

  /** An entity whose point was pointed at, or that was found. */
  takeEntity(number: number): void {
    const at = this.app.entities[number]?.at ?? null;
    if (at && this.measuring && this.first) return void this.measure(this.first, at);
    this.first = at ?? this.first;
    this.app.marks.select(at);
    this.app.marks.chosen(null);
    this.element.replaceChildren(this.entity(number), ...(at ? [this.measureButton()] : []));
    this.show();
  }

  private async describe(hit: RayHit, at: Vec3): Promise<HTMLElement[]> {
    const { app } = this;
    const info = app.stage.world?.data.info;
    const { face, instance, prop, batch } = hit.owner;
    const sections: HTMLElement[] = [
      facts([
        ['Place', at.map((value) => value.toFixed(1)).join(' ')],
        ['Distance', `${hit.distance.toFixed(1)} units`],
        ['Material', info?.materials[batch.material]?.name || 'none'],
      ]),
    ];
    if (face !== null) sections.push(await this.face(face));
    const entity = prop !== null ? this.propEntity(prop) : info?.instances[instance ?? -1]?.entity ?? null;
    if (prop !== null) sections.push(this.prop(prop));
    if (entity !== null && entity !== undefined) sections.push(this.entity(entity));
    sections.push(await this.brush(at), await this.place(at));
    return sections;
  }

  private async face(number: number): Promise<HTMLElement> {
    const { lump, ...face } = await this.app.bspkit.call('face', number);
    return h(
      'section',
      {},
      h('h3', { text: `Face ${number}` }),
      facts(Object.entries(face).map(([key, value]) => [key, shown(value)])),
      button(`Go to its record in ${lump}`, () => this.toRecord(lump, number)),
    );
  }

  private propEntity(prop: number): number | null {
    const one = this.app.stage.world?.data.info.props[prop];
    return one?.kind === 0 ? one.number : null;
  }

  private prop(number: number): HTMLElement {
    const prop = this.app.stage.world?.data.info.props[number];
    const kinds = ['of an entity', 'static', 'detail'];
    return h(
      'section',
      {},
      h('h3', { text: `Prop (${kinds[prop?.kind ?? 0]} ${prop?.number ?? ''})` }),
      facts([
        ['model', prop?.model ?? ''],
        ['origin', shown(prop?.origin)],
      ]),
    );
  }

  /** An entity, and arrows to those that it means and from those that mean it. */
  entity(number: number): HTMLElement {
    const { app } = this;
    const entity = app.entities[number];
    if (!entity) return h('p', { text: `There is no entity ${number}.` });
    const wanted = new Set(targetsOf(entity).map((name) => name.toLowerCase()));
    const mine = new Set(namesOf(entity).map((name) => name.toLowerCase()));
    const linked = app.entities.flatMap((other, n) => {
      const to = namesOf(other).some((name) => wanted.has(name.toLowerCase()));
      const from = targetsOf(other).some((name) => mine.has(name.toLowerCase()));
      return to || from ? [{ n, other, to }] : [];
    });
    const here = entity.at;
    app.marks.arrows(
      linked.flatMap(({ other, to }) => {
        if (!here || !other.at) return [];
        const pair: [Vec3, Vec3] = to ? [here, other.at] : [other.at, here];
        return [pair];
      }),
    );
    const section = h(
      'section',
      {},
      h('h3', { text: `Entity ${number}: ${valueOf(entity, 'classname') ?? ''}` }),
      facts(entity.pairs),
      button('Change it', () => this.edit(number)),
    );
    for (const { n, other, to } of linked) {
      section.append(
        button(`${to ? 'means' : 'is meant by'} ${valueOf(other, 'classname')} (entity ${n})`, () => {
          if (other.at) app.flyTo(other.at);
          this.takeEntity(n);
        }),
      );
    }
    return section;
  }

  /** The solid brush at a place: what a short trace into it hits. */
  private async brush(at: Vec3): Promise<HTMLElement> {
    const { bspkit, pose } = this.app;
    const beyond = at.map((value, i) => value + (value - (pose.eye[i] ?? 0)) * 0.01) as Vec3;
    const hit = await bspkit.call('trace', pose.eye, beyond).catch(() => null);
    if (!hit || hit.brush === null) return h('p', { text: 'No brush stops a trace here.' });
    const brush = await bspkit.call('brush', hit.brush);
    return h(
      'section',
      {},
      h('h3', { text: `Brush ${hit.brush}` }),
      facts(Object.entries(brush).map(([key, value]) => [key, shown(value)])),
      button('Go to its record', () => this.toRecord('BRUSHES', hit.brush ?? 0)),
    );
  }

  private async place(at: Vec3): Promise<HTMLElement> {
    const { bspkit, pose } = this.app;
    const before = at.map((value, i) => value + ((pose.eye[i] ?? 0) - value) * 0.01) as Vec3;
    const place = await bspkit.call('place', before);
    return h(
      'section',
      {},
      h('h3', { text: 'The space before it' }),
      facts(Object.entries(place).map(([key, value]) => [key, shown(value)])),
    );
  }

  private async measure(from: Vec3, to: Vec3): Promise<void> {
    this.measuring = false;
    const seen = await this.app.attempt(() => this.app.bspkit.call('sight', from, to));
    const way = to.map((value, i) => value - (from[i] ?? 0));
    this.app.marks.measure(from, to, seen ?? false);
    const text = `${Math.hypot(...way).toFixed(1)} units (${way.map((v) => v.toFixed(1)).join(', ')}); ${
      seen ? 'nothing stands between them' : 'something stands between them'
    }.`;
    this.app.say(text);
    this.element.replaceChildren(h('p', { text }), this.measureButton());
    this.show();
  }
}
