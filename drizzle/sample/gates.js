// Segments of customers, and the gates of the shop's features.
import { everyone, inCountry, inSegment, passes, rule } from './rules.js';

/** @type {import('./rules.js').Entity[]} */
export const segments = [
  [
    'german_speaking',
    'German speaking countries',
    {
      description: 'Where the shop delivers from its own warehouse.',
      type: 'rule_based',
      rules: [rule('By country', 100, inCountry('DE', 'AT', 'CH'))],
      tags: ['core'],
    },
  ],
  [
    'beta_testers',
    'Beta testers',
    {
      description: 'Customers who asked to see things early.',
      type: 'id_list',
      tags: ['core'],
    },
  ],
];

export const betaTesters = ['customer-7', 'customer-12', 'customer-31', 'customer-58'];

/** @type {import('./rules.js').Entity[]} */
export const gates = [
  [
    'employees',
    'Employees',
    {
      description: 'People who work at the shop.',
      type: 'PERMANENT',
      tags: ['core'],
      rules: [
        rule('Company addresses', 100, {
          type: 'email',
          operator: 'str_contains_any',
          targetValue: ['@shop.example'],
        }),
      ],
    },
  ],
  [
    'one_page_checkout',
    'One-page checkout',
    {
      description: 'Address, delivery and payment on one page.',
      type: 'TEMPORARY',
      tags: ['checkout'],
      rules: [
        rule('Employees first', 100, passes('employees')),
        rule('A tenth of the German speaking', 10, inSegment('german_speaking')),
      ],
    },
  ],
  [
    'express_delivery',
    'Express delivery',
    {
      description: 'Delivery within two hours in cities with couriers.',
      type: 'PERMANENT',
      tags: ['delivery'],
      rules: [
        rule('Cities with couriers', 100, {
          type: 'custom_field',
          field: 'city',
          operator: 'any',
          targetValue: ['Berlin', 'Hamburg', 'Wien'],
        }),
      ],
    },
  ],
  [
    'new_search',
    'New search',
    {
      description: 'The search that understands typing errors.',
      type: 'TEMPORARY',
      tags: ['search'],
      rules: [rule('Half of everyone', 50, everyone)],
      monitoringMetrics: [{ name: 'searches', type: 'event_count_custom' }],
    },
  ],
  [
    'gift_wrapping',
    'Gift wrapping',
    {
      description: 'Offered in December.',
      type: 'PERMANENT',
      tags: ['season'],
      rules: [
        rule('December 2026', 100, { type: 'time', operator: 'after', targetValue: 1796083200000 }),
      ],
    },
  ],
  [
    'dark_mode',
    'Dark mode',
    {
      description: 'A dark design for the app.',
      type: 'TEMPORARY',
      tags: ['design'],
      targetApps: ['ios', 'android'],
      rules: [
        rule('Beta testers', 100, inSegment('beta_testers')),
        rule('App 4.2 and later', 100, {
          type: 'app_version',
          operator: 'version_gte',
          targetValue: '4.2.0',
        }),
      ],
    },
  ],
  [
    'invoice_payment',
    'Payment by invoice',
    {
      description: 'For companies that have ordered before.',
      type: 'PERMANENT',
      tags: ['checkout', 'b2b'],
      rules: [
        rule('Known companies', 100, {
          type: 'unit_id',
          customID: 'companyID',
          operator: 'is_not_null',
        }),
      ],
    },
  ],
  [
    'reviews_with_photos',
    'Reviews with photos',
    {
      description: 'Buyers add photos to their reviews.',
      type: 'TEMPORARY',
      tags: ['reviews'],
      rules: [rule('Checkout testers', 100, passes('one_page_checkout'), inCountry('DE'))],
    },
  ],
  [
    'old_recommendations',
    'Old recommendations',
    { description: 'Replaced by a model of our own.', type: 'TEMPORARY', tags: ['search'] },
  ],
  [
    'summer_banner',
    'Summer banner',
    { description: 'The banner of the summer sale.', type: 'TEMPORARY', tags: ['season'] },
  ],
  [
    'saved_carts',
    'Saved carts',
    {
      description: 'A cart is the same on the phone and at the desk; on its way out to everyone.',
      type: 'TEMPORARY',
      tags: ['checkout'],
    },
  ],
];
