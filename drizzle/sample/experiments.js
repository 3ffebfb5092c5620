// Layers, experiments, autotunes and holdouts of the shop.
import { metric } from './metrics.js';
import { assignmentSource } from './warehouse.js';

/** @type {import('./rules.js').Entity[]} */
export const layers = [
  [
    'cart_and_checkout',
    'Cart and checkout',
    {
      description: 'Each customer is in one experiment between the cart and the order.',
      parameters: [
        { name: 'button_color', type: 'string', defaultValue: 'grey' },
        { name: 'free_delivery_from', type: 'number', defaultValue: 50 },
      ],
      tags: ['checkout'],
    },
  ],
  [
    'product_page',
    'Product page',
    {
      description: 'The look of a product page.',
      parameters: [
        { name: 'photo_size', type: 'string', defaultValue: 'small' },
        { name: 'reviews_first', type: 'boolean', defaultValue: false },
      ],
      tags: ['design'],
    },
  ],
];

/** @param {Record<string, unknown>[]} parameters the parameter values of each group */
const groups = (...parameters) =>
  parameters.map((parameterValues, index) => ({
    id: `group_${index}`,
    name: index === 0 ? 'Control' : `Variant ${index}`,
    size: 100 / parameters.length,
    parameterValues,
  }));

/** The condition of a decision about the order: more orders, and no much smaller baskets. */
const plan = {
  decisionRule: [
    { metricID: 'orders::event_count_custom', better: true },
    { metricID: 'basket::mean', notWorseThan: 10 },
  ],
  smallestChanges: [{ metricID: 'orders::event_count_custom', percent: 5 }],
};

/** @type {import('./rules.js').Entity[]} */
export const experiments = [
  [
    'checkout_button',
    'Checkout button',
    {
      hypothesis: 'A green button is more visible, so more carts become orders.',
      layerID: 'cart_and_checkout',
      allocation: 50,
      groups: groups({ button_color: 'grey' }, { button_color: 'green' }),
      primaryMetrics: [metric('orders')],
      secondaryMetrics: [metric('basket', 'mean')],
      ...plan,
      duration: 21,
      tags: ['checkout'],
      targetingGateID: 'one_page_checkout',
    },
  ],
  [
    'delivery_estimate',
    'Delivery estimate',
    {
      hypothesis: 'A day of arrival next to the price answers the last question before an order.',
      groups: groups({ shows_estimate: false }, { shows_estimate: true }),
      primaryMetrics: [metric('orders')],
      secondaryMetrics: [metric('revenue', 'sum'), metric('basket', 'mean')],
      ...plan,
      sequentialTesting: true,
      preComputedUserDimensions: [{ name: 'country' }],
      tags: ['delivery'],
    },
  ],
  [
    'reviews_first',
    'Reviews first',
    {
      hypothesis: 'Reviews above the description answer more questions than below it.',
      groups: groups({ reviews_first: false }, { reviews_first: true }),
      primaryMetrics: [metric('orders')],
      tags: ['reviews'],
    },
  ],
  [
    'wish_list',
    'Wish list',
    {
      hypothesis: 'A list of wishes brings visitors back.',
      groups: groups({ has_list: false }, { has_list: true }),
      primaryMetrics: [metric('searches')],
      tags: ['design'],
    },
  ],
  [
    'free_delivery_from',
    'Free delivery from',
    {
      hypothesis: 'A lower limit sells more than it costs.',
      layerID: 'cart_and_checkout',
      allocation: 50,
      groups: groups(
        { free_delivery_from: 50 },
        { free_delivery_from: 40 },
        { free_delivery_from: 30 },
        { free_delivery_from: 20 },
      ),
      primaryMetrics: [metric('revenue', 'sum')],
      secondaryMetrics: [metric('orders'), metric('basket', 'mean')],
      analyticsType: 'bayesian',
      tags: ['delivery'],
    },
  ],
  [
    'search_ranking',
    'Search ranking',
    {
      hypothesis: 'Ranking by sales leads to the product faster.',
      groups: groups({ ranking: 'text' }, { ranking: 'bought' }),
      primaryMetrics: [metric('searches_with_order', 'ratio')],
      secondaryMetrics: [metric('search_to_order', 'funnel')],
      smallestChanges: [{ metricID: 'searches_with_order::ratio', percent: 10 }],
      targetingGateID: 'new_search',
      tags: ['search'],
      sequentialTesting: true,
    },
  ],
  [
    'review_reminder',
    'Review reminder',
    {
      hypothesis: 'A reminder after a week brings more reviews than one after a day.',
      groups: groups({ days: 1 }, { days: 7 }),
      primaryMetrics: [metric('reviews')],
      tags: ['reviews'],
    },
  ],
  [
    'product_photos',
    'Product photos',
    {
      hypothesis: 'Larger photos sell better.',
      layerID: 'product_page',
      groups: groups({ photo_size: 'small' }, { photo_size: 'large' }),
      primaryMetrics: [metric('orders')],
      secondaryMetrics: [metric('returns', 'user_warehouse')],
      assignmentSourceName: assignmentSource.name,
      assignmentSourceExperimentName: 'photos_2026',
      tags: ['design'],
    },
  ],
  [
    'newsletter_day',
    'Newsletter day',
    {
      hypothesis: 'A newsletter on Sunday is read more than one on Monday.',
      groups: groups({ day: 'Monday' }, { day: 'Sunday' }),
      primaryMetrics: [metric('newsletter_clicks')],
      tags: ['marketing'],
    },
  ],
];

