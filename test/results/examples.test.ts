import { expect, test } from 'vitest';
import { examples } from '../../src/results/examples.ts';
import { exampleResponses, loadExample } from './example.ts';

test('the documented results are the responses to the requests of the example', async () => {
  await loadExample();
  const { metricResult, ...others } = await exampleResponses();
  const { metricResult: slices, ...documented } = examples;
  expect(others).toEqual(documented);
  expect(metricResult).toMatchObject({ ds: slices.ds });
  expect(metricResult).toHaveProperty('dimensionResults.0', slices.dimensionResults[0]);
});
