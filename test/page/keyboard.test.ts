import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accepted, api, closed, dock, tabTo, testPage, unique, visit } from './browser.ts';

const groups = ['Control', 'Points'].map((name, index) => ({
  ...{ name, size: 50, parameterValues: { offer: index } },
}));

async function makePlanned() {
  const [name, type] = [unique('Sign-ups'), 'event_user'];
  await api('POST', 'metrics', { name, type, metricEvents: [{ name, type: 'count' }] });
  const { id } = await api('POST', 'experiments', {
    name: unique('Offer'),
    hypothesis: 'A clear points offer raises the share of customers who join.',
    groups,
    primaryMetrics: [{ name, type }],
    decisionRule: [{ metricID: `${name}::${type}`, better: true }],
  });
  return { id, metric: name };
}

/** Sends 400 units, of which half of the second group and a tenth of the first sign up, and loads the results. */
async function sendTraffic(id: string, metric: string): Promise<void> {
  const stored: { groups: { id: string }[] } = await api('GET', `experiments/${id}`);
  const time = Date.now();
  const units = Array.from({ length: 400 }, (_, index) => ({
    unit: `${id}-${index}`,
    group: stored.groups[index % 2]?.id,
    signsUp: index % 2 === 0 ? index % 20 === 0 : index % 4 === 1,
  }));
  await api('POST', 'exposures', {
    exposures: units.map(({ unit, group }) => ({
      ...{ kind: 'experiment', id, unitType: 'userID', unit, group, time },
    })),
  });
  await api('POST', 'events', {
    events: units
      .filter(({ signsUp }) => signsUp)
      .map(({ unit }) => ({ name: metric, userID: unit, timestamp: time })),
  });
  await api('POST', `experiments/${id}/load_pulse`, {});
}

async function press(page: Page, words: string): Promise<void> {
  await tabTo(page, words);
  await page.keyboard.press('Enter');
}

testPage('a keyboard alone plans, starts, reads and decides an experiment', async () => {
  const { id, metric } = await makePlanned();
  const page = await visit(`/experiments/${id}`);
  await page.getByRole('heading', { name: 'Before you start' }).waitFor();
  await tabTo(page, 'Targeted users a day');
  await page.keyboard.type('2690');
  await tabTo(page, 'Share of units now');
  await page.keyboard.type('12.4');
  await page.getByRole('img', { name: /Detectable change by duration/ }).waitFor();
  const smallest = page.getByRole('textbox', { name: 'Smallest change worth finding' });
  const before = await smallest.inputValue();
  await tabTo(page, 'Duration, slider');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => smallest.inputValue()).not.toBe(before);
  await press(page, 'Review');
  await accepted(page);
  await press(page, 'Save');
  await closed(page);

  await expect.poll(() => dock(page).count()).toBe(0);
  await press(page, 'Start …');
  await accepted(page);
  await press(page, 'Start');
  await closed(page);
  const planned = await api('GET', `experiments/${id}`);
  expect([planned.status, planned.duration]).toEqual(['active', 15]);

  await sendTraffic(id, metric);
  await page.goto(`/experiments/${id}`);
  const verdict = page.locator('.verdict-line');
  await verdict.waitFor();
  expect(await verdict.innerText()).toContain('400 units');
  await press(page, `Open ${metric}`);
  const graph = page.locator('.op .graph');
  await graph.waitFor();
  await tabTo(page, (await graph.getAttribute('aria-label')) ?? '');
  await page.keyboard.press('Home');
  expect(await graph.getByRole('status').innerText()).toContain('Points: +400%');

  await press(page, 'Ship Points …');
  await tabTo(page, 'Ship Points anyway'); // before the planned end
  await page.keyboard.press('Space');
  await accepted(page);
  await press(page, 'Ship Points');
  await closed(page);
  await page.getByRole('region', { name: 'Reason of the decision' }).waitFor();
  const decided = await api('GET', `experiments/${id}`);
  expect(decided.status).toBe('decision_made');
  expect(decided.launchedGroupID).toBe(decided.groups[1].id);
});
