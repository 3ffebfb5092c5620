import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { makeOldGate } from '../support/local_server.ts';
import {
  accepted,
  api,
  button,
  closed,
  counting,
  drawn,
  everyone,
  go,
  makeGate,
  origin,
  tabTo,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { latch, share } from './editing.ts';

describe('gates with the mouse', () => {
  testPage(
    'raising a rollout from 10% to 50% takes four clicks, of which one opens the rule',
    async () => {
      const { id, name } = await makeGate({ rules: [everyone(10)] });
      const page = await visit(`/gates?search=${id}`);
      const { click, clicks } = counting();
      await click(page.getByRole('link', { name }));
      await click(button(page, 'Rule 1: A share of everyone'));
      await share(page).fill('50');
      await click(button(page, /^Review/));
      await page.getByText('passes 10% → 50%').waitFor();
      await accepted(page);
      await click(button(page, /^Save/));
      await closed(page);
      expect(clicks()).toBe(4);
      expect((await api('GET', `gates/${id}`)).rules[0].passPercentage).toBe(50);
    },
  );

  testPage('disabling a gate takes three clicks, and the dialog states the effect', async () => {
    const { id, name } = await makeGate();
    const page = await visit(`/gates?search=${id}`);
    const { click, clicks } = counting();
    await click(page.getByRole('link', { name }));
    await click(button(page, 'Disable …'));
    await page.getByText('Status: In Progress → Disabled').waitFor();
    await click(button(page, 'Disable'));
    await closed(page);
    await button(page, 'Enable …').waitFor();
    expect(await button(page, 'Disable …').count()).toBe(0);
    expect([clicks(), (await api('GET', `gates/${id}`)).status]).toEqual([3, 'Disabled']);
  });

  testPage('archiving all stale gates takes four clicks', async () => {
    const port = Number(new URL(origin).port);
    for (const name of ['Left', 'Left too']) await makeOldGate(port, { name: unique(name) });
    const stale = await api('GET', 'gates?stale=true');
    expect(stale.length).toBeGreaterThan(1);
    const page = await visit('/gates');
    const { click, clicks } = counting();
    await click(page.getByLabel('Clean up'));
    await page.getByLabel('Clean up').selectOption('stale');
    await page.getByText(`${stale.length} found`).waitFor({ state: 'attached' });
    await click(page.getByLabel('Select all on this page'));
    await click(button(page, 'Archive …'));
    await accepted(page);
    await click(button(page, 'Archive'));
    await closed(page);
    expect([clicks(), await api('GET', 'gates?stale=true')]).toEqual([4, []]);
    const [one, other] = await api('GET', 'audit_logs?limit=2');
    expect(one.requestID).toBe(other.requestID);
  });

  testPage('creating a gate for a tenth of everyone takes five clicks', async () => {
    const name = unique('A tenth');
    const page = await visit('/gates');
    const { click, clicks } = counting();
    await click(button(page, 'New gate'));
    await page.keyboard.type(name);
    await page.getByText("(can't be changed)").waitFor();
    await click(button(page, 'Create'));
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await click(button(page, 'A share of everyone'));
    await click(button(page, /^Review/));
    await accepted(page);
    await click(button(page, /^Save/));
    await closed(page);
    const [made] = await api('GET', `gates?search=${encodeURIComponent(name)}`);
    expect([clicks(), made.rules[0].passPercentage]).toEqual([5, 10]);
    expect(made.rules[0].conditions).toEqual([{ type: 'public' }]);
  });
});

describe('experiments, changes and keys with the mouse', () => {
  testPage('restarting an experiment opens the new one', async () => {
    const { id } = await api('POST', 'experiments', { name: unique('Original') });
    const name = unique('Restarted');
    const page = await visit(`/experiments/${id}`);
    await button(page, 'More').click();
    await button(page, 'Restart as new …').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await accepted(page);
    await dialog.getByRole('button', { name: 'Restart as new' }).click();
    await page.getByRole('heading', { name }).waitFor();
    const [made] = await api('GET', `experiments?search=${encodeURIComponent(name)}`);
    expect(made).toMatchObject({ name, restartedFrom: id });
  });

  testPage('finding a change takes two clicks, and undoing it four', async () => {
    const { id, name } = await makeGate({ description: 'As it was.' });
    await api('PATCH', `gates/${id}`, { description: 'As it is.' });
    const page = await visit(`/gates?search=${id}`);
    const { click, clicks } = counting();
    await click(page.getByRole('link', { name }));
    await click(page.getByRole('link', { name: 'History 2' }));
    await page.getByText('Description: As it was. → As it is.').waitFor();
    expect(clicks()).toBe(2);
    await click(button(page, 'Restore version 1'));
    await page.getByText('Description: As it is. → As it was.').waitFor();
    await accepted(page);
    await click(page.getByRole('dialog').getByRole('button', { name: 'Restore' }));
    await closed(page);
    expect([clicks(), (await api('GET', `gates/${id}`)).description]).toEqual([4, 'As it was.']);
  });

  testPage(
    'starting an experiment takes three clicks, and deciding it four and a confirmation',
    async () => {
      const metric = { name: unique('Orders'), type: 'event_count_custom' };
      await api('POST', 'metrics', metric);
      const groups = ['Control', 'Test'].map((group, value) => {
        return { name: group, size: 50, parameterValues: { value } };
      });
      const { id, name } = await api('POST', 'experiments', {
        name: unique('Experiment'),
        groups,
        primaryMetrics: [metric],
      });
      const page = await visit(`/experiments?search=${id}`);
      const starting = counting();
      await starting.click(page.getByRole('link', { name }));
      await starting.click(button(page, 'Start …').first());
      await accepted(page);
      await starting.click(button(page, 'Start'));
      await closed(page);
      expect([starting.clicks(), (await api('GET', `experiments/${id}`)).status]).toEqual([
        3,
        'active',
      ]);
      await go(page, `/experiments?search=${id}`);
      const { click, clicks } = counting();
      await click(page.getByRole('link', { name }));
      await click(button(page, 'Decide …'));
      await click(page.getByLabel('Group', { exact: true }));
      await page.getByLabel('Group', { exact: true }).selectOption('Test');
      await page.getByLabel('Why').fill('It sold more.');
      await click(page.getByLabel('Decide anyway'));
      await accepted(page);
      await click(button(page, 'Decide'));
      await closed(page);
      const decided = await api('GET', `experiments/${id}`);
      expect([clicks(), decided.status, decided.decisionReason]).toEqual([
        5,
        'decision_made',
        'It sold more.',
      ]);
    },
  );

  testPage('creating a read-only key takes at most five clicks', async () => {
    const name = unique('Colleague');
    const page = await visit('/');
    const { click, clicks } = counting();
    await click(page.getByRole('link', { name: 'Settings and admin' }));
    await click(page.getByRole('link', { name: 'API keys' }));
    await click(button(page, 'New API key'));
    await page.keyboard.type(name);
    await accepted(page);
    await click(button(page, 'Create'));
    const key = await page.locator('.secret-text').textContent();
    await click(button(page, 'Copy key'));
    expect(clicks()).toBeLessThanOrEqual(5);
    const answer = await api('GET', 'gates?limit=1', undefined, { 'SERVICE-API-KEY': key });
    expect(answer).toHaveLength(1);
    await page.keyboard.press('Escape');
    await page.getByText('Close again to confirm.').waitFor();
    await page.keyboard.press('Escape');
    await closed(page);
    expect(await page.content()).not.toContain(key);
  });
});

describe('with the keyboard', () => {
  const focused = (page: Page) => page.evaluate('document.activeElement.ariaLabel');
  const tabToNext = async (page: Page) =>
    (await focused(page)) === 'Next page' || (await tabTo(page, 'Next page'));

  testPage('Go to finds a gate by a part of its name', async () => {
    const { name } = await makeGate({ name: unique('Nightingale') });
    const page = await visit('/audit_logs');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`nighting ${name.split(' ').at(-1)}`);
    await page.getByRole('option', { name }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  testPage('Enter in Go to waits for the results', async () => {
    const { name } = await makeGate({ name: unique('Kingfisher') });
    const page = await visit('/audit_logs');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`kingfish ${name.split(' ').at(-1)}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  testPage('Escape in Go to cancels a pending Enter', async () => {
    const { name } = await makeGate({ name: unique('Gatling') });
    const page = await visit('/audit_logs');
    const { gone, letGo } = latch();
    const answers: Promise<unknown>[] = [];
    await page.route(/search=gat&/, (route) => {
      answers.push(
        route
          .request()
          .response()
          .then((answer) => answer?.finished()),
      );
      return gone.then(() => route.continue());
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('gat');
    await page.getByRole('option', { name: /^Gates/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    letGo();
    await Promise.all(answers);
    await drawn(page);
    expect(await page.getByRole('heading', { name }).count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/audit_logs');
  });

  testPage('a rollout is raised by search, rule, number, review and save', async () => {
    const { id, name } = await makeGate({ rules: [everyone(10)] });
    const page = await visit('/gates');
    await page.keyboard.press('/');
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await tabTo(page, 'Rule 1: A share of everyone');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Pass percentage of rule 1');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('50');
    await page.keyboard.press('Control+Enter');
    await accepted(page);
    await page.keyboard.press('Control+Enter');
    await closed(page);
    expect((await api('GET', `gates/${id}`)).rules[0].passPercentage).toBe(50);
  });

  testPage('long lists are paged', async () => {
    const { id } = await makeGate();
    const changes = Array.from({ length: 50 }, (_, nth) => ({
      method: 'PATCH',
      path: `/console/v1/gates/${id}`,
      body: { description: `Change ${nth}` },
    }));
    await api('POST', 'changes', { changes });
    const page = await visit(`/gates/${id}/history`);
    for (const next of ['21–40 of 51', '41–51 of 51']) {
      await tabToNext(page);
      await page.keyboard.press('Enter');
      await page.getByText(next).waitFor();
      expect(await focused(page)).toBe('Next page');
    }
    await go(page, `/audit_logs?kind=gate&id=${id}`);
    await tabToNext(page);
    await page.keyboard.press('Enter');
    await page.getByText('51–51 of 51').waitFor();
    expect(await focused(page)).toBe('Next page');
  });

  testPage('single-key shortcuts can be disabled', async () => {
    const page = await visit('/settings');
    const found = page.getByRole('searchbox').and(page.locator(':focus'));
    for (const [isOn, count] of [
      [false, 0],
      [true, 1],
    ] as const) {
      await go(page, '/settings');
      await tabTo(page, 'Single keys');
      await page.keyboard.press('Space');
      expect(await page.getByLabel('Single keys').isChecked()).toBe(isOn);
      await page.goto('/gates');
      await page.getByRole('searchbox').waitFor();
      await page.keyboard.press('/');
      expect(await found.count()).toBe(count);
    }
  });

  testPage('a dialog opened from More returns the focus to More', async () => {
    const { id, name } = await makeGate();
    const page = await visit(`/gates/${id}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await tabTo(page, 'More');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await closed(page);
    expect(await focused(page)).toBe('More');
  });

  testPage('a gate is disabled', async () => {
    const { id, name } = await makeGate();
    const page = await visit(`/gates/${id}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await tabTo(page, 'Disable …');
    await page.keyboard.press('Enter');
    await accepted(page);
    await tabTo(page, 'Disable');
    await page.keyboard.press('Enter');
    await closed(page);
    expect((await api('GET', `gates/${id}`)).status).toBe('Disabled');
  });
});
