import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { readNumber } from '../../src/page/base/json_text.ts';
import {
  accepted,
  add,
  api,
  asJSON,
  button,
  closed,
  dock,
  everyone,
  go,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { editing, openRules, paste, review, save, share } from './editing.ts';

const fault = (page: Page, text: string) => page.locator('.field-error', { hasText: text });

const makeConfig = (body: object = {}) =>
  api('POST', 'dynamic_configs', { name: unique('Config'), ...body });

/** Reviews a rejected edit and returns to it. */
async function beRefused(page: Page): Promise<void> {
  await button(page, /^Review/).click();
  await page.getByText('Not saved').waitFor();
  await page.keyboard.press('Escape');
}

describe("a number that can't be stored exactly", () => {
  testPage('is rejected with a message at its field', async () => {
    const { id } = await makeConfig({ defaultValue: { a: 1 } });
    const page = await visit(`/dynamic_configs/${id}`);
    await asJSON(page);
    for (const [number, text] of [
      ['1e400', '{"a": [1e400]}'],
      ['1e-400', '{"a": 1e-400}'],
      ['9007199254740993', '{"a": {"b": 9007199254740993}}'],
      ['0.10000000000000001', '{"a": 0.10000000000000001}'],
    ] as const) {
      await page.getByLabel('Default value').fill(text);
      await fault(page, `must not contain ${number}`).waitFor();
      expect(await page.getByLabel('Default value').inputValue()).toBe(text);
      await beRefused(page);
    }
    expect((await api('GET', `dynamic_configs/${id}`)).defaultValue).toEqual({ a: 1 });
  });

  testPage('is rejected in return values and parameters', async () => {
    const config = await makeConfig({ rules: [{ ...everyone(10), returnValue: {} }] });
    const page = await visit(`/dynamic_configs/${config.id}/rules`);
    await asJSON(page);
    await page.getByLabel('and returns').fill('{"a": -9007199254740993}');
    await fault(page, 'must not contain 9007199254740993').waitFor();
    await beRefused(page);
    const parameters = [{ name: 'n', type: 'number', defaultValue: 1 }];
    const layer = await api('POST', 'layers', { name: unique('Layer'), parameters });
    await go(page, `/layers/${layer.id}/parameters`);
    await asJSON(page);
    await page.getByLabel('Default value').fill('9007199254740993');
    await fault(page, 'must not contain 9007199254740993').waitFor();
    await beRefused(page);
  });

  testPage('is rejected in a share and in JSON objects', async () => {
    const { id } = await makeGate({ rules: [everyone(10)] });
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    const field = share(page);
    for (const [text, number] of [
      ['12.3456789012345678901', '12.3456789012345678901'],
      ['1,2345678901234567890', '1.2345678901234567890'],
    ] as const) {
      await field.fill(text);
      await fault(page, `must not contain ${number}`).waitFor();
    }
    await field.fill('0x20');
    expect(await page.locator('.field-error').count()).toBe(0);
    await beRefused(page);
    const parameters = [{ name: 'o', type: 'object', defaultValue: {} }];
    const layer = await api('POST', 'layers', { name: unique('Layer'), parameters });
    await go(page, `/layers/${layer.id}/parameters`);
    await asJSON(page);
    await page.getByLabel('Default value').fill('{"a": 9007199254740993}');
    await fault(page, 'must not contain 9007199254740993').waitFor();
  });

  testPage('is allowed in texts, and in equal notations', async () => {
    const { id } = await makeConfig();
    const page = await visit(`/dynamic_configs/${id}`);
    await asJSON(page);
    await page
      .getByLabel('Default value')
      .fill(
        '{"1e400": "\\"1e400", "b": [1.50, 100, 1E2, 0.0, -0, 5e-324, 1e21, 9007199254740992]}',
      );
    await dock(page).waitFor();
    expect(await page.locator('.field-error').count()).toBe(0);
  });
});

describe('a number with a comma', () => {
  testPage.for([
    ['1,5', 1.5],
    ['0,125', 0.125],
    [',125', 0.125],
    ['12,3456', 12.3456],
  ] as const)('is read with a decimal comma: %s', async ([text, number]) => {
    expect(readNumber(text)).toBe(number);
  });

  testPage.for(['1,000', '-1,000', '100,125', '1,000,000', '1,000,5'])(
    'is not read if the comma may separate thousands: %s',
    async (text) => {
      expect(readNumber(text)).toBe(text);
    },
  );

  testPage('is rejected in a condition if the comma may separate thousands', async () => {
    const conditions = [{ type: 'custom_field', field: 'spent', operator: 'gt', targetValue: 1 }];
    const { id } = await makeGate({ rules: [{ ...everyone(10), conditions }] });
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    await page.getByLabel('Value of condition 1').fill('1,000');
    await beRefused(page);
    await fault(page, 'number').waitFor();
  });
});

testPage('a repeated JSON key is rejected at its field, and kept in the text', async () => {
  const { id } = await makeConfig({ defaultValue: { a: 1 } });
  const page = await visit(`/dynamic_configs/${id}`);
  await asJSON(page);
  const field = page.getByLabel('Default value');
  for (const text of ['{"a": {"b": 2, "b" : 3}}', '{"a": 1, "\\u0061": 2}']) {
    await field.fill(text);
    await fault(page, 'must not repeat a key in an object').waitFor();
    expect(await field.inputValue()).toBe(text);
    await beRefused(page);
  }
  await field.fill('{"a": 2, "b": [{"c": "a\\":"}, {"c": 1}], "d": {"b": ["x", ":"]}}');
  await fault(page, '').waitFor({ state: 'detached' });
  await review(page);
  await accepted(page);
});

testPage('editing JSON back to its stored value leaves no change', async () => {
  const { id } = await makeConfig({ schema: '{"type":"object"}' });
  const page = await visit(`/dynamic_configs/${id}`);
  const field = page.getByLabel('JSON Schema');
  const before = await field.inputValue();
  await field.fill(`${before} `);
  await dock(page).waitFor();
  await field.fill(before);
  await dock(page).waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe(before);
});

testPage('clearing a typed reason leaves no change', async () => {
  const { id } = await api('POST', 'experiments', { name: unique('Experiment') });
  const page = await visit(`/experiments/${id}/settings`);
  const field = page.getByLabel('Decision reason');
  await field.fill('Because.');
  await dock(page).waitFor();
  await field.fill('');
  await dock(page).waitFor({ state: 'detached' });
});

describe('a time condition', () => {
  const ruled = (condition: object) => ({
    rules: [
      { ...everyone(10), conditions: [{ type: 'custom_field', field: 'plan', ...condition }] },
    ],
  });

  testPage('can replace a text condition', async () => {
    const { id } = await makeGate(ruled({ operator: 'any', targetValue: ['pro'] }));
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    await page.getByLabel('Operator of condition 1').selectOption('before');
    await dock(page).waitFor();
    await page.reload();
    const value = page.getByLabel('Value of condition 1');
    await value.fill('2026-01-01T00:00');
    await button(page, /^Review/).click();
    await page.getByRole('dialog').getByText('plan before Jan 1').waitFor();
    await accepted(page);
    await page.keyboard.press('Escape');
    await value.fill('');
    await button(page, /^Review/).click();
    await page
      .getByRole('dialog')
      .getByText(/plan before$/)
      .waitFor();
  });
});

testPage('a new rule gets the focus, in any phase', async () => {
  const phase = (name: string) => ({ name, timeIntervalMs: 0, requiredReview: false });
  const pipeline = await api('POST', 'release_pipelines', {
    name: unique('Pipeline'),
    phases: [
      { ...phase('One'), rules: [everyone(10)] },
      { ...phase('Two'), rules: [] },
    ],
  });
  const page = await visit(`/release_pipelines/${pipeline.id}`);
  await button(page, 'A share of everyone').nth(1).click();
  await page.locator('.card').nth(1).locator('.input-share:focus').waitFor();
});

testPage('minutes are converted to whole milliseconds', async () => {
  const phases = [{ name: 'One', timeIntervalMs: 0, requiredReview: false, rules: [everyone(10)] }];
  const { id } = await api('POST', 'release_pipelines', { name: unique('Pipeline'), phases });
  const page = await visit(`/release_pipelines/${id}`);
  const lasts = page.getByLabel('Lasts');
  await lasts.fill('4.1');
  await button(page, /^Review/).click();
  await page.getByText('time interval: 0 minutes → 4.1 minutes').waitFor();
  await accepted(page);
  await button(page, /^Save/).click();
  await closed(page);
  expect((await api('GET', `release_pipelines/${id}`)).phases[0].timeIntervalMs).toBe(246_000);
});

testPage('a year has four digits, so that the next digits are the hour', async () => {
  const condition = { type: 'time', operator: 'after', targetValue: Date.UTC(2026, 8, 21) };
  const { id } = await makeGate({ rules: [{ ...everyone(10), conditions: [condition] }] });
  const page = await visit(`/gates/${id}`);
  await openRules(page);
  const time = page.getByLabel('Value of condition 1');
  await time.click({ position: { x: 15, y: 15 } });
  await page.keyboard.type('122420270330P');
  expect(await time.inputValue()).toBe('2027-12-24T15:30');
});

testPage('a draft that exceeds the storage can be edited and saved, with a warning', async () => {
  const { id } = await makeGate({ rules: [everyone(10)] });
  const page = await visit(`/gates/${id}`);
  await openRules(page);
  await page.evaluate(`for (let size = 2 ** 23; size > 32; size /= 2)
    try { sessionStorage.setItem('full ' + size, ' '.repeat(size)); } catch {}`);
  await share(page).fill('20');
  await dock(page).getByText('lost when you leave').waitFor();
  await button(page, /^Review/).click();
  await accepted(page);
  await button(page, /^Add to change set/).click();
  await page.getByText('change set is full').waitFor();
  await button(page, /^Save/).click();
  await closed(page);
  expect((await api('GET', `gates/${id}`)).rules[0].passPercentage).toBe(20);
});

testPage('removing values from a long list does not remove hidden ones', async () => {
  const targetValue = Array.from({ length: 102 }, (_, n) => `user-${n}`);
  const conditions = [{ type: 'user_id', operator: 'any', targetValue }];
  const { id } = await makeGate({ rules: [{ ...everyone(10), conditions }] });
  const page = await visit(`/gates/${id}`);
  await openRules(page);
  const tokens = page.locator('.token');
  const value = page.getByLabel('Value of condition 1');
  await value.press('Backspace');
  await button(page, 'and 2 more').click();
  await button(page, 'Remove user-101').waitFor();
  expect(await tokens.count()).toBe(102);
  await value.press('Backspace');
  await button(page, 'Remove user-101').waitFor({ state: 'detached' });
  await button(page, /^Review/).click();
  await page.locator('.line-go', { hasText: 'User ID is any of user-101, and' }).waitFor();
});

testPage('Enter during IME composition does not add a word', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}/settings`);
  const tags = page.getByLabel('Tags');
  await tags.fill('とうき');
  const composing = { key: 'Enter', bubbles: true, cancelable: true, isComposing: true };
  await tags.dispatchEvent('keydown', composing);
  expect(await tags.inputValue()).toBe('とうき');
  await tags.press('Enter');
  await button(page, 'Remove とうき').waitFor();
});

testPage('two metrics with the same name and different types are kept apart', async () => {
  const name = unique('metric');
  const metrics = [
    { name, type: 'event_count' },
    { name, type: 'event_user' },
  ];
  const { id } = await makeGate({ monitoringMetrics: metrics });
  const page = await visit(`/gates/${id}/settings`);
  await button(page, new RegExp(`^Remove ${name}::`))
    .first()
    .click();
  await button(page, /^Review/).click();
  await page.locator('.difference', { hasText: `“${name}” removed` }).waitFor();
});

testPage('a metric name without a type displays an error', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}/settings`);
  await page.getByLabel('Monitoring metrics').fill(unique('metric'));
  await page.getByLabel('Monitoring metrics').press('Enter');
  await page.getByText('Choose a suggested metric').waitFor();
});

