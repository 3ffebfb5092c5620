import { describe, expect } from 'vitest';
import { button, makeGate, testPage, unique, visit } from './browser.ts';
import { latch, review } from './editing.ts';

const word = (text: string) => unique(text).replaceAll(' ', '_');

/** A gate with one rule that names another gate. */
const makeAsking = (targetValue: string) => {
  const conditions = [{ type: 'passes_gate', targetValue }];
  return makeGate({ rules: [{ name: 'Others', passPercentage: 100, conditions }] });
};

describe('Enter in a picker', () => {
  testPage('takes the first suggestion', async () => {
    const [other, wanted] = [await makeGate(), await makeGate({ name: word('harbour') })];
    const { id } = await makeAsking(other.id);
    const page = await visit(`/gates/${id}`);
    const field = page.getByLabel('Value of condition 1');
    await field.fill(wanted.id.slice(0, -1));
    await page.getByRole('option', { name: wanted.id }).waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe(wanted.id);
    expect(await page.locator('.combo-item:visible').count()).toBe(0);
  });

  testPage('waits for the suggestions for what is typed', async () => {
    const [other, wanted] = [await makeGate(), await makeGate({ name: word('lagoon') })];
    const { id } = await makeAsking(other.id);
    const page = await visit(`/gates/${id}`);
    const { gone, letGo } = latch();
    await page.route(/search=lagoon/, (route) => gone.then(() => route.continue()));
    const field = page.getByLabel('Value of condition 1');
    await field.fill('gate');
    await page.locator('.combo-item:visible').first().waitFor();
    await field.fill(wanted.id.slice(0, -1));
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe(wanted.id.slice(0, -1));
    letGo();
    await expect.poll(() => field.inputValue()).toBe(wanted.id);
  });

  testPage('keeps an ID that is typed whole, also beside a longer one', async () => {
    const short = word('pond');
    await makeGate({ name: short });
    const long = await makeGate({ name: `${short}_longer` });
    const { id } = await makeAsking(long.id);
    const page = await visit(`/gates/${id}`);
    const field = page.getByLabel('Value of condition 1');
    await field.fill(short);
    await page.getByRole('option', { name: long.id }).waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe(short);
  });

  testPage('takes it into a list of several, and a comma adds what is typed instead', async () => {
    const known = word('winter');
    await makeGate({ tags: [known] });
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}/settings`);
    const field = page.getByLabel('Tags');
    await field.fill(known.slice(0, -1));
    await page.getByRole('option', { name: known }).waitFor();
    await page.keyboard.press('Enter');
    await field.fill('wint,');
    expect(await page.locator('.token').allTextContents()).toEqual([known, 'wint']);
  });
});

testPage('a list of suggestions never covers the error of its field', async () => {
  const other = await makeGate();
  const { id } = await makeAsking(other.id);
  const page = await visit(`/gates/${id}`);
  const field = page.getByLabel('Value of condition 1');
  await field.fill('gate');
  await review(page);
  await page.getByText('Nothing was stored').waitFor();
  await button(page, 'Cancel').click();
  await field.focus();
  await page.locator('.combo-item:visible').first().waitFor();
  const [error, list] = await Promise.all(
    ['.field-error', '.combo-list:not([hidden])'].map((place) => page.locator(place).boundingBox()),
  );
  expect(list?.y).toBeGreaterThanOrEqual((error?.y ?? Infinity) + (error?.height ?? 0));
});
