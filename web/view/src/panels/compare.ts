// SPDX-License-Identifier: MIT
// What another map has that this one has not, and the other way round.
import type { App } from '../app';
import { picked } from '../files/given';
import type { Difference, GivenFile } from '../protocol';
import { field, h } from '../ui/dom';
import { Table } from '../ui/table';
import type { Panel } from '../ui/tabs';

const COLORS = { changed: 0xffa030, removed: 0xff4040 } as const;
const OTHER = 0x505860;

export class ComparePanel implements Panel {
  readonly title = 'Compare';
  readonly element: HTMLElement;
  private readonly results = h('div', { class: 'results' });
  private readonly summary = h('p', { role: 'status' });

  constructor(
    private readonly app: App,
    private readonly toEntity: (number: number) => void,
    private readonly toRecord: (lump: string, record: number) => void,
  ) {
    const file = h('input', { type: 'file', accept: '.bsp,.gz,.bz2' });
    file.addEventListener('change', () => {
      const [other] = picked(file);
      if (other) void this.compare(other);
    });
    app.listen({ opened: () => this.clear() });
    this.element = h('div', { class: 'fill' }, field('With the map', file), this.summary, this.results);
  }

  /** Forgets what was compared with another map. */
  private clear(): void {
    this.summary.textContent = '';
    this.results.replaceChildren();
    this.app.marks.points('compared', [], COLORS.changed);
  }

  private async compare(other: GivenFile): Promise<void> {
    if (!this.app.info) return this.app.say('Open a map first, and then the one to compare it with.', true);
    const list = await this.app.attempt(() => this.app.bspkit.call('compare', other));
    if (!list) return;
    const count = (kind: Difference['kind']): number => list.filter((one) => one.kind === kind).length;
    this.summary.textContent =
      list.length === 0
        ? `${other.path} says the same as this map.`
        : `Beside ${other.path}: ${count('changed')} changed, ${count('added')} added, ${count('removed')} removed. In the picture: faces that changed are orange, those that the other map does not have are red, and entities of which this is true are points.`;
    this.color(list);
    const table = new Table(
      {
        columns: ['kind', 'what', 'name', 'before', 'after'],
        count: list.length,
        rows: async (first, some) =>
          list.slice(first, first + some).map((one) => [
            one.kind,
            `${one.lump || one.part}${one.record === null ? '' : `[${one.record}]`}${one.field ? `.${one.field}` : ''}`,
            one.name,
            one.before,
            one.after,
          ]),
        classOf: (row) => list[row]?.kind ?? '',
        choose: (row) => this.go(list[row]),
      },
      'Differences',
    );
    this.results.replaceChildren(table.element);
  }

  private go(one: Difference | undefined): void {
    if (!one || one.record === null) {
      this.app.say('This difference is of the file as a whole.');
    } else if (one.kind === 'added') {
      this.app.say('Only the other map has it: open that one to see it.');
    } else if (one.part === 'entities') {
      const at = this.app.entities[one.record]?.at;
      if (at) this.app.flyTo(at);
      this.toEntity(one.record);
    } else if (one.lump) {
      this.toRecord(one.lump, one.record);
    }
  }

  private color(list: Difference[]): void {
    const { stage, marks, entities } = this.app;
    const faces = new Map(
      list.flatMap((one) => (/^(faces|surfaces)$/i.test(one.lump) && one.record !== null && one.kind !== 'added' ? [[one.record, one.kind] as const] : [])),
    );
    const changed = list.flatMap(({ part, kind, record }) => {
      const at = part === 'entities' && kind !== 'added' && record !== null ? entities[record]?.at : null;
      return at && record !== null ? [{ number: record, at }] : [];
    });
    marks.points('compared', changed, COLORS.changed);
    if (!stage.world || faces.size === 0) return;
    stage.world.tint(({ face }) => {
      const kind = face === null ? undefined : faces.get(face);
      return kind ? COLORS[kind] : OTHER;
    });
    stage.world.setLook(3);
  }
}
