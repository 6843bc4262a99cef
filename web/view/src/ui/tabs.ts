// SPDX-License-Identifier: MIT
// Panels of which one is shown: the pattern "tabs" of the ARIA Authoring Practices.
import { h } from './dom';

export interface Panel {
  readonly title: string;
  readonly element: HTMLElement;
  /** It is shown now. */
  shown?(): void;
}

export class Tabs {
  readonly element: HTMLElement;
  private readonly heads: HTMLElement[] = [];
  private readonly bodies: HTMLElement[] = [];

  constructor(
    private readonly panels: readonly Panel[],
    label: string,
  ) {
    const list = h('div', { role: 'tablist', 'aria-label': label, class: 'tabs' });
    this.element = h('div', { class: 'panels' }, list);
    panels.forEach((panel, n) => {
      const id = `panel-${panel.title.toLowerCase()}`;
      const head = h('button', {
        type: 'button',
        role: 'tab',
        id: `${id}-tab`,
        'aria-controls': id,
        text: panel.title,
        on: { click: () => this.show(n), keydown: (event: KeyboardEvent) => this.key(event, n) },
      });
      const body = h('div', { role: 'tabpanel', id, 'aria-labelledby': `${id}-tab`, tabindex: 0 }, panel.element);
      this.heads.push(head);
      this.bodies.push(body);
      list.append(head);
      this.element.append(body);
    });
    this.show(0);
  }

  open(panel: Panel): void {
    this.show(this.panels.indexOf(panel));
  }

  private show(number: number): void {
    this.heads.forEach((head, n) => {
      head.setAttribute('aria-selected', String(n === number));
      head.tabIndex = n === number ? 0 : -1;
    });
    this.bodies.forEach((body, n) => (body.hidden = n !== number));
    this.panels[number]?.shown?.();
  }

  private key(event: KeyboardEvent, from: number): void {
    const last = this.heads.length - 1;
    const to = { ArrowRight: from === last ? 0 : from + 1, ArrowLeft: from === 0 ? last : from - 1, Home: 0, End: last }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    this.show(to);
    this.heads[to]?.focus();
  }
}