testPage('a failed copy asks to select the text', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}`);
  const none = '{ value: undefined, configurable: true }';
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', ${none})`);
  await button(page, 'Copy ID').click();
  const said = page.getByRole('status').filter({ hasText: 'Select the text' });
  await expect.poll(async () => (await said.boundingBox())?.width).toBeGreaterThan(40);
  await page.evaluate('delete navigator.clipboard');
});

describe('the error of a rule', () => {
  const nameOf = (page: Page, nth: number) =>
    page.getByLabel(`Pass percentage of rule ${nth}`, { exact: true });

  /** Opens a gate with three rules. The second one is rejected. */
  async function refused(): Promise<Page> {
    const rules = ['A', 'B', 'C'].map((name) => ({ ...everyone(10), name }));
    const { id } = await makeGate({ rules });
    const page = await visit(`/gates/${id}`);
    await openRules(page);
    await nameOf(page, 2).fill('101');
    await beRefused(page);
    await faultOf(page, 2).waitFor();
    return page;
  }

  const faultOf = (page: Page, nth: number) =>
    page
      .locator('.rule')
      .nth(nth - 1)
      .locator('.field-error');

  testPage('is displayed when overrides are changed too', async () => {
    const { id } = await makeGate({ rules: [everyone(10)] });
    const page = await visit(`/gates/${id}/overrides`);
    await page.getByLabel('Always pass').fill('u-1');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Rules' }).click();
    await openRules(page);
    await share(page).fill('101');
    await beRefused(page);
    await faultOf(page, 1).waitFor();
  });

  testPage('moves with the rule, and disappears with it', async () => {
    const page = await refused();
    await button(page, 'Move rule 2 up').click();
    await faultOf(page, 1).waitFor();
    expect(await page.locator('.field-error').count()).toBe(1);
    await button(page, 'Remove rule 3').click();
    await faultOf(page, 1).waitFor();
    await button(page, 'Remove rule 1').click();
    await page.locator('.field-error').waitFor({ state: 'detached' });
  });

  testPage('disappears when the value changes or is accepted', async () => {
    const page = await refused();
    await nameOf(page, 2).fill('40');
    await page.locator('.field-error').waitFor({ state: 'detached' });
    await nameOf(page, 2).fill('101');
    await beRefused(page);
    await faultOf(page, 2).waitFor();
    await button(page, 'Remove rule 2').click();
    await button(page, /^Review/).click();
    await accepted(page);
    await page.keyboard.press('Escape');
    await dock(page).waitFor();
  });
});

