// What is under way in the shop, and how it changes what shoppers do.

/**
 * How a group multiplies the chance of an order in a visit, the price of an order, and the chance of a review.
 * @typedef {{ orders?: number, price?: number, reviews?: number }} Effect
 */

/**
 * An experiment or autotune that began some days before the sample is loaded. `groups` lists each group with its share
 * of the traffic and its effect.
 * @typedef {{
 *   kind: 'experiment' | 'autotune',
 *   id: string,
 *   daysAgo: number,
 *   groups: [group: string, share: number, effect: Effect][],
 * }} SampleRun
 */

/** @type {SampleRun[]} */
export const runs = [
  {
    kind: 'experiment',
    id: 'delivery_estimate',
    daysAgo: 8,
    groups: [
      ['group_0', 50, {}],
      ['group_1', 50, { orders: 1.35 }],
    ],
  },
  {
    kind: 'experiment',
    id: 'free_delivery_from',
    daysAgo: 8,
    groups: [
      ['group_0', 25, {}],
      ['group_1', 25, { orders: 1.05 }],
      ['group_2', 25, { orders: 1.2, price: 0.98 }],
      ['group_3', 25, { orders: 1.3, price: 0.8 }],
    ],
  },
  {
    kind: 'experiment',
    id: 'search_ranking',
    daysAgo: 14,
    groups: [
      ['group_0', 50, {}],
      ['group_1', 50, {}],
    ],
  },
  {
    kind: 'experiment',
    id: 'reviews_first',
    daysAgo: 4,
    groups: [
      ['group_0', 58, {}],
      ['group_1', 42, {}], // planned with 50: some of these pages report no exposure
    ],
  },
  {
    kind: 'experiment',
    id: 'review_reminder',
    daysAgo: 13,
    groups: [
      ['group_0', 50, {}],
      ['group_1', 50, { reviews: 1.6 }],
    ],
  },
  {
    kind: 'autotune',
    id: 'welcome_picture',
    daysAgo: 5,
    groups: [
      ['beach', 1, {}],
      ['forest', 1, { orders: 1.06 }],
      ['city', 1, { orders: 1.03 }],
    ],
  },
];
