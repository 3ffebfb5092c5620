// Releases: to employees, to a tenth of the customers, and after a review to everyone.
import { everyone, passes, rule } from './rules.js';

const hour = 60 * 60 * 1000;

/** @type {import('./rules.js').Entity[]} */
export const pipelines = [
  [
    'step_by_step',
    'Step by step',
    {
      description: 'Two hours for employees, a day for a tenth, and everyone once it is approved.',
      tags: ['core'],
      phases: [
        {
          id: 'employees',
          name: 'Employees',
          timeIntervalMs: 2 * hour,
          rules: [rule('Employees', 100, passes('employees'))],
        },
        {
          id: 'tenth',
          name: 'A tenth',
          timeIntervalMs: 24 * hour,
          rules: [
            rule('Employees', 100, passes('employees')),
            rule('A tenth of everyone', 10, everyone),
          ],
        },
        {
          id: 'everyone',
          name: 'Everyone',
          timeIntervalMs: 0,
          requiredReview: true,
          rules: [rule('Everyone', 100, everyone)],
        },
      ],
    },
  ],
];

export const release = {
  releasePipelineID: 'step_by_step',
  gateID: 'saved_carts',
  description: 'Saved carts go out.',
};
