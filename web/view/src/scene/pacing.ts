// SPDX-License-Identifier: MIT
// When a frame is drawn: when what it shows has changed, and the card is done with those before.
import type { Quality } from './quality';

const QUICK = 50; // milliseconds of a frame: the next may be given to the card before it is done

interface Frame {
  fence: WebGLSync;
  begun: number;
}

export class Pacing {
  private readonly frames: Frame[] = [];
  private shown = '';
  private begun = 0;
  private last = 0; // milliseconds that the last frame took

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly quality: Quality,
  ) {}

  /** Whether to draw what `key` stands for now. */
  wants(key: string, now: number): boolean {
    this.take(now);
    const most = this.last < QUICK ? 2 : 1;
    if (this.frames.length >= most) return false;
    if (key === this.shown) {
      this.quality.rest(now - this.begun);
      return false;
    }
    this.shown = key;
    this.begun = now;
    return true;
  }

  /** A frame was given to the card. */
  drawn(now: number): void {
    const { gl } = this;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    if (fence) this.frames.push({ fence, begun: now });
  }

  /** The context was lost, and the card knows nothing of frames any more. */
  forget(): void {
    this.frames.length = 0;
    this.shown = '';
  }

  private take(now: number): void {
    const { gl } = this;
    for (let frame = this.frames[0]; frame; frame = this.frames[0]) {
      if (gl.clientWaitSync(frame.fence, 0, 0) === gl.TIMEOUT_EXPIRED) return;
      gl.deleteSync(frame.fence);
      this.frames.shift();
      this.last = now - frame.begun;
      // A page in the background has no frames, which says nothing of the card.
      if (!document.hidden) this.quality.frame(this.last);
    }
  }
}
