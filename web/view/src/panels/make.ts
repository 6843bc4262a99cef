// SPDX-License-Identifier: MIT
// What is made of the map: pictures, .glb, a map document, the map with other entities.
import type { App } from '../app';
import { Relight } from '../relight';
import { button, field, h, save, select } from '../ui/dom';
import type { Panel } from '../ui/tabs';

const MOST = 8192; // pixels across or down that graphics cards draw at once

/** Entity text as maps have it. */
export function entityText(entities: { pairs: [string, string][] }[]): string {
  return entities
    .map(({ pairs }) => `{\n${pairs.map(([key, value]) => `"${key}" "${value}"\n`).join('')}}\n`)
    .join('');
}

export class MakePanel implements Panel {
  readonly title = 'Make';
  readonly element: HTMLElement;
  private readonly width = h('input', { type: 'number', min: 16, max: MOST, value: 1920 });
  private readonly height = h('input', { type: 'number', min: 16, max: MOST, value: 1080 });
  private readonly text = h('textarea', { rows: 14, spellcheck: 'false' });
  private readonly relight: Relight;
  private readonly where = select([['map', 'The whole map'], ['room', 'The room that you look from']], 'map', () => undefined);
  private readonly light = button('Light again with these entities (preview)', () => void this.lightAgain());
  private readonly stop = button('Stop the light', () => this.stopLight(), { disabled: true });

  constructor(private readonly app: App) {
    this.relight = new Relight(app);
    this.element = h(
      'div',
      {},
      h('h3', { text: 'Picture' }),
      field('Width', this.width),
      field('Height', this.height),
      button('Save the picture (PNG)', () => void this.picture()),
      h('h3', { text: 'Files' }),
      button('Export for modelling (.glb)', () => void this.glb()),
      button('Decompile for the editor', () => void this.decompile()),
      h('h3', { text: 'Entities' }),
      field('Text', this.text),
      button('Save the map with these entities', () => void this.entities()),
      field('Light of', this.where),
      this.light,
      this.stop,
    );
    app.listen({ opened: () => (this.text.value = entityText(app.entities)) });
  }

  /** Selects the text of an entity, to be changed. */
  showEntity(number: number): void {
    const starts = [...this.text.value.matchAll(/^\{$/gm)].map((match) => match.index);
    const start = starts[number] ?? this.text.value.length;
    const end = starts[number + 1] ?? this.text.value.length;
    this.text.focus();
    this.text.setSelectionRange(end, end);
    this.text.setSelectionRange(start, end);
    // Browsers scroll to a selection only when it is typed into.
    const lines = this.text.value.slice(0, start).split('\n').length - 1;
    const all = this.text.value.split('\n').length;
    this.text.scrollTop = (lines / Math.max(1, all)) * this.text.scrollHeight;
  }

  private get name(): string {
    return this.app.info?.name ?? 'map';
  }

  private async work(what: string, run: () => Promise<void>): Promise<void> {
    if (!this.app.info) {
      this.app.say('Open a map first.', true);
      return;
    }
    this.app.say(`${what} …`);
    const done = await this.app.attempt(async () => {
      await run();
      return true;
    });
    if (done) this.app.say(`${what}: done, see your downloads.`);
  }

  private picture(): Promise<void> {
    return this.work('Picture', async () => {
      const { app } = this;
      const size = [this.width, this.height].map((input) => Math.min(MOST, Math.max(16, Number(input.value) || 16)));
      app.stage.resize(size[0] ?? 16, size[1] ?? 16, 1);
      app.stage.draw(app.pose, app.time());
      const blob = await new Promise<Blob | null>((resolve) => app.canvas.toBlob(resolve, 'image/png'));
      if (!blob) throw new Error('The browser could not make a picture of this size. Take a smaller one.');
      save(`${this.name}.png`, [blob], 'image/png');
    });
  }

  private glb(): Promise<void> {
    return this.work('Export', async () => {
      save(`${this.name}.glb`, [(await this.app.bspkit.call('glb')) as BlobPart], 'model/gltf-binary');
    });
  }

  private decompile(): Promise<void> {
    return this.work('Decompile', async () => {
      const { text, ending } = await this.app.bspkit.call('decompile');
      save(`${this.name}${ending}`, [text as BlobPart], 'text/plain');
    });
  }

  private async lightAgain(): Promise<void> {
    this.light.disabled = true;
    this.stop.disabled = false;
    await this.relight.make(this.text.value, this.where.value === 'room');
    this.light.disabled = false;
    this.stop.disabled = true;
  }

  private stopLight(): void {
    if (this.relight.stop()) this.app.say('Stopped: the light is as it was.');
  }

  private entities(): Promise<void> {
    return this.work('Map with these entities', async () => {
      const bytes = await this.app.bspkit.call('withEntities', this.text.value);
      save(`${this.name}.bsp`, [bytes as BlobPart]);
    });
  }
}
