import { describe, expect } from 'vitest';
import {
  accepted,
  api,
  button,
  closed,
  dock,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { latch, openRules, paste } from './editing.ts';

const word = (text: string) => unique(text).replaceAll(' ', '-');

describe('names in use', () => {
  testPage('are suggested for tags and teams, and others can be typed', async () => {
    const [known, fresh, team] = [word('winter'), word('summer'), word('Storefront')];
    await makeGate({ tags: [known], team });
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}/settings`);
    await page.getByLabel('Tags').fill(known.slice(0, -1).toUpperCase());
    await page.getByRole('option', { name: known }).getByText('1 use').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type(`${fresh},`);
    await page.getByLabel('Team').fill('storefront');
    await page.getByRole('option', { name: team }).click();
    await button(page, /^Review/).click();
    await accepted(page);
    await button(page, /^Save/).click();
    await closed(page);
    expect(await api('GET', `gates/${id}`)).toMatchObject({ tags: [known, fresh], team });
  });

  testPage('are suggested in a new key', async () => {
    const [app, email] = [word('kiosk'), `${word('owner')}@shop.example`];
    await api('POST', 'target_apps', { name: app });
    await api('POST', 'users', { email, name: 'Grace' });
    const page = await visit('/keys');
    await button(page, 'New API key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Environments').fill('stag');
    await dialog.getByRole('option', { name: 'staging' }).click();
    await dialog.getByLabel('Target app').fill(app.slice(0, -1));
    await dialog.getByRole('option', { name: app }).click();
    await dialog.getByLabel("Owner's email").fill(email.slice(0, -4));
    await dialog.getByRole('option', { name: email }).click();
    expect([
      await dialog.getByRole('button', { name: 'Remove staging' }).count(),
      await dialog.getByLabel('Target app').inputValue(),
      await dialog.getByLabel("Owner's email").inputValue(),
    ]).toEqual([1, app, email]);
    await dialog.getByLabel('Name', { exact: true }).fill(word('Key'));
    await dialog.getByLabel('Read').uncheck();
    const group = dialog.getByRole('group', { name: 'Scopes' });
    await expect.poll(() => group.getAttribute('aria-describedby')).toBeTruthy();
  });

  testPage('are read when their field gets the focus', async () => {
    const other = await makeGate();
    const conditions = [{ type: 'passes_gate', targetValue: other.id }];
    const rules = [{ name: 'Others', passPercentage: 100, conditions }];
    const { id } = await makeGate({ rules });
    const page = await visit('/settings');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const [part, label, path] of [
      ['settings', 'Tags', '/tags'],
      ['', 'Value of condition 1', '/gates'],
    ] as const) {
      await page.goto(`/gates/${id}/${part}`);
      if (part === '') await openRules(page);
      await page.getByLabel(label).waitFor();
      await page.waitForLoadState('networkidle');
      expect(asked.filter((one) => one.endsWith(path))).toEqual([]);
      await page.getByLabel(label).focus();
      await expect.poll(() => asked.some((one) => one.endsWith(path))).toBe(true);
    }
  });

  testPage('are added with their commas', async () => {
    const name = `${word('Ships')}, boats`;
    await api('POST', 'tags', { name });
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}/settings`);
    await page.getByLabel('Tags').fill(name.slice(0, 6));
    await page.getByRole('option', { name }).click();
    await button(page, `Remove ${name}`).waitFor();
  });

  testPage('are selected with the arrow keys', async () => {
    const [one, other] = [word('Pier'), word('Pier')];
    for (const name of [one, other]) await api('POST', 'teams', { name });
    const { id } = await makeGate({ team: one.slice(0, 4) });
    const page = await visit(`/gates/${id}/settings`);
    const team = page.getByLabel('Team');
    await team.focus();
    await page.getByRole('option', { name: other }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await team.focus();
    await page.keyboard.press('Enter');
    expect(await team.inputValue()).toBe('Pier');
    const last = await page.getByRole('option').last().locator('.combo-words').textContent();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    expect(await team.inputValue()).toBe(last);
  });
});

testPage('a pasted list is added without the typed text', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}/settings`);
  await page.getByLabel('Tags').fill('win');
  await paste(page, 'ter\nsummer');
  await dock(page).waitFor();
  expect(await page.locator('.token').allTextContents()).toEqual(['winter', 'summer']);
});

testPage('late suggestions do not change the selected one', async () => {
  const { name } = await makeGate({ tags: ['connec'] });
  const page = await visit('/');
  const { gone, letGo } = latch();
  await page.route(/search=connec/, (route) => gone.then(() => route.continue()));
  await page.keyboard.press('Control+K');
  await page.getByLabel('Start of a word in the name').fill('connec');
  await page.getByRole('option', { name: /^Connections/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  letGo();
  await page.getByRole('option', { name }).waitFor();
  await page.keyboard.press('Enter');
  await closed(page);
  expect(new URL(page.url()).pathname).toBe('/connections');
});

testPage('Ctrl+Shift+K and autofill trigger no shortcut', async () => {
  const page = await visit('/');
  await page.evaluate("document.dispatchEvent(new Event('keydown'))");
  await page.keyboard.press('Control+Shift+K');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
});
