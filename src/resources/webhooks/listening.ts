/** How long an isolate trusts that nobody is to be told of anything, in milliseconds; the scheduler delivers meanwhile. */
const trust = 30_000;

let nobodyUntil = 0;

/** Whether somebody may be to be told of something. `now` in epoch milliseconds, here and below. */
export const mayListen = (now: number) => now >= nobodyUntil;

/** Remembers that nobody is. */
export const rememberNobody = (now: number) => {
  nobodyUntil = now + trust;
};

/** Forgets that, as after a change of a webhook. */
export const expectListeners = () => {
  nobodyUntil = 0;
};
