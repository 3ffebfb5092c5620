// The memory of the runtime that this process has started.
import { spawnSync } from 'node:child_process';

/** How much the second half may grow from its first part to its last, in megabytes. */
const most = 48;

/** The megabytes that the workerd processes below this one hold; nothing where the system does not say. */
function held() {
  const { status, stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,comm='], {
    encoding: 'utf8',
  });
  if (status !== 0) return undefined;
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const own = rows.filter(
    ([, parent, , name]) => parent === String(process.pid) && /workerd/.test(name ?? ''),
  );
  return own.length > 0 ? own.reduce((sum, [, , size]) => sum + Number(size) / 1024, 0) : undefined;
}

/** Watches it, four times a second, until it is asked. */
export function watchMemory() {
  /** @type {number[]} */
  const sizes = [];
  const timer = setInterval(() => {
    const size = held();
    if (size !== undefined) sizes.push(size);
  }, 250);
  return () => {
    clearInterval(timer);
    return sizes;
  };
}

/** @param {number[]} sizes */
const mean = (sizes) => sizes.reduce((sum, size) => sum + size, 0) / sizes.length;

/**
 * By how many megabytes it grew over the second half of the time.
 * @param {number[]} sizes
 */
export function growth(sizes) {
  const half = sizes.slice(Math.floor(sizes.length / 2));
  const part = Math.ceil(half.length / 3);
  return half.length === 0 ? 0 : mean(half.slice(-part)) - mean(half.slice(0, part));
}

/** @param {number[]} sizes */
export const isFlat = (sizes) => growth(sizes) < most;
