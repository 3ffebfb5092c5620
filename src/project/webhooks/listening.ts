/** How long an isolate assumes that there are no webhooks; the scheduler delivers in the meantime. */
const idleMilliseconds = 30_000;

let idleUntil = 0;

/** The number of webhook changes: a check that began before a change must not set `idleUntil`. */
let changed = 0;

/** Whether a webhook may exist. `now` in epoch milliseconds, here and below. */
export const mayListen = (now: number) => now >= idleUntil;

/** Begins a check for webhooks; returns the function that records an empty result. */
export function lookForListeners(): (now: number) => void {
  const before = changed;
  return (now) => {
    if (before === changed) idleUntil = now + idleMilliseconds;
  };
}

/** Resets the check after a change of a webhook. */
export const expectListeners = () => {
  changed++;
  idleUntil = 0;
};
