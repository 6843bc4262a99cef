// SPDX-License-Identifier: MIT
// How many pixels are drawn for one of the screen, on each axis: fewer where a frame would take seconds, as in a
// browser without a graphics card, so that the page goes on to answer.

const MANY = 400_000; // triangles: begin with few pixels, and take more when frames turn out to be fast
const SLOW = 400; // milliseconds from frame to frame
const FAST = 50;
const LEAST = 1 / 8;
const ENOUGH = 3; // frames that are fast or slow one after the other

export class Quality {
  /** Pixels for one of the screen, on each axis. */
  scale = 1;
  private slow = 0;
  private fast = 0;
  private mayRise = false;

  /** Begins with another world. */
  begin(triangles: number): void {
    this.mayRise = triangles > MANY;
    this.scale = this.mayRise ? LEAST : 1;
    this.slow = this.fast = 0;
  }

  /** Takes the milliseconds from the last frame to this one. Returns true if the scale fell. */
  frame(milliseconds: number): boolean {
    this.slow = milliseconds > SLOW ? this.slow + 1 : 0;
    this.fast = milliseconds < FAST ? this.fast + 1 : 0;
    if (this.slow >= ENOUGH && this.scale > LEAST) {
      this.scale /= 2;
      this.slow = 0;
      this.mayRise = false;
      return true;
    }
    if (this.fast >= ENOUGH && this.mayRise && this.scale < 1) {
      this.scale *= 2;
      this.fast = 0;
    }
    return false;
  }
}
