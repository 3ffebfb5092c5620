import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { rootKey } from '../../scripts/dev/variables.js';
import {
  accepted,
  api,
  asJSON,
  button,
  closed,
  everyone,
  makeGate,
  testPage,
  unique,
  visit,
} from './browser.ts';
import { review } from './editing.ts';

const hour = 3_600_000;
const phase = (name: string, rules: object[]) => ({ name, timeIntervalMs: hour, rules });

const makePipeline = (...phases: object[]) =>
  api('POST', 'release_pipelines', { name: unique('Pipeline'), phases });

const isWaiting = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name }).getAttribute('aria-disabled');

async function confirm(page: Page, label: string): Promise<void> {
  await page.getByText(`Confirm “${label} anyway” first`).waitFor();
  expect(await isWaiting(page, label)).toBe('true');
  await page.getByLabel(`${label} anyway`).check();
  await accepted(page);
  await page.getByRole('dialog').getByRole('button', { name: label }).click();
  await closed(page);
}

const texts = (page: Page, selector: string) => page.locator(selector).allInnerTexts();

describe('a release pipeline', () => {
  testPage(
    'warns about a phase in which no one passes, and saves after a confirmation',
    async () => {
      const { id } = await makePipeline(phase('Canary', [everyone(10)]));
      const page = await visit(`/release_pipelines/${id}`);
      expect(await page.getByText('No one passes during this phase').count()).toBe(0);
      await button(page, 'Remove rule 1').click();
      await page.getByText('No one passes during this phase').waitFor();
      await review(page);
      await page.getByText('No one passes during phase “Canary”').waitFor();
      await confirm(page, 'Save');
      expect((await api('GET', `release_pipelines/${id}`)).phases[0].rules).toEqual([]);
      await page.getByLabel('Name').fill('Quiet');
      await review(page);
      await accepted(page);
      expect(await page.getByLabel('Save anyway').count()).toBe(0);
    },
  );

  testPage('copies the rules of the last phase into a new one', async () => {
    const { id } = await makePipeline(phase('One', [everyone(10)]), phase('Two', [everyone(25)]));
    const page = await visit(`/release_pipelines/${id}`);
    await button(page, 'Add a phase').click();
    await page.getByRole('heading', { name: /^3\. / }).waitFor();
    const shares = await page.getByLabel('Pass percentage of rule 1', { exact: true }).all();
    expect(await Promise.all(shares.map((one) => one.inputValue()))).toEqual(['10', '25', '25']);
  });

  testPage('starts with one phase of one day for a share of everyone', async () => {
    const name = unique('Pipeline');
    const page = await visit('/release_pipelines');
    await button(page, 'New pipeline').click();
    await page.getByLabel('Name').fill(name);
    await accepted(page);
    await button(page, 'Create').click();
    await page.getByRole('heading', { name }).waitFor();
    const [made] = await api('GET', `release_pipelines?search=${encodeURIComponent(name)}`);
    expect(made.phases).toMatchObject([
      { timeIntervalMs: 24 * hour, rules: [{ passPercentage: 10 }] },
    ]);
  });
});

describe('the start of a release', () => {
  const start = async (page: Page, pipeline: { id: string }, what: string, id: string) => {
    await button(page, 'New release').click();
    await page.getByLabel('Pipeline').fill(pipeline.id);
    await page.getByLabel(what).fill(id);
  };

  testPage('previews each phase of a gate, and warns if no one passes', async () => {
    const gate = await makeGate({ rules: [everyone(50)] });
    const pipeline = await makePipeline(phase('Canary', [everyone(10)]), phase('Rest', []));
    const page = await visit('/releases');
    await start(page, pipeline, 'Gate', gate.id);
    await page.getByText('No one passes during phase “Rest”').waitFor();
    const steps = (await texts(page, '.ahead > li')).map((text) => text.replace(/\s+/g, ' '));
    expect(steps).toEqual([
      expect.stringMatching(/^Now 50 ?% of everyone$/),
      expect.stringMatching(/^1\. Canary, 1 hour 10 ?% of everyone$/),
      '2. Rest, 1 hour no one',
    ]);
    await confirm(page, 'Create');
    await page.getByRole('heading', { name: gate.id }).waitFor();
  });

  testPage('previews the values of a config, including unchanged ones', async () => {
    const rule = { ...everyone(50), name: 'Some', returnValue: { limit: 7 } };
    const config = await api('POST', 'dynamic_configs', { name: unique('Config'), rules: [rule] });
    const pipeline = await makePipeline(phase('All', [{ ...everyone(100), name: 'Some' }]));
    const page = await visit('/releases');
    await start(page, pipeline, 'Dynamic config', config.id);
    await page.locator('.ahead > li').nth(1).waitFor();
    const [, all] = await texts(page, '.ahead > li');
    expect(all?.replace(/\s+/g, ' ')).toMatch(
      /^1\. All, 1 hour 100 ?% of everyone, returns {"limit":7}$/,
    );
    await accepted(page);
    expect(await isWaiting(page, 'Create')).toBe(null);
  });
});

