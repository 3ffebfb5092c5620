import { expect } from 'vitest';
import { makeGate, testPage, visit } from './browser.ts';

testPage('a page past the last of a list is the last', async () => {
  const { name } = await makeGate();
  const page = await visit(`/gates?search=${encodeURIComponent(name)}&page=999`);
  await page.getByRole('link', { name }).waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe(null);
});
