import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { csvOf } from '../../src/page/results/frame/csv.ts';
import { firstDayOff, valuesOff } from '../../src/page/results/health/imbalance.ts';
import { button, closed, drawn, go, overflow, tabTo, testPage } from './browser.ts';
import {
  exposuresOf,
  fallingBalance,
  goodResult,
  healthOf,
  pulseOf,
  resultOf,
} from './results_fixture.ts';
import { typicalPulse, units, visitResults } from './results_page.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const verdict = (page: Page) => page.locator('.verdict-line');
const panel = (page: Page) => page.getByRole('complementary', { name: 'Decision' });
const cells = (page: Page, name: string) =>
  page.getByRole('row').filter({ hasText: name }).first().innerText();

const threeGroups = ['Control', '500 points', '1,000 points'];

type Served = NonNullable<Parameters<typeof visitResults>[0]>;

const unbalanced: Served['health'] = (groups) => {
  const health = healthOf(groups, [10_412, 11_964], true);
  const slice = (value: string, sizes: number[]) => ({
    dimension: 'SDK',
    dimension_value: value,
    pValue: 0.5,
    groups: groups.map(({ id }, index) => ({ groupID: id, units: sizes[index] ?? 0 })),
  });
  health.balance.days = fallingBalance(groups);
  health.balance.dimensions = [slice('web', [4_100, 5_600]), slice('iOS', [6_312, 6_364])];
  return health;
};

const decided: Served['experiment'] = (groups) => ({
  status: 'decision_made',
  decisionTime: Date.now() - 3_600_000,
  endTime: Date.now() - 3_600_000,
  launchedGroupID: groups[1]?.id,
  decisionReason: 'Sign-ups are clearly up.',
});

const winning = () => pulseOf([goodResult()]);
const over = () => ({ startTime: Date.now() - 15 * 86_400_000 });
const ruled = (rule: object) => () => ({
  decisionRule: [{ metricID: 'loyalty_signup::event_user', ...rule }],
});
const unclear = () => pulseOf([resultOf()]);

interface State {
  state: string;
  served: Served;
  sentence: string | RegExp;
  /** The only blue button of the panel. */
  primary?: string;
}

const states: State[] = [
  {
    state: 'collecting',
    served: {
      health: (groups) => ({
        ...healthOf(groups, [0, 0]),
        exposures: { units: 0, perDay: 0, lastTime: null },
      }),
    },
    sentence: 'Waiting for the first user.',
  },
  {
    state: 'preliminary',
    served: { pulse: () => ({ ...unclear(), ds: null, preliminary: true }) },
    sentence: 'Day 9: 35,973 units. Nothing can be said yet.',
  },
  {
    state: 'preliminary on its latest day',
    served: {
      pulse: () => ({ ...unclear(), ds: new Date().toISOString().slice(0, 10), preliminary: true }),
    },
    sentence: 'Points offer is ahead on Loyalty sign-ups, but it is too early to tell.',
  },
  {
    state: 'trending',
    served: {},
    sentence: 'Points offer is ahead on Loyalty sign-ups, but it is too early to tell.',
  },
  {
    state: 'won before the planned end',
    served: { pulse: winning },
    sentence: 'Points offer wins on Loyalty sign-ups.',
  },
  {
    state: 'won at the planned end',
    served: { pulse: winning, experiment: over },
    sentence: 'Points offer wins on Loyalty sign-ups.',
    primary: 'Ship Points offer …',
  },
  {
    state: 'won with an open condition',
    served: {
      pulse: winning,
      experiment: () => ({
        decisionRule: [
          { metricID: 'loyalty_signup::event_user', better: true },
          { metricID: 'other::event_count', better: true },
        ],
      }),
    },
    sentence: 'Points offer wins on Loyalty sign-ups. What it costs is not clear yet.',
  },
  {
    state: 'lost',
    served: {
      pulse: () =>
        pulseOf([
          goodResult({ percentChange: -4, percentConfidenceInterval: { lower: -6, upper: -2 } }),
        ]),
    },
    sentence: 'Points offer is worse on Loyalty sign-ups.',
    primary: 'Ship Control …',
  },
  {
    state: 'losing a guardrail',
    served: {
      pulse: () => pulseOf([resultOf({ percentConfidenceInterval: { lower: -9, upper: -4 } })]),
      experiment: ruled({ notWorseThan: 2 }),
    },
    sentence: 'Points offer loses Loyalty sign-ups. Stop it?',
  },
  {
    state: 'flat',
    served: {
      pulse: () => pulseOf([resultOf({ percentConfidenceInterval: { lower: -1, upper: 1 } })]),
      experiment: () => ({
        smallestChanges: [{ metricID: 'loyalty_signup::event_user', percent: 3 }],
      }),
    },
    sentence: 'No difference that matters.',
    primary: 'Ship Control …',
  },
  {
    state: 'unclear after the planned end',
    served: { pulse: unclear, experiment: over },
    sentence: /^Still unclear after 14 days\./,
  },
  {
    state: 'unbalanced',
    served: { health: unbalanced },
    sentence: "The groups are not the size they should be. Don't trust these results.",
  },
  {
    state: 'Bayesian',
    served: {
      pulse: () =>
        pulseOf([
          resultOf({ bayesian: { chanceToBeat: 0.94, lower: -1, upper: 11, expectedLoss: 0.002 } }),
        ]),
      experiment: () => ({ analyticsType: 'bayesian' }),
    },
    sentence: 'Points offer has a 94% chance to be better on Loyalty sign-ups.',
  },
  {
    state: 'stale',
    served: {
      pulse: () => ({
        ...unclear(),
        ds: new Date(Date.now() - 4 * 86_400_000).toISOString().slice(0, 10),
      }),
    },
    sentence: /^Results are \d days old\.$/,
  },
  {
    state: 'without metrics',
    served: { pulse: () => pulseOf([]) },
    sentence: 'Nothing says what better means.',
  },
  {
    state: 'decided',
    served: { pulse: winning, experiment: decided },
    sentence: 'Points offer won and was shipped to everyone targeted.',
  },
];