const focused = (page: Page) =>
  page.evaluate(
    'document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.textContent',
  );

testPage('added items get the focus', async () => {
  const experiment = await api('POST', 'experiments', { name: unique('Experiment') });
  const page = await visit(`/experiments/${experiment.id}/design`);
  await button(page, 'Add a group').click();
  await expect.poll(() => focused(page)).toBe('Name of group 3');
  await page.keyboard.type('Third');
  expect(await page.getByLabel('Name of group 3').inputValue()).toBe('Third');
  const { id } = await makeGate({ rules: [everyone(10)] });
  await go(page, `/gates/${id}`);
  await openRules(page);
  await button(page, 'Condition').waitFor();
  expect(await button(page, 'Remove condition 1').count()).toBe(0);
  await button(page, 'Condition').click();
  await expect.poll(() => focused(page)).toBe('Type of condition 2');
  const pipeline = await api('POST', 'release_pipelines', {
    name: unique('Pipeline'),
    phases: [{ name: 'All', timeIntervalMs: 0, rules: [everyone(100)] }],
  });
  await go(page, `/release_pipelines/${pipeline.id}`);
  await button(page, 'Add a phase').click();
  await expect.poll(() => focused(page)).toBe('Name');
  await page.keyboard.type('Last');
  await page.getByText('2. Last, 1 hour').waitFor();
});

