import { describe, expect } from 'vitest';
import { accepted, api, button, closed, makeGate, testPage, unique, visit } from './browser.ts';

describe('the message after a change', () => {
  testPage('undoes archiving a gate, which gets its status back', async () => {
    const { id } = await makeGate();
    await api('PUT', `gates/${id}/launch`);
    const page = await visit(`/gates/${id}`);
    await button(page, 'More').click();
    await button(page, 'Archive …').click();
    await page.getByLabel('Why').fill('Nobody uses it.');
    await accepted(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await closed(page);
    await button(page, 'Undo').focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await api('GET', `gates/${id}`)).status).toBe('Launched');
    await button(page, 'Undo').waitFor({ state: 'detached' });
  });

  testPage('undoes archiving several experiments at once', async () => {
    const name = unique('Together');
    const [one, other] = await Promise.all(
      ['a', 'b'].map((letter) => api('POST', 'experiments', { name: `${name} ${letter}` })),
    );
    const page = await visit(`/experiments?search=${encodeURIComponent(name)}`);
    await page.getByLabel('Select all on this page').click();
    await button(page, 'Archive …').click();
    await accepted(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await closed(page);
    await button(page, 'Undo').click();
    for (const { id } of [one, other])
      await expect.poll(async () => (await api('GET', `experiments/${id}`)).status).toBe('setup');
  });

  testPage('restores a deleted gate', async () => {
    const { id } = await makeGate({ description: 'Wanted after all.' });
    const page = await visit(`/gates/${id}`);
    await button(page, 'More').click();
    await button(page, 'Delete …').click();
    await accepted(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await closed(page);
    await button(page, 'Undo').click();
    await page.getByText(/restored/i).waitFor();
    expect((await api('GET', `gates/${id}`)).description).toBe('Wanted after all.');
  });

  testPage('offers no undo of a change that it can not take back', async () => {
    const { id } = await makeGate();
    const page = await visit(`/gates/${id}`);
    await button(page, 'Disable …').click();
    await accepted(page);
    await button(page, 'Disable').click();
    await closed(page);
    await page.locator('.toast').waitFor();
    expect(await button(page, 'Undo').count()).toBe(0);
  });
});

testPage('a dialog opens within 120 ms, and at once with reduced motion', async () => {
  const page = await visit('/gates');
  const durations: unknown[] = [];
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion });
    await button(page, 'New gate').click();
    durations.push(
      await page.evaluate("getComputedStyle(document.querySelector('dialog')).animationDuration"),
    );
    await button(page, 'Close').click();
    await closed(page);
  }
  expect(durations).toEqual(['0.12s', '0s']);
});