describe('a release in progress', () => {
  testPage('is displayed at the top of its config', async () => {
    const pipeline = await makePipeline(phase('Canary', [everyone(10)]));
    const { id } = await api('POST', 'dynamic_configs', { name: unique('Config') });
    const page = await visit(`/dynamic_configs/${id}`);
    expect(await page.getByText('Under release').count()).toBe(0);
    const release = await api('POST', 'release_pipeline_triggers', {
      releasePipelineID: pipeline.id,
      dynamicConfigID: id,
    });
    await page.goto(`/dynamic_configs/${id}`);
    const note = page.locator('.note', { hasText: 'Under release' });
    await note.waitFor();
    expect(await note.innerText()).toMatch(/phase “Canary”.*, ends in 59 minutes, .*\d{4}/);
    await note.getByRole('link').click();
    await page.waitForURL(`**/releases/${release.id}`);
    await page.getByText('1 hour').or(page.getByText('ends in')).first().waitFor();
    const moved = { phaseID: release.currentPhaseID };
    await api('PUT', `release_pipeline_triggers/${release.id}/pause`, moved);
    await page.goto(`/dynamic_configs/${id}`);
    await page.getByText('phase “Canary”, paused').waitFor();
  });

  testPage('warns before a move to a phase in which no one passes', async () => {
    const pipeline = await makePipeline(phase('Canary', [everyone(10)]), phase('Rest', []));
    const { id: gateID } = await makeGate();
    const { id } = await api('POST', 'release_pipeline_triggers', {
      releasePipelineID: pipeline.id,
      gateID,
    });
    await api('PATCH', `release_pipelines/${pipeline.id}`, {
      phases: [phase('Other', [everyone(1)])],
    });
    const page = await visit(`/releases/${id}`);
    await page.locator('.stage', { hasText: 'Rest' }).getByText('no one').waitFor();
    await button(page, 'Next phase …').click();
    await page.getByText('No one passes during phase “Rest”').waitFor();
    await confirm(page, 'Next phase');
    expect((await api('GET', `gates/${gateID}`)).rules).toEqual([]);
  });
});

const groupsOf = (...values: object[]) =>
  values.map((parameterValues, index) => ({
    name: `Group ${index}`,
    size: 100 / values.length,
    parameterValues,
  }));

const makeExperiment = (body: object = {}) =>
  api('POST', 'experiments', {
    name: unique('Experiment'),
    groups: groupsOf({ green: false }, { green: true }),
    ...body,
  });

const makeMetric = () =>
  api('POST', 'metrics', { name: unique('Orders'), type: 'event_count_custom' });

/** Starts an experiment and records exposures. */
async function run(experiment: { id: string; groups: { id: string }[] }, ...units: number[]) {
  await api('PUT', `experiments/${experiment.id}/start`);
  const exposures = experiment.groups.flatMap(({ id: group }, place) =>
    Array.from({ length: units[place] ?? 0 }, (_, index) => {
      const unit = { unitType: 'userID', unit: `u-${place}-${index}`, time: Date.now() };
      return { kind: 'experiment', id: experiment.id, group, ...unit };
    }),
  );
  if (exposures.length > 0) await api('POST', 'exposures', { exposures });
}

