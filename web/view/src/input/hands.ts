// SPDX-License-Identifier: MIT
// Keyboard, mouse, touch and gamepad as one motion for each frame.
import { still, type Motion } from '../camera/pose';

const DEGREES_A_PIXEL = 0.2;
const KEY_TURN = 90; // degrees a second
const PAD_TURN = 150;
const DEAD = 0.15; // of a stick's way

/** What each key does while it is held, by its place on the keyboard. */
const KEYS: Record<string, (motion: Motion, seconds: number) => void> = {
  KeyW: (m) => (m.forward += 1),
  KeyS: (m) => (m.forward -= 1),
  KeyD: (m) => (m.side += 1),
  KeyA: (m) => (m.side -= 1),
  KeyE: (m) => (m.up += 1),
  KeyQ: (m) => (m.up -= 1),
  ArrowLeft: (m, s) => (m.yaw += KEY_TURN * s),
  ArrowRight: (m, s) => (m.yaw -= KEY_TURN * s),
  ArrowUp: (m, s) => (m.pitch -= (KEY_TURN / 2) * s),
  ArrowDown: (m, s) => (m.pitch += (KEY_TURN / 2) * s),
  Space: (m) => (m.jump = true),
  KeyC: (m) => (m.crouch = true),
  ControlLeft: (m) => (m.crouch = true),
  ShiftLeft: (m) => (m.fast = true),
  ShiftRight: (m) => (m.fast = true),
  Equal: (m, s) => (m.zoom += 10 * s),
  Minus: (m, s) => (m.zoom -= 10 * s),
};

export interface HandsEvents {
  /** A click or tap that did not drag: pixels from the upper left corner. */
  point(x: number, y: number): void;
}

export class Hands {
  private readonly held = new Set<string>();
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private drag = { yaw: 0, pitch: 0, zoom: 0, forward: 0, side: 0 };
  private moved = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly events: HandsEvents,
  ) {
    canvas.addEventListener('keydown', (event) => this.keyDown(event));
    canvas.addEventListener('keyup', (event) => this.held.delete(event.code));
    canvas.addEventListener('blur', () => this.held.clear());
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
  }

  /** Takes what happened since the last frame. */
  read(seconds: number): Motion {
    const motion = still();
    for (const code of this.held) KEYS[code]?.(motion, seconds);
    motion.yaw += this.drag.yaw;
    motion.pitch += this.drag.pitch;
    motion.zoom += this.drag.zoom;
    motion.forward += this.drag.forward;
    motion.side += this.drag.side;
    this.drag = { yaw: 0, pitch: 0, zoom: 0, forward: 0, side: 0 };
    this.pad(motion, seconds);
    return motion;
  }

  /** Mouse moves turn the view until Escape. */
  async lock(): Promise<void> {
    try {
      await this.canvas.requestPointerLock();
    } catch {
      throw new Error('The browser does not give the mouse to the page now. Drag in the picture, or try again.');
    }
  }

  /** A button is held that stands for a key. */
  press(code: string): void {
    this.held.add(code);
  }

  release(code: string): void {
    this.held.delete(code);
  }

  private keyDown(event: KeyboardEvent): void {
    if (!(event.code in KEYS) || event.altKey || event.metaKey) return;
    if (event.ctrlKey && event.code !== 'ControlLeft') return;
    this.held.add(event.code);
    event.preventDefault();
  }

  private down(event: PointerEvent): void {
    this.canvas.focus();
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.moved = 0;
  }

  private move(event: PointerEvent): void {
    if (document.pointerLockElement === this.canvas) {
      this.turnBy(event.movementX, event.movementY);
      return;
    }
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const [dx, dy] = [event.offsetX - last.x, event.offsetY - last.y];
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.pointers.size > 1) this.pinch(event, last);
    else this.turnBy(dx, dy);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  }

  /** Two fingers: apart and together is forward and back, both sideways is sideways. */
  private pinch(event: PointerEvent, last: { x: number; y: number }): void {
    const other = [...this.pointers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return;
    const before = Math.hypot(last.x - other.x, last.y - other.y);
    const after = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
    this.drag.forward += (after - before) * 0.2;
    this.drag.zoom += (after - before) * 0.02;
    this.drag.side -= (event.offsetX - last.x) * 0.1;
  }

  private turnBy(dx: number, dy: number): void {
    this.drag.yaw -= dx * DEGREES_A_PIXEL;
    this.drag.pitch += dy * DEGREES_A_PIXEL;
  }

  private up(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    const locked = document.pointerLockElement === this.canvas;
    if (this.moved >= 4 && !locked) return;
    const { width, height } = this.canvas.getBoundingClientRect();
    if (locked) this.events.point(width / 2, height / 2);
    else this.events.point(event.offsetX, event.offsetY);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.drag.zoom -= event.deltaY / 100;
    this.drag.forward -= event.deltaY / 20;
  }

  private pad(motion: Motion, seconds: number): void {
    const pad = navigator.getGamepads?.().find((one) => one?.connected);
    if (!pad) return;
    const axis = (n: number): number => {
      const value = pad.axes[n] ?? 0;
      return Math.abs(value) < DEAD ? 0 : value;
    };
    motion.side += axis(0);
    motion.forward -= axis(1);
    motion.yaw -= axis(2) * PAD_TURN * seconds;
    motion.pitch += axis(3) * PAD_TURN * seconds * 0.6;
    motion.jump ||= pad.buttons[0]?.pressed ?? false;
    motion.crouch ||= pad.buttons[1]?.pressed ?? false;
    motion.fast ||= pad.buttons[10]?.pressed ?? false;
    motion.up += (pad.buttons[7]?.value ?? 0) - (pad.buttons[6]?.value ?? 0);
  }
}
