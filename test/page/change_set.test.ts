import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  accepted,
  api,
  button,
  closed,
  dock,
  everyone,
  go,
  makeGate,
  testPage,
} from './browser.ts';
import { editing, latch, openRules, review, share } from './editing.ts';

async function putAside(page: Page): Promise<void> {
  await review(page);
  await button(page, /^Add to change set/).click();
  await closed(page);
}

const toSet = (page: Page) => page.getByRole('link', { name: 'Change set' }).click();

/** Opens a gate and adds an edit to the change set. */
async function aside() {
  const opened = await editing();
  await putAside(opened.page);
  return opened;
}

describe('the change set', () => {
  testPage('lists its changes with links to their pages', async () => {
    const { gate, page } = await aside();
    await toSet(page);
    const card = page.locator('.card');
    await card.locator('.difference', { hasText: '10% → 50%' }).waitFor();
    const link = card.getByRole('link', { name: gate.name });
    expect(await link.getAttribute('href')).toBe(`/gates/${gate.id}`);
  });

  testPage('keeps its note after a reload', async () => {
    const { gate, page } = await aside();
    await toSet(page);
    await accepted(page);
    await page.getByLabel('Note').fill('All at once.');
    await page.reload();
    await accepted(page);
    await button(page, 'Save all').click();
    await page.getByText('The change set is empty.').waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('All at once.');
    const [last] = await api('GET', `gates/${gate.id}/versions?limit=1`);
    expect(last.note).toBe('All at once.');
  });

  testPage('merges two edits of one entity', async () => {
    const { gate, page } = await aside();
    await go(page, `/gates/${gate.id}/settings`);
    await page.getByLabel('Description').fill('As it is.');
    await putAside(page);
    await toSet(page);
    await accepted(page);
    expect(await page.locator('.card').count()).toBe(1);
    await button(page, 'Save all').click();
    await page.getByText('The change set is empty.').waitFor();
    const { description, rules } = await api('GET', `gates/${gate.id}`);
    expect([description, rules[0].passPercentage]).toEqual(['As it is.', 50]);
  });

  testPage('merges two edits of one rule', async () => {
    const { gate, page } = await aside();
    await go(page, `/gates/${gate.id}`);
    await openRules(page);
    await page.getByLabel('Name of rule 1', { exact: true }).fill('Half of everyone');
    await putAside(page);
    await toSet(page);
    await accepted(page);
    await button(page, 'Save all').click();
    await page.getByText('The change set is empty.').waitFor();
    const { rules } = await api('GET', `gates/${gate.id}`);
    expect(rules).toMatchObject([{ name: 'Half of everyone', passPercentage: 50 }]);
  });

  testPage('merges edits of two versions, and keeps what is added while it is saved', async () => {
    const { gate, page } = await aside();
    await api('PATCH', `gates/${gate.id}`, { rules: [everyone(20)] });
    await page.goto(`/gates/${gate.id}/settings`);
    await page.getByLabel('Description').fill('As it is.');
    await putAside(page);
    await toSet(page);
    await page.locator('.difference', { hasText: '20% → 50%' }).waitFor();
    await accepted(page);
    const other = await makeGate();
    const { gone, letGo } = latch();
    await page.route(`**/console/v1/gates/${gate.id}`, (route) =>
      gone.then(() => route.continue()),
    );
    await button(page, 'Save all').click();
    await page.getByRole('link', { name: 'Gates', exact: true }).click();
    await page.getByRole('link', { name: other.name }).click();
    await page.locator(`a[href="/gates/${other.id}/settings"]`).click();
    await page.getByLabel('Description').fill('Put aside meanwhile.');
    await putAside(page);
    letGo();
    await page.getByText('1 change saved.').waitFor();
    await toSet(page);
    await page.locator('.card', { hasText: other.name }).waitFor();
    expect(await page.locator('.card').count()).toBe(1);
    const { description, rules } = await api('GET', `gates/${gate.id}`);
    expect([description, rules[0].passPercentage]).toEqual(['As it is.', 50]);
  });

  testPage('restores an edit as a draft, merged with newer input', async () => {
    const { gate, page } = await aside();
    await go(page, `/gates/${gate.id}/settings`);
    await page.getByLabel('Description').fill('As it is.');
    await dock(page).waitFor();
    await toSet(page);
    await button(page, `Remove ${gate.name}`).click();
    await page.getByText('The change set is empty.').waitFor();
    await go(page, `/gates/${gate.id}`);
    await openRules(page);
    await page.getByText('2 unsaved changes').waitFor();
    expect(await share(page).inputValue()).toBe('50');
    await go(page, `/gates/${gate.id}/settings`);
    expect(await page.getByLabel('Description').inputValue()).toBe('As it is.');
  });

  testPage('names the failed change by its number', async () => {
    const { page } = await aside();
    const other = await makeGate();
    await go(page, `/gates/${other.id}/settings`);
    await page.getByLabel('Description').fill('Put aside, too.');
    await putAside(page);
    await api('PATCH', `gates/${other.id}`, { description: 'As they have it.' });
    await toSet(page);
    await page.getByText('Change 2: The current version is 2').waitFor();
    expect(await page.locator('.card-faulty').innerText()).toContain(other.name);
  });

  testPage('explains what to do after a conflict', async () => {
    const { gate, page } = await aside();
    await api('PATCH', `gates/${gate.id}`, { description: 'As they have it.' });
    await toSet(page);
    await page.getByText('to merge its draft with the newest version').waitFor();
    await button(page, 'Clear').click();
    await page.goto(`/gates/${gate.id}`);
    await review(page);
    await button(page, 'Apply merge').click();
    await accepted(page);
    await button(page, /^Save/).click();
    await closed(page);
    const { description, rules } = await api('GET', `gates/${gate.id}`);
    expect([description, rules[0].passPercentage]).toEqual(['As they have it.', 50]);
  });
});