describe('an experiment', () => {
  testPage(
    'warns before a start without a primary metric or with groups without values',
    async () => {
      const { id } = await makeExperiment({ groups: groupsOf({}, {}) });
      const page = await visit(`/experiments/${id}`);
      await button(page, 'Start …').first().click();
      await page.getByText('Group 0 and Group 1 have the same values').waitFor();
      await page.getByText('There is no primary metric').waitFor();
      await confirm(page, 'Start');
      expect((await api('GET', `experiments/${id}`)).status).toBe('active');
    },
  );

  testPage('warns before a scheduled start', async () => {
    const { id } = await makeExperiment();
    const page = await visit(`/experiments/${id}`);
    await button(page, 'More').click();
    await button(page, 'Schedule …').click();
    await page.getByText('There is no primary metric').waitFor();
    expect(await page.getByText('have the same values').count()).toBe(0);
  });

  testPage('does not start with groups that have the same values', async () => {
    const { id } = await makeExperiment({ groups: groupsOf({ green: true }, { green: true }) });
    const page = await visit(`/experiments/${id}/design`);
    expect(await button(page, 'Start …').getAttribute('aria-disabled')).toBe('true');
    await button(page, 'More').click();
    expect(await button(page, 'Schedule …').getAttribute('aria-disabled')).toBe('true');
  });

  testPage('starts without a warning if it has different groups and a primary metric', async () => {
    const { name, type } = await makeMetric();
    const { id } = await makeExperiment({ primaryMetrics: [{ name, type }] });
    const page = await visit(`/experiments/${id}/design`);
    await button(page, 'Start …').click();
    await accepted(page);
    expect(await page.getByLabel('Start anyway').count()).toBe(0);
    expect(await isWaiting(page, 'Start')).toBe(null);
  });

  testPage('warns before an early decision or one with a failed health check', async () => {
    const made = await makeExperiment({ duration: 14 });
    await run(made, 160, 40);
    const page = await visit(`/experiments/${made.id}`);
    const look = await button(page, 'Decide …').getAttribute('class');
    expect(look).not.toContain('primary');
    await button(page, 'Decide …').click();
    await page.getByText('It is day 1 of 14').waitFor();
    await page.getByText('Its health check failed').waitFor();
    await page.getByLabel('Group', { exact: true }).selectOption('Group 1');
    await page.getByLabel('Why').fill('It sold more.');
    await confirm(page, 'Decide');
    expect((await api('GET', `experiments/${made.id}`)).status).toBe('decision_made');
  });

  testPage('is decided without a warning after its planned end', async () => {
    const { id } = await makeExperiment({ duration: 2 });
    await api('PUT', `experiments/${id}/start`);
    const page = await visit('/', { key: rootKey('.') });
    await page.clock.setFixedTime(Date.now() + 49 * hour);
    await page.goto(`/experiments/${id}`);
    await page.locator('.button-primary', { hasText: 'Decide …' }).click();
    await page.getByText('Group is required').waitFor();
    expect(await page.getByLabel('Decide anyway').count()).toBe(0);
  });

  testPage('displays the numbers of a passed health check', async () => {
    const made = await makeExperiment({ groups: groupsOf({}, { green: true }) });
    await run(made, 52, 60);
    const page = await visit(`/experiments/${made.id}/design`);
    const health = page.locator('.section', { hasText: 'Health' });
    await health.locator('.grid').waitFor();
    const rows = (await health.locator('tr').allInnerTexts()).map((row) => row.split(/\s*\t\s*/));
    expect(
      rows.map(([head, ...cells]) => [head, ...cells.map((cell) => Number.parseFloat(cell))]),
    ).toEqual([
      ['', Number.NaN, Number.NaN],
      ['Units', 52, 60],
      ['Observed share', 46.43, 53.57],
      ['Expected share', 50, 50],
    ]);
    await health.getByText('p = 0.45').waitFor();
  });

  testPage('displays the total of its shares while typing', async () => {
    const { id } = await makeExperiment();
    const page = await visit(`/experiments/${id}/design`);
    await page.getByText(/^adds up to 100 ?%/).waitFor();
    await page.getByLabel('Share of Group 0').fill('150');
    await page.getByText(/^adds up to 200 ?%, must be 100/).waitFor();
    await asJSON(page);
    await page.getByText(/^Total: 200 ?%, must be 100/).waitFor();
    const ends = await page.locator('.split').evaluate((bar) => {
      const { right } = bar.getBoundingClientRect();
      return [...bar.children].map((part) => part.getBoundingClientRect().right <= right + 0.5);
    });
    expect(ends).toEqual([true, true, true]);
  });
});
