// SPDX-License-Identifier: MIT
// How many pixels are drawn for one of the screen, on each axis: fewer where a frame would take seconds, as in a
// browser without a graphics card or beside other work, so that the page goes on to answer; and more again when
// frames are fast.

const MANY = 400_000; // triangles: begin with few pixels, and take more when frames turn out to be fast
const SLOW = 400; // milliseconds of a frame
const FAST = 50; // four times the pixels are then not slow
const LEAST = 1 / 8;
const ENOUGH = 3; // frames that are fast or slow one after the other
const REST = 500; // milliseconds without a change, after which a still picture gets more pixels

export class Quality {
  /** Pixels for one of the screen, on each axis. */
  scale = 1;
  private slow = 0;
  private fast = 0;

  /** Begins with another world. */
  begin(triangles: number): void {
    this.scale = triangles > MANY ? LEAST : 1;
    this.slow = this.fast = 0;
  }

  /** Takes the milliseconds that a frame took. Returns true if the scale fell. */
  frame(milliseconds: number): boolean {
    this.slow = milliseconds > SLOW ? this.slow + 1 : 0;
    this.fast = milliseconds < FAST ? this.fast + 1 : 0;
    if (this.slow >= ENOUGH && this.scale > LEAST) {
      this.scale /= 2;
      this.slow = 0;
      return true;
    }
    if (this.fast >= ENOUGH) this.rise();
    return false;
  }

  /** Nothing has changed for so many milliseconds. */
  rest(milliseconds: number): void {
    if (milliseconds > REST && this.fast > 0) this.rise();
  }

  private rise(): void {
    this.scale = Math.min(1, this.scale * 2);
    this.fast = 0;
  }
}