describe('results in one sentence', () => {
  for (const { state, served, sentence, primary } of states)
    testPage(`an experiment that is ${state} has its verdict and its next step`, async () => {
      const { page } = await visitResults(served);
      const words = await verdict(page).innerText();
      if (typeof sentence === 'string') expect(words).toBe(sentence);
      else expect(words).toMatch(sentence);
      expect(await panel(page).locator('.button-primary').allInnerTexts()).toEqual(
        primary ? [primary] : [],
      );
    });
});

describe('the tab Results', () => {
  testPage('a health check opens its numbers below the strip', async () => {
    const { page } = await visitResults();
    await button(page, /^Balance/).click();
    const table = page.getByRole('region', { name: 'Balance of the groups' });
    expect(await table.getByRole('row').nth(1).innerText()).toContain('12,018');
    await button(page, /^Balance/).click();
    await table.waitFor({ state: 'detached' });
  });

  testPage('exposures switch between all units and units per day, also as a table', async () => {
    const { page } = await visitResults();
    const box = region(page, 'Exposures');
    expect(await box.locator('.fig-v').first().innerText()).toBe('23,982');
    await box.getByRole('button', { name: 'Show as table' }).click();
    expect(await box.getByRole('row').last().innerText()).toContain('12,018');
    await box.getByRole('button', { name: 'Per day' }).click();
    expect(await box.getByRole('row').last().innerText()).toContain('1,502');
  });

  testPage('a row opens its lift over time in three views, which the address keeps', async () => {
    const { page, open } = await visitResults();
    await button(page, 'Open Loyalty sign-ups').click();
    const chart = page.locator('.op .graph');
    await chart.waitFor();
    await button(page, 'Daily').click();
    await expect.poll(() => page.locator('.op .whisker').count()).toBe(8);
    const query = new URL(page.url()).search;
    expect(query).toContain('series=daily');
    await open();
    expect(await page.locator('.op').count()).toBe(0);
    await open(query);
    await expect.poll(() => page.locator('.op .whisker').count()).toBe(8);
  });

  testPage('a row opens its lift by days since exposure, from day 0, also as a table', async () => {
    const { page, open } = await visitResults();
    await button(page, 'Open Loyalty sign-ups').click();
    await button(page, 'Days since exposure').click();
    await expect.poll(() => page.locator('.op .whisker').count()).toBe(8);
    const graph = page.locator('.op .graph');
    expect(await graph.locator('svg').getAttribute('aria-label')).toBe(
      'Loyalty sign-ups: lift of Points offer by days since exposure, from +4.0% to +5.4%',
    );
    const ticks = await graph.locator('svg > text.tick').allTextContents();
    expect(ticks).toEqual(['day 0', '1', '2', '3', '4', '5', '6', '7']);
    await graph.focus();
    await page.keyboard.press('End');
    expect(await graph.getByRole('status').innerText()).toContain('Day 7');
    const query = new URL(page.url()).search;
    expect(query).toContain('series=days_since_exposure');
    await open(query);
    await page.locator('.op').getByRole('button', { name: 'Show as table' }).click();
    const table = page.locator('.op').getByRole('region', { name: 'metric' });
    expect(await table.getByRole('row').first().innerText()).toContain('Days since exposure');
    expect(await table.getByRole('row').nth(1).innerText()).toMatch(/^0\s+\+4\.0%/);
  });

  testPage('a row without points by days since exposure has the reason', async () => {
    const detail = 'The percentiles of several days cannot be merged.';
    const { page } = await visitResults();
    await page.route('**/pulse_series*', (route) =>
      route.fulfill({
        json: {
          message: '',
          data: {
            ...{ metricID: 'p90::percentile', view: 'days_since_exposure', points: [] },
            ...{ reason: 'not_computable', reasonDetail: detail, warnings: [] },
          },
        },
      }),
    );
    await button(page, 'Open Loyalty sign-ups').click();
    await button(page, 'Days since exposure').click();
    await page.locator('.op').getByText(detail).waitFor();
  });

  testPage('arrow keys and Enter read the scorecard and its charts', async () => {
    const { page } = await visitResults();
    await button(page, 'Open Loyalty sign-ups').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const graph = page.locator('.op .graph');
    await graph.waitFor();
    expect(await button(page, 'Close Cart visits').isVisible()).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Open Loyalty sign-ups');
    await graph.focus();
    await page.keyboard.press('End');
    expect(await graph.getByRole('status').innerText()).toContain('Points offer: +5.4%');
    await page.keyboard.press('Home');
    expect(await graph.getByRole('status').innerText()).toContain('Points offer: +4%');
    await page.keyboard.press('ArrowRight');
    expect(await graph.getByRole('status').innerText()).toContain('Points offer: +4.2%');
    await page.keyboard.press('Escape');
    expect(await graph.getByRole('status').isVisible()).toBe(false);
  });

  testPage('a Bayesian scorecard has the chance to beat instead of p', async () => {
    const bayesian = { chanceToBeat: 0.94, lower: -1, upper: 11, expectedLoss: 0.002 };
    const { page } = await visitResults({
      pulse: () => pulseOf([resultOf({ bayesian })]),
      experiment: () => ({ analyticsType: 'bayesian' }),
    });
    await page.getByRole('columnheader', { name: 'Chance to beat' }).waitFor();
    expect(await cells(page, 'Loyalty sign-ups')).toContain('94%');
    expect(await page.locator('.iv-seq').count()).toBe(0);
  });

  testPage('a dimension lists its values by units, below all units', async () => {
    const { page } = await visitResults();
    const box = region(page, 'By dimension');
    await box.getByText('DE', { exact: true }).waitFor();
    expect(await box.getByRole('rowheader').allInnerTexts()).toEqual(['All', 'DE', 'FR']);
  });

  testPage('the decision stays in view while the scorecard scrolls', async () => {
    const { page } = await visitResults();
    await page.evaluate('scrollTo(0, 600)');
    await drawn(page);
    const box = await panel(page).boundingBox();
    expect(box?.y).toBe(16);
  });

  testPage('the scorecard is one column of cards on a phone', async () => {
    const { page } = await visitResults({}, { width: 390, height: 844 });
    for (const name of ['Scorecard', 'By dimension']) {
      const zeros = await Promise.all(
        ['.iv-axis .tick:nth-child(2)', '.iv-zero'].map((part) =>
          region(page, name).locator(part).first().boundingBox(),
        ),
      );
      const [axis = 0, row = 0] = zeros.map((box) => (box ? box.x + box.width / 2 : 0));
      expect([name, Math.round(axis - row)]).toEqual([name, 0]);
    }
    const row = page.getByRole('row').filter({ hasText: 'Loyalty sign-ups' }).first();
    expect((await row.innerText()).split('\n')).toContain('p 0.128');
    expect(await overflow(page)).toBe(0);
    const widths: number[] = await page.evaluate(
      "[...document.querySelectorAll('.iv')].map((one) => one.clientWidth)",
    );
    expect(Math.min(...widths.slice(0, 4))).toBeGreaterThan(300);
    await page.getByRole('link', { name: 'Decision', exact: true }).click();
    await expect.poll(() => page.evaluate('location.hash')).toBe('#decision');
  });
});

