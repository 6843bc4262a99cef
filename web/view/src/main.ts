// SPDX-License-Identifier: MIT
// Puts the page together.
import { App } from './app';
import type { Mode } from './camera/pose';
import { dropped, fromBase64, inlined, named, picked } from './files/given';
import { watchServer } from './files/served';
import { moveButtons } from './input/buttons';
import { Library } from './library';
import { ComparePanel } from './panels/compare';
import { FilePanel } from './panels/file';
import { FindPanel } from './panels/find';
import { helpSheet } from './panels/help';
import { MakePanel } from './panels/make';
import { PickPanel } from './panels/pick';
import { ViewPanel } from './panels/view';
import type { GivenFile } from './protocol';
import { button, h } from './ui/dom';
import { Tabs } from './ui/tabs';

declare const WORKER_SOURCE: string;

function element<Type extends HTMLElement>(id: string): Type {
  return document.getElementById(id) as Type;
}

async function wasmOfPage(): Promise<ArrayBuffer> {
  const node = element('wasm');
  const packed = fromBase64(node.textContent ?? '');
  node.remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

function fileButtons(open: (files: GivenFile[]) => void): HTMLElement[] {
  const input = (folder: boolean): HTMLInputElement => {
    const control = h('input', { type: 'file', multiple: true, webkitdirectory: folder, hidden: true });
    control.addEventListener('change', () => open(picked(control)));
    return control;
  };
  const files = input(false);
  const folder = input(true);
  files.id = 'files';
  folder.id = 'folder';
  return [files, folder, button('Open files', () => files.click()), button('Open a folder', () => folder.click())];
}

function setTheme(): void {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

function listenForDrops(open: (files: GivenFile[]) => void, app: App): void {
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const { dataTransfer } = event;
    if (dataTransfer) void app.attempt(() => dropped(dataTransfer)).then((files) => files && open(files));
  });
}

function listenForKeys(app: App, canvas: HTMLCanvasElement, help: HTMLDialogElement): void {
  const modes: Record<string, Mode> = { Digit1: 'fly', Digit2: 'walk', Digit3: 'orbit', Digit4: 'plan' };
  canvas.addEventListener('keydown', (event) => {
    const mode = modes[event.code];
    if (mode) void app.setMode(mode);
    else if (event.key === 'Enter') app.pickAt(0, 0);
    else if (event.key === 'm') app.lockMouse();
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key === '?' && !typing) help.showModal();
  });
}

/** The maps among the files that were given; nothing if there is but one. */
function mapList(app: App): HTMLElement | null {
  if (app.maps.length < 2) return null;
  const list = h('select', { 'aria-label': 'Map', id: 'maps' });
  for (const path of app.maps) list.append(h('option', { value: path, text: path, selected: path === app.path }));
  list.addEventListener('change', () => void app.open(app.files, list.value));
  return list;
}

async function start(): Promise<void> {
  const canvas = element<HTMLCanvasElement>('picture');
  const status = element('status');
  const app = new App(new Library(WORKER_SOURCE, await wasmOfPage()), canvas);
  const lists = h('span');
  const open = (files: GivenFile[]): void => void app.open(files);
  app.listen({
    opened: () => {
      document.body.classList.add('opened');
      lists.replaceChildren(mapList(app) ?? '');
    },
    said: (message, fault) => {
      status.textContent = message;
      status.classList.toggle('fault', fault);
    },
  });
  const file = new FilePanel(app);
  const toRecord = (lump: string, record: number): void => {
    tabs.open(file);
    void file.record(lump, record);
  };
  const view = new ViewPanel(app);
  const make = new MakePanel(app);
  const edit = (entity: number): void => {
    tabs.open(make);
    make.showEntity(entity);
  };
  const pick = new PickPanel(app, toRecord, () => tabs.open(pick), edit);
  const find = new FindPanel(app, (number) => pick.takeEntity(number), toRecord);
  const compare = new ComparePanel(app, (number) => pick.takeEntity(number), toRecord);
  const tabs = new Tabs([view, pick, find, file, make, compare], 'Panels');
  const help = helpSheet();
  element('panels').append(tabs.element);
  element('stage').append(moveButtons(app.hands));
  element('tools').append(
    ...fileButtons(open),
    lists,
    button('Copy a link to this view', () => {
      history.replaceState(null, '', app.link());
      void navigator.clipboard?.writeText(location.href).catch(() => undefined);
      app.say('The address of the page now says this view.');
    }),
    button('Light or dark', setTheme),
    button('Help (?)', () => help.showModal()),
  );
  document.body.append(help);
  listenForDrops(open, app);
  listenForKeys(app, canvas, help);
  addEventListener('hashchange', () => app.followLink());
  watchServer(app);
  Object.assign(window, { bspkitView: app });
  const found = await app.attempt(() => named(location.search));
  const given = (await inlined()).concat(found ?? []);
  if (given.length > 0) open(given);
  else if (found) app.say('Drop a map (.bsp) here, or open one.');
}

start().catch((fault: unknown) => {
  element('status').textContent = `The page cannot start: ${String(fault)}. It needs WebAssembly with SIMD and WebGL 2.`;
});
