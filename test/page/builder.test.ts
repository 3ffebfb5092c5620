import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { bodyOf } from '../../src/page/builder/body.ts';
import { type Draft, type EventRow, newDraft, withCard } from '../../src/page/builder/state.ts';
import { accepted, api, button, closed, testPage, unique, visit } from './browser.ts';

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

const draftOf = (edits: Partial<Draft>): Draft => ({
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
    const drafts: [Partial<Draft>, string][] = [
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
      const body = bodyOf(draftOf({ ...edits, name: unique('Draft') }));
      expect(body.type, JSON.stringify(edits)).toBe(type);
      const preview = await api('POST', 'metrics/preview', body);
      expect(preview.reasonDetail, JSON.stringify(body)).toBe(null);
      await api('POST', 'metrics', body);
    }
  });
});

const panel = (page: Page) => page.getByRole('complementary', { name: 'Preview' });
const event = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });

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
