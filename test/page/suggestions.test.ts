import { describe, expect } from 'vitest';
import { accepted, api, button, closed, makeGate, testPage, unique, visit } from './browser.ts';

const word = (text: string) => unique(text).replaceAll(' ', '-');

describe('names that the project says are suggested', () => {
  testPage('as tags and as teams, and others can be typed', async () => {
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

  testPage('to a new key: environments, apps and owners', async () => {
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
  });

  testPage('and are read when their field is gone to, not before', async () => {
    const { id } = await makeGate();
    const page = await visit('/');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`/gates/${id}/settings`);
    await page.getByLabel('Tags').waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked.filter((path) => path.endsWith('/tags'))).toEqual([]);
    await page.getByLabel('Tags').focus();
    await expect.poll(() => asked.some((path) => path.endsWith('/tags'))).toBe(true);
  });

  testPage('by arrows, from either end; one that was left is not taken', async () => {
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
