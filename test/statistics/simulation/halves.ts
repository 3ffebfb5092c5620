import { compare } from '../../../src/engine/statistics/compare.ts';
import { momentsOf, type UnitValues } from '../../../src/engine/statistics/moments.ts';
import { isSignificant } from './fixed.ts';
import { type Method, shares } from './method.ts';
import type { Random } from './random.ts';

const day = 86_400_000;

/** Returns the lines of a CSV file without its head, as their first cells; later cells may have quotes. */
const linesOf = (text: string): string[][] =>
  text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','));

type Unit = Required<UnitValues>;

/**
 * Returns the units of an experiment with their purchases (Y) and views (D) after their exposure, and their purchases of
 * the seven days before (X).
 */
export function unitsOf(exposures: string, events: string): Unit[] {
  const units = new Map<string, Unit & { since: number }>();
  for (const [, id = '', , time] of linesOf(exposures)) {
    const since = Math.min(Number(time), units.get(id)?.since ?? Number.POSITIVE_INFINITY);
    units.set(id, { since, y: 0, d: 0, x: 0, m: 0 });
  }
  for (const [, time, name, , id = ''] of linesOf(events)) {
    const unit = units.get(id);
    if (!unit) continue;
    const at = Number(time);
    const start = Math.floor(unit.since / day) * day;
    if (at >= unit.since && name === 'purchase') unit.y++;
    if (at >= unit.since && name === 'view') unit.d++;
    if (at >= start - 7 * day && at < start && name === 'purchase') unit.x++;
  }
  return [...units.values()];
}

/** Shuffles units in place (Fisher and Yates) and returns both halves. */
function halvesOf(random: Random, units: Unit[]) {
  for (let last = units.length - 1; last > 0; last--) {
    const place = Math.floor((last + 1) * random.uniform());
    const [a, b] = [units[last], units[place]];
    if (a && b) [units[last], units[place]] = [b, a];
  }
  const middle = Math.floor(units.length / 2);
  return [units.slice(0, middle), units.slice(middle)] as const;
}

/** The false positives of random halves of real-looking units: a count, a ratio and an adjusted count. */
export const halves = (units: Unit[]): Method => ({
  runs: 10_000,
  simulate: (random, runs) =>
    shares(
      runs,
      {
        'random halves, count': [3.5, 5.7],
        'random halves, ratio': [3.5, 5.7],
        'random halves, CUPED': [3.5, 5.7],
      },
      () => {
        const [control, test] = halvesOf(random, units).map((half) => ({
          count: momentsOf(half),
          viewers: momentsOf(half.filter(({ d }) => d > 0)),
        }));
        if (!control || !test) throw new Error('no halves');
        return {
          'random halves, count': isSignificant(compare(control.count, test.count)),
          'random halves, ratio': isSignificant(
            compare(control.viewers, test.viewers, { isRatio: true }),
          ),
          'random halves, CUPED': isSignificant(
            compare(control.count, test.count, { withCuped: true }),
          ),
        };
      },
    ),
});
