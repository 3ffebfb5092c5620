import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { checklistOf, type Planned } from '../../src/page/plan/checklist.ts';
import { judgedOf, withRole } from '../../src/page/plan/roles.ts';
import { accepted, api, button, closed, dock, testPage, unique, visit } from './browser.ts';
import { routePower } from './power_fixture.ts';

const groupsOf = (...values: string[]) =>
  values.map((offer, index) => ({
    name: index === 0 ? 'Control' : `Test ${index}`,
    size: 100 / values.length,
    parameterValues: { offer },
  }));

async function makeMetric(type: 'event_user' | 'sum' = 'event_user', body: object = {}) {
  const name = unique('Sign-ups');
  const event = { name: 'signup', type: type === 'sum' ? 'value' : 'count', metadataKey: 'amount' };
  return api('POST', 'metrics', { name, type, metricEvents: [event], ...body });
}

async function makePlanned(body: object = {}) {
  const { name, type, id } = await makeMetric();
  const experiment = await api('POST', 'experiments', {
    name: unique('Offer'),
    hypothesis: 'A clear points offer raises the share of customers who join.',
    groups: groupsOf('none', 'points'),
    primaryMetrics: [{ name, type }],
    ...body,
  });
  return { ...experiment, metricID: id, metricName: name };
}

