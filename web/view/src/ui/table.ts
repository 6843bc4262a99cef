// SPDX-License-Identifier: MIT
// A table of any length: only the rows in view are elements.
import { h } from './dom';

const ROW = 26; // pixels, as .table [role=row] has it in the style sheet
const TALLEST = 8_000_000; // browsers stop at some 16 to 33 million pixels
const SPARE = 8; // rows beyond the edges

export interface TableSource {
  columns: string[];
  count: number;
  /** The texts of some rows; it may be asked for the same again. */
  rows(first: number, count: number): Promise<string[][]>;
  /** A class of the style sheet for a row. */
  classOf?(row: number): string;
  /** A row was chosen by click or Enter. */
  choose?(row: number): void;
}

export class Table {
  readonly element: HTMLElement;
  private readonly body: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly scale: number;
  private wanted = 0;
  private current = 0;

  constructor(
    private readonly source: TableSource,
    label: string,
  ) {
    const height = Math.min(source.count * ROW, TALLEST);
    this.scale = source.count * ROW > TALLEST ? (source.count * ROW) / TALLEST : 1;
    const space = h('div', { class: 'space', role: 'presentation' });
    space.style.height = `${height}px`;
    this.body = h('div', { class: 'rows', role: 'rowgroup' });
    const head = h('div', { class: 'head', role: 'row', 'aria-rowindex': 1 });
    for (const column of ['#', ...source.columns]) head.append(h('div', { role: 'columnheader', text: column }));
    this.scroller = h('div', { class: 'scroller', tabindex: 0, role: 'group', 'aria-label': `${label}: rows` });
    space.append(this.body);
    this.scroller.append(
      h(
        'div',
        { role: 'table', 'aria-label': label, 'aria-rowcount': source.count + 1 },
        h('div', { role: 'rowgroup', class: 'heads' }, head),
        space,
      ),
    );
    this.element = h('div', { class: 'table' }, this.scroller);
    this.scroller.addEventListener('scroll', () => void this.show());
    this.scroller.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => void this.show()).observe(this.scroller);
  }

  /** Scrolls to a row and marks it. */
  go(row: number): void {
    this.current = Math.max(0, Math.min(this.source.count - 1, row));
    const room = this.scroller.clientHeight;
    this.scroller.scrollTop = (this.current * ROW) / this.scale - room / 2;
    void this.show();
  }

  private first(): number {
    return Math.max(0, Math.floor((this.scroller.scrollTop * this.scale) / ROW) - SPARE);
  }

  private async show(): Promise<void> {
    const first = this.first();
    const count = Math.ceil(this.scroller.clientHeight / ROW) + 2 * SPARE;
    const turn = ++this.wanted;
    const rows = await this.source.rows(first, Math.min(count, this.source.count - first));
    if (turn !== this.wanted) return;
    const top = this.scale === 1 ? first * ROW : this.scroller.scrollTop - SPARE * ROW;
    this.body.style.transform = `translateY(${Math.max(0, top)}px)`;
    this.body.replaceChildren(...rows.map((cells, n) => this.row(first + n, cells)));
  }

  private row(number: number, cells: string[]): HTMLElement {
    const row = h('div', {
      role: 'row',
      'aria-rowindex': number + 2,
      class: `${this.source.classOf?.(number) ?? ''}${number === this.current ? ' current' : ''}`,
      on: { click: () => this.choose(number) },
    });
    row.append(h('div', { role: 'rowheader', text: String(number) }));
    for (const cell of cells) row.append(h('div', { role: 'cell', text: cell, title: cell }));
    return row;
  }

  private choose(row: number): void {
    this.current = row;
    this.source.choose?.(row);
    void this.show();
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW) - 2);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.source.count,
      End: this.source.count,
    };
    const step = steps[event.key];
    if (step !== undefined) this.go(this.current + step);
    else if (event.key === 'Enter') this.choose(this.current);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