/** Overrides of the layer of the checkout. */
export const checkoutOverrides = {
  conditionalOverrides: [
    {
      type: 'gate',
      name: 'employees',
      experimentName: 'checkout_button',
      groupName: 'Variant 1',
    },
  ],
  idOverrides: [
    { experimentName: 'free_delivery_from', groupName: 'Variant 3', ids: ['tester-1', 'tester-2'] },
  ],
};

const windows = { explorationWindow: '24hr', attributionWindow: '1hr', winnerThreshold: '95%' };

/** @type {import('./rules.js').Entity[]} */
export const autotunes = [
  [
    'welcome_picture',
    'Welcome picture',
    {
      description: 'Finds the picture that leads to the most orders.',
      ...windows,
      successEvent: 'order',
      variants: ['beach', 'forest', 'city'].map((picture) => ({
        name: picture,
        json: { picture },
      })),
      tags: ['design'],
    },
  ],
  [
    'newsletter_subject',
    'Newsletter subject',
    {
      description: 'Finds the subject that is clicked most.',
      ...windows,
      successEvent: 'newsletter_click',
      variants: [
        { name: 'plain', json: { subject: 'New in June' }, size: 50 },
        { name: 'question', json: { subject: 'Ready for the summer?' }, size: 50 },
      ],
      tags: ['marketing'],
    },
  ],
];

/** @type {import('./rules.js').Entity[]} */
export const holdouts = [
  [
    'second_quarter',
    'Second quarter',
    {
      description: 'Shows the effect of the quarter in July.',
      isEnabled: true,
      isGlobal: false,
      passPercentage: 2,
      gateIDs: ['express_delivery', 'new_search'],
      experimentIDs: ['search_ranking'],
      layerIDs: ['cart_and_checkout'],
      dynamicConfigIDs: ['delivery_prices'],
      promptIDs: ['product_questions'],
      targetingGateID: null,
      monitoringMetrics: [metric('revenue', 'sum')],
      tags: ['core'],
    },
  ],
  [
    'companies',
    'Companies',
    {
      description: 'Companies that keep the current shop; still empty.',
      isEnabled: false,
      isGlobal: false,
      passPercentage: 5,
      gateIDs: [],
      experimentIDs: [],
      layerIDs: [],
      targetingGateID: 'invoice_payment',
      tags: ['b2b'],
    },
  ],
];
