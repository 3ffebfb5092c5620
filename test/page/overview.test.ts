import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { rootKey } from '../../scripts/dev/variables.js';
import type { Experiment } from '../../src/page/base/types.ts';
import { standingOf } from '../../src/page/urgency/standing.ts';
import { byUrgency } from '../../src/page/urgency/urgency.ts';
import { api, go, testPage, unique, visit } from './browser.ts';
import {
  everyState,
  experimentOf,
  type Line,
  releaseOf,
  serveExperiments,
  serveReleases,
} from './overview_fixture.ts';

const readBase = async (): Promise<Experiment> => (await api('GET', 'experiments?limit=1'))[0];

const summaryOf = ({ experiment: { id }, result }: Line) => ({
  ...{ id, controlGroupID: 'a', testGroupID: 'b', metric: result },
  ds: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
});

const rowsOf = (page: Page) => page.locator('tbody tr');

async function visitList(query = '', lines?: Line[]): Promise<Page> {
  const page = await visit('/');
  await serveExperiments(page, lines ?? everyState(await readBase()));
  await go(page, `/experiments${query}`);
  await rowsOf(page).first().waitFor();
  return page;
}

describe('experiments in a list', () => {
  testPage('those that need a decision come first, then broken, running and others', async () => {
    const lines = everyState(await readBase());
    const ordered = byUrgency(lines.map(({ experiment }) => experiment));
    expect(ordered.map(({ name }) => name)).toEqual([
      'Checkout without account',
      'Free delivery from',
      'Loyalty offer',
      'Search ranking v3',
      'Push at noon',
      'Shorter sign-up',
      'Delivery date in list',
    ]);
  });

  testPage('the result of each is one word, which warns of numbers not to be read', async () => {
    const standings = everyState(await readBase()).map((line) =>
      standingOf(line.experiment, summaryOf(line)),
    );
    const lines = standings.map(({ experiment, status, word, lift }) => [
      ...[experiment.id, status.word, word, lift],
    ]);
    expect(lines).toEqual([
      ['loyalty_offer', 'Running', 'too early', 5.2],
      ['search_ranking', 'Running', 'ahead', 2.6],
      ['push_at_noon', 'Not started', '', null],
      ['free_delivery', 'Unbalanced groups', "don't read", null],
      ['guest_checkout', 'Needs a decision', 'wins', 4.2],
      ['shorter_signup', 'Shipped Variant', 'won', 6.1],
      ['delivery_date', 'Shipped Control', 'lost', -30.4],
    ]);
  });

  testPage('a running experiment shows its always-valid interval if it has one', async () => {
    const lines = everyState(await readBase());
    const [running, ended] = ['search_ranking', 'guest_checkout'].map((id) => {
      const line = lines.find(({ experiment }) => experiment.id === id);
      return line && standingOf(line.experiment, summaryOf(line)).bounds;
    });
    expect([running, ended]).toEqual([
      { lower: 1.2, upper: 4 },
      { lower: 1.7, upper: 6.7 },
    ]);
  });
});