testPage('a double click removes only one rule', async () => {
  const rules = ['A', 'B', 'C'].map((name) => ({ ...everyone(10), name }));
  const { id } = await makeGate({ rules });
  const page = await visit(`/gates/${id}`);
  await openRules(page);
  await button(page, 'Remove rule 1').dblclick();
  await expect.poll(() => page.getByLabel('Name of rule 1').inputValue()).toBe('B');
  expect(await page.getByLabel(/^Name of rule/).count()).toBe(2);
});

testPage('a double click removes only one word, and a held key presses once', async () => {
  const { id } = await api('POST', 'layers', {
    name: unique('Layer'),
    tags: ['one', 'two', 'three'],
    parameters: ['a', 'b', 'c'].map((name) => ({ name, type: 'string', defaultValue: '' })),
  });
  const page = await visit(`/layers/${id}/settings`);
  await button(page, 'Remove one').dblclick();
  await button(page, 'Remove one').waitFor({ state: 'detached' });
  expect(await page.locator('.token').count()).toBe(2);
  await go(page, `/layers/${id}/parameters`);
  await asJSON(page);
  await button(page, 'Remove parameter 1').focus();
  for (let times = 0; times < 3; times++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect.poll(() => page.getByLabel('Name').first().inputValue()).toBe('b');
  await button(page, 'Discard').focus();
  for (let times = 0; times < 3; times++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await button(page, 'Discard changes?').waitFor();
});

testPage('Discard ignores presses from before it was displayed', async () => {
  const { id } = await api('POST', 'layers', { name: unique('Layer') });
  const page = await visit(`/layers/${id}/settings`);
  await page.evaluate(`
    const discard = () => document.querySelector('.dock button');
    new MutationObserver((_, observer) => {
      if (!discard()) return;
      observer.disconnect();
      discard().click();
    }).observe(document.body, { childList: true, subtree: true });
  `);
  await page.getByLabel('Description').fill('Other');
  await button(page, 'Discard changes?').waitFor();
});

testPage('typed spaces are displayed unchanged in the review', async () => {
  const { id } = await api('POST', 'dynamic_configs', { name: unique('Config') });
  const page = await visit(`/dynamic_configs/${id}`);
  await asJSON(page);
  await page.getByLabel('Default value').fill('{"text": "  two"}');
  await review(page);
  expect(await page.locator('dialog .difference').innerText()).toContain('"  two"');
});

testPage('a percentage accepts a percent sign', async () => {
  const { page } = await editing('10.01%');
  expect(await share(page).inputValue()).toBe('10.01%');
  await review(page);
  await page.getByText('passes 10% → 10.01%').waitFor();
  await page.getByText('Ready to save').waitFor();
});

testPage('undoing an environment leaves no change', async () => {
  const gate = await makeGate({ rules: [everyone(10)] });
  const layer = await api('POST', 'layers', { name: unique('Layer') });
  const { id, groups } = await api('POST', 'experiments', {
    name: unique('Experiment'),
    layerID: layer.id,
  });
  const [{ name: groupName }] = groups;
  const idOverrides = [{ experimentName: id, groupName, ids: ['u-1'], idType: 'userID' }];
  await api('POST', `layers/${layer.id}/overrides`, { idOverrides });
  const page = await visit(`/gates/${gate.id}`);
  await openRules(page);
  const waiting = dock(page);
  await page.getByLabel('Environments of rule 1').fill('staging,');
  await waiting.waitFor();
  await button(page, 'Remove staging').click();
  await waiting.waitFor({ state: 'detached' });
  await go(page, `/layers/${layer.id}/overrides`);
  const environment = page.getByLabel('Environment');
  await environment.fill('staging');
  await waiting.waitFor();
  await environment.fill('');
  await waiting.waitFor({ state: 'detached' });
});

testPage('a country condition shows an example', async () => {
  const { id } = await makeGate({ rules: [everyone(10)] });
  const page = await visit(`/gates/${id}`);
  await openRules(page);
  await page.getByLabel('Type of condition 1').selectOption('Country');
  expect(await page.getByLabel('Value of condition 1').getAttribute('placeholder')).toBe(
    'e.g. DE, then Enter',
  );
});

testPage('added rules get unique names', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}`);
  for (const _ of [1, 2]) await button(page, 'A share of everyone').click();
  const second = page.getByLabel('Name of rule 2');
  await expect.poll(() => second.inputValue()).toBe('A share of everyone 2');
});

testPage('a share is set with the slider', async () => {
  const { page } = await editing();
  await page.getByLabel('Pass percentage of rule 1, as a slider').fill('30');
  await review(page);
  await page.getByText('passes 10% → 30%').waitFor();
  await accepted(page);
});

testPage('changing the type resets the value, and texts are kept as typed', async () => {
  const parameters = [{ name: 'on', type: 'boolean', defaultValue: true }];
  const { id } = await api('POST', 'layers', { name: unique('Layer'), parameters });
  const page = await visit(`/layers/${id}/parameters`);
  await asJSON(page);
  await page.getByLabel('Type').selectOption('Text');
  expect(await page.getByLabel('Default value').inputValue()).toBe('');
  await page.getByLabel('Default value').fill('12');
  await review(page);
  await save(page);
  await closed(page);
  expect((await api('GET', `layers/${id}`)).parameters[0].defaultValue).toBe('12');
  const store = await api('POST', 'param_stores', {
    name: unique('Store'),
    displayName: 'Store',
    description: '',
  });
  await go(page, `/param_stores/${store.id}`);
  await add(page, 'Add a parameter');
  await page.getByLabel('Source').selectOption('A gate');
  await page.getByLabel('Gate', { exact: true }).fill('some_gate');
  await page.getByLabel('Type').selectOption('Number');
  expect([
    await page.getByLabel('Gate', { exact: true }).inputValue(),
    await page.getByLabel('Value when on').inputValue(),
    await page.getByLabel('Value when off').inputValue(),
  ]).toEqual(['some_gate', '0', '0']);
});

testPage('pasted quoted cells keep their commas', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}/overrides`);
  const field = page.getByLabel('Always pass');
  await field.focus();
  await paste(page, '"Doe, Jane",u-2\n"say ""hi""",u-3 "x"');
  await button(page, 'Remove u-2').waitFor();
  expect(await page.locator('.token').allInnerTexts()).toEqual([
    'Doe, Jane',
    'u-2',
    'say "hi"',
    'u-3 "x"',
  ]);
});

testPage('Discard needs a second press', async () => {
  const { page } = await editing();
  await button(page, 'Discard').dblclick();
  await button(page, 'Discard changes?').waitFor();
  expect(await share(page).inputValue()).toBe('50');
  await share(page).fill('60');
  await button(page, 'Discard').click();
  await button(page, 'Discard changes?').click();
  await expect.poll(() => share(page).inputValue()).toBe('10');
});

testPage('the page of a client key switches off what it does not record', async () => {
  const { id } = await api('POST', 'keys', { name: unique('Web'), type: 'CLIENT' });
  const page = await visit(`/keys/${id}`);
  await page.getByText(/can report events and exposures of any user/).waitFor();
  await page.getByLabel(/^Exposures: those they report/).waitFor();
  await page.getByLabel(/^Events that applications send/).uncheck();
  await review(page);
  await save(page);
  await closed(page);
  expect((await api('GET', `keys/${id}`)).reports).toEqual({ events: false, exposures: true });
});
