import { expect, test } from 'vitest';
import { measures } from '../../scripts/house/measures.js';

test.each(measures)('$name: at most $bound', ({ count, bound }) => {
  expect(count()).toBeLessThanOrEqual(bound);
});
