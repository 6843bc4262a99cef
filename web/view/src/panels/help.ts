// SPDX-License-Identifier: MIT
// The help sheet.
import { button, facts, h } from '../ui/dom';

const KEYS: readonly (readonly [string, string])[] = [
  ['W A S D', 'move'],
  ['Q E', 'down, up'],
  ['Arrow keys', 'turn'],
  ['Shift', 'faster'],
  ['Space, C', 'jump and crouch when you walk'],
  ['+ -', 'nearer, farther; zoom of the plan'],
  ['Enter', 'pick what is in the middle of the picture'],
  ['1 2 3 4', 'fly, walk, around a point, plan'],
  ['M', 'the mouse turns the view, until Escape'],
  ['Mouse', 'drag turns, a click picks, the wheel moves'],
  ['Touch', 'one finger turns, two move, a tap picks; there are buttons to move'],
  ['Gamepad', 'left stick moves, right stick turns, A jumps, B crouches, triggers are up and down'],
  ['?', 'this sheet'],
];

export function helpSheet(): HTMLDialogElement {
  const sheet = h('dialog', { 'aria-labelledby': 'help-title' });
  sheet.append(
    // It has the focus at first, so that a small window shows the beginning.
    h('h2', { id: 'help-title', text: 'Help', tabindex: -1, autofocus: true }),
    h('p', {
      text: 'Drop a map (.bsp) on the page, or choose one. For textures and models drop the folder of the game, or archives of it (.pk3, .pak, .wad, .vpk, .zip), together with the map. Nothing leaves this machine.',
    }),
    h('p', { text: 'Keys work while the picture has the focus: press Tab until it is outlined, or click it.' }),
    facts(KEYS),
    button('Close', () => sheet.close()),
  );
  return sheet;
}
