import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  accepted,
  add,
  api,
  button,
  closed,
  everyone,
  go,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { openRules, review, save } from './editing.ts';

const said = (page: Page) => page.locator('dialog .difference-words').allInnerTexts();

testPage('the review names the groups of overrides of an experiment', async () => {
  const { id, groups } = await api('POST', 'experiments', { name: unique('Experiment') });
  const page = await visit(`/experiments/${id}/overrides`);
  await add(page, 'Add an override');
  await page.getByLabel('IDs').fill('u-1, u-2,');
  await review(page);
  await accepted(page);
  const [added = ''] = await said(page);
  expect(added).toContain(`override “group ${groups[0].name}”`);
  expect(added).toContain('u-1, u-2');
  expect(added).not.toContain(groups[0].id);
  await save(page);
  await closed(page);
  await page.getByLabel('IDs').fill('u-3,');
  await review(page);
  await accepted(page);
  expect(await said(page)).toEqual([expect.stringMatching(/override “group .*”, IDs: u-3$/)]);
  await go(page, `/experiments/${id}/history`);
  const entry = page.locator('.entry .difference-words').first();
  expect(await entry.innerText()).toContain(`override “group ${groups[0].name}`);
});

testPage('the review tells apart overrides that differ in one number', async () => {
  const gate = await makeGate();
  const environmentOverrides = ['staging', 'production'].map((environment) => ({
    environment,
    unitID: 'userID',
    passingIDs: ['u-1'],
    failingIDs: [],
  }));
  await api('POST', `gates/${gate.id}/overrides`, { environmentOverrides });
  const page = await visit(`/gates/${gate.id}/overrides`);
  await button(page, 'Remove override 2').click();
  await review(page);
  await accepted(page);
  const [first = ''] = await said(page);
  expect(first).toContain('“environment production, unit ID userID” removed');
});

testPage('disabling a holdout is listed in the review and in the history', async () => {
  const { id } = await api('POST', 'holdouts', { name: unique('Holdout'), isEnabled: true });
  const page = await visit(`/holdouts/${id}/settings`);
  await page.getByLabel('On', { exact: true }).click();
  await review(page);
  await accepted(page);
  expect(await said(page)).toEqual([expect.stringMatching(/^Changed:\sOn: yes → no$/)]);
  await save(page);
  await closed(page);
  await go(page, `/holdouts/${id}/history`);
  const entry = page.locator('.entry .difference-words').first();
  expect(await entry.innerText()).toContain('On: yes → no');
});

testPage('disabling a gate is listed once', async () => {
  const { id } = await makeGate();
  const page = await visit(`/gates/${id}`);
  await button(page, 'Disable …').click();
  await accepted(page);
  expect(await said(page)).toEqual([expect.stringContaining('Status: In progress → Disabled')]);
});

testPage('the review lists the actions of a webhook', async () => {
  const body = { name: unique('Webhook'), url: 'https://hooks.example.com/console' };
  const { id } = await api('POST', 'webhooks', body);
  const page = await visit(`/webhooks/${id}/settings`);
  await page.getByLabel('Actions').fill('launch,');
  await review(page);
  await accepted(page);
  expect(await said(page)).toEqual([expect.stringContaining('Actions: launch')]);
});

testPage('a rule without environments displays "no environment"', async () => {
  const gate = await makeGate({ rules: [{ ...everyone(50), environments: [] }] });
  const page = await visit(`/gates?search=${gate.id}`);
  await page.getByText('50% of everyone, in no environment').waitFor();
  await go(page, `/gates/${gate.id}`);
  await openRules(page);
  await page.getByPlaceholder('no environment').fill('staging,');
  await button(page, 'Remove staging').click();
  await page.getByPlaceholder('all environments').waitFor();
  await review(page);
  await accepted(page);
  expect(await said(page)).toEqual([expect.stringContaining('applies in all environments')]);
});

testPage('a condition without a value displays none', async () => {
  const condition = { type: 'email', operator: 'any', targetValue: ['a@shop.example'] };
  const gate = await makeGate({ rules: [{ ...everyone(50), conditions: [condition] }] });
  const page = await visit(`/gates/${gate.id}`);
  await openRules(page);
  await page.getByLabel('Type of condition 1').selectOption('User ID');
  await page.getByLabel('Value of condition 1').fill('u-1,');
  await page.getByLabel('Operator of condition 1').selectOption('is not set');
  await review(page);
  await accepted(page);
  const lines = await page.locator('dialog .line-come').allInnerTexts();
  expect(lines.join().trim()).toMatch(/user ID is not set$/);
});

