// SPDX-License-Identifier: MIT
// Buttons over the picture that do what keys do while they are held: for fingers, and for a mouse alone.
import { h } from '../ui/dom';

const BUTTONS: readonly (readonly [code: string, sign: string, label: string])[] = [
  ['KeyA', '←', 'To the left'],
  ['KeyW', '↑', 'Forward'],
  ['KeyD', '→', 'To the right'],
  ['KeyC', '⤓', 'Crouch'],
  ['KeyQ', '−', 'Down'],
  ['KeyS', '↓', 'Back'],
  ['KeyE', '+', 'Up'],
  ['Space', '⤒', 'Jump'],
];

/** What is told of the keys. */
interface Keys {
  press(code: string): void;
  release(code: string): void;
}

/** The buttons, which the style sheet shows where fingers point, and everywhere in a page of the class "buttons". */
export function moveButtons(keys: Keys): HTMLElement {
  const group = h('div', { id: 'buttons', role: 'group', 'aria-label': 'Move' });
  for (const [code, sign, label] of BUTTONS) {
    const release = (): void => keys.release(code);
    const one = h('button', {
      type: 'button',
      text: sign,
      'aria-label': label,
      title: label,
      on: {
        pointerdown: (event: PointerEvent) => {
          event.preventDefault();
          one.setPointerCapture(event.pointerId);
          keys.press(code);
        },
        pointerup: release,
        pointercancel: release,
        lostpointercapture: release,
        // A press of Enter or of a switch is a short step.
        click: (event: MouseEvent) => {
          if (event.detail !== 0) return;
          keys.press(code);
          setTimeout(release, 200);
        },
        contextmenu: (event: Event) => event.preventDefault(),
      },
    });
    group.append(one);
  }
  return group;
}
