// SPDX-License-Identifier: MIT
// A page that `bspkit view --serve` serves: it asks whether the map was compiled again, and loads itself anew then.
import type { App } from '../app';

const OFTEN = 1000; // milliseconds
const SELDOM = 5000; // while the server does not answer

interface State {
  number: string;
  /** Why the newest map cannot be shown, or nothing. */
  problem: string;
}

async function ask(address: string): Promise<State | null> {
  try {
    const answer = await fetch(address, { cache: 'no-store' });
    if (!answer.ok) return null;
    const [number = '', problem = ''] = (await answer.text()).split('\n');
    return { number, problem };
  } catch {
    return null;
  }
}

/** Does nothing in a page from the disk. */
export function watchServer(app: App): void {
  const node = document.querySelector<HTMLScriptElement>('script[data-reload]');
  const address = node?.dataset.reload;
  if (!node || !address) return;
  const own = node.textContent ?? '';
  let last = own; // the newest number that was spoken of; '' while the server does not answer
  const look = async (): Promise<void> => {
    const state = document.hidden ? undefined : await ask(address);
    if (state === null && last !== '') {
      app.say('The server has ended: this is the last page. Start bspkit view --serve again for a new address.', true);
      last = '';
    } else if (state && state.number !== own && state.problem === '') {
      history.replaceState(null, '', app.link());
      location.reload();
      return;
    } else if (state && state.number !== last) {
      if (state.problem !== '') app.say(`The new map cannot be shown: ${state.problem}. This is the one before.`, true);
      else if (last === '') app.say('The server answers again.');
      last = state.number;
    }
    setTimeout(() => void look(), last === '' ? SELDOM : OFTEN);
  };
  setTimeout(() => void look(), OFTEN);
}
