// Events of the shop, and the metrics computed from them.

/**
 * Returns a reference to a metric.
 * @param {string} name
 * @param {string} type
 */
export const metric = (name, type = 'event_count_custom') => ({ name, type });

/**
 * Returns a metric that counts an event.
 * @param {string} name
 * @param {string} event
 * @param {string} description
 */
const count = (name, event, description) => ({
  ...metric(name),
  description,
  metricEvents: [{ name: event, type: 'count' }],
});

export const metrics = [
  { ...count('orders', 'order', 'Orders, of any size.'), tags: ['core'], isVerified: true },
  {
    ...metric('revenue', 'sum'),
    description: 'The revenue, in euros.',
    metricEvents: [{ name: 'order', type: 'value' }],
    tags: ['core'],
    isVerified: true,
  },
  {
    ...metric('basket', 'mean'),
    description: 'The average order value, in euros.',
    metricEvents: [{ name: 'order', type: 'value' }],
  },
  count('searches', 'search', 'Searches for a product.'),
  {
    ...metric('searches_with_order', 'ratio'),
    description: 'Orders for each search.',
    metricComponentMetrics: [metric('orders'), metric('searches')],
  },
  {
    ...metric('search_to_order', 'funnel'),
    description: 'From the search through the cart to the order.',
    funnelEventList: ['search', 'add_to_cart', 'order'].map((name) => metric(name, 'event_user')),
  },
  count('reviews', 'review', 'Reviews that buyers write.'),
  count('newsletter_clicks', 'newsletter_click', 'Clicks that lead from the newsletter here.'),
  {
    ...metric('returns', 'user_warehouse'),
    description: 'Returned parcels; computed only in the warehouse.',
    directionality: 'decrease',
    warehouseNative: { aggregation: 'count', metricSourceName: 'shop.returns' },
  },
];

const days = [
  { date: '2026-06-01', orders: 412, revenue: 18_540, searches: 2_060 },
  { date: '2026-06-02', orders: 398, revenue: 17_114, searches: 1_990 },
  { date: '2026-06-03', orders: 441, revenue: 20_727, searches: 2_100 },
];

/** Metric values, one import per day. */
export const imports = days.map(({ date, orders, revenue, searches }) => ({
  date,
  values: [
    { ...metric('orders'), value: orders },
    { ...metric('revenue', 'sum'), value: revenue },
    { ...metric('searches'), value: searches },
    {
      ...metric('searches_with_order', 'ratio'),
      value: orders / searches,
      numerator: orders,
      denominator: searches,
    },
  ].map(({ name, type, ...rest }) => ({
    metricName: name,
    metricType: type,
    unitType: 'userID',
    ...rest,
  })),
}));

/**
 * Events of one morning.
 * @type {[time: string, customer: string, event: string, value: string | number, metadata?: object][]}
 */
const morning = [
  ['08:02:10', 'customer-7', 'search', 'raincoat', { results: 24 }],
  ['08:03:41', 'customer-7', 'add_to_cart', 'raincoat-yellow'],
  ['08:05:02', 'customer-7', 'order', 59.9, { items: 1, payment: 'card' }],
  ['08:11:30', 'customer-12', 'newsletter_click', 'summer'],
  ['08:12:05', 'customer-12', 'add_to_cart', 'sandals-brown'],
  ['08:12:48', 'customer-12', 'add_to_cart', 'sun-hat'],
  ['08:15:20', 'customer-12', 'order', 84.5, { items: 2, payment: 'invoice' }],
  ['08:20:00', 'customer-19', 'search', 'tent', { results: 9 }],
  ['08:21:13', 'customer-19', 'search', 'tnet for two', { results: 0 }],
  ['08:34:55', 'customer-31', 'review', 5, { product: 'teapot', photos: 2 }],
  ['08:40:07', 'customer-31', 'search', 'tea', { results: 41 }],
  ['08:41:22', 'customer-31', 'add_to_cart', 'green-tea'],
  ['08:42:09', 'customer-31', 'order', 12.8, { items: 1, payment: 'card' }],
  ['08:58:36', 'customer-44', 'newsletter_click', 'summer'],
  ['09:01:17', 'customer-44', 'search', 'bicycle bell', { results: 6 }],
  ['09:02:50', 'customer-44', 'add_to_cart', 'bell-brass'],
  ['09:14:03', 'customer-58', 'search', 'raincoat', { results: 24 }],
  ['09:15:29', 'customer-58', 'add_to_cart', 'raincoat-blue'],
  ['09:16:11', 'customer-58', 'order', 64.9, { items: 1, payment: 'card' }],
  ['09:30:45', 'customer-19', 'review', 3, { product: 'headlamp', photos: 0 }],
];

export const events = morning.map(([time, userID, name, value, metadata]) => ({
  timestamp: Date.parse(`2026-06-03T${time}Z`),
  userID,
  name,
  value,
  metadata,
  source: 'shop',
}));
