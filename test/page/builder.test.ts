import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { metricBody } from '../../src/page/metric/body.ts';
import {
  type EventRow,
  type MetricDraft,
  newDraft,
  withCard,
} from '../../src/page/metric/state.ts';
import {
  draftOf as storedDraft,
  withMeasured,
  withTreatment,
} from '../../src/page/metric/stored.ts';
import { metricParts, metricSentence } from '../../src/page/metric/stored_words.ts';
import { accepted, api, button, closed, drawn, testPage, unique, visit } from './browser.ts';

const dayLength = 86_400_000;

/** An ID type of its own: previews count the units of all events. */
const unitType = 'shopID';

/** Two thirds of 30 shops order, for 10 each. */
const [opened, ordered] = [unique('opened'), unique('ordered')];

beforeAll(async () => {
  await api('POST', 'unit_id_types', { name: unitType });
  const timestamp = Date.now() - 3 * dayLength;
  const shops = Array.from({ length: 30 }, (_, index) => `${opened} ${index}`);
  await api('POST', 'events', {
    events: shops.flatMap((shop, index) => [
      { name: opened, timestamp, unitIDs: { [unitType]: shop } },
      ...(index % 3 === 0
        ? []
        : [
            {
              ...{ name: ordered, timestamp: timestamp + 1000, unitIDs: { [unitType]: shop } },
              ...{ value: 10, metadata: { currency: index % 2 === 0 ? 'EUR' : 'USD', tax: 2 } },
            },
          ]),
    ]),
  });
});

const row = (edits: Partial<EventRow> = {}): EventRow => ({
  ...{ name: 'purchase', measure: 'count', key: '', criteria: [] },
  ...edits,
});

const draftOf = (edits: Partial<MetricDraft>): MetricDraft => ({
  ...withCard(newDraft, edits.card ?? 'events'),
  ...edits,
});

describe('the body of a new metric', () => {
  testPage('has each type, and is accepted by the API', async () => {
    const part = await api('POST', 'metrics', {
      ...{ name: unique('Part'), type: 'event_count_custom' },
    });
    const components = [{ name: part.name, type: part.type }];
    const value = [row({ measure: 'value' })];
    const drafts: [Partial<MetricDraft>, string][] = [
      [{ card: 'events', rows: [row()] }, 'event_count_custom'],
      [{ card: 'events', how: 'different', rows: value }, 'user_warehouse'],
      [{ card: 'users', rows: [row()], window: 'daily' }, 'event_user'],
      [{ card: 'users', how: 'back', rows: [row()] }, 'user_warehouse'],
      [{ card: 'number', rows: value }, 'sum'],
      [{ card: 'number', rows: [row({ measure: 'metadata', key: 'tax' })] }, 'sum'],
      [{ card: 'number', how: 'mean', rows: value, capped: 1, pastDays: 14 }, 'mean'],
      [{ card: 'number', how: 'percentile', percentile: 90, rows: value }, 'percentile'],
      [{ card: 'number', how: 'latest_value', rows: value }, 'user_warehouse'],
      [{ card: 'ratio', rows: [row(), row({ name: 'visit' })] }, 'ratio'],
      [{ card: 'ratio', how: 'metrics', components: [...components, ...components] }, 'ratio'],
      [{ card: 'funnel', rows: [row(), row({ name: 'visit' })], within: 1 }, 'funnel'],
      [{ card: 'composite', components }, 'composite_sum'],
      [{ card: 'composite', how: 'composite', components }, 'composite'],
      [{ card: 'events', rows: [row()], window: 'custom', from: 0, to: 6 }, 'event_count_custom'],
    ];
    for (const [edits, type] of drafts) {
      const body = metricBody(draftOf({ ...edits, name: unique('Draft') }));
      expect(body.type, JSON.stringify(edits)).toBe(type);
      const preview = await api('POST', 'metrics/preview', body);
      expect(preview.reasonDetail, JSON.stringify(body)).toBe(null);
      const stored = await api('POST', 'metrics', body);
      const draft = storedDraft(stored);
      if (draft) expect(withMeasured(stored, draft)).toEqual(stored.warehouseNative);
      expect(withTreatment(stored, {})).toEqual(stored.warehouseNative ?? {});
    }
  });

  test('keeps the conditions of the first of several events to itself', () => {
    const criteria = [{ type: 'metadata' as const, column: 'currency', condition: 'in' as const }];
    const rows = [row({ measure: 'value', criteria }), row({ name: 'refund', measure: 'value' })];
    expect(metricBody(draftOf({ card: 'number', how: 'max', rows })).warehouseNative).toEqual({
      aggregation: 'max',
      metricSources: [
        { metricSourceName: 'purchase', criteria },
        { metricSourceName: 'refund', criteria: [] },
      ],
    });
  });
});