describe('several test groups', () => {
  const served: Served = {
    groups: threeGroups,
    exposures: (groups) => exposuresOf(groups, units),
    pulse: (groups, test) =>
      test === groups[2]?.id
        ? { ...typicalPulse(), primaryMetrics: [goodResult({ percentChange: 11.7 })] }
        : typicalPulse(),
  };

  testPage('all groups have a row within each metric, and one verdict', async () => {
    const { page } = await visitResults(served);
    expect(await verdict(page).innerText()).toBe(
      '1,000 points wins on Loyalty sign-ups. 500 points is still unclear.',
    );
    expect(await page.locator('.c-caret button').count()).toBe(8);
    await button(page, 'Open Loyalty sign-ups, 1,000 points').click();
    await page.locator('.op .graph').waitFor();
    expect(await page.locator('.op').count()).toBe(1);
  });

  testPage('one group is compared like the only one, and the address keeps it', async () => {
    const { page, groups, open } = await visitResults(served);
    await page.getByRole('group', { name: 'Groups' }).getByText('500 points').click();
    await page.getByRole('columnheader', { name: 'Trend' }).waitFor();
    expect(await page.locator('.c-caret button').count()).toBe(4);
    expect(new URL(page.url()).searchParams.get('test')).toBe(groups[1]?.id);
    await open(`?control=${groups[1]?.id}&test=${groups[2]?.id}`);
    await page.getByRole('columnheader', { name: 'C 1,000 points' }).waitFor();
  });
});

