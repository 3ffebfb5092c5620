/** How long an isolate trusts that nobody is to be told of anything, in milliseconds; the scheduler delivers meanwhile. */
const trust = 30_000;

let nobodyUntil = 0;

/** How often a webhook was changed, so that who looked before that remembers nothing after it. */
let changed = 0;

/** Whether somebody may be to be told of something. `now` in epoch milliseconds, here and below. */
export const mayListen = (now: number) => now >= nobodyUntil;

/** Begins to look whether anybody is, and answers how to remember that nobody is. */
export function lookForListeners(): (now: number) => void {
  const before = changed;
  return (now) => {
    if (before === changed) nobodyUntil = now + trust;
  };
}

/** Forgets that, as after a change of a webhook. */
export const expectListeners = () => {
  changed++;
  nobodyUntil = 0;
};
