import { test } from 'vitest';
import { gates } from '../../src/resources/gates/table.ts';
import { dump, emptyDatabase } from '../support/client.ts';
import { makeGate } from '../support/factories.ts';
import { multiply } from '../support/seed.ts';

const model = (i: number) => ({ id: `model_${i}`, name: `Model ${i}`, tags: ['all'] });
test('x', async () => {
  await emptyDatabase();
  for (let i = 0; i < 3; i++) await makeGate(model(i));
  await multiply(gates, 1);
  const a = await dump();
  await emptyDatabase();
  for (let i = 0; i < 3; i++) await makeGate(model(i));
  for (let i = 0; i < 3; i++)
    await makeGate({ ...model(i), id: `model_${i}_1`, name: `Model ${i} 1` });
  const b = await dump();
  for (const t of Object.keys(a)) {
    const m = (r: unknown) =>
      JSON.stringify(r)
        .replace(/1[6-9]\d{11}/g, 'T')
        .replace(/"requestID":"[^"]*"/, 'R');
    const x = a[t]?.map(m) ?? [],
      y = b[t]?.map(m) ?? [];
    x.forEach((r, i) => {
      if (r !== y[i]) console.log(t, i, '\n', r, '\n', y[i]);
    });
    if (x.length !== y.length) console.log(t, x.length, y.length);
  }
});
