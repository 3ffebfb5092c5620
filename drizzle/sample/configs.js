// Dynamic configs, prompts and param stores of the shop.
import { inCountry, inSegment, rule } from './rules.js';

/**
 * Returns the JSON Schema of an object that requires all of these properties, as text.
 * @param {Record<string, object>} properties
 */
const schema = (properties) =>
  JSON.stringify({ type: 'object', properties, required: Object.keys(properties) });

const price = { type: 'number', minimum: 0 };

/** @type {import('./rules.js').Entity[]} */
export const configs = [
  [
    'delivery_prices',
    'Delivery prices',
    {
      description: 'The delivery fee, in euros.',
      tags: ['delivery'],
      schema: schema({ standard: price, express: price }),
      defaultValue: { standard: 9.9, express: 24.9 },
      rules: [
        {
          ...rule('From our own warehouse', 100, inSegment('german_speaking')),
          returnValue: { standard: 3.9, express: 7.9 },
        },
        {
          ...rule('Neighbours', 100, inCountry('FR', 'NL', 'PL')),
          returnValue: { standard: 5.9, express: 14.9 },
        },
      ],
    },
  ],
  [
    'search_settings',
    'Search settings',
    {
      description: 'The number of search results per page, and the suggestions.',
      tags: ['search'],
      schema: schema({
        page_size: { type: 'integer', minimum: 1, maximum: 100 },
        suggestions: { type: 'boolean' },
      }),
      defaultValue: { page_size: 24, suggestions: true },
      rules: [
        {
          ...rule('Phones', 100, {
            type: 'os_name',
            operator: 'any',
            targetValue: ['iOS', 'Android'],
          }),
          returnValue: { page_size: 10, suggestions: true },
        },
      ],
    },
  ],
  [
    'season_banner',
    'Season banner',
    {
      description: 'The banner above the shop; off until the autumn.',
      tags: ['season'],
      isEnabled: false,
      defaultValue: { text: 'Coats are here', link: '/coats' },
    },
  ],
];

/** @type {import('./rules.js').Entity[]} */
export const prompts = [
  [
    'product_questions',
    'Product questions',
    { description: 'Answers questions about a product.', tags: ['support'], team: 'Support' },
  ],
  [
    'review_summary',
    'Review summary',
    { description: 'Summarizes the reviews of a product.', tags: ['reviews'], team: 'Catalogue' },
  ],
];

/** @type {import('./rules.js').Entity[]} */
export const paramStores = [
  [
    'checkout',
    'checkout',
    {
      displayName: 'Checkout',
      description: 'All values that the checkout needs.',
      targetAppIDs: ['web', 'ios', 'android'],
      tags: ['checkout'],
      parameters: [
        { name: 'currency', param_type: 'string', ref_type: 'static', value: 'EUR' },
        {
          name: 'pages',
          param_type: 'number',
          ref_type: 'gate',
          gate_name: 'one_page_checkout',
          pass_value: 1,
          fail_value: 3,
        },
        {
          name: 'button_color',
          param_type: 'string',
          ref_type: 'layer',
          layer_name: 'cart_and_checkout',
          param_name: 'button_color',
        },
        {
          name: 'express_price',
          param_type: 'number',
          ref_type: 'dynamic_config',
          config_name: 'delivery_prices',
          param_name: 'express',
        },
      ],
    },
  ],
  [
    'search',
    'search',
    {
      displayName: 'Search',
      description: 'All values that the search needs.',
      targetAppIDs: ['web'],
      tags: ['search'],
      parameters: [
        {
          name: 'ranking',
          param_type: 'string',
          ref_type: 'experiment',
          experiment_name: 'search_ranking',
          param_name: 'ranking',
        },
        {
          name: 'page_size',
          param_type: 'number',
          ref_type: 'dynamic_config',
          config_name: 'search_settings',
          param_name: 'page_size',
        },
      ],
    },
  ],
];