const source = {
  metricSourceName: 'purchase',
  criteria: [{ type: 'metadata', column: 'currency', condition: 'in', values: ['EUR', 'USD'] }],
};

/** Metrics of each type, with their sentence and events in words. */
const readings: [object, string, string[]][] = [
  [
    { type: 'event_count_custom' },
    'Per user: how often any of these events happens.',
    ['Event 1: NAME, every one'],
  ],
  [
    { type: 'event_user', metricEvents: [{ name: 'visit', type: 'count' }] },
    'The share of users who did any of these events on a day.',
    ['Event 1: visit, every one'],
  ],
  [
    {
      type: 'sum',
      metricEvents: [
        { name: 'purchase', type: 'metadata', metadataKey: 'tax' },
        { name: 'refund', type: 'value', criteria: [{ condition: '>', values: ['5'] }] },
      ],
    },
    'Per user: the total of these events.',
    ['Event 1: purchase, its tax, every one', 'Event 2: refund, its value, value is over 5'],
  ],
  [
    { type: 'mean', metricEvents: [{ name: 'purchase', type: 'value' }] },
    'Per user: the mean of these events.',
    ['Event 1: purchase, its value, every one'],
  ],
  [
    {
      type: 'ratio',
      metricEvents: [
        { name: 'purchase', type: 'value' },
        { name: 'visit', type: 'count_distinct' },
      ],
    },
    'One over another, of all users together.',
    ['Numerator: purchase, its value, every one', 'Denominator: visit, days, every one'],
  ],
  [
    {
      type: 'ratio',
      warehouseNative: {
        ...{ ...source, numeratorAggregation: 'sum', denominatorAggregation: 'count' },
        ...{ valueColumn: 'tax', denominatorMetricSourceName: 'visit' },
        denominatorCriteria: [],
        denominatorValueColumn: 'value',
      },
    },
    'One over another, of all users together.',
    [
      'Numerator: purchase, the total of its tax, currency is one of EUR or USD',
      'Denominator: visit, times, every one',
    ],
  ],
  [
    { type: 'percentile', warehouseNative: { ...source, percentile: 0.9 } },
    'The 90th percentile of a number of all events.',
    ['Event 1: purchase, its value, currency is one of EUR or USD'],
  ],
  [
    {
      type: 'funnel',
      funnelEventList: [
        { name: 'visit', type: 'event_user' },
        { name: 'purchase', type: 'event_user' },
      ],
    },
    'Of users with step 1, the share that finishes all steps in order.',
    ['Step 1: visit, every one', 'Step 2: purchase, every one'],
  ],
  [
    {
      type: 'funnel',
      warehouseNative: {
        funnelEvents: [source, { name: 'rated' }],
        ...{ funnelCalculationWindow: 1, funnelStartCriteria: 'exposure' },
      },
    },
    'Of users with an exposure, the share that finishes all steps in order within 1 day.',
    ['Step 1: purchase, currency is one of EUR or USD', 'Step 2: rated, every one'],
  ],
  [
    {
      type: 'composite_sum',
      metricEvents: [{ name: 'purchase', type: 'count' }],
    },
    'Per user: the sum of these events.',
    ['Event 1: purchase, times, every one'],
  ],
  [
    {
      type: 'user_warehouse',
      warehouseNative: {
        components: [
          { aggregation: 'sum', metricSourceName: 'purchase' },
          { operator: '-', aggregation: 'sum', metricSourceName: 'refund', valueColumn: 'tax' },
        ],
      },
    },
    'Per user: the sum of these parts.',
    ['Plus: purchase, the total, every one', 'Minus: refund, the total of its tax, every one'],
  ],
  [
    {
      type: 'user_warehouse',
      warehouseNative: { aggregation: 'retention', ...source, retentionEnd: 14 },
    },
    'The share of users who came back and did any of these events 14 days after their first day.',
    ['Event 1: purchase, currency is one of EUR or USD'],
  ],
  [
    { type: 'undefined', warehouseNative: { aggregation: 'latest_value', ...source } },
    'Per user: the latest value of these events.',
    ['Event 1: purchase, its value, currency is one of EUR or USD'],
  ],
];

