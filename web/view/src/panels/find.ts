// SPDX-License-Identifier: MIT
// Finds entities, textures, models and problems; each is a click to fly to.
import type { App } from '../app';
import type { Problem, Vec3 } from '../protocol';
import { field, h, select } from '../ui/dom';
import { Table } from '../ui/table';
import type { Panel } from '../ui/tabs';
import { valueOf } from './view';

type Kind = 'entities' | 'textures' | 'models' | 'problems';

interface Found {
  cells: string[];
  go(): void;
}

export class FindPanel implements Panel {
  readonly title = 'Find';
  readonly element: HTMLElement;
  private readonly query = h('input', { type: 'search', placeholder: 'a class, key, value, name …' });
  private readonly results = h('div', { class: 'results' });
  private readonly count = h('p', { role: 'status' });
  private kind: Kind = 'entities';
  private problems: Problem[] | null = null;

  constructor(
    private readonly app: App,
    private readonly toEntity: (number: number) => void,
    private readonly toRecord: (lump: string, record: number) => void,
  ) {
    const kinds = select(
      [
        ['entities', 'Entities'],
        ['textures', 'Textures'],
        ['models', 'Models'],
        ['problems', 'Problems of the file'],
      ],
      'entities',
      (kind) => {
        this.kind = kind as Kind;
        void this.find();
      },
    );
    this.query.addEventListener('input', () => void this.find());
    this.element = h('div', { class: 'fill' }, field('What', kinds), field('With', this.query), this.count, this.results);
    app.listen({
      opened: () => {
        this.problems = null;
        void this.find();
      },
    });
  }

  shown(): void {
    if (this.app.info) void this.find();
  }

  private async find(): Promise<void> {
    const found = await this.app.attempt(() => this.search());
    if (!found) return;
    const words = this.query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const mine = found.filter(({ cells }) => {
      const text = cells.join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const columns = { entities: ['class', 'name', 'keys'], textures: ['name', 'size', 'state'], models: ['model', 'what'], problems: ['severity', 'where', 'what'] };
    this.count.textContent = `${mine.length.toLocaleString('en')} of ${found.length.toLocaleString('en')}`;
    const table = new Table(
      {
        columns: columns[this.kind],
        count: mine.length,
        rows: async (first, count) => mine.slice(first, first + count).map(({ cells }) => cells),
        choose: (row) => mine[row]?.go(),
      },
      `Found ${this.kind}`,
    );
    this.results.replaceChildren(table.element);
  }

  private async search(): Promise<Found[]> {
    const { app } = this;
    const info = app.stage.world?.data.info;
    if (!info) return [];
    if (this.kind === 'entities') return this.entities();
    if (this.kind === 'textures') {
      return info.materials.flatMap((material, number) =>
        material.used
          ? [
              {
                cells: [material.name, `${material.width} x ${material.height}`, material.found ? 'found' : 'missing'],
                go: () => this.goToTriangle((owner) => owner.batch.material === number),
              },
            ]
          : [],
      );
    }
    if (this.kind === 'models') {
      const props = info.props.map((prop) => ({
        cells: [prop.model, ['entity', 'static prop', 'detail prop'][prop.kind] ?? ''],
        go: () => app.flyTo(prop.origin),
      }));
      return [...props, ...info.missing.map(({ name, props: count }) => ({ cells: [name, `missing, ${count} times`], go: () => app.say(`${name} is not among the files: drop the game's folder or archives together with the map.`, true) }))];
    }
    this.problems ??= await app.bspkit.call('check');
    return this.problems.map((problem) => ({
      cells: [problem.severity, `${problem.lump}${problem.record === null ? '' : `[${problem.record}]`}`, problem.text],
      go: () => this.goToProblem(problem),
    }));
  }

  private entities(): Found[] {
    return this.app.entities.map((entity, number) => ({
      cells: [
        valueOf(entity, 'classname') ?? '',
        valueOf(entity, 'targetname') ?? '',
        entity.pairs.map(([key, value]) => `${key}=${value}`).join(' '),
      ],
      go: () => {
        if (entity.at) this.app.flyTo(entity.at);
        else this.app.say(`Entity ${number} says no place.`);
        this.toEntity(number);
      },
    }));
  }

  private goToProblem(problem: Problem): void {
    if (problem.record === null) {
      this.app.say('This problem is of the file as a whole.');
      return;
    }
    if (/entit/i.test(problem.lump)) this.toEntity(problem.record);
    else this.toRecord(problem.lump, problem.record);
    const face = /^(faces|surfaces)$/i.test(problem.lump) ? problem.record : null;
    if (face !== null) this.goToTriangle((owner) => owner.face === face);
  }

  private goToTriangle(wanted: (owner: { face: number | null; batch: { material: number } }) => boolean): void {
    const points = this.app.stage.world?.triangles(wanted);
    if (!points || points.length < 9) {
      this.app.say('Nothing of it is drawn.');
      return;
    }
    const middle = [0, 1, 2].map((i) => ((points[i] ?? 0) + (points[3 + i] ?? 0) + (points[6 + i] ?? 0)) / 3) as Vec3;
    this.app.marks.chosen(points);
    this.app.flyTo(middle);
  }
}
