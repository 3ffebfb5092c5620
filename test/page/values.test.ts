import { describe, expect, test } from 'vitest';
import { convert, faultOfValue, typeOfAll } from '../../src/page/values/value_type.ts';
import { accepted, api, asJSON, button, closed, testPage, unique, visit } from './browser.ts';

const groups = [
  { name: 'Control', size: 34, parameterValues: { offer: 'none', points: 0, badge: false } },
  { name: 'Small', size: 33, parameterValues: { offer: 'points', points: 500, badge: true } },
  { name: 'Large', size: 33, parameterValues: { offer: 'points', points: 1000, badge: true } },
];

async function save(page: Awaited<ReturnType<typeof visit>>): Promise<void> {
  await button(page, /^Review/).click();
  await accepted(page);
  await button(page, 'Save').click();
  await closed(page);
}

describe('the table of groups', () => {
  testPage('edits texts, numbers, and yes or no in typed cells, by keyboard', async () => {
    const { id } = await api('POST', 'experiments', { name: unique('Offer'), groups });
    const page = await visit(`/experiments/${id}/design`);
    await page.getByLabel('offer of Control').fill('nothing');
    await page.keyboard.press('Enter');
    await page.keyboard.type('1');
    expect(await page.getByLabel('points of Control').inputValue()).toBe('01');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await save(page);
    const [control, small] = (await api('GET', `experiments/${id}`)).groups;
    expect(control.parameterValues).toEqual({ offer: 'nothing', points: 1, badge: true });
    expect(small.parameterValues.badge).toBe(false);
  });

  testPage('names a mistyped number below its row, and keeps the type of the row', async () => {
    const { id } = await api('POST', 'experiments', { name: unique('Offer'), groups });
    const page = await visit(`/experiments/${id}/design`);
    const cell = page.getByLabel('points of Large');
    await cell.fill('1 000');
    await page.getByText('Large: enter a number without spaces, such as 1000.').waitFor();
    expect(await cell.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Type of points').inputValue()).toBe('number');
    await button(page, /^Review/).click();
    await page.getByText('points has values of the types number and string.').waitFor();
    await page.keyboard.press('Escape');
    await cell.fill('2000');
    await page.getByText('enter a number without spaces').waitFor({ state: 'detached' });
    await save(page);
    const stored = (await api('GET', `experiments/${id}`)).groups[2];
    expect(stored.parameterValues.points).toBe(2000);
  });

  testPage('opens an object in a sheet with its fields, or as JSON', async () => {
    const { id } = await api('POST', 'experiments', { name: unique('Offer'), groups });
    const page = await visit(`/experiments/${id}/design`);
    await page.getByLabel('New parameter', { exact: true }).fill('texts');
    await page.getByLabel('Type of the new parameter').selectOption('Object');
    await button(page, 'Parameter').click();
    await button(page, 'texts of Small: { 0 fields }').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('New parameter', { exact: true }).fill('title');
    await page.keyboard.press('Enter');
    await sheet.getByLabel('title of Value').fill('More');
    await button(page, 'Use').click();
    await closed(page);
    await button(page, 'texts of Large: { 0 fields }').click();
    await sheet.getByText('JSON', { exact: true }).click();
    await sheet.getByLabel('JSON').fill('{"a": [1]}');
    await button(page, 'Use').click();
    await closed(page);
    await button(page, 'texts of Large: { 1 field }').waitFor();
    await save(page);
    const stored = (await api('GET', `experiments/${id}`)).groups;
    expect(stored.map(({ parameterValues }: (typeof groups)[0]) => parameterValues)).toMatchObject([
      { texts: {} },
      { texts: { title: 'More' } },
      { texts: { a: [1] } },
    ]);
  });

  testPage('converts the values of a row to another type, and removes a parameter', async () => {
    const { id } = await api('POST', 'experiments', { name: unique('Offer'), groups });
    const page = await visit(`/experiments/${id}/design`);
    await page.getByLabel('Type of points').selectOption('Text');
    await button(page, 'Remove offer').click();
    await save(page);
    const [, small] = (await api('GET', `experiments/${id}`)).groups;
    expect(small.parameterValues).toEqual({ points: '500', badge: true });
  });
});

testPage('the value of a dynamic config is a table of its parameters, or JSON', async () => {
  const defaultValue = { limit: 10, title: 'All' };
  const { id } = await api('POST', 'dynamic_configs', { name: unique('Config'), defaultValue });
  const page = await visit(`/dynamic_configs/${id}`);
  await page.getByLabel('limit of Default value').fill('20');
  await asJSON(page);
  expect(await page.getByLabel('Default value').inputValue()).toContain('"limit": 20');
  await save(page);
  expect((await api('GET', `dynamic_configs/${id}`)).defaultValue).toEqual({
    ...defaultValue,
    limit: 20,
  });
});

testPage('the values of a dynamic config are a table of parameters and rules', async () => {
  const rule = (name: string, returnValue: object) => ({
    ...{ name, passPercentage: 50, conditions: [{ type: 'public' }], returnValue },
  });
  const variants = [{ name: 'B', passPercentage: 25, returnValue: { limit: 3, title: 'B' } }];
  const rules = [
    { ...rule('Some', { limit: 20, texts: { more: 'More' } }), variants },
    rule('Others', { limit: 30, title: 'Others' }),
  ];
  const defaultValue = { limit: 10, title: 'All' };
  const body = { name: unique('Config'), defaultValue, rules };
  const { id } = await api('POST', 'dynamic_configs', body);
  const page = await visit(`/dynamic_configs/${id}`);
  const heads = page.locator('.values thead th');
  await heads.first().waitFor();
  expect(await heads.allInnerTexts()).toEqual([
    ...['Parameter', 'Type', 'Default value', 'Some\n50%', 'B\n25%', 'Others\n50%', 'Remove'],
  ]);
  await page.getByLabel('limit of Default value').fill('11');
  await page.keyboard.press('Tab');
  await page.keyboard.type('21');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.locator('td input:focus').waitFor();
  await page.keyboard.type('Some');
  await page.getByLabel('limit of Some, B').fill('4');
  await button(page, 'texts of Some: { 1 field }').click();
  await page.getByRole('dialog').getByLabel('more of Value').fill('Fewer');
  await button(page, 'Use').click();
  await page.getByLabel('limit of Others').fill('3 1');
  await page.getByText('Others: enter a number without spaces, such as 31.').waitFor();
  await button(page, /^Review/).click();
  await page.getByText('limit has values of the types number and string.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('limit of Others').fill('31');
  await page.getByText('enter a number without spaces').waitFor({ state: 'detached' });
  await save(page);
  const stored = await api('GET', `dynamic_configs/${id}`);
  expect(stored.defaultValue).toEqual({ limit: 11, title: 'All' });
  expect(stored.rules).toMatchObject([
    {
      returnValue: { limit: 21, title: 'Some', texts: { more: 'Fewer' } },
      variants: [{ name: 'B', passPercentage: 25, returnValue: { limit: 4, title: 'B' } }],
    },
    { returnValue: { limit: 31, title: 'Others' } },
  ]);
});

testPage('the parameters of a layer have typed default values', async () => {
  const parameters = [{ name: 'green', type: 'boolean', defaultValue: false }];
  const { id } = await api('POST', 'layers', { name: unique('Layer'), parameters });
  const page = await visit(`/layers/${id}/parameters`);
  await page.getByLabel('Default value of green').check();
  await page.getByLabel('New parameter', { exact: true }).fill('size');
  await page.getByLabel('Type of the new parameter').selectOption('Number');
  await button(page, 'Parameter').click();
  await page.getByLabel('Default value of size').fill('3');
  await save(page);
  expect((await api('GET', `layers/${id}`)).parameters).toEqual([
    { name: 'green', type: 'boolean', defaultValue: true },
    { name: 'size', type: 'number', defaultValue: 3 },
  ]);
});

describe('the type of a row of values', () => {
  test('is the type of the first value that is set', () => {
    expect(typeOfAll([undefined, 3, 'a'])).toBe('number');
    expect(typeOfAll([null, undefined])).toBe('string');
  });

  test('converts numbers and texts, and empties other values', () => {
    expect(convert(3, 'string')).toBe('3');
    expect(convert('3.5', 'number')).toBe(3.5);
    expect(convert('many', 'number')).toBe(0);
    expect(convert({ a: 1 }, 'array')).toEqual([]);
  });

  test('does not fit a text among numbers', () => {
    expect(faultOfValue('1 000', 'number')).toBe('enter a number without spaces, such as 1000.');
    expect(faultOfValue('many', 'number')).toBe('enter a number.');
    expect(faultOfValue(undefined, 'number')).toBe(undefined);
  });
});
