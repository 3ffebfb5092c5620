// Fourteen days of visits to the shop until the day of loading: exposures and events, equal except for their day.
import { exponential, normal, pick, poisson, randomFrom } from './random.js';
import { runs } from './runs.js';

const second = 1000;
const hour = 3600 * second;
export const day = 24 * hour;

const dayCount = 14;
const shopperCount = 1500;
const visitsPerDay = 0.4;

/** Chances of each step of a visit, after the step before. */
const chances = { cart: 0.62, order: 0.55, review: 0.15 };
const mostLikely = 0.95;

/** @type {[item: string, weight: number][]} */
const items = [
  ['raincoat', 4],
  ['tent', 2],
  ['teapot', 2],
  ['bicycle bell', 1],
];

/** @type {[country: string, weight: number][]} */
const countries = [
  ['DE', 5],
  ['FR', 3],
  ['AT', 2],
];

/** @typedef {{ time: number, name: string, userID: string, value: string | number }} Visited */
/** @typedef {ReturnType<typeof makeShopper>} Shopper */

/**
 * @param {import('./random.js').Random} random
 * @param {number} number
 */
function makeShopper(random, number) {
  return {
    userID: `shopper-${number}`,
    country: pick(random, countries),
    visitsPerDay: visitsPerDay * exponential(random),
    price: 40 * Math.exp(0.4 * normal(random)),
    groups: runs.map(({ groups }) =>
      pick(
        random,
        groups.map((group) => [group, group[1]]),
      ),
    ),
  };
}

/**
 * Returns the events of a visit. Times in milliseconds after midnight of the day of loading.
 * @param {import('./random.js').Random} random
 * @param {Shopper} shopper
 * @param {number} time
 * @returns {Visited[]}
 */
function visit(random, { userID, price, groups }, time) {
  const effects = runs.map(({ daysAgo }, run) => (time < -daysAgo * day ? {} : groups[run]?.[2]));
  const effectOn = (/** @type {keyof import('./runs.js').Effect} */ of) =>
    effects.reduce((product, effect) => product * (effect?.[of] ?? 1), 1);
  const item = pick(random, items);
  const events = [{ time, name: 'search', userID, value: item }];
  if (random() > chances.cart) return events;
  events.push({ time: time + 90 * second, name: 'add_to_cart', userID, value: item });
  if (random() > Math.min(mostLikely, chances.order * effectOn('orders'))) return events;
  const paid = price * effectOn('price') * Math.exp(0.3 * normal(random));
  events.push({ time: time + 300 * second, name: 'order', userID, value: paid.toFixed(2) });
  if (random() > chances.review * effectOn('reviews')) return events;
  const stars = String(3 + Math.floor(3 * random()));
  return [...events, { time: time + hour, name: 'review', userID, value: stars }];
}

/**
 * Returns the times of a shopper's visits in order, between 7 and 22 o'clock UTC.
 * @param {import('./random.js').Random} random
 * @param {Shopper} shopper
 */
function visitTimes(random, shopper) {
  const days = Array.from({ length: dayCount }, (_, index) => (index - dayCount) * day);
  return days.flatMap((midnight) => {
    const count = poisson(random, shopper.visitsPerDay);
    const times = Array.from({ length: count }, () => Math.floor((7 + 15 * random()) * hour));
    return times.toSorted((a, b) => a - b).map((time) => midnight + time);
  });
}

/**
 * Returns the exposures of a shopper: the first visit after the start of each run.
 * @param {Shopper} shopper
 * @param {number[]} times
 */
const exposuresOf = ({ userID: unit, country, groups }, times) =>
  runs.flatMap(({ kind, id, daysAgo }, run) => {
    const time = times.find((visited) => visited >= -daysAgo * day);
    const [group] = groups[run] ?? [];
    return time === undefined
      ? []
      : [{ kind, id, group, unitType: 'userID', unit, time, attributes: { country } }];
  });

/**
 * Returns the exposures and events of all shoppers, the earliest first.
 * @param {number} midnight the begin of the day of loading in UTC, in epoch milliseconds
 */
export function visitsBefore(midnight) {
  const random = randomFrom(2);
  const all = Array.from({ length: shopperCount }, (_, number) => {
    const shopper = makeShopper(random, number);
    const times = visitTimes(random, shopper);
    return {
      exposures: exposuresOf(shopper, times),
      events: times.flatMap((time) => visit(random, shopper, time)),
    };
  });
  return {
    exposures: all
      .flatMap(({ exposures }) => exposures)
      .toSorted((a, b) => a.time - b.time)
      .map((exposure) => ({ ...exposure, time: midnight + exposure.time })),
    events: all
      .flatMap(({ events }) => events)
      .toSorted((a, b) => a.time - b.time)
      .map(({ time, ...event }) => ({ ...event, timestamp: midnight + time, source: 'shop' })),
  };
}