testPage('a decision displays the name of its group', async () => {
  const { id, groups } = await api('POST', 'experiments', { name: unique('Experiment') });
  await api('PUT', `experiments/${id}/start`);
  const page = await visit(`/experiments/${id}`);
  await button(page, 'Decide …').click();
  await page.getByLabel('Group', { exact: true }).selectOption(groups[0].name);
  await page.getByLabel('Why').fill('Seen.');
  await page.getByLabel('Decide anyway').check();
  await accepted(page);
  expect(await page.locator('dialog .says').innerText()).toContain('Everyone targeted');
  const all = (await said(page)).join('\n');
  expect(all).toContain(`Launched group: nothing → ${groups[0].name}`);
  expect(all).toContain('Status: Active → Decided');
  await button(page, 'Decide').click();
  await closed(page);
  await page.goto(`/audit_logs?kind=experiment&id=${id}`);
  await page.getByText(`Launched group: nothing → ${groups[0].name}`).waitFor();
});

testPage('a release displays its status in words', async () => {
  const gate = await makeGate();
  const phases = [{ name: 'All', timeIntervalMs: 3_600_000, rules: [everyone(100)] }];
  const pipeline = await api('POST', 'release_pipelines', { name: unique('Pipeline'), phases });
  const { id } = await api('POST', 'release_pipeline_triggers', {
    releasePipelineID: pipeline.id,
    gateID: gate.id,
  });
  const page = await visit(`/releases/${id}`);
  await button(page, 'Pause …').click();
  await accepted(page);
  expect((await said(page)).join('\n')).toContain('Status: In progress → Paused');
  await page.getByRole('heading', { name: `Pause: release ${gate.id}` }).waitFor();
  await button(page, 'Pause').click();
  await closed(page);
  await go(page, `/releases/${id}/history`);
  await page.getByText('Status: In progress → Paused').waitFor();
  expect(await page.getByText('Remaining').count()).toBe(0);
});

testPage('an abort lists what it reverts and whose edits are lost', async () => {
  const gate = await makeGate({ rules: [{ ...everyone(10), name: 'Before' }] });
  const phases = [{ name: 'All', timeIntervalMs: 90_000, rules: [everyone(100)] }];
  const pipeline = await api('POST', 'release_pipelines', { name: unique('Pipeline'), phases });
  const { id } = await api('POST', 'release_pipeline_triggers', {
    releasePipelineID: pipeline.id,
    gateID: gate.id,
  });
  await api('PATCH', `gates/${gate.id}`, { rules: [{ ...everyone(50), name: 'By hand' }] });
  const page = await visit(`/releases/${id}`);
  await button(page, 'More').click();
  await button(page, 'Abort …').click();
  await accepted(page);
  const all = (await said(page)).join('\n');
  expect(all).toContain('Rule “By hand” removed');
  expect(all).toContain('New rule “Before”');
  expect(all).toContain('Edit by CONSOLE API just now');
  const [, from, to] = all.match(/end time: (.*) → (.*)/) ?? [];
  expect(from).not.toBe(to);
});

testPage('a phase displays its length, in fractions of minutes too', async () => {
  const phases = [{ name: 'All', timeIntervalMs: 90_000, rules: [everyone(100)] }];
  const { id } = await api('POST', 'release_pipelines', { name: unique('Pipeline'), phases });
  const page = await visit(`/release_pipelines/${id}`);
  await page.getByRole('heading', { name: '1. All, 1.5 minutes' }).waitFor();
});

testPage('the review of a new group uses the labels of its fields', async () => {
  const { id } = await api('POST', 'experiments', { name: unique('Experiment') });
  const page = await visit(`/experiments/${id}/design`);
  await button(page, 'Add a group').click();
  await button(page, /Review/).click();
  await accepted(page);
  await page.getByRole('dialog').getByText('share 0, values {}').waitFor();
});

testPage('a phase with less than a minute left ends within a minute', async () => {
  const { id } = await makeGate();
  const phases = ['One', 'Two'].map((name) => ({
    name,
    timeIntervalMs: 60_000,
    rules: [everyone(100)],
  }));
  const pipeline = await api('POST', 'release_pipelines', { name: unique('Pipeline'), phases });
  const release = await api('POST', 'release_pipeline_triggers', {
    releasePipelineID: pipeline.id,
    gateID: id,
  });
  const page = await visit(`/releases/${release.id}`);
  await page.getByText('ends within a minute').waitFor();
  await go(page, '/releases');
  await page.getByText('One, ends within a minute').waitFor();
});
