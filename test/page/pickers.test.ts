import { describe, expect } from 'vitest';
import {
  accepted,
  add,
  api,
  button,
  closed,
  everyone,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { latch, openRules, paste, review, save } from './editing.ts';

const word = (text: string) => unique(text).replaceAll(' ', '_');

const makeAsking = (targetValue: string) => {
  const conditions = [{ type: 'passes_gate', targetValue }];
  return makeGate({ rules: [{ name: 'Others', passPercentage: 100, conditions }] });
};

describe('Enter in a picker', () => {
  testPage('selects the first suggestion', async () => {
    const [other, wanted] = [await makeGate(), await makeGate({ name: word('harbour') })];
    const { id } = await makeAsking(other.id);
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    const field = page.getByLabel('Value of condition 1');
    await field.fill(wanted.id.slice(0, -1));
    await page.getByRole('option', { name: wanted.id }).waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe(wanted.id);
    expect(await page.locator('.combo-item:visible').count()).toBe(0);
  });

  testPage('waits for the suggestions of the typed text', async () => {
    const [other, wanted] = [await makeGate(), await makeGate({ name: word('lagoon') })];
    const { id } = await makeAsking(other.id);
    const page = await visit(`/gates/${id}`);
    await openRules(page);
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

  testPage('keeps a complete ID that is a prefix of another', async () => {
    const short = word('pond');
    await makeGate({ name: short });
    const long = await makeGate({ name: `${short}_longer` });
    const { id } = await makeAsking(long.id);
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    const field = page.getByLabel('Value of condition 1');
    await field.fill(short);
    await page.getByRole('option', { name: long.id }).waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe(short);
  });

  testPage('adds the suggestion to a list, and a comma adds the typed text', async () => {
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

testPage('suggestions never cover the error of their field', async () => {
  const other = await makeGate();
  const { id } = await makeAsking(other.id);
  const page = await visit(`/gates/${id}`);
  await openRules(page);
  const field = page.getByLabel('Value of condition 1');
  await field.fill('gate');
  await review(page);
  await page.getByText('Not saved').waitFor();
  await button(page, 'Cancel').click();
  await closed(page);
  await field.focus();
  const gap = `(() => {
    const [error, list] = ['.field-error', '.combo-list:not([hidden])'].map((place) =>
      document.querySelector(place)?.getBoundingClientRect());
    return error && list && list.height > 0 ? list.top - error.bottom : -1;
  })()`;
  await expect.poll(() => page.evaluate(gap)).toBeGreaterThanOrEqual(0);
});

const makeCountry = (targetValue: string[]) => {
  const conditions = [{ type: 'country', operator: 'any', targetValue }];
  return makeGate({ rules: [{ name: 'Countries', passPercentage: 100, conditions }] });
};

describe('a country condition', () => {
  testPage('suggests codes with names', async () => {
    const { id } = await makeCountry(['DE']);
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    await page.getByLabel('Value of condition 1').fill('aust');
    const suggested = page.locator('.combo-item:visible');
    await expect.poll(() => suggested.allInnerTexts()).toEqual(['Australia\nAU', 'Austria\nAT']);
    await page.getByLabel('Value of condition 1').fill('at');
    await expect.poll(() => suggested.first().innerText()).toBe('Austria\nAT');
    await page.keyboard.press('Enter');
    expect(await page.locator('.token').allTextContents()).toEqual(['DE', 'AT']);
  });

  testPage('accepts codes and names in any case, and rejects other words', async () => {
    const { id } = await makeCountry(['DE']);
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    const field = page.getByLabel('Value of condition 1');
    await field.focus();
    await paste(page, 'fr, france, SWITZERLAND, Germny, ZZ, EU, DD');
    expect(await page.locator('.token').allTextContents()).toEqual(['DE', 'FR', 'CH']);
    await page.getByText('“Germny, ZZ, EU, DD” is not a country').waitFor();
    expect(await field.inputValue()).toBe('Germny, ZZ, EU, DD');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.blur();
    expect(await field.inputValue()).toBe('Germny, ZZ, EU, DD');
    await field.fill('');
    await page.locator('.field-error').waitFor({ state: 'detached' });
  });
});

testPage('the bar in a list is striped if a rule has conditions', async () => {
  const [some, all, staging] = [unique('Some'), unique('All'), unique('Staging')];
  const share = { passPercentage: 100, name: 'A rule' };
  const conditions = [{ type: 'country', operator: 'any', targetValue: ['DE'] }];
  await makeGate({ name: some, rules: [{ ...share, conditions }] });
  await makeGate({ name: all, rules: [everyone(100)] });
  await makeGate({ name: staging, rules: [{ ...everyone(100), environments: ['staging'] }] });
  const page = await visit('/gates?sort=createdTime');
  const stripes = (name: string) =>
    page.locator('.row-of', { hasText: name }).locator('.bar-some').count();
  await page.locator('.row-of', { hasText: some }).waitFor();
  expect([await stripes(some), await stripes(all), await stripes(staging)]).toEqual([1, 0, 1]);
});

testPage('a new targeting rule passes everyone who matches and has no share', async () => {
  const rules = [{ ...everyone(40), id: 'a-part', baseID: 'a-part' }];
  const { id } = await api('POST', 'experiments', {
    name: unique('Experiment'),
    inlineTargetingRulesJSON: JSON.stringify(rules),
  });
  const page = await visit(`/experiments/${id}/design`);
  const [stored, fresh] = [1, 2].map((rule) =>
    page.getByLabel(`Pass percentage of rule ${rule}`, { exact: true }),
  );
  await stored?.waitFor();
  expect(await button(page, 'A share of everyone').count()).toBe(0);
  await add(page, 'Certain users');
  expect(await fresh?.count()).toBe(0);
  await page.keyboard.type('ann,');
  await stored?.fill('100');
  expect(await stored?.isVisible()).toBe(true);
  await review(page);
  await accepted(page);
  await save(page);
  await closed(page);
  const { inlineTargetingRulesJSON: text } = await api('GET', `experiments/${id}`);
  expect(JSON.parse(text)).toMatchObject([
    { passPercentage: 100 },
    { passPercentage: 100, conditions: [{ type: 'user_id', targetValue: ['ann'] }] },
  ]);
});
