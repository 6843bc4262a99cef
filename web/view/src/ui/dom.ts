// SPDX-License-Identifier: MIT
// Elements in one line each.

type Child = Node | string | null | undefined;

interface Properties {
  class?: string;
  text?: string;
  on?: Record<string, (event: never) => void>;
  [attribute: string]: unknown;
}

/** Makes an element. What begins with "on" goes to `on`; true is an attribute without a value. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { on, text, ...attributes }: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const [event, listener] of Object.entries(on ?? {})) {
    element.addEventListener(event, listener as EventListener);
  }
  if (text !== undefined) element.textContent = text;
  for (const child of children) if (child) element.append(child);
  return element;
}

export function button(text: string, run: () => void, attributes: Properties = {}): HTMLButtonElement {
  return h('button', { type: 'button', text, ...attributes, on: { click: run } });
}

let fields = 0;

/** A control with its label before it. */
export function field(label: string, control: HTMLElement): HTMLElement {
  control.id ||= `field-${++fields}`;
  return h('p', { class: 'field' }, h('label', { for: control.id, text: label }), control);
}

export function checkbox(label: string, checked: boolean, change: (on: boolean) => void): HTMLElement {
  const box = h('input', { type: 'checkbox', checked });
  box.addEventListener('change', () => change(box.checked));
  return h('label', { class: 'check' }, box, label);
}

export function select<Value extends string>(
  options: readonly (readonly [Value, string])[],
  chosen: Value,
  change: (value: Value) => void,
): HTMLSelectElement {
  const list = h('select');
  for (const [value, text] of options) {
    list.append(h('option', { value, text, selected: value === chosen }));
  }
  list.addEventListener('change', () => change(list.value as Value));
  return list;
}

export function slider(
  range: { min: number; max: number; step: number; value: number },
  change: (value: number) => void,
): HTMLInputElement {
  const input = h('input', { type: 'range', ...range });
  input.addEventListener('input', () => change(Number(input.value)));
  return input;
}

/** Gives the user a file. */
export function save(name: string, parts: BlobPart[], type = 'application/octet-stream'): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Names and values as a list. */
export function facts(pairs: Iterable<readonly [string, string | Node]>): HTMLElement {
  const list = h('dl');
  for (const [name, value] of pairs) list.append(h('dt', { text: name }), h('dd', {}, value));
  return list;
}