const event = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });

describe('the definition of a stored metric', () => {
  testPage('is read in words for each type', async () => {
    for (const [body, sentence, parts] of readings) {
      const name = unique('Read');
      const metric = await api('POST', 'metrics', { name, ...body });
      const found = metricParts(metric).map(
        ({ label, ...part }) =>
          `${label}: ${[part.event, part.measure, part.where].filter(Boolean).join(', ')}`,
      );
      expect([metricSentence(metric, true), found]).toEqual([
        sentence,
        parts.map((part) => part.replace('NAME', name)),
      ]);
    }
  });

  testPage('changes the steps of a funnel and its treatment in place', async () => {
    const warehouseNative = {
      ...{ aggregation: 'funnel', funnelCalculationWindow: 2, metricBakeDays: 3 },
      funnelEvents: [source, { name: 'rated', metricSourceName: 'rated' }],
    };
    const name = unique('Steps');
    const { id } = await api('POST', 'metrics', { name, type: 'funnel', warehouseNative });
    const page = await visit(`/metrics/${encodeURIComponent(id)}`);
    await page.getByText('currency is one of EUR or USD').waitFor();
    expect(await page.locator('main input, main pre').count()).toBe(0);
    expect(await page.locator('.fact').allInnerTexts()).toEqual(['Metric bake days\n3']);
    await button(page, 'Change What is measured').click();
    await event(page, 'Step 2').fill('');
    await page.getByLabel('Days for all steps').fill('4');
    await button(page, /^Review/).click();
    await page.getByText('An event has no name.').waitFor();
    await page.keyboard.press('Escape');
    await event(page, 'Step 2').fill('reviewed');
    await button(page, 'Change Outliers, window, CUPED').click();
    await page.getByLabel('Lower the top').fill('1');
    await page.getByLabel('Events that count').selectOption('custom');
    await page.getByLabel('To day').fill('13');
    await button(page, 'Change Direction and IDs').click();
    await page.getByLabel('Good is').selectOption('decrease');
    await button(page, /^Review/).click();
    await accepted(page);
    await button(page, 'Save').click();
    await closed(page);
    const stored = await api('GET', `metrics/${encodeURIComponent(id)}`);
    expect(stored.directionality).toBe('decrease');
    expect(stored.warehouseNative).toEqual({
      ...{ aggregation: 'funnel', funnelCalculationWindow: 4, metricBakeDays: 3 },
      ...{ funnelStrictOrdering: true, funnelStartCriteria: 'start_event' },
      funnelEvents: [
        { ...source, name: 'purchase' },
        { name: 'reviewed', metricSourceName: 'reviewed', criteria: [] },
      ],
      ...{ winsorizationHigh: 0.99, rollupTimeWindow: 'custom' },
      ...{ customRollUpStart: 0, customRollUpEnd: 13 },
    });
    await page.getByText('Cap the top 1% · days 0 to 13 · CUPED on, 7 days').waitFor();
  });

  testPage('offers no change of events that the API keeps', async () => {
    const name = unique('Counted');
    const { id } = await api('POST', 'metrics', { name, type: 'event_count_custom' });
    const page = await visit(`/metrics/${encodeURIComponent(id)}`);
    await page.getByText('Fixed, because results depend on it.').waitFor();
    await drawn(page);
    expect(await button(page, /^Change /).allInnerTexts()).toEqual(['Change']);
    await button(page, 'Change Direction and IDs').waitFor();
  });
});

