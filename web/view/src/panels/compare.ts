// SPDX-License-Identifier: MIT
// What another map has that this one has not, and the other way round.
import type { App } from '../app';
import { picked } from '../files/given';
import type { Difference } from '../protocol';
import { field, h } from '../ui/dom';
import { Table } from '../ui/table';
import type { Panel } from '../ui/tabs';

const CHANGED = 0xffa030;
const OTHER = 0x505860;

export class ComparePanel implements Panel {
  readonly title = 'Compare';
  readonly element: HTMLElement;
  private readonly results = h('div', { class: 'results' });
  private readonly summary = h('p', { role: 'status' });

  constructor(
    private readonly app: App,
    private readonly toRecord: (lump: string, record: number) => void,
  ) {
    const file = h('input', { type: 'file', accept: '.bsp' });
    file.addEventListener('change', () => void this.compare(file));
    this.element = h('div', { class: 'fill' }, field('With the map', file), this.summary, this.results);
  }

  private async compare(input: HTMLInputElement): Promise<void> {
    const [other] = picked(input.files);
    if (!other) return;
    const list = await this.app.attempt(() => this.app.bspkit.call('compare', other));
    if (!list) return;
    const count = (kind: Difference['kind']): number => list.filter((one) => one.kind === kind).length;
    this.summary.textContent =
      list.length === 0
        ? 'Both maps say the same.'
        : `${count('changed')} changed, ${count('added')} added, ${count('removed')} removed. Faces that changed are orange.`;
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
        choose: (row) => {
          const one = list[row];
          if (one && one.record !== null && one.lump) this.toRecord(one.lump, one.record);
        },
      },
      'Differences',
    );
    this.results.replaceChildren(table.element);
  }

  private color(list: Difference[]): void {
    const world = this.app.stage.world;
    const faces = new Set(list.flatMap((one) => (/^(faces|surfaces)$/i.test(one.lump) && one.record !== null ? [one.record] : [])));
    if (!world || faces.size === 0) return;
    world.tint(({ face }) => (face !== null && faces.has(face) ? CHANGED : OTHER));
    world.shared.look.value = 3;
  }
}
