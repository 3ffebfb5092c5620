import { expect } from 'vitest';
import { everyone, makeGate, testPage, visit } from './browser.ts';

testPage('tabs stay where they are, whichever is chosen', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}`);
  const places = async () => {
    const boxes = (await page.locator('.tab').all()).map((tab) => tab.boundingBox());
    return (await Promise.all(boxes)).map((box) => box?.x);
  };
  const before = await places();
  await page.getByRole('link', { name: 'Overrides' }).click();
  await page.locator('.tab[aria-current]', { hasText: 'Overrides' }).waitFor();
  expect(await places()).toEqual(before);
});

testPage('a condition stands in one line where there is room for it', async () => {
  const conditions = [
    { type: 'custom_field', field: 'plan', operator: 'any', targetValue: ['pro', 'team'] },
    { type: 'custom_field', field: 'roles', operator: 'array_contains_none', targetValue: ['x'] },
    { type: 'unit_id', customID: 'companyID', operator: 'none', targetValue: ['c-1'] },
  ];
  const { id } = await makeGate({ rules: [{ ...everyone(10), conditions }] });
  const page = await visit(`/gates/${id}`);
  await page.locator('.condition').last().waitFor();
  for (const row of await page.locator('.condition').all()) {
    const box = await row.boundingBox();
    expect(box?.height).toBeLessThan(36);
  }
});
