import { expect, test } from 'vitest';
import { examples } from '../../src/results/base/examples.ts';
import { exampleResponses, loadExample } from './example.ts';

test('the documented results are the responses to the requests of the example', async () => {
  await loadExample();
  expect(await exampleResponses()).toEqual(examples);
});