const panel = (page: Page) => page.getByRole('complementary', { name: 'Preview' });

async function begin(name: string): Promise<Page> {
  const page = await visit('/metrics');
  await button(page, 'New metric').first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  const countedBy = page.getByLabel('Counted by');
  await countedBy.fill(unitType);
  await countedBy.press('Tab');
  return page;
}

async function create(page: Page): Promise<void> {
  await button(page, 'Create …').click();
  await accepted(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await closed(page);
}

describe('the page of a new metric', () => {
  testPage('creates a funnel with a condition, and previews its steps', async () => {
    const name = unique('Checkout');
    const page = await begin(name);
    await page.getByRole('button', { name: /^Funnel/ }).click();
    await event(page, 'Step 1').fill(opened);
    await event(page, 'Step 2').fill(ordered);
    await panel(page).getByText('66.67%', { exact: true }).first().waitFor();
    await panel(page).getByText('66.67% of the step before').waitFor();
    await button(page, /^Conditions of Step 2/).click();
    await button(page, 'Condition').click();
    await page.getByLabel('Metadata key').fill('currency');
    const values = page.getByLabel('Values', { exact: true });
    await values.fill('EUR');
    await values.press('Enter');
    await panel(page).getByText('33.33%', { exact: true }).first().waitFor();
    await page.getByText('currency is one of EUR').waitFor();
    await create(page);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    const stored = await api('GET', `metrics/${encodeURIComponent(`${name}::funnel`)}`);
    expect(stored.unitTypes).toEqual([unitType]);
    expect(stored.warehouseNative.funnelEvents[1].criteria).toEqual([
      { type: 'metadata', column: 'currency', condition: 'in', values: ['EUR'] },
    ]);
  });

  testPage('takes only events that servers sent', async () => {
    const name = unique('Sold by servers');
    const page = await begin(name);
    await page.getByRole('button', { name: /^Sum or mean/ }).click();
    await event(page, 'Event 1').fill(ordered);
    await panel(page).getByText('6.667').first().waitFor();
    await button(page, /^Conditions of Event 1/).click();
    await page.getByLabel('Only events sent by servers').check();
    await button(page, /^Conditions of Event 1: sent by servers/).waitFor();
    await panel(page).getByText('6.667').first().waitFor({ state: 'detached' });
    await create(page);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    const [stored] = await api('GET', `metrics?search=${encodeURIComponent(name)}`);
    const { metricEvents, warehouseNative } = stored;
    expect(JSON.stringify([metricEvents, warehouseNative])).toContain(
      '{"type":"sender","condition":"in","values":["server"]}',
    );
  });

  testPage('shows the values by day, and the change that could be found', async () => {
    const page = await begin(unique('Revenue'));
    await page.getByRole('button', { name: /^Sum or mean/ }).click();
    await event(page, 'Event 1').fill(ordered);
    await panel(page).getByText('6.667').first().waitFor();
    await panel(page).getByText(/^±/).waitFor();
    await panel(page)
      .getByRole('img', { name: /^By day/ })
      .waitFor();
    await page.getByLabel('Measure', { exact: true }).selectOption('latest_value');
    await panel(page).getByText('6.667').first().waitFor();
    await page.getByLabel('What counts of Event 1').selectOption('metadata');
    await panel(page).getByText('Name the metadata that counts to see its values.').waitFor();
    await page.getByLabel('Metadata key of Event 1').fill('tax');
    await panel(page).getByText('1.333').first().waitFor();
  });

  testPage('names why the values cannot be computed', async () => {
    const page = await begin(unique('Odd'));
    await event(page, 'Event 1').fill('a');
    await page.getByLabel('Counted by').fill('planetID');
    await page.getByLabel('Counted by').press('Tab');
    await panel(page).getByText('No events of this ID type in the last 14 days.').waitFor();
  });
});