describe('the list of experiments', () => {
  testPage('is ordered by what needs a decision, with an interval in each line', async () => {
    const page = await visitList();
    expect(await rowsOf(page).locator('.cell-link').allInnerTexts()).toEqual([
      'Checkout without account',
      'Free delivery from',
      'Loyalty offer',
      'Search ranking v3',
      'Push at noon',
      'Shorter sign-up',
      'Delivery date in list',
    ]);
    const first = rowsOf(page).first();
    await first.getByText('Needs a decision').waitFor();
    await first.getByRole('img', { name: '+4.2%, 95% interval +1.7% to +6.7%, better' }).waitFor();
    await rowsOf(page).nth(1).getByRole('img', { name: 'No result to read' }).waitFor();
  });

  testPage('is narrowed to what needs a decision by one button', async () => {
    const page = await visitList();
    await page.getByRole('button', { name: 'Needs a decision' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?status=decide');
    await rowsOf(page).getByRole('link', { name: 'Checkout without account' }).waitFor();
  });

  testPage('continues with decided experiments on the next page, each on one page', async () => {
    const base = await readBase();
    const some = (count: number, edits: Partial<Experiment>, name: string) =>
      Array.from({ length: count }, (_, index) => ({
        experiment: experimentOf(base, {
          id: `${name}_${index}`,
          name: `${name} ${index}`,
          ...edits,
        }),
        result: null,
      }));
    const lines = [
      ...some(70, {}, 'Open'),
      ...some(60, { status: 'decision_made', launchedGroupID: 'a' }, 'Decided'),
    ];
    const page = await visitList('', lines);
    await page.getByText('1–50 of 130').waitFor();
    const seen: string[] = [];
    for (const number of [1, 2, 3]) {
      await page.getByText(`${(number - 1) * 50 + 1}–`).waitFor();
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      seen.push(...(await rowsOf(page).locator('.cell-link').allInnerTexts()));
      if (number < 3) await page.getByRole('button', { name: 'Next page' }).click();
    }
    expect(seen).toEqual(lines.map(({ experiment: { name } }) => name));
  });
});

const boxOf = (page: Page, title: string) =>
  page.locator('section.box', { has: page.getByRole('heading', { name: title }) });

async function visitHome(): Promise<Page> {
  const page = await visit('/gates');
  await serveExperiments(page, everyState(await readBase()));
  await serveReleases(page, [
    releaseOf('new_search', 'WAITING_FOR_REVIEW'),
    releaseOf('saved_carts', 'IN_PROGRESS'),
  ]);
  await go(page, '/');
  await boxOf(page, 'Needs you').waitFor();
  return page;
}

describe('Home', () => {
  testPage('lists decisions, failed health checks and reviews, each with its page', async () => {
    const page = await visitHome();
    const needs = boxOf(page, 'Needs you').getByRole('listitem');
    expect(await needs.locator('strong').allInnerTexts()).toEqual([
      'Checkout without account is ready for a decision',
      'Free delivery from: groups are unbalanced',
      'new_search waits for a review',
    ]);
    expect(
      await needs
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual([
      '/experiments/guest_checkout',
      '/experiments/free_delivery',
      '/releases/release_of_new_search',
    ]);
    await needs.first().getByText('Variant wins on Completed checkouts.').waitFor();
  });

  testPage('shows running experiments on one axis, the broken one without a result', async () => {
    const page = await visitHome();
    const rows = boxOf(page, 'Running experiments').locator('tbody tr');
    expect(await rows.locator('a').allInnerTexts()).toEqual([
      'Free delivery from',
      'Loyalty offer',
      'Search ranking v3',
    ]);
    expect(await rows.locator('.status').allInnerTexts()).toEqual([
      expect.stringContaining('Unbalanced'),
      expect.stringContaining('Fine'),
      expect.stringContaining('Fine'),
    ]);
    await rows.first().getByRole('img', { name: 'No result to read' }).waitFor();
    await rows.last().getByRole('img', { name: '+2.6%, 95% interval +1.2% to +4.0%' }).waitFor();
  });

  testPage('draws no progress by a clock that is behind the start', async () => {
    const { id } = await api('POST', 'experiments', { name: unique('Clock') });
    await api('PUT', `experiments/${id}/start`);
    const page = await visit('/gates', { key: rootKey('.') });
    await page.clock.setFixedTime(Date.now() - 10 * 86_400_000);
    await page.goto('/');
    await page.locator('.meter-fill').first().waitFor({ state: 'attached' });
    const widths = await page
      .locator('.meter-fill')
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute('width'))));
    expect(Math.min(...widths)).toBe(0);
  });

  testPage('pauses a release after a review of the change', async () => {
    const page = await visitHome();
    const releases = boxOf(page, 'Releases under way');
    await releases.getByText('saved_carts, phase 2 of 4').waitFor();
    await releases.getByText('“Quarter” ends in 2 hours, then 50%.').waitFor();
    await releases.getByRole('button', { name: 'Pause saved_carts …' }).click();
    await page.getByRole('dialog', { name: 'Pause: release saved_carts' }).waitFor();
  });

  testPage('ticks the first steps off as they are done, and hides them on request', async () => {
    const types = ['CONSOLE'];
    const page = await visit('/gates');
    const answer = (data: object[]) => ({
      json: { message: '', data, pagination: { totalItems: data.length } },
    });
    await page.route('**/console/v1/events?limit=1', (route) => route.fulfill(answer([])));
    await page.route('**/console/v1/keys?limit=100', (route) =>
      route.fulfill(answer(types.map((type) => ({ type })))),
    );
    await go(page, '/');
    const steps = boxOf(page, 'First steps');
    await steps.getByText('Create a gate').waitFor();
    expect(await steps.getByRole('link', { name: 'Create a gate' }).count()).toBe(0);
    const key = steps.getByRole('link', { name: 'Create a key for an application' });
    await key.waitFor();
    types.push('CLIENT');
    await go(page, '/gates');
    await go(page, '/');
    await key.waitFor({ state: 'detached' });
    await steps.getByRole('button', { name: 'Hide first steps' }).click();
    await steps.waitFor({ state: 'detached' });
    await go(page, '/gates');
    await go(page, '/');
    await boxOf(page, 'Latest changes').waitFor();
    expect(await steps.count()).toBe(0);
  });
});
