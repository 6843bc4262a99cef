// SPDX-License-Identifier: MIT
// Light that is made anew while one looks: in a worker of its own, which can be ended at any time, and leaves the map
// that is shown to answer.
import type { App } from './app';
import type { Library } from './library';
import type { Relit, Vec3 } from './protocol';

export class Relight {
  /** Where light is being made. */
  private maker: Library | null = null;
  /** What textures gave when this map was lit here; null: its light is the compiler's. */
  private texlights: Uint8Array | null = null;

  constructor(private readonly app: App) {
    app.listen({ opening: () => this.stop(), opened: () => (this.texlights = null) });
  }

  /** Shows the map with other entities, and the light that they make: of the whole map, or of the room of the eye and
   *  what may see into it. False where nothing came of it. */
  async make(text: string, room: boolean): Promise<boolean> {
    const { app } = this;
    if (!app.info) {
      app.say('Open a map first.', true);
      return false;
    }
    app.say('Making the light …');
    const start = performance.now();
    const made = await app.attempt(() => this.work(text, room ? app.pose.eye : null));
    if (!made) return false;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const done = await this.show(made);
    if (done) {
      this.texlights = made.texlights;
      const what = made.room ? 'this room and of what may see into it' : 'the whole map';
      const why = room && !made.room ? 'The eye is in no room. ' : '';
      app.say(`${why}The light of ${what} was made anew in ${seconds} s, as a preview. Saving the map saves it too.`);
    }
    return done;
  }

  /** Ends what is being made. False where nothing is. */
  stop(): boolean {
    const works = this.maker !== null;
    this.maker?.close();
    this.maker = null;
    return works;
  }

  /** Null if it was stopped. */
  private async work(text: string, eye: Vec3 | null): Promise<Relit | null> {
    this.stop();
    const { files, path } = this.app;
    const maker = (this.maker = this.app.bspkit.another());
    try {
      const opened = maker.call('open', files, path);
      const [made] = await Promise.all([maker.call('lightAgain', text, eye, this.texlights), opened]);
      return this.maker === maker ? made : null;
    } catch (fault) {
      if (this.maker === maker) throw fault;
      return null;
    } finally {
      if (this.maker === maker) this.stop();
    }
  }

  private async show({ map, lit }: Relit): Promise<boolean> {
    const { app } = this;
    // A map out of an archive stands beside it from now on.
    const path = app.path.split(':').pop() ?? app.path;
    const beside = path.replace(/\.bsp$/i, '.lit').toLowerCase();
    const others = app.files.filter((file) => file.path !== path && (lit.length === 0 || file.path.toLowerCase() !== beside));
    const files = [...others, { path, data: new Blob([map as BlobPart]) }];
    if (lit.length > 0) files.push({ path: beside, data: new Blob([lit as BlobPart]) });
    return (await app.open(files, path, app.pose)) && app.files === files; // else another map was asked for since
  }
}
