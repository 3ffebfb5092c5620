import { expect, test } from 'vitest';
import events from './golden/end_to_end/events.csv?raw';
import exposures from './golden/end_to_end/exposures.csv?raw';
import { simulate } from './simulation/table.ts';

test('the error rates of all methods are within bounds in a twentieth of the runs of `npm run simulate`', () => {
  const rows = simulate({ seed: 7, share: 0.05, exposures, events });
  expect(rows).toHaveLength(38);
  expect(rows.filter(({ isAccepted }) => !isAccepted)).toEqual([]);
});