describe('unbalanced groups', () => {
  testPage('fold the scorecard, and show the day and the place where it began', async () => {
    const { page } = await visitResults({ health: unbalanced });
    const [first] = await panel(page).getByRole('button').allInnerTexts();
    expect(first).toBe('Stop …');
    expect(await page.locator('.sc').count()).toBe(0);
    const box = region(page, 'Where it began');
    await box.getByText(/^It began on \d+ \w+$/).waitFor();
    expect(await box.innerText()).toContain('only in SDK: web');
    await button(page, 'SDK').click();
    expect(await box.getByRole('row').last().innerText()).toContain('iOS');
    await button(page, 'Show them anyway').click();
    await page.locator('.sc-untrusted').waitFor();
    expect(await page.locator('.is-better').count()).toBe(0);
    expect(await panel(page).innerText()).toContain('Find the cause, then reset.');
  });

  testPage('can be shipped only after the ID is typed', async () => {
    const { page, id } = await visitResults({ health: unbalanced });
    await button(page, 'Ship Points offer …').click();
    const sheet = page.getByRole('dialog');
    const ship = sheet.getByRole('button', { name: 'Ship Points offer' });
    expect(await ship.getAttribute('aria-disabled')).toBe('true');
    await sheet.getByLabel(`Type ${id} to confirm`).fill(id);
    await sheet.getByLabel('Ship Points offer anyway').check();
    await page.getByText('Ready to save').waitFor();
    expect(await ship.getAttribute('aria-disabled')).toBe(null);
  });

  test('an imbalance begins on the first day whose share is not due to chance', () => {
    const groups = [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ];
    const days = fallingBalance(groups);
    expect(firstDayOff(days, 'a', 50)).toBe(days[4]?.ds);
    expect(firstDayOff(days.slice(0, 4), 'a', 50)).toBeUndefined();
  });

  test('only the values of a dimension whose share is off are named', () => {
    const health = unbalanced([
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ]);
    expect(valuesOff(health.balance, 'SDK', 'a', 50)).toEqual(['web']);
  });
});

describe('a decision', () => {
  testPage('a group is shipped from the verdict by keyboard alone', async () => {
    const { page } = await visitResults({ pulse: winning, experiment: over });
    await tabTo(page, 'Ship Points offer …');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog');
    await page.getByText('Ready to save').waitFor();
    expect(await sheet.getByLabel('Why').inputValue()).toContain(
      'Points offer wins on Loyalty sign-ups.',
    );
    expect(await sheet.innerText()).toContain('Status: Active → Decided');
    await page.unroute(/\/experiments\/[^/]+$/);
    await page.keyboard.press('Control+Enter');
    await closed(page);
  });

  testPage(
    'a decided experiment has its reason and its next steps, kept in the browser',
    async () => {
      const { page, id, open } = await visitResults({ pulse: winning, experiment: decided });
      await page.getByText('“Sign-ups are clearly up.”').waitFor();
      await page.getByText('Decided: Points offer').waitFor();
      const steps = region(page, 'What to do now');
      expect(await steps.innerText()).toContain('Remove the parameter offer from the code.');
      await steps.getByLabel('Announce it.').check();
      await steps.getByText('1 of 3 done').waitFor();
      await go(page, `/experiments/${id}/design`);
      await open();
      await steps.getByText('1 of 3 done').waitFor();
      expect(await button(page, 'Stop …').count()).toBe(0);
    },
  );
});

describe('CSV', () => {
  const download = async (page: Page, box: string) => {
    const saved = page.waitForEvent('download');
    await region(page, box).getByRole('button', { name: 'CSV' }).click();
    return readFileSync(await (await saved).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
  };

  testPage('contains the results and exposures that are displayed', async () => {
    const { page } = await visitResults();
    const results = await download(page, 'Scorecard');
    expect(results).toHaveLength(5);
    expect(results[1]).toContain('Points offer');
    expect(results[1]).toContain('loyalty_signup::event_user,Loyalty sign-ups,0.1241,12018');
    const exposures = await download(page, 'Exposures');
    expect(exposures).toHaveLength(17);
    expect(exposures.at(8)).toMatch(/Control,12018$/);
  });

  test('quotes commas and quotes, and keeps formulas from running', () => {
    expect(csvOf([['a,b', 'say "x"', '=1+1', -1.5, null]])).toBe(
      `"a,b","say ""x""",'=1+1,-1.5,\r\n`,
    );
  });
});
