// SPDX-License-Identifier: MIT
// The tree of the file: lumps, their parts, and the records of these as tables.
import type { App } from '../app';
import type { Cell, Lump, Part } from '../protocol';
import { button, facts, h } from '../ui/dom';
import { Table } from '../ui/table';
import type { Panel } from '../ui/tabs';

const LINE = 16; // bytes of a row of bytes

function textOf(cell: Cell): string {
  return Array.isArray(cell) ? cell.join(' ') : String(cell);
}

function hexRow(bytes: Uint8Array): string[] {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const text = [...bytes].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
  return [hex, text];
}

export class FilePanel implements Panel {
  readonly title = 'File';
  readonly element = h('div', { class: 'fill' });

  constructor(private readonly app: App) {
    app.listen({ opened: () => this.lumps() });
    this.element.append(h('p', { text: 'Open a map to see its lumps.' }));
  }

  private lumps(): void {
    const { info } = this.app;
    if (!info) return;
    const list = h('ul', { class: 'lumps' });
    for (const lump of info.lumps) {
      if (lump.size === 0) continue;
      const size = lump.size.toLocaleString('en');
      list.append(h('li', {}, button(`${lump.name}: ${size} bytes${lump.compressed ? ', packed' : ''}`, () => void this.lump(lump))));
    }
    this.element.replaceChildren(
      facts([
        ['File', `${info.name}, ${info.size.toLocaleString('en')} bytes`],
        ['Format', `${info.title}, version ${info.version}`],
      ]),
      list,
    );
  }

  /** Shows a record of the lump of a name. */
  async record(name: string, record: number): Promise<void> {
    const lump = this.app.info?.lumps.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (lump) (await this.lump(lump))?.go(record);
    else this.app.say(`The file has no lump ${name}.`);
  }

  private async lump(lump: Lump): Promise<Table | null> {
    const parts = await this.app.attempt(() => this.app.bspkit.call('parts', lump.number));
    const back = button('All lumps', () => this.lumps());
    if (!parts) {
      this.element.replaceChildren(back, h('p', { text: `${lump.name} cannot be read.` }));
      return null;
    }
    const place = h('div', { class: 'results' });
    const choices = h('p', { class: 'row' }, back);
    const tables = parts.map((part, number) => ({ part, number })).filter(({ part }) => part.kind === 'table' || part.kind === 'record');
    const show = (table: Table): Table => {
      place.replaceChildren(table.element);
      return table;
    };
    for (const { part, number } of tables.slice(0, 40)) {
      choices.append(button(`${part.name ?? 'records'} (${part.count.toLocaleString('en')})`, () => void show(this.records(lump, part, number))));
    }
    choices.append(button('Bytes', () => void show(this.bytes(lump, parts[0]?.size ?? lump.size))));
    this.element.replaceChildren(h('h3', { text: lump.name }), choices, place);
    const first = tables[0];
    return show(first ? this.records(lump, first.part, first.number) : this.bytes(lump, parts[0]?.size ?? lump.size));
  }

  private records(lump: Lump, part: Part, number: number): Table {
    return new Table(
      {
        columns: part.fields.map((name) => name || 'value'),
        count: part.count,
        rows: async (first, count) => {
          const rows = await this.app.attempt(() => this.app.bspkit.call('records', lump.number, number, first, count));
          return (rows ?? []).map((row) => row.map(textOf));
        },
      },
      `Records of ${lump.name}`,
    );
  }

  private bytes(lump: Lump, size: number): Table {
    return new Table(
      {
        columns: ['bytes', 'text'],
        count: Math.ceil(size / LINE),
        rows: async (first, count) => {
          const bytes = await this.app.attempt(() => this.app.bspkit.call('bytes', lump.number, first * LINE, count * LINE));
          const lines = Math.ceil((bytes?.length ?? 0) / LINE);
          return Array.from({ length: lines }, (_, n) => hexRow((bytes as Uint8Array).subarray(n * LINE, (n + 1) * LINE)));
        },
      },
      `Bytes of ${lump.name}, 16 a row`,
    );
  }
}