async function typeBaseline(page: Page): Promise<void> {
  await page.getByLabel('Targeted users a day').fill('2690');
  await page.getByLabel('Share of units now').fill('12.4');
  await page.getByRole('img', { name: /Detectable change by duration/ }).waitFor();
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const slider = (page: Page, name: string) => page.getByRole('slider', { name: `${name}, slider` });
const numberIn = async (page: Page, name: string) => Number(await field(page, name).inputValue());

const change = 'Smallest change worth finding';

describe('the tab Plan', () => {
  testPage('is first before the start, and read-only after Results from then on', async () => {
    const { id } = await makePlanned();
    const page = await visit(`/experiments/${id}`);
    const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    expect(await tabs.first().textContent()).toBe('Plan');
    await page.getByRole('heading', { name: 'Before you start' }).waitFor();
    await api('PUT', `experiments/${id}/start`);
    await visit(`/experiments/${id}/plan`);
    await expect
      .poll(async () => (await tabs.allTextContents()).slice(0, 2))
      .toEqual(['Results', 'Plan']);
    await page.getByRole('cell', { name: 'Primary' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Before you start' }).count()).toBe(0);
    expect(await slider(page, 'Duration').isDisabled()).toBe(true);
    expect(await field(page, 'Duration').count()).toBe(0);
  });

  testPage('gives metrics a role and a rule, which is stored', async () => {
    const { id, metricID, metricName } = await makePlanned();
    const revenue = await makeMetric('sum', { name: unique('Revenue') });
    const page = await visit(`/experiments/${id}`);
    await page.getByText('No baseline from the last 14 days').waitFor(); // moves what is below
    await page.getByLabel(`Rule of ${metricName}`).selectOption('better');
    await button(page, 'Metric').click();
    await page.getByLabel('Metric', { exact: true }).fill(revenue.id);
    await button(page, 'Add').click();
    await page.getByLabel(`Role of ${revenue.name}`).selectOption('guardrail');
    await page.getByLabel(`Limit of ${revenue.name}`).fill('3');
    await button(page, 'Review').click();
    await accepted(page);
    await button(page, 'Save').click();
    await closed(page);
    const stored = await api('GET', `experiments/${id}`);
    expect(stored.decisionRule).toEqual([
      { metricID, better: true },
      { metricID: revenue.id, notWorseThan: 3 },
    ]);
    expect(stored.secondaryMetrics).toEqual([{ name: revenue.name, type: 'sum' }]);
  });

  testPage('warns of a guardrail whose limit is finer than what can be found', async () => {
    const tickets = await makeMetric('event_user', { name: unique('Tickets') });
    const { id } = await makePlanned({
      secondaryMetrics: [{ name: tickets.name, type: tickets.type }],
      decisionRule: [{ metricID: tickets.id, notWorseThan: 2 }],
    });
    const page = await visit(`/experiments/${id}`);
    await routePower(page);
    await page.getByLabel('For the metric').selectOption(tickets.id);
    await typeBaseline(page);
    await page.getByText('too coarse for its rule').waitFor();
  });

  testPage('blocks the start until the groups differ', async () => {
    const { id, version } = await makePlanned({ groups: groupsOf('none', 'none') });
    const page = await visit(`/experiments/${id}`);
    await page.getByText('Control and Test 1 both have offer = "none".').waitFor();
    await page.getByText('One thing must be fixed').waitFor();
    const starts = button(page, 'Start …');
    expect(await starts.count()).toBe(2);
    for (const start of await starts.all())
      expect(await start.getAttribute('aria-disabled')).toBe('true');
    const groups = groupsOf('none', 'points');
    await api('PATCH', `experiments/${id}`, { groups }, { 'If-Match': `"${version}"` });
    await visit(`/experiments/${id}`);
    const panel = page.getByRole('complementary', { name: 'Checklist' });
    await panel.getByText(/^Met: Groups differ$/).waitFor();
    await button(page, 'Start …').last().click();
    await accepted(page);
    await button(page, 'Start').click();
    await closed(page);
    expect((await api('GET', `experiments/${id}`)).status).toBe('active');
  });
});

describe('the power analysis in the tab Plan', () => {
  testPage('binds the smallest change, the days and the allocation to each other', async () => {
    const { id, metricID } = await makePlanned();
    const page = await visit(`/experiments/${id}`);
    await routePower(page);
    await typeBaseline(page);
    expect(await dock(page).count()).toBe(0);
    // 2 · 2.8² · 0.876/0.124 / (14 · 1,345): the change that two groups of 18,830 find.
    await expect.poll(() => numberIn(page, change)).toBe(7.7);
    await field(page, 'Duration').fill('28');
    await expect.poll(() => numberIn(page, change)).toBe(5.43);
    await field(page, change).fill('10');
    await expect.poll(() => numberIn(page, 'Duration')).toBe(9);
    await field(page, 'Allocation').fill('50');
    await expect.poll(() => numberIn(page, 'Duration')).toBe(18);
    await button(page, 'Review').click();
    await accepted(page);
    await button(page, 'Save').click();
    await closed(page);
    expect(await api('GET', `experiments/${id}`)).toMatchObject({
      duration: 18,
      allocation: 50,
      smallestChanges: [{ metricID, percent: 10 }],
    });
  });

  testPage('estimates the baseline and the traffic from events, until they are typed', async () => {
    const event = unique('joined');
    const { name, type } = await makeMetric('event_user', {
      metricEvents: [{ name: event, type: 'count' }],
      rollupTimeWindow: 'max',
      unitTypes: ['companyID'],
    });
    const timestamp = Date.now() - 3 * 86_400_000;
    const opening = (index: number, of: string) => ({
      ...{ name: of, timestamp, unitIDs: { companyID: `${event} ${index}` } },
    });
    const companies = Array.from({ length: 400 }, (_, index) => index);
    await api('POST', 'events', { events: companies.map((index) => opening(index, 'opened')) });
    await api('POST', 'events', {
      events: companies.filter((index) => index % 4 === 0).map((index) => opening(index, event)),
    });
    const { id } = await makePlanned({ primaryMetrics: [{ name, type }], idType: 'companyID' });
    const page = await visit(`/experiments/${id}`);
    await page
      .getByText(/^From events of the last 14 days: 25.0% among 400 targeted users/)
      .waitFor();
    await page.getByRole('img', { name: /Detectable change by duration/ }).waitFor();
    await page.getByRole('cell', { name: '25.0%' }).waitFor();
    expect(await page.getByLabel('Share of units now').isVisible()).toBe(false);
    await page.getByText('Type other values').click();
    await page.getByLabel('Share of units now').fill('50');
    await page.getByRole('cell', { name: '50.0%' }).waitFor();
    await page.getByLabel('Days of events').selectOption('28');
    await page.getByText(/^From events of the last 28 days/).waitFor();
  });

  testPage('sends power analyses once after the last of several moves', async () => {
    const { id } = await makePlanned();
    const page = await visit(`/experiments/${id}`);
    const bodies = await routePower(page);
    await typeBaseline(page);
    await expect.poll(() => bodies.length).toBe(4);
    await slider(page, 'Duration').focus();
    for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => numberIn(page, change)).toBe(6.27);
    const later = bodies.slice(4);
    expect(later.map(({ days }) => days).filter((days) => days !== undefined)).toEqual([21, 21]);
    expect(later.length).toBeLessThanOrEqual(4);
  });

  testPage('shows the curve as a table, and a problem of the analysis', async () => {
    const { id } = await makePlanned();
    const page = await visit(`/experiments/${id}`);
    await routePower(page);
    await typeBaseline(page);
    await button(page, 'Show as table').click();
    await page.getByRole('row', { name: '14 ±7.7% ±9.7%' }).waitFor();
    await page.unrouteAll();
    await page.route('**/power_analysis', (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/problem+json',
        json: { type: '/problems/x', title: 'Bad', message: 'mean must be larger.', status: 400 },
      }),
    );
    await page.getByLabel('Share of units now').fill('13');
    await page.getByText('mean must be larger.').first().waitFor();
  });
});

const metric = { name: 'orders', type: 'sum' };

/** An experiment whose checks are all met, unless changed. */
const experimentOf = (edits: Partial<Planned> = {}) => ({
  id: 'offer',
  hypothesis: 'More join.',
  groups: groupsOf('none', 'points').map((group, index) => ({
    ...group,
    id: `g${index}`,
    description: '',
    disabled: false,
  })),
  name: 'Offer',
  layerID: null,
  isAnalysisOnly: null,
  primaryMetrics: [metric],
  secondaryMetrics: [],
  primaryMetricTags: [],
  decisionRule: [{ metricID: 'orders::sum', better: true as const }],
  smallestChanges: [{ metricID: 'orders::sum', percent: 5 }],
  overrides: {
    overrides: [],
    userIDOverrides: [
      { groupID: 'g1', ids: ['ada'], unitID: 'userID', unitType: 'userID', environment: null },
    ],
  },
  ...edits,
});

describe('the checklist before a start', () => {
  const stateOf = (
    edits: Partial<Planned>,
    words: RegExp,
    running: ReturnType<typeof experimentOf>[] = [],
  ) => checklistOf(experimentOf(edits), running).find((check) => words.test(check.words))?.state;

  test('is met in each point by a complete plan', () => {
    const states = new Set(checklistOf(experimentOf(), []).map(({ state }) => state));
    expect([...states]).toEqual(['met']);
  });

  test('fails with equal values or shares that are not 100%, and warns otherwise', () => {
    const { groups } = experimentOf();
    const equal = groups.map((group) => ({ ...group, parameterValues: { offer: 'none' } }));
    const empty = groups.map((group) => ({ ...group, parameterValues: {} }));
    const small = groups.map((group) => ({ ...group, size: 40 }));
    expect(stateOf({ groups: equal }, /Groups differ/)).toBe('failed');
    expect(stateOf({ groups: empty }, /Groups differ/)).toBe('warning');
    expect(stateOf({ groups: small }, /Shares/)).toBe('failed');
    expect(stateOf({ hypothesis: ' ' }, /Hypothesis/)).toBe('warning');
    expect(stateOf({ primaryMetrics: [] }, /primary metric$/)).toBe('warning');
    expect(stateOf({ decisionRule: [] }, /Rule/)).toBe('warning');
  });

  test('warns of a running experiment of a primary metric unless a layer keeps them apart', () => {
    const running = experimentOf({ id: 'cart' });
    const isOverlap = /Overlaps/;
    expect(stateOf({}, isOverlap, [running])).toBe('warning');
    expect(stateOf({}, isOverlap, [{ ...running, id: 'offer' }])).toBe(undefined);
    const apart = { ...running, layerID: 'cart' };
    expect(stateOf({ layerID: 'cart' }, isOverlap, [apart])).toBe(undefined);
  });
});

describe('the role of a metric', () => {
  test('moves it between the lists and sets its usual rule', () => {
    const experiment = experimentOf();
    const guarded = withRole(experiment, metric, 'guardrail');
    expect(guarded).toEqual({
      primaryMetrics: [],
      secondaryMetrics: [metric],
      decisionRule: [{ metricID: 'orders::sum', notWorseThan: 2 }],
      smallestChanges: [],
    });
    expect(judgedOf(guarded).map(({ role }) => role)).toEqual(['guardrail']);
    expect(withRole(experiment, metric, 'none')).toEqual({
      primaryMetrics: [],
      secondaryMetrics: [],
      decisionRule: [],
      smallestChanges: [],
    });
    expect(withRole(experiment, metric, 'secondary').decisionRule).toEqual([]);
  });
});
